//! Remote calls of the multiplayer: packets, and the session above them.

use std::hint::black_box;

use godot_multiplayer::{Args, Call, Event, Methods, Packet, Session, Target, TransferMode};
use godot_variant::types::Vector3;

use crate::Outcome;
use crate::harness::same;
use crate::table::{Cell, Table};
use crate::task::Task;

const COLUMNS: [&str; 7] = [
    "name",
    "encode ms",
    "decode ms",
    "1000 encoded/s",
    "1000 decoded/s",
    "allocs encode",
    "allocs decode",
];

/// Calls in one measurement.
const COUNT: u64 = 10_000;

/// The message of a shooter for each player and frame.
type Arguments<'a> = (i64, &'a str, Vector3, f64, bool);

fn arguments(number: u64) -> Arguments<'static> {
    let number = u32::try_from(number).unwrap_or(0);
    (number.into(), "player", Vector3::new(1.0, 2.0, 3.0), 0.5, true)
}

/// The table: 10 000 calls with five arguments, on one core.
pub fn table(task: &Task) -> Outcome<Table> {
    let plan = &task.plan;
    let mut table = Table::new("10 000 remote calls with five arguments", &COLUMNS);
    let mut push =
        |name: &str, encode: &dyn Fn() -> Outcome<u64>, decode: &dyn Fn() -> Outcome<u64>| {
            same(name, &encode()?, &COUNT)?;
            same(name, &decode()?, &COUNT)?;
            // Thousands in a second, where `Rate` says millions of what it is given.
            let (encode, decode) = (plan.cost(encode)?, plan.cost(decode)?);
            table.rows.push(vec![
                Cell::Text(name.to_owned()),
                Cell::Time(encode.time),
                Cell::Time(decode.time),
                Cell::Rate(COUNT * 1000, 1),
                Cell::Rate(COUNT * 1000, 2),
                Cell::Count(encode.counts.allocations),
                Cell::Count(decode.counts.allocations),
            ]);
            Outcome::Ok(())
        };
    let packet = packet(7)?;
    push("Packet", &packets, &|| {
        let mut count = 0;
        while count < COUNT {
            let packet = Packet::from_slice(black_box(&packet))?;
            black_box(packet.args::<Arguments<'_>>()?);
            count += 1;
        }
        Ok(count)
    })?;
    push("Session", &calls, &|| {
        let mut server = side(Session::server(), 2)?;
        let mut client = side(Session::client(2), 1)?;
        settle(&mut server, &mut client)?;
        server.call(2, "Player", "moved", &arguments(7))?;
        let Some(packet) = server.next_outgoing() else { return Ok(0) };
        let mut count = 0;
        while count < COUNT {
            if let Some(Event::Call(call)) =
                client.receive(1, TransferMode::Reliable, 0, black_box(&packet.bytes))?
            {
                black_box(call.args::<Arguments<'_>>()?);
                count += 1;
            }
        }
        Ok(count)
    })?;
    Ok(table)
}

fn packet(number: u64) -> Outcome<Vec<u8>> {
    let arguments = Args::new(black_box(&arguments(number)))?;
    Ok(Packet::Call(Call { target: Target::Id(1), method: 0, arguments }).to_vec()?)
}

fn packets() -> Outcome<u64> {
    (0..COUNT).try_for_each(|number| packet(number).map(|packet| drop(black_box(packet))))?;
    Ok(COUNT)
}

fn calls() -> Outcome<u64> {
    let mut server = side(Session::server(), 2)?;
    let mut client = side(Session::client(2), 1)?;
    settle(&mut server, &mut client)?;
    for number in 0..COUNT {
        server.call(2, "Player", "moved", black_box(&arguments(number)))?;
        black_box(server.next_outgoing());
    }
    Ok(COUNT)
}

fn side(mut session: Session, peer: i32) -> Outcome<Session> {
    session.node("Player", Methods::new().any_peer("moved"));
    session.connect(peer)?;
    Ok(session)
}

/// The first call, whose path is confirmed.
fn settle(server: &mut Session, client: &mut Session) -> Outcome<()> {
    server.call(2, "Player", "moved", &arguments(0))?;
    while let Some(packet) = server.next_outgoing() {
        client.receive(1, TransferMode::Reliable, 0, &packet.bytes)?;
    }
    while let Some(packet) = client.next_outgoing() {
        server.receive(2, TransferMode::Reliable, 0, &packet.bytes)?;
    }
    Ok(())
}
