use std::io::Write as _;
use std::path::PathBuf;

use gamewire_testkit::on_small_stack;
use gamewire_testkit::vectors::{
    Context, Outcome, Report, Row, Rows, Tally, from_hex, run_files, run_text, same_bytes, spoilt,
    to_hex,
};

fn rows(text: &str) -> Vec<Row> {
    Rows::from_text("a.jsonl", text).map(|row| row.unwrap()).collect()
}

#[test]
fn reads_rows_with_their_places() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    write!(file, "{{\"name\":\"one\"}}\r\n\n  {{\"name\":\"two\",\"hex\":\"0aFF\",\"ok\":true}}")
        .unwrap();
    let rows: Vec<Row> = Rows::open(file.path()).unwrap().map(|row| row.unwrap()).collect();
    assert_eq!(rows.len(), 2);
    assert_eq!((rows[0].line, rows[0].name()), (1, "one"));
    assert_eq!((rows[1].line, rows[1].name()), (3, "two"));
    assert_eq!(rows[1].place(), format!("{}:3", file.path().display()));
    assert_eq!(rows[1].hex("hex"), Ok(vec![10, 255]));
    assert!(rows[1].flag("ok") && !rows[0].flag("ok"));
    assert_eq!(rows[0].hex("hex"), Err("the row has no `hex`".to_owned()));
    assert_eq!(rows[1].need_text("ok"), Err("`ok` of the row is not text".to_owned()));
}

#[test]
fn a_row_without_a_name_shows_its_source() {
    let rows = rows("{\"source\":\"page\"}\n{}");
    assert_eq!((rows[0].name(), rows[1].name()), ("page", "-"));
}

#[test]
fn numbers_keep_their_kind() {
    let row = &rows("{\"a\":1,\"b\":1.0,\"c\":18446744073709551615}")[0];
    assert!(row.get("a").unwrap().is_u64() && row.get("b").unwrap().is_f64());
    assert_eq!(row.get("c").unwrap().as_u64(), Some(u64::MAX));
}

#[test]
fn reads_and_drops_deep_rows_on_a_small_stack() {
    for levels in [1_100, 99_999] {
        let text = format!("{{\"v\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
        let innermost = on_small_stack(move || {
            let row = Rows::from_text("deep", text).next().unwrap().unwrap();
            let mut value = row.get("v").unwrap();
            let mut seen = 1;
            while let Some(inner) = value.get(0) {
                value = inner;
                seen += 1;
            }
            seen
        });
        assert_eq!(innermost, Ok(levels));
    }
    let text = format!("{{\"v\":{}{}}}", "[".repeat(200_000), "]".repeat(200_000));
    let error = Rows::from_text("deep", text).next().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "deep:1: 200001 levels are more than 100000");
}

#[test]
fn brackets_in_strings_are_not_depth() {
    let text = format!("{{\"v\":\"\\\"{}\"}}", "[".repeat(200_000));
    assert_eq!(rows(&text)[0].text("v").unwrap().len(), 200_001);
}

#[test]
fn bad_lines_are_errors_and_reading_goes_on() {
    let read: Vec<_> = Rows::from_text("a", "{\"a\":1}\n[1]\n{\"a\":\n{} {}\n{}").collect();
    let messages: Vec<String> =
        read.iter().filter_map(|row| row.as_ref().err()).map(ToString::to_string).collect();
    assert_eq!(read.len(), 5);
    assert_eq!(messages[0], "a:2: not a JSON object");
    assert!(messages[1].starts_with("a:3: not JSON: EOF"), "{}", messages[1]);
    assert!(messages[2].starts_with("a:4: not JSON: trailing"), "{}", messages[2]);
}

#[test]
fn hexadecimal_digits_there_and_back() {
    let all: Vec<u8> = (0..=255).collect();
    assert_eq!(from_hex(&to_hex(&all)).unwrap(), all);
    assert_eq!(to_hex(&[0, 0x0f, 0xa0]), "000fa0");
    assert!(from_hex("").unwrap().is_empty());
    assert_eq!(from_hex("abc").unwrap_err(), "3 hexadecimal digits are an odd number");
    assert_eq!(from_hex("a€").unwrap_err(), "`€` at character 1 is no hexadecimal digit");
    assert_eq!(from_hex("0 ").unwrap_err(), "` ` at character 1 is no hexadecimal digit");
}

#[test]
fn the_first_difference_is_named() {
    assert_eq!(same_bytes("x", b"abc", b"abc"), Ok(()));
    assert_eq!(
        same_bytes("encoded", &[1, 2, 3], &[1, 9, 3]).unwrap_err(),
        "encoded: expected 3 bytes, found 3; at byte 0x1 expected 0203, found 0903"
    );
    assert_eq!(
        same_bytes("encoded", &[1], &[1; 40]).unwrap_err(),
        format!(
            "encoded: expected 1 bytes, found 40; at byte 0x1 expected the end, found {}…",
            "01".repeat(16)
        )
    );
}

#[test]
fn the_report_has_one_line_for_each_row_that_does_not_pass() {
    let rows = rows("{\"name\":\"a\"}\n{\"name\":\"b\"}\n{\"name\":\"c\"}");
    let bad = Rows::from_text("a.jsonl", "x").next().unwrap().unwrap_err();
    let mut out = Vec::new();
    let mut report = Report::new(&mut out);
    report.row(&rows[0], &Ok(()).into());
    report.row(&rows[1], &Err("two\nlines".to_owned()).into());
    report.row(&rows[2], &Outcome::Skipped("needs the engine".into()));
    report.unreadable(&bad);
    let tally = report.finish();
    assert_eq!(tally, Tally { passed: 1, failed: 2, skipped: 1 });
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "FAIL a.jsonl:2 b: two lines\n\
         SKIP a.jsonl:3 c: needs the engine\n\
         FAIL a.jsonl:1 -: not JSON: expected value at line 1 column 1\n\
         1 passed, 2 failed, 1 skipped\n"
    );
}

#[test]
fn the_exit_status_is_1_on_failure_and_when_nothing_ran() {
    let status = |passed, failed, skipped| Tally { passed, failed, skipped }.exit_status();
    assert_eq!(status(3, 0, 1), 0);
    assert_eq!(status(3, 1, 0), 1);
    assert_eq!(status(0, 0, 0), 1);
    assert_eq!(status(0, 0, 9), 1);
}

#[test]
fn a_file_that_cannot_be_read_is_one_error() {
    let folder = tempfile::tempdir().unwrap();
    if let Ok(rows) = Rows::open(folder.path()) {
        let read: Vec<_> = rows.collect();
        assert!(read.len() == 1 && read[0].is_err());
    }
    assert!(Rows::open(folder.path().join("none")).is_err());
}

#[test]
fn a_json_file_is_lists_of_rows() {
    let text = "{\n \"a\": [\n  {\"name\": \"x[{\", \"in\": {\"deep\": [{}]}},\n  {\"name\": \"y\"}],\n \"b\": [\n\n  {\"name\": \"z\"}]\n}\n";
    let rows: Vec<_> = Rows::from_lists("f.json", text.as_bytes()).map(Result::unwrap).collect();
    let places: Vec<_> = rows.iter().map(|row| (row.name(), row.place())).collect();
    let expected = [("x[{", "f.json:3"), ("y", "f.json:4"), ("z", "f.json:7")];
    assert_eq!(places, expected.map(|(name, place)| (name, place.to_owned())));

    for wrong in ["[]", "{\"a\": 1}", "{\"a\": [1]}", "{"] {
        let rows: Vec<_> = Rows::from_lists("f.json", wrong.as_bytes()).collect();
        assert!(matches!(rows.as_slice(), [Err(_)]), "{wrong}: {rows:?}");
    }

    let file = tempfile::Builder::new().suffix(".json").tempfile().unwrap();
    std::fs::write(file.path(), text).unwrap();
    assert_eq!(Rows::open(file.path()).unwrap().count(), 3);
}

/// Rows of this test: `hex` is text, `value` what it says; `file` and `schema` name files.
fn check(row: &Row, context: &Context<'_>) -> Outcome {
    (|| {
        if row.flag("panic") {
            panic!("row {}", row.line);
        }
        if let Some(name) = row.text("file") {
            return context.read(name).map(drop);
        }
        if let Some(name) = row.text("schema") {
            let lines = context.shared(name, |bytes| Ok(bytes.len()))?;
            return if *lines == 3 { Ok(()) } else { Err(format!("{lines} bytes")) };
        }
        let found = String::from_utf8(row.hex("hex")?).map_err(|error| error.to_string())?;
        let expected = row.need_text("value")?;
        if found == expected { Ok(()) } else { Err(format!("expected {expected}, found {found}")) }
    })()
    .into()
}

fn report(text: &str) -> (String, Tally) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("three"), "abc").unwrap();
    let file = folder.path().join("v.jsonl");
    std::fs::write(&file, text).unwrap();
    let mut out = Vec::new();
    let tally = run_files(check, &[file], None, &mut out);
    let shown = folder.path().display().to_string();
    (String::from_utf8(out).unwrap().replace(&format!("{shown}/"), ""), tally)
}

const GOOD: &str = "{\"name\":\"a\",\"hex\":\"6869\",\"value\":\"hi\"}\n";

#[test]
fn a_good_file_passes() {
    let (out, tally) = report(&GOOD.repeat(3));
    assert_eq!(out, "3 passed, 0 failed, 0 skipped\n");
    assert!(tally.is_success());
}

#[test]
fn a_wrong_row_fails_with_its_place() {
    let flipped = GOOD.replace("6869", "6868");
    let (out, tally) = report(&format!("{GOOD}{flipped}"));
    assert_eq!(out, "FAIL v.jsonl:2 a: expected hi, found hh\n1 passed, 1 failed, 0 skipped\n");
    assert!(!tally.is_success());
    let changed = GOOD.replace("\"hi\"", "\"ho\"");
    assert_eq!(report(&changed).1.failed, 1);
    assert_eq!(report("not JSON\n").1.failed, 1);
}

#[test]
fn a_panic_is_a_failure_of_its_row() {
    let (out, _) = report("{\"name\":\"p\",\"panic\":true}\n");
    assert!(out.starts_with("FAIL v.jsonl:1 p: panicked: row 1\n"), "{out}");
}

#[test]
fn files_are_found_beside_the_vectors_and_shared() {
    let (out, _) = report("{\"file\":\"three\"}\n{\"schema\":\"three\"}\n{\"schema\":\"three\"}\n");
    assert_eq!(out, "3 passed, 0 failed, 0 skipped\n");
    let (out, _) = report("{\"name\":\"f\",\"file\":\"none\"}\n");
    assert!(out.starts_with("FAIL v.jsonl:1 f: none: "), "{out}");
}

#[test]
fn a_file_that_is_not_there_is_a_failure() {
    let mut out = Vec::new();
    let tally = run_files(check, &[PathBuf::from("none.jsonl")], None, &mut out);
    assert_eq!(tally.failed, 1);
    assert!(String::from_utf8(out).unwrap().starts_with("FAIL none.jsonl:0 -: "));
}

#[test]
fn spoilt_rows_must_fail() {
    let folder = tempfile::tempdir().unwrap();
    let package = folder.path().join("crates/own");
    for path in [&package, &folder.path().join("testdata/own")] {
        std::fs::create_dir_all(path).unwrap();
    }
    std::fs::write(folder.path().join("testdata/own/v.jsonl"), GOOD).unwrap();
    let fails = |runner, silent: &[spoilt::Silent]| {
        let package = package.to_str().unwrap();
        std::panic::catch_unwind(|| spoilt::assert_all_fail(runner, package, silent)).is_err()
    };
    assert!(!fails(check, &[]));
    assert!(fails(|_, _| Outcome::Passed, &[]));
    // A runner that checks nothing has no excuse.
    let all: spoilt::Silent = ("hex", |_| true, "all");
    assert!(fails(|_, _| Outcome::Passed, &[all]));
    // A reason that nothing needs.
    assert!(fails(check, &[all]));
}

#[test]
fn rows_of_a_text_are_run() {
    let mut out = Vec::new();
    let tally = run_text(check, "text.jsonl".as_ref(), GOOD, &mut out);
    assert_eq!((tally.passed, tally.exit_status()), (1, 0));
}
