//! The packages of `testdata/resonite-save/cases`: what each holds, and what each byte means.

use std::fmt::Write;

use resonite_save::package::{self, Package};
use resonite_save::{Options, Result, Value};

use crate::shared::{check_cover, hex_file};

#[test]
fn cases() {
    insta::glob!("../../../../testdata/resonite-save/cases", "*.hex", |path| {
        let (bytes, comments) = hex_file(path);
        let mut out = String::new();
        if let Err(error) = read(&mut out, &bytes) {
            writeln!(out, "{error:?}").unwrap();
        }
        let explanation = package::explain(&bytes, &Options::new());
        check_cover(&explanation);
        write!(out, "\n{explanation}").unwrap();
        insta::with_settings!({ description => comments, omit_expression => true }, {
            insta::assert_snapshot!(out);
        });
    });
}

fn read(out: &mut String, bytes: &[u8]) -> Result<()> {
    let package = Package::from_slice(bytes)?;
    writeln!(out, "package: {:?}, {:?}", package.record().name(), package.verify()).unwrap();
    let body = package.open_main(&Options::new())?;
    writeln!(out, "container: {}", body.container()).unwrap();
    let value: Value = body.read()?;
    writeln!(out, "value: {value:?}").unwrap();
    Ok(())
}
