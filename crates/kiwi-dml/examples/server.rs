//! A server and a client in one program: a session, a message, its answer, a keep-alive.
//!
//! ```sh
//! cargo run --example server -p kiwi-dml
//! ```

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use kiwi_dml::frame::{Content, Frame, Framing};
use kiwi_dml::types::ByteString;
use kiwi_dml::{Control, Error, ErrorKind, Message, RawMessage, Result, Session, Time};
use serde::{Deserialize, Serialize};

/// As `gamewire gen dml` writes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Plant {
    bed: u64,
    seed: ByteString,
}

impl Message for Plant {
    const SERVICE_ID: u8 = 61;
    const ORDER: u8 = 1;
    const NAME: &'static str = "MSG_PLANT";
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Planted {
    bed: u64,
    days: u16,
}

impl Message for Planted {
    const SERVICE_ID: u8 = 61;
    const ORDER: u8 = 2;
    const NAME: &'static str = "MSG_PLANTED";
}

/// One end: a socket, the frames that come from it, and the session.
struct End {
    socket: TcpStream,
    session: Session,
    started: Instant,
}

impl End {
    fn control(&mut self, control: &Control) -> Result<()> {
        Ok(self.socket.write_all(&Framing::new().to_vec(&Frame::control(control))?)?)
    }

    fn send<M: Message + Serialize>(&mut self, message: &M) -> Result<()> {
        let frame = Frame::messages([&RawMessage::of(message)?]);
        Ok(self.socket.write_all(&Framing::new().to_vec(&frame)?)?)
    }

    /// Gives each frame to `take`, until that says that it is done.
    fn run(&mut self, mut take: impl FnMut(&mut End, &Content<'_>) -> Result<bool>) -> Result<()> {
        let mut decoder = Framing::new().decoder();
        let mut bytes = [0; 4096];
        loop {
            while let Some(frame) = decoder.next_frame()? {
                let content = frame.content()?;
                if let Content::Control(control) = &content
                    && let Some(answer) = self.session.take(self.started.elapsed(), control)?
                {
                    self.control(&answer)?;
                }
                if take(self, &content)? {
                    return Ok(());
                }
            }
            match self.socket.read(&mut bytes)? {
                0 => return decoder.finish(),
                len => decoder.push(bytes.get(..len).unwrap_or_default()),
            }
        }
    }
}

fn serve(socket: TcpStream) -> Result<()> {
    let mut end = End { socket, session: Session::server(7), started: Instant::now() };
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let offer = end.session.offer(Time::since_1970(time));
    end.control(&offer)?;
    end.run(|end, content| {
        if let Content::Messages(messages) = content {
            for message in messages.iter().filter(|message| message.is::<Plant>()) {
                let Plant { bed, seed } = message.read()?;
                println!("the client plants {seed}");
                end.send(&Planted { bed, days: 3 })?;
            }
        }
        Ok(false)
    })
}

fn main() -> Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let server = thread::spawn(move || serve(listener.accept()?.0));

    let (socket, started) = (TcpStream::connect(address)?, Instant::now());
    socket.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut end = End { socket, session: Session::client(), started };
    end.run(|end, content| match content {
        Content::Control(Control::SessionOffer(_)) => {
            println!("session {}", end.session.id());
            end.send(&Plant { bed: 1, seed: "rose".into() })?;
            Ok(false)
        }
        Content::Messages(messages) => {
            for message in messages {
                println!("{:?}", message.read::<Planted>()?);
            }
            let alive = end.session.keep_alive(end.started.elapsed());
            end.control(&alive)?;
            Ok(false)
        }
        Content::Control(control) => {
            println!("answered: opcode {}", control.opcode());
            Ok(true)
        }
    })?;
    drop(end);
    server.join().unwrap_or_else(|_| Err(Error::new(ErrorKind::Io, "the server has panicked")))
}
