//! `cargo xtask web`: the module of WebAssembly, the npm package and the page, and their tests.

use std::path::{Path, PathBuf};

use crate::process::{self, cargo, command, succeeds};
use crate::{Outcome, vectors};

/// Where everything is built.
const FOLDER: &str = "target/web";

/// A test: its name, and whether it holds, or why it cannot run here.
pub(crate) type Step = (&'static str, Result<bool, String>);

pub(crate) fn run(root: &Path) -> Outcome {
    let steps = steps(root)?;
    for (name, outcome) in &steps {
        if let Err(why) = outcome {
            println!("SKIPPED {name}: {why}");
        }
    }
    Ok(steps.iter().all(|(_, outcome)| *outcome != Ok(false)).into())
}

/// Builds everything, and tests as much of it as this machine can.
pub(crate) fn steps(root: &Path) -> Result<Vec<Step>, String> {
    let (rows, page) = ("rows of testdata in Node.js", "the page in a browser");
    let out = match build(root)? {
        Ok(out) => out,
        Err(why) => return Ok(vec![(rows, Err(why.clone())), (page, Err(why))]),
    };
    let own = root.join("crates/web");
    let mut native = cargo(&own);
    native.args(["build", "--example", "native", "--message-format=json", "--target-dir"]);
    let native = vectors::built(native.arg(root.join(FOLDER)))?;
    let mut tool = cargo(root);
    let tool = vectors::built(tool.args(["build", "--message-format=json", "-p", "gamewire-cli"]))?;
    let test = |name: &str| {
        let mut node = command("node", root);
        node.env("GAMEWIRE_PACKAGE", out.join("package")).env("GAMEWIRE_NATIVE", &native);
        node.env("GAMEWIRE_PAGE", out.join("gamewire.html")).env("GAMEWIRE", &tool);
        node.args(["--test", &format!("crates/web/test/{name}.test.js")]);
        node
    };
    let in_page = match browser(root) {
        Ok((chromium, playwright)) => {
            process::run(test("page").env("CHROMIUM", chromium).env("PLAYWRIGHT", playwright))
                .map(Ok)?
        }
        Err(why) => Err(why),
    };
    let (in_rows, in_runners) =
        (process::run(&mut test("rows"))?, process::run(&mut test("runner"))?);
    Ok(vec![(rows, Ok(in_rows)), ("runners of vectors", Ok(in_runners)), (page, in_page)])
}

/// Makes the package and the page. Returns their folder, or why they cannot be made here.
pub(crate) fn build(root: &Path) -> Result<Result<PathBuf, String>, String> {
    const TARGET: &str = "wasm32-unknown-unknown";
    if !succeeds(command("node", root).arg("--version")) {
        return Ok(Err("Node.js is not installed".to_owned()));
    }
    let installed =
        process::output(command("rustup", root).args(["target", "list", "--installed"]));
    let is_there = installed.is_ok_and(|all| all.lines().any(|own| own == TARGET));
    if !is_there && !succeeds(command("rustup", root).args(["target", "add", TARGET])) {
        return Ok(Err(format!("target {TARGET} is not installed, and cannot be")));
    }
    let (target, out) = (root.join(FOLDER), root.join(FOLDER).join("out"));
    let mut build = command("node", root);
    build.arg("crates/web/build.js").arg(&out);
    // In its folder, where cargo finds how large the stack is.
    let mut module = cargo(&root.join("crates/web"));
    module.args(["rustc", "--lib", "--crate-type", "cdylib", "--release"]);
    module.args(["--target", TARGET]).arg("--target-dir").arg(&target);
    if !process::run(&mut module)? {
        return Err("the module cannot be built".to_owned());
    }
    build.arg(target.join(TARGET).join("release/gamewire_web.wasm"));
    match process::run(&mut build)? {
        true => Ok(Ok(out)),
        false => Err("the package cannot be made".to_owned()),
    }
}

/// The browser, and the folder of what drives it.
fn browser(root: &Path) -> Result<(String, PathBuf), String> {
    let named = std::env::var("CHROMIUM").ok();
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"].map(str::to_owned);
    let mut all = named.into_iter().chain(names);
    let found = all.find(|name| succeeds(command(name, root).arg("--version")));
    let chromium = found.ok_or("Chromium is not installed")?;
    // It takes a path.
    let path = process::output(command("which", root).arg(&chromium)).unwrap_or(chromium);
    let folder = root.join(FOLDER).join("node_modules/playwright-core");
    let npm = ["install", "--silent", "--prefix", FOLDER, "playwright-core@1"];
    if !folder.is_dir() && !succeeds(command("npm", root).args(npm)) {
        return Err("playwright-core is not installed, and npm cannot get it".to_owned());
    }
    Ok((path.trim().to_owned(), folder))
}
