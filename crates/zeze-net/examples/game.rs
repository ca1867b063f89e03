//! A client from a solution, with a server in the same program.
//!
//! `cargo run --example game -p zeze-net --features client`.
//! [How to](https://github.com/gamewire/gamewire/blob/main/docs/how-to/zeze.md) shows it.

use std::time::Duration;

use tokio::net::ToSocketAddrs;
use zeze_net::{Config, Connector, Incoming, Peer, Result};

/// Made by `gamewire gen zeze`.
pub mod beans;

use beans::game::lobby::{BAnswer, BChat, BJoin, Chat, Join};
use beans::game::{Client, Server};

/// Plays in as many connections as are wanted, one after the other.
pub async fn client<A: ToSocketAddrs + Clone>(
    address: A,
    connections: usize,
    log: &mut Vec<String>,
) {
    let config = Config::new().keep_alive(Duration::from_secs(30));
    let mut connector =
        Connector::new(address, config).pauses(Duration::from_millis(100), Duration::from_secs(8));
    for _ in 0..connections {
        // The first time at once, then after a pause that grows while the server is not there.
        let played = match connector.connect().await {
            Ok((server, incoming)) => play(server, incoming, log).await,
            Err(error) => Err(error),
        };
        log.push(match played {
            Ok(()) => "the server has closed the connection".to_owned(),
            Err(error) => format!("error: {error}"),
        });
    }
}

/// Plays until one of the sides closes the connection.
async fn play(server: Peer, mut incoming: Incoming, log: &mut Vec<String>) -> Result<()> {
    // A call ends with its answer or its time. What the server sends before the answer waits in `incoming`.
    let join = BJoin { player: "Åsa".into() };
    match server.call_within::<Join>(Duration::from_secs(2), join).await?.ok() {
        Ok(room) => log.push(format!("room {} with {}", room.number, room.players.join(", "))),
        Err(code) => {
            log.push(format!("refused: {code}"));
            return Ok(());
        }
    }
    server.send::<Chat>(BChat { from: String::new(), text: "hello".into() })?;

    // Messages, and calls of the server: the service's enum has one variant for each.
    while let Some(frame) = incoming.next().await? {
        match Client::read(&frame.as_raw())? {
            Some(Client::Chat(chat)) => {
                log.push(format!("{}: {}", chat.bean.from, chat.bean.text));
            }
            Some(Client::AskReady(_)) => {
                server.respond(&frame, 0, BAnswer { is_ready: true })?;
            }
            None => log.push("a message of a newer server".to_owned()),
        }
    }
    Ok(())
}

fn main() -> Result<()> {
    lines()?.iter().for_each(|line| println!("{line}"));
    Ok(())
}

/// Client and server, on one thread.
pub fn lines() -> Result<Vec<String>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let mut log = Vec::new();
        let ((), served) = tokio::join!(client(address, 2, &mut log), serve(listener));
        served.map(|()| log)
    })
}

/// Serves two connections, and closes each after a few frames.
async fn serve(listener: tokio::net::TcpListener) -> Result<()> {
    for number in 1..=2 {
        let (client, mut incoming) =
            zeze_net::accept(listener.accept().await?.0, Config::new()).await?;
        while let Some(frame) = incoming.next().await? {
            match Server::read(&frame.as_raw())? {
                Some(Server::Join(join)) => {
                    let text = format!("{} is here", join.bean.player);
                    client.send::<Chat>(BChat { from: "server".into(), text })?;
                    let players = vec!["Bo".into(), join.bean.player];
                    let room = beans::game::lobby::BRoom { number, players };
                    client.respond(&frame, 0, room)?;
                }
                Some(Server::Chat(chat)) => {
                    client.send::<Chat>(BChat { from: "Bo".into(), text: chat.bean.text })?;
                    let ready = client.call::<beans::game::lobby::AskReady>(()).await?;
                    let text = format!("ready: {}", ready.bean.is_ready);
                    client.send::<Chat>(BChat { from: "server".into(), text })?;
                    break;
                }
                None => {}
            }
        }
    }
    Ok(())
}
