//! Parts of a text file that a command writes: everything between
//! `<!-- begin NAME -->` and `<!-- end NAME -->`.

/// The text with the named part replaced; `None` where the file has no such part.
pub(crate) fn replaced(text: &str, name: &str, part: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- begin {name} -->"), format!("<!-- end {name} -->"));
    let start = text.find(&begin)? + begin.len();
    let stop = start + text[start..].find(&end)?;
    Some(format!("{}\n{}\n{}", &text[..start], part.trim_matches('\n'), &text[stop..]))
}

/// The text with the named part replaced, or added at the end where the file has no such part.
pub(crate) fn replaced_or_added(text: &str, name: &str, part: &str) -> String {
    replaced(text, name, part).unwrap_or_else(|| {
        let part = part.trim_matches('\n');
        format!("{}\n\n<!-- begin {name} -->\n{part}\n<!-- end {name} -->\n", text.trim_end())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_replaced_or_added() {
        let text = "# T\n\n<!-- begin a -->\nold\n<!-- end a -->\nrest\n";
        let new = replaced(text, "a", "new\n").unwrap();
        assert_eq!(new, "# T\n\n<!-- begin a -->\nnew\n<!-- end a -->\nrest\n");
        assert_eq!(replaced(&new, "a", "new").unwrap(), new);
        assert_eq!(replaced(text, "b", "new"), None);
        let added = replaced_or_added(text, "b", "second");
        assert!(added.ends_with("rest\n\n<!-- begin b -->\nsecond\n<!-- end b -->\n"));
        assert_eq!(replaced_or_added(&added, "b", "second"), added);
    }
}
