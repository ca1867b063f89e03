//! Numbers and foreign text in sentences.

/// A number of things in words: `1 file`, `2 files`.
pub fn count(number: usize, what: &str) -> String {
    let many = match what.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None if what.ends_with('s') => format!("{what}es"),
        None => format!("{what}s"),
    };
    format!("{number} {}", if number == 1 { what } else { &many })
}

/// One line of harmless characters, of which at most `most` are shown.
pub fn shortened(text: &str, most: usize) -> String {
    let mut shown: String = text.chars().take(most).flat_map(char::escape_debug).collect();
    if text.chars().nth(most).is_some() {
        shown.push('…');
    }
    shown
}

/// Whether this is a control, a mark that changes the direction of what follows, an end of a line, or nothing that
/// can be seen: not for a screen as it is. What joins letters of a script counts as one of them.
pub fn is_control_or_bidi(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
        )
}
