//! A server over `zeze_net::accept`.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use zeze_net::{Config, Incoming, Peer, RsaPrivateKey, accept, connect};
use zeze_serialize::frame::{Frame, Framing, Protocol, Rpc};
use zeze_serialize::hash;

use crate::watch::Watch;
use crate::{Game, Outcome, attack};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Bean {
    text: String,
}

/// RSA, of 2048 bits.
const KEY: &[u8] = include_bytes!("../../../../testdata/zeze-serialize/net/server.pkcs8");

struct Echo;

impl Protocol for Echo {
    const MODULE_ID: u32 = 7;
    const PROTOCOL_ID: u32 = 1;
    type Argument = Bean;
}

impl Rpc for Echo {
    type Result = Bean;
}

/// Answers to nothing, packed by the method of this number, once for all.
macro_rules! packed {
    ($method:ident, $number:literal) => {
        |address, watch| {
            static PIECES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
            let pieces = PIECES.get_or_init(|| {
                let mut packer = zeze_net::$method::Compressor::new();
                let first = message("CHandshakeDone", &[0]);
                let mut pack = |bytes: &[u8]| {
                    let mut out = Vec::new();
                    packer.write(bytes, &mut out);
                    packer.flush(&mut out);
                    out
                };
                let answers = answer().repeat(100_000);
                let mut pieces = vec![pack(&[&first[..], &answers].concat())];
                pieces.extend((0..5).map(|_| pack(&answers)));
                pieces
            });
            opened(address, watch, &[0, $number], || pieces.iter().map(Vec::as_slice));
        }
    };
}

pub(crate) const GAME: Game = Game {
    name: "zeze",
    serve,
    honest,
    together: 100,
    attacks: &[
        ("silent", attack::silent),
        ("slow heads", |address, watch| attack::slow(address, watch, &[0; 12])),
        ("fleeting", attack::fleeting),
        ("garbage", attack::garbage),
        ("claims", |address, watch| {
            attack::again(address, watch, |stream| {
                stream.write_all(&message("CHandshake", &[0xff; 3]))?;
                stream.write_all(&[0xff; 4096])
            });
        }),
        ("RSA handshakes", |address, watch| {
            attack::again(address, watch, |stream| {
                read_message(stream)?;
                stream.write_all(&message("CHandshake", &rsa_choice()))?;
                // Until the server answers, with keys that nobody knows.
                stream.set_read_timeout(Some(Duration::from_secs(5)))?;
                read_message(stream)
            });
        }),
        ("RSA handshakes left at once", |address, watch| {
            attack::again(address, watch, |stream| {
                stream.write_all(&message("CHandshake", &rsa_choice()))
            });
        }),
        ("answers to nothing", |address, watch| {
            let answers = answer().repeat(1000);
            opened(address, watch, &[0, 0], || std::iter::repeat(&answers[..]));
        }),
        ("packed by Zstandard", packed!(zstd, 2)),
        ("packed by MPPC", packed!(mppc, 1)),
        ("readers of nothing", |address, watch| {
            let bean = Bean { text: "x".repeat(100_000) };
            let call = Frame::rpc_request(Echo::MODULE_ID, Echo::PROTOCOL_ID, 5, bean);
            let call = Framing::new().to_vec(&call).unwrap_or_default();
            opened(address, watch, &[0, 0], || std::iter::repeat(&call[..]));
        }),
    ],
};

fn runtime() -> io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()
}

fn serve() -> Outcome {
    runtime()?.block_on(async {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
        println!("{}", listener.local_addr()?);
        let key = RsaPrivateKey::from_pkcs8(KEY)?;
        loop {
            // No more files: some are closed before long.
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            };
            let config = Config::new().private_key(key.clone());
            tokio::spawn(async move {
                if let Ok((peer, incoming)) = accept(stream, config).await {
                    let _ = answers(&peer, incoming).await;
                }
            });
        }
    })
}

async fn answers(peer: &Peer, mut incoming: Incoming) -> zeze_net::Result<()> {
    while let Some(frame) = incoming.next().await? {
        if Echo::is(&frame.as_raw()) {
            let bean = frame.as_raw().read::<Bean>()?;
            peer.respond(&frame, 0, bean)?;
        }
    }
    Ok(())
}

fn honest(address: SocketAddr, watch: &Arc<Watch>, count: usize) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let clients = (0..count).map(|_| tokio::spawn(client(address, Arc::clone(watch))));
        for client in clients.collect::<Vec<_>>() {
            if let Err(fault) = client.await? {
                watch.failed(fault.to_string());
            }
        }
        Ok(())
    })
}

async fn client(address: SocketAddr, watch: Arc<Watch>) -> Outcome {
    let (peer, _incoming) = connect(address, Config::new()).await?;
    let bean = Bean { text: "hello".to_owned() };
    while watch.goes_on() {
        let asked = Instant::now();
        let reply = peer.call::<Echo>(bean.clone()).await?;
        if reply.bean != bean {
            return Err(format!("another answer: {reply:?}").into());
        }
        watch.answered(asked);
        tokio::time::sleep(watch.between()).await;
    }
    Ok(())
}

/// A client's choice of RSA, with an encrypted secret that is none.
fn rsa_choice() -> Vec<u8> {
    // Encryption 3; 256 bytes, a number of two bytes; no compressions.
    [&[3, 0x81, 0x00][..], &[7; 256], &[0, 0]].concat()
}

fn read_message(stream: &mut TcpStream) -> io::Result<()> {
    let mut head = [0; 12];
    stream.read_exact(&mut head)?;
    let [.., a, b, c, d] = head;
    let len = u32::from_le_bytes([a, b, c, d]);
    io::copy(&mut stream.take(len.into()), &mut io::sink()).map(drop)
}

/// A message of the handshake.
fn message(name: &str, bean: &[u8]) -> Vec<u8> {
    let id = hash::type_id(&format!("Zeze.Services.Handshake.{name}")).cast_unsigned();
    let id = (id >> 32) as u32 ^ id as u32;
    let len = u32::try_from(bean.len() + 1).unwrap_or(u32::MAX);
    let head = [0_u32.to_le_bytes(), id.to_le_bytes(), len.to_le_bytes()].concat();
    [&head[..], &[2], bean].concat()
}

/// An answer that nobody has asked for.
fn answer() -> Vec<u8> {
    let frame = Frame::rpc_response(Echo::MODULE_ID, Echo::PROTOCOL_ID, 1 << 40, 0, ());
    Framing::new().to_vec(&frame).unwrap_or_default()
}

/// Opens connections with the compressions that are chosen, to the client and to the server, and sends piece after
/// piece.
fn opened<'a, I: Iterator<Item = &'a [u8]>>(
    address: SocketAddr,
    watch: &Watch,
    compressions: &[u8; 2],
    pieces: impl Fn() -> I,
) {
    attack::again(address, watch, |stream: &mut TcpStream| {
        stream.read_exact(&mut [0; 12])?;
        let choice = [&[0, 0], &compressions[..]].concat();
        stream.write_all(&message("CHandshake", &choice))?;
        if compressions == &[0, 0] {
            stream.write_all(&message("CHandshakeDone", &[0]))?;
        }
        for piece in pieces().take_while(|_| watch.goes_on()) {
            stream.write_all(piece)?;
            watch.pause(20);
        }
        Ok(())
    });
}
