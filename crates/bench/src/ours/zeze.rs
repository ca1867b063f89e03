//! zeze-serialize.

use serde::{Deserialize, Serialize};
use zeze_serialize::{Value, Vector3};

use crate::Outcome;
use crate::data::{Field, roles};
use crate::groups::value::{encoded, push as push_value};
use crate::groups::zeze::{BEANS, push};
use crate::harness::{Codec, Plan};
use crate::table::Table;

/// Beans whose fields number themselves.
#[derive(Debug)]
pub(super) struct Beans;

impl Codec for Beans {
    const NAME: &'static str = "zeze-serialize";

    fn encode<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Outcome<()> {
        Ok(zeze_serialize::Options::new().append_to_vec(out, value)?)
    }

    fn decode<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Outcome<T> {
        Ok(zeze_serialize::from_slice(bytes)?)
    }
}

/// A data set into `Value`.
pub(super) fn value<T: Serialize>(plan: &Plan, table: &mut Table, value: &T) -> Outcome<()> {
    let bytes = encoded::<Beans, T>(value)?;
    let decode = |bytes| Beans::decode::<Value>(bytes);
    push_value(plan, table, "zeze-serialize Value", &bytes, decode, Beans::encode)
}

/// The list of integers.
pub(super) fn integers(plan: &Plan, table: &mut Table, value: &Field<i64>) -> Outcome<()> {
    push::<Beans, _>(plan, table, value, true)
}

/// The beans, with native vectors.
pub(super) fn beans(plan: &Plan, table: &mut Table) -> Outcome<()> {
    push::<Beans, _>(plan, table, &roles(BEANS, |[x, y, z]| Vector3 { x, y, z }), true)
}
