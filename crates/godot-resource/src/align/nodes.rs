//! Nodes that one side renamed or moved: all versions have them where the result has them.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use godot_variant::Value;
use godot_variant::types::{GString, NodePath};

use crate::project::{Anchored, relative};
use crate::text::{Mention, Owner, joined, mentions, replaced, word};
use crate::{Result, Section, Text};

/// A node of one version.
#[derive(Clone, Debug)]
struct Known {
    path: String,
    /// The unique id, with that of the instance around it.
    id: Option<(i64, i64)>,
}

/// The nodes of a version by their sections; `None` for other sections.
fn known(text: &Text) -> Vec<Option<Known>> {
    let mut all: Vec<Option<Known>> = Vec::new();
    let mut instances: HashMap<String, i64> = HashMap::new();
    let mut counts: HashMap<(i64, i64), usize> = HashMap::new();
    for (section, owner) in text.sections().iter().zip(text.owners()) {
        let Owner::Node(path) = owner else {
            all.push(None);
            continue;
        };
        let unique = section.field("unique_id").and_then(|id| id.as_i64());
        let around = ancestors(&path).find_map(|above| instances.get(above)).copied();
        if section.field("instance").is_some() {
            instances.insert(path.clone(), unique.unwrap_or_default());
        }
        let id = unique.map(|id| (id, around.unwrap_or_default()));
        id.into_iter().for_each(|id| {
            let count = counts.entry(id).or_default();
            *count = count.saturating_add(1);
        });
        all.push(Some(Known { path, id }));
    }
    for own in all.iter_mut().flatten() {
        own.id = own.id.filter(|id| counts.get(id) == Some(&1));
    }
    all
}

/// The paths above a path, the innermost first.
fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(path.rsplit_once('/'), |(above, _)| above.rsplit_once('/'))
        .map(|(above, _)| above)
}

/// Where a node stands in OURS, THEIRS and BASE.
type Shared = [Option<Place>; 3];

/// The numbers of nodes by their paths, in one version.
type Numbers = HashMap<String, usize>;

/// Gives nodes the names and parents that they have in the result.
pub(super) fn align(
    [ours, theirs, base]: [&mut Cow<'_, Text>; 3],
    clashes: &mut Vec<(String, String)>,
) -> Result<()> {
    let lists = [known(ours), known(theirs), known(base)];
    let (all, numbers) = share(&lists);
    let paths = merged(&all, clashes).filter(|paths| is_apart(paths, &numbers));
    let [our_nodes, their_nodes, _] = &lists;
    let Some(paths) = paths else {
        // Then nothing is carried: what came of one node are two.
        return with_first_ids(theirs, base, our_nodes, their_nodes, ours);
    };
    let is_same = |(numbers, own): (&Numbers, &Vec<Option<Known>>)| {
        own.iter().flatten().all(|own| {
            let number = numbers.get(&own.path);
            let path = number.and_then(|number| paths.get(*number));
            path.is_none_or(|path| *path == own.path)
        })
    };
    for (text, (numbers, own)) in
        [&mut *ours, &mut *theirs, &mut *base].into_iter().zip(numbers.iter().zip(&lists))
    {
        if !is_same((numbers, own)) {
            let renamer = Renamer { numbers, paths: &paths, text, unique: unique(text) };
            *text = Cow::Owned(renamer.rewritten()?);
        }
    }
    let lists = [known(ours), known(theirs)];
    let [our_nodes, their_nodes] = &lists;
    with_first_ids(theirs, base, our_nodes, their_nodes, ours)
}

/// Whether no two nodes of one version would have one path.
fn is_apart(paths: &[String], numbers: &[Numbers; 3]) -> bool {
    numbers.iter().all(|numbers| {
        let mut seen = HashSet::new();
        numbers.values().filter_map(|number| paths.get(*number)).all(|path| seen.insert(path))
    })
}

/// Where a node stands: the nearest node above it that is in the file, and the path from there.
type Place = (Option<usize>, String);

fn place(numbers: &Numbers, path: &str) -> Place {
    let above = ancestors(path).find_map(|above| Some((*numbers.get(above)?, above.len())));
    match above {
        Some((number, len)) => {
            let rest = path.get(len.saturating_add(1)..).unwrap_or_default();
            (Some(number), rest.to_owned())
        }
        None => (None, path.to_owned()),
    }
}

/// Finds which nodes of the versions are one.
fn share(lists: &[Vec<Option<Known>>; 3]) -> (Vec<Shared>, [Numbers; 3]) {
    let mut all: Vec<Shared> = Vec::new();
    let mut numbers: [Numbers; 3] = Default::default();
    let [our_numbers, their_numbers, base_numbers] = &mut numbers;
    let [ours, theirs, base] = lists;
    let mut by_id: HashMap<(i64, i64), usize> = HashMap::new();
    let mut by_place: HashMap<Place, usize> = HashMap::new();
    for own in base.iter().flatten() {
        let (number, place) = (all.len(), place(base_numbers, &own.path));
        own.id.into_iter().for_each(|id| _ = by_id.insert(id, number));
        by_place.insert(place.clone(), number);
        all.push([None, None, Some(place)]);
        base_numbers.insert(own.path.clone(), number);
    }
    // New nodes of both sides are one where they stand at one place.
    let mut new: HashMap<Place, usize> = HashMap::new();
    for (side, list, numbers) in [(0, ours, our_numbers), (1, theirs, their_numbers)] {
        let claimed: HashSet<usize> =
            list.iter().flatten().filter_map(|own| by_id.get(&own.id?).copied()).collect();
        for (at, own) in list.iter().flatten().enumerate() {
            let place = place(numbers, &own.path);
            // The root is the root, whatever its name.
            let of_root = (at == 0 && !base_numbers.is_empty()).then_some(0);
            let of_id = own.id.and_then(|id| by_id.get(&id).copied());
            let of_place = by_place.get(&place).copied().filter(|number| !claimed.contains(number));
            let number = of_root.or(of_id).or(of_place).unwrap_or_else(|| {
                let next = all.len();
                *new.entry(place.clone()).or_insert(next)
            });
            if number == all.len() {
                all.push(Shared::default());
            }
            if let Some(own) = all.get_mut(number).and_then(|own| own.get_mut(side)) {
                *own = Some(place);
            }
            numbers.insert(own.path.clone(), number);
        }
    }
    (all, numbers)
}

/// The path that each node has in the result; none if nodes would stand below one another.
fn merged(all: &[Shared], clashes: &mut Vec<(String, String)>) -> Option<Vec<String>> {
    /// Deeper than engines go.
    const MAX_DEPTH: usize = 4096;
    let mut odd = Vec::new();
    let mut places: Vec<Place> = Vec::with_capacity(all.len());
    for (number, [ours, theirs, base]) in all.iter().enumerate() {
        places.push(match (ours, theirs, base) {
            (Some(ours), Some(theirs), Some(base)) => {
                let parent = if ours.0 == base.0 { theirs.0 } else { ours.0 };
                let name = if ours.1 == base.1 { &theirs.1 } else { &ours.1 };
                let is_odd = (ours.0 != base.0 && theirs.0 != base.0 && ours.0 != theirs.0)
                    || (ours.1 != base.1 && theirs.1 != base.1 && ours.1 != theirs.1);
                if is_odd {
                    odd.push((number, theirs.1.clone()));
                }
                (parent, name.clone())
            }
            (Some(own), ..) | (None, Some(own), _) | (None, None, Some(own)) => own.clone(),
            (None, None, None) => Place::default(),
        });
    }
    let mut paths: Vec<String> = Vec::with_capacity(places.len());
    for at in 0..places.len() {
        let mut names: Vec<&str> = Vec::new();
        let mut next = Some(at);
        while let Some((parent, name)) = next.and_then(|at| places.get(at)) {
            names.push(name);
            next = *parent;
            if names.len() > MAX_DEPTH {
                let path = names.first().copied().unwrap_or_default().to_owned();
                clashes.push((path, "both sides moved nodes, each below the other".to_owned()));
                return None;
            }
        }
        names.reverse();
        paths.push(names.join("/"));
    }
    for (number, name) in odd {
        let path = paths.get(number).cloned().unwrap_or_default();
        clashes.push((path, format!("the other side renamed or moved it, to {name:?}")));
    }
    Some(paths)
}

/// Unique ids that both sides gave for the first time are those of OURS.
fn with_first_ids(
    theirs: &mut Cow<'_, Text>,
    base: &Text,
    ours: &[Option<Known>],
    their: &[Option<Known>],
    our_text: &Text,
) -> Result<()> {
    let id = |text: &Text, at: usize| {
        let section = text.sections().get(at)?;
        section.raw_field("unique_id").map(str::to_owned)
    };
    let places = |list: &[Option<Known>]| -> HashMap<String, usize> {
        let own = |(at, own): (usize, &Option<Known>)| Some((own.as_ref()?.path.clone(), at));
        list.iter().enumerate().filter_map(own).collect()
    };
    let (own, before) = (places(ours), places(&known(base)));
    let mut given: Vec<(usize, String)> = Vec::new();
    for (at, node) in their.iter().enumerate() {
        let Some(node) = node else { continue };
        let in_base = before.get(&node.path).and_then(|at| id(base, *at));
        let in_ours = own.get(&node.path).and_then(|at| id(our_text, *at));
        if let (None, Some(new), Some(_)) = (in_base, in_ours, id(theirs, at)) {
            given.push((at, new));
        }
    }
    for (at, new) in given {
        if let Some(section) = theirs.to_mut().sections_mut().get_mut(at) {
            section.set_field_raw("unique_id", &new)?;
        }
    }
    Ok(())
}

/// Writes a version with other names of nodes.
struct Renamer<'a> {
    numbers: &'a Numbers,
    paths: &'a [String],
    text: &'a Text,
    /// The nodes that are known by their names alone.
    unique: HashMap<String, String>,
}

fn unique(text: &Text) -> HashMap<String, String> {
    let mut unique = HashMap::new();
    for (section, owner) in text.sections().iter().zip(text.owners()) {
        if let (Owner::Node(path), Some("true")) = (owner, section.raw("unique_name_in_owner")) {
            unique.insert(word(section, "name").unwrap_or_default(), path);
        }
    }
    unique
}

impl Renamer<'_> {
    /// The new path of a node, or of what is below one; `None` where nothing of it is in the file.
    fn renamed(&self, path: &str) -> Option<String> {
        let own = |path: &str| self.paths.get(*self.numbers.get(path)?);
        if let Some(new) = own(path) {
            return Some(new.clone());
        }
        let above = ancestors(path).find(|above| own(above).is_some())?;
        let rest = path.get(above.len()..)?;
        Some([own(above)?, rest].concat())
    }

    fn rewritten(&self) -> Result<Text> {
        let root = self.text.root().unwrap_or_default();
        let owners = self.text.owners();
        let roots = self.animated(&owners, &root);
        let mut sections: Vec<Section> = self.text.sections().to_vec();
        for ((at, section), owner) in sections.iter_mut().enumerate().zip(&owners) {
            let field = |section: &mut Section, name: &str| -> Result<()> {
                let Some(path) = word(section, name) else { return Ok(()) };
                let new = self.renamed(&joined(&root, &path)).map(|new| self.below(&new));
                match new.filter(|new| *new != path) {
                    Some(new) => match section.field(name) {
                        Some(Value::NodePath(_)) => {
                            section.set_field(name, &NodePath::new(&new).into())
                        }
                        _ => section.set_field(name, &(&*new).into()),
                    },
                    None => Ok(()),
                }
            };
            match owner {
                Owner::Node(path) => {
                    let Some(new) = self.renamed(path) else { continue };
                    self.paths_in(section, path, &new)?;
                    field(section, "owner")?;
                    if new == *path {
                        continue;
                    }
                    let (above, name) = new.rsplit_once('/').unwrap_or(("", &new));
                    if section.field("name").is_none_or(|own| own.as_str() != Some(name)) {
                        section.set_field("name", &name.into())?;
                    }
                    let parent = self.below(above);
                    if word(section, "parent").is_some_and(|own| own != parent) {
                        section.set_field("parent", &(&*parent).into())?;
                    }
                }
                Owner::Connection(_) => {
                    field(section, "from")?;
                    field(section, "to")?;
                }
                Owner::Editable(_) => field(section, "path")?,
                Owner::Internal(_) => {
                    if let Some(from) = roots.get(at).and_then(Option::as_ref) {
                        let new = self.renamed(from).unwrap_or_else(|| from.clone());
                        self.paths_in(section, from, &new)?;
                    }
                }
                _ => {}
            }
        }
        Ok(self.text.with_sections(sections))
    }

    /// A path from the root, without the name of that.
    fn below(&self, path: &str) -> String {
        path.split_once('/').map_or(".", |(_, rest)| rest).to_owned()
    }

    /// Rewrites the node paths in the values of a section, which lead from a node.
    fn paths_in(&self, section: &mut Section, from: &str, new_from: &str) -> Result<()> {
        let changed = |(name, raw): (&str, &str)| {
            let to = |found: &Mention<'_>| self.node_path(found, from, new_from);
            Some((name.to_owned(), replaced(raw, to)?))
        };
        let changed: Vec<(String, String)> = section.properties().filter_map(changed).collect();
        changed.iter().try_for_each(|(name, raw)| section.set_raw(name, raw))
    }

    fn node_path(&self, found: &Mention<'_>, from: &str, new_from: &str) -> Option<String> {
        if found.word != "NodePath" || found.text.starts_with('/') {
            return None;
        }
        if let Some(text) = found.text.strip_prefix('%') {
            let name = text.split(['/', ':']).next()?;
            let new = self.renamed(self.unique.get(name)?)?;
            return Some(["%", new.rsplit('/').next()?, text.get(name.len()..)?].concat());
        }
        let (path, rest) = match found.text.split_once(':') {
            Some((path, _)) => (path, found.text.get(path.len()..)?),
            None => (found.text, ""),
        };
        let target = resolved(from, path).filter(|_| !path.is_empty())?;
        let new = self.renamed(&target)?;
        if new == target && from == new_from {
            return None;
        }
        let names = relative(new_from, &Anchored { above: 0, path: new });
        let names: Vec<&str> = names.iter().map(GString::as_str).collect();
        Some([&*names.join("/"), rest].concat())
    }

    /// The nodes from which the paths in animations and the like lead, by section.
    fn animated(&self, owners: &[Owner], root: &str) -> Vec<Option<String>> {
        // Users stand after what they use.
        let mut users: HashMap<&str, String> = HashMap::new();
        let mut found = vec![None; owners.len()];
        for (at, (section, owner)) in self.text.sections().iter().zip(owners).enumerate().rev() {
            let node = match owner {
                Owner::Node(path) => {
                    let field =
                        ["root_node", "root_path"].into_iter().find_map(|name| section.get(name));
                    let path_to = match field {
                        Some(Value::NodePath(path)) => path.to_string(),
                        _ => "..".to_owned(),
                    };
                    resolved(path, &path_to).unwrap_or_else(|| root.to_owned())
                }
                Owner::Internal(id) => match users.get(&**id) {
                    Some(node) => {
                        let is_animated = word(section, "type").is_some_and(|class| {
                            ["Animation", "SceneReplicationConfig"].contains(&&*class)
                        });
                        if let Some(slot) = found.get_mut(at).filter(|_| is_animated) {
                            *slot = Some(node.clone());
                        }
                        node.clone()
                    }
                    None => continue,
                },
                _ => continue,
            };
            for own in section.properties().flat_map(|(_, raw)| mentions(raw)) {
                if own.word == "SubResource" {
                    users.insert(own.text, node.clone());
                }
            }
        }
        found
    }
}

/// The node that a path leads to; `None` above the root.
fn resolved(from: &str, path: &str) -> Option<String> {
    let mut names: Vec<&str> = from.split('/').collect();
    for step in path.split('/') {
        match step {
            "." | "" => {}
            ".." => _ = names.pop(),
            name => names.push(name),
        }
        if names.is_empty() {
            return None;
        }
    }
    Some(names.join("/"))
}
