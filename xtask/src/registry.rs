//! The names under which this is published: a name that is another project's would bring people that one's code.

use std::path::Path;
use std::process::Command;

use crate::process::{self, Outcome};
use crate::workspace;

const REPOSITORY: &str = "github.com/gamewire/gamewire";

/// A registry: how it is asked for a name, and a name that is always there.
struct Registry {
    name: &'static str,
    known: &'static str,
    ask: fn(&Path, &str) -> Command,
}

const CRATES: Registry = Registry {
    name: "crates.io",
    known: "serde",
    ask: |root, name| {
        let mut ask = process::cargo(root);
        ask.args(["info", "--quiet", "--registry", "crates-io", name]);
        ask
    },
};
const PYPI: Registry = Registry {
    name: "PyPI",
    known: "pip",
    ask: |root, name| {
        let mut ask = process::command("python3", root);
        ask.args(["-m", "pip", "install", "--quiet", "--dry-run", "--no-deps"]);
        ask.args(["--ignore-installed", "--report", "-", name]);
        ask
    },
};
const NPM: Registry = Registry {
    name: "npm",
    known: "npm",
    ask: |root, name| {
        let mut ask = process::command("npm", root);
        ask.args(["view", name, "name", "repository.url"]);
        ask
    },
};

/// Checks that no name that is published under is taken by others; a registry that does not answer is left out.
pub(crate) fn run(root: &Path) -> Outcome {
    let packages = workspace::packages(root)?.into_iter().filter(|package| package.is_published);
    let wheel = named(root, "crates/python/pyproject.toml", "\nname = \"")?;
    let module = named(root, "crates/web/npm/package.json", "\"name\": \"")?;
    let all = [
        (CRATES, packages.map(|package| package.name).collect()),
        (PYPI, vec![wheel]),
        (NPM, vec![module]),
    ];
    let mut is_good = true;
    for (registry, names) in all {
        if owner(root, &registry, registry.known).is_none() {
            println!("SKIPPED names on {}: it does not answer", registry.name);
            continue;
        }
        for name in names {
            let is_theirs =
                owner(root, &registry, &name).is_some_and(|own| !own.contains(REPOSITORY));
            if is_theirs {
                println!("FAILED {name} on {} is another project's", registry.name);
            }
            is_good &= !is_theirs;
        }
    }
    Ok(is_good)
}

/// What a registry says of a name; `None` where it has none.
fn owner(root: &Path, registry: &Registry, name: &str) -> Option<String> {
    let asked = (registry.ask)(root, name).output().ok()?;
    asked.status.success().then(|| String::from_utf8_lossy(&asked.stdout).into_owned())
}

/// The name in a manifest.
fn named(root: &Path, manifest: &str, before: &str) -> Outcome<String> {
    let path = root.join(manifest);
    let text = std::fs::read_to_string(&path).map_err(process::at(&path))?;
    let name = text.split_once(before).and_then(|(_, rest)| rest.split_once('"'));
    Ok(name.ok_or_else(|| format!("{manifest}: there is no name"))?.0.to_owned())
}
