//! Files: values by their paths, changes, comparison, merging. `python/gamewire_files/__init__.py` has the
//! classes that people see.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Cursor};
use std::path::{Path, PathBuf};
use std::sync::{OnceLock, PoisonError, RwLock};

use gamewire::document::{self, Edit, Input, Json, Layout, Merge, Node, Side, Typed, Verdict};
use gamewire::{Document, Format};
use pyo3::exceptions::{PyKeyError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::failure::{Failure, Result};
use crate::input::{bytes, detached};
use crate::make::Maker;
use crate::types::{Kind, Types};
use crate::{godot, o3de, pclass, resonite, settings, zeze};

/// The most characters of a value in a comparison.
const SHOWN: usize = 200;

/// An opened file.
#[pyclass(frozen, name = "File", module = "gamewire_files._native")]
pub(crate) struct OpenFile {
    document: RwLock<Document>,
    settings: document::Settings,
}

/// Bytes or a path, and the name that says what bytes do not.
fn source(data: &Bound<'_, PyAny>, settings: &mut document::Settings) -> Result<Vec<u8>> {
    let py = data.py();
    match data.extract::<PathBuf>() {
        Ok(path) => {
            let read =
                py.detach(|| std::fs::read(&path)).map_err(|why| of_file(py, &path, &why))?;
            settings.name.get_or_insert(path);
            Ok(read)
        }
        Err(_) => Ok(bytes(data)?.as_bytes().to_vec()),
    }
}

/// The exception of a file that cannot be opened, with its name.
fn of_file(py: Python<'_>, path: &Path, why: &std::io::Error) -> PyErr {
    let raise = || {
        let code = why.raw_os_error().unwrap_or(0);
        let text = py.import("os")?.call_method1("strerror", (code,))?;
        let class = py.get_type::<PyOSError>();
        match cfg!(windows) {
            true => class.call1((0, text, path.as_os_str(), code)),
            false => class.call1((code, text, path.as_os_str())),
        }
    };
    raise().map_or_else(|error| error, PyErr::from_value)
}

fn parsed<'py>(py: Python<'py>, json: &Json) -> Result<Bound<'py, PyAny>> {
    Ok(py.import("json")?.call_method1("loads", (json.to_string(),))?)
}

/// A value of a document, which needs the document no more.
enum Loaded {
    Typed(Typed<'static>),
    Json(Json),
}

impl Loaded {
    fn of(node: &Node<'_>, plain: bool) -> std::result::Result<Self, document::Error> {
        let owned = |value| match value {
            Typed::Godot(own) => Some(Typed::Godot(Cow::Owned(own.into_owned()))),
            Typed::Resonite(own) => Some(Typed::Resonite(Cow::Owned(own.into_owned()))),
            Typed::O3de(own) => Some(Typed::O3de(Cow::Owned(own.into_owned()))),
            // As they are named in the file.
            _ if plain => None,
            Typed::Pclass(own) => Some(Typed::Pclass(Cow::Owned(own.into_owned()))),
            Typed::Zeze(own) => Some(Typed::Zeze(Cow::Owned(own.into_owned()))),
            _ => None,
        };
        Ok(match node.typed()?.and_then(owned) {
            Some(value) => Loaded::Typed(value),
            None => Loaded::Json(node.to_plain_json()?),
        })
    }

    fn object<'py>(&self, maker: &mut Maker<'py>) -> Result<Bound<'py, PyAny>> {
        match self {
            Loaded::Typed(Typed::Godot(value)) => godot::load(maker, value),
            Loaded::Typed(Typed::Resonite(value)) => resonite::load(maker, value),
            Loaded::Typed(Typed::O3de(value)) => o3de::load(maker, value),
            Loaded::Typed(Typed::Pclass(value)) => pclass::load(maker, value),
            Loaded::Typed(Typed::Zeze(value)) => zeze::load(maker, value),
            Loaded::Typed(_) => Err(Failure::data("a value that Python has no type for")),
            Loaded::Json(json) => parsed(maker.py, json),
        }
    }
}

/// A value on its way into a document.
enum Given {
    Typed(Typed<'static>),
    Notation(Json),
    Nothing,
}

impl Given {
    fn input(&self) -> Input<'_> {
        match self {
            Given::Typed(value) => value.into(),
            Given::Notation(json) => json.into(),
            Given::Nothing => "".into(),
        }
    }
}

/// A change: `"set"`, `"insert"` or `"remove"`, path, value, kind.
type Row<'py> = (String, String, Bound<'py, PyAny>, Option<String>);

/// Paths, kinds, and the values where they were asked for.
type Found = std::result::Result<Vec<Loaded>, document::Error>;

impl OpenFile {
    fn of(document: Document, settings: document::Settings) -> Self {
        OpenFile { document: RwLock::new(document), settings }
    }

    /// Does something with the document, while other threads of Python run: no lock is held where Python may run.
    fn with<T: Send>(&self, py: Python<'_>, then: impl FnOnce(&Document) -> T + Send) -> T {
        py.detach(|| then(&self.document.read().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Something of each value that a path leads to; if there are none, a `KeyError`, as of other mappings.
    fn each<T: Send>(
        &self,
        py: Python<'_>,
        path: &str,
        then: impl Fn(&Node<'_>) -> T + Send,
    ) -> Result<Vec<T>> {
        let found = self.with(py, |own| Ok(own.get(path)?.iter().map(then).collect()));
        let none = |error: document::Error| PyKeyError::new_err(error.message().to_owned());
        Ok(found.map_err(none)?)
    }

    /// The document as it is now.
    fn copy(&self, py: Python<'_>) -> Result<Document> {
        Ok(self.with(py, |own| Document::open(own.as_bytes(), &self.settings))?)
    }

    /// A value, for the format of the file.
    fn given(&self, py: Python<'_>, format: Format, value: &Bound<'_, PyAny>) -> Result<Given> {
        if Types::get(py)?.kind(value) == Some(Kind::Notation) {
            let text = py.import("json")?.call_method1("dumps", (value.getattr("json")?,))?;
            return Ok(Given::Notation(serde_json::from_str(&text.extract::<String>()?)?));
        }
        Ok(Given::Typed(match format {
            Format::GodotResource | Format::GodotVariant => {
                Typed::Godot(Cow::Owned(godot::root(value)?))
            }
            Format::O3deJson => Typed::O3de(Cow::Owned(o3de::root(value)?)),
            Format::ResoniteBrson => Typed::Resonite(Cow::Owned(resonite::root(value)?)),
            Format::ZezeSerialize => Typed::Zeze(Cow::Owned(zeze::root(value)?)),
            Format::KiwiPclass => {
                let schema = self.settings.pclass.schema.as_deref();
                return pclass::notation(value, schema).map(Given::Notation);
            }
            format => return Err(Failure::unknown(value, format.name())),
        }))
    }
}

#[pymethods]
impl OpenFile {
    #[new]
    #[pyo3(signature = (data, **kwargs))]
    fn new(data: &Bound<'_, PyAny>, kwargs: Option<&Bound<'_, PyDict>>) -> Result<Self> {
        let py = data.py();
        let mut settings = settings::of(kwargs)?;
        let data = source(data, &mut settings)?;
        let opened = py.detach(|| Document::open(data, &settings));
        Ok(OpenFile::of(opened?, settings))
    }

    #[getter]
    fn format(&self, py: Python<'_>) -> &'static str {
        self.with(py, |own| own.format().crate_name())
    }

    fn describe(&self, py: Python<'_>) -> String {
        self.with(py, Document::describe)
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.with(py, |own| own.as_bytes().to_vec()))
    }

    /// The values that a path leads to; frozen ones raise where they are changed.
    fn get<'py>(
        &self,
        py: Python<'py>,
        path: &str,
        frozen: bool,
    ) -> Result<Vec<Bound<'py, PyAny>>> {
        let found = self.each(py, path, |node| Loaded::of(node, false))?;
        let mut maker = Maker::new(py, false)?.frozen(frozen);
        found.into_iter().map(|value| value?.object(&mut maker)).collect()
    }

    /// The paths of the values that a path leads to.
    fn paths(&self, py: Python<'_>, path: &str) -> Result<Vec<String>> {
        self.each(py, path, |node| node.path())
    }

    /// The paths and kinds of the values in the one that a path leads to.
    fn children(&self, py: Python<'_>, path: &str) -> Result<Vec<(String, String)>> {
        let row = |child: &Node<'_>| (child.path(), child.kind());
        let found = self.each(py, path, |node| node.children().iter().map(row).collect())?;
        Ok(found.into_iter().flat_map(|rows: Vec<_>| rows).collect())
    }

    /// The values of several paths, by one walk; `None` where there is none.
    fn get_all<'py>(
        &self,
        py: Python<'py>,
        paths: Vec<String>,
        plain: bool,
    ) -> Result<Vec<Option<Vec<Bound<'py, PyAny>>>>> {
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let found: Vec<Option<Found>> = self.with(py, |own| {
            let all = own.get_all(&paths).into_iter();
            all.map(|found| Some(found.ok()?.iter().map(|own| Loaded::of(own, plain)).collect()))
                .collect()
        });
        let mut maker = Maker::new(py, plain)?;
        let mut objects =
            |all: Vec<Loaded>| all.iter().map(|own| own.object(&mut maker)).collect::<Result<_>>();
        found.into_iter().map(|found| found.map(|all| objects(all?)).transpose()).collect()
    }

    /// Makes changes, all of them or none.
    fn edit(&self, py: Python<'_>, rows: Vec<Row<'_>>) -> Result<()> {
        let format = self.with(py, Document::format);
        let given = rows.iter().map(|(what, path, value, _)| match what.as_str() {
            "remove" => Ok(Given::Nothing),
            _ => self.given(py, format, value).map_err(|failure| failure.in_path(path)),
        });
        let given = given.collect::<Result<Vec<_>>>()?;
        let edits = rows.iter().zip(&given).map(|((what, path, _, kind), value)| {
            let (value, kind) = (value.input(), kind.as_deref());
            match what.as_str() {
                "remove" => Edit::Remove { path },
                "insert" => Edit::Insert { path, value, kind },
                _ => Edit::Set { path, value, kind },
            }
        });
        let edits: Vec<Edit<'_>> = edits.collect();
        let edit = || {
            let mut document = self.document.write().unwrap_or_else(PoisonError::into_inner);
            document.edit(&edits)
        };
        Ok(py.detach(edit)?)
    }

    /// The differences to a newer file, as the tool has them in JSON.
    fn diff<'py>(&self, py: Python<'py>, newer: &OpenFile) -> Result<Bound<'py, PyAny>> {
        // One lock at a time, whoever compares the two the other way round.
        let newer = newer.copy(py)?;
        let changes = self.with(py, |own| own.diff(&newer, SHOWN));
        parsed(py, &changes?.iter().map(document::Change::to_json).collect())
    }

    /// Merges; the conflicts where no side is to be taken: path, base, ours, theirs.
    #[allow(clippy::type_complexity, reason = "rows for Python")]
    fn merge3(
        &self,
        py: Python<'_>,
        base: Option<&OpenFile>,
        theirs: &OpenFile,
        side: Option<&str>,
    ) -> Result<(Option<OpenFile>, Vec<(String, Option<String>, Option<String>, Option<String>)>)>
    {
        let base = base.map(|base| base.copy(py)).transpose()?;
        let (ours, theirs) = (self.copy(py)?, theirs.copy(py)?);
        let merge = py.detach(|| Merge::new(base.as_ref(), &ours, &theirs))?;
        let side = match side {
            None if merge.is_clean() => Side::Ours,
            Some("ours") => Side::Ours,
            Some("theirs") => Side::Theirs,
            Some(other) => {
                let text = format!("expected \"ours\" or \"theirs\", found {other:?}");
                return Err(Failure::range(text));
            }
            None => {
                let text =
                    |own: &Option<document::Version>| own.as_ref().map(|own| own.text.clone());
                let rows = merge.conflicts().iter().map(|own| {
                    (own.path.clone(), text(&own.base), text(&own.ours), text(&own.theirs))
                });
                return Ok((None, rows.collect()));
            }
        };
        let document = merge.resolve(side)?;
        Ok((Some(OpenFile::of(document, self.settings.clone())), Vec::new()))
    }

    /// The lossless JSON notation, or plain JSON.
    fn to_json(&self, py: Python<'_>, plain: bool) -> Result<String> {
        let made = self.with(py, |own| {
            if plain {
                return Ok(own.to_plain_json()?.to_string());
            }
            let mut out = Vec::new();
            own.write_json(&mut out, Layout::Lines, true)?;
            Ok::<_, document::Error>(String::from_utf8_lossy(&out).into_owned())
        });
        Ok(made?)
    }

    /// Whether it would be written back the same.
    fn check(&self, py: Python<'_>) -> Result<String> {
        let made = self.with(py, |own| document::check(own.as_bytes(), &self.settings));
        Ok(match made? {
            Verdict::Identical => "identical".to_owned(),
            Verdict::Equivalent(at) => format!("equivalent from byte {at:#x} on"),
            Verdict::Differs(why) => why,
            _ => String::new(),
        })
    }

    fn explain(&self, py: Python<'_>) -> Result<Explanation> {
        explained(&self.with(py, |own| own.as_bytes().to_vec()), &self.settings)
    }
}

/// The meaning of each byte of a file; see `gamewire_files.Explanation`.
#[pyclass(unsendable, module = "gamewire_files._native")]
pub(crate) struct Explanation(document::Explanation);

fn explained(data: &[u8], settings: &document::Settings) -> Result<Explanation> {
    Ok(Explanation(document::explain(data, settings)?))
}

#[pymethods]
impl Explanation {
    /// Why the rest could not be read.
    #[getter]
    fn error(&self) -> Option<String> {
        self.0.error().map(|error| error.message().to_owned())
    }

    /// A table of lines.
    #[pyo3(signature = (columns=None, color=false))]
    fn text(&self, columns: Option<usize>, color: bool) -> String {
        self.0.to_text(columns, color)
    }

    /// A page for a browser.
    #[pyo3(signature = (title="gamewire"))]
    fn html(&self, title: &str) -> String {
        self.0.to_html(title)
    }

    /// The spans as JSON.
    fn json(&self) -> Result<String> {
        let mut out = Vec::new();
        self.0.write_json(&mut out)?;
        Ok(String::from_utf8_lossy(&out).into_owned())
    }

    /// The paths of the values.
    fn paths(&self) -> Vec<String> {
        self.0.paths()
    }
}

/// Says what each byte of a file means, valid or not.
#[pyfunction]
#[pyo3(signature = (data, **kwargs))]
pub(crate) fn explain(
    data: &Bound<'_, PyAny>,
    kwargs: Option<&Bound<'_, PyDict>>,
) -> Result<Explanation> {
    let mut settings = settings::of(kwargs)?;
    let read = source(data, &mut settings)?;
    explained(&read, &settings)
}

/// The name of the format, if the bytes or the name say it.
#[pyfunction]
#[pyo3(signature = (data, name=None))]
pub(crate) fn detect(
    data: &Bound<'_, PyAny>,
    name: Option<PathBuf>,
) -> Result<Option<&'static str>> {
    let py = data.py();
    let mut settings = document::Settings { name, ..Default::default() };
    let read = source(data, &mut settings)?;
    let name = settings.name.as_deref();
    let found = detached(py, read.len(), || gamewire::detect(&read, name));
    Ok(found.map(Format::crate_name))
}

/// An archive or a package, opened; `gamewire_files.Entries` is a mapping over it.
#[pyclass(module = "gamewire_files._native")]
pub(crate) struct Entries {
    own: document::Entries,
    settings: document::Settings,
    /// The places of the entries, from the first look at them.
    places: OnceLock<HashMap<String, usize>>,
}

fn no_entry(name: &str) -> PyErr {
    PyKeyError::new_err(format!("there is no entry {name}"))
}

impl Entries {
    fn place(&self, name: &str) -> Result<usize> {
        let places = self.places.get_or_init(|| {
            let mut made = HashMap::new();
            for (at, name) in self.own.names().enumerate() {
                // Of two with one name the first is meant.
                made.entry(name.to_owned()).or_insert(at);
            }
            made
        });
        let at = places.get(name).copied();
        Ok(at.ok_or_else(|| no_entry(name))?)
    }
}

#[pymethods]
impl Entries {
    #[new]
    #[pyo3(signature = (data, **kwargs))]
    fn new(data: &Bound<'_, PyAny>, kwargs: Option<&Bound<'_, PyDict>>) -> Result<Self> {
        let py = data.py();
        let mut settings = settings::of(kwargs)?;
        let opened = match data.extract::<PathBuf>() {
            Ok(path) => {
                let file = File::open(&path).map_err(|why| of_file(py, &path, &why))?;
                settings.name.get_or_insert(path);
                py.detach(|| document::Entries::open(BufReader::new(file), &settings))
            }
            Err(_) => {
                let own = Cursor::new(bytes(data)?.as_bytes().to_vec());
                py.detach(|| document::Entries::open(own, &settings))
            }
        };
        let other = || Failure::data("expected an archive or a package, found another file");
        let own = opened?.ok_or_else(other)?;
        Ok(Entries { own, settings, places: OnceLock::new() })
    }

    fn names(&self) -> Vec<String> {
        self.own.names().map(str::to_owned).collect()
    }

    fn read<'py>(&self, py: Python<'py>, name: &str) -> Result<Bound<'py, PyBytes>> {
        let at = self.place(name)?;
        Ok(PyBytes::new(py, &py.detach(|| self.own.read(at))?))
    }

    fn insert(&mut self, name: &str, content: &Bound<'_, PyAny>) -> Result<()> {
        let content = bytes(content)?.as_bytes().to_vec();
        self.own.insert(name, content)?;
        self.places.take();
        Ok(())
    }

    fn remove(&mut self, name: &str) -> Result<()> {
        let at = match self.places.take() {
            Some(places) => places.get(name).copied(),
            // After another one was removed.
            None => self.own.names().position(|own| own == name),
        };
        let at = at.ok_or_else(|| no_entry(name))?;
        Ok(self.own.remove(at)?)
    }

    fn has(&self, name: &str) -> bool {
        self.place(name).is_ok()
    }

    fn open(&self, py: Python<'_>, name: &str) -> Result<OpenFile> {
        let at = self.place(name)?;
        let document = py.detach(|| self.own.document(at))?;
        Ok(OpenFile::of(document, self.settings.clone()))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>> {
        let mut made = Vec::new();
        self.own.write(&mut made)?;
        Ok(PyBytes::new(py, &made))
    }
}
