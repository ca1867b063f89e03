//! Hostile bytes.

use gamewire_testkit::hostile::{self, Hostile};
use gamewire_testkit::vectors::all_rows;
use kiwi_dml::frame::{Content, Framing};
use kiwi_dml::types::{ByteString, WString};
use kiwi_dml::{Control, Protocol, Result};

use crate::support::{document, message, protocols, testdata};

fn changed<'a>(kit: &mut Hostile<'a>, name: &str, sample: &[u8]) {
    kit.accepted(name, sample);
    kit.cases(name, hostile::truncations(name, sample));
    kit.cases(name, hostile::bit_flips(name, sample));
    kit.cases(name, hostile::mutations(name, sample, 5, 200));
}

#[test]
fn every_flip_and_cut_of_a_stream() {
    let protocols = protocols();
    let swallow = |bytes: &[u8]| -> Result<()> {
        let mut decoder = Framing::new().decoder();
        for piece in bytes.chunks(61) {
            decoder.push(piece);
            while let Some(frame) = decoder.next_frame()? {
                match frame.content()? {
                    Content::Control(control) => drop(control.to_vec()),
                    Content::Messages(messages) => {
                        for message in &messages {
                            let record = protocols.read(message)?;
                            assert_eq!(record.to_raw()?.body(), message.body());
                        }
                    }
                }
            }
        }
        decoder.finish()
    };
    let mut kit = Hostile::new(swallow);
    for row in all_rows(testdata("vectors/reference.jsonl")) {
        if let ("message" | "control", Ok(bytes)) = (row.text("kind").unwrap(), row.hex("hex")) {
            changed(&mut kit, row.name(), &bytes);
        }
    }
    kit.random(1, 500, 100);
    kit.all_refused(
        "large lengths",
        hostile::length_claims(|claim| {
            let len = hostile::u32_le(claim)?;
            (claim > 20).then(|| [&b"\x0d\xf0\0\x80"[..], &len, &[0; 16]].concat())
        }),
    );
    kit.linear("empty messages", 4000, |len| {
        let payload = [62u8, 1, 8, 0, 1, 2, 3, 4].repeat(len / 8);
        let mut frame = vec![0x0d, 0xf0, 0, 0x80];
        frame.extend_from_slice(&(payload.len() as u32 + 4).to_le_bytes());
        frame.extend_from_slice(&[0; 4]);
        [frame, payload].concat()
    });
    kit.finish();
}

#[test]
fn every_flip_and_cut_of_a_body_and_a_control_message() {
    type Fields<'a> = (i8, bool, u64, f64, &'a str, ByteString, WString);
    let body = (-1i8, true, 7u64, 0.5f64, "text", ByteString::new(b"\xff"), WString::from("Öl"));
    let mut kit = Hostile::new(|bytes: &[u8]| {
        for opcode in [0, 3, 4, 5] {
            Control::read(opcode, bytes).ok();
        }
        kiwi_dml::from_slice::<Fields<'_>>(bytes).map(drop)
    });
    changed(&mut kit, "body", &kiwi_dml::to_vec(&body).unwrap());
    kit.random(2, 500, 60);
    kit.finish();
}

#[test]
fn every_flip_and_cut_of_a_file() {
    let mut kit = Hostile::new(|bytes: &[u8]| Protocol::from_xml(bytes).map(drop));
    for name in ["GardenMessages.xml", "GateMessages.xml"] {
        changed(&mut kit, name, &std::fs::read(testdata(&format!("messages/{name}"))).unwrap());
    }
    kit.linear("fields", 20_000, |len| {
        let fields: String = (0..len / 20).map(|n| format!(r#"<F{n} TYPE="INT"/>"#)).collect();
        document(&message("MSG_A", &fields)).into_bytes()
    });
    kit.linear("the same message", 20_000, |len| {
        document(&message("MSG_A", "").repeat(len / 30)).into_bytes()
    });
    kit.linear("nested elements", 20_000, |len| "<a>".repeat(len / 3).into_bytes());
    kit.finish();
}
