//! Packets of `SceneMultiplayer` and the session above them.
// A test that overflows, panics or indexes out of range fails, as it should.
#![allow(clippy::pedantic, clippy::restriction)]

mod args;
mod examples;
mod hostile;
mod packets;
mod server;
mod session;
mod support;
