//! Which fields a type insists on.
//!
//! serde's derive ends with an error when a field without a default is absent, and by then nothing
//! can be added. So the error is caught, the field is remembered for the type's visitor, and the
//! text is read again; from then on such a field is given its zero value when it is absent. What is
//! learned depends on the types only, so this happens once for each field in each thread.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// One visitor type, told from others by where its name and fields are.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Key(usize, usize, usize);

impl Key {
    pub(crate) fn of<V>(fields: &'static [&'static str]) -> Key {
        let name = std::any::type_name::<V>();
        Key(name.as_ptr().addr(), name.len(), fields.as_ptr().addr())
    }
}

/// A field that must be given.
#[derive(Clone, Copy)]
pub(crate) struct Required {
    pub(crate) name: &'static str,
    /// Whether it has another name too.
    aliased: bool,
    /// Places in the list of names that are no other names of it, by bits.
    others: u128,
}

impl Required {
    /// Whether one of the names in `seen` may be another name of the field.
    pub(crate) fn may_be_there(&self, seen: u128) -> bool {
        self.aliased && seen & !self.others != 0
    }
}

/// The fields of one type that must be given.
pub(crate) type Names = Rc<[Required]>;

#[derive(Default)]
struct Learned {
    required: HashMap<Key, Names>,
    /// Fields that are no `Option`s: `{}` means their default.
    plain: HashMap<(Key, usize), bool>,
}

thread_local! {
    static LEARNED: RefCell<Learned> = RefCell::default();
}

/// The fields that must be given.
pub(crate) fn required(key: Key) -> Option<Names> {
    LEARNED.with_borrow(|learned| learned.required.get(&key).cloned())
}

/// Adds a field that was missing while the names in `seen` were there; `false` if nothing is new
/// about it, so that trying again is of no use.
pub(crate) fn learn_required(key: Key, name: &'static str, seen: u128) -> bool {
    change(key, |known| match known.iter_mut().find(|known| known.name == name) {
        None => {
            known.push(Required { name, aliased: false, others: seen });
            true
        }
        Some(field) => {
            let new = field.aliased && seen & !field.others != 0;
            field.others |= seen;
            new
        }
    })
}

/// A field that was given was there already, under another name. serde lists all names of all
/// fields in one row, so which of them that is shows only in time.
pub(crate) fn learn_alias(key: Key, name: &'static str) -> bool {
    change(key, |known| match known.iter_mut().find(|known| known.name == name) {
        Some(field) => !std::mem::replace(&mut field.aliased, true),
        None => false,
    })
}

fn change(key: Key, change: impl FnOnce(&mut Vec<Required>) -> bool) -> bool {
    LEARNED.with_borrow_mut(|learned| {
        let names = learned.required.entry(key).or_default();
        let mut known = names.to_vec();
        let changed = change(&mut known);
        *names = known.into();
        changed
    })
}

/// Whether a field is a pointer, for which `{}` is a new instance; `None` before it was seen.
pub(crate) fn is_pointer(key: Key, field: usize) -> Option<bool> {
    LEARNED.with_borrow(|learned| learned.plain.get(&(key, field)).copied())
}

pub(crate) fn learn_pointer(key: Key, field: usize, pointer: bool) {
    LEARNED.with_borrow_mut(|learned| learned.plain.insert((key, field), pointer));
}
