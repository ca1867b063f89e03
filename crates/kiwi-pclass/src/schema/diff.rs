//! The changes between two type lists.
use std::collections::HashSet;
use std::fmt;

use super::{Class, Kind, Property, Scalar, Schema};
use crate::error::Count;

/// A difference between two type lists, see [`Schema::diff`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The whole name of the class, or of the enum.
    pub class: String,
    /// The property, if it is not about all of the class.
    pub property: Option<String>,
    /// Which part of it changed.
    pub part: Part,
    /// The old one; `None` if it was absent.
    pub old: Option<String>,
    /// The new one; `None` if it is removed.
    pub new: Option<String>,
}

/// The part of a class that a [`Change`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// A class that is in one of the lists only.
    Class,
    /// The hash of a class or property, where the name or type is the same.
    Hash,
    /// The classes that a class is derived from, nearest first.
    Bases,
    /// A property that only one of the lists has: its type.
    Property,
    /// The type of a property.
    Type,
    /// Whether a property is one value or a list.
    Container,
    /// The flags of a property.
    Flags,
    /// The order of the properties that both lists have.
    Order,
    /// An option of an enum or of bit flags: its name and value.
    Option,
    /// The value of a new object.
    Default,
}

impl Part {
    /// The name, such as `property`.
    pub const fn name(self) -> &'static str {
        match self {
            Part::Class => "class",
            Part::Hash => "hash",
            Part::Bases => "bases",
            Part::Property => "property",
            Part::Type => "type",
            Part::Container => "container",
            Part::Flags => "flags",
            Part::Order => "order",
            Part::Option => "option",
            Part::Default => "default",
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.class)?;
        if let Some(property) = &self.property {
            write!(f, ".{property}")?;
        }
        let part = match self.part {
            Part::Class => String::new(),
            part => format!(" {}", part.name()),
        };
        match (&self.old, &self.new) {
            (Some(old), Some(new)) => write!(f, ":{part} {old} -> {new}"),
            (None, Some(new)) => write!(f, ":{part} {new} added"),
            (Some(old), None) => write!(f, ":{part} {old} gone"),
            (None, None) => write!(f, ":{part}"),
        }
    }
}

impl Schema {
    /// Returns what another list has in another way: classes, properties and options that were added, are
    /// gone or changed. Of properties that moved because others came or went, of those that a class has from
    /// its base, and of an enum that many properties have, nothing is said or it is said once.
    ///
    /// ```
    /// use kiwi_pclass::Schema;
    ///
    /// let old = Schema::from_json(
    ///     br#"{"class A": {"properties": {"m_x": {"type": "int", "id": 0, "flags": 7}}}}"#,
    /// )?;
    /// let new = Schema::from_json(
    ///     br#"{"class A": {"properties": {"m_new": {"type": "bool", "id": 0, "flags": 7},
    ///         "m_x": {"type": "float", "id": 1, "flags": 7}}}}"#,
    /// )?;
    /// let changes: Vec<String> = old.diff(&new).iter().map(|change| change.to_string()).collect();
    /// assert_eq!(changes, ["class A.m_x: type int -> float", "class A.m_new: property bool added"]);
    /// # Ok::<(), kiwi_pclass::Error>(())
    /// ```
    pub fn diff(&self, new: &Schema) -> Vec<Change> {
        let mut changes = Changes { all: Vec::new(), options: HashSet::new(), old: self, new };
        for class in self.classes() {
            match new.class(class.name()) {
                Some(other) => changes.class(class, other),
                None => changes.whole(class, Some(()), None),
            }
        }
        for class in new.classes().filter(|class| self.class(class.name()).is_none()) {
            changes.whole(class, None, Some(()));
        }
        changes.all
    }
}

struct Changes<'s> {
    all: Vec<Change>,
    /// The options of enums that were told.
    options: HashSet<(String, String)>,
    old: &'s Schema,
    new: &'s Schema,
}

impl Changes<'_> {
    fn add(
        &mut self,
        class: &str,
        property: Option<&str>,
        part: Part,
        values: [Option<String>; 2],
    ) {
        let [old, new] = values;
        if old != new {
            let property = property.map(str::to_owned);
            self.all.push(Change { class: class.to_owned(), property, part, old, new });
        }
    }

    fn whole(&mut self, class: &Class, old: Option<()>, new: Option<()>) {
        let count = Count(class.properties().len(), "property").to_string();
        let values = [old.map(|()| count.clone()), new.map(|()| count)];
        self.add(class.name(), None, Part::Class, values);
    }

    fn class(&mut self, old: &Class, new: &Class) {
        let name = old.name();
        let bases = |class: &Class| Some(class.bases().collect::<Vec<_>>().join(", "));
        let both = [old, new];
        self.add(name, None, Part::Hash, both.map(|class| Some(class.hash().to_string())));
        self.add(name, None, Part::Bases, both.map(bases));
        let (mut kept, mut order) = (Vec::new(), Vec::new());
        for property in old.properties() {
            let other = new.property(property.name());
            if other.is_some() {
                kept.push(property.name());
            }
            if self.is_of_base(old, new, property.name()) {
                continue;
            }
            match other {
                Some(other) => self.property(name, property, other),
                None => {
                    let values = [Some(property.type_name().to_owned()), None];
                    self.add(name, Some(property.name()), Part::Property, values);
                }
            }
        }
        for property in new.properties() {
            let is_kept = old.property(property.name()).is_some();
            if is_kept {
                order.push(property.name());
            } else if !self.is_of_base(old, new, property.name()) {
                let values = [None, Some(property.type_name().to_owned())];
                self.add(name, Some(property.name()), Part::Property, values);
            }
        }
        self.add(name, None, Part::Order, [kept, order].map(|names| Some(names.join(", "))));
    }

    /// Whether a base, in both lists, has the property where the class has it: it is told there.
    fn is_of_base(&self, old: &Class, new: &Class, property: &str) -> bool {
        let has = |class: &Class| class.property(property).is_some();
        old.bases().any(|base| {
            let base_of = |schema: &Schema| {
                let names = [format!("class {base}"), format!("struct {base}"), base.to_owned()];
                names.iter().find_map(|name| schema.class(name).map(|class| has(class)))
            };
            base_of(self.old) == Some(has(old)) && base_of(self.new) == Some(has(new))
        })
    }

    fn property(&mut self, class: &str, old: &Property, new: &Property) {
        let (name, both) = (Some(old.name()), [old, new]);
        let is_same_type = old.type_name() == new.type_name();
        self.add(class, name, Part::Type, both.map(|own| Some(own.type_name().to_owned())));
        if is_same_type {
            self.add(class, name, Part::Hash, both.map(|own| Some(own.hash().to_string())));
        }
        let container = |own: &Property| Some(own.container().name().to_owned());
        self.add(class, name, Part::Container, both.map(container));
        self.add(class, name, Part::Flags, both.map(|own| Some(own.flags().to_string())));
        let default = |own: &Property| own.default_value().map(|value| format!("{value:?}"));
        self.add(class, name, Part::Default, both.map(default));
        // An enum with a name is told once, whichever properties have it.
        let type_name = old.type_name();
        let is_named = *old.kind() == Kind::Enum && Scalar::from_type_name(type_name).is_none();
        let (class, name) =
            if is_named && is_same_type { (type_name, None) } else { (class, name) };
        let [before, after] = both.map(Property::options_or_none);
        let names = before.iter().map(|(option, _)| option);
        let added = after.iter().filter(|(option, _)| before.value_of(option).is_none());
        let names: Vec<String> =
            names.chain(added.map(|(option, _)| option)).map(str::to_owned).collect();
        for option in names {
            let values = [before, after]
                .map(|own| own.value_of(&option).map(|value| format!("{option} = {value}")));
            let [one, other] = &values;
            if one != other
                && (name.is_some() || self.options.insert((class.to_owned(), option.clone())))
            {
                self.add(class, name, Part::Option, values);
            }
        }
    }
}
