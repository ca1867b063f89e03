//! `cargo xtask web`: the module of WebAssembly, the npm package and the page, and their tests.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{
    self, Fault, Outcome, built_one, cargo, command, done, needs, needs_target, output, succeeds,
};

/// Where everything is built.
const FOLDER: &str = "target/web";

/// The sources of the page, and the packages that it is made with.
const PAGE: &str = "crates/web/page";

pub(crate) fn run(root: &Path) -> Outcome {
    let rows = rows(root)?;
    match page(root) {
        Err(Fault::Missing(why)) => {
            println!("SKIPPED the page in a browser: {why}");
            Ok(rows)
        }
        page => Ok(page? && rows),
    }
}

/// Makes the package and the page, and returns their folder.
pub(crate) fn build(root: &Path) -> Outcome<PathBuf> {
    const TARGET: &str = "wasm32-unknown-unknown";
    needs("node", root)?;
    needs_target(TARGET, root)?;
    packages(root)?;
    let (target, out) = (root.join(FOLDER), root.join(FOLDER).join("out"));
    // In its folder, where cargo finds how large the stack is.
    let mut module = cargo(&root.join("crates/web"));
    module.args(["rustc", "--lib", "--crate-type", "cdylib", "--release", "--target", TARGET]);
    done(module.arg("--target-dir").arg(&target))?;
    let module = target.join(TARGET).join("release/gamewire_web.wasm");
    done(command("node", root).arg("crates/web/build.js").arg(&out).arg(module))?;
    Ok(out)
}

/// Installs what the page is made of and tested with, as the lock file says it.
fn packages(root: &Path) -> Outcome<()> {
    needs("npm", root)?;
    let folder = root.join(PAGE);
    let (lock, made) =
        (folder.join("package-lock.json"), folder.join("node_modules/.package-lock.json"));
    let time = |path: &Path| std::fs::metadata(path).and_then(|own| own.modified()).ok();
    let is_there = time(&made).zip(time(&lock)).is_some_and(|(made, lock)| made >= lock);
    if !is_there && !succeeds(command("npm", root).args(["ci", "--silent", "--prefix", PAGE])) {
        return Err(Fault::Missing("npm cannot install the packages of the page".to_owned()));
    }
    done(
        command("node", root)
            .arg(folder.join("node_modules/typescript/bin/tsc"))
            .arg("-p")
            .arg(PAGE),
    )
}

/// The package in Node.js: every row of testdata, and the runners of vectors.
pub(crate) fn rows(root: &Path) -> Outcome {
    let mut native = cargo(&root.join("crates/web"));
    native.args(["build", "--example", "native", "--target-dir"]).arg(root.join(FOLDER));
    let (test, native) = (tests(root)?, built_one(&mut native)?);
    Ok(process::run(test("rows").env("GAMEWIRE_NATIVE", native))?
        && process::run(&mut test("runner"))?)
}

/// The page in a browser.
pub(crate) fn page(root: &Path) -> Outcome {
    let named = std::env::var("CHROMIUM").ok();
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"].map(str::to_owned);
    let mut all = named.into_iter().chain(names);
    let chromium = all.find(|name| needs(name, root).is_ok());
    let chromium =
        chromium.ok_or_else(|| Fault::Missing("Chromium is not installed".to_owned()))?;
    // It takes a path.
    let path = output(command("which", root).arg(&chromium)).unwrap_or(chromium);
    let mut page = tests(root)?("page");
    let playwright = root.join(PAGE).join("node_modules/playwright-core");
    process::run(page.env("CHROMIUM", path.trim()).env("PLAYWRIGHT", playwright))
}

/// The tests by name, with the package, the page, and the tool that they are held against, built for them.
fn tests(root: &Path) -> Outcome<impl Fn(&str) -> Command> {
    let out = build(root)?;
    let tool = built_one(cargo(root).args(["build", "-p", "gamewire-cli"]))?;
    Ok(move |name: &str| {
        let mut node = command("node", root);
        node.env("GAMEWIRE_PACKAGE", out.join("package")).env("GAMEWIRE", &tool);
        node.env("GAMEWIRE_PAGE", out.join("gamewire.html"));
        node.args(["--test", &format!("crates/web/test/{name}.test.js")]);
        node
    })
}
