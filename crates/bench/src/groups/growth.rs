//! The program `gamewire` on files of many sizes, each a list of small records, and on long lists of small numbers
//! and maps of them: the time of the processor and the most memory at one time, as a multiple of the file.
//!
//! The files are made by another run of this program, because the system counts the memory of the
//! program that starts another as that of the other.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use kiwi_pclass::Schema;
use resonite_brson::Container;
use resonite_brson::container::pack_with;
use serde::{Deserialize, Serialize};

use crate::Outcome;
use crate::rng::SplitMix64;
use crate::system;
use crate::table::{Cell, Table};
use crate::task::Task;

/// Megabytes of the files, of those for all commands, and of those of a quick run.
const SIZES: [usize; 4] = [1, 16, 64, 256];
const WHOLE: usize = 64;
const QUICK: [usize; 2] = [1, 4];

/// Megabytes of a list of numbers, and of a map.
const FLAT: usize = 16;

/// A file.
#[derive(Serialize, Deserialize)]
#[serde(rename = "class GrowthFile")]
struct File {
    list: Vec<Record>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "class GrowthRecord")]
struct Record {
    id: u32,
    name: String,
    weight: f32,
    on: bool,
    tags: Vec<i32>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "class GrowthNumbers")]
struct Numbers {
    list: Vec<i32>,
}

#[derive(Serialize, Deserialize)]
struct Map {
    list: BTreeMap<String, i32>,
}

fn numbers(count: usize) -> Numbers {
    Numbers { list: SplitMix64::new(22).list(count, |rng| rng.below(60) as i32) }
}

fn map(count: usize) -> Map {
    let values = numbers(count).list.into_iter().enumerate();
    Map { list: values.map(|(at, value)| (key(at), value)).collect() }
}

fn key(at: usize) -> String {
    format!("k{at:07}")
}

impl File {
    fn generate(count: usize) -> Self {
        let list = SplitMix64::new(21).list(count, |rng| {
            let tags = rng.length(0, 4);
            Record {
                id: rng.bits() as u32,
                name: format!("record {}", rng.below(1 << 40)),
                weight: rng.f32() * 100.0,
                on: rng.coin(),
                tags: rng.list(tags, |rng| rng.below(5_000) as i32),
            }
        });
        File { list }
    }
}

type Pack = fn(Vec<u8>) -> Outcome<Vec<u8>>;

/// A format, its files, and the path of a record in a list.
struct Kind {
    name: &'static str,
    format: &'static str,
    /// The compression of a file; its size is counted before it.
    pack: Option<Pack>,
    encode: fn(&File) -> Outcome<Vec<u8>>,
    record: fn(usize) -> String,
    /// The path of the name in a record.
    field: &'static str,
    /// Whether `tree` draws such a file: of O3DE and Resonite it draws prefabs and saves alone.
    has_tree: bool,
}

const KINDS: [Kind; 6] = [
    Kind {
        name: "godot-variant",
        format: "godot-variant",
        pack: None,
        encode: |file| Ok(godot_variant::to_vec(file)?),
        record: |at| format!("list[{at}]"),
        field: ".name",
        has_tree: true,
    },
    Kind {
        name: "o3de-json",
        format: "o3de-json",
        pack: None,
        encode: |file| Ok(o3de_json::to_vec(file)?),
        record: |at| format!("/list/{at}"),
        field: "/name",
        has_tree: false,
    },
    Kind {
        name: "kiwi-pclass",
        format: "kiwi-pclass",
        pack: None,
        encode: |file| {
            let schema = Schema::infer::<File>()?;
            Ok(kiwi_pclass::Options::file().max_output(usize::MAX).schema(schema).to_vec(file)?)
        },
        record: |at| format!("list[{at}]"),
        field: ".name",
        has_tree: true,
    },
    Kind {
        name: "zeze-serialize",
        format: "zeze-serialize",
        pack: None,
        encode: |file| Ok(zeze_serialize::to_vec(file)?),
        record: |at| format!("[field 1][{at}]"),
        field: "[field 2]",
        has_tree: true,
    },
    Kind {
        name: "resonite-brson",
        format: "resonite-brson",
        pack: None,
        encode: bson,
        record: |at| format!("list[{at}]"),
        field: ".name",
        has_tree: false,
    },
    Kind {
        name: "resonite-brson, LZ4",
        format: "resonite-brson",
        pack: Some(|bson| {
            let options = resonite_brson::Options::new().container(Container::LZ4_BSON);
            Ok(pack_with(&bson, &options.max_output(usize::MAX))?)
        }),
        encode: bson,
        record: |at| format!("list[{at}]"),
        field: ".name",
        has_tree: false,
    },
];

fn bson(file: &impl Serialize) -> Outcome<Vec<u8>> {
    let limits = resonite_brson::Options::new().max_output(usize::MAX);
    Ok(limits.container(Container::BSON).to_vec(file)?)
}

/// A file of a long list of numbers, or of a map.
struct FlatKind {
    name: &'static str,
    format: &'static str,
    encode: fn(usize) -> Outcome<Vec<u8>>,
    /// The path of an element or entry.
    path: fn(usize) -> String,
}

const FLAT_KINDS: [FlatKind; 9] = [
    FlatKind {
        name: "godot-variant, numbers",
        format: "godot-variant",
        encode: |count| Ok(godot_variant::to_vec(&numbers(count))?),
        path: |at| format!("list[{at}]"),
    },
    FlatKind {
        name: "godot-variant, map",
        format: "godot-variant",
        encode: |count| Ok(godot_variant::to_vec(&map(count))?),
        path: |at| format!("list.{}", key(at)),
    },
    FlatKind {
        name: "o3de-json, numbers",
        format: "o3de-json",
        encode: |count| Ok(o3de_json::to_vec(&numbers(count))?),
        path: |at| format!("/list/{at}"),
    },
    FlatKind {
        name: "o3de-json, map",
        format: "o3de-json",
        encode: |count| Ok(o3de_json::to_vec(&map(count))?),
        path: |at| format!("/list/{}", key(at)),
    },
    FlatKind {
        name: "kiwi-pclass, numbers",
        format: "kiwi-pclass",
        encode: |count| {
            let options = kiwi_pclass::Options::file().max_output(usize::MAX);
            Ok(options.schema(Schema::infer::<Numbers>()?).to_vec(&numbers(count))?)
        },
        path: |at| format!("list[{at}]"),
    },
    FlatKind {
        name: "zeze-serialize, numbers",
        format: "zeze-serialize",
        encode: |count| Ok(zeze_serialize::to_vec(&numbers(count))?),
        path: |at| format!("[field 1][{at}]"),
    },
    FlatKind {
        name: "zeze-serialize, map",
        format: "zeze-serialize",
        encode: |count| Ok(zeze_serialize::to_vec(&map(count))?),
        path: |at| format!("[field 1][\"{}\"]", key(at)),
    },
    FlatKind {
        name: "resonite-brson, numbers",
        format: "resonite-brson",
        encode: |count| bson(&numbers(count)),
        path: |at| format!("list[{at}]"),
    },
    FlatKind {
        name: "resonite-brson, map",
        format: "resonite-brson",
        encode: |count| bson(&map(count)),
        path: |at| format!("list.{}", key(at)),
    },
];

/// How the titles of these tables end.
const OVER: &str = "CPU seconds, and memory over the file";

/// The type list of the files of PropertyClass.
const TYPES: &str = "types.json";

fn sizes(quick: bool) -> &'static [usize] {
    if quick { &QUICK } else { &SIZES }
}

/// How many records a file of that many bytes has.
fn count(kind: &Kind, size: usize) -> Outcome<usize> {
    const SAMPLE: usize = 10_000;
    Ok(size * SAMPLE / (kind.encode)(&File::generate(SAMPLE))?.len())
}

/// Makes the files in a folder.
pub fn make(folder: &Path, quick: bool) -> Outcome<()> {
    for kind in &KINDS {
        for size in sizes(quick) {
            let file = File::generate(count(kind, size * 1_000_000)?);
            let mut bytes = (kind.encode)(&file)?;
            if let Some(pack) = kind.pack {
                bytes = pack(bytes)?;
            }
            fs::write(path_of(folder, kind, *size), bytes)?;
        }
    }
    for kind in &FLAT_KINDS {
        fs::write(folder.join(kind.name), (kind.encode)(flat_count(kind, quick)?)?)?;
    }
    Ok(fs::write(folder.join(TYPES), type_list()?)?)
}

/// How many numbers a list or map has.
fn flat_count(kind: &FlatKind, quick: bool) -> Outcome<usize> {
    const SAMPLE: usize = 10_000;
    let size = if quick { QUICK[1] } else { FLAT } * 1_000_000;
    Ok(size * SAMPLE / (kind.encode)(SAMPLE)?.len())
}

fn path_of(folder: &Path, kind: &Kind, size: usize) -> PathBuf {
    folder.join(format!("{}-{size}", kind.name))
}

/// The types of [`File`] in the form of the published type lists.
fn type_list() -> Outcome<String> {
    let mut classes = Vec::new();
    let (files, numbers) = (Schema::infer::<File>()?, Schema::infer::<Numbers>()?);
    for class in files.classes().chain(numbers.classes()) {
        let properties: Vec<_> = class.properties().iter().map(|property| {
            format!(
                r#""{}":{{"type":"{}","id":{},"offset":0,"flags":{},"container":"{}","dynamic":false,"singleton":false,"pointer":false,"hash":{}}}"#,
                property.name(),
                property.type_name(),
                property.id(),
                property.flags().0,
                if property.is_list() { "Vector" } else { "Static" },
                property.hash(),
            )
        }).collect();
        classes.push(format!(
            r#""{}":{{"name":"{}","bases":[],"hash":{},"singleton":false,"properties":{{{}}}}}"#,
            class.hash(),
            class.name(),
            class.hash(),
            properties.join(","),
        ));
    }
    Ok(format!(r#"{{"version":2,"classes":{{{}}}}}"#, classes.join(",")))
}

/// The tables, or none without the program.
pub fn tables(task: &Task) -> Outcome<Vec<Table>> {
    let Some(tool) = &task.tool else {
        println!("without --tool, the group growth has no tables\n");
        return Ok(Vec::new());
    };
    let folder = std::env::temp_dir().join(format!("gamewire-growth-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let tables = measured(&folder, tool, task.quick);
    fs::remove_dir_all(&folder)?;
    tables
}

fn measured(folder: &Path, tool: &Path, quick: bool) -> Outcome<Vec<Table>> {
    let mut make = Command::new(std::env::current_exe()?);
    make.arg("--files").arg(folder).args(quick.then_some("--quick"));
    system::run(&mut make, 0)?.ok_or("the files cannot be made")?;

    let mut growth = Table::new(format!("Files of many sizes: {OVER}"), &["command"]);
    growth.columns.extend(sizes(quick).iter().map(|size| format!("{size} MB")));
    let columns = [
        "format",
        "explain",
        "decode",
        "encode ≤ 10×",
        "set ≤ 3×",
        "del ≤ 3×",
        "diff ≤ 4×",
        "merge3 ≤ 6×",
        "tree ≤ 4×",
    ];
    let title = format!("Files of {WHOLE} MB: {OVER}");
    let mut whole = Table::new(title, &columns);
    for kind in &KINDS {
        let run = |arguments: &[&str], size: usize, most: f64| {
            run(folder, tool, kind.format, arguments, size, most)
        };
        let (mut get, mut check) = (Vec::new(), Vec::new());
        for &size in sizes(quick) {
            let record = (kind.record)(count(kind, size * 1_000_000)? / 2);
            let path = format!("{record}{}", kind.field);
            let name = path_of(folder, kind, size);
            let file = name.to_str().ok_or("the folder's name is no text")?;
            get.push(run(&["get", file, &path], size, 2.0)?);
            check.push(run(&["check", file], size, 8.0)?);
            if size == if quick { QUICK[1] } else { WHOLE } {
                let set = format!("{path}=renamed");
                let first = (kind.record)(1);
                let set = run(&["set", file, &set, "-o", "changed"], size, 3.0)?;
                whole.rows.push(vec![
                    Cell::Text(kind.name.to_owned()),
                    run(&["explain", file], size, f64::MAX)?,
                    run(&["decode", file, "-o", "decoded"], size, f64::MAX)?,
                    run(&["encode", "decoded", "-o", "encoded"], size, 10.0)?,
                    set,
                    run(&["del", file, &first, "-o", "shorter"], size, 3.0)?,
                    run(&["diff", file, "changed"], size, 4.0)?,
                    run(&["merge3", file, "shorter", "changed", "-o", "merged"], size, 6.0)?,
                    match kind.has_tree {
                        true => run(&["tree", file], size, 4.0)?,
                        false => Cell::Nothing,
                    },
                ]);
            }
        }
        for (name, mut cells) in [("get ≤ 2×", get), ("check ≤ 8×", check)] {
            cells.insert(0, Cell::Text(format!("{} {name}", kind.name)));
            growth.rows.push(cells);
        }
    }
    Ok(vec![growth, whole, flat(folder, tool, quick)?])
}

/// The table of long lists and maps.
fn flat(folder: &Path, tool: &Path, quick: bool) -> Outcome<Table> {
    let columns =
        ["file", "get ≤ 2×", "set ≤ 3×", "ins ≤ 3×", "del ≤ 3×", "diff ≤ 4×", "merge3 ≤ 6×"];
    let size = if quick { QUICK[1] } else { FLAT };
    let title = format!("Lists of numbers, and maps, of {size} MB: {OVER}");
    let mut table = Table::new(title, &columns);
    for kind in &FLAT_KINDS {
        let run =
            |arguments: &[&str], most: f64| run(folder, tool, kind.format, arguments, size, most);
        let count = flat_count(kind, quick)?;
        let path = |at: usize| (kind.path)(at);
        let (gone, last) = (path(count / 3), path(count - 2));
        let (set, new) = (format!("{last}=77"), format!("{}=7", path(count)));
        table.rows.push(vec![
            Cell::Text(kind.name.to_owned()),
            run(&["get", kind.name, &last], 2.0)?,
            run(&["set", kind.name, &set, "-o", "theirs"], 3.0)?,
            run(&["ins", kind.name, &new, "-o", "longer"], 3.0)?,
            run(&["del", kind.name, &gone, "-o", "ours"], 3.0)?,
            run(&["diff", kind.name, "ours"], 4.0)?,
            run(&["merge3", kind.name, "ours", "theirs", "-o", "merged"], 6.0)?,
        ]);
    }
    Ok(table)
}

/// Runs the program on a file of that many megabytes; marks it if it takes more memory than it may.
fn run(
    folder: &Path,
    tool: &Path,
    format: &str,
    arguments: &[&str],
    size: usize,
    most: f64,
) -> Outcome<Cell> {
    let mut command = Command::new(tool);
    command.current_dir(folder).args(arguments).args(["-f", format]);
    if format == "kiwi-pclass" {
        command.args(["--types", TYPES]);
    }
    let shown = || format!("gamewire {} on {size} MB", arguments.join(" "));
    // A difference of two files is no failure of `diff`.
    let code = i32::from(arguments.first() == Some(&"diff"));
    let used = system::run(&mut command, code)?.ok_or_else(shown)?;
    let over = used.bytes as f64 / (size as f64 * 1e6);
    // As it is shown, with one digit.
    let bold = if over >= most + 0.05 { "**" } else { "" };
    let mut text = String::new();
    write!(text, "{:.2}", used.time.as_secs_f64())?;
    // This program needs more for itself than a small file has.
    if size >= 16 {
        write!(text, " {bold}{over:.1}×{bold}")?;
    }
    Ok(Cell::Text(text))
}
