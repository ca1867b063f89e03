//! Mends what can be mended without a loss.

use std::collections::{BTreeSet, HashMap};

use super::finding::{Finding, Fix};
use super::{each_reference, id_of};
use crate::project::{join, text_of};
use crate::{Section, Text};
use godot_variant::types::NodePath;
use godot_variant::value::Reference;

/// Mends what is fixable of findings, which must be of these bytes.
pub fn fix(bytes: &[u8], findings: &[Finding]) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(bytes) else { return bytes.to_owned() };
    let fixes: Vec<&Fix> = findings.iter().filter_map(|own| own.fix.as_ref()).collect();
    let mut text = text.to_owned();
    if let Ok(mut parsed) = Text::parse(&text) {
        in_sections(&mut parsed, &fixes);
        text = parsed.to_string();
    }
    for fix in fixes {
        match fix {
            Fix::ByteOrderMark => {
                text = text.strip_prefix(Text::BOM).map(str::to_owned).unwrap_or(text);
            }
            Fix::LineEnds => text = text.replace("\r\n", "\n"),
            Fix::Text(old, new) => text = text.replacen(old, new, 1),
            _ => {}
        }
    }
    text.into_bytes()
}

/// How far up a parent is looked for.
const MOST_UPS: usize = 1 << 10;

fn in_sections(text: &mut Text, fixes: &[&Fix]) {
    let (mut properties, mut gone, mut is_disordered) = (BTreeSet::new(), BTreeSet::new(), false);
    for fix in fixes {
        match fix {
            Fix::Field(number, name, value) => {
                if let Some(section) = text.sections_mut().get_mut(*number) {
                    let set = section.set_field(name, &value.as_str().into());
                    debug_assert!(set.is_ok(), "{set:?}");
                }
            }
            Fix::Property(number, place) => _ = properties.insert((*number, *place)),
            Fix::Section(number) => _ = gone.insert(*number),
            Fix::Order => is_disordered = true,
            _ => {}
        }
    }
    // From behind, so that places stay true.
    for (number, place) in properties.into_iter().rev() {
        if let Some(section) = text.sections_mut().get_mut(number) {
            section.remove_at(place);
        }
    }
    for number in gone.into_iter().rev().filter(|number| *number > 1) {
        text.sections_mut().remove(number);
    }
    if is_disordered {
        text.put_in_order();
    }
}

impl Text {
    /// Puts sections into an order in which engines load them: files, resources before what uses them, nodes after
    /// their parents. What need not move stays.
    pub fn put_in_order(&mut self) {
        let sections = self.sections();
        let rank = |number: usize, tag: &str| match tag {
            _ if number < 2 => 0,
            "ext_resource" => 1,
            "sub_resource" => 2,
            _ => 3,
        };
        let tags = sections.iter().map(Section::tag).enumerate();
        let mut ranked: Vec<(i32, usize)> =
            tags.map(|(number, tag)| (rank(number, tag), number)).collect();
        ranked.sort_unstable();
        let mut ids: HashMap<String, usize> = HashMap::new();
        let mut nodes: HashMap<String, usize> = HashMap::new();
        for (number, section) in sections.iter().enumerate() {
            match section.tag() {
                "sub_resource" => ids.extend(id_of(section).map(|id| (id, number))),
                "node" => _ = nodes.entry(node_path(section)).or_insert(number),
                _ => {}
            }
        }
        let needs = sections.iter().map(|section| match section.tag() {
            "sub_resource" => {
                let mut all = Vec::new();
                for (_, value) in section.values() {
                    each_reference(&value, &mut |reference| {
                        if let Reference::Internal(id) = reference {
                            all.extend(ids.get(id.as_str()).copied());
                        }
                    });
                }
                all
            }
            "node" => {
                let path = node_path(section);
                let ups =
                    std::iter::successors(Some(&*path), |path| Some(path.rsplit_once('/')?.0));
                // Those that are not in the file are in an instance, of which none is so deep.
                let mut ups = ups.skip(1).take(MOST_UPS).filter_map(|up| nodes.get(up));
                ups.next().copied().into_iter().collect()
            }
            _ => Vec::new(),
        });
        let needs: Vec<Vec<usize>> = needs.collect();
        let order = after_needs(ranked.into_iter().map(|(_, number)| number), needs);
        self.rearrange(&(0..order.len()).collect::<Vec<_>>(), order);
    }
}

/// The path of a node, with a slash before all names.
fn node_path(section: &Section) -> String {
    let field = |name| section.field(name);
    let text = |name| field(name).and_then(|own| own.as_str().map(str::to_owned));
    match text("parent") {
        None => String::new(),
        Some(parent) => {
            let parent = text_of(&NodePath::new(&parent));
            ["/", &join(&parent, &text("name").unwrap_or_default())].concat()
        }
    }
}

/// Places in an order, but each after those that it needs.
fn after_needs(wanted: impl Iterator<Item = usize>, needs: Vec<Vec<usize>>) -> Vec<usize> {
    let mut met = vec![false; needs.len()];
    let mut order = Vec::with_capacity(needs.len());
    let mut left: Vec<_> = needs.into_iter().map(Vec::into_iter).collect();
    let mut meet =
        |place: usize| met.get_mut(place).is_some_and(|met| !std::mem::replace(met, true));
    for first in wanted {
        let mut open: Vec<usize> = Some(first).filter(|first| meet(*first)).into_iter().collect();
        while let Some(place) = open.last().copied() {
            match left.get_mut(place).and_then(Iterator::next) {
                Some(next) => open.extend(Some(next).filter(|next| meet(*next))),
                None => {
                    order.push(place);
                    open.pop();
                }
            }
        }
    }
    order
}
