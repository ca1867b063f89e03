//! Conversions to and from the `bson` crate.

use resonite_brson::{ErrorKind, Value, value::Document};

#[test]
fn values_of_the_bson_crate() {
    let value = crate::support::everything();
    let theirs = bson::Bson::try_from(&value).unwrap();
    assert_eq!(theirs.as_document().unwrap().get_i64("key 4").unwrap(), -7);
    assert_eq!(Value::try_from(&theirs).unwrap(), value);
    let document = bson::doc! { "a": 1, "b": [true, bson::Bson::Null] };
    let ours = Document::try_from(&document).unwrap();
    assert_eq!(format!("{ours:?}"), r#"{"a": 1, "b": [true, null]}"#);
    assert_eq!(bson::Document::try_from(&ours).unwrap(), document);
    assert_eq!(Value::try_from(&bson::Bson::Int64(5)).unwrap(), Value::Int64(5));
    let deep = (0..1000).fold(Value::Null, |inner, _| vec![inner].into());
    let error = bson::Bson::try_from(&deep).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthLimit);
}
