//! `cargo xtask ci`: all checks, each as its own step; a step that cannot run says why.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{
    self, Fault, Outcome, at, cargo, command, done, needs, needs_target, output, succeeds,
};
use crate::workspace::{self, FORMATS, Package};
use crate::{package, python, test, web};

/// The crate beneath the format crates, which is built wherever they are.
const CORE: &str = "gamewire-core";

/// The outcome of the steps.
struct Steps<'a> {
    root: &'a Path,
    /// Steps without this in their name are left out.
    only: &'a str,
    passed: Vec<String>,
    failed: Vec<String>,
    skipped: Vec<String>,
}

impl Steps<'_> {
    fn step(&mut self, name: &str, step: impl FnOnce(&Path) -> Outcome) {
        if !name.contains(self.only) {
            return;
        }
        match step(self.root) {
            Ok(true) => self.passed.push(name.to_owned()),
            Ok(false) => self.failed.push(name.to_owned()),
            Err(Fault::Failed(message)) => self.failed.push(format!("{name}: {message}")),
            Err(Fault::Missing(why)) => {
                println!("SKIPPED {name}: {why}\n");
                self.skipped.push(format!("{name}: {why}"));
            }
        }
    }

    /// A step that is one command of cargo.
    fn cargo(&mut self, name: &str, arguments: &[&str]) {
        self.step(name, |root| {
            if let ["fmt" | "clippy" | "deny", ..] = arguments {
                needs(&format!("cargo {}", arguments[0]), root)?;
            }
            process::run(cargo(root).args(arguments))
        });
    }
}

pub(crate) fn run(root: &Path, only: &str) -> Outcome {
    let packages = workspace::packages(root)?;
    let is_library = |name: &str| name == CORE || FORMATS.contains(&name);
    let libraries: Vec<&Package> = packages.iter().filter(|own| is_library(&own.name)).collect();
    let (passed, failed, skipped) = Default::default();
    let mut steps = Steps { root, only, passed, failed, skipped };

    for (name, manifest) in [
        ("format", "Cargo.toml"),
        ("format of the crates as users have them", "outside/Cargo.toml"),
        ("format of the page's module", "crates/web/Cargo.toml"),
        ("format of the wheel's module", "crates/python/Cargo.toml"),
        ("format of the fuzz targets", "crates/fuzz/Cargo.toml"),
    ] {
        steps.cargo(name, &["fmt", "--all", "--check", "--manifest-path", manifest]);
    }
    for (name, manifest) in [
        ("clippy", "Cargo.toml"),
        ("clippy of the page's module", "crates/web/Cargo.toml"),
        ("clippy of the wheel's module", "crates/python/Cargo.toml"),
        ("clippy of the fuzz targets", "crates/fuzz/Cargo.toml"),
    ] {
        let all = ["clippy", "--workspace", "--all-features", "--all-targets", "--manifest-path"];
        steps.cargo(name, &[&all[..], &[manifest, "--", "-D", "warnings"]].concat());
    }
    // Libraries only: the facade and the tool have the same name, and one page would be lost.
    let doc = ["doc", "--workspace", "--all-features", "--no-deps", "--lib"];
    steps.step("documentation", |root| {
        process::run(cargo(root).env("RUSTDOCFLAGS", "-D warnings").args(doc))
    });
    steps.step("glTF validator", |root| {
        needs("npm", root)?;
        let install = ["install", "--no-save", "--prefix", "target/npm", "gltf-validator"];
        match succeeds(command("npm", root).args(install)) {
            true => Ok(true),
            false => Err(Fault::Missing("npm cannot install gltf-validator".to_owned())),
        }
    });
    steps.step("test", test::run);
    steps
        .step("types of other crates", |root| process::run(&mut test::outside(root, test::MATRIX)));
    for (format, program) in DECODERS {
        steps.step(&format!("decoder in Python: {program}.py"), |root| {
            needs("python3", root)?;
            let mut run = cargo(root);
            run.args(["run", "--quiet", "--package", "gamewire-cli", "--", "conformance", format]);
            let program = format!("docs/conformance/{program}.py");
            process::run(run.args(["--", "python3", &program]))
        });
    }
    steps.step("packages", package::run);
    steps.step("npm package in Node.js", web::rows);
    steps.step("page in a browser", web::page);
    steps.step("python", python::run);
    steps.step("semantic versions", |root| semver(root, &packages));
    for package in &libraries {
        features(package, &mut steps);
    }
    for format in FORMATS.iter().chain(&["o3de-prefab", "resonite-save"]) {
        let features = format!("document,{format}");
        let clippy = ["clippy", "--package=gamewire", "--lib", "--no-default-features"];
        let all = [&clippy[..], &["--features", &features, "--", "-D", "warnings"]].concat();
        steps.cargo(&format!("documents with {format} alone"), &all);
    }
    steps.step("oldest compiler", |root| oldest(root, &packages));
    steps.step("oldest dependencies", oldest_dependencies);
    for package in &libraries {
        steps
            .step(&format!("WebAssembly for {}", package.name), |root| web_assembly(package, root));
    }
    for (target, linker, runner) in MACHINES {
        steps.step(&format!("vectors on {target}"), |root| machine(root, target, linker, runner));
    }
    steps.cargo("dependencies", &["deny", "check"]);

    let Steps { passed, failed, skipped, .. } = steps;
    println!("passed:  {}", passed.join(", "));
    skipped.iter().for_each(|step| println!("SKIPPED: {step}"));
    failed.iter().for_each(|step| println!("FAILED:  {step}"));
    let (passed, failed, skipped) = (passed.len(), failed.len(), skipped.len());
    println!("{passed} steps passed, {failed} failed, {skipped} skipped");
    Ok(failed == 0 && passed > 0)
}

/// The library with no features and with each of its features alone.
fn features(package: &Package, steps: &mut Steps<'_>) {
    let none = [String::new()];
    for feature in none.iter().chain(&package.features) {
        let shown = if feature.is_empty() { "no features" } else { feature };
        let lib = ["clippy", "--lib", "--package", &package.name, "--no-default-features"];
        let more = ["--features", feature, "--", "-D", "warnings"];
        steps.cargo(&format!("{} with {shown}", package.name), &[&lib[..], &more].concat());
    }
}

/// The published packages with the oldest compiler they promise.
fn oldest(root: &Path, packages: &[Package]) -> Outcome {
    let version = packages.iter().find_map(|package| package.rust_version.as_deref());
    let version = version.ok_or("no package names a rust-version")?;
    let rustup = |arguments: &[&str]| {
        let mut rustup = command("rustup", root);
        rustup.args(arguments);
        rustup
    };
    if !succeeds(&mut rustup(&["run", version, "rustc", "--version"]))
        && !succeeds(&mut rustup(&["toolchain", "install", version, "--profile", "minimal"]))
    {
        let why = format!("toolchain {version} is not installed, and cannot be");
        return Err(Fault::Missing(why));
    }
    let check = rustup(&["run", version, "cargo", "check", "--all-features"]);
    process::run(&mut of_published(check, packages))
}

/// The packages with the oldest versions of dependencies that they allow, which only a nightly cargo finds.
fn oldest_dependencies(root: &Path) -> Outcome {
    let nightly = |folder: &Path, arguments: &[&str]| {
        let mut cargo = command("rustup", folder);
        cargo.args(["run", "nightly", "cargo", "-Zdirect-minimal-versions"]).args(arguments);
        cargo
    };
    if !succeeds(&mut nightly(root, &["--version"])) {
        return Err(Fault::Missing("there is no nightly toolchain".to_owned()));
    }
    let folder = package::unpacked(root)?;
    std::fs::remove_file(folder.join("Cargo.lock")).map_err(at(&folder))?;
    Ok(process::run(&mut nightly(&folder, &["generate-lockfile"]))?
        && process::run(&mut nightly(&folder, &["check", "--workspace", "--all-features"]))?)
}

/// A command of cargo for the published packages.
fn of_published(mut command: Command, packages: &[Package]) -> Command {
    for package in packages.iter().filter(|package| package.is_published) {
        command.args(["--package", &package.name]);
    }
    command
}

/// The library, with all features, as WebAssembly.
fn web_assembly(package: &Package, root: &Path) -> Outcome {
    const TARGET: &str = "wasm32-unknown-unknown";
    needs_target(TARGET, root)?;
    let mut check = cargo(root);
    check.args(["check", "--lib", "--package", &package.name, "--target", TARGET]);
    process::run(check.arg("--all-features"))
}

/// Decoders in Python that were written from docs/formats alone: over the vectors, they hold the pages.
const DECODERS: [(&str, &str); 4] = [
    ("godot-variant", "godot"),
    ("kiwi-pclass", "pclass"),
    ("zeze-serialize", "zeze"),
    ("resonite-brson", "brson"),
];

/// Where addresses have 32 bits, where the first byte of a number is its highest, and where paths are other ones: the
/// target, what links for it, and what runs its programs if this machine does not.
const MACHINES: [(&str, &str, &str); 3] = [
    // The linker comes with the compiler.
    ("i686-unknown-linux-musl", "rust-lld", ""),
    ("s390x-unknown-linux-gnu", "s390x-linux-gnu-gcc", "qemu-s390x -L /usr/s390x-linux-gnu"),
    ("x86_64-pc-windows-gnu", "x86_64-w64-mingw32-gcc", "wine"),
];

/// The vectors on another machine; on Windows, the tool too.
fn machine(root: &Path, target: &str, linker: &str, runner: &str) -> Outcome {
    needs_target(target, root)?;
    let tools = [linker].into_iter().chain(runner.split(' ').next());
    for tool in tools.filter(|tool| !matches!(*tool, "" | "rust-lld")) {
        needs(tool, root)?;
    }
    let name = format!("CARGO_TARGET_{}", target.to_uppercase().replace('-', "_"));
    let mut test = cargo(root);
    test.env(format!("{name}_LINKER"), linker);
    if !runner.is_empty() {
        test.env(format!("{name}_RUNNER"), runner);
    }
    if runner == "wine" {
        let folder = wine(root, linker)?;
        test.env("WINEPATH", format!("Z:{}", folder.display())).env("WINEDEBUG", "-all");
        test.env("WINEPREFIX", folder.join("prefix"));
    }
    test.args(["test", "--all-features", "--target", target, "--test", "vectors"]);
    for format in FORMATS {
        test.args(["--package", format]);
    }
    process::run(&mut test)
}

/// The folder of a library that Rust's standard library needs, and wine has since its version 9.
fn wine(root: &Path, linker: &str) -> Outcome<PathBuf> {
    const RANDOM: &str = "#include <windows.h>\n#include <ntsecapi.h>\n\
        __declspec(dllexport) BOOL ProcessPrng(PBYTE to, SIZE_T len) { return RtlGenRandom(to, len); }\n";
    let folder = root.join("target/wine");
    std::fs::create_dir_all(&folder).map_err(at(&folder))?;
    std::fs::write(folder.join("random.c"), RANDOM).map_err(at(&folder))?;
    let library = ["-shared", "-o", "bcryptprimitives.dll", "random.c", "-ladvapi32"];
    done(command(linker, &folder).args(library))?;
    Ok(folder)
}

/// Public names and types, beside those of the last release.
fn semver(root: &Path, packages: &[Package]) -> Outcome {
    let describe = ["describe", "--tags", "--abbrev=0", "--match", "v*"];
    let tag = output(command("git", root).args(describe));
    let tag = tag.map_err(|_| Fault::Missing("there is no release to compare with".to_owned()))?;
    needs("cargo semver-checks", root)?;
    let mut check = cargo(root);
    check.args(["semver-checks", "--baseline-rev", tag.trim()]);
    process::run(&mut of_published(check, packages))
}
