//! Connections over `tokio`: against a server in this program, and against ends that misbehave.

use std::future::Future;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio::net::TcpListener;
use zeze_net::{
    Compression, Config, Connection, Encryption, Incoming, Peer, accept, connect, over,
};
use zeze_serialize::frame::Protocol;
use zeze_serialize::{ErrorKind, Result};

use super::{Ask, Bean, Echo, NOW, Notice, seeded};

/// Runs on one thread, and fails rather than hangs.
fn run<T>(test: impl Future<Output = Result<T>>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let limited = async { tokio::time::timeout(Duration::from_secs(30), test).await };
    runtime.block_on(limited).unwrap().unwrap()
}

/// A server that answers calls until the client goes.
async fn serve(peer: Peer, mut incoming: Incoming) -> Result<usize> {
    let mut count = 0;
    while let Some(frame) = incoming.next().await? {
        let raw = frame.as_raw();
        if Echo::is(&raw) {
            count += 1;
            let bean = raw.read::<Bean>()?;
            match bean.text.as_str() {
                "silent" => {}
                "fail" => peer.respond(&frame, 5, Bean::default())?,
                "many" => {
                    for n in 0..1000 {
                        peer.send::<Notice>(Bean::new("one of many", n))?;
                    }
                    peer.respond(&frame, 0, bean)?;
                }
                "ask me" => {
                    let peer = peer.clone();
                    tokio::spawn(async move {
                        let name = peer.call::<Ask>(Bean::new("who?", 0)).await?;
                        peer.respond(&frame, 0, name.bean)
                    });
                }
                _ => peer.respond(&frame, 0, bean)?,
            }
        }
    }
    Ok(count)
}

async fn listening() -> Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// A client and a server over a pipe of few bytes, so that writing has to wait.
async fn piped(
    of_client: Config,
    of_server: Config,
) -> Result<((Peer, Incoming), (Peer, Incoming))> {
    let (near, far) = tokio::io::duplex(64);
    let client = Connection::client(of_client, NOW, seeded(3))?;
    let server = Connection::server(of_server, NOW, seeded(100))?;
    tokio::try_join!(over(near, client), over(far, server))
}

#[test]
fn calls_over_sockets() {
    for encryption in [Encryption::None, Encryption::Aes, Encryption::AesNoAddress] {
        run(async {
            let (listener, address) = listening().await?;
            let server = tokio::spawn(async move {
                let (stream, _) = listener.accept().await?;
                let config = Config::new().encryption(encryption);
                let config = config.compression(Compression::Mppc, Compression::None);
                let (peer, incoming) = accept(stream, config).await?;
                serve(peer, incoming).await
            });
            let (peer, mut incoming) = connect(address, Config::new()).await?;
            assert_eq!(peer.agreement().encryption, encryption);
            let asked = tokio::spawn({
                let peer = peer.clone();
                async move {
                    let question = incoming.next().await?.expect("a call");
                    assert!(question.as_raw().header.is_request());
                    peer.respond(&question, 0, Bean::new("a client", 0))
                }
            });
            for n in 0..20 {
                let reply = peer.call::<Echo>(Bean::new("again", n)).await?;
                assert_eq!(reply.ok(), Ok(Bean::new("again", n)));
            }
            let fails = peer.call::<Echo>(Bean::new("fail", 0)).await?;
            assert_eq!(fails.ok(), Err(5));
            let reply = peer.call::<Echo>(Bean::new("ask me", 0)).await?;
            assert_eq!(reply.bean.text, "a client");
            asked.await.unwrap()?;
            // Many at once; the answers find who waits for them.
            let calls = (0..100).map(|n| {
                let peer = peer.clone();
                tokio::spawn(async move { peer.call::<Echo>(Bean::new("one of many", n)).await })
            });
            for (n, call) in calls.collect::<Vec<_>>().into_iter().enumerate() {
                assert_eq!(call.await.unwrap()?.bean.n as usize, n);
            }
            drop(peer);
            assert_eq!(server.await.unwrap()?, 122);
            Ok(())
        });
    }
}

#[test]
fn calls_end_with_their_time_or_the_connection() {
    run(async {
        let config = Config::new().call_time(Duration::from_millis(50));
        let ((client, _), (peer, incoming)) = piped(config, Config::new()).await?;
        let server = tokio::spawn(serve(peer, incoming));
        let error = client.call::<Echo>(Bean::new("silent", 0)).await.unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string().as_str()),
            (ErrorKind::Timeout, "expected the answer to call 1 of protocol 1 of module 7 in time")
        );
        // Who does not wait for it forgets the call.
        let call = client.call::<Echo>(Bean::new("silent", 0));
        tokio::time::timeout(Duration::from_millis(1), call).await.unwrap_err();
        assert!(format!("{client:?}").contains("calls: 0"), "{client:?}");
        client.call::<Echo>(Bean::new("still there", 0)).await?;
        drop(client);
        assert_eq!(server.await.unwrap()?, 3);
        Ok(())
    });
    run(async {
        let ((client, mut incoming), (peer, server_incoming)) =
            piped(Config::new(), Config::new()).await?;
        let waiting = tokio::spawn(async move {
            let error = client.call::<Echo>(Bean::default()).await.unwrap_err();
            (error, client)
        });
        tokio::task::yield_now().await;
        drop((peer, server_incoming));
        let (error, client) = waiting.await.unwrap();
        let text = "expected an open connection, found one that is closed";
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Closed, text));
        assert_eq!(client.send::<Notice>(Bean::default()).unwrap_err().to_string(), text);
        assert!(incoming.next().await?.is_none());
        Ok(())
    });
}

#[test]
fn frames_wait_for_who_wants_them() {
    let config = || Config::new().compression(Compression::Mppc, Compression::Mppc);
    run(async {
        let ((client, mut incoming), (peer, server_incoming)) =
            piped(Config::new().call_time(Duration::from_secs(20)), config()).await?;
        let server = tokio::spawn(serve(peer, server_incoming));
        // More than may wait: the answer that follows them is there when they have been taken.
        let taken = tokio::spawn(async move {
            for n in 0..1000 {
                let frame = incoming.next().await?.expect("a message");
                assert_eq!(frame.as_raw().read::<Bean>()?.n, n);
                if n < 3 {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            }
            Result::Ok(incoming)
        });
        client.call::<Echo>(Bean::new("many", 0)).await?;
        let incoming = taken.await.unwrap()?;
        // Without who wants them they are dropped.
        drop(incoming);
        client.call::<Echo>(Bean::new("many", 0)).await?;
        drop(client);
        assert_eq!(server.await.unwrap()?, 2);
        Ok(())
    });
}

/// What a client says to bytes that are no server's.
async fn against(bytes: &[u8], config: Config) -> zeze_serialize::Error {
    let (near, mut far): (DuplexStream, DuplexStream) = tokio::io::duplex(1 << 16);
    far.write_all(bytes).await.unwrap();
    let client = Connection::client(config, NOW, seeded(3)).unwrap();
    let error = over(near, client).await.map(|_| ()).unwrap_err();
    let mut rest = Vec::new();
    far.read_to_end(&mut rest).await.unwrap();
    assert!(rest.is_empty());
    error
}

#[test]
fn what_is_no_server_is_an_error() {
    run(async {
        let error = against(b"HTTP/1.1 400 Bad Request\r\n\r\n", Config::new()).await;
        assert_eq!(
            (error.kind(), error.to_string().as_str()),
            (
                ErrorKind::AllocLimit,
                "a frame of 808465440 bytes is larger than max_size, which is 4096 bytes at byte 0x8"
            )
        );
        let config = Config::new().handshake_time(Duration::from_millis(30));
        let error = against(&[0; 5], config).await;
        assert_eq!(error.kind(), ErrorKind::Timeout);
        // Nobody is there.
        let (listener, address) = listening().await?;
        drop(listener);
        let error = connect(address, Config::new()).await.map(|_| ()).unwrap_err();
        assert!(error.is_io(), "{error}");
        // Somebody goes at once.
        let (listener, address) = listening().await?;
        let (accepted, connected) = tokio::join!(
            async { listener.accept().await.map(drop) },
            connect(address, Config::new())
        );
        accepted?;
        assert!(
            [ErrorKind::Closed, ErrorKind::Io].contains(&connected.map(|_| ()).unwrap_err().kind())
        );
        Ok(())
    });
}
