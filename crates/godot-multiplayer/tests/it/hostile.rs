//! Packets from strangers.

use gamewire_testkit::hostile::{Hostile, bit_flips, length_claims, truncations, u32_le};
use gamewire_testkit::vectors::{all_rows, from_hex};
use godot_multiplayer::{Methods, Packet, Session, TransferMode};
use godot_variant::{Error, Value};

use crate::support::testdata;

/// Reads a packet and what is in it.
fn read(bytes: &[u8]) -> Result<(), Error> {
    match Packet::from_slice(bytes)? {
        Packet::Call(call) => call.args::<Vec<Value>>().map(drop),
        Packet::Spawn(spawn) => {
            if let Some(argument) = spawn.argument {
                argument.read::<(Value,)>()?;
            }
            spawn.state.read::<Vec<Value>>().map(drop)
        }
        Packet::Sync(sync) => {
            sync.states.iter().try_for_each(|own| own.state.read::<Vec<Value>>().map(drop))
        }
        Packet::Delta(delta) => {
            delta.states.iter().try_for_each(|own| own.state.read::<Vec<Value>>().map(drop))
        }
        packet => packet.to_vec().map(drop),
    }
}

fn packets() -> Vec<(String, Vec<u8>)> {
    let rows = all_rows(testdata("godot-multiplayer/vectors/multiplayer.jsonl"));
    rows.iter().map(|row| (row.name().to_owned(), row.hex("hex").unwrap())).collect()
}

#[test]
fn every_truncation_and_flipped_bit_is_read_or_refused() {
    let mut hostile = Hostile::new(read);
    for (name, packet) in packets() {
        hostile.accepted(&name, &packet);
        // Short packets are packets too: raw bytes, paths without their NUL.
        hostile.cases("truncations", truncations(&name, &packet));
        hostile.cases("bit flips", bit_flips(&name, &packet));
    }
    hostile.random(3, 500, 60);
    hostile.finish();
}

#[test]
fn claims_are_claims() {
    let mut hostile = Hostile::new(read);
    let spawn = from_hex(
        "040002000000010000000100000006000000020000005468696e670002 05".replace(' ', "").as_str(),
    );
    let spawn = spawn.unwrap();
    for at in [10, 14] {
        hostile.all_refused(
            "counts of a spawn",
            length_claims(|claim| {
                let mut packet = spawn.clone();
                packet.get_mut(at..at + 4)?.copy_from_slice(&u32_le(claim)?);
                (claim > 20).then_some(packet)
            }),
        );
    }
    hostile.linear("states", 4096, |len| {
        let state = [2, 0, 0, 0, 2, 0, 0, 0, 2, 7];
        [&[6, 1, 0][..], &state.repeat(len / 10)].concat()
    });
    hostile.linear("arguments", 4096, |len| {
        let array = [&[28, 0, 0, 0][..], &u32_le(len as u64 / 4).unwrap()].concat();
        [&[0, 1, 0, 1][..], &array, &[0; 4].repeat(len / 4)].concat()
    });
    hostile.finish();
}

#[test]
fn a_session_survives_what_it_gets() {
    let samples = packets();
    let receive = |bytes: &[u8]| {
        let mut session = Session::client(2);
        session.node("N", Methods::new().any_peer("go"));
        session.node("N/Spawner", Methods::new());
        session.connect(1).unwrap();
        for (_, packet) in &samples {
            session.receive(1, TransferMode::Reliable, 0, packet).ok();
        }
        session.receive(1, TransferMode::Reliable, 0, bytes).map(drop)
    };
    let mut hostile = Hostile::new(receive);
    for (name, packet) in &samples {
        hostile.case(name, packet);
        hostile.cases("truncations", truncations(name, packet));
        hostile.cases("bit flips", bit_flips(name, packet));
    }
    hostile.finish();
}
