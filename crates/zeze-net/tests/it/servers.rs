//! What one client can make a server do.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use zeze_net::{
    Compression, Config, Connection, Encryption, Event, Opening, RsaPrivateKey, RsaPublicKey, mppc,
    over,
};
use zeze_net::{ErrorKind, Result};
use zeze_serialize::frame::{Frame, Framing, Protocol};

use super::{Bean, Echo, NOW, Notice, client, events, given, open, seeded, sent, server};
use crate::support::{hex, testdata};

/// A choice of compressions, to the client and to the server, without encryption.
fn choice(to_client: u8, to_server: u8) -> Vec<u8> {
    chosen(vec![0, 0, to_client, to_server])
}

fn chosen(numbers: Vec<u8>) -> Vec<u8> {
    let id = zeze_serialize::hash::type_id("Zeze.Services.Handshake.CHandshake");
    let protocol = (id as u64 >> 32) as u32 ^ id as u32;
    // Bare numbers and bytes, no bean.
    let numbers = zeze_serialize::RawBean::new_unchecked(numbers);
    Framing::new().to_vec(&Frame::protocol(0, protocol, numbers)).unwrap()
}

/// An answer that nobody called for.
fn answer() -> Vec<u8> {
    Framing::new().to_vec(&Frame::rpc_response(7, 1, 300_000, 0, ())).unwrap()
}

/// A server that is open, with what the client sends packed by MPPC, and the client's compressor.
fn packed(config: Config) -> (Connection, mppc::Compressor) {
    let mut server = server(config);
    given(&mut server, &choice(0, 1)).unwrap();
    sent(&mut server);
    let (mut compressor, mut done) = (mppc::Compressor::new(), Vec::new());
    compressor.write(&hex("00000000 26fc0671 02000000 0200"), &mut done);
    compressor.flush(&mut done);
    assert!(matches!(given(&mut server, &done).unwrap()[..], [Event::Open(_)]));
    (server, compressor)
}

#[test]
fn answers_that_nobody_called_for_end_the_connection() {
    let (_, mut server) = open(Config::new(), Config::new());
    assert_eq!(given(&mut server, &answer().repeat(64)).unwrap().len(), 64);
    server.receive(NOW, &answer().repeat(1000));
    let error = events(&mut server).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::CallLimit);
    assert_eq!(
        error.to_string(),
        "expected answers to calls, found 65 to nothing, and max_unexpected is 64"
    );
    assert!(events(&mut server).unwrap().is_empty());
    let (_, mut none) = open(Config::new(), Config::new().max_unexpected(0));
    assert!(given(&mut none, &answer()).is_err());

    // Answers that come too late do not count, nor do those to frames.
    let (mut client, mut server) = open(Config::new(), Config::new().max_unexpected(0));
    let mut calls = Vec::new();
    for n in 0..200 {
        let id = server.call::<Echo>(NOW, Bean::new("late", n)).unwrap();
        match n % 3 {
            0 => assert!(server.forget(id)),
            1 => server.send_frame(NOW, &Echo::request(1000 + i64::from(n))).unwrap(),
            _ => {}
        }
    }
    for event in given(&mut client, &sent(&mut server)).unwrap() {
        let Event::Call(call) = event else { panic!("{event:?}") };
        calls.push(call);
    }
    assert_eq!(calls.len(), 267);
    let times = std::iter::from_fn(|| server.poll_timed_out(Duration::from_secs(60))).count();
    assert_eq!(times, 133);
    for call in &calls {
        client.respond(NOW, call, 0, Bean::default()).unwrap();
    }
    let late = given(&mut server, &sent(&mut client)).unwrap();
    assert_eq!(late.len(), 267);
    assert!(late.iter().all(|event| matches!(event, Event::Unexpected(_))));
    assert!(given(&mut server, &answer()).is_err());
}

impl Echo {
    fn request(session_id: i64) -> Frame<'static, Bean> {
        Frame::rpc_request(7, 1, session_id, Bean::default())
    }
}

#[test]
fn a_client_chooses_among_the_compressions_that_are_taken() {
    let agreed = |config: Config, to_client, to_server| {
        let mut server = server(config);
        given(&mut server, &choice(to_client, to_server)).unwrap();
        // The last numbers of the result: to the client, to the server, the encryption.
        sent(&mut server).iter().rev().skip(1).take(2).copied().collect::<Vec<_>>()
    };
    use Compression::{Mppc, None, Zstd};
    const ALL: &[Compression] = &[None, Mppc, Zstd];
    // As numbers, to the server and to the client.
    assert_eq!(agreed(Config::new(), 2, 2), [0, 0]);
    assert_eq!(agreed(Config::new(), 1, 0), [0, 1]);
    assert_eq!(agreed(Config::new().compression(Mppc, Mppc), 2, 2), [1, 1]);
    assert_eq!(agreed(Config::new().compression(None, Zstd), 2, 2), [2, 0]);
    assert_eq!(agreed(Config::new().take_compressions(ALL), 2, 2), [2, 2]);
    assert_eq!(agreed(Config::new().take_compressions(&[None]), 1, 1), [0, 0]);
}

#[test]
fn few_bytes_do_not_unpack_to_many() {
    let frame =
        Framing::new().to_vec(&Notice::message(Bean::new(&"x".repeat(60 << 10), 1))).unwrap();
    let flood = |config: Config| {
        let (mut server, mut compressor) = packed(config);
        let mut bytes = Vec::new();
        for _ in 0..400 {
            compressor.write(&frame, &mut bytes);
        }
        compressor.flush(&mut bytes);
        let len = bytes.len();
        server.receive(NOW, &bytes);
        let mut count = 0_usize;
        loop {
            match server.poll_event(NOW) {
                Ok(Some(_)) => count += 1,
                Ok(None) => return (len, count, None),
                Err(error) => return (len, count, Some(error)),
            }
        }
    };
    let (len, count, error) = flood(Config::new());
    let error = error.unwrap();
    assert_eq!(error.kind(), ErrorKind::Compression);
    assert!(error.to_string().contains("and max_ratio is 256"), "{error}");
    // Two frames of the largest size, and so many for each byte.
    let most = (4 << 20) + 256 * (len + 200);
    assert!((4 << 20..most).contains(&(count * frame.len())), "{count} of {len} bytes");
    assert_eq!(flood(Config::new().max_ratio(1 << 20)).1, 400);
    // A client trusts its server.
    let of_server = Config::new().compression(Compression::Mppc, Compression::None);
    let (mut client, mut server) = open(Config::new(), of_server.max_output(64 << 20));
    for _ in 0..100 {
        for _ in 0..4 {
            server.send::<Notice>(NOW, Bean::new(&"x".repeat(60 << 10), 1)).unwrap();
        }
        assert_eq!(given(&mut client, &sent(&mut server)).unwrap().len(), 4);
    }
}

#[test]
fn http_is_said_alike_however_it_comes() {
    for bytes in [
        &b"HTTP/1.1 400 Bad Request\r\n\r\n"[..],
        b"GET / HTTP/1.1\r\n",
        b"GET /\x1b[2J\x07\xff\0and much more \x1b]8;;x",
        b"POST /\r\n\r\n\xe2\x80\xae",
    ] {
        let whole = given(&mut client(Config::new()), bytes).unwrap_err().to_string();
        for size in 1..bytes.len() {
            let mut client = client(Config::new());
            let error = bytes.chunks(size).find_map(|piece| given(&mut client, piece).err());
            assert_eq!(error.unwrap().to_string(), whole, "in pieces of {size}");
        }
        assert!(whole.starts_with("expected the message SHandshake0, found HTTP: `"), "{whole}");
        assert!(whole.is_ascii() && !whole.contains(|letter: char| letter.is_control()), "{whole}");
        assert!(whole.len() < 120, "{whole}");
    }
    let error = given(&mut client(Config::new()), b"HTTP/1.1 503 x").unwrap_err().to_string();
    assert!(error.contains("`HTTP/1.1 503`"), "{error}");
}

fn pkcs8() -> Vec<u8> {
    std::fs::read(testdata("net/server.pkcs8")).unwrap()
}

/// The places of the integers in a key in PKCS #8: all after the head of the inner sequence.
fn integers(der: &[u8]) -> Vec<std::ops::Range<usize>> {
    // The outer sequence, the version, the algorithm, the octets, the inner sequence.
    let mut at = 4 + 3 + 15 + 4 + 4;
    let mut found = Vec::new();
    while at < der.len() {
        assert_eq!(der[at], 2, "an integer");
        let (start, len) = match der[at + 1] {
            0x82 => (at + 4, usize::from(u16::from_be_bytes([der[at + 2], der[at + 3]]))),
            0x81 => (at + 3, usize::from(der[at + 2])),
            len => (at + 2, usize::from(len)),
        };
        found.push(start..start + len);
        at = start + len;
    }
    found
}

#[test]
fn a_key_with_primes_decrypts_as_one_without() {
    let der = pkcs8();
    let numbers = integers(&der);
    assert_eq!(numbers.len(), 9);
    let number = |index: usize| &der[numbers[index].clone()];
    let keys = [
        RsaPrivateKey::from_pkcs8(&der).unwrap(),
        RsaPrivateKey::new(number(1), number(3)).unwrap(),
    ];
    for seed in 0..8 {
        for key in &keys {
            let config = Config::new().private_key(key.clone()).encryption(Encryption::RsaAes);
            let public = RsaPublicKey::new(number(1)).unwrap();
            let of_client = Config::new().server_key(public);
            let mut server = server(config);
            let mut client = Connection::client(of_client, NOW, seeded(seed));
            given(&mut client, &sent(&mut server)).unwrap();
            given(&mut server, &sent(&mut client)).unwrap();
            given(&mut client, &sent(&mut server)).unwrap();
            assert!(matches!(
                given(&mut server, &sent(&mut client)).unwrap()[..],
                [Event::Open(_)]
            ));
        }
    }
    // Numbers that do not belong together are no key: it would answer, and understand nobody.
    for place in &numbers[4..] {
        for at in [place.start + 1, place.end - 1] {
            let mut spoilt = der.clone();
            spoilt[at] ^= 2;
            let error = RsaPrivateKey::from_pkcs8(&spoilt).unwrap_err();
            assert_eq!(error.to_string(), "expected an RSA key whose numbers belong together");
        }
    }
}

/// Runs on one thread beside a task that counts its turns.
fn counted<T>(test: impl Future<Output = Result<T>>) -> (T, usize) {
    let turns = Rc::new(Cell::new(0_usize));
    let counting = Rc::clone(&turns);
    let count = async move {
        loop {
            counting.set(counting.get() + 1);
            tokio::task::yield_now().await;
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let done = runtime.block_on(async {
        tokio::select! { done = limited(test) => done, () = count => unreachable!() }
    });
    (done, turns.get())
}

async fn limited<T>(test: impl Future<Output = Result<T>>) -> T {
    tokio::time::timeout(Duration::from_secs(60), test).await.unwrap().unwrap()
}

#[test]
fn a_flood_leaves_the_others_their_turns() {
    // 300 000 messages, or answers, in a few KB.
    let flood = |frame: Vec<u8>| {
        let (mut compressor, mut bytes) = (mppc::Compressor::new(), choice(0, 1));
        compressor.write(&hex("00000000 26fc0671 02000000 0200"), &mut bytes);
        let frames = frame.repeat(1000);
        for _ in 0..300 {
            compressor.write(&frames, &mut bytes);
        }
        compressor.flush(&mut bytes);
        assert!(bytes.len() < 64 << 10, "{} bytes", bytes.len());
        bytes
    };
    let notice = Framing::new().to_vec(&Notice::message(Bean::new("", 0))).unwrap();
    for frame in [notice, answer()] {
        let config = Config::new().max_unexpected(usize::MAX).max_ratio(usize::MAX);
        let bytes = flood(frame);
        let ((), turns) = counted(async {
            let (near, mut far) = tokio::io::duplex(1 << 20);
            far.write_all(&bytes).await?;
            let server = Connection::server(config, NOW, seeded(1))?;
            let (peer, incoming) = over(near, server).await?;
            drop(incoming);
            far.shutdown().await?;
            let mut rest = Vec::new();
            far.read_to_end(&mut rest).await?;
            peer.closed().await
        });
        // At most 256 frames, or 64 KiB, in a turn.
        assert!(turns > 300_000 / 256, "{turns} turns");
    }
    // By default such a client is gone after 65 answers.
    let bytes = flood(answer());
    let (error, turns) = counted(async {
        let (near, mut far) = tokio::io::duplex(1 << 20);
        far.write_all(&bytes).await?;
        let (peer, _incoming) =
            over(near, Connection::server(Config::new(), NOW, seeded(1))?).await?;
        Ok(peer.closed().await.unwrap_err())
    });
    assert_eq!(error.kind(), ErrorKind::CallLimit, "{error}");
    assert!(turns < 1000, "{turns} turns");
}

#[test]
fn keys_are_decrypted_beside_the_runtime() {
    let ((), turns) = counted(async {
        let key = RsaPrivateKey::from_pkcs8(&pkcs8())?;
        for _ in 0..20 {
            let (near, far) = tokio::io::duplex(1 << 12);
            let of_client = Config::new().server_key(key.public_key().clone());
            let of_server = Config::new().private_key(key.clone()).encryption(Encryption::RsaAes);
            let server = Connection::server(of_server, NOW, seeded(1))?;
            let client = Connection::client(of_client, NOW, seeded(2));
            let (client, (server, mut incoming)) =
                tokio::try_join!(over(near, client), over(far, server))?;
            assert_eq!(server.agreement().encryption, Encryption::RsaAes);
            client.0.send::<Notice>(Bean::new("secret", 1))?;
            let frame = incoming.next().await?.expect("a message");
            assert!(Notice::is(&frame.as_raw()));
        }
        Ok(())
    });
    // Ten turns each without the milliseconds that a key takes, in which a busy machine has few.
    assert!(turns > 400, "{turns} turns");
}

/// While keys are decrypted the handshake goes on: nothing is kept alive, and nothing is open.
#[test]
fn a_connection_is_not_open_before_its_keys_are_decrypted() {
    counted(async {
        let key = RsaPrivateKey::from_pkcs8(&pkcs8())?;
        for _ in 0..5 {
            let (near, far) = tokio::io::duplex(1 << 12);
            let of_client = Config::new().server_key(key.public_key().clone());
            let of_server = Config::new().private_key(key.clone()).encryption(Encryption::RsaAes);
            // Far less than the milliseconds that a key takes.
            let of_server = of_server.keep_alive(Duration::from_micros(50));
            let server = Connection::server(of_server, NOW, seeded(1))?;
            let client = Connection::client(of_client, NOW, seeded(2));
            let ((client, _incoming), (server, _other)) =
                tokio::try_join!(over(near, client), over(far, server))?;
            assert_eq!(server.agreement().encryption, Encryption::RsaAes);
            assert_eq!(client.agreement(), server.agreement());
        }
        Ok(())
    });
}

#[test]
fn who_leaves_gets_no_keys() {
    counted(async {
        let (near, mut far) = tokio::io::duplex(1 << 12);
        let config = Config::new().private_key(RsaPrivateKey::from_pkcs8(&pkcs8())?);
        let told = [&[3, 0x81, 0][..], &[7; 256], &[0, 0]].concat();
        far.write_all(&chosen(told)).await?;
        far.shutdown().await?;
        let server = over(near, Connection::server(config.clone(), NOW, seeded(1))?);
        let error = server.await.unwrap_err().to_string();
        assert!(error.starts_with("expected the message CHandshakeDone, found the end"), "{error}");
        let mut came = Vec::new();
        far.read_to_end(&mut came).await?;
        // No more than the offer.
        let offer = sent(&mut Connection::server(config, NOW, seeded(1))?);
        assert!(offer.starts_with(&came), "{came:?}");
        Ok(())
    });
}

/// A connection whose server has done with it only sends what waits: what still comes is not looked at.
#[test]
fn what_waits_is_sent_whatever_comes() {
    counted(async {
        let (near, mut far) = tokio::io::duplex(1 << 12);
        let config = Config::new().opening(Opening::AtOnce);
        let (peer, incoming) = over(near, Connection::server(config, NOW, seeded(1))?).await?;
        let text = "x".repeat(100_000);
        peer.send::<Notice>(Bean::new(&text, 1))?;
        drop((peer, incoming));
        // The head of a frame that is too large.
        far.write_all(&[0xff; 12]).await?;
        let mut came = Vec::new();
        far.read_to_end(&mut came).await?;
        assert!(came.len() > text.len(), "{} bytes", came.len());
        Ok(())
    });
}
