//! The types of an engine, as far as they are known.

use crate::report::{Outcome, ResultCode, Task};
use crate::setters::setters;
use crate::types::{EnumInfo, Uuid};

/// One type that the engine has registered.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeInfo {
    /// The name as registered, namespaces included: `AZ::Vector3`.
    pub name: String,
    /// The type's UUID; null where it is not known.
    pub uuid: Uuid,
    /// Names of the direct bases.
    pub bases: Vec<String>,
    /// Whether the type cannot be instantiated.
    pub is_abstract: bool,
}

impl TypeInfo {
    /// A type without bases that can be instantiated.
    pub fn new(name: impl Into<String>) -> Self {
        TypeInfo { name: name.into(), uuid: Uuid::NULL, bases: Vec::new(), is_abstract: false }
    }

    setters! {
        /// Sets the UUID.
        pub fn uuid(uuid: Uuid);

        /// Says whether the type cannot be instantiated.
        pub fn is_abstract(is_abstract: bool);
    }

    /// Adds a direct base.
    #[must_use]
    pub fn base(mut self, name: impl Into<String>) -> Self {
        self.bases.push(name.into());
        self
    }
}

/// The types of an engine, as far as they are known: names, UUIDs, bases, values of enums.
///
/// `$type` is resolved against it, and written by it; a unit-only enum of Rust whose table it has is
/// read from numbers too. See
/// [`Options::types`](crate::Options::types).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TypeRegistry {
    types: Vec<TypeInfo>,
    enums: Vec<EnumInfo>,
}

impl TypeRegistry {
    /// No types at all.
    pub const fn new() -> Self {
        TypeRegistry { types: Vec::new(), enums: Vec::new() }
    }

    /// Adds a type.
    pub fn add(&mut self, info: TypeInfo) -> &mut Self {
        self.types.push(info);
        self
    }

    /// Adds the table of an enum, for an enum of Rust of its name that is no
    /// [`Enumeration`](crate::types::Enumeration) itself.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use o3de_json::types::{EnumInfo, Underlying};
    /// use o3de_json::Options;
    /// use o3de_json::registry::TypeRegistry;
    ///
    /// #[derive(Debug, PartialEq, serde::Deserialize)]
    /// enum Mode {
    ///     Off,
    ///     On,
    /// }
    ///
    /// let values = &[("Off", 0), ("On", 16)];
    /// let mut types = TypeRegistry::new();
    /// types.add_enum(EnumInfo { name: "Mode", underlying: Underlying::U8, values });
    /// let options = Options::new().types(Arc::new(types));
    /// let modes: Vec<Mode> = options.from_str(r#"["on", 16, "0x10", 0]"#)?;
    /// assert_eq!(modes, [Mode::On, Mode::On, Mode::On, Mode::Off]);
    /// # Ok::<(), o3de_json::Error>(())
    /// ```
    pub fn add_enum(&mut self, info: EnumInfo) -> &mut Self {
        self.enums.push(info);
        self
    }

    /// The table of an enum, by its name, with or without its namespaces.
    pub fn enumeration(&self, name: &str) -> Option<&EnumInfo> {
        let mut all = self.enums.iter();
        all.find(|info| is_named(info.name, name))
    }

    /// The types, in the order of their registration.
    pub fn types(&self) -> &[TypeInfo] {
        &self.types
    }

    /// The type that a `$type` text stands for, as `LoadTypeId` of the engine.
    ///
    /// A UUID anywhere in the text decides. Otherwise the trimmed text is a name, whatever its
    /// case, with or without its namespaces; when several types have it, only one of them may be
    /// `base` or derived from it.
    ///
    /// # Errors
    /// [`Outcome::Unknown`] where there is no such type, or more than one.
    pub fn load_type_id<'a>(
        &'a self,
        text: &str,
        base: Option<&str>,
    ) -> std::result::Result<&'a TypeInfo, ResultCode> {
        let unknown = ResultCode::new(Task::RetrieveInfo, Outcome::Unknown);
        if let Some(uuid) = Uuid::find(text) {
            return self.types.iter().find(|info| info.uuid == uuid).ok_or(unknown);
        }
        let text = text.trim();
        let mut found = self.named(text).peekable();
        let first = found.next().ok_or(unknown)?;
        if found.peek().is_none() {
            return Ok(first);
        }
        let base = base.ok_or(unknown)?;
        let mut fitting = self.named(text).filter(|info| self.is_a(&info.name, base));
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => Ok(only),
            _ => Err(unknown),
        }
    }

    /// The `$type` text of a type, as `StoreTypeId` of the engine: its name, or `{UUID} Name`
    /// where several types share the name.
    ///
    /// # Errors
    /// [`Outcome::Unknown`] for a type that is not registered.
    pub fn store_type_id(&self, uuid: Uuid) -> std::result::Result<String, ResultCode> {
        let info = self
            .types
            .iter()
            .find(|info| info.uuid == uuid)
            .ok_or(ResultCode::new(Task::RetrieveInfo, Outcome::Unknown))?;
        let name = last_part(&info.name);
        Ok(if self.named(name).nth(1).is_some() {
            format!("{} {name}", info.uuid)
        } else {
            info.name.clone()
        })
    }

    /// Whether the type is another one or derived from it.
    pub fn is_a(&self, name: &str, base: &str) -> bool {
        // Types come from a program, but a cycle among them must not hang.
        let mut open: Vec<&str> = vec![name];
        let mut seen: Vec<&str> = Vec::new();
        while let Some(name) = open.pop() {
            if name.eq_ignore_ascii_case(base) {
                return true;
            }
            if seen.iter().any(|old| old.eq_ignore_ascii_case(name)) {
                continue;
            }
            seen.push(name);
            let found = self.types.iter().filter(|info| info.name.eq_ignore_ascii_case(name));
            open.extend(found.flat_map(|info| info.bases.iter().map(String::as_str)));
        }
        false
    }

    fn named<'a, 'n>(&'a self, name: &'n str) -> impl Iterator<Item = &'a TypeInfo> + use<'a, 'n> {
        self.types.iter().filter(move |info| is_named(&info.name, name))
    }
}

/// Whether a name, with or without its namespaces, is that of a type or enum.
fn is_named(own: &str, name: &str) -> bool {
    own.eq_ignore_ascii_case(name) || last_part(own).eq_ignore_ascii_case(name)
}

/// A name without its namespaces; those of template arguments do not count.
fn last_part(name: &str) -> &str {
    let head = name.split('<').next().unwrap_or(name);
    head.rfind("::").and_then(|at| name.get(at.saturating_add(2)..)).unwrap_or(name)
}
