//! Header, codecs, and telling files apart.

use gamewire_testkit::hostile::{self, Verdict};
use resonite_brson::container::{self, Codec, Container};
use resonite_brson::{ErrorKind, Options};

/// A document with repetition and without, of about `len` bytes.
pub(crate) fn document(len: usize) -> Vec<u8> {
    let mut noise = 1u32;
    let mut bson = vec![0; 4];
    while bson.len() + 40 < len {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let text = format!("member {:08x} and {}", noise, noise % 7);
        bson.push(2);
        bson.extend_from_slice(format!("{}\0", bson.len()).as_bytes());
        bson.extend_from_slice(&(text.len() as u32 + 1).to_le_bytes());
        bson.extend_from_slice(text.as_bytes());
        bson.push(0);
    }
    bson.push(0);
    let len = bson.len() as u32;
    bson[..4].copy_from_slice(&len.to_le_bytes());
    bson
}

fn containers() -> Vec<Container> {
    let with = Codec::ALL.into_iter().filter(|codec| *codec != Codec::None).map(Container::new);
    with.chain(Codec::ALL.into_iter().map(Container::legacy)).collect()
}

#[test]
fn every_container_there_and_back() {
    for len in [5, 100, 30_000, 1_050_000] {
        let bson = document(len);
        for container in containers() {
            if len > 1_000_000 && ![Container::LZ4_BSON, Container::BSON].contains(&container) {
                continue; // slow in a debug build
            }
            let file = container::pack(&bson, container).unwrap();
            let unpacked = container::unpack(&file).unwrap();
            assert_eq!(unpacked.container(), container, "{len}");
            assert_eq!(unpacked.bson(), bson, "{container}");
            assert_eq!(container::pack(&bson, container).unwrap(), file, "{container}");
        }
    }
}

#[test]
fn streams_are_the_same_as_slices() {
    for container in containers() {
        let (bson, options) = (document(5_000), Options::new().container(container));
        let file = container::pack(&bson, container).unwrap();
        let mut written = b"before".to_vec();
        container::pack_to(&mut written, &bson, &options).unwrap();
        assert!(written.strip_prefix(b"before") == Some(&file[..]), "{container}");
        for len in (0..file.len()).step_by(7).chain([file.len()]) {
            let options = options.input(container);
            let slice = options.open(&file[..len]);
            let stream = options.open_reader(&file[..len]);
            let shown = |body: resonite_brson::Result<resonite_brson::Body<'_>>| {
                body.map(|body| (body.container(), body.into_bson())).map_err(|e| e.to_string())
            };
            assert_eq!(shown(slice), shown(stream), "{container}, {len}");
        }
    }
}

#[test]
fn the_header_is_the_engine_s() {
    for (container, kind, extension) in [
        (Container::LZ4_BSON, 1, "lz4bson"),
        (Container::SEVEN_Z_BSON, 2, "7zbson"),
        (Container::BRSON, 3, "brson"),
    ] {
        let file = container::pack(&document(100), container).unwrap();
        assert_eq!(file[..9], [b'F', b'r', b'D', b'T', 0, 0, 0, 0, kind]);
        assert_eq!(container.extension(), extension);
        assert_eq!(Container::for_extension(&extension.to_uppercase()), Some(container));
        let head = container::detect(&file).unwrap().unwrap();
        assert_eq!((head.container(), head.body()), (container, 9));
    }
    let lzma = container::pack(&document(100), Container::SEVEN_Z_BSON).unwrap();
    assert_eq!(lzma[9..14], [0x5d, 0, 0, 0x20, 0]);
    assert_eq!(lzma[22..30], (lzma.len() as u64 - 30).to_le_bytes());
    let lz4 = container::pack(&document(1 << 20 | 1 << 10), Container::LZ4_BSON).unwrap();
    assert_eq!(lz4[9..13], [3, 0x80, 0x80, 0x40]); // a chunk of 1 MiB by the slow encoder
}

fn kind_of(bytes: &[u8]) -> ErrorKind {
    container::unpack(bytes).unwrap_err().kind()
}

#[test]
fn headers_that_are_refused() {
    let error = |bytes: &[u8]| container::unpack(bytes).unwrap_err().to_string();
    assert_eq!(
        error(b"FrDT\x01\0\0\0\x03"),
        "expected version 0 of the header, found 1; the file is of a newer program at byte 0x4"
    );
    assert_eq!(
        error(b"FrDT\xff\xff\xff\xff\x03"),
        "expected version 0 of the header, found -1 at byte 0x4"
    );
    assert_eq!(
        error(b"FrDT\0\0\0\0\x07"),
        "expected a kind of compression from 1 to 3, found 7 at byte 0x8"
    );
    assert_eq!(
        error(b"FrDT\0\0\0\0\0\x05\0\0\0\0"),
        "kind 0 of compression, none, is only read where Options::input says so; the engine cannot load it at byte 0x8"
    );
    assert_eq!(error(b"FrDT\0\0"), "expected a header of 9 bytes, found 6 at byte 0x6");
    assert_eq!(
        error(b"FrDT\0\0\0\0"),
        "expected the kind of compression, found the end at byte 0x8"
    );
    assert_eq!(
        error(b"FrDT\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
        "expected the kind of compression in at most 10 bytes and 64 bits, found more at byte 0x8"
    );
    assert_eq!(
        error(b"FrDt"),
        "expected a save, found 46 72 44 74: it is cut or damaged, or no save at byte 0x0"
    );
    assert_eq!(
        error(b""),
        "expected a save, found nothing: it is cut or damaged, or no save at byte 0x0"
    );
    assert_eq!(kind_of(b"FrDT\x01\0\0\0\x03"), ErrorKind::Header);
    assert_eq!(kind_of(b"FrDT"), ErrorKind::UnexpectedEof);
}

#[test]
fn kind_0_is_read_and_written_by_an_option() {
    let plain = Container::new(Codec::None);
    let options = Options::new().input(plain);
    let file = container::pack(&document(100), plain).unwrap();
    assert_eq!(options.open(&file).unwrap().bson(), document(100));
    assert_eq!(kind_of(&file), ErrorKind::Header);
}

#[test]
fn a_long_kind_is_read_but_not_strictly() {
    let mut file = container::pack(&document(100), Container::BRSON).unwrap();
    file.splice(8..9, [0x83, 0]);
    assert_eq!(container::unpack(&file).unwrap().bson(), document(100));
    let error = Options::new().strict(true).open(&file).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotCanonical);
}

#[test]
fn kinds_are_variable_length_numbers() {
    let kind = |digits: &[u8]| {
        let file = [b"FrDT\0\0\0\0", digits].concat();
        container::detect(&file).map(|head| head.unwrap().body()).map_err(|error| error.kind())
    };
    assert_eq!(kind(&[3]), Ok(9));
    assert_eq!(kind(&[0x83, 0]), Ok(10));
    assert_eq!(kind(&[0x83, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0]), Ok(18));
    assert_eq!(kind(&[0x80; 9]), Err(ErrorKind::UnexpectedEof));
    assert_eq!(kind(&[0x80; 11]), Err(ErrorKind::Compression));
    assert_eq!(kind(&[0xff; 10]), Err(ErrorKind::Compression));
    // 64 bits fit, and are no kind; 65 do not.
    let mut most = [0xff; 10];
    most[9] = 1;
    assert_eq!(kind(&most), Err(ErrorKind::Header));
    most[9] = 2;
    assert_eq!(kind(&most), Err(ErrorKind::Compression));
}

/// Packs bytes that need not be a document and reads them with the other decoder.
#[cfg(feature = "lz4")]
fn lz4_len(bytes: &[u8]) -> usize {
    let container = Container::new(Codec::Lz4);
    let file = container::pack(bytes, container).unwrap();
    let options = Options::new().input(container);
    if bytes.is_empty() {
        assert!(options.open(&file).is_err());
    } else {
        assert_eq!(options.open(&file).unwrap().bson(), bytes);
    }
    file.len()
}

#[cfg(feature = "lz4")]
#[test]
fn lz4_blocks_are_read_by_another_decoder() {
    for len in (0..64).chain([255, 269, 270, 271, 300, 1000, 65535, 65536, 70000]) {
        lz4_len(&vec![7; len]);
        let squares = (0..len as u64).map(|at| ((at * at) >> 3).to_le_bytes()[0]);
        lz4_len(&squares.collect::<Vec<_>>());
    }
}

#[cfg(feature = "lz4")]
#[test]
fn repetition_is_found_within_the_window_only() {
    let mut noise = 1u32;
    let mut random = |len: usize| -> Vec<u8> {
        let next = |_| {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            noise.to_le_bytes()[3]
        };
        (0..len).map(next).collect()
    };
    let part = random(1000);
    let near = [part.clone(), random(64_000), part.clone()].concat();
    let far = [part.clone(), random(66_000), part.clone()].concat();
    assert!(lz4_len(&near) < 64_000 + 1000 + 400);
    assert!(lz4_len(&far) > 68_000);
    assert!(lz4_len(&part.repeat(100)) < 2000);
}

/// Frames of stored blocks with the published checksums of their content.
#[cfg(feature = "lz4")]
#[test]
fn checksums_of_frames_are_the_published_ones() {
    for (content, hash) in [
        (&b"a"[..], 0x550d_7456_u32),
        (b"abc", 0x32d1_53ff),
        (b"Nobody inspects the spammish repetition", 0xe229_3b2f),
    ] {
        let container = Container::new(Codec::Lz4Frame);
        let file = container::pack(content, container).unwrap();
        assert!(file.ends_with(&hash.to_le_bytes()));
        assert_eq!(Options::new().input(container).open(&file).unwrap().bson(), content);
        let mut broken = file.clone();
        *broken.last_mut().unwrap() ^= 1;
        let error = Options::new().input(container).open(&broken).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Checksum);
    }
}

#[test]
fn what_comes_out_is_limited() {
    let zeros = vec![0; 2 << 20];
    for container in containers() {
        if container.codec().kind() == 2 && container.has_header() {
            continue;
        }
        if container.codec() == Codec::None {
            continue; // what is there is there
        }
        let bomb = container::pack(&zeros, container).unwrap();
        let options = Options::new().max_output(1 << 20);
        let error = if container == Container::legacy(Codec::Brotli) {
            container::unpack_named(&bomb, "brson", &options).unwrap_err()
        } else {
            options.open(&bomb).unwrap_err()
        };
        assert_eq!(error.kind(), ErrorKind::OutputLimit, "{container}: {error}");
        assert!(error.to_string().contains("max_output, which is 1048576 bytes"), "{error}");
    }
    let error = container::pack_with(&document(200), &Options::new().max_output(99)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutputLimit);
}

/// What the document does not say of itself beforehand is not held twice while it comes.
#[test]
fn memory_of_a_bomb_is_limited() {
    const MEMORY: usize = 8 << 20;
    for (len, is_read) in [(MEMORY / 2, true), (MEMORY * 2, false)] {
        for announced in [5, i32::try_from(len).unwrap(), i32::MAX] {
            let mut bson = vec![0; len];
            bson[..4].copy_from_slice(&announced.to_le_bytes());
            for codec in [Codec::Brotli, Codec::Lzma, Codec::Lz4] {
                let bomb = container::pack(&bson, Container::new(codec)).unwrap();
                let options = Options::new().max_memory(MEMORY);
                let cost = gamewire_testkit::hostile::measure(&bomb, |bytes| {
                    options.open(bytes).map(|body| assert_eq!(body.bson(), bson))
                });
                let name = format!("{codec:?}, {len} bytes, says {announced}: {cost:?}");
                assert_eq!(matches!(cost.verdict, Verdict::Accepted), is_read, "{name}");
                if codec == Codec::Brotli {
                    assert!(cost.peak <= u64::try_from(MEMORY + (256 << 10)).unwrap(), "{name}");
                }
            }
        }
    }
}

#[test]
fn claims_are_not_believed() {
    // A chunk of 2⁴⁰ bytes, an LZMA stream of as many, a dictionary of 4 GiB.
    let chunk = b"FrDT\0\0\0\0\x01\x03\x80\x80\x80\x80\x80\x20\x05hello";
    assert_eq!(kind_of(chunk), ErrorKind::Compression);
    let mut lzma = container::pack(&document(1000), Container::SEVEN_Z_BSON).unwrap();
    lzma[10..14].copy_from_slice(&[0xff; 4]);
    assert_eq!(container::unpack(&lzma).unwrap().bson(), document(1000));
    lzma[14..22].copy_from_slice(&(1u64 << 40).to_le_bytes());
    assert_eq!(kind_of(&lzma), ErrorKind::Compression);
    lzma[14..22].copy_from_slice(&(1u64 << 20).to_le_bytes());
    assert!(container::unpack(&lzma).is_err());
    lzma[14..22].copy_from_slice(&(-7i64).to_le_bytes());
    assert_eq!(kind_of(&lzma), ErrorKind::Compression);
    // Properties whose model alone would take 12 MB.
    lzma[9] = 4 * 9 + 8;
    lzma[14..22].copy_from_slice(&1000u64.to_le_bytes());
    let error = container::unpack(&lzma).unwrap_err().to_string();
    assert_eq!(error, "unsupported LZMA properties 0x2c at byte 0x9");
}

#[test]
fn cut_files_are_refused_at_every_byte() {
    let bson = document(600);
    for container in containers() {
        if container == Container::BSON {
            continue; // the document says how long it is, not the container
        }
        let file = container::pack(&bson, container).unwrap();
        for len in 0..file.len() {
            if let Ok(unpacked) = container::unpack(&file[..len]) {
                // LZMA's last bytes say nothing; nothing else may be missing.
                let lzma = container.codec().kind() == 2 && len + 5 >= file.len();
                assert!(lzma && unpacked.bson() == bson, "{container}, {len} bytes");
            }
        }
    }
}

/// The memory that a container may allocate on top, for output and dictionary.
const CAP: usize = 1 << 20;

fn limits() -> hostile::Limits {
    let own = hostile::Limits::default();
    hostile::Limits { base: own.base + 3 * CAP as u64, ..own }
}

/// Every container: cut, flipped, mutated; within the cap on memory and a stack of 2 MiB.
#[test]
fn hostile_containers() {
    let options = Options::new().max_output(CAP).max_alloc(CAP);
    let bson = document(120);
    for container in containers() {
        if container == Container::BSON {
            continue; // tests/it/limits.rs
        }
        let file = container::pack(&bson, container).unwrap();
        let decode = |bytes: &[u8]| {
            let read = options.from_slice::<resonite_brson::Value>(bytes);
            let streamed = options.from_reader::<_, resonite_brson::Value>(bytes);
            if let (Ok(read), Ok(streamed)) = (&read, &streamed) {
                assert_eq!(read, streamed);
            }
            #[cfg(feature = "explain")]
            crate::shared::check_cover(&options.explain(bytes));
            read.map(drop)
        };
        let mut hostile = hostile::Hostile::new(decode).limits(limits());
        hostile.accepted("whole", &file);
        hostile.cases("cut", (0..file.len()).map(|len| hostile::Case::new("cut", &file[..len])));
        let flipped = (0..file.len() * 8).step_by(3).map(|bit| {
            let mut bytes = file.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            hostile::Case::new("flipped", bytes)
        });
        hostile.cases("flipped", flipped);
        hostile.finish();
    }
}

/// Numbers in headers that promise what is not there.
#[test]
fn hostile_claims() {
    let options = Options::new().max_output(CAP).max_alloc(CAP);
    let decode = |bytes: &[u8]| options.from_slice::<resonite_brson::Value>(bytes).map(drop);
    let mut hostile = hostile::Hostile::new(decode).limits(limits());
    let file = |kind: u8, body: &[u8]| [&b"FrDT\0\0\0\0"[..], &[kind], body].concat();
    let bson = document(400);
    for (name, lzma) in [("lzma", Codec::Lzma), ("alone", Codec::LzmaAlone)] {
        let good = container::pack(&bson, Container::legacy(lzma)).unwrap();
        for (at, len) in [(1, 4), (5, 8), (13, 8)] {
            for byte in [0, 1, 0x7f, 0x80, 0xff] {
                let mut bytes = good.clone();
                bytes[at..at + len].fill(byte);
                hostile.case(name, &file(2, &bytes));
                hostile.case(name, &bytes);
            }
        }
    }
    for number in [&[0xff, 0xff, 0xff, 0xff, 0x0f][..], &[0xff; 9], &[0x80; 20]] {
        for flags in 0..8 {
            hostile.refused("chunk", &file(1, &[&[flags], number, number, b"data"].concat()));
            hostile.refused("chunk", &file(1, &[&[flags], number, &[4], b"data"].concat()));
        }
    }
    // A frame that says it has 2⁶³ bytes, and blocks of 4 MiB that are not there.
    let frame = container::pack(&bson, Container::legacy(Codec::Lz4Frame)).unwrap();
    for at in 4..frame.len().min(40) {
        for byte in [0, 0x7f, 0x80, 0xff] {
            let mut bytes = frame.clone();
            bytes[at] = byte;
            hostile.case("frame", &file(1, &bytes));
        }
    }
    // Zeros compressed as far as each codec can.
    for codec in Codec::ALL.into_iter().filter(|codec| *codec != Codec::None) {
        let zeros = container::pack(&vec![0; 4 * CAP], Container::new(codec)).unwrap();
        hostile.refused("bomb", &zeros);
    }
    hostile.finish();
}

#[test]
fn a_package_is_called_one() {
    let archive = "an archive, as a .resonitepackage is, which the crate resonite-save reads";
    let options = Options::new();
    let error = options.open(b"PK\x03\x04\x14\0\0\0").unwrap_err();
    assert_eq!(error.to_string(), format!("expected a save, found {archive} at byte 0x0"));
    let error = options.input(Container::BRSON).open(b"PK\x03\x04\x14\0\0\0\0\0").unwrap_err();
    assert_eq!(error.to_string(), format!("expected FrDT, found {archive} at byte 0x0"));
}
