//! Rust types and a constant schema for classes of a PropertyClass type list, and for all that they reach:
//! the classes of their properties, those derived from what they point to, enums and bit flags.
//!
//! The properties of a base stand once, in a separate struct. The source needs `serde` and `kiwi-pclass`, and
//! reading and writing its types need its schema, without which they are refused.
//!
//! ```
//! use gamewire_gen::pclass::{self, Classes, Options};
//! use kiwi_pclass::Schema;
//!
//! let schema = Schema::from_json(
//!     br#"{"class Duel": {"bases": [], "properties": {"m_rounds": {"type": "int", "flags": 7}}}}"#,
//! )?;
//! let classes = Classes::named(&schema, &["class Duel"], false)?;
//! let source = pclass::generate(&schema, &classes, Options::default())?;
//! assert!(source.contains("Duel = \"class Duel\" []"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod emit;
mod model;
pub(crate) mod names;
mod options;

use kiwi_pclass::Schema;
use kiwi_pclass::schema::{Class, Kind};

use self::model::Model;
pub use self::model::no_class;
pub use self::options::Options;
use crate::Result;

/// Generates the source of a module.
///
/// # Errors
///
/// The schema does not have one of the classes.
pub fn generate(schema: &Schema, classes: &Classes, options: Options) -> Result<String> {
    let model = Model::new(schema, &classes.names, options)?;
    Ok(emit::source(&model, classes))
}

/// Generates the same in several files of some hundred lines, each with its name; `mod.rs` is the last.
///
/// # Errors
///
/// As [`generate`] has them.
pub fn generate_files(
    schema: &Schema,
    classes: &Classes,
    options: Options,
) -> Result<Vec<(String, String)>> {
    let model = Model::new(schema, &classes.names, options)?;
    Ok(emit::files(&model, classes))
}

/// The classes that types are generated for, with all that they reach.
#[derive(Clone, Debug)]
pub struct Classes {
    names: Vec<String>,
    /// Their description at the head of the source.
    about: Vec<String>,
}

impl Classes {
    /// All classes of a schema.
    pub fn all(schema: &Schema) -> Self {
        let names = objects(schema, |_| true).collect();
        Classes { names, about: vec!["all classes".to_owned()] }
    }

    /// Classes by their whole names, such as `class Duel`, and where `derived` is set those derived from
    /// them.
    ///
    /// # Errors
    ///
    /// The schema does not have one of the classes.
    pub fn named(schema: &Schema, names: &[impl AsRef<str>], derived: bool) -> Result<Self> {
        let mut classes = Classes { names: Vec::new(), about: Vec::new() };
        for name in names.iter().map(AsRef::as_ref) {
            let class = schema.class(name).ok_or_else(|| no_class(schema, name))?;
            let name = name.chars().map(|c| if c.is_control() || c == '`' { '?' } else { c });
            let name: String = name.collect();
            classes.names.push(class.name().to_owned());
            if derived {
                classes.about.push(format!("`{name}` and the classes derived from it"));
                classes.names.extend(objects(schema, |own| own.is_a(class.name())));
            } else {
                classes.about.push(format!("`{name}`"));
            }
        }
        Ok(classes)
    }
}

/// The names of the classes that objects are of.
fn objects<'s>(
    schema: &'s Schema,
    is_meant: impl Fn(&Class) -> bool + 's,
) -> impl Iterator<Item = String> + 's {
    let is_object = |class: &Class| {
        let name = class.name();
        let is_alias = name.ends_with('*') || name.starts_with("class SharedPointer<");
        // Templates have no `class ` before them, primitive types no properties.
        let is_prefixed = name.starts_with("class ") || name.starts_with("struct ");
        (is_prefixed || !class.properties().is_empty())
            && !is_alias
            && Kind::from_type_name(name) == Kind::Object
    };
    let own = schema.classes().filter(move |class| is_object(class) && is_meant(class));
    own.map(|class| class.name().to_owned())
}
