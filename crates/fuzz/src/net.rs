//! Connections of zeze-net, and the compression of theirs.

use std::collections::VecDeque;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use zeze_net::{Compression, Config, Connection, Encryption, Event, mppc, zstd};
use zeze_serialize::frame::{Protocol, Rpc};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Bean {
    number: i64,
    blob: ByteBuf,
}

struct Echo;

impl Protocol for Echo {
    const MODULE_ID: u32 = 7;
    const PROTOCOL_ID: u32 = 1;
    type Argument = Bean;
}

impl Rpc for Echo {
    type Result = Bean;
}

/// The same secrets each time, those of the recorded sessions.
fn secrets(seed: u8) -> impl FnMut(&mut [u8]) + Send + 'static {
    move |bytes| {
        let numbers = (u8::from(bytes.len() == 16)..).map(|own| own.wrapping_mul(7));
        bytes
            .iter_mut()
            .zip(numbers)
            .for_each(|(byte, own)| *byte = seed.wrapping_add(own).wrapping_add(1));
    }
}

fn config(choice: u8) -> Config {
    let some = if choice & 32 == 0 { Compression::Mppc } else { Compression::Zstd };
    let compression = |on: u8| if on == 0 { Compression::None } else { some };
    // The same bytes are received in the whole and in pieces; so nothing is bounded by them.
    let config = Config::new().max_ratio(usize::MAX);
    let config = config.max_size(1 << 14).max_calls(4).max_output(1 << 14);
    let config = config.compression(compression(choice & 1), compression(choice & 2));
    let encryption = if choice & 4 == 0 { Encryption::None } else { Encryption::AesNoAddress };
    let config = config.encryption(encryption);
    if choice & 8 == 0 { config } else { config.keep_alive(SECOND).max_silence(3 * SECOND) }
}

const SECOND: Duration = Duration::from_secs(1);

fn end(is_server: bool, config: Config) -> Connection {
    let now = Duration::ZERO;
    match is_server {
        true => {
            Connection::server(config, now, secrets(100)).expect("a configuration that says all")
        }
        false => {
            // A client takes the messages of the server.
            Connection::client(config.encryption(Encryption::None), now, secrets(3))
        }
    }
}

/// Answers calls, and notes what was said; the last is the error.
fn listen(connection: &mut Connection, now: Duration, said: &mut Vec<String>) {
    loop {
        match connection.poll_event(now) {
            Ok(Some(event)) => {
                said.push(format!("{event:?}"));
                if let Event::Call(call) = event {
                    let answer = connection.respond(now, &call, 5, Bean::default());
                    said.extend(answer.err().map(|error| error.to_string()));
                }
            }
            Ok(None) => return,
            Err(error) => {
                said.push(format!("{error:?}"));
                let again = connection.poll_event(now);
                assert!(matches!(again, Ok(None)), "after {error}: {again:?}");
                assert!(!connection.is_open() && connection.poll_timeout().is_none());
                return;
            }
        }
    }
}

/// Bytes in pieces say what the whole says: the first byte is the configuration, the second the size
/// of a piece. Before them, as much of a handshake as the third says.
pub(crate) fn zeze_net(data: &[u8]) {
    let [choice, size, begun, stream @ ..] = data else { return };
    let is_server = choice & 16 != 0;
    let begin = || {
        let mut own = end(is_server, config(*choice));
        let mut other = end(!is_server, config(*choice));
        let now = Duration::ZERO;
        for _ in 0..begun % 4 {
            while let Some(bytes) = other.poll_transmit() {
                own.receive(now, &bytes);
            }
            while own.poll_event(now).expect("a handshake").is_some() {}
            while let Some(bytes) = own.poll_transmit() {
                other.receive(now, &bytes);
            }
            while other.poll_event(now).expect("a handshake").is_some() {}
        }
        own
    };
    let now = SECOND;
    let (mut whole, mut of_whole) = (begin(), Vec::new());
    whole.receive(now, stream);
    listen(&mut whole, now, &mut of_whole);
    let (mut pieces, mut of_pieces) = (begin(), Vec::new());
    for piece in stream.chunks(usize::from(*size).max(1)) {
        pieces.receive(now, piece);
        listen(&mut pieces, now, &mut of_pieces);
    }
    assert_eq!(of_whole, of_pieces);
    assert_eq!(whole.agreement(), pieces.agreement());
    // The events of a failed connection may be any.
    assert_eq!(whole.poll_transmit(), pieces.poll_transmit());
    assert_eq!(whole.poll_timeout(), pieces.poll_timeout());
    // Whatever it waits for, it does not wait twice.
    let mut times = 0;
    while let Some(due) = pieces.poll_timeout().filter(|_| times < 40) {
        let due = due.max(now);
        let ended = pieces.handle_timeout(due).is_err();
        while let Ok(Some(_)) = pieces.poll_event(due) {}
        let next = pieces.poll_timeout();
        assert!(ended || next.is_none_or(|next| next > due), "{due:?}, then {next:?}");
        times += 1;
    }
}

/// Two ends that talk: everything comes, once and in its order, however the bytes are cut; and every
/// call has an answer, or has none in time.
pub(crate) fn zeze_net_pair(data: &[u8]) {
    let Some((choice, mut steps)) = data.split_first() else { return };
    let mut now = Duration::ZERO;
    let mut ends = [end(false, config(*choice)), end(true, config(*choice))];
    // By the end that they go to: bytes on their way, messages and calls that are to come.
    let mut wire: [VecDeque<u8>; 2] = Default::default();
    let mut expected: [VecDeque<(bool, Bean)>; 2] = Default::default();
    // By the end that has called: the sessions of its calls, and what they asked.
    let mut calls: [Vec<(i64, Bean)>; 2] = Default::default();
    let (mut opened, mut has_waited) = ([false; 2], false);
    let mut finish = 0;
    while finish < 12 {
        let (step, len, argument) = match steps {
            [step, len, rest @ ..] => {
                let (argument, after) = rest.split_at(rest.len().min(usize::from(*len)));
                steps = after;
                (*step, usize::from(*len), argument)
            }
            // Then all that is on its way comes.
            _ => {
                finish += 1;
                (finish & 1, usize::MAX, &[][..])
            }
        };
        let at = usize::from(step & 1);
        let bean = || Bean { number: i64::from(step), blob: ByteBuf::from(argument) };
        match step >> 1 & 7 {
            1 | 2 => {
                let sent = ends[at].send::<Echo>(now, bean());
                if sent.is_ok() {
                    expected[1 - at].push_back((false, bean()));
                }
            }
            3 | 4 => {
                if let Ok(id) = ends[at].call::<Echo>(now, bean()) {
                    calls[at].push((id, bean()));
                    expected[1 - at].push_back((true, bean()));
                }
            }
            5 if len % 8 == 0 && finish == 0 => {
                now += SECOND * (len as u32 >> 3) / 8;
                has_waited = true;
            }
            _ => {}
        }
        if has_waited && ends.iter_mut().any(|own| own.handle_timeout(now).is_err()) {
            // Too late: the handshake, or silence.
            return;
        }
        for own in [0, 1] {
            if let Some(bytes) = ends[own].poll_transmit() {
                wire[1 - own].extend(bytes);
            }
        }
        let count = wire[at].len().min(len);
        let bytes: Vec<u8> = wire[at].drain(..count).collect();
        ends[at].receive(now, &bytes);
        while let Some(event) = ends[at].poll_event(now).expect("what the other end said") {
            let read = |frame: &zeze_serialize::frame::OwnedFrame| {
                frame.as_raw().read::<Bean>().expect("the bean that was sent")
            };
            match event {
                Event::Open(_) => assert!(!std::mem::replace(&mut opened[at], true)),
                Event::Message(frame) => {
                    assert_eq!(expected[at].pop_front(), Some((false, read(&frame))));
                }
                Event::Call(frame) => {
                    let bean = read(&frame);
                    assert_eq!(expected[at].pop_front(), Some((true, bean.clone())));
                    // Where there is no room for the answer there is none.
                    let _ = ends[at].respond(now, &frame, 3, bean);
                }
                Event::Answer(frame) => {
                    let id = frame.as_raw().header.session_id();
                    let place = calls[at].iter().position(|(own, _)| Some(*own) == id);
                    let (_, bean) = calls[at].remove(place.expect("a call that waits"));
                    assert_eq!(read(&frame), bean);
                }
                Event::TimedOut(id) => {
                    assert!(has_waited);
                    let place = calls[at].iter().position(|(own, _)| *own == id.session_id);
                    calls[at].remove(place.expect("a call that waits"));
                }
                Event::Unexpected(_) => assert!(has_waited, "an answer to nothing"),
                other => panic!("{other:?}"),
            }
        }
        assert!(ends[at].pending_calls() >= calls[at].len());
    }
    assert_eq!(expected, <[VecDeque<(bool, Bean)>; 2]>::default());
    assert!(has_waited || opened == [true; 2] && calls.iter().all(Vec::is_empty));
    assert_eq!(ends[0].agreement(), ends[1].agreement());
}

/// Compressed data comes back, wherever it is flushed; and of any bytes, pieces are decompressed to
/// what the whole is.
macro_rules! compression {
    ($target:ident, $module:ident) => {
        pub(crate) fn $target(data: &[u8]) {
            use $module::{Compressor, Decompressor};

            let Some((size, data)) = data.split_first() else { return };
            let size = usize::from(*size).max(1);
            let (mut compressor, mut packed) = (Compressor::new(), Vec::new());
            let (mut decompressor, mut back) = (Decompressor::new(), Vec::new());
            let (mut given, mut taken) = (0, 0);
            for (number, piece) in data.chunks(size).enumerate() {
                compressor.write(piece, &mut packed);
                given += piece.len();
                if number % 3 != 1 {
                    compressor.flush(&mut packed);
                    let fresh = &packed[taken..];
                    let read = decompressor.read(fresh, usize::MAX, &mut back).expect("own bytes");
                    assert_eq!(read, fresh.len());
                    taken = packed.len();
                    assert!(back == data[..given], "{given} bytes: {}", back.len());
                }
            }
            // A few bytes may be many.
            let data = &data[..data.len().min(1 << 9)];
            let decompress = |size: usize, most: usize| {
                let (mut decompressor, mut all) = (Decompressor::new(), Vec::new());
                for mut piece in data.chunks(size) {
                    loop {
                        let before = all.len();
                        let end = before.saturating_add(most);
                        match decompressor.read(piece, end, &mut all) {
                            Ok(read) => piece = &piece[read..],
                            Err(error) => return (all, Some(error.to_string())),
                        }
                        if piece.is_empty() && all.len() < end {
                            break;
                        }
                    }
                }
                (all, None)
            };
            let whole = decompress(usize::MAX, usize::MAX);
            assert!(whole == decompress(size, usize::MAX), "in pieces of {size}: {:?}", whole.1);
            assert!(whole == decompress(usize::MAX, size), "{size} bytes at a time: {:?}", whole.1);
        }
    };
}

compression!(zeze_mppc, mppc);
compression!(zeze_zstd, zstd);
