//! `gamewire::Document` as a module of WebAssembly without imports, for the npm package and the page
//! beside it.
//!
//! A question is a header of JSON and the bytes of files; [`answer()`] takes it and gives bytes. In the
//! module stand three functions over one buffer: `reserve` makes room for a question, `ask` puts the
//! answer in its place and returns its length, `address` says where that is. Strings and lists would
//! take wasm-bindgen, whose modules import functions of its own script; hosts that are no browser could
//! not load them.

// Names for the linker are all that counts as unsafe here: nothing touches memory by address.
#![deny(unsafe_code)]

mod answer;
mod open;
mod settings;
mod types;

pub use self::answer::answer;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The question, and then the answer.
static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn buffer() -> MutexGuard<'static, Vec<u8>> {
    BUFFER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes room for a question of `len` bytes, and returns its address.
#[allow(unsafe_code, reason = "a name for the linker")]
#[unsafe(no_mangle)]
extern "C" fn reserve(len: usize) -> *const u8 {
    let mut buffer = buffer();
    *buffer = vec![0; len];
    buffer.as_ptr()
}

/// Answers the question in the buffer. Returns the length of the answer.
#[allow(unsafe_code, reason = "a name for the linker")]
#[unsafe(no_mangle)]
extern "C" fn ask() -> usize {
    let question = std::mem::take(&mut *buffer());
    let made = answer(&question);
    drop(question);
    let mut buffer = buffer();
    *buffer = made;
    buffer.len()
}

/// Returns the address of the answer.
#[allow(unsafe_code, reason = "a name for the linker")]
#[unsafe(no_mangle)]
extern "C" fn address() -> *const u8 {
    buffer().as_ptr()
}
