//! Godot's scenes and resources, as text and as binary: rows of names and values over a text. A binary file is a text
//! with all digits in between.

mod tree;

use std::borrow::Cow;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use godot_resource::{Binary, Contents, Options, Text, differing};
use godot_variant::Value;
use godot_variant::native_json::NativeJson;
use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

use super::codec::{Codec, Edited, Fault, Verdict, verdict};
use super::diff::{self, Change};
use super::drawing::{Drawing, TreeOptions};
use super::edit::{Edit, Input};
use super::error::Error;
use super::explained::Explanation;
use super::godot::{Godot, VariantBody};
use super::json::{self, Json, Layout};
use super::merge::Merged;
use super::node::{Found, find_all};
use super::ranges::{self, Bytes, RangeNode};
use super::settings::{Settings, Target};

/// How a scene or resource is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResourceForm {
    /// `.tscn`, `.tres`.
    Text,
    /// `.scn`, `.res`.
    Binary,
}

impl ResourceForm {
    /// The form that the name of a file says.
    fn of_name(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "tscn" | "tres" | "escn" => Some(ResourceForm::Text),
            "scn" | "res" => Some(ResourceForm::Binary),
            _ => None,
        }
    }
}

/// Settings for scenes and resources.
#[derive(Clone, Copy, Debug, Default)]
pub struct ResourceSettings {
    /// The form for JSON; `None` for the one that it says.
    pub form: Option<ResourceForm>,
}

impl ResourceSettings {
    pub(crate) fn name_output(&mut self, path: &Path) {
        self.form = self.form.or(ResourceForm::of_name(path));
    }
}

/// Settings for what is converted.
#[derive(Clone, Copy, Debug, Default)]
pub struct ResourceTarget {
    /// The form that is written; `None` for the one that was read.
    pub form: Option<ResourceForm>,
}

impl ResourceTarget {
    pub(crate) fn name_output(&mut self, path: &Path) {
        self.form = self.form.or(ResourceForm::of_name(path));
    }
}

/// The format with the options of one call.
pub(super) struct Resource {
    options: Options,
    form: Option<ResourceForm>,
    target: Option<ResourceForm>,
    /// Reads and shows values.
    values: Godot,
    levels: usize,
}

/// A file.
#[derive(Clone)]
pub(super) struct ResourceFile {
    text: Arc<Text>,
    /// The sections of which the body has the entries, by their numbers; all without it.
    part: Option<Arc<[bool]>>,
    /// The binary file that the text is of, and what text cannot say of it.
    binary: Option<Arc<(Binary, Contents)>>,
    body: VariantBody,
    /// The text of THEIRS, for the spelling of what is merged.
    theirs: Option<Arc<Text>>,
    /// The changes of both sides to one node.
    clashes: Vec<(String, String)>,
}

impl Resource {
    fn file(
        &self,
        text: Text,
        binary: Option<Arc<(Binary, Contents)>>,
    ) -> Result<ResourceFile, Error> {
        let body = self.values.of_entries(text.entries())?;
        let (text, clashes) = (Arc::new(text), Vec::new());
        Ok(ResourceFile { text, part: None, binary, body, theirs: None, clashes })
    }

    /// The same file with the entries of some sections alone: what is the same in all versions needs no values.
    fn part(
        &self,
        text: Arc<Text>,
        file: &ResourceFile,
        part: Vec<bool>,
    ) -> Result<ResourceFile, Error> {
        let body = self.values.of_entries(text.entries_in(|at| part.get(at) == Some(&true)))?;
        Ok(ResourceFile { text, part: Some(part.into()), body, ..file.clone() })
    }

    fn text<'b>(&self, bytes: &'b [u8]) -> Result<&'b str, Error> {
        std::str::from_utf8(bytes).map_err(|error| {
            let text = format!(
                "expected text in UTF-8, found other bytes at byte {:#x}",
                error.valid_up_to()
            );
            Error::new(text).at(Some(error.valid_up_to()))
        })
    }

    fn exact(&self) -> Options {
        self.options.clone().exact(true)
    }

    /// The bytes of a file with another text.
    fn written(&self, file: &ResourceFile, text: &Text) -> Result<Vec<u8>, Error> {
        let Some(binary) = &file.binary else { return Ok(text.to_string().into_bytes()) };
        let mut contents = text.contents()?;
        if contents.scene.is_some() {
            // Those of a scene have no place in text.
            contents.properties.clone_from(&binary.1.properties);
        }
        contents.script_class.clone_from(&binary.1.script_class);
        Ok(binary.0.with_contents(&contents, &self.options)?)
    }

    /// Paths that go on in a resource of the file, by its id.
    fn resolved<'p>(&self, file: &ResourceFile, path: &'p str) -> Cow<'p, str> {
        /// More steps from one resource to another make a circle.
        const MOST: usize = 64;
        let mut path = Cow::Borrowed(path);
        let most = if path.contains('*') { 0 } else { MOST };
        for _ in 0..most {
            let ends: Vec<usize> = path
                .match_indices(['.', '[', ':'])
                .map(|(at, _)| at)
                .filter(|at| *at > 0)
                .collect();
            let outer: Vec<&str> = ends.iter().filter_map(|end| path.get(..*end)).collect();
            let found = find_all(&self.root(file), false, &outer, Vec::new());
            let inner = ends.iter().zip(&found).find_map(|(end, found)| {
                let [only] = found.as_slice() else { return None };
                let class = only.node.kind();
                let rest = path.get(*end..)?.trim_start_matches(['.', ':']);
                class.starts_with("SubResource(").then(|| format!("{class}:{rest}"))
            });
            match inner {
                Some(inner) => path = inner.into(),
                None => break,
            }
        }
        path
    }
}

/// A reference as the notation has it, if a text is one.
fn reference(text: &str) -> Option<(String, Json)> {
    let words = ["ExtResource(", "SubResource(", "Resource("];
    let is_reference = words.iter().any(|word| text.starts_with(word)) && text.ends_with(')');
    let id = text.get(text.find('(')? + 1..text.len() - 1)?.trim();
    let word = text.get(..text.find('(')?)?;
    let id = if id.starts_with('"') { id.to_owned() } else { format!("\"{id}\"") };
    let class = format!("{word}({id})");
    let json =
        Json::from([("type", Json::String(class.clone())), ("props", Json::Array(Vec::new()))]);
    is_reference.then_some((class, json))
}

/// The text of a file that is laid out anew, or as it was.
fn shared(text: Cow<'_, Text>, file: &ResourceFile) -> Arc<Text> {
    match text {
        Cow::Borrowed(_) => file.text.clone(),
        Cow::Owned(text) => Arc::new(text),
    }
}

impl Codec for Resource {
    type Syntax = Godot;
    type Content = ResourceFile;

    fn new(settings: &Settings, target: &Target) -> Self {
        let options = Options::new().max_alloc(usize::MAX).max_output(usize::MAX);
        let options =
            settings.limits.max_depth.map_or(options.clone(), |depth| options.max_depth(depth));
        let options =
            settings.limits.max_memory.map_or(options.clone(), |bytes| options.max_memory(bytes));
        Resource {
            options,
            form: settings.resource.form,
            target: target.resource.form,
            values: Godot::new(settings, target),
            levels: Godot::levels(settings),
        }
    }

    fn describe(&self, bytes: &[u8]) -> String {
        if Binary::is_binary(bytes) {
            let Ok(file) = self.options.parse_binary(bytes) else { return "binary".to_owned() };
            let (major, minor) = file.engine();
            let packed = if file.is_packed() { ", compressed" } else { "" };
            return format!("binary, {}, Godot {major}.{minor}{packed}", file.class());
        }
        let text = self.text(bytes).ok().and_then(|text| self.options.parse(text).ok());
        let Some(text) = text else { return "text".to_owned() };
        let field =
            |name| text.head().and_then(|head| head.field(name)?.as_str().map(str::to_owned));
        match text.format() {
            Some(format) => {
                let class = field("type").unwrap_or_else(|| "PackedScene".to_owned());
                format!("text, {class}, format {format}")
            }
            None => "settings".to_owned(),
        }
    }

    fn read(&self, bytes: &Bytes) -> Result<ResourceFile, Error> {
        if !Binary::is_binary(bytes) {
            let text = self.options.parse(self.text(bytes)?)?;
            return self.file(text, None);
        }
        let binary = self.options.parse_binary(bytes)?;
        let contents = binary.contents()?;
        let exact = self.exact();
        let text = exact.parse(&contents.to_text(&exact)?.file)?;
        self.file(text, Some(Arc::new((binary, contents))))
    }

    fn alike(&self, contents: &[&ResourceFile]) -> Result<Vec<ResourceFile>, Error> {
        let [ours, theirs, rest @ ..] = contents else { return Ok(Vec::new()) };
        // Where OURS changed nothing, THEIRS keeps its ids and its order.
        if rest
            .first()
            .is_some_and(|base| self.root(base).all_bytes() == self.root(ours).all_bytes())
        {
            return Ok(Vec::new());
        }
        let base = rest.first().map(|base| &*base.text);
        let aligned = godot_resource::align(&ours.text, &theirs.text, base)?;
        let (own, their) = (shared(aligned.ours, ours), shared(aligned.theirs, theirs));
        let base = aligned.base.zip(rest.first()).map(|(text, base)| (shared(text, base), base));
        let before = base.as_ref().map_or(&their, |(text, _)| text);
        let [part, their_part, base_part] = differing([&own, &their, before]);
        let ours = ResourceFile {
            theirs: Some(their.clone()),
            clashes: aligned.clashes,
            ..self.part(own, ours, part)?
        };
        let theirs = self.part(their, theirs, their_part)?;
        let base = base.map(|(text, base)| self.part(text, base, base_part)).transpose()?;
        Ok([ours, theirs].into_iter().chain(base).collect())
    }

    fn encode(&self, json: &[u8]) -> Result<Vec<u8>, Error> {
        let parsed = json::read_json(json)?;
        let wrong = || Error::new("expected an object with `form`, `format` and `entries`");
        let entries = parsed.get("entries").and_then(Json::as_object).ok_or_else(wrong)?;
        let mut made = Vec::with_capacity(entries.len());
        for (name, value) in entries {
            let value = self.values.read_json(value);
            made.push((name.to_string(), Some(value.map_err(|error| error.of_path(name))?)));
        }
        let head = ["gd_scene", "gd_resource"].into_iter().find(|tag| entries.contains_key(tag));
        let format = parsed.get("format").and_then(Json::as_u64).unwrap_or(3);
        let empty = head.map_or_else(String::new, |tag| format!("[{tag} format={format}]\n"));
        let is_binary = parsed.get("form").and_then(Json::as_str) == Some("binary");
        let form =
            self.form.unwrap_or(if is_binary { ResourceForm::Binary } else { ResourceForm::Text });
        let options =
            if form == ResourceForm::Binary { self.exact() } else { self.options.clone() };
        let text = options.parse(&empty)?.with_entries(None, &made)?;
        match form {
            ResourceForm::Text => Ok(text.to_string().into_bytes()),
            ResourceForm::Binary => Ok(text.contents()?.to_binary(&self.options)?.file),
        }
    }

    fn explain(&self, bytes: &[u8]) -> Result<Explanation, Error> {
        match Binary::is_binary(bytes) {
            true => Ok(Explanation::of(self.options.explain(bytes))),
            false => Err(Error::new(
                "a text says itself what it holds; of binary files each byte is explained",
            )),
        }
    }

    fn check(&self, bytes: &[u8]) -> Result<Verdict, Error> {
        let is_binary = Binary::is_binary(bytes);
        verdict(
            bytes,
            |bytes| match is_binary {
                true => Ok(self.options.parse_binary(bytes)?.to_vec()?),
                false => Ok(self.options.parse(self.text(bytes)?)?.to_string().into_bytes()),
            },
            |written| Ok(written.clone()),
        )
    }

    fn convert(&self, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        let is_binary = Binary::is_binary(bytes);
        Ok(match self.target {
            Some(ResourceForm::Text) if is_binary => {
                self.options.open(bytes)?.to_text(&self.options)?.file.into_bytes()
            }
            Some(ResourceForm::Binary) if !is_binary => {
                self.options.open(bytes)?.to_binary(&self.options)?.file
            }
            _ => bytes.to_vec(),
        })
    }

    fn losses(&self, bytes: &[u8]) -> Result<Vec<String>, Error> {
        let losses = match (self.target, Binary::is_binary(bytes)) {
            (Some(ResourceForm::Text), true) => {
                self.options.open(bytes)?.to_text(&self.options)?.losses
            }
            (Some(ResourceForm::Binary), false) => {
                self.options.open(bytes)?.to_binary(&self.options)?.losses
            }
            _ => Vec::new(),
        };
        Ok(losses.iter().map(ToString::to_string).collect())
    }

    fn write_json(
        &self,
        content: &ResourceFile,
        out: &mut dyn Write,
        layout: Layout,
        _: bool,
    ) -> Result<(), Error> {
        let entries: Vec<_> = content.text.entries().collect();
        let file = Notation { file: content, entries: &entries, levels: self.levels };
        Ok(json::write(out, &file, layout)?)
    }

    /// Resources are compared by what they are, and not by their ids.
    fn compare(
        &self,
        old: &ResourceFile,
        new: &ResourceFile,
        most: usize,
    ) -> Result<Vec<Change>, Error> {
        let aligned = godot_resource::align(&old.text, &new.text, Some(&old.text))?;
        let text = shared(aligned.theirs, new);
        let [old_part, new_part] = differing([&old.text, &text]);
        let old = self.part(old.text.clone(), old, old_part)?;
        let new = self.part(text, new, new_part)?;
        Ok(diff::compare(&self.root(&old), &self.root(&new), most))
    }

    fn rescanned(&self, content: &ResourceFile, bytes: Vec<u8>) -> Result<ResourceFile, Error> {
        let after = self.values.with_bytes(&content.body, bytes)?;
        let entries = self.values.new_entries(&content.body, &after)?;
        self.file(content.text.with_entries(None, &entries)?, content.binary.clone())
    }

    fn root<'c>(&'c self, content: &'c ResourceFile) -> RangeNode<'c, Godot> {
        self.values.all_of(&content.body)
    }

    fn by_name<'c>(
        &'c self,
        content: &'c ResourceFile,
        paths: &[&str],
    ) -> Vec<Vec<Found<RangeNode<'c, Godot>>>> {
        let paths: Vec<_> = paths.iter().map(|path| self.resolved(content, path)).collect();
        let paths: Vec<&str> = paths.iter().map(|path| &**path).collect();
        find_all(&self.root(content), false, &paths, Vec::new())
    }

    fn edit(
        &self,
        _: &[u8],
        content: &ResourceFile,
        edits: &[Edit<'_>],
    ) -> Result<Option<Edited<ResourceFile>>, Error> {
        let paths: Vec<_> = edits.iter().map(|edit| self.resolved(content, edit.path())).collect();
        let references: Vec<Option<(String, Json)>> = edits
            .iter()
            .map(|edit| match edit {
                Edit::Set { value: Input::Text(text), .. }
                | Edit::Insert { value: Input::Text(text), .. } => reference(text),
                _ => None,
            })
            .collect();
        let meant = edits.iter().zip(&paths).zip(&references).map(|((edit, path), reference)| {
            let Some((class, json)) = reference else { return edit.at(path) };
            let (value, kind) = (Input::Notation(json), Some(&**class));
            match edit {
                Edit::Insert { .. } => Edit::Insert { path, value, kind },
                _ => Edit::Set { path, value, kind },
            }
        });
        let meant: Vec<Edit<'_>> = meant.collect();
        let after = ranges::edited(&self.values, &content.body, &meant)?;
        let Some(after) = after else { return Ok(None) };
        let entries = self.values.new_entries(&content.body, &after)?;
        let text = content.text.with_entries(None, &entries)?;
        let known = content.text.faults();
        if let Some(fault) = text.faults().into_iter().find(|fault| !known.contains(fault)) {
            return Err(Error::new(format!("{}: {}", fault.name, fault.message)));
        }
        let bytes = self.written(content, &text)?;
        Ok(Some((self.file(text, content.binary.clone())?, bytes.into())))
    }

    fn merged<'c>(
        &'c self,
        _: &[u8],
        ours: &'c ResourceFile,
        merged: Merged<RangeNode<'c, Godot>>,
    ) -> Result<Option<Edited<ResourceFile>>, Error> {
        let text = match (merged, &ours.theirs) {
            (Merged::Ours, None) => return Ok(None),
            (Merged::Ours, _) => Text::clone(&ours.text),
            (Merged::Theirs(_), Some(theirs)) => Text::clone(theirs),
            (merged, theirs) => {
                let made = ranges::merged_bytes(&self.values, &ours.body, merged)?;
                let after =
                    made.map(|made| self.values.with_bytes(&ours.body, made)).transpose()?;
                let after = after.as_ref().unwrap_or(&ours.body);
                let entries = self.values.new_entries(&ours.body, after)?;
                let is_in =
                    |at: usize| ours.part.as_ref().is_none_or(|part| part.get(at) == Some(&true));
                ours.text.with_entries_in(is_in, theirs.as_deref(), &entries)?
            }
        };
        if ours.binary.is_some() && text.to_string() == ours.text.to_string() {
            return Ok(None);
        }
        let bytes = self.written(ours, &text)?;
        // Nobody asks for the values of what is merged.
        Ok(Some((self.part(Arc::new(text), ours, Vec::new())?, bytes.into())))
    }

    fn faults(&self, content: &ResourceFile) -> Option<Vec<Fault>> {
        let fault = |own: godot_resource::Fault| Fault { path: own.name, message: own.message };
        Some(content.text.faults().into_iter().map(fault).collect())
    }

    fn clashes(&self, alike: &[ResourceFile], merged: &ResourceFile) -> Vec<Fault> {
        let [ours, theirs, rest @ ..] = alike else { return Vec::new() };
        let fault = |(path, message): &(String, String)| Fault {
            path: path.clone(),
            message: message.clone(),
        };
        let clashes = ours.clashes.iter().map(fault);
        let base = rest.first().map(|base| &*base.text);
        let back = base.map(|base| merged.text.kept_by_change(&ours.text, &theirs.text, base));
        let back = back.into_iter().flatten().map(|path| Fault {
            path,
            message: "one side removed it, and the other changed it".to_owned(),
        });
        clashes.chain(back).collect()
    }

    fn leads_to(&self, content: &ResourceFile) -> Option<String> {
        let remap = content.text.sections().iter().find(|own| own.tag() == "remap")?;
        remap.get("path")?.as_str().map(str::to_owned)
    }

    fn tree(&self, content: ResourceFile, picture: TreeOptions) -> Result<Drawing, Error> {
        Ok(tree::tree(&content.text, picture))
    }
}

/// A file in the JSON notation: its form, and the values by their names.
struct Notation<'a> {
    file: &'a ResourceFile,
    entries: &'a [(String, Value)],
    levels: usize,
}

impl Serialize for Notation<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("form", if self.file.binary.is_some() { "binary" } else { "text" })?;
        if let Some(format) = self.file.text.format() {
            map.serialize_entry("format", &format)?;
        }
        map.serialize_entry("entries", &NotationEntries(self))?;
        map.end()
    }
}

struct NotationEntries<'a>(&'a Notation<'a>);

impl Serialize for NotationEntries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let levels = self.0.levels;
        let mut map = serializer.serialize_map(Some(self.0.entries.len()))?;
        for (name, value) in self.0.entries {
            map.serialize_entry(name, &NativeJson::<&Value>(value).write_deep(levels))?;
        }
        map.end()
    }
}
