//! The files of `testdata/kiwi-pclass/cases`: what each is read as, what becomes of it when it is
//! written again, and what each bit means. `# options:` says how a file is to be read.

use std::fmt::Write;

use kiwi_pclass::core_object::CoreTypes;
use kiwi_pclass::types::{PropertyFlags, SerializerFlags};
use kiwi_pclass::{Mode, Options, Unknown, Value, json, xml};

use crate::support::{digits, hex, schema};

#[test]
fn cases() {
    insta::glob!("../../../../testdata/kiwi-pclass/cases", "*.hex", |path| {
        let case = std::fs::read_to_string(path).unwrap();
        let is_comment = |line: &&str| line.starts_with('#');
        let said = case.lines().find_map(|line| line.strip_prefix("# options: "));
        let options = options(said.expect("a line with options"));
        let data: String = case.lines().filter(|line| !is_comment(line)).collect();
        let shown = show(&options, &hex(&data));
        let about: Vec<&str> = case.lines().filter(is_comment).collect();
        let mut settings = insta::Settings::clone_current();
        settings.set_description(about.join("\n"));
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(shown));
    });
}

fn options(words: &str) -> Options {
    let number = |digits: &str| u32::from_str_radix(digits.trim_start_matches("0x"), 16).unwrap();
    let mut core = None;
    let mut options = Options::new();
    for word in words.split(' ') {
        options = match word.split_once('=') {
            Some(("flags", flags)) => options.flags(SerializerFlags(number(flags))),
            Some(("mask", mask)) => options.mask(PropertyFlags(number(mask))),
            Some(("core", class)) => {
                let (block, name) = class.split_once(':').unwrap();
                let types = core.take().unwrap_or_else(CoreTypes::new);
                core = Some(types.with(block.parse().unwrap(), &name.replace('_', " ")));
                options
            }
            _ => match word {
                "shallow" => options.mode(Mode::Shallow),
                "deep" => options.mode(Mode::Deep),
                "bind" => options.bind(true),
                "manual" => options.manual_compression(true),
                "skip" => options.unknown(Unknown::Skip),
                "keep" => options.unknown(Unknown::Keep),
                "strict" => options.strict(true),
                list => options.schema(schema(list)),
            },
        };
    }
    match core {
        Some(types) => options.core_types(types),
        None => options,
    }
}

fn show(options: &Options, bytes: &[u8]) -> String {
    let mut shown = String::new();
    match options.from_slice::<Value>(bytes) {
        Err(error) => writeln!(shown, "{:?}: {error}", error.kind()).unwrap(),
        Ok(value) => {
            let text = json::to_string_pretty(&value).unwrap();
            writeln!(shown, "{text}").unwrap();
            let written = options.to_vec(&value).unwrap();
            assert_eq!(options.from_slice::<Value>(&written).unwrap(), value);
            let explanation = options.explain(bytes);
            if written == bytes {
                writeln!(shown, "written: identical").unwrap();
            } else if explanation.spaces().len() > 1 {
                // How is for the version of the codec.
                writeln!(shown, "written: compressed otherwise").unwrap();
            } else {
                writeln!(shown, "written: {}", digits(&written)).unwrap();
            }
            assert_eq!(json::from_str(&text, options).unwrap(), value);
            // A list that is there twice is nothing that XML can say.
            if let Ok(xml) = xml::to_string(&value, options) {
                let back = xml::from_str(&xml, options).unwrap();
                assert_eq!(options.to_vec(&back).unwrap(), written);
            }
        }
    }
    write!(shown, "\n{}", options.explain(bytes)).unwrap();
    shown
}
