use crate::kind::Kind;
use crate::value::Value;

/// The names of a schema, which an explanation shows in place of numbers:
/// [`Options::explain_named`](crate::Options::explain_named). `()` knows nothing.
///
/// It is asked on the way through the bytes, from the outside to the inside, and only of what it said
/// to know. What it says changes words and paths alone: bytes are read without it.
///
/// ```
/// use zeze_serialize::explain::{Known, Names, Part};
/// use zeze_serialize::{Kind, Options};
///
/// /// One sort of bean: a player has a name, and friends who are players.
/// struct Players;
///
/// impl Names for Players {
///     type Place = ();
///
///     fn root(&self) -> Option<()> {
///         Some(())
///     }
///
///     fn field(&self, (): (), id: u32, kind: Kind) -> Known<'_, ()> {
///         match (id, kind) {
///             (1, Kind::Bytes) => Known::name("name"),
///             (2, Kind::List) => Known::name("friends").at(()),
///             _ => Known::NOTHING,
///         }
///     }
///
///     fn part(&self, (): (), part: Part) -> Option<()> {
///         (part == Part::Element(Kind::Bean)).then_some(())
///     }
/// }
///
/// let bytes = b"\x13\x01A\x14\x16\x13\x02Bo\x10\x05\x00\x00";
/// assert_eq!(Options::new().explain_named(bytes, &Players).to_string(), r#"
/// offset    bytes                    meaning                   value
/// 00000000  13                       name: string              "A"
/// 00000001  01                         length in bytes         1
/// 00000002  41                         text                    "A"
/// 00000003  14                       friends: list             1 element
/// 00000004  16                         list                    1 element of bean
/// 00000005  13                           name: string          "Bo"
/// 00000006  02                             length in bytes     2
/// 00000007  42 6f                          text                "Bo"
/// 00000009  10                           [field 2]: int        5
/// 0000000a  05                             integer             5
/// 0000000b  00                           end of the bean
/// 0000000c  00                       end of the bean
/// "#.trim_start());
/// ```
pub trait Names {
    /// The schema's entry for a value: its bean, or the type of its content.
    type Place: Copy;

    /// The bean of an input without frames.
    fn root(&self) -> Option<Self::Place> {
        None
    }

    /// The protocol of a frame, and the bean in it: the argument or, of an answer, the result.
    fn frame(&self, module_id: u32, protocol_id: u32, is_answer: bool) -> Known<'_, Self::Place> {
        let _ = (module_id, protocol_id, is_answer);
        Known::NOTHING
    }

    /// A field of a bean, which has this wire type in the data.
    ///
    /// An empty name says that the field is no step of paths: what is in it is shown as if it were in
    /// the bean itself, as the cells in the row of a table.
    fn field(&self, bean: Self::Place, id: u32, kind: Kind) -> Known<'_, Self::Place> {
        let _ = (bean, id, kind);
        Known::NOTHING
    }

    /// A part of a value.
    fn part(&self, place: Self::Place, part: Part) -> Option<Self::Place> {
        let _ = (place, part);
        None
    }

    /// The bean of a type id in a dynamic value.
    fn dynamic(&self, place: Self::Place, type_id: i64) -> Known<'_, Self::Place> {
        let _ = (place, type_id);
        Known::NOTHING
    }

    /// A key of a map that is no text, as paths show it; `None` for the way in which it is shown without
    /// a schema.
    fn key(&self, place: Self::Place, key: &Value) -> Option<String> {
        let _ = (place, key);
        None
    }
}

impl Names for () {
    type Place = ();
}

/// The name and place of a field, a frame or a bean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known<'a, P> {
    /// Its name; `None` shows its number.
    pub name: Option<&'a str>,
    /// The place of the value in it.
    pub place: Option<P>,
}

impl<'a, P> Known<'a, P> {
    /// Neither a name nor a place.
    pub const NOTHING: Self = Known { name: None, place: None };

    /// Returns a name without a place.
    pub const fn name(name: &'a str) -> Self {
        Known { name: Some(name), place: None }
    }

    /// Adds the place of the value in it.
    #[must_use]
    pub fn at(self, place: impl Into<Option<P>>) -> Self {
        Known { place: place.into(), ..self }
    }
}

/// A part of a value whose place is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The layer of a bean's base.
    Base,
    /// Each element of a list, by its wire type in the data.
    Element(Kind),
    /// Each key of a map, by the wire types of keys and values.
    Key(Kind, Kind),
    /// Each value of a map, by the wire types of keys and values.
    Value(Kind, Kind),
}
