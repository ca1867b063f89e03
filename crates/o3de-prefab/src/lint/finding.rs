//! The findings of checks.

use crate::prefab::Entity;

/// Something in a prefab that refers to what is missing, or contradicts itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// Where it stands, as a JSON Pointer.
    pub pointer: String,
    /// The kind of fault.
    pub rule: Rule,
    /// The same in a sentence, with the names of the entity or instance.
    pub message: String,
    /// Whether the element at the pointer can be removed without a loss: it refers to nothing, or says what is
    /// there already.
    pub is_removable: bool,
}

/// The kinds of [`Finding`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// An override whose entity, component or member is gone from the source.
    StaleOverride,
    /// An operation of an override that JSON Patch does not have.
    UnknownOperation,
    /// A source that cannot be read.
    MissingSource,
    /// A file that no scan folder has.
    MissingAsset,
    /// A parent that is no entity of the prefab, and none of an instance in it.
    DanglingParent,
    /// An entity or instance without a parent, which stands beside the prefab: the editor saves it so where it
    /// was opened while a prefab was missing.
    NoParent,
    /// Any other reference to an entity that is gone.
    DanglingReference,
    /// An entry in an order of components or children that is gone, or there twice.
    StaleOrder,
    /// Two components of one entity with one id.
    DuplicateId,
    /// An id that is not the one in the alias or key.
    OtherId,
    /// A prefab without `Entities`.
    NoEntities,
    /// A container entity without the component by which the editor knows a prefab.
    NoPrefabComponent,
    /// An entity that is its own parent, or that of one of its ancestors.
    ParentCycle,
    /// An entity or instance that its parent does not have in its order of children.
    UnorderedChild,
    /// An entity or instance in the order of children of its parent and in that of another one.
    OrderedTwice,
    /// An entity or instance in the order of children of another one than its parent alone.
    OtherParent,
    /// An override of what is so in the source.
    RestatedOverride,
}

impl Rule {
    /// All rules.
    pub const ALL: [Rule; 17] = [
        Rule::StaleOverride,
        Rule::UnknownOperation,
        Rule::MissingSource,
        Rule::MissingAsset,
        Rule::DanglingParent,
        Rule::NoParent,
        Rule::DanglingReference,
        Rule::StaleOrder,
        Rule::DuplicateId,
        Rule::OtherId,
        Rule::NoEntities,
        Rule::NoPrefabComponent,
        Rule::ParentCycle,
        Rule::UnorderedChild,
        Rule::OrderedTwice,
        Rule::OtherParent,
        Rule::RestatedOverride,
    ];

    /// Its name in reports, such as `stale-override`.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::StaleOverride => "stale-override",
            Rule::UnknownOperation => "unknown-operation",
            Rule::MissingSource => "missing-source",
            Rule::MissingAsset => "missing-asset",
            Rule::DanglingParent => "dangling-parent",
            Rule::NoParent => "no-parent",
            Rule::DanglingReference => "dangling-reference",
            Rule::StaleOrder => "stale-order",
            Rule::DuplicateId => "duplicate-id",
            Rule::OtherId => "other-id",
            Rule::NoEntities => "no-entities",
            Rule::NoPrefabComponent => "no-prefab-component",
            Rule::ParentCycle => "parent-cycle",
            Rule::UnorderedChild => "unordered-child",
            Rule::OrderedTwice => "ordered-twice",
            Rule::OtherParent => "other-parent",
            Rule::RestatedOverride => "restated-override",
        }
    }
}

/// An entity's name in quotes, or its alias.
pub(super) fn shown(entity: &Entity<'_>) -> String {
    match entity.name() {
        Some(name) => format!("{name:?}"),
        None => format!("`{}`", entity.alias()),
    }
}
