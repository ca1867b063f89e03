//! The timing and counting.
//!
//! A time is that of the processor in this thread, so that other programs do not count; and it is the
//! minimum over many runs: whatever disturbs a run makes it longer. The drop of a result is inside the
//! timing, because whoever decodes pays for it too; the output vector is reused, as a server would.
//! Allocations are counted in one separate run.

use std::fmt::Debug;
use std::hint::black_box;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Outcome;
use crate::system::{self, Counts};
use crate::table::{Cell, Table};

/// A serde format, ours or a peer's.
pub trait Codec {
    /// The name in the tables.
    const NAME: &'static str;

    /// Writes `value` to `out`, which is empty and has the capacity of the run before.
    fn encode<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Outcome<()>;

    /// Reads one value that fills `bytes`.
    fn decode<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Outcome<T>;
}

/// Serde formats: the name in the tables, how to write a value to an empty vector, and how to read
/// one from bytes.
macro_rules! codecs {
    ($(
        $(#[$meta:meta])*
        $name:ident = $shown:literal,
        |$value:ident, $out:ident| $encode:expr,
        |$bytes:ident| $decode:expr;
    )+) => {$(
        $(#[$meta])*
        #[derive(Debug)]
        pub struct $name;

        impl $crate::harness::Codec for $name {
            const NAME: &'static str = $shown;

            // Once in the program, however often it is called.
            #[inline(never)]
            fn encode<T: serde::Serialize>($value: &T, $out: &mut Vec<u8>) -> $crate::Outcome<()> {
                $encode;
                Ok(())
            }

            #[inline(never)]
            fn decode<'de, T: serde::Deserialize<'de>>($bytes: &'de [u8]) -> $crate::Outcome<T> {
                Ok($decode)
            }
        }
    )+};
}

pub(crate) use codecs;

/// How long to repeat: until both are reached.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// The least number of runs.
    pub runs: u32,
    /// The least time over all runs.
    pub time: Duration,
}

/// The cost of one operation.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    /// The shortest run.
    pub time: Duration,
    /// The allocations of one run.
    pub counts: Counts,
}

/// An encoder's output and what it cost.
#[derive(Debug, Clone)]
pub struct Encoded {
    /// The output.
    pub bytes: Vec<u8>,
    /// With the output vector already large enough.
    pub cost: Cost,
}

impl Plan {
    /// The shortest run of `op`, the drop of its result included.
    pub fn shortest<R>(&self, mut op: impl FnMut() -> Outcome<R>) -> Outcome<Duration> {
        let mut best = Duration::MAX;
        let mut runs = 0;
        let start = system::thread_time();
        let mut before = start;
        while runs < self.runs || before - start < self.time {
            drop(black_box(op()?));
            let after = system::thread_time();
            best = best.min(after - before);
            before = after;
            runs += 1;
        }
        Ok(best)
    }

    /// Counts one run of `op`, then times it.
    pub fn cost<R>(&self, mut op: impl FnMut() -> Outcome<R>) -> Outcome<Cost> {
        let (result, counts) = system::count(&mut op);
        drop(result?);
        Ok(Cost { time: self.shortest(op)?, counts })
    }

    /// Costs `write` with its output vector reused.
    pub fn encode(&self, write: impl Fn(&mut Vec<u8>) -> Outcome<()>) -> Outcome<Encoded> {
        let mut bytes = Vec::new();
        write(&mut bytes)?;
        let cost = self.cost(|| {
            bytes.clear();
            write(black_box(&mut bytes))
        })?;
        Ok(Encoded { bytes, cost })
    }
}

/// An error when a format does not give back what was put in; nothing is timed before this holds.
pub fn same<T: PartialEq>(name: &str, got: &T, expected: &T) -> Outcome<()> {
    if got == expected { Ok(()) } else { Err(format!("{name}: the round trip differs").into()) }
}

/// The columns of a table whose rows come from [`row`].
pub const COLUMNS: [&str; 7] =
    ["name", "ser ms", "de ms", "size", "allocs ser", "allocs de", "MB allocated de"];

/// A row under [`COLUMNS`].
pub fn cells(name: &str, encoded: &Encoded, decode: &Cost) -> Vec<Cell> {
    vec![
        Cell::Text(name.to_owned()),
        Cell::Time(encoded.cost.time),
        Cell::Time(decode.time),
        Cell::Count(encoded.bytes.len() as u64),
        Cell::Count(encoded.cost.counts.allocations),
        Cell::Count(decode.counts.allocations),
        Cell::Megabytes(decode.counts.bytes),
    ]
}

/// A row under [`COLUMNS`] of what is only read.
pub fn read_cells(name: &str, size: usize, decode: &Cost) -> Vec<Cell> {
    vec![
        Cell::Text(name.to_owned()),
        Cell::Nothing,
        Cell::Time(decode.time),
        Cell::Count(size as u64),
        Cell::Nothing,
        Cell::Count(decode.counts.allocations),
        Cell::Megabytes(decode.counts.bytes),
    ]
}

/// Checks the round trip of `value` and measures both ways.
pub fn row<T: PartialEq>(
    plan: &Plan,
    name: &str,
    value: &T,
    encode: impl Fn(&T, &mut Vec<u8>) -> Outcome<()>,
    decode: impl Fn(&[u8]) -> Outcome<T>,
) -> Outcome<Vec<Cell>> {
    // Calls that are not known when this is compiled: the code of a format exists once.
    let encode: &dyn Fn(&T, &mut Vec<u8>) -> Outcome<()> = &encode;
    let decode: &dyn Fn(&[u8]) -> Outcome<T> = &decode;
    let mut bytes = Vec::new();
    encode(value, &mut bytes)?;
    same(name, &decode(&bytes)?, value)?;
    let encoded = plan.encode(|out| encode(black_box(value), out))?;
    let cost = plan.cost(|| decode(black_box(&encoded.bytes)))?;
    Ok(cells(name, &encoded, &cost))
}

/// Adds the row of a serde format.
pub fn push<C: Codec, T>(plan: &Plan, table: &mut Table, value: &T) -> Outcome<()>
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    table.rows.push(row(plan, C::NAME, value, C::encode, |bytes| C::decode(bytes))?);
    Ok(())
}

/// Calls a function that adds the row of a format, for each of several formats.
macro_rules! each_codec {
    ($push:ident($on:expr, $table:expr, $value:expr): $($codec:ident),+ $(,)?) => {
        $($push::<$codec, _>($on, $table, $value)?;)+
    };
}

pub(crate) use each_codec;

/// The bytes of `value` in the format `C`.
pub fn encoded<C: Codec, T: Serialize>(value: &T) -> Outcome<Vec<u8>> {
    let mut bytes = Vec::new();
    C::encode(value, &mut bytes)?;
    Ok(bytes)
}

/// Adds the row of a value type `V`, which may borrow from `bytes`. Checked first: the value is
/// written back as the same bytes.
pub fn push_value<'b, V>(
    plan: &Plan,
    table: &mut Table,
    name: &str,
    bytes: &'b [u8],
    decode: impl Fn(&'b [u8]) -> Outcome<V>,
    encode: impl Fn(&V, &mut Vec<u8>) -> Outcome<()>,
) -> Outcome<()> {
    let value = decode(bytes)?;
    let again = plan.encode(|out| encode(black_box(&value), out))?;
    if again.bytes != bytes {
        return Err(format!("{name}: writes back other bytes than it read").into());
    }
    // The tree is freed before the decoder is timed, so that it finds the heap as a user would.
    drop(value);
    let cost = plan.cost(|| decode(black_box(bytes)))?;
    table.rows.push(cells(name, &again, &cost));
    Ok(())
}
