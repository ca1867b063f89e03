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

/// Whether this is a control, or a mark that changes the direction of what follows: not for a screen as it is.
pub fn is_odd(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
