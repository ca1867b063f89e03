//! What can be done to any server over TCP.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use crate::watch::Watch;

/// Connects, does something, and again, about twenty times in a second at most.
pub(crate) fn again(
    address: SocketAddr,
    watch: &Watch,
    mut act: impl FnMut(&mut TcpStream) -> io::Result<()>,
) {
    let moment = Some(Duration::from_millis(500));
    while watch.goes_on() {
        if let Ok(mut stream) = TcpStream::connect(address)
            && stream.set_read_timeout(moment).and(stream.set_write_timeout(moment)).is_ok()
        {
            // That a server puts an end to it is what it should do.
            let _ = act(&mut stream);
        }
        watch.pause(50);
    }
}

/// Whether a connection goes on: what came is not looked at.
pub(crate) fn is_open(stream: &mut TcpStream) -> bool {
    match stream.read(&mut [0; 4096]) {
        Ok(count) => count > 0,
        Err(error) => matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut),
    }
}

/// Says nothing.
pub(crate) fn silent(address: SocketAddr, watch: &Watch) {
    again(address, watch, |stream| {
        while watch.goes_on() && is_open(stream) {}
        Ok(())
    });
}

/// Comes and goes.
pub(crate) fn fleeting(address: SocketAddr, watch: &Watch) {
    again(address, watch, |_| Ok(()));
}

/// What [`noise`] begins with.
pub(crate) const SEED: u32 = 0x9e37_79b9;

/// The next bytes that mean nothing.
pub(crate) fn noise(number: &mut u32, len: usize) -> Vec<u8> {
    let next = |_| {
        *number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (*number >> 24) as u8
    };
    (0..len).map(next).collect()
}

/// Sends bytes that mean nothing.
pub(crate) fn garbage(address: SocketAddr, watch: &Watch) {
    let mut number = SEED;
    again(address, watch, |stream| {
        while watch.goes_on() {
            stream.write_all(&noise(&mut number, 1000))?;
            watch.pause(5);
        }
        Ok(())
    });
}

/// Sends the start of something, a byte at a time.
pub(crate) fn slow(address: SocketAddr, watch: &Watch, start: &[u8]) {
    again(address, watch, |stream| {
        for byte in start {
            stream.write_all(&[*byte])?;
            watch.pause(300);
            if !watch.goes_on() {
                break;
            }
        }
        Ok(())
    });
}
