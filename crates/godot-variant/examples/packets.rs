//! Messages of a game over `PacketPeer.put_var` and `get_var`: one variant a packet, an enum for
//! all of them, and text that is borrowed from the packet.
//!
//! `cargo run --example packets -p godot-variant`
//!
//! In GDScript the messages are what `var_to_bytes` makes of
//! `{"Chat": {"from": "Åsa", "text": "hello"}}`, `{"Move": [7, Vector2(1, 2)]}` and `"Ping"`.

use godot_variant::types::Vector2;
use godot_variant::{ErrorKind, Options};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Message<'a> {
    Ping,
    Chat {
        from: &'a str,
        text: &'a str,
    },
    Move(u32, Vector2),
    /// A whole buffer, a `PackedByteArray` for the engine.
    #[serde(borrow)]
    Chunk(godot_variant::types::PackedByteSlice<'a>),
}

/// Like `PacketPeer`: packets keep their borders, and the buffer of the last one is reused.
#[derive(Default)]
struct Peer {
    inbox: std::collections::VecDeque<Vec<u8>>,
    packet: Vec<u8>,
}

impl Peer {
    fn put(&mut self, message: &Message<'_>) -> godot_variant::Result<()> {
        self.inbox.push_back(options().to_vec(message)?);
        Ok(())
    }

    /// The next message, which borrows from the packet until the next call.
    fn get(&mut self) -> Option<godot_variant::Result<Message<'_>>> {
        self.packet = self.inbox.pop_front()?;
        Some(options().from_slice(&self.packet))
    }
}

/// Packets come from strangers: no objects (the default), little nesting, small buffers.
fn options() -> Options {
    Options::new().max_depth(8).max_typed_depth(8).max_output(65_536)
}

fn main() -> godot_variant::Result<()> {
    let mut peer = Peer::default();
    peer.put(&Message::Ping)?;
    peer.put(&Message::Chat { from: "Åsa", text: "hello" })?;
    peer.put(&Message::Move(7, Vector2::new(1.0, 2.0)))?;
    peer.put(&Message::Chunk(godot_variant::types::PackedByteSlice(&[1, 2, 3])))?;
    // A message that this version does not know.
    peer.inbox.push_back(godot_variant::to_vec("Dance")?);

    while let Some(message) = peer.get() {
        match message {
            Ok(Message::Chat { from, text }) => println!("{from}: {text}"),
            Ok(message) => println!("{message:?}"),
            Err(error) if error.kind() == ErrorKind::Data => println!("ignored: {error}"),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
