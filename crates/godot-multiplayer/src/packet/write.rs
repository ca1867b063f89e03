//! Packets to bytes.

use super::*;
use gamewire_core::words::Shortened;

use crate::args::Form;

impl Packet<'_> {
    /// The bytes of the packet.
    ///
    /// # Errors
    /// Data that the format cannot represent: text with NUL, an argument of a scene that takes none.
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        self.append_to_vec(&mut out)?;
        Ok(out)
    }

    /// Writes the packet at the end of `out`, which is as before when that fails.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec).
    pub fn append_to_vec(&self, out: &mut Vec<u8>) -> Result<()> {
        let start = out.len();
        let written = write(self, out);
        written.inspect_err(|_| out.truncate(start))
    }
}

fn write(packet: &Packet<'_>, out: &mut Vec<u8>) -> Result<()> {
    match packet {
        Packet::Call(call) => return write_call(call, out),
        Packet::SimplifyPath(path) => {
            out.push(SIMPLIFY_PATH);
            out.extend_from_slice(&path.methods.0);
            out.push(0);
            put(out, path.id);
            text(out, &path.path)?;
        }
        Packet::ConfirmPath(answer) => {
            out.extend_from_slice(&[CONFIRM_PATH, u8::from(answer.agrees)]);
            put(out, answer.id);
        }
        Packet::Raw(bytes) => {
            out.push(RAW);
            out.extend_from_slice(bytes);
        }
        Packet::Spawn(spawn) => write_spawn(spawn, out)?,
        Packet::Despawn(despawn) => {
            out.push(DESPAWN);
            put(out, despawn.net_id);
        }
        Packet::Sync(sync) => {
            out.push(SYNC);
            out.extend_from_slice(&sync.time.to_le_bytes());
            for SyncState { net_id, state } in &sync.states {
                put(out, *net_id);
                sized(out, state)?;
            }
        }
        Packet::Delta(delta) => {
            out.push(SYNC | IS_DELTA);
            for DeltaState { net_id, properties, state } in &delta.states {
                put(out, *net_id);
                out.extend_from_slice(&properties.to_le_bytes());
                sized(out, state)?;
            }
        }
        Packet::Sys(sys) => write_sys(sys, out),
    }
    Ok(())
}

/// A length or offset as it is written.
fn length(len: usize) -> Result<u32> {
    u32::try_from(len).ok().filter(|len| *len < IS_PATH).ok_or_else(|| {
        let text = format!("length {len} is more than the format's 2147483647");
        Error::new(ErrorKind::OutputLimit, text)
    })
}

fn put(out: &mut Vec<u8>, word: u32) {
    out.extend_from_slice(&word.to_le_bytes());
}

/// Text and its NUL.
fn text(out: &mut Vec<u8>, text: &str) -> Result<()> {
    if text.contains('\0') {
        let text = format!("expected text without NUL, found \"{}\"", Shortened(text));
        return Err(Error::new(ErrorKind::Unsupported, text));
    }
    out.extend_from_slice(text.as_bytes());
    out.push(0);
    Ok(())
}

/// The length of a state and its variants.
fn sized(out: &mut Vec<u8>, state: &State<'_>) -> Result<()> {
    put(out, length(state.bytes.len())?);
    out.extend_from_slice(&state.bytes);
    Ok(())
}

fn write_call(call: &Call<'_>, out: &mut Vec<u8>) -> Result<()> {
    let start = out.len();
    let method = u8::try_from(call.method).ok();
    let mut first = REMOTE_CALL;
    if method.is_none() {
        first |= WIDE_METHOD;
    }
    if call.arguments.form == Form::Raw {
        first |= SHORT_ARGS;
    }
    out.push(first);
    let width: u8 = match call.target {
        Target::Id(id) => {
            let bytes = id.to_le_bytes();
            let (narrow, width) = match id {
                0..=0xff => (bytes.get(..1), 0),
                0x100..=0xffff => (bytes.get(..2), 1),
                _ => (bytes.get(..), 2),
            };
            out.extend_from_slice(narrow.unwrap_or_default());
            width
        }
        Target::WideId(id) => {
            put(out, id);
            2
        }
        // The offset is put when it is known.
        Target::Path(_) => {
            put(out, 0);
            2
        }
    };
    if let Target::Id(id) | Target::WideId(id) = call.target
        && id & IS_PATH != 0
    {
        let text = format!("expected the id of a node path below 2147483648, found {id}");
        return Err(Error::new(ErrorKind::NumberRange, text));
    }
    if let Some(place) = out.get_mut(start) {
        *place |= width << TARGET_SHIFT;
    }
    match method {
        Some(method) => out.push(method),
        None => out.extend_from_slice(&call.method.to_le_bytes()),
    }
    if let Form::Counted(count) = call.arguments.form {
        out.push(count);
    }
    out.extend_from_slice(&call.arguments.bytes);
    if let Target::Path(path) = &call.target {
        let offset = length(out.len().saturating_sub(start))? | IS_PATH;
        let place = out.get_mut(start.saturating_add(1)..).and_then(<[u8]>::first_chunk_mut);
        if let Some(place) = place {
            *place = offset.to_le_bytes();
        }
        text(out, path)?;
    }
    Ok(())
}

fn write_spawn(spawn: &Spawn<'_>, out: &mut Vec<u8>) -> Result<()> {
    let Spawn { scene, spawner, net_id, synchronizers, name, argument, state } = spawn;
    if argument.is_some() != (*scene == Spawn::CUSTOM) {
        let text = "expected an argument with the scene 255 and without it none, found otherwise";
        return Err(Error::new(ErrorKind::Unsupported, text));
    }
    out.extend_from_slice(&[SPAWN, *scene]);
    put(out, *spawner);
    put(out, *net_id);
    put(out, length(synchronizers.len())?);
    put(out, length(name.len().saturating_add(1))?);
    synchronizers.iter().for_each(|id| put(out, *id));
    text(out, name)?;
    if let Some(argument) = argument {
        sized(out, argument)?;
    }
    out.extend_from_slice(&state.bytes);
    Ok(())
}

fn write_sys(sys: &Sys<'_>, out: &mut Vec<u8>) {
    let (command, peer, bytes): (u8, Option<i32>, &[u8]) = match sys {
        Sys::Auth(bytes) => (SYS_AUTH, None, bytes),
        Sys::AddPeer(peer) => (SYS_ADD_PEER, Some(*peer), &[]),
        Sys::DelPeer(peer) => (SYS_DEL_PEER, Some(*peer), &[]),
        Sys::Relay { peer, packet } => (SYS_RELAY, Some(*peer), packet),
    };
    out.extend_from_slice(&[SYS, command]);
    if let Some(peer) = peer {
        put(out, peer.cast_unsigned());
    }
    out.extend_from_slice(bytes);
}
