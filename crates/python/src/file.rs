//! Files: values by their paths, changes, comparison, merging. `python/gamewire/__init__.py` has the
//! classes that people see.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Cursor};
use std::path::PathBuf;
use std::sync::OnceLock;

use gamewire::document::{self, Edit, Layout, Merge, Node, Side, Typed, Verdict};
use gamewire::{Document, Format};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::failure::{Failure, Result};
use crate::input::{bytes, detached};
use crate::make::Maker;
use crate::{godot, o3de, pclass, resonite, settings};

/// The most characters of a value in a comparison.
const SHOWN: usize = 200;

/// An opened file.
#[pyclass(name = "File", module = "gamewire._native")]
pub(crate) struct OpenFile {
    document: Document,
    settings: document::Settings,
}

/// Bytes or a path, and the name that says what bytes do not.
fn source(data: &Bound<'_, PyAny>, settings: &mut document::Settings) -> Result<Vec<u8>> {
    match data.extract::<PathBuf>() {
        Ok(path) => {
            let read = std::fs::read(&path)?;
            settings.name.get_or_insert(path);
            Ok(read)
        }
        Err(_) => Ok(bytes(data)?.as_bytes().to_vec()),
    }
}

fn parsed<'py>(py: Python<'py>, json: &document::Json) -> Result<Bound<'py, PyAny>> {
    Ok(py.import("json")?.call_method1("loads", (json.to_string(),))?)
}

/// The value of a node.
fn object<'py>(py: Python<'py>, node: &Node<'_>, plain: bool) -> Result<Bound<'py, PyAny>> {
    let mut maker = Maker::new(py, plain)?;
    match node.typed()? {
        Some(Typed::Godot(value)) => godot::load(&mut maker, &value),
        Some(Typed::Resonite(value)) => resonite::load(&mut maker, &value),
        Some(Typed::O3de(value)) => o3de::load(&mut maker, &value),
        Some(Typed::Pclass(value)) if !plain => pclass::load(py, &value, false),
        _ => parsed(py, &node.to_plain_json()?),
    }
}

impl OpenFile {
    /// The values that a path leads to; if there are none, a `KeyError`, as of other mappings.
    fn found(&self, path: &str) -> Result<Vec<Node<'_>>> {
        let found = self.document.get(path);
        Ok(found.map_err(|error| PyKeyError::new_err(error.message().to_owned()))?)
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
        Ok(OpenFile { document: opened?, settings })
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
    fn get<'py>(&self, py: Python<'py>, path: &str, plain: bool) -> Result<Vec<Bound<'py, PyAny>>> {
        let found = self.found(path)?;
        found.iter().map(|node| object(py, node, plain)).collect()
    }

    /// The paths of the values that a path leads to.
    fn paths(&self, path: &str) -> Result<Vec<String>> {
        Ok(self.found(path)?.iter().map(Node::path).collect())
    }

    /// The paths and kinds of the values in the one that a path leads to.
    fn children(&self, path: &str) -> Result<Vec<(String, String)>> {
        let found = self.found(path)?;
        let children = found.iter().flat_map(Node::children);
        Ok(children.map(|child| (child.path(), child.kind())).collect())
    }

    /// The values of several paths, by one walk; `None` where there is none.
    fn get_all<'py>(
        &self,
        py: Python<'py>,
        paths: Vec<String>,
        plain: bool,
    ) -> Result<Vec<Option<Vec<Bound<'py, PyAny>>>>> {
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let found = self.document.get_all(&paths).into_iter().map(|found| match found {
            Ok(found) => {
                found.iter().map(|node| object(py, node, plain)).collect::<Result<_>>().map(Some)
            }
            Err(_) => Ok(None),
        });
        found.collect()
    }

    /// Makes changes: tuples of `"set"`, `"insert"` or `"remove"`, path, and the value as text.
    fn edit(&mut self, edits: Vec<(String, String, String)>) -> Result<()> {
        let edits: Vec<Edit<'_>> = edits
            .iter()
            .map(|(what, path, value)| match what.as_str() {
                "remove" => Edit::Remove { path },
                "insert" => Edit::Insert { path, value, kind: None },
                _ => Edit::Set { path, value, kind: None },
            })
            .collect();
        Ok(self.document.edit(&edits)?)
    }

    /// A value in the notation of the format.
    fn notation(&self, value: &Bound<'_, PyAny>) -> Result<String> {
        if self.document.is_json() {
            return o3de::text(value, false)
                .map(|text| String::from_utf8_lossy(&text).into_owned());
        }
        match self.document.format() {
            Format::GodotVariant => godot::notation(value),
            Format::ResoniteBrson => resonite::notation(value),
            Format::KiwiPclass => pclass::notation(value, self.settings.pclass.schema.as_deref()),
            format => Err(Failure::unknown(value, format.name())),
        }
    }

    /// The differences to a newer file, as the tool has them in JSON.
    fn diff<'py>(&self, py: Python<'py>, newer: &OpenFile) -> Result<Bound<'py, PyAny>> {
        let changes = py.detach(|| self.document.diff(&newer.document, SHOWN));
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
        let base = base.map(|base| &base.document);
        let merge = py.detach(|| Merge::new(base, &self.document, &theirs.document))?;
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
        let document = merge.take(side)?;
        Ok((Some(OpenFile { document, settings: self.settings.clone() }), Vec::new()))
    }

    /// The lossless JSON notation, or plain JSON.
    fn to_json(&self, plain: bool) -> Result<String> {
        if plain {
            return Ok(self.document.to_plain_json()?.to_string());
        }
        let mut out = Vec::new();
        self.document.write_json(&mut out, Layout::Lines, true)?;
        Ok(String::from_utf8_lossy(&out).into_owned())
    }

    /// Whether it would be written back the same.
    fn check(&self, py: Python<'_>) -> Result<String> {
        let data = self.document.to_bytes();
        let made = py.detach(|| document::check(data, &self.settings));
        Ok(match made? {
            Verdict::Identical => "identical".to_owned(),
            Verdict::Equivalent(at) => format!("equivalent from byte {at:#x} on"),
            Verdict::Differs(why) => why,
            _ => String::new(),
        })
    }

    fn explain(&self) -> Result<Explanation> {
        explained(self.document.to_bytes(), &self.settings)
    }
}

/// What each byte of a file means; see `gamewire.Explanation`.
#[pyclass(unsendable, module = "gamewire._native")]
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

/// An archive or a package, opened; `gamewire.Entries` is a mapping over it.
#[pyclass(module = "gamewire._native")]
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
                let file = File::open(&path)?;
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
        Ok(OpenFile { document, settings: self.settings.clone() })
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>> {
        let mut made = Vec::new();
        self.own.write(&mut made)?;
        Ok(PyBytes::new(py, &made))
    }
}
