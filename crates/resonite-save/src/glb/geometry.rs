//! The vertices of a mesh, in glTF's space.

use std::collections::BTreeMap;

use glam::{DMat4, DQuat, DVec3};
use gltf::json::accessor::{Accessor, ComponentType, Type};
use gltf::json::buffer::Target;
use gltf::json::mesh::{Mode, MorphTarget, Semantic};
use gltf::json::scene::UnitQuaternion;
use gltf::json::validation::Checked::{self, Valid};
use gltf::json::{Index, Node};

use super::file::GlbFile;
use crate::error::{Error, Result};
use crate::mesh::{BlendShape, Mesh, Topology};

type Attributes = BTreeMap<Checked<Semantic>, Index<Accessor>>;

/// A mesh whose numbers are in the file.
pub(super) struct Geometry {
    pub(super) attributes: Attributes,
    /// Bones and weights, which only a mesh with a skin may have.
    pub(super) skin: Attributes,
    /// The parts that draw something: the number of the material, how, and the indices.
    pub(super) parts: Vec<(usize, Mode, Index<Accessor>)>,
    pub(super) targets: Vec<MorphTarget>,
    pub(super) target_names: Vec<String>,
    shapes: Vec<Vec<f32>>,
    /// The names of the bones, and where they are at rest.
    pub(super) bones: Vec<(String, DMat4)>,
    pub(super) inverse_binds: Option<Index<Accessor>>,
}

impl Geometry {
    pub(super) fn new(file: &mut GlbFile, mesh: &Mesh) -> Result<Geometry> {
        let mut attributes = Attributes::new();
        if !mesh.positions.is_empty() {
            let rows = turned(&mesh.positions, "the position")?;
            attributes.insert(Valid(Semantic::Positions), file.positions(&rows)?);
        }
        if !mesh.normals.is_empty() {
            let rows: Vec<_> =
                turned(&mesh.normals, "the normal")?.into_iter().map(directed).collect();
            attributes.insert(Valid(Semantic::Normals), file.floats(&rows)?);
            if !mesh.tangents.is_empty() {
                let directions: Vec<_> =
                    mesh.tangents.iter().map(|[x, y, z, _]| [*x, *y, *z]).collect();
                let signs =
                    mesh.tangents.iter().map(|[.., sign]| if *sign < 0.0 { 1.0 } else { -1.0 });
                let rows = turned(&directions, "the tangent")?.into_iter().map(directed).zip(signs);
                let rows: Vec<_> = rows.map(|([x, y, z], sign)| [x, y, z, sign]).collect();
                attributes.insert(Valid(Semantic::Tangents), file.floats(&rows)?);
            }
        }
        if !mesh.colors.is_empty() {
            let rows = finite(&mesh.colors, "the colour")?;
            let rows = rows.iter().map(|[red, green, blue, alpha]| {
                let [red, green, blue] = [red, green, blue].map(|own| linear(*own, &mesh.profile));
                [red, green, blue, *alpha].map(|own| own.clamp(0.0, 1.0))
            });
            let rows: Vec<_> = rows.collect();
            attributes.insert(Valid(Semantic::Colors(0)), file.floats(&rows)?);
        }
        for (number, channel) in (0..).zip(&mesh.uvs) {
            let rows = channel.values.chunks_exact(channel.dimensions.max(2));
            let rows: Vec<_> = rows.filter_map(|row| row.first_chunk().copied()).collect();
            // Only the first two numbers have a meaning in glTF, and v goes downwards.
            let rows = finite(&rows, "the texture coordinate")?.iter().map(|[u, v]| [*u, 1.0 - v]);
            let rows: Vec<[f32; 2]> = rows.collect();
            attributes.insert(Valid(Semantic::TexCoords(number)), file.floats(&rows)?);
        }
        let (targets, target_names) = targets(file, mesh)?;
        let weights = |shape: &BlendShape| shape.frames.iter().map(|frame| frame.weight).collect();
        Ok(Geometry {
            attributes,
            skin: skin(file, mesh)?,
            parts: parts(file, mesh)?,
            targets,
            target_names,
            shapes: mesh.blend_shapes.iter().map(weights).collect(),
            bones: bones(mesh),
            inverse_binds: inverse_binds(file, mesh)?,
        })
    }

    /// The weights of the targets, of which each is a frame, for those of the blend shapes.
    pub(super) fn weights(&self, of_shapes: &[f32]) -> Vec<f32> {
        let mut all = Vec::new();
        for (at, frames) in self.shapes.iter().enumerate() {
            let weight = of_shapes.get(at).copied().unwrap_or(0.0);
            let from = all.len();
            all.resize(from.saturating_add(frames.len()), 0.0);
            let last = frames.len().saturating_sub(1);
            let next = frames.iter().position(|own| weight <= *own).unwrap_or(last);
            let Some(end) = frames.get(next) else { continue };
            let before = next.checked_sub(1).and_then(|at| Some((at, *frames.get(at)?)));
            let start = before.map_or(0.0, |(_, weight)| weight);
            let part = if *end == start { 0.0 } else { (weight - start) / (end - start) };
            let set = [Some((next, part)), before.map(|(at, _)| (at, 1.0 - part))];
            for (at, part) in set.into_iter().flatten() {
                all.get_mut(from.saturating_add(at)).into_iter().for_each(|own| *own = part);
            }
        }
        all
    }
}

fn parts(file: &mut GlbFile, mesh: &Mesh) -> Result<Vec<(usize, Mode, Index<Accessor>)>> {
    let mut parts = Vec::new();
    for (number, part) in mesh.parts.iter().enumerate().filter(|(_, own)| !own.indices.is_empty()) {
        let mut indices = part.indices.clone();
        let mode = match part.topology {
            Topology::Points => Mode::Points,
            Topology::Triangles => {
                // Corners run the other way in a mirror.
                indices.chunks_exact_mut(3).for_each(|corners| corners.rotate_left(1));
                indices.chunks_exact_mut(3).for_each(<[u32]>::reverse);
                Mode::Triangles
            }
        };
        let bytes: Vec<u8> = indices.iter().flat_map(|own| own.to_le_bytes()).collect();
        let shape = (ComponentType::U32, Type::Scalar, indices.len());
        parts.push((number, mode, file.accessor(&bytes, shape, Some(Target::ElementArrayBuffer))?));
    }
    Ok(parts)
}

/// A target for each frame. The last frame of a blend shape has its name.
fn targets(file: &mut GlbFile, mesh: &Mesh) -> Result<(Vec<MorphTarget>, Vec<String>)> {
    let (mut targets, mut names) = (Vec::new(), Vec::new());
    if mesh.positions.is_empty() {
        return Ok((targets, names));
    }
    for shape in &mesh.blend_shapes {
        let last = shape.frames.len().saturating_sub(1);
        for (at, frame) in shape.frames.iter().enumerate() {
            // A target has no more than the mesh that it changes.
            let rows = [
                (&frame.normals, mesh.normals.is_empty()),
                (&frame.tangents, mesh.normals.is_empty() || mesh.tangents.is_empty()),
            ];
            let mut others =
                rows.map(|(rows, without)| (!without && !rows.is_empty()).then_some(rows));
            let mut other =
                |at: usize, file: &mut GlbFile| match others.get_mut(at).and_then(Option::take) {
                    Some(rows) => file.floats(&turned(rows, "a blend shape")?).map(Some),
                    None => Ok(None),
                };
            targets.push(MorphTarget {
                positions: Some(file.positions(&turned(&frame.positions, "a blend shape")?)?),
                normals: other(0, file)?,
                tangents: other(1, file)?,
            });
            names.push(match at == last {
                true => shape.name.clone(),
                false => format!("{} {}", shape.name, frame.weight),
            });
        }
    }
    Ok((targets, names))
}

/// Bones and weights of the vertices: each bone once, and all weights together 1.
fn skin(file: &mut GlbFile, mesh: &Mesh) -> Result<Attributes> {
    let mut skin = Attributes::new();
    if mesh.bindings.is_empty() || mesh.bones.is_empty() {
        return Ok(skin);
    }
    let (mut joints, mut weights) = (Vec::new(), Vec::new());
    for binding in &mesh.bindings {
        let mut own: BTreeMap<u32, f32> = BTreeMap::new();
        for (bone, weight) in binding.bones.iter().zip(binding.weights) {
            if let Some(bone) = bone.filter(|_| weight > 0.0) {
                *own.entry(bone).or_default() += weight;
            }
        }
        let sum: f32 = own.values().sum();
        // A vertex that nothing moves goes with the first bone: glTF asks for one.
        let all =
            own.into_iter().filter(|_| sum.is_finite()).map(|(bone, weight)| (bone, weight / sum));
        let mut all: Vec<(u32, f32)> = all.collect();
        if all.is_empty() {
            all.push((0, 1.0));
        }
        all.resize(4, (0, 0.0));
        for (bone, _) in &all {
            let bone = u16::try_from(*bone);
            joints.extend(
                bone.map_err(|_| Error::unsupported("more than 65536 bones in a mesh"))?
                    .to_le_bytes(),
            );
        }
        let row: Vec<f32> = all.iter().map(|(_, weight)| *weight).collect();
        weights.extend(row.first_chunk::<4>());
    }
    let shape = (ComponentType::U16, Type::Vec4, mesh.bindings.len());
    let joints = file.accessor(&joints, shape, Some(Target::ArrayBuffer))?;
    skin.insert(Valid(Semantic::Joints(0)), joints);
    skin.insert(Valid(Semantic::Weights(0)), file.floats(&weights)?);
    Ok(skin)
}

/// The bind pose of each bone, mirrored.
fn bind_poses(mesh: &Mesh) -> impl Iterator<Item = DMat4> {
    let mirror = DMat4::from_scale(DVec3::new(-1.0, 1.0, 1.0));
    mesh.bones.iter().map(move |bone| {
        let [a, b, c, _] = bone.bind_pose.map(|row| row.map(f64::from));
        let rows = DMat4::from_cols_array_2d(&[a, b, c, [0.0, 0.0, 0.0, 1.0]]);
        let pose = mirror.mul_mat4(&rows.transpose()).mul_mat4(&mirror);
        if pose.is_finite() { pose } else { DMat4::IDENTITY }
    })
}

/// Names of the bones, and where they are in the mesh's space: what a bind pose undoes.
fn bones(mesh: &Mesh) -> Vec<(String, DMat4)> {
    let places = bind_poses(mesh).map(|pose| {
        let place = if pose.determinant() == 0.0 { DMat4::IDENTITY } else { pose.inverse() };
        if place.is_finite() { place } else { DMat4::IDENTITY }
    });
    mesh.bones.iter().map(|bone| bone.name.clone()).zip(places).collect()
}

fn inverse_binds(file: &mut GlbFile, mesh: &Mesh) -> Result<Option<Index<Accessor>>> {
    let rows: Vec<[f32; 16]> =
        bind_poses(mesh).map(|pose| pose.as_mat4().to_cols_array()).collect();
    if rows.is_empty() { Ok(None) } else { file.floats(&rows).map(Some) }
}

/// Puts a node where a matrix says.
pub(super) fn place(node: &mut Node, matrix: &DMat4) {
    let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
    place_by(node, translation, rotation, scale);
}

/// Puts a node where three parts of a matrix say, in glTF's space.
pub(super) fn place_by(node: &mut Node, translation: DVec3, rotation: DQuat, scale: DVec3) {
    let rotation = if rotation.length() > 0.0 { rotation.normalize() } else { DQuat::IDENTITY };
    node.translation = Some(translation.as_vec3().to_array()).filter(|own| *own != [0.0; 3]);
    let rotation = Some(rotation.as_quat().to_array()).filter(|own| *own != [0.0, 0.0, 0.0, 1.0]);
    node.rotation = rotation.map(UnitQuaternion);
    node.scale = Some(scale.as_vec3().to_array()).filter(|own| *own != [1.0; 3]);
}

/// Refuses rows with numbers that glTF does not have.
fn finite<'r, const N: usize>(rows: &'r [[f32; N]], what: &str) -> Result<&'r [[f32; N]]> {
    for (at, row) in rows.iter().enumerate() {
        if let Some(value) = row.iter().find(|value| !value.is_finite()) {
            let message = format!("{what} of vertex {at} has {value}, which glTF cannot say");
            return Err(Error::unsupported(message));
        }
    }
    Ok(rows)
}

/// Vectors in glTF's space, which is the mirror of the engine's: x has the other sign.
fn turned(rows: &[[f32; 3]], what: &str) -> Result<Vec<[f32; 3]>> {
    let turned = |[x, y, z]: &[f32; 3]| [if *x == 0.0 { 0.0 } else { -x }, *y, *z];
    Ok(finite(rows, what)?.iter().map(turned).collect())
}

/// A direction with the length 1; upwards if it has none.
fn directed(row: [f32; 3]) -> [f32; 3] {
    let own = DVec3::from_array(row.map(f64::from));
    own.try_normalize().unwrap_or(DVec3::Y).as_vec3().to_array()
}

/// A part of a colour as light.
pub(super) fn linear(value: f32, profile: &str) -> f32 {
    match profile {
        "Linear" => value,
        _ if value <= 0.04045 => value / 12.92,
        _ => ((value + 0.055) / 1.055).powf(2.4),
    }
}
