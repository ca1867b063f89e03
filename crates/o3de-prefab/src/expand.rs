//! Brings the prefabs in that a level instances.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::Arc;

use crate::defaults::{Defaults, Restored};
use crate::prefab::{INSTANCES, is_prefab};
use o3de_json::report::{Issue, Outcome, Processing, Report, ResultCode, Task};
use o3de_json::value::{
    Importer, Indexed, Object, Pointer, Value, append_pointer, count_values, normal_path,
};
use o3de_json::{Options, Result};

/// Reads prefabs, and brings in the prefabs that they instance.
///
/// Sources are read through an [`Importer`] by the paths that stand in the files, each once. One for which it
/// returns [`io::ErrorKind::Unsupported`] is a product that is made elsewhere, as a [`Project`](crate::Project) says
/// of procedural prefabs: it is reported as [`Outcome::Unavailable`], and nothing is known of what is below it. What
/// is brought in is limited by [`max_depth`](Loader::max_depth), [`max_alloc`](Loader::max_alloc)
/// and [`max_values`](Loader::max_values).
///
/// ```
/// use o3de_prefab::{Loader, Prefab};
///
/// let files = |path: &str| match path {
///     "Lamp.prefab" => Ok(br#"{"ContainerEntity": {"Name": "Lamp"}, "Entities": {}}"#.to_vec()),
///     "Level.prefab" => Ok(br#"{"ContainerEntity": {"Name": "Level"}, "Instances": {"Instance_[1]": {
///         "Source": "Lamp.prefab",
///         "Patches": [{"op": "replace", "path": "/ContainerEntity/Name", "value": "Lamp 7"}]
///     }}}"#.to_vec()),
///     _ => Err(std::io::ErrorKind::NotFound.into()),
/// };
/// let level = Loader::new(files).load("Level.prefab")?;
/// assert!(level.report.is_clean());
/// let lamp = Prefab::new(&level.value)?.instances().next().unwrap();
/// assert_eq!(lamp.source(), Some("Lamp.prefab"));
/// assert_eq!(lamp.prefab().unwrap().container().unwrap().name(), Some("Lamp 7"));
/// # Ok::<(), o3de_json::Error>(())
/// ```
#[derive(Debug)]
pub struct Loader<I> {
    importer: I,
    options: Options,
    defaults: Defaults,
    max_depth: usize,
    max_alloc: usize,
    max_values: usize,
    known: HashMap<String, std::result::Result<Arc<Source>, Fault>>,
}

/// A prefab with its own instances brought in.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) value: Value,
    /// The pointers of lists that overrides made, whose length is not known.
    guessed: HashSet<String>,
}

/// Why a source cannot be brought in.
#[derive(Debug)]
struct Fault {
    message: String,
    outcome: Outcome,
}

/// A prefab with its instances.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Resolved {
    /// The prefab. Each member of `Instances` is a whole prefab with its own `Source`, overrides
    /// applied; those that could not be read are as they were in the file.
    pub value: Value,
    /// Which sources could not be read, and which overrides did not fit. As in the engine, the rest
    /// is present all the same.
    pub report: Report,
}

struct Run {
    report: Report,
    /// The files around the present one.
    stack: Vec<String>,
    bytes_left: usize,
    values_left: usize,
}

impl<I: Importer> Loader<I> {
    /// Reads sources through an importer: a [`Folder`](o3de_json::value::Folder), or a function from
    /// paths to bytes.
    pub fn new(importer: I) -> Self {
        Loader {
            importer,
            options: Options::new(),
            defaults: Defaults::default(),
            max_depth: 32,
            max_alloc: 256 << 20,
            max_values: 8 << 20,
            known: HashMap::new(),
        }
    }

    /// Sets how prefabs are read.
    #[must_use]
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Sets what components have where files leave members out; the engine's common classes by default.
    #[must_use]
    pub fn defaults(mut self, defaults: Defaults) -> Self {
        self.defaults = defaults;
        self
    }

    /// Sets how deep prefabs may instance one another; 32 by default.
    #[must_use]
    pub fn max_depth(mut self, prefabs: usize) -> Self {
        self.max_depth = prefabs;
        self
    }

    /// Sets the most bytes that one load reads; 256 MiB by default.
    #[must_use]
    pub fn max_alloc(mut self, bytes: usize) -> Self {
        self.max_alloc = bytes;
        self
    }

    /// Sets the most JSON values that instances may amount to in one load; 8 388 608 by default. Prefabs
    /// that instance one another several times multiply.
    #[must_use]
    pub fn max_values(mut self, values: usize) -> Self {
        self.max_values = values;
        self
    }

    /// Reads a prefab and what it instances.
    ///
    /// # Errors
    /// A file that cannot be read or is no JSON.
    pub fn load(&mut self, path: &str) -> Result<Resolved> {
        let named = |error: io::Error| {
            io::Error::new(error.kind(), format!("cannot read `{path}`: {error}"))
        };
        let bytes = self.importer.read(path, self.max_alloc).map_err(named)?;
        let value = self.options.from_slice(&bytes)?;
        Ok(self.resolve(value, path))
    }

    /// Brings in what a prefab instances. `path` is its own, so that one that instances itself is
    /// found.
    pub fn resolve(&mut self, mut prefab: Value, path: &str) -> Resolved {
        let mut run = self.run(path);
        self.instances(&mut prefab, &mut run, "", &mut HashSet::new());
        run.note(Outcome::Success);
        Resolved { value: prefab, report: run.report }
    }

    /// A source with its own instances, as it is before the overrides of an instance of it.
    pub(crate) fn bring(&mut self, source: &str, path: &str) -> Option<Arc<Source>> {
        let mut run = self.run(path);
        self.source(source, &mut run, "")
    }

    fn run(&self, path: &str) -> Run {
        let report = Report::new(Task::Import);
        let stack = normal_path(path).into_iter().collect();
        Run { report, stack, bytes_left: self.max_alloc, values_left: self.max_values }
    }

    fn instances(
        &mut self,
        prefab: &mut Value,
        run: &mut Run,
        at: &str,
        guessed: &mut HashSet<String>,
    ) {
        let Some(Value::Object(instances)) = prefab.get_mut(INSTANCES) else { return };
        for (alias, instance) in instances.iter_mut() {
            let mut place = format!("/{INSTANCES}");
            append_pointer(&mut place, alias);
            if let Some(whole) = self.instance(instance, run, &format!("{at}{place}")) {
                guessed.extend(whole.guessed.into_iter().map(|list| format!("{place}{list}")));
                *instance = whole.value;
            }
        }
    }

    fn instance(&mut self, link: &Value, run: &mut Run, at: &str) -> Option<Source> {
        let link = link.as_object()?;
        let Some(source) = link.get("Source").and_then(Value::as_str) else {
            let said = if is_prefab(link) { None } else { Some("the instance has no `Source`") };
            said.into_iter().for_each(|said| run.issue(Outcome::Missing, at, said.to_owned()));
            return None;
        };
        let source = self.source(source, run, at)?;
        let size = count_values(&source.value, run.values_left);
        let Some(left) = run.values_left.checked_sub(size) else {
            let message = format!("instances amount to more than {} values", self.max_values);
            run.issue(Outcome::Catastrophic, at, message);
            return None;
        };
        run.values_left = left;
        let (mut whole, mut guessed) = (source.value.clone(), source.guessed.clone());
        if let Some(patches) = link.get("Patches") {
            self.restore(&mut whole, patches, run, at, &mut guessed);
            let code = whole.apply_patch_with(patches, &mut |step| {
                if step.code.processing() != Processing::Halted {
                    return step.code;
                }
                let pointer = format!("{at}/Patches{}", step.pointer);
                run.issue(step.code.outcome(), &pointer, step.message.to_string());
                // As the engine's prefab system does: what does not fit is left out.
                ResultCode::new(Task::Merge, Outcome::PartialSkip)
            });
            run.report.add_code(code);
        }
        if let Value::Object(whole) = &mut whole {
            keep(whole, link, "Source");
            keep(whole, link, "LinkId");
        }
        Some(Source { value: whole, guessed })
    }

    /// Puts the defaults back that the overrides name, as the engine does with all of them before it
    /// applies overrides.
    fn restore(
        &self,
        whole: &mut Value,
        patches: &Value,
        run: &mut Run,
        at: &str,
        guessed: &mut HashSet<String>,
    ) {
        let mut additions: HashMap<&str, usize> = HashMap::new();
        let patches = patches.as_array().map_or(&[][..], |patches| patches);
        let mut whole = Indexed::new(whole);
        for (index, patch) in patches.iter().enumerate() {
            let text = |name| patch.get(name).and_then(Value::as_str);
            let (Some(operation), Some(path)) = (text("op"), text("path")) else { continue };
            let Some(pointer) = Pointer::parse(path) else { continue };
            let before = (operation == "add").then(|| {
                let list = path.rsplit_once('/').map_or("", |(list, _)| list);
                let made = additions.entry(list).or_default();
                std::mem::replace(made, made.saturating_add(1))
            });
            let restored = self.defaults.restore(&mut whole, pointer.tokens(), before, guessed);
            if restored == Restored::Guessed {
                let message = "what is around this was made without a default: what stands beside it \
                               is not known";
                let pointer = format!("{at}/Patches/{index}");
                run.issue(Outcome::PartialDefaults, &pointer, message.to_owned());
            }
        }
    }

    /// A source with its own instances.
    fn source(&mut self, source: &str, run: &mut Run, at: &str) -> Option<Arc<Source>> {
        let Some(path) = normal_path(source) else {
            let message = format!("`{source}` is outside of the importer's root");
            run.issue(Outcome::Invalid, at, message);
            return None;
        };
        if run.stack.contains(&path) {
            let message = format!("`{source}` instances itself");
            run.issue(Outcome::Catastrophic, at, message);
            return None;
        }
        if run.stack.len() > self.max_depth {
            let message = format!("prefabs instance one another deeper than {}", self.max_depth);
            run.issue(Outcome::Catastrophic, at, message);
            return None;
        }
        if !self.known.contains_key(&path) {
            let found = self.read(&path, run).map(|mut value| {
                run.stack.push(path.clone());
                let mut guessed = HashSet::new();
                self.instances(&mut value, run, at, &mut guessed);
                run.stack.pop();
                Arc::new(Source { value, guessed })
            });
            self.known.insert(path.clone(), found);
        }
        match self.known.get(&path)? {
            Ok(whole) => Some(Arc::clone(whole)),
            Err(fault) => {
                run.issue(fault.outcome, at, fault.message.clone());
                None
            }
        }
    }

    /// Why a source could not be read, in a sentence; `None` for one that was, or was not asked for.
    pub fn fault(&self, source: &str) -> Option<&str> {
        let fault = self.known.get(&normal_path(source)?)?.as_ref().err()?;
        Some(fault.message.as_str())
    }

    /// Whether a source is a product that is made elsewhere.
    pub(crate) fn is_product(&self, source: &str) -> bool {
        let known = normal_path(source).and_then(|path| self.known.get(&path));
        known.is_some_and(|own| {
            own.as_ref().is_err_and(|fault| fault.outcome == Outcome::Unavailable)
        })
    }

    fn read(&mut self, path: &str, run: &mut Run) -> std::result::Result<Value, Fault> {
        let because = |message| Fault { message, outcome: Outcome::Missing };
        let said =
            |error: &dyn std::fmt::Display| because(format!("cannot read `{path}`: {error}"));
        let bytes =
            self.importer.read(path, run.bytes_left).map_err(|error| match error.kind() {
                io::ErrorKind::Unsupported => {
                    Fault { message: error.to_string(), outcome: Outcome::Unavailable }
                }
                _ => said(&error),
            })?;
        run.bytes_left = run
            .bytes_left
            .checked_sub(bytes.len())
            .ok_or_else(|| because(format!("prefabs have more than {} bytes", self.max_alloc)))?;
        let value: Value = self.options.from_slice(&bytes).map_err(|error| said(&error))?;
        match value.as_object().is_some_and(is_prefab) {
            true => Ok(value),
            false => Err(said(&"it is no prefab")),
        }
    }
}

/// The source of the first instance on a path that is not brought in. Below it nothing is known. `path` is
/// one from a resolved prefab, or from an instance that may be one.
pub(crate) fn unread<'v, S: AsRef<str>>(prefab: &'v Value, path: &[S]) -> Option<&'v str> {
    let mut place = prefab;
    let mut steps = path.iter().map(AsRef::as_ref);
    loop {
        let inside = place.as_object()?;
        if !is_prefab(inside) {
            let is_of_link = matches!(steps.next(), None | Some("Source" | "Patches" | "LinkId"));
            return inside.get("Source").filter(|_| !is_of_link)?.as_str();
        }
        if steps.next()? != INSTANCES {
            return None;
        }
        place = inside.get(INSTANCES)?.as_object()?.get(steps.next()?)?;
    }
}

/// A member of the link, in the instance.
fn keep(whole: &mut Object, link: &Object, name: &str) {
    if let Some(value) = link.get(name) {
        whole.insert(name, value.clone());
    }
}

impl Run {
    fn note(&mut self, outcome: Outcome) {
        self.report.add_code(ResultCode::new(Task::Import, outcome));
    }

    fn issue(&mut self, outcome: Outcome, pointer: &str, message: String) {
        const MAX_ISSUES: usize = 100_000;
        self.note(Outcome::PartialSkip);
        let pointer = pointer.to_owned();
        let (task, offset, line, column) = (Task::Import, 0, 0, 0);
        let issue = Issue { pointer, offset, line, column, task, outcome, message };
        self.report.add_issue(issue, MAX_ISSUES);
    }
}
