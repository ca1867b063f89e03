//! Rows with a frame around the bean.

use gamewire_testkit::vectors::{Row, same_bytes};
use serde_json::{Value as Json, json};
use zeze_serialize::Value;
use zeze_serialize::frame::{Expected, Frame, Framing, Header, Received, type_id};

use crate::vectors::notation::same;
use crate::vectors::types::{Known, WithType};
use crate::{Check, LENIENT, STRICT, said};

/// A frame of a protocol or an rpc, as they are sent.
pub(crate) struct Real<'a>(pub(crate) &'a Row);

impl WithType for Real<'_> {
    type Output = ();

    fn run<T: Known>(self) -> Check {
        let row = self.0;
        let result_code = number(row, "resultCode")?.unwrap_or(0);
        let class = number(row, "familyClass")?.ok_or("the row has no `familyClass`")?;
        let header = match (class, number(row, "sessionId")?) {
            (2, None) => Header::Protocol { result_code },
            (0 | 1, Some(session_id)) => {
                Header::Rpc { is_request: class == 1, result_code, session_id }
            }
            _ => return Err(format!("no frame has the family {class} of this row")),
        };
        if row.need_text("kind")? != if class == 2 { "protocol" } else { "rpc" } {
            return Err("`kind` and `familyClass` of the row differ".into());
        }
        check::<T>(row, Framing::new(), header)
    }
}

/// A frame as the page has it.
pub(crate) struct Page<'a>(pub(crate) &'a Row);

impl WithType for Page<'_> {
    type Output = ();

    fn run<T: Known>(self) -> Check {
        check::<T>(self.0, Framing::page(), Header::Page)
    }
}

/// A number of the row; `None` where it is null or absent.
fn number(row: &Row, name: &str) -> Check<Option<i64>> {
    match row.get(name) {
        None | Some(Json::Null) => Ok(None),
        Some(json) => match json.as_i64() {
            Some(number) => Ok(Some(number)),
            None => Err(format!("`{name}` of the row is no number: {json}")),
        },
    }
}

/// An id of the row, which may be written with a sign or without.
fn id(row: &Row, name: &str) -> Check<u32> {
    let wide = number(row, name)?.ok_or_else(|| format!("the row has no `{name}`"))?;
    let id = u32::try_from(wide).or_else(|_| i32::try_from(wide).map(i32::cast_unsigned));
    id.map_err(|_| format!("`{name}` of the row is out of range: {wide}"))
}

fn check<T: Known>(row: &Row, framing: Framing, header: Header<'_>) -> Check {
    let bytes = row.hex("hex")?;
    let value = row.need("value")?;
    let bean = T::read(value)?;
    let (module_id, protocol_id) = (id(row, "moduleId")?, id(row, "protocolId")?);
    if let Some(expected) = number(row, "typeId")?
        && expected != type_id(module_id, protocol_id)
    {
        return Err(format!("`typeId` of the row is {expected}, which the ids do not make"));
    }
    let expected = match header.session_id() {
        Some(session_id) if !header.is_request() => {
            Expected::answer(module_id, protocol_id, session_id)
        }
        _ => Expected::message(module_id, protocol_id),
    };
    let frame = Frame { module_id, protocol_id, header, bean, rest: (&[]).into() };
    same_bytes("bytes", &bytes, &framing.to_vec(&frame).map_err(said)?)?;
    for options in [LENIENT, STRICT] {
        let framing = framing.options(options);
        let found: Frame<'_, T> = framing.from_slice(&bytes, expected).map_err(said)?;
        expect(&frame, value, &found)?;
        // From a stream, after another frame.
        let twice = bytes.repeat(2);
        let mut reader = framing.reader(twice.as_slice());
        for _ in 0..2 {
            let found = reader.read::<T>(expected).map_err(said)?;
            let found = found.and_then(Received::frame).ok_or("the stream ends too early")?;
            expect(&frame, value, &found)?;
        }
        if reader.next_raw().map_err(said)?.is_some() {
            return Err("the stream has a third frame".into());
        }
    }
    // Without a schema.
    let found: Frame<'_, Value> = framing.from_slice(&bytes, expected).map_err(said)?;
    same_bytes("bytes of the `Value`", &bytes, &framing.to_vec(&found).map_err(said)?)
}

fn expect<T: Known>(frame: &Frame<'_, T>, value: &Json, found: &Frame<'_, T>) -> Check {
    let head = |frame: &Frame<'_, T>| {
        json!([frame.module_id, frame.protocol_id, format!("{:?}", frame.header)])
    };
    same("header", &head(frame), &head(found))?;
    same("value", value, &found.bean.show())
}
