#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod calls;
#[cfg(all(feature = "client", not(all(target_family = "wasm", target_os = "unknown"))))]
mod client;
mod codec;
mod config;
mod connection;
mod der;
mod error;
mod handshake;
mod keys;
mod message;
pub mod mppc;
#[cfg(all(feature = "client", not(all(target_family = "wasm", target_os = "unknown"))))]
mod sync;
pub mod zstd;

pub use calls::CallId;
#[cfg(all(feature = "client", not(all(target_family = "wasm", target_os = "unknown"))))]
#[cfg_attr(docsrs, doc(cfg(feature = "client")))]
pub use client::{Connector, Incoming, Peer, Reply, accept, connect, over};
pub use config::{Compression, Config, Encryption, Opening};
pub use connection::{Connection, Event};
pub use error::{Error, ErrorKind, Result};
pub use handshake::Agreement;
pub use keys::{RsaPrivateKey, RsaPublicKey};
