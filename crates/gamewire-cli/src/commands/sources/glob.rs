//! Patterns for names of entries.

/// A pattern: `*` stands for anything without `/`, `?` for one character other than `/`, `**` for
/// anything, and `**/` for any folders or none. Letters match whatever their case, as in the games.
pub(crate) struct Glob {
    tokens: Vec<Token>,
    is_plain: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    Char(char),
    One,
    Some,
    All,
    /// The beginning of `**/`, and what follows it until the next `/`.
    Folders,
    InFolder,
}

impl Glob {
    pub(crate) fn new(pattern: &str) -> Self {
        let mut tokens = Vec::new();
        let mut rest = pattern;
        let mut is_start = true;
        while let Some(first) = rest.chars().next() {
            let (token, len) = match first {
                '*' if rest.starts_with("**/") && is_start => {
                    tokens.push(Token::Folders);
                    (Token::InFolder, 3)
                }
                '*' if rest.starts_with("**") => (Token::All, 2),
                '*' => (Token::Some, 1),
                '?' => (Token::One, 1),
                other => (Token::Char(other.to_ascii_lowercase()), other.len_utf8()),
            };
            tokens.push(token);
            is_start = token == Token::InFolder || first == '/';
            rest = rest.get(len..).unwrap_or_default();
        }
        let is_plain = tokens.iter().all(|token| matches!(token, Token::Char(_)));
        Glob { tokens, is_plain }
    }

    /// Whether it is a name.
    pub(crate) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Takes time in proportion to the lengths of both, whatever they are.
    pub(crate) fn matches(&self, name: &str) -> bool {
        // The places in the pattern that what was read of the name leads to.
        let mut states = vec![false; self.tokens.len() + 1];
        let mut next = states.clone();
        enter(&self.tokens, &mut states, 0);
        for c in name.chars().map(|c| c.to_ascii_lowercase()) {
            next.fill(false);
            for (at, token) in self.tokens.iter().enumerate() {
                if !states.get(at).copied().unwrap_or_default() {
                    continue;
                }
                let (stays, goes) = match token {
                    Token::Char(own) => (None, *own == c),
                    Token::One => (None, c != '/'),
                    Token::Some => ((c != '/').then_some(at), false),
                    Token::All => (Some(at), false),
                    Token::Folders => (Some(at + 1), false),
                    Token::InFolder => (Some(at), c == '/'),
                };
                // The first character of a folder's name may end it: an empty name.
                let ends = *token == Token::Folders && c == '/';
                if let Some(at) = stays {
                    // Inside of a folder nothing is skipped until it ends.
                    set(&mut next, at);
                    if !matches!(token, Token::Folders | Token::InFolder) {
                        enter(&self.tokens, &mut next, at);
                    }
                }
                if goes {
                    enter(&self.tokens, &mut next, at + 1);
                }
                if ends {
                    enter(&self.tokens, &mut next, at + 2);
                }
            }
            std::mem::swap(&mut states, &mut next);
        }
        states.last().copied().unwrap_or_default()
    }
}

fn set(states: &mut [bool], at: usize) {
    if let Some(state) = states.get_mut(at) {
        *state = true;
    }
}

/// Goes to a place, and to those that nothing need stand before.
fn enter(tokens: &[Token], states: &mut [bool], mut at: usize) {
    loop {
        set(states, at);
        at += match tokens.get(at) {
            Some(Token::Some | Token::All) => 1,
            Some(Token::Folders) => 2,
            _ => return,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_names() {
        for (pattern, yes, no) in [
            (
                "ObjectData/**",
                "ObjectData/a ObjectData/a/b.xml objectdata/A",
                "ObjectData Object/a xObjectData/a",
            ),
            ("**/*.xml", "a.xml b/a.xml b/c/a.XML", "a.xm a.xml/b"),
            ("*.xml", "a.xml .xml", "b/a.xml"),
            ("a/**/b", "a/b a/x/b a/x/y/b", "a/xb ab a/b/c"),
            ("a?c", "abc", "a/c ac abbc"),
            ("a**c", "ac a/b/c abc", "ab"),
            ("**", "a a/b", ""),
            ("GUI/Readme.txt", "GUI/Readme.txt gui/readme.TXT", "GUI/Readme.txt2"),
            ("**/b/**/d", "b/d a/b/c/d b/c/c/d", "d ab/d b/cd"),
        ] {
            let glob = Glob::new(pattern);
            yes.split(' ').for_each(|name| assert!(glob.matches(name), "{pattern} {name}"));
            let no = no.split(' ').filter(|name| !name.is_empty());
            no.for_each(|name| assert!(!glob.matches(name), "{pattern} {name}"));
        }
        assert!(Glob::new("a/b.xml").is_plain() && !Glob::new("a/*").is_plain());
    }

    #[test]
    fn long_names_take_no_long_time() {
        let glob = Glob::new(&"*a".repeat(50));
        assert!(!glob.matches(&("a".repeat(2000) + "b")));
    }
}
