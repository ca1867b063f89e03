//! Writing what is JSON text already.

use crate::Result;
use crate::value::{check_depth, laid_out};
use crate::write::Writer;

/// A whole value at its depth; what stands on one line is laid out as the rest is.
pub(super) fn write(writer: &mut Writer, text: &str, max_depth: usize) -> Result<()> {
    check_depth(text, max_depth.saturating_sub(writer.depth()), max_depth)?;
    let is_line = text.starts_with(['[', '{']) && text.len() > 2 && !text.contains('\n');
    if writer.is_pretty() && is_line {
        let base = "    ".repeat(writer.depth());
        writer.raw(&laid_out(text, &base)?);
    } else {
        writer.raw(text);
    }
    writer.check()
}
