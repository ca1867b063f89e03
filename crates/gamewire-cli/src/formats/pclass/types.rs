//! The content of type lists, for people and for other programs.

pub(crate) mod command;
mod export;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use gamewire::document::count;
use gamewire::kiwi_pclass::Schema;
use gamewire::kiwi_pclass::hash::{self, Game};
use gamewire::kiwi_pclass::schema::{Class, Container, Property};
use serde_json::{Value as Json, json};

use crate::output::Drawing;

/// How much there is of what.
fn summary(schema: &Schema) -> Drawing {
    let all: Vec<&Class> = schema.classes().map(|class| &**class).collect();
    // Templates have no `class ` before them, primitive types no properties.
    let is_named = |class: &Class| {
        let is_prefixed = ["class ", "struct "].iter().any(|own| class.name().starts_with(own));
        is_prefixed || !class.properties().is_empty()
    };
    let is_own = |class: &Class| is_named(class) && !schema.is_alias(class);
    let own = all.iter().filter(|class| is_own(class)).count();
    let aliases = all.iter().filter(|class| schema.is_alias(class)).count();
    let own_all = all.iter().filter(|class| !schema.is_alias(class));
    let properties: usize = own_all.clone().map(|class| class.properties().len()).sum();
    let odd = own_all.flat_map(|class| class.properties()).filter(|own| own.oddity().is_some());
    let odd = odd.count();
    let mut text = format!(
        "{} ({} of pointers, {} other types), {}\n",
        count(own, "class"),
        count(aliases, "alias"),
        all.len() - own - aliases,
        match properties {
            1 => "1 property".to_owned(),
            many => format!("{many} properties, inherited ones included"),
        }
    );
    if odd > 0 {
        _ = writeln!(text, "{odd} of a layout that is not known");
    }
    let json = json!({
        "classes": own,
        "aliases": aliases,
        "other": all.len() - own - aliases,
        "properties": properties,
        "unsupported": odd,
    });
    Drawing { text, json }
}

/// The classes that are derived from one, in the order of the list.
pub(super) fn derived<'a>(schema: &'a Schema, class: &Class) -> Vec<&'a Class> {
    let all = schema.classes().map(|own| &**own);
    all.filter(|own| own.name() != class.name() && own.is_a(class.name()) && !schema.is_alias(own))
        .collect()
}

pub(super) fn find<'a>(schema: &'a Schema, name: &str) -> Result<&'a Class, String> {
    let prefixed = [name.to_owned(), format!("class {name}"), format!("struct {name}")];
    prefixed
        .iter()
        .find_map(|name| schema.class(name))
        .map(|class| &**class)
        .ok_or_else(|| gamewire_gen::pclass::no_class(schema, name).to_string())
}

/// A class with its properties, and what is derived from it.
fn class(schema: &Schema, name: &str) -> Result<Drawing, String> {
    let class = find(schema, name)?;
    let shown = |name: &str| name.escape_debug().to_string();
    let mut text = format!("{}  {:#010x}\n", shown(class.name()), class.hash());
    let bases: Vec<String> = class.bases().map(shown).collect();
    if !bases.is_empty() {
        _ = writeln!(text, "bases     {}", bases.join(", "));
    }
    let derived = derived(schema, class);
    if !derived.is_empty() {
        let names: Vec<String> = derived.iter().map(|own| shown(own.name())).collect();
        _ = writeln!(text, "derived   {}", names.join(", "));
    }
    for own in class.properties() {
        let list = match own.container() {
            Container::Static => String::new(),
            other => format!("  {}", other.name()),
        };
        _ = writeln!(
            text,
            "{:#010x}  {} {}{list}  flags {:#x}{}",
            own.hash(),
            shown(own.type_name()),
            shown(own.name()),
            own.flags().0,
            own.oddity().map(|why| format!("  ({})", shown(why))).unwrap_or_default(),
        );
        for (name, value) in own.options().into_iter().flat_map(|options| options.iter()) {
            _ = writeln!(text, "{:12}{} = {value}", "", shown(name));
        }
    }
    let json = json!({
        "name": class.name(),
        "hash": class.hash(),
        "bases": class.bases().collect::<Vec<_>>(),
        "derived": derived.iter().map(|own| own.name()).collect::<Vec<_>>(),
        "properties": class.properties().iter().map(property_json).collect::<Vec<_>>(),
    });
    Ok(Drawing { text, json })
}

fn property_json(own: &Property) -> Json {
    let options = own.options().map(|options| {
        options.iter().map(|(name, value)| json!([name, value])).collect::<Vec<_>>()
    });
    json!({
        "name": own.name(),
        "type": own.type_name(),
        "id": own.id(),
        "hash": own.hash(),
        "flags": own.flags().0,
        "container": own.container().name(),
        "options": options,
    })
}

/// All classes that a pattern does not leave out, with what each is derived from.
fn classes(schema: &Schema, all: impl Fn(&Class) -> bool) -> Drawing {
    let own: Vec<&Class> = schema
        .classes()
        .map(|own| &**own)
        .filter(|own| !schema.is_alias(own) && all(own))
        .collect();
    let mut text = String::new();
    for class in &own {
        let bases: Vec<&str> = class.bases().collect();
        let from = if bases.is_empty() { "" } else { "  < " };
        let (name, bases) = (class.name().escape_debug(), bases.join(" < "));
        _ = writeln!(text, "{:#010x}  {name}{from}{}", class.hash(), bases.escape_debug());
    }
    let json = own.iter().map(|own| {
        json!({
            "name": own.name(),
            "hash": own.hash(),
            "bases": own.bases().collect::<Vec<_>>(),
            "properties": own.properties().len(),
        })
    });
    Drawing { text, json: json.collect() }
}

/// The classes and properties with a hash.
fn lookup(schema: &Schema, hash: u32) -> Drawing {
    let mut text = String::new();
    let mut found: Vec<Json> = Vec::new();
    if let Some(class) = schema.class_by_hash(hash) {
        let name = class.name();
        _ = writeln!(text, "{hash:#010x}  {}", name.escape_debug());
        found.push(json!({ "hash": hash, "class": name }));
    }
    // The same property of all classes that inherit it is one line.
    let mut owners: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for class in schema.classes() {
        for own in class.properties().iter().filter(|own| own.hash() == hash) {
            owners.entry((own.type_name(), own.name())).or_default().push(class.name());
        }
    }
    for ((type_name, name), classes) in owners {
        // The one that all others are derived from stands for them.
        let first = classes
            .iter()
            .min_by_key(|name| schema.class(name).map_or(usize::MAX, |class| class.bases().len()));
        let first = first.copied().unwrap_or_default();
        let more = match classes.len() {
            1 => String::new(),
            many => format!(" and {} more", many - 1),
        };
        let [type_shown, name_shown, first] = [type_name, name, first].map(str::escape_debug);
        _ = writeln!(text, "{hash:#010x}  {type_shown} {name_shown}, of {first}{more}");
        found
            .push(json!({ "hash": hash, "type": type_name, "property": name, "classes": classes }));
    }
    if found.is_empty() {
        _ = writeln!(text, "{hash:#010x}  nobody in the list");
        found.push(json!({ "hash": hash }));
    }
    Drawing { text, json: found.into() }
}

/// The hashes of a text: of a class, and of a property if it has a type and a name.
fn hashes_of(text: &str) -> Drawing {
    let (id, djb2) = (hash::string_id(text.as_bytes()), hash::djb2(text.as_bytes()));
    let shown = text.escape_debug();
    let mut lines = format!("{id:#010x}  string id of {shown}\n{djb2:#010x}  djb2 of {shown}\n");
    let mut json = json!({ "text": text, "string_id": id, "djb2": djb2 });
    if let Some((type_name, name)) = text.rsplit_once(' ').filter(|(_, name)| !name.is_empty()) {
        for (game, label) in [(Game::Wizard101, "wizard101"), (Game::Pirate101, "pirate101")] {
            let own = game.property_hash(type_name.trim_end(), name);
            let (name, type_name) = (name.escape_debug(), type_name.trim_end().escape_debug());
            _ = writeln!(lines, "{own:#010x}  property {name} of type {type_name}, {label}");
            if let Some(object) = json.as_object_mut() {
                object.insert(format!("property_{label}"), own.into());
            }
        }
    }
    Drawing { text: lines, json }
}
