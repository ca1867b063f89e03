//! `cargo xtask ci`: all checks, each as its own step; a step that cannot run says why.

use std::path::Path;
use std::process::Command;

use crate::process::{self, cargo, cargo_of, command, output, succeeds};
use crate::workspace::{self, FORMATS, Package};
use crate::{Outcome, Status, package, python, test, web};

/// The crate beneath the format crates, which is built wherever they are.
const CORE: &str = "gamewire-core";

/// The outcome of the steps.
#[derive(Default)]
struct Steps {
    passed: Vec<String>,
    failed: Vec<String>,
    skipped: Vec<String>,
}

impl Steps {
    fn step(&mut self, name: &str, result: Result<bool, String>) {
        match result {
            Ok(true) => self.passed.push(name.to_owned()),
            Ok(false) => self.failed.push(name.to_owned()),
            Err(message) => self.failed.push(format!("{name}: {message}")),
        }
    }

    fn skip(&mut self, name: &str, why: &str) {
        println!("SKIPPED {name}: {why}\n");
        self.skipped.push(format!("{name}: {why}"));
    }

    fn run(&mut self, name: &str, command: &mut Command) {
        self.step(name, process::run(command));
    }
}

pub(crate) fn run(root: &Path) -> Outcome {
    let packages = workspace::packages(root)?;
    let is_library = |name: &str| name == CORE || FORMATS.contains(&name);
    let libraries: Vec<&Package> =
        packages.iter().filter(|package| is_library(&package.name)).collect();
    let mut steps = Steps::default();
    let all = ["--workspace", "--all-features"];

    steps.run("format", cargo(root).args(["fmt", "--all", "--check"]));
    steps.run(
        "clippy",
        cargo(root).arg("clippy").args(all).args(["--all-targets", "--", "-D", "warnings"]),
    );
    let fuzz = ["check", "--manifest-path", "crates/fuzz/Cargo.toml"];
    steps.run("fuzz targets", cargo(root).args(fuzz));
    let web = ["--manifest-path", "crates/web/Cargo.toml", "--all-targets", "--", "-D", "warnings"];
    steps.run("clippy of the page's module", cargo(root).arg("clippy").args(web));
    match web::steps(root) {
        Ok(all) => all.into_iter().for_each(|(name, outcome)| match outcome {
            Ok(good) => steps.step(name, Ok(good)),
            Err(why) => steps.skip(name, &why),
        }),
        Err(message) => steps.step("the page", Err(message)),
    }
    // Libraries only: the facade and the tool have the same name, and one page would be lost.
    steps.run(
        "documentation",
        cargo(root)
            .env("RUSTDOCFLAGS", "-D warnings")
            .arg("doc")
            .args(all)
            .args(["--no-deps", "--lib"]),
    );
    let validator = ["install", "--no-save", "--prefix", "target/npm", "gltf-validator"];
    if !succeeds(command("npm", root).args(validator)) {
        steps.skip("glTF validator", "npm is not installed, or cannot install gltf-validator");
    }
    steps.step("test", test::run(root).map(|status| status == Status::Good));
    steps.run("types of other crates", &mut test::outside_test(root, test::MATRIX));
    decoders(root, &mut steps);
    steps.step("packages", package::run(root).map(|status| status == Status::Good));
    match python::prepare(root) {
        Ok(Err(why)) => steps.skip("python", &why),
        Ok(Ok(_)) => steps.step("python", python::if_built(root).map(|tests| tests == Ok(true))),
        Err(why) => steps.step("python", Err(why)),
    }
    semver(root, &mut steps);
    for package in &libraries {
        feature_matrix(root, package, &mut steps);
    }
    msrv(root, &packages, &mut steps);
    targets(root, &libraries, &mut steps);
    machines(root, &mut steps);
    licences(root, &mut steps);

    println!("passed:  {}", steps.passed.join(", "));
    for skipped in &steps.skipped {
        println!("SKIPPED: {skipped}");
    }
    for failed in &steps.failed {
        println!("FAILED:  {failed}");
    }
    println!(
        "{} steps passed, {} failed, {} skipped",
        steps.passed.len(),
        steps.failed.len(),
        steps.skipped.len()
    );
    Ok(steps.failed.is_empty().into())
}

/// The library with no features and with each of its features alone.
fn feature_matrix(root: &Path, package: &Package, steps: &mut Steps) {
    let none = [String::new()];
    for feature in none.iter().chain(&package.features) {
        let mut command = cargo(root);
        command.args(["clippy", "--package", &package.name, "--lib", "--no-default-features"]);
        if !feature.is_empty() {
            command.args(["--features", feature]);
        }
        command.args(["--", "-D", "warnings"]);
        let shown = if feature.is_empty() { "no features" } else { feature };
        steps.run(&format!("{} with {shown}", package.name), &mut command);
    }
}

/// The published packages with the oldest compiler they promise.
fn msrv(root: &Path, packages: &[Package], steps: &mut Steps) {
    const STEP: &str = "oldest compiler";
    let names = package::published();
    let published = packages.iter().filter(|package| names.contains(&package.name.as_str()));
    let published: Vec<&Package> = published.collect();
    let Some(version) = published.iter().find_map(|package| package.rust_version.as_deref()) else {
        return steps.skip(STEP, "no published package names a rust-version");
    };
    let install = ["toolchain", "install", version, "--profile", "minimal"];
    if !succeeds(&mut rustc_of(version, root)) && !succeeds(command("rustup", root).args(install)) {
        return steps.skip(STEP, &format!("toolchain {version} is not installed, and cannot be"));
    }
    let mut command = cargo_of(version, root);
    command.args(["check", "--all-features"]);
    for package in &published {
        command.args(["--package", &package.name]);
    }
    steps.run(STEP, &mut command);
}

fn rustc_of(version: &str, root: &Path) -> Command {
    let mut rustc = command("rustup", root);
    rustc.args(["run", version, "rustc", "--version"]);
    rustc
}

/// WebAssembly for every library, and bare metal for those that have a feature `std`.
fn targets(root: &Path, libraries: &[&Package], steps: &mut Steps) {
    let installed = output(command("rustup", root).args(["target", "list", "--installed"]));
    let installed = installed.unwrap_or_default();
    let is_installed = |target: &str| installed.lines().any(|line| line.trim() == target);
    for (what, target) in
        [("WebAssembly", "wasm32-unknown-unknown"), ("no_std", "thumbv7em-none-eabi")]
    {
        let add = ["target", "add", target];
        if !is_installed(target) && !succeeds(command("rustup", root).args(add)) {
            steps.skip(what, &format!("target {target} is not installed, and cannot be"));
            continue;
        }
        for package in libraries.iter().filter(|package| package.has_library) {
            let step = format!("{what} for {}", package.name);
            let check = |arguments: &[&str]| {
                let mut command = cargo(root);
                command.args(["check", "--lib", "--package", &package.name, "--target", target]);
                command.args(arguments);
                command
            };
            if what == "WebAssembly" {
                steps.run(&step, &mut check(&["--all-features"]));
                continue;
            }
            let Some(features) = &package.bare_features else {
                steps.skip(&step, "the crate has no feature `std` to leave out");
                continue;
            };
            steps.run(&step, &mut check(&["--no-default-features"]));
            for feature in features {
                let step = format!("{step} with {feature}");
                steps.run(&step, &mut check(&["--no-default-features", "--features", feature]));
            }
        }
    }
}

/// The vectors where addresses have 32 bits, and where the first byte of a number is its highest: the target, what
/// links for it, and what runs its programs if this machine does not.
const MACHINES: [(&str, &str, Option<&str>); 2] = [
    ("i686-unknown-linux-musl", "rust-lld", None),
    ("s390x-unknown-linux-gnu", "s390x-linux-gnu-gcc", Some("qemu-s390x")),
];

fn machines(root: &Path, steps: &mut Steps) {
    for (target, linker, runner) in MACHINES {
        let step = format!("vectors on {target}");
        let installed = output(command("rustup", root).args(["target", "list", "--installed"]));
        let is_installed = installed.unwrap_or_default().lines().any(|line| line.trim() == target);
        if !is_installed && !succeeds(command("rustup", root).args(["target", "add", target])) {
            steps.skip(&step, &format!("target {target} is not installed, and cannot be"));
            continue;
        }
        // The linker of the first comes with the compiler.
        let needed = [Some(linker).filter(|own| *own != "rust-lld"), runner];
        let missing = needed.into_iter().flatten();
        let missing = missing.filter(|tool| !succeeds(command(tool, root).arg("--version")));
        let missing: Vec<&str> = missing.collect();
        if !missing.is_empty() {
            steps.skip(&step, &format!("{} is not installed", missing.join(" and ")));
            continue;
        }
        let name = target.to_uppercase().replace('-', "_");
        let mut test = cargo(root);
        test.args(["test", "--all-features", "--test", "vectors", "--target", target]);
        test.env(format!("CARGO_TARGET_{name}_LINKER"), linker);
        if let Some(runner) = runner {
            let runner = format!("{runner} -L /usr/s390x-linux-gnu");
            test.env(format!("CARGO_TARGET_{name}_RUNNER"), runner);
        }
        for format in FORMATS {
            test.args(["--package", format]);
        }
        steps.run(&step, &mut test);
    }
}

/// Public names and types, beside those of the last release.
fn semver(root: &Path, steps: &mut Steps) {
    const STEP: &str = "semantic versions";
    let tags =
        command("git", root).args(["describe", "--tags", "--abbrev=0", "--match", "v*"]).output();
    let tag = tags.ok().filter(|output| output.status.success());
    let Some(tag) = tag.and_then(|output| String::from_utf8(output.stdout).ok()) else {
        return steps.skip(STEP, "there is no release to compare with");
    };
    if !succeeds(cargo(root).args(["semver-checks", "--version"])) {
        return steps.skip(STEP, "cargo-semver-checks is not installed");
    }
    let mut check = cargo(root);
    check.args(["semver-checks", "--baseline-rev", tag.trim()]);
    // The last one is a program.
    let names = package::published();
    names.iter().filter(|name| **name != "gamewire-cli").for_each(|name| {
        check.args(["--package", name]);
    });
    steps.run(STEP, &mut check);
}

/// The decoders in Python that were written from docs/formats alone, over the vectors: they hold the pages.
fn decoders(root: &Path, steps: &mut Steps) {
    const STEP: &str = "decoders in Python";
    if !succeeds(command("python3", root).arg("--version")) {
        return steps.skip(STEP, "python3 is not installed");
    }
    for (format, program) in [
        ("godot-variant", "godot"),
        ("kiwi-pclass", "pclass"),
        ("zeze-serialize", "zeze"),
        ("resonite-brson", "brson"),
    ] {
        let program = format!("docs/conformance/{program}.py");
        let mut run = cargo(root);
        run.args(["run", "--quiet", "--package", "gamewire-cli", "--", "conformance", format]);
        steps.run(&format!("{STEP}: {program}"), run.args(["--", "python3", &program]));
    }
}

/// Licences, sources and advisories of the dependencies.
fn licences(root: &Path, steps: &mut Steps) {
    if succeeds(cargo(root).args(["deny", "--version"])) {
        steps.run("dependencies", cargo(root).args(["deny", "check"]));
    } else {
        steps.skip("dependencies", "cargo-deny is not installed");
    }
}
