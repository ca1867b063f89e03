//! Every byte of a package has one meaning.

use resonite_brson::explain::{Explanation, Role};
use resonite_brson::{Container, Options, container};
use resonite_save::package::{self, Package};

use crate::shared::check_cover;

fn names(explanation: &Explanation) -> Vec<&str> {
    explanation.spaces().iter().map(|space| space.name()).collect()
}

fn explain(bytes: &[u8]) -> Explanation {
    package::explain(bytes, &Options::new())
}

#[test]
fn packages_are_explained_as_archives() {
    let sample =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/resonite-brson/lamp.resonitepackage");
    let file = std::fs::read(sample).unwrap();
    let explanation = explain(&file);
    assert_eq!(explanation.error().map(ToString::to_string), None);
    check_cover(&explanation);
    let package = Package::from_slice(&file).unwrap();
    let main = package.main_hash().unwrap();
    assert_eq!(
        names(&explanation),
        [
            "input".to_owned(),
            format!("entry Assets/{main}"),
            format!("decompressed body of Assets/{main}"),
            "entry R-Main.record".to_owned(),
        ]
    );
    assert_eq!(explanation.spaces()[1].bytes(), package.main().unwrap());
    assert_eq!(explanation.spaces()[3].bytes(), package.record().to_vec());
    for (index, space) in explanation.spaces().iter().enumerate().skip(1) {
        let (outer, at) = space.origin().unwrap();
        let from = explanation.span_in(outer, at).unwrap();
        assert_eq!((outer, from.role()), (if index == 2 { 1 } else { 0 }, Role::Compressed));
    }
    let name = explanation.span_at(30).unwrap();
    assert_eq!((name.role(), name.meaning()), (Role::Key, "name"));

    for len in (4..file.len()).step_by(3) {
        let explanation = explain(&file[..len]);
        check_cover(&explanation);
        let read = Package::from_slice(&file[..len]).unwrap_err();
        assert_eq!(explanation.error().unwrap().to_string(), read.to_string());
    }
    // Without its directory it is no package, but its entries are there.
    let directory = file.windows(4).position(|at| at == b"PK\x01\x02").unwrap();
    let explanation = explain(&file[..directory]);
    assert_eq!(explanation.spaces().len(), 4);
    // The size of all saves together is limited, and the explanation says so.
    let bomb = container::pack(&vec![0; 3 << 20], Container::BRSON).unwrap();
    let names: Vec<String> = (0..3).map(|index| format!("Assets/{index}")).collect();
    let entries = names.iter().map(|name| (name.clone(), bomb.clone()));
    let bombs = Package::from_entries(package.record().clone(), entries).unwrap();
    let explanation =
        package::explain(&bombs.to_vec().unwrap(), &Options::new().max_output(4 << 20));
    check_cover(&explanation);
    let bodies = explanation.spaces().iter().filter(|space| space.name().starts_with("decom"));
    // One byte more in each shows that there is more.
    assert!(bodies.map(|space| space.bytes().len()).sum::<usize>() <= (4 << 20) + 3);
    assert!(explanation.to_text().contains("max_output"));
    for case in gamewire_testkit::hostile::mutations("changed", &file, 5, 300) {
        check_cover(&explain(&case.bytes));
    }
}
