//! Patches beyond what the vectors say.

use gamewire_testkit::hostile::thread_time;
use o3de_json::Value;
use o3de_json::report::{Outcome, Processing, ResultCode, Task};
use proptest::prelude::*;

use crate::support::{json_text, value};

#[test]
fn steps_are_told_with_their_places() {
    let mut target = value(r#"{"a":[1],"b":{}}"#);
    let patch = value(
        r#"[{"op":"add","path":"/a/0","value":0},{"op":"replace","path":"/c","value":1},
            {"op":"test","path":"/a/1","value":1.0},{"op":"move","from":"/a","path":"/b/c"},
            {"op":"copy","from":"/x","path":"/y"},{"op":"add","path":"/z"},{"op":"jump","path":""}]"#,
    );
    let mut told = Vec::new();
    let code = target.apply_patch_with(&patch, &mut |step| {
        told.push(format!("{} {} {}", step.code.outcome(), step.pointer, step.message));
        match step.code.processing() {
            Processing::Halted => ResultCode::new(Task::Merge, Outcome::PartialSkip),
            _ => step.code,
        }
    });
    assert_eq!(
        told,
        [
            "Success /a/0 add",
            "Invalid /1 there is no value to replace",
            "Success /2 test",
            "Success /a remove",
            "Success /b/c move",
            "Invalid /4/from there is no value at `from`",
            "Missing /5/value the operation has no `value`",
            "Unknown /6 unknown operation `jump`",
        ]
    );
    // A malformed operation ends the patch, whatever is made of it.
    assert_eq!((code.outcome(), code.processing()), (Outcome::PartialSkip, Processing::Completed));
    assert_eq!(target, value(r#"{"b":{"c":[0,1]}}"#));
}

#[test]
fn a_patch_cannot_double_without_end() {
    let doubling: Vec<String> =
        (0..64).map(|n| format!(r#"{{"op":"copy","from":"","path":"/k{n}"}}"#)).collect();
    let started = thread_time();
    let mut target = value("{}");
    let code = target.apply_patch(&value(&format!("[{}]", doubling.join(","))));
    assert_eq!(code.outcome(), Outcome::Catastrophic);
    let time = thread_time() - started;
    assert!(time.as_secs() < 20, "{time:?}");
}

/// Each pointer has the long name in it.
#[test]
fn the_pointers_of_a_patch_cannot_multiply_without_end() {
    use gamewire_testkit::hostile::measure;

    let members = (0..4000).map(|n| format!("\"{n}\":0")).collect::<Vec<_>>().join(",");
    let long = value(&format!("{{\"{}\":{{{members}}}}}", "n".repeat(1 << 20)));
    let short = value(&format!("{{\"{}\":{{}}}}", "n".repeat(1 << 20)));
    for (old, new) in [(&long, &short), (&short, &long)] {
        let made = measure(b"", |_| {
            let (_, code) = old.create_patch(new);
            assert_eq!(code.outcome(), Outcome::Catastrophic);
            Ok::<_, String>(())
        });
        assert!(made.peak < 96 << 20, "{}", made.peak);
    }
    // Long names by themselves are fine.
    let (patch, code) = value("{}").create_patch(&long);
    assert_eq!((patch.as_array().unwrap().len(), code.outcome()), (1, Outcome::Success));
}

#[test]
fn large_objects_are_compared_in_time() {
    let member = |n: usize| format!("\"member {n}\":{n}");
    let text = |range: std::ops::Range<usize>| {
        value(&format!("{{{}}}", range.map(member).collect::<Vec<_>>().join(",")))
    };
    let (old, new) = (text(0..40_000), text(20_000..60_000));
    let started = thread_time();
    let (patch, _) = old.create_patch(&new);
    assert_eq!(patch.as_array().unwrap().len(), 40_000);
    let (merge, _) = old.create_merge_patch(&new);
    assert_eq!(merge.as_ref().unwrap().as_object().unwrap().len(), 40_000);
    assert!(old.same(&old.clone()) && !old.same(&new));
    let mut merged = old.clone();
    merged.apply_merge_patch(&merge.unwrap());
    assert!(merged.same(&new));
    let time = thread_time() - started;
    assert!(time.as_secs() < 20, "{time:?}");
}

fn has_duplicates(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_duplicates),
        Value::Object(object) => {
            let mut names: Vec<&str> = object.keys().map(|name| name.as_str()).collect();
            names.sort_unstable();
            names.windows(2).any(|pair| pair[0] == pair[1]) || object.values().any(has_duplicates)
        }
        _ => false,
    }
}

proptest! {
    #[test]
    fn patches_make_what_they_were_made_for(old in json_text(), new in json_text()) {
        let (old, new) = (value(&old), value(&new));
        prop_assert_eq!(old.compare(&new), new.compare(&old).reverse());
        prop_assume!(!has_duplicates(&old) && !has_duplicates(&new));
        let (patch, _) = old.create_patch(&new);
        let (made, code) = old.patched(&patch);
        let made = made.ok_or_else(|| TestCaseError::fail(format!("{code:?} {patch:?}")))?;
        prop_assert!(made.same(&new), "{:?} is not {:?}", made, new);
        if let (Some(patch), code) = old.create_merge_patch(&new) {
            let mut merged = old.clone();
            if code.outcome() != Outcome::DefaultsUsed {
                merged.apply_merge_patch(&patch);
            }
            prop_assert!(merged.same(&new), "{:?} is not {:?}", merged, new);
        }
    }
}

/// `count` operations, some of which fail, on an object with `keys` members and on what is inside.
fn operations(keys: u64, count: u64) -> Vec<String> {
    let mut state = 7_u64;
    let mut next = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut made = Vec::new();
    for number in 0..count {
        let path = match next(4) {
            0 => format!("/k{}/k{}", next(keys), next(keys)),
            1 => format!("/list/{}/k{}", next(4), next(keys)),
            _ => format!("/k{}", next(keys)),
        };
        let nested: Vec<String> =
            (0..20).map(|at| format!("\"k{}\": {number}", at + next(9))).collect();
        let value = match next(3) {
            0 => format!("{{{}}}", nested.join(", ")),
            _ => number.to_string(),
        };
        made.push(match next(7) {
            0 => format!(r#"{{"op": "remove", "path": "{path}"}}"#),
            1 => format!(r#"{{"op": "replace", "path": "{path}", "value": {value}}}"#),
            2 => format!(r#"{{"op": "move", "from": "/k{}", "path": "{path}"}}"#, next(keys)),
            3 => format!(r#"{{"op": "copy", "from": "/k{}", "path": "{path}"}}"#, next(keys)),
            4 if next(3) == 0 => format!(r#"{{"op": "add", "path": "/list/0", "value": {value}}}"#),
            _ => format!(r#"{{"op": "add", "path": "{path}", "value": {value}}}"#),
        });
    }
    made
}

#[test]
fn a_long_patch_does_what_its_operations_do_one_by_one() {
    let mild = &mut |_: &o3de_json::value::Step<'_>| ResultCode::new(Task::Merge, Outcome::Skipped);
    let operations = operations(40, 3000);
    let start = r#"{"list": [{}, {}, {}, {}], "k1": 1, "k2": 2, "k1": 3, "k1": 4, "k2": 5}"#;
    let (mut one_by_one, mut long) = (value(start), value(start));
    for operation in &operations {
        one_by_one.apply_patch_with(&value(&format!("[{operation}]")), mild);
    }
    long.apply_patch_with(&value(&format!("[{}]", operations.join(","))), mild);
    assert!(long == one_by_one);
    assert!(long.as_object().unwrap().len() > 20);
}

#[test]
fn a_patch_of_many_members_takes_time_in_proportion() {
    let patch = |op: &str| {
        let one = |at| format!(r#"{{"op": "{op}", "path": "/some key {at}", "value": {at}}}"#);
        value(&format!("[{}]", (0..60_000).map(one).collect::<Vec<_>>().join(",")))
    };
    let moves = (0..60_000_u64).map(|at| {
        let from = at * 7_919 % 60_000;
        format!(r#"{{"op": "move", "from": "/some key {from}", "path": "/other key {at}"}}"#)
    });
    let moves = value(&format!("[{}]", moves.collect::<Vec<_>>().join(",")));
    let removes = (0..60_000_u64).map(|at| {
        let path = at * 104_729 % 60_000;
        format!(r#"{{"op": "remove", "path": "/other key {path}"}}"#)
    });
    let removes = value(&format!("[{}]", removes.collect::<Vec<_>>().join(",")));
    let patches = ["add", "replace", "test"].map(patch);
    let mut target = value("{}");
    let start = thread_time();
    for patch in &patches {
        assert_eq!(target.apply_patch(patch).outcome(), Outcome::Success);
    }
    assert_eq!(target.as_object().unwrap().len(), 60_000);
    assert_eq!(target.apply_patch(&moves).outcome(), Outcome::Success);
    assert_eq!(target["other key 1"].as_u64(), Some(7_919));
    assert_eq!(target.as_object().unwrap().keys().nth(1).unwrap(), "other key 1");
    assert_eq!(target.apply_patch(&removes).outcome(), Outcome::Success);
    assert!(target.as_object().unwrap().is_empty());
    // Looking through all members for each operation took longer than half a minute.
    let time = thread_time() - start;
    assert!(time.as_secs() < 10, "{time:?}");
}

/// Operations at any place of arrays of many elements, and on what is in them.
#[test]
fn a_long_patch_of_arrays_does_what_its_operations_do_one_by_one() {
    let mild = &mut |_: &o3de_json::value::Step<'_>| ResultCode::new(Task::Merge, Outcome::Skipped);
    let mut state = 11_u64;
    let mut next = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let operations: Vec<String> = (0..600)
        .map(|number| {
            let at = next([20, 6500, 6500][number % 3]);
            let path = format!("/list/{at}");
            match next(9) {
                0 | 1 => format!(r#"{{"op": "remove", "path": "{path}"}}"#),
                2 => {
                    format!(r#"{{"op": "replace", "path": "{path}", "value": {{"n": {number}}}}}"#)
                }
                3 => {
                    format!(r#"{{"op": "move", "from": "/list/{}", "path": "{path}"}}"#, next(6500))
                }
                4 => format!(r#"{{"op": "add", "path": "{path}/n", "value": [{number}]}}"#),
                5 => format!(r#"{{"op": "add", "path": "/list/-", "value": {number}}}"#),
                6 if number % 20 == 0 => {
                    r#"{"op": "move", "from": "/list", "path": "/list"}"#.to_owned()
                }
                7 => {
                    format!(r#"{{"op": "copy", "from": "/list/{}", "path": "{path}"}}"#, next(6500))
                }
                _ => format!(r#"{{"op": "add", "path": "{path}", "value": {{"n": {number}}}}}"#),
            }
        })
        .collect();
    let list: Vec<String> = (0..6000).map(|at| format!("{{\"at\": {at}}}")).collect();
    let start = value(&format!("{{\"list\": [{}]}}", list.join(",")));
    let (mut one_by_one, mut long) = (start.clone(), start.clone());
    for operation in &operations {
        one_by_one.apply_patch_with(&value(&format!("[{operation}]")), mild);
    }
    long.apply_patch_with(&value(&format!("[{}]", operations.join(","))), mild);
    assert!(long == one_by_one && long != start);
    // All out, from the front, and in again.
    let count = long["list"].as_array().unwrap().len();
    let removes = vec![r#"{"op": "remove", "path": "/list/0"}"#.to_owned(); count];
    let adds =
        (0..10_000).map(|at| format!(r#"{{"op": "add", "path": "/list/0", "value": {at}}}"#));
    let patch: Vec<String> = removes.into_iter().chain(adds).collect();
    assert_eq!(
        long.apply_patch(&value(&format!("[{}]", patch.join(",")))).outcome(),
        Outcome::Success
    );
    let expected: Vec<i64> = (0..10_000).rev().collect();
    assert!(long["list"] == Value::from(expected));
}
