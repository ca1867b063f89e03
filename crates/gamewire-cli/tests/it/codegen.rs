//! gen: what comes of a Zeze solution, and what is said of a wrong one.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::command;

fn solutions() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/zeze-serialize/solution")
}

fn generate(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let output = command(&[&["gen", "zeze"], args].concat()).current_dir(folder).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// `GAMEWIRE_SOLUTION=write` writes the file anew.
#[test]
fn the_generated_file_is_fresh() {
    let (code, source, said) = generate(&solutions(), &["arena.xml"]);
    assert_eq!((code, said.as_str()), (0, ""));
    let file = solutions().join("arena.rs");
    if std::env::var_os("GAMEWIRE_SOLUTION").is_some_and(|value| value == "write") {
        std::fs::write(&file, &source).unwrap();
    }
    assert!(std::fs::read_to_string(file).unwrap() == source, "arena.rs is stale");
}

#[test]
fn output_is_formatted() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("rustfmt.toml"), "").unwrap();
    let rustfmt = |file: &Path| {
        Command::new("rustfmt")
            .args(["--edition", "2024", "--check", "--config-path"])
            .arg(folder.path())
            .arg(file)
            .output()
    };
    for args in [&[][..], &["--keep-unknown", "--extern", "plugins.BPayload=crate::Payload"]] {
        let file = folder.path().join("beans.rs");
        let out = ["-o", file.to_str().unwrap()];
        let (code, ..) = generate(&solutions(), &[&["arena.xml"], args, &out].concat());
        assert_eq!(code, 0);
        let Ok(output) = rustfmt(&file) else {
            println!("there is no rustfmt to ask");
            return;
        };
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn options_change_the_types() {
    let args = ["arena.xml", "--keep-unknown", "--crate", "wire::zeze"];
    let (_, source, _) = generate(&solutions(), &args);
    assert!(source.contains("pub unknown: wire::zeze::Unknown,"));
    assert!(source.contains("pub payload: wire::zeze::Value,"));
    assert!(!source.contains("zeze_serialize::"));
    let (_, source, _) =
        generate(&solutions(), &["arena.xml", "--extern", "plugins.BPayload=a::B"]);
    assert!(source.contains("pub payload: a::B,"));
    let (code, _, said) = generate(&solutions(), &["arena.xml", "--extern", "plugins.BPayload"]);
    assert_eq!(code, 2);
    assert!(said.contains("expected BEAN=PATH"), "{said}");
}

/// Each is the inside of a solution.
const WRONG: &[(&str, &str)] = &[
    ("an unknown element", "<been name=\"A\"/>"),
    ("an element not closed", "<bean name=\"A\">"),
    ("an unknown entity", "<bean name=\"A\">&x;</bean>"),
    ("no name", "<bean/>"),
    ("a name of signs", "<bean name=\"A-B\"/>"),
    ("two beans", "<bean name=\"A\"/><bean name=\"a\"/>"),
    ("no id", "<bean name=\"A\"><variable name=\"x\" type=\"int\"/></bean>"),
    ("a large id", "<bean name=\"A\"><variable id=\"2147483648\" name=\"x\" type=\"int\"/></bean>"),
    (
        "an id twice",
        "<bean name=\"A\"><variable id=\"1\" name=\"x\" type=\"int\"/>\n\
         <variable id=\"1\" name=\"y\" type=\"int\"/></bean>",
    ),
    ("no type", "<bean name=\"A\"><variable id=\"1\" name=\"x\"/></bean>"),
    ("an unknown type", "<bean name=\"A\"><variable id=\"1\" name=\"x\" type=\"B\"/></bean>"),
    ("a list of nothing", "<bean name=\"A\"><variable id=\"1\" name=\"x\" type=\"list\"/></bean>"),
    (
        "a map without key",
        "<bean name=\"A\"><variable id=\"1\" name=\"x\" type=\"map[int]\"/></bean>",
    ),
    (
        "a list of lists",
        "<bean name=\"A\"><variable id=\"1\" name=\"x\" type=\"list[list[int]]\"/></bean>",
    ),
    (
        "a list in a list",
        "<bean name=\"A\"><variable id=\"1\" name=\"x\" type=\"list\" value=\"set\"/></bean>",
    ),
    (
        "an int with a key",
        "<bean name=\"A\"><variable id=\"1\" name=\"x\" type=\"int\" key=\"int\"/></bean>",
    ),
    (
        "a float key",
        "<bean name=\"A\"><variable id=\"1\" name=\"x\" type=\"map[float,int]\"/></bean>",
    ),
    (
        "a vector key",
        "<bean name=\"A\"><variable id=\"1\" name=\"x\" type=\"set[vector2]\"/></bean>",
    ),
    (
        "a bean as a key",
        "<bean name=\"A\"/><bean name=\"B\"><variable id=\"1\" name=\"x\" type=\"set[A]\"/></bean>",
    ),
    (
        "an external key",
        "<externalkey bean=\"x.K\"/>\
         <bean name=\"B\"><variable id=\"1\" name=\"x\" type=\"set[x.K]\"/></bean>",
    ),
    (
        "a list in a key",
        "<beankey name=\"A\"><variable id=\"1\" name=\"x\" type=\"list[int]\"/></beankey>",
    ),
    ("a bean in itself", "<bean name=\"A\"><variable id=\"1\" name=\"x\" type=\"A\"/></bean>"),
    ("a base that is not there", "<bean name=\"A\" base=\"B\"/>"),
    ("bases in a ring", "<bean name=\"A\" base=\"B\"/>\n<bean name=\"B\" base=\"A\"/>"),
    (
        "some type ids",
        "<bean name=\"A\"/><bean name=\"B\"><variable id=\"1\" name=\"x\" type=\"dynamic\">\n\
         <value bean=\"A:1\"/><value bean=\"B\"/></variable></bean>",
    ),
    (
        "a type id of 0",
        "<bean name=\"B\"><variable id=\"1\" name=\"x\" type=\"dynamic\">\
         <value bean=\"B:0\"/></variable></bean>",
    ),
    (
        "a type id twice",
        "<bean name=\"A\"/><bean name=\"B\"><variable id=\"1\" name=\"x\" type=\"dynamic\">\
         <value bean=\"A:1\"/><value bean=\"B:1\"/></variable></bean>",
    ),
    ("a constant of no number", "<bean name=\"A\"><enum name=\"C\" value=\"x\"/></bean>"),
    (
        "a constant too large",
        "<bean name=\"A\"><enum name=\"C\" type=\"byte\" value=\"128\"/></bean>",
    ),
    ("a module without id", "<module name=\"M\"/>"),
    ("module ids twice", "<module name=\"M\" id=\"1\"/><module name=\"N\" id=\"1\"/>"),
    (
        "a protocol of no bean",
        "<module name=\"M\" id=\"1\"><protocol name=\"P\" argument=\"A\"/></module>",
    ),
    (
        "protocol ids twice",
        "<module name=\"M\" id=\"1\"><protocol name=\"P\" id=\"1\"/>\n<rpc name=\"R\" id=\"1\"/></module>",
    ),
    ("a protocol outside", "<protocol name=\"P\"/>"),
    ("an import of nothing", "<import file=\"none.xml\"/>"),
    ("an import of itself and of text", "<import file=\"s.xml\"/><import file=\"text.xml\"/>"),
];

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("text.xml"), "just text").unwrap();
    let mut text = String::new();
    for (what, inside) in WRONG {
        let xml =
            format!("<?xml version=\"1.0\"?>\n<solution name=\"s\">\n{inside}\n</solution>\n");
        std::fs::write(folder.path().join("s.xml"), xml).unwrap();
        let (code, out, said) = generate(folder.path(), &["s.xml"]);
        assert_eq!((code, out.as_str()), (1, ""), "{what}: {said}");
        _ = write!(text, "{what}\n  {said}");
    }
    insta::assert_snapshot!(text);
    let (code, _, said) = generate(folder.path(), &["none.xml"]);
    assert_eq!((code, said.as_str()), (2, "error: none.xml: no such file or directory\n"));
}

/// Deep XML, cut-off XML, and noise end in a sentence.
#[test]
fn any_file_ends_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.xml");
    let arena = std::fs::read_to_string(solutions().join("arena.xml")).unwrap();
    let deep = format!("<solution name=\"s\">{}", "<module name=\"m\" id=\"1\">".repeat(100_000));
    let mut inputs = vec![deep.into_bytes(), vec![0xff; 100], Vec::new()];
    inputs.extend((0..arena.len()).step_by(211).map(|end| arena.as_bytes()[..end].to_vec()));
    for input in inputs {
        std::fs::write(&file, &input).unwrap();
        let (code, _, said) = generate(folder.path(), &["s.xml"]);
        assert!(
            code == 1 && said.starts_with("error: s.xml") && !said.contains("panicked"),
            "{said}"
        );
    }
}
