//! Takes a slot out of a package, with what only it needed, and who made it.
//!
//! `cargo run --example strip -p resonite-save`, with the path of another package and of a slot in it
//! as arguments if wanted. [How
//! to](https://github.com/gamewire/gamewire/blob/main/docs/how-to/resonite-program.md) shows it.

use resonite_brson::Result;
use resonite_save::package::Package;

/// The package without a slot, and what was taken out of it.
pub fn strip(file: &[u8], slot: &str) -> Result<(Vec<u8>, Vec<String>)> {
    let mut package = Package::from_slice(file)?;
    let mut save = package.object()?;
    let mut lines = Vec::new();

    // With all that is in it. What referred to that refers to nothing, as the engine saves it.
    if let Some(references) = save.find_slot(slot).and_then(|path| save.delete_slot(&path)) {
        lines.push(format!("{slot}; references to it: {references}"));
    }

    // Components that provide assets, and types, that nothing needs any more.
    let unused = save.strip_unused();
    lines.push(format!("components: {}; types: {}", unused.assets, unused.types));

    // The save gets a new hash; then the files to which no address in it leads.
    package.set_object(&save)?;
    let files = package.strip_unused()?;
    lines.push(format!("files: {}", files.len()));

    // Users, machines, groups and records become U-0, M-0 and so on, in the record too.
    lines.push(format!("identifiers of who made it: {}", package.redact()?));
    Ok((package.to_vec()?, lines))
}

/// The same with what is left.
pub fn lines(file: &[u8], slot: &str) -> Result<Vec<String>> {
    let (file, mut lines) = strip(file, slot)?;
    let package = Package::from_slice(&file)?;
    let save = package.object()?;
    lines.extend(save.slots().map(|(path, _)| format!("left: {}", save.show_slot(&path))));
    lines.push(format!("left: files: {}", package.assets().count()));
    lines.extend(package.verify().iter().map(|problem| format!("wrong: {problem}")));
    Ok(lines)
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let mut named = std::env::args_os().skip(1).map(std::path::PathBuf::from);
    let sample = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata/resonite-brson/lamp.resonitepackage");
    let path = named.next();
    if path.is_none() && !sample.is_file() {
        println!("SKIPPED: the samples are in the repository, not in the package; name a file");
        return Ok(());
    }
    let slot = named.next().map_or(SLOT.to_owned(), |slot| slot.display().to_string());
    for line in lines(&std::fs::read(path.unwrap_or(sample))?, &slot)? {
        println!("{line}");
    }
    Ok(())
}

/// The slot that is taken out of the sample.
pub const SLOT: &str = "Desk Lamp/Stand";
