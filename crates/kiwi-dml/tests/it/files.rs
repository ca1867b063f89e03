//! `*Messages.xml`.

use kiwi_dml::{Kind, Protocol, Protocols, Record, Value};

use crate::support::{document, message, protocols, testdata};

fn order(name: &str, value: &str) -> String {
    format!(r#"<{name} TYPE="UBYT" NOXFER="TRUE">{value}</{name}>"#)
}

#[test]
fn a_file_has_a_service_and_its_messages() {
    let protocols = protocols();
    let garden = protocols.service(61).unwrap();
    assert_eq!((&*garden.name, garden.version), ("GARDEN", 3));
    assert_eq!(&*garden.description, "Messages about beds and what grows in them");
    // By the bytes of the names of the elements, not by `_MsgName`.
    let names: Vec<&str> = garden.messages().iter().map(|message| &*message.name).collect();
    assert_eq!(names, ["MSG_BEDS", "MSG_DailyBedList", "MSG_GROWN", "MSG_WATER"]);
    let water = protocols.message(61, 4).unwrap();
    assert_eq!((water.order, water.access_level, &*water.handler), (4, 1, "MSG_Water"));
    assert_eq!(&*water.description, "A player waters a bed");
    let kinds: Vec<Kind> = water.fields.iter().map(|field| field.kind).collect();
    assert_eq!(kinds, [Kind::Gid, Kind::Flt, Kind::Byt]);
    // In a file that gives numbers, those count.
    assert_eq!(protocols.message(62, 1).unwrap(), protocols.find("MSG_CLOSE").unwrap());
    assert!(protocols.message(62, 3).is_none() && protocols.find("MSG_GONE").is_none());
    assert_eq!(protocols.services().count(), 2);
}

#[test]
fn what_is_odd_in_real_files_is_read() {
    let read = |messages: &str| Protocol::from_xml(document(messages).as_bytes()).unwrap();
    // The same message twice, and other spellings of types.
    let field = |kind: &str| message("MSG_A", &format!(r#"<X {kind}></X>"#));
    assert_eq!(read(&field(r#"TYPE="INT""#).repeat(2)).messages().len(), 1);
    for (spelt, kind) in [
        (r#"TYP="STR""#, Kind::Str),
        (r#"TPYE="FLT""#, Kind::Flt),
        (r#"TYPE="UBYTE""#, Kind::UByt),
        (r#"TYPE="BOOL""#, Kind::UByt),
        (r#"TYPE=" USHORT ""#, Kind::UShrt),
        (r#"TYPE="SHRT""#, Kind::Shrt),
        (r#"TYPE="DBL""#, Kind::Dbl),
    ] {
        assert_eq!(read(&field(spelt)).find("MSG_A").unwrap().fields[0].kind, kind);
    }
    // What is not sent: metadata, and fields that say so.
    let held_back = message("MSG_A", r#"<_MsgNew/><X TYPE="INT" NOXFER="true"/><Y TYPE="INT"/>"#);
    assert_eq!(read(&held_back).find("MSG_A").unwrap().fields.len(), 1);
    // The first message decides whether numbers count.
    let late = message("MSG_A", "") + &message("MSG_B", &order("_MsgOrder", "9"));
    assert_eq!(read(&late).find("MSG_B").unwrap().order, 2);
    let types =
        message("MSG_B", &order("_MsgType", "1")) + &message("MSG_A", &order("_MsgType", "200"));
    assert_eq!(read(&types).find("MSG_A").unwrap().order, 200);
    // Descriptions in another encoding, an order mark, 255 messages.
    let text = message("MSG_A", "<_MsgDescription>it~s</_MsgDescription>");
    let latin: Vec<u8> =
        document(&text).bytes().map(|byte| if byte == b'~' { 0x92 } else { byte }).collect();
    let latin = [&b"\xef\xbb\xbf"[..], &latin].concat();
    let latin = Protocol::from_xml(&latin).unwrap();
    assert_eq!(&*latin.find("MSG_A").unwrap().description, "it\u{fffd}s");
    let many: String = (0..255).map(|n| message(&format!("MSG_{n:03}"), "")).collect();
    assert_eq!(read(&many).message(255).unwrap().name, "MSG_254".into());
}

#[test]
fn what_is_no_file_of_messages_is_said() {
    let many: String = (0..256).map(|n| message(&format!("MSG_{n:03}"), "")).collect();
    let one = |record: &str| document(&message("MSG_A", record));
    let two = |first: &str, second: &str| {
        document(&(message("MSG_A", first) + &message("MSG_B", second)))
    };
    let same = |first: &str, second: &str| {
        document(&(message("MSG_A", first) + &message("MSG_A", second)))
    };
    let texts = [
        String::new(),
        "<M".into(),
        "<M><MSG_A></M>".into(),
        "<M></M>".into(),
        "<M><_ProtocolInfo><RECORD></RECORD></_ProtocolInfo></M>".into(),
        document("").replace('9', "300"),
        document("<MSG_A></MSG_A>"),
        document("<MSG_A><ROW></ROW></MSG_A>"),
        document("<MSG_A><RECORD/><RECORD/></MSG_A>"),
        one("<X></X>"),
        one(r#"<X TYPE="QWORD"></X>"#),
        one(r#"<X TYPE="INT"/><X TYPE="INT"/>"#),
        one(r#"<X TYPE="INT"><Y/></X>"#),
        one(&order("_MsgOrder", "0")),
        one(&order("_MsgOrder", "256")),
        one(&order("_MsgOrder", "first")),
        one("<_MsgAccessLvl>high</_MsgAccessLvl>"),
        two(&order("_MsgOrder", "1"), &order("_MsgOrder", "1")),
        two(&order("_MsgOrder", "1"), ""),
        same(r#"<X TYPE="INT"/>"#, r#"<X TYPE="UINT"/>"#),
        same(&order("_MsgOrder", "1"), &order("_MsgOrder", "2")),
        document(&many),
    ];
    let said =
        texts.iter().map(|text| Protocol::from_xml(text.as_bytes()).unwrap_err().to_string());
    insta::assert_snapshot!(said.collect::<Vec<_>>().join("\n"));
    let mut protocols = protocols();
    let again = Protocols::from_xml(document("").replace('9', "61").as_bytes()).unwrap();
    let error = protocols.add(again.service(61).unwrap().clone()).unwrap_err();
    assert_eq!(error.to_string(), "the services GARDEN and  have the same id, 61");
}

#[test]
fn a_new_message_has_the_values_that_its_file_declares() {
    let protocols =
        Protocols::from_xml(&std::fs::read(testdata("messages/WizMessages.xml")).unwrap());
    let protocols = protocols.unwrap();
    let record = Record::new(protocols.find("MSG_CROWNBALANCE").unwrap());
    let json = serde_json::to_string(&record).unwrap();
    assert_eq!(json, r#"{"Failure":3,"TotalCrowns":-7,"CharacterID":0,"Note":"hey"}"#);
    assert_eq!(protocols.read(&record.to_raw().unwrap()).unwrap(), record);
    let of = |kind: &str, value: &str| {
        let field = format!("<F TYPE=\"{kind}\">{value}</F>");
        Protocols::from_xml(document(&message("MSG_A", &field)).as_bytes())
    };
    for (kind, value, expected) in [
        ("BYT", "-128", Value::Int(-128)),
        ("GID", "18446744073709551615", Value::UInt(u64::MAX)),
        ("FLT", " 1.5 ", Value::Float(1.5)),
        ("DBL", "-2", Value::Double(-2.0)),
        ("WSTR", "a", Value::WString("a".into())),
        ("BOOL", "1", Value::UInt(1)),
        ("USHRT", "", Value::UInt(0)),
    ] {
        let protocols = of(kind, value).unwrap();
        let message = protocols.find("MSG_A").unwrap();
        assert_eq!(message.fields[0].default_value(), expected, "{kind} {value}");
        assert_eq!(Record::new(message)["F"], expected);
    }
    for (kind, value) in
        [("UBYT", "256"), ("UINT", "-1"), ("INT", "x"), ("FLT", "inf"), ("GID", "1.5")]
    {
        let error = of(kind, value).unwrap_err().to_string();
        let expected = format!("expected a value of {kind}, found `{value}`");
        assert!(error.starts_with(&expected), "{error}");
    }
    // Twice the same but for the value: the first counts.
    let twice = ["<F TYPE=\"INT\">1</F>", "<F TYPE=\"INT\">2</F>"].map(|own| message("MSG_A", own));
    let protocols = Protocols::from_xml(document(&twice.concat()).as_bytes()).unwrap();
    assert_eq!(Record::new(protocols.find("MSG_A").unwrap())["F"], Value::Int(1));
}
