//! Connections without a handshake: nothing at all, or keys by a call.

use zeze_net::{
    Agreement, Config, Connection, Encryption, Event, Opening, RsaPrivateKey, RsaPublicKey,
};
use zeze_serialize::ErrorKind;

use super::sessions::session;
use super::{Bean, Echo, NOW, client, events, given, open, seeded, sent, server};
use crate::support::{hex, testdata};

fn key() -> RsaPrivateKey {
    RsaPrivateKey::from_pkcs8(&std::fs::read(testdata("net/server.pkcs8")).unwrap()).unwrap()
}

fn configs() -> (Config, Config) {
    let config = Config::new().opening(Opening::KeyExchange);
    (config.clone().server_key(key().public_key().clone()), config.private_key(key()))
}

fn texts() -> [&'static str; 2] {
    ["hello", "again and again"]
}

fn call(client: &mut Connection, text: &str) -> Vec<u8> {
    client.call::<Echo>(NOW, Bean::new(text, text.len() as i32)).unwrap();
    sent(client)
}

/// Answers as the recorded server does.
fn answer(server: &mut Connection, bytes: &[u8]) -> Vec<u8> {
    let events = given(server, bytes).unwrap();
    let [Event::Call(call)] = &events[..] else { panic!("{events:?}") };
    let bean = call.as_raw().read::<Bean>().unwrap();
    let text: String = bean.text.chars().rev().collect();
    server.respond(NOW, call, 0, Bean::new(&text, bean.n + 1)).unwrap();
    sent(server)
}

fn answered(client: &mut Connection, bytes: &[u8]) -> String {
    let events = given(client, bytes).unwrap();
    let [Event::Answer(frame)] = &events[..] else { panic!("{events:?}") };
    frame.as_raw().read::<Bean>().unwrap().text
}

#[test]
fn both_sides_send_what_java_sends() {
    let recorded = session("key_exchange");
    let (of_client, of_server) = configs();
    let (mut client, mut server) = (client(of_client), server(of_server));
    // The padding of RSA is random: all before it is the same, and the length.
    let request = sent(&mut client);
    assert_eq!((request.len(), &request[..35]), (recorded[0].1.len(), &recorded[0].1[..35]));
    assert_eq!(request[4..8], 571_437_512_u32.to_le_bytes());
    let mut agreement = Agreement::default();
    agreement.encryption = Encryption::RsaAes;
    assert_eq!(given(&mut server, &recorded[0].1).unwrap(), [Event::Open(agreement)]);
    assert_eq!(sent(&mut server), recorded[1].1);
    assert_eq!(given(&mut client, &recorded[1].1).unwrap(), [Event::Open(agreement)]);
    for (text, pair) in texts().into_iter().zip(recorded[2..].chunks(2)) {
        assert_eq!(call(&mut client, text), pair[0].1);
        assert_eq!(answer(&mut server, &pair[0].1), pair[1].1);
        let reversed: String = text.chars().rev().collect();
        assert_eq!(answered(&mut client, &pair[1].1), reversed);
    }
    assert_eq!((recorded.len(), client.pending_calls()), (6, 0));
}

#[test]
fn what_follows_in_the_same_piece_is_encrypted() {
    let (of_client, of_server) = configs();
    for size in [1, 7, usize::MAX] {
        let (mut client, mut server) = (client(of_client.clone()), server(of_server.clone()));
        given(&mut server, &sent(&mut client)).unwrap();
        let mut bytes = sent(&mut server);
        server.call::<Echo>(NOW, Bean::new("from the server", 0)).unwrap();
        let more = sent(&mut server);
        assert!(!more.windows(6).any(|part| part == b"server"));
        bytes.extend(more);
        let mut all = Vec::new();
        for piece in bytes.chunks(size) {
            client.receive(NOW, piece);
            all.extend(events(&mut client).unwrap());
        }
        let [Event::Open(_), Event::Call(call)] = &all[..] else { panic!("{all:?}") };
        assert_eq!(call.as_raw().read::<Bean>().unwrap(), Bean::new("from the server", 0));
    }
}

#[test]
fn connections_may_begin_with_nothing() {
    let config = Config::new().opening(Opening::AtOnce);
    let (mut client, mut server) = open(config.clone(), config);
    assert_eq!((sent(&mut client), sent(&mut server)), (vec![], vec![]));
    assert_eq!(events(&mut client).unwrap(), [Event::Open(Agreement::default())]);
    assert_eq!(events(&mut server).unwrap(), [Event::Open(Agreement::default())]);
    let bytes = call(&mut client, "plain");
    assert_eq!(bytes[..14], hex("07000000 01000000 0c000000 0101"));
    let bytes = answer(&mut server, &bytes);
    assert_eq!(answered(&mut client, &bytes), "nialp");
}

#[test]
fn other_beginnings_are_refused() {
    let refused = |connection: &mut Connection, frame: &[u8]| {
        let error = given(connection, frame).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Handshake, "{error}");
        assert!(!connection.is_open());
        error.to_string()
    };
    // Family, result code if there is one, session id, and what is no bean.
    let frame = |is_answer: bool, code: u8, argument: &str| {
        let body = match (is_answer, code) {
            (false, _) => format!("01 01 {argument}"),
            (true, 0) => format!("00 01 {argument}"),
            (true, code) => format!("20 {code:02x} 01 {argument}"),
        };
        let body = hex(&body);
        [&hex("00000000 c8710f22")[..], &(body.len() as u32).to_le_bytes(), &body].concat()
    };
    let (of_client, of_server) = configs();
    let md5 = "10 11f4884495e48a6a1d4d4b5353b8f841";
    for (argument, text) in [
        ("01 00 00 00".to_owned(), "expected version 0 of KeyExchange, found 1"),
        ("00 00 00 00".to_owned(), "expected a KeyExchange for the key of this server"),
        (format!("00 01 07 {md5} 00"), "expected a client without a key of its own"),
        (
            format!("00 00 {md5} 01 07"),
            "expected an encrypted secret of 256 bytes that is below the RSA modulus",
        ),
    ] {
        let text = text.to_owned();
        assert_eq!(refused(&mut server(of_server.clone()), &frame(false, 0, &argument)), text);
    }
    for (code, argument, text) in [
        (2, "00 00", "KeyExchange was refused by the server, which has another key: 2"),
        (9, "00 00", "KeyExchange was refused by the server: 9"),
        (0, "02 00", "expected version 0 of KeyExchange, found 2"),
        (0, "00 02 0102", "expected 32 bytes of a key in KeyExchange, found 2"),
    ] {
        assert_eq!(refused(&mut client(of_client.clone()), &frame(true, code, argument)), text);
    }
    // A call of something else, an answer to another call, and what a handshake begins with.
    let text = refused(&mut server(of_server.clone()), &call(&mut at_once(), "hello"));
    assert_eq!(text, "expected the message KeyExchange, found protocol 1 of module 7");
    let mut other = client(of_client.clone());
    other.receive(NOW, &frame(false, 0, "00 00"));
    assert!(events(&mut other).is_err());
    let text = refused(&mut client(of_client), &sent(&mut server(Config::new())));
    assert!(text.starts_with("expected the message KeyExchange, found protocol "), "{text}");

    // Both need a key.
    let config = Config::new().opening(Opening::KeyExchange);
    let error = Connection::client(config.clone(), NOW, seeded(3)).unwrap_err();
    assert_eq!(error.to_string(), "expected the server's key in Config for a KeyExchange");
    assert!(Connection::server(config.clone(), NOW, seeded(3)).is_err());
    // A secret for another key of as many bits: keys that nobody knows.
    let mut modulus = [0xc5; 256];
    modulus[255] = 1;
    let wrong = config.server_key(RsaPublicKey::new(&modulus).unwrap());
    let mut client = client(wrong);
    let text = refused(&mut server(of_server), &sent(&mut client));
    assert_eq!(text, "expected a KeyExchange for the key of this server");
}

fn at_once() -> Connection {
    client(Config::new().opening(Opening::AtOnce))
}
