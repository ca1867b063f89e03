//! Limits: depth both ways, memory, time, output; hostile text of every sort.

use std::collections::{BTreeMap, HashMap, HashSet};

use gamewire_testkit::hostile::{self, Hostile};
use gamewire_testkit::on_small_stack;
use o3de_json::report::*;
use o3de_json::types::*;
use o3de_json::*;
use serde::{Deserialize, Serialize};

use crate::errors::Shape;
use crate::support::{real_files, samples};

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Everything {
    flag: bool,
    small: i8,
    large: u64,
    float: f32,
    double: f64,
    name: String,
    vector: Vector3,
    color: Color,
    matrix: Matrix3x4,
    quaternion: Quaternion,
    transform: Transform,
    uuid: Uuid,
    bytes: Bytes,
    path: AssetPath,
    any: Any,
    layers: Layers,
    list: Vec<Everything>,
    array: [u8; 3],
    pair: (i32, String),
    set: Set<i32>,
    std_set: HashSet<i32>,
    map: BTreeMap<i32, String>,
    #[serde(serialize_with = "o3de_json::ser::sorted")]
    names: HashMap<String, f32>,
    entries: Map<Vector2Key, i32>,
    multi: MultiMap<String, i32>,
    next: Option<Box<Everything>>,
    class: Option<Class>,
    raw: RawValue,
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Vector2Key {
    x: i32,
    y: i32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Layers(u16);

register_flags!(Layers: u16 { "One" => 1, "Two" => 2, "Both" => 3, "High" => 0x8000 });

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Class {
    Class {
        inner: Vec<Class>,
    },
    Other(Box<Everything>),
    Number(i32),
    #[serde(rename = "$unknown")]
    Unknown(RawValue),
}

/// A text in which everything stands.
const TEXT: &str = r#"{
    "flag": "1", "SMALL": -0x10, "large": 18446744073709551615, "float": "12.5f", "double": 1e300,
    "name": "a\u00e9\ud83d\ude00\n", "vector": {"x": 1.0, "Z": 2}, "color": {"HEXA": "FF8000FF"},
    "matrix": {"scale": 2.0, "roll": 90.0}, "quaternion": {"a": 1, "b": 2.0, "c": 3},
    "transform": {"Translation": [1, 2, 3], "Scale": 2.0},
    "uuid": "{8651B6DA-9792-407C-A46D-A6E2E39CA900} x", "bytes": "AQID", "path": "a/./b/../c",
    "any": {"Value": [1, {}], "$type": "T"}, "layers": ["one", 4, "High"],
    "list": [{}, {"small": 1}, {"list": [{}]}], "array": [1, {}, "3", 4], "pair": ["7", 8],
    "set": [1, 2, 1], "map": [{"Value": "v", "Key": "0x10"}, {"Key": 2}], "names": {"a": 1, "{}": {}},
    "entries": [{"Key": {"x": 1}, "Value": 1}, {"Key": {"x": 1}, "Value": 2}], "multi": {"a": [{}, 1], "b": {}},
    "next": {"next": {}, "flag": true, "FLAG": false, "unknown": [1, {"a": []}]},
    "class": {"inner": [{"$type": "Number", "Value": 3}, {"x": 1, "$type": "Else"}, {"$type": "Other", "small": 3}]},
    "raw": [1.50, /* kept */ {}]
}"#;

fn everything() -> Hostile<'static> {
    Hostile::new(|bytes| {
        let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
        let lenient = Options::new().load::<Everything>(text);
        let checked = Options::new().from_str::<Everything>(text);
        // Whatever the checked load takes, the lenient one takes too.
        assert!(lenient.is_ok() || checked.is_err(), "{text}");
        let (value, _) = lenient.map_err(|error| error.to_string())?;
        drop(value);
        Ok::<_, String>(())
    })
}

#[test]
fn typed_loads_take_hostile_text() {
    let mut run = everything();
    run.sample("everything", TEXT.replace("-0x10", "\"-0x10\"").as_bytes());
    run.random(7, 1_000, 64);
    for (name, levels) in [
        ("objects", r#"{"next":"#),
        ("arrays", r#"{"list":["#),
        ("classes", r#"{"class":{"inner":["#),
    ] {
        run.refused(name, &hostile::nest(100_000, levels.as_bytes(), b"1", b"}"));
    }
    run.refused("unknown arrays", &hostile::nest(100_000, b"[", b"", b"]"));
    run.refused(
        "raw",
        &[br#"{"raw":"#.as_slice(), &hostile::nest(100_000, b"[", b"", b"]"), b"}"].concat(),
    );
    run.refused("values", &hostile::nest(100_000, br#"{"$type":"Number","Value":"#, b"1", b"}"));
    run.refused("long exponent", format!("{{\"double\":1e{}}}", "9".repeat(100_000)).as_bytes());
    run.case("long number", format!("{{\"double\":{}}}", "9".repeat(100_000)).as_bytes());
    run.case(
        "long text for a number",
        format!("{{\"double\":\"{}\"}}", "9".repeat(100_000)).as_bytes(),
    );
    run.finish();
}

/// Small beside its text, or the memory of the type itself would count.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Small {
    list: Vec<Small>,
    small: i8,
}

#[derive(Debug, Serialize, Deserialize)]
enum Number {
    Number(u8),
}

fn linear<T: for<'a> Deserialize<'a>>(name: &str, make: impl Fn(usize) -> String) {
    let mut run = Hostile::new(|bytes| {
        let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
        load::<T>(text).map(drop).map_err(|error| error.to_string())
    });
    run.linear(name, 64, |n| make(n).into_bytes());
    run.finish();
}

fn list(one: &'static str) -> impl Fn(usize) -> String {
    move |n| format!("{{\"list\":[{}]}}", vec![one; n].join(","))
}

#[test]
fn time_is_linear() {
    linear::<Small>("defaults", list("{\"small\":{}}"));
    linear::<Small>("bad elements", list("\"xxxx\""));
    linear::<Small>("bad members", list(r#"{"small":"x"}"#));
    linear::<Small>("repeated members", list(r#"{"small":1,"small":2}"#));
    linear::<Small>("unknown members", list(r#"{"x":1}"#));
    linear::<Vec<Number>>("late types", |n| {
        format!("[{}]", vec![r#"{"x":1,"$type":"Number"}"#; n].join(","))
    });
    linear::<Small>("one member again and again", |n| {
        format!("{{{}}}", vec![r#""small":1"#; n].join(","))
    });
    linear::<Map<Vector2Key, i32>>("repeated keys", |n| {
        let entry = |n| format!(r#"{{"Key":{{"x":{}}},"Value":1}}"#, n % 7);
        format!("[{}]", (0..n).map(entry).collect::<Vec<_>>().join(","))
    });
    linear::<HashSet<i32>>("a set of one", |n| format!("[{}]", vec!["1234"; n].join(",")));
}

#[test]
fn documents_take_hostile_text() {
    let mut run = Hostile::new(|bytes| from_slice::<Value>(bytes).map(drop));
    for (name, sample) in samples() {
        run.sample(&name, sample.trim_ascii_end());
    }
    run.random(9, 1_000, 64);
    run.refused("arrays", &hostile::nest(100_000, b"[", b"", b"]"));
    run.refused("objects", &hostile::nest(100_000, b"{\"a\":", b"1", b"}"));
    run.finish();
}

#[test]
fn everything_round_trips() {
    let text = TEXT.replace("-0x10", "\"-0x10\"");
    let (value, report): (Everything, _) = load(&text).unwrap();
    assert_eq!(report.processing(), Processing::PartialAlter, "{report}");
    assert_eq!((value.small, value.large, value.float), (-16, u64::MAX, 12.5));
    assert_eq!(value.vector, Vector3::new(1.0, 0.0, 2.0));
    assert_eq!(value.array, [1, 0, 3]);
    assert_eq!(value.path.0, "a/c");
    assert_eq!(value.entries.0, [(Vector2Key { x: 1, y: 0 }, 2)]);
    assert_eq!(value.multi.0, [("a".to_owned(), 0), ("a".to_owned(), 1), ("b".to_owned(), 0)]);
    let next = value.next.as_ref().unwrap();
    assert!(!next.flag && next.next.is_some());
    for text in [to_string(&value).unwrap(), Options::new().store(&value).unwrap().0] {
        assert_eq!(from_str::<Everything>(&text).unwrap(), value, "{text}");
    }
    // Laid out in lines, what is kept as text is laid out too.
    let pretty = to_string_pretty(&value).unwrap();
    let back = from_str::<Everything>(&pretty).unwrap();
    assert_eq!(to_string_pretty(&back).unwrap(), pretty);
}

#[test]
fn depth_is_limited_both_ways() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    #[derive(Debug, Default, Serialize, Deserialize)]
    struct List(Vec<List>);
    on_small_stack(move || {
        from_str::<List>(&nested(128)).unwrap();
        assert_eq!(from_str::<List>(&nested(129)).unwrap_err().kind(), ErrorKind::DepthLimit);
        assert_eq!(
            Options::new().max_typed_depth(3).from_str::<List>(&nested(4)).unwrap_err().kind(),
            ErrorKind::DepthLimit
        );
        let mut list = List::default();
        for _ in 0..127 {
            list = List(vec![list]);
        }
        assert_eq!(to_string(&list).unwrap(), nested(128));
        let deeper = List(vec![list]);
        assert_eq!(to_string(&deeper).unwrap_err().kind(), ErrorKind::DepthLimit);
        assert_eq!(Options::new().store(&deeper).unwrap_err().kind(), ErrorKind::DepthLimit);
    })
    .unwrap();
}

#[test]
fn output_and_input_are_limited() {
    let text = "x".repeat(100);
    let limit = |most| Options::new().max_output(most);
    assert_eq!(limit(102).to_string(&text).unwrap().len(), 102);
    assert_eq!(limit(101).to_string(&text).unwrap_err().kind(), ErrorKind::OutputLimit);
    assert_eq!(limit(101).store(&text).unwrap_err().kind(), ErrorKind::OutputLimit);
    let mut out = b"before".to_vec();
    limit(101).append_to_vec(&mut out, &text).unwrap_err();
    assert_eq!(out, b"before");
    limit(102).append_to_vec(&mut out, &text).unwrap();
    assert_eq!(out.len(), 108);
    let bytes = to_vec(&text).unwrap();
    Options::new().max_alloc(102).from_reader::<_, String>(&bytes[..]).unwrap();
    let error = Options::new().max_alloc(101).from_reader::<_, String>(&bytes[..]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AllocLimit);
}

#[test]
fn reports_are_limited() {
    let text = format!("[{}]", vec!["\"x\""; 5000].join(","));
    let (value, report): (Vec<i32>, _) = load(&text).unwrap();
    assert!(value.is_empty());
    assert_eq!((report.issues().len(), report.omitted()), (1000, 4000));
    // Long names are not repeated without end.
    let name = "n".repeat(10_000);
    let text = format!("{{\"{name}\":[{}]}}", vec!["\"x\""; 5000].join(","));
    let (_, report): (BTreeMap<String, Vec<i32>>, _) = load(&text).unwrap();
    assert!(report.issues().iter().map(|issue| issue.pointer.len()).sum::<usize>() < 200_000);
    assert_eq!(report.issues().len() + report.omitted(), 5000);
}

/// Every real file, as one type that knows none of its classes.
#[test]
fn real_files_load_typed() {
    #[derive(Debug, Default, Deserialize, Serialize)]
    #[serde(default)]
    struct Node {
        #[serde(rename = "Id")]
        id: Option<RawValue>,
        #[serde(rename = "Components")]
        components: BTreeMap<String, RawValue>,
        #[serde(rename = "Entities")]
        entities: BTreeMap<String, Node>,
        #[serde(rename = "Instances")]
        instances: BTreeMap<String, Node>,
        #[serde(rename = "Patches")]
        patches: Vec<RawValue>,
    }
    for (name, bytes) in real_files() {
        let text = std::str::from_utf8(&bytes).unwrap();
        if name.ends_with(".setregpatch") {
            continue;
        }
        let (node, _) = load::<Node>(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        if name.contains("NewStarbase") {
            assert_eq!(node.instances.len(), 1376);
        }
        let again = to_string(&node).unwrap();
        let (back, report) = load::<Node>(&again).unwrap();
        assert!(report.is_clean(), "{name}: {report}");
        assert_eq!(to_string(&back).unwrap(), again, "{name}");
    }
}

#[test]
fn a_type_around_itself_ends_at_the_limit() {
    #[derive(Debug, Default, Serialize, Deserialize)]
    struct Loop(Option<Box<Loop>>);
    #[derive(Debug, Serialize, Deserialize)]
    enum Base {
        Base(Box<Base>),
    }
    #[derive(Debug, Serialize, Deserialize)]
    struct Endless {
        next: Box<Endless>,
    }
    on_small_stack(|| {
        let error = from_str::<Endless>("{}").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Missing, "{error}");
        let error = Options::new().absent_as_zero(true).from_str::<Endless>("{}").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DepthLimit, "{error}");
        for text in ["1", "{}", "[", "[1]", "\"x\"", "{\"a\": 1}", "true"] {
            let kinds = [
                from_str::<Loop>(text).unwrap_err().kind(),
                Options::new().load::<Loop>(text).unwrap_err().kind(),
                from_str::<Base>(text).unwrap_err().kind(),
            ];
            assert_eq!(kinds, [ErrorKind::DepthLimit; 3], "{text}");
        }
        assert!(from_str::<Loop>("null").unwrap().0.is_none());
        // A list of elements that have several layers each is not deep.
        let many = format!("[{}1]", "1,".repeat(1000));
        assert_eq!(from_str::<Vec<Option<Option<Box<u8>>>>>(&many).unwrap().len(), 1001);
    })
    .unwrap();
}

/// Texts that take the most memory for their bytes, of about so many.
fn dense(len: usize) -> Vec<String> {
    let list = |one: &str| format!("[{}{one}]", format!("{one},").repeat(len / (one.len() + 1)));
    let members = (0..len / 8).map(|n| format!("\"{n:x}\":0")).collect::<Vec<_>>().join(",");
    let strings = format!("[{}\"\"]", "\"\\n\",".repeat(len / 5));
    let same = format!("{{{}\"\":0}}", "\"\":0,".repeat(len / 5));
    vec![list("0"), list("[]"), list("{}"), list("[0]"), format!("{{{members}}}"), same, strings]
}

#[test]
fn memory_has_one_budget() {
    use gamewire_testkit::hostile::measure;
    use o3de_json::value::Document;

    /// serde keeps all of a value before it tries the variants.
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Number {},
        Any(serde::de::IgnoredAny),
    }

    let most = 1 << 19;
    let small = Options::new().max_memory(1 << 19);
    for text in dense(200_000) {
        let start = &text[..20];
        let documents = |bytes: &[u8]| Document::from_slice(bytes, &small).map(drop);
        let values = |bytes: &[u8]| small.from_slice::<Value>(bytes).map(drop);
        let inner = |bytes: &[u8]| small.from_slice::<Vec<Value>>(bytes).map(drop);
        let buffered = |bytes: &[u8]| match small.from_slice(bytes)? {
            Either::Number {} | Either::Any(_) => Ok(()),
        };
        for (name, read) in [
            ("Document", &documents as &dyn Fn(&[u8]) -> Result<()>),
            ("Value", &values),
            ("buffered", &buffered),
        ] {
            let error = read(text.as_bytes()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::MemoryLimit, "{start}: {error}");
            assert!(error.to_string().contains("max_memory"), "{error}");
            let peak = measure(text.as_bytes(), |bytes| read(bytes)).peak;
            assert!(peak < most + (1 << 18), "{name} {start}: {peak}");
        }
        let nested = format!("[{text}]");
        assert_eq!(inner(nested.as_bytes()).unwrap_err().kind(), ErrorKind::MemoryLimit, "{start}");
        #[cfg(feature = "explain")]
        {
            let peak = measure(text.as_bytes(), |bytes| Ok::<_, Error>(small.explain(bytes))).peak;
            assert!(peak < 4 * most, "{start}: {peak}");
        }
    }
    // The default takes whatever is read otherwise, and holds.
    for text in dense(1 << 19) {
        let start = &text[..20];
        let peak =
            measure(text.as_bytes(), |bytes| Document::from_slice(bytes, &Options::new())).peak;
        assert!(peak < 64 * text.len() as u64, "{start}: {peak} of {}", text.len());
        from_str::<serde_json::Value>(&text).unwrap();
    }
}

#[test]
fn an_edit_takes_memory_in_proportion() {
    use gamewire_testkit::hostile::measure;
    use o3de_json::value::Document;

    for text in dense(1 << 18) {
        let mut document = Document::new(&*text).unwrap();
        match document.value_mut() {
            Value::Array(items) => drop(items.remove(1)),
            Value::Object(members) => drop(members.remove("")),
            _ => {}
        }
        let peak = measure(text.as_bytes(), |_| document.to_text().map(drop)).peak;
        assert!(peak < 32 * text.len() as u64, "{}: {peak} of {}", &text[..20], text.len());
    }
}

/// Neither the depth nor the memory of one element is taken from the next.
#[test]
fn elements_side_by_side_are_no_deeper_and_no_larger_than_one() {
    let many = |element: &str| format!("[{}]", vec![element; 2000].join(","));
    let shapes = many(r#"{"$type": "Box", "health": 1}"#);
    let read: Vec<Shape> = o3de_json::from_str(&shapes).unwrap();
    assert_eq!(read.len(), 2000);
    #[derive(Deserialize)]
    enum Any {
        Int(i64),
    }
    let any = many(r#"{"$type": "Int", "Value": 1}"#);
    let read: Vec<Any> = o3de_json::from_str(&any).unwrap();
    assert_eq!(read.into_iter().map(|Any::Int(own)| own).sum::<i64>(), 2000);
    let options = Options::new().max_memory(1 << 20);
    assert_eq!(options.from_str::<Vec<Value>>(&many(r#"{"a": 1}"#)).unwrap().len(), 2000);
}

#[test]
fn a_reader_that_fails_at_the_limit_is_not_asked_again() {
    struct Fails<'a>(&'a [u8]);
    impl std::io::Read for Fails<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            match self.0.read(buffer)? {
                0 => Err(std::io::ErrorKind::ConnectionReset.into()),
                read => Ok(read),
            }
        }
    }
    let error = Options::new().max_alloc(4).from_reader::<_, bool>(Fails(b"true")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
}

#[test]
fn a_reader_that_is_interrupted_at_the_limit_is_asked_again() {
    struct Interrupted<'a>(&'a [u8], bool);
    impl std::io::Read for Interrupted<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(std::io::ErrorKind::Interrupted.into());
            }
            self.0.read(buffer)
        }
    }
    let options = Options::new().max_alloc(4);
    assert!(options.from_reader::<_, bool>(Interrupted(b"true", false)).unwrap());
    let error = options.from_reader::<_, bool>(Interrupted(b"true ", false)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AllocLimit);
}

#[test]
fn a_patch_goes_as_deep_as_values_do() {
    let (depth, options) = (1000, Options::new().max_depth(1025));
    let text = format!("{}[1]{}", "[".repeat(depth), "]".repeat(depth));
    let deep = || {
        let mut value: Value = options.from_str(&text).unwrap();
        let path = "/0".repeat(depth + 1);
        let patch = format!(r#"[{{"op": "replace", "path": "{path}", "value": 2}}]"#);
        let patch: Value = options.from_str(&patch).unwrap();
        value.apply_patch(&patch);
        assert_eq!(options.to_string(&value).unwrap(), text.replace('1', "2"));
    };
    std::thread::scope(|scope| {
        let small = std::thread::Builder::new().stack_size(2 << 20);
        small.spawn_scoped(scope, deep).unwrap().join().unwrap();
    });
}
