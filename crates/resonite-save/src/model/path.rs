/// The way to a slot: the index among the children at each level. Empty for the root slot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SlotPath(Vec<usize>);

impl SlotPath {
    /// The root slot.
    pub const fn root() -> Self {
        SlotPath(Vec::new())
    }

    /// A slot by its indices.
    pub fn new(indices: impl Into<Vec<usize>>) -> Self {
        SlotPath(indices.into())
    }

    /// The indices, outermost first.
    pub fn indices(&self) -> &[usize] {
        &self.0
    }

    /// The number of slots around it.
    pub fn depth(&self) -> usize {
        self.0.len()
    }

    /// The slot around it; `None` for the root.
    pub fn parent(&self) -> Option<SlotPath> {
        self.0.split_last().map(|(_, outer)| SlotPath(outer.to_vec()))
    }

    /// A child of it.
    #[must_use]
    pub fn child(&self, index: usize) -> SlotPath {
        let mut indices = self.0.clone();
        indices.push(index);
        SlotPath(indices)
    }
}

/// Where a component is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ComponentPath {
    /// On a slot, by its index there.
    Slot(SlotPath, usize),
    /// In the list of assets.
    Asset(usize),
}
