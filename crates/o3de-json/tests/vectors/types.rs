//! The types of the rows: composed from their names, such as `map<string,vector<int32*>>`.

mod classes;
mod enums;
mod logical;
mod parse;

use std::collections::{BTreeMap, HashMap};

use gamewire_testkit::composed;
use gamewire_testkit::vectors::Row;
use o3de_json::types::{
    Any, Asset, AssetPath, Bytes, Color, EntityId, FixedMaxPath, FixedVec, Map, Matrix3x3,
    Matrix3x4, Matrix4x4, MultiMap, MultiSet, Name, Quaternion, Refused, Set, Transform, Tuple,
    UnorderedMap, UnorderedSet, Uuid, Vector2, Vector3, Vector4,
};

pub(crate) use classes::TestClass;
pub(crate) use logical::{Logical, close};
pub(crate) use parse::parse;

use self::classes::*;
use self::enums::*;
use self::parse::{has_standard, is_hashed};
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
        let of_row = parse(name, standard)?;
        // The order in which a hash map is written is its own.
        let stored_hashed = is_hashed(&of_row) && row.text("op") == Some("store");
        if standard && (!has_standard(&of_row) || stored_hashed) {
            continue;
        }
        let checked = with_type(of_row, || run::<Element<0>>(row));
        let library = if standard { "standard library: " } else { "" };
        checked.map_err(|error| format!("{library}{error}"))?;
    }
    Ok(())
}

composed! {
    Logical { of, show, default }

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
    Text(String): "string";
    Name(Name): "name";
    Asset(Asset): "asset";
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

    List(Vec<Element<0>>): "vector" | "list" | "forward_list";
    Fixed2(FixedVec<Element<0>, 2>): "fixed_vector of 2";
    Fixed4(FixedVec<Element<0>, 4>): "fixed_vector of 4";
    Fixed16(FixedVec<Element<0>, 16>): "fixed_vector of 16";
    Fixed256(FixedVec<Element<0>, 256>): "fixed_vector of 256";
    Pointer(Option<Element<0>>): "shared_ptr" | "unique_ptr" | "intrusive_ptr";
    Set(Set<Element<0>>): "set";
    UnorderedSet(UnorderedSet<Element<0>>): "unordered_set";
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
    Tuple1(Tuple<(Element<0>,)>): "tuple of 1";
    Tuple2(Tuple<(Element<0>, Element<1>)>): "pair" | "tuple of 2";
    Tuple3(Tuple<(Element<0>, Element<1>, Element<2>)>): "tuple of 3";
    Tuple4(Tuple<(Element<0>, Element<1>, Element<2>, Element<3>)>): "tuple of 4";
}

/// Rows with a type id that is no string.
pub(crate) fn not_a_type_id(row: &Row) -> Check {
    let input = row.need("input")?;
    let text = format!("{{\"$type\": {input}}}");
    crate::vectors::typed::not_a_type_id::<BasePointer>(row, &text)
}
