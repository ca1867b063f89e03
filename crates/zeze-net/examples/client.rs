//! Calls a server, which is in this program too.
//!
//! `cargo run --example client -p zeze-net --features client`

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;
use zeze_net::{Compression, Config, Encryption};
use zeze_serialize::frame::{Protocol, Rpc};

#[derive(Serialize, Deserialize)]
struct BLogin {
    account: String,
}

#[derive(Serialize, Deserialize)]
struct BChat {
    text: String,
}

/// `gamewire gen zeze` writes these for all protocols of a solution.
struct Login;
impl Protocol for Login {
    const MODULE_ID: u32 = 7;
    const PROTOCOL_ID: u32 = 1;
    type Argument = BLogin;
}
impl Rpc for Login {
    type Result = i64;
}

struct Chat;
impl Protocol for Chat {
    const MODULE_ID: u32 = 7;
    const PROTOCOL_ID: u32 = 2;
    type Argument = BChat;
}

async fn play(address: SocketAddr) -> zeze_net::Result<()> {
    let config = Config::new().keep_alive(Duration::from_secs(30));
    let (server, mut incoming) = zeze_net::connect(address, config).await?;
    match server.call::<Login>(BLogin { account: "Åsa".into() }).await?.ok() {
        Ok(player) => println!("player {player}, {:?}", server.agreement()),
        Err(code) => println!("refused: {code}"),
    }
    // What the server sends by itself.
    while let Some(frame) = incoming.next().await? {
        let frame = frame.as_raw();
        if Chat::is(&frame) {
            println!("{}", frame.read::<BChat>()?.text);
        }
    }
    Ok(())
}

/// A server for one client.
async fn serve(listener: TcpListener) -> zeze_net::Result<()> {
    let (stream, _) = listener.accept().await?;
    let config =
        Config::new().encryption(Encryption::Aes).compression(Compression::Mppc, Compression::Mppc);
    let (client, mut incoming) = zeze_net::accept(stream, config).await?;
    if let Some(frame) = incoming.next().await?
        && Login::is(&frame.as_raw())
    {
        let login = frame.as_raw().read::<BLogin>()?;
        client.respond(&frame, 0, 9_i64)?;
        client.send::<Chat>(BChat { text: format!("welcome, {}", login.account) })?;
    }
    // Dropping the client closes the connection, after what was sent.
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> zeze_net::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let address = listener.local_addr()?;
    let (played, served) = tokio::join!(play(address), serve(listener));
    played.and(served)
}
