//! Structs with serde's derive for the classes of the vectors.

use kiwi_pclass::Value;
use kiwi_pclass::types::{
    Bi, Bui, ByteString, Color, Euler, Gid, Matrix3x3, Point, Ptr, Quaternion, Rect, S24, Shared,
    Size, U24, Vector3D, WString,
};
use kiwi_pclass::value::RawObject;
use serde::{Deserialize, Serialize};

macro_rules! classes {
    ($($(#[$attribute:meta])* $class:literal $name:ident {
        $($(#[$field_attribute:meta])* $field:ident: $type:ty,)*
    })+) => {$(
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(rename = $class)]
        $(#[$attribute])*
        pub(crate) struct $name {
            $($(#[$field_attribute])* pub(crate) $field: $type,)*
        }
    )+};
}

classes! {
    "class TvEmpty" Empty {}
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
    "class TvBits" Bits {
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
    "class TvStr" Str {
        m_flag: bool,
        m_str: ByteString,
        m_mid: bool,
        m_wstr: WString,
        m_end: Bui<3>,
    }
    "class TvGeo" Geo {
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
        m_color: Paint,
        m_last: bool,
    }
    "class TvLeaf" Leaf {
        m_id: u32,
        m_name: String,
        m_on: bool,
    }
    "class TvLeafEx" LeafEx {
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
    "class TvPtr" AnyPointers {
        m_head: bool,
        m_raw: Ptr<AnyLeaf>,
        m_shared: Shared<AnyLeaf>,
        m_inline: AnyLeaf,
        m_any: Ptr<Any>,
        m_tail: u8,
    }
    "class TvLists" Lists {
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
    "class TvDelta" Delta {
        m_normal: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        m_dint: Option<u32>,
        m_dbool: Option<bool>,
        m_dstr: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        m_dlist: Option<Vec<i32>>,
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
    "class TvEnds" Ends {
        m_v: u8,
        m_b: Bui<3>,
    }
    "class TvHolder" Holder {
        m_list: Vec<Ends>,
        m_one: Ends,
        m_tail: bool,
    }
    "class TvRec" Rec {
        m_n: u8,
        m_next: Shared<Rec>,
    }
    "class Example" Example {
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

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename = "enum TvColor")]
pub(crate) enum Paint {
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

/// What may stand behind a pointer to a leaf.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "class TvLeaf")]
pub(crate) enum AnyLeaf {
    #[serde(rename = "class TvLeaf")]
    Leaf(Leaf),
    #[serde(rename = "class TvLeafEx")]
    LeafEx(LeafEx),
    #[serde(rename = "$unknown")]
    Unknown(RawObject),
}

impl Default for AnyLeaf {
    fn default() -> Self {
        AnyLeaf::Leaf(Leaf::default())
    }
}

/// What may stand behind any pointer: all that an enum over classes can have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "class PropertyClass")]
pub(crate) enum Any {
    #[serde(rename = "class TvLeaf")]
    Leaf(Leaf),
    #[serde(rename = "class TvLeafEx")]
    LeafEx(LeafEx),
    #[serde(rename = "class TvEmpty")]
    Empty,
    #[serde(rename = "class TvEnds")]
    Ends { m_v: u8, m_b: Bui<3> },
    #[serde(rename = "class TvRec")]
    Rec(Rec),
    #[serde(rename = "$unknown")]
    Unknown(RawObject),
}
