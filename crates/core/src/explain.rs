//! The meaning of every byte of an input.
//!
//! A format crate reads its input with a listener that tells a [`Sink`] of each piece; the sink
//! makes an [`Explanation`] of it: a row of [`Span`]s in which every bit of every [`Space`] is in
//! exactly one span. The explanation shows itself as a table of text, as a map for serde (one schema
//! for all formats) and as an interactive page.
//!
//! ```
//! use gamewire_core::explain::{Note, Role, Sink};
//! # use gamewire_core::{Path, explain::Failure};
//! # #[derive(Debug)] struct Error(Path);
//! # impl std::fmt::Display for Error {
//! #     fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { Ok(()) }
//! # }
//! # impl Failure for Error {
//! #     fn kind(&self) -> &dyn std::fmt::Debug { self }
//! #     fn message(&self) -> &str { "" }
//! #     fn bit(&self) -> Option<u64> { None }
//! #     fn path(&self) -> &Path { &self.0 }
//! # }
//!
//! // A made-up format: the number of texts, then their lengths and letters.
//! let bytes = b"\x01\x02hi";
//! let mut sink = Sink::new(bytes);
//! let list = sink.push(1, Note::header("list"));
//! sink.enter(0);
//! sink.indent();
//! sink.push(2, Note::header("text").value("\"hi\""));
//! sink.indent();
//! sink.push(4, Note::new(Role::Text, "letters").value("\"hi\""));
//! sink.outdent();
//! sink.outdent();
//! sink.leave();
//! sink.set_value(list, "1 text");
//!
//! let explanation = sink.finish::<Error>(None);
//! assert_eq!(explanation.to_string(), r#"
//! offset    bytes                    meaning                   value
//! 00000000  01                       list                      1 text
//! 00000001  02                         [0]: text               "hi"
//! 00000002  68 69                        letters               "hi"
//! "#.trim_start());
//! ```

mod explanation;
mod html;
mod json;
mod pack;
mod place;
mod sink;
mod span;
mod text;

pub use explanation::{Explanation, Failure};
pub use sink::{Mark, Sink, quoted, shortened};
pub use span::{Note, Role, Space, Span};
