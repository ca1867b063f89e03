//! Files: values by their paths, changes, comparison, merging. `python/gamewire/__init__.py` has the
//! classes that people see.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Cursor};
use std::path::PathBuf;
use std::sync::OnceLock;

use gamewire::document::{self, ChangeKind, Edit, Layout, Merge, Node, Side, Typed, Verdict};
use gamewire::{Document, Format};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::failure::{Failure, Raise};
use crate::input::{bytes, detached};
use crate::make::Maker;
use crate::{godot, o3de, pclass, resonite, settings};

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<OpenFile>()?;
    module.add_class::<Explanation>()?;
    module.add_function(wrap_pyfunction!(detect, module)?)?;
    module.add_class::<Entries>()?;
    module.add_function(wrap_pyfunction!(explain, module)?)
}

/// The most characters of a value in a comparison.
const SHOWN: usize = 200;

/// An opened file.
#[pyclass(name = "File", module = "gamewire._native")]
struct OpenFile {
    document: Document,
    settings: document::Settings,
}

/// Bytes or a path, and the name that says what bytes do not.
fn source(data: &Bound<'_, PyAny>, settings: &mut document::Settings) -> PyResult<Vec<u8>> {
    match data.extract::<PathBuf>() {
        Ok(path) => {
            let read = std::fs::read(&path)?;
            settings.name.get_or_insert(path);
            Ok(read)
        }
        Err(_) => Ok(bytes(data)?.as_bytes().to_vec()),
    }
}

fn parsed<'py>(py: Python<'py>, json: &serde_json::Value) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (json.to_string(),))
}

/// The value of a node.
fn object<'py>(py: Python<'py>, node: &Node<'_>, plain: bool) -> PyResult<Bound<'py, PyAny>> {
    let raise = |failure: Failure| failure.raise(py);
    let mut maker = Maker::new(py, plain)?;
    match node.typed() {
        Some(Typed::Godot(value)) => godot::load(&mut maker, &value).map_err(raise),
        Some(Typed::Resonite(value)) => resonite::load(&mut maker, value).map_err(raise),
        Some(Typed::O3de(value)) => o3de::load(&mut maker, value).map_err(raise),
        Some(Typed::Pclass(value)) if !plain => pclass::load(py, value, false),
        _ => parsed(py, &node.to_plain_json()),
    }
}

#[pymethods]
impl OpenFile {
    #[new]
    #[pyo3(signature = (data, **kwargs))]
    fn new(data: &Bound<'_, PyAny>, kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let py = data.py();
        let mut settings = settings::of(kwargs)?;
        let data = source(data, &mut settings)?;
        let opened = py.detach(|| Document::open(data, &settings));
        Ok(OpenFile { document: opened.map_err(|error| error.raise(py))?, settings })
    }

    #[getter]
    fn format(&self) -> &'static str {
        self.document.format().crate_name()
    }

    fn describe(&self) -> String {
        self.document.describe()
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.document.to_bytes())
    }

    /// The values that a path leads to.
    fn get<'py>(
        &self,
        py: Python<'py>,
        path: &str,
        plain: bool,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let found = self.document.get(path).map_err(|error| missing(py, &error))?;
        found.iter().map(|node| object(py, node, plain)).collect()
    }

    /// The paths of the values that a path leads to.
    fn paths(&self, py: Python<'_>, path: &str) -> PyResult<Vec<String>> {
        let found = self.document.get(path).map_err(|error| missing(py, &error))?;
        Ok(found.iter().map(Node::path).collect())
    }

    /// The paths and kinds of the values in the one that a path leads to.
    fn children(&self, py: Python<'_>, path: &str) -> PyResult<Vec<(String, String)>> {
        let found = self.document.get(path).map_err(|error| missing(py, &error))?;
        let children = found.iter().flat_map(Node::children);
        Ok(children.map(|child| (child.path(), child.kind())).collect())
    }

    /// The values of several paths, by one walk; `None` where there is none.
    fn get_all<'py>(
        &self,
        py: Python<'py>,
        paths: Vec<String>,
        plain: bool,
    ) -> PyResult<Vec<Option<Vec<Bound<'py, PyAny>>>>> {
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let found = self.document.get_all(&paths).into_iter().map(|found| match found {
            Ok(found) => {
                found.iter().map(|node| object(py, node, plain)).collect::<PyResult<_>>().map(Some)
            }
            Err(_) => Ok(None),
        });
        found.collect()
    }

    /// Makes changes: tuples of `"set"`, `"insert"` or `"remove"`, path, and the value as text.
    fn edit(&mut self, py: Python<'_>, edits: Vec<(String, String, String)>) -> PyResult<()> {
        let edits: Vec<Edit<'_>> = edits
            .iter()
            .map(|(what, path, value)| match what.as_str() {
                "remove" => Edit::Remove { path },
                "insert" => Edit::Insert { path, value, kind: None },
                _ => Edit::Set { path, value, kind: None },
            })
            .collect();
        self.document.edit(&edits).map_err(|error| error.raise(py))
    }

    /// A value in the notation of the format.
    fn notation(&self, value: &Bound<'_, PyAny>) -> PyResult<String> {
        let made = match self.document.format() {
            Format::GodotVariant => godot::notation(value),
            Format::ResoniteBrson => resonite::notation(value),
            Format::KiwiPclass => pclass::notation(value, self.settings.pclass.schema.as_deref()),
            Format::O3deJson => {
                o3de::text(value, false).map(|text| String::from_utf8_lossy(&text).into_owned())
            }
            format => Err(Failure::unknown(value, format.name())),
        };
        made.map_err(|failure| failure.raise(value.py()))
    }

    /// The differences to a newer file: path, kind, old, new.
    #[allow(clippy::type_complexity, reason = "a row for Python")]
    fn diff(
        &self,
        py: Python<'_>,
        newer: &OpenFile,
    ) -> PyResult<Vec<(String, &'static str, Option<String>, Option<String>)>> {
        let changes = py.detach(|| self.document.diff(&newer.document, SHOWN));
        let changes = changes.map_err(|error| error.raise(py))?;
        let row = |change: document::Change| {
            let (what, old, new) = match change.what {
                ChangeKind::Changed(old, new) => ("changed", Some(old), Some(new)),
                ChangeKind::Added(new) => ("added", None, Some(new)),
                ChangeKind::Removed(old) => ("removed", Some(old), None),
                ChangeKind::Retyped(old, new) => ("retyped", Some(old), Some(new)),
                ChangeKind::Renamed(new) => ("renamed", None, Some(new)),
                _ => ("reordered", None, None),
            };
            (change.path, what, old, new)
        };
        Ok(changes.into_iter().map(row).collect())
    }

    /// Merges; the conflicts where no side is to be taken: path, base, ours, theirs.
    #[allow(clippy::type_complexity, reason = "rows for Python")]
    fn merge3(
        &self,
        py: Python<'_>,
        base: Option<&OpenFile>,
        theirs: &OpenFile,
        side: Option<&str>,
    ) -> PyResult<(Option<OpenFile>, Vec<(String, Option<String>, Option<String>, Option<String>)>)>
    {
        let raise = |error: document::Error| error.raise(py);
        let base = base.map(|base| &base.document);
        let merge =
            py.detach(|| Merge::new(base, &self.document, &theirs.document)).map_err(raise)?;
        let side = match side {
            None if merge.is_clean() => Side::Ours,
            Some("ours") => Side::Ours,
            Some("theirs") => Side::Theirs,
            Some(other) => {
                let text = format!("expected \"ours\" or \"theirs\", found {other:?}");
                return Err(pyo3::exceptions::PyValueError::new_err(text));
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
        let document = merge.take(side).map_err(raise)?;
        Ok((Some(OpenFile { document, settings: self.settings.clone() }), Vec::new()))
    }

    /// The lossless JSON notation, or plain JSON.
    fn to_json(&self, py: Python<'_>, plain: bool) -> PyResult<String> {
        if plain {
            let made = self.document.to_plain_json().map_err(|error| error.raise(py))?;
            return Ok(made.to_string());
        }
        let mut out = Vec::new();
        let made = self.document.write_json(&mut out, Layout::Lines, true);
        made.map_err(|error| Failure::data(error.to_string()).raise(py))?;
        String::from_utf8(out).map_err(|error| Failure::data(error.to_string()).raise(py))
    }

    /// Whether it would be written back the same.
    fn check(&self, py: Python<'_>) -> PyResult<String> {
        let data = self.document.to_bytes();
        let made = py.detach(|| document::check(data, &self.settings));
        Ok(match made.map_err(|error| error.raise(py))? {
            Verdict::Identical => "identical".to_owned(),
            Verdict::Equivalent(at) => format!("equivalent from byte {at:#x} on"),
            Verdict::Differs(why) => why,
            _ => String::new(),
        })
    }

    fn explain(&self, py: Python<'_>) -> PyResult<Explanation> {
        explained(py, self.document.to_bytes(), &self.settings)
    }
}

/// A path leads nowhere: a `KeyError`, as of other mappings.
fn missing(py: Python<'_>, error: &document::Error) -> PyErr {
    let _ = py;
    PyKeyError::new_err(error.message().to_owned())
}

/// What each byte of a file means; see `gamewire.Explanation`.
#[pyclass(unsendable, module = "gamewire._native")]
struct Explanation(document::Explanation);

fn explained(py: Python<'_>, data: &[u8], settings: &document::Settings) -> PyResult<Explanation> {
    let made = document::explain(data, settings);
    Ok(Explanation(made.map_err(|error| error.raise(py))?))
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
    fn json(&self, py: Python<'_>) -> PyResult<String> {
        let mut out = Vec::new();
        let made = self.0.write_json(&mut out);
        made.map_err(|error| Failure::data(error.to_string()).raise(py))?;
        String::from_utf8(out).map_err(|error| Failure::data(error.to_string()).raise(py))
    }

    /// The paths of the values.
    fn paths(&self) -> Vec<String> {
        self.0.paths()
    }
}

/// Says what each byte of a file means, valid or not.
#[pyfunction]
#[pyo3(signature = (data, **kwargs))]
fn explain(data: &Bound<'_, PyAny>, kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<Explanation> {
    let mut settings = settings::of(kwargs)?;
    let read = source(data, &mut settings)?;
    explained(data.py(), &read, &settings)
}

/// The name of the format, if the bytes or the name say it.
#[pyfunction]
#[pyo3(signature = (data, name=None))]
fn detect(data: &Bound<'_, PyAny>, name: Option<PathBuf>) -> PyResult<Option<&'static str>> {
    let py = data.py();
    let mut settings = document::Settings { name, ..Default::default() };
    let read = source(data, &mut settings)?;
    let name = settings.name.as_deref();
    let found = detached(py, read.len(), || gamewire::detect(&read, name));
    Ok(found.map(Format::crate_name))
}

/// An archive or a package, opened; `gamewire.Entries` is a mapping over it.
#[pyclass(module = "gamewire._native")]
struct Entries {
    own: document::Entries,
    settings: document::Settings,
    /// The places of the entries, from the first look at them.
    places: OnceLock<HashMap<String, usize>>,
}

impl Entries {
    fn place(&self, name: &str) -> PyResult<usize> {
        let places = self.places.get_or_init(|| {
            let mut made = HashMap::new();
            for (at, name) in self.own.names().enumerate() {
                // Of two with one name the first is meant.
                made.entry(name.to_owned()).or_insert(at);
            }
            made
        });
        let at = places.get(name).copied();
        at.ok_or_else(|| PyKeyError::new_err(format!("there is no entry {name}")))
    }
}

#[pymethods]
impl Entries {
    #[new]
    #[pyo3(signature = (data, **kwargs))]
    fn new(data: &Bound<'_, PyAny>, kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let py = data.py();
        let mut settings = settings::of(kwargs)?;
        let opened = match data.extract::<PathBuf>() {
            Ok(path) => {
                let file = File::open(&path)?;
                settings.name.get_or_insert(path);
                py.detach(|| document::Entries::open(BufReader::new(file), &settings))
            }
            Err(_) => {
                let own = Cursor::new(bytes(data)?.as_bytes().to_vec());
                py.detach(|| document::Entries::open(own, &settings))
            }
        };
        let opened = opened.map_err(|error| error.raise(py))?;
        let own = opened.ok_or_else(|| {
            Failure::data("expected an archive or a package, found another file").raise(py)
        })?;
        Ok(Entries { own, settings, places: OnceLock::new() })
    }

    fn names(&self) -> Vec<String> {
        self.own.names().map(str::to_owned).collect()
    }

    fn read<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyBytes>> {
        let at = self.place(name)?;
        let read = py.detach(|| self.own.read(at));
        Ok(PyBytes::new(py, &read.map_err(|error| error.raise(py))?))
    }

    fn insert(&mut self, name: &str, content: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = content.py();
        let content = bytes(content)?.as_bytes().to_vec();
        self.own.insert(name, content).map_err(|error| error.raise(py))?;
        self.places.take();
        Ok(())
    }

    fn remove(&mut self, py: Python<'_>, name: &str) -> PyResult<()> {
        let at = match self.places.take() {
            Some(places) => places.get(name).copied(),
            // After another one was removed.
            None => self.own.names().position(|own| own == name),
        };
        let at = at.ok_or_else(|| PyKeyError::new_err(format!("there is no entry {name}")))?;
        self.own.remove(at).map_err(|error| error.raise(py))
    }

    fn has(&self, name: &str) -> bool {
        self.place(name).is_ok()
    }

    fn open(&self, py: Python<'_>, name: &str) -> PyResult<OpenFile> {
        let at = self.place(name)?;
        let opened = py.detach(|| self.own.document(at));
        let document = opened.map_err(|error| error.raise(py))?;
        Ok(OpenFile { document, settings: self.settings.clone() })
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut made = Vec::new();
        self.own.write(&mut made)?;
        Ok(PyBytes::new(py, &made))
    }
}
