//! The Rust type of a type in a row: `list[int]`, `map[string,bean:Inner]`.

use std::fmt::Debug;

use gamewire_testkit::composed;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_bytes::ByteBuf;
use zeze_serialize::{Quaternion, Vector2, Vector2Int, Vector3, Vector3Int, Vector4};

use crate::Check;
use crate::vectors::beans::plain;
use crate::vectors::collections::{Map, Set};
use crate::vectors::notation::Notation;

/// What every type of a row can do.
pub(crate) trait Known: Serialize + DeserializeOwned + Notation + PartialEq + Debug {}

impl<T: Serialize + DeserializeOwned + Notation + PartialEq + Debug> Known for T {}

/// Something to be done with a type that is known at run time only.
pub(crate) trait WithType {
    type Output;
    fn run<T: Known>(self) -> Check<Self::Output>;
}

/// Does it with the type of this name.
pub(crate) fn with<W: WithType>(name: &str, what: W) -> Check<W::Output> {
    with_type(parse(name)?, || what.run::<Element<0>>())
}

composed! {
    Notation { read, show }

    Bool(bool): "bool";
    Byte(i8): "byte";
    Short(i16): "short";
    Int(i32): "int";
    Long(i64): "long";
    Float(f32): "float";
    Double(f64): "double";
    Text(String): "string";
    Binary(ByteBuf): "binary";
    Vector2(Vector2): "vector2";
    Vector2Int(Vector2Int): "vector2int";
    Vector3(Vector3): "vector3";
    Vector3Int(Vector3Int): "vector3int";
    Vector4(Vector4): "vector4";
    Quaternion(Quaternion): "quaternion";
    Inner(plain::Inner): "bean:Inner";
    Scalars(plain::Scalars): "bean:Scalars";
    Empty(plain::Empty): "bean:Empty";
    Outer(plain::Outer): "bean:Outer";
    // The schemas have no dynamic without beans.
    InnerOrScalars(plain::InnerOrScalars): "dynamic" | "dynamic:1=Inner;2=Scalars";
    ZeroOrInner(plain::ZeroOrInner): "dynamic:0=Inner;1=Inner";
    ZeroOrScalars(plain::ZeroOrScalars): "dynamic:0=Inner;2=Scalars";
    OnlyZero(plain::OnlyZero): "dynamic:0=Inner";
    OnlyInner(plain::OnlyInner): "dynamic:1=Inner";
    InnerOr77(plain::InnerOr77): "dynamic:1=Inner;77=Scalars";
    List(Vec<Element<0>>): "list[T]";
    Set(Set<Element<0>>): "set[T]";
    Map(Map<Element<0>, Element<1>>): "map[K,V]";
}

/// Reads a name such as `map[string,list[int]]`. A key has no comma in its name.
fn parse(name: &str) -> Check<Type> {
    let inside = |start: &str| name.strip_prefix(start)?.strip_suffix(']');
    let simple = |kind: &Kind| !matches!(kind, Kind::List | Kind::Set | Kind::Map);
    if let Some(kind) = Kind::named(name).filter(simple) {
        return Ok(Type::simple(kind));
    }
    let (kind, parts) = match (inside("list["), inside("set["), inside("map[")) {
        (Some(inner), ..) => (Kind::List, vec![inner]),
        (_, Some(inner), _) => (Kind::Set, vec![inner]),
        (.., Some(inner)) => {
            let (key, value) = inner.split_once(',').ok_or_else(|| unknown(name))?;
            (Kind::Map, vec![key, value])
        }
        _ => return Err(unknown(name)),
    };
    let parameters = parts.into_iter().map(parse).collect::<Check<_>>()?;
    Ok(Type { kind, parameters })
}

fn unknown(name: &str) -> String {
    format!("no Rust type stands for `{name}`")
}
