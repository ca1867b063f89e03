//! The hashes that stand for classes and properties in the bytes
//! ([description](https://github.com/gamewire/gamewire/blob/main/docs/formats/kiwi-pclass.md#hashes)).
//!
//! Everything here is `const`: [`hash!`](crate::hash!) and [`property_hash!`](crate::property_hash!)
//! give the number at compile time.
//!
//! ```
//! use kiwi_pclass::hash::{Game, string_id};
//! use kiwi_pclass::{hash, property_hash};
//!
//! const CORE_OBJECT: u32 = hash!("class CoreObject");
//! assert_eq!(CORE_OBJECT, 1_152_306_685);
//! assert_eq!(CORE_OBJECT, string_id(b"class CoreObject"));
//! assert_eq!(property_hash!("std::string", "m_filename"), 3_117_322_428);
//! // Pirate101 hashes the names of types in another way.
//! assert_ne!(Game::Pirate101.class_hash("class CoreObject"), CORE_OBJECT);
//! ```

/// Which game's hashes are meant. The rest of the format is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Game {
    /// Wizard101: names of types are hashed by [`string_id`].
    #[default]
    Wizard101,
    /// Pirate101: names of types are hashed by [`djb2`].
    Pirate101,
}

impl Game {
    /// The game whose hashes these are not.
    pub(crate) const fn other(self) -> Game {
        match self {
            Game::Wizard101 => Game::Pirate101,
            Game::Pirate101 => Game::Wizard101,
        }
    }

    /// The number that stands for a class: of its whole C++ name, `class CoreObject`.
    #[must_use]
    pub const fn class_hash(self, name: &str) -> u32 {
        match self {
            Game::Wizard101 => string_id(name.as_bytes()),
            Game::Pirate101 => djb2(name.as_bytes()),
        }
    }

    /// The number that stands for a property in deep mode: of its C++ type as type lists spell it
    /// (`class SharedPointer<class X>`; the element's type for containers) and of its name.
    #[must_use]
    pub const fn property_hash(self, type_name: &str, name: &str) -> u32 {
        self.class_hash(type_name).wrapping_add(djb2(name.as_bytes()))
    }
}

/// KingsIsle's string id: bytes less 32, rotated by five bits more each, xored; absolute value as
/// `i32`. The empty text is 0.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "bounded by `len`")]
pub const fn string_id(text: &[u8]) -> u32 {
    let mut state = 0u32;
    let mut at = 0usize;
    let mut turn = 0u32;
    while at < text.len() {
        let value = (text[at] as i32 - 32).cast_unsigned();
        state ^= value.rotate_left(turn);
        turn = (turn + 5) & 31;
        at += 1;
    }
    if state & 0x8000_0000 != 0 { state.wrapping_neg() } else { state }
}

/// `djb2`: 5381, times 33 plus each byte, without the top bit.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "bounded by `len`")]
pub const fn djb2(text: &[u8]) -> u32 {
    let mut state = 5381u32;
    let mut at = 0usize;
    while at < text.len() {
        state = state.wrapping_mul(33).wrapping_add(text[at] as u32);
        at += 1;
    }
    state & 0x7fff_ffff
}

/// The hash of a class name, at compile time: `hash!("class CoreObject")`, or
/// `hash!(Pirate101, "class CoreObject")`.
#[macro_export]
macro_rules! hash {
    ($name:expr) => {
        const { $crate::hash::Game::Wizard101.class_hash($name) }
    };
    ($game:ident, $name:expr) => {
        const { $crate::hash::Game::$game.class_hash($name) }
    };
}

/// The hash of a property, at compile time: `property_hash!("unsigned int", "m_id")`, or
/// `property_hash!(Pirate101, "unsigned int", "m_id")`.
#[macro_export]
macro_rules! property_hash {
    ($type_name:expr, $name:expr) => {
        const { $crate::hash::Game::Wizard101.property_hash($type_name, $name) }
    };
    ($game:ident, $type_name:expr, $name:expr) => {
        const { $crate::hash::Game::$game.property_hash($type_name, $name) }
    };
}
