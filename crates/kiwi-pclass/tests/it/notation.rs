//! The JSON notation and the debug XML.

use std::sync::Arc;

use gamewire_testkit::on_small_stack;
use kiwi_pclass::core_object::{CoreHeader, CoreTypes};
use kiwi_pclass::types::{PropertyFlags, SerializerFlags, WString};
use kiwi_pclass::value::{Field, Object, RawBits, RawObject};
use kiwi_pclass::{ErrorKind, Mode, Options, Schema, Unknown, Value, json, xml};

use crate::support::{deep, hex};

fn options() -> Options {
    deep().mask(PropertyFlags::NONE).unknown(Unknown::Keep)
}

fn object(options: &Options, json: &str) -> Object {
    let value = json::from_str(json, options).unwrap();
    value.as_object().unwrap().clone()
}

/// Through both notations and the bytes, nothing is lost.
fn keeps(value: &Value, options: &Options) {
    let bytes = options.to_vec(value).unwrap();
    let read: Value = options.from_slice(&bytes).unwrap();
    assert_eq!(options.to_vec(&read).unwrap(), bytes);
    let text = json::to_string(value).unwrap();
    // Other formats of serde see the same notation, as far as they can go.
    if let Ok(shown) = serde_json::to_string(value) {
        assert_eq!(shown, text);
    }
    let back = json::from_str(&text, options).expect(&text);
    assert_eq!(json::to_string(&back).unwrap(), text);
    assert_eq!(options.to_vec(&back).unwrap(), bytes, "{text}");
    let pretty = json::to_string_pretty(value).unwrap();
    assert_eq!(json::to_string(&json::from_str(&pretty, options).unwrap()).unwrap(), text);
    let text = xml::to_string(value, options).unwrap();
    let back = xml::from_str(&text, options).expect(&text);
    assert_eq!(xml::to_string(&back, options).unwrap(), text);
    assert_eq!(options.to_vec(&back).unwrap(), bytes, "{text}");
}

#[test]
fn what_plain_text_cannot_say_survives() {
    let options = options();
    let mut leaf = object(&options, r#"{"$type": "class TvStr", "m_end": 5}"#);
    for bytes in [&b"\xff\0\xfe"[..], b"\0", b"a\x01b", b"\r\n\t x ", b"]]>&amp;<", b"\xef\xbf\xbf"]
    {
        leaf.set("m_str", bytes).unwrap();
        leaf.set("m_wstr", WString::from(vec![0x41, 0xd83d])).unwrap();
        keeps(&leaf.clone().into(), &options);
        leaf.set("m_wstr", WString::from(vec![0, 0xffff])).unwrap();
        keeps(&leaf.clone().into(), &options);
    }
    // Floats by their bits.
    let mut geo = object(&options, r#"{"$type": "class TvGeo"}"#);
    for bits in [0x7fc0_0001, 0xffc0_0000, 0x7f80_0001, 0x8000_0000, 0xff80_0000, 1, 0x7f7f_ffff] {
        let number = f32::from_bits(bits);
        geo.set("m_vec", kiwi_pclass::types::Vector3D::new(number, 0.1, -0.0)).unwrap();
        keeps(&geo.clone().into(), &options);
    }
}

#[test]
fn what_the_schema_does_not_know_survives() {
    let options = options();
    let mut pointers = object(&options, r#"{"$type": "class TvPtr", "m_raw": null, "m_tail": 3}"#);
    let bits = RawBits::new(&[0xff, 0x0f], 12);
    pointers
        .set("m_any", Value::Raw(Box::new(RawObject { hash: 0x1234, bits: bits.clone() })))
        .unwrap();
    pointers.push_field(Field::unknown(0xdead_beef, Value::Bits(Box::new(bits.clone()))));
    pointers.push_field(Field::unknown(0xdead_beef, Value::Bits(Box::new(RawBits::new(&[], 0)))));
    let value = Value::from(pointers);
    keeps(&value, &options);
    let text = json::to_string(&value).unwrap();
    assert!(text.contains(r#""m_any":{"$type":"0x00001234","$bits":12,"$hex":"ff0f"}"#), "{text}");
    assert!(text.contains(r#""0xdeadbeef#2":{"$bits":0,"$hex":""}"#), "{text}");
    let text = xml::to_string(&value, &options).unwrap();
    let expected = r#"
<Objects>
  <Class Name="class TvPtr">
    <m_raw></m_raw>
    <m_any>
      <Class Name="0x00001234" Encoding="bits" Bits="12">ff0f</Class>
    </m_any>
    <m_tail>3</m_tail>
    <_0xdeadbeef Encoding="bits" Bits="12">ff0f</_0xdeadbeef>
    <_0xdeadbeef Encoding="bits" Bits="0"></_0xdeadbeef>
  </Class>
</Objects>
"#;
    assert_eq!(text, expected.trim_start());
}

#[test]
fn types_of_unknown_layout_survive_in_deep_mode() {
    use kiwi_pclass::schema::{ClassDef, Container, PropertyDef};
    const MESH: ClassDef = ClassDef::new(
        "class Mesh",
        &[],
        &[
            PropertyDef::new("m_vert", "class SimpleVert", 0x1f),
            PropertyDef::new("m_verts", "class SimpleVert", 0x1f).container(Container::Vector),
            PropertyDef::new("m_end", "bool", 0x1f),
        ],
    );
    let schema = Arc::new(Schema::builder().class(&MESH).unwrap().build().unwrap());
    let options = Options::new().mode(Mode::Deep).schema(schema);
    let keep = options.clone().unknown(Unknown::Keep);
    let json = r#"{"$type":"class Mesh","m_vert":{"$bits":12,"$hex":"ff0f"},
        "m_verts":{"$bits":40,"$hex":"0200000001"},"m_end":true}"#;
    let value = json::from_str(json, &keep).unwrap();
    keeps(&value, &keep);
    let bytes = keep.to_vec(&value).unwrap();
    assert!(keep.explain(&bytes).error().is_none());
    let skipped: Value = options.clone().unknown(Unknown::Skip).from_slice(&bytes).unwrap();
    assert!(skipped.get("m_vert").is_none());
    assert_eq!(skipped["m_end"].as_bool(), Some(true));
    let error = options.from_slice::<Value>(&bytes).unwrap_err();
    assert_eq!(
        (error.kind(), error.path().to_string().as_str()),
        (ErrorKind::UnsupportedType, "m_vert")
    );
    assert!(error.to_string().starts_with("the layout of the type `"), "{error}");
}

#[test]
fn order_and_repetition_survive() {
    let options = options();
    let mut leaf = object(&options, r#"{"$type": "class TvLeaf", "m_on": true, "m_id": 1}"#);
    leaf.push("m_id", 2u32).unwrap();
    leaf.push("m_on", false).unwrap();
    let value = Value::from(leaf);
    keeps(&value, &options);
    assert_eq!(
        json::to_string(&value).unwrap(),
        r#"{"$type":"class TvLeaf","m_on":true,"m_id":1,"m_id#2":2,"m_on#2":false}"#
    );
    // A list that is there twice is what XML cannot say.
    let mut lists = object(&options, r#"{"$type": "class TvLists", "m_ints": [1]}"#);
    lists.push("m_ints", vec![Value::from(2)]).unwrap();
    let error = xml::to_string(&lists.into(), &options).unwrap_err();
    assert_eq!(
        (error.kind(), error.path().to_string().as_str()),
        (ErrorKind::Unsupported, "m_ints")
    );
}

#[test]
fn empty_and_absent_lists_are_told_apart() {
    let options = options();
    for json in [
        r#"{"$type": "class TvLists"}"#,
        r#"{"$type": "class TvLists", "m_strs": [], "m_bools": [], "m_bits": []}"#,
        r#"{"$type": "class TvDelta"}"#,
        r#"{"$type": "class TvDelta", "m_dlist": [], "m_dptr": null}"#,
    ] {
        keeps(&json::from_str(json, &options).unwrap(), &options);
    }
    // As other programs write it: no element is an empty list, or an absent delta property.
    let text = r#"<Objects><Class Name="class TvLists"><m_end>1</m_end></Class></Objects>"#;
    let value = xml::from_str(text, &options).unwrap();
    assert_eq!((value["m_ints"].list_len(), value["m_bools"].list_len()), (Some(0), Some(0)));
    let text = r#"<Objects><Class Name="class TvDelta"></Class></Objects>"#;
    assert_eq!(xml::from_str(text, &options).unwrap().get("m_dlist"), None);
}

#[test]
fn core_headers_survive() {
    let options = options().mode(Mode::Shallow);
    let options = options.core_types(CoreTypes::new().with(104, "class TvCore"));
    let json = r#"{"$type":"class TvCore","$core":{"block":104,"type":2,"template_id":57},
        "m_inactiveBehaviors":[],"m_globalID.m_full":1,"m_scale":1.5,"m_debug":false}"#;
    let value = json::from_str(json, &options).unwrap();
    assert_eq!(value.as_object().unwrap().core(), Some(CoreHeader::new(104, 2, 57)));
    keeps(&value, &options);
}

#[test]
fn xml_of_other_programs_is_read() {
    let options = options();
    let text = "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- a comment -->\n<Objects>\n\
        <Class Name='class TvGeo'><m_color>ff0a0B0c</m_color><m_vec> 1, -2.5 ,3e2</m_vec></Class>\
        <Class Name=\"class TvStr\"><m_flag>1</m_flag><m_mid>TRUE</m_mid>\
        <m_str> a&#x20ac;<![CDATA[<b>]]><!-- no --> &lt;c&gt; </m_str><m_wstr key=\"2\">\u{1f600}</m_wstr>\
        </Class></Objects>\n";
    let all = xml::all_from_str(text, &options).unwrap();
    assert_eq!(all[0]["m_color"], Value::from(kiwi_pclass::types::Color::new(10, 11, 12, 255)));
    assert_eq!(all[0]["m_vec"], Value::from(kiwi_pclass::types::Vector3D::new(1.0, -2.5, 300.0)));
    assert_eq!(all[1]["m_str"].as_str(), Some(" a€<b> <c> "));
    assert_eq!(all[1]["m_wstr"].as_wstring().unwrap().to_text().as_deref(), Some("\u{1f600}"));
    assert_eq!(all[1]["m_flag"].as_bool(), Some(true));
    assert_eq!(all[1]["m_mid"].as_bool(), Some(true));
    assert_eq!(
        xml::from_str(text, &options).unwrap_err().to_string(),
        "expected one object, found 2"
    );
    // What nobody knows is passed over where that is asked for.
    let text = "<Objects><Class Name=\"class TvPtr\"><m_none><x><y/></x></m_none>\
        <m_any><Class Name=\"class Nobody\"><m_a>1</m_a></Class></m_any></Class></Objects>";
    let skipped = xml::from_str(text, &options.clone().unknown(Unknown::Skip)).unwrap();
    assert_eq!(skipped.get("m_any"), Some(&Value::Null));
    let refused = xml::from_str(text, &options.unknown(Unknown::Refuse)).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::UnknownProperty);
}

#[test]
fn what_is_wrong_in_xml_is_said() {
    let options = options().unknown(Unknown::Refuse);
    let leaf =
        |inside: &str| format!("<Objects><Class Name=\"class TvLeaf\">{inside}</Class></Objects>");
    for (text, expected) in [
        (String::new(), "expected the element `Objects`"),
        ("<Object/>".to_owned(), "expected the element `Objects`, found `Object` at byte 0x0"),
        ("<Objects></Objects>".to_owned(), "expected one object, found 0"),
        ("<Objects><Class/></Objects>".to_owned(), "no attribute `Name` at byte 0x9"),
        ("<Objects><Leaf/></Objects>".to_owned(), "expected the element `Class`, found `Leaf`"),
        ("<Objects><Class Name=\"class Nobody\"/></Objects>".to_owned(), "`class Nobody`"),
        ("<Objects><Class Name=\"class TvLeaf\">".to_owned(), "ends too early"),
        ("<Objects></Class></Objects>".to_owned(), "malformed XML"),
        ("<Objects/>more".to_owned(), "expected nothing after `Objects`"),
        (leaf("text"), "expected an element, found `text`"),
        (leaf("<m_id>x</m_id>"), "expected a whole number, found \"x\" at byte 0x24, in m_id"),
        (leaf("<m_id>4294967296</m_id>"), "4294967296 does not fit into 32 bits"),
        (leaf("<m_id></m_id>"), "expected a whole number, found \"\""),
        (leaf("<m_id><x/></m_id>"), "expected text, found the element `x`"),
        (leaf("<m_on>yes</m_on>"), "expected true or false, found \"yes\""),
        (leaf("<m_name>&nbsp;</m_name>"), "unknown reference `&nbsp;`"),
        (leaf("<m_name Encoding=\"hex\">0g</m_name>"), "expected hexadecimal"),
        (leaf("<m_nam>x</m_nam>"), "`class TvLeaf` has no such property"),
    ] {
        let error = xml::from_str(&text, &options).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn what_is_wrong_in_json_is_said() {
    let options = options();
    for (text, expected) in [
        ("", "expected a value, found the end at byte 0x0"),
        ("{\"$type\": \"class TvLeaf\",}", "expected a key in quotes, found \"}\" at byte 0x19"),
        ("[]", "expected an object with the member \"$type\", found a list"),
        ("{}", "the member \"$type\" is missing"),
        (r#"{"$type": 1}"#, "expected the name of a class, found 1"),
        (r#"{"$type": "class Nobody"}"#, "the schema has no `class Nobody`"),
        (r#"{"$type": "class TvLeaf", "m_nam": 1}"#, "has no such property, in m_nam"),
        (r#"{"$type": "class TvLeaf", "m_id": 4294967296}"#, "does not fit into 32 bits, in m_id"),
        (r#"{"$type": "class TvLeaf", "m_id": -1}"#, "-1 does not fit into 32 bits, in m_id"),
        (r#"{"$type": "class TvLeaf", "m_id": 1.5}"#, "expected a whole number, found 1.5"),
        (r#"{"$type": "class TvLeaf", "m_name": {"$bytes": "0"}}"#, "expected pairs of"),
        (r#"{"$type": "class TvLeaf", "0x12345678": 5}"#, "expected the bits of an unknown"),
        (r#"{"$type": "class TvLists", "m_ints": [1, 2, "x"]}"#, ", in m_ints[2]"),
        (r#"{"$type": "class TvLists", "m_bits": [1, 300]}"#, "too many bits, in m_bits[1]"),
        (r#"{"$type": "class TvEnum", "m_color": "RAD"}"#, "found `RAD`, in m_color"),
        (r#"{"$type": "class TvGeo", "m_vec": {"x": 1, "y": 2}}"#, "the member \"z\" is missing"),
        (
            r#"{"$type": "class TvGeo", "m_vec": {"x": 1, "y": 2, "z": 3, "w": 4}}"#,
            "the member \"w\" is not known here, in m_vec",
        ),
        (
            r#"{"$type": "class TvGeo", "m_vec": {"x": {"$float": "7fc0"}, "y": 2, "z": 3}}"#,
            "in m_vec.x",
        ),
        (r#"{"$type": "0x12345678", "$bits": 9, "$hex": "00"}"#, "9 bits are not 1 bytes"),
    ] {
        let error = json::from_str(text, &options).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let error = json::from_str("{}", &Options::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Schema);
}

/// Chains of objects deeper than any stack, on a small one.
#[test]
fn depth_is_limited_in_text_too() {
    on_small_stack(|| {
        const LEVELS: usize = 1_025;
        let options = options().max_depth(1_000_000);
        let deep = |levels: usize| {
            let open = r#"{"$type":"class TvRec","m_n":1,"m_next":"#;
            format!("{}null{}", open.repeat(levels), "}".repeat(levels))
        };
        let value = json::from_str(&deep(LEVELS), &options).unwrap();
        keeps(&value, &options);
        assert!(
            json::from_str(&json::to_string_pretty(&value).unwrap(), &options).unwrap() == value
        );
        let error = json::from_str(&deep(LEVELS + 1), &options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DepthLimit);
        assert!(json::from_str(&deep(100_000), &options).is_err());
        assert!(json::from_str(&"[".repeat(100_000), &options).is_err());
        let open = "<Objects><m_next><Class Name=\"class TvRec\">";
        for text in [
            format!("<Objects>{}", "<Class Name=\"class TvRec\"><m_next>".repeat(100_000)),
            open.repeat(100_000),
            "<a>".repeat(200_000),
        ] {
            assert!(xml::from_str(&text, &options).is_err());
            assert!(xml::from_str(&text, &options.clone().unknown(Unknown::Skip)).is_err());
        }
        // serde goes in by recursion, so there is an end.
        let shallow = json::from_str(&deep(Value::MAX_SERDE_DEPTH), &options).unwrap();
        let text = serde_json::to_string(&shallow).unwrap();
        assert_eq!(text, json::to_string(&shallow).unwrap());
        assert!(serde_json::to_string(&value).is_err());
    })
    .unwrap();
}

/// Numbers are not rounded twice, whatever features serde_json has.
#[test]
fn json_text_keeps_every_float() {
    let options = options();
    let mut prims = object(&options, r#"{"$type": "class TvPrims"}"#);
    for (float, double) in [
        (f32::MIN_POSITIVE, 5e-324),
        (f32::MAX, f64::MAX),
        (16_777_217.0, 9_007_199_254_740_993.0),
        (0.1, 2.225_073_858_507_201_e-308),
        (1e-5, 1e-5),
        (9.999e-6, 9.999e-6),
        (1e-4, 1e-4),
        (9.99e-7, 1e-6),
        (9.99e12, 1e12),
        (1e13, 1e13),
        (1.5e15, 1e15),
        (1e16, 1e16),
        (1e17, 1e17),
        (1.25e17, 1.25e17),
        (-0.0, -0.0),
        (1e-45, 0.499_999_999_999_999_94),
        (f32::NEG_INFINITY, f64::NAN),
    ] {
        prims.set("m_float", float).unwrap();
        prims.set("m_double", double).unwrap();
        keeps(&Value::from(prims.clone()), &options);
    }
    for text in
        ["1e", "01", "+1", ".5", "1.", "0x1", "nul", "NaN", "1 2", r#"{"a" 1}"#, r#""\u12""#]
    {
        let text = format!(r#"{{"$type": "class TvPrims", "m_double": {text}}}"#);
        let error = json::from_str(&text, &options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Syntax, "{text}: {error}");
    }
}

/// XML had no element for an empty list, so that what is unknown changed its place.
#[test]
fn empty_lists_beside_the_unknown_keep_their_places() {
    let bytes = hex("7b835d1ea802000048000000d839150d004800000027e45f660048000000f2ea \
         382f004800000045a31b0d0048000000db69ad7d0048000000ef7ff34e004800 \
         000099f466350048000000138cec6f0048000000a79beb35ff");
    let options = options().flags(SerializerFlags::COMPACT_LENGTHS);
    keeps(&options.from_slice(&bytes).unwrap(), &options);
}
