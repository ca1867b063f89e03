//! The storage of an account: what each item holds alone, what it shares, and what deleting frees.

use std::collections::HashMap;

use proptest::prelude::*;
use resonite_save::package::{Record, Usage};
use serde_json::{Value as Json, json};

/// A record of an item with these assets, whose sizes are those of their numbers.
fn record(id: usize, path: &str, assets: &[u64]) -> Record {
    let list: Vec<Json> =
        assets.iter().map(|own| json!({"hash": format!("{own:064x}"), "bytes": own + 1})).collect();
    let json = json!({
        "id": format!("R-{id}"), "name": format!("Item {id}"), "recordType": "object", "path": path,
        "isDeleted": false, "assetManifest": list,
    });
    Record::from_slice(json.to_string().as_bytes()).unwrap()
}

fn bytes(assets: &[u64]) -> u64 {
    let mut assets = assets.to_vec();
    assets.sort_unstable();
    assets.dedup();
    assets.iter().map(|own| own + 1).sum()
}

#[test]
fn own_and_shared_bytes() {
    let records = [
        record(1, r"Inventory\Lamps", &[1, 2]),
        record(2, r"Inventory\Lamps\Old", &[2, 3, 3]),
        record(3, r"Inventory", &[3, 10]),
        Record::from_slice(br#"{"id":"R-4","recordType":"directory"}"#).unwrap(),
        Record::from_slice(
            br#"{"id":"R-5","recordType":"object","isDeleted":true,
                "assetManifest":[{"hash":"a","bytes":7}]}"#,
        )
        .unwrap(),
    ];
    let usage = Usage::new(&records);
    assert_eq!(usage.total(), bytes(&[1, 2, 3, 10]));
    let items: Vec<_> = usage
        .items()
        .iter()
        .map(|item| (item.record().id().unwrap(), item.own(), item.shared()))
        .collect();
    let expected = [("R-1", 2, 3), ("R-2", 0, 7), ("R-3", 11, 4)];
    assert_eq!(items, expected.map(|(id, own, shared)| (id.to_owned(), own, shared)));
    let sharing = |item| -> Vec<_> {
        let others = usage.sharing(item).into_iter();
        others.map(|(other, bytes)| (other.record().name().unwrap(), bytes)).collect()
    };
    assert_eq!(sharing(1), [("Item 3".to_owned(), 4), ("Item 1".to_owned(), 3)]);
    assert_eq!(sharing(9), []);
    let folders: Vec<_> = usage
        .folders()
        .into_iter()
        .map(|folder| (folder.path.join("/"), folder.items, folder.own, folder.shared))
        .collect();
    assert_eq!(
        folders,
        [
            (String::new(), 3, 20, 0),
            ("Inventory".to_owned(), 3, 20, 0),
            ("Inventory/Lamps".to_owned(), 2, 5, 4),
            ("Inventory/Lamps/Old".to_owned(), 1, 0, 7),
        ]
    );
    assert_eq!(usage.freed(&["R-1"]).unwrap(), 2);
    assert_eq!(usage.freed(&["R-1", "R-2", "R-1"]).unwrap(), 5);
    assert_eq!(usage.freed::<&str>(&[]).unwrap(), 0);
    let error = usage.freed(&["R-1", "R-5"]).unwrap_err();
    assert_eq!(error.to_string(), "expected the id of an item, found \"R-5\"");
}

proptest! {
    /// What is own and what is shared is what the record lists; whatever the order of deletion, all of
    /// it together is the total; a folder frees what its items free together.
    #[test]
    fn nothing_is_lost_or_counted_twice(
        lists in prop::collection::vec(prop::collection::vec(0_u64..12, 0..8), 0..10),
        places in prop::collection::vec(0_usize..4, 10),
        order in Just((0_usize..10).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let paths = ["", "A", r"A\B", r"C\\D\"];
        let records: Vec<Record> = lists
            .iter()
            .enumerate()
            .map(|(id, assets)| record(id, paths[places[id]], assets))
            .collect();
        let usage = Usage::new(&records);
        for (item, assets) in usage.items().iter().zip(&lists) {
            prop_assert_eq!(item.own() + item.shared(), bytes(assets));
            let id = item.record().id().unwrap();
            prop_assert_eq!(usage.freed(&[id]).unwrap(), item.own());
        }
        prop_assert_eq!(usage.total(), bytes(&lists.concat()));
        // One after the other.
        let (mut left, mut sum) = (records.clone(), 0);
        for id in order {
            let id = format!("R-{id}");
            let usage = Usage::new(&left);
            sum += usage.freed(&[&id]).unwrap_or(0);
            left.retain(|record| record.id().as_ref() != Some(&id));
        }
        prop_assert_eq!(sum, usage.total());
        let ids: HashMap<Vec<String>, Vec<String>> = usage.items().iter().fold(
            HashMap::new(),
            |mut all, item| {
                let path = item.record().folders();
                for len in 0..=path.len() {
                    let inside: &mut Vec<String> = all.entry(path[..len].to_vec()).or_default();
                    inside.push(item.record().id().unwrap());
                }
                all
            },
        );
        prop_assert_eq!(usage.folders().len(), ids.len());
        for folder in usage.folders() {
            prop_assert_eq!(usage.freed(&ids[&folder.path]).unwrap(), folder.own);
            prop_assert_eq!(folder.items, ids[&folder.path].len());
        }
    }
}
