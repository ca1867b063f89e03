use super::{Frame, RawFrame};

/// A protocol of a schema: its ids, and the bean in its frames.
///
/// `gamewire gen zeze` writes a type for each protocol and rpc of a solution.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use zeze_serialize::frame::{Framing, Protocol, Rpc};
///
/// #[derive(Serialize, Deserialize)]
/// struct BLogin {
///     account: String,
/// }
/// #[derive(Serialize, Deserialize)]
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
/// # Ok::<(), zeze_serialize::Error>(())
/// ```
pub trait Protocol {
    /// Id of the module.
    const MODULE_ID: u32;
    /// Id of the protocol in the module.
    const PROTOCOL_ID: u32;
    /// The bean of a message, or of a call; `()` where there is none.
    type Argument;

    /// Whether a frame is one of this protocol.
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
