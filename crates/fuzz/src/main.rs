//! One fuzz target under libFuzzer: that of the variable `FUZZ_TARGET`, or the one that the program is called as.
//! Without either, prints the names of all. With `FUZZ_SEEDS`, writes the seeds of the target into that folder first:
//! with `FUZZ_MOST` at most so many, from all over them.

#![no_main]

use std::path::Path;
use std::sync::OnceLock;

use gamewire_fuzz::{TARGETS, Target, seeds};

static TARGET: OnceLock<&Target> = OnceLock::new();

libfuzzer_sys::fuzz_target!(
    init: start(),
    |data: &[u8]| (TARGET.get().expect("a target").run)(data)
);

fn start() {
    let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
    let own = std::env::current_exe().unwrap_or_default();
    let own = own.file_name().unwrap_or_default().to_string_lossy();
    let named = |name: &str| TARGETS.iter().find(|target| target.name == name);
    let Some(target) = named(&name).or_else(|| named(&own).filter(|_| name.is_empty())) else {
        TARGETS.iter().for_each(|target| println!("{}", target.name));
        std::process::exit(i32::from(!name.is_empty()));
    };
    TARGET.get_or_init(|| target);
    if let Ok(folder) = std::env::var("FUZZ_SEEDS") {
        let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
        std::fs::create_dir_all(&folder).expect("a folder for the seeds");
        let all = seeds(&testdata.join(target.seeds));
        let most = std::env::var("FUZZ_MOST").map(|most| most.parse().expect("a number"));
        let step = all.len().div_ceil(most.unwrap_or(all.len()).max(1)).max(1);
        for (number, seed) in all.iter().step_by(step).enumerate() {
            let file = Path::new(&folder).join(number.to_string());
            std::fs::write(file, seed).expect("a seed can be written");
        }
    }
}
