//! Answers questions as the module does, in a program for this machine: the tests hold the module
//! against it. Each question and each answer has its length before it, in 4 bytes.

use std::io::{Read, Write};

fn main() -> std::io::Result<()> {
    // Without optimization, deep values take more than a main thread has.
    let worker = std::thread::Builder::new().stack_size(64 << 20).spawn(run)?;
    worker.join().unwrap_or_else(|_| Err(std::io::Error::other("the worker panicked")))
}

fn run() -> std::io::Result<()> {
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut len = [0; 4];
    while input.read_exact(&mut len).is_ok() {
        let mut question = vec![0; u32::from_le_bytes(len) as usize];
        input.read_exact(&mut question)?;
        let answer = gamewire_web::answer(&question);
        output.write_all(&u32::try_from(answer.len()).unwrap_or(0).to_le_bytes())?;
        output.write_all(&answer)?;
        output.flush()?;
    }
    Ok(())
}
