//! Frames of animated sprites: what an editor saves is the one that it showed.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::text::{Owner, mentions, word};
use crate::{Result, Section, Text};

const FRAME: &str = "frame";

/// The names of nodes whose frame an animation of the file sets.
fn animated(text: &Text) -> HashSet<String> {
    let mut names = HashSet::new();
    for section in text.sections().iter().filter(|own| own.tag() == "sub_resource") {
        for found in section.properties().flat_map(|(_, raw)| mentions(raw)) {
            let path = found.text.strip_suffix(":frame").filter(|_| found.word == "NodePath");
            names.extend(path.and_then(|path| path.rsplit('/').next()).map(str::to_owned));
        }
    }
    names
}

/// The sprites with their frames.
fn frames<'t>(text: &'t Text, owners: &'t [Owner]) -> HashMap<&'t str, (usize, &'t Section)> {
    let sections = text.sections().iter().enumerate().zip(owners);
    let sprite = |((at, section), owner): ((usize, &'t Section), &'t Owner)| match owner {
        Owner::Node(path) => Some((&**path, (at, section))),
        _ => None,
    };
    sections.filter_map(sprite).collect()
}

/// Gives animated sprites of THEIRS the frames of OURS where both sides saved another one.
pub(super) fn align(ours: &Text, theirs: &mut Cow<'_, Text>, base: &Text) -> Result<()> {
    let animated = animated(ours);
    let owners = [ours, &**theirs, base].map(Text::owners);
    let [our_owners, their_owners, base_owners] = &owners;
    let (own, before) = (frames(ours, our_owners), frames(base, base_owners));
    let mut given: Vec<(usize, Option<String>)> = Vec::new();
    for (path, (at, section)) in frames(theirs, their_owners) {
        let (Some((_, own)), Some((_, before))) = (own.get(path), before.get(path)) else {
            continue;
        };
        let raw = [*own, section, *before].map(|section| section.raw(FRAME));
        let [ours, theirs, base] = raw;
        let is_sprite = word(own, "type").is_some_and(|class| class.starts_with("AnimatedSprite"));
        let name = path.rsplit('/').next().unwrap_or_default();
        let is_odd = ours != theirs && ours != base && theirs != base;
        if is_odd && (is_sprite || animated.contains(name)) {
            given.push((at, ours.map(str::to_owned)));
        }
    }
    for (at, frame) in given {
        let Some(section) = theirs.to_mut().sections_mut().get_mut(at) else { continue };
        match frame {
            Some(frame) => section.set_raw(FRAME, &frame)?,
            None => _ = section.remove(FRAME),
        }
    }
    Ok(())
}
