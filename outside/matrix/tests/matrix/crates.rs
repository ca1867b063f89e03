//! Types of published crates, as they are and through the attributes that these crates have for serde.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_with::{As, Same, serde_as};
use uuid::{NonNilUuid, Uuid};

use crate::standard::Pos;
use crate::table::{Table, rows, types};

bitflags::bitflags! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
    struct Flags: u32 {
        const READ = 1;
        const WRITE = 2;
        const HIGH = 1 << 31;
    }
}

#[derive(Clone, Copy, Debug, serde_repr::Deserialize_repr, serde_repr::Serialize_repr)]
#[repr(u8)]
enum Small {
    Zero,
    One,
}

#[derive(Clone, Copy, Debug, serde_repr::Deserialize_repr, serde_repr::Serialize_repr)]
#[repr(i32)]
enum Code {
    Bad = -1,
    Good = 200,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, enum_map::Enum)]
enum Slot {
    Head,
    Feet,
}

/// Declares structs with one field and an attribute, and a function that makes a row of each.
macro_rules! with_attribute {
    ($($name:ident $attribute:literal $type:ty => $($value:expr),+;)+) => {
        $(
            #[derive(Debug, Deserialize, Serialize)]
            struct $name { #[serde(with = $attribute)] value: $type }
        )+

        fn with_rows(table: &mut Table) {
            $(
                let name = concat!(stringify!($type), " with ", $attribute);
                table.row(name.to_owned(), vec![$($name { value: $value }),+]);
            )+
        }
    };
}

with_attribute! {
    ChronoSeconds "chrono::serde::ts_seconds" chrono::DateTime<chrono::Utc> => utc();
    TimeRfc3339 "time::serde::rfc3339" time::OffsetDateTime => time::macros::datetime!(2024-02-29 12:30:15.5 +2);
    TimeStamp "time::serde::timestamp" time::OffsetDateTime => time::macros::datetime!(2024-02-29 12:30:15 UTC);
    JiffSeconds "jiff::fmt::serde::timestamp::second::required" jiff::Timestamp => jiff::Timestamp::UNIX_EPOCH;
    UuidHyphenated "uuid::serde::hyphenated" Uuid => Uuid::nil(), id();
    UuidSimple "uuid::serde::simple" Uuid => id();
    UuidBraced "uuid::serde::braced" Uuid => id();
    UuidCompact "uuid::serde::compact" Uuid => id();
    SerdeBytes "serde_bytes" Vec<u8> => vec![], vec![0, 255];
    SerdeBytesOption "serde_bytes" Option<Vec<u8>> => None, Some(vec![]), Some(vec![0, 255]);
    EitherUntagged "either::serde_untagged" either::Either<u8, String> => either::Left(1), either::Right("a".into());
    DecimalText "rust_decimal::serde::str" rust_decimal::Decimal => rust_decimal::Decimal::new(-105, 2);
    DecimalFloat "rust_decimal::serde::float" rust_decimal::Decimal => rust_decimal::Decimal::new(-15, 1);
    AsText "As::<serde_with::DisplayFromStr>" u16 => 0, 80;
    AsOptionText "As::<Option<serde_with::DisplayFromStr>>" Option<i64> => None, Some(-5);
    AsHex "As::<serde_with::hex::Hex>" Vec<u8> => vec![], vec![0, 255];
    AsBase64 "As::<serde_with::base64::Base64>" Vec<u8> => vec![], vec![0, 255];
    AsBytes "As::<serde_with::Bytes>" [u8; 3] => [0, 1, 255];
    AsJson "As::<serde_with::json::JsonString>" Pos => Pos { x: 1, y: 2 };
    AsSeconds "As::<serde_with::DurationSeconds<u64>>" std::time::Duration => std::time::Duration::from_secs(90);
    AsFraction "As::<serde_with::DurationSecondsWithFrac<f64>>" std::time::Duration => std::time::Duration::from_millis(1500);
    AsStamp "As::<serde_with::TimestampSeconds<i64>>" std::time::SystemTime => std::time::SystemTime::UNIX_EPOCH;
    AsNotEmpty "As::<serde_with::NoneAsEmptyString>" Option<String> => None, Some("a".into());
    AsDefault "As::<serde_with::DefaultOnNull>" Vec<u8> => vec![], vec![1];
    AsOneOrMany "As::<serde_with::OneOrMany<Same>>" Vec<i32> => vec![], vec![0], vec![1], vec![1, 2];
    AsPickFirst "As::<serde_with::PickFirst<(Same, serde_with::DisplayFromStr)>>" u32 => 0, 7;
    AsEnumMap "As::<serde_with::EnumMap>" Vec<Value> => vec![Value::Int(1), Value::Text("a".into())], vec![Value::Int(1), Value::Int(2)];
    AsPairs "As::<HashMap<Same, Same>>" Vec<(String, i32)> => vec![("a".into(), 1), ("b".into(), 2)];
    AsSeq "As::<Vec<(Same, Same)>>" BTreeMap<u8, i32> => [(1, -1)].into();
    AsSplit "As::<serde_with::StringWithSeparator::<serde_with::formats::CommaSeparator, u8>>" Vec<u8> => vec![], vec![1, 2];
    AsBool "As::<serde_with::BoolFromInt>" bool => false, true;
}

types! {
    enum Value { Int(i32), Text(String) }
}

#[serde_as]
#[serde_with::skip_serializing_none]
#[derive(Debug, Deserialize, Serialize)]
struct SkipsNone {
    a: Option<u8>,
    #[serde_as(as = "Vec<serde_with::DisplayFromStr>")]
    b: Vec<u16>,
    c: Option<String>,
}

#[derive(Debug, Deserialize, Serialize)]
struct DoubleOption {
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "serde_with::rust::double_option"
    )]
    a: Option<Option<u8>>,
    b: String,
}

#[derive(Debug, Deserialize, Serialize)]
struct UnwrapOrSkip {
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "serde_with::rust::unwrap_or_skip"
    )]
    a: Option<u8>,
    b: String,
}

fn id() -> Uuid {
    Uuid::from_u128(0x0123_4567_89ab_cdef_0011_2233_4455_6677)
}

fn utc() -> chrono::DateTime<chrono::Utc> {
    chrono::DateTime::from_timestamp(1_709_209_815, 0).unwrap()
}

fn object(value: serde_json::Value) -> serde_json::Map<String, serde_json::Value> {
    value.as_object().unwrap().clone()
}

pub(crate) fn rows(table: &mut Table) {
    with_rows(table);
    rows! { table;
        "serde_with::skip_serializing_none" SkipsNone => SkipsNone { a: None, b: vec![], c: None }, SkipsNone { a: Some(0), b: vec![1, 2], c: Some("".into()) };
        "serde_with::rust::double_option" DoubleOption => DoubleOption { a: None, b: "x".into() }, DoubleOption { a: Some(None), b: "x".into() }, DoubleOption { a: Some(Some(0)), b: "".into() }, DoubleOption { a: Some(Some(1)), b: "x".into() };
        "serde_with::rust::unwrap_or_skip" UnwrapOrSkip => UnwrapOrSkip { a: None, b: "x".into() }, UnwrapOrSkip { a: Some(0), b: "".into() }, UnwrapOrSkip { a: Some(1), b: "x".into() };
        chrono::NaiveDate => utc().date_naive();
        chrono::NaiveTime => utc().time();
        chrono::NaiveDateTime => utc().naive_utc();
        chrono::DateTime<chrono::Utc> => utc();
        chrono::DateTime<chrono::FixedOffset> => utc().fixed_offset();
        chrono::TimeDelta => chrono::TimeDelta::new(-5, 7).unwrap();
        chrono::Weekday => chrono::Weekday::Mon, chrono::Weekday::Sun;
        chrono::Month => chrono::Month::January, chrono::Month::March;
        time::Date => time::macros::date!(2024-02-29);
        time::Time => time::macros::time!(0:00), time::macros::time!(12:30:15.5);
        time::PrimitiveDateTime => time::macros::datetime!(2024-02-29 12:30:15);
        time::OffsetDateTime => time::macros::datetime!(2024-02-29 12:30:15 UTC), time::macros::datetime!(2024-02-29 12:30:15.5 -3:30);
        time::UtcOffset => time::macros::offset!(UTC), time::macros::offset!(-3:30);
        time::Duration => time::Duration::ZERO, time::Duration::new(-1, -5);
        time::Weekday => time::Weekday::Monday, time::Weekday::Sunday;
        time::Month => time::Month::January, time::Month::March;
        jiff::Timestamp => jiff::Timestamp::UNIX_EPOCH, jiff::Timestamp::new(1_709_209_815, 5).unwrap();
        jiff::Zoned => jiff::Timestamp::UNIX_EPOCH.to_zoned(jiff::tz::TimeZone::UTC);
        jiff::civil::Date => jiff::civil::date(2024, 2, 29);
        jiff::civil::Time => jiff::civil::time(0, 0, 0, 0), jiff::civil::time(12, 30, 15, 5);
        jiff::civil::DateTime => jiff::civil::date(2024, 2, 29).at(12, 30, 15, 5);
        jiff::Span => jiff::Span::new().hours(2).minutes(30);
        jiff::SignedDuration => jiff::SignedDuration::ZERO, jiff::SignedDuration::new(-1, -5);
        Uuid => Uuid::nil(), id();
        Option<Uuid> => None, Some(id());
        Vec<Uuid> => vec![], vec![id(), Uuid::nil()];
        NonNilUuid => NonNilUuid::try_from(id()).unwrap();
        BTreeMap<Uuid, u8> => [(id(), 1)].into();
        url::Url => "https://example.org/a?b#c".parse().unwrap();
        semver::Version => "1.2.3-rc.1+b".parse().unwrap();
        semver::VersionReq => ">=1.2, <3".parse().unwrap();
        indexmap::IndexMap<String, i32> => [].into(), [("b".to_owned(), 1), ("a".into(), 2)].into();
        indexmap::IndexSet<String> => ["b".to_owned(), "a".into()].into();
        serde_bytes::ByteBuf => vec![].into(), vec![0, 255].into();
        Vec<serde_bytes::ByteBuf> => vec![vec![].into(), vec![0, 255].into()];
        serde_bytes::ByteArray<4> => [0, 1, 2, 255].into();
        bytes::Bytes => vec![].into(), vec![0, 255].into();
        bytes::BytesMut => [0, 255][..].into();
        bstr::BString => "".into(), b"a\xff".into();
        ipnet::IpNet => "10.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap();
        ipnet::Ipv4Net => "10.0.0.0/8".parse().unwrap();
        num_bigint::BigInt => 0.into(), (-5).into(), (1_i128 << 100).into(), (1_u64 << 31).into();
        num_bigint::BigUint => 0_u8.into(), (1_u128 << 100).into();
        ordered_float::OrderedFloat<f32> => 0.5.into(), (-1.5).into();
        ordered_float::NotNan<f64> => 0.5.try_into().unwrap();
        BTreeMap<ordered_float::OrderedFloat<f64>, u8> => [(0.5.into(), 1)].into();
        rust_decimal::Decimal => 0.into(), rust_decimal::Decimal::new(-105, 2);
        Small => Small::Zero, Small::One;
        Code => Code::Bad, Code::Good;
        enum_map::EnumMap<Slot, u8> => enum_map::enum_map! { Slot::Head => 1, Slot::Feet => 0 };
        Flags => Flags::empty(), Flags::READ | Flags::HIGH, Flags::from_bits_retain(1 << 20);
        glam::Vec2 => glam::vec2(0.0, 0.0), glam::vec2(0.5, -1.0);
        glam::Vec3 => glam::vec3(0.5, -1.0, 0.0);
        glam::Vec4 => glam::vec4(0.5, -1.0, 0.0, 2.0);
        glam::DVec3 => glam::dvec3(0.1, -1.0, 0.0);
        glam::IVec3 => glam::ivec3(1, -2, 0);
        glam::UVec2 => glam::uvec2(1, u32::MAX);
        glam::BVec3 => glam::bvec3(true, false, true);
        glam::Quat => glam::Quat::IDENTITY;
        glam::Mat3 => glam::Mat3::IDENTITY;
        glam::Mat4 => glam::Mat4::IDENTITY;
        glam::Affine3A => glam::Affine3A::IDENTITY;
        smallvec::SmallVec<[u8; 4]> => smallvec::smallvec![], smallvec::smallvec![1, 2, 3, 4, 5];
        arrayvec::ArrayVec<u16, 4> => [1, 2].into_iter().collect();
        arrayvec::ArrayString<8> => arrayvec::ArrayString::from("text").unwrap();
        smol_str::SmolStr => "".into(), "text".into();
        compact_str::CompactString => "".into(), "text".into();
        camino::Utf8PathBuf => "a/b.txt".into();
        either::Either<u8, String> => either::Left(1), either::Right("a".into());
        serde_json::Value => json!(null), json!(false), json!(0), json!(-1), json!(u64::MAX), json!(0.5), json!(-0.0), json!(""), json!("a"), json!([]), json!([1, null, "a"]), json!({}), json!({"a": {"b": [1]}});
        serde_json::Map<String, serde_json::Value> => object(json!({})), object(json!({"a": 1, "b": [true, null]}));
        serde_json::Number => 5.into(), (-5).into(), serde_json::Number::from_f64(0.5).unwrap();
        toml::Value => toml::Value::Integer(5), toml::Value::Array(vec![1.into(), "a".into()]);
        "toml::Table with a date" toml::Table => "a = 1\nd = 2024-02-29T12:30:15Z\n[t]\nx = 0.5".parse().unwrap();
    }
}
