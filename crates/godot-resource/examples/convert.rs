//! Converts a file between text and binary: `convert FROM TO [FROM TO]…`. Without arguments, a sample of the
//! project is converted and its text is printed.

use std::error::Error;
use std::path::Path;

use godot_resource::{Contents, Options};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.is_empty() {
        let sample = "../../testdata/godot-resource/scenes46/pid1.scn";
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join(sample);
        if sample.is_file() {
            let made = Contents::open(&std::fs::read(&sample)?)?.to_text(&Options::new())?;
            print!("{}", made.file);
        }
        return Ok(());
    }
    for pair in arguments.chunks(2) {
        let [from, to] = pair else { return Err("expected FROM TO".into()) };
        let contents = Contents::open(&std::fs::read(from)?)?;
        let is_text = to.ends_with(".tres") || to.ends_with(".tscn");
        let (bytes, losses) = match is_text {
            true => {
                let made = contents.to_text(&Options::new())?;
                (made.file.into_bytes(), made.losses)
            }
            false => {
                let made = contents.to_binary(&Options::new())?;
                (made.file, made.losses)
            }
        };
        for loss in losses {
            eprintln!("{from}: {loss}");
        }
        std::fs::write(to, bytes)?;
    }
    Ok(())
}
