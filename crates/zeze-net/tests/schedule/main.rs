//! The tasks of a connection in many orders: each of these tests runs hundreds of times, with another
//! order of its tasks each time, and fails where one of them waits for ever.
//!
//! The crate's own modules are built into this program, over a `sync` whose mutex and tasks belong to the
//! scheduler. Nothing here waits for time.
#![allow(clippy::pedantic, clippy::restriction)]
#![allow(dead_code, unreachable_pub)]

#[path = "../../src/calls.rs"]
mod calls;
#[path = "../../src/client.rs"]
mod client;
#[path = "../../src/codec.rs"]
mod codec;
#[path = "../../src/config.rs"]
mod config;
#[path = "../../src/connection.rs"]
mod connection;
#[path = "../../src/der.rs"]
mod der;
#[path = "../../src/error.rs"]
mod error;
#[path = "../../src/handshake.rs"]
mod handshake;
#[path = "../../src/keys.rs"]
mod keys;
#[path = "../../src/message.rs"]
mod message;
#[path = "../../src/mppc.rs"]
mod mppc;
#[path = "../../src/zstd.rs"]
mod zstd;

/// The scheduler's mutex and tasks.
mod sync {
    pub(crate) use shuttle::future::{spawn, yield_now};
    pub(crate) use shuttle::sync::{Mutex, MutexGuard};

    use crate::keys::{Decryption, Keys};

    pub(crate) async fn decrypt(work: Box<Decryption>) -> crate::Result<Keys> {
        yield_now().await;
        Ok(work.keys())
    }

    pub(crate) async fn sleep_until(_: Option<tokio::time::Instant>) {
        std::future::pending().await
    }
}

pub use calls::CallId;
pub use client::{Incoming, Peer, over};
pub use config::{Compression, Config, Encryption, Opening};
pub use connection::{Connection, Event};
pub use error::{Error, ErrorKind, Result};
pub use handshake::Agreement;
pub use keys::{RsaPrivateKey, RsaPublicKey};

use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use shuttle::future::{block_on, spawn};
use shuttle::scheduler::{PctScheduler, RandomScheduler};
use zeze_serialize::frame::{Protocol, Rpc};

struct Echo;

impl Protocol for Echo {
    const MODULE_ID: u32 = 7;
    const PROTOCOL_ID: u32 = 1;
    type Argument = (i32, String);
}

impl Rpc for Echo {
    type Result = (i32, String);
}

/// Runs a test in many orders.
fn explore<F: Future<Output = Result<()>> + 'static>(test: fn() -> F) {
    let mut config = shuttle::Config::new();
    // As much as a thread of a debug build needs for serde.
    config.stack_size = 1 << 20;
    config.max_steps = shuttle::MaxSteps::FailAfter(1_000_000);
    let run = move || block_on(test()).expect("no error");
    shuttle::Runner::new(RandomScheduler::new_from_seed(7, 150), config.clone()).run(run);
    shuttle::Runner::new(PctScheduler::new_from_seed(7, 3, 150), config).run(run);
}

/// Two ends over a pipe of so many bytes.
async fn piped(
    len: usize,
    of_client: Config,
    of_server: Config,
) -> ((Peer, Incoming), (Peer, Incoming)) {
    let (near, far) = tokio::io::duplex(len);
    let random = |bytes: &mut [u8]| bytes.fill(9);
    let client = Connection::client(of_client, Duration::ZERO, random);
    let server = Connection::server(of_server, Duration::ZERO, random).unwrap();
    let client = spawn(over(near, client));
    let server = over(far, server).await.unwrap();
    (client.await.unwrap().unwrap(), server)
}

/// Answers calls until the other side closes; returns how many.
async fn serve(peer: Peer, mut incoming: Incoming) -> Result<usize> {
    let mut count = 0;
    while let Some(frame) = incoming.next().await? {
        let bean = frame.as_raw().read::<(i32, String)>()?;
        if frame.as_raw().header.is_request() {
            let answered = peer.respond(&frame, 0, bean);
            // Who has called may have closed by now.
            answered.or_else(|error| match error.kind() {
                ErrorKind::Closed => Ok(()),
                _ => Err(error),
            })?;
        }
        count += 1;
    }
    Ok(count)
}

#[test]
fn calls_are_answered_and_the_end_is_seen() {
    explore(|| async {
        let (client, server) = piped(24, Config::new(), Config::new()).await;
        let (client, incoming) = client;
        let ended = server.0.clone();
        let served = spawn(serve(server.0, server.1));
        let calls: Vec<_> = (0..3)
            .map(|n| {
                let client = client.clone();
                spawn(async move { client.call::<Echo>((n, "call".into())).await })
            })
            .collect();
        // A call that nobody waits for.
        let forgotten = Box::pin(client.call::<Echo>((9, "forgotten".into())));
        poll_once(forgotten).await;
        for (n, call) in calls.into_iter().enumerate() {
            assert_eq!(call.await.unwrap()?.bean.0, n as i32);
        }
        drop((client, incoming));
        assert_eq!(served.await.unwrap()?, 4);
        ended.closed().await
    });
}

/// Polls a future once and drops it.
async fn poll_once<F: Future + Unpin>(mut future: F) {
    std::future::poll_fn(|cx| Poll::Ready(Pin::new(&mut future).poll(cx).is_ready())).await;
}

#[test]
fn a_full_receiver_goes_on_and_loses_nothing() {
    explore(|| async {
        let small = Config::new().max_incoming(200);
        let (client, server) = piped(24, Config::new(), small).await;
        let served = spawn(serve(server.0, server.1));
        for n in 0..6 {
            client.0.send::<Echo>((n, "message".into()))?;
        }
        let called = client.0.call::<Echo>((6, "call".into())).await?;
        assert_eq!(called.bean.0, 6);
        client.0.send::<Echo>((7, "last".into()))?;
        drop(client);
        assert_eq!(served.await.unwrap()?, 8);
        Ok(())
    });
}

#[test]
fn who_no_longer_listens_stops_nothing() {
    explore(|| async {
        let small = Config::new().max_incoming(1);
        let (client, server) = piped(24, Config::new(), small).await;
        let sending = spawn(async move {
            for n in 0..4 {
                client.0.send::<Echo>((n, "message".into()))?;
            }
            Ok::<_, Error>(client)
        });
        // Full by then, or not yet.
        let closing = server.0.clone();
        let dropped = spawn(async move { drop(server.1) });
        let client = sending.await.unwrap()?;
        dropped.await.unwrap();
        let waits = client.0.clone();
        let waiting = spawn(async move { waits.closed().await });
        drop((closing, server.0));
        waiting.await.unwrap()?;
        let error = client.0.send::<Echo>((9, "late".into())).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Closed);
        Ok(())
    });
}

#[test]
fn many_frames_at_once_are_taken_in_turns() {
    explore(|| async {
        let (client, server) = piped(1 << 18, Config::new(), Config::new()).await;
        // More than one turn of the receiver, in a pipe that takes all of it.
        let served = spawn(serve(server.0, server.1));
        for n in 0..20 {
            client.0.send::<Echo>((n, "message ".repeat(500)))?;
        }
        drop(client);
        assert_eq!(served.await.unwrap()?, 20);
        Ok(())
    });
}
