//! The files of `testdata/resonite-brson/cases`: what each is read as, what is written for that, and
//! what each byte means.

use std::fmt::Write;

use resonite_brson::{Container, Options, Result, Value, json};

use crate::shared::check_cover;
use crate::support::hex_file;

#[test]
fn cases() {
    insta::glob!("../../../../testdata/resonite-brson/cases", "*.hex", |path| {
        let (bytes, comments) = hex_file(path);
        let mut out = String::new();
        if let Err(error) = read(&mut out, &bytes) {
            writeln!(out, "{error:?}").unwrap();
        }
        let explanation = resonite_brson::explain(&bytes);
        check_cover(&explanation);
        write!(out, "\n{explanation}").unwrap();
        insta::with_settings!({ description => comments, omit_expression => true }, {
            insta::assert_snapshot!(out);
        });
    });
}

fn read(out: &mut String, bytes: &[u8]) -> Result<()> {
    let body = resonite_brson::open(bytes)?;
    if body.container() != Container::BSON {
        writeln!(out, "container: {}", body.container()).unwrap();
    }
    let value: Value = body.read()?;
    writeln!(out, "value: {value:?}").unwrap();
    let text = json::to_string(&value, json::Style::Canonical);
    writeln!(out, "json: {}", json::to_string(&value, json::Style::Relaxed)).unwrap();
    assert_eq!(json::from_str(&text).unwrap(), value);
    assert_eq!(value.clone(), value);
    let again = Options::new().container(Container::BSON).to_vec(&value)?;
    let same = if again == body.bson() { "the same bytes".to_owned() } else { digits(&again) };
    writeln!(out, "written: {same}").unwrap();
    // The other implementation writes what it reads the same, or refuses it.
    let theirs = bson::Document::from_reader(body.bson());
    if let Ok(theirs) = theirs.and_then(|theirs| theirs.to_vec()) {
        assert_eq!(theirs, again);
    } else {
        writeln!(out, "refused by the bson crate").unwrap();
    }
    Ok(())
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
