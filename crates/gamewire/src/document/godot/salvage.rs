//! Damaged files, as far as they can be read.

use godot_variant::project::ProjectSettings;
use godot_variant::{Options, Value};

use super::content::{Body, Content, Reading, frames, from_base64, step_of};
use super::settings::Framing;
use crate::document::error::Error;
use crate::document::path::{self, Step};
use crate::document::salvage::Salvaged;
use crate::document::words::count;

/// The most losses of one kind that are said.
const MAX_LOST: usize = 100;

/// Whether a file begins as one of values that hold others: bare, in a frame or in base64.
pub(super) fn begins(bytes: &[u8]) -> bool {
    let is_header = |bytes: &[u8]| matches!(bytes.first_chunk(), Some([4..=38, 0, 0..=15, 0]));
    let is_length = |len: u32| len.is_multiple_of(4) && (8..1 << 30).contains(&len);
    let is_frame = |[length, header]: [[u8; 4]; 2]| {
        let lens = [u32::from_le_bytes(length), u32::from_be_bytes(length)];
        is_header(&header) && lens.into_iter().any(is_length)
    };
    let words =
        bytes.first_chunk().copied().zip(bytes.get(4..).and_then(<[u8]>::first_chunk).copied());
    let start = bytes.get(..256).unwrap_or(bytes).trim_ascii_start();
    let digits = start.get(..12).and_then(|text| from_base64(text).ok());
    is_header(bytes)
        || words.is_some_and(|(length, header)| is_frame([length, header]))
        || digits.is_some_and(|bytes| is_header(&bytes))
}

pub(super) fn salvage(
    bytes: &[u8],
    framing: Framing,
    reading: &Reading,
) -> Result<Salvaged, Error> {
    let options = &reading.options;
    let mut lost = Vec::new();
    let (body, kept) = match framing {
        Framing::Project => {
            let (settings, kept) = settings(bytes, options, &mut lost)?;
            (Body::Settings(settings), kept)
        }
        Framing::StoreVar | Framing::StoreVarBe => stream(bytes, framing, options, &mut lost)?,
        // All of a mixed file is something. Text is whole or it is not.
        Framing::Mixed | Framing::Json | Framing::Text | Framing::Config => {
            let reading = Reading { framing: Some(framing), ..reading.clone() };
            let made = Content::plain(bytes, &reading)?.to_plain(options, reading.levels)?;
            return Ok(Salvaged { bytes: made, kept: bytes.len(), lost });
        }
        Framing::Base64 => {
            let bytes = from_base64(bytes)?;
            let (value, kept) = one(&bytes, options, None, &mut lost)?;
            (Body::Values(vec![value]), kept)
        }
        Framing::Bare => {
            let (value, kept) = one(bytes, options, None, &mut lost)?;
            (Body::Values(vec![value]), kept)
        }
    };
    let content = Content {
        framing,
        wrapping: None,
        dialect: reading.dialect.unwrap_or_default(),
        body,
        between: Vec::new(),
        has_rest: false,
        source: None,
    };
    Ok(Salvaged { bytes: content.to_plain(options, reading.levels)?, kept, lost })
}

/// Frames: those that are whole, and what there is of those that are not.
fn stream(
    bytes: &[u8],
    framing: Framing,
    options: &Options,
    lost: &mut Vec<String>,
) -> Result<(Body, usize), Error> {
    let frames = frames(framing).unwrap_or_default().options(options.clone());
    let (mut values, mut kept, mut rest) = (Vec::new(), 0, bytes);
    let mut damaged = 0;
    while !rest.is_empty() {
        let number = values.len();
        let (body, after) = match frames.split(rest) {
            Ok((body, after)) => (body, after),
            // Cut off in the frame, or its length is wrong.
            Err(_) => (rest.get(4..).unwrap_or_default(), &[][..]),
        };
        let said = lost.len();
        let made = one(body, options, (number > 0).then_some(Step::Index(number)), lost);
        // Where so many are damaged, the rest is something else.
        let is_damaged = made.is_err() || lost.len() > said;
        let is_over = is_damaged && damaged == MAX_LOST;
        damaged += usize::from(is_damaged);
        match made {
            Err(fault) if values.is_empty() && (after.is_empty() || is_over) => return Err(fault),
            _ if is_over => {
                lost.truncate(said);
                let at = bytes.len() - rest.len();
                lost.push(format!("from byte {at:#x} on: too little of it is frames"));
                break;
            }
            Ok((value, own)) => {
                values.push(value);
                kept += own + 4;
            }
            Err(fault) => lost.push(format!("value {number}: {}", fault.message)),
        }
        rest = after;
    }
    Ok((Body::Values(values), kept))
}

/// A variant that may end too early, which stands at a place in a row of several.
fn one(
    bytes: &[u8],
    options: &Options,
    row: Option<Step>,
    lost: &mut Vec<String>,
) -> Result<(Value, usize), Error> {
    let (value, damage) = options.salvage_from_slice(bytes)?;
    let Some(damage) = damage else { return Ok((value, bytes.len())) };
    lost.push(format!("from byte {:#x} on: {}", damage.end, damage.error));
    let before = usize::from(row.is_some());
    let way: Vec<Step> = row.into_iter().chain(damage.way.into_iter().map(step_of)).collect();
    for cut in damage.cut.iter().take(MAX_LOST) {
        let place = path::shown(way.get(..before + cut.depth).unwrap_or(&way));
        let gone = cut.claimed - cut.kept;
        lost.push(format!("{place}: {gone} of {}", count(cut.claimed, "element")));
    }
    Ok((value, damage.end))
}

/// The settings that are whole.
fn settings(
    bytes: &[u8],
    options: &Options,
    lost: &mut Vec<String>,
) -> Result<(ProjectSettings, usize), Error> {
    let why = match ProjectSettings::from_slice_with(bytes, options) {
        Ok(settings) => return Ok((settings, bytes.len())),
        Err(error) => error,
    };
    let word = |at: usize| {
        let word = bytes.get(at..)?.first_chunk()?;
        usize::try_from(u32::from_le_bytes(*word)).ok()
    };
    let Some(claimed) = word(4) else { return Err(why.into()) };
    // A setting is whole that ends in the file: its name and its value, each with a length before it.
    let next = |at: usize| {
        let value = at.checked_add(4)?.checked_add(word(at)?)?;
        value.checked_add(4)?.checked_add(word(value)?).filter(|end| *end <= bytes.len())
    };
    let limit = why.offset().unwrap_or(bytes.len());
    let (mut end, mut number) = (8, 0);
    while let Some(after) = next(end).filter(|after| *after <= limit && number < claimed) {
        (end, number) = (after, number + 1);
    }
    let mut cut = bytes.get(..end).unwrap_or_default().to_vec();
    if let (Some(place), Ok(number)) = (cut.get_mut(4..8), u32::try_from(number)) {
        place.copy_from_slice(&number.to_le_bytes());
    }
    let settings = ProjectSettings::from_slice_with(&cut, options)?;
    lost.push(format!("from byte {end:#x} on: {why}"));
    lost.push(format!("{} of {}", claimed - number, count(claimed, "setting")));
    Ok((settings, end))
}
