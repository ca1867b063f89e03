//! Rows through structs with serde's derive, with the type list's schema and without any.

use std::fmt::Debug;

use gamewire_testkit::vectors::Row;
use kiwi_pclass::types::{Bi, Bui, Point, Rect, S24, Size, U24};
use kiwi_pclass::{
    ByteString, Color, Euler, Gid, Matrix3x3, Options, Ptr, Quaternion, Schema, Shared, Value,
    Vector3D, WString,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{Check, Written, said};

macro_rules! classes {
    ($($(#[$attribute:meta])* $class:literal $name:ident $($infer:ident)? {
        $($(#[$field_attribute:meta])* $field:ident: $type:ty,)*
    })+) => {$(
        #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(rename = $class)]
        $(#[$attribute])*
        struct $name {
            $($(#[$field_attribute])* $field: $type,)*
        }
    )+

        /// The structs by class; `infer` is where the C++ types are what Rust's are taken for, so
        /// that the schema can be their own too.
        const STRUCTS: &[(&str, Through, Option<Infer>)] =
            &[$(($class, through::<$name>, classes!(@$name $($infer)?))),+];
    };
    (@$name:ident) => { None };
    (@$name:ident infer) => { Some(Schema::infer::<$name>) };
}

classes! {
    "class TvEmpty" Empty infer {}
    "class TvPrims" Prims {
        m_bool: bool,
        m_char: i8,
        m_uchar: u8,
        m_short: i16,
        m_ushort: u16,
        m_wchar: u16,
        m_int: i32,
        m_uint: u32,
        m_long: i32,
        m_ulong: u32,
        m_float: f32,
        m_double: f64,
        m_u64: u64,
        m_gid: Gid,
        #[serde(rename = "m_id.m_full")]
        m_id: u64,
        m_ugid: Gid,
        m_bool2: bool,
    }
    "class TvBits" Bits infer {
        m_b0: bool,
        m_bi2: Bi<2>,
        m_bui2: Bui<2>,
        m_bi3: Bi<3>,
        m_bui3: Bui<3>,
        m_bi4: Bi<4>,
        m_bui4: Bui<4>,
        m_bi5: Bi<5>,
        m_bui5: Bui<5>,
        m_bi6: Bi<6>,
        m_bui6: Bui<6>,
        m_bi7: Bi<7>,
        m_bui7: Bui<7>,
        m_s24: S24,
        m_u24: U24,
        m_b1: bool,
        m_tail: u16,
    }
    "class TvStr" Str infer {
        m_flag: bool,
        m_str: ByteString,
        m_mid: bool,
        m_wstr: WString,
        m_end: Bui<3>,
    }
    "class TvGeo" Geo infer {
        m_flag: bool,
        m_color: Color,
        m_vec: Vector3D,
        m_quat: Quaternion,
        m_euler: Euler,
        m_mat: Matrix3x3,
        m_size: Size<i32>,
        m_pi: Point<i32>,
        m_puc: Point<u8>,
        m_pui: Point<u32>,
        m_pf: Point<f32>,
        m_ri: Rect<i32>,
        m_rf: Rect<f32>,
    }
    "class TvEnum" Enums {
        m_color: u32,
        m_bits: u32,
        m_plain: u32,
        m_colors: Vec<u32>,
    }
    "class TvEnumAfterBit" EnumAfterBit {
        m_on: bool,
        m_color: TvColor,
        m_last: bool,
    }
    #[derive(Clone)]
    "class TvLeaf" Leaf infer {
        m_id: u32,
        m_name: String,
        m_on: bool,
    }
    #[derive(Clone)]
    "class TvLeafEx" LeafEx infer {
        m_id: u32,
        m_name: String,
        m_on: bool,
        m_extra: i16,
        m_tag: Bui<4>,
    }
    "class TvPtr" Pointers {
        m_head: bool,
        m_raw: Ptr<AnyLeaf>,
        m_shared: Shared<AnyLeaf>,
        m_inline: AnyLeaf,
        m_any: Value,
        m_tail: u8,
    }
    "class TvLists" Lists infer {
        m_ints: Vec<i32>,
        m_strs: Vec<String>,
        m_bools: Vec<bool>,
        m_bits: Vec<Bui<5>>,
        m_wstrs: Vec<WString>,
        m_leaves: Vec<AnyLeaf>,
        m_ptrs: Vec<Shared<AnyLeaf>>,
        m_vecs: Vec<Vector3D>,
        m_end: u8,
    }
    "class TvDelta" Delta infer {
        m_normal: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        m_dint: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        m_dbool: Option<bool>,
        #[serde(skip_serializing_if = "Option::is_none")]
        m_dstr: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        m_dlist: Option<Vec<i32>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        m_dptr: Option<Ptr<AnyLeaf>>,
        m_after: u16,
    }
    #[serde(default)]
    "class TvMask" Mask {
        m_all: u32,
        m_save: u32,
        m_transmit: u32,
        m_both: u32,
        m_persist: u32,
        m_none: u32,
    }
    #[serde(default)]
    "class TvDepr" Deprecated {
        m_normal: u32,
        m_old: u32,
        m_after: u32,
    }
    "class TvEnds" Ends infer {
        m_v: u8,
        m_b: Bui<3>,
    }
    "class TvHolder" Holder infer {
        m_list: Vec<Ends>,
        m_one: Ends,
        m_tail: bool,
    }
    "class TvRec" Recursive infer {
        m_n: u8,
        m_next: Shared<Recursive>,
    }
    "class Example" Example infer {
        #[serde(rename = "m_someString")]
        some_string: String,
        #[serde(rename = "m_someInt")]
        some_int: i32,
        #[serde(rename = "m_someObject")]
        some_object: SomeObject,
        #[serde(rename = "m_someTuple")]
        some_tuple: Rect<i32>,
        #[serde(rename = "m_listOfStrings")]
        list_of_strings: Vec<String>,
    }
    "class SomeObject" SomeObject {
        m_test: String,
    }
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename = "enum TvColor")]
enum TvColor {
    #[default]
    #[serde(rename = "RED")]
    Red,
    #[serde(rename = "GREEN")]
    Green,
    #[serde(rename = "BLUE")]
    Blue,
    #[serde(rename = "BIG")]
    Big,
}

/// What a pointer to a leaf points to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "class TvLeaf")]
enum AnyLeaf {
    #[serde(rename = "class TvLeaf")]
    Leaf(Leaf),
    #[serde(rename = "class TvLeafEx")]
    LeafEx(LeafEx),
}

impl Default for AnyLeaf {
    fn default() -> Self {
        AnyLeaf::Leaf(Leaf::default())
    }
}

/// The row through the struct for its class, if there is one.
pub(crate) fn check(row: &Row, options: &Options, written: &Written<'_>) -> Check {
    // What is skipped has no place in these structs.
    if row.flag("skip_unknown_types") {
        return Ok(());
    }
    let class = row.need("value")?.get("$type").and_then(serde_json::Value::as_str);
    let Some(class) = class else { return Ok(()) };
    for (name, through, infer) in STRUCTS {
        if *name != class {
            continue;
        }
        through(options, written).map_err(|error| format!("as a struct: {error}"))?;
        if let Some(infer) = infer {
            let inferred = options.clone().schema(infer().map_err(said)?);
            through(&inferred, written)
                .map_err(|error| format!("as a struct without a type list: {error}"))?;
        }
    }
    Ok(())
}

type Through = fn(&Options, &Written<'_>) -> Check;
type Infer = fn() -> kiwi_pclass::Result<Schema>;

fn through<T: Serialize + DeserializeOwned + Debug + PartialEq>(
    options: &Options,
    written: &Written<'_>,
) -> Check {
    let value: T = options.from_slice(written.bytes).map_err(said)?;
    let found = options.to_vec(&value).map_err(said)?;
    if written.is_exact {
        written.check("bytes", options, &found)?;
    }
    let again: T = options.from_slice(&found).map_err(said)?;
    if again != value {
        return Err(format!("reads back as {again:.80?}"));
    }
    Ok(())
}
