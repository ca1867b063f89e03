//! The debug form of objects in XML
//! ([description](https://github.com/gamewire/gamewire/blob/main/docs/formats/kiwi-pclass.md#debug-xml)).
//!
//! ```text
//! <Objects>
//!   <Class Name="class Example">
//!     <m_someInt>1337</m_someInt>
//!     <m_someObject>
//!       <Class Name="class SomeObject">
//!         <m_test>text</m_test>
//!       </Class>
//!     </m_someObject>
//!     <m_list>A</m_list>
//!     <m_list>B</m_list>
//!   </Class>
//! </Objects>
//! ```
//!
//! | value | text |
//! |---|---|
//! | `bool` | `true`, `false`; `1` and `0` are read |
//! | numbers | decimal; `nan`, `inf`, `-inf`, `nan(7fc00001)` by its bits |
//! | strings | as they are, white space included |
//! | `class Color` | AARRGGBB in hexadecimal digits; four numbers are read as b, g, r, a |
//! | `class Vector3D` and the like | the components as they stand in the bytes, with commas |
//! | enum, bit flags | names; numbers are read |
//! | null | an empty element |
//! | vector, list | the element again for each; none for an empty one |
//!
//! Attributes, which other programs skip, say the rest:
//!
//! | attribute | meaning |
//! |---|---|
//! | `Encoding="hex"` | the bytes of a string that is no XML text |
//! | `Encoding="utf16"` | the code units of a wide string that is no XML text, four digits each |
//! | `Encoding="bits" Bits="12"` | bits of an unknown class or property, the low one first |
//! | `Count="0"` | an empty vector or list, where no element would mean that it is absent, or elsewhere |
//! | `Absent="m_a m_b"` | of a `Class`: vectors and lists that are absent and not empty |
//! | `Core="104,2,57"` | of a `Class`: the header of a core object |
//!
//! Names that XML cannot have are written as their hash, `_0x1234abcd`. Objects of a schema's own
//! classes come back as they were; what cannot be said is an error when it is written.
//!
//! ```
//! use kiwi_pclass::schema::{ClassDef, PropertyDef};
//! use kiwi_pclass::{Options, Schema, xml};
//!
//! const LEAF: ClassDef =
//!     ClassDef::new("class Leaf", &[], &[PropertyDef::new("m_id", "unsigned int", 0x1f)]);
//!
//! let options = Options::new().schema(Schema::builder().class(&LEAF)?.build()?);
//! let text = r#"<Objects><Class Name="class Leaf"><m_id>7</m_id></Class></Objects>"#;
//! let leaf = xml::from_str(text, &options)?;
//! assert_eq!(leaf["m_id"].as_u64(), Some(7));
//! let bytes = options.to_vec(&leaf)?;
//! assert_eq!(xml::from_str(&xml::to_string(&leaf, &options)?, &options)?, leaf);
//! # let _ = bytes;
//! # Ok::<(), kiwi_pclass::Error>(())
//! ```

#[doc(hidden)]
pub mod lex;
mod read;
mod text;
mod write;

use crate::{Error, ErrorKind, Options, Result, Value};

/// Writes an object. [`Options::mode`] and [`Options::mask`] should be those that the object was read
/// with; a schema is not needed.
///
/// # Errors
/// A value that is no object, nesting beyond [`Options::max_depth`], or what the form cannot say:
/// the same vector or list twice in one object.
pub fn to_string(object: &Value, options: &Options) -> Result<String> {
    write::document(std::slice::from_ref(object), options)
}

/// Writes several objects into one document.
///
/// # Errors
/// As [`to_string`].
pub fn all_to_string(objects: &[Value], options: &Options) -> Result<String> {
    write::document(objects, options)
}

/// Reads the one object of a document, with the schema of the options. [`Options::mode`] and
/// [`Options::mask`] should be those that the object is written with.
///
/// # Errors
/// Malformed XML, a document of no or several objects, a property that the class does not have, text
/// that does not fit its property, nesting beyond the limit. Unknown classes and properties are
/// errors or skipped as [`Options::unknown`] says.
pub fn from_str(text: &str, options: &Options) -> Result<Value> {
    let mut objects = read::document(text, options)?;
    match (objects.pop(), objects.len()) {
        (Some(object), 0) => Ok(object),
        (_, rest) => {
            let found = if rest == 0 { 0 } else { rest.saturating_add(1) };
            Err(Error::new(ErrorKind::Data, format!("expected one object, found {found}")))
        }
    }
}

/// Reads all objects of a document; see [`from_str`].
///
/// # Errors
/// As [`from_str`].
pub fn all_from_str(text: &str, options: &Options) -> Result<Vec<Value>> {
    read::document(text, options)
}
