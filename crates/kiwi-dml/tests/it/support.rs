//! Samples.

use kiwi_dml::{Protocol, Protocols};

/// A file of `testdata/kiwi-dml`.
pub(crate) fn testdata(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/kiwi-dml").join(name)
}

pub(crate) fn protocols() -> Protocols {
    let mut protocols = Protocols::default();
    for name in ["GardenMessages.xml", "GateMessages.xml"] {
        let xml = std::fs::read(testdata(&format!("messages/{name}"))).unwrap();
        protocols.add(Protocol::from_xml(&xml).unwrap()).unwrap();
    }
    protocols
}

/// A file with these messages, of which the service has the id 9.
pub(crate) fn document(messages: &str) -> String {
    let info =
        r#"<_ProtocolInfo><RECORD><ServiceID TYPE="UBYT">9</ServiceID></RECORD></_ProtocolInfo>"#;
    format!("<M>{info}{messages}</M>")
}

/// A message with what is in its record.
pub(crate) fn message(name: &str, record: &str) -> String {
    format!("<{name}><RECORD>{record}</RECORD></{name}>")
}
