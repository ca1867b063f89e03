//! The engine's own lossless JSON notation, that of `JSON.from_native` and `JSON.to_native` (4.4 on).
//!
//! | value | notation |
//! |---|---|
//! | nil, bool | `null`, `true` |
//! | int, float | `"i:5"`, `"f:1.5"` |
//! | String, StringName, NodePath | `"s:text"`, `"sn:name"`, `"np:A/B:x"` |
//! | Array | `[…]`, typed `{"type":"Array","elem_type":"int","args":[…]}` |
//! | Dictionary | `{"type":"Dictionary","args":[key, value, …]}`, typed with `key_type`, `value_type` |
//! | math, packed arrays | `{"type":"Vector2","args":[1.0,2.0]}` |
//! | whole object | `{"type":"Resource","props":["resource_name","s:x",…]}` |
//!
//! Floats are written with all their digits, and those that would have more than 18 with the zeros in
//! front, of which the engine reads no more, as `"f:-3.66e-22"`. What the engine's form cannot say gets an extension:
//!
//! | value | extension |
//! |---|---|
//! | infinite or NaN component | `"inf"`, `"-inf"`, `null` for the usual NaN, `"nan:7fc00001"` for others |
//! | 64-bit component that serde_json's default parser would change | its digits as text: `"1.1e-23"` |
//! | unusual NaN as float | `"f:nan:7ff8000000000001"` |
//! | RID, Signal that are not null | `{"type":"RID","args":["i:5"]}`, `{"type":"Signal","args":["s:name","i:5"]}` |
//! | object by id, null object | `{"type":"Object","args":["i:5"]}`, `{"type":"Object"}` |
//! | NodePath with `/` or `:` inside names | `{"type":"NodePath","args":[false,["a/b"],["c"]]}` |
//! | 64-bit components | `"precision":"double"` beside `type` |
//! | container of a class that is named like a type | `"class:int"`, `"script:x"`, `"builtin:Object"` |
//!
//! ```
//! use godot_variant::types::Vector2;
//! use godot_variant::{Value, native_json::NativeJson};
//!
//! let value = Value::from(vec![Value::from(1), Vector2::new(0.5, 2.0).into()]);
//! let text = serde_json::to_string(&NativeJson(&value)).unwrap();
//! assert_eq!(text, r#"["i:1",{"type":"Vector2","args":[0.5,2.0]}]"#);
//! let NativeJson(back) = serde_json::from_str::<NativeJson<Value>>(&text).unwrap();
//! assert_eq!(back, value);
//! ```

mod read;
mod write;

pub use read::NativeJsonSeed;

/// Shows a [`Value`](crate::Value) in the engine's JSON notation to any serde format.
///
/// `NativeJson<&Value>` is written, `NativeJson<Value>` is written and read. Nesting is limited to
/// 128 levels, because serde goes through it by recursion; [`write_deep`](NativeJson::write_deep)
/// and [`NativeJsonSeed`] take another limit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NativeJson<T = crate::Value>(
    /// The value.
    pub T,
);

/// How deep values may nest.
const MAX_LEVELS: usize = 128;
