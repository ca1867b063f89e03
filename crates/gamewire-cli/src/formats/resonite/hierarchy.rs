//! The slots of a save as a picture of lines.

use std::fmt::Write as _;

use gamewire::resonite_brson::Value;
use gamewire::resonite_brson::model::{Component, SavedObject, Slot};

use crate::fault::Fault;

/// Characters of a name that are shown.
const MOST: usize = 80;

pub(super) fn show(value: &Value) -> Result<String, Fault> {
    let object = SavedObject::try_from(value.clone())?;
    let mut text = String::new();
    let count =
        |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let (slots, assets) = (object.slots().count(), object.assets().count());
    let components = object.components().count() - assets;
    let version = object.version_number().unwrap_or("without a version");
    _ = writeln!(
        text,
        "{version}: {}, {}, {}",
        count(slots, "slot"),
        count(components, "component"),
        count(assets, "asset")
    );
    // What is still to come at each level: the slot, and the line before its children.
    let mut todo: Vec<(Slot<'_>, String, String)> = Vec::new();
    if let Some(root) = object.root() {
        todo.push((root, String::new(), String::new()));
    }
    while let Some((slot, before, below)) = todo.pop() {
        _ = writeln!(text, "{before}{}", title(slot));
        let children: Vec<Slot<'_>> = slot.children().collect();
        let bar = if children.is_empty() { "  " } else { "│ " };
        for component in slot.components() {
            _ = writeln!(text, "{below}{bar}• {}", type_of(component));
        }
        let last = children.len().saturating_sub(1);
        let placed = children.into_iter().enumerate().map(|(index, child)| {
            let (branch, line) =
                if index == last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            (child, format!("{below}{branch}"), format!("{below}{line}"))
        });
        todo.extend(placed.rev());
    }
    if assets > 0 {
        text.push_str("Assets\n");
        for asset in object.assets() {
            _ = write!(text, "  • {}", type_of(asset));
            for (_, member) in asset.members() {
                if let Some(url) = member.url() {
                    _ = write!(text, "  {}", shortened(url));
                }
            }
            text.push('\n');
        }
    }
    Ok(text)
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

/// One line of harmless characters.
fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}
