//! Ids of resources: one for what is one, two for what are two.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher as _};

use crate::text::{Mention, Owner, mentions, replaced, word};
use crate::{Result, Text};

/// A resource in a file, or one that it refers to.
#[derive(Clone)]
struct Known {
    id: String,
    class: String,
    /// The uid and the path, of one that it refers to.
    uid: Option<String>,
    path: Option<String>,
    /// Where it is used first, as a whole value.
    place: Option<String>,
    /// The same inside of a value.
    inner: Option<String>,
    content: u64,
}

impl Known {
    fn is_numbered(&self) -> bool {
        self.id.bytes().all(|byte| byte.is_ascii_digit())
    }
}

/// The external resources of a file, and those in it.
fn known(text: &Text) -> [Vec<Known>; 2] {
    let owners = text.owners();
    let mut places: HashMap<Owner, [Option<String>; 2]> = HashMap::new();
    for (section, owner) in text.sections().iter().zip(&owners).rev() {
        let own = match owner {
            Owner::Internal(_) => match places.get(owner) {
                Some([Some(place), _] | [None, Some(place)]) => place.clone(),
                _ => continue,
            },
            owner => owner.name().unwrap_or_default(),
        };
        let properties: Vec<(&str, &str)> = section.properties().collect();
        for (name, raw) in properties.into_iter().rev() {
            let all: Vec<_> = mentions(raw)
                .filter_map(|found| {
                    Some((found.word, Owner::of_reference(found.word, found.text)?))
                })
                .collect();
            for (at, (word, target)) in all.iter().enumerate().rev() {
                let is_whole = raw.trim_start().starts_with(word) && all.len() == 1;
                let [place, inner] = places.entry(target.clone()).or_default();
                match is_whole {
                    true => *place = Some(format!("{own}:{name}")),
                    false => *inner = Some(format!("{own}:{name}#{at}")),
                }
            }
        }
    }
    let (mut externals, mut internals) = (Vec::new(), Vec::new());
    let mut contents: HashMap<String, u64> = HashMap::new();
    let mut files: HashMap<String, String> = HashMap::new();
    for (section, owner) in text.sections().iter().zip(owners) {
        let field = |name| word(section, name);
        let class = field("type").unwrap_or_default();
        let [place, inner] = places.remove(&owner).unwrap_or_default();
        match owner {
            Owner::External(id) => {
                let (uid, path) = (field("uid"), field("path"));
                files.insert(id.clone(), uid.clone().or_else(|| path.clone()).unwrap_or_default());
                externals.push(Known { id, class, uid, path, place, inner, content: 0 });
            }
            Owner::Internal(id) => {
                let mut properties: Vec<(&str, String)> = section
                    .properties()
                    .map(|(name, raw)| {
                        let same = replaced(raw, |found| match found.word {
                            "SubResource" => contents.get(found.text).map(u64::to_string),
                            "ExtResource" => files.get(found.text).cloned(),
                            _ => None,
                        });
                        (name, same.unwrap_or_else(|| raw.to_owned()))
                    })
                    .collect();
                properties.sort();
                let mut hasher = DefaultHasher::new();
                (&class, properties).hash(&mut hasher);
                let content = hasher.finish();
                contents.insert(id.clone(), content);
                internals.push(Known { id, class, uid: None, path: None, place, inner, content });
            }
            _ => {}
        }
    }
    [externals, internals]
}

/// For each resource, the place of the same one in another file.
type Pairs = Vec<Option<usize>>;

/// The places of resources by something that they have.
fn index<'k, K: Hash + Eq>(
    all: &'k [Known],
    key: impl Fn(&'k Known) -> Option<K>,
) -> HashMap<K, Vec<usize>> {
    let mut places: HashMap<K, Vec<usize>> = HashMap::new();
    for (at, own) in all.iter().enumerate() {
        key(own).into_iter().for_each(|key| places.entry(key).or_default().push(at));
    }
    places
}

/// Pairs external resources: several of one file may be one of the other.
fn pair_files(from: &[Known], to: &[Known], are_new: bool) -> Pairs {
    let by_uid = index(to, |own| own.uid.as_deref());
    let by_path = index(to, |own| own.path.as_deref());
    let by_id = index(to, |own| Some(&*own.id));
    let (known_uids, known_paths) =
        (index(from, |own| own.uid.as_deref()), index(from, |own| own.path.as_deref()));
    let is_there = |own: &Known| {
        own.uid.as_deref().is_some_and(|uid| known_uids.contains_key(uid))
            || own.path.as_deref().is_some_and(|path| known_paths.contains_key(path))
    };
    let find = |own: &Known| {
        let same = [
            own.uid.as_deref().and_then(|uid| by_uid.get(uid)),
            own.path.as_deref().and_then(|path| by_path.get(path)),
        ];
        let same: Vec<usize> = same.into_iter().flatten().flatten().copied().collect();
        let of_id = |at: &usize| to.get(*at).is_some_and(|other| other.id == own.id);
        let place = same.iter().copied().find(|at| of_id(at)).or_else(|| same.first().copied());
        // A file that has another name now.
        place.or_else(|| {
            if are_new {
                return None;
            }
            let at = *by_id.get(&*own.id)?.first()?;
            let moved = to.get(at).filter(|other| other.class == own.class && !is_there(other));
            let is_one = |other: &&Known| own.place.is_some() && own.place == other.place;
            moved.filter(|other| !own.is_numbered() || is_one(other)).map(|_| at)
        })
    };
    from.iter().map(find).collect()
}

/// The mark by which two resources may be one, and whether they are.
type Rule = (fn(&Known) -> Option<String>, fn(&Known, &Known) -> bool);

/// Pairs resources in files, one with one. Those of BASE are known by their ids; of two new ones, only the place or
/// what is in them tells.
fn pair_resources(from: &[Known], to: &[Known], are_new: bool) -> Pairs {
    fn is_alike(a: &Known, b: &Known) -> bool {
        a.content == b.content || (a.place.is_some() && a.place == b.place)
    }
    let by_id: Rule = (|own| Some(own.id.clone()), |a, b| !a.is_numbered() || is_alike(a, b));
    let by_both: Rule = (|own| Some(own.id.clone()), is_alike);
    let by_place: Rule = (|own| own.place.clone(), |_, _| true);
    let by_inner: Rule = (|own| own.inner.clone(), |a, _| a.is_numbered());
    let by_content: Rule = (|own| Some(own.content.to_string()), |a, _| a.is_numbered());
    let rules: &[Rule] = match are_new {
        true => &[by_both, by_place],
        false => &[by_id, by_place, by_inner, by_content],
    };
    let mut pairs: Pairs = vec![None; from.len()];
    let mut is_taken = vec![false; to.len()];
    for (key, is_one) in rules {
        let places = index(to, key);
        for (own, pair) in from.iter().zip(&mut pairs).filter(|(_, pair)| pair.is_none()) {
            let all = key(own).and_then(|key| places.get(&key));
            let is_free = |at: &usize| {
                is_taken.get(*at) == Some(&false)
                    && to
                        .get(*at)
                        .is_some_and(|other| other.class == own.class && is_one(own, other))
            };
            *pair = all.into_iter().flatten().copied().find(is_free);
            if let Some(taken) = pair.and_then(|at| is_taken.get_mut(at)) {
                *taken = true;
            }
        }
    }
    pairs
}

/// New ids by the old ones.
type Renamed = HashMap<String, String>;

/// The ids that resources of BASE and THEIRS have where they are named as in OURS.
fn renamed(all: [&[Known]; 3], pair: impl Fn(&[Known], &[Known], bool) -> Pairs) -> [Renamed; 2] {
    let [ours, theirs, base] = all;
    let base_to_ours = pair(base, ours, false);
    let theirs_to_base = pair(theirs, base, false);
    let new = |list: &[Known], known: &Pairs| -> Vec<usize> {
        (0..list.len()).filter(|at| known.get(*at).is_some_and(Option::is_none)).collect()
    };
    let paired: HashSet<usize> = base_to_ours.iter().flatten().copied().collect();
    let mut theirs_to_ours: Pairs = vec![None; theirs.len()];
    // All of OURS that BASE lacks, with all of THEIRS that it lacks.
    let pick = |list: &'_ [Known], at: &[usize]| -> Vec<Known> {
        at.iter().filter_map(|at| list.get(*at)).cloned().collect()
    };
    let own_new: Vec<usize> = (0..ours.len()).filter(|at| !paired.contains(at)).collect();
    let their_new = new(theirs, &theirs_to_base);
    let pairs = pair(&pick(theirs, &their_new), &pick(ours, &own_new), true);
    for (at, found) in their_new.iter().zip(pairs) {
        if let (Some(slot), Some(found)) = (theirs_to_ours.get_mut(*at), found) {
            *slot = own_new.get(found).copied();
        }
    }
    let mut taken: HashSet<String> = ours.iter().map(|own| own.id.clone()).collect();
    let reserved: BTreeSet<&str> = base.iter().chain(theirs).map(|own| &*own.id).collect();
    // Those of THEIRS that keep their ids.
    let kept: HashSet<&str> = (theirs.iter().zip(&theirs_to_base).zip(&theirs_to_ours))
        .filter(|((_, base), ours)| base.is_none() && ours.is_none())
        .map(|((own, _), _)| &*own.id)
        .collect();
    let mut fresh = |id: &str| -> String {
        if taken.insert(id.to_owned()) {
            return id.to_owned();
        }
        let number = id.parse::<u64>();
        // A number that is free now, before one that no version has.
        if number.is_ok()
            && let Some(free) =
                reserved.iter().find(|own| !kept.contains(*own) && !taken.contains(**own))
        {
            taken.insert((*free).to_owned());
            return (*free).to_owned();
        }
        let mut next = number.clone().unwrap_or(2);
        loop {
            let made = match number {
                Ok(_) => next.to_string(),
                Err(_) => format!("{id}_{next}"),
            };
            if !reserved.contains(&*made) && taken.insert(made.clone()) {
                return made;
            }
            next = next.saturating_add(1);
        }
    };
    let id = |list: &[Known], at: Option<usize>| Some(list.get(at?)?.id.clone());
    let mut of_base: Vec<String> = Vec::with_capacity(base.len());
    for (own, pair) in base.iter().zip(&base_to_ours) {
        of_base.push(id(ours, *pair).unwrap_or_else(|| fresh(&own.id)));
    }
    let mut of_theirs = Renamed::new();
    for (at, own) in theirs.iter().enumerate() {
        let known =
            theirs_to_base.get(at).copied().flatten().and_then(|at| of_base.get(at).cloned());
        let known = known.or_else(|| id(ours, theirs_to_ours.get(at).copied().flatten()));
        of_theirs.insert(own.id.clone(), known.unwrap_or_else(|| fresh(&own.id)));
    }
    let of_base = base.iter().map(|own| own.id.clone()).zip(of_base).collect();
    [of_base, of_theirs]
}

/// Gives resources of THEIRS and BASE the ids that they have in OURS.
pub(super) fn align(
    ours: &Text,
    theirs: &mut Cow<'_, Text>,
    base: Option<&mut Cow<'_, Text>>,
) -> Result<()> {
    let [own_files, own] = known(ours);
    let [their_files, their] = known(theirs);
    let [base_files, before] = base.as_deref().map(|base| known(base)).unwrap_or_default();
    let [base_externals, their_externals] =
        renamed([&own_files, &their_files, &base_files], pair_files);
    let [base_internals, their_internals] = renamed([&own, &their, &before], pair_resources);
    if let Some(new) = rewritten(theirs, &their_externals, &their_internals)? {
        *theirs = Cow::Owned(new);
    }
    if let Some(base) = base
        && let Some(new) = rewritten(base, &base_externals, &base_internals)?
    {
        *base = Cow::Owned(new);
    }
    Ok(())
}

fn rewritten(text: &Text, externals: &Renamed, internals: &Renamed) -> Result<Option<Text>> {
    let is_same = |all: &Renamed| all.iter().all(|(old, new)| old == new);
    if is_same(externals) && is_same(internals) {
        return Ok(None);
    }
    let owners = text.owners();
    let mut seen = HashSet::new();
    text.rewritten(|at, own| {
        let to = |found: &Mention<'_>| match found.word {
            "ExtResource" => externals.get(found.text).cloned(),
            "SubResource" => internals.get(found.text).cloned(),
            _ => None,
        };
        let new = match owners.get(at) {
            Some(Owner::External(id)) => externals.get(id).map(|new| (id, new)),
            Some(Owner::Internal(id)) => internals.get(id).map(|new| (id, new)),
            _ => None,
        };
        // Two that are one stand there once.
        if let (Some(Owner::External(_)), Some((_, new))) = (owners.get(at), new)
            && !seen.insert(new.clone())
        {
            return Ok(Some(String::new()));
        }
        let Some((_, new)) = new.filter(|(old, new)| old != new) else {
            return Ok(replaced(own.as_str(), to));
        };
        let mut section = own.clone();
        let is_number = own.raw_field("id").is_some_and(|raw| !raw.starts_with('"'));
        let raw = if is_number { new.clone() } else { format!("\"{new}\"") };
        section.set_field_raw("id", &raw)?;
        let text = section.as_str();
        Ok(Some(replaced(text, to).unwrap_or_else(|| text.to_owned())))
    })
}
