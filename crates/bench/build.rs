//! Hands the name of the profile folder and the compiler version to the report header.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");

    // `PROFILE` is "release" for every profile that inherits from release; only the path of
    // OUT_DIR (<target>/<folder>/build/<package>/out) tells `plain` from the others.
    let out = env::var("OUT_DIR").unwrap_or_default();
    let folder = Path::new(&out).ancestors().nth(3).and_then(Path::file_name);
    let folder = folder.map_or_else(|| "unknown".into(), |name| name.to_string_lossy());
    println!("cargo::rustc-env=GAMEWIRE_BENCH_FOLDER={folder}");

    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output();
    let version = version.map_or_else(
        |error| format!("rustc of unknown version ({error})"),
        |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    );
    println!("cargo::rustc-env=GAMEWIRE_BENCH_RUSTC={version}");
}
