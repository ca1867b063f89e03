/// Returns the fault in the text of an error, if there is one: errors are one sentence that begins with
/// a small letter, without a full stop and without the look of `{:?}`.
pub fn fault_of_message(message: &str) -> Option<&'static str> {
    let first = message.chars().next();
    if first.is_none() {
        return Some("it is empty");
    }
    if first.is_some_and(char::is_uppercase) {
        return Some("it begins with a capital letter");
    }
    if message.contains(['\n', '\r']) {
        return Some("it has more than one line");
    }
    if message.ends_with('.') {
        return Some("it ends with a full stop");
    }
    if message.trim() != message || message.contains("  ") {
        return Some("it has spare white space");
    }
    has_debug_look(message).then_some("it has the look of Debug")
}

/// `Name(` or `Name {` outside of quotes, as `derive(Debug)` prints it.
fn has_debug_look(message: &str) -> bool {
    let mut quote = None;
    let mut word = String::new();
    let mut after_space = false;
    for c in message.chars() {
        if let Some(end) = quote {
            quote = if c == end { None } else { quote };
            continue;
        }
        let capital = word.starts_with(char::is_uppercase);
        match c {
            '"' | '`' => {
                quote = Some(c);
                word.clear();
            }
            '(' if capital && !after_space => return true,
            '{' if capital => return true,
            ' ' => after_space = true,
            _ if c.is_alphanumeric() || c == '_' => {
                if after_space {
                    word.clear();
                }
                word.push(c);
                after_space = false;
            }
            _ => {
                word.clear();
                after_space = false;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_messages() {
        for message in [
            "expected string, found integer at byte 0x1f, in players[3].name",
            "missing field `Name(x)`",
            "unexpected end of input (needs 4 bytes)",
            "invalid type: string \"Some(\", expected struct Player",
            "expected struct Player with 3 fields",
            "`A` is no digit",
            "expected variant Circle (a number)",
        ] {
            assert_eq!(fault_of_message(message), None, "{message}");
        }
    }

    #[test]
    fn bad_messages() {
        for (message, fault) in [
            ("", "it is empty"),
            ("Unexpected end", "it begins with a capital letter"),
            ("two\nlines", "it has more than one line"),
            ("a full stop.", "it ends with a full stop"),
            ("space at end ", "it has spare white space"),
            ("found Some(3) there", "it has the look of Debug"),
            ("error: Semantic(None, \"x\")", "it has the look of Debug"),
            ("bad Header { magic: 3 }", "it has the look of Debug"),
        ] {
            assert_eq!(fault_of_message(message), Some(fault), "{message}");
        }
    }
}
