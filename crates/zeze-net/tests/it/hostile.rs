//! Hostile bytes, at every step of a connection.

use std::cell::Cell;

use gamewire_testkit::hostile::{self, Hostile, Limits};
use zeze_net::{Compression, Config, Connection, Encryption, Event};
use zeze_net::{Error, ErrorKind, Result};
use zeze_serialize::frame::{Frame, Framing};

use super::{Bean, NOW, client, given, seeded, sent, server};
use crate::support::{hex, testdata};

/// A table of a compressor, and what keys take.
const BASE: u64 = 512 << 10;

fn limits() -> Limits {
    Limits { base: BASE, ..Limits::default() }
}

/// Every cut and flip of a stream, of which any may be a stream as well.
fn changed<'a>(kit: &mut Hostile<'a>, name: &str, stream: &[u8]) {
    kit.accepted(name, stream);
    kit.cases(name, hostile::truncations(name, stream));
    kit.cases(name, hostile::bit_flips(name, stream));
    kit.cases(name, hostile::mutations(name, stream, 7, 300));
}

/// All that one side of a recorded session sent.
fn stream(name: &str, who: &str, lines: usize) -> Vec<u8> {
    let text = std::fs::read_to_string(testdata(&format!("net/{name}.hex"))).unwrap();
    let lines = text.lines().filter_map(|line| line.strip_prefix(who)).take(lines);
    lines.flat_map(hex).collect()
}

/// Gives a connection bytes in pieces, and drops what it says as it comes.
fn swallow(mut connection: Connection, bytes: &[u8]) -> Result<()> {
    for piece in bytes.chunks(777) {
        connection.receive(NOW, piece);
        while let Some(event) = connection.poll_event(NOW)? {
            if let Event::Call(call) = event {
                connection.respond(NOW, &call, 0, ())?;
            }
        }
        connection.poll_transmit();
    }
    Ok(())
}

#[test]
fn every_flip_and_cut_of_what_a_client_sends() {
    let compression = Compression::Mppc;
    let plain = |bytes: &[u8]| swallow(server(Config::new()), bytes);
    let packed =
        |bytes: &[u8]| swallow(server(Config::new().compression(compression, compression)), bytes);
    let mut kit = Hostile::new(plain).limits(limits());
    changed(&mut kit, "none", &stream("none", "client ", 5));
    kit.random(1, 300, 200);
    kit.linear("many messages", 2000, |n| {
        let frame = Frame::protocol(7, 2, Bean::new("again and again", 1));
        let message = Framing::new().to_vec(&frame).unwrap();
        [stream("none", "client ", 1), message.repeat(n)].concat()
    });
    kit.finish();
    let mut kit = Hostile::new(packed).limits(limits());
    changed(&mut kit, "mppc", &stream("mppc", "client ", 5));
    kit.random(2, 300, 200);
    kit.finish();
}

#[test]
fn every_flip_and_cut_of_what_a_server_sends() {
    let mut kit =
        Hostile::new(|bytes: &[u8]| swallow(client(Config::new()), bytes)).limits(limits());
    changed(&mut kit, "none", &stream("none", "server ", 5));
    changed(&mut kit, "mppc", &stream("mppc", "server ", 5));
    // The numbers of the handshake, with a key.
    kit.cases("aes", hostile::truncations("aes", &stream("plain_aes", "server ", 3)));
    kit.cases("aes", hostile::mutations("aes", &stream("plain_aes", "server ", 3), 3, 300));
    kit.cases(
        "claims",
        hostile::length_claims(|claim| {
            // A list of so many encryptions, an end of so many bytes.
            let mut frame = hex("00000000 58abb487");
            frame.extend(u32::try_from(claim).ok()?.to_le_bytes());
            frame.extend([2, 2]);
            frame.extend(zeze_serialize::to_vec(&claim.cast_signed()).ok()?);
            Some(frame)
        }),
    );
    kit.finish();
}

#[test]
fn keys_are_refused_or_taken() {
    let aes =
        |bytes: &[u8]| swallow(server(Config::new().encryption(Encryption::AesNoAddress)), bytes);
    let mut kit = Hostile::new(aes).limits(limits());
    let choice = stream("plain_aes", "client ", 2);
    kit.cases("cuts", hostile::truncations("cuts", &choice));
    kit.cases("changes", hostile::mutations("changes", &choice, 9, 300));
    kit.finish();
}

/// A frame of one byte again and again, in as few bytes as MPPC can have it.
fn bomb(size: usize) -> Vec<u8> {
    let mut compressor = zeze_net::mppc::Compressor::new();
    let mut out = Vec::new();
    let head = [&hex("07000000 02000000")[..], &(size as u32).to_le_bytes()].concat();
    compressor.write(&head, &mut out);
    compressor.write(&vec![2; size], &mut out);
    compressor.flush(&mut out);
    out
}

#[test]
fn what_decompresses_to_much_is_bounded() {
    let handshake = |config: Config| {
        let mut server = server(config.compression(Compression::None, Compression::Mppc));
        let mut client = client(Config::new());
        given(&mut client, &sent(&mut server)).unwrap();
        given(&mut server, &sent(&mut client)).unwrap();
        given(&mut client, &sent(&mut server)).unwrap();
        (server, sent(&mut client))
    };
    // A frame above the limit is refused by its header, whatever follows.
    let bomb_of_16_mib = bomb(16 << 20);
    assert!(bomb_of_16_mib.len() < 64 << 10);
    let run = hostile::measure(&bomb_of_16_mib, |bytes| {
        let (mut server, done) = handshake(Config::new());
        given(&mut server, &done)?;
        let error = given(&mut server, bytes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Format(zeze_serialize::ErrorKind::AllocLimit));
        Ok::<_, Error>(())
    });
    assert!(run.peak < 2 << 20, "{} bytes", run.peak);
    // Many frames of 64 KiB: no more than one of them is there at a time.
    let mut compressor = zeze_net::mppc::Compressor::new();
    let mut many = Vec::new();
    let frame = Framing::new().to_vec(&Frame::protocol(7, 2, "x".repeat(60 << 10))).unwrap();
    let done = hex("00000000 26fc0671 02000000 0200");
    compressor.write(&done, &mut many);
    for _ in 0..200 {
        compressor.write(&frame, &mut many);
    }
    compressor.flush(&mut many);
    let count = Cell::new(0);
    let run = hostile::measure(&many, |bytes| {
        let (mut server, _) = handshake(Config::new().max_ratio(usize::MAX));
        server.receive(NOW, bytes);
        while let Some(event) = server.poll_event(NOW)? {
            count.set(count.get() + usize::from(matches!(event, Event::Message(_))));
        }
        Ok::<_, Error>(())
    });
    assert_eq!(count.get(), 200);
    assert!(run.peak < 2 << 20, "{} bytes for {}", run.peak, many.len());
}

#[test]
fn ids_of_calls_go_on() {
    // A connection that has opened serves any number of calls without growing.
    let (mut client, mut server) = super::open(Config::new(), Config::new());
    let run = hostile::measure(&[], |_| {
        for n in 1..=2000 {
            assert_eq!(client.call::<super::Echo>(NOW, Bean::new("x", 1))?, n);
            for event in given(&mut server, &sent(&mut client))? {
                let Event::Call(call) = event else { panic!("{event:?}") };
                server.respond(NOW, &call, 0, Bean::default())?;
            }
            assert_eq!(given(&mut client, &sent(&mut server))?.len(), 1);
        }
        Ok::<_, Error>(())
    });
    assert!(run.peak < 64 << 10, "{} bytes", run.peak);
    let config = Config::new().encryption(Encryption::RsaAes);
    assert!(Connection::server(config, NOW, seeded(1)).is_err());
}
