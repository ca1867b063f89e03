//! Rust types and a constant schema for classes of a type list, and for all that they reach.

pub(crate) mod command;
mod emit;
mod model;
mod names;

use clap::Args;
use gamewire::kiwi_pclass::Schema;
use gamewire::kiwi_pclass::schema::{Class, Kind};

/// What is generated.
#[derive(Args, Clone, Copy)]
pub(crate) struct Wishes {
    /// Make every std::string bytes, and not only those that are blobs: it may not be UTF-8
    #[arg(long)]
    bytes: bool,
    /// Make pointers to a class with more derived classes than this a Value [default: 64, none with
    /// --shared]
    #[arg(long, value_name = "N")]
    most_derived: Option<usize>,
    /// Have the properties of a base once, in a struct of its own, and not in each class derived from
    /// it, and pointers that long chains of classes compile with; so it is with --all and --derived
    #[arg(long)]
    shared: bool,
}

/// The limit where bases are not shared: each derived class repeats all properties there.
const MAX_DERIVED: usize = 64;

impl Wishes {
    /// How many classes may be derived from one that is pointed to.
    fn most_derived(self) -> usize {
        let default = if self.shared { usize::MAX } else { MAX_DERIVED };
        self.most_derived.unwrap_or(default)
    }
}

pub(super) use model::no_class;

/// The source of a module.
fn source(schema: &Schema, roots: &Roots, wishes: Wishes) -> Result<String, String> {
    let model = model::Model::new(schema, &roots.classes, wishes)?;
    Ok(emit::source(&model, roots))
}

/// The same in several files, by their names.
fn files(schema: &Schema, roots: &Roots, wishes: Wishes) -> Result<Vec<(String, String)>, String> {
    let model = model::Model::new(schema, &roots.classes, wishes)?;
    Ok(emit::files(&model, roots))
}

/// The classes that are asked for, and what is said of them at the head of the output.
struct Roots {
    classes: Vec<String>,
    about: Vec<String>,
}

impl Roots {
    fn new(schema: &Schema, named: &[String], derived: bool, all: bool) -> Result<Self, String> {
        let mut roots = Roots { classes: Vec::new(), about: Vec::new() };
        if all {
            roots.about.push("all classes".to_owned());
            roots.classes.extend(objects(schema, |_| true));
            return Ok(roots);
        }
        for name in named {
            let class = schema.class(name).ok_or_else(|| no_class(schema, name))?;
            let name = name.chars().map(|c| if c.is_control() || c == '`' { '?' } else { c });
            let name: String = name.collect();
            roots.classes.push(class.name().to_owned());
            if derived {
                roots.about.push(format!("`{name}` and the classes derived from it"));
                roots.classes.extend(objects(schema, |own| own.is_a(class.name())));
            } else {
                roots.about.push(format!("`{name}`"));
            }
        }
        Ok(roots)
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
        (name.starts_with("class ") || name.starts_with("struct "))
            && !is_alias
            && Kind::from_type_name(name) == Kind::Object
    };
    let own = schema.classes().filter(move |class| is_object(class) && is_meant(class));
    own.map(|class| class.name().to_owned())
}
