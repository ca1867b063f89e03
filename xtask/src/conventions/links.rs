//! Links between pages: each leads to a file, and to a heading in it. READMEs are also read where rustdoc
//! is not: nothing in them is a link in rustdoc alone, and their programs have no hidden lines.

use std::path::Path;

use super::Report;
use crate::process::Outcome;
use crate::workspace::project_files;

/// Addresses of files of this repository.
const OWN: [&str; 2] = ["blob/main/", "tree/main/"];
const REPOSITORY: &str = "https://github.com/gamewire/gamewire/";

pub(super) fn check(root: &Path, report: &mut Report) -> Outcome<()> {
    for file in project_files(root)? {
        let Ok(text) = std::fs::read_to_string(root.join(&file)) else { continue };
        let (is_page, is_readme) = (file.ends_with(".md"), file.ends_with("README.md"));
        for (number, line) in (1..).zip(prose(&text, is_page)) {
            for target in targets(line, is_page) {
                report.check(leads_somewhere(root, &file, target), || {
                    format!("{file}:{number}: {target} leads nowhere")
                });
            }
            let bare = line.split("[`").skip(1).find_map(|rest| {
                let (name, rest) = rest.split_once("`]")?;
                let is_defined = rest.starts_with('(') || text.contains(&format!("\n[`{name}`]: "));
                (!is_defined && !name.contains('`')).then_some(name)
            });
            if let Some(name) = bare.filter(|_| is_readme) {
                report.check(false, || {
                    format!("{file}:{number}: `{name}` is a link in rustdoc alone")
                });
            }
        }
        let mut programs =
            text.split("```rust").skip(1).filter_map(|rest| rest.split("\n```").next());
        report.check(!is_readme || !programs.any(|code| code.contains("\n# ")), || {
            format!("{file}: a program has hidden lines, which others show")
        });
    }
    Ok(())
}

/// Lines, empty where a page shows code or output.
fn prose(text: &str, is_page: bool) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    text.lines().map(move |line| {
        in_code ^= is_page && line.trim_start().starts_with("```");
        if in_code { "" } else { line }
    })
}

/// The links of a line of a page; of another file, only addresses of this repository.
fn targets(line: &str, is_page: bool) -> Vec<&str> {
    let end = |rest: &str| rest.find(|c| " )>\"`,;".contains(c)).unwrap_or(rest.len());
    let until = |rest: &'_ str| rest[..end(rest)].trim_end_matches('.').len();
    let mut found: Vec<&str> =
        line.split(REPOSITORY).skip(1).map(|rest| &rest[..until(rest)]).collect();
    found.retain(|rest| OWN.iter().any(|own| rest.starts_with(own)));
    if is_page {
        let own = line.split("](").skip(1).map(|rest| &rest[..end(rest)]);
        found.extend(own.filter(|link| !link.contains("://") && !link.is_empty()));
    }
    found
}

fn leads_somewhere(root: &Path, file: &str, target: &str) -> bool {
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let page = match OWN.iter().find_map(|own| path.strip_prefix(own)) {
        Some(own) => root.join(own),
        None if path.is_empty() => root.join(file),
        None => root.join(file).with_file_name(path),
    };
    let text = || std::fs::read_to_string(&page).unwrap_or_default();
    page.exists() && (anchor.is_empty() || anchors(&text()).any(|own| own == anchor))
}

/// The headings of a page, as GitHub makes anchors of them.
fn anchors(text: &str) -> impl Iterator<Item = String> {
    prose(text, true).filter(|line| line.starts_with('#')).map(|line| {
        let heading = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        heading.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect()
    })
}
