//! The Rust type of a type in a row: `list[int]`, `map[string,bean:Inner]`.

use std::fmt::Debug;
use std::marker::PhantomData;

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
    if let Some(inner) = inside(name, "list[") {
        return simple(inner, InList(what));
    }
    if let Some(inner) = inside(name, "set[") {
        return key(inner, InSet(what));
    }
    if let Some(inner) = inside(name, "map[") {
        let (of, value) = inner.split_once(',').ok_or_else(|| format!("unknown type `{name}`"))?;
        return key(of, KeyOf { value, what });
    }
    simple(name, what)
}

fn inside<'a>(name: &'a str, start: &str) -> Option<&'a str> {
    name.strip_prefix(start)?.strip_suffix(']')
}

/// A type that can be a key.
fn key<W: WithType>(name: &str, what: W) -> Check<W::Output> {
    match name {
        "bool" => what.run::<bool>(),
        "byte" => what.run::<i8>(),
        "short" => what.run::<i16>(),
        "int" => what.run::<i32>(),
        "long" => what.run::<i64>(),
        "float" => what.run::<f32>(),
        "double" => what.run::<f64>(),
        "string" => what.run::<String>(),
        "binary" => what.run::<ByteBuf>(),
        "bean:Inner" => what.run::<plain::Inner>(),
        _ => Err(format!("no key has the type `{name}`")),
    }
}

/// A type that is no container.
fn simple<W: WithType>(name: &str, what: W) -> Check<W::Output> {
    match name {
        "vector2" => what.run::<Vector2>(),
        "vector2int" => what.run::<Vector2Int>(),
        "vector3" => what.run::<Vector3>(),
        "vector3int" => what.run::<Vector3Int>(),
        "vector4" => what.run::<Vector4>(),
        "quaternion" => what.run::<Quaternion>(),
        // The schemas have no dynamic without beans.
        "dynamic" | "dynamic:1=Inner;2=Scalars" => what.run::<plain::InnerOrScalars>(),
        "dynamic:0=Inner;1=Inner" => what.run::<plain::ZeroOrInner>(),
        "dynamic:0=Inner;2=Scalars" => what.run::<plain::ZeroOrScalars>(),
        "dynamic:0=Inner" => what.run::<plain::OnlyZero>(),
        "dynamic:1=Inner" => what.run::<plain::OnlyInner>(),
        "dynamic:1=Inner;77=Scalars" => what.run::<plain::InnerOr77>(),
        "bean:Scalars" => what.run::<plain::Scalars>(),
        "bean:Empty" => what.run::<plain::Empty>(),
        "bean:Outer" => what.run::<plain::Outer>(),
        _ => key(name, what),
    }
}

struct InList<W>(W);

impl<W: WithType> WithType for InList<W> {
    type Output = W::Output;
    fn run<T: Known>(self) -> Check<W::Output> {
        self.0.run::<Vec<T>>()
    }
}

struct InSet<W>(W);

impl<W: WithType> WithType for InSet<W> {
    type Output = W::Output;
    fn run<T: Known>(self) -> Check<W::Output> {
        self.0.run::<Set<T>>()
    }
}

struct KeyOf<'a, W> {
    value: &'a str,
    what: W,
}

impl<W: WithType> WithType for KeyOf<'_, W> {
    type Output = W::Output;
    fn run<K: Known>(self) -> Check<W::Output> {
        simple(self.value, InMap { what: self.what, key: PhantomData::<K> })
    }
}

struct InMap<K, W> {
    what: W,
    key: PhantomData<K>,
}

impl<K: Known, W: WithType> WithType for InMap<K, W> {
    type Output = W::Output;
    fn run<V: Known>(self) -> Check<W::Output> {
        self.what.run::<Map<K, V>>()
    }
}
