//! Patterns for names of entries.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder, escape};

/// Patterns: `*` stands for anything without `/`, `?` for one character other than `/`, `**/` for any
/// folders or none, and `/**` at the end for all that is in a folder. Letters match whatever their case, as
/// in the games.
pub(crate) struct Globs {
    set: GlobSet,
    is_plain: bool,
}

impl Globs {
    /// Takes patterns; none of them mean all names.
    pub(crate) fn new(patterns: impl IntoIterator<Item: AsRef<str>>) -> Result<Self, String> {
        let (mut all, mut is_plain) = (GlobSetBuilder::new(), true);
        for pattern in patterns {
            let pattern = pattern.as_ref();
            // Brackets and braces are parts of names.
            let is_special = |c: char| matches!(c, '*' | '?');
            let parts = pattern.split_inclusive(is_special).map(|part| {
                let name = part.trim_end_matches(is_special);
                escape(name) + part.get(name.len()..).unwrap_or_default()
            });
            let text = parts.collect::<String>();
            let mut glob = GlobBuilder::new(&text);
            glob.literal_separator(true).case_insensitive(true).backslash_escape(false);
            all.add(glob.build().map_err(|error| error.to_string())?);
            is_plain &= !pattern.contains(is_special);
        }
        Ok(Globs { set: all.build().map_err(|error| error.to_string())?, is_plain })
    }

    /// Whether all of them are names.
    pub(crate) fn is_plain(&self) -> bool {
        self.is_plain
    }

    pub(crate) fn matches(&self, name: &str) -> bool {
        self.set.is_empty() || self.set.is_match(name)
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
            ("**", "a a/b", ""),
            ("GUI/Readme.txt", "GUI/Readme.txt gui/readme.TXT", "GUI/Readme.txt2"),
            ("a[1]{b,c}!\\*", "a[1]{b,c}!\\d", "a1b"),
            ("**/b/**/d", "b/d a/b/c/d b/c/c/d", "d ab/d b/cd"),
        ] {
            let globs = Globs::new([pattern]).unwrap();
            yes.split(' ').for_each(|name| assert!(globs.matches(name), "{pattern} {name}"));
            let no = no.split(' ').filter(|name| !name.is_empty());
            no.for_each(|name| assert!(!globs.matches(name), "{pattern} {name}"));
        }
        assert!(Globs::new(["a/b.xml"]).unwrap().is_plain());
        assert!(!Globs::new(["a/b.xml", "a/*"]).unwrap().is_plain());
    }

    #[test]
    fn long_names_take_no_long_time() {
        let globs = Globs::new([&*"*a".repeat(50)]).unwrap();
        assert!(!globs.matches(&("a".repeat(2000) + "b")));
        assert!(Globs::new([&*"é*".repeat(100_000)]).is_err());
    }
}
