//! The test types of the rows as Rust types, and the values that rows write down.

mod classes;
mod enums;
mod logical;

use gamewire_testkit::vectors::Row;

pub(crate) use classes::TestClass;
pub(crate) use logical::{Logical, close};

use self::classes::*;
use self::enums::*;
use crate::Check;
use crate::vectors::typed::run;
use o3de_json::{
    Any, AssetPath, Bytes, Color, FixedMaxPath, Map, Matrix3x3, Matrix3x4, Matrix4x4, MultiMap,
    MultiSet, Quaternion, Refused, Transform, UnorderedMap, UnorderedSet, Uuid, Vector2, Vector3,
    Vector4,
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Runs a row through the Rust type that stands for its C++ type.
pub(crate) fn dispatch(row: &Row) -> Check {
    let name = row.need_text("type")?;
    if name.starts_with("enum(") || name.contains("<enum(") {
        enums::check_table(row)?;
    }
    match name {
        "bool" => run::<bool>(row),
        "int8" => run::<i8>(row),
        "int16" => run::<i16>(row),
        "int32" => run::<i32>(row),
        "int64" => run::<i64>(row),
        "uint8" => run::<u8>(row),
        "uint16" => run::<u16>(row),
        "uint32" => run::<u32>(row),
        "uint64" => run::<u64>(row),
        "float" => run::<f32>(row),
        "double" => run::<f64>(row),
        "string" | "name" => run::<String>(row),
        "bytestream" => run::<Bytes>(row),
        "path" => run::<AssetPath>(row),
        "fixed_max_path(1024)" => run::<FixedMaxPath>(row),
        "uuid" => run::<Uuid>(row),
        "any" => run::<Any>(row),
        "entity_id" => run::<EntityId>(row),
        "vector2" => run::<Vector2>(row),
        "vector3" => run::<Vector3>(row),
        "vector4" => run::<Vector4>(row),
        "quaternion" => run::<Quaternion>(row),
        "color" => run::<Color>(row),
        "matrix3x3" => run::<Matrix3x3>(row),
        "matrix3x4" => run::<Matrix3x4>(row),
        "matrix4x4" => run::<Matrix4x4>(row),
        "transform" => run::<Transform>(row),
        "optional<int32>" => run::<Refused<i32>>(row),
        "variant<int32,float>" => run::<Refused<(i32, f32)>>(row),
        "bitset<8>" => run::<Refused<u8>>(row),
        _ if name.contains("enum(") => of_enum(row, name),
        _ if name.contains('<') && !name.starts_with("Templated") => of_template(row, name),
        _ => of_class(row, name),
    }
}

fn of_enum(row: &Row, name: &str) -> Check {
    match name {
        "enum(ExampleEnum)" => run::<ExampleEnum>(row),
        "enum(UnscopedEnumFlags)" => run::<UnscopedEnumFlags>(row),
        "enum(UnscopedEnumBitFlags)" => run::<UnscopedEnumBitFlags>(row),
        "enum(ScopedEnumFlagsU8)" => run::<ScopedEnumFlagsU8>(row),
        "enum(ScopedEnumFlagsS16)" => run::<ScopedEnumFlagsS16>(row),
        "enum(ScopedEnumFlagsU16)" => run::<ScopedEnumFlagsU16>(row),
        "enum(ScopedEnumFlagsS32)" => run::<ScopedEnumFlagsS32>(row),
        "enum(ScopedEnumFlagsU32)" => run::<ScopedEnumFlagsU32>(row),
        "enum(ScopedEnumFlagsS64)" => run::<ScopedEnumFlagsS64>(row),
        "enum(ScopedEnumBitFlagsS64)" => run::<ScopedEnumBitFlagsS64>(row),
        "enum(ScopedEnumBitFlagsU64)" => run::<ScopedEnumBitFlagsU64>(row),
        "enum(ScopedEnumBitFlagsNoZero)" => run::<ScopedEnumBitFlagsNoZero>(row),
        "enum(ScopedEnumBitFlagsS64Neg)" => run::<ScopedEnumBitFlagsS64Neg>(row),
        "map<enum(ExampleEnum),int32>" => run::<BTreeMap<ExampleEnum, i32>>(row),
        "unordered_map<enum(TestBitFlags),int32>" => run::<UnorderedMap<TestBitFlags, i32>>(row),
        _ => unknown(name),
    }
}

fn of_template(row: &Row, name: &str) -> Check {
    match name {
        "vector<int32>" | "list<int32>" | "forward_list<int32>" | "fixed_vector<int32,256>" => {
            run::<Vec<i32>>(row)
        }
        "vector<bool>" => run::<Vec<bool>>(row),
        "vector<vector2>" => run::<Vec<Vector2>>(row),
        "vector<SimpleClass>"
        | "list<SimpleClass>"
        | "forward_list<SimpleClass>"
        | "fixed_vector<SimpleClass,256>" => run::<Vec<SimpleClass>>(row),
        "vector<int32*>" | "forward_list<int32*>" => run::<Vec<Option<i32>>>(row),
        "vector<shared_ptr<BaseClass>>" => run::<Vec<BasePointer>>(row),
        "set<int32>" => run::<BTreeSet<i32>>(row),
        "unordered_set<int32>" => run::<HashSet<i32>>(row),
        "unordered_set<string>" => run::<UnorderedSet<String>>(row),
        "unordered_multiset<int32>" => run::<MultiSet<i32>>(row),
        "array<int32,2>" => run::<[i32; 2]>(row),
        "array<int32,3>" => run::<[i32; 3]>(row),
        "array<int32,4>" => run::<[i32; 4]>(row),
        "array<string,2>" => run::<[String; 2]>(row),
        "array<vector2,2>" => run::<[Vector2; 2]>(row),
        "pair<int32,double>" => run::<(i32, f64)>(row),
        "pair<int32,int32>" => run::<(i32, i32)>(row),
        "pair<int32,string>" | "tuple<int32,string>" => run::<(i32, String)>(row),
        "tuple<int32,double,float>" => run::<(i32, f64, f32)>(row),
        "tuple<vector<int32>,pair<int32,string>>" => run::<(Vec<i32>, (i32, String))>(row),
        "map<bool,int32>" => run::<BTreeMap<bool, i32>>(row),
        "map<int32,double>" => run::<Map<i32, f64>>(row),
        "map<int32,int32>" => run::<BTreeMap<i32, i32>>(row),
        "map<int32,vector2>" => run::<Map<i32, Vector2>>(row),
        "map<string,double>" => run::<Map<String, f64>>(row),
        "map<string,int32>" => run::<BTreeMap<String, i32>>(row),
        "map<string,string>" => run::<BTreeMap<String, String>>(row),
        "map<uint8,uint8>" => run::<BTreeMap<u8, u8>>(row),
        "unordered_map<int32,double>" => run::<UnorderedMap<i32, f64>>(row),
        "unordered_map<int32,string>" => run::<HashMap<i32, String>>(row),
        "unordered_map<string,double>" => run::<UnorderedMap<String, f64>>(row),
        "unordered_map<string,int32>" => run::<HashMap<String, i32>>(row),
        "unordered_map<SimpleClass,SimpleClass>" => {
            run::<UnorderedMap<SimpleClass, SimpleClass>>(row)
        }
        "unordered_map<TestString,TestString>" => run::<HashMap<TestString, TestString>>(row),
        "unordered_multimap<int32,double>" => run::<MultiMap<i32, f64>>(row),
        "unordered_multimap<int32,string>" => run::<MultiMap<i32, String>>(row),
        "unordered_multimap<string,double>" => run::<MultiMap<String, f64>>(row),
        "unordered_multimap<string,int32>" => run::<MultiMap<String, i32>>(row),
        "unordered_multimap<string,string>" => run::<MultiMap<String, String>>(row),
        "unordered_multimap<SimpleClass,SimpleClass>" => {
            run::<MultiMap<SimpleClass, SimpleClass>>(row)
        }
        "unordered_multimap<TestString,TestString>" => run::<MultiMap<TestString, TestString>>(row),
        _ => of_pointer(row, name),
    }
}

/// Raw, shared, unique and intrusive pointers are alike.
fn of_pointer(row: &Row, name: &str) -> Check {
    let (pointer, inner) = name.split_once('<').unwrap_or((name, ""));
    if !matches!(pointer, "shared_ptr" | "unique_ptr" | "intrusive_ptr") {
        return unknown(name);
    }
    match inner.trim_end_matches('>') {
        "SimpleClass" => run::<Option<SimpleClass>>(row),
        "BaseClass" => run::<BasePointer>(row),
        "BaseClass2" => run::<Base2Pointer>(row),
        _ => unknown(name),
    }
}

fn of_class(row: &Row, name: &str) -> Check {
    match name {
        "SimpleClass" => run::<SimpleClass>(row),
        "SimpleInheritence" => run::<SimpleInheritence>(row),
        "MultipleInheritence" => run::<MultipleInheritence>(row),
        "SimpleNested" => run::<SimpleNested>(row),
        "SimpleEnumWrapper" => run::<SimpleEnumWrapper>(row),
        "NonReflectedEnumWrapper" => run::<NonReflectedEnumWrapper>(row),
        "TemplatedClass<int32>" => run::<TemplatedClass>(row),
        "SimpleNullPointer" => run::<SimpleNullPointer>(row),
        "SimpleAssignedPointer" => run::<SimpleAssignedPointer>(row),
        "ComplexAssignedPointer" => run::<ComplexAssignedPointer>(row),
        "ComplexNullInheritedPointer" => run::<ComplexNullInheritedPointer>(row),
        "ComplexAssignedDifferentInheritedPointer" => {
            run::<ComplexAssignedDifferentInheritedPointer>(row)
        }
        "ComplexAssignedSameInheritedPointer" => run::<ComplexAssignedSameInheritedPointer>(row),
        "PrimitivePointerInContainer" => run::<PrimitivePointerInContainer>(row),
        "SimplePointerInContainer" => run::<SimplePointerInContainer>(row),
        "InheritedPointerInContainer" => run::<InheritedPointerInContainer>(row),
        "ClassWithPointerToUnregisteredClass" => run::<ClassWithPointerToUnregisteredClass>(row),
        _ => unknown(name),
    }
}

fn unknown<T>(name: &str) -> Check<T> {
    Err(format!("no Rust type stands for `{name}`"))
}

/// Rows with a type id that is no string.
pub(crate) fn not_a_type_id(row: &Row) -> Check {
    let input = row.need("input")?;
    let text = format!("{{\"$type\": {input}}}");
    crate::vectors::typed::not_a_type_id::<BasePointer>(row, &text)
}
