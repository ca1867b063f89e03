//! The slots of a save as a picture of lines.

use std::fmt::Write as _;

use resonite_brson::Value;
use resonite_brson::model::{Component, SavedObject, Slot};
use serde_json::json;

use crate::document::drawing::{Drawing, Hierarchy, Page, Picture, as_json, draw, more, note};
use crate::document::error::Error;
use crate::document::words::{self, count};

/// Characters of a name that are shown.
const MAX_NAME: usize = 80;

/// Characters of an address that are shown: all of one with a hash, so that it can be typed back.
const MAX_URL: usize = 160;

pub(super) fn show(value: Value, picture: Picture) -> Result<Drawing, Error> {
    let object = SavedObject::try_from(value)?;
    let (slots, assets) = (object.slots().count(), object.assets().count());
    let components = object.components().count() - assets;
    let version = object.version_number().unwrap_or("without a version");
    let (slots, components) = (count(slots, "slot"), count(components, "component"));
    let slots_of = || Slots(std::marker::PhantomData);
    if picture.is_json {
        let root = object.root().and_then(|root| as_json(&mut slots_of(), root));
        let listed: Vec<String> = object.assets().map(type_of).collect();
        let json = json!({ "version": version, "root": root, "assets": listed });
        return Ok(Drawing { text: String::new(), json });
    }
    let page = Page::wide(picture.columns).folded(picture.most);
    let mut text = format!("{version}: {slots}, {components}, {}\n", count(assets, "asset"));
    if let Some(root) = object.root() {
        draw(&mut text, &mut slots_of(), root, page);
    }
    if assets > 0 {
        text.push_str("Assets\n");
        for asset in object.assets().take(picture.most) {
            let mut line = type_of(asset);
            for (_, member) in asset.members() {
                if let Some(url) = member.url() {
                    _ = write!(line, "  {}", words::shortened(&format!("@{url}"), MAX_URL));
                }
            }
            note(&mut text, &line, page);
        }
        if let Some(more) = more(assets, picture.most) {
            note(&mut text, &more, page);
        }
    }
    Ok(Drawing { text, json: json!(null) })
}

struct Slots<'a>(std::marker::PhantomData<Slot<'a>>);

impl<'a> Hierarchy for Slots<'a> {
    type Node = Slot<'a>;

    fn lines(&mut self, slot: Slot<'a>) -> Option<(String, Vec<String>)> {
        Some((title(slot), slot.components().map(type_of).collect()))
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

fn type_of(component: Component<'_>) -> String {
    let name = match component.parsed_type() {
        Ok(name) => name.short().to_string(),
        Err(_) => component.type_name().unwrap_or("(unknown type)").to_owned(),
    };
    let off = if component.is_enabled() { "" } else { "  (disabled)" };
    format!("{}{off}", shortened(&name))
}

fn shortened(text: &str) -> String {
    words::shortened(text, MAX_NAME)
}
