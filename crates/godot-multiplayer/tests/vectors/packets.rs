//! Rows of packets between two engines.

use gamewire_testkit::vectors::{Check, Row, said, same_bytes};
use godot_multiplayer::{Args, Call, Packet, State, Target};
use godot_variant::{Options, Value};

use crate::vectors::replay;

/// A call of method 0 of the node `N`, whose path is not confirmed.
pub(crate) fn rpc(row: &Row) -> Check {
    let bytes = row.hex("hex")?;
    let plain = row.hex("plain")?;
    let Packet::Call(call) = strict(&bytes)? else { return Err("not a call".into()) };
    if call.target != Target::Path("N".into()) || call.method != 0 {
        return Err(format!("expected method 0 of \"N\", found {call:?}"));
    }
    let found: Value = call.args().map_err(said)?;
    same_bytes("arguments", &plain, &Options::new().to_vec(&found).map_err(said)?)?;
    let expected: Vec<Value> = Options::new().from_slice(&plain).map_err(said)?;
    if call.arguments.len() != expected.len() {
        return Err(format!("{} arguments, found {}", expected.len(), call.arguments.len()));
    }
    let made = Call {
        target: Target::Path("N".into()),
        method: 0,
        arguments: Args::new(&expected).map_err(said)?,
    };
    same_bytes("bytes", &bytes, &Packet::Call(made).to_vec().map_err(said)?)?;
    // A `Value` as the list of arguments is the same.
    let whole = Args::new(&found).map_err(said)?;
    match whole == call.arguments {
        true => Ok(()),
        false => Err(format!("arguments of a Value: {whole:?}")),
    }
}

/// A packet that is written back as it was, with its arguments and states.
pub(crate) fn session(row: &Row) -> Check {
    let bytes = row.hex("hex")?;
    let mut packet = strict(&bytes)?;
    same_bytes("bytes", &bytes, &packet.to_vec().map_err(said)?)?;
    // Encoded once more, from what they say.
    match &mut packet {
        Packet::Call(call) => {
            let values: Vec<Value> = call.args().map_err(said)?;
            call.arguments = Args::new(&values).map_err(said)?;
        }
        Packet::Spawn(spawn) => spawn.state = again(&spawn.state)?,
        Packet::Sync(sync) => {
            sync.states.iter_mut().try_for_each(|state| {
                state.state = again(&state.state)?;
                Check::Ok(())
            })?;
        }
        Packet::Delta(delta) => {
            delta.states.iter_mut().try_for_each(|state| {
                state.state = again(&state.state)?;
                Check::Ok(())
            })?;
        }
        _ => {}
    }
    same_bytes("bytes of values", &bytes, &packet.to_vec().map_err(said)?)?;
    expect_step(row, &packet)?;
    played(row, &bytes)
}

/// The packet that this crate sends at that place of the session.
fn played(row: &Row, bytes: &[u8]) -> Check {
    let Some(at) = row.name().strip_prefix('s').and_then(|at| at.parse::<usize>().ok()) else {
        return Ok(());
    };
    let (packets, _) = replay::play().map_err(said)?;
    let Some((from, played)) = packets.get(at) else { return Ok(()) };
    same_bytes("the packet that is played", bytes, played)?;
    match row.get("from") {
        Some(found) if found == from => Ok(()),
        found => Err(format!("expected a packet of {from}, found one of {found:?}")),
    }
}

fn again(state: &State<'_>) -> Check<State<'static>> {
    let values: Vec<Value> = state.read().map_err(said)?;
    State::new(&values).map_err(said)
}

fn strict(bytes: &[u8]) -> Check<Packet<'_>> {
    Packet::from_slice_with(bytes, &Options::new().strict(true)).map_err(said)
}

/// Compares with the step that the row tells.
fn expect_step(row: &Row, packet: &Packet<'_>) -> Check {
    let step = row.need_text("step")?;
    let good = match packet {
        Packet::Call(call) => match call.args::<Vec<Value>>().map_err(said)?.as_slice() {
            [] => step.contains("go()"),
            [bytes] if bytes.as_bytes() == Some(&[1, 2, 3]) => step.contains("go(PackedByteArray"),
            [a, b, c] => {
                step.contains("go(1, \"x\", 2.5)") && *a == 1_i64 && *b == "x" && *c == 2.5
            }
            _ => false,
        },
        Packet::SimplifyPath(path) => matches!(&*path.path, "N" | "N/Spawner"),
        Packet::ConfirmPath(answer) => answer.agrees,
        Packet::Raw(bytes) => step == "send_bytes([9,8,7])" && **bytes == [9, 8, 7],
        Packet::Spawn(_) => step.starts_with("spawn of Thing"),
        Packet::Despawn(_) => step == "despawn",
        Packet::Sync(sync) => {
            let sent: Vec<(i64,)> = sync
                .states
                .iter()
                .map(|own| own.state.read())
                .collect::<Result<_, _>>()
                .map_err(said)?;
            let hp = match step {
                step if step.starts_with("spawn of") => 5,
                step if step.starts_with("sync of hp 1000") => 1000,
                _ => return Err(format!("another step for a sync: {step}")),
            };
            sent == [(hp,)]
        }
        Packet::Delta(_) => step.contains("pos ("),
        _ => false,
    };
    if good { Ok(()) } else { Err(format!("expected `{step}`, found {packet:?}")) }
}
