//! The layer between the tasks of a connection and the system: in a test of their schedules, others
//! take its place.

use std::num::NonZero;
use std::sync::LazyLock;
pub(crate) use std::sync::{Mutex, MutexGuard};

use crate::{Error, ErrorKind, Result};
pub(crate) use tokio::spawn;
use tokio::sync::{Semaphore, oneshot};
pub(crate) use tokio::task::yield_now;
use tokio::time::Instant;

use crate::keys::{Decryption, Keys};

/// How many servers' decryptions run at once: they are the work on a connection that takes milliseconds,
/// and half of the processors is left to all else. These rest for half of the time.
static DECRYPTIONS: LazyLock<Semaphore> = LazyLock::new(|| {
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    Semaphore::new((processors / 2).max(1))
});

/// Decrypts on a thread that gives way to those of the runtime. Its work is not begun once nobody waits.
pub(crate) async fn decrypt(work: Box<Decryption>) -> Result<Keys> {
    let turn = DECRYPTIONS.acquire().await;
    let (told, keys) = oneshot::channel();
    let decryption = move || {
        // Such a priority is for the rest of a thread's life: it is not one of the runtime's.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::setpriority_process(None, PRIORITY);
        let start = std::time::Instant::now();
        if !told.is_closed() {
            let _ = told.send(work.keys());
        }
        std::thread::sleep(start.elapsed());
        drop(turn);
    };
    let named = std::thread::Builder::new().name("zeze-net keys".to_owned());
    named.spawn(decryption)?;
    keys.await.map_err(|why| Error::new(ErrorKind::Handshake, format!("expected keys: {why}")))
}

/// A tenth of the usual share, and no turn before others that wait.
#[cfg(target_os = "linux")]
const PRIORITY: i32 = 10;

/// Waits, without a moment for ever.
pub(crate) async fn sleep_until(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}
