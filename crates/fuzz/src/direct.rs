//! zeze-serialize without serde: what generated code does, beside what serde does.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use zeze_serialize::wire::{Decode, Encode};
use zeze_serialize::{
    Base, Deserializer, Kind, Options, Result, Serializer, Unknown, Value, Vector2, Vector3Int,
};

macro_rules! bean {
    ($bean:ident($names:ident) { $($id:literal $name:literal $field:ident: $type:ty,)* }) => {
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        struct $bean {
            unknown: Unknown,
            $(
                #[serde(rename = $name)]
                $field: $type,
            )*
            #[serde(rename = "40:any")]
            any: Option<Value>,
            base: Base<Name>,
        }

        fn $names(id: u32) -> &'static str {
            match id {
                $($id => stringify!($field),)*
                40 => "any",
                _ => "",
            }
        }

        impl Encode for $bean {
            const KIND: Kind = Kind::Bean;

            fn encode(&self, to: &mut Serializer) -> Result<()> {
                let mut bean = to.bean($names)?;
                bean.unknown(&self.unknown);
                $(bean.field($id, &self.$field)?;)*
                bean.serde(40, &self.any)?;
                bean.base("base", &self.base)?;
                bean.end()
            }
        }

        impl<'de> Decode<'de> for $bean {
            fn decode(from: &mut Deserializer<'de>) -> Result<Self> {
                let mut bean = from.bean($names)?;
                let read = $bean {
                    unknown: bean.unknown("unknown")?,
                    $($field: bean.field($id)?,)*
                    any: bean.serde(40)?,
                    base: bean.base("base")?,
                };
                bean.end()?;
                Ok(read)
            }
        }
    };
}

bean! {
    Item(item_name) {
        1 "1:flag" flag: bool,
        2 "2:small" small: i8,
        3 "3:count" count: i16,
        4 "4:large" large: i64,
        5 "5:float" float: f32,
        6 "6:double" double: f64,
        7 "7:text" text: String,
        8 "8:list" list: Vec<i32>,
        9 "9:set" set: BTreeSet<String>,
        10 "10:map" map: BTreeMap<i64, Name>,
        11 "11:names" names: Vec<Name>,
        12 "12:name" name: Name,
        13 "13:flags" flags: Vec<bool>,
        14 "14:vector" vector: Vector2,
        15 "15:vectors" vectors: Vec<Vector3Int>,
        16 "16:floats" floats: Vec<f32>,
        30 "30:inner" inner: Vec<Item>,
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Name {
    #[serde(rename = "1:text")]
    text: String,
    #[serde(rename = "2:names")]
    names: Vec<Name>,
}

fn name_name(id: u32) -> &'static str {
    if id == 1 { "text" } else { "names" }
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

fn alike<T>(options: Options, data: &[u8])
where
    T: Encode + Serialize + for<'de> Decode<'de> + for<'de> Deserialize<'de> + std::fmt::Debug,
{
    // NaN is not itself, but is printed.
    let by_serde = options.from_slice::<T>(data);
    let direct = options.decode_from_slice::<T>(data);
    assert_eq!(format!("{direct:?}"), format!("{by_serde:?}"));
    let Ok(read) = direct else { return };
    let by_serde = options.to_vec(&read);
    assert_eq!(format!("{:?}", options.encode_to_vec(&read)), format!("{by_serde:?}"));
    let Ok(bytes) = by_serde else { return };
    let back = options.decode_from_slice::<T>(&bytes).expect("what was written can be read");
    assert_eq!(options.encode_to_vec(&back).ok(), Some(bytes), "{read:?}");
}

/// Both ways read the same, refuse the same for the same reason, and write the same.
pub(crate) fn direct(data: &[u8]) {
    for bits in 0..16_u8 {
        let options = Options::new().strict(bits & 1 != 0).lossy_text(bits & 2 != 0);
        let options = options.exact_integers(bits & 4 != 0).keep_negative_zero(bits & 8 != 0);
        alike::<Item>(options, data);
        alike::<Name>(options.max_typed_depth(4), data);
    }
}
