//! The JSON notation of a file: that of the crate for one bean, a wrapper around it for frames.
//!
//! ```text
//! {"1:int": 7, "3:string": "text"}
//! {"frames": "sent", "list": [
//!   {"module": 7, "protocol": 5, "family": "request", "session": 42, "bean": {…}}
//! ]}
//! ```
//!
//! A result code other than 0 is in `result`; raft rpcs have `unique`, a bean, and `created`; bytes that
//! follow the bean in its frame are in `rest`. The notation of a bean has no member `frames`, so the two cannot be mistaken for one another.

use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use zeze_serialize::frame::{Frame, Header};
use zeze_serialize::json as notation;
use zeze_serialize::{Kind, RawBean, Value};

use super::content::Content;
use super::settings::{FRAMES, Frames};
use crate::document::choice::named;
use crate::document::error::Error;
use crate::document::json::{self, Json};

/// A file, as it is written.
pub(super) struct BeanFile<'a> {
    pub(super) content: &'a Content,
    /// Whether to write the wrapper where it is not needed.
    pub(super) wrap: bool,
}

impl Serialize for BeanFile<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (frames, list) = match self.content {
            Content::Bean(bean) if !self.wrap => return bean.serialize(serializer),
            Content::Bean(bean) => {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("frames", &Frames::None.name())?;
                map.serialize_entry("bean", bean)?;
                return map.end();
            }
            Content::Frames(frames, list) => (frames, list),
        };
        let list: Vec<ShownFrame<'_>> = list.iter().map(ShownFrame).collect();
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("frames", &frames.name())?;
        map.serialize_entry("list", &list)?;
        map.end()
    }
}

struct ShownFrame<'a>(&'a Frame<'static, Value>);

impl Serialize for ShownFrame<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (frame, header) = (self.0, &self.0.header);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("module", &frame.module_id)?;
        map.serialize_entry("protocol", &frame.protocol_id)?;
        if let Some(family) = family(header) {
            map.serialize_entry("family", family)?;
        }
        if let Some(result) = header.result_code().filter(|code| *code != 0) {
            map.serialize_entry("result", &result)?;
        }
        if let Some(session) = header.session_id() {
            map.serialize_entry("session", &session)?;
        }
        if let Header::RaftRpc { unique, create_time, .. } = header {
            let unique: Value = unique.read().map_err(serde::ser::Error::custom)?;
            map.serialize_entry("unique", &unique)?;
            map.serialize_entry("created", create_time)?;
        }
        map.serialize_entry("bean", &frame.bean)?;
        if !frame.rest.is_empty() {
            map.serialize_entry("rest", &Value::Bytes(frame.rest.to_vec()))?;
        }
        map.end()
    }
}

/// A frame in the notation.
pub(super) fn of_frame(frame: &Frame<'static, Value>) -> Result<Json, Error> {
    json::serialized(&ShownFrame(frame))
}

/// The frame of a notation, of the kind that another header has.
pub(super) fn frame(json: Json, like: Option<&Header<'_>>) -> Result<Frame<'static, Value>, Error> {
    let frames = if let Some(Header::Page) = like { Frames::Page } else { Frames::Sent };
    let text = json::deserialized(&json, PhantomData::<FrameText>);
    let text = text.map_err(|why| Error::new(format!("does not fit: {why}")))?;
    text.read(frames)
}

/// Notation without the kinds of fields.
pub(super) fn plain(json: &Json) -> Json {
    let Json::Object(members) = json else {
        return match json {
            Json::Array(items) => items.iter().map(plain).collect(),
            other => other.clone(),
        };
    };
    let get = |name: &str| members.get(name).map(plain);
    if members.contains_key("frames") {
        return get("list").or(get("bean")).unwrap_or_default();
    }
    if let (1, Some((name, Json::Array(items)))) = (members.len(), members.iter().next()) {
        let is_kind = |name: &str| Kind::from_name(name).is_some();
        if is_kind(name) {
            return items.iter().map(plain).collect();
        }
        if name.split_once(':').is_some_and(|kinds| is_kind(kinds.0) && is_kind(kinds.1)) {
            let text = |key: &Json| key.as_str().map_or_else(|| key.to_string(), str::to_owned);
            let entry = |entry: &Json| {
                let part = |at| plain(entry.at(at).unwrap_or(&Json::Null));
                (text(&part(0)), part(1))
            };
            return items.iter().map(entry).collect();
        }
    }
    let id = |name: &str| name.split_once(':')?.0.parse::<u32>().ok();
    let name = |name: &String| id(name).map_or(name.clone(), |id| id.to_string());
    members.iter().map(|(own, value)| (name(own), plain(value))).collect()
}

const FAMILIES: [&str; 5] = ["protocol", "request", "response", "raft_request", "raft_response"];

/// The name of a header's family; none in the frames of the page.
pub(super) fn family(header: &Header<'_>) -> Option<&'static str> {
    match header {
        Header::Protocol { .. } => Some("protocol"),
        Header::Rpc { is_request: true, .. } => Some("request"),
        Header::Rpc { .. } => Some("response"),
        Header::RaftRpc { is_request: true, .. } => Some("raft_request"),
        Header::RaftRpc { .. } => Some("raft_response"),
        _ => None,
    }
}

/// Reads a file's notation.
pub(super) fn read(text: &[u8]) -> Result<Content, Error> {
    if has_frames(text) {
        return json::read(text, PhantomData::<FramesFile>).map(|wrapper| wrapper.0);
    }
    Ok(Content::Bean(zeze_serialize::from_slice(&bean(text)?)?))
}

/// Whether a notation has the wrapper.
pub(super) fn has_frames(text: &[u8]) -> bool {
    json::members(text, &["frames"]).contains_key("frames")
}

/// The bytes of a bean in the notation.
pub(super) fn bean(text: &[u8]) -> Result<Vec<u8>, Error> {
    let whole = std::str::from_utf8(text).map_err(|error| Error::new(error.to_string()))?;
    match notation::to_vec(whole).map_err(|error| Error::from(error).in_text(text))? {
        (Kind::Bean, bytes) => Ok(bytes),
        (kind, _) => Err(Error::new(format!("expected a bean at the root, found {kind}"))),
    }
}

/// Reads the wrapper.
struct FramesFile(Content);

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct WrapperText {
    frames: String,
    bean: Option<Value>,
    list: Option<Vec<FrameText>>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct FrameText {
    module: u32,
    protocol: u32,
    family: Option<String>,
    #[serde(default)]
    result: i64,
    session: Option<i64>,
    unique: Option<Value>,
    created: Option<i64>,
    bean: Value,
    rest: Option<Value>,
}

impl<'de> Deserialize<'de> for FramesFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = WrapperText::deserialize(deserializer)?;
        let frames = named(FRAMES, "frames", &text.frames).map_err(D::Error::custom)?;
        let frames = frames.unwrap_or(Frames::None);
        match (frames, text.bean, text.list) {
            (Frames::None, Some(bean), None) if bean.kind() == Kind::Bean => {
                Ok(FramesFile(Content::Bean(bean)))
            }
            (Frames::None, ..) => Err(D::Error::custom("expected a `bean`, and nothing else")),
            (_, None, Some(list)) => {
                let list = list.into_iter().enumerate().map(|(index, frame)| {
                    frame
                        .read(frames)
                        .map_err(|why| D::Error::custom(format_args!("{why}, in list[{index}]")))
                });
                Ok(FramesFile(Content::Frames(frames, list.collect::<Result<_, _>>()?)))
            }
            _ => Err(D::Error::custom("expected a `list`, and no `bean`")),
        }
    }
}

impl FrameText {
    fn read(self, frames: Frames) -> Result<Frame<'static, Value>, Error> {
        if self.bean.kind() != Kind::Bean {
            return Err(Error::new(format!("expected a bean, found {}", self.bean.kind())));
        }
        let result_code = self.result;
        let need = |session: Option<i64>| session.ok_or("an rpc needs a `session`");
        let (has_session, has_raft) =
            (self.session.is_some(), self.unique.is_some() || self.created.is_some());
        let header = match (frames, self.family.as_deref()) {
            (Frames::Page, None) => {
                if result_code != 0 {
                    return Err(Error::new("a frame of the page has no `result`"));
                }
                Header::Page
            }
            (Frames::Page, Some(_)) => {
                return Err(Error::new("a frame of the page has no `family`"));
            }
            (_, Some("protocol")) => Header::Protocol { result_code },
            (_, Some(name @ ("request" | "response"))) => {
                let session_id = need(self.session)?;
                Header::Rpc { is_request: name == "request", result_code, session_id }
            }
            (_, Some(name @ ("raft_request" | "raft_response"))) => {
                let unique = self.unique.as_ref().ok_or("a raft rpc needs `unique`, a bean")?;
                let unique = RawBean::from_serialize(unique)
                    .map_err(|error| Error::new(error.to_string()))?;
                Header::RaftRpc {
                    is_request: name == "raft_request",
                    result_code,
                    session_id: need(self.session)?,
                    unique,
                    create_time: self.created.ok_or("a raft rpc needs `created`")?,
                }
            }
            _ => return Err(Error::new(format!("expected a `family`: {}", FAMILIES.join(", ")))),
        };
        if has_session != header.session_id().is_some() {
            return Err(Error::new("only rpcs have a `session`"));
        }
        if has_raft != matches!(header, Header::RaftRpc { .. }) {
            return Err(Error::new("only raft rpcs have `unique` and `created`"));
        }
        let rest = match self.rest {
            None => Vec::new(),
            Some(Value::Bytes(bytes)) => bytes,
            Some(other) => {
                return Err(Error::new(format!(
                    "expected bytes in `rest`, found {}",
                    other.kind()
                )));
            }
        };
        let FrameText { module: module_id, protocol: protocol_id, bean, .. } = self;
        Ok(Frame { module_id, protocol_id, header, bean, rest: rest.into() })
    }
}
