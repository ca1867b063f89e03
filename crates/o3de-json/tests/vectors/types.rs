//! The types of the rows: composed from their names, such as `map<string,vector<int32*>>`.
//!
//! A row names its C++ type as text, and Rust's types are fixed when this is compiled. So there is one
//! [`Element`] for the inside of all containers, which asks for its type where it is made: [`inside`]
//! keeps the type that is being worked on. What serde sees of a container is the same as if its
//! elements had a type of their own.

mod classes;
mod enums;
mod logical;
mod parse;

use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{Hash, Hasher};

use gamewire_testkit::vectors::Row;
use o3de_json::{
    Any, AssetPath, Bytes, Color, FixedMaxPath, Map, Matrix3x3, Matrix3x4, Matrix4x4, MultiMap,
    MultiSet, Quaternion, Refused, Transform, UnorderedMap, UnorderedSet, Uuid, Vector2, Vector3,
    Vector4,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value as Json;

pub(crate) use classes::TestClass;
pub(crate) use logical::{Logical, close};
pub(crate) use parse::Type;

use self::classes::*;
use self::enums::*;
use crate::Check;
use crate::vectors::typed::run;

/// Runs a row through the Rust types that stand for its C++ type: those of this crate, then those of
/// the standard library.
pub(crate) fn dispatch(row: &Row) -> Check {
    let name = row.need_text("type")?;
    if name.contains("enum(") {
        enums::check_table(row)?;
    }
    for standard in [false, true] {
        let of_row = Type::parse(name, standard)?;
        if standard && !of_row.has_standard() {
            continue;
        }
        let root: &'static Type = Box::leak(Box::new(Type::root(of_row)));
        CURRENT.set(Some(root));
        let checked = run::<Element<0>>(row);
        let library = if standard { "standard library: " } else { "" };
        checked.map_err(|error| format!("{library}{error}"))?;
    }
    Ok(())
}

thread_local! {
    /// The type that is being read, made or written down.
    static CURRENT: Cell<Option<&'static Type>> = const { Cell::new(None) };
}

/// Works on the parameter `index` of the current type.
fn inside<R>(index: usize, work: impl FnOnce(&'static Type) -> R) -> R {
    let outer = CURRENT.get().expect("a type is being worked on");
    let inner = &outer.parameters[index];
    CURRENT.set(Some(inner));
    let done = work(inner);
    CURRENT.set(Some(outer));
    done
}

/// A value of the parameter `N` of the type around it.
#[derive(Clone)]
pub(crate) struct Element<const N: usize>(Box<Value>);

impl<const N: usize> Logical for Element<N> {
    fn of(json: &Json) -> Check<Self> {
        inside(N, |own| Value::of(own, json)).map(|value| Element(Box::new(value)))
    }

    fn show(&self) -> Json {
        self.0.show()
    }

    fn fresh() -> Self {
        Element(Box::new(inside(N, Value::fresh)))
    }
}

impl<const N: usize> Serialize for Element<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, const N: usize> Deserialize<'de> for Element<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        inside(N, |own| Value::deserialize(own, deserializer)).map(|value| Element(Box::new(value)))
    }
}

impl<const N: usize> PartialEq for Element<N> {
    fn eq(&self, other: &Self) -> bool {
        self.show() == other.show()
    }
}

impl<const N: usize> Eq for Element<N> {}

impl<const N: usize> PartialOrd for Element<N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<const N: usize> Ord for Element<N> {
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = (self.show(), other.show());
        let integer = |json: &Json| json.as_i64().map(i128::from).or(json.as_u64().map(i128::from));
        match (integer(&a), integer(&b)) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => a.to_string().cmp(&b.to_string()),
        }
    }
}

impl<const N: usize> Hash for Element<N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.show().to_string().hash(state);
    }
}

/// The Rust types, each with the names of the C++ types that it stands for.
macro_rules! values {
    ($($variant:ident($rust:ty): $($name:literal)|+;)+) => {
        /// Which Rust type stands for a C++ type.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Kind { $($variant),+ }

        impl Kind {
            fn named(name: &str) -> Option<Kind> {
                match name {
                    $($($name)|+ => Some(Kind::$variant),)+
                    _ => None,
                }
            }
        }

        #[derive(Clone)]
        enum Value { $($variant($rust)),+ }

        impl Value {
            fn of(own: &Type, json: &Json) -> Check<Self> {
                match own.kind {
                    $(Kind::$variant => Logical::of(json).map(Value::$variant),)+
                }
            }

            fn show(&self) -> Json {
                match self {
                    $(Value::$variant(value) => value.show(),)+
                }
            }

            fn fresh(own: &Type) -> Self {
                match own.kind {
                    $(Kind::$variant => Value::$variant(Logical::fresh()),)+
                }
            }

            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Value::$variant(value) => value.serialize(serializer),)+
                }
            }

            fn deserialize<'de, D: Deserializer<'de>>(
                own: &Type,
                deserializer: D,
            ) -> Result<Self, D::Error> {
                match own.kind {
                    $(Kind::$variant => Deserialize::deserialize(deserializer).map(Value::$variant),)+
                }
            }
        }
    };
}

values! {
    Bool(bool): "bool";
    I8(i8): "int8";
    I16(i16): "int16";
    I32(i32): "int32";
    I64(i64): "int64";
    U8(u8): "uint8";
    U16(u16): "uint16";
    U32(u32): "uint32";
    U64(u64): "uint64";
    F32(f32): "float";
    F64(f64): "double";
    Text(String): "string" | "name";
    Bytes(Bytes): "bytestream";
    Path(AssetPath): "path";
    MaxPath(FixedMaxPath): "fixed_max_path(1024)";
    Uuid(Uuid): "uuid";
    Any(Any): "any";
    EntityId(EntityId): "entity_id";
    Vector2(Vector2): "vector2";
    Vector3(Vector3): "vector3";
    Vector4(Vector4): "vector4";
    Quaternion(Quaternion): "quaternion";
    Color(Color): "color";
    Matrix3x3(Matrix3x3): "matrix3x3";
    Matrix3x4(Matrix3x4): "matrix3x4";
    Matrix4x4(Matrix4x4): "matrix4x4";
    Transform(Transform): "transform";
    // What the engine has no serializer for.
    Refused(Refused<i32>): "optional" | "variant" | "bitset";

    ExampleEnum(ExampleEnum): "enum(ExampleEnum)";
    UnscopedEnumFlags(UnscopedEnumFlags): "enum(UnscopedEnumFlags)";
    UnscopedEnumBitFlags(UnscopedEnumBitFlags): "enum(UnscopedEnumBitFlags)";
    ScopedEnumFlagsU8(ScopedEnumFlagsU8): "enum(ScopedEnumFlagsU8)";
    ScopedEnumFlagsS16(ScopedEnumFlagsS16): "enum(ScopedEnumFlagsS16)";
    ScopedEnumFlagsU16(ScopedEnumFlagsU16): "enum(ScopedEnumFlagsU16)";
    ScopedEnumFlagsS32(ScopedEnumFlagsS32): "enum(ScopedEnumFlagsS32)";
    ScopedEnumFlagsU32(ScopedEnumFlagsU32): "enum(ScopedEnumFlagsU32)";
    ScopedEnumFlagsS64(ScopedEnumFlagsS64): "enum(ScopedEnumFlagsS64)";
    ScopedEnumBitFlagsS64(ScopedEnumBitFlagsS64): "enum(ScopedEnumBitFlagsS64)";
    ScopedEnumBitFlagsU64(ScopedEnumBitFlagsU64): "enum(ScopedEnumBitFlagsU64)";
    ScopedEnumBitFlagsNoZero(ScopedEnumBitFlagsNoZero): "enum(ScopedEnumBitFlagsNoZero)";
    ScopedEnumBitFlagsS64Neg(ScopedEnumBitFlagsS64Neg): "enum(ScopedEnumBitFlagsS64Neg)";
    TestBitFlags(TestBitFlags): "enum(TestBitFlags)";

    SimpleClass(SimpleClass): "SimpleClass";
    BaseClass(BaseClass): "BaseClass";
    BaseClass2(BaseClass2): "BaseClass2";
    SimpleInheritence(SimpleInheritence): "SimpleInheritence";
    SimpleInheritenceAlt(SimpleInheritenceAlt): "SimpleInheritenceAlt";
    MultipleInheritence(MultipleInheritence): "MultipleInheritence";
    SimpleNested(SimpleNested): "SimpleNested";
    SimpleEnumWrapper(SimpleEnumWrapper): "SimpleEnumWrapper";
    NonReflectedEnumWrapper(NonReflectedEnumWrapper): "NonReflectedEnumWrapper";
    TemplatedClass(TemplatedClass): "TemplatedClass<int32>";
    SimpleNullPointer(SimpleNullPointer): "SimpleNullPointer";
    SimpleAssignedPointer(SimpleAssignedPointer): "SimpleAssignedPointer";
    ComplexAssignedPointer(ComplexAssignedPointer): "ComplexAssignedPointer";
    ComplexNullInheritedPointer(ComplexNullInheritedPointer): "ComplexNullInheritedPointer";
    ComplexAssignedDifferentInheritedPointer(ComplexAssignedDifferentInheritedPointer):
        "ComplexAssignedDifferentInheritedPointer";
    ComplexAssignedSameInheritedPointer(ComplexAssignedSameInheritedPointer):
        "ComplexAssignedSameInheritedPointer";
    PrimitivePointerInContainer(PrimitivePointerInContainer): "PrimitivePointerInContainer";
    SimplePointerInContainer(SimplePointerInContainer): "SimplePointerInContainer";
    InheritedPointerInContainer(InheritedPointerInContainer): "InheritedPointerInContainer";
    ClassWithPointerToUnregisteredClass(ClassWithPointerToUnregisteredClass):
        "ClassWithPointerToUnregisteredClass";
    TestString(TestString): "TestString";
    // What a pointer to a class with heirs points to.
    Base(Base): "BaseClass*";
    Base2(Base2): "BaseClass2*";

    List(Vec<Element<0>>): "vector" | "list" | "forward_list" | "fixed_vector";
    Pointer(Option<Element<0>>): "shared_ptr" | "unique_ptr" | "intrusive_ptr";
    Set(BTreeSet<Element<0>>): "set";
    UnorderedSet(UnorderedSet<Element<0>>): "unordered_set";
    StandardUnorderedSet(HashSet<Element<0>>): "std unordered_set";
    MultiSet(MultiSet<Element<0>>): "multiset" | "unordered_multiset";
    Map(Map<Element<0>, Element<1>>): "map";
    StandardMap(BTreeMap<Element<0>, Element<1>>): "std map";
    UnorderedMap(UnorderedMap<Element<0>, Element<1>>): "unordered_map";
    StandardUnorderedMap(HashMap<Element<0>, Element<1>>): "std unordered_map";
    MultiMap(MultiMap<Element<0>, Element<1>>): "multimap" | "unordered_multimap";
    Array1([Element<0>; 1]): "array of 1";
    Array2([Element<0>; 2]): "array of 2";
    Array3([Element<0>; 3]): "array of 3";
    Array4([Element<0>; 4]): "array of 4";
    Array5([Element<0>; 5]): "array of 5";
    Array6([Element<0>; 6]): "array of 6";
    Array7([Element<0>; 7]): "array of 7";
    Array8([Element<0>; 8]): "array of 8";
    Tuple1((Element<0>,)): "tuple of 1";
    Tuple2((Element<0>, Element<1>)): "pair" | "tuple of 2";
    Tuple3((Element<0>, Element<1>, Element<2>)): "tuple of 3";
    Tuple4((Element<0>, Element<1>, Element<2>, Element<3>)): "tuple of 4";
}

/// Rows with a type id that is no string.
pub(crate) fn not_a_type_id(row: &Row) -> Check {
    let input = row.need("input")?;
    let text = format!("{{\"$type\": {input}}}");
    crate::vectors::typed::not_a_type_id::<BasePointer>(row, &text)
}
