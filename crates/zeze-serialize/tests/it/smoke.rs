use serde::{Deserialize, Serialize};
use zeze_serialize::*;

#[derive(Debug, PartialEq, Serialize, Deserialize, Default)]
struct Inner {
    #[serde(rename = "1")]
    x: i32,
    #[serde(rename = "3:y")]
    y: String,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Dyn {
    #[serde(rename = "0")]
    Empty,
    #[serde(rename = "1")]
    Inner(Inner),
    #[serde(rename = "-5")]
    Num(i32),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Many {
    d: Dyn,
    list: Vec<Dyn>,
    opt: Option<i32>,
    v: Vector3,
    arr: [i32; 3],
    pair: (i32, String),
    unknown: Unknown,
}

#[test]
fn smoke() {
    let many = Many {
        d: Dyn::Num(0),
        list: vec![Dyn::Empty, Dyn::Inner(Inner { x: 3, y: "d".into() }), Dyn::Empty],
        opt: Some(0),
        v: Vector3::new(1.0, 0.0, 2.0),
        arr: [1, 2, 3],
        pair: (0, "x".into()),
        unknown: Unknown::new(),
    };
    let bytes = to_vec(&many).unwrap();
    println!("{:?}", from_slice::<Value>(&bytes).unwrap());
    println!("{}", explain(&bytes));
    assert_eq!(from_slice::<Many>(&bytes).unwrap(), many);
}
