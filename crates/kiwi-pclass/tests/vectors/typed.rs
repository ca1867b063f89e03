//! Rows through structs with serde's derive, with the type list's schema and without any.

use std::fmt::Debug;

use gamewire_testkit::vectors::Row;
use kiwi_pclass::{Options, Schema, Value};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::classes::*;
use crate::{Check, Written, said};

/// The row through the struct for its class, if there is one.
pub(crate) fn check(row: &Row, options: &Options, written: &Written<'_>) -> Check {
    // What is skipped has no place in these structs.
    if row.flag("skip_unknown_types") {
        return Ok(());
    }
    let class = row.need("value")?.get("$type").and_then(serde_json::Value::as_str);
    let Some(class) = class else { return Ok(()) };
    // Pointers to any object may point to classes that the enum does not have.
    let known = ["class TvLeaf", "class TvLeafEx", "class TvEmpty", "class TvEnds", "class TvRec"];
    let any = row.value["value"]["m_any"]["$type"].as_str();
    let class = match (class, any) {
        ("class TvPtr", Some(any)) if !known.contains(&any) => "class TvPtr to others",
        _ => class,
    };
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

/// The structs by class; with their own schema where the C++ types are what Rust's are taken for.
const STRUCTS: &[(&str, Through, Option<Infer>)] = &[
    ("class TvEmpty", through::<Empty>, Some(Schema::infer::<Empty>)),
    ("class TvPrims", through::<Prims>, None),
    ("class TvBits", through::<Bits>, Some(Schema::infer::<Bits>)),
    ("class TvStr", through::<Str>, Some(Schema::infer::<Str>)),
    ("class TvGeo", through::<Geo>, Some(Schema::infer::<Geo>)),
    ("class TvEnum", through::<Enums>, None),
    ("class TvEnumAfterBit", through::<EnumAfterBit>, None),
    ("class TvLeaf", through::<Leaf>, Some(Schema::infer::<Leaf>)),
    ("class TvLeafEx", through::<LeafEx>, Some(Schema::infer::<LeafEx>)),
    ("class TvPtr", through::<AnyPointers>, Some(Schema::infer::<AnyPointers>)),
    ("class TvPtr", through::<Pointers>, None),
    ("class TvPtr to others", through::<Pointers>, None),
    ("class TvLists", through::<Lists>, Some(Schema::infer::<Lists>)),
    ("class TvDelta", through::<Delta>, Some(Schema::infer::<Delta>)),
    ("class TvMask", through::<Mask>, None),
    ("class TvDepr", through::<Deprecated>, None),
    ("class TvEnds", through::<Ends>, Some(Schema::infer::<Ends>)),
    ("class TvHolder", through::<Holder>, Some(Schema::infer::<Holder>)),
    ("class TvRec", through::<Rec>, Some(Schema::infer::<Rec>)),
    ("class Example", through::<Example>, Some(Schema::infer::<Example>)),
];

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
    let tree: Value = options.from_slice(written.bytes).map_err(said)?;
    let of_tree: T = options.from_value(&tree).map_err(said)?;
    if of_tree != value {
        return Err(format!("its `Value` reads as {of_tree:.80?}"));
    }
    Ok(())
}
