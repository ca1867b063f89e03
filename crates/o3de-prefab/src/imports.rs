//! `$import`: one document inside another.

mod order;

use gamewire_core::pointer;
use gamewire_core::words::Shortened;
use o3de_json::report::Processing;
use o3de_json::value::{Importer, Object, append_pointer, count_values, normal_path};
use o3de_json::{Error, ErrorKind, Options, Result, Segment, Value};

/// How deep values may nest that directives are looked for in.
const MAX_LEVELS: usize = 512;

/// About how many bytes a value takes beside its text, with its name.
const WEIGHT: usize = 2 * size_of::<Value>();

/// The member that imports a file.
const DIRECTIVE: &str = "$import";

/// Resolves the `$import` directives of documents, and puts them back.
///
/// A directive is a member `$import` with the name of a file, or with an object of `filename` and
/// `patch`, a merge patch. Names are relative to the file that the directive stands in, or begin
/// with an [`alias`](Imports::alias); they cannot leave the importer's root. What is read is limited
/// by [`max_alloc`](Imports::max_alloc), [`max_files`](Imports::max_files) and by how deep files may
/// import one another; a file that imports itself is an error.
///
/// ```
/// use o3de_prefab::Imports;
/// use o3de_json::Value;
///
/// let mut material: Value = o3de_json::from_str(
///     r#"{"version": 5, "layout": {"$import": {"filename": "Inputs/Uv.json", "patch": {"order": 2}}}}"#,
/// )?;
/// let files = |path: &str| match path {
///     "Types/Inputs/Uv.json" => Ok(br#"{"name": "uv", "order": 1}"#.to_vec()),
///     _ => Err(std::io::ErrorKind::NotFound.into()),
/// };
/// let mut imports = Imports::new(files);
/// let resolution = imports.resolve(&mut material, "Types/Standard.materialtype")?;
/// assert_eq!(material["layout"]["order"].as_i64(), Some(2));
/// assert_eq!(resolution.files(), ["Types/Inputs/Uv.json"]);
///
/// imports.restore(&mut material, &resolution)?;
/// assert_eq!(
///     o3de_json::to_string(&material)?,
///     r#"{"version":5,"layout":{"$import":{"filename":"Inputs/Uv.json","patch":{"order":2}}}}"#,
/// );
/// # Ok::<(), o3de_json::Error>(())
/// ```
#[derive(Debug)]
pub struct Imports<I> {
    importer: I,
    aliases: Vec<(String, String)>,
    options: Options,
    nested: bool,
    max_depth: usize,
    max_files: usize,
    max_alloc: usize,
}

/// The directives that were resolved: enough to put them back.
#[derive(Clone, Debug, Default)]
pub struct Resolution {
    file: String,
    directives: Vec<Directive>,
    files: Vec<String>,
}

/// A directive that was in the document itself, not in what it imports.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Directive {
    /// JSON pointer of the object that the imported document replaced.
    pub pointer: String,
    /// The name as it stood in the directive.
    pub filename: String,
}

impl Resolution {
    /// The directives of the document itself.
    pub fn directives(&self) -> &[Directive] {
        &self.directives
    }

    /// The files that were read, from the importer's root, each once and in the order of reading.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// Adds a directive: [`Imports::restore`] will write the value at the pointer as an import of
    /// the file, with what differs as a patch.
    pub fn add(&mut self, pointer: impl Into<String>, filename: impl Into<String>) {
        let directive = Directive { pointer: pointer.into(), filename: filename.into() };
        if !self.directives.contains(&directive) {
            self.directives.push(directive);
        }
    }
}

/// The state of one resolution.
struct Run {
    resolution: Resolution,
    /// The files that are being imported, outermost first.
    stack: Vec<String>,
    bytes_left: usize,
    files_left: usize,
    /// Where the options limit it.
    memory_left: Option<usize>,
    /// The pointer of the present value in its file.
    here: String,
    /// Containers around the present value, those of outer files included.
    level: usize,
    /// Whether members count in their order, as in the settings registry.
    is_in_order: bool,
}

impl<I: Importer> Imports<I> {
    /// Imports through an importer: a [`Folder`](o3de_json::value::Folder), or a function from paths to bytes.
    pub fn new(importer: I) -> Self {
        Imports {
            importer,
            aliases: Vec::new(),
            options: Options::new(),
            nested: true,
            max_depth: 32,
            max_files: 4096,
            max_alloc: 64 << 20,
        }
    }

    /// Replaces a name's beginning such as `@gemroot:Atom@` by a folder below the importer's root.
    #[must_use]
    pub fn alias(mut self, name: impl Into<String>, folder: impl Into<String>) -> Self {
        self.aliases.push((name.into(), folder.into()));
        self
    }

    /// Whether directives of imported documents are resolved too. They are by default.
    #[must_use]
    pub fn nested(self, nested: bool) -> Self {
        Imports { nested, ..self }
    }

    /// How imported documents are read: comments, trailing commas, depth, and the memory that all of
    /// them may take.
    #[must_use]
    pub fn options(self, options: Options) -> Self {
        Imports { options, ..self }
    }

    /// How deep files may import one another; 32 by default.
    #[must_use]
    pub fn max_depth(self, files: usize) -> Self {
        Imports { max_depth: files, ..self }
    }

    /// The most files that one resolution reads, repetitions counted; 4096 by default.
    #[must_use]
    pub fn max_files(self, files: usize) -> Self {
        Imports { max_files: files, ..self }
    }

    /// The most bytes that one resolution reads, repetitions counted; 64 MiB by default.
    #[must_use]
    pub fn max_alloc(self, bytes: usize) -> Self {
        Imports { max_alloc: bytes, ..self }
    }

    /// Replaces each object that holds a directive by the imported document, and applies the
    /// directive's patch. Other members beside the directive are lost, as in the engine.
    ///
    /// `file` is the document's own path from the importer's root.
    ///
    /// # Errors
    /// [`ErrorKind::Catastrophic`] for a file that cannot be read, that is no document, that imports
    /// itself or that is outside of the root; [`ErrorKind::Invalid`] for a directive that names no
    /// file; a limit. The document is then changed in part.
    pub fn resolve(&mut self, document: &mut Value, file: &str) -> Result<Resolution> {
        let mut run = self.start(file, false)?;
        self.walk(document, &mut run)?;
        Ok(run.resolution)
    }

    /// Resolves as the settings registry does: members in their order, each directive merged into
    /// the members before it, later members over it. Nulls are kept. Files with the extension
    /// `jsonpatch` or `setregpatch` are applied as JSON Patches.
    ///
    /// A later object or array takes the place of an earlier one of its name; only what directives
    /// import is merged member by member.
    ///
    /// # Errors
    /// As [`resolve`](Imports::resolve).
    pub fn resolve_in_order(
        &mut self,
        document: &Value,
        file: &str,
    ) -> Result<(Value, Resolution)> {
        let mut run = self.start(file, true)?;
        let mut resolved = document.clone();
        self.walk(&mut resolved, &mut run)?;
        Ok((resolved, run.resolution))
    }

    /// Puts the directives back, with a patch for what has changed since. Returns the pointers of the
    /// values that stay as they are, because a merge patch cannot say how they differ: where a null
    /// was written, or something that is neither object nor array.
    ///
    /// # Errors
    /// As [`resolve`](Imports::resolve), and [`ErrorKind::Missing`] when the document has nothing at
    /// a directive's pointer. The document is then changed in part.
    pub fn restore(
        &mut self,
        document: &mut Value,
        resolution: &Resolution,
    ) -> Result<Vec<String>> {
        let mut kept = Vec::new();
        for directive in &resolution.directives {
            let Some(place) = document.pointer_mut(&directive.pointer) else {
                let message = format!("nothing is where `{}` was imported", directive.filename);
                return Err(at(Error::new(ErrorKind::Missing, message), &directive.pointer));
            };
            let mut imported = Object::new();
            imported.push(DIRECTIVE, directive.filename.as_str());
            let mut imported = Value::from(imported);
            self.resolve(&mut imported, &resolution.file)
                .map_err(|error| at(error, &directive.pointer))?;
            match restored(&imported, place, &directive.filename) {
                Some(restored) => *place = restored,
                None => kept.push(directive.pointer.clone()),
            }
        }
        Ok(kept)
    }

    fn start(&self, file: &str, is_in_order: bool) -> Result<Run> {
        let file = normal_path(file).ok_or_else(|| outside(file))?;
        Ok(Run {
            resolution: Resolution { file: file.clone(), ..Resolution::default() },
            stack: vec![file],
            bytes_left: self.max_alloc,
            files_left: self.max_files,
            memory_left: self.options.memory_limit(),
            here: String::new(),
            level: 0,
            is_in_order,
        })
    }

    fn walk(&mut self, value: &mut Value, run: &mut Run) -> Result<()> {
        match value {
            Value::Object(object) if !run.is_in_order && object.contains(DIRECTIVE) => {
                let directive = object.get(DIRECTIVE).cloned().unwrap_or_default();
                *value = self.import(&directive, run)?;
                return Ok(());
            }
            Value::Object(object) => {
                deeper(run)?;
                match object.contains(DIRECTIVE) {
                    true => *value = self.in_order(std::mem::take(object), run)?,
                    false => {
                        for (name, child) in object.iter_mut() {
                            self.member(name, child, run)?;
                        }
                    }
                }
            }
            Value::Array(items) => {
                deeper(run)?;
                let length = run.here.len();
                for (index, child) in items.iter_mut().enumerate() {
                    if is_nested(child) {
                        append_pointer(&mut run.here, &index.to_string());
                        self.walk(child, run)
                            .map_err(|error| error.inside(Segment::Index(index)))?;
                        run.here.truncate(length);
                    }
                }
            }
            _ => return Ok(()),
        }
        run.level = run.level.saturating_sub(1);
        Ok(())
    }

    fn member(&mut self, name: &str, value: &mut Value, run: &mut Run) -> Result<()> {
        if is_nested(value) {
            let length = run.here.len();
            append_pointer(&mut run.here, name);
            self.walk(value, run).map_err(|error| error.inside(Segment::field(name)))?;
            run.here.truncate(length);
        }
        Ok(())
    }

    /// The file of a directive, noted where it stands in the document itself.
    fn noted(&mut self, filename: &str, run: &mut Run) -> Result<(String, Value)> {
        let found = self.read(filename, run)?;
        if run.stack.len() == 1 {
            run.resolution.add(run.here.as_str(), filename);
        }
        Ok(found)
    }

    /// Resolves the directives of an imported document.
    fn inner(&mut self, file: &str, value: &mut Value, run: &mut Run) -> Result<()> {
        if self.nested {
            self.enter(file, run)?;
            let outer = std::mem::take(&mut run.here);
            self.walk(value, run).map_err(|error| in_file(error, file))?;
            run.here = outer;
            run.stack.pop();
        }
        Ok(())
    }

    /// The document that a directive stands for.
    fn import(&mut self, directive: &Value, run: &mut Run) -> Result<Value> {
        let (filename, patch) = parts(directive)?;
        let (file, mut imported) = self.noted(filename, run)?;
        self.inner(&file, &mut imported, run)?;
        if let Some(patch) = patch.filter(|patch| !is_empty(patch)) {
            merged(&mut imported, patch)?;
        }
        Ok(imported)
    }

    fn enter(&self, file: &str, run: &mut Run) -> Result<()> {
        if run.stack.iter().any(|outer| outer == file) {
            let message = format!("`{}` imports itself", Shortened(file));
            return Err(Error::new(ErrorKind::Catastrophic, message));
        }
        if run.stack.len() > self.max_depth {
            let message = format!("files import one another deeper than {}", self.max_depth);
            return Err(Error::new(ErrorKind::DepthLimit, message));
        }
        run.stack.push(file.to_owned());
        Ok(())
    }

    /// A file that the innermost open file names: its path and its document.
    fn read(&mut self, filename: &str, run: &mut Run) -> Result<(String, Value)> {
        let inside = run.stack.last().map_or("", String::as_str);
        let file = self.locate(filename, inside)?;
        run.files_left = run.files_left.checked_sub(1).ok_or_else(|| {
            let message = format!("more than {} files are imported", self.max_files);
            Error::new(ErrorKind::AllocLimit, message)
        })?;
        let bytes = self.importer.read(&file, run.bytes_left).map_err(|error| {
            let message = format!("cannot import `{}`: {error}", Shortened(&file));
            Error::new(ErrorKind::Catastrophic, message)
        })?;
        run.bytes_left = run.bytes_left.checked_sub(bytes.len()).ok_or_else(|| {
            let message = format!("more than {} bytes are imported", self.max_alloc);
            Error::new(ErrorKind::AllocLimit, message)
        })?;
        // All files of a resolution share its memory.
        let options = match run.memory_left {
            Some(left) => self.options.clone().max_memory(left),
            None => self.options.clone(),
        };
        let document: Value = options.from_slice(&bytes).map_err(|error| {
            let message = format!("cannot import `{}`: {error}", Shortened(&file));
            let is_limit = error.kind() == ErrorKind::MemoryLimit;
            Error::new(if is_limit { error.kind() } else { ErrorKind::Catastrophic }, message)
        })?;
        run.memory_left = run.memory_left.map(|left| {
            let values = count_values(&document, left).saturating_mul(WEIGHT);
            left.saturating_sub(values).saturating_sub(bytes.len())
        });
        if !run.resolution.files.contains(&file) {
            run.resolution.files.push(file.clone());
        }
        Ok((file, document))
    }

    /// The path from the root that a name inside a file stands for.
    fn locate(&self, filename: &str, inside: &str) -> Result<String> {
        let path = if filename.starts_with('@') {
            let alias = |(name, folder): &(String, String)| {
                Some(format!("{folder}/{}", filename.strip_prefix(name.as_str())?))
            };
            self.aliases.iter().find_map(alias).ok_or_else(|| {
                let message = format!("no alias is known for `{}`", Shortened(filename));
                Error::new(ErrorKind::Catastrophic, message)
            })?
        } else if is_absolute(filename) {
            return Err(outside(filename));
        } else {
            let folder = inside.rsplit_once('/').map_or("", |(folder, _)| folder);
            format!("{folder}/{filename}")
        };
        normal_path(path.trim_start_matches('/')).ok_or_else(|| outside(filename))
    }
}

/// File name and patch of a directive.
fn parts(directive: &Value) -> Result<(&str, Option<&Value>)> {
    let named = match directive {
        Value::String(name) => Some((name.as_str(), None)),
        Value::Object(object) => {
            let name = object.get("filename").and_then(Value::as_str);
            name.map(|name| (name, object.get("patch")))
        }
        _ => None,
    };
    named.ok_or_else(|| {
        let message = format!("expected the name of a file, found {}", directive.kind_name());
        Error::new(ErrorKind::Invalid, message).inside(Segment::field(DIRECTIVE))
    })
}

/// The value as a directive; `None` if no merge patch makes it of what is imported.
fn restored(imported: &Value, now: &Value, filename: &str) -> Option<Value> {
    let mut directive = Object::new();
    if imported.same(now) {
        directive.push(DIRECTIVE, filename);
        return Some(directive.into());
    }
    let patch = imported.create_merge_patch(now).0?;
    if is_empty(&patch) {
        return None;
    }
    let mut parts = Object::new();
    parts.push("filename", filename);
    parts.push("patch", patch);
    directive.push(DIRECTIVE, parts);
    Some(directive.into())
}

fn merged(target: &mut Value, patch: &Value) -> Result<()> {
    let mut message = None;
    let code = target.apply_merge_patch_with(patch, &mut |step| {
        if step.code.processing() == Processing::Halted {
            message = Some(step.message.clone());
        }
        step.code
    });
    match code.processing() == Processing::Halted {
        true => Err(Error::new(ErrorKind::DepthLimit, message.unwrap_or_default())),
        false => Ok(()),
    }
}

fn deeper(run: &mut Run) -> Result<()> {
    run.level = run.level.saturating_add(1);
    if run.level > MAX_LEVELS {
        let message = format!("values are nested deeper than {MAX_LEVELS} levels");
        return Err(Error::new(ErrorKind::DepthLimit, message));
    }
    Ok(())
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Object(object) => object.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => true,
    }
}

fn is_nested(value: &Value) -> bool {
    matches!(value, Value::Object(_) | Value::Array(_))
}

fn in_file(error: Error, file: &str) -> Error {
    let pointer = error.pointer();
    if pointer.is_empty() {
        return error;
    }
    let message = format!("{}, at {pointer} of `{}`", error.message(), Shortened(file));
    Error::new(error.kind(), message)
}

/// The error at a pointer of the document.
fn at(error: Error, pointer: &str) -> Error {
    let error = Error::new(error.kind(), error.message().to_owned());
    let names: Vec<&str> = pointer.split('/').skip(1).collect();
    names
        .iter()
        .rev()
        .fold(error, |error, name| error.inside(Segment::field(&pointer::unescaped(name))))
}

fn outside(path: &str) -> Error {
    let message = format!("`{}` is outside of the importer's root", Shortened(path));
    Error::new(ErrorKind::Catastrophic, message)
}

fn is_absolute(path: &str) -> bool {
    let has_drive = path.as_bytes().get(1) == Some(&b':');
    path.starts_with(['/', '\\']) || has_drive
}
