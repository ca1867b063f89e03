//! The files of `testdata/zeze-serialize/cases`: what each is read as, what is written for that, and
//! what each byte means. A line `# framing: sent` or `page` says that a file has frames.

use std::fmt::Write;

use zeze_serialize::frame::{Frame, Framing, RawFrame};
use zeze_serialize::{Explanation, Options, Result, Value};

use crate::support::{digits, hex};

#[test]
fn cases() {
    insta::glob!("../../../../testdata/zeze-serialize/cases", "*.hex", |path| {
        let text = std::fs::read_to_string(path).unwrap();
        let (comments, data): (Vec<&str>, Vec<&str>) =
            text.lines().partition(|line| line.starts_with('#'));
        let bytes = hex(&data.concat());
        let framing = comments.iter().find_map(|line| line.strip_prefix("# framing: "));
        let framing = framing.map(|name| match name {
            "sent" => Framing::new(),
            "page" => Framing::without_family(),
            other => panic!("no such framing: {other}"),
        });
        let mut out = String::new();
        let explained = match framing {
            None => {
                let read = Options::new().from_slice::<Value>(&bytes);
                of_values(&mut out, &read, &bytes);
                Options::new().explain(&bytes)
            }
            Some(framing) => {
                of_frames(&mut out, &framing, &bytes);
                framing.explain(&bytes)
            }
        };
        covers(&explained, &bytes);
        write!(out, "\n{explained}").unwrap();
        let description = comments.join("\n");
        insta::with_settings!({ description => description, omit_expression => true }, {
            insta::assert_snapshot!(out);
        });
    });
}

fn of_values(out: &mut String, read: &Result<Value>, bytes: &[u8]) {
    match read {
        Ok(value) => {
            writeln!(out, "value: {value:?}").unwrap();
            let json = serde_json::to_string(value).unwrap();
            writeln!(out, "json: {json}").unwrap();
            assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), *value);
            assert_eq!(value.clone(), *value);
            written(out, &zeze_serialize::to_vec(value).unwrap(), bytes);
        }
        Err(error) => writeln!(out, "{error:?}").unwrap(),
    }
}

fn of_frames(out: &mut String, framing: &Framing, bytes: &[u8]) {
    let (mut rest, mut again) = (bytes, Vec::new());
    while !rest.is_empty() {
        let read = framing.split(rest).and_then(|(raw, after)| Ok((whole(raw)?, after)));
        match read {
            Ok((frame, after)) => {
                let Frame { module_id, protocol_id, header, bean, rest: _ } = &frame;
                writeln!(out, "frame: {module_id}.{protocol_id} {header:?} {bean:?}").unwrap();
                framing.append_to_vec(&mut again, &frame).unwrap();
                rest = after;
            }
            Err(error) => return writeln!(out, "{error:?}").unwrap(),
        }
    }
    written(out, &again, bytes);
}

fn whole(raw: RawFrame<'_>) -> Result<Frame<'_, Value>> {
    raw.into_frame()
}

fn written(out: &mut String, again: &[u8], bytes: &[u8]) {
    let same = if again == bytes { "the same bytes".to_owned() } else { digits(again) };
    writeln!(out, "written: {same}").unwrap();
}

/// Every byte is in one span.
fn covers(explained: &Explanation, bytes: &[u8]) {
    let end = explained.spans().iter().fold(0, |at, span| {
        assert_eq!(span.offset(), at, "{explained}");
        span.range().end
    });
    assert_eq!(end, bytes.len(), "{explained}");
}
