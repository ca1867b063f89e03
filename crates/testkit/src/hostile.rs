//! Hostile input for any binary format, and what a decoder does with it.
//!
//! The attacks make bytes: [`nest`] and [`nest_sized`], [`length_claims`] and
//! [`truncations`], [`bit_flips`], [`mutations`], [`random_bytes`], and [`foreign`] files.
//! [`Hostile`] decodes them on a 2 MiB thread and holds the decoder to its [`Limits`]: no panic,
//! peak allocation at most 64 times the input and 64 KiB, time linear in the input.
//!
//! ```
//! use gamewire_testkit::hostile::{self, Hostile};
//!
//! // A toy format: a count in four little-endian bytes, then that many bytes.
//! fn decode(bytes: &[u8]) -> Result<Vec<u8>, String> {
//!     let (head, body) = bytes.split_first_chunk().ok_or("no count")?;
//!     let count = u32::from_le_bytes(*head) as usize;
//!     if count == body.len() { Ok(body.to_vec()) } else { Err("the count is wrong".into()) }
//! }
//!
//! let mut hostile = Hostile::new(decode);
//! hostile.sample("three bytes", &[3, 0, 0, 0, 7, 8, 9]);
//! hostile.all_refused("claims", hostile::length_claims(hostile::u32_le));
//! hostile.random(42, 200, 64);
//! hostile.linear("long", 4096, |n| [&(n as u32).to_le_bytes()[..], &vec![1; n]].concat());
//! hostile.finish();
//! ```

mod attack;
mod harness;
mod random;

pub use attack::{
    CLAIMS, Case, bit_flips, foreign, length_claims, mutations, nest, nest_sized, random_bytes,
    truncations, u32_le,
};
pub use harness::{Hostile, Limits, Measure, Summary, Verdict, measure, thread_time};
pub use random::{SplitMix64, mutate};
