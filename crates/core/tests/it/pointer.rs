use gamewire_core::pointer::{escaped, find, position, push, steps, unescaped};

#[test]
fn steps_are_without_escapes() {
    let all = |text| steps(text).map(|steps| steps.collect::<Vec<_>>());
    assert_eq!(all("").unwrap(), [""; 0]);
    assert_eq!(all("/").unwrap(), [""]);
    assert_eq!(all("/a//~01~1").unwrap(), ["a", "", "~1/"]);
    assert_eq!(all("a"), None);
    assert_eq!(all("a/b"), None);
}

#[test]
fn escapes_go_both_ways() {
    for name in ["", "a", "~", "/", "~1", "~01", "a/~b"] {
        assert_eq!(unescaped(&escaped(name)), name);
        let mut text = "/x".to_owned();
        push(&mut text, name);
        assert!(steps(&text).unwrap().eq(["x", name]));
    }
    // An escape that there is none of is what it says.
    assert_eq!(unescaped("~2~"), "~2~");
}

#[test]
fn positions_have_one_spelling() {
    assert_eq!((position("0"), position("10")), (Some(0), Some(10)));
    for wrong in ["", "-", "+1", "-1", "01", "00", "1.0", "x", " 1", "99999999999999999999"] {
        assert_eq!(position(wrong), None, "{wrong}");
    }
}

#[test]
fn what_a_step_leads_to_is_found_or_changed() {
    let mut rows = vec![vec![1, 2], vec![3]];
    let row =
        |rows: &[Vec<i32>]| find(rows, "/1", |rows, at| rows.get(position(at)?..)).unwrap().len();
    assert_eq!(row(&rows), 1);
    let cell = find(&mut *rows, "/0/1", |rows, at| rows.get_mut(position(at)?..));
    cell.unwrap()[0] = Vec::new();
    assert_eq!(rows, [vec![1, 2], vec![]]);
    assert!(find(&rows[..], "/9", |rows, at| rows.get(position(at)?..)).is_none());
}
