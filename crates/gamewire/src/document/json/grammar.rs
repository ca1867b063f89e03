//! JSON text as it stands in the bytes, with comments where the format has some. The comma before a child
//! belongs to it, and goes or comes with the one before.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

use gamewire_core::bytes::part;
use gamewire_core::gap::{Gap, blank, blank_end, ends_line, gap_end, has_comment};

use super::layout::{Spread, Style, indent};
use super::tokens::{Strings, is_same, leaf_end, missing, value_end};
use super::values::JsonText;
use crate::document::error::Error;
use crate::document::ranges::{
    Around, Body, Bytes, Change, Child, Extent, Grammar, Key, Listed, NewKey, Next, Open, Opened,
    Out, Piece, Place, RangeNode, Source, Stays,
};

/// The text of a file, and how it is laid out.
#[derive(Clone)]
pub(in crate::document) struct TextBody {
    pub(in crate::document) body: Body,
    pub(in crate::document) style: Style,
}

impl TextBody {
    /// Scans a text that was found valid, with what a grammar of JSON has.
    pub(in crate::document) fn scan<'g, G>(
        grammar: &'g G,
        bytes: Bytes,
        style: &'g Style,
    ) -> Result<Body, Error>
    where
        G: Grammar<Context<'g> = &'g Style>,
    {
        let first = blank_end(&bytes, 0);
        Body::scan(grammar, bytes, first, style)
    }
}

/// How far the listing of a container has come.
#[derive(Clone)]
pub(in crate::document) struct State<'g> {
    /// Where the bracket stands that begins it.
    start: usize,
    is_object: bool,
    style: &'g Style,
}

/// [`Grammar::open`]
#[inline]
pub(in crate::document) fn open<'g>(
    bytes: &[u8],
    at: usize,
    style: &'g Style,
) -> Result<Opened<State<'g>>, Error> {
    let (is_object, first) = match bytes.get(at) {
        _ if style.of_line().is_some() => (false, at),
        Some(b'{') => (true, at + 1),
        Some(b'[') => (false, at + 1),
        _ => return leaf_end(bytes, at).map(Opened::Leaf),
    };
    let open = Open::new(State { start: at, is_object, style }, first);
    Ok(Opened::Container(Open { is_list: !is_object, ..open }))
}

/// [`Grammar::next`]
#[inline]
pub(in crate::document) fn next<'b, 'g>(
    bytes: &'b [u8],
    state: &State<'g>,
    at: usize,
) -> Result<Next<'b, &'g Style>, Error> {
    let start = gap_end(bytes, at);
    let context = match state.style.of_line() {
        None => state.style,
        Some(_) if start == bytes.len() => return Ok(Next::End(start)),
        Some(line) => line,
    };
    let (key, start) = match bytes.get(start) {
        Some(b'}' | b']') if state.style.of_line().is_none() => return Ok(Next::End(start + 1)),
        _ if !state.is_object => (Key::Position, start),
        _ => {
            let end = leaf_end(bytes, start)?;
            let colon = blank_end(bytes, end);
            if bytes.get(colon) != Some(&b':') {
                return Err(missing("`:`", bytes, colon));
            }
            (Key::Bytes(part(bytes, start..end)), blank_end(bytes, colon + 1))
        }
    };
    Ok(Next::Child(Child { key, entry: at, start, end: None, context }))
}

/// [`Grammar::mend`]
pub(in crate::document) fn mend<'g>(
    strings: &impl Strings,
    out: &mut Out,
    around: Around<'_, &'g Style, State<'g>>,
) -> Result<(), Error> {
    match around {
        Around::Begin { bytes, extent, first, .. } => {
            // Where the gap after the first child is kept, once that is asked.
            out.marks.push((usize::MAX, 0));
            out.bytes.extend_from_slice(part(bytes, extent.start..first));
        }
        Around::Lead { bytes, old: Some(old), is_kept: true, .. } => {
            out.bytes.extend_from_slice(part(bytes, old));
        }
        // A value has a line of its own; what stands before it has no comma.
        Around::Lead { bytes, state, at, old, .. } if state.style.of_line().is_some() => {
            let blank = part(bytes, old.unwrap_or_default());
            let blank = match at {
                0 => blank.trim_ascii_start(),
                _ if blank.contains(&b'\n') => blank,
                _ => state.style.line_end(),
            };
            out.bytes.extend_from_slice(blank);
        }
        Around::End { bytes, state, tail, .. } if state.style.of_line().is_some() => {
            out.bytes.extend_from_slice(part(bytes, tail));
            out.marks.pop();
        }
        Around::Lead { bytes, state, key, at, old, after, .. } => {
            let mut mender = Mender { bytes, state, out, is_after_line: false };
            mender.end_child(at, after, true);
            let space = mender.space_before(at, old.as_ref().map(|old| old.start))?;
            mender.put_space(&space);
            match (old, key) {
                (Some(old), _) => {
                    let start = gap_end(bytes, old.start);
                    out.bytes.extend_from_slice(part(bytes, start..old.end));
                }
                (None, Key::Bytes(name)) => {
                    out.bytes.extend_from_slice(&strings.spelled(name)?);
                    out.bytes.extend_from_slice(state.style.colon());
                }
                (None, _) => {}
            }
        }
        Around::End { bytes, state, last, tail, after } => {
            let is_empty = last.is_none() && tail.start == state.start + 1;
            if is_empty || after == Some(tail.start) {
                out.bytes.extend_from_slice(part(bytes, tail));
            } else {
                let mut mender = Mender { bytes, state, out, is_after_line: false };
                mender.end(last.is_some(), tail.start, after);
                out.bytes.push(if state.is_object { b'}' } else { b']' });
            }
            out.marks.pop();
        }
        Around::Trail { .. } => {}
        Around::Moved { .. } => debug_assert!(false, "text stands at whole bytes"),
    }
    Ok(())
}

/// [`Grammar::lay_out`]
pub(in crate::document) fn lay_out<'g>(
    strings: &impl Strings,
    out: &mut Out,
    (new, start): (&[u8], usize),
    bytes: &[u8],
    place: Place<'_, &'g Style, State<'g>>,
) -> Result<(), Error> {
    let (style, spread) = match place {
        Place::Of(old) => {
            let style = old.context;
            (style, style.spread(indent(bytes, old.start, &mut out.line)))
        }
        Place::In(state) if let Some(line) = state.style.of_line() => (line, Spread::Inline),
        Place::In(state) => {
            let mut mender = Mender { bytes, state, out, is_after_line: false };
            (state.style, mender.spread())
        }
    };
    style.lay_out(&mut out.bytes, (new, start), strings, &spread)
}

/// Writes what stands around the children of a container.
struct Mender<'m, 'p, 'g> {
    bytes: &'p [u8],
    state: &'m State<'g>,
    out: &'m mut Out,
    /// Whether comments were written that end the line.
    is_after_line: bool,
}

impl<'p> Mender<'_, 'p, '_> {
    fn put(&mut self, text: &[u8]) {
        self.out.bytes.extend_from_slice(text);
    }

    /// Where what stands before the first child begins.
    fn inside(&self) -> usize {
        self.state.start + 1
    }

    /// Where the first child began, if there was one.
    fn first(&self) -> Option<usize> {
        let first = gap_end(self.bytes, self.inside());
        (!matches!(self.bytes.get(first), Some(b'}' | b']'))).then_some(first)
    }

    fn indent(&mut self, at: usize) -> &'p [u8] {
        indent(self.bytes, at, &mut self.out.line)
    }

    /// How a new child is laid out.
    fn spread(&mut self) -> Spread {
        match self.first() {
            Some(first) => match part(self.bytes, self.state.start..first).contains(&b'\n') {
                true => Spread::Lines(self.indent(first).to_vec()),
                false => Spread::Inline,
            },
            None => self.state.style.spread_inside(self.indent(self.state.start)),
        }
    }

    /// The space between new children.
    fn between(&mut self, spread: &Spread) -> Result<Vec<u8>, Error> {
        if let Spread::Lines(indent) = spread {
            return Ok(self.state.style.line(indent));
        }
        // As between the first two.
        let Some(first) = self.first() else { return Ok(self.state.style.space().to_vec()) };
        let known = self.out.marks.last().copied().filter(|mark| mark.0 == self.state.start);
        let end = match known {
            Some((_, end)) => end,
            None => {
                let value = match self.state.is_object {
                    true => blank_end(
                        self.bytes,
                        blank_end(self.bytes, leaf_end(self.bytes, first)?) + 1,
                    ),
                    false => first,
                };
                let end = value_end(self.bytes, value)?;
                if let Some(mark) = self.out.marks.last_mut() {
                    *mark = (self.state.start, end);
                }
                end
            }
        };
        let gap_end = gap_end(self.bytes, end);
        let gap = part(self.bytes, end..gap_end);
        let is_only = matches!(self.bytes.get(gap_end), Some(b'}' | b']'));
        Ok(match is_only || has_comment(gap) {
            true => self.state.style.space().to_vec(),
            false => gap.iter().copied().filter(|byte| *byte != b',').collect(),
        })
    }

    /// Writes what the last child that was written owns behind it, and the comma; before the first child, what the
    /// bracket owns.
    fn end_child(&mut self, at: usize, after: Option<usize>, has_comma: bool) {
        let gap = match (at, after) {
            (0, _) => Some(self.inside()),
            (_, after) => after,
        };
        let gap = gap.map(|gap| Gap::at(self.bytes, gap));
        if at > 0 {
            self.put(gap.map_or(&[], |gap| gap.after));
            self.put(if has_comma { b"," } else { b"" });
        }
        let line = gap.map_or(&[][..], |gap| gap.line);
        self.is_after_line = !line.is_empty();
        self.put(line);
    }

    /// Writes space, on a new line where comments end the one before.
    fn put_space(&mut self, space: &[u8]) {
        if std::mem::take(&mut self.is_after_line) && !ends_line(space) {
            let alone = self.alone();
            self.put(&alone);
        }
        self.put(space);
    }

    /// A new line as far in as the container.
    fn alone(&mut self) -> Vec<u8> {
        let indent = self.indent(self.state.start);
        self.state.style.line(indent)
    }

    /// The space before a child; of an old one, with the offset where the gap before it begins.
    fn space_before(&mut self, at: usize, old: Option<usize>) -> Result<Vec<u8>, Error> {
        let first = Gap::at(self.bytes, self.inside()).rest;
        let is_first = old == Some(self.inside());
        let spread = self.spread();
        Ok(match (at, old) {
            (0, Some(_)) if is_first => first.to_vec(),
            (0, None) if self.first().is_none() => match (has_comment(first), &spread) {
                (true, _) => [first.trim_ascii_end(), &self.between(&spread)?].concat(),
                (false, Spread::Lines(_)) => self.between(&spread)?,
                (false, Spread::Inline) => Vec::new(),
            },
            (0, None) => blank(first),
            (_, None) => self.between(&spread)?,
            (at, Some(gap)) => match Gap::at(self.bytes, gap).rest {
                space if has_comment(space) || (at > 0 && !is_first) => space.to_vec(),
                _ if at == 0 => blank(first),
                _ => self.between(&spread)?,
            },
        })
    }

    /// Writes what stands before the bracket at the end; `tail` is where the last old child ended.
    fn end(&mut self, has_children: bool, tail: usize, after: Option<usize>) {
        let was_empty = tail == self.inside();
        let last = Gap::at(self.bytes, tail);
        self.end_child(usize::from(has_children), after, last.has_comma);
        if !has_children {
            if has_comment(last.rest) {
                self.put_space(last.rest);
            } else if self.is_after_line {
                let alone = self.alone();
                self.put_space(&alone);
            }
        } else if !was_empty {
            self.put_space(last.rest);
        } else if let Spread::Lines(_) = self.spread() {
            let alone = self.alone();
            self.put_space(&alone);
        }
    }
}

/// [`Grammar::stays`]: members by their names, elements by what they are, then in order.
pub(in crate::document) fn stays<'g, G: Grammar>(
    strings: &impl Strings,
    old: &RangeNode<'g, G>,
    new: &RangeNode<'g, G>,
) -> Stays<'g, G> {
    let (Some(was), Some(is)) = (old.open(), new.open()) else {
        let same = is_same(strings, at(old), at(new));
        return if let Ok(true) = same { Stays::All } else { Stays::Nothing };
    };
    if was.is_list != is.is_list {
        return Stays::Nothing;
    }
    let (own, others): (Vec<_>, Vec<_>) = (old.list().collect(), new.list().collect());
    let plan = match was.is_list {
        true => elements(strings, &own, &others),
        false => match members(strings, &own, &others) {
            Ok(plan) => plan,
            Err(_) => return Stays::Nothing,
        },
    };
    let source = |(old, (child, new)): (Option<usize>, Listed<'g, G>)| match old {
        Some(old) => Source::Own(old, Change::Value(Piece::Of(new))),
        None => Source::New(NewKey::from(child.key), Piece::Of(new)),
    };
    Stays::Children(plan.into_iter().zip(others).map(source).collect())
}

fn at<'g, G: Grammar>(node: &RangeNode<'g, G>) -> (&'g [u8], usize) {
    (node.all_bytes(), node.extent.start)
}

/// For each new member, the old one of its name.
fn members<G: Grammar>(
    strings: &impl Strings,
    old: &[Listed<'_, G>],
    new: &[Listed<'_, G>],
) -> Result<Vec<Option<usize>>, Error> {
    let name = |(child, _): &Listed<'_, G>| match child.key {
        Key::Bytes(name) => strings.spelled(name).map(Cow::into_owned),
        _ => Ok(Vec::new()),
    };
    let mut places: HashMap<Vec<u8>, VecDeque<usize>> = HashMap::with_capacity(old.len());
    for (at, own) in old.iter().enumerate() {
        places.entry(name(own)?).or_default().push_back(at);
    }
    let mut find = |own| Ok(places.get_mut(&name(own)?).and_then(VecDeque::pop_front));
    new.iter().map(&mut find).collect()
}

/// For each new element, the old one that it is: as many as before are in their places; else equal ones at both ends, then equal ones anywhere between, as far as
/// the search is cheap, then the rest in order.
fn elements<G: Grammar>(
    strings: &impl Strings,
    old: &[Listed<'_, G>],
    new: &[Listed<'_, G>],
) -> Vec<Option<usize>> {
    const MAX_PAIRS: usize = 1 << 12;
    if old.len() == new.len() {
        return (0..old.len()).map(Some).collect();
    }
    let same = |((_, own), (_, other)): &(&Listed<'_, G>, &Listed<'_, G>)| {
        matches!(is_same(strings, at(own), at(other)), Ok(true))
    };
    let head = old.iter().zip(new).take_while(same).count();
    let rest = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(same).count();
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    let mut plan: Vec<Option<usize>> = (0..head).map(Some).collect();
    plan.resize(new_end, None);
    let mut left: Vec<usize> = (head..old_end).collect();
    if left.len().saturating_mul(new_end - head) <= MAX_PAIRS {
        for (which, other) in plan.iter_mut().zip(new).skip(head) {
            let is_own = |at: &usize| old.get(*at).is_some_and(|own| same(&(own, other)));
            if let Some(found) = left.iter().position(is_own) {
                *which = Some(left.remove(found));
            }
        }
    }
    let open = plan.iter_mut().filter(|which| which.is_none());
    open.zip(left).for_each(|(which, old)| *which = Some(old));
    plan.extend((old_end..old.len()).map(Some));
    plan
}

/// The JSON of an engine is a grammar, with the engine's strings.
impl<J: JsonText> Grammar for J {
    const HAS_LAYOUT: bool = true;

    type Error = Error;
    type Context<'g> = &'g Style;
    type State<'g> = State<'g>;

    #[inline]
    fn open<'g>(
        &'g self,
        bytes: &[u8],
        at: usize,
        style: &'g Style,
    ) -> Result<Opened<State<'g>>, Error> {
        open(bytes, at, style)
    }

    #[inline]
    fn next<'g, 'b>(
        &'g self,
        bytes: &'b [u8],
        state: &mut State<'g>,
        at: usize,
    ) -> Result<Next<'b, &'g Style>, Error> {
        next(bytes, state, at)
    }

    fn pass(&self, state: &mut State<'_>, _: usize) -> bool {
        state.style.of_line().is_none()
    }

    fn mend<'g>(
        &'g self,
        out: &mut Out,
        around: Around<'_, &'g Style, State<'g>>,
    ) -> Result<(), Error> {
        mend(self, out, around)
    }

    fn lay_out<'g>(
        &'g self,
        out: &mut Out,
        (new, extent): (&[u8], Extent<&'g Style>),
        bytes: &[u8],
        place: Place<'_, &'g Style, State<'g>>,
    ) -> Result<(), Error> {
        lay_out(self, out, (new, extent.start), bytes, place)
    }

    fn stays<'g>(
        &'g self,
        old: &RangeNode<'g, Self>,
        new: &RangeNode<'g, Self>,
    ) -> Stays<'g, Self> {
        stays(self, old, new)
    }

    /// The same text is the same value, however it is laid out.
    fn reads_alike<'g>(&'g self, _: &'g Style, _: &'g Style) -> bool {
        true
    }
}
