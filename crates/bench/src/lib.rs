//! Side-by-side benchmarks of the gamewire format crates and their peers.
//!
//! All rows of a table are timed by one process in one run, because times on a shared machine
//! move by ten per cent and more from run to run: a stored figure is no opponent.
//!
//! * [`data`]: the four data sets, generated from fixed seeds;
//! * [`harness`]: what is timed and counted, and how;
//! * [`peers`], [`proto`]: the formats of others; [`ours`]: our own;
//! * [`system`]: the clock, allocations, other programs;
//! * [`goals`]: what the figures are held against;
//! * [`groups`]: the tables that the command line names; [`task`]: what they run on;
//! * [`run`]: the figures of one run; [`table`], [`page`]: printing.

pub mod data;
pub mod goals;
pub mod groups;
pub mod harness;
pub mod ours;
pub mod page;
pub mod peers;
pub mod proto;
pub mod rng;
pub mod run;
pub mod system;
pub mod table;
pub mod task;

/// The result of anything that can fail here; the message goes to the terminal and ends the run.
pub type Outcome<T> = Result<T, Box<dyn std::error::Error>>;
