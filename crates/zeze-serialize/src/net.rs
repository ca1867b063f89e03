//! Connections: the handshake, encryption, compression, calls and their answers, without I/O.
//!
//! A [`Connection`] is one end of a connection. It is given the bytes that came
//! ([`receive`](Connection::receive)), tells what they mean ([`poll_event`](Connection::poll_event)),
//! has the bytes that are to be sent ([`poll_transmit`](Connection::poll_transmit)), and says when it
//! wants to be woken ([`poll_timeout`](Connection::poll_timeout)). It has neither a socket nor a clock,
//! so that it goes with threads, with any runtime, and with a test. What Zeze sends is described in
//! [section 14].
//!
//! With the feature `client` there are connections over `tokio`: `connect` and `accept`.
//!
//! ```
//! use std::time::Duration;
//!
//! use serde::{Deserialize, Serialize};
//! use zeze_serialize::frame::{Protocol, Rpc};
//! use zeze_serialize::net::{Compression, Config, Connection, Encryption, Event};
//!
//! #[derive(Serialize, Deserialize)]
//! struct BLogin {
//!     account: String,
//! }
//!
//! struct Login;
//! impl Protocol for Login {
//!     const MODULE_ID: u32 = 7;
//!     const PROTOCOL_ID: u32 = 191_096_504;
//!     type Argument = BLogin;
//! }
//! impl Rpc for Login {
//!     type Result = i64;
//! }
//!
//! # fn random(bytes: &mut [u8]) { bytes.fill(7) }
//! // Both ends, in one program. `random` fills a slice from the system's source of randomness.
//! let now = Duration::ZERO;
//! let config = Config::new()
//!     .encryption(Encryption::AesNoAddress)
//!     .compression(Compression::Mppc, Compression::Mppc);
//! let mut server = Connection::server(config, now, random)?;
//! let mut client = Connection::client(Config::new(), now, random)?;
//!
//! let mut players = Vec::new();
//! while players.is_empty() {
//!     while let Some(bytes) = server.poll_transmit() {
//!         client.receive(now, &bytes);
//!     }
//!     while let Some(event) = client.poll_event(now)? {
//!         match event {
//!             Event::Open(agreement) => {
//!                 assert_eq!(agreement.encryption, Encryption::AesNoAddress);
//!                 client.call::<Login>(now, BLogin { account: "Åsa".into() })?;
//!             }
//!             Event::Answer(frame) => players.push(frame.as_raw().read::<i64>()?),
//!             other => panic!("{other:?}"),
//!         }
//!     }
//!     while let Some(bytes) = client.poll_transmit() {
//!         server.receive(now, &bytes);
//!     }
//!     while let Some(event) = server.poll_event(now)? {
//!         // A server looks at the frame, and then decides what the bean is.
//!         if let Event::Call(frame) = event {
//!             assert!(Login::is(&frame.as_raw()));
//!             let login = frame.as_raw().read::<BLogin>()?;
//!             assert_eq!(login.account, "Åsa");
//!             server.respond(now, &frame, 0, 9)?;
//!         }
//!     }
//! }
//! assert_eq!(players, [9]);
//! # Ok::<(), zeze_serialize::Error>(())
//! ```
//!
//! [section 14]: https://github.com/gamewire/gamewire/blob/main/docs/formats/zeze-serialize.md#14-connections

mod calls;
#[cfg(all(feature = "client", not(all(target_family = "wasm", target_os = "unknown"))))]
mod client;
mod codec;
mod config;
mod connection;
mod der;
mod handshake;
mod keys;
mod message;
pub mod mppc;
pub mod zstd;

pub use calls::CallId;
#[cfg(all(feature = "client", not(all(target_family = "wasm", target_os = "unknown"))))]
#[cfg_attr(docsrs, doc(cfg(feature = "client")))]
pub use client::{Incoming, Peer, Reply, accept, connect, over};
pub use config::{Compression, Config, Encryption};
pub use connection::{Agreement, Connection, Event};
pub use keys::{RsaPrivateKey, RsaPublicKey};
