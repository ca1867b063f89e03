//! The classes of TYPES.json. Rust has no base classes, so their fields come first, as in the JSON.

use std::collections::HashMap;

use o3de_json::register_flags;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::logical::{Logical, newtypes};
use crate::Check;

macro_rules! class {
    ($(#[$meta:meta])* $name:ident { $($field:ident: $type:ty = $default:expr),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(default)]
        pub(crate) struct $name {
            $($field: $type,)+
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $($field: $default,)+ }
            }
        }

        impl Logical for $name {
            fn of(json: &Json) -> Check<Self> {
                let mut made = $name::default();
                if json == "T()" {
                    return Ok(made);
                }
                let object = json.as_object().ok_or_else(|| format!("{json} is no object"))?;
                for (name, value) in object {
                    match name.as_str() {
                        $(stringify!($field) => made.$field = Logical::of(value)?,)+
                        "$type" => {}
                        other => return Err(format!("no field `{other}`")),
                    }
                }
                Ok(made)
            }

            fn show(&self) -> Json {
                let fields = [$((stringify!($field).to_owned(), self.$field.show()),)+];
                Json::Object(fields.into_iter().collect())
            }
        }
    };
}

class!(BaseClass { base_var: f32 = -42.0 });
class!(BaseClass2 { base2_var1: f64 = -133.0, base2_var2: f64 = -233.0, base2_var3: f64 = -333.0 });
class!(SimpleClass { var1: i32 = 42, var2: f32 = 42.0 });
class!(SimpleInheritence { base_var: f32 = -42.0, var1: i32 = 42, var2: f32 = 42.0 });
class!(SimpleInheritenceAlt { base_var: f32 = -42.0, var1: i32 = 42, var2: f32 = 42.0 });
class!(MultipleInheritence {
    base_var: f32 = -42.0,
    base2_var1: f64 = -133.0,
    base2_var2: f64 = -233.0,
    base2_var3: f64 = -333.0,
    var1: i32 = 42,
    var2: f32 = 42.0,
});
class!(SimpleNested { nested: SimpleClass = SimpleClass::default(), var_additional: i32 = 42 });
class!(
    #[allow(non_snake_case)]
    SimpleEnumWrapper {
        enumClass: SimpleEnum = SimpleEnum(0),
        rawEnum: SimpleEnum = SimpleEnum(0),
    }
);
class!(
    #[allow(non_snake_case)]
    NonReflectedEnumWrapper { enumClass: i32 = 0, rawEnum: i32 = 0 }
);
class!(TemplatedClass { var1: i32 = 142, var2: i32 = 242 });
class!(SimpleNullPointer { pointer1: Option<i32> = None, pointer2: Option<i32> = None });
class!(SimpleAssignedPointer { pointer1: Option<i32> = Some(13), pointer2: Option<i32> = Some(42) });
class!(ComplexAssignedPointer { pointer: Option<SimpleClass> = Some(SimpleClass::default()) });
class!(ComplexNullInheritedPointer { pointer: BasePointer = None });
class!(ComplexAssignedDifferentInheritedPointer {
    pointer: BasePointer = Some(Base::BaseClass(BaseClass::default())),
});
class!(ComplexAssignedSameInheritedPointer {
    pointer: BasePointer = Some(Base::SimpleInheritence(SimpleInheritence {
        var1: 142,
        ..SimpleInheritence::default()
    })),
});
class!(PrimitivePointerInContainer { array: Vec<Option<i32>> = Vec::new() });
class!(SimplePointerInContainer { array: Vec<Option<SimpleClass>> = Vec::new() });
class!(InheritedPointerInContainer { array: Vec<BasePointer> = Vec::new() });
class!(ClassWithPointerToUnregisteredClass { ptr: BasePointer = None });

class!(
    /// The class of the file wrapper's tests.
    TestClass {
        int: i32 = 0,
        float: f32 = 0.0,
        string: String = "TestClass".to_owned(),
        unordered_map: HashMap<i32, String> = HashMap::new(),
        array: [String; 2] = Default::default(),
        vector: Vec<String> = Vec::new(),
    }
);

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SimpleEnum(pub(crate) i32);

register_flags!(SimpleEnum: i32 { "Option1" => 1, "Option2" => 2 });

newtypes!(SimpleEnum, TestString);

/// A string whose default is `Hello`: what is empty is the default.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub(crate) struct TestString(String);

impl From<String> for TestString {
    fn from(text: String) -> Self {
        TestString(if text.is_empty() { "Hello".to_owned() } else { text })
    }
}

impl From<TestString> for String {
    fn from(text: TestString) -> Self {
        text.0
    }
}

impl Default for TestString {
    fn default() -> Self {
        TestString("Hello".to_owned())
    }
}

macro_rules! pointer {
    ($name:ident $declared:literal { $first:ident $(, $other:ident)* }) => {
        pointer!($name $declared of $first in $first $(, $other)*);
    };
    ($name:ident $text:literal of $declared:ident in $($class:ident),+) => {
        /// What a pointer to the first class can point to.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(rename = $text)]
        #[allow(clippy::enum_variant_names, reason = "the engine's names")]
        pub(crate) enum $name {
            $($class($class),)+
        }

        impl Default for $name {
            fn default() -> Self {
                $name::$declared(Default::default())
            }
        }

        impl Logical for $name {
            fn of(json: &Json) -> Check<Self> {
                let name = json.get("$type").and_then(Json::as_str);
                match name {
                    $(Some(stringify!($class)) => Logical::of(json).map($name::$class),)+
                    None => Logical::of(json).map($name::$declared),
                    other => Err(format!("no class {other:?}")),
                }
            }

            fn show(&self) -> Json {
                match self {
                    $($name::$class(own) => {
                        let mut shown = own.show();
                        shown["$type"] = stringify!($class).into();
                        shown
                    })+
                }
            }
        }
    };
}

pointer!(Base "BaseClass" { BaseClass, SimpleInheritence, SimpleInheritenceAlt, MultipleInheritence });
pointer!(Base2 "BaseClass2" { BaseClass2, MultipleInheritence });

pub(crate) type BasePointer = Option<Base>;
