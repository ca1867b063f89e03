//! Packets of `SceneMultiplayer` and the session above them.

mod args;
mod hostile;
mod packets;
mod session;
