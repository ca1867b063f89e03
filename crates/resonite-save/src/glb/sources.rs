//! The references of a save, and the bytes of its assets.

use std::collections::HashMap;

use crate::error::Shortened;
use crate::model::{Component, Member, SavedObject};

/// The components of a save and the assets beside it.
pub(super) struct Sources<'a, 'f> {
    components: HashMap<&'a str, Component<'a>>,
    find: &'f dyn Fn(&str) -> Option<&'a [u8]>,
}

/// An address and the bytes there, or a sentence that says why there are none.
pub(super) type Source<'a> = std::result::Result<(&'a str, &'a [u8]), String>;

impl<'a, 'f> Sources<'a, 'f> {
    pub(super) fn new(save: &'a SavedObject, find: &'f dyn Fn(&str) -> Option<&'a [u8]>) -> Self {
        let components = save.components().filter_map(|(_, own)| Some((own.id()?, own)));
        Sources { components: components.collect(), find }
    }

    /// The component that a member refers to.
    pub(super) fn target(&self, member: Option<Member<'a>>) -> Option<Component<'a>> {
        member?.target().and_then(|id| self.components.get(id).copied())
    }

    /// The asset that a component provides.
    pub(super) fn asset(&self, own: Component<'a>) -> Source<'a> {
        let url = own.member("URL").and_then(|member| member.url()).ok_or_else(|| {
            format!("what a {} provides has no address", Shortened(&own.short_name()))
        })?;
        let bytes = (self.find)(url);
        bytes.map(|bytes| (url, bytes)).ok_or_else(|| format!("{} is not there", shown(url)))
    }
}

/// The elements of a list.
pub(super) fn elements<'a>(own: Component<'a>, key: &str) -> impl Iterator<Item = Member<'a>> {
    let members = own.member(key).map(|list| list.members()).unwrap_or_default();
    members.into_iter().map(|(_, member)| member)
}

/// Characters of an address that are shown: those of a hash and what is around it, and more.
const MAX_SHOWN: usize = 200;

/// An address in a sentence.
pub(super) fn shown(url: &str) -> String {
    url.chars().take(MAX_SHOWN).collect()
}
