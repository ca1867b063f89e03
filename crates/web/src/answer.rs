//! Questions, and their answers.

use gamewire::document::{
    self, Document, Edit, Editor, Entries, Error, Hint, Layout, Position, diff_page,
};
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use crate::open::{self, Call};
use crate::{settings, types};

/// The header of a question. After it stand the bytes of the files, in this order.
#[derive(Deserialize)]
struct Question {
    #[serde(default)]
    settings: Map<String, Json>,
    /// The length of each file, and of what it is: `file`, `other`, `types`, `solution`.
    #[serde(default)]
    files: Vec<(Role, usize)>,
    #[serde(flatten)]
    verb: Verb,
}

/// A question: of a file, or of a document that is open.
#[derive(Deserialize)]
#[serde(untagged)]
enum Verb {
    OfFile(Ask),
    Of(Call),
}

#[derive(Deserialize)]
#[serde(tag = "verb", rename_all = "lowercase")]
enum Ask {
    Detect,
    Decode {
        form: Form,
    },
    Encode,
    Explain {
        form: Form,
    },
    /// The paths; nothing beside them.
    Get {
        values: Vec<(String, String)>,
    },
    Set {
        values: Vec<(String, String)>,
    },
    /// The names of the files, for a page.
    Diff {
        form: Form,
        #[serde(default)]
        values: Vec<(String, String)>,
    },
    Open,
    /// The names of the entries of an archive or a package, or `null`.
    Entries,
    Entry {
        at: usize,
    },
    /// The file with another content of an entry.
    Put {
        at: usize,
    },
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Role {
    File,
    Other,
    Types,
    Solution,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Form {
    Json,
    Plain,
    Text,
    Page,
}

/// Answers a question: 4 bytes with the length of the header in little endian, the header, the files.
/// The answer is a 0 and what was asked for, or a 1 and an error as JSON.
pub fn answer(question: &[u8]) -> Vec<u8> {
    match read(question).and_then(|(header, files)| header.answer(&files)) {
        Ok(made) => made,
        Err(error) => {
            let (offset, line, column) = match error.position() {
                Position::Byte(offset) => (Some(offset), None, None),
                Position::Text(line, column) => (None, Some(line), Some(column)),
                _ => (None, None, None),
            };
            let (message, hint) = (error.message(), error.hint().and_then(way_out));
            let about = json!({
                "message": message, "hint": hint, "offset": offset, "line": line, "column": column,
            });
            [&[1][..], about.to_string().as_bytes()].concat()
        }
    }
}

/// An answer that is no error.
pub(crate) fn made(bytes: &[u8]) -> Vec<u8> {
    [&[0], bytes].concat()
}

/// A way out by the settings of the package: its name and its sentence; `None` where the package has no such setting.
pub(crate) fn way_out(hint: &Hint) -> Option<Json> {
    let spell = |name: &str, value: Option<&str>| {
        let mut words = name.split('_');
        let mut own = words.next().unwrap_or_default().to_owned();
        for word in words {
            let (first, rest) = word.split_at_checked(1)?;
            own.push_str(&first.to_ascii_uppercase());
            own.push_str(rest);
        }
        // Values are set as the kind that they have.
        let is_there = name != "kind";
        let own = value.map_or_else(|| own.clone(), |value| format!("{own}: \"{value}\""));
        is_there.then_some(own)
    };
    Some(json!({"name": hint.name(), "text": hint.to_sentence(spell)?}))
}

/// The bytes of the files of a question.
type Files<'a> = Vec<(Role, &'a [u8])>;

fn read(question: &[u8]) -> Result<(Question, Files<'_>), Error> {
    let cut = || Error::new("the question is cut off");
    let (len, rest) = question.split_first_chunk().ok_or_else(cut)?;
    let len = usize::try_from(u32::from_le_bytes(*len)).map_err(|_| cut())?;
    let (header, mut rest) = rest.split_at_checked(len).ok_or_else(cut)?;
    let mut header: Question = serde_json::from_slice(header)?;
    let mut files = Vec::new();
    for (role, len) in std::mem::take(&mut header.files) {
        let (file, after) = rest.split_at_checked(len).ok_or_else(cut)?;
        files.push((role, file));
        rest = after;
    }
    Ok((header, files))
}

impl Question {
    fn answer(self, files: &Files<'_>) -> Result<Vec<u8>, Error> {
        match self.verb {
            Verb::Of(call) => open::answer(call),
            Verb::OfFile(ask) => of_file(ask, &self.settings, files).map(|own| made(&own)),
        }
    }
}

fn of_file(ask: Ask, named: &Map<String, Json>, files: &Files<'_>) -> Result<Vec<u8>, Error> {
    let all = |role: Role| -> Vec<&[u8]> {
        files.iter().filter(|(own, _)| *own == role).map(|(_, file)| *file).collect()
    };
    let mut settings = settings::named(named)?;
    let game = named.get("game").and_then(Json::as_str).unwrap_or("wizard101");
    types::with_types(&mut settings, &all(Role::Types), game)?;
    types::with_solution(&mut settings, &all(Role::Solution))?;
    let settings = &settings;
    let file = all(Role::File).first().copied().unwrap_or_default();
    let open = || Document::open(file, settings);
    let text = |json: Json| Ok(json.to_string().into_bytes());
    let own = |json: document::Json| Ok(json.to_string().into_bytes());
    let entries = || Entries::open(std::io::Cursor::new(file.to_vec()), settings);
    let of_entry = || entries()?.ok_or_else(|| Error::new("the file has no entries"));
    match ask {
        Ask::Entries => {
            let names = |own: Entries| own.names().map(str::to_owned).collect::<Vec<_>>();
            text(json!(entries()?.map(names)))
        }
        Ask::Entry { at } => of_entry()?.read(at),
        Ask::Put { at } => {
            let (mut own, mut made) = (of_entry()?, Vec::new());
            own.put(at, all(Role::Other).first().copied().unwrap_or_default().to_vec())?;
            own.write(&mut made).map_err(|error| Error::new(error.to_string()))?;
            Ok(made)
        }
        Ask::Open => {
            let now = all(Role::Other).first().map(|now| Document::open(*now, settings));
            text(open::open(match now {
                Some(now) => Editor::resumed(open()?, now?),
                None => Editor::new(open()?),
            }))
        }
        Ask::Detect => {
            let known =
                |format| json!({"format": format, "about": document::describe(file, settings)});
            let format = settings.format;
            let format = format.or_else(|| document::detect(file, settings.name.as_deref(), true));
            text(format.map_or(Json::Null, |format| known(format.crate_name())))
        }
        Ask::Decode { form: Form::Plain } => own(open()?.to_plain_json()?),
        Ask::Decode { .. } => {
            let mut out = Vec::new();
            open()?.write_json(&mut out, Layout::Lines, true)?;
            Ok(out)
        }
        Ask::Encode => document::encode(file, settings),
        Ask::Explain { form } => {
            let explained = document::explain(file, settings)?;
            let name = settings.name.as_ref().and_then(|name| name.to_str()).unwrap_or("gamewire");
            Ok(match form {
                Form::Text => explained.to_text(None, false).into_bytes(),
                Form::Page => explained.to_html(name).into_bytes(),
                _ => {
                    let mut out = Vec::new();
                    explained.write_json(&mut out)?;
                    out
                }
            })
        }
        Ask::Get { values } => {
            let document = open()?;
            let paths: Vec<&str> = values.iter().map(|(path, _)| path.as_str()).collect();
            let mut found = Vec::new();
            for nodes in document.get_all(&paths) {
                for node in nodes? {
                    let (path, kind, text) = (node.path(), node.kind(), node.text()?);
                    let value = node.to_plain_json()?;
                    found.push(json!({"path": path, "kind": kind, "text": text, "value": value}));
                }
            }
            text(found.into())
        }
        Ask::Set { values } => {
            let mut document = open()?;
            let mut edits = Vec::new();
            for (path, value) in &values {
                edits.push(Edit::Set { path, value: value.into(), kind: None });
            }
            document.edit(&edits)?;
            Ok(document.as_bytes().to_vec())
        }
        Ask::Diff { form, values } => {
            let other = all(Role::Other).first().copied().unwrap_or_default();
            let old = open()?;
            let format = Some(old.format());
            let settings = document::Settings { name: None, format, ..settings.clone() };
            let changes = old.diff(&Document::open(other, &settings)?, usize::MAX)?;
            match (form, values.first()) {
                (Form::Page, Some((old, new))) => Ok(diff_page(old, new, &changes).into_bytes()),
                _ => own(changes.iter().map(document::Change::to_json).collect()),
            }
        }
    }
}
