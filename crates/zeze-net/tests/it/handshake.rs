//! The handshake, step by step; times; limits.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;

use zeze_net::{
    Agreement, Compression, Config, Connection, Encryption, Event, Opening, RsaPrivateKey,
    RsaPublicKey,
};
use zeze_net::{Error, ErrorKind};
use zeze_serialize::frame::{Frame, Framing, Protocol};
use zeze_serialize::{RawBean, Value, hash};

use super::{
    Bean, Echo, KeepAlive, NOW, Notice, client, events, given, open, seeded, sent, server,
};
use crate::support::{digits, hex, testdata};

const SECOND: Duration = Duration::from_secs(1);

fn key() -> RsaPrivateKey {
    RsaPrivateKey::from_pkcs8(&std::fs::read(testdata("net/server.pkcs8")).unwrap()).unwrap()
}

fn kind_and_text(error: Error) -> (ErrorKind, String) {
    (error.kind(), error.to_string())
}

/// A frame of the handshake.
fn message(class: &str, argument: &str) -> Vec<u8> {
    let argument = [&[2], &hex(argument)[..]].concat();
    let hash = hash::type_id(&format!("Zeze.Services.Handshake.{class}"));
    let protocol = (hash ^ hash >> 32) as u32;
    let size = argument.len() as u32;
    [&[0; 4][..], &protocol.to_le_bytes(), &size.to_le_bytes(), &argument].concat()
}

/// What a connection says to a frame of the handshake.
fn refused(connection: &mut Connection, class: &str, argument: &str) -> String {
    let (kind, text) = kind_and_text(given(connection, &message(class, argument)).unwrap_err());
    assert_eq!(kind, ErrorKind::Handshake, "{text}");
    text
}

#[test]
fn everything_that_can_be_agreed_on() {
    for encryption in
        [Encryption::None, Encryption::Aes, Encryption::AesNoAddress, Encryption::RsaAes]
    {
        for to_client in [Compression::None, Compression::Mppc] {
            for to_server in [Compression::None, Compression::Mppc] {
                let address = IpAddr::V6(Ipv6Addr::LOCALHOST);
                let of_client =
                    Config::new().address(address).server_key(key().public_key().clone());
                let of_server = Config::new().address(address).private_key(key());
                let of_server = of_server.encryption(encryption).compression(to_client, to_server);
                let (mut client, mut server) = open(of_client, of_server);
                let agreement = client.agreement().unwrap();
                assert_eq!(Some(agreement), server.agreement());
                assert_eq!(agreement.encryption, encryption);
                assert_eq!((agreement.to_client, agreement.to_server), (to_client, to_server));
                for n in 0..3 {
                    let id = client.call::<Echo>(NOW, Bean::new("over and over", n)).unwrap();
                    let bytes = sent(&mut client);
                    let is_plain = bytes.windows(13).any(|part| part == b"over and over");
                    let is_as_is = to_server == Compression::None && encryption == Encryption::None;
                    assert_eq!(is_plain || n > 0, is_as_is || n > 0);
                    let events = given(&mut server, &bytes).unwrap();
                    let [Event::Call(call)] = &events[..] else { panic!("{events:?}") };
                    server.respond(NOW, call, 0, Bean::new("again", n)).unwrap();
                    let events = given(&mut client, &sent(&mut server)).unwrap();
                    let [Event::Answer(frame)] = &events[..] else { panic!("{events:?}") };
                    assert_eq!(frame.as_raw().header.session_id(), Some(id));
                    assert_eq!(frame.as_raw().read::<Bean>().unwrap(), Bean::new("again", n));
                }
            }
        }
    }
}

#[test]
fn addresses_have_one_form() {
    // An address of version 4 in one of version 6 is the address of version 4, as in Java.
    let address = Ipv4Addr::new(10, 0, 0, 7);
    let of_client = Config::new().address(IpAddr::V6(address.to_ipv6_mapped()));
    let of_server = Config::new().address(IpAddr::V4(address)).encryption(Encryption::Aes);
    open(of_client, of_server.clone());
    // With another one the keys differ, which shows with the first bytes that are encrypted.
    let mut server = server(of_server);
    let mut client = client(Config::new().address(IpAddr::V4(Ipv4Addr::LOCALHOST)));
    given(&mut client, &sent(&mut server)).unwrap();
    given(&mut server, &sent(&mut client)).unwrap();
    assert!(matches!(given(&mut client, &sent(&mut server)).unwrap()[..], [Event::Open(_)]));
    let error = given(&mut server, &sent(&mut client)).unwrap_err();
    assert!(
        [
            ErrorKind::Format(zeze_serialize::ErrorKind::AllocLimit),
            ErrorKind::Format(zeze_serialize::ErrorKind::Frame)
        ]
        .contains(&error.kind()),
        "{error}"
    );
    assert!(!server.is_open());
}

#[test]
fn clients_take_what_they_can() {
    let offers = "SHandshake0";
    // A real server that recommends Zstandard: the client takes it, and sends MPPC.
    let mut zstd = client(Config::new());
    given(&mut zstd, &message(offers, "00 03 010203 0202 02 0201")).unwrap();
    assert_eq!(sent(&mut zstd), message("CHandshake", "00 00 02 01"));
    // Numbers of the future in the lists do not matter; a compression of the future becomes MPPC.
    let mut newer = client(Config::new());
    given(&mut newer, &message(offers, "00 02 0709 0500 02 0504")).unwrap();
    assert_eq!(sent(&mut newer), message("CHandshake", "00 00 01 00"));
    // Without the server's key or address, or of an unknown encryption, it takes what needs neither.
    for recommended in ["01", "03", "09"] {
        let mut client = client(Config::new());
        given(&mut client, &message(offers, &format!("{recommended} 02 0302 0000 00"))).unwrap();
        assert_eq!(sent(&mut client)[13..15], [2, 0x60]);
    }
    // An older server says whether it encrypts, and then compresses.
    let mut older = client(Config::new().address(IpAddr::V4(Ipv4Addr::LOCALHOST)));
    given(&mut older, &message(offers, "01")).unwrap();
    let choice = sent(&mut older);
    assert_eq!((choice[13], &choice[choice.len() - 2..]), (1, &[1, 1][..]));
    let mut older = client(Config::new());
    assert!(matches!(given(&mut older, &message(offers, "00")).unwrap()[..], [Event::Open(_)]));
    assert_eq!(sent(&mut older), message("CHandshakeDone", "00"));

    for (argument, text) in [
        ("01 00 0000 00", "encryption 1 needs the server's address, which is Config::address"),
        (
            "03 01 01 0000 00",
            "encryption 3 needs the server's RSA key, which is Config::server_key",
        ),
        ("04 01 01 0000 00", "encryption 4 needs a newer version"),
    ] {
        let text = format!("expected an offer that this side can take: {text}");
        assert_eq!(refused(&mut client(Config::new()), offers, argument), text);
    }
    let mut picky = client(Config::new().encryption(Encryption::RsaAes));
    assert_eq!(
        refused(&mut picky, offers, "00 00 0000 00"),
        "expected the encryption RsaAes that Config insists on, found None"
    );
}

#[test]
fn clients_take_no_other_result() {
    let chosen = || {
        let mut client = client(Config::new());
        given(&mut client, &message("SHandshake0", "02 01 02 0101 00")).unwrap();
        sent(&mut client);
        client
    };
    for (argument, text) in [
        ("00 0000 00", "expected the encryption AesNoAddress that was chosen, found None"),
        // Without the last number: AES if there is a part of the key.
        ("00 0000", "expected the encryption AesNoAddress that was chosen, found None"),
        ("01 02 0000", "expected the encryption AesNoAddress that was chosen, found Aes"),
        ("00 0001 07", "expected an encryption of 0 to 3 in SHandshake, found 7 at byte 0x23"),
        ("00 0003 02", "expected a compression of 0 to 2 in SHandshake, found 3 at byte 0x22"),
        ("01 00 0000 02", "expected a public number from 2 to two below the prime"),
        ("01 01 0000 02", "expected a public number from 2 to two below the prime"),
        ("01 ff 0000 02", "expected a public number from 2 to two below the prime"),
    ] {
        assert_eq!(refused(&mut chosen(), "SHandshake", argument), text, "{argument}");
    }
    // One below the prime, the prime, and more bytes than it has.
    let prime = "00ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74\
                 020bbea63b139b22514a08798e3404ddef9519b3cd3a431b302b0a6df25f1437\
                 4fe1356d6d51c245e485b576625e7ec6f44c42e9a63a3620ffffffffffffff";
    for part in [format!("61 {prime}fe"), format!("61 {prime}ff"), format!("62 {prime}0000")] {
        let text = refused(&mut chosen(), "SHandshake", &format!("{part} 0000 02"));
        assert_eq!(text, "expected a public number from 2 to two below the prime", "{part}");
    }
    let near = format!("61 {prime}fd 0000 02");
    let opened = given(&mut chosen(), &message("SHandshake", &near)).unwrap();
    assert!(matches!(opened[..], [Event::Open(_)]));
}

#[test]
fn servers_take_what_they_offer() {
    let choose = "CHandshake";
    let encrypting = || {
        let mut server = server(Config::new().encryption(Encryption::AesNoAddress));
        sent(&mut server);
        server
    };
    for (argument, text) in [
        ("00 00 0000", "expected an encryption that was offered, found None"),
        ("01 0102 0000", "expected an encryption that was offered, found Aes"),
        ("03 00 0000", "expected an encryption that was offered, found RsaAes"),
        ("02 00 0000", "expected a public number from 2 to two below the prime"),
    ] {
        assert_eq!(refused(&mut encrypting(), choose, argument), text);
    }
    assert_eq!(
        refused(&mut encrypting(), "CHandshakeDone", "00"),
        "expected a client that encrypts, found one that ends the handshake at once"
    );
    // What a client chooses holds, unless some compression is demanded; then it is MPPC.
    for (demanded, chosen, result) in [
        ([Compression::None; 2], "0000", "0000"),
        ([Compression::None; 2], "0100", "0100"),
        ([Compression::Mppc, Compression::None], "0001", "0101"),
        ([Compression::Mppc; 2], "0202", "0202"),
        ([Compression::Zstd; 2], "0201", "0201"),
        ([Compression::Zstd; 2], "0000", "0101"),
    ] {
        let config = Config::new().compression(demanded[0], demanded[1]);
        let mut server = server(config.take_compressions(&[
            Compression::None,
            Compression::Mppc,
            Compression::Zstd,
        ]));
        sent(&mut server);
        given(&mut server, &message(choose, &format!("00 00 {chosen}"))).unwrap();
        assert_eq!(sent(&mut server), message("SHandshake", &format!("00 {result} 00")));
    }
    // An older client compresses if it encrypts.
    let mut older = encrypting();
    given(&mut older, &message(choose, "02 0102")).unwrap();
    let result = sent(&mut older);
    assert_eq!(digits(&result[result.len() - 3..]), "010102");
    let error = Connection::server(Config::new().encryption(Encryption::Aes), NOW, seeded(1));
    assert_eq!(
        error.unwrap_err().to_string(),
        "expected what the encryption Aes needs: an address or a private key in Config"
    );
}

#[test]
fn other_messages_are_refused() {
    let echo = Framing::new().to_vec(&Frame::protocol(7, 2, Bean::default())).unwrap();
    let error = given(&mut client(Config::new()), &echo).unwrap_err();
    assert_eq!(
        kind_and_text(error),
        (
            ErrorKind::Handshake,
            "expected the message SHandshake0, found protocol 2 of module 7".to_owned()
        )
    );
    // The same protocol as a call.
    let call = Frame::rpc_request(0, 1_896_283_174, 1, ());
    let call = Framing::new().to_vec(&call).unwrap();
    let error = given(&mut server(Config::new()), &call).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected the message CHandshake, found protocol 1896283174 of module 0"
    );
    let large = hex("00000000 00000000 01100000");
    let error = given(&mut client(Config::new()), &large).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Format(zeze_serialize::ErrorKind::AllocLimit));
    // No second handshake.
    let (mut client, mut server) = open(Config::new(), Config::new());
    assert_eq!(
        refused(&mut client, "SHandshake0", "00"),
        "expected no more of the handshake, found SHandshake0 at byte 0x15"
    );
    let again = "expected no more of the handshake, found CHandshake at byte 0xe";
    assert_eq!(refused(&mut server, "CHandshake", "00 00"), again);
    // What has failed takes nothing and gives nothing.
    assert!(given(&mut server, &message("CHandshakeDone", "00")).unwrap().is_empty());
    assert_eq!((server.is_open(), server.poll_timeout()), (false, None));
    let error = server.send::<Notice>(NOW, Bean::default()).unwrap_err();
    assert_eq!(
        kind_and_text(error),
        (ErrorKind::Closed, "expected an open connection, found one that has failed".to_owned())
    );
}

#[test]
fn rsa_secrets_that_are_none_are_not_told_apart() {
    let of_server = Config::new().private_key(key()).encryption(Encryption::RsaAes);
    let choose = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut server = server(of_server.clone());
        let mut client = client(Config::new().server_key(key().public_key().clone()));
        given(&mut client, &sent(&mut server)).unwrap();
        let mut choice = sent(&mut client);
        change(&mut choice);
        let result = given(&mut server, &choice);
        if result.is_ok() {
            given(&mut client, &sent(&mut server)).unwrap();
        }
        result.and_then(|_| given(&mut server, &sent(&mut client)))
    };
    assert!(matches!(choose(&|_| {}).unwrap()[..], [Event::Open(_)]));
    // The server answers as ever, and cannot read what follows.
    for at in [16, 100, 271] {
        let error = choose(&|choice| choice[at] ^= 1).unwrap_err();
        assert!(
            [
                ErrorKind::Format(zeze_serialize::ErrorKind::AllocLimit),
                ErrorKind::Format(zeze_serialize::ErrorKind::Frame)
            ]
            .contains(&error.kind()),
            "{error}"
        );
    }
    let error = choose(&|choice| choice[16..272].fill(0xff)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected an encrypted secret of 256 bytes that is below the RSA modulus"
    );
    let zeros = |bytes: &mut [u8]| bytes.fill(0);
    let config = Config::new().server_key(key().public_key().clone());
    let mut client = Connection::client(config, NOW, zeros);
    let error = given(&mut client, &message("SHandshake0", "03 01 03 0000 00")).unwrap_err();
    assert_eq!(error.to_string(), "expected random bytes, found zeros only");
}

#[test]
fn rsa_keys_are_checked() {
    let der = std::fs::read(testdata("net/server.pkcs8")).unwrap();
    for end in 0..der.len() {
        let error = RsaPrivateKey::from_pkcs8(&der[..end]).unwrap_err();
        assert_eq!(error.to_string(), "expected an RSA key in PKCS #8");
    }
    for at in 0..60 * 8 {
        let mut changed = der.clone();
        changed[at / 8] ^= 1 << (at % 8);
        // Either it is one of another number, or none.
        let _ = RsaPrivateKey::from_pkcs8(&changed);
    }
    for (modulus, bits) in [(vec![], 0), (vec![0xff; 127], 1016), (vec![0xff; 1025], 8200)] {
        let text = format!("expected an odd RSA modulus of 1024 to 8192 bits, found one of {bits}");
        assert_eq!(RsaPublicKey::new(&modulus).unwrap_err().to_string(), text);
    }
    assert!(RsaPublicKey::new(&[0xfe; 128]).is_err());
    RsaPublicKey::new(&[&[0; 9][..], &[0xff; 128]].concat()).unwrap();
    let error = RsaPrivateKey::new(&[0xff; 128], &[0xff; 128]).unwrap_err();
    assert_eq!(error.to_string(), "expected an RSA exponent below the modulus");
    assert!(!format!("{:?}", key()).contains("exponent"));
}

#[test]
fn a_handshake_has_its_time() {
    let mut client = client(Config::new());
    assert_eq!(client.poll_timeout(), Some(5 * SECOND));
    client.handle_timeout(4 * SECOND).unwrap();
    let error = client.handle_timeout(5 * SECOND).unwrap_err();
    assert_eq!(
        kind_and_text(error),
        (ErrorKind::Timeout, "expected the handshake to be done within 5s".to_owned())
    );
    assert_eq!(client.poll_timeout(), None);
    client.handle_timeout(9 * SECOND).unwrap();
    let error = client.call::<Echo>(NOW, Bean::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Closed);
    let error = super::client(Config::new()).send::<Notice>(NOW, Bean::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected an open connection, found one whose handshake is not done"
    );
}

#[test]
fn calls_have_their_time() {
    let (mut client, mut server) = open(Config::new().max_calls(3), Config::new());
    assert_eq!(client.poll_timeout(), None);
    let first = client.call::<Echo>(NOW, Bean::new("late", 0)).unwrap();
    let second = client.call_within::<Echo>(NOW, SECOND, Bean::new("soon", 0)).unwrap();
    let third = client.call::<Echo>(SECOND, Bean::new("forgotten", 0)).unwrap();
    let error = client.call::<Echo>(NOW, Bean::default()).unwrap_err();
    assert_eq!(
        kind_and_text(error),
        (
            ErrorKind::CallLimit,
            "expected an answer first: 3 calls wait, which is max_calls".to_owned()
        )
    );
    assert_eq!((client.forget(third), client.forget(third)), (true, false));
    assert_eq!((client.pending_calls(), client.poll_timeout()), (2, Some(SECOND)));
    client.handle_timeout(SECOND).unwrap();
    let Some(Event::TimedOut(call)) = client.poll_event(SECOND).unwrap() else { panic!() };
    assert_eq!((call.module_id, call.protocol_id, call.session_id), (7, 1, second));
    assert_eq!(client.poll_event(SECOND).unwrap(), None);
    assert_eq!(client.poll_timeout(), Some(5 * SECOND));

    // Three answers come: one in time. What is answered twice, or by another protocol, is not wanted.
    let calls = given(&mut server, &sent(&mut client)).unwrap();
    for call in &calls {
        let Event::Call(call) = call else { panic!("{call:?}") };
        server.respond(NOW, call, 0, Bean::default()).unwrap();
        server.respond(NOW, call, 0, Bean::default()).unwrap();
        let other = Frame::rpc_response(7, 9, first, 0, ());
        server.send_frame(NOW, &other).unwrap();
    }
    let events = given(&mut client, &sent(&mut server)).unwrap();
    let is_answer = |event: &Event| matches!(event, Event::Answer(_));
    assert_eq!((events.len(), events.iter().filter(|event| is_answer(event)).count()), (9, 1));
    let unexpected = |event: &Event| matches!(event, Event::Unexpected(_));
    assert_eq!(events.iter().filter(|event| unexpected(event)).count(), 8);
    assert_eq!((client.pending_calls(), client.poll_timeout()), (0, None));
    let message = Framing::new().to_vec(&Notice::message(Bean::default())).unwrap();
    let [Event::Message(frame)] = &given(&mut client, &message).unwrap()[..] else { panic!() };
    let error = client.respond(NOW, frame, 0, ()).unwrap_err();
    assert_eq!(error.to_string(), "expected a call, found another frame");
}

#[test]
fn connections_are_kept_alive() {
    let of_client = Config::new().keep_alive(2 * SECOND).max_silence(5 * SECOND);
    let (mut client, mut server) = open(of_client, Config::new());
    assert_eq!(client.poll_timeout(), Some(2 * SECOND));
    client.handle_timeout(2 * SECOND).unwrap();
    let ping = sent(&mut client);
    assert_eq!(digits(&ping), "00000000e04212f503000000010100");
    // The server answers by itself, and the client takes the answer for itself.
    assert!(given(&mut server, &ping).unwrap().is_empty());
    client.receive(2 * SECOND, &sent(&mut server));
    assert!(events(&mut client).unwrap().is_empty());
    assert_eq!((client.pending_calls(), client.poll_timeout()), (0, Some(4 * SECOND)));
    // A call of the application is answered as any other.
    client.call::<KeepAlive>(2 * SECOND, ()).unwrap();
    given(&mut server, &sent(&mut client)).unwrap();
    client.receive(2 * SECOND, &sent(&mut server));
    assert!(matches!(events(&mut client).unwrap()[..], [Event::Answer(_)]));
    // Nothing more comes.
    client.handle_timeout(4 * SECOND).unwrap();
    client.handle_timeout(6 * SECOND).unwrap();
    assert_eq!(client.poll_timeout(), Some(7 * SECOND));
    let error = client.handle_timeout(7 * SECOND).unwrap_err();
    assert_eq!(
        kind_and_text(error),
        (ErrorKind::Timeout, "expected bytes from the other side within 5s".to_owned())
    );
}

#[test]
fn what_waits_to_be_sent_is_limited() {
    let (mut client, mut server) = open(Config::new().max_output(1000), Config::new());
    let bean = || Bean { blob: vec![7; 900], ..Bean::default() };
    client.send::<Notice>(NOW, bean()).unwrap();
    client.send::<Notice>(NOW, bean()).unwrap();
    let error = client.send::<Notice>(NOW, bean()).unwrap_err();
    assert_eq!(
        kind_and_text(error),
        (
            ErrorKind::OutputLimit,
            "1834 bytes wait to be sent, and max_output is 1000 bytes".to_owned()
        )
    );
    assert_eq!(given(&mut server, &sent(&mut client)).unwrap().len(), 2);
    client.send::<Notice>(NOW, bean()).unwrap();
    client.send::<Notice>(NOW, bean()).unwrap();
    // A call that is not sent does not wait; a frame that is too large does not break the stream.
    let large = Bean { blob: vec![7; 3 << 20], ..Bean::default() };
    let error = client.call::<Echo>(NOW, large).unwrap_err();
    assert_eq!((error.kind(), client.pending_calls()), (ErrorKind::OutputLimit, 0));
    sent(&mut client);
    let large = Bean { blob: vec![7; 3 << 20], ..Bean::default() };
    let error = client.call::<Echo>(NOW, large).unwrap_err();
    assert_eq!(
        (error.kind(), client.pending_calls()),
        (ErrorKind::Format(zeze_serialize::ErrorKind::AllocLimit), 0)
    );
    client.send::<Notice>(NOW, Bean::new("small", 1)).unwrap();
    assert_eq!(given(&mut server, &sent(&mut client)).unwrap().len(), 1);
    // Answers to an endless row of calls that are not fetched.
    let (mut client, mut server) = open(Config::new(), Config::new().max_output(1000));
    for _ in 0..100 {
        client.call::<KeepAlive>(NOW, ()).unwrap();
    }
    let error = given(&mut server, &sent(&mut client)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutputLimit);
}

#[test]
fn frames_keep_what_they_have() {
    // Fields that nobody knows here, and raft calls.
    let (mut client, mut server) = open(Config::new(), Config::new());
    let bytes = hex("1005 2301 61 00");
    let bean = RawBean::from_slice(&bytes).unwrap();
    let mut frame = Frame::rpc_request(9, 9, 77, bean);
    frame.header = zeze_serialize::frame::Header::RaftRpc {
        is_request: true,
        result_code: 0,
        session_id: 77,
        unique: RawBean::default(),
        create_time: 5,
    };
    client.send_frame(NOW, &frame).unwrap();
    let [Event::Call(call)] = &given(&mut server, &sent(&mut client)).unwrap()[..] else {
        panic!()
    };
    assert_eq!(call.as_raw().header, frame.header);
    let value = call.as_raw().read::<Value>().unwrap();
    assert_eq!((value.pointer("/1"), value.pointer("/3")), (Some(&5.into()), Some(&"a".into())));
    server.respond(NOW, call, 3, ()).unwrap();
    let [Event::Unexpected(answer)] = &given(&mut client, &sent(&mut server)).unwrap()[..] else {
        panic!()
    };
    assert_eq!(answer.as_raw().header.result_code(), Some(3));
}

#[test]
fn connections_may_begin_with_nothing() {
    let config = Config::new().opening(Opening::AtOnce);
    let (mut client, mut server) = open(config.clone(), config);
    assert_eq!((sent(&mut client), sent(&mut server)), (vec![], vec![]));
    assert_eq!(events(&mut client).unwrap(), [Event::Open(Agreement::default())]);
    assert_eq!(events(&mut server).unwrap(), [Event::Open(Agreement::default())]);
    client.call::<Echo>(NOW, Bean::new("plain", 5)).unwrap();
    let bytes = sent(&mut client);
    assert_eq!(bytes[..14], hex("07000000 01000000 0c000000 0101"));
    assert!(matches!(given(&mut server, &bytes).unwrap()[..], [Event::Call(_)]));
    server.end().unwrap();
}
