use gamewire_core::gap::{Gap, blank, blank_end, comment_end, gap_end};

/// The parts of the gap at the beginning of a text: after the value, comma, line, rest.
fn parts(text: &str) -> (&str, bool, &str, &str) {
    let Gap { after, has_comma, line, rest, .. } = Gap::at(text.as_bytes(), 0);
    let [after, line, rest] = [after, line, rest].map(|part| std::str::from_utf8(part).unwrap());
    (after, has_comma, line, rest)
}

#[test]
fn a_comment_belongs_to_the_value_whose_line_it_ends() {
    assert_eq!(parts(" /* a */ , // b\r\n  x"), (" /* a */ ", true, " // b", "\r\n  "));
    assert_eq!(
        parts(", /* a */ /* b */ \n /* c */ x"),
        ("", true, " /* a */ /* b */", " \n /* c */ ")
    );
    // On the line of the next value it is that one's.
    assert_eq!(parts(", /* a */ x"), ("", true, "", " /* a */ "));
    // Before the bracket there is no comma.
    assert_eq!(parts(" // a, b\n]"), ("", false, " // a, b", "\n"));
    assert_eq!(parts("]"), ("", false, "", ""));
}

#[test]
fn gaps_end_at_the_next_token() {
    let text = b"\xef\xbb\xbf [1 /* , */ , // ,\n 2]";
    assert_eq!((blank_end(text, 0), text[4]), (4, b'['));
    assert_eq!((gap_end(text, 6), text[23]), (23, b'2'));
    // Of two commas only the first is in the gap.
    assert_eq!(gap_end(b", , 1", 0), 2);
    // A comment that does not end is none, and neither is a single slash.
    assert_eq!((blank_end(b" /* a", 0), blank_end(b" / 1", 0)), (1, 1));
    assert_eq!((comment_end(b"// a", 0), comment_end(b"/*/*/ 1", 0)), (Some(4), Some(5)));
}

#[test]
fn space_is_kept_without_comments() {
    let shown = |gap: &str| String::from_utf8(blank(gap.as_bytes())).unwrap();
    assert_eq!(shown("\n\n  "), "\n\n  ");
    assert_eq!(shown(" // a\r\n\t// b\r\n\t\t"), "\r\n\t\t");
    assert_eq!(shown("  /* a */ "), "  ");
}
