//! Checks of scenes and resources, alone and in their project.

mod finding;
mod fix;
mod scene;

pub use finding::{Finding, Rule};
pub use fix::fix;

use std::collections::{HashMap, HashSet};

use godot_variant::Value;
use godot_variant::types::ElementType;
use godot_variant::value::{Object, Reference};

use crate::contents::{each_value, field_text, reference_of};
use crate::project::{is_resource, owner_of_uid, path_from, uid_in};
use crate::{Binary, Contents, External, Options, Project, Section, Text, Uid};
use finding::Fix;

/// Checks a file of a project: a scene, a resource, settings, a `.uid`. `path` is its own.
///
/// ```
/// use godot_resource::{Project, Rule, fix, lint};
///
/// let scene = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node2D\"]\nvisible = true\n\n\
///     [node name=\"B\" type=\"Sprite2D\" parent=\"C\"]\nvisible = true\nvisible = false\n";
/// let project = Project::new(["a.tscn".to_owned()], |_| Some(scene.into()));
/// let findings = lint(&project, "a.tscn", scene.as_bytes());
/// let rules: Vec<Rule> = findings.iter().map(|own| own.rule).collect();
/// assert_eq!(rules, [Rule::DanglingParent, Rule::DuplicateProperty]);
/// assert_eq!((findings[0].line, &*findings[0].message), (6, "the parent `C` of `B` is not there"));
/// // The last one counts, so that the first can go.
/// assert_eq!(fix(scene.as_bytes(), &findings), scene.replace("visible = true\nvisible = f", "visible = f").as_bytes());
/// ```
pub fn lint(project: &Project<'_>, path: &str, bytes: &[u8]) -> Vec<Finding> {
    let mut linter =
        Linter { project, path, sections: Vec::new(), root: None, findings: Vec::new() };
    if Binary::is_binary(bytes) {
        linter.own_uid(uid_in(path, bytes), None::<fn(String) -> Fix>);
        linter.model(Options::new().open(bytes));
    } else {
        linter.text(bytes);
    }
    linter.findings.sort_by_key(|own| (own.line, own.column, own.rule));
    linter.findings
}

struct Linter<'a> {
    project: &'a Project<'a>,
    path: &'a str,
    sections: Vec<(usize, Section)>,
    /// The name of the first node.
    root: Option<String>,
    findings: Vec<Finding>,
}

/// Where a finding is.
#[derive(Clone, Copy)]
enum At<'a> {
    File,
    Section(usize),
    /// A field of the tag.
    Field(usize, &'a str),
    /// A property by its place.
    Property(usize, usize),
}

impl Linter<'_> {
    fn add(&mut self, rule: Rule, at: At<'_>, message: impl Into<String>, fix: Option<Fix>) {
        let number = match at {
            At::File => None,
            At::Section(own) | At::Field(own, _) | At::Property(own, _) => Some(own),
        };
        let found = number.and_then(|number| self.sections.get(number));
        let Some((line, section)) = found else { return self.add_at(rule, (1, 1), message, fix) };
        let (offset, name) = match at {
            At::Property(_, place) => section.assigned(place).unwrap_or_default(),
            At::Field(_, name) => (section.field_offset(name), name),
            _ => (section.field_offset(""), ""),
        };
        let (above, column) = section.position(offset);
        let joint = if name.is_empty() { "" } else { ":" };
        let place = [&*section.place(self.root.as_deref()), joint, name].concat();
        let line = line.saturating_add(above);
        self.findings.push(Finding { line, column, place, rule, message: message.into(), fix });
    }

    fn add_at(
        &mut self,
        rule: Rule,
        (line, column): (usize, usize),
        message: impl Into<String>,
        fix: Option<Fix>,
    ) {
        let (place, message) = (String::new(), message.into());
        self.findings.push(Finding { line, column, place, rule, message, fix });
    }

    fn text(&mut self, bytes: &[u8]) {
        let marks: Vec<usize> = conflict_marks(bytes).collect();
        for line in &marks {
            self.add_at(Rule::ConflictMarker, (*line, 1), "a mark of a conflict", None);
        }
        // The engine skips it where it reads a line alone.
        if bytes.starts_with(Text::BOM.as_bytes()) && !self.path.ends_with(".uid") {
            let why = match is_resource(self.path) {
                true => "the engine loads no file that begins with a byte order mark",
                false => "with a byte order mark before it the first section is lost to the engine",
            };
            self.add_at(Rule::ByteOrderMark, (1, 1), why, Some(Fix::ByteOrderMark));
        }
        let lines = bytes.split(|byte| *byte == b'\n').zip(1..);
        let mut ends = lines.filter(|(line, _)| line.ends_with(b"\r"));
        if let Some((line, number)) = ends.next() {
            let more = ends.count();
            let why = match more {
                0 => "a line ends with CR LF".to_owned(),
                more => format!("{} lines end with CR LF", more.saturating_add(1)),
            };
            let why = why + ", which changes text of several lines";
            self.add_at(Rule::Crlf, (number, line.len()), why, Some(Fix::LineEnds));
        }
        if !marks.is_empty() {
            return;
        }
        let uid = uid_in(self.path, bytes);
        if !is_resource(self.path) {
            let old = uid.map(|uid| uid.to_string());
            return self.own_uid(uid, old.map(|old| move |new| Fix::Text(old, new)));
        }
        let read =
            std::str::from_utf8(bytes).map_err(|error| (error.valid_up_to(), error.to_string()));
        let text = match read {
            Ok(text) => text,
            Err((at, why)) => {
                let line = bytes.iter().take(at).filter(|byte| **byte == b'\n').count();
                return self.add_at(Rule::NotReadable, (line.saturating_add(1), 1), why, None);
            }
        };
        let read = match Text::parse(text) {
            Ok(read) => read,
            Err(error) => {
                let place = error.position().unwrap_or((1, 1));
                return self.add_at(Rule::NotReadable, place, error.to_string(), None);
            }
        };
        let Some(head) = read.head() else {
            let why = "expected [gd_scene] or [gd_resource], found settings";
            return self.add_at(Rule::NotReadable, (1, 1), why, None);
        };
        let is_scene = head.tag() == "gd_scene";
        self.sections = read.lines().zip(read.sections().iter().cloned()).collect();
        self.root = read.root_name();
        self.own_uid(uid, Some(|new| Fix::Field(1, "uid", new)));
        if self.sections(read.sections(), is_scene) {
            self.model(read.contents());
        }
    }

    /// The fault of the uid that a file says.
    fn own_uid(&mut self, uid: Option<Uid>, fix: Option<impl FnOnce(String) -> Fix>) {
        let Some(uid) = uid else { return };
        let own = owner_of_uid(self.path).unwrap_or(self.path);
        let files = self.project.files_of(uid);
        let Some(first) = files.first() else { return };
        let Some(other) = files.iter().find(|file| *file != own) else { return };
        let (message, fix) = match first == own {
            true => (format!("`{other}` has the uid {uid}, too"), None),
            false => {
                let fix = fix.map(|fix| fix(self.project.new_uid(own, uid).to_string()));
                (format!("the uid {uid} is that of `{first}`"), fix)
            }
        };
        let at = if self.sections.is_empty() { At::File } else { At::Field(1, "uid") };
        self.add(Rule::DuplicateUid, at, message, fix);
    }

    /// Checks the sections by themselves. Returns whether they make a scene or resource.
    fn sections(&mut self, sections: &[Section], is_scene: bool) -> bool {
        let ids = |wanted: &str| -> HashMap<String, usize> {
            let own = sections.iter().enumerate().filter(|(_, own)| own.tag() == wanted);
            own.filter_map(|(number, own)| Some((id_of(own)?, number))).rev().collect()
        };
        let places = [ids("ext_resource"), ids("sub_resource")];
        let mut met: [HashSet<String>; 2] = Default::default();
        // How far the file has come: heads, files, resources, nodes.
        let (mut stage, mut is_whole) = (0, true);
        for (number, section) in sections.iter().enumerate().skip(2) {
            let own: usize = match (section.tag(), is_scene) {
                ("ext_resource", _) => 1,
                ("sub_resource", _) => 2,
                ("node" | "connection" | "editable", true) | ("resource", false) => 3,
                (tag, _) => {
                    let why = format!("the engine knows no tag `{tag}` here");
                    self.add(Rule::UnknownTag, At::Section(number), why, None);
                    is_whole = false;
                    continue;
                }
            };
            let id = id_of(section).unwrap_or_default();
            if let Some(met) = met.get_mut(own.saturating_sub(1)) {
                if own < stage {
                    let after = if stage == 2 { "a resource" } else { "what uses it" };
                    let why = format!("`{id}` stands after {after}, and the engine loads nothing");
                    self.add(Rule::LateResource, At::Section(number), why, Some(Fix::Order));
                }
                if !met.insert(id.clone()) {
                    let why = format!("the id `{id}` is there twice; the last one counts");
                    self.add(Rule::DuplicateId, At::Field(number, "id"), why, None);
                }
            }
            stage = stage.max(own);
            self.properties(number, section);
            self.references(number, section, &places);
        }
        if is_scene && !sections.iter().any(|own| own.tag() == "node") {
            self.add(Rule::NoNode, At::Section(1), "a scene without a node", None);
        }
        is_whole
    }

    fn properties(&mut self, number: usize, section: &Section) {
        let mut last: HashMap<&str, usize> = HashMap::new();
        for (place, (name, _)) in section.properties().enumerate() {
            if let Some(before) = last.insert(name, place) {
                let why = format!("`{name}` is set twice; the last one counts");
                let fix = Some(Fix::Property(number, before));
                self.add(Rule::DuplicateProperty, At::Property(number, place), why, fix);
            }
        }
    }

    /// Checks what the values of a section refer to.
    fn references(
        &mut self,
        number: usize,
        section: &Section,
        [files, resources]: &[HashMap<String, usize>; 2],
    ) {
        let mut wrong = Vec::new();
        let mut look = |at, reference: &Reference| {
            let (place, is_file) = match reference {
                Reference::External(id) => (files.get(id.as_str()), true),
                Reference::Internal(id) => (resources.get(id.as_str()), false),
                _ => return,
            };
            match place {
                None => {
                    wrong.push((at, Rule::DanglingId, format!("{reference} is not there"), None))
                }
                // A file that comes late has a finding of its own.
                Some(place) if *place > number && !is_file => {
                    let why = format!("{reference} stands after it, and the engine loads nothing");
                    wrong.push((at, Rule::LateResource, why, Some(Fix::Order)));
                }
                Some(_) => {}
            }
        };
        for (place, (_, value)) in section.values().enumerate() {
            let at = At::Property(number, place);
            each_reference(&value, &mut |reference| look(at, reference));
        }
        for (name, _) in section.fields() {
            let value = section.field(name).unwrap_or_default();
            let at = At::Field(number, name);
            each_reference(&value, &mut |reference| look(at, reference));
        }
        for (at, rule, why, fix) in wrong {
            self.add(rule, at, why, fix);
        }
    }

    /// Checks what a file holds.
    fn model(&mut self, contents: crate::Result<Contents>) {
        let contents = match contents {
            Ok(contents) => contents,
            Err(error) => return self.add_at(Rule::NotReadable, (1, 1), error.to_string(), None),
        };
        let tags = self.numbers("ext_resource");
        for (place, own) in contents.externals.iter().enumerate() {
            self.external(tags.get(place).copied(), own);
        }
        if contents.scene.is_some() {
            self.scene(&contents);
        }
    }

    /// The numbers of the sections of a tag.
    fn numbers(&self, tag: &str) -> Vec<usize> {
        let all = self.sections.iter().enumerate();
        all.filter(|(_, (_, own))| own.tag() == tag).map(|(number, _)| number).collect()
    }

    fn external(&mut self, number: Option<usize>, own: &External) {
        let uid = own.uid.or_else(|| Uid::parse(&own.path));
        let path = path_from(self.path, &own.path);
        // Files that the import makes are not kept with the project.
        let is_made = |path: &str| path.starts_with(".godot/") || path.starts_with(".import/");
        let path = path.filter(|path| !is_made(path));
        let files = uid.map_or(&[][..], |uid| self.project.files_of(uid));
        let at = |name| number.map_or(At::File, |number| At::Field(number, name));
        let set = |name, text: String| number.map(|number| Fix::Field(number, name, text));
        match (files.first(), path) {
            (None, None) if Uid::parse(&own.path).is_some() => {
                let why = format!("no file has the uid {}", own.path);
                self.add(Rule::MissingFile, at("path"), why, None);
            }
            (None, Some(path)) if !self.project.has(&path) => {
                let why = format!("`{path}` is not there");
                self.add(Rule::MissingFile, at("path"), why, None);
            }
            (None, Some(path)) => {
                if let (Some(uid), Some(other)) = (uid, self.project.uid_of(&path)) {
                    let why = format!("no file has the uid {uid}; that of `{path}` is {other}");
                    self.add(Rule::OtherUid, at("uid"), why, set("uid", other.to_string()));
                }
            }
            (Some(first), Some(path)) if *first != path => {
                let Some(uid) = uid else { return };
                let (why, fix) = match files.contains(&path) {
                    true => {
                        let new = self.project.new_uid(&path, uid);
                        let why = format!("the uid {uid} of `{path}` is that of `{first}`, too");
                        (why, set("uid", new.to_string()))
                    }
                    false => {
                        let why =
                            format!("the uid {uid} is that of `{first}`, and not of `{path}`");
                        (why, set("path", format!("res://{first}")))
                    }
                };
                self.add(Rule::OtherUid, at("uid"), why, fix);
            }
            _ => {}
        }
    }
}

/// The lines that git writes around a conflict. A line of `=` alone is no sign.
pub(crate) fn conflict_marks(text: &[u8]) -> impl Iterator<Item = usize> {
    let lines = text.split(|byte| *byte == b'\n').zip(1..);
    let is_mark = |line: &[u8]| line.starts_with(b"<<<<<<< ") || line.starts_with(b">>>>>>> ");
    lines.filter(move |(line, _)| is_mark(line)).map(|(_, number)| number)
}

/// The id of a resource, which 3.x has as a number.
fn id_of(section: &Section) -> Option<String> {
    Some(field_text(section, "id").ok()??.to_string())
}

/// Visits the references in a value, those in types too.
fn each_reference(value: &Value, each: &mut dyn FnMut(&Reference)) {
    each_value(value, &mut |value| {
        let types = match value {
            Value::Object(Object::Reference(reference)) => return each(reference),
            Value::TypedArray(array) => [Some(&array.element), None],
            Value::TypedDictionary(typed) => [Some(&typed.key), Some(&typed.value)],
            _ => return,
        };
        for element in types.into_iter().flatten() {
            if let ElementType::Script(text) = element
                && let Some(reference) = reference_of(text)
            {
                each(&reference);
            }
        }
    });
}
