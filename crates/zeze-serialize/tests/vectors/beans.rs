//! The beans of schema.json and demo_schema.json, as a user would write them.
//!
//! Each is there twice: without and with a field that keeps what the schema does not know.

/// Structs with their notation: `"id:name" field: Type`, where the text is serde's rename.
/// `[keep]` gives each the field for the unknown.
macro_rules! define {
    ($keep:tt $(struct $name:ident { $($($id:literal)? $field:ident: $kind:ty,)* })+) => {$(
        define!(@struct $keep $name { $($(#[serde(rename = $id)])? $field: $kind,)* });

        impl crate::vectors::notation::Notation for $name {
            #[allow(unused_mut)]
            fn show(&self) -> serde_json::Value {
                let mut members = serde_json::Map::new();
                $(members.insert(
                    crate::vectors::beans::name(stringify!($field)).to_owned(),
                    self.$field.show(),
                );)*
                members.into()
            }

            #[allow(unused_variables, unused_imports, unused_mut)]
            fn read(json: &serde_json::Value) -> Result<Self, String> {
                use crate::vectors::{beans::name, notation::{Notation, member, only}};
                only(json, &[$(name(stringify!($field))),*])?;
                let mut bean = $name::default();
                $(bean.$field = Notation::read(member(json, name(stringify!($field)))?)?;)*
                Ok(bean)
            }
        }
    )+};
    (@struct [] $name:ident { $($fields:tt)* }) => {
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub(crate) struct $name { $($fields)* }
    };
    (@struct [keep] $name:ident { $($fields:tt)* }) => {
        define!(@struct [] $name { unknown: zeze_serialize::Unknown, $($fields)* });

        impl crate::vectors::beans::Keeps for $name {
            fn unknown(&self) -> &zeze_serialize::Unknown {
                &self.unknown
            }
        }
    };
}

/// The enums of dynamics: `id = "rename" Variant(Bean)`. A bean with the id 0 stands first in
/// brackets, and is the empty value too.
macro_rules! dynamics {
    ($(enum $name:ident {
        $([$zero:ident($empty:ident)])?
        $($id:literal = $rename:literal $variant:ident($bean:ident),)*
    })+) => {$(
        dynamics!(@enum $name [$($zero($empty))?] { $(#[serde(rename = $rename)] $variant($bean),)* });

        impl crate::vectors::notation::Notation for $name {
            fn show(&self) -> serde_json::Value {
                let shown = |id: i64, name: &str, value| {
                    serde_json::json!({ "$typeId": id, "$bean": name, "value": value })
                };
                match self {
                    $($name::$zero(bean) => shown(0, stringify!($empty), bean.show()),)?
                    $($name::$variant(bean) => shown($id, stringify!($bean), bean.show()),)*
                    #[allow(unreachable_patterns)]
                    _ => serde_json::Value::Null,
                }
            }

            fn read(json: &serde_json::Value) -> Result<Self, String> {
                use crate::vectors::notation::{Notation, member, only};
                if json.is_null() {
                    return Ok($name::default());
                }
                only(json, &["$typeId", "$bean", "value"])?;
                let value = member(json, "value")?;
                match (member(json, "$typeId")?.as_i64(), member(json, "$bean")?.as_str()) {
                    $((Some(0), Some(stringify!($empty))) => Notation::read(value).map($name::$zero),)?
                    $((Some($id), Some(stringify!($bean))) => Notation::read(value).map($name::$variant),)*
                    _ => Err(format!("the row has {json}, which is not in {}", stringify!($name))),
                }
            }
        }
    )+};
    (@enum $name:ident [] { $($variants:tt)* }) => {
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(rename = "dynamic")]
        pub(crate) enum $name {
            #[default]
            #[serde(rename = "0")]
            Empty,
            $($variants)*
        }
    };
    (@enum $name:ident [$zero:ident($empty:ident)] { $($variants:tt)* }) => {
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(rename = "dynamic")]
        pub(crate) enum $name {
            #[serde(rename = "0")]
            $zero($empty),
            $($variants)*
        }

        impl Default for $name {
            fn default() -> Self {
                $name::$zero(Default::default())
            }
        }
    };
}

/// The name of a field in the notation.
pub(crate) fn name(field: &'static str) -> &'static str {
    if field == "base" { "$base" } else { field }
}

/// A bean that keeps what its schema does not know.
pub(crate) trait Keeps {
    fn unknown(&self) -> &zeze_serialize::Unknown;
}

macro_rules! schemas {
    ($keep:tt) => {
        use serde::{Deserialize, Serialize};
        use serde_bytes::ByteBuf;
        use zeze_serialize::{Base, Quaternion, Vector2, Vector2Int, Vector3, Vector3Int, Vector4};

        use crate::vectors::collections::{Map, Set};
        #[allow(unused_imports)]
        use crate::vectors::notation::Notation as _;

        define! { $keep
            struct Scalars {
                "1:b" b: bool,
                "2:i8" i8: i8,
                "3:i16" i16: i16,
                "4:i32" i32: i32,
                "5:i64" i64: i64,
                "6:f" f: f32,
                "7:d" d: f64,
                "8:s" s: String,
                "9:bin" bin: ByteBuf,
            }
            struct Vecs {
                "1:v2" v2: Vector2,
                "2:v2i" v2i: Vector2Int,
                "3:v3" v3: Vector3,
                "4:v3i" v3i: Vector3Int,
                "5:v4" v4: Vector4,
                "6:q" q: Quaternion,
            }
            struct Inner {
                "1" x: i32,
                "3" y: String,
            }
            struct Empty {}
            struct Outer {
                "1" a: Inner,
                "2" b: Inner,
                "5" c: i32,
                "20" d: Empty,
                "21" e: Inner,
            }
            struct Lists {
                "1:lb" lb: Vec<bool>,
                "2:li" li: Vec<i32>,
                "3:ll" ll: Vec<i64>,
                "4:lf" lf: Vec<f32>,
                "5:ld" ld: Vec<f64>,
                "6:ls" ls: Vec<String>,
                "7:lbin" lbin: Vec<ByteBuf>,
                "8:lbean" lbean: Vec<Inner>,
                "9:lv2" lv2: Vec<Vector2>,
                "10:lv3i" lv3i: Vec<Vector3Int>,
                "11:lv4" lv4: Vec<Vector4>,
                "12:si" si: Set<i32>,
                "13:ss" ss: Set<String>,
                "14:ldyn" ldyn: Vec<InnerOrScalars>,
            }
            struct Maps {
                "1:ii" ii: Map<i32, i32>,
                "2:is" is: Map<i32, String>,
                "3:sl" sl: Map<String, i64>,
                "4:sb" sb: Map<String, Inner>,
                "5:ib" ib: Map<i64, bool>,
                "6:bk" bk: Map<Inner, i32>,
                "7:lf" lf: Map<i64, f32>,
                "8:ld" ld: Map<i64, f64>,
                "9:sbin" sbin: Map<String, ByteBuf>,
                "10:bb" bb: Map<bool, i8>,
                "11:sv" sv: Map<String, Vector3>,
                "12:idyn" idyn: Map<i32, InnerOr77>,
            }
            struct Dyn {
                "1:d" d: Many,
                "2:after" after: i32,
            }
            struct Dyn0 {
                "1:d" d: Option<ZeroOrScalars>,
                "2:after" after: i32,
            }
            struct BigIds {
                "1" a: i32,
                "15" b: i32,
                "16" c: i32,
                "31" d: i32,
                "158" e: i32,
                "16414" f: i32,
                "2097182" g: i32,
                "268435485" h: String,
                "2147483647" i: i32,
            }
            struct Base1 {
                "1:id" id: i64,
                "2:name" name: String,
            }
            struct HoldLeaf {
                "1" leaf: Leaf,
                "2" mid: Mid,
                "3" list: Vec<Mid>,
            }
            struct V1 {
                "1:a" a: i32,
                "3:c" c: String,
            }
            struct V2 {
                "1:a" a: i32,
                "2:b" b: Vec<i64>,
                "3:c" c: String,
                "4:d" d: Inner,
                "5:e" e: Map<String, i32>,
                "20:f" f: Vector3,
                "21:g" g: OnlyInner,
                "22:h" h: f32,
            }
            struct Nest {
                "1:v" v: i32,
                "2:kids" kids: Vec<Nest>,
            }
            struct Bean1 {
                "1:v1" v1: i32,
                "2:v2" v2: Map<i32, i32>,
            }
            struct M2BValue {
                "1:s" s: i32,
                "2:plist" plist: Vec<i32>,
                "3:psortedmap" psortedmap: Map<i32, i32>,
            }
            struct BRemoved2 {
                "1:int_1" int_1: i32,
            }
            struct BSimple {
                "1:int_1" int_1: i32,
                "2:long2" long2: i64,
                "3:string3" string3: String,
                "4:removed" removed: BRemoved2,
            }
            struct Key {
                "1:s" s: i16,
                "2:str" str: String,
            }
            struct BValue {
                "1:int_1" int_1: i32,
                "2:long2" long2: i64,
                "3:string3" string3: String,
                "4:bool4" bool4: bool,
                "5:short5" short5: i16,
                "6:float6" float6: f32,
                "7:double7" double7: f64,
                "8:bytes8" bytes8: ByteBuf,
                "9:list9" list9: Vec<Bean1>,
                "10:set10" set10: Set<i32>,
                "11:map11" map11: Map<i64, M2BValue>,
                "12:bean12" bean12: BSimple,
                "13:byte13" byte13: i8,
                "14:dynamic14" dynamic14: Bean1OrBSimple,
                "15:map15" map15: Map<i64, i64>,
                "16:map16" map16: Map<Key, BSimple>,
                "17:vector2" vector2: Vector2,
                "18:vector2int" vector2int: Vector2Int,
                "19:vector3" vector3: Vector3,
                "20:vector3int" vector3int: Vector3Int,
                "21:vector4" vector4: Vector4,
                "22:quaternion" quaternion: Quaternion,
                "24:listVector2Int" listVector2Int: Vec<Vector2Int>,
                "28:key28" key28: Key,
                "29:array29" array29: Vec<f32>,
                "30:list30" list30: Vec<i32>,
                "31:list31" list31: Vec<i64>,
                "33:list33" list33: Vec<Vector2>,
                "37:list37" list37: Vec<Vector3Int>,
                "39:set39" set39: Set<i64>,
                "40:map40" map40: Map<i32, i32>,
                "42:map42Recursive" map42Recursive: Map<i64, BValue>,
                "44:jsonObject" jsonObject: String,
                "46:relationalMappingAlter" relationalMappingAlter: i64,
            }
        }

        // The reference keeps nothing in beans with a base, and nothing in bases.
        define! { []
            struct BaseLayer {
                "1:id" id: i64,
                "2:name" name: String,
            }
            struct Mid {
                "1:mx" mx: i32,
                "4:my" my: f32,
                base: Base<BaseLayer>,
            }
            struct Leaf {
                "1:lx" lx: i32,
                "2:ls" ls: Vec<i32>,
                "3:lbase" lbase: Base1,
                base: Base<Mid>,
            }
        }

        dynamics! {
            enum InnerOrScalars { 1 = "1" Inner(Inner), 2 = "2" Scalars(Scalars), }
            enum InnerOr77 { 1 = "1" Inner(Inner), 77 = "77:Scalars" Scalars(Scalars), }
            enum OnlyInner { 1 = "1" Inner(Inner), }
            enum Many {
                1 = "1" Inner(Inner),
                2 = "2" Scalars(Scalars),
                -5 = "-5" Outer(Outer),
                4513771153805810055 = "demo.Module1.BSimple" Hashed(Inner),
            }
            enum Bean1OrBSimple {
                1 = "1:demo.Bean1" Bean1(Bean1),
                2 = "2:demo.Module1.BSimple" BSimple(BSimple),
            }
            enum ZeroOrScalars { [Inner(Inner)] 2 = "2" Scalars(Scalars), }
            enum ZeroOrInner { [Zero(Inner)] 1 = "1" Inner(Inner), }
            enum OnlyZero { [Inner(Inner)] }
        }
    };
}

/// Without the unknown.
#[allow(non_snake_case, reason = "the names of the schema")]
pub(crate) mod plain {
    schemas!([]);
}

/// With the unknown.
#[allow(non_snake_case, dead_code, reason = "the names of the schema; not all are decoded")]
pub(crate) mod keeping {
    schemas!([keep]);

    static NOTHING: zeze_serialize::Unknown = zeze_serialize::Unknown::new();

    macro_rules! keep_nothing {
        ($($name:ident)+) => {$(impl super::Keeps for $name {
            fn unknown(&self) -> &zeze_serialize::Unknown {
                &NOTHING
            }
        })+};
    }

    keep_nothing!(Mid Leaf);
}
