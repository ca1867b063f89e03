//! Packets that no engine sends often, and what is wrong in packets.

use godot_multiplayer::*;
use godot_variant::{ErrorKind, Options};

fn round_trip(packet: &Packet<'_>) -> Vec<u8> {
    let bytes = packet.to_vec().unwrap();
    assert_eq!(Packet::from_slice(&bytes).unwrap(), *packet, "{bytes:02x?}");
    bytes
}

#[test]
fn targets_and_methods_take_as_many_bytes_as_they_need() {
    let call = |target, method| {
        round_trip(&Packet::Call(Call { target, method, arguments: Args::new(&(true,)).unwrap() }))
    };
    assert_eq!(call(Target::Id(255), 255), [0x00, 255, 255, 1, 0x81]);
    assert_eq!(call(Target::Id(256), 0), [0x10, 0, 1, 0, 1, 0x81]);
    assert_eq!(call(Target::Id(65_536), 0), [0x20, 0, 0, 1, 0, 0, 1, 0x81]);
    assert_eq!(call(Target::WideId(1), 256), [0x60, 1, 0, 0, 0, 0, 1, 1, 0x81]);
    assert_eq!(
        call(Target::Path("A/B".into()), 0x8000),
        [0x60, 9, 0, 0, 0x80, 0, 0x80, 1, 0x81, b'A', b'/', b'B', 0]
    );
    let id = Call { target: Target::Id(1 << 31), method: 0, arguments: Args::new(&()).unwrap() };
    assert_eq!(Packet::Call(id).to_vec().unwrap_err().kind(), ErrorKind::NumberRange);
}

#[test]
fn a_custom_spawn_has_its_argument_after_the_name() {
    let spawn = Spawn {
        scene: Spawn::CUSTOM,
        spawner: 3,
        net_id: 4,
        synchronizers: vec![5, 6],
        name: "Bob".into(),
        argument: Some(State::new(&("x",)).unwrap()),
        state: State::new(&(7,)).unwrap(),
    };
    let bytes = round_trip(&Packet::Spawn(spawn.clone()));
    let head = [4, 255, 3, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0, 6, 0, 0, 0];
    assert_eq!(bytes[..26], head);
    assert_eq!(bytes[26..34], [b'B', b'o', b'b', 0, 12, 0, 0, 0]);
    assert_eq!(bytes[46..], [2, 7]);
    let wrong = Spawn { argument: None, ..spawn };
    assert_eq!(Packet::Spawn(wrong).to_vec().unwrap_err().kind(), ErrorKind::Unsupported);
}

#[test]
fn system_packets() {
    assert_eq!(round_trip(&Packet::Sys(Sys::Auth((&[1, 2]).into()))), [7, 0, 1, 2]);
    assert_eq!(round_trip(&Packet::Sys(Sys::AddPeer(-2))), [7, 1, 254, 255, 255, 255]);
    assert_eq!(round_trip(&Packet::Sys(Sys::DelPeer(3))), [7, 2, 3, 0, 0, 0]);
    let relay = Sys::Relay { peer: 5, packet: (&[3, 9]).into() };
    assert_eq!(round_trip(&Packet::Sys(relay)), [7, 3, 5, 0, 0, 0, 3, 9]);
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let said = |bytes: &[u8]| Packet::from_slice(bytes).unwrap_err().to_string();
    assert_eq!(said(&[]), "expected 1 bytes of a command, found 0 at byte 0x0");
    assert_eq!(
        said(&[0x30, 1, 0]),
        "expected a node path of 1, 2 or 4 bytes, found width 3 at byte 0x0"
    );
    assert_eq!(
        said(&[0x20, 9, 0, 0, 0x80, 0, 0]),
        "expected a node path at byte 0x9, found the end at byte 0x1"
    );
    assert_eq!(
        said(&[0x20, 1, 0, 0, 0x80, 0, 0, b'N', 0]),
        "expected a node path after the arguments, found one at byte 0x1 at byte 0x1"
    );
    assert_eq!(
        said(&[0x20, 7, 0, 0, 0x80, 0, 0, 0xff, 0]),
        "expected UTF-8 text, found the byte 0xff at byte 0x7"
    );
    assert_eq!(said(&[5, 1, 0, 0, 0, 0]), "expected the end, found 1 byte more at byte 0x5");
    assert_eq!(said(&[7, 4]), "expected a system command from 0 to 3, found 4 at byte 0x1");
    assert_eq!(
        said(&[6, 1, 0, 2, 0, 0, 0, 9, 0, 0, 0, 1]),
        "expected 9 bytes of a state, found 1 at byte 0xb"
    );
    // Arguments are looked at when they are read.
    let packet = Packet::from_slice(&[0, 1, 0, 2, 0x81, 4, 0, 0, 0, 9]).unwrap();
    let error = packet.args::<(bool, String)>().unwrap_err();
    assert_eq!((error.offset(), error.path().to_string().as_str()), (Some(9), "[1]"));
    let packet = Packet::from_slice(&[3, 1]).unwrap();
    let error = packet.args::<()>().unwrap_err();
    assert_eq!(error.to_string(), "expected a remote call, found raw bytes");
}

#[test]
fn strict_reading_takes_what_engines_write_only() {
    let strict = Options::new().strict(true);
    let odd: [&[u8]; 6] = [
        &[0x08, 1, 0, 1, 0x81],                   // a bit without meaning
        &[0x10, 1, 0, 0, 1, 0x81],                // an id in two bytes
        &[0x40, 1, 0, 0, 1, 0x81],                // a method in two bytes
        &[2, 7, 1, 0, 0, 0],                      // an answer
        &[0x20, 8, 0, 0, 0x80, 0, 1, 0x81, b'N'], // a path without its NUL
        &[0x20, 8, 0, 0, 0x80, 0, 1, 0x81, b'N', 0, b'x'],
    ];
    for bytes in odd {
        Packet::from_slice(bytes).unwrap();
        let error = Packet::from_slice_with(bytes, &strict).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotCanonical, "{bytes:02x?}: {error}");
    }
}

#[test]
fn the_time_of_a_sync_wraps_around() {
    assert!(Sync::is_newer(2, 1) && !Sync::is_newer(1, 1) && !Sync::is_newer(1, 2));
    assert!(Sync::is_newer(3, 65_530) && !Sync::is_newer(65_500, 65_530));
}
