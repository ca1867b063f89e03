use std::fmt;

use super::{Frame, Header, RawFrame};

/// Which frame is expected: of which protocol, and for an answer of which call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    module_id: u32,
    protocol_id: u32,
    session_id: Option<i64>,
}

impl Expected {
    /// A message or a call.
    pub const fn message(module_id: u32, protocol_id: u32) -> Self {
        Expected { module_id, protocol_id, session_id: None }
    }

    /// The answer to the call of a session.
    pub const fn answer(module_id: u32, protocol_id: u32, session_id: i64) -> Self {
        Expected { module_id, protocol_id, session_id: Some(session_id) }
    }

    /// Returns the protocol and call of a frame.
    pub fn of(frame: &RawFrame<'_>) -> Self {
        let is_answer = !frame.header.is_request() && frame.header != Header::Page;
        let session_id = frame.header.session_id().filter(|_| is_answer);
        Expected { session_id, ..Expected::message(frame.module_id, frame.protocol_id) }
    }

    /// Whether a frame is the expected one.
    pub fn is(&self, frame: &RawFrame<'_>) -> bool {
        *self == Expected::of(frame)
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(session_id) = self.session_id {
            write!(f, "the answer to call {session_id} of ")?;
        }
        write!(f, "protocol {} of module {}", self.protocol_id, self.module_id)
    }
}

/// The frame that came where one was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received<'a, T> {
    /// The expected frame.
    Frame(Frame<'a, T>),
    /// Another one, whose bean was not read: messages of other protocols may always come first.
    Other(RawFrame<'a>),
}

impl<'a, T> Received<'a, T> {
    /// The expected frame; `None` for another one.
    pub fn frame(self) -> Option<Frame<'a, T>> {
        match self {
            Received::Frame(frame) => Some(frame),
            Received::Other(_) => None,
        }
    }
}

/// A protocol of a schema: its ids, and the bean in its frames.
///
/// `gamewire gen zeze` writes a type for each protocol and rpc of a solution.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use zeze_serialize::frame::{Framing, Protocol, Received, Rpc};
///
/// #[derive(Serialize, Deserialize)]
/// struct BLogin {
///     account: String,
/// }
/// #[derive(Debug, Serialize, Deserialize)]
/// struct BWelcome {
///     player: i64,
/// }
///
/// struct Login;
/// impl Protocol for Login {
///     const MODULE_ID: u32 = 7;
///     const PROTOCOL_ID: u32 = 191_096_504;
///     type Argument = BLogin;
/// }
/// impl Rpc for Login {
///     type Result = BWelcome;
/// }
///
/// let bytes = Framing::new().to_vec(&Login::request(42, BLogin { account: "Åsa".into() }))?;
///
/// let (frame, _) = Framing::new().split(&bytes)?;
/// assert!(Login::is(&frame));
/// let call = frame.into_frame::<BLogin>()?;
/// let answer = call.respond(0, BWelcome { player: 9 });
/// assert!(answer.is_some_and(|answer| answer.header.session_id() == Some(42)));
///
/// // The reader is told which answer is expected; other frames are returned as they are.
/// let mut frames = Framing::new().reader(bytes.as_slice());
/// match frames.read::<BWelcome>(Login::answer(42))? {
///     Some(Received::Other(frame)) => assert!(frame.header.is_request()),
///     other => panic!("{other:?}"),
/// }
/// # Ok::<(), zeze_serialize::Error>(())
/// ```
pub trait Protocol {
    /// Id of the module.
    const MODULE_ID: u32;
    /// Id of the protocol in the module.
    const PROTOCOL_ID: u32;
    /// The bean of a message, or of a call; `()` where there is none.
    type Argument;

    /// The frame to expect for a message or a call.
    fn expected() -> Expected {
        Expected::message(Self::MODULE_ID, Self::PROTOCOL_ID)
    }

    /// Whether a frame is one of this protocol: a message, a call or an answer.
    fn is(frame: &RawFrame<'_>) -> bool {
        (frame.module_id, frame.protocol_id) == (Self::MODULE_ID, Self::PROTOCOL_ID)
    }

    /// A message, which has no answer.
    fn message(argument: Self::Argument) -> Frame<'static, Self::Argument> {
        Frame::protocol(Self::MODULE_ID, Self::PROTOCOL_ID, argument)
    }
}

/// A protocol that is answered.
pub trait Rpc: Protocol {
    /// The bean of an answer; `()` where there is none.
    type Result;

    /// The frame to expect for the answer to the call of a session.
    fn answer(session_id: i64) -> Expected {
        Expected::answer(Self::MODULE_ID, Self::PROTOCOL_ID, session_id)
    }

    /// A call.
    fn request(session_id: i64, argument: Self::Argument) -> Frame<'static, Self::Argument> {
        Frame::rpc_request(Self::MODULE_ID, Self::PROTOCOL_ID, session_id, argument)
    }

    /// The answer to the call of a session, with 0 or the code of what went wrong.
    fn response(
        session_id: i64,
        result_code: i64,
        result: Self::Result,
    ) -> Frame<'static, Self::Result> {
        Frame::rpc_response(Self::MODULE_ID, Self::PROTOCOL_ID, session_id, result_code, result)
    }
}
