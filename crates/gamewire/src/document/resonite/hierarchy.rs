//! The slots of a save as a picture of lines.

use std::fmt::Write as _;

use resonite_brson::Url;

use super::node::Node;
use super::save::{Component, Member, Save, Slot};
use crate::document::drawing::{
    Drawing, Hierarchy, LineWidth, TreeOptions, as_json, draw, more, note,
};
use crate::document::error::Error;
use crate::document::json::Json;
use crate::document::words::{self, count};

/// Characters of a name that are shown.
const MAX_NAME: usize = 80;

/// Characters of an address that are shown: all of one with a hash, so that it can be typed back.
const MAX_URL: usize = 160;

pub(super) fn show(document: Node<'_>, picture: TreeOptions) -> Result<Drawing, Error> {
    let none = "expected a save with a slot under `Object`, found a document without";
    let save = Save::of(document).ok_or_else(|| Error::new(none))?;
    let (mut slots, mut components) = (0, 0);
    let mut todo = Vec::from_iter(save.root());
    while let Some(slot) = todo.pop() {
        slots += 1;
        components += slot.components().count();
        todo.extend(slot.children());
    }
    let assets: Vec<Component<'_>> = save.assets().collect();
    let version = document.get("VersionNumber").and_then(|version| version.as_str());
    let version = version.unwrap_or("without a version");
    let (slots, components) = (count(slots, "slot"), count(components, "component"));
    if picture.is_json {
        let root = save.root().and_then(|root| as_json(&mut Slots(&save), root));
        let listed: Vec<String> = assets.iter().map(|asset| type_of(&save, *asset)).collect();
        let json = Json::from([
            ("version", version.into()),
            ("root", root.into()),
            ("assets", listed.into()),
        ]);
        return Ok(Drawing { text: String::new(), json });
    }
    let page = LineWidth::wide(picture.columns).folded(picture);
    let mut text = format!("{version}: {slots}, {components}, {}\n", count(assets.len(), "asset"));
    if let Some(root) = save.root() {
        draw(&mut text, &mut Slots(&save), root, page);
    }
    if !assets.is_empty() {
        text.push_str("Assets\n");
        for asset in assets.iter().take(picture.most) {
            let mut line = type_of(&save, *asset);
            for (_, member) in asset.members() {
                let Member::Field { data, .. } = member else { continue };
                if let Some(url) = data.as_str().and_then(Url::of_stored) {
                    _ = write!(line, "  {}", words::shortened(&format!("@{url}"), MAX_URL));
                }
            }
            note(&mut text, &line, page);
        }
        if let Some(more) = more(assets.len(), picture.most, picture.see_more) {
            note(&mut text, &more, page);
        }
    }
    Ok(Drawing { text, json: Json::Null })
}

struct Slots<'s, 'a>(&'s Save<'a>);

impl<'a> Hierarchy for Slots<'_, 'a> {
    type Node = Slot<'a>;

    fn lines(&mut self, slot: Slot<'a>) -> Option<(String, Vec<String>)> {
        Some((title(slot), slot.components().map(|own| type_of(self.0, own)).collect()))
    }

    fn children(&self, slot: Slot<'a>) -> Vec<Slot<'a>> {
        slot.children().collect()
    }
}

fn title(slot: Slot<'_>) -> String {
    let mut title = shortened(slot.name().unwrap_or("(no name)"));
    if let Some(tag) = slot.tag().filter(|tag| !tag.is_empty()) {
        _ = write!(title, "  #{}", shortened(tag));
    }
    if !slot.is_active() {
        title.push_str("  (inactive)");
    }
    title
}

fn type_of<'a>(save: &Save<'a>, component: Component<'a>) -> String {
    let name = save.short_type(component).unwrap_or_else(|| "(unknown type)".to_owned());
    let off = if component.is_enabled() { "" } else { "  (disabled)" };
    format!("{}{off}", shortened(&name))
}

fn shortened(text: &str) -> String {
    words::shortened(text, MAX_NAME)
}
