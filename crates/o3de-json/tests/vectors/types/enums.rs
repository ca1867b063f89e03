//! The enums of the rows. The engine accepts numbers that are not registered, so they are flags here.

use gamewire_testkit::vectors::Row;
use o3de_json::register_flags;
use o3de_json::types::{EnumInfo, Enumeration};
use serde_json::Value as Json;

use super::logical::{Logical, newtypes};
use crate::{Check, field};

macro_rules! flags {
    ($($name:ident: $underlying:ident { $($value_name:literal => $value:expr),+ $(,)? })+) => {
        $(
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub(crate) struct $name($underlying);

            register_flags!($name: $underlying { $($value_name => $value),+ });

            newtypes!($name);
        )+

        const ALL: &[&EnumInfo] = &[$(<$name as Enumeration>::INFO),+];
    };
}

flags! {
    ExampleEnum: u8 { "Flag1" => 1, "Flag2" => 2, "Flag4" => 8, "Flag2Flag3Combo" => 6 }
    UnscopedEnumFlags: u32 { "Flags0" => 0, "Flags1" => 1, "Flags2" => 2, "Flags3" => 3 }
    UnscopedEnumBitFlags: u8 { "Flags0" => 0, "Flags1" => 1, "Flags2" => 2, "Flags3" => 3 }
    ScopedEnumFlagsU8: u8 { "Flags0" => 0, "Flags1" => 1, "Flags2" => 2, "Flags3" => 129 }
    ScopedEnumFlagsS16: i16 { "Flags0" => 0, "Flags1" => 1, "Flags2" => -8, "Flags3" => 22 }
    ScopedEnumFlagsU16: u16 { "Flags0" => 0, "Flags1" => 1, "Flags2" => 2, "Flags3" => 32768 }
    ScopedEnumFlagsS32: i32 { "Flags0" => 0, "Flags1" => 1, "Flags2" => -8, "Flags3" => 22 }
    ScopedEnumFlagsU32: u32 { "Flags0" => 0, "Flags1" => 1, "Flags2" => 2, "Flags3" => 2147483648 }
    ScopedEnumFlagsS64: i64 { "Flags0" => 0, "Flags1" => 1, "Flags2" => -8, "Flags3" => 22 }
    ScopedEnumBitFlagsS64: i64 {
        "BitFlag0" => 0, "BitFlag1" => 1, "BitFlag2" => 2, "BitFlag3" => 4, "BitFlag4" => 8,
        "BitFlag1And2" => 3, "BitFlag2And4" => 10
    }
    ScopedEnumBitFlagsU64: u64 {
        "BitFlag0" => 0, "BitFlag1" => 1, "BitFlag2" => 2, "BitFlag3" => 4, "BitFlag4" => 8,
        "BitFlag1And2" => 3, "BitFlag2And4" => 10
    }
    ScopedEnumBitFlagsNoZero: u64 {
        "BitFlag1" => 1, "BitFlag2" => 2, "BitFlag3" => 4, "BitFlag4" => 8, "BitFlag1And2" => 3,
        "BitFlag2And4" => 10
    }
    ScopedEnumBitFlagsS64Neg: i64 {
        "BitFlagNegative" => -9223372019658129408, "BitFlag0" => 0, "BitFlag1" => 1,
        "BitFlag2" => 2, "BitFlag3" => 4, "BitFlag4" => 8, "BitFlag1And2" => 3, "BitFlag2And4" => 10
    }
    TestBitFlags: i64 { "BitFlag0" => 1, "BitFlag1" => 2, "BitFlag2" => 4, "BitFlag3" => 8 }
}

/// Whether the row's own table, where it has one, is that of the Rust type.
pub(crate) fn check_table(row: &Row) -> Check {
    let Some(table) = row.get("enum") else { return Ok(()) };
    let name = row.need_text("type")?;
    let inner = name.split_once("enum(").and_then(|(_, rest)| rest.split_once(')'));
    let (inner, _) = inner.ok_or("no name of an enum")?;
    let info = ALL.iter().find(|info| info.name == inner);
    let info = info.ok_or_else(|| format!("no Rust type stands for `{inner}`"))?;
    let underlying = format!("{:?}", info.underlying).to_lowercase();
    if field(table, "underlying")? != &Json::from(underlying.as_str()) {
        return Err(format!("the row's table is not of {underlying}"));
    }
    let values: Vec<Json> = info
        .values
        .iter()
        .map(|(name, value)| {
            let value: Json = match info.underlying.is_signed() {
                true => value.cast_signed().into(),
                false => (*value).into(),
            };
            Json::from(vec![Json::from(*name), value])
        })
        .collect();
    match field(table, "values")? {
        expected if *expected == Json::from(values.clone()) => Ok(()),
        expected => Err(format!("the table is {}, here {}", expected, Json::from(values))),
    }
}
