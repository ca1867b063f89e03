//! Type lists: KingsIsle's own XML, and what changed between two.

use kiwi_pclass::schema::{Container, Kind, Part};
use kiwi_pclass::*;

const XML: &str = r#"<?xml version="1.0"?>
<ClassList>
  <Class Name="class PropertyClass" PropertyCount="0" FunctionCount="1" Size="32">
    <Function Name="CopyThis" ReturnType="class SharedPointer&amp;lt;class PropertyClass&amp;gt;" ArgumentCount="0" />
  </Class>
  <Class Name="class Base" Base="class PropertyClass" PropertyCount="1">
    <Property Name="m_id" PropertyId="0" Type="unsigned int" Flags="7" Note="m_id" Container="Static" Default="5" />
  </Class>
  <Class Name="class Own" Base="class Base" PropertyCount="3">
    <Property Name="m_next" PropertyId="0" Type="class SharedPointer&amp;lt;class Base&amp;gt;" Flags="7" Container="Static" Pointer="true" />
    <Property Name="m_kind" PropertyId="1" Type="enum K" Flags="2097159" Container="Static" Default="B">
      <Enum Name="K" OptionCount="2"><Option Name="A" Value="0" /><Option Name="B" Value="1" />
        <Option Name="__DEFAULT" Value="B" /></Enum>
    </Property>
    <Property Name="m_list" PropertyId="2" Type="float" Flags="-1" Container="Vector" Dynamic="true" />
    <Property Name="m_odd" PropertyId="3" Type="int" Flags="7" Container="Map" />
  </Class>
</ClassList>"#;

#[test]
fn lists_in_xml_are_those_in_json() {
    let xml = Schema::from_xml(XML.as_bytes()).unwrap();
    let json = Schema::from_json(
        br#"{"class PropertyClass": {}, "class Base": {"bases": ["PropertyClass"], "properties": {
            "m_id": {"type": "unsigned int", "id": 0, "flags": 7, "enum_options": {"__DEFAULT": 5}}}},
        "class Own": {"bases": ["Base", "PropertyClass"], "properties": {
            "m_id": {"type": "unsigned int", "id": 0, "flags": 7, "enum_options": {"__DEFAULT": 5}},
            "m_next": {"type": "class SharedPointer<class Base>", "id": 1, "flags": 7},
            "m_kind": {"type": "enum K", "id": 2, "flags": 2097159,
                "enum_options": {"A": 0, "B": 1, "__DEFAULT": "B"}},
            "m_list": {"type": "float", "id": 3, "flags": 4294967295, "container": "Vector"},
            "m_odd": {"type": "int", "id": 4, "flags": 7, "container": "Map"}}}}"#,
    )
    .unwrap();
    assert_eq!(json.diff(&xml), []);
    assert_eq!(xml.len(), 3);
    let own = xml.class("class Own").unwrap();
    let names: Vec<_> = own.properties().iter().map(|own| (own.name(), own.id())).collect();
    let expected = [("m_id", 0), ("m_next", 1), ("m_kind", 2), ("m_list", 3), ("m_odd", 4)];
    assert_eq!(names, expected);
    let odd = own.property("m_odd").unwrap();
    assert_eq!((odd.kind(), odd.oddity().is_some()), (&Kind::Unsupported, true));
    assert_eq!(own.property("m_list").unwrap().container(), Container::Vector);
    // A class that repeats what it is derived from has it once.
    let own = r#"<Property Name="m_id" PropertyId="0" Type="unsigned int" Flags="7" /></Class></ClassList>"#;
    let twice = XML.replace("</Class>\n</ClassList>", own);
    let twice = Schema::from_xml(twice.as_bytes()).unwrap();
    assert_eq!(twice.class("class Own").unwrap().properties().len(), 5);
    for (bad, words) in [
        ("<Objects/>", "expected a `ClassList`, found `Objects`"),
        ("", "expected a `ClassList`, found none"),
        ("<ClassList><Class/></ClassList>", "a `Class` has no `Name`"),
        ("<ClassList><Class Name='a'><Property Name='b'/></Class></ClassList>", "has no `Type`"),
        ("<ClassList><Class Name='a'>", "too early"),
        (
            "<ClassList><Class Name='a'><Property Name='b' Type='c' Flags='x'/></Class></ClassList>",
            "found `x`, in a",
        ),
    ] {
        let error = Schema::from_xml(bad.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    let circle =
        "<ClassList><Class Name='class a' Base='class b'/><Class Name='class b' Base='class a'/>";
    let circle = Schema::from_xml(format!("{circle}</ClassList>").as_bytes()).unwrap();
    assert_eq!(circle.class("class a").unwrap().bases().len(), 2);
}

fn list(classes: &str) -> Schema {
    Schema::from_json(classes.as_bytes()).unwrap()
}

#[test]
fn changes_are_told_once_and_noise_is_not() {
    let property = |name: &str, rest: &str| format!(r#""{name}": {{"flags": 7, {rest}}}"#);
    let class = |name: &str, bases: &str, properties: &[String]| {
        format!(r#""{name}": {{"bases": [{bases}], "properties": {{{}}}}}"#, properties.join(", "))
    };
    let kind = |options: &str| {
        property(
            "m_kind",
            &format!(r#""type": "enum K", "flags": 2097159, "enum_options": {{{options}}}"#),
        )
    };
    let id = property("m_id", r#""type": "int""#);
    let old = list(&format!(
        "{{{}, {}, {}, {}}}",
        class("class Base", "", &[id.clone(), kind(r#""A": 0, "B": 1"#)]),
        class(
            "class Own",
            r#""Base""#,
            &[
                id.clone(),
                kind(r#""A": 0, "B": 1"#),
                property("m_a", r#""type": "int""#),
                property("m_b", r#""type": "float""#),
                property("m_c", r#""type": "bool""#),
            ]
        ),
        class("class Gone", "", &[]),
        class("class Same", "", std::slice::from_ref(&id)),
    ));
    let new = list(&format!(
        "{{{}, {}, {}, {}}}",
        class("class Base", "", &[kind(r#""A": 0, "B": 2, "C": 3"#)]),
        class(
            "class Own",
            r#""Base""#,
            &[
                kind(r#""A": 0, "B": 2, "C": 3"#),
                property("m_new", r#""type": "int""#),
                property("m_b", r#""type": "float", "container": "List", "flags": 71"#),
                property("m_a", r#""type": "std::string""#),
            ]
        ),
        class("class New", "", std::slice::from_ref(&id)),
        class("class Same", "", &[id]),
    ));
    let changes: Vec<String> = old.diff(&new).iter().map(|change| change.to_string()).collect();
    assert_eq!(
        changes,
        [
            "class Base.m_id: property int gone",
            "enum K: option B = 1 -> B = 2",
            "enum K: option C = 3 added",
            "class Own.m_a: type int -> std::string",
            "class Own.m_b: container Static -> List",
            "class Own.m_b: flags SAVE|COPY|PUBLIC -> SAVE|COPY|PUBLIC|DEPRECATED",
            "class Own.m_c: property bool gone",
            "class Own.m_new: property int added",
            "class Own: order m_kind, m_a, m_b -> m_kind, m_b, m_a",
            "class Gone: 0 properties gone",
            "class New: 1 property added",
        ]
    );
    assert_eq!(old.diff(&old), []);
    let back = new.diff(&old);
    assert_eq!(back.len(), changes.len());
    assert!(back.iter().any(|change| change.part == Part::Class && change.old.is_none()));
}

/// Other keys beside `classes`, and options whose value is text, change nothing of what is read.
#[test]
fn what_extractors_add_to_a_list_changes_nothing() {
    let sample =
        |name: &str| std::fs::read(crate::support::testdata().join("fleet").join(name)).unwrap();
    let list = |name: &str| Schema::from_json(&sample(name)).unwrap();
    let read = |name: &str| {
        let (schema, message) = (std::sync::Arc::new(list(name)), sample("fleet.message"));
        let file = Options::file().schema(schema.clone());
        let bind: Value = file.from_slice(&sample("fleet.bind")).unwrap();
        let message: Value = Options::new().schema(schema).from_slice(&message).unwrap();
        let json = [&bind, &message].map(|own| json::to_string(own).unwrap());
        assert!(bind.unread_properties().is_empty());
        json
    };
    let expected = read("types.json");
    assert!(expected.iter().all(|json| !json.contains("$hex")), "{expected:?}");
    assert_eq!(read("types_with_header.json"), expected);
    assert_eq!(read("types_option_text.json"), expected);
    let text = String::from_utf8(sample("types.json")).unwrap();
    for (first, last) in [
        (r#""revision": "r1", "list": [1], "#, ""),
        ("", r#", "extractor": {"name": "x"}, "none": null"#),
    ] {
        let end = text.rfind('}').unwrap();
        let moved = format!("{{{first}{}{last}}}", &text[1..end]);
        assert_eq!(Schema::from_json(moved.as_bytes()).unwrap().len(), list("types.json").len());
    }
    // Of an enum, an option is a value, and one of no number is odd still.
    let odd = text
        .replace(r#""SQUARE": "1""#, r#""SQUARE": """#)
        .replace(r#""SQUARE": 1"#, r#""SQUARE": """#);
    let odd = Schema::from_json(odd.as_bytes()).unwrap();
    assert!(odd.class("class Sloop").unwrap().property("m_sail").unwrap().oddity().is_some());
}

/// What only bits are read of is said, with the class.
#[test]
fn properties_that_cannot_be_read_are_listed() {
    let list = |container: &str| {
        let text = format!(
            r#"{{"class A": {{"properties": {{"m_odd": {{"type": "int", "flags": 31, "container": "{container}"}}}}}}}}"#
        );
        Options::file().schema(Schema::from_json(text.as_bytes()).unwrap())
    };
    let keep = list("Map").unknown(Unknown::Keep);
    let text = r#"{"$type": "class A", "m_odd": {"$bits": 8, "$hex": "ff"}}"#;
    let value = json::from_str(text, &keep).unwrap();
    let found: Vec<_> =
        value.unread_properties().iter().map(|own| (own.0.name(), own.1.name())).collect();
    assert_eq!(found, [("class A", "m_odd")]);
}

/// A template has no `class ` in the list, and its pointer has.
#[test]
fn pointers_to_templates_are_aliases() {
    let list = Schema::from_json(
        br#"{"MadlibArgT<float>": {"bases": ["MadlibArg"], "properties": {"m_value": {"type": "float", "flags": 7}}},
            "class MadlibArgT<float>*": {"bases": ["MadlibArg"], "properties": {"m_value": {"type": "float", "flags": 7}}},
            "class SharedPointer<class MadlibArg>": {"properties": {}},
            "class MadlibArg": {"properties": {"m_next": {"type": "class MadlibArg*", "flags": 7}}}}"#,
    )
    .unwrap();
    let aliases: Vec<&str> =
        list.classes().filter(|own| list.is_alias(own)).map(|own| own.name()).collect();
    assert_eq!(aliases, ["class MadlibArgT<float>*", "class SharedPointer<class MadlibArg>"]);
    for (name, expected) in [
        ("class MadlibArgT<float>*", Some("MadlibArgT<float>")),
        ("class SharedPointer<class MadlibArgT<float>>", Some("MadlibArgT<float>")),
        ("class MadlibArg*", Some("class MadlibArg")),
        ("class MadlibArg", Some("class MadlibArg")),
        ("class Nobody*", None),
    ] {
        assert_eq!(list.pointee(name).map(|own| own.name()), expected, "{name}");
    }
}
