//! Overrides that say what the source says.

use std::collections::HashSet;

use super::finding::{Finding, Rule};
use crate::prefab::Instance;
use o3de_json::value::{Pointer, Value};

/// Reports the overrides of an instance whose value the source has at that place, and that no other override
/// of the instance could change. `source` is the prefab before its overrides.
pub(super) fn restated(instance: &Instance<'_>, source: &Value, findings: &mut Vec<Finding>) {
    let patches: Vec<&Value> =
        instance.patches().and_then(Value::as_array).into_iter().flatten().collect();
    let text =
        |patch: &'_ Value, name: &str| patch.get(name).and_then(Value::as_str).map(str::to_owned);
    let paths: Vec<Option<String>> = patches.iter().map(|own| text(own, "path")).collect();
    let mut seen: HashSet<&str> = HashSet::new();
    // Those that others are of too, or of what is around or inside of them.
    let mut shared: HashSet<&str> = HashSet::new();
    let mut around: HashSet<&str> = HashSet::new();
    // Lists whose elements move.
    let mut moving: HashSet<&str> = HashSet::new();
    for (patch, path) in patches.iter().zip(&paths) {
        let Some(path) = path.as_deref() else { continue };
        if !seen.insert(path) {
            shared.insert(path);
        }
        around.extend(ancestors(path));
        match patch.get("op").and_then(Value::as_str) {
            Some("replace" | "test") => {}
            Some("add" | "remove") => {
                let list = path.rsplit_once('/').filter(|(_, last)| is_index(last));
                moving.extend(list.map(|(list, _)| list));
            }
            // A moved or copied value could be any.
            _ => return,
        }
    }
    for (index, (patch, path)) in patches.iter().zip(&paths).enumerate() {
        let (Some(path), Some(value)) = (path.as_deref(), patch.get("value")) else { continue };
        let is_set = matches!(patch.get("op").and_then(Value::as_str), Some("replace" | "add"));
        let is_alone = !shared.contains(path)
            && !around.contains(path)
            && !ancestors(path).any(|own| seen.contains(own) || moving.contains(own));
        if !is_set || !is_alone {
            continue;
        }
        let there = Pointer::parse(path).and_then(|_| source.pointer(path));
        if there.is_some_and(|there| there == value || there.same(value)) {
            findings.push(Finding {
                pointer: instance.pointer(&format!("/Patches/{index}")),
                rule: Rule::RestatedOverride,
                message: format!(
                    "the override of `{path}` in `{}` says what is there already",
                    instance.alias()
                ),
                is_removable: true,
            });
        }
    }
}

/// The pointers of what is around a place.
fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').filter_map(|(at, _)| path.get(..at))
}

fn is_index(step: &str) -> bool {
    step == "-" || !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit())
}
