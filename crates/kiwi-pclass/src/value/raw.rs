//! Objects and properties that the schema does not know, as bits.
use std::fmt;
use std::hash::{Hash, Hasher};

use gamewire_core::walk;

use super::Value;
use crate::read::Wire;
use crate::schema::{Class, Kind, Property};
use crate::types::SerializerFlags;
use crate::{Error, ErrorKind, Result};

/// Bits as they stood in the input, lowest bit of the first byte first.
///
/// They began at a byte, so that they mean the same wherever they begin at a byte again.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct RawBits {
    bytes: Box<[u8]>,
    len: usize,
    /// Of an object of shallow mode, whose bits mean nothing in the other one.
    pub(crate) is_shallow: bool,
    /// The flags with which they were read, if they were.
    pub(crate) flags: ReadFlags,
}

/// Flags that decide what bits mean; bits that are alike are equal under any.
#[derive(Clone, Copy, Default)]
pub(crate) struct ReadFlags(Option<u8>);

impl ReadFlags {
    pub(crate) fn new(wire: &Wire) -> Self {
        ReadFlags(u8::try_from(wire.layout().0).ok())
    }

    fn from_bits(bits: u8) -> Self {
        ReadFlags(Some(bits >> 1).filter(|_| bits & 1 != 0))
    }

    fn to_bits(self) -> u8 {
        self.0.map_or(0, |flags| flags << 1 | 1)
    }

    /// Returns an error if the bits mean something else to a writer.
    pub(crate) fn check(self, wire: &Wire) -> Result<()> {
        let flags = |own: u8| SerializerFlags(own.into());
        match (self.0, ReadFlags::new(wire).0) {
            (Some(own), Some(now)) if own != now => {
                let (own, now) = (flags(own), flags(now));
                let message = format!(
                    "bits that were read with the flags {own} cannot be written with {now}"
                );
                Err(Error::new(ErrorKind::Unsupported, message))
            }
            _ => Ok(()),
        }
    }
}

impl PartialEq for ReadFlags {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for ReadFlags {}

impl Hash for ReadFlags {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl RawBits {
    /// The first `len` bits of some bytes. What is left of the last byte is cleared, what is missing
    /// is zero.
    pub fn new(bytes: &[u8], len: usize) -> Self {
        let whole = len.div_ceil(8);
        let mut own = vec![0; whole];
        for (to, from) in own.iter_mut().zip(bytes) {
            *to = *from;
        }
        if let (Some(last), spare @ 1..) = (own.last_mut(), len & 7) {
            *last &= (1u8 << spare).wrapping_sub(1);
        }
        RawBits { bytes: own.into(), len, is_shallow: false, flags: ReadFlags::default() }
    }

    /// Number of bits.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no bit.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes; bits of the last one past the end are zero.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bits one by one, for tools that look into them.
    #[cfg(feature = "bitvec")]
    pub fn as_bits(&self) -> &bitvec::slice::BitSlice<u8, bitvec::order::Lsb0> {
        let bits = bitvec::slice::BitSlice::from_slice(&self.bytes);
        let own = bits.get(..self.len);
        debug_assert!(own.is_some(), "there are bytes for all bits");
        own.unwrap_or_default()
    }
}

impl fmt::Debug for RawBits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bits ", self.len)?;
        self.bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// An object of a class that the schema, or a Rust type, does not have.
///
/// An enum over classes can have it as its catch-all: the content of the variant that serde calls
/// `$unknown`. Such a variant takes the classes that no other variant is called like, those among them that
/// are derived from the class of another variant. In shallow mode the bits do not say where they end, so that
/// the schema must have the class; what is read in one mode is written in that mode only.
///
/// ```
/// use kiwi_pclass::value::RawObject;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Known {}
///
/// #[derive(Serialize, Deserialize)]
/// #[serde(rename = "class Base")]
/// enum Base {
///     #[serde(rename = "class Known")]
///     Known(Known),
///     #[serde(rename = "$unknown")]
///     Unknown(RawObject),
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RawObject {
    /// The class hash.
    pub hash: u32,
    /// The entries: everything after the object's size. In shallow mode the values, after the hash.
    pub bits: RawBits,
}

/// A hash that a schema did not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnknownHash<'v> {
    /// The class of the property with this hash; `None` where it is the hash of a class.
    pub class: Option<&'v str>,
    /// The hash.
    pub hash: u32,
}

impl Value {
    /// The hashes that the schema did not have when this was read with
    /// [`Unknown::Keep`](crate::Unknown::Keep), in the order in which they stand there.
    pub fn unknown_hashes(&self) -> Vec<UnknownHash<'_>> {
        let mut found = Vec::new();
        for value in self.objects() {
            match value {
                Value::Raw(raw) => found.push(UnknownHash { class: None, hash: raw.hash }),
                Value::Object(object) => {
                    let class = Some(object.class().name());
                    let hashes = object.fields().iter().filter_map(super::Field::unknown_hash);
                    found.extend(hashes.map(|hash| UnknownHash { class, hash }));
                }
                _ => {}
            }
        }
        found
    }

    /// The properties whose layout is not known, of which only the bits were read, each with its class and as
    /// often as it is present.
    pub fn unread_properties(&self) -> Vec<(&Class, &Property)> {
        let objects = self.objects().filter_map(Value::as_object);
        let properties = objects.flat_map(|object| {
            let class: &Class = object.class();
            let places = object.fields().iter().filter_map(super::Field::index);
            places.filter_map(move |at| Some((class, class.properties().get(at)?)))
        });
        properties.filter(|(_, own)| *own.kind() == Kind::Unsupported).collect()
    }

    /// The objects in it, of known classes or not, in the order in which they stand there.
    fn objects(&self) -> impl Iterator<Item = &Value> {
        walk::all(self).filter(|own| matches!(own, Value::Raw(_) | Value::Object(_)))
    }
}

/// The name of the variant for unknown classes.
pub(crate) const UNKNOWN_VARIANT: &str = "$unknown";

impl RawObject {
    pub(crate) fn pack(&self) -> Vec<u8> {
        let mut bytes = self.hash.to_le_bytes().to_vec();
        let len = u64::try_from(self.bits.len).unwrap_or(0);
        let flags = u64::from(self.bits.flags.to_bits()) << FLAGS;
        bytes.extend((len | flags | if self.bits.is_shallow { SHALLOW } else { 0 }).to_le_bytes());
        bytes.extend(&self.bits.bytes);
        bytes
    }

    pub(crate) fn unpack(bytes: &[u8]) -> Option<RawObject> {
        let (hash, rest) = bytes.split_first_chunk()?;
        let (len, rest) = rest.split_first_chunk()?;
        let word = u64::from_le_bytes(*len);
        let len = usize::try_from(word & !(SHALLOW | 0xff << FLAGS)).ok()?;
        let mut bits = RawBits::new(rest.get(..len.div_ceil(8))?, len);
        bits.is_shallow = word & SHALLOW != 0;
        bits.flags = ReadFlags::from_bits(u8::try_from(word >> FLAGS & 0xff).ok()?);
        let whole = len.div_ceil(8) == rest.len();
        whole.then(|| RawObject { hash: u32::from_le_bytes(*hash), bits })
    }
}

/// In the number of bits in the bytes of a raw object: it is of shallow mode.
const SHALLOW: u64 = 1 << 63;

/// Where the flags stand in it, with which the bits were read.
const FLAGS: u32 = 48;
