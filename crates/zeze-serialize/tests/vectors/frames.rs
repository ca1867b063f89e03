//! Rows with a frame around the bean.

use gamewire_testkit::vectors::{Row, same_bytes};
use serde_json::Value as Json;
use zeze_serialize::frame::{Expected, Frame, Framing, Header, Received, type_id};
use zeze_serialize::{RawBean, Value};

use crate::vectors::notation::same;
use crate::vectors::typed;
use crate::{Check, LENIENT, STRICT, said};

/// A frame of a protocol or an rpc, as they are sent.
pub(crate) fn sent(row: &Row) -> Check {
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
    check(row, Framing::new(), header)
}

/// A frame as the page has it.
pub(crate) fn page(row: &Row) -> Check {
    check(row, Framing::without_family(), Header::Page)
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

fn check(row: &Row, framing: Framing, header: Header<'_>) -> Check {
    let (of, bytes) = (typed::bean(row.need_text("schema")?)?, row.hex("hex")?);
    let value = of.settle(row.need("value")?)?;
    let bean = of.to_vec(&value, &LENIENT, false).map_err(said)?;
    let bean = RawBean::from_slice(&bean).map_err(said)?;
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
        // From a stream, after another frame.
        let twice = bytes.repeat(2);
        let mut reader = framing.reader(twice.as_slice());
        for _ in 0..2 {
            let found = reader.read::<RawBean<'_>>(expected).map_err(said)?;
            let found = found.and_then(Received::frame).ok_or("the stream ends too early")?;
            let (shown, _) = of.take(found.bean.as_bytes(), &options, false).map_err(said)?;
            same("value", &value, &shown)?;
            same(
                "header",
                &format!("{:?}", frame.header).into(),
                &format!("{:?}", found.header).into(),
            )?;
        }
        if reader.next_frame().map_err(said)?.is_some() {
            return Err("the stream has a third frame".into());
        }
    }
    // Without a schema.
    let found: Frame<'_, Value> = framing.from_slice(&bytes, expected).map_err(said)?;
    same_bytes("bytes of the `Value`", &bytes, &framing.to_vec(&found).map_err(said)?)
}
