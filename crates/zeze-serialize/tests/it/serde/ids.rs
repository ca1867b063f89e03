//! Numbers of fields.

use super::*;

#[test]
fn from_positions() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Positions {
        a: i32,
        b: i32,
        c: i32,
    }
    assert_eq!(round_trip(&Positions { a: 0, b: 5, c: 6 }), "2005100600");
}

#[test]
fn from_names() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Names {
        #[serde(rename = "2")]
        a: i32,
        #[serde(rename = "7:b")]
        b: i32,
        #[serde(rename = "2147483647:last")]
        c: i32,
    }
    assert_eq!(round_trip(&Names { a: 1, b: 2, c: 3 }), "20015002f0f07fffffe90300");
    let error = refused(from_slice::<Names>(&hex("20 01 50 7f")));
    assert!(error.ends_with("at byte 0x3, in b"), "{error}");
}

macro_rules! refused_both_ways {
    ($type:ident { $($field:ident: $value:expr),* } $written:literal $read:literal) => {
        assert_eq!(refused(to_vec(&$type { $($field: $value),* })), $written);
        assert_eq!(refused(from_slice::<$type>(&hex("1001 1002 1003 00"))), $read);
        assert_eq!(to_vec(&$type { $($field: $value),* }).unwrap_err().kind(), ErrorKind::FieldId);
    };
}

#[test]
fn mixed_is_an_error() {
    #[derive(Debug, Serialize, Deserialize)]
    struct Late {
        #[serde(rename = "1")]
        a: i32,
        plain: i32,
    }
    refused_both_ways! { Late { a: 1, plain: 0 }
        "field `plain` has no id, other fields of the struct have one (an alias needs the id of its field)"
        "field `plain` has no id, other fields of the struct have one (an alias needs the id of its field) at byte 0x2, in plain"
    }
    #[derive(Debug, Serialize, Deserialize)]
    struct Early {
        plain: i32,
        #[serde(rename = "1")]
        a: i32,
    }
    refused_both_ways! { Early { plain: 0, a: 1 }
        "field `plain` has no id, other fields of the struct have one (an alias needs the id of its field)"
        "field `plain` has no id, other fields of the struct have one (an alias needs the id of its field) at byte 0x0, in plain"
    }
}

#[test]
fn ids_ascend() {
    #[derive(Debug, Serialize, Deserialize)]
    struct Descending {
        #[serde(rename = "2:b")]
        b: i32,
        #[serde(rename = "1:a")]
        a: i32,
    }
    refused_both_ways! { Descending { b: 0, a: 0 }
        "field `1:a` stands after field `2:b`, but fields need ascending ids (an alias needs the id of its field)"
        "field `1:a` stands after field `2:b`, but fields need ascending ids (an alias needs the id of its field) at byte 0x0"
    }
    #[derive(Debug, Serialize)]
    struct Same {
        #[serde(rename = "1:a")]
        a: i32,
        #[serde(rename = "1:b")]
        b: i32,
    }
    let error = refused(to_vec(&Same { a: 0, b: 0 }));
    assert!(error.starts_with("field `1:b` stands after field `1:a`"), "{error}");
}

#[test]
fn ids_are_in_range() {
    #[derive(Debug, Serialize, Deserialize)]
    struct Zero {
        #[serde(rename = "0")]
        a: i32,
    }
    refused_both_ways! { Zero { a: 1 }
        "expected an id of 1 to 2147483647 in the name of field `0`"
        "expected an id of 1 to 2147483647 in the name of field `0` at byte 0x0"
    }
    #[derive(Debug, Serialize, Deserialize)]
    struct Large {
        #[serde(rename = "2147483648:x")]
        a: i32,
    }
    refused_both_ways! { Large { a: 1 }
        "expected an id of 1 to 2147483647 in the name of field `2147483648:x`"
        "expected an id of 1 to 2147483647 in the name of field `2147483648:x` at byte 0x0"
    }
    #[derive(Debug, Serialize, Deserialize)]
    struct Endless {
        #[serde(rename = "99999999999999999999")]
        a: i32,
    }
    refused(to_vec(&Endless { a: 1 }));
    // What only starts with a digit is a name.
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Name {
        #[serde(rename = "2fa")]
        a: i32,
    }
    assert_eq!(round_trip(&Name { a: 1 }), "100100");
}
