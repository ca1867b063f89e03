use resonite_brson::value::{Array, Document};
use resonite_brson::{Text, Url, Value};

use super::part::{Ids, NO_ID, key, no_slot};
use super::urls::{is_url, plain_urls};
use super::{ComponentPath, SavedObject, SlotPath};
use crate::error::{Error, Result, Shortened};

/// The members of a new component or object, without their identifiers.
#[derive(Clone, Debug, Default)]
pub struct Members(Document);

impl Members {
    /// None.
    pub fn new() -> Self {
        Members::default()
    }

    fn with(mut self, key: impl Into<String>, member: impl Into<Value>) -> Self {
        self.0.insert(key.into(), member);
        self
    }

    /// A value, a vector, an enum. Text that may begin with `@` comes as [`Text`], an address as
    /// [`Url`]; in a member such as `URL`, text that [`Url::parse`] reads is one, too.
    #[must_use]
    pub fn field(self, key: impl Into<String>, data: impl Into<Value>) -> Self {
        let (key, data) = (key.into(), data.into());
        let url = data.as_str().filter(|_| is_url(&key)).and_then(Url::parse);
        self.with(key, field(url.map_or(data, Value::from)))
    }

    /// A reference to what has an identifier, or to nothing. A drive is one too.
    #[must_use]
    pub fn reference(self, key: impl Into<String>, id: Option<&str>) -> Self {
        self.field(key, id)
    }

    /// A delegate: a method of what has an identifier.
    #[must_use]
    pub fn delegate(self, key: impl Into<String>, target: &str, method: &str) -> Self {
        self.field(key, Document::from_iter([("Target", target), ("Method", method)]))
    }

    /// A list of values or references, each with a separate identifier.
    #[must_use]
    pub fn list<T: Into<Value>>(
        self,
        key: impl Into<String>,
        items: impl IntoIterator<Item = T>,
    ) -> Self {
        self.field(key, items.into_iter().map(field).collect::<Array>())
    }

    /// A list of objects.
    #[must_use]
    pub fn objects(self, key: impl Into<String>, items: impl IntoIterator<Item = Members>) -> Self {
        self.field(key, items.into_iter().map(object).collect::<Array>())
    }

    /// An object with separate members.
    #[must_use]
    pub fn object(self, key: impl Into<String>, members: Members) -> Self {
        self.with(key, object(members))
    }

    /// The identifier of a member that is not stored, under this key and `-ID`.
    #[must_use]
    pub fn bare(self, key: impl Into<String>) -> Self {
        let key: String = key.into();
        self.with(format!("{key}-ID"), NO_ID)
    }
}

fn field(data: impl Into<Value>) -> Document {
    Document::from_iter([("ID", NO_ID), ("Data", data.into())])
}

fn object(members: Members) -> Document {
    let mut document = Document::from_iter([("ID", NO_ID)]);
    document.extend(members.0.into_vec());
    document
}

/// A slot as the engine writes it.
fn slot(ids: &mut Ids, name: &str) -> Document {
    let mut slot = Document::from_iter([
        (key::ID, NO_ID),
        (key::COMPONENTS, field(Array::new()).into()),
        (key::NAME, field(Text::from(name)).into()),
        (key::TAG, field(Value::Null).into()),
        (key::ACTIVE, field(true).into()),
        (key::PERSISTENT, NO_ID),
        (key::POSITION, field([0.0; 3]).into()),
        (key::ROTATION, field([0.0, 0.0, 0.0, 1.0]).into()),
        (key::SCALE, field([1.0; 3]).into()),
        (key::ORDER, field(0i64).into()),
        (key::PARENT, NO_ID),
        (key::CHILDREN, Array::new().into()),
    ]);
    ids.fill(&mut slot);
    slot
}

/// Making and extending saves.
impl SavedObject {
    /// A save with a root slot and nothing else. `version` is that of a program that can read it,
    /// such as `2026.8.12.1196`.
    pub fn new(version: &str, root: &str) -> Self {
        let mut ids = Ids::default();
        let document = Document::from_iter([
            ("VersionNumber", version.into()),
            ("FeatureFlags", Document::new().into()),
            ("Types", Array::new().into()),
            ("TypeVersions", Document::new().into()),
            ("Object", Value::from(slot(&mut ids, root))),
        ]);
        SavedObject { document, ids: Some(ids) }
    }

    /// Names a feature, if it is not named yet.
    pub fn add_feature_flag(&mut self, name: &str) {
        if let Some(flags) = self.document.get_mut("FeatureFlags").and_then(Value::as_document_mut)
            && !flags.contains_key(name)
        {
            flags.insert(name, 0);
        }
    }

    /// Sets the version of a type, which must not be 0.
    pub fn set_type_version(&mut self, name: &str, version: i32) {
        let versions = self.document.get_mut("TypeVersions").and_then(Value::as_document_mut);
        if let Some(versions) = versions {
            versions.insert(name, version);
        }
    }

    /// The place of a type in `Types`, at the end if it is new.
    ///
    /// # Errors
    /// A save without `Types`.
    pub(super) fn add_type(&mut self, name: &str) -> Result<i32> {
        let Some(types) = self.document.get_mut("Types").and_then(Value::as_array_mut) else {
            return Err(Error::unsupported(
                "expected a list `Types`, found none; saves of NeosVR cannot be extended",
            ));
        };
        let at = types.iter().position(|own| own.as_str() == Some(name)).unwrap_or(types.len());
        if at == types.len() {
            types.push(name.into());
        }
        i32::try_from(at).map_err(|_| Error::range("too many types"))
    }

    /// Adds a slot at the end of another one's children, with the members that the engine writes.
    ///
    /// # Errors
    /// No slot there, or identifiers that are used up.
    pub fn add_slot(&mut self, parent: &SlotPath, name: &str) -> Result<SlotPath> {
        let mut ids = Ids::after(&mut self.ids, &self.document)?;
        let new = slot(&mut ids, name);
        let children = self.children_mut(parent)?;
        let index = children.len();
        children.push(new.into());
        self.ids = Some(ids);
        Ok(parent.child(index))
    }

    pub(super) fn children_mut(&mut self, parent: &SlotPath) -> Result<&mut Array> {
        let slot = self.slot_document_mut(parent).ok_or_else(no_slot)?;
        if slot.get(key::CHILDREN).is_none() {
            slot.insert(key::CHILDREN, Array::new());
        }
        slot.get_mut(key::CHILDREN).and_then(Value::as_array_mut).ok_or_else(no_slot)
    }

    /// Adds a component to a slot, enabled and with these members. `name` is that of its type:
    /// `[FrooxEngine]FrooxEngine.Light`.
    ///
    /// # Errors
    /// No slot there, a name that is none, text where an address is expected, or identifiers that are used up.
    pub fn add_component(
        &mut self,
        slot: &SlotPath,
        name: &str,
        members: Members,
    ) -> Result<ComponentPath> {
        let component = self.component_document(name, members, "persistent-ID", NO_ID)?;
        let slot_document = self.slot_document_mut(slot).ok_or_else(no_slot)?;
        let list = slot_document.get_mut(key::COMPONENTS).and_then(|list| list.get_mut("Data"));
        let list = list.and_then(Value::as_array_mut).ok_or_else(no_slot)?;
        let index = list.len();
        list.push(component);
        Ok(ComponentPath::Slot(slot.clone(), index))
    }

    /// Adds a component to the list of assets.
    ///
    /// # Errors
    /// A name that is none, text where an address is expected, or identifiers that are used up.
    pub fn add_asset(&mut self, name: &str, members: Members) -> Result<ComponentPath> {
        let persistent = field(true).into();
        let component = self.component_document(name, members, "persistent", persistent)?;
        let list = self.assets_mut()?;
        let index = list.len();
        list.push(component);
        Ok(ComponentPath::Asset(index))
    }

    pub(super) fn assets_mut(&mut self) -> Result<&mut Array> {
        let key = if self.document.contains_key("Asset") { "Asset" } else { "Assets" };
        if !self.document.contains_key(key) {
            self.document.insert(key, Array::new());
        }
        let list = self.document.get_mut(key).and_then(Value::as_array_mut);
        list.ok_or_else(|| Error::data("expected a list `Assets`, found something else"))
    }

    fn component_document(
        &mut self,
        name: &str,
        members: Members,
        persistent_key: &str,
        persistent: Value,
    ) -> Result<Value> {
        name.parse::<super::TypeName>()?;
        if let Some((key, text)) = plain_urls(&members.0, name.ends_with("<Uri>")).pop() {
            let text = Shortened(text);
            let message = format!("expected an address, such as a `Url`, found \"{text}\"");
            return Err(Error::data(message).inside(key));
        }
        let mut ids = Ids::after(&mut self.ids, &self.document)?;
        let index = self.add_type(name)?;
        let mut data = Document::from_iter([
            ("ID", NO_ID),
            (persistent_key, persistent),
            ("UpdateOrder", field(0).into()),
            ("Enabled", field(true).into()),
        ]);
        for (key, member) in members.0 {
            data.insert(key, member);
        }
        ids.fill(&mut data);
        self.ids = Some(ids);
        Ok(Document::from_iter([("Type", index.into()), ("Data", Value::from(data))]).into())
    }
}
