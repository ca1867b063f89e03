//! Reads frames of Zeze without knowing their beans, and shows what is in them.
//!
//! `cargo run --example read -p zeze-serialize`, with the path of another file of frames as argument
//! if wanted.

use std::error::Error;
use std::path::PathBuf;

use zeze_serialize::Value;
use zeze_serialize::frame::Framing;

fn main() -> Result<(), Box<dyn Error>> {
    let sample: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "..", "..", "testdata", "zeze-serialize", "frames.bin"]
            .iter()
            .collect();
    let named = std::env::args_os().nth(1).map(PathBuf::from);
    if named.is_none() && !sample.is_file() {
        println!("SKIPPED: the samples are in the repository, not in the package; name a file");
        return Ok(());
    }
    let file = std::fs::File::open(named.unwrap_or(sample))?;
    let mut frames = Framing::new().reader(std::io::BufReader::new(file));
    while let Some(frame) = frames.next_frame()? {
        let frame = frame.into_frame::<Value>()?;
        println!(
            "module {}, protocol {}, {:?}: {:?}",
            frame.module_id, frame.protocol_id, frame.header, frame.bean
        );
    }
    Ok(())
}
