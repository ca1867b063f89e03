//! What holds for every text file: length, module names, one module style, snapshots in files, no
//! traces of a machine.

use std::path::Path;

use super::Report;
use crate::workspace::project_files;

/// Lines that a Rust file may have.
const MAX_LINES: usize = 900;

/// Lines from which on a warning is printed.
const MANY_LINES: usize = 800;

/// Names of modules that say nothing about what is in them.
const EMPTY_NAMES: [&str; 6] = ["utils", "util", "common", "prelude", "helpers", "misc"];

/// First folders of absolute paths that exist on one machine only.
const MACHINE_FOLDERS: [&str; 5] = ["work", "root", "tmp", "home", "Users"];

/// The registry that dependencies come from, as Cargo.lock names it.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Hosts that serve a registry to cargo: these, in front of `.crates.io`.
const REGISTRY_HOSTS: [&str; 2] = ["index", "static"];

/// Begins an older spelling of the name of a limit, which is `MAX_`.
const OLD_LIMIT: &str = concat!("MOST", "_");

/// Refers to pages outside of the repository; docs/formats has the sections.
const OUTSIDE: &str = concat!("spec", " §");

pub(super) fn check(root: &Path, report: &mut Report) -> Result<(), String> {
    for file in project_files(root)? {
        check_name(&file, report);
        let bytes = std::fs::read(root.join(&file)).map_err(|error| format!("{file}: {error}"))?;
        // Anything else is not text.
        if let Some(text) = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0')) {
            check_text(&file, &text, report);
        }
    }
    Ok(())
}

fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn check_name(file: &str, report: &mut Report) {
    report.check(!file.ends_with("/mod.rs"), || {
        format!("{file}: a module is in NAME.rs, not in NAME/mod.rs")
    });
    let Some((_, module)) = file.split_once("/src/").filter(|_| file.ends_with(".rs")) else {
        return;
    };
    let empty = module.trim_end_matches(".rs").split('/').find(|part| EMPTY_NAMES.contains(part));
    report.check(empty.is_none(), || {
        format!("{file}: a module named `{}` says nothing", empty.unwrap_or_default())
    });
}

fn check_text(file: &str, text: &str, report: &mut Report) {
    if file.ends_with(".rs") {
        let count = text.lines().count();
        report.check(count <= MAX_LINES, || {
            format!("{file}: {count} lines, {MAX_LINES} are allowed")
        });
        if (MANY_LINES + 1..=MAX_LINES).contains(&count) {
            report.warnings.push(format!("{file}: {count} lines, {MAX_LINES} are allowed"));
        }
    }
    let is_source = file.ends_with(".rs") && file.contains("/src/");
    let is_rust = file.ends_with(".rs");
    let mut in_snapshot = false;
    let (mut older, mut outside, mut inline) = (None, None, None);
    let mut faults = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let mut fault = |what: String| faults.push(format!("{file}:{number}: {what}"));
        if is_source && let Some(name) = EMPTY_NAMES.iter().find(|n| declares_module(line, n)) {
            fault(format!("a module named `{name}` says nothing"));
        }
        if let Some(path) = machine_path(line) {
            fault(format!("`{path}` is a path of one machine"));
        }
        if let Some(host) = registry_trace(file, line) {
            fault(format!("`{host}` names a registry"));
        }
        if !is_rust {
            continue;
        }
        if let Some(at) = line.find(OLD_LIMIT).filter(|at| !line[..*at].ends_with(is_in_word)) {
            let end = line[at..].find(|c| !is_in_word(c)).map_or(line.len(), |end| at + end);
            older.get_or_insert(format!("{number}: a limit is `MAX_…`, not `{}`", &line[at..end]));
        }
        if line.contains(OUTSIDE) {
            let what = format!("{number}: `{OUTSIDE}` is a page outside of the repository");
            outside.get_or_insert(what);
        }
        // From the macro to the end of its call; a value for it is an inline snapshot.
        in_snapshot |= line.contains("snapshot!(");
        let value = line.trim_start().strip_prefix('@').or(line.split_once(", @").map(|(_, v)| v));
        if in_snapshot
            && value.is_some_and(|v| ["\"", "r\"", "r#"].iter().any(|q| v.starts_with(q)))
        {
            inline.get_or_insert(format!("{number}: a snapshot in the source; they are files"));
        }
        in_snapshot &= !line.trim_end().ends_with(");");
    }
    // One line for each of these in a file is enough.
    faults.extend(
        [older, outside, inline].into_iter().flatten().map(|what| format!("{file}:{what}")),
    );
    report.checks += 1;
    report.drifts.extend(faults);
}

fn declares_module(line: &str, name: &str) -> bool {
    let code = line.trim_start().trim_start_matches("pub(crate) ").trim_start_matches("pub ");
    code.strip_prefix("mod ")
        .and_then(|rest| rest.strip_prefix(name))
        .is_some_and(|rest| rest.starts_with([';', ' ', '{']))
}

/// An absolute path below one of [`MACHINE_FOLDERS`].
///
/// Node paths of a game engine may begin the same way; their next part begins with a capital.
fn machine_path(line: &str) -> Option<&str> {
    MACHINE_FOLDERS.iter().find_map(|folder| {
        let path = format!("/{folder}/");
        line.match_indices(&path).find_map(|(at, _)| {
            let (before, rest) = (&line[..at], &line[at..]);
            let next = line[at + path.len()..].chars().next();
            let absolute = before.ends_with("file://")
                || before.chars().next_back().is_none_or(|c| {
                    !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.' | '}' | ')' | '/')
                });
            let is_node = *folder == "root"
                && next.is_none_or(|c| !c.is_lowercase() && !c.is_ascii_digit() && c != '.');
            let end = rest.find(|c: char| c.is_whitespace() || "\"'`)>,".contains(c));
            (absolute && !is_node).then(|| &rest[..end.unwrap_or(rest.len())])
        })
    })
}

/// A registry other than the public one, the host of a registry, or a host of one machine.
fn registry_trace<'a>(file: &str, line: &'a str) -> Option<&'a str> {
    let trimmed = line.trim();
    let name = file.rsplit('/').next().unwrap_or(file);
    if name == "Cargo.lock" {
        let source = trimmed.strip_prefix("source = \"")?.trim_end_matches('"');
        return (source != REGISTRY).then_some(source);
    }
    if name.ends_with(".toml") {
        let starts = ["replace-with", "registry-index", "[source.", "[registries", "[registry"];
        let names_one = trimmed.contains("registry = ")
            && !trimmed.starts_with("unknown-")
            && !trimmed.starts_with("allow-");
        if names_one || starts.iter().any(|start| trimmed.starts_with(start)) {
            return Some(trimmed);
        }
    }
    let host = REGISTRY_HOSTS.iter().find_map(|host| {
        let at = line.find(&format!("{host}.crates.io"))?;
        Some(&line[at..at + host.len() + ".crates.io".len()])
    });
    host.or_else(|| {
        line.match_indices("://").find_map(|(at, _)| {
            let rest = &line[at + 3..];
            let end = rest.find(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '-'));
            let host = &rest[..end.unwrap_or(rest.len())];
            let numeric =
                host.contains('.') && host.chars().all(|c| c.is_ascii_digit() || c == '.');
            (host == "localhost" || numeric).then_some(host)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path that must not stand in this file as it is.
    fn path(folder: &str, rest: &str) -> String {
        format!("/{folder}/{rest}")
    }

    #[test]
    fn paths_of_a_machine() {
        for (before, folder, rest, after) in [
            ("see ", "work", "main/x.rs", " there"),
            ("\"", "tmp", "y", "\""),
            ("file://", "home", "me/x", ""),
            ("", "root", ".cargo/bin", ""),
            ("(", "root", "project", ")"),
            ("=", "Users", "Me/x", ""),
            ("", "tmp", "", ""),
        ] {
            let path = path(folder, rest);
            let line = format!("{before}{path}{after}");
            assert_eq!(machine_path(&line), Some(&path[..]), "{line}");
        }
        for line in [
            "res:/".to_owned() + &path("work", "x"),
            "a".to_owned() + &path("tmp", "x"),
            "^\"".to_owned() + &path("root", "Main/Player:position"),
            "${dir}".to_owned() + &path("tmp", "x"),
            "https://example.org".to_owned() + &path("Users", "x"),
            "the work / root".to_owned(),
        ] {
            assert_eq!(machine_path(&line), None, "{line}");
        }
    }

    #[test]
    fn registries() {
        let lock = "source = \"registry+https://example.org/index\"";
        assert!(registry_trace("Cargo.lock", lock).is_some());
        assert!(registry_trace("Cargo.lock", &format!("source = \"{REGISTRY}\"")).is_none());
        assert!(
            registry_trace("a/Cargo.toml", "x = { version = \"1\", registry = \"y\" }").is_some()
        );
        assert!(registry_trace(".cargo/config.toml", "[source.mirror]").is_some());
        assert!(registry_trace("deny.toml", "unknown-registry = \"deny\"").is_none());
        let host = format!("https://{}.crates.io/x", REGISTRY_HOSTS[1]);
        assert!(registry_trace("README.md", &host).is_some());
        assert!(registry_trace("README.md", "https://crates.io/crates/x").is_none());
        assert!(registry_trace("a.md", &format!("http{}localhost:8080/", "://")).is_some());
        assert_eq!(registry_trace("a.md", &format!("http{}10.0.0.1/", "://")), Some("10.0.0.1"));
        assert!(registry_trace("a.md", "res://10").is_none());
    }

    #[test]
    fn modules() {
        assert!(declares_module("pub(crate) mod util;", "util"));
        assert!(declares_module("    mod common {", "common"));
        assert!(!declares_module("mod utility;", "util"));
        assert!(!declares_module("// mod util;", "util"));
    }
}
