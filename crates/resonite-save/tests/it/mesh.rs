//! Meshes: errors, limits and real ones. The numbers of all versions are in testdata's vectors.

use resonite_brson::{ErrorKind, Options, Result};
use resonite_save::mesh::Mesh;

/// A mesh of version 7 piece by piece, as the description of the format has it.
#[derive(Clone)]
struct Layout {
    version: i32,
    flags: u32,
    /// Vertices, parts, bones, blend shapes.
    counts: [u8; 4],
    uvs: Vec<u8>,
    codec: u8,
    body: Vec<u8>,
}

fn floats(values: impl IntoIterator<Item = f32>) -> Vec<u8> {
    values.into_iter().flat_map(f32::to_le_bytes).collect()
}

fn part(kind: &str, count: u8, indices: &[u32]) -> Vec<u8> {
    let head = [&[kind.len() as u8][..], kind.as_bytes(), &[count]].concat();
    let indices: Vec<u8> = indices.iter().flat_map(|index| index.to_le_bytes()).collect();
    [head, indices].concat()
}

/// A mesh of testdata's vectors.
pub(crate) fn vector(name: &str) -> Vec<u8> {
    let rows = include_str!("../../../../testdata/resonite-save/vectors/meshes.jsonl");
    let rows = rows.lines().map(|row| serde_json::from_str::<serde_json::Value>(row).unwrap());
    let row = rows.into_iter().find(|row| row["name"] == format!("mesh/{name}")).unwrap();
    crate::shared::hex(row["mesh"].as_str().unwrap())
}

/// One triangle and nothing else.
fn triangle() -> Layout {
    let body =
        [floats([0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 2.0]), part("Triangles", 1, &[0, 1, 2])];
    Layout {
        version: 7,
        flags: 0,
        counts: [3, 1, 0, 0],
        uvs: vec![],
        codec: 0,
        body: body.concat(),
    }
}

impl Layout {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = b"\x05MeshX".to_vec();
        bytes.extend(self.version.to_le_bytes());
        bytes.extend(self.flags.to_le_bytes());
        bytes.extend(self.counts);
        bytes.push(self.uvs.len() as u8);
        bytes.extend(&self.uvs);
        bytes.extend(b"\x06Linear");
        bytes.push(self.codec);
        bytes.extend(&self.body);
        bytes
    }

    fn read(&self) -> Result<Mesh> {
        Mesh::from_slice(&self.bytes())
    }

    #[track_caller]
    fn refused(&self, kind: ErrorKind, words: &str) {
        let error = self.read().unwrap_err();
        assert_eq!((error.kind(), error.to_string()), (kind, words.to_owned()));
    }
}

#[cfg(feature = "lz4")]
#[test]
fn bodies_are_compressed() {
    use resonite_brson::{Codec, container};
    let pack =
        |plain: &[u8]| container::pack(plain, container::Container::legacy(Codec::Lz4)).unwrap();
    let plain = triangle();
    let mut lz4 = Layout { codec: 1, body: pack(&plain.body), ..plain.clone() };
    assert_eq!(lz4.read().unwrap(), plain.read().unwrap());
    // Old assets are compressed as a whole.
    let whole = pack(&plain.bytes());
    assert!(!Mesh::is_mesh(&whole));
    assert_eq!(Mesh::from_slice(&whole).unwrap(), plain.read().unwrap());

    let error = Mesh::from_slice_with(&lz4.bytes(), &Options::new().max_output(10)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutputLimit);
    let error = Mesh::from_slice_with(&lz4.bytes(), &Options::new().max_memory(10)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MemoryLimit);
    // An index that leads nowhere, in the body.
    let mut broken = triangle();
    *broken.body.last_mut().unwrap() = 9;
    (broken.body, broken.codec) = (pack(&broken.body), 1);
    broken.refused(
        ErrorKind::Mesh,
        "expected an index below 3, found 150994946 at byte 0x37 of the decompressed body",
    );
    lz4.body.pop();
    assert_eq!(lz4.read().unwrap_err().kind(), ErrorKind::UnexpectedEof);
    let nothing = Layout { counts: [0; 4], codec: 1, body: vec![], ..plain };
    assert_eq!(nothing.read().unwrap().positions.len(), 0);
}

#[test]
fn what_is_not_known_is_refused() {
    assert!(Mesh::is_mesh(&triangle().bytes()) && !Mesh::is_mesh(b"\x05Mesh"));
    let error = Mesh::from_slice(b"\x05AnimX").unwrap_err();
    let words = "expected MeshX at the beginning, found something else at byte 0x0";
    assert_eq!(error.to_string(), words);
    let with = |change: &dyn Fn(&mut Layout)| {
        let mut layout = triangle();
        change(&mut layout);
        layout
    };
    let kind = ErrorKind::Mesh;
    with(&|own| own.version = 8)
        .refused(kind, "expected a version of a mesh from 0 to 7, found 8 at byte 0x6");
    with(&|own| own.version = -1)
        .refused(kind, "expected a version of a mesh from 0 to 7, found -1 at byte 0x6");
    with(&|own| own.flags = 16)
        .refused(kind, "expected flags of a mesh from 0 to 15, found 16 at byte 0xa");
    with(&|own| (own.version, own.flags) = (5, 256))
        .refused(kind, "expected flags of a mesh from 0 to 255, found 256 at byte 0xa");
    with(&|own| own.uvs = vec![2, 5])
        .refused(kind, "expected dimensions of 2 to 4, found 5 at byte 0x13");
    with(&|own| own.codec = 3).refused(kind, "expected a codec from 0 to 2, found 3 at byte 0x1a");
    with(&|own| own.codec = 2).refused(
        ErrorKind::Unsupported,
        "a mesh in LZMA, of which nothing is known, is not read at byte 0x1a",
    );
    with(&|own| own.body[37] = b'S')
        .refused(kind, "expected a part of Triangles or Points, found something else at byte 0x3f");
    with(&|own| own.body.push(0))
        .refused(ErrorKind::TrailingBytes, "expected the end, found 1 byte more at byte 0x56");
    with(&|own| {
        own.counts[3] = 1;
        own.body.extend(b"\x05Smile\x04\x00");
    })
    .refused(kind, "expected flags of a blend shape from 0 to 3, found 4 at byte 0x5c");
    let bound = with(&|own| {
        (own.flags, own.counts[2]) = (8, 1);
        let mut bindings = [&[1, 0, 0, 0][..], &floats([0.5, 0.5, 0.0, 0.0])].concat().repeat(3);
        bindings.extend(own.body.split_off(36));
        own.body.extend(bindings);
        own.body.extend(b"\x04Hips");
        own.body.extend([0; 64]);
    });
    bound.refused(kind, "expected a bone below 1, found 1 at byte 0x3f");
    // A bone that moves nothing may be any.
    let idle = [&[1, 0, 0, 0][..], &floats([0.0, 1.0, 0.0, 0.0])].concat().repeat(3);
    let mut free = bound.clone();
    free.body.splice(36..96, idle);
    let mesh = free.read().unwrap();
    assert_eq!(mesh.bindings[2].bones, [None, Some(0), Some(0), Some(0)]);
}

/// Every cut and every changed byte ends in a mesh or an error; counts are claims.
#[test]
fn broken_meshes_are_errors() {
    for version in 0..8 {
        let bytes = vector(&format!("version {version}"));
        for cut in 0..bytes.len() {
            let error = Mesh::from_slice(&bytes[..cut]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::UnexpectedEof, "{version}, {cut}: {error}");
        }
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[at] ^= 1 << bit;
                if let Err(error) = Mesh::from_slice(&changed) {
                    assert!(error.to_string().len() < 200, "{error}");
                }
            }
        }
        let huge = b"\xff\xff\xff\xff\xff\xff\xff\xff\x7f";
        for at in 14..19 {
            let mut bytes = bytes.clone();
            bytes.splice(at..=at, huge.iter().copied());
            assert!(Mesh::from_slice(&bytes).is_err(), "{version}, {at}");
        }
    }
    // More of something than memory.
    let limited = |bytes: &[u8]| {
        let error = Mesh::from_slice_with(bytes, &Options::new().max_memory(200_000)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MemoryLimit, "{error}");
    };
    for (counts, more) in [
        (15, part("Points", 0, &[])),
        (15, vec![0]),
        (17, vec![0, 0, 0]),
        (17, [&[0, 0, 127][..], &[0; 4 * 10 * 127]].concat()),
    ] {
        let mut claim = Layout { counts: [0; 4], body: vec![], ..triangle() }.bytes();
        claim.splice(counts..=counts, [0xff, 0xff, 0x7f]);
        claim.extend(more.repeat(20_000));
        limited(&claim);
    }
    // Two triangles, and more parts than memory.
    let mut claim = vector("version 1");
    claim.splice(17..18, [0xff, 0xff, 0x7f]);
    limited(&claim);
}

/// Every mesh of the real packages beside the workspace is read to its last byte, as nothing may follow.
#[cfg(feature = "package")]
#[test]
fn real_meshes() {
    use resonite_save::package::Package;
    let mut count = 0;
    for entry in crate::shared::folder().into_iter().flat_map(|path| path.read_dir().unwrap()) {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|own| own != "resonitepackage") {
            continue;
        }
        let package = Package::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        for (hash, bytes) in package.assets().filter(|(_, bytes)| Mesh::is_mesh(bytes)) {
            let mesh = Mesh::from_slice(bytes).unwrap_or_else(|error| panic!("{hash}: {error}"));
            assert!(!mesh.parts.is_empty() && !mesh.positions.is_empty(), "{hash}");
            let lengths = mesh.normals.iter().map(|[x, y, z]| (x * x + y * y + z * z).sqrt());
            assert!(lengths.into_iter().all(|own| (own - 1.0).abs() < 0.01), "{hash}");
            count += 1;
        }
    }
    println!("{count} real meshes; SKIPPED if none are in the packages beside the workspace");
}
