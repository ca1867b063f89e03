//! Three versions of a file, in which the same things have the same names: what a merge needs.

mod frames;
mod ids;
mod nodes;
mod tracks;

pub(crate) use tracks::close_gaps;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use godot_variant::Spelling;

use crate::text::Owner;
use crate::{Options, Result, Section, Text};

/// Three versions of a file, laid out alike. What did not change is borrowed.
#[derive(Clone, Debug)]
pub struct Aligned<'t> {
    /// OURS, with what THEIRS has renamed.
    pub ours: Cow<'t, Text>,
    /// THEIRS, with the ids of OURS.
    pub theirs: Cow<'t, Text>,
    /// BASE, with the ids of OURS.
    pub base: Option<Cow<'t, Text>>,
    /// Conflicts of renames and moves: the path in OURS, and a sentence.
    pub clashes: Vec<(String, String)>,
}

/// Lays out three versions of a file alike: line ends are those of OURS, what is one resource has one id, what are two
/// has two, and nodes that one side renamed or moved have their new names in all.
///
/// External resources are known by their uid or path, others by their id, else by where they are used or by what is
/// in them; nodes by the unique ids that BASE has, else by their paths. The frame that an animated sprite showed when
/// the editor saved it is that of OURS.
///
/// # Errors
/// What is written anew cannot be read: a fault of this crate.
pub fn align<'t>(ours: &'t Text, theirs: &'t Text, base: Option<&'t Text>) -> Result<Aligned<'t>> {
    let is_crlf = ours.has_crlf();
    let ends = |text: &'t Text| text.with_line_ends(is_crlf);
    let mut ours = Cow::Borrowed(ours);
    let (mut theirs, mut base) = (ends(theirs)?, base.map(ends).transpose()?);
    let mut clashes = Vec::new();
    if ours.has_tags() && theirs.has_tags() && base.as_ref().is_none_or(|base| base.has_tags()) {
        ids::align(&ours, &mut theirs, base.as_mut())?;
        if let Some(base) = &mut base {
            nodes::align([&mut ours, &mut theirs, base], &mut clashes)?;
            frames::align(&ours, &mut theirs, base)?;
            tracks::align(&ours, &mut theirs, base)?;
        }
    }
    Ok(Aligned { ours, theirs, base, clashes })
}

/// Returns which sections of each version are not the same in all, or stand beside such a one, by their numbers. All
/// where those that are the same have another order.
pub fn differing<const N: usize>(all: [&Text; N]) -> [Vec<bool>; N] {
    let owners = all.map(Text::owners);
    let sections: [Vec<(&Owner, &str)>; N] = std::array::from_fn(|own| {
        let (owners, text) = (owners.get(own), all.get(own));
        let texts = text.into_iter().flat_map(|text| text.sections()).map(Section::as_str);
        owners.into_iter().flatten().zip(texts).collect()
    });
    let shared = |own: &(&Owner, &str)| !matches!(own.0, Owner::Start | Owner::Head(_));
    let mut counts: HashMap<(&Owner, &str), usize> = HashMap::new();
    // Two sections of one thing in one version.
    let mut doubled: HashSet<&Owner> = HashSet::new();
    for version in &sections {
        let mut names = HashSet::new();
        for own in version.iter().filter(|own| shared(own)) {
            let count = counts.entry(*own).or_default();
            *count = count.saturating_add(1);
            doubled.extend((!names.insert(own.0)).then_some(own.0));
        }
    }
    let is_same = |own: &(&Owner, &str)| counts.get(own) == Some(&N) && !doubled.contains(own.0);
    let mut orders = sections.iter().map(|own| own.iter().filter(|own| is_same(own)));
    let first = orders.next();
    let is_in_order = orders.all(|own| first.clone().is_some_and(|first| first.eq(own)));
    let mut beside: HashSet<(&Owner, &str)> = HashSet::new();
    for version in &sections {
        for pair in version.windows(2) {
            if let [a, b] = pair
                && is_same(a) != is_same(b)
            {
                beside.extend([*a, *b]);
            }
        }
    }
    sections.each_ref().map(|version| {
        let is_in = |own: &(&Owner, &str)| !is_in_order || !is_same(own) || beside.contains(own);
        version.iter().map(is_in).collect()
    })
}

impl Text {
    fn with_line_ends(&self, is_crlf: bool) -> Result<Cow<'_, Text>> {
        if self.has_crlf() == is_crlf {
            return Ok(Cow::Borrowed(self));
        }
        let text = self.to_string().replace("\r\n", "\n");
        let text = if is_crlf { text.replace('\n', "\r\n") } else { text };
        self.parse_alike(&text).map(Cow::Owned)
    }

    /// The text with sections that are written anew; `None` where all stay.
    fn rewritten(
        &self,
        mut to: impl FnMut(usize, &Section) -> Result<Option<String>>,
    ) -> Result<Option<Text>> {
        let sections = self.sections().iter().enumerate();
        let new: Vec<Option<String>> =
            sections.map(|(at, section)| to(at, section)).collect::<Result<_>>()?;
        if new.iter().all(Option::is_none) {
            return Ok(None);
        }
        let mut text = String::new();
        for (section, new) in self.sections().iter().zip(&new) {
            text.push_str(new.as_deref().unwrap_or(section.as_str()));
        }
        self.parse_alike(&text).map(Some)
    }

    /// Reads another text as this one was read.
    fn parse_alike(&self, text: &str) -> Result<Text> {
        let style = self.sections().first().map(Section::own_style).unwrap_or_default();
        let is_exact = style.spelling == Spelling::Exact;
        Options::new().max_alloc(usize::MAX).exact(is_exact).parse(text)
    }
}
