//! A limit on depth for serializers that have none.

use std::io::{self, Write};

/// Refuses more than 64 opening bytes of a sequence in a row.
pub(crate) struct Shallow {
    pub(crate) bytes: Vec<u8>,
    open: u8,
    depth: usize,
}

impl Shallow {
    pub(crate) fn new(open: u8) -> Self {
        Shallow { bytes: Vec::new(), open, depth: 0 }
    }
}

impl Write for Shallow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.depth = if bytes == [self.open] { self.depth + 1 } else { 0 };
        if self.depth > 64 {
            return Err(io::Error::other("too deep"));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
