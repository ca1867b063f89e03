//! Meshes: what is read of them, what OBJ says, and what is refused.

use resonite_brson::mesh::{Mesh, Topology};
use resonite_brson::{ErrorKind, Options, Result};

/// A mesh piece by piece, as the description of the format has it.
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

/// A square with everything that a vertex can have, two triangles and two points.
fn square() -> Layout {
    let corners = [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.5], [1.0, 0.0, 0.5]];
    let bindings =
        (0..4_u8).flat_map(|bone| [vec![bone % 2, 0, 1, 0], floats([1.0, 0.0, 0.0, 0.0])].concat());
    let body = [
        floats(corners.into_iter().flatten()),
        floats([[0.0, 0.0, -1.0]; 4].into_iter().flatten()),
        floats([[1.0, 0.0, 0.0, -1.0]; 4].into_iter().flatten()),
        floats([[1.0, 0.5, 0.25, 1.0]; 4].into_iter().flatten()),
        bindings.collect(),
        floats([0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0]),
        floats((0..12).map(|at| at as f32)),
        part("Triangles", 2, &[0, 1, 2, 0, 2, 3]),
        part("Points", 2, &[3, 0]),
        // Bones and blend shapes, which are not read.
        b"whatever".to_vec(),
    ];
    Layout {
        version: 7,
        flags: 15,
        counts: [4, 2, 2, 1],
        uvs: vec![2, 3],
        codec: 0,
        body: body.concat(),
    }
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
        if self.version == 7 {
            bytes.extend(b"\x06Linear");
        }
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

fn obj(mesh: &Mesh) -> String {
    let mut text = Vec::new();
    mesh.write_obj(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn everything_of_a_vertex_is_read() {
    let mesh = square().read().unwrap();
    assert_eq!(mesh.positions[2], [1.0, 1.0, 0.5]);
    assert_eq!(mesh.normals, [[0.0, 0.0, -1.0]; 4]);
    assert_eq!(mesh.tangents, [[1.0, 0.0, 0.0, -1.0]; 4]);
    assert_eq!(mesh.colors, [[1.0, 0.5, 0.25, 1.0]; 4]);
    assert_eq!(mesh.profile, "Linear");
    assert_eq!(mesh.uvs[0].values, [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0]);
    assert_eq!((mesh.uvs[1].dimensions, mesh.uvs[1].values.len()), (3, 12));
    assert_eq!(mesh.parts[0].indices, [0, 1, 2, 0, 2, 3]);
    assert_eq!(mesh.parts[1].topology, Topology::Points);
    assert_eq!((mesh.bones, mesh.blend_shapes), (2, 1));
    insta::assert_snapshot!(obj(&mesh));

    let older = Layout { version: 6, ..square() }.read().unwrap();
    assert_eq!(older.profile, "");
    assert_eq!(obj(&older), obj(&mesh));
}

#[test]
fn obj_has_what_the_mesh_has() {
    let mesh = triangle().read().unwrap();
    let text = "# MeshX: 3 vertices, 1 parts\nv 0 0 0\nv 0 1 0\nv 1 0 -2\n\
                g part0\nusemtl material0\nf 1 3 2\n";
    assert_eq!(obj(&mesh), text);
    let with = |change: &dyn Fn(&mut Mesh)| {
        let mut mesh = mesh.clone();
        change(&mut mesh);
        obj(&mesh).lines().last().unwrap().to_owned()
    };
    let channel = || square().read().unwrap().uvs[0].clone();
    assert_eq!(with(&|mesh| mesh.normals = vec![[0.0; 3]; 3]), "f 1//1 3//3 2//2");
    assert_eq!(with(&|mesh| mesh.uvs = vec![channel()]), "f 1/1 3/3 2/2");

    for value in [f32::NAN, f32::INFINITY] {
        let mut mesh = square().read().unwrap();
        mesh.uvs[0].values[3] = value;
        let mut text = Vec::new();
        let error = mesh.write_obj(&mut text).unwrap_err();
        let words = format!("the texture coordinate of vertex 1 has {value}, which OBJ cannot say");
        assert_eq!((error.kind(), error.to_string()), (ErrorKind::Unsupported, words));
        assert!(text.is_empty());
    }
}

#[cfg(feature = "lz4")]
#[test]
fn bodies_are_compressed() {
    use resonite_brson::{Codec, container};
    let plain = square();
    let packed = container::pack(&plain.body, container::Container::legacy(Codec::Lz4)).unwrap();
    let mut lz4 = Layout { codec: 1, body: packed, ..plain.clone() };
    assert_eq!(lz4.read().unwrap(), plain.read().unwrap());

    let error = Mesh::from_slice_with(&lz4.bytes(), &Options::new().max_output(100)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutputLimit);
    let error = Mesh::from_slice_with(&lz4.bytes(), &Options::new().max_memory(100)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MemoryLimit);
    // An index that leads nowhere, in the body.
    let mut broken = triangle();
    *broken.body.last_mut().unwrap() = 9;
    broken.body = container::pack(&broken.body, container::Container::legacy(Codec::Lz4)).unwrap();
    broken.codec = 1;
    broken.refused(
        ErrorKind::Mesh,
        "expected an index below 3, found 150994946 at byte 0x37 of the decompressed body",
    );
    lz4.body.pop();
    assert_eq!(lz4.read().unwrap_err().kind(), ErrorKind::UnexpectedEof);
    let nothing = Layout { counts: [0; 4], flags: 0, uvs: vec![], codec: 1, body: vec![], ..plain };
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
        .refused(kind, "expected version 6 or 7 of a mesh, found 8 at byte 0x6");
    with(&|own| own.version = 5)
        .refused(kind, "expected version 6 or 7 of a mesh, found 5 at byte 0x6");
    with(&|own| own.flags = 16)
        .refused(kind, "expected flags of a mesh from 0 to 15, found 16 at byte 0xa");
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
    let mut bones = square();
    bones.counts[2] = 1;
    bones.refused(kind, "expected a bone below 1, found 1 at byte 0xff");
}

/// Every cut and every changed byte ends in a mesh or an error; counts are claims.
#[test]
fn broken_meshes_are_errors() {
    let whole = square();
    let bytes = whole.bytes();
    let needed = bytes.len() - b"whatever".len();
    for cut in 0..needed {
        let error = Mesh::from_slice(&bytes[..cut]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedEof, "{cut}: {error}");
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
    let mut claim = triangle().bytes();
    let huge = b"\xff\xff\xff\xff\xff\xff\xff\xff\x7f";
    for at in 14..19 {
        let mut bytes = claim.clone();
        bytes.splice(at..=at, huge.iter().copied());
        assert!(Mesh::from_slice(&bytes).is_err(), "{at}");
    }
    // More parts than memory.
    claim.splice(15..16, [0xff, 0xff, 0x7f]);
    claim.extend(part("Points", 0, &[]).repeat(10_000));
    let error = Mesh::from_slice_with(&claim, &Options::new().max_memory(200_000)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MemoryLimit);
}
