//! Names, display and construction of a format's values: all that is asked of a
//! value and is no syntax.

use std::fmt;
use std::hash::RandomState;

use super::grammar::{Extent, Grammar, NewKey};
use super::index::{Listed, RangeNode};
use super::rewrite::Piece;
use crate::document;
use crate::document::edit::Input;
use crate::document::error::Error;
use crate::document::json::Json;
use crate::document::node::{Found, Rule, Typed};
use crate::document::path::{New, Step};

/// A new child of a container.
pub(in crate::document) struct NewChild<'a, G: Grammar> {
    /// The positions of the children that lead to the container, from the value that was asked.
    pub(in crate::document) way: Vec<usize>,
    /// The position before which it comes; `None` for the end.
    pub(in crate::document) at: Option<usize>,
    pub(in crate::document) key: NewKey,
    pub(in crate::document) value: Piece<'a, G>,
}

impl<'a, G: Grammar> NewChild<'a, G> {
    /// An element of a list.
    pub(in crate::document) fn element(at: Option<usize>, value: Piece<'a, G>) -> Self {
        NewChild { way: Vec::new(), at, key: NewKey::Position, value }
    }

    /// An element, or a member whose key `key` makes of its name, as a container of JSON takes it.
    pub(in crate::document) fn of_json(
        container: &RangeNode<'a, G>,
        step: &New,
        value: impl FnOnce() -> Result<Piece<'a, G>, Error>,
        key: impl FnOnce(&str) -> Result<Vec<u8>, Error>,
    ) -> Result<Self, Error> {
        match (container.open().map(|open| open.is_list), step) {
            (Some(true), New::Index(at)) => Ok(NewChild::element(*at, value()?)),
            (Some(true), _) => Err(Error::new("an element needs a position, such as [0] or [-]")),
            (Some(false), New::Name(name)) => {
                let (way, key) = (Vec::new(), NewKey::Bytes(key(name)?));
                Ok(NewChild { way, at: None, key, value: value()? })
            }
            (Some(false), _) => Err(Error::new("a member needs a name")),
            (None, _) => Err(Error::new("it is no container")),
        }
    }
}

/// A format's values over its syntax.
pub(in crate::document) trait Values: Grammar {
    /// Whether positions are parts of pointers, too.
    const IS_POINTER: bool = false;

    /// The member that says the position of an entry, where a rule is [`Rule::Numbered`].
    const NUMBER: &'static str = "";

    /// Returns the step to a child; `None` where the children of the child stand in its place.
    fn step<'g>(node: &RangeNode<'g, Self>, at: usize, child: &Listed<'g, Self>) -> Option<Step>;

    /// Returns the step by which exact paths lead to a child whose children stand in its place.
    fn hidden_step<'g>(node: &RangeNode<'g, Self>, child: &Listed<'g, Self>) -> Option<Step> {
        let _ = (node, child);
        None
    }

    /// Returns the parts of a value without children, such as the components of a vector.
    fn components<'g>(node: &RangeNode<'g, Self>) -> Vec<(Step, Extent<Self::Context<'g>>)> {
        let _ = node;
        Vec::new()
    }

    /// Whether paths lead to components as to other values; else only exact paths do.
    fn shows_components(node: &RangeNode<'_, Self>) -> bool {
        let _ = node;
        false
    }

    /// Returns the key of an entry as a value.
    fn key_node<'g>(
        node: &RangeNode<'g, Self>,
        child: &Listed<'g, Self>,
    ) -> Option<RangeNode<'g, Self>> {
        let _ = (node, child);
        None
    }

    /// Returns the kind, in the words of [`Edit`](crate::document::Edit).
    fn kind(node: &RangeNode<'_, Self>) -> String {
        Self::full_kind(node)
    }

    /// Returns the type, where it matters beside the children.
    fn full_kind(node: &RangeNode<'_, Self>) -> String;

    /// Returns the value in a few words.
    fn title(node: &RangeNode<'_, Self>) -> Option<String> {
        let _ = node;
        None
    }

    /// Returns whether the value is shown on one line, as nothing nests in what is in it.
    fn is_row(node: &RangeNode<'_, Self>) -> bool {
        Self::is_flat(node)
            || node.open().is_some_and(|open| open.is_list)
                && node.list().all(|(_, child)| Self::is_flat(&child))
    }

    /// Returns whether nothing nests in the value.
    fn is_flat(node: &RangeNode<'_, Self>) -> bool;

    /// Returns whether two flat values with other bytes are the same.
    fn is_flat_equal(own: &RangeNode<'_, Self>, other: &RangeNode<'_, Self>) -> bool;

    /// Returns whether two values are the same to the spelling.
    fn is_identical<'g>(own: &RangeNode<'g, Self>, other: &RangeNode<'g, Self>) -> bool {
        own.has_same_bytes(other)
    }

    /// Returns whether two values mean the same.
    fn is_equal<'g>(own: &RangeNode<'g, Self>, other: &RangeNode<'g, Self>) -> bool {
        own.has_equal_parts(other)
    }

    /// Returns a number that is the same for the same values; `None` for a value that is like no other.
    fn hash(node: &RangeNode<'_, Self>, hasher: &RandomState) -> Option<u64> {
        Some(super::bits::hash(node.all_bytes(), node.bits(), hasher))
    }

    /// Writes the value in readable form.
    fn write(node: &RangeNode<'_, Self>, out: &mut dyn fmt::Write) -> fmt::Result;

    /// Returns the value in the JSON notation.
    fn json(node: &RangeNode<'_, Self>) -> Result<Json, Error>;

    /// Returns the value as plain JSON.
    fn plain(node: &RangeNode<'_, Self>) -> Result<Json, Error> {
        Self::json(node)
    }

    /// Returns the value in the type of its format, where it is one of that.
    fn typed<'g>(node: &RangeNode<'g, Self>) -> Result<Option<Typed<'g>>, Error> {
        let _ = node;
        Ok(None)
    }

    /// Returns the value that a text stands for, where the text itself is only how it is written.
    fn nested<'g>(found: &Found<RangeNode<'g, Self>>) -> Option<document::Node<'g>> {
        let _ = found;
        None
    }

    /// Makes the value that is given in place of this one. Without `kind`, the kind stays.
    fn parse_value<'g>(
        node: &RangeNode<'g, Self>,
        new: Input<'_>,
        kind: Option<&str>,
    ) -> Result<Piece<'g, Self>, Error>;

    /// Makes the value with another component: at a position, in which there may be components again. `piece` is
    /// the value with those that were changed before.
    fn with_component<'g>(
        node: &RangeNode<'g, Self>,
        piece: Option<Piece<'g, Self>>,
        way: &[usize],
        new: Input<'_>,
        kind: Option<&str>,
    ) -> Result<Piece<'g, Self>, Error> {
        let _ = (node, piece, way, new, kind);
        Err(Error::new("it has no components"))
    }

    /// Makes the value without a component.
    fn without_component<'g>(
        node: &RangeNode<'g, Self>,
        at: usize,
    ) -> Result<Piece<'g, Self>, Error> {
        let _ = (node, at);
        Err(Error::new("it is a part of what is around it"))
    }

    /// Makes the key that is given in place of that of an entry.
    fn made_key(
        key: &RangeNode<'_, Self>,
        new: Input<'_>,
        kind: Option<&str>,
    ) -> Result<NewKey, Error> {
        match Self::parse_value(key, new, kind)? {
            Piece::Bytes { bytes, .. } => Ok(NewKey::Bytes(bytes)),
            Piece::Of(_) => Err(Error::new("it is no key")),
        }
    }

    /// Makes the child that is given for this container.
    fn new_child<'g>(
        node: &RangeNode<'g, Self>,
        step: &New,
        new: Input<'_>,
        kind: Option<&str>,
    ) -> Result<NewChild<'g, Self>, Error>;

    /// Makes of a value of another file, and of the key before it, what means the same in this one, `into`.
    fn adopted<'g>(
        node: &RangeNode<'g, Self>,
        key: Option<NewKey>,
        into: &RangeNode<'g, Self>,
    ) -> Result<(Option<NewKey>, Piece<'g, Self>), Error> {
        let _ = into;
        Ok((key, Piece::Of(*node)))
    }

    /// Returns why a child cannot be removed.
    fn must_stay(node: &RangeNode<'_, Self>, child: &Listed<'_, Self>) -> Option<String> {
        let _ = (node, child);
        None
    }

    /// Returns the text in which two containers agree that can take children of one another.
    fn container_type(node: &RangeNode<'_, Self>) -> String {
        Self::full_kind(node)
    }

    /// Returns how a member merges.
    fn rule(node: &RangeNode<'_, Self>, member: &Step) -> Rule {
        let _ = (node, member);
        Rule::Plain
    }

    /// Returns the members that tell the value from others in a list, the most telling first.
    fn identities(node: &RangeNode<'_, Self>) -> &'static [&'static str] {
        let _ = node;
        &["ID", "Id", "id", "Key", "key", "Name", "name"]
    }

    /// Returns whether the value says which thing elsewhere is meant: a list of such is a list of different things.
    fn is_reference(node: &RangeNode<'_, Self>) -> bool {
        let _ = node;
        false
    }

    /// Returns the name for people.
    fn name(node: &RangeNode<'_, Self>) -> Option<String> {
        let _ = node;
        None
    }

    /// Returns the names of which the value is one, if its type is such a list.
    fn choices(node: &RangeNode<'_, Self>) -> Vec<String> {
        let _ = node;
        Vec::new()
    }
}
