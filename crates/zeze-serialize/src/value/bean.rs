use super::Value;

/// A bean: fields by their ids, in ascending order, and the layers of its bases.
#[derive(Default, PartialEq, Eq, Hash)]
pub struct Bean {
    /// Ascending by id.
    pub(crate) fields: Vec<(u32, Value)>,
    pub(crate) base: Option<Box<Bean>>,
}

/// A dynamic bean: a type id and the bean of that type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dynamic {
    /// Which bean it is: given by the schema, or the hash of the bean's name.
    pub type_id: i64,
    /// The bean.
    pub bean: Bean,
}

impl Bean {
    /// A bean without fields.
    pub const fn new() -> Self {
        Bean { fields: Vec::new(), base: None }
    }

    /// The field with an id; `None` if it is missing.
    pub fn get(&self, id: u32) -> Option<&Value> {
        let index = self.fields.binary_search_by_key(&id, |field| field.0).ok()?;
        self.fields.get(index).map(|field| &field.1)
    }

    /// The field with an id, to be changed.
    pub fn get_mut(&mut self, id: u32) -> Option<&mut Value> {
        let index = self.fields.binary_search_by_key(&id, |field| field.0).ok()?;
        self.fields.get_mut(index).map(|field| &mut field.1)
    }

    /// Sets a field. Returns what was there before.
    ///
    /// Ids are from 1 to 2³¹ − 1; others are refused when the bean is written.
    pub fn insert(&mut self, id: u32, value: Value) -> Option<Value> {
        match self.fields.binary_search_by_key(&id, |field| field.0) {
            Ok(index) => {
                self.fields.get_mut(index).map(|field| std::mem::replace(&mut field.1, value))
            }
            Err(index) => {
                self.fields.insert(index, (id, value));
                None
            }
        }
    }

    /// Removes a field. Returns what was there.
    pub fn remove(&mut self, id: u32) -> Option<Value> {
        let index = self.fields.binary_search_by_key(&id, |field| field.0).ok()?;
        Some(self.fields.remove(index).1)
    }

    /// The fields of this layer, by ascending id.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u32, &Value)> {
        self.fields.iter().map(|(id, value)| (*id, value))
    }

    /// Number of fields in this layer.
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// Whether there is no field and no base.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.base.is_none()
    }

    /// The layer of the base.
    pub fn base(&self) -> Option<&Bean> {
        self.base.as_deref()
    }

    /// Sets the layer of the base.
    pub fn set_base(&mut self, base: Option<Bean>) {
        self.base = base.map(Box::new);
    }

    /// The layers: this one, that of its base, and so on.
    pub fn layers(&self) -> impl Iterator<Item = &Bean> {
        std::iter::successors(Some(self), |bean| bean.base())
    }
}

impl FromIterator<(u32, Value)> for Bean {
    fn from_iter<I: IntoIterator<Item = (u32, Value)>>(fields: I) -> Self {
        let mut bean = Bean::new();
        for (id, value) in fields {
            bean.insert(id, value);
        }
        bean
    }
}
