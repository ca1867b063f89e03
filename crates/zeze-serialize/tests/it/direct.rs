//! `Encode` and `Decode`: what they do beside serde, with code as `gamewire gen zeze` writes it.

use serde::{Deserialize, Serialize};
use zeze_serialize::frame::{Frame, Framing};
use zeze_serialize::wire::{self, Decode, Encode};
use zeze_serialize::{
    Base, Deserializer, ErrorKind, Kind, Options, Result, Serializer, Unknown, Value,
};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Item {
    unknown: Unknown,
    #[serde(rename = "3:count")]
    count: i16,
    #[serde(rename = "20:any")]
    any: Option<Value>,
    base: Base<Name>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Name {
    #[serde(rename = "1:text")]
    text: String,
    #[serde(rename = "2:names")]
    names: Vec<Name>,
}

fn item_name(id: u32) -> &'static str {
    match id {
        3 => "count",
        20 => "any",
        _ => "",
    }
}

fn name_name(id: u32) -> &'static str {
    if id == 1 { "text" } else { "names" }
}

impl Encode for Item {
    const KIND: Kind = Kind::Bean;

    fn encode(&self, to: &mut Serializer) -> Result<()> {
        let mut bean = to.bean(item_name)?;
        bean.unknown(&self.unknown);
        bean.field(3, &self.count)?;
        bean.serde(20, &self.any)?;
        bean.base("base", &self.base)?;
        bean.end()
    }
}

impl<'de> Decode<'de> for Item {
    fn decode(from: &mut Deserializer<'de>) -> Result<Self> {
        let mut bean = from.bean(item_name)?;
        let read = Item {
            unknown: bean.unknown("unknown")?,
            count: bean.field(3)?,
            any: bean.serde(20)?,
            base: bean.base("base")?,
        };
        bean.end()?;
        Ok(read)
    }
}

impl Encode for Name {
    const KIND: Kind = Kind::Bean;

    fn encode(&self, to: &mut Serializer) -> Result<()> {
        let mut bean = to.bean(name_name)?;
        bean.field(1, &self.text)?;
        bean.field(2, &self.names)?;
        bean.end()
    }
}

impl<'de> Decode<'de> for Name {
    fn decode(from: &mut Deserializer<'de>) -> Result<Self> {
        let mut bean = from.bean(name_name)?;
        let read = Name { text: bean.field(1)?, names: bean.field(2)? };
        bean.end()?;
        Ok(read)
    }
}

fn alike(options: Options, bytes: &[u8]) {
    let by_serde = options.from_slice::<Item>(bytes).map_err(|error| error.to_string());
    let direct = options.decode_from_slice::<Item>(bytes).map_err(|error| error.to_string());
    assert_eq!(direct, by_serde, "{bytes:02x?}");
    if let Ok(item) = direct {
        let by_serde = options.to_vec(&item).map_err(|error| error.to_string());
        assert_eq!(options.encode_to_vec(&item).map_err(|error| error.to_string()), by_serde);
    }
}

/// 1: 5, 3: 7, 4: {…}, 20: "a", 30: 1; base { 1: "b", 2: [{ 1: "c" }] }
const BYTES: &[u8] = &[
    0x10, 5, 0x20, 7, 0x16, 0x10, 1, 0, 0xf3, 1, 1, b'a', 0xa0, 1, 0x01, 0x13, 1, b'b', 0x14, 0x16,
    0x13, 1, b'c', 0, 0,
];

#[test]
fn unknown_fields_bases_and_serde_are_as_by_serde() {
    let item: Item = wire::decode_from_slice(BYTES).unwrap();
    assert_eq!((item.count, item.base.names.len()), (7, 1));
    assert_eq!(item.any.as_ref().and_then(Value::as_str), Some("a"));
    assert_eq!(item.unknown.to_value().unwrap().pointer("/30"), Some(&Value::Int(1)));
    assert_eq!(wire::encode_to_vec(&item).unwrap(), BYTES);
    assert_eq!(zeze_serialize::to_vec(&item).unwrap(), BYTES);
    let new = Options::new();
    for at in 0..BYTES.len() {
        for change in 1..=255 {
            let mut bytes = BYTES.to_vec();
            bytes[at] ^= change;
            alike(new, &bytes);
            alike(new.strict(true).max_typed_depth(4), &bytes);
        }
        alike(new, &BYTES[..at]);
    }
}

#[test]
fn ids_that_do_not_rise_are_an_error() {
    struct Wrong(&'static [u32]);
    impl Encode for Wrong {
        const KIND: Kind = Kind::Bean;
        fn encode(&self, to: &mut Serializer) -> Result<()> {
            let mut bean = to.bean(|_| "x")?;
            for id in self.0 {
                bean.field(*id, &1)?;
            }
            bean.end()
        }
    }
    for ids in [&[0][..], &[2, 1], &[5, 5], &[1 << 31]] {
        let error = wire::encode_to_vec(&Wrong(ids)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FieldId, "{ids:?}");
    }
    assert_eq!(wire::encode_to_vec(&Wrong(&[1, 0x7fff_ffff])).unwrap().len(), 10);
}

#[test]
fn levels_and_output_are_bounded() {
    let mut name = Name::default();
    for _ in 0..100 {
        name = Name { text: String::new(), names: vec![name] };
    }
    let error = wire::encode_to_vec(&name).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthLimit);
    let options = Options::new().max_typed_depth(250);
    let bytes = options.encode_to_vec(&name).unwrap();
    assert_eq!(options.decode_from_slice::<Name>(&bytes).unwrap(), name);
    let error = wire::decode_from_slice::<Name>(&bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthLimit);
    let error = options.max_output(10).encode_to_vec(&name).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutputLimit);
    // A count that lies reserves nothing.
    let lie = [0x24, 0xf6, 0xf0, 0x7f, 0xff, 0xff, 0xf0];
    let error = wire::decode_from_slice::<Name>(&lie).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LengthLimit);
}

#[test]
fn frames_have_beans_of_both_sorts() {
    let name = Name { text: "a".into(), names: Vec::new() };
    let frame = Frame::rpc_request(1, 2, 3, name);
    let bytes = Framing::new().encode_to_vec(&frame).unwrap();
    assert_eq!(bytes, Framing::new().to_vec(&frame).unwrap());
    let (raw, _) = Framing::new().split(&bytes).unwrap();
    assert!(!raw.is_answer());
    assert_eq!(raw.decode::<Name>().unwrap(), frame);
    let answer = Framing::new().encode_to_vec(&frame.respond(0, ()).unwrap()).unwrap();
    let (raw, _) = Framing::new().split(&answer).unwrap();
    assert!(raw.is_answer());
    raw.decode::<()>().unwrap();
}
