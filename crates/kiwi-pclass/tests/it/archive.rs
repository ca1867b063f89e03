//! KIWAD archives: the samples, which another program made, what is written, and hostile ones.

use std::sync::LazyLock;

use gamewire_testkit::hostile::{self, Hostile, Limits};
use kiwi_pclass::archive::{self, Archive, Builder, Content, Problem};
use kiwi_pclass::{ErrorKind, Options, Value};

use crate::support::{schema, testdata};

static ARENA: LazyLock<Vec<u8>> = LazyLock::new(|| sample("arena.wad"));
static OLD: LazyLock<Vec<u8>> = LazyLock::new(|| sample("old.wad"));

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(testdata().join(name)).unwrap()
}

/// Reads the table and each entry.
fn read_all(bytes: &[u8]) -> Result<(), String> {
    let archive = Archive::from_slice(bytes).map_err(|error| error.to_string())?;
    match archive.verify().into_iter().find(Problem::is_error) {
        None => Ok(()),
        Some(problem) => Err(problem.to_string()),
    }
}

/// An archive of entries as they are given: name, offset, size, packed size, flag, checksum.
fn made(version: u32, entries: &[(&str, u32, u32, u32, u8, u32)], data: &[u8]) -> Vec<u8> {
    let mut out = b"KIWAD".to_vec();
    out.extend(version.to_le_bytes());
    out.extend((entries.len() as u32).to_le_bytes());
    out.extend((version >= 2).then_some(0));
    for (name, offset, size, packed, flag, crc) in entries {
        out.extend([*offset, *size, *packed].iter().flat_map(|number| number.to_le_bytes()));
        out.push(*flag);
        out.extend(crc.to_le_bytes());
        out.extend((name.len() as u32 + 1).to_le_bytes());
        out.extend(name.bytes().chain([0]));
    }
    out.extend(data);
    out
}

#[test]
fn the_samples_are_read() {
    let archive = Archive::from_slice(&ARENA).unwrap();
    assert_eq!((archive.version(), archive.flags(), archive.len()), (2, Some(1), 7));
    let boss = archive.by_name("ObjectData/Arena/Boss.xml").unwrap();
    assert_eq!(*boss.read().unwrap(), *sample("boss.xml"));
    assert!(boss.is_compressed() && boss.compressed_size().unwrap() < boss.size());
    let options = Options::file().schema(schema("arena.json"));
    let value: Value = options.from_slice(&boss.read().unwrap()).unwrap();
    assert_eq!(options.to_vec(&value).unwrap(), *boss.read().unwrap());
    let theme = archive.by_name("Music/Theme.mp3").unwrap();
    assert_eq!(&*theme.read().unwrap(), b"ID3 no music at all");
    assert_eq!(theme.compressed_size(), None);
    assert_eq!(archive.by_name("Empty.txt").unwrap().read().unwrap().len(), 0);
    assert!(archive.by_name("objectdata/arena/boss.xml").is_none());
    assert!(archive.by_name("ObjectData").is_none());
    let later = archive.by_name("Later.xml").unwrap();
    assert!(later.is_unpatched());
    assert_eq!(
        later.read().unwrap_err().to_string(),
        "expected data, found only the zeros that the game's patcher replaces at byte 0x14a, \
         in [\"Later.xml\"]"
    );
    let problems: Vec<String> = archive.verify().iter().map(Problem::to_string).collect();
    assert_eq!(problems, ["Later.xml: the game has not fetched the data yet"]);

    let archive = Archive::from_slice(&OLD).unwrap();
    assert_eq!((archive.version(), archive.flags()), (1, None));
    let names: Vec<&str> = archive.file_names().collect();
    assert_eq!(names, ["b/Second.txt", "a/First.txt", "c/Zeros.bin"]);
    for (name, content) in
        [("a/First.txt", "first ".repeat(20)), ("b/Second.txt", "second".to_owned())]
    {
        assert_eq!(*archive.by_name(name).unwrap().read().unwrap(), *content.as_bytes());
    }
    // Zeros that are the data have the checksum of zeros.
    let zeros = archive.by_index(2).unwrap();
    assert_eq!((&*zeros.read().unwrap(), zeros.crc32()), (&[0; 5][..], 0));
    assert!(archive.by_index(3).is_none());
}

/// A file that counts the bytes that are read of it.
struct Counted(std::io::Cursor<Vec<u8>>, std::sync::Arc<std::sync::atomic::AtomicUsize>);

impl std::io::Read for Counted {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let len = self.0.read(buf)?;
        self.1.fetch_add(len, std::sync::atomic::Ordering::Relaxed);
        Ok(len)
    }
}

impl std::io::Seek for Counted {
    fn seek(&mut self, to: std::io::SeekFrom) -> std::io::Result<u64> {
        self.0.seek(to)
    }
}

/// All that an archive says, errors included.
fn told(archive: kiwi_pclass::Result<Archive<'_>>) -> String {
    let archive = match archive {
        Ok(archive) => archive,
        Err(error) => return error.to_string(),
    };
    let mut text = format!("{archive:?}\n");
    for entry in archive.entries() {
        let content = entry.read().map_err(|error| error.to_string());
        text += &format!("{entry:?} {} {content:?}\n", entry.is_unpatched());
    }
    let problems = archive.verify();
    text += &problems.iter().map(|own| format!("{own}\n")).collect::<String>();
    let mut builder = archive.to_builder();
    text += &format!("{:?}\n", builder.to_vec().map_err(|error| error.to_string()));
    builder.insert("new.xml", b"new").unwrap();
    builder.remove("Empty.txt");
    text + &format!("{:?}\n", builder.to_vec().map_err(|error| error.to_string()))
}

#[test]
fn a_file_says_what_its_bytes_say() {
    let twice = made(2, &[("a", 48, 1, 0, 0, 0), ("a", 48, 1, 0, 0, 0)], b"xy");
    for bytes in [&*ARENA, &*OLD, &twice, &b"KIWAD\x02\0\0\0\xff\xff\xff\xff\0".to_vec()] {
        let whole = bytes.len();
        for cut in (0..whole.min(420)).step_by(3).chain([whole - 1, whole]) {
            let part = &bytes[..cut];
            let file = std::io::Cursor::new(part.to_vec());
            let of_file = told(Archive::from_file(file, &Options::new()));
            assert_eq!(of_file, told(Archive::from_slice(part)), "{cut}");
        }
    }
    // Only the table is read, and then the entries that are asked for.
    let mut builder = Builder::new();
    for at in 0..64 {
        let content = Content::stored(vec![7; 100_000]).unwrap();
        builder.insert_content(&format!("{at:02}.bin"), content).unwrap();
    }
    let read = std::sync::Arc::default();
    let file =
        Counted(std::io::Cursor::new(builder.to_vec().unwrap()), std::sync::Arc::clone(&read));
    let archive = Archive::from_file(file, &Options::new()).unwrap();
    let count = || read.load(std::sync::atomic::Ordering::Relaxed);
    assert_eq!(archive.len(), 64);
    assert!(count() < 70_000, "{}", count());
    assert!(!archive.entries().any(|entry| entry.is_unpatched()));
    let before = count();
    assert!(before < 500_000, "{before}");
    assert_eq!(archive.by_name("33.bin").unwrap().read().unwrap().len(), 100_000);
    assert_eq!(count() - before, 100_000);
    // A table that claims more than there may be.
    let error =
        Archive::from_file(std::io::Cursor::new(ARENA.clone()), &Options::new().max_memory(64));
    assert_eq!(error.unwrap_err().kind(), ErrorKind::MemoryLimit);
}

#[test]
fn hashes_that_no_list_has_are_counted() {
    let archive = Archive::from_slice(&ARENA).unwrap();
    let options = Options::file().schema(schema("arena.json")).unknown(kiwi_pclass::Unknown::Keep);
    let server = archive.by_name("ObjectData/Server.xml").unwrap().read().unwrap();
    let value: Value = options.from_slice(&server).unwrap();
    let hashes: Vec<_> = value.unknown_hashes().iter().map(|own| (own.class, own.hash)).collect();
    assert_eq!(hashes, [(None, 0x05f2_8b93); 2]);
    let boss: Value = options.from_slice(&sample("boss.xml")).unwrap();
    assert!(boss.unknown_hashes().is_empty());
    let mut odd = boss.clone();
    let bits = kiwi_pclass::value::RawBits::new(&[7], 8);
    let field = kiwi_pclass::value::Field::unknown(12345, Value::Bits(Box::new(bits)));
    odd.as_object_mut().unwrap().push_field(field);
    let hashes = odd.unknown_hashes();
    assert_eq!((hashes[0].class, hashes[0].hash), (Some("class ArenaBoss"), 12345));
}

#[test]
fn what_is_not_changed_keeps_its_bytes() {
    for bytes in [&*ARENA, &*OLD] {
        let archive = Archive::from_slice(bytes).unwrap();
        let mut builder = archive.to_builder();
        assert_eq!(builder.to_vec().unwrap(), *bytes);
        // The same content once more is no change.
        for entry in archive.entries().filter(|entry| !entry.is_unpatched()) {
            builder.insert(entry.name(), &entry.read().unwrap()).unwrap();
        }
        assert!(!builder.remove("none"));
        assert_eq!(builder.to_vec().unwrap(), *bytes);
    }
}

#[test]
fn entries_are_replaced_added_and_removed() {
    let archive = Archive::from_slice(&ARENA).unwrap();
    let mut builder = archive.to_builder();
    builder.insert("ObjectData/Arena/Boss.xml", b"another boss").unwrap();
    builder.insert("Music/Theme.mp3", b"other music").unwrap();
    builder.insert("M.xml", b"in the middle").unwrap();
    assert!(builder.remove("Empty.txt"));
    let bytes = builder.to_vec().unwrap();
    let changed = Archive::from_slice(&bytes).unwrap();
    assert_eq!((changed.version(), changed.flags()), (2, Some(1)));
    let names: Vec<&str> = changed.file_names().collect();
    assert_eq!(
        names,
        [
            "GUI/Readme.txt",
            "Later.xml",
            "M.xml",
            "Music/Theme.mp3",
            "ObjectData/Arena/Boss.xml",
            "ObjectData/Arena/Match.xml",
            "ObjectData/Server.xml"
        ]
    );
    let read = |name| changed.by_name(name).unwrap().read().unwrap();
    assert_eq!(&*read("ObjectData/Arena/Boss.xml"), b"another boss");
    assert_eq!(&*read("M.xml"), b"in the middle");
    assert_eq!(&*changed.by_name("Music/Theme.mp3").unwrap().stored().unwrap(), b"other music");
    for name in ["GUI/Readme.txt", "Later.xml", "ObjectData/Server.xml"] {
        let [old, new] = [&archive, &changed].map(|archive| archive.by_name(name).unwrap());
        assert_eq!(old.stored().unwrap(), new.stored().unwrap(), "{name}");
        let facts =
            |entry: archive::Entry<'_, '_>| (entry.crc32(), entry.size(), entry.is_compressed());
        assert_eq!(facts(old), facts(new), "{name}");
    }
    assert_eq!(changed.verify().len(), 1, "the data that is not there yet");

    // Names that are not in order stay so, with both of their zeros; what is new comes last.
    let archive = Archive::from_slice(&OLD).unwrap();
    let mut builder = archive.to_builder();
    builder.insert("a/New.ogg", b"new").unwrap();
    let bytes = builder.to_vec().unwrap();
    let changed = Archive::from_slice(&bytes).unwrap();
    assert_eq!(
        changed.file_names().collect::<Vec<_>>().concat(),
        "b/Second.txta/First.txtc/Zeros.bina/New.ogg"
    );
    assert_eq!(bytes[9..13], 4u32.to_le_bytes());
    assert!(bytes.windows(14).any(|window| window == b"b/Second.txt\0\0"));
    assert!(!changed.verify().iter().any(Problem::is_error));
}

#[test]
fn new_archives_are_as_the_games_have_them() {
    let mut builder = Builder::new();
    assert!(builder.is_empty());
    let empty = builder.to_vec().unwrap();
    assert_eq!(empty, b"KIWAD\x02\0\0\0\0\0\0\0\0");
    assert!(Archive::from_slice(&empty).unwrap().is_empty());
    for name in ["b.xml", "a.OGG", "c.mp3"] {
        builder.insert(name, &[7; 300]).unwrap();
    }
    builder.insert_content("d.bin", Content::stored(&b"stored"[..]).unwrap()).unwrap();
    builder.set_version(1);
    let bytes = builder.to_vec().unwrap();
    let archive = Archive::from_slice(&bytes).unwrap();
    let shown: Vec<_> =
        archive.entries().map(|entry| (entry.name(), entry.is_compressed())).collect();
    assert_eq!(shown, [("a.OGG", false), ("b.xml", true), ("c.mp3", false), ("d.bin", false)]);
    // Level 9 of zlib, whose header says so.
    assert_eq!(archive.by_name("b.xml").unwrap().stored().unwrap()[..2], [0x78, 0xda]);
    // The rest of the first record: not compressed.
    assert_eq!(bytes[21..26], [0xff, 0xff, 0xff, 0xff, 0]);
    assert!(archive.verify().is_empty());
    let error = builder.insert("a\0b", b"").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Data);
}

#[test]
fn names_are_what_the_file_says() {
    let names = ["..", "../../etc/passwd", "/abs", "C:\\x", "CON", "\u{1b}[31m", "", "a//b"];
    let mut builder = Builder::new();
    for name in names {
        builder.insert_content(name, Content::stored(&b"x"[..]).unwrap()).unwrap();
    }
    let bytes = builder.to_vec().unwrap();
    let archive = Archive::from_slice(&bytes).unwrap();
    for name in names {
        assert_eq!(&*archive.by_name(name).unwrap().read().unwrap(), b"x", "{name:?}");
    }
    assert_eq!(archive.to_builder().to_vec().unwrap(), bytes);
    let bad = made(1, &[("a", 0, 0, 0, 0, 0)], b"");
    let at = bad.len() - 2;
    let bad = [&bad[..at], b"\xff\0"].concat();
    let archive = Archive::from_slice(&bad).unwrap();
    assert_eq!(archive.file_names().collect::<Vec<_>>(), ["\\xff"]);
    assert_eq!(
        archive.verify().iter().map(|own| own.to_string()).collect::<Vec<_>>(),
        ["the name \\\\xff is not UTF-8"]
    );
    assert!(!archive.verify()[0].is_error());
}

/// A name that is no text, a wrong checksum and a name that is there twice: the rest is read, and each of them
/// too; what is not changed keeps its bytes.
#[test]
fn an_odd_entry_costs_nothing_but_itself() {
    let crc = archive::crc(b"abc");
    let at = 13 + 4 * 23;
    let rows = [
        ("a", at, 3, u32::MAX, 0, crc),
        ("b", at + 3, 3, u32::MAX, 0, crc ^ 1),
        ("d", at + 6, 3, u32::MAX, 0, crc),
        ("d", at + 9, 3, u32::MAX, 0, crc),
    ];
    let mut bytes = made(1, &rows, b"abcabcabcabc");
    // The first name is no text.
    let name = bytes.iter().position(|byte| *byte == b'a').unwrap();
    bytes[name] = 0xfe;
    let archive = Archive::from_slice(&bytes).unwrap();
    let read: Vec<_> = archive.entries().map(|entry| entry.read().ok()).collect();
    assert_eq!(read.iter().filter(|read| read.as_deref() == Some(b"abc")).count(), 3);
    assert_eq!(&*archive.by_name("\\xfe").unwrap().read().unwrap(), b"abc");
    let error = archive.by_name("b").unwrap().read().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Checksum);
    let lenient = Options::new().ignore_checksums(true);
    let again = Archive::from_slice_with(&bytes, &lenient).unwrap();
    assert!(again.entries().all(|entry| *entry.read().unwrap() == *b"abc"));
    // Changed, it keeps the name and the checksum of the others.
    let mut builder = archive.to_builder();
    builder.insert_content("c", Content::stored(&b"new"[..]).unwrap()).unwrap();
    let changed = builder.to_vec().unwrap();
    let changed = Archive::from_slice(&changed).unwrap();
    assert_eq!(changed.len(), 5);
    assert_eq!(&*changed.by_name("\\xfe").unwrap().read().unwrap(), b"abc");
    assert_eq!(changed.by_name("b").unwrap().crc32(), crc ^ 1);
    assert!(changed.by_name("b").unwrap().read().is_err());
}

#[test]
fn what_is_wrong_is_said() {
    let crc = archive::crc(b"abcdef");
    let at = 13 + 3 * 23;
    let bytes = made(
        1,
        &[("b", at, 6, u32::MAX, 0, crc), ("a", at + 3, 3, 0, 0, 1), ("a", 5, 4, 0, 0, 1)],
        b"abcdef",
    );
    let archive = Archive::from_slice(&bytes).unwrap();
    let problems: Vec<String> = archive.verify().iter().map(Problem::to_string).collect();
    assert_eq!(
        problems,
        [
            "the names are not in order",
            "several entries have the name a",
            "a begins inside of b",
            "a begins inside of the table"
        ]
    );
    // Of two with one name the first is found, and the other one when that is removed.
    assert_eq!(archive.by_name("a").unwrap().index(), 1);
    let mut builder = archive.to_builder();
    assert!(builder.remove("a") && builder.contains("a") && builder.remove("a"));
    let rest = builder.to_vec().unwrap();
    assert_eq!(Archive::from_slice(&rest).unwrap().file_names().collect::<Vec<_>>(), ["b"]);

    let wrong = |entry, kind, message: &str| {
        let bytes = made(2, &[entry], b"abcdef");
        let error = Archive::from_slice(&bytes).unwrap().by_index(0).unwrap().read().unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (kind, message));
        // Nothing is made of what is not there.
        let mut builder = Archive::from_slice(&bytes).unwrap().to_builder();
        builder.set_flags(2);
        assert_eq!(builder.to_vec().is_err(), kind == ErrorKind::UnexpectedEof);
    };
    let at = 14 + 23;
    wrong(
        ("a", at, 7, 0, 0, crc),
        ErrorKind::UnexpectedEof,
        "expected 7 bytes of data, found 6 bytes at byte 0x25, in a",
    );
    wrong(
        ("a", u32::MAX, u32::MAX, u32::MAX, 1, crc),
        ErrorKind::UnexpectedEof,
        "expected 4294967295 bytes of data, found 0 bytes at byte 0xffffffff, in a",
    );
    wrong(
        ("a", at, 6, 0, 0, 5),
        ErrorKind::Checksum,
        "expected data with the checksum 0x00000005, found 0xfa4c984c at byte 0x25, in a",
    );
    wrong(
        ("a", at, 6, 6, 1, crc),
        ErrorKind::Compression,
        "expected zlib data, found what is none: deflate decompression error: incorrect header \
         check at byte 0x25, in a",
    );
}

#[test]
fn sizes_that_lie() {
    let content = Content::compressed(&[1; 5000]).unwrap();
    let mut builder = Builder::new();
    builder.insert_content("a", content).unwrap();
    let bytes = builder.to_vec().unwrap();
    let entry = 14;
    for (size, kind) in [
        (4999u32, ErrorKind::Compression),
        (5001, ErrorKind::Compression),
        (u32::MAX, ErrorKind::OutputLimit),
    ] {
        let mut lie = bytes.clone();
        lie[entry + 4..entry + 8].copy_from_slice(&size.to_le_bytes());
        let archive = Archive::from_slice(&lie).unwrap();
        assert_eq!(archive.by_index(0).unwrap().read().unwrap_err().kind(), kind, "{size}");
    }
    let few = Options::new().max_output(4999);
    let archive = Archive::from_slice_with(&bytes, &few).unwrap();
    assert_eq!(archive.by_index(0).unwrap().read().unwrap_err().kind(), ErrorKind::OutputLimit);
    for enough in [Options::new().max_output(5000), Options::new().max_memory(5000)] {
        let archive = Archive::from_slice_with(&bytes, &enough).unwrap();
        assert_eq!(*archive.by_index(0).unwrap().read().unwrap(), [1; 5000]);
    }
    let few = Options::new().max_memory(4999);
    let archive = Archive::from_slice_with(&bytes, &few).unwrap();
    assert_eq!(archive.by_index(0).unwrap().read().unwrap_err().kind(), ErrorKind::MemoryLimit);
    let none = Options::new().max_memory(40);
    assert_eq!(Archive::from_slice_with(&bytes, &none).unwrap_err().kind(), ErrorKind::MemoryLimit);
}

#[test]
fn hostile_archives() {
    // The codec has a window of its own.
    let limits = Limits { base: (64 << 10) + (2 << 20), ..Limits::default() };
    let mut hostile = Hostile::new(read_all).limits(limits);
    hostile.sample("arena", &ARENA);
    hostile.random(3, 300, 200);
    let claim =
        |count: u64| Some([&b"KIWAD\x01\0\0\0"[..], &hostile::u32_le(count)?, &[0; 64]].concat());
    hostile.all_refused("counts", hostile::length_claims(claim));
    let name = |len: u64| {
        let head = made(1, &[("", 0, 0, 0, 0, 0)], b"");
        Some(
            [&head[..head.len() - 5], &hostile::u32_le(len).filter(|_| len > 9)?, &[0; 9]].concat(),
        )
    };
    hostile.all_refused("names", hostile::length_claims(name));
    // Many entries that share the same bytes: the time goes by the bytes, not by what is claimed.
    hostile.linear("overlaps", 64, |count| {
        let size = (count * 23) as u32;
        let at = 13 + size;
        let entries = vec![("a", at, size, 0, 0, 9); count];
        made(1, &entries, &vec![0; size as usize])
    });
    hostile.linear("entries", 64, |count| made(1, &vec![("a", 5, 0, 0, 0, 0); count], b""));
    hostile.finish();

    let mut repacked = Hostile::new(|bytes: &[u8]| {
        let archive = Archive::from_slice(bytes).map_err(|error| error.to_string())?;
        let mut builder = archive.to_builder();
        builder.remove("Empty.txt");
        builder.to_vec().map(drop).map_err(|error| error.to_string())
    })
    .limits(limits);
    repacked.cases("repacked", hostile::mutations("arena", &ARENA, 7, 1000));
    repacked.cases("cut", hostile::truncations("old", &OLD));
    repacked.finish();
}

#[test]
fn bombs() {
    // 16 MiB of zeros, in an archive that may give out one.
    let mut builder = Builder::new();
    builder.insert("bomb.xml", &vec![0; 16 << 20]).unwrap();
    let bomb = builder.to_vec().unwrap();
    let options = Options::new().max_output(1 << 20);
    let limits = Limits { base: (64 << 10) + (3 << 20), ..Limits::default() };
    let mut hostile = Hostile::new(|bytes: &[u8]| {
        let archive =
            Archive::from_slice_with(bytes, &options).map_err(|error| error.to_string())?;
        archive
            .entries()
            .try_for_each(|entry| entry.read().map(drop).map_err(|error| error.to_string()))
    })
    .limits(limits);
    hostile.refused("bomb", &bomb);
    for size in [1000u32, 1 << 20, u32::MAX] {
        let mut lie = bomb.clone();
        lie[18..22].copy_from_slice(&size.to_le_bytes());
        hostile.refused("bomb", &lie);
    }
    hostile.finish();
}

#[test]
fn every_byte_is_explained() {
    insta::assert_snapshot!(
        "archive_explained",
        archive::explain(&ARENA, &Options::new()).to_text()
    );
    insta::assert_snapshot!(
        "archive_old_explained",
        archive::explain(&OLD, &Options::new()).to_text()
    );
    // With a schema, the files inside too.
    let options = Options::file().schema(schema("arena.json"));
    let explanation = archive::explain(&ARENA, &options);
    let text = explanation.to_text();
    assert!(text.contains("m_gold: u24                                   16777215"), "{text}");
    let names: Vec<&str> = explanation.spaces().iter().map(|space| space.name()).collect();
    let [boss, matched] =
        ["Boss", "Match"].map(|name| format!("entry ObjectData/Arena/{name}.xml"));
    let server = "entry ObjectData/Server.xml";
    assert_eq!(
        names,
        [
            "input",
            "entry Empty.txt",
            "entry GUI/Readme.txt",
            &boss,
            &matched,
            "inflated objects",
            server
        ]
    );
    let error = explanation.error().unwrap().to_string();
    assert!(
        error.ends_with(r#"at byte 0x27c, in ["ObjectData/Server.xml"].m_fighters[1]"#),
        "{error}"
    );
    assert_eq!(explanation.error_space().unwrap().name(), server);
    // What is damaged is said where it stands.
    let mut damaged = ARENA.clone();
    damaged[0x1a0] ^= 1;
    let explanation = archive::explain(&damaged, &options);
    assert_eq!(explanation.error().unwrap().kind(), ErrorKind::Checksum);
    assert!(explanation.span_at(0x1a0).unwrap().notes().contains("damaged"));

    for end in 0..ARENA.len() {
        let cut = &ARENA[..end];
        let explanation = archive::explain(cut, &options);
        let covered: usize = explanation.spans_in(0).iter().map(|span| span.len()).sum();
        assert_eq!(covered, end);
        assert!(explanation.error().is_some(), "{end}");
    }
}

#[test]
fn compressed_entries_without_data_are_an_error_in_explanations_too() {
    for (size, flag, is_fine) in [(5, 1, false), (0, 0, true)] {
        let bytes = made(1, &[("a", 36, size, 0, flag, archive::crc(b""))], b"");
        let read = Archive::from_slice(&bytes).unwrap();
        assert_eq!(read.entries().next().unwrap().read().is_ok(), is_fine);
        let explained = archive::explain(&bytes, &Options::new());
        assert_eq!(explained.error().is_none(), is_fine, "{:?}", explained.error());
    }
}

#[test]
fn entries_inside_of_others_are_an_error_in_explanations_too() {
    let data = b"0123456789";
    let crc = |range: std::ops::Range<usize>| archive::crc(&data[range]);
    let second = |at: u32, size: u32| {
        let from = at as usize - 59;
        [("a", 59, 8, 0, 0, crc(0..8)), ("b", at, size, 0, 0, crc(from..from + size as usize))]
    };
    let cases = [
        (made(1, &second(67, 2), data), None),
        (made(1, &second(66, 2), data), Some("inside of a at byte 0x42, in b")),
        (made(1, &second(59, 8), data), Some("inside of a at byte 0x3b, in b")),
        (
            made(1, &[("a", 5, 4, 0, 0, archive::crc(&[1, 0, 0, 0]))], b""),
            Some("inside of the table at byte 0x5, in a"),
        ),
    ];
    for (bytes, error) in cases {
        let archive = Archive::from_slice(&bytes).unwrap();
        let overlaps = archive.verify().iter().any(|own| matches!(own, Problem::Overlap { .. }));
        assert_eq!(overlaps, error.is_some(), "{error:?}");
        let found = archive::explain(&bytes, &Options::new()).error().map(ToString::to_string);
        let wanted = error.map(|error| format!("expected data of its own, found it {error}"));
        assert_eq!(found, wanted);
    }
}

/// Other readers pass over what is behind the compressed data, and sound files may be marked falsely.
#[test]
fn odd_data_is_read_or_named() {
    let packed = Content::compressed(b"some text").unwrap();
    let mut builder = Builder::new();
    builder.insert_content("a", packed).unwrap();
    let stored = builder.to_vec().unwrap();
    let stored =
        Archive::from_slice(&stored).unwrap().by_name("a").unwrap().stored().unwrap().into_owned();
    let (long, raw) = ([&stored[..], b"xyz"].concat(), b"OggS, and more".to_vec());
    let at = 13 + 2 * 23;
    let rows = [
        ("a", at, 9, long.len() as u32, 1, archive::crc(&long)),
        ("b", at + long.len() as u32, raw.len() as u32, raw.len() as u32, 1, archive::crc(&raw)),
    ];
    let bytes = made(1, &rows, &[&long[..], &raw].concat());
    let archive = Archive::from_slice(&bytes).unwrap();
    let (a, b) = (archive.by_name("a").unwrap(), archive.by_name("b").unwrap());
    let (content, rest) = a.read_and_rest().unwrap();
    assert_eq!((&*content, rest, a.is_falsely_compressed()), (&b"some text"[..], 3, false));
    assert_eq!(b.read().unwrap_err().kind(), ErrorKind::Compression);
    assert!(b.is_falsely_compressed());
    assert_eq!(*b.stored().unwrap(), raw);
    let problems = archive.verify();
    let shown: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        [
            "a: 3 bytes after the compressed data, which nothing reads",
            "b: is marked as compressed and is not"
        ]
    );
    assert_eq!(problems.iter().map(Problem::is_error).collect::<Vec<_>>(), [false, true]);
    let strict = Archive::from_slice_with(&bytes, &Options::new().strict(true)).unwrap();
    assert_eq!(strict.by_name("a").unwrap().read().unwrap_err().kind(), ErrorKind::TrailingBytes);
}

#[test]
fn new_names_are_paths_in_the_archive() {
    let mut builder = Builder::new();
    for name in ["", "/etc/passwd", "\\x", "C:\\x", "../x", "a/../x", "a\\..", "a\0b"] {
        let error = builder.insert(name, b"x").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Data, "{name:?}");
    }
    for name in ["a", "a/b.xml", "a..b", "..a", "CON"] {
        builder.insert(name, b"x").unwrap();
    }
    assert_eq!(builder.len(), 5);
}
