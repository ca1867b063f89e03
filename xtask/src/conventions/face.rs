//! The public face of a format crate below its root: the methods that all five have, and where.
//!
//! Read off the source as rustfmt lays it out: an `impl` begins and ends at the left margin, its
//! functions one step in.

use std::collections::BTreeMap;
use std::path::Path;

use super::Report;
use crate::workspace::files_under;

/// Types and the methods that they have in every format crate.
const METHODS: [(&str, &[&str]); 4] = [
    ("Deserializer", &["new", "from_slice", "byte_offset", "rest", "into_iter"]),
    ("Serializer", &["new"]),
    ("Value", &["is_null", "get", "get_mut", "pointer", "pointer_mut"]),
    ("Options", &["strict", "max_depth", "max_typed_depth"]),
];

/// The verbs of `Options`, each beside the machine that does the work: `src/de.rs` or below
/// `src/de/`, and so on.
const VERBS: [(&str, &[&str]); 3] = [
    ("de", &["from_slice", "from_reader", "take_from_slice", "from_value"]),
    ("ser", &["to_vec", "to_writer", "append_to_vec", "to_value"]),
    ("explain", &["explain"]),
];

/// Further verbs where the format is text.
const TEXT_VERBS: [(&str, &[&str]); 2] =
    [("de", &["from_str"]), ("ser", &["to_string", "to_string_pretty"])];

/// Types whose `new` takes what is read or written, and the options.
const WITH_OPTIONS: [&str; 2] = ["Deserializer", "Serializer"];

/// Functions at the root whose documentation has an example.
const EXAMPLES: [&str; 8] = [
    "from_slice",
    "from_reader",
    "take_from_slice",
    "from_value",
    "to_vec",
    "to_writer",
    "to_value",
    "explain",
];

/// Types that a file has, from `src`.
const ITEMS: [(&str, &str); 4] = [
    ("value/decode.rs", "struct Decoder"),
    ("value/decode.rs", "trait Listener"),
    ("value/build.rs", "struct Builder"),
    ("read.rs", "struct Reader"),
];

/// Modules that the settings know nothing of.
const MACHINES: [&str; 5] = ["de", "ser", "explain", "read", "write"];

/// A public method: its file from `src`, and its parameters but `self`.
#[derive(Debug, PartialEq, Eq)]
struct Method {
    file: String,
    parameters: Vec<String>,
}

/// Public methods by type and name.
type Face = BTreeMap<(String, String), Vec<Method>>;

pub(super) fn check(folder: &Path, place: &str, is_text: bool, report: &mut Report) {
    let source = folder.join("src");
    let files: BTreeMap<String, String> = files_under(&source)
        .into_iter()
        .filter(|file| file.ends_with(".rs"))
        .filter_map(|file| Some((file.clone(), std::fs::read_to_string(source.join(&file)).ok()?)))
        .collect();
    let mut face = Face::new();
    for (file, text) in &files {
        add_methods(file, text, &mut face);
    }
    let found = |of: &str, name: &str| face.get(&(of.to_owned(), name.to_owned()));
    for (of, names) in METHODS {
        for name in names {
            report.check(found(of, name).is_some(), || format!("{place}: no `{of}::{name}`"));
        }
    }
    for of in WITH_OPTIONS {
        let fits = |method: &Method| matches!(&method.parameters[..], [_, two] if two == "options");
        let news = found(of, "new").map(Vec::as_slice).unwrap_or_default();
        report.check(news.is_empty() || news.iter().any(fits), || {
            format!("{place}: `{of}::new` does not take two things, the second `options`")
        });
    }
    let text_verbs = TEXT_VERBS.iter().filter(|_| is_text);
    for (module, verbs) in VERBS.iter().chain(text_verbs) {
        for verb in *verbs {
            let methods = found("Options", verb).map(Vec::as_slice).unwrap_or_default();
            report.check(
                methods.iter().any(|method| is_in(&method.file, module)),
                || match methods.first() {
                    Some(method) => format!(
                        "{place}: `Options::{verb}` is in src/{}, not in src/{module}.rs",
                        method.file
                    ),
                    None => format!("{place}: no `Options::{verb}`"),
                },
            );
        }
    }
    let has = |file: &str, item: &str| files.get(file).is_some_and(|text| text.contains(item));
    for (file, item) in ITEMS {
        report.check(has(file, item), || format!("{place}: no `{item}` in src/{file}"));
    }
    let has_iter = files.values().any(|text| text.contains("pub struct Iter<"));
    report.check(has_iter, || format!("{place}: no `Iter` for `Deserializer::into_iter`"));
    let settings = files.get("options.rs").map(String::as_str).unwrap_or_default();
    for module in MACHINES {
        report.check(!settings.contains(&format!("crate::{module}::")), || {
            format!("{place}/src/options.rs: settings know nothing of `crate::{module}`")
        });
    }
    let verbs = EXAMPLES.iter().chain(["from_str", "to_string"].iter().filter(|_| is_text));
    for verb in verbs {
        // A macro may write a function; its documentation is then out of sight.
        let found = files.values().find_map(|text| has_example(text, verb));
        report.check(found != Some(false), || {
            format!("{place}: the documentation of `{verb}` has no example")
        });
    }
}

/// Whether a file is a module or in its folder.
fn is_in(file: &str, module: &str) -> bool {
    file.strip_prefix(module).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
}

/// Adds the public methods of the inherent `impl`s in a file.
fn add_methods(file: &str, text: &str, face: &mut Face) {
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if !line.starts_with("impl") {
            continue;
        }
        let mut head = line.to_owned();
        while !head.ends_with(['{', '}']) {
            let Some(next) = lines.next() else { return };
            head.push(' ');
            head.push_str(next.trim());
        }
        let Some(of) = self_type(&head).filter(|_| !head.ends_with('}')) else { continue };
        let mut signature = None::<String>;
        for line in lines.by_ref().take_while(|line| !line.starts_with('}')) {
            let is_method = line.strip_prefix("    pub ").is_some_and(is_function);
            match &mut signature {
                Some(signature) => signature.push_str(line.trim()),
                None if is_method => signature = Some(line.trim().to_owned()),
                None => continue,
            }
            let done = signature.take_if(|signature| signature.contains(['{', ';']));
            if let Some((name, parameters)) = done.as_deref().and_then(parts) {
                let method = Method { file: file.to_owned(), parameters };
                face.entry((of.to_owned(), name)).or_default().push(method);
            }
        }
    }
}

fn is_function(code: &str) -> bool {
    code.starts_with("fn ") || code.starts_with("const fn ")
}

/// The name of the type in the head of an inherent `impl`; `None` where it is of a trait.
fn self_type(head: &str) -> Option<&str> {
    let rest = head.strip_prefix("impl")?;
    let rest = if rest.starts_with('<') { &rest[closing(rest)? + 1..] } else { rest };
    let own = rest.split(" where ").next()?.split('{').next()?.trim();
    if own.contains(" for ") {
        return None;
    }
    own.split('<').next()?.rsplit("::").next()
}

/// Where the bracket closes that the text begins with; `->` closes none.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' if before == '-' => {}
            '>' | ')' | ']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
        before = c;
    }
    None
}

/// The name of a function and the names of its parameters but `self`.
fn parts(signature: &str) -> Option<(String, Vec<String>)> {
    let (_, rest) = signature.split_once("fn ")?;
    let end = rest.find(['<', '('])?;
    let (name, rest) = rest.split_at(end);
    let rest = if rest.starts_with('<') { &rest[closing(rest)? + 1..] } else { rest };
    let inner = &rest[1..closing(rest)?];
    let mut parameters = Vec::new();
    let mut start = 0;
    while start < inner.len() {
        let mut at = start;
        while let Some(c) = inner[at..].chars().next().filter(|c| *c != ',') {
            let opens = matches!(c, '<' | '(' | '[');
            at += if opens { closing(&inner[at..])? + 1 } else { c.len_utf8() };
        }
        let parameter = inner[start..at].split(':').next().unwrap_or_default().trim();
        let parameter = parameter.strip_prefix("mut ").unwrap_or(parameter);
        if !parameter.is_empty() && !parameter.split([' ', '&']).any(|word| word == "self") {
            parameters.push(parameter.to_owned());
        }
        start = at + 1;
    }
    Some((name.to_owned(), parameters))
}

/// Whether the documentation of a public function at the left margin has an example; `None` where
/// the text has no such function.
fn has_example(text: &str, name: &str) -> Option<bool> {
    let starts = [format!("\npub fn {name}<"), format!("\npub fn {name}(")];
    let at = starts.iter().find_map(|start| text.find(start))?;
    let above = text[..at].lines().rev();
    let mut docs = above.take_while(|line| line.starts_with("///") || line.starts_with("#["));
    Some(docs.any(|line| line.trim_end() == "/// # Example"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn methods(text: &str) -> Vec<(String, String, Vec<String>)> {
        let mut face = Face::new();
        add_methods("de.rs", text, &mut face);
        let all = face.into_iter().flat_map(|((of, name), methods)| {
            methods.into_iter().map(move |method| (of.clone(), name.clone(), method.parameters))
        });
        all.collect()
    }

    #[test]
    fn public_methods_are_found() {
        let text = "\
impl<'de, R: Fn() -> u8> super::Deserializer<'de, R>
where
    R: Read,
{
    /// Says it.
    pub fn new(bytes: &'de [u8], options: Options) -> Self {
        pub fn inner() {}
    }

    pub(crate) fn hidden(&self) {}
    pub const fn rest<T: Into<(u8, u8)>>(
        mut self,
        other: Map<u8, (u8, T)>,
        mut last: u8,
    ) -> T {
    }
}
impl Value {}
impl Iterator for Deserializer<'_> {
    pub fn next() {}
}
";
        let of = |name: &str, parameters: &[&str]| {
            let parameters = parameters.iter().map(|&word| word.to_owned()).collect();
            ("Deserializer".to_owned(), name.to_owned(), parameters)
        };
        assert_eq!(
            methods(text),
            [of("new", &["bytes", "options"]), of("rest", &["other", "last"])]
        );
    }

    #[test]
    fn examples_are_found() {
        let text = "//! Crate.\n\nuse x;\n/// # Example\n#[inline]\npub fn to_vec(x: u8) {}\n/// No.\npub fn a() {}\n";
        assert_eq!(has_example(text, "to_vec"), Some(true));
        assert_eq!(has_example(text, "a"), Some(false));
        assert_eq!(has_example(text, "to"), None);
    }

    #[test]
    fn files_belong_to_modules() {
        assert!(is_in("de.rs", "de") && is_in("de/map.rs", "de"));
        assert!(!is_in("decode.rs", "de") && !is_in("value/de.rs", "de"));
    }
}
