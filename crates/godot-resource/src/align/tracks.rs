//! Tracks of animations, whose properties are named by their position: `tracks/3/keys`.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::text::Owner;
use crate::{Result, Section, Text};

/// The lists whose elements properties name by their positions.
const LISTS: [&str; 1] = ["tracks/"];

/// A property of a track: the list, the position, the rest.
fn parts(name: &str) -> Option<(&'static str, usize, &str)> {
    let list = LISTS.into_iter().find(|list| name.starts_with(list))?;
    let (at, rest) = name.get(list.len()..)?.split_once('/')?;
    Some((list, at.parse().ok()?, rest))
}

/// The identity of a track: its type and path, and how many such stand before it.
type Identity = (String, String, usize);

/// The identities of the tracks of an animation, by their positions.
fn identities(section: &Section) -> Vec<(usize, Identity)> {
    let mut facts: Vec<(usize, [String; 2])> = Vec::new();
    for (name, raw) in section.properties() {
        let Some((_, at, rest)) = parts(name) else { continue };
        if facts.last().is_none_or(|(last, _)| *last != at) {
            facts.push((at, Default::default()));
        }
        let Some((_, [class, path])) = facts.last_mut() else { continue };
        match rest {
            "type" => raw.clone_into(class),
            "path" => raw.clone_into(path),
            _ => {}
        }
    }
    let mut counts: HashMap<[String; 2], usize> = HashMap::new();
    let identity = |(at, own): (usize, [String; 2])| {
        let count = counts.entry(own.clone()).or_default();
        let number = *count;
        *count = count.saturating_add(1);
        let [class, path] = own;
        (at, (class, path, number))
    };
    facts.into_iter().map(identity).collect()
}

/// Gives tracks of THEIRS and BASE the positions that they have in OURS, and new ones positions behind these.
pub(super) fn align<'t>(
    ours: &Text,
    theirs: &mut Cow<'t, Text>,
    base: &mut Cow<'t, Text>,
) -> Result<()> {
    let mut known: HashMap<String, HashMap<Identity, usize>> = HashMap::new();
    for (section, owner) in ours.sections().iter().zip(ours.owners()) {
        if let Owner::Internal(id) = owner {
            let all = identities(section);
            if !all.is_empty() {
                known.insert(id, all.into_iter().map(|(at, own)| (own, at)).collect());
            }
        }
    }
    if known.is_empty() {
        return Ok(());
    }
    for text in [base, theirs] {
        let owners = text.owners();
        let changed = text.rewritten(|at, section| {
            let Some(Owner::Internal(id)) = owners.get(at) else { return Ok(None) };
            let Some(places) = known.get_mut(id) else { return Ok(None) };
            let mut to: HashMap<usize, usize> = HashMap::new();
            let mut next = places.values().max().map_or(0, |last| last.saturating_add(1));
            for (at, identity) in identities(section) {
                let place = *places.entry(identity).or_insert(next);
                next = next.max(place.saturating_add(1));
                to.insert(at, place);
            }
            renumbered(section, &to)
        })?;
        if let Some(changed) = changed {
            *text = Cow::Owned(changed);
        }
    }
    Ok(())
}

/// The text of an animation with its tracks at other positions; `None` where all stay.
fn renumbered(section: &Section, to: &HashMap<usize, usize>) -> Result<Option<String>> {
    if to.iter().all(|(old, new)| old == new) {
        return Ok(None);
    }
    let mut made = section.clone();
    let moved: Vec<(String, String)> = section
        .properties()
        .filter_map(|(name, raw)| {
            let (list, at, rest) = parts(name)?;
            let new = to.get(&at)?;
            Some((format!("{list}{new}/{rest}"), raw.to_owned()))
        })
        .collect();
    let names: Vec<String> = section
        .properties()
        .filter(|(name, _)| parts(name).is_some())
        .map(|(name, _)| name.to_owned())
        .collect();
    names.iter().for_each(|name| _ = made.remove(name));
    for (name, raw) in moved {
        made.set_raw(&name, &raw)?;
    }
    Ok(Some(made.as_str().to_owned()))
}

/// Gives the tracks of each animation positions without gaps, in their order.
pub(crate) fn close_gaps(section: &mut Section) -> Result<()> {
    let mut to: HashMap<usize, usize> = HashMap::new();
    for (name, _) in section.properties() {
        if let Some((_, at, _)) = parts(name) {
            let next = to.len();
            to.entry(at).or_insert(next);
        }
    }
    if let Some(text) = renumbered(section, &to)? {
        let style = section.own_style();
        *section = Section::parse(&text)?;
        section.style(style);
    }
    Ok(())
}
