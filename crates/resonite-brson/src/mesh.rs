//! [`Mesh`]: an asset in the engine's own format of meshes, `MeshX`.

mod obj;

use crate::codec::Codec;
use crate::container::{self, header};
use crate::error::{Error, ErrorKind, Result};
use crate::options::Options;
use crate::read::Reader;

/// The first bytes of a file: the length of the name, and the name.
const MAGIC: &[u8; 6] = b"\x05MeshX";

/// The first version whose layout is known, which has no colour profile, and the last one.
const VERSIONS: [i32; 2] = [6, 7];

const NORMALS: u32 = 1;
const TANGENTS: u32 = 2;
const COLORS: u32 = 4;
const BINDINGS: u32 = 8;

/// Flags of layouts that are not known.
const UNKNOWN: u32 = !(NORMALS | TANGENTS | COLORS | BINDINGS);

/// The vertices of a mesh and what is drawn between them.
///
/// The layout is that of versions 6 and 7, see
/// [Meshes](https://github.com/gamewire/gamewire/blob/main/docs/formats/resonite-brson.md#meshes). Bones and blend
/// shapes are counted and not read. Lists that a mesh does not have are empty; the others have an element
/// for each vertex.
///
/// Coordinates are the engine's, in metres: x to the right, y upwards, z forwards, which is left-handed,
/// and triangles are clockwise seen from the front.
///
/// ```
/// # #[cfg(feature = "lz4")] {
/// use resonite_brson::mesh::Mesh;
///
/// # let header = b"\x05MeshX\x07\0\0\0\0\0\0\0\x03\x01\0\0\0\x06Linear\0";
/// # let positions = [0.0_f32, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 2.0].map(f32::to_le_bytes).concat();
/// # let part = [&b"\x09Triangles\x01"[..], &[0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]].concat();
/// # let asset = [&header[..], &positions, &part].concat();
/// let mesh = Mesh::from_slice(&asset)?;
/// assert_eq!(mesh.positions[2], [1.0, 0.0, 2.0]);
/// assert_eq!(mesh.parts[0].indices, [0, 1, 2]);
/// let mut obj = Vec::new();
/// mesh.write_obj(&mut obj)?;
/// assert!(obj.ends_with(b"v 1 0 -2\ng part0\nusemtl material0\nf 1 3 2\n"));
/// # }
/// # Ok::<(), resonite_brson::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Mesh {
    /// Where the vertices are.
    pub positions: Vec<[f32; 3]>,
    /// Normals.
    pub normals: Vec<[f32; 3]>,
    /// Tangents, and the sign of what is at right angles to both.
    pub tangents: Vec<[f32; 4]>,
    /// Colours: red, green, blue, alpha, in the space of [`profile`](Self::profile).
    pub colors: Vec<[f32; 4]>,
    /// `Linear`, `sRGB` or `sRGBAlpha`; empty in version 6.
    pub profile: String,
    /// Channels of texture coordinates, v upwards.
    pub uvs: Vec<Channel>,
    /// The parts that are drawn, each with a material.
    pub parts: Vec<Part>,
    /// The number of bones.
    pub bones: usize,
    /// The number of blend shapes.
    pub blend_shapes: usize,
}

/// Texture coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// Numbers for each vertex: 2, 3 or 4.
    pub dimensions: usize,
    /// The numbers, one vertex after another.
    pub values: Vec<f32>,
}

/// The points or triangles of one material.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Whether indices are points or corners.
    pub topology: Topology,
    /// Places of vertices in the lists of the mesh, each below their length.
    pub indices: Vec<u32>,
}

/// How vertices are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Topology {
    /// Each by itself.
    Points,
    /// Three of them as a triangle.
    Triangles,
}

impl Mesh {
    /// Whether bytes begin as a mesh does.
    pub fn is_mesh(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Reads a mesh.
    ///
    /// # Errors
    /// Bytes that are no mesh, another version, a mesh that is cut off, broken or compressed with LZMA,
    /// or a limit.
    pub fn from_slice(bytes: &[u8]) -> Result<Mesh> {
        Mesh::from_slice_with(bytes, &Options::new())
    }

    /// Reads a mesh that is decompressed to no more than [`max_output`](Options::max_output) bytes and
    /// takes no more than [`max_memory`](Options::max_memory).
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice).
    pub fn from_slice_with(bytes: &[u8], options: &Options) -> Result<Mesh> {
        let mut reader = Reader::new(bytes, *options);
        let head = MeshHeader::read(&mut reader)?;
        let (at, packed) = (reader.offset(), reader.rest());
        match head.codec {
            0 => head.body(reader),
            // An empty body has no chunk.
            1 if packed.is_empty() => head.body(Reader::new(&[], *options)),
            1 => {
                let plain = container::decompressed(packed, Codec::Lz4, options)
                    .map_err(|error| error.shifted(at))?;
                let options = options.after(bytes.len(), plain.len());
                head.body(Reader::new(&plain, options)).map_err(Error::in_decompressed)
            }
            2 => Err(Error::at(
                ErrorKind::Unsupported,
                at.saturating_sub(1),
                "a mesh in LZMA, of which nothing is known, is not read",
            )),
            other => {
                Err(wrong(at.saturating_sub(1), format!("a codec from 0 to 2, found {other}")))
            }
        }
    }
}

/// The numbers before the body.
struct MeshHeader {
    flags: u32,
    vertices: usize,
    parts: usize,
    bones: usize,
    blend_shapes: usize,
    /// Dimensions of the channels of texture coordinates.
    uvs: Vec<usize>,
    profile: String,
    codec: usize,
}

impl MeshHeader {
    fn read(reader: &mut Reader<'_>) -> Result<MeshHeader> {
        if reader.array("the beginning of a mesh")? != *MAGIC {
            return Err(wrong(0, "MeshX at the beginning, found something else"));
        }
        let at = reader.offset();
        let version = i32::from_le_bytes(reader.array("the version of a mesh")?);
        if !VERSIONS.contains(&version) {
            return Err(wrong(at, format!("version 6 or 7 of a mesh, found {version}")));
        }
        let at = reader.offset();
        let flags = u32::from_le_bytes(reader.array("the flags of a mesh")?);
        if flags & UNKNOWN != 0 {
            return Err(wrong(at, format!("flags of a mesh from 0 to 15, found {flags}")));
        }
        let vertices = number(reader, "the number of vertices")?;
        let parts = number(reader, "the number of parts")?;
        let bones = number(reader, "the number of bones")?;
        let blend_shapes = number(reader, "the number of blend shapes")?;
        let channels = number(reader, "the number of texture coordinates")?;
        let at = reader.offset();
        let uvs = reader.take("dimensions of texture coordinates", channels)?;
        if let Some(other) = uvs.iter().find(|own| !(2..=4).contains(*own)) {
            return Err(wrong(at, format!("dimensions of 2 to 4, found {other}")));
        }
        reader.charge(uvs.len().saturating_mul(size_of::<usize>().max(size_of::<Channel>())))?;
        let uvs = uvs.iter().map(|own| usize::from(*own)).collect();
        let profile = match version {
            7 => text(reader, "a colour profile")?.to_owned(),
            _ => String::new(),
        };
        let codec = number(reader, "the codec")?;
        Ok(MeshHeader { flags, vertices, parts, bones, blend_shapes, uvs, profile, codec })
    }

    fn body(self, mut reader: Reader<'_>) -> Result<Mesh> {
        let reader = &mut reader;
        let count = |flag: u32| if self.flags & flag == 0 { 0 } else { self.vertices };
        let mut mesh = Mesh {
            positions: rows(reader, "positions", self.vertices)?,
            normals: rows(reader, "normals", count(NORMALS))?,
            tangents: rows(reader, "tangents", count(TANGENTS))?,
            colors: rows(reader, "colours", count(COLORS))?,
            profile: self.profile,
            bones: self.bones,
            blend_shapes: self.blend_shapes,
            ..Mesh::default()
        };
        for _ in 0..count(BINDINGS) {
            for _ in 0..4 {
                let at = reader.offset();
                let bone = number(reader, "a bone")?;
                if bone >= self.bones {
                    return Err(wrong(at, format!("a bone below {}, found {bone}", self.bones)));
                }
            }
            reader.take("the weights of bones", 16)?;
        }
        for dimensions in self.uvs {
            let len = self.vertices.saturating_mul(dimensions);
            let values = rows::<1>(reader, "texture coordinates", len)?;
            mesh.uvs.push(Channel { dimensions, values: values.into_flattened() });
        }
        for _ in 0..self.parts {
            reader.charge_grown(size_of::<Part>())?;
            mesh.parts.push(part(reader, self.vertices)?);
        }
        // However they are laid out, none of them takes no bytes.
        let more = self.bones.saturating_add(self.blend_shapes);
        reader.take("bones and blend shapes", more)?;
        match reader.rest().len() {
            left if more == 0 && left > 0 => Err(Error::trailing(reader.offset(), left)),
            _ => Ok(mesh),
        }
    }
}

fn part(reader: &mut Reader<'_>, vertices: usize) -> Result<Part> {
    let at = reader.offset();
    let (topology, size) = match text(reader, "the kind of a part")? {
        "Triangles" => (Topology::Triangles, 3),
        "Points" => (Topology::Points, 1),
        _ => return Err(wrong(at, "a part of Triangles or Points, found something else")),
    };
    let count = number(reader, "the length of a part")?;
    let at = reader.offset();
    let len = count.saturating_mul(size).saturating_mul(size_of::<u32>());
    let (words, _) = reader.take("indices", len)?.as_chunks::<4>();
    let indices: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let is_there = |index: &u32| usize::try_from(*index).is_ok_and(|index| index < vertices);
    match indices.iter().position(|index| !is_there(index)) {
        None => Ok(Part { topology, indices }),
        Some(place) => {
            let at = at.saturating_add(place.saturating_mul(size_of::<u32>()));
            let found = indices.get(place).copied().unwrap_or_default();
            Err(wrong(at, format!("an index below {vertices}, found {found}")))
        }
    }
}

/// Rows of 32-bit floats.
fn rows<const N: usize>(
    reader: &mut Reader<'_>,
    what: &'static str,
    count: usize,
) -> Result<Vec<[f32; N]>> {
    let bytes = reader.take(what, count.saturating_mul(size_of::<[f32; N]>()))?;
    let (words, _) = bytes.as_chunks::<4>();
    let (rows, _) = words.as_chunks::<N>();
    Ok(rows.iter().map(|row| row.map(f32::from_le_bytes)).collect())
}

/// A number of variable length.
fn number(reader: &mut Reader<'_>, what: &'static str) -> Result<usize> {
    let at = reader.offset();
    let (value, len) = header::leb128(reader.rest()).map_err(|fault| fault.error(at, what))?;
    reader.take(what, len)?;
    usize::try_from(value).map_err(|_| wrong(at, format!("{what} in 32 bits, found {value}")))
}

/// Text after its length.
fn text<'b>(reader: &mut Reader<'b>, what: &'static str) -> Result<&'b str> {
    let len = number(reader, what)?;
    let at = reader.offset();
    let bytes = reader.take(what, len)?;
    std::str::from_utf8(bytes).map_err(|error| Error::invalid_utf8(bytes, at, error))
}

#[cold]
fn wrong(at: usize, expected: impl std::fmt::Display) -> Error {
    Error::at(ErrorKind::Mesh, at, format!("expected {expected}"))
}
