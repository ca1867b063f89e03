//! Bytes that other implementations made.

use gamewire_testkit::vectors::{Row, all_rows, to_hex};
use kiwi_dml::frame::{Content, Frame, Framing};
use kiwi_dml::types::WString;
use kiwi_dml::{Control, Record, Value};

use crate::support::{protocols, testdata};

fn rows(kind: &str) -> Vec<Row> {
    let rows = all_rows(testdata("vectors/reference.jsonl"));
    let rows: Vec<Row> = rows.into_iter().filter(|row| row.text("kind") == Some(kind)).collect();
    assert!(!rows.is_empty(), "{kind}");
    rows
}

fn number(row: &Row, name: &str) -> u64 {
    row.value[name].as_u64().unwrap()
}

#[test]
fn messages_have_the_numbers_of_the_reference() {
    let protocols = protocols();
    for row in rows("orders") {
        let service = protocols.service(number(&row, "service").try_into().unwrap()).unwrap();
        let found: serde_json::Map<_, _> = service
            .messages()
            .iter()
            .map(|message| (message.order.to_string(), (&*message.name).into()))
            .collect();
        assert_eq!(serde_json::Value::Object(found), row.value["orders"], "{}", row.name());
    }
}

#[test]
fn messages_are_read_and_written_as_by_the_reference() {
    let protocols = protocols();
    for row in rows("message") {
        let mut record = Record::new(protocols.find(row.text("message").unwrap()).unwrap());
        for field in row.value["fields"].as_array().unwrap() {
            let value: Value = match (&field[2], field[2].as_str()) {
                (_, Some(text)) => match text.strip_prefix("hex:") {
                    Some(hex) => gamewire_testkit::vectors::from_hex(hex).unwrap()[..].into(),
                    None => text.into(),
                },
                (number, _) if number.is_u64() => number.as_u64().into(),
                (number, _) if number.is_i64() => number.as_i64().into(),
                (number, _) => number.as_f64().into(),
            };
            record.set(field[0].as_str().unwrap(), value).unwrap();
        }
        let raw = record.to_raw().unwrap();
        assert_eq!(
            (raw.service_id.into(), raw.order.into()),
            (number(&row, "service"), number(&row, "order"))
        );
        let bytes = Framing::new().to_vec(&Frame::messages([&raw])).unwrap();
        assert_eq!(to_hex(&bytes), row.text("hex").unwrap(), "{}", row.name());
        let mut decoder = Framing::new().decoder();
        decoder.push(&bytes);
        let frame = decoder.next_frame().unwrap().unwrap();
        let Content::Messages(messages) = frame.content().unwrap() else { panic!() };
        assert_eq!(protocols.read(&messages[0]).unwrap(), record, "{}", row.name());
    }
}

#[test]
fn large_lengths_begin_where_they_do_in_the_reference() {
    for row in rows("large") {
        let len: usize = number(&row, "len").try_into().unwrap();
        let mut record = Record::new(protocols().find("MSG_BEDS").unwrap());
        record.set("Data", "x".repeat(len)).unwrap();
        let frame = Frame::messages([&record.to_raw().unwrap()]);
        let bytes = Framing::new().to_vec(&frame).unwrap();
        assert_eq!(to_hex(&bytes[..20]), row.text("head").unwrap(), "{}", row.name());
        assert_eq!(bytes.len() as u64, number(&row, "size"), "{}", row.name());
    }
}

#[test]
fn control_messages_are_read_and_written_as_by_the_references() {
    for row in rows("control") {
        let (opcode, body) = (number(&row, "opcode").try_into().unwrap(), row.hex("body").unwrap());
        let control = Control::read(opcode, &body).unwrap();
        assert_eq!((control.opcode(), control.to_vec()), (opcode, body), "{}", row.name());
        let frame = Frame::control(&control);
        let bytes = Framing::new().to_vec(&frame).unwrap();
        assert_eq!(to_hex(&bytes), row.text("hex").unwrap(), "{}", row.name());
        let Content::Control(found) = frame.content().unwrap() else { panic!() };
        assert_eq!(found, control);
    }
}

#[test]
fn fields_are_written_as_by_the_reference() {
    for row in rows("fields") {
        let fields = (WString::from("Größe 🌱"), "TEST", -2i16, 0xffee_ddcc_bbaa_9988u64);
        assert_eq!(to_hex(&kiwi_dml::to_vec(&fields).unwrap()), row.text("hex").unwrap());
    }
}
