//! Damaged beans and frames, as far as they can be read. Zeros end what is open: a bean ends with one.

use gamewire_core::explain::Role;
use zeze_serialize::value::Bean;
use zeze_serialize::{Options, Value};

use super::content::{Content, framing};
use super::settings::Frames;
use crate::document::error::Error;
use crate::document::salvage::{Salvaged, ends};
use crate::document::words::count;

/// The most bytes that are filled up for one bean.
const MAX_FILL: usize = 1 << 16;

pub(super) fn salvage(bytes: &[u8], frames: Frames, options: &Options) -> Result<Salvaged, Error> {
    let mut lost = Vec::new();
    let Some(framing) = framing(frames) else {
        let (bean, kept) = bean(bytes, options, &mut lost)?;
        return Ok(Salvaged { bytes: Content::Bean(bean).to_vec(options)?, kept, lost });
    };
    // A header cannot be made up, so only frames that are whole count.
    let framing = framing.options(*options);
    let (mut list, mut rest) = (Vec::new(), bytes);
    while !rest.is_empty() {
        match framing.split(rest) {
            Ok((frame, after)) => {
                match frame.into_frame::<Value>() {
                    Ok(frame) => list.push(frame.into_owned()),
                    Err(error) => lost.push(format!("frame {}: {error}", list.len() + lost.len())),
                }
                rest = after;
            }
            Err(error) => {
                lost.push(format!("from byte {:#x} on: {error}", bytes.len() - rest.len()));
                break;
            }
        }
    }
    if list.is_empty() {
        return Err(Error::new("no frame is whole"));
    }
    let kept = bytes.len() - rest.len();
    Ok(Salvaged { bytes: Content::Frames(frames, list).to_vec(options)?, kept, lost })
}

fn bean(bytes: &[u8], options: &Options, lost: &mut Vec<String>) -> Result<(Value, usize), Error> {
    let why = match options.from_slice::<Value>(bytes) {
        Ok(bean) => return Ok((bean, bytes.len())),
        Err(error) => error,
    };
    for end in ends(options.explain(bytes).spans(), &[Role::Header], bytes.len().max(MAX_FILL)) {
        let mut filled = bytes.get(..end).unwrap_or_default().to_vec();
        filled.resize(end + MAX_FILL, 0);
        if let Ok((mut bean, _)) = options.take_from_slice::<Value>(&filled) {
            lost.push(format!("from byte {end:#x} on: {why}"));
            prune(&mut bean, lost);
            return Ok((bean, end));
        }
    }
    Err(why.into())
}

/// Takes away the zeros at the end of lists and maps that were open.
fn prune(bean: &mut Value, lost: &mut Vec<String>) {
    let mut next = Some(bean);
    while let Some(value) = next {
        next = match value {
            Value::Bean(bean) => last_field(bean),
            Value::Dynamic(dynamic) => last_field(&mut dynamic.bean),
            Value::List(list) => {
                let items = list.items_mut();
                let total = items.len();
                while items.last().is_some_and(is_zero) {
                    items.pop();
                }
                said(lost, total - items.len(), total);
                items.last_mut()
            }
            Value::Map(map) => {
                let entries = map.entries_mut();
                let total = entries.len();
                while entries.last().is_some_and(|(key, value)| is_zero(key) && is_zero(value)) {
                    entries.pop();
                }
                said(lost, total - entries.len(), total);
                entries.last_mut().map(|(_, value)| value)
            }
            _ => None,
        };
    }
}

fn last_field(bean: &mut Bean) -> Option<&mut Value> {
    let last = bean.iter().last().map(|(id, _)| id)?;
    bean.get_mut(last)
}

fn said(lost: &mut Vec<String>, gone: usize, total: usize) {
    if gone > 0 {
        lost.push(format!("{gone} of {} of a list that is cut off", count(total, "element")));
    }
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Int(number) => *number == 0,
        Value::Float(number) => number.to_bits() == 0,
        Value::Double(number) => number.to_bits() == 0,
        Value::Bytes(bytes) => bytes.is_empty(),
        Value::List(list) => list.is_empty(),
        Value::Map(map) => map.is_empty(),
        Value::Bean(bean) => bean.is_empty() && bean.base().is_none(),
        Value::Dynamic(dynamic) => dynamic.bean.is_empty(),
        _ => false,
    }
}
