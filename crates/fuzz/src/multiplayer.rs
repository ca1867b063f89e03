//! Godot: packets of the multiplayer, files in wrappers, and text.

use godot_multiplayer::{Methods, Packet, Session, TransferMode};
use godot_variant::text;
use godot_variant::wrapped::{Compressed, Compression, Encrypted, Generation, Key, Opener};
use godot_variant::{Options, Value};

/// Packets are written as they were read, and a session takes or refuses each.
pub(crate) fn godot_packets(data: &[u8]) {
    packet(data);
    session(data);
}

fn packet(data: &[u8]) {
    let strict = Options::new().strict(true);
    if let Ok(packet) = Packet::from_slice_with(data, &strict) {
        let bytes = packet.to_vec().expect("what was read can be written");
        assert!(bytes == data, "strict, {packet:?}: {bytes:02x?}");
    }
    let Ok(packet) = Packet::from_slice(data) else {
        return assert!(Packet::from_slice_with(data, &strict).is_err());
    };
    look(&packet);
    let bytes = packet.to_vec().expect("what was read can be written");
    let back = Packet::from_slice_with(&bytes, &strict).expect("as the engine writes it");
    assert_eq!(back.name(), packet.name());
    assert_eq!(back.to_vec().ok(), Some(bytes), "{packet:?}");
}

/// The content of a packet, which is read only then.
fn look(packet: &Packet<'_>) {
    let all = |state: &godot_multiplayer::State<'_>| {
        let _ = state.read::<Vec<Value>>();
        let _ = state.read::<(i64, String)>();
    };
    match packet {
        Packet::Call(call) => {
            let _ = call.args::<(i64, String, f64)>();
            if let Ok(values) = call.args::<Vec<Value>>() {
                assert_eq!(values.len(), call.arguments.len());
            }
        }
        Packet::Spawn(spawn) => {
            spawn.argument.iter().for_each(all);
            all(&spawn.state);
        }
        Packet::Sync(sync) => sync.states.iter().for_each(|own| all(&own.state)),
        Packet::Delta(delta) => delta.states.iter().for_each(|own| all(&own.state)),
        _ => {}
    }
}

/// The first byte is the side, then each packet has its sender and its length before it. One that is
/// refused changes nothing.
fn session(data: &[u8]) {
    let Some((choice, mut rest)) = data.split_first() else { return };
    let is_server = choice & 1 == 0;
    let mut session = if is_server { Session::server() } else { Session::client(2) };
    session = session.authenticates(choice & 2 != 0).relays(choice & 4 == 0);
    session = session.options(Options::new().strict(choice & 8 != 0));
    session.node("Chat", Methods::new().any_peer("say").authority("tell"));
    session.node_of("World/Spawner", Methods::new(), if is_server { 2 } else { 1 });
    for peer in if is_server { [2, 3] } else { [1, 3] } {
        session.connect(peer).expect("a new peer");
    }
    if choice & 16 != 0 {
        let _ = session.call(0, "Chat", "say", &("hello", 7));
    }
    while let [from, len, after @ ..] = rest {
        let (packet, after) = after.split_at(after.len().min(usize::from(*len)));
        rest = after;
        let from = i32::from(from % 4);
        // A packet through the server is on its way, whatever it is to the server itself.
        let is_relay = matches!(packet, [first, 3, ..] if first & 7 == 7);
        let shown = |session: &Session| {
            let shown = format!("{session:?}");
            let end = shown.find(", outgoing: ").filter(|_| is_relay);
            shown[..end.unwrap_or(shown.len())].to_owned()
        };
        let (before, peers) = (shown(&session), session.peers().to_vec());
        let transfers = [TransferMode::Reliable, TransferMode::Unreliable];
        match session.receive(from, transfers[usize::from(len % 2)], i32::from(*len), packet) {
            // A packet that is refused may still admit its peer.
            Err(_) if session.peers() == peers => {
                assert_eq!(shown(&session), before, "{packet:02x?}");
            }
            Err(_) => assert_eq!((session.peers().last(), choice & 2), (Some(&from), 2)),
            Ok(Some(event)) => drop(format!("{event:?}")),
            Ok(None) => {}
        }
        match len % 32 {
            1 => drop(session.complete_auth(from)),
            2 => session.disconnect(from),
            3 => drop(session.call(from, "Chat", "tell", &[1])),
            4 => session.handle_timeout(std::time::Duration::from_secs(rest.len() as u64)),
            5 => drop(session.connect(from)),
            _ => {}
        }
    }
    while let Some(event) = session.next_event() {
        drop(format!("{event:?}"));
    }
    while let Some(packet) = session.next_outgoing() {
        let strict = Options::new().strict(true);
        let read = Packet::from_slice_with(&packet.bytes, &strict);
        assert!(read.is_ok(), "{packet:?}: {read:?}");
    }
}

/// Files in wrappers: of any bytes, and those made of them.
pub(crate) fn godot_wrapped(data: &[u8]) {
    let key = || Key::from_password("secret");
    let opener = Opener::new().key(key()).max_plain(1 << 20);
    let keyless = Opener::new().max_plain(1 << 20);
    let damaged = opener.open_damaged(data);
    match opener.open(data) {
        Ok(opened) => {
            let (same, wrong) = damaged.expect("what can be opened");
            assert!(wrong.is_none() && same.plain == opened.plain, "{wrong:?}");
            let bytes = opened.wrapper.to_vec(&opened.plain).expect("what was read");
            let again = opener.open(&bytes).expect("what was written can be read");
            assert_eq!(again.plain, opened.plain);
        }
        Err(error) => {
            // Which fault comes first may differ, but there is one.
            assert!(damaged.is_err() || damaged.is_ok_and(|own| own.1.is_some()), "{error}");
            assert!(keyless.open(data).is_err());
        }
    }
    let [choice, size, plain @ ..] = data else { return };
    let compressions =
        [Compression::FastLz, Compression::Deflate, Compression::Zstd, Compression::Gzip];
    let compressed = Compressed::new(compressions[usize::from(choice % 4)]);
    let compressed = compressed.block_size(u32::from(*size) * 8 + 1);
    let file = compressed.to_vec(plain).expect("few bytes");
    assert_eq!(keyless.open(&file).expect("what was written can be read").plain, plain);
    // Missing bytes are reported, and the bytes before them are present.
    let cut = &file[..file.len() - 1 - usize::from(*size) % file.len()];
    assert!(keyless.open(cut).is_err());
    if let Ok((opened, wrong)) = keyless.open_damaged(cut) {
        assert!(wrong.is_some());
        // A block that is cut off may have given some bytes.
        let whole =
            opened.plain.len() / (usize::from(*size) * 8 + 1) * (usize::from(*size) * 8 + 1);
        assert!(plain.starts_with(&opened.plain[..whole]));
    }
    let generation = if choice & 4 == 0 { Generation::Godot4 } else { Generation::Godot3 };
    let encrypted = Encrypted::new(key()).of(generation).iv([*size; 16]);
    let file = encrypted.to_vec(plain).expect("few bytes");
    assert_eq!(opener.open(&file).expect("what was written can be read").plain, plain);
    assert!(keyless.open(&file).is_err());
    let other = Opener::new().key(Key::from_password("other"));
    // Two keys may make the same of a few bytes; the check sum is of those.
    assert!(other.open(&file).map_or(true, |own| own.plain == plain));
}

/// The text of `var_to_str` is read as the value.
pub(crate) fn text(value: &Value) {
    let options = Options::new().allow_objects(true);
    // Not everything: what the text has no way to say.
    let Ok(written) = text::to_string_with(value, &options) else { return };
    let read = |text: &str| {
        text::from_str_with::<Value>(text, &options).unwrap_or_else(|error| {
            panic!("{error}: {text}, of {value:?}");
        })
    };
    let back = read(&written);
    // An object that is null is no object any more.
    assert!(back.kind() == value.kind() || back.is_null() && written == "null", "{written}");
    let again = text::to_string_with(&back, &options).expect("what was written before");
    // The engine reads some signs as others, takes typed containers as a whole or not at all, and writes
    // all signals alike, of which one can be a key.
    let others = ["\\a", "\\v", "Array[", "Dictionary[", "Signal()"];
    if others.iter().any(|own| written.contains(own)) {
        let third = text::to_string_with(&read(&again), &options);
        assert!(third.ok().as_ref() == Some(&again) || has_fraction(&again), "{value:?}");
    } else if !has_fraction(&written) {
        // Digits may be read as a neighbour, as the engine does.
        assert_eq!(again, written, "{value:?}");
    }
}

/// Whether there is a digit, a dot and a digit in a text, or a digit and an exponent.
fn has_fraction(text: &str) -> bool {
    let mut three = text.as_bytes().windows(3);
    three.any(|own| own[0].is_ascii_digit() && matches!(own[1], b'.' | b'e'))
}
