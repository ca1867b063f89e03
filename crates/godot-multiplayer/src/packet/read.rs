//! Bytes to packets.

use std::borrow::Cow;

use gamewire_core::words::invalid_utf8;

use super::*;
use crate::Options;
use crate::args::Form;
use crate::read::Reader;

impl<'a> Packet<'a> {
    /// Reads a packet. Arguments and states stay encoded until they are read.
    ///
    /// # Errors
    /// A packet that is cut off, lengths that do not fit, text that is not UTF-8.
    pub fn from_slice(bytes: &'a [u8]) -> Result<Self> {
        Self::from_slice_with(bytes, &Options::new())
    }

    /// [`from_slice`](Self::from_slice) with options: [`strict`](Options::strict) refuses what the
    /// engine would write otherwise.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice).
    pub fn from_slice_with(bytes: &'a [u8], options: &Options) -> Result<Self> {
        let mut reader = Reader::new(bytes, options.clone());
        read(&mut reader, bytes).map_err(|error| error.or_at(0))
    }
}

fn read<'a>(reader: &mut Reader<'a>, bytes: &'a [u8]) -> Result<Packet<'a>> {
    let [first] = reader.array("a command")?;
    let command = first & COMMAND;
    let known = match command {
        REMOTE_CALL => COMMAND | 0xf0,
        SYNC => COMMAND | IS_DELTA,
        _ => COMMAND,
    };
    reader.canonical(first & !known == 0, 0, "a bit without meaning is set")?;
    let packet = match command {
        REMOTE_CALL => return call(reader, bytes, first).map(Packet::Call),
        SIMPLIFY_PATH => Packet::SimplifyPath(simplify_path(reader)?),
        CONFIRM_PATH => {
            let at = reader.offset();
            let [agrees] = reader.array("an answer")?;
            if reader.rest().len() != 4 && reader.rest().last() == Some(&0) {
                let text = "expected the id of a path, as Godot 4.3 and later confirm it, found the \
                            path, as Godot 4.0 to 4.2 do";
                return Err(Error::at(ErrorKind::Unsupported, at, text));
            }
            reader.canonical(agrees <= 1, at, "an answer is neither 0 nor 1")?;
            Packet::ConfirmPath(ConfirmPath { agrees: agrees != 0, id: reader.u32(PATH_ID)? })
        }
        RAW => Packet::Raw(Cow::Borrowed(rest(reader, "the bytes")?)),
        SPAWN => Packet::Spawn(spawn(reader)?),
        DESPAWN => Packet::Despawn(Despawn { net_id: reader.u32(NET_ID)? }),
        SYNC if first & IS_DELTA == 0 => Packet::Sync(sync(reader)?),
        SYNC => Packet::Delta(delta(reader)?),
        _ => Packet::Sys(sys(reader)?),
    };
    reader.de.end()?;
    Ok(packet)
}

const PATH_ID: &str = "the id of a path";
const NET_ID: &str = "the id of a node";
const STATE: &str = "a state";

fn rest<'a>(reader: &mut Reader<'a>, what: &'static str) -> Result<&'a [u8]> {
    reader.take(reader.rest().len(), what)
}

fn call<'a>(reader: &mut Reader<'a>, bytes: &'a [u8], first: u8) -> Result<Call<'a>> {
    let at = reader.offset();
    let width = first >> TARGET_SHIFT & 3;
    let number = match width {
        0 => {
            let [id] = reader.array("the id of a node path")?;
            u32::from(id)
        }
        1 => u32::from(u16::from_le_bytes(reader.array("the id of a node path")?)),
        2 => reader.u32("the id of a node path")?,
        _ => {
            let text = "expected a node path of 1, 2 or 4 bytes, found width 3";
            return Err(Error::at(ErrorKind::Unsupported, 0, text));
        }
    };
    let (target, end) = match (width, number) {
        (2, offset) if offset & IS_PATH != 0 => {
            let offset = usize::try_from(offset & !IS_PATH).unwrap_or(usize::MAX);
            let (path, end) = path_at(reader, bytes, offset, at)?;
            (Target::Path(path), end)
        }
        (2, id) if id <= 0xffff => (Target::WideId(id), bytes.len()),
        (_, id) => (Target::Id(id), bytes.len()),
    };
    reader.canonical(width != 1 || number > 0xff, at, "an id has more bytes than it needs")?;
    let at = reader.offset();
    let wide = first & WIDE_METHOD != 0;
    let method = if wide {
        u16::from_le_bytes(reader.array("the number of a method")?)
    } else {
        let [method] = reader.array("the number of a method")?;
        u16::from(method)
    };
    reader.canonical(!wide || method > 0xff, at, "a method has more bytes than it needs")?;
    let form = if first & SHORT_ARGS != 0 {
        Form::Raw
    } else {
        let [count] = reader.array("the count of arguments")?;
        Form::Counted(count)
    };
    let at = reader.offset();
    let Some(arguments) = bytes.get(at..end) else {
        let text = format!("expected a node path after the arguments, found one at byte {end:#x}");
        return Err(Error::at(ErrorKind::Data, 1, text));
    };
    Ok(Call { target, method, arguments: Args { bytes: arguments.into(), form, at } })
}

/// The path that ends the packet, and where it starts.
fn path_at<'a>(
    reader: &Reader<'a>,
    bytes: &'a [u8],
    offset: usize,
    at: usize,
) -> Result<(Cow<'a, str>, usize)> {
    let Some(path) = bytes.get(offset..).filter(|path| !path.is_empty()) else {
        let text = format!("expected a node path at byte {offset:#x}, found the end");
        return Err(Error::at(ErrorKind::UnexpectedEof, at, text));
    };
    Ok((text(reader, path, offset)?, offset))
}

/// Text that ends with NUL. As the engine reads it: up to the first one, which may be missing.
fn text<'a>(reader: &Reader<'a>, bytes: &'a [u8], at: usize) -> Result<Cow<'a, str>> {
    let len = bytes.iter().position(|&byte| byte == 0);
    let ends = len.and_then(|len| len.checked_add(1)) == Some(bytes.len());
    reader.canonical(ends, at, "text does not end with its only NUL")?;
    let text = bytes.get(..len.unwrap_or(bytes.len())).unwrap_or(bytes);
    std::str::from_utf8(text).map(Cow::Borrowed).map_err(|error| {
        let offset = at.saturating_add(error.valid_up_to());
        Error::at(ErrorKind::InvalidUtf8, offset, invalid_utf8(text, error))
    })
}

fn simplify_path<'a>(reader: &mut Reader<'a>) -> Result<SimplifyPath<'a>> {
    let methods = MethodsHash(reader.array("the check sum of the methods")?);
    let at = reader.offset();
    let [nul] = reader.array("the end of the check sum")?;
    reader.canonical(nul == 0, at, "a check sum does not end with NUL")?;
    let id = reader.u32(PATH_ID)?;
    let at = reader.offset();
    let path = rest(reader, "a node path")?;
    Ok(SimplifyPath { methods, id, path: text(reader, path, at)? })
}

fn spawn<'a>(reader: &mut Reader<'a>) -> Result<Spawn<'a>> {
    let [scene] = reader.array("the number of a scene")?;
    let spawner = reader.u32(PATH_ID)?;
    let net_id = reader.u32(NET_ID)?;
    let count = length(reader, "the count of synchronizers")?;
    let name_len = length(reader, "the length of the name")?;
    let ids = reader.take(count.saturating_mul(4), "the ids of synchronizers")?;
    let (ids, _) = ids.as_chunks::<4>();
    let synchronizers = ids.iter().map(|id| u32::from_le_bytes(*id)).collect();
    let at = reader.offset();
    let name = reader.take(name_len, "the name")?;
    let name = text(reader, name, at)?;
    let argument = if scene == Spawn::CUSTOM {
        let len = length(reader, "the length of the argument")?;
        Some(state(reader, len)?)
    } else {
        None
    };
    let len = reader.rest().len();
    let state = state(reader, len)?;
    Ok(Spawn { scene, spawner, net_id, synchronizers, name, argument, state })
}

fn length(reader: &mut Reader<'_>, what: &'static str) -> Result<usize> {
    reader.u32(what).map(|len| usize::try_from(len).unwrap_or(usize::MAX))
}

fn state<'a>(reader: &mut Reader<'a>, len: usize) -> Result<State<'a>> {
    let at = reader.offset();
    Ok(State { bytes: Cow::Borrowed(reader.take(len, STATE)?), at })
}

fn sync<'a>(reader: &mut Reader<'a>) -> Result<Sync<'a>> {
    let time = u16::from_le_bytes(reader.array("the time of a sync")?);
    let mut states = Vec::new();
    while !reader.rest().is_empty() {
        let net_id = reader.u32(NET_ID)?;
        let len = length(reader, "the length of a state")?;
        states.push(SyncState { net_id, state: state(reader, len)? });
    }
    Ok(Sync { time, states })
}

fn delta<'a>(reader: &mut Reader<'a>) -> Result<Delta<'a>> {
    let mut states = Vec::new();
    while !reader.rest().is_empty() {
        let net_id = reader.u32(NET_ID)?;
        let properties = reader.u64("the mask of properties")?;
        let len = length(reader, "the length of a state")?;
        states.push(DeltaState { net_id, properties, state: state(reader, len)? });
    }
    Ok(Delta { states })
}

fn sys<'a>(reader: &mut Reader<'a>) -> Result<Sys<'a>> {
    let at = reader.offset();
    let [command] = reader.array("a system command")?;
    let peer = "the id of a peer";
    Ok(match command {
        SYS_AUTH => Sys::Auth(rest(reader, "the bytes")?.into()),
        SYS_ADD_PEER => Sys::AddPeer(reader.u32(peer)?.cast_signed()),
        SYS_DEL_PEER => Sys::DelPeer(reader.u32(peer)?.cast_signed()),
        SYS_RELAY => Sys::Relay {
            peer: reader.u32(peer)?.cast_signed(),
            packet: rest(reader, "a packet")?.into(),
        },
        other => {
            let text = format!("expected a system command from 0 to 3, found {other}");
            return Err(Error::at(ErrorKind::Unsupported, at, text));
        }
    })
}
