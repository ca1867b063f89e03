//! Source made from `*Messages.xml`, and the generated types at work.

use gamewire_gen::dml;
use kiwi_dml::types::{ByteString, WString};
use kiwi_dml::{Message as _, Protocol, Protocols, RawMessage, Record};

use crate::{must_be_formatted, must_be_fresh, testdata};

/// A test says how to make it again.
#[allow(dead_code, unreachable_pub)]
mod messages {
    include!("../../../../testdata/kiwi-dml/messages.rs");
}

use messages::{garden, gate, wizard};

fn protocols() -> Protocols {
    let mut protocols = Protocols::default();
    for name in ["GardenMessages.xml", "GateMessages.xml", "WizMessages.xml"] {
        let xml = std::fs::read(testdata("kiwi-dml/messages").join(name)).unwrap();
        protocols.add(Protocol::from_xml(&xml).unwrap()).unwrap();
    }
    protocols
}

/// `GAMEWIRE_GENERATED=write` writes the module again.
#[test]
fn the_generated_module_is_fresh() {
    let file = testdata("kiwi-dml/messages.rs");
    must_be_fresh(&file, &dml::generate(&protocols()));
    must_be_formatted(&file, "2024");
}

/// As `Record::new` has them.
#[test]
fn defaults_are_the_values_that_the_file_declares() {
    let balance = wizard::Crownbalance::default();
    assert_eq!((balance.failure, balance.total_crowns), (3, -7));
    assert_eq!((balance.character_id, &*balance.note), (0, &b"hey"[..]));
    let record = Record::new(protocols().find("MSG_CROWNBALANCE").unwrap());
    assert_eq!(RawMessage::of(&balance).unwrap(), record.to_raw().unwrap());
    assert_eq!(gate::Message::read(&record.to_raw().unwrap()).unwrap(), None);
}

#[test]
fn generated_types_are_the_messages_of_the_files() {
    let grown = garden::Grown {
        depth: -1,
        rows: 2,
        stock: 3,
        balance: -4,
        seeds: 5,
        global_id: 6,
        height: 0.5,
        weight: -0.25,
        plant: ByteString::from("rose"),
        label: WString::from("Größe"),
    };
    let raw = RawMessage::of(&grown).unwrap();
    let record = protocols().read(&raw).unwrap();
    assert_eq!(&*record.message_type().name, garden::Grown::NAME);
    assert_eq!(record.to_raw().unwrap(), raw);
    let message = garden::Message::Grown(grown);
    assert_eq!(garden::Message::read(&raw).unwrap(), Some(message.clone()));
    assert_eq!(message.to_raw().unwrap(), raw);
    // Of another service, and cut off.
    assert_eq!(gate::Message::read(&raw).unwrap(), None);
    let (_, body) = raw.body().split_last().unwrap();
    let cut = RawMessage::new(raw.service_id, raw.order, body).unwrap();
    let error = garden::Message::read(&cut).unwrap_err().to_string();
    assert!(error.ends_with("MSG_GROWN.label"), "{error}");
    // Every message of the files has its type.
    for service in protocols().services() {
        for message in service.messages() {
            let raw = Record::new(message).to_raw().unwrap();
            let is_garden = garden::Message::read(&raw).unwrap().is_some();
            let is_gate = gate::Message::read(&raw).unwrap().is_some();
            let is_wizard = wizard::Message::read(&raw).unwrap().is_some();
            let found = [is_garden, is_gate, is_wizard].map(u8::from).iter().sum::<u8>();
            assert_eq!(found, 1, "{}", message.name);
        }
    }
}

#[test]
fn any_names_make_rust() {
    let xml = r#"<M><_ProtocolInfo><RECORD><ServiceID>3</ServiceID></RECORD></_ProtocolInfo>
        <MSG_RawMessage><RECORD><type TYPE="INT"/><Type TYPE="STR"/><m_x TYPE="FLT"/></RECORD></MSG_RawMessage>
        <MSG_A><RECORD><_MsgHandler>MSG_User_Authen_V3</_MsgHandler></RECORD></MSG_A>
        <MSG_B><RECORD><_MsgHandler>msg_User_Authen_V3</_MsgHandler></RECORD></MSG_B>
        <MSG_C><RECORD><_MsgHandler>MSG_</_MsgHandler><_MsgDescription>a `b`
            [c]</_MsgDescription></RECORD></MSG_C>
        <Übel><RECORD/></Übel>
        <MSG_A_MESSAGE_WITH_A_NAME_THAT_IS_LONGER_THAN_OTHERS><RECORD/></MSG_A_MESSAGE_WITH_A_NAME_THAT_IS_LONGER_THAN_OTHERS>
        </M>"#;
    let source = dml::generate(&Protocols::from_xml(xml.as_bytes()).unwrap());
    let file = tempfile::NamedTempFile::with_suffix(".rs").unwrap();
    std::fs::write(file.path(), &source).unwrap();
    must_be_formatted(file.path(), "2024");
    for line in [
        "pub mod service3 {",
        "pub struct UserAuthenV3 {}",
        "pub struct UserAuthenV3_2 {}",
        "pub struct RawMessage2 {",
        "pub r#type: i32,",
        "pub r#type2: kiwi_dml::types::ByteString,",
        "pub x: f32,",
        "pub struct C {}",
    ] {
        assert!(source.contains(line), "{line}\n{source}");
    }
}
