//! The beans of schema.json and demo_schema.json, as a user would write them.
//!
//! Each is there twice: without and with a field that keeps what the schema does not know.

/// Structs with their notation. `[keep]` gives each the field for the unknown.
macro_rules! define {
    ($keep:tt $(struct $name:ident { $($(#[$meta:meta])* $field:ident: $kind:ty,)* })+) => {$(
        define!(@struct $keep $name { $($(#[$meta])* $field: $kind,)* });

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

            #[allow(unused_variables, unused_imports)]
            fn read(json: &serde_json::Value) -> Result<Self, String> {
                use crate::vectors::{beans::name, notation::{Notation, member, only}};
                only(json, &[$(name(stringify!($field))),*])?;
                Ok(define!(@make $keep $name {
                    $($field: Notation::read(member(json, name(stringify!($field)))?)?,)*
                }))
            }
        }

        define!(@unknown $keep $name);
    )+};
    (@struct [] $name:ident { $($fields:tt)* }) => {
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub(crate) struct $name { $($fields)* }
    };
    (@struct [keep] $name:ident { $($fields:tt)* }) => {
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub(crate) struct $name {
            unknown: zeze_serialize::Unknown,
            $($fields)*
        }
    };
    (@make [] $name:ident { $($fields:tt)* }) => { $name { $($fields)* } };
    (@make [keep] $name:ident { $($fields:tt)* }) => {
        $name { unknown: Default::default(), $($fields)* }
    };
    (@unknown [] $name:ident) => {};
    (@unknown [keep] $name:ident) => {
        impl crate::vectors::beans::Keeps for $name {
            fn unknown(&self) -> &zeze_serialize::Unknown {
                &self.unknown
            }
        }
    };
}

/// The enums of dynamics: `id: Variant(Bean)`, where `id` is the text of the rename.
macro_rules! dynamics {
    ($(enum $name:ident { $($id:literal = $rename:literal $variant:ident($bean:ident),)+ })+) => {$(
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(rename = "dynamic")]
        pub(crate) enum $name {
            #[default]
            #[serde(rename = "0")]
            Empty,
            $(#[serde(rename = $rename)] $variant($bean),)+
        }

        impl crate::vectors::notation::Notation for $name {
            fn show(&self) -> serde_json::Value {
                match self {
                    $name::Empty => serde_json::Value::Null,
                    $($name::$variant(bean) => serde_json::json!({
                        "$typeId": $id, "$bean": stringify!($bean), "value": bean.show(),
                    }),)+
                }
            }

            fn read(json: &serde_json::Value) -> Result<Self, String> {
                use crate::vectors::notation::{Notation, member, only};
                if json.is_null() {
                    return Ok($name::Empty);
                }
                only(json, &["$typeId", "$bean", "value"])?;
                match member(json, "$typeId")?.as_i64() {
                    $(Some($id) if json["$bean"] == stringify!($bean) => {
                        Ok($name::$variant(Notation::read(member(json, "value")?)?))
                    })+
                    _ => Err(format!("the row has {json}, which is not in {}", stringify!($name))),
                }
            }
        }
    )+};
}

/// Those that have a bean with the id 0, the first one: it is the empty one too.
macro_rules! dynamics_with_zero {
    (
        $(enum $name:ident {
            0 = $zero:literal $first:ident($empty:ident),
            $($id:literal = $rename:literal $variant:ident($bean:ident),)*
        })+
    ) => {$(
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(rename = "dynamic")]
        pub(crate) enum $name {
            #[serde(rename = $zero)]
            $first($empty),
            $(#[serde(rename = $rename)] $variant($bean),)*
        }

        impl Default for $name {
            fn default() -> Self {
                $name::$first(Default::default())
            }
        }

        impl crate::vectors::notation::Notation for $name {
            fn show(&self) -> serde_json::Value {
                match self {
                    $name::$first(bean) => serde_json::json!({
                        "$typeId": 0, "$bean": stringify!($empty), "value": bean.show(),
                    }),
                    $($name::$variant(bean) => serde_json::json!({
                        "$typeId": $id, "$bean": stringify!($bean), "value": bean.show(),
                    }),)*
                }
            }

            fn read(json: &serde_json::Value) -> Result<Self, String> {
                use crate::vectors::notation::{Notation, member, only};
                if json.is_null() {
                    return Ok($name::default());
                }
                only(json, &["$typeId", "$bean", "value"])?;
                match member(json, "$typeId")?.as_i64() {
                    Some(0) if json["$bean"] == stringify!($empty) => Ok($name::$first(Notation::read(member(json, "value")?)?)),
                    $(Some($id) if json["$bean"] == stringify!($bean) => {
                        Ok($name::$variant(Notation::read(member(json, "value")?)?))
                    })*
                    _ => Err(format!("the row has {json}, which is not in {}", stringify!($name))),
                }
            }
        }
    )+};
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
                #[serde(rename = "1:b")]
                b: bool,
                #[serde(rename = "2:i8")]
                i8: i8,
                #[serde(rename = "3:i16")]
                i16: i16,
                #[serde(rename = "4:i32")]
                i32: i32,
                #[serde(rename = "5:i64")]
                i64: i64,
                #[serde(rename = "6:f")]
                f: f32,
                #[serde(rename = "7:d")]
                d: f64,
                #[serde(rename = "8:s")]
                s: String,
                #[serde(rename = "9:bin")]
                bin: ByteBuf,
            }
            struct Vecs {
                #[serde(rename = "1:v2")]
                v2: Vector2,
                #[serde(rename = "2:v2i")]
                v2i: Vector2Int,
                #[serde(rename = "3:v3")]
                v3: Vector3,
                #[serde(rename = "4:v3i")]
                v3i: Vector3Int,
                #[serde(rename = "5:v4")]
                v4: Vector4,
                #[serde(rename = "6:q")]
                q: Quaternion,
            }
            struct Inner {
                #[serde(rename = "1")]
                x: i32,
                #[serde(rename = "3")]
                y: String,
            }
            struct Empty {}
            struct Outer {
                #[serde(rename = "1")]
                a: Inner,
                #[serde(rename = "2")]
                b: Inner,
                #[serde(rename = "5")]
                c: i32,
                #[serde(rename = "20")]
                d: Empty,
                #[serde(rename = "21")]
                e: Inner,
            }
            struct Lists {
                #[serde(rename = "1:lb")]
                lb: Vec<bool>,
                #[serde(rename = "2:li")]
                li: Vec<i32>,
                #[serde(rename = "3:ll")]
                ll: Vec<i64>,
                #[serde(rename = "4:lf")]
                lf: Vec<f32>,
                #[serde(rename = "5:ld")]
                ld: Vec<f64>,
                #[serde(rename = "6:ls")]
                ls: Vec<String>,
                #[serde(rename = "7:lbin")]
                lbin: Vec<ByteBuf>,
                #[serde(rename = "8:lbean")]
                lbean: Vec<Inner>,
                #[serde(rename = "9:lv2")]
                lv2: Vec<Vector2>,
                #[serde(rename = "10:lv3i")]
                lv3i: Vec<Vector3Int>,
                #[serde(rename = "11:lv4")]
                lv4: Vec<Vector4>,
                #[serde(rename = "12:si")]
                si: Set<i32>,
                #[serde(rename = "13:ss")]
                ss: Set<String>,
                #[serde(rename = "14:ldyn")]
                ldyn: Vec<InnerOrScalars>,
            }
            struct Maps {
                #[serde(rename = "1:ii")]
                ii: Map<i32, i32>,
                #[serde(rename = "2:is")]
                is: Map<i32, String>,
                #[serde(rename = "3:sl")]
                sl: Map<String, i64>,
                #[serde(rename = "4:sb")]
                sb: Map<String, Inner>,
                #[serde(rename = "5:ib")]
                ib: Map<i64, bool>,
                #[serde(rename = "6:bk")]
                bk: Map<Inner, i32>,
                #[serde(rename = "7:lf")]
                lf: Map<i64, f32>,
                #[serde(rename = "8:ld")]
                ld: Map<i64, f64>,
                #[serde(rename = "9:sbin")]
                sbin: Map<String, ByteBuf>,
                #[serde(rename = "10:bb")]
                bb: Map<bool, i8>,
                #[serde(rename = "11:sv")]
                sv: Map<String, Vector3>,
                #[serde(rename = "12:idyn")]
                idyn: Map<i32, InnerOr77>,
            }
            struct Dyn {
                #[serde(rename = "1:d")]
                d: Many,
                #[serde(rename = "2:after")]
                after: i32,
            }
            struct Dyn0 {
                #[serde(rename = "1:d")]
                d: Option<ZeroOrScalars>,
                #[serde(rename = "2:after")]
                after: i32,
            }
            struct BigIds {
                #[serde(rename = "1")]
                a: i32,
                #[serde(rename = "15")]
                b: i32,
                #[serde(rename = "16")]
                c: i32,
                #[serde(rename = "31")]
                d: i32,
                #[serde(rename = "158")]
                e: i32,
                #[serde(rename = "16414")]
                f: i32,
                #[serde(rename = "2097182")]
                g: i32,
                #[serde(rename = "268435485")]
                h: String,
                #[serde(rename = "2147483647")]
                i: i32,
            }
            struct Base1 {
                #[serde(rename = "1:id")]
                id: i64,
                #[serde(rename = "2:name")]
                name: String,
            }
            struct HoldLeaf {
                #[serde(rename = "1")]
                leaf: Leaf,
                #[serde(rename = "2")]
                mid: Mid,
                #[serde(rename = "3")]
                list: Vec<Mid>,
            }
            struct V1 {
                #[serde(rename = "1:a")]
                a: i32,
                #[serde(rename = "3:c")]
                c: String,
            }
            struct V2 {
                #[serde(rename = "1:a")]
                a: i32,
                #[serde(rename = "2:b")]
                b: Vec<i64>,
                #[serde(rename = "3:c")]
                c: String,
                #[serde(rename = "4:d")]
                d: Inner,
                #[serde(rename = "5:e")]
                e: Map<String, i32>,
                #[serde(rename = "20:f")]
                f: Vector3,
                #[serde(rename = "21:g")]
                g: OnlyInner,
                #[serde(rename = "22:h")]
                h: f32,
            }
            struct Nest {
                #[serde(rename = "1:v")]
                v: i32,
                #[serde(rename = "2:kids")]
                kids: Vec<Nest>,
            }
            struct Bean1 {
                #[serde(rename = "1:v1")]
                v1: i32,
                #[serde(rename = "2:v2")]
                v2: Map<i32, i32>,
            }
            struct M2BValue {
                #[serde(rename = "1:s")]
                s: i32,
                #[serde(rename = "2:plist")]
                plist: Vec<i32>,
                #[serde(rename = "3:psortedmap")]
                psortedmap: Map<i32, i32>,
            }
            struct BRemoved2 {
                #[serde(rename = "1:int_1")]
                int_1: i32,
            }
            struct BSimple {
                #[serde(rename = "1:int_1")]
                int_1: i32,
                #[serde(rename = "2:long2")]
                long2: i64,
                #[serde(rename = "3:string3")]
                string3: String,
                #[serde(rename = "4:removed")]
                removed: BRemoved2,
            }
            struct Key {
                #[serde(rename = "1:s")]
                s: i16,
                #[serde(rename = "2:str")]
                str: String,
            }
            struct BValue {
                #[serde(rename = "1:int_1")]
                int_1: i32,
                #[serde(rename = "2:long2")]
                long2: i64,
                #[serde(rename = "3:string3")]
                string3: String,
                #[serde(rename = "4:bool4")]
                bool4: bool,
                #[serde(rename = "5:short5")]
                short5: i16,
                #[serde(rename = "6:float6")]
                float6: f32,
                #[serde(rename = "7:double7")]
                double7: f64,
                #[serde(rename = "8:bytes8")]
                bytes8: ByteBuf,
                #[serde(rename = "9:list9")]
                list9: Vec<Bean1>,
                #[serde(rename = "10:set10")]
                set10: Set<i32>,
                #[serde(rename = "11:map11")]
                map11: Map<i64, M2BValue>,
                #[serde(rename = "12:bean12")]
                bean12: BSimple,
                #[serde(rename = "13:byte13")]
                byte13: i8,
                #[serde(rename = "14:dynamic14")]
                dynamic14: Bean1OrBSimple,
                #[serde(rename = "15:map15")]
                map15: Map<i64, i64>,
                #[serde(rename = "16:map16")]
                map16: Map<Key, BSimple>,
                #[serde(rename = "17:vector2")]
                vector2: Vector2,
                #[serde(rename = "18:vector2int")]
                vector2int: Vector2Int,
                #[serde(rename = "19:vector3")]
                vector3: Vector3,
                #[serde(rename = "20:vector3int")]
                vector3int: Vector3Int,
                #[serde(rename = "21:vector4")]
                vector4: Vector4,
                #[serde(rename = "22:quaternion")]
                quaternion: Quaternion,
                #[serde(rename = "24:listVector2Int")]
                listVector2Int: Vec<Vector2Int>,
                #[serde(rename = "28:key28")]
                key28: Key,
                #[serde(rename = "29:array29")]
                array29: Vec<f32>,
                #[serde(rename = "30:list30")]
                list30: Vec<i32>,
                #[serde(rename = "31:list31")]
                list31: Vec<i64>,
                #[serde(rename = "33:list33")]
                list33: Vec<Vector2>,
                #[serde(rename = "37:list37")]
                list37: Vec<Vector3Int>,
                #[serde(rename = "39:set39")]
                set39: Set<i64>,
                #[serde(rename = "40:map40")]
                map40: Map<i32, i32>,
                #[serde(rename = "42:map42Recursive")]
                map42Recursive: Map<i64, BValue>,
                #[serde(rename = "44:jsonObject")]
                jsonObject: String,
                #[serde(rename = "46:relationalMappingAlter")]
                relationalMappingAlter: i64,
            }
        }

        // The reference keeps nothing in beans with a base, and nothing in bases.
        define! { []
            struct BaseLayer {
                #[serde(rename = "1:id")]
                id: i64,
                #[serde(rename = "2:name")]
                name: String,
            }
            struct Mid {
                #[serde(rename = "1:mx")]
                mx: i32,
                #[serde(rename = "4:my")]
                my: f32,
                base: Base<BaseLayer>,
            }
            struct Leaf {
                #[serde(rename = "1:lx")]
                lx: i32,
                #[serde(rename = "2:ls")]
                ls: Vec<i32>,
                #[serde(rename = "3:lbase")]
                lbase: Base1,
                base: Base<Mid>,
            }
        }

        dynamics! {
            enum InnerOrScalars {
                1 = "1" Inner(Inner),
                2 = "2" Scalars(Scalars),
            }
            enum InnerOr77 {
                1 = "1" Inner(Inner),
                77 = "77:Scalars" Scalars(Scalars),
            }
            enum OnlyInner {
                1 = "1" Inner(Inner),
            }
            enum Many {
                1 = "1" Inner(Inner),
                2 = "2" Scalars(Scalars),
                -5 = "-5" Outer(Outer),
                4513771153805810055_i64 = "demo.Module1.BSimple" Hashed(Inner),
            }
            enum Bean1OrBSimple {
                1 = "1:demo.Bean1" Bean1(Bean1),
                2 = "2:demo.Module1.BSimple" BSimple(BSimple),
            }
        }

        dynamics_with_zero! {
            enum ZeroOrScalars {
                0 = "0" Inner(Inner),
                2 = "2" Scalars(Scalars),
            }
            enum ZeroOrInner {
                0 = "0" Zero(Inner),
                1 = "1" Inner(Inner),
            }
            enum OnlyZero {
                0 = "0" Inner(Inner),
            }
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

    impl super::Keeps for Mid {
        fn unknown(&self) -> &zeze_serialize::Unknown {
            &NOTHING
        }
    }

    impl super::Keeps for Leaf {
        fn unknown(&self) -> &zeze_serialize::Unknown {
            &NOTHING
        }
    }
}
