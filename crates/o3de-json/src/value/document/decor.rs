//! How a text is laid out.

/// The line end of the first line.
pub(super) fn newline(source: &str) -> &'static str {
    let first = source.split_once('\n').map_or("", |(line, _)| line);
    if first.ends_with('\r') { "\r\n" } else { "\n" }
}

/// Indentation of one level: that of the first line that has any.
pub(super) fn unit(source: &str) -> &str {
    let indented = source.lines().skip(1).find(|line| {
        line.starts_with([' ', '\t']) && line.trim_start().starts_with(['"', '{', '[', '/'])
    });
    indented
        .and_then(|line| line.get(..line.len().saturating_sub(line.trim_start().len())))
        .unwrap_or("    ")
}

/// The white space at the start of the line of an offset.
pub(super) fn indent(source: &str, offset: usize) -> &str {
    let before = source.get(..offset).unwrap_or_default();
    let line = before.rfind('\n').map_or(0, |at| at.saturating_add(1));
    let line = source.get(line..).unwrap_or_default();
    let end = line.find(|c| c != ' ' && c != '\t').unwrap_or(line.len());
    line.get(..end).unwrap_or_default()
}
