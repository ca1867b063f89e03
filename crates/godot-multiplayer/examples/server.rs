//! A server for unmodified Godot clients: `cargo run --example server -- ADDRESS`.

use std::error::Error;
use std::net::{TcpListener, TcpStream};

use godot_multiplayer::{Event, Methods, Session};
use tungstenite::{Message, accept};

fn main() -> Result<(), Box<dyn Error>> {
    // In Godot: `peer.create_client("ws://HOST:9080")` of a WebSocketMultiplayerPeer.
    let Some(address) = std::env::args().nth(1) else {
        println!("usage: server ADDRESS");
        return Ok(());
    };
    for (stream, id) in TcpListener::bind(address)?.incoming().zip(2..) {
        let stream = stream?;
        std::thread::spawn(move || serve(stream, id).map_err(|error| eprintln!("{id}: {error}")));
    }
    Ok(())
}

/// One client. The node `/root/Chat` has `@rpc("any_peer") func say(text)` and `@rpc func hear(text)`.
fn serve(stream: TcpStream, id: i32) -> Result<(), Box<dyn Error>> {
    let mut socket = accept(stream)?;
    // The first message of this transport is the client's id.
    socket.send(Message::binary(id.to_le_bytes().to_vec()))?;
    let mut session = Session::server();
    session.node("Chat", Methods::new().any_peer("say").authority("hear"));
    session.connect(id);
    loop {
        while let Some(packet) = session.next_outgoing() {
            socket.send(Message::binary(packet.bytes))?;
        }
        let bytes = socket.read()?.into_data();
        match session.receive(id, &bytes) {
            Ok(Some(Event::Call(call))) => {
                let Ok((text,)) = call.args::<(&str,)>() else { continue };
                session.call(id, "Chat", "hear", &(format!("you said {text}"),))?;
            }
            Ok(_) => {}
            // It is about one packet: the client stays.
            Err(error) => eprintln!("{id}: {error}"),
        }
    }
}
