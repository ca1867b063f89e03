//! resonite-brson.

use resonite_brson::{Container, Options, Serializer, Value};
use serde::{Deserialize, Serialize};

use crate::Outcome;
use crate::groups::value::{encoded, push as push_value};
use crate::harness::{Codec, Plan};
use crate::table::Table;

/// Documents alone.
#[derive(Debug)]
pub(crate) struct Body;

impl Body {
    fn options() -> Options {
        let limits = Options::new().max_output(usize::MAX).max_alloc(usize::MAX);
        limits.container(Container::BSON).input(Container::BSON)
    }
}

impl Codec for Body {
    const NAME: &'static str = "resonite-brson";

    fn encode<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Outcome<()> {
        let mut serializer = Serializer::new(std::mem::take(out), Self::options());
        value.serialize(&mut serializer)?;
        *out = serializer.into_inner()?;
        Ok(())
    }

    fn decode<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Outcome<T> {
        Ok(Self::options().from_slice(bytes)?)
    }
}

/// A data set into `Value`.
pub(super) fn value<T: Serialize>(plan: &Plan, table: &mut Table, value: &T) -> Outcome<()> {
    let bytes = encoded::<Body, T>(value)?;
    let decode = |bytes| Body::decode::<Value>(bytes);
    push_value(plan, table, "resonite-brson Value", &bytes, decode, Body::encode)
}
