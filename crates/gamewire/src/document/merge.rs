//! Merging what two branches made of one file, by value: any format, by what its values are.
//!
//! | in the file | merged |
//! |---|---|
//! | members, entries, fields | by name or key; in the order of OURS, new ones after their neighbours |
//! | elements with an identity, such as `Id` or `Name`, each once in a list | by it |
//! | lists of the same length of numbers, text and the like | by position |
//! | other lists | by their longest common subsequence, then by position in what changed |
//!
//! Formats add what their values mean: which members tell elements apart, which are computed from
//! others, which lists are sets.

mod list;
mod order;
mod spans;
mod table;
mod walk;

pub(super) use self::walk::{Child, Children, Merged, Merger};
use super::codec::Fault;
use super::error::Error;
use super::json::Json;
use super::node::{Found, one_line};
use super::ranges::{RangeNode as Node, Values};
use super::{AsOpened, Contents, Document, Opened};

pub(super) use self::list::positions;

/// One of the two branches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The branch that is merged into.
    Ours,
    /// The branch that is merged.
    Theirs,
}

/// A place that both sides changed in different ways.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Conflict {
    /// The path in OURS, or in THEIRS where OURS lacks it; empty for the root.
    pub path: String,
    /// The name for people of what it is in, if there is one.
    pub name: Option<String>,
    /// The kind of conflict.
    pub kind: ConflictKind,
    /// The value before both changes; `None` where there was none.
    pub base: Option<Version>,
    /// The value of OURS; `None` where it was removed.
    pub ours: Option<Version>,
    /// The value of THEIRS; `None` where it was removed.
    pub theirs: Option<Version>,
    /// The sentence that says what is wrong, for [`ConflictKind::Meaning`].
    pub message: Option<String>,
}

/// A value that one of the three documents has.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Version {
    /// The value for people, as [`Node::text`](super::Node::text).
    pub text: String,
    /// The value in the JSON notation of its format; `None` where it cannot be written so, as `text` says.
    pub json: Option<Json>,
}

impl Version {
    /// The value on one line: text in quotes where it has more than one.
    pub fn line(&self) -> String {
        one_line(self.text.clone())
    }

    /// A value, or elements that stand one after another.
    fn of<'a, V: Values>(nodes: &[Node<'a, V>], is_list: bool) -> Self {
        let shown = match nodes {
            [only] if !is_list => {
                let text = Found::root(*only).text();
                text.and_then(|text| Ok((text, only.json()?)))
            }
            all => {
                let json: Result<Json, Error> = all.iter().map(Node::json).collect();
                json.map(|json| (json.to_string(), json))
            }
        };
        match shown {
            Ok((text, json)) => Version { text, json: Some(json) },
            Err(why) => Version { text: format!("(cannot be shown: {why})"), json: None },
        }
    }
}

/// The kinds of [`Conflict`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ConflictKind {
    /// Two values for one place, or a value that one side removed.
    Value,
    /// Elements that stand one after another in a list, beginning at the position in the path: the
    /// three values are arrays of them.
    Elements,
    /// The order of a list whose elements are all merged.
    Order,
    /// Changes that each have a place, and together make what neither side had, such as a child of an
    /// entity that the other side removed. No side's value is the answer, so that taking one leaves it.
    Meaning,
}

/// One place in the three documents.
#[derive(Clone, Copy, Debug)]
struct Three<N> {
    base: Option<N>,
    ours: Option<N>,
    theirs: Option<N>,
}

impl<'a, V: Values> Three<Node<'a, V>> {
    fn versions(&self) -> Three<Version> {
        self.as_ref().map(|node| Version::of(std::slice::from_ref(node), false))
    }
}

impl<N> Three<N> {
    fn as_ref(&self) -> Three<&N> {
        let Three { base, ours, theirs } = self;
        Three { base: base.as_ref(), ours: ours.as_ref(), theirs: theirs.as_ref() }
    }

    fn map<T>(self, mut to: impl FnMut(N) -> T) -> Three<T> {
        let Three { base, ours, theirs } = self;
        Three { base: base.map(&mut to), ours: ours.map(&mut to), theirs: theirs.map(&mut to) }
    }
}

/// The merge of two documents that come from one.
#[derive(Debug)]
pub struct Merge<'a> {
    base: Option<&'a Document>,
    ours: &'a Document,
    theirs: &'a Document,
    conflicts: Vec<Conflict>,
    /// The data of a merge without conflicts, where it was made to find these.
    made: Option<Vec<u8>>,
}

impl<'a> Merge<'a> {
    /// Merges two documents by value: `base` is `None` where there was no file before.
    ///
    /// # Errors
    ///
    /// If the formats differ.
    pub fn new(
        base: Option<&'a Document>,
        ours: &'a Document,
        theirs: &'a Document,
    ) -> Result<Self, Error> {
        if base.into_iter().chain([theirs]).any(|own| own.syntax != ours.syntax) {
            return Err(Error::new("only files of one format can be merged"));
        }
        let merge = Merge { base, ours, theirs, conflicts: Vec::new(), made: None };
        let (conflicts, made) = with_format!(Contents: &ours.content, own => merge.found(own))?;
        Ok(Merge { conflicts, made, ..merge })
    }

    /// Whether there are no conflicts.
    pub fn is_clean(&self) -> bool {
        self.conflicts.is_empty()
    }

    /// The places that both sides changed in different ways, in the order of the merged document.
    pub fn conflicts(&self) -> &[Conflict] {
        &self.conflicts
    }

    /// The merged document; of conflicts, the values of one side. What is merged is written in the
    /// layout of OURS.
    ///
    /// # Errors
    ///
    /// If the merged data cannot be written.
    pub fn resolve(&self, side: Side) -> Result<Document, Error> {
        self.resolve_each(&mut |_| side, &mut |_| {})
    }

    /// The same with a side for each conflict. `left_out` receives the comments of THEIRS that the
    /// merged document has no place for.
    ///
    /// # Errors
    ///
    /// If the merged data cannot be written.
    pub fn resolve_each(
        &self,
        choose: &mut dyn FnMut(&Conflict) -> Side,
        left_out: &mut dyn FnMut(&str),
    ) -> Result<Document, Error> {
        let data = with_format!(Contents: &self.ours.content, own => {
            self.merged(own, choose, left_out)
        })?;
        let bytes = match data {
            Some(data) => self.ours.with_data(data)?.into(),
            None => self.ours.bytes.clone(),
        };
        let mut settings = self.ours.settings.clone();
        if self.ours.wrapped.is_none() {
            settings.format = Some(self.ours.format());
        }
        Document::read(bytes, &settings)
    }

    /// OURS, THEIRS and BASE laid out alike, where they are not.
    fn alike<C: AsOpened>(&self, ours: &Opened<C>) -> Result<Vec<C::Content>, Error> {
        let others = [Some(self.theirs), self.base].into_iter().flatten().filter_map(C::opened);
        let all: Vec<&C::Content> =
            std::iter::once(ours).chain(others).map(|own| &own.content).collect();
        ours.codec.alike(&all)
    }

    fn walked<'d, C: AsOpened>(
        &'d self,
        ours: &'d Opened<C>,
        alike: &'d [C::Content],
        choose: &mut dyn FnMut(&Conflict) -> Side,
    ) -> Option<walk::Merged<Node<'d, C::Syntax>>> {
        let root =
            |at: usize, own: &'d Opened<C>| own.codec.root(alike.get(at).unwrap_or(&own.content));
        let theirs = root(1, C::opened(self.theirs)?);
        let base = self.base.and_then(C::opened).map(|own| root(2, own));
        let mut choose = |conflict: &Conflict| choose(conflict);
        Some(Merger::new(root(0, ours), theirs, &mut choose).root(base))
    }

    /// The conflicts, with the faults of the merged content that neither side has; and its data, where it was made to
    /// find these, and there are none.
    fn found<C: AsOpened>(
        &self,
        ours: &Opened<C>,
    ) -> Result<(Vec<Conflict>, Option<Vec<u8>>), Error> {
        let (codec, theirs) = (&ours.codec, C::opened(self.theirs));
        let mut conflicts = Vec::new();
        let alike = self.alike(ours)?;
        let merged = self.walked(ours, &alike, &mut |conflict| {
            conflicts.push(conflict.clone());
            Side::Ours
        });
        let known = [Some(ours), theirs].into_iter().flatten();
        let known: Option<Vec<_>> = known.map(|own| codec.faults(&own.content)).collect();
        let (Some(known), Some(merged)) = (known, merged) else { return Ok((conflicts, None)) };
        let own = alike.first().unwrap_or(&ours.content);
        let (merged, made) = match codec.merged(self.ours.data(), own, merged)? {
            Some(made) => made,
            None => (ours.content.clone(), self.ours.data().into()),
        };
        let unknown = || {
            let message = "the merged values cannot be looked through for faults".to_owned();
            vec![Fault { path: String::new(), message }]
        };
        let mut new = codec.faults(&merged).unwrap_or_else(unknown);
        new.retain(|fault| !known.iter().flatten().any(|known| known == fault));
        let is_told = |fault: &Fault| {
            let mut paths = conflicts.iter().map(|own| own.path.strip_prefix(&*fault.path));
            paths.any(|rest| rest.is_some_and(|rest| rest.starts_with([':', '.'])))
        };
        new.extend(codec.clashes(&alike, &merged).into_iter().filter(|fault| !is_told(fault)));
        let conflict = |Fault { path, message }| Conflict {
            path,
            name: None,
            kind: ConflictKind::Meaning,
            base: None,
            ours: None,
            theirs: None,
            message: Some(message),
        };
        conflicts.extend(new.into_iter().map(conflict));
        let made = conflicts.is_empty().then(|| made.into_vec());
        Ok((conflicts, made))
    }

    /// The data of the file that is made; `None` for that of OURS.
    fn merged<C: AsOpened>(
        &self,
        ours: &Opened<C>,
        choose: &mut dyn FnMut(&Conflict) -> Side,
        left_out: &mut dyn FnMut(&str),
    ) -> Result<Option<Vec<u8>>, Error> {
        let codec = &ours.codec;
        let mut made = match &self.made {
            Some(made) => made.clone(),
            None => {
                let alike = self.alike(ours)?;
                let own = alike.first().unwrap_or(&ours.content);
                let merged = self.walked(ours, &alike, choose).unwrap_or(walk::Merged::Ours);
                let made = codec.merged(self.ours.data(), own, merged)?;
                made.map_or_else(|| self.ours.data().to_vec(), |(_, made)| made.into_vec())
            }
        };
        if let Some(theirs) = C::opened(self.theirs) {
            let base = self.base.and_then(C::opened).map(|own| &own.content);
            made = codec.carry(base, &theirs.content, made, left_out)?;
        }
        Ok((made != self.ours.data()).then_some(made))
    }
}
