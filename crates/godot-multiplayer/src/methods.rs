//! The methods of a node that may be called from elsewhere.

use std::fmt;
use std::sync::Arc;

use md5::{Digest as _, Md5};

/// The peers that may call a method: the first word of `@rpc`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RpcMode {
    /// Only the authority of the node, the server unless the game chose another.
    #[default]
    Authority,
    /// Any peer.
    AnyPeer,
    /// No peer; the method still counts.
    Disabled,
}

/// How a packet is to be sent: `MultiplayerPeer.TransferMode`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TransferMode {
    /// Arrives, and in order.
    #[default]
    Reliable,
    /// May get lost; what comes late is dropped.
    UnreliableOrdered,
    /// May get lost, and come in any order.
    Unreliable,
}

/// One method with its `@rpc` annotation.
///
/// ```
/// use godot_multiplayer::{Method, RpcMode, TransferMode};
///
/// // @rpc("any_peer", "unreliable", 2)
/// let method =
///     Method::new("moved").mode(RpcMode::AnyPeer).transfer(TransferMode::Unreliable).channel(2);
/// assert_eq!(method.name(), "moved");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    pub(crate) name: Arc<str>,
    pub(crate) mode: RpcMode,
    pub(crate) transfer: TransferMode,
    pub(crate) channel: i32,
}

impl Method {
    /// A method as `@rpc` makes it: called by the authority, reliable, on channel 0.
    pub fn new(name: &str) -> Self {
        Method {
            name: name.into(),
            mode: RpcMode::default(),
            transfer: TransferMode::default(),
            channel: 0,
        }
    }

    /// Sets the peers that may call it.
    #[must_use]
    pub fn mode(mut self, mode: RpcMode) -> Self {
        self.mode = mode;
        self
    }

    /// How calls are sent.
    #[must_use]
    pub fn transfer(mut self, transfer: TransferMode) -> Self {
        self.transfer = transfer;
        self
    }

    /// On which channel calls are sent.
    #[must_use]
    pub fn channel(mut self, channel: i32) -> Self {
        self.channel = channel;
        self
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// All methods of a node with an `@rpc`, those of its base scripts included; both sides must have
/// the same.
///
/// Calls name a method by its number: the position among all, sorted by name.
///
/// ```
/// use godot_multiplayer::Methods;
///
/// let methods = Methods::new().any_peer("say").authority("hear");
/// assert_eq!((methods.id("hear"), methods.id("say")), (Some(0), Some(1)));
/// assert_eq!(methods.hash().to_string(), "9a77eedbefe2ea7eeda036b533b23e6f");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Methods {
    /// Sorted by name.
    script: Vec<Method>,
    native: Vec<Method>,
}

/// The bit of the numbers of methods that `Node.rpc_config` set.
const NATIVE: u16 = 1 << 15;

impl Methods {
    /// No methods.
    pub const fn new() -> Self {
        Methods { script: Vec::new(), native: Vec::new() }
    }

    /// Adds a method that any peer may call, reliably on channel 0.
    #[must_use]
    pub fn any_peer(self, name: &str) -> Self {
        self.method(Method::new(name).mode(RpcMode::AnyPeer))
    }

    /// Adds a method that only the authority of the node may call, reliably on channel 0.
    #[must_use]
    pub fn authority(self, name: &str) -> Self {
        self.method(Method::new(name))
    }

    /// Adds a method, or replaces that of the same name.
    #[must_use]
    pub fn method(mut self, method: Method) -> Self {
        insert(&mut self.script, method);
        self
    }

    /// Adds a method that `Node.rpc_config` configures, or replaces that of the same name. They have
    /// separate numbers.
    #[must_use]
    pub fn native(mut self, method: Method) -> Self {
        insert(&mut self.native, method);
        self
    }

    /// The number of a method.
    pub fn id(&self, name: &str) -> Option<u16> {
        self.find(name).map(|(id, _)| id)
    }

    /// The method with a number.
    pub fn get(&self, id: u16) -> Option<&Method> {
        let (list, index) = match id & NATIVE {
            0 => (&self.script, id),
            _ => (&self.native, id & !NATIVE),
        };
        list.get(usize::from(index))
    }

    /// A script's method hides a native one of the same name.
    pub(crate) fn find(&self, name: &str) -> Option<(u16, &Method)> {
        let find = |list: &'_ [Method], bit: u16| {
            let at = list.binary_search_by(|own| (*own.name).cmp(name)).ok()?;
            Some((at, u16::try_from(at).ok().filter(|id| *id < NATIVE)? | bit))
        };
        let (list, (at, id)) = match find(&self.script, 0) {
            Some(found) => (&self.script, found),
            None => (&self.native, find(&self.native, NATIVE)?),
        };
        list.get(at).map(|method| (id, method))
    }

    /// The check sum that peers compare.
    pub fn hash(&self) -> MethodsHash {
        let methods = self.native.iter().chain(&self.script);
        let mut md5 = Md5::new();
        methods.for_each(|method| md5.update(method.name.as_bytes()));
        MethodsHash(digits(md5.finalize().into()))
    }
}

/// The lower-case hexadecimal digits of a hash.
fn digits(hash: [u8; 16]) -> [u8; 32] {
    let mut digits = [b'0'; 32];
    let (pairs, _) = digits.as_chunks_mut::<2>();
    for (pair, byte) in pairs.iter_mut().zip(hash) {
        let digit = |half: u8| if half < 10 { half | b'0' } else { half.saturating_add(b'a' - 10) };
        *pair = [digit(byte >> 4), digit(byte & 15)];
    }
    digits
}

fn insert(list: &mut Vec<Method>, method: Method) {
    // Names compare by code points in the engine, and so do the bytes of UTF-8.
    match list.binary_search_by(|own| own.name.cmp(&method.name)) {
        Ok(at) => {
            if let Some(place) = list.get_mut(at) {
                *place = method;
            }
        }
        Err(at) => list.insert(at, method),
    }
}

/// The check sum of a node's methods: the MD5 of all their names, one after another.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct MethodsHash(
    /// The 32 hexadecimal digits, as they are sent.
    pub [u8; 32],
);

impl fmt::Display for MethodsHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.escape_ascii().fmt(f)
    }
}

impl fmt::Debug for MethodsHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MethodsHash({self})")
    }
}
