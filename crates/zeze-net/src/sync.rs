//! What stands between the tasks of a connection and the system: in a test of their schedules, others
//! take its place.

use std::num::NonZero;
use std::sync::LazyLock;
pub(crate) use std::sync::{Mutex, MutexGuard};

pub(crate) use tokio::spawn;
use tokio::sync::Semaphore;
pub(crate) use tokio::task::yield_now;
use tokio::time::Instant;
use zeze_serialize::{ErrorKind, Result};

use crate::error::error;
use crate::keys::{Decryption, Keys};

/// How many servers' decryptions run at once: they are the work on a connection that takes milliseconds,
/// and half of the processors is left to all else.
static DECRYPTIONS: LazyLock<Semaphore> = LazyLock::new(|| {
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    Semaphore::new((processors / 2).max(1))
});

/// Decrypts outside of the runtime's workers.
pub(crate) async fn decrypt(work: Box<Decryption>) -> Result<Keys> {
    let turn = DECRYPTIONS.acquire().await;
    let keys = tokio::task::spawn_blocking(move || {
        let keys = work.keys();
        drop(turn);
        keys
    });
    keys.await.map_err(|why| error(ErrorKind::Handshake, format!("expected keys: {why}")))
}

/// Waits, without a moment for ever.
pub(crate) async fn sleep_until(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}
