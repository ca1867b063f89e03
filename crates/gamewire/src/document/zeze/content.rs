//! A file: a bean, or frames with beans.

use gamewire_core::bytes::part;
use serde::de::IgnoredAny;
use zeze_serialize::frame::{Frame, Framing, Header};
use zeze_serialize::{Kind, Options, Value, wire};

use super::settings::Frames;
use crate::document::error::{Error, Hint};
use crate::document::words;

/// The data of a file. Equal when the same bytes would be written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Content {
    Bean(Value),
    /// Frames of one kind, which an empty file has too.
    Frames(Frames, Vec<Frame<'static, Value>>),
}

impl Content {
    /// Reads a file, with the frames that it looks to have if none are given.
    pub(super) fn read(
        bytes: &[u8],
        frames: Option<Frames>,
        options: &Options,
    ) -> Result<Self, Error> {
        let frames = frames.unwrap_or_else(|| guess(bytes, options));
        let Some(framing) = framing(frames) else {
            return Ok(Content::Bean(options.from_slice(bytes)?));
        };
        let mut reader = framing.options(*options).reader(bytes);
        let mut list = Vec::new();
        while let Some(frame) = reader.next_frame()? {
            list.push(frame.into_frame()?.into_owned());
        }
        Ok(Content::Frames(frames, list))
    }

    /// Writes the file.
    pub(super) fn to_vec(&self, options: &Options) -> Result<Vec<u8>, Error> {
        match self {
            Content::Bean(bean) => Ok(options.to_vec(bean)?),
            Content::Frames(frames, list) => {
                let framing = framing(*frames).unwrap_or_default().options(*options);
                let mut out = Vec::new();
                for (index, frame) in list.iter().enumerate() {
                    framing
                        .append_to_vec(&mut out, frame)
                        .map_err(|error| Error::new(format!("{error}, in frame {index}")))?;
                }
                Ok(out)
            }
        }
    }

    /// The same with other frames around the beans, if they are to be others.
    pub(super) fn framed(self, to: Option<Frames>) -> Result<Self, Error> {
        let Some(to) = to else { return Ok(self) };
        match (self, to) {
            (Content::Frames(_, list), Frames::None) => {
                let count = list.len();
                match <[_; 1]>::try_from(list) {
                    Ok([only]) => Ok(Content::Bean(only.bean)),
                    Err(_) => Err(Error::new(format!(
                        "a file without frames has one bean, found {count} frames"
                    ))),
                }
            }
            (Content::Frames(_, list), to) => {
                let change = |frame: Frame<'static, Value>| {
                    let header = match (frame.header, to) {
                        (_, Frames::Page) => Header::Page,
                        (Header::Page, _) => Header::Protocol { result_code: 0 },
                        (header, _) => header,
                    };
                    Frame { header, ..frame }
                };
                Ok(Content::Frames(to, list.into_iter().map(change).collect()))
            }
            (bean, Frames::None) => Ok(bean),
            (Content::Bean(_), _) => {
                let wrong = Error::new("a bean without a frame has no module and no protocol");
                Err(wrong.with_hint(Hint::Wrap))
            }
        }
    }
}

/// Reads over a file that is not kept, for its errors.
pub(super) fn must_be_whole(bytes: &[u8], frames: Frames, options: &Options) -> Result<(), Error> {
    let Some(framing) = framing(frames) else {
        options.from_slice::<IgnoredAny>(bytes)?;
        return Ok(());
    };
    let mut reader = framing.options(*options).reader(bytes);
    while let Some(frame) = reader.next_frame()? {
        frame.read::<IgnoredAny>()?;
    }
    Ok(())
}

/// The frames of a kind; `None` for no frames.
pub(super) fn framing(frames: Frames) -> Option<Framing> {
    // The file is in memory already, so a frame in it may be as long as it likes.
    match frames {
        Frames::None => None,
        Frames::Sent => Some(Framing::new().max_size(usize::MAX)),
        Frames::Page => Some(Framing::without_family().max_size(usize::MAX)),
    }
}

/// Guesses the frames of a file: frames, if beans fill them to its last byte; else a bean, if it is one.
/// A file that is broken is taken for what it was meant to be, so that the error speaks of what is
/// broken in it.
pub(super) fn guess(bytes: &[u8], options: &Options) -> Frames {
    // Data that is too deep to be read still has its looks.
    let options = options.max_depth(1 << 16).strict(true);
    if let Some(frames) = filled(bytes, &options) {
        return frames;
    }
    if wire::skip(bytes, Kind::Bean).is_ok_and(<[u8]>::is_empty) {
        return Frames::None;
    }
    // The sizes say so, whatever is in the frames.
    if sizes(bytes) { Frames::Sent } else { Frames::None }
}

/// The frames that fill the input, each with a bean in it.
pub(super) fn filled(bytes: &[u8], options: &Options) -> Option<Frames> {
    [Frames::Sent, Frames::Page].into_iter().find(|own| count(bytes, *own, options).is_some())
}

/// How many frames fill the input, if they do and each has one bean.
fn count(bytes: &[u8], frames: Frames, options: &Options) -> Option<usize> {
    let framing = framing(frames)?.options(*options);
    let (mut count, mut rest) = (0, bytes);
    while !rest.is_empty() {
        let (frame, after) = framing.split(rest).ok()?;
        frame.read::<IgnoredAny>().ok()?;
        (count, rest) = (count + 1, after);
    }
    Some(count).filter(|count| *count > 0)
}

/// Whether the sizes of frames add up to the length of the input.
fn sizes(bytes: &[u8]) -> bool {
    let framing = Framing::new().max_size(usize::MAX);
    let mut rest = bytes;
    while !rest.is_empty() {
        match framing.frame_len(rest) {
            Ok(Some(len)) if len <= rest.len() => rest = part(rest, len..),
            _ => return false,
        }
    }
    !bytes.is_empty()
}

/// Describes the frames in a few words.
pub(super) fn describe(bytes: &[u8], frames: Option<Frames>, options: &Options) -> String {
    let frames = frames.unwrap_or_else(|| guess(bytes, options));
    match (frames, count(bytes, frames, options)) {
        (Frames::None, _) => "1 bean".to_owned(),
        (frames, Some(count)) => format!("{}, {}", frames.name(), words::count(count, "frame")),
        (frames, None) => frames.name(),
    }
}
