//! The commands on beans and frames of Zeze.

use serde_json::{Value as Json, json};

use crate::run::{Line, Ran, feed, run, run_in, session, testdata};

const FORMAT: [&str; 2] = ["-f", "zeze-serialize"];

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(testdata("zeze-serialize").join(name)).unwrap()
}

/// In the folder of the samples of Zeze.
fn here(line: &(impl Line + ?Sized)) -> Ran {
    run_in(&testdata("zeze-serialize"), line)
}

fn json_of(bytes: &[u8], args: &[&str]) -> Json {
    let args = [&["decode", "-"], &FORMAT[..], args].concat();
    serde_json::from_slice(&feed(&args, bytes).good()).unwrap()
}

fn bytes_of(json: &Json, args: &[&str]) -> Vec<u8> {
    let args = [&["encode", "-"], &FORMAT[..], args].concat();
    feed(&args, json.to_string().as_bytes()).good()
}

#[test]
fn samples_are_written_back_byte_for_byte() {
    for name in ["bvalue.bean", "frames.bin", "page_frames.bin"] {
        let bytes = sample(name);
        for wrap in [&[][..], &["--wrap"], &["--compact"]] {
            let json = json_of(&bytes, wrap);
            assert_eq!(bytes_of(&json, &[]), bytes, "{name}");
        }
        let ran = here(&["check", "-q", name, "-f", "zeze-serialize", "--strict"]);
        assert_eq!(ran.end(), (0, ""), "{name}");
    }
}

#[test]
fn files_are_told_by_their_frames() {
    let ran = here("detect frames.bin page_frames.bin bvalue.bean");
    let lines = [
        "frames.bin: zeze-serialize, sent, 6 frames",
        "page_frames.bin: zeze-serialize, page, 3 frames",
        "bvalue.bean: not recognized",
    ];
    assert_eq!(ran.text().trim_end().lines().collect::<Vec<_>>(), lines);
    // The options say it for a bean.
    let ran = here("decode bvalue.bean --frames none --compact");
    assert!(ran.text().starts_with("{\"1:int\":3446820,"), "{}", ran.text());
}

#[test]
fn beans_are_shown_by_ids_and_types() {
    // {1: 7, 3: "a", 4: [1.5, 2.0], 5: {"k": dynamic}, base: {2: true}}
    let hex = "10 07 23 01 61 14 21 00 00 c0 3f 00 00 00 40 15 37 01 01 6b 0d 10 01 00 01 20 01 00";
    let bytes: Vec<u8> = hex.split(' ').map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect();
    let json = json_of(&bytes, &[]);
    assert_eq!(
        json,
        json!({
            "1:int": 7,
            "3:string": "a",
            "4:list": { "float": [1.5, 2.0] },
            "5:map": { "string:dynamic": [["k", { "type": 13, "bean": { "1:int": 1 } }]] },
            "base": { "2:int": 1 },
        })
    );
    assert_eq!(bytes_of(&json, &[]), bytes);
}

#[test]
fn frames_have_their_headers() {
    let json = json!({ "frames": "sent", "list": [
        { "module": 7, "protocol": 4294967291_u32, "family": "protocol", "bean": {} },
        { "module": 7, "protocol": 1, "family": "request", "session": 42, "bean": { "1:string": "Åsa" } },
        { "module": 7, "protocol": 1, "family": "response", "session": 42, "result": -3, "bean": {} },
        {
            "module": 1, "protocol": 2, "family": "raft_request", "session": 1,
            "unique": { "1:int": 5 }, "created": 1000, "bean": {},
        },
        {
            "module": 1, "protocol": 2, "family": "raft_response", "session": 1, "result": 9,
            "unique": {}, "created": -1, "bean": { "2:int": 0 },
        },
    ]});
    let bytes = bytes_of(&json, &[]);
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let frames = [
        "07000000 fbffffff 02000000 02 00",
        "07000000 01000000 09000000 01 2a 1304c38573 61 00",
        "07000000 01000000 04000000 20 fd 2a 00",
        "01000000 02000000 08000000 04 01 100500 43e8 00",
        "01000000 02000000 08000000 23 09 01 00 ff 200000",
    ];
    assert_eq!(hex, frames.concat().replace(' ', ""));
    assert_eq!(json_of(&bytes, &[]), json);
}

#[test]
fn frames_are_converted() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.bin").to_str().unwrap().to_owned();
    here(&["convert", "frames.bin", &page, "--to-frames", "page"]).good();
    let bytes = std::fs::read(&page).unwrap();
    let json = json_of(&bytes, &[]);
    assert_eq!(json["frames"], "page");
    let before = json_of(&sample("frames.bin"), &[]);
    let beans = |json: &Json| -> Vec<Json> {
        json["list"].as_array().unwrap().iter().map(|frame| frame["bean"].clone()).collect()
    };
    assert_eq!(beans(&json), beans(&before));
    // Back again as protocols: what the page has no room for is lost.
    let sent = bytes_of(&json, &["--frames", "sent"]);
    let json = json_of(&sent, &[]);
    assert!(json["list"].as_array().unwrap().iter().all(|frame| frame["family"] == "protocol"));
    // One frame is one bean.
    let one = json!({ "frames": "page", "list": [json["list"][0].clone()] });
    let mut one = one;
    one["list"][0].as_object_mut().unwrap().remove("family");
    let bean = bytes_of(&one, &["--frames", "none"]);
    assert_eq!(json_of(&bean, &["--frames", "none"]), one["list"][0]["bean"]);
    let out = folder.path().join("x.json").to_str().unwrap().to_owned();
    here(&["convert", "frames.bin", &out]).good();
    assert_eq!(serde_json::from_slice::<Json>(&std::fs::read(out).unwrap()).unwrap(), before);
}

#[test]
fn differences_have_paths() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, json: &Json| {
        let path = folder.path().join(name).to_str().unwrap().to_owned();
        std::fs::write(&path, bytes_of(json, &[])).unwrap();
        path
    };
    let mut json = json_of(&sample("frames.bin"), &[]);
    let old = file("old", &json);
    json["list"][0]["bean"]["2:int"] = 1.into();
    json["list"][1]["session"] = 7.into();
    json["list"][1]["bean"]["1:bean"].as_object_mut().unwrap().remove("3:string");
    json["list"][2]["family"] = "response".into();
    json["list"][3]["bean"]["99:list"] = json!({ "int": [1, 2] });
    let new = file("new", &json);
    let ran = run(&["diff", &old, &new]);
    assert_eq!(ran.end(), (1, ""));
    insta::assert_snapshot!("differences", ran.text());
    assert_eq!(run(&["diff", &old, &old]).code, 0);

    let list = |elements: &str, items: Json| json!({ "1:list": { elements: items } });
    let old = file("old", &list("int", json!([1, 2, 3])));
    let new = file("new", &list("int", json!([1, 3])));
    let ran = run(&["diff", &old, &new, "--frames", "none"]);
    assert_eq!(ran.text().trim_end(), "- [field 1][1]: 2");
    let new = file("new", &list("float", json!([1.0, 2.0, 3.0])));
    let ran = run(&["diff", &old, &new, "--frames", "none"]);
    insta::assert_snapshot!("difference_of_types", ran.text());
}

#[test]
fn every_byte_is_explained() {
    let ran = here("explain page_frames.bin");
    assert_eq!(ran.code, 0);
    insta::assert_snapshot!("explained_frames", ran.text());
    let ran = feed("explain - -f zeze-serialize", &sample("bvalue.bean")[..40]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!("explained_beginning", format!("{}{}", ran.text(), ran.stderr));
    let json = here("explain frames.bin --json").good();
    assert!(serde_json::from_slice::<Json>(&json).unwrap().is_object());
}

#[test]
fn what_is_wrong_is_said() {
    let frames = sample("frames.bin");
    let mut family = frames.clone();
    family[12] = 9;
    insta::assert_snapshot!("errors", session(&[
        ("decode - -f zeze-serialize", b""),
        ("decode - -f zeze-serialize", b"plain text"),
        ("decode - -f zeze-serialize", b"\x10\x07"),
        ("decode - -f zeze-serialize", b"\x10\x07\x00\x00"),
        ("decode - -f zeze-serialize", b"\x1d\x00"),
        ("decode - -f zeze-serialize", b"\x0f\x00"),
        ("decode - -f zeze-serialize --max-depth 1", b"\x16\x16\x10\x01\x00\x00\x00"),
        ("decode - -f zeze-serialize --strict", b"\x10\x40\x05\x00"),
        ("check - -f zeze-serialize", b"\x10\x40\x05\x00"),
        ("decode - -f zeze-serialize", &family),
        ("decode - --frames sent", &frames[..100]),
        ("decode - --frames page", &frames),
        ("convert - - --frames none --to-frames sent", b"\x10\x07\x00"),
        ("encode - -f zeze-serialize", b"[1]"),
        ("encode - -f zeze-serialize", b"{\"int\": 7}"),
        ("encode - -f zeze-serialize", b"{\"1:int\": \"x\"}"),
        ("encode - -f zeze-serialize", b"{\"1:int\": 1, \"1:int\": 2}"),
        ("encode - -f zeze-serialize", b"{\"frames\": \"sent\"}"),
        ("encode - -f zeze-serialize", b"{\"frames\": \"most\", \"list\": []}"),
        (
            "encode - -f zeze-serialize",
            b"{\"frames\":\"sent\",\"list\":[{\"module\":1,\"protocol\":2,\"family\":\"request\",\"bean\":{}}]}"
        ),
        (
            "encode - -f zeze-serialize",
            b"{\"frames\":\"page\",\"list\":[{\"module\":1,\"protocol\":2,\"session\":1,\"bean\":{}}]}"
        ),
    ]));
}

#[test]
fn what_follows_a_bean_in_its_frame_is_kept() {
    // Bare integers after an empty bean, as in a handshake.
    let frame = b"\x07\0\0\0\x38\xe6\x63\x0b\x0b\0\0\0\x02\0\x05\xff\x41\x2c\x07\x08\x09\x0a\x0b";
    let json = json_of(frame, &["--frames", "sent"]);
    assert_eq!(json["list"][0]["rest"], json!({"string": {"hex": "05ff412c0708090a0b"}}));
    assert_eq!(bytes_of(&json, &[]), frame);
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), frame).unwrap();
    let path = file.path().to_str().unwrap();
    let ran = run(&["check", path, "-f", "zeze-serialize", "--frames", "sent"]);
    assert!(ran.text().contains("identical"), "{}", ran.text());
}
