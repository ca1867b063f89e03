//! Sessions of Zeze's Java client with its Java server: each side is played against what the other
//! one sent, and sends the same bytes.

use std::net::{IpAddr, Ipv4Addr};

use zeze_net::{Agreement, Compression, Config, Connection, Encryption, Event, RsaPrivateKey};
use zeze_serialize::frame::Protocol;

use super::{Ask, Bean, Echo, KeepAlive, NOW, Notice, client, events, sent, server};
use crate::support::{hex, testdata};

const NAMES: [&str; 9] =
    ["none", "mppc", "aes", "aes_mppc", "plain_aes", "rsa", "rsa_mppc", "zstd", "rsa_zstd"];

/// How many steps of the client are in each piece of what it sent, where the bytes do not tell.
const STEPS: [usize; 9] = [0, 0, 1, 1, 1, 1, 1, 2, 1];

/// Whether the bytes are those of Java after the handshake: its Zstandard is packed in another way.
fn is_same(name: &str) -> bool {
    !name.contains("zstd")
}

/// Who sent bytes, and the bytes.
pub(super) fn session(name: &str) -> Vec<(bool, Vec<u8>)> {
    let text = std::fs::read_to_string(testdata(&format!("net/{name}.hex"))).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (who, digits) = line.split_once(' ').unwrap();
            assert!(["client", "server"].contains(&who));
            (who == "server", hex(digits))
        })
        .collect()
}

fn key() -> RsaPrivateKey {
    RsaPrivateKey::from_pkcs8(&std::fs::read(testdata("net/server.pkcs8")).unwrap()).unwrap()
}

/// What client and server were set to, and what they agreed on.
fn configs(name: &str) -> (Config, Config, Agreement) {
    let (encryption, to_client, to_server) = match name {
        "none" => (Encryption::None, Compression::None, Compression::None),
        "mppc" => (Encryption::None, Compression::Mppc, Compression::Mppc),
        "aes" => (Encryption::Aes, Compression::None, Compression::None),
        "aes_mppc" => (Encryption::Aes, Compression::Mppc, Compression::Mppc),
        "plain_aes" => (Encryption::AesNoAddress, Compression::None, Compression::Mppc),
        "rsa" => (Encryption::RsaAes, Compression::None, Compression::None),
        "zstd" => (Encryption::None, Compression::Zstd, Compression::Zstd),
        "rsa_zstd" => (Encryption::RsaAes, Compression::Zstd, Compression::Zstd),
        _ => (Encryption::RsaAes, Compression::Mppc, Compression::Mppc),
    };
    let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let client = Config::new().address(address).server_key(key().public_key().clone());
    let server = Config::new().address(address).private_key(key());
    let server = server.encryption(encryption).compression(to_client, to_server);
    let (open, _) = super::open(client.clone(), server.clone());
    assert!(open.is_open());
    let mut agreement = Agreement::default();
    (agreement.encryption, agreement.to_client, agreement.to_server) =
        (encryption, to_client, to_server);
    (client, server, agreement)
}

fn big() -> Bean {
    let byte = |i: i32| ((i % 251) ^ ((i / 997) * 31 + i * i / 8191)) as u8;
    Bean { text: "big".into(), n: 0, blob: (0..3000).map(byte).collect() }
}

/// What the client did, one thing after another.
fn act(client: &mut Connection, step: usize) {
    let texts = ["hello", "ask me", "fail", "hello hello hello hello hello, hello", "Åsa 你好"];
    if let Some(text) = texts.get(step) {
        let n = text.encode_utf16().count() as i32;
        client.call::<Echo>(NOW, Bean::new(text, n)).unwrap();
        return;
    }
    match step {
        5 => client.send::<Notice>(NOW, Bean::new("from the client", 0)).unwrap(),
        6 => assert_eq!(client.call::<KeepAlive>(NOW, ()).unwrap(), 6),
        7 => assert_eq!(client.call::<Echo>(NOW, big()).unwrap(), 7),
        other => panic!("the session has no step {other}"),
    }
}

fn give(connection: &mut Connection, bytes: &[u8], size: usize) -> Vec<Event> {
    let mut all = Vec::new();
    for piece in bytes.chunks(size) {
        connection.receive(NOW, piece);
        all.extend(events(connection).unwrap());
    }
    all
}

/// Plays the server's bytes in pieces to a client, which must send what the Java client did.
fn play_client(name: &str, size: usize) {
    let (config, _, agreement) = configs(name);
    let mut client = client(config);
    let (mut out, mut step, mut answers, mut sent_before) = (Vec::new(), 0, Vec::new(), 0);
    for (is_server, bytes) in session(name) {
        if is_server {
            for event in give(&mut client, &bytes, size) {
                match event {
                    Event::Open(found) => assert_eq!(found, agreement),
                    Event::Message(frame) => {
                        assert!(Notice::is(&frame.as_raw()));
                        assert_eq!(
                            frame.as_raw().read::<Bean>().unwrap(),
                            Bean::new("welcome", -5)
                        );
                    }
                    Event::Call(frame) => {
                        // The answer to its own call came in the same bytes, before.
                        assert_eq!(frame.as_raw().read::<Bean>().unwrap(), Bean::new("who?", 0));
                        client.respond(NOW, &frame, 0, Bean::new("a client", 0)).unwrap();
                        out.extend(sent(&mut client));
                    }
                    Event::Answer(frame) => answers.push(frame),
                    other => panic!("{other:?}"),
                }
            }
            out.extend(sent(&mut client));
            continue;
        }
        let (mut left, is_same) = (STEPS[sent_before], is_same(name));
        while if is_same { out.len() < bytes.len() } else { left > 0 } {
            left = left.saturating_sub(1);
            act(&mut client, step);
            step += 1;
            out.extend(sent(&mut client));
        }
        sent_before += 1;
        let is_rsa = agreement.encryption == Encryption::RsaAes;
        if !is_same {
            assert!(!out.is_empty(), "{name} in pieces of {size}, step {step}");
        } else if is_rsa && sent_before == 1 {
            // The padding is random: header and numbers are the same, and the length.
            assert_eq!((out.len(), &out[..16]), (bytes.len(), &bytes[..16]), "{name}");
        } else {
            assert_eq!(out, bytes, "{name} in pieces of {size}, step {step}");
        }
        out.clear();
    }
    assert_eq!((step, client.pending_calls()), (8, 0));
    let results: Vec<_> =
        answers.iter().map(|frame| frame.as_raw().header.result_code().unwrap()).collect();
    assert_eq!(results, [0, 0, 5, 0, 0, 0, 0]);
    let last = answers[6].as_raw().read::<Bean>().unwrap();
    assert_eq!((last.text.as_str(), last.n, last.blob), ("gib", 1, big().blob));
}

/// The same the other way around.
fn play_server(name: &str, size: usize) {
    let (_, config, agreement) = configs(name);
    let mut server = server(config);
    let mut out = sent(&mut server);
    let (mut asked, mut sent_before) = (0, 0);
    for (is_server, bytes) in session(name) {
        if is_server {
            // The offer and the result come before anything is packed.
            if is_same(name) || sent_before < 2 {
                assert_eq!(out, bytes, "{name} in pieces of {size}");
            }
            sent_before += 1;
            out.clear();
            continue;
        }
        for event in give(&mut server, &bytes, size) {
            match event {
                Event::Open(found) => {
                    assert_eq!(found, agreement);
                    server.send::<Notice>(NOW, Bean::new("welcome", -5)).unwrap();
                }
                Event::Message(frame) => {
                    let notice = frame.as_raw().read::<Bean>().unwrap();
                    assert_eq!(notice, Bean::new("from the client", 0));
                }
                Event::Call(frame) => {
                    let bean = frame.as_raw().read::<Bean>().unwrap();
                    let text: String = bean.text.chars().rev().collect();
                    let result = Bean { text, n: bean.n + 1, blob: bean.blob };
                    let code = if bean.text == "fail" { 5 } else { 0 };
                    server.respond(NOW, &frame, code, result).unwrap();
                    if bean.text == "ask me" {
                        server.call::<Ask>(NOW, Bean::new("who?", 0)).unwrap();
                    }
                }
                Event::Answer(frame) => {
                    let answer = frame.as_raw().read::<Bean>().unwrap();
                    assert_eq!(answer, Bean::new("a client", 0));
                    asked += 1;
                }
                other => panic!("{other:?}"),
            }
            out.extend(sent(&mut server));
        }
        out.extend(sent(&mut server));
    }
    assert_eq!((asked, out.len()), (1, 0));
}

#[test]
fn clients_send_what_java_sends() {
    for name in NAMES {
        for size in [1, 2, 3, 5, 8, 13, 100, usize::MAX] {
            play_client(name, size);
        }
    }
}

#[test]
fn servers_send_what_java_sends() {
    for name in NAMES {
        for size in [1, 2, 3, 5, 8, 13, 100, usize::MAX] {
            play_server(name, size);
        }
    }
}
