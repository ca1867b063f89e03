//! Connections over `tokio`: against a server in this program, and against ends that misbehave.

use std::future::Future;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{
    AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, DuplexStream, ReadBuf,
};
use tokio::net::TcpListener;
use zeze_net::{
    Compression, Config, Connection, Connector, Encryption, Incoming, Opening, Peer, accept,
    connect, over,
};
use zeze_net::{ErrorKind, Result};
use zeze_serialize::frame::Protocol;

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
    let client = Connection::client(of_client, NOW, seeded(3));
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
        let text = "expected an open connection, found one that was closed by the other side";
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Closed, text));
        assert_eq!(client.send::<Notice>(Bean::default()).unwrap_err().to_string(), text);
        assert!(incoming.next().await?.is_none());
        Ok(())
    });
}

#[test]
fn calls_are_answered_while_messages_wait() {
    let config = || Config::new().compression(Compression::Mppc, Compression::Mppc);
    run(async {
        let ((client, mut incoming), (peer, server_incoming)) =
            piped(Config::new(), config()).await?;
        let server = tokio::spawn(serve(peer, server_incoming));
        // The answer follows on a thousand messages, and nothing has taken those.
        assert_eq!(client.call::<Echo>(Bean::new("many", 7)).await?.bean.n, 7);
        for n in 0..1000 {
            let frame = incoming.next().await?.expect("a message");
            assert_eq!(frame.as_raw().read::<Bean>()?.n, n);
        }
        // Without a receiver they are dropped.
        drop(incoming);
        client.call::<Echo>(Bean::new("many", 0)).await?;
        drop(client);
        assert_eq!(server.await.unwrap()?, 2);
        Ok(())
    });
}

/// Counts how often a stream is asked.
struct Counted(DuplexStream, Arc<AtomicUsize>);

impl AsyncRead for Counted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        self.1.fetch_add(1, Ordering::Relaxed);
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Counted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        self.1.fetch_add(1, Ordering::Relaxed);
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

#[test]
fn calls_end_in_time_where_too_many_messages_wait() {
    run(async {
        let polls = Arc::new(AtomicUsize::new(0));
        let (near, far) = tokio::io::duplex(64);
        // The other side is not silent while it is not listened to.
        let config = Config::new().max_incoming(10_000).max_silence(Duration::from_millis(100));
        let client = Connection::client(config, NOW, seeded(3));
        let server = Connection::server(Config::new(), NOW, seeded(100))?;
        let near = over(Counted(near, Arc::clone(&polls)), client);
        let ((client, mut incoming), (peer, server_incoming)) =
            tokio::try_join!(near, over(far, server))?;
        let server = tokio::spawn(serve(peer, server_incoming));
        let before = polls.load(Ordering::Relaxed);
        let time = Duration::from_millis(300);
        let error = client.call_within::<Echo>(time, Bean::new("many", 7)).await.unwrap_err();
        let text = "expected the answer to call 1 of protocol 1 of module 7 in time (no more is received: ";
        assert!(error.to_string().starts_with(text), "{error}");
        assert_eq!(error.kind(), ErrorKind::Timeout);
        // Two kilobytes in pieces of 64 bytes, and three wakes for the silence.
        let polls = polls.load(Ordering::Relaxed) - before;
        assert!(polls < 200, "{polls}");
        // Once there is room, all is as before.
        for n in 0..1000 {
            let frame = incoming.next().await?.expect("a message");
            assert_eq!(frame.as_raw().read::<Bean>()?.n, n);
        }
        assert_eq!(client.call::<Echo>(Bean::new("again", 8)).await?.bean.n, 8);
        drop(client);
        assert_eq!(server.await.unwrap()?, 2);
        Ok(())
    });
}

#[test]
fn closing_ends_with_a_server_that_takes_nothing() {
    run(async {
        let (near, mut far) = tokio::io::duplex(64);
        let time = Duration::from_millis(50);
        let config = Config::new().opening(Opening::AtOnce).handshake_time(time);
        let (client, incoming) = over(near, Connection::client(config, NOW, seeded(3))).await?;
        client.send::<Notice>(Bean::new(&"much ".repeat(1000), 0))?;
        drop((client, incoming));
        tokio::time::sleep(4 * time).await;
        let mut taken = Vec::new();
        far.read_to_end(&mut taken).await?;
        assert_eq!(taken.len(), 64);
        Ok(())
    });
}

#[test]
fn a_server_that_dies_within_a_frame_is_an_error() {
    run(async {
        let frame =
            zeze_serialize::frame::Framing::new().to_vec(&Notice::message(Bean::new("a", 1)))?;
        for missing in [0, 1, 5, frame.len() - 1, frame.len() - 12] {
            let (near, mut far) = tokio::io::duplex(1 << 10);
            let config = Config::new().opening(Opening::AtOnce);
            let (client, mut incoming) =
                over(near, Connection::client(config, NOW, seeded(3))).await?;
            far.write_all(&frame).await?;
            far.write_all(&frame[..frame.len() - missing]).await?;
            let call = client.call::<Echo>(Bean::new("a", 1));
            let (called, ()) = tokio::join!(call, async { drop(far) });
            incoming.next().await?.expect("a message");
            if missing == 0 {
                incoming.next().await?.expect("a message");
                assert!(incoming.next().await?.is_none());
                client.closed().await?;
                let text =
                    "expected an open connection, found one that was closed by the other side";
                assert_eq!(called.unwrap_err().to_string(), text);
                continue;
            }
            let error = incoming.next().await.unwrap_err();
            assert_eq!(
                error.kind(),
                ErrorKind::Format(zeze_serialize::ErrorKind::UnexpectedEof),
                "{error}"
            );
            let text = match missing {
                1 => "expected a frame of 19 bytes, found 18 bytes",
                5 => "expected a frame of 19 bytes, found 14 bytes",
                _ => "expected",
            };
            assert!(error.to_string().starts_with(text), "{error}");
            for other in [called.unwrap_err(), client.closed().await.unwrap_err()] {
                assert_eq!(other.to_string(), error.to_string());
            }
        }
        Ok(())
    });
}

#[test]
fn a_connector_connects_again() {
    run(async {
        let (listener, address) = listening().await?;
        let (first, longest) = (Duration::from_millis(40), Duration::from_millis(60));
        let mut connector = Connector::new(address, Config::new()).pauses(first, longest);
        let serving = tokio::spawn(async move {
            // Two that go at once, and two that answer one call each.
            for _ in 0..2 {
                drop(listener.accept().await?);
            }
            for _ in 0..2 {
                let (peer, mut incoming) =
                    accept(listener.accept().await?.0, Config::new()).await?;
                let frame = incoming.next().await?.expect("a call");
                peer.respond(&frame, 0, Bean::new("here", 0))?;
                // The client closes.
                assert!(incoming.next().await?.is_none());
            }
            Result::Ok(())
        });
        let start = std::time::Instant::now();
        let mut log = String::new();
        while log.len() < 4 {
            match connector.connect().await {
                Ok((server, _)) => {
                    server.call::<Echo>(Bean::default()).await?;
                    log.push('+');
                }
                Err(_) => log.push('-'),
            }
        }
        assert_eq!(log, "--++");
        // After nothing, two failures and a connection that was there.
        assert!(start.elapsed() >= first + longest + first, "{:?}", start.elapsed());
        serving.await.unwrap()
    });
}

/// What a client says to bytes that are no server's.
async fn against(bytes: &[u8], config: Config) -> zeze_net::Error {
    let (near, mut far): (DuplexStream, DuplexStream) = tokio::io::duplex(1 << 16);
    far.write_all(bytes).await.unwrap();
    let client = Connection::client(config, NOW, seeded(3));
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
            (ErrorKind::Handshake, "expected the message SHandshake0, found HTTP: `HTTP/1.1 400`")
        );
        // A server that goes within the handshake.
        let (near, mut far) = tokio::io::duplex(1 << 10);
        far.write_all(&[0; 5]).await?;
        drop(far);
        let error = over(near, Connection::client(Config::new(), NOW, seeded(3))).await;
        assert_eq!(
            error.map(|_| ()).unwrap_err().to_string(),
            "expected the message SHandshake0, found the end: the other side has closed the connection"
        );
        let config = Config::new().handshake_time(Duration::from_millis(30));
        let error = against(&[0; 5], config).await;
        assert_eq!(error.kind(), ErrorKind::Timeout);
        // Nobody is there.
        let (listener, address) = listening().await?;
        drop(listener);
        let error = connect(address, Config::new()).await.map(|_| ()).unwrap_err();
        assert!(error.io_error().is_some(), "{error}");
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
