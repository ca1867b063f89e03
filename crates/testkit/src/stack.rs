use std::any::Any;
use std::panic::resume_unwind;
use std::thread;

/// Stack of [`on_big_stack`]: 512 MiB, of which the system hands out only what is touched.
pub const BIG_STACK: usize = 512 << 20;

/// Stack of [`on_small_stack`]: 2 MiB, what Rust gives to a thread when nothing else is said.
pub const SMALL_STACK: usize = 2 << 20;

/// Runs `work` on a thread with a stack of 512 MiB, and passes a panic on to the caller.
///
/// For code that recurses over data as deep as a test wants it, such as comparing two
/// `serde_json::Value`s of 1 100 levels.
pub fn on_big_stack<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    on_stack(BIG_STACK, caller().as_deref().unwrap_or("big stack"), work)
        .unwrap_or_else(|payload| resume_unwind(payload))
}

/// Runs `work` on a thread with a stack of 2 MiB.
///
/// A stack overflow cannot be caught: it ends the process, and the message names the thread, which
/// has the name of the calling one and so of the test.
///
/// # Errors
/// The message of the panic, where `work` panicked.
pub fn on_small_stack<R: Send>(work: impl FnOnce() -> R + Send) -> Result<R, String> {
    on_stack(SMALL_STACK, caller().as_deref().unwrap_or("small stack"), work)
        .map_err(|payload| panic_message(&*payload))
}

fn caller() -> Option<String> {
    thread::current().name().map(str::to_owned)
}

/// Runs `work` on a separate thread; a panic comes back as its payload.
pub(crate) fn on_stack<R: Send>(
    size: usize,
    name: &str,
    work: impl FnOnce() -> R + Send,
) -> thread::Result<R> {
    let name = name.replace('\0', " ");
    thread::scope(|scope| {
        thread::Builder::new()
            .name(name)
            .stack_size(size)
            .spawn_scoped(scope, work)
            .expect("a thread can be started")
            .join()
    })
}

/// The text of a panic, as far as it has one.
pub(crate) fn panic_message(payload: &(dyn Any + Send)) -> String {
    match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "a panic without a message".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recurse(levels: u32) -> u32 {
        let pad = std::hint::black_box([levels; 64]);
        if levels == 0 { 0 } else { pad[0].min(1) + recurse(levels - 1) }
    }

    #[test]
    fn big_stack_takes_deep_recursion() {
        assert_eq!(on_big_stack(|| recurse(200_000)), 200_000);
    }

    #[test]
    fn small_stack_reports_a_panic() {
        assert_eq!(on_small_stack(|| 5), Ok(5));
        let at = 7;
        assert_eq!(
            on_small_stack(|| -> () { panic!("broken at {at}") }),
            Err("broken at 7".into())
        );
        assert_eq!(on_small_stack(|| -> () { panic!("plain") }), Err("plain".into()));
    }

    #[test]
    #[should_panic(expected = "passed on")]
    fn big_stack_passes_a_panic_on() {
        on_big_stack(|| panic!("passed on"));
    }
}
