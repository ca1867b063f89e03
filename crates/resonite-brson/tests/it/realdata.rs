//! Real files beside the workspace, where they are there.

use gamewire_testkit::vectors::same_bytes;
use resonite_brson::{Value, json};

use crate::shared::trees;

#[test]
fn bson_is_written_back_the_same() {
    for (name, file) in trees() {
        let body = resonite_brson::open(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        let value: Value = body.read().unwrap();
        same_bytes(&name, body.bson(), &crate::plain::to_vec(&value).unwrap()).unwrap();
        // Its kind is written in more bytes than it needs.
        let strict = resonite_brson::Options::new().strict(!name.starts_with("longvarint"));
        assert!(strict.from_slice::<Value>(&file).unwrap() == value, "{name}");
        let text = json::to_string(&value, json::Style::Canonical);
        assert!(json::from_str(&text).unwrap() == value, "{name}");
        let relaxed = json::to_string(&value, json::Style::Relaxed);
        serde_json::from_str::<serde_json::Value>(&relaxed).unwrap();
        // The other implementation agrees about every value.
        let theirs = bson::Document::from_reader(body.bson()).unwrap();
        same_bytes(&name, body.bson(), &theirs.to_vec().unwrap()).unwrap();
        #[cfg(feature = "explain")]
        {
            let explanation = resonite_brson::explain(&file);
            assert!(explanation.error().is_none(), "{name}");
            crate::shared::check_cover(&explanation);
        }
    }
}
