//! [`Mesh`]: an asset in the engine's own format of meshes, `MeshX`. With the feature `gltf`,
//! `SavedObject::to_glb` writes slots with their meshes as glTF.

use resonite_brson::read::Reader;
use resonite_brson::{Codec, Container, Options};

use crate::error::{Error, ErrorKind, Result};

#[cfg(feature = "gltf")]
pub use crate::glb::Glb;

/// The first bytes of a file: the length of the name, and the name.
const MAGIC: &[u8; 6] = b"\x05MeshX";

/// The last version whose layout is known.
const LAST: i32 = 7;

const NORMALS: u32 = 1;
const TANGENTS: u32 = 2;
const COLORS: u32 = 4;
const BINDINGS: u32 = 8;
/// Of versions before 6, which have up to four channels of texture coordinates.
const UVS: [u32; 4] = [16, 32, 64, 128];

/// The vertices of a mesh, what is drawn between them, and what moves them.
///
/// Versions 0 to 7 are read, see
/// [Meshes](https://github.com/gamewire/gamewire/blob/main/docs/formats/resonite-brson.md#meshes). Lists that a
/// mesh does not have are empty; those of vertices have an element for each vertex.
///
/// Coordinates are the engine's, in metres: x to the right, y upwards, z forwards, which is left-handed,
/// and triangles are clockwise seen from the front.
///
/// ```
/// use resonite_save::mesh::Mesh;
///
/// # let header = b"\x05MeshX\x07\0\0\0\0\0\0\0\x03\x01\x01\0\0\x06Linear\0";
/// # let positions = [0.0_f32, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 2.0].map(f32::to_le_bytes).concat();
/// # let part = [&b"\x09Triangles\x01"[..], &[0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]].concat();
/// # let bone = [&b"\x04Hips"[..], &[0; 64]].concat();
/// # let asset = [&header[..], &positions, &part, &bone].concat();
/// let mesh = Mesh::from_slice(&asset)?;
/// assert_eq!(mesh.positions[2], [1.0, 0.0, 2.0]);
/// assert_eq!(mesh.parts[0].indices, [0, 1, 2]);
/// assert_eq!(mesh.bones[0].name, "Hips");
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
    /// `Linear`, `sRGB` or `sRGBAlpha`. Versions before 7 do not say it, and mean `sRGB`.
    pub profile: String,
    /// The bones that move the vertices.
    pub bindings: Vec<Binding>,
    /// Channels of texture coordinates, v upwards.
    pub uvs: Vec<Channel>,
    /// The parts that are drawn, each with a material.
    pub parts: Vec<Part>,
    /// The bones.
    pub bones: Vec<Bone>,
    /// The blend shapes, in the order of a renderer's weights.
    pub blend_shapes: Vec<BlendShape>,
}

/// The bones that move a vertex, four at most.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Binding {
    /// Places in [`Mesh::bones`]; `None` where fewer than four move it.
    pub bones: [Option<u32>; 4],
    /// How much each moves it. In versions from 5 on the four add up to 1; the engine scales older ones.
    pub weights: [f32; 4],
}

/// A bone: something that moves vertices, in a save a slot.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// Its name.
    pub name: String,
    /// The rows of the matrix that takes a vertex from the mesh's space into the bone's, at rest. The last
    /// column is the translation.
    pub bind_pose: [[f32; 4]; 4],
}

/// A blend shape: a direction in which the vertices move.
#[derive(Clone, Debug, PartialEq)]
pub struct BlendShape {
    /// Its name.
    pub name: String,
    /// Its frames; most have one, of weight 1.
    pub frames: Vec<BlendFrame>,
}

/// The offsets of a blend shape's vertices at one weight. Between two weights lies a straight line.
#[derive(Clone, Debug, PartialEq)]
pub struct BlendFrame {
    /// The weight.
    pub weight: f32,
    /// Added to positions.
    pub positions: Vec<[f32; 3]>,
    /// Added to normals; empty if they stay.
    pub normals: Vec<[f32; 3]>,
    /// Added to the directions of tangents; empty if they stay.
    pub tangents: Vec<[f32; 3]>,
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
    /// Whether bytes begin as a mesh does. Old ones may be compressed as a whole, and begin otherwise.
    pub fn is_mesh(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Reads a mesh.
    ///
    /// # Errors
    /// Bytes that are no mesh, a later version, a mesh that is cut off, broken or compressed with LZMA,
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
        if !Mesh::is_mesh(bytes)
            && let Ok(plain) = unpacked(bytes, options)
            && Mesh::is_mesh(&plain)
        {
            return Mesh::read(&plain, left(options, bytes, &plain))
                .map_err(Error::in_decompressed);
        }
        Mesh::read(bytes, *options)
    }

    fn read(bytes: &[u8], options: Options) -> Result<Mesh> {
        let mut reader = Reader::new(bytes, options);
        let head = MeshHeader::read(&mut reader)?;
        let (at, packed) = (reader.offset(), reader.rest());
        match head.codec {
            0 => head.body(reader),
            // An empty body has no chunk.
            1 if packed.is_empty() => head.body(Reader::new(&[], options)),
            1 => {
                let plain = unpacked(packed, &options).map_err(|error| error.shifted(at))?;
                let reader = Reader::new(&plain, left(&options, bytes, &plain));
                head.body(reader).map_err(Error::in_decompressed)
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

/// Unpacks chunks of LZ4.
fn unpacked(packed: &[u8], options: &Options) -> Result<Vec<u8>> {
    Ok(options.input(Container::legacy(Codec::Lz4)).open(packed)?.into_bson())
}

/// The options with the memory that is left beside what was unpacked.
fn left(options: &Options, bytes: &[u8], plain: &[u8]) -> Options {
    options.max_memory(options.limits().memory(bytes.len()).saturating_sub(plain.len()))
}

/// The numbers before the body.
struct MeshHeader {
    flags: u32,
    vertices: usize,
    /// Of versions before 3, whose parts are mixed.
    triangles: Option<usize>,
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
        if !(0..=LAST).contains(&version) {
            return Err(wrong(
                at,
                format!("a version of a mesh from 0 to {LAST}, found {version}"),
            ));
        }
        let at = reader.offset();
        let flags = u32::from_le_bytes(reader.array("the flags of a mesh")?);
        let most = if version < 6 { 255 } else { 15 };
        if flags > most {
            return Err(wrong(at, format!("flags of a mesh from 0 to {most}, found {flags}")));
        }
        let vertices = number(reader, "the number of vertices")?;
        let count = number(reader, "the number of parts")?;
        let bones = number(reader, "the number of bones")?;
        let blend_shapes = match version {
            4.. => number(reader, "the number of blend shapes")?,
            _ => 0,
        };
        let (triangles, parts) = match version {
            0 => (Some(count), 1),
            1 | 2 => (Some(count), number(reader, "the number of parts")?),
            _ => (None, count),
        };
        let uvs = match version {
            6.. => dimensions(reader)?,
            _ => UVS.iter().filter(|flag| flags & **flag != 0).map(|_| 2).collect(),
        };
        let profile = match version {
            7.. => text(reader, "a colour profile")?,
            _ => "sRGB",
        };
        let profile = profile.to_owned();
        let codec = if version < 2 { 0 } else { number(reader, "the codec")? };
        Ok(MeshHeader {
            flags,
            vertices,
            triangles,
            parts,
            bones,
            blend_shapes,
            uvs,
            profile,
            codec,
        })
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
            ..Mesh::default()
        };
        for _ in 0..count(BINDINGS) {
            reader.charge_grown(size_of::<Binding>())?;
            mesh.bindings.push(binding(reader, self.bones)?);
        }
        for dimensions in self.uvs {
            let len = self.vertices.saturating_mul(dimensions);
            let values = rows::<1>(reader, "texture coordinates", len)?;
            mesh.uvs.push(Channel { dimensions, values: values.into_flattened() });
        }
        if let Some(triangles) = self.triangles {
            mesh.parts = mixed(reader, self.vertices, triangles, self.parts)?;
        } else {
            for _ in 0..self.parts {
                reader.charge_grown(size_of::<Part>())?;
                mesh.parts.push(part(reader, self.vertices)?);
            }
        }
        for _ in 0..self.bones {
            let name = text(reader, "the name of a bone")?;
            reader.charge_grown(size_of::<Bone>().saturating_add(name.len()))?;
            let rows = [(); 4].map(|()| row(reader, "the bind pose of a bone"));
            let [a, b, c, d] = rows;
            mesh.bones.push(Bone { name: name.to_owned(), bind_pose: [a?, b?, c?, d?] });
        }
        for _ in 0..self.blend_shapes {
            reader.charge_grown(size_of::<BlendShape>())?;
            mesh.blend_shapes.push(blend_shape(reader, self.vertices)?);
        }
        reader.end()?;
        Ok(mesh)
    }
}

/// The dimensions of the channels of texture coordinates.
fn dimensions(reader: &mut Reader<'_>) -> Result<Vec<usize>> {
    let channels = number(reader, "the number of texture coordinates")?;
    let at = reader.offset();
    let uvs = reader.take("dimensions of texture coordinates", channels)?;
    if let Some(other) = uvs.iter().find(|own| !(2..=4).contains(*own)) {
        return Err(wrong(at, format!("dimensions of 2 to 4, found {other}")));
    }
    reader.charge(uvs.len().saturating_mul(size_of::<usize>().max(size_of::<Channel>())))?;
    Ok(uvs.iter().map(|own| usize::from(*own)).collect())
}

fn binding(reader: &mut Reader<'_>, bones: usize) -> Result<Binding> {
    let at = reader.offset();
    let mut found = [0; 4];
    for bone in &mut found {
        *bone = reader.leb128("a bone")?;
    }
    let mut binding =
        Binding { weights: row(reader, "the weights of bones")?, ..Binding::default() };
    for ((place, bone), weight) in binding.bones.iter_mut().zip(found).zip(binding.weights) {
        let known = usize::try_from(bone).is_ok_and(|bone| bone < bones);
        *place = u32::try_from(bone).ok().filter(|_| known);
        // No bone is -1, of 32 or of 64 bits.
        let is_none = bone == u64::MAX || bone == u64::from(u32::MAX);
        if place.is_none() && !is_none && weight != 0.0 {
            return Err(wrong(at, format!("a bone below {bones}, found {bone}")));
        }
    }
    Ok(binding)
}

fn blend_shape(reader: &mut Reader<'_>, vertices: usize) -> Result<BlendShape> {
    let name = text(reader, "the name of a blend shape")?;
    reader.charge(name.len())?;
    let at = reader.offset();
    let flags = number(reader, "the flags of a blend shape")?;
    if flags > 3 {
        return Err(wrong(at, format!("flags of a blend shape from 0 to 3, found {flags}")));
    }
    let frames = number(reader, "the number of frames")?;
    let mut shape = BlendShape { name: name.to_owned(), frames: Vec::new() };
    for _ in 0..frames {
        reader.charge_grown(size_of::<BlendFrame>())?;
        let [weight] = row(reader, "the weight of a frame")?;
        let count = |flag: usize| if flags & flag == 0 { 0 } else { vertices };
        shape.frames.push(BlendFrame {
            weight,
            positions: rows(reader, "positions of a frame", vertices)?,
            normals: rows(reader, "normals of a frame", count(1))?,
            tangents: rows(reader, "tangents of a frame", count(2))?,
        });
    }
    Ok(shape)
}

fn part(reader: &mut Reader<'_>, vertices: usize) -> Result<Part> {
    let at = reader.offset();
    let (topology, size) = match text(reader, "the kind of a part")? {
        "Triangles" => (Topology::Triangles, 3),
        "Points" => (Topology::Points, 1),
        // A part that is missing keeps its place, because materials are counted by it.
        "" => return Ok(Part { topology: Topology::Triangles, indices: Vec::new() }),
        _ => return Err(wrong(at, "a part of Triangles or Points, found something else")),
    };
    let count = number(reader, "the length of a part")?;
    let indices = indices(reader, count.saturating_mul(size), vertices)?;
    Ok(Part { topology, indices })
}

/// The parts of versions before 3.
fn mixed(
    reader: &mut Reader<'_>,
    vertices: usize,
    triangles: usize,
    parts: usize,
) -> Result<Vec<Part>> {
    let corners = indices(reader, triangles.saturating_mul(3), vertices)?;
    let topology = Topology::Triangles;
    if parts == 1 {
        return Ok(vec![Part { topology, indices: corners }]);
    }
    reader.charge(parts.saturating_mul(size_of::<Part>()))?;
    let mut made = vec![Part { topology, indices: Vec::new() }; parts];
    let places = indices(reader, triangles, parts)?;
    reader.charge_grown(corners.len().saturating_mul(size_of::<u32>()))?;
    for (corners, place) in corners.chunks_exact(3).zip(places) {
        let part = usize::try_from(place).ok().and_then(|place| made.get_mut(place));
        part.into_iter().for_each(|part| part.indices.extend(corners));
    }
    Ok(made)
}

/// Indices, each below a limit.
fn indices(reader: &mut Reader<'_>, count: usize, limit: usize) -> Result<Vec<u32>> {
    let at = reader.offset();
    let (words, _) =
        reader.take("indices", count.saturating_mul(size_of::<u32>()))?.as_chunks::<4>();
    let indices: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let is_there = |index: &u32| usize::try_from(*index).is_ok_and(|index| index < limit);
    match indices.iter().position(|index| !is_there(index)) {
        None => Ok(indices),
        Some(place) => {
            let at = at.saturating_add(place.saturating_mul(size_of::<u32>()));
            let found = indices.get(place).copied().unwrap_or_default();
            Err(wrong(at, format!("an index below {limit}, found {found}")))
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

/// One row.
fn row<const N: usize>(reader: &mut Reader<'_>, what: &'static str) -> Result<[f32; N]> {
    Ok(rows(reader, what, 1)?.first().copied().unwrap_or([0.0; N]))
}

/// A number of variable length.
fn number(reader: &mut Reader<'_>, what: &'static str) -> Result<usize> {
    let at = reader.offset();
    let value = reader.leb128(what)?;
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
