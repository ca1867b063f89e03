//! The tests of zeze-net: sessions of the reference, the handshake, limits, hostile bytes.
// A test that overflows, panics or indexes out of range fails, as it should.
#![allow(clippy::pedantic, clippy::restriction)]

#[cfg(feature = "client")]
mod client;
#[cfg(feature = "client")]
mod docs;
mod errors;
mod handshake;
mod hostile;
mod mppc;
#[cfg(feature = "client")]
mod servers;
mod sessions;
mod support;
mod zstd;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use zeze_net::Result;
use zeze_net::{Config, Connection, Event};
use zeze_serialize::frame::{Protocol, Rpc};

/// The bean of the recorded sessions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Bean {
    pub(crate) text: String,
    pub(crate) n: i32,
    #[serde(with = "serde_bytes")]
    pub(crate) blob: Vec<u8>,
}

impl Bean {
    pub(crate) fn new(text: &str, n: i32) -> Self {
        Bean { text: text.into(), n, blob: Vec::new() }
    }
}

pub(crate) struct Echo;
impl Protocol for Echo {
    const MODULE_ID: u32 = 7;
    const PROTOCOL_ID: u32 = 1;
    type Argument = Bean;
}
impl Rpc for Echo {
    type Result = Bean;
}

pub(crate) struct Notice;
impl Protocol for Notice {
    const MODULE_ID: u32 = 7;
    const PROTOCOL_ID: u32 = 2;
    type Argument = Bean;
}

pub(crate) struct Ask;
impl Protocol for Ask {
    const MODULE_ID: u32 = 7;
    const PROTOCOL_ID: u32 = 3;
    type Argument = Bean;
}
impl Rpc for Ask {
    type Result = Bean;
}

/// `Zeze.Services.Handshake.KeepAlive`.
pub(crate) struct KeepAlive;
impl Protocol for KeepAlive {
    const MODULE_ID: u32 = 0;
    const PROTOCOL_ID: u32 = 4_111_614_688;
    type Argument = ();
}
impl Rpc for KeepAlive {
    type Result = ();
}

pub(crate) const NOW: Duration = Duration::ZERO;

/// The "random" bytes of the recorded sessions. Java draws one byte more for an exponent, of which the
/// first one does not count.
pub(crate) fn seeded(seed: u8) -> impl FnMut(&mut [u8]) + Send + 'static {
    move |bytes| {
        let first = u8::from(bytes.len() == 16);
        for (index, byte) in bytes.iter_mut().enumerate() {
            let index = (index as u8).wrapping_add(first);
            *byte = seed.wrapping_add(index.wrapping_mul(7)).wrapping_add(1);
        }
    }
}

pub(crate) fn client(config: Config) -> Connection {
    Connection::client(config, NOW, seeded(3))
}

pub(crate) fn server(config: Config) -> Connection {
    Connection::server(config, NOW, seeded(100)).unwrap()
}

/// All that can be sent.
pub(crate) fn sent(connection: &mut Connection) -> Vec<u8> {
    connection.poll_transmit().unwrap_or_default()
}

/// All that has happened.
pub(crate) fn events(connection: &mut Connection) -> Result<Vec<Event>> {
    let mut events = Vec::new();
    while let Some(event) = connection.poll_event(NOW)? {
        events.push(event);
    }
    Ok(events)
}

/// Gives bytes to a connection, and returns what they lead to.
pub(crate) fn given(connection: &mut Connection, bytes: &[u8]) -> Result<Vec<Event>> {
    connection.receive(NOW, bytes);
    events(connection)
}

/// Both ends of an open connection.
pub(crate) fn open(of_client: Config, of_server: Config) -> (Connection, Connection) {
    let (mut client, mut server) = (client(of_client), server(of_server));
    while !client.is_open() || !server.is_open() {
        let (to_client, to_server) = (sent(&mut server), sent(&mut client));
        assert!(to_client.len() + to_server.len() > 0, "{client:?} {server:?}");
        given(&mut client, &to_client).unwrap();
        given(&mut server, &to_server).unwrap();
    }
    (client, server)
}
