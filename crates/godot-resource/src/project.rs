//! The files of a project: found by paths and uids, and scenes as other scenes see them.

mod node_path;
mod outline;

pub(crate) use node_path::{Anchored, below, dotted, join, parent_of, relative, text_of, walk};
pub(crate) use outline::{Found, Links, MAX_DEPTH, NodeKind, Outline, Step};

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use godot_variant::text::parts::{Part, Parts};

use crate::{Binary, Contents, External, Options, Result, Text, Uid};

/// The files of a project, for [`lint`](crate::lint) and [`rename_node`](crate::rename_node).
///
/// Paths start at the folder of `project.godot`, without `res://`.
///
/// ```
/// use godot_resource::Project;
///
/// let lamp = "[gd_scene format=3 uid=\"uid://b8a3m0607cq6k\"]\n\n[node name=\"Lamp\" type=\"Node2D\"]\n";
/// let read = |path: &str| (path == "props/lamp.tscn").then(|| lamp.into());
/// let project = Project::new(["props/lamp.tscn".to_owned()], read);
/// assert!(project.has("props/lamp.tscn") && !project.has("lamp.tscn"));
/// let uid = godot_resource::Uid::parse("uid://b8a3m0607cq6k").unwrap();
/// assert_eq!(project.files_of(uid), ["props/lamp.tscn"]);
/// ```
pub struct Project<'f> {
    files: BTreeSet<String>,
    uids: HashMap<Uid, Vec<String>>,
    own: HashMap<String, Uid>,
    read: Box<ReadFile<'f>>,
    outlines: RefCell<HashMap<String, Option<Rc<Outline>>>>,
}

/// Returns the contents of a file, if there is one of that path.
type ReadFile<'f> = dyn Fn(&str) -> Option<Vec<u8>> + 'f;

impl<'f> Project<'f> {
    /// A project of these files, whose contents `read` returns. Those that may have a uid are read at once.
    pub fn new(
        files: impl IntoIterator<Item = String>,
        read: impl Fn(&str) -> Option<Vec<u8>> + 'f,
    ) -> Self {
        let mut project = Project {
            files: files.into_iter().collect(),
            uids: HashMap::new(),
            own: HashMap::new(),
            read: Box::new(read),
            outlines: RefCell::default(),
        };
        for file in &project.files {
            let Some(owner) = owner_of_uid(file) else { continue };
            let uid = (project.read)(file).and_then(|bytes| uid_in(file, &bytes));
            if let Some(uid) = uid {
                let all = project.uids.entry(uid).or_default();
                if !all.iter().any(|own| own == owner) {
                    all.push(owner.to_owned());
                }
                project.own.insert(owner.to_owned(), uid);
            }
        }
        project
    }

    /// The paths of all files, in order.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(String::as_str)
    }

    /// Whether there is a file, or what an engine makes of one: an imported file may be there without its source.
    /// One that is not among those of the project is there if it can be read.
    pub fn has(&self, path: &str) -> bool {
        let beside = |end: &str| self.files.contains(&[path, end].concat());
        let is_known = self.files.contains(path) || beside(".import") || beside(".remap");
        is_known || (self.read)(path).is_some()
    }

    /// The files that have a uid, in order: one, if all is well.
    pub fn files_of(&self, uid: Uid) -> &[String] {
        self.uids.get(&uid).map_or(&[], Vec::as_slice)
    }

    /// The uid of a file.
    pub fn uid_of(&self, path: &str) -> Option<Uid> {
        self.own.get(path).copied()
    }

    /// A uid for a copy that has that of its original: the same at each call, and that of no other file.
    pub(crate) fn new_uid(&self, path: &str, old: Uid) -> Uid {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64 ^ old.0;
        loop {
            hash = hash.wrapping_add(1);
            for byte in path.bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
            let uid = Uid((hash ^ hash.rotate_right(29)) & i64::MAX.cast_unsigned());
            if !self.uids.contains_key(&uid) {
                return uid;
            }
        }
    }

    pub(crate) fn read(&self, path: &str) -> Option<Vec<u8>> {
        self.files.get(path).and_then(|path| (self.read)(path))
    }

    /// The file that another one refers to: the one with the uid, else that at the path.
    pub(crate) fn target(&self, from: &str, external: &External) -> Option<String> {
        let uid = external.uid.or_else(|| Uid::parse(&external.path));
        let known = uid.and_then(|uid| self.files_of(uid).first()).cloned();
        known.or_else(|| path_from(from, &external.path))
    }

    /// Whether a scene is another one, or has it in it, however deep.
    pub(crate) fn leads_to(&self, from: &str, to: &str) -> bool {
        let (mut met, mut open) = (HashSet::new(), vec![from.to_owned()]);
        while let Some(file) = open.pop() {
            if file == to {
                return true;
            }
            let Some(outline) = self.outline(&file) else { continue };
            if met.insert(file) {
                open.extend(outline.nodes.iter().filter_map(|node| match &node.kind {
                    NodeKind::Instance(Some(file)) => Some(file.clone()),
                    _ => None,
                }));
            }
        }
        false
    }

    /// A scene as others see it; `None` of what is no scene, and of what cannot be read.
    pub(crate) fn outline(&self, path: &str) -> Option<Rc<Outline>> {
        if let Some(known) = self.outlines.borrow().get(path) {
            return known.clone();
        }
        let contents = self.contents(path).and_then(Result::ok);
        let outline = contents.and_then(|own| Outline::new(self, path, &own)).map(Rc::new);
        self.outlines.borrow_mut().insert(path.to_owned(), outline.clone());
        outline
    }

    /// The contents of a scene or resource; `None` of other files.
    pub(crate) fn contents(&self, path: &str) -> Option<Result<Contents>> {
        is_resource(path).then(|| self.read(path).map(|bytes| Options::new().open(&bytes)))?
    }
}

/// Whether the name is that of a scene or resource.
pub(crate) fn is_resource(path: &str) -> bool {
    [".tscn", ".escn", ".scn", ".tres", ".res"].iter().any(|end| path.ends_with(end))
}

/// The file whose uid a file says, if its name is that of one that does.
pub(crate) fn owner_of_uid(path: &str) -> Option<&str> {
    let beside = path.strip_suffix(".import").or_else(|| path.strip_suffix(".uid"));
    beside.or(Some(path).filter(|path| is_resource(path)))
}

/// The uid that a file says.
pub(crate) fn uid_in(path: &str, bytes: &[u8]) -> Option<Uid> {
    if Binary::is_binary(bytes) {
        return Binary::parse(bytes).ok()?.uid();
    }
    let text = std::str::from_utf8(bytes).ok()?;
    let text = text.strip_prefix(Text::BOM).unwrap_or(text);
    if path.ends_with(".uid") {
        return Uid::parse(text.trim());
    }
    let options = Options::new().values();
    if path.ends_with(".import") {
        let mut parts = Parts::sections(text, &options);
        return parts.find_map(|part| match part.ok()? {
            Part::Assignment(own) if own.key == "uid" => Uid::parse(own.value.as_str()?),
            _ => None,
        });
    }
    let Some(Ok(Part::Head(head))) = Parts::tags(text, &options).next() else { return None };
    let uid = head.fields.iter().find(|field| field.key == "uid")?;
    Uid::parse(uid.value.as_str()?)
}

/// The path of a file in the project, by the path that another one names it by. That of a resource in a file
/// is the file's.
pub(crate) fn path_from(from: &str, path: &str) -> Option<String> {
    let path = path.split("::").next().unwrap_or(path);
    let (folder, path) = match path.strip_prefix("res://") {
        Some(path) => ("", path),
        None if path.is_empty() || path.contains("://") || path.starts_with('/') => return None,
        None => (from.rsplit_once('/').map_or("", |(folder, _)| folder), path),
    };
    let mut names: Vec<&str> = Vec::new();
    for name in folder.split('/').chain(path.split('/')) {
        match name {
            "" | "." => {}
            ".." => _ = names.pop()?,
            name => names.push(name),
        }
    }
    Some(names.join("/"))
}
