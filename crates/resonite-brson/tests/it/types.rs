//! The types of BSON and of the engine by themselves: times, decimals.

use resonite_brson::DateTime;

#[test]
fn known_times() {
    for (text, millis) in [
        ("1970-01-01T00:00:00Z", 0),
        ("1969-12-31T23:59:59.999Z", -1),
        ("2000-02-29T12:00:00Z", 951_825_600_000),
        ("2024-12-31T23:59:59.001Z", 1_735_689_599_001),
        ("0000-03-01T00:00:00Z", -62_162_035_200_000),
        ("0001-01-01T00:00:00Z", -62_135_596_800_000),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ("+10000-01-01T00:00:00Z", 253_402_300_800_000),
        ("-000001-12-31T00:00:00Z", -62_167_305_600_000),
    ] {
        assert_eq!(DateTime::parse(text), Some(DateTime(millis)), "{text}");
        let shown = DateTime(millis).to_string();
        assert_eq!(DateTime::parse(&shown), Some(DateTime(millis)), "{shown}");
    }
    assert_eq!(DateTime(951_825_600_000).to_string(), "2000-02-29T12:00:00Z");
    assert_eq!(DateTime(i64::MAX).to_string(), "+292278994-08-17T07:12:55.807Z");
    assert_eq!(DateTime(i64::MIN).to_string(), "-292275055-05-16T16:47:04.192Z");
}

#[test]
fn offsets_and_short_forms() {
    for (text, millis) in [
        ("1970-01-01", 0),
        ("1970-01-01T01:00+01:00", 0),
        ("1970-01-01 00:00:00.5-00:30", 1_800_500),
        ("1970-01-01T00:00:00.1239Z", 123),
    ] {
        assert_eq!(DateTime::parse(text), Some(DateTime(millis)), "{text}");
    }
    for text in
        ["", "1970", "1970-02-30", "1970-13-01", "1970-01-01T24:00Z", "1970-01-01T00:00", "x"]
    {
        assert_eq!(DateTime::parse(text), None, "{text}");
    }
}
