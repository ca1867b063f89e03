//! The protocols that the services of a solution handle.

use std::collections::{HashMap, HashSet};

use super::schema::{Schema, Service, ServiceText};

/// The protocols and rpcs of each service's modules that are handled where the service is. Returns the
/// notes, with those of modules that are missing.
pub(super) fn resolve(
    schema: &mut Schema,
    services: Vec<ServiceText>,
    mut notes: Vec<String>,
) -> Vec<String> {
    // Zeze ignores the case of names.
    let names = schema.spaces.iter().enumerate();
    let spaces: HashMap<String, usize> =
        names.map(|(at, space)| (space.full.to_lowercase(), at)).collect();
    let mut inner: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut protocols: HashMap<String, (usize, usize)> = HashMap::new();
    for (at, space) in schema.spaces.iter().enumerate() {
        space.parent.into_iter().for_each(|parent| inner.entry(parent).or_default().push(at));
        for (index, protocol) in space.protocols.iter().enumerate() {
            protocols.insert(protocol.full.to_lowercase(), (at, index));
        }
    }
    for text in services {
        let mut open: Vec<usize> = Vec::new();
        for (name, place) in &text.modules {
            match spaces.get(&name.to_lowercase()) {
                Some(at) => open.push(*at),
                None => notes.push(place.wrong(format!("there is no module {name}")).0),
            }
        }
        open.reverse();
        let (mut met, mut handled) = (HashSet::new(), Vec::new());
        while let Some(at) = open.pop() {
            let Some(space) = schema.spaces.get(at).filter(|_| met.insert(at)) else { continue };
            handled.extend((0..space.protocols.len()).map(|index| (at, index)));
            for (name, place) in &space.refs {
                match protocols.get(&name.to_lowercase()) {
                    Some(found) if handled.contains(found) => {}
                    Some(found) => handled.push(*found),
                    None => notes.push(place.wrong(format!("there is no protocol {name}")).0),
                }
            }
            open.extend(inner.get(&at).into_iter().flatten().rev());
        }
        handled.retain(|(at, index)| {
            let space = schema.spaces.get(*at);
            let protocol = space.and_then(|space| space.protocols.get(*index));
            protocol.is_some_and(|protocol| meet(&protocol.text.handle, &text.handle))
        });
        schema.services.push(Service { text, protocols: handled });
    }
    notes
}

/// Whether two lists of handlers have one in common.
fn meet(one: &str, other: &str) -> bool {
    let names = |list: &str| -> Vec<String> {
        list.split(',').map(|name| name.trim().to_lowercase()).collect()
    };
    let other = names(other);
    names(one).iter().any(|name| !name.is_empty() && other.contains(name))
}
