//! Any file of the five formats, opened: values by their paths, changes, comparison, merging.
//!
//! [`Document::open`] tells the format, reads the bytes with plain [`Settings`], and gives values by
//! the paths that everything here prints. What is not changed keeps its bytes: layout, comments, what
//! is around the data, the other entries of a package.
//!
//! ```
//! use gamewire::{Document, Settings};
//!
//! # let bytes = gamewire::godot_variant::frame::Framing::new()
//! #     .to_vec(&std::collections::BTreeMap::from([("hp", 1), ("gold", 20)]))?;
//! // bytes = std::fs::read("savegame.dat")?
//! let mut save = Document::open(bytes, &Settings::default())?;
//! save.set("hp", "100")?;
//! assert_eq!(save.get("hp")?[0].text()?, "100");
//! // std::fs::write("savegame.dat", save.as_bytes())?
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The three documents of a merge, as git's merge driver has them:
//!
//! ```
//! use gamewire::document::{Document, Merge, Settings, Side};
//!
//! # let file = |hp, gold| gamewire::godot_variant::frame::Framing::new()
//! #     .to_vec(&std::collections::BTreeMap::from([("hp", hp), ("gold", gold)]));
//! # let (base, ours, theirs) = (file(1, 20)?, file(2, 20)?, file(1, 30)?);
//! let settings = Settings::default();
//! let [base, ours, theirs] = [base, ours, theirs].map(|bytes| Document::open(bytes, &settings));
//! let (base, ours, theirs) = (base?, ours?, theirs?);
//! let merge = Merge::new(Some(&base), &ours, &theirs)?;
//! assert!(merge.is_clean());
//! let merged = merge.resolve(Side::Ours)?;
//! assert_eq!((merged.get("hp")?[0].text()?, merged.get("gold")?[0].text()?), ("2".into(), "30".into()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

/// Gives the syntaxes to a macro: each with its feature, its variant, its codec and its format. What
/// is the same for all of them is made of this table; what a format alone has stands behind its feature.
macro_rules! each_syntax {
    ($make:ident! $of:tt) => {
        $make! {
            $of
            "godot-resource" GodotResource resource::Resource, GodotResource;
            "godot-variant" GodotVariant godot::Godot, GodotVariant;
            "godot-variant" GodotJson godot_json::GodotJson, GodotVariant;
            "o3de-prefab" O3deJson o3de::O3de, O3deJson;
            "kiwi-pclass" KiwiPclass pclass::Pclass, KiwiPclass;
            "resonite-save" ResoniteBrson resonite::Resonite, ResoniteBrson;
            "zeze-serialize" ZezeSerialize zeze::Zeze, ZezeSerialize;
        }
    };
}

/// Does something with the type of a syntax's codec.
macro_rules! with_type {
    (
        (($syntax:expr) $name:ident ($then:expr))
        $($feature:literal $variant:ident $module:ident::$codec:ident, $format:ident;)+
    ) => {
        match $syntax {
            $(#[cfg(feature = $feature)]
            crate::document::Syntax::$variant => {
                type $name = crate::document::$module::$codec;
                $then
            })+
        }
    };
    ($syntax:expr, $codec:ident => $then:expr) => {
        each_syntax!(with_type! (($syntax) $codec ($then)))
    };
}

/// Does something with the codec of a syntax, made of the settings of one call.
macro_rules! with_codec {
    ($syntax:expr, $settings:expr, $target:expr, $codec:ident => $then:expr) => {
        with_type!($syntax, C => {
            let $codec = C::new($settings, $target);
            $then
        })
    };
}

/// Does something with what an enum over the syntaxes has.
macro_rules! with_format {
    (
        ($enum:ident ($value:expr) $own:ident ($then:expr))
        $($feature:literal $variant:ident $module:ident::$codec:ident, $format:ident;)+
    ) => {
        match $value {
            $(#[cfg(feature = $feature)] $enum::$variant($own) => $then,)+
        }
    };
    ($enum:ident: $value:expr, $own:ident => $then:expr) => {
        each_syntax!(with_format! ($enum ($value) $own ($then)))
    };
}

mod align;
mod bytes;
mod choice;
mod codec;
mod diff;
mod drawing;
mod drawn;
mod edit;
mod editor;
#[cfg(any(feature = "kiwi-pclass", feature = "resonite-save"))]
mod entries;
mod error;
mod explained;
#[cfg(feature = "godot-variant")]
mod godot;
mod hint;
mod json;
mod limits;
mod merge;
mod node;
#[cfg(feature = "o3de-prefab")]
mod o3de;
mod path;
#[cfg(feature = "kiwi-pclass")]
mod pclass;
mod ranges;
#[cfg(feature = "resonite-save")]
mod resonite;
#[cfg(feature = "godot-resource")]
mod resource;
mod salvage;
mod settings;
mod words;
#[cfg(feature = "zeze-serialize")]
mod zeze;

use std::io::{self, Write};
use std::ops::Range;

use self::bytes::{compare_contents, read};
use self::codec::{Codec, Wrapped};
use self::diff::Tree as _;
#[cfg(feature = "godot-variant")]
use self::godot::json as godot_json;
use self::node::{Found, Portion};
pub use self::ranges::Bytes;
use self::ranges::{Body, RangeNode, Values};
use crate::Format;

pub use self::bytes::{
    DecodedFile, advice, check, check_json, describe, detect, detect_damaged, edit, encode,
    explain, get_all, remarks, salvage, tree, unsupported_kind,
};
pub use self::choice::{Choices, parse_choice};
pub use self::codec::Verdict;
pub use self::diff::{Change, ChangeKind, page as diff_page};
pub use self::drawing::{Drawing, Hierarchy, LineWidth, TreeOptions, as_json, draw};
pub use self::edit::{Edit, Input};
pub use self::editor::Editor;
#[cfg(any(feature = "kiwi-pclass", feature = "resonite-save"))]
pub use self::entries::{Entries, EntryChange, EntryChangeKind};
pub use self::error::{Error, Position};
pub use self::explained::{Explanation, Part};
#[cfg(feature = "godot-variant")]
pub use self::godot::{
    settings::{
        DIALECTS, FRAMINGS, Framing, GodotSettings, GodotTarget, PRECISIONS, STREAMS, Secret,
        WRAPPINGS, Wrapping,
    },
    unwrap, wrap,
};
pub use self::hint::Hint;
pub use self::json::{Json, Layout, members, write as write_json};
pub use self::limits::{Limits, MAX_DEPTH};
pub use self::merge::{Conflict, ConflictKind, Merge, Side, Version};
pub use self::node::Typed;
#[cfg(feature = "o3de-prefab")]
pub use self::o3de::{
    settings::{O3deSettings, O3deTarget},
    tree::tree as prefab_tree,
};
#[cfg(feature = "kiwi-pclass")]
pub use self::pclass::settings::{
    FORMS, Form, GAMES, MODES, PclassSettings, PclassTarget, UNKNOWN_CHOICES,
};
#[cfg(feature = "resonite-save")]
pub use self::resonite::settings::{CONTAINERS, ResoniteSettings, ResoniteTarget};
#[cfg(feature = "godot-resource")]
pub use self::resource::{ResourceForm, ResourceSettings, ResourceTarget};
pub use self::salvage::Salvaged;
pub use self::settings::{Settings, Target};
pub use self::words::{count, is_control_or_bidi, shortened};
#[cfg(feature = "zeze-serialize")]
pub use self::zeze::{
    Solution,
    settings::{FRAMES, Frames, ZezeSettings, ZezeTarget},
};

/// A file, opened.
#[derive(Debug)]
pub struct Document {
    bytes: Bytes,
    settings: Settings,
    syntax: Syntax,
    content: Contents,
    /// The text that the content is of, if it stands in a wrapper.
    wrapped: Option<Wrapped>,
}

/// The data of a file, with the codec that read it.
struct Opened<C: Codec> {
    codec: C,
    content: C::Content,
}

/// Makes the enums over the syntaxes.
macro_rules! enums {
    (() $($feature:literal $syntax:ident $module:ident::$codec:ident, $format:ident;)+) => {
        /// How the data of a file is written: one way for each codec.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Syntax {
            $(#[cfg(feature = $feature)] $syntax,)+
        }

        impl Syntax {
            const ALL: &'static [Syntax] = &[$(#[cfg(feature = $feature)] Syntax::$syntax,)+];

            fn format(self) -> Format {
                match self {
                    $(#[cfg(feature = $feature)] Syntax::$syntax => Format::$format,)+
                }
            }
        }

        /// The data of a file.
        enum Contents {
            $(#[cfg(feature = $feature)] $syntax(Opened<$module::$codec>),)+
        }

        impl std::fmt::Debug for Contents {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $(#[cfg(feature = $feature)]
                    Contents::$syntax(_) => f.write_str(stringify!($syntax)),)+
                }
            }
        }

        /// A value of a document.
        #[derive(Clone)]
        enum Nodes<'a> {
            $(#[cfg(feature = $feature)] $syntax(Found<RangeNode<'a, <$module::$codec as Codec>::Syntax>>),)+
        }

        impl<'a> Nodes<'a> {
            fn inside(&self, which: Portion) -> Vec<Node<'a>> {
                match self {
                    $(#[cfg(feature = $feature)]
                    Nodes::$syntax(own) => {
                        own.inside(which).into_iter().map(<$module::$codec>::node).collect()
                    })+
                }
            }
        }

        $(#[cfg(feature = $feature)]
        impl AsOpened for $module::$codec {
            fn contents(own: Opened<Self>) -> Contents {
                Contents::$syntax(own)
            }

            fn of(content: &Contents) -> Option<&Opened<Self>> {
                match content {
                    Contents::$syntax(own) => Some(own),
                    #[allow(unreachable_patterns, reason = "not with one format alone")]
                    _ => None,
                }
            }

            fn node<'a>(found: Found<RangeNode<'a, Self::Syntax>>) -> Node<'a> {
                Node(Nodes::$syntax(found))
            }
        })+
    };
}

/// A codec whose content a document may have.
trait AsOpened: Codec {
    /// The data of a file.
    fn contents(own: Opened<Self>) -> Contents;

    /// The content, if it is of this format.
    fn of(content: &Contents) -> Option<&Opened<Self>>;

    /// That of a document.
    fn opened(document: &Document) -> Option<&Opened<Self>> {
        Self::of(&document.content)
    }

    /// A value of it.
    fn node<'a>(found: Found<RangeNode<'a, Self::Syntax>>) -> Node<'a>;
}

each_syntax!(enums!());

impl Contents {
    /// Reads a file.
    fn read(syntax: Syntax, bytes: &Bytes, settings: &Settings) -> Result<Self, Error> {
        fn opened<C: AsOpened>(bytes: &Bytes, settings: &Settings) -> Result<Contents, Error> {
            let codec = C::new(settings, &Target::default());
            let content = codec.read(bytes)?;
            Ok(C::contents(Opened { codec, content }))
        }
        with_type!(syntax, C => opened::<C>(bytes, settings))
    }
}

impl<C: AsOpened> Opened<C> {
    fn get_all(&self, paths: &[&str]) -> Vec<Result<Vec<Node<'_>>, Error>> {
        let (root, is_only) = (self.codec.root(&self.content), self.codec.is_only(&self.content));
        let found = edit::find(&self.codec, &self.content, paths);
        let none = found.iter().zip(paths).filter(|(found, _)| found.is_empty());
        let none: Vec<&str> = none.map(|(_, path)| *path).collect();
        let mut missing = node::why_not(&root, is_only, &none).into_iter();
        let found = found.into_iter().zip(paths).map(|(found, path)| {
            let nested = self.codec.nested(&self.content, path);
            let why = match found.is_empty() {
                true => missing.next().filter(|_| nested.is_empty()).map(|why| {
                    let other = self.codec.leads_to(&self.content);
                    other.map_or(why.clone(), |other| format!("{why}; the file leads to {other}"))
                }),
                // A path that was shown shortened may mean several.
                false => node::ambiguous(path, &found).filter(|_| !path.contains('…')),
            };
            let all = || found.into_iter().map(C::node).chain(nested).collect();
            why.map_or_else(|| Ok(all()), |why| Err(Error::new(why)))
        });
        found.collect()
    }

    /// Makes changes. Returns the bytes of the file, or `None` where nothing is to be changed.
    fn edit(&mut self, bytes: &[u8], edits: &[Edit<'_>]) -> Result<Option<Bytes>, Error> {
        let Some((after, made)) = self.codec.edit(bytes, &self.content, edits)? else {
            return Ok(None);
        };
        self.content = after;
        Ok(Some(made))
    }
}

impl Document {
    /// Opens a file. The format is the one that the settings name, else that of the bytes.
    ///
    /// # Errors
    ///
    /// If the format is not known, or the data is not valid.
    pub fn open(bytes: impl Into<Bytes>, settings: &Settings) -> Result<Self, Error> {
        Document::read(bytes.into(), settings)
    }

    fn read(bytes: Bytes, settings: &Settings) -> Result<Self, Error> {
        let (wrapped, syntax, content) = read(&bytes, settings)?;
        Ok(Document { bytes, settings: settings.clone(), syntax, content, wrapped })
    }

    /// Makes a file of the JSON that [`write_json`](Document::write_json) writes.
    ///
    /// # Errors
    ///
    /// If the settings name no format, or the JSON is not of it.
    pub fn from_json(json: &[u8], settings: &Settings) -> Result<Self, Error> {
        Document::open(encode(json, settings)?, settings)
    }

    /// The format.
    pub fn format(&self) -> Format {
        self.syntax.format()
    }

    /// The bytes of the file as it is now. What was not changed has the bytes that came.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The container around the data in a few words, such as `store_var, 7 values`.
    pub fn describe(&self) -> String {
        let about = with_format!(Contents: &self.content, own => {
            own.codec.describe_read(&own.content, self.data())
        });
        match &self.wrapped {
            Some(wrapped) => wrapped.about(&about),
            None => about,
        }
    }

    /// Whether the data is JSON text, whose values are plain JSON.
    pub fn is_json(&self) -> bool {
        with_type!(self.syntax, C => <C as Codec>::IS_JSON)
    }

    /// A warning before the file is changed, such as that it has a checksum of the game's own.
    pub fn caution(&self) -> Option<String> {
        with_format!(Contents: &self.content, own => own.codec.caution(&own.content))
    }

    /// Refuses data that may mean something else, too: the file is read as one of those that it may be.
    ///
    /// # Errors
    ///
    /// Says which it is read as.
    pub fn must_be_sure(&self) -> Result<(), Error> {
        with_format!(Contents: &self.content, own => own.codec.must_be_sure(&own.content))
    }

    /// The bytes that the content was read of.
    fn data(&self) -> &[u8] {
        self.wrapped.as_ref().map_or(&*self.bytes, |wrapped| &wrapped.text)
    }

    /// The file with other data.
    fn with_data(&self, data: Vec<u8>) -> Result<Vec<u8>, Error> {
        match &self.wrapped {
            Some(wrapped) => wrapped.wrapper.close(&data, &Target::default()),
            None => Ok(data),
        }
    }

    /// The values that a path leads to: `*` in it stands for any step or for anything in a name, `**`
    /// for any number of steps.
    ///
    /// # Errors
    ///
    /// If there is none; says how far the path leads, and what is there.
    pub fn get(&self, path: &str) -> Result<Vec<Node<'_>>, Error> {
        self.get_all(&[path]).pop().unwrap_or_else(|| Ok(Vec::new()))
    }

    /// The values that each of the paths leads to, by one walk over the file; an error for a path that
    /// leads to none.
    pub fn get_all(&self, paths: &[&str]) -> Vec<Result<Vec<Node<'_>>, Error>> {
        with_format!(Contents: &self.content, own => own.get_all(paths))
    }

    /// The outermost value.
    pub fn root(&self) -> Node<'_> {
        fn root<C: AsOpened>(own: &Opened<C>) -> Node<'_> {
            C::node(Found::root(own.codec.root(&own.content)))
        }
        with_format!(Contents: &self.content, own => root(own))
    }

    /// The value that positions lead to, each in the value before: as [`Node::children`] counts them, or, where
    /// none are, [`Node::components`].
    pub fn node(&self, way: &[usize]) -> Option<Node<'_>> {
        way.iter().try_fold(self.root(), |node, at| {
            let child = node.children_in(*at..at.saturating_add(1)).pop();
            child.or_else(|| node.components().into_iter().nth(*at))
        })
    }

    /// The bytes of the values: what is around them, such as compression, is open.
    pub fn body(&self) -> &[u8] {
        &self.ranges().bytes
    }

    fn ranges(&self) -> &Body {
        with_format!(Contents: &self.content, own => own.codec.root(&own.content).body)
    }

    /// Puts other bytes in the place of the [`body`](Document::body), of which all was known before.
    fn set_body(&mut self, body: Vec<u8>, known: &Body) -> Result<(), Error> {
        fn set<C: AsOpened>(
            own: &mut Opened<C>,
            file: &[u8],
            body: Vec<u8>,
            known: &Body,
        ) -> Result<Bytes, Error> {
            let mut after = own.content.clone();
            match own.codec.own_body(&mut after, &body, None) {
                Some(own) => *own = known.with_bytes(body.into()),
                None => after = own.codec.rescanned(&own.content, body)?,
            }
            let (after, made) = own.codec.closed(file, &own.content, after)?;
            own.content = after;
            Ok(made)
        }
        let data = self.wrapped.as_ref().map_or(&*self.bytes, |wrapped| &wrapped.text);
        let made = with_format!(Contents: &mut self.content, own => set(own, data, body, known))?;
        self.put(made)
    }

    /// Sets the values that a path leads to. A value keeps its kind.
    ///
    /// `value` is text, with or without quotes, a number, `true`, `false`, `null`, or the JSON of such
    /// a value; or a [value of the format](Input::Typed).
    ///
    /// # Errors
    ///
    /// If the path leads nowhere, or the value does not fit; nothing is changed then.
    pub fn set<'a>(&mut self, path: &'a str, value: impl Into<Input<'a>>) -> Result<(), Error> {
        self.edit(&[Edit::Set { path, value: value.into(), kind: None }])
    }

    /// Inserts a value into a list, dictionary or object. The last step of the path is the new key, or
    /// the position before which it is to stand; `[-]` is the end of a list.
    ///
    /// # Errors
    ///
    /// If the path leads to no container, or the value does not fit; nothing is changed then.
    pub fn insert<'a>(&mut self, path: &'a str, value: impl Into<Input<'a>>) -> Result<(), Error> {
        self.edit(&[Edit::Insert { path, value: value.into(), kind: None }])
    }

    /// Removes the values that a path leads to, with their keys.
    ///
    /// # Errors
    ///
    /// If the path leads nowhere, or to a value that the file cannot be without.
    pub fn remove(&mut self, path: &str) -> Result<(), Error> {
        self.edit(&[Edit::Remove { path }])
    }

    /// Makes several changes at once, which costs little more than one.
    ///
    /// # Errors
    ///
    /// Those of [`set`](Document::set), [`insert`](Document::insert) and [`remove`](Document::remove);
    /// nothing is changed then.
    pub fn edit(&mut self, edits: &[Edit<'_>]) -> Result<(), Error> {
        let data = self.wrapped.as_ref().map_or(&*self.bytes, |wrapped| &wrapped.text);
        let made = with_format!(Contents: &mut self.content, own => own.edit(data, edits))?;
        made.map_or(Ok(()), |made| self.put(made))
    }

    /// Takes the data that was made of the content.
    fn put(&mut self, made: Bytes) -> Result<(), Error> {
        match &mut self.wrapped {
            None => self.bytes = made,
            Some(wrapped) => {
                self.bytes = wrapped.wrapper.close_later(made.clone())?;
                wrapped.text = made;
            }
        }
        Ok(())
    }

    /// The differences from this document to a newer one of the same format. Values are shown with at
    /// most `max_shown` characters.
    ///
    /// # Errors
    ///
    /// If the formats differ.
    pub fn diff(&self, newer: &Document, max_shown: usize) -> Result<Vec<Change>, Error> {
        compare_contents(&self.content, &newer.content, max_shown)
    }

    /// Makes a file of the same format in another form.
    ///
    /// # Errors
    ///
    /// If the data cannot be written so.
    pub fn convert(&self, target: &Target) -> Result<Vec<u8>, Error> {
        let data = self.data();
        let made = with_codec!(self.syntax, &self.settings, target, codec => codec.convert(data))?;
        match &self.wrapped {
            Some(wrapped) => wrapped.wrapper.close(&made, target),
            None => Ok(made),
        }
    }

    /// Sentences on what a converted file does not hold any more.
    ///
    /// # Errors
    ///
    /// If the data cannot be written so.
    pub fn losses(&self, target: &Target) -> Result<Vec<String>, Error> {
        if self.wrapped.is_some() {
            return Ok(Vec::new());
        }
        with_codec!(self.syntax, &self.settings, target, codec => codec.losses(&self.bytes))
    }

    /// Writes the JSON notation; with `wrap`, such that the container can be made again from it.
    ///
    /// # Errors
    ///
    /// Those of `out`, and of data that has no JSON.
    pub fn write_json(&self, out: &mut dyn Write, layout: Layout, wrap: bool) -> Result<(), Error> {
        with_format!(Contents: &self.content, own => {
            own.codec.write_json(&own.content, out, layout, wrap)
        })
    }

    /// The data as plain JSON for other programs: numbers and text as such, objects for dictionaries
    /// with text as keys. No file can be made of it again.
    ///
    /// # Errors
    ///
    /// Those of data that has no JSON.
    pub fn to_plain_json(&self) -> Result<Json, Error> {
        with_format!(Contents: &self.content, own => own.codec.plain(&own.content))
    }

    /// A line of `path=value` for each value in which nothing is, and for short rows of numbers.
    pub fn to_lines(&self) -> String {
        let mut lines = String::new();
        let mut tell = |line: &str| {
            lines.push_str(line);
            Ok(())
        };
        let told = with_format!(Contents: &self.content, own => {
            node::lines(Found::root(own.codec.root(&own.content)), &mut tell)
        });
        debug_assert!(told.is_ok(), "a text takes every line");
        lines
    }

    /// Writes the same lines one after the other, so that they take no memory together.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write_lines(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut tell = |line: &str| out.write_all(line.as_bytes());
        with_format!(Contents: &self.content, own => {
            node::lines(Found::root(own.codec.root(&own.content)), &mut tell)
        })
    }

    /// Draws the hierarchy in the file, as wide as a terminal of `columns`.
    ///
    /// # Errors
    ///
    /// If the file has no hierarchy.
    pub fn tree(&self, picture: TreeOptions) -> Result<Drawing, Error> {
        with_format!(Contents: &self.content, own => own.codec.tree(own.content.clone(), picture))
    }
}

impl Clone for Document {
    fn clone(&self) -> Self {
        fn again<C: AsOpened>(own: &Opened<C>, settings: &Settings) -> Contents {
            let codec = C::new(settings, &Target::default());
            C::contents(Opened { codec, content: own.content.clone() })
        }
        Document {
            bytes: self.bytes.clone(),
            settings: self.settings.clone(),
            syntax: self.syntax,
            content: with_format!(Contents: &self.content, own => again(own, &self.settings)),
            wrapped: self.wrapped.clone(),
        }
    }
}

/// A value of a document.
#[derive(Clone)]
pub struct Node<'a>(Nodes<'a>);

impl<'a> Node<'a> {
    /// The path, as everything takes it.
    pub fn path(&self) -> String {
        with_format!(Nodes: &self.0, own => own.shown())
    }

    /// The kind, in the words of the format.
    pub fn kind(&self) -> String {
        with_format!(Nodes: &self.0, own => own.node.kind())
    }

    /// The type in full, where values of one kind may have several: the class of an object, the type of a
    /// component; else the kind, or nothing.
    pub fn type_name(&self) -> String {
        with_format!(Nodes: &self.0, own => own.node.full_kind())
    }

    /// The value for people: text without quotes, numbers, else its notation on one line.
    /// [`Document::set`] takes it.
    ///
    /// # Errors
    ///
    /// If the value cannot be shown, such as one that nests too deep.
    pub fn text(&self) -> Result<String, Error> {
        with_format!(Nodes: &self.0, own => own.text())
    }

    /// The same on one line: text in quotes where it has more than one.
    ///
    /// # Errors
    ///
    /// As [`text`](Node::text).
    pub fn line(&self) -> Result<String, Error> {
        self.text().map(node::one_line)
    }

    /// The value as plain JSON.
    ///
    /// # Errors
    ///
    /// As [`text`](Node::text).
    pub fn to_plain_json(&self) -> Result<Json, Error> {
        with_format!(Nodes: &self.0, own => own.node.plain())
    }

    /// The value in the type of its format; `None` for a row of values, and for parts of a frame.
    ///
    /// ```
    /// use gamewire::document::{Document, Settings, Typed};
    /// use gamewire::godot_variant::{Value, types::Vector2};
    ///
    /// # let save = std::collections::BTreeMap::from([("position", Vector2::new(3.0, 4.0))]);
    /// # let bytes = gamewire::godot_variant::to_vec(&save)?;
    /// let save = Document::open(bytes, &Settings::default())?;
    /// let found = save.get("position")?;
    /// let Some(Typed::Godot(value)) = found[0].typed()? else { unreachable!() };
    /// assert_eq!(*value, Value::from(Vector2::new(3.0, 4.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the value cannot be made, such as one that nests too deep.
    pub fn typed(&self) -> Result<Option<Typed<'_>>, Error> {
        with_format!(Nodes: &self.0, own => Values::typed(&own.node))
    }

    /// Whether two paths of one document lead to this same value.
    pub fn same_place(&self, other: &Node<'_>) -> bool {
        let way = |node: &Node<'_>| with_format!(Nodes: &node.0, own => own.way.clone());
        way(self) == way(other)
    }

    /// The value that this text stands for, if it is one in base64.
    fn nested(&self) -> Option<Self> {
        with_format!(Nodes: &self.0, own => Values::nested(own))
    }

    fn write_lines(self, tell: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()> {
        with_format!(Nodes: self.0, own => node::lines(own, tell))
    }

    /// The values in this one, in order.
    pub fn children(&self) -> Vec<Node<'a>> {
        self.nested().as_ref().unwrap_or(self).0.inside(Portion::All)
    }

    /// Those of them at some positions, however many there are.
    pub fn children_in(&self, range: Range<usize>) -> Vec<Node<'a>> {
        self.nested().as_ref().unwrap_or(self).0.inside(Portion::At(range))
    }

    /// How many values are in this one.
    pub fn child_count(&self) -> usize {
        with_format!(Nodes: &self.nested().as_ref().unwrap_or(self).0, own => own.count())
    }

    /// The parts of a value in which no others are, such as the numbers of a vector.
    pub fn components(&self) -> Vec<Node<'a>> {
        self.nested().as_ref().unwrap_or(self).0.inside(Portion::Components)
    }

    /// The names of which the value is one, where the types list them; else none.
    pub fn choices(&self) -> Vec<String> {
        with_format!(Nodes: &self.0, own => Values::choices(&own.node))
    }

    /// The last step of the path: a key, a name, or the digits of a position.
    pub fn key(&self) -> String {
        with_format!(Nodes: &self.0, own => {
            own.path.last().map_or_else(String::new, |step| step.name().into_owned())
        })
    }

    /// Whether it is a list; `None` for a value in which no others may be.
    pub fn is_list(&self) -> Option<bool> {
        with_format!(Nodes: &self.nested().as_ref().unwrap_or(self).0, own => own.node.open().map(|open| open.is_list))
    }

    /// Where it stands in [`Document::body`].
    pub fn range(&self) -> Range<usize> {
        let bits = with_format!(Nodes: &self.0, own => own.node.bits());
        bits.start / 8..bits.end.div_ceil(8)
    }
}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line() {
            Ok(line) => write!(f, "{}={line}", self.path()),
            Err(why) => write!(f, "{}: {why}", self.path()),
        }
    }
}
