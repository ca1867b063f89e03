//! Files that unpack to far more than they are: a bound holds, under which honest ones open.

use gamewire::document::{self, DecodedFile, Document, Limits, Settings};
use gamewire::godot_variant::wrapped::{Compressed, Compression};
use gamewire::kiwi_pclass::archive::{Archive, Builder, Content};
use gamewire_testkit::hostile::measure;

/// Bytes of a block.
const BLOCK: usize = 1 << 20;

/// A block of a compressed file.
fn packed(block: &[u8]) -> Vec<u8> {
    let file = Compressed::new(Compression::Deflate).block_size(1 << 20).to_vec(block).unwrap();
    let sizes = (block.len() / BLOCK + 1) * 4;
    let size = u32::from_le_bytes(*file[16..].first_chunk().unwrap()) as usize;
    file[16 + sizes..][..size].to_vec()
}

/// A compressed file of a first block and `count` others that are all the same.
fn repeated(first: &[u8], other: &[u8], count: usize) -> Vec<u8> {
    let blocks = [packed(first), packed(other), packed(&[])];
    let order: Vec<usize> = [0].into_iter().chain(vec![1; count]).chain([2]).collect();
    let total = (first.len() + count * other.len()) as u32;
    let mut file = b"GCPF".to_vec();
    [1, BLOCK as u32, total].iter().for_each(|word| file.extend(word.to_le_bytes()));
    order.iter().for_each(|own| file.extend((blocks[*own].len() as u32).to_le_bytes()));
    order.iter().for_each(|own| file.extend(&blocks[*own]));
    file.extend(b"GCPF");
    file
}

/// An Array of nils that fills `blocks` blocks.
fn nils(blocks: usize) -> Vec<u8> {
    let mut first = vec![0; BLOCK];
    first[0] = 28;
    first[4..8].copy_from_slice(&((blocks * BLOCK / 4 - 2) as u32).to_le_bytes());
    repeated(&first, &vec![0; BLOCK], blocks - 1)
}

#[test]
fn a_compressed_file_has_a_bound_that_its_length_does_not_raise() {
    let settings = Settings::default();
    type Way<'a> = &'a dyn Fn(&[u8]) -> Result<(), document::Error>;
    let ways: [(&str, Way<'_>); 4] = [
        ("open", &|bytes| Document::open(bytes, &settings).map(drop)),
        ("check", &|bytes| document::check(bytes, &settings).map(drop)),
        ("read", &|bytes| DecodedFile::read(bytes, &settings).map(drop)),
        ("get", &|bytes| document::get_all(bytes, &settings, &["[5]"], |_| ()).map(drop)),
    ];
    // The values of the first are just within the bound. No other way than a check makes all of them.
    let [within, beyond] = [nils(20), nils(40)];
    assert!(beyond.len() < 60_000, "{}", beyond.len());
    let all = ways.iter().map(|own| (&within, own, None));
    for (bomb, (name, way), wanted) in
        all.chain([(&beyond, &ways[1], Some(document::Hint::Memory))])
    {
        let mut hint = None;
        let cost = measure(bomb, |bytes| {
            way(bytes).map_err(|error| {
                hint = error.hint().cloned();
                error.to_string()
            })
        });
        assert!(cost.peak < 400 << 20, "{name}: {} bytes", cost.peak);
        assert_eq!(hint, wanted, "{name}");
    }
    // Who says so gets it.
    let limits = Limits { max_memory: Some(2 << 30), ..Limits::default() };
    let open = Document::open(beyond, &Settings { limits, ..Settings::default() });
    assert!(open.is_ok(), "{open:?}");
    // More than all that is unpacked at most.
    let error = Document::open(nils(300), &settings).unwrap_err();
    assert!(error.to_string().contains("is longer than max_plain"), "{error}");
}

/// An Array of dictionaries, such as games keep: 32 MiB of them.
#[test]
fn an_honest_save_of_32_mib_opens() {
    // {"id": 7, "at": 9, "to": nil, "ok": nil}
    let mut entry = Vec::new();
    [27, 4].iter().for_each(|word: &u32| entry.extend(word.to_le_bytes()));
    for (key, value) in
        [(b"id\0\0", &[2u32, 7][..]), (b"at\0\0", &[2, 9]), (b"to\0\0", &[0]), (b"ok\0\0", &[0])]
    {
        [4u32, 2].iter().for_each(|word| entry.extend(word.to_le_bytes()));
        entry.extend(key);
        value.iter().for_each(|word| entry.extend(word.to_le_bytes()));
    }
    assert_eq!(entry.len(), 80);
    let count = (32 * BLOCK - 8) / entry.len();
    let head = [28, count as u32].map(u32::to_le_bytes).concat();
    let plain = [head, entry.repeat(count)].concat();
    let file = Compressed::new(Compression::Deflate).block_size(1 << 20).to_vec(&plain).unwrap();
    assert!(file.len() * 30 < plain.len(), "{} for {}", file.len(), plain.len());
    let document = Document::open(file, &Settings::default()).unwrap();
    let last = document.get(&format!("[{}].at", count - 1)).unwrap();
    assert_eq!(last[0].text().unwrap(), "9");
}

/// Lines take no memory together.
#[test]
fn lines_are_told_one_by_one() {
    let nils = nils(1);
    let document = Document::open(nils, &Settings::default()).unwrap();
    let mut lines = 0;
    struct Count<'a>(&'a mut usize);
    impl std::io::Write for Count<'_> {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            *self.0 += bytes.iter().filter(|byte| **byte == b'\n').count();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let cost = measure(&[], |_| document.write_lines(&mut Count(&mut lines)));
    assert_eq!(lines, BLOCK / 4 - 2);
    assert!(cost.peak < 64 << 10, "{}", cost.peak);
}

/// Entries of an archive are bounded together: those that name the same bytes are refused, and so is what goes
/// beyond the sum.
#[test]
fn entries_of_an_archive_have_one_budget() {
    let mut builder = Builder::new();
    let zeros = Content::compressed(&vec![0; 1 << 20]).unwrap();
    for at in 0..300 {
        builder.insert_content(&format!("e{at:03}"), zeros.clone()).unwrap();
    }
    let bytes = builder.to_vec().unwrap();
    let archive = Archive::from_slice(&bytes).unwrap();
    let read: Vec<bool> = archive.entries().map(|entry| entry.read().is_ok()).collect();
    assert_eq!(read.iter().filter(|own| **own).count(), 256);
    assert!(read[..256].iter().all(|own| *own));
    let error = archive.by_index(256).unwrap().read().unwrap_err();
    assert!(
        error.to_string().contains("the entries up to this one have more than 268435456 bytes"),
        "{error}"
    );
}
