//! Meshes as Wavefront OBJ.

use std::io::{self, BufWriter, Write};

use super::{Mesh, Topology};
use crate::error::{Error, Result};

impl Mesh {
    /// Writes positions, normals, the first texture coordinates and all parts as Wavefront OBJ, each
    /// part with a material of its own.
    ///
    /// OBJ is right-handed: z has the other sign there, and the corners of triangles the other order.
    /// It has no tangents, colours, bones and blend shapes.
    ///
    /// # Errors
    /// A number that is not finite, before anything is written; or an I/O error.
    pub fn write_obj<W: io::Write>(&self, writer: W) -> Result<()> {
        self.must_be_finite()?;
        self.write(&mut BufWriter::new(writer)).map_err(Error::io)
    }

    fn must_be_finite(&self) -> Result<()> {
        let rows = [("position", &self.positions), ("normal", &self.normals)].into_iter();
        let rows = rows.flat_map(|(what, rows)| {
            rows.iter().enumerate().map(move |(at, row)| (what, at, row.as_slice()))
        });
        let all = rows.chain(self.coordinates().map(|(at, row)| ("texture coordinate", at, row)));
        for (what, at, row) in all {
            if let Some(value) = row.iter().find(|value| !value.is_finite()) {
                return Err(Error::unsupported(format!(
                    "the {what} of vertex {at} has {value}, which OBJ cannot say"
                )));
            }
        }
        Ok(())
    }

    /// The first two texture coordinates of each vertex.
    fn coordinates(&self) -> impl Iterator<Item = (usize, &[f32])> {
        let rows = self.uvs.first().into_iter();
        let rows = rows.flat_map(|own| own.values.chunks_exact(own.dimensions.max(2)));
        rows.map(|row| row.get(..2).unwrap_or_default()).enumerate()
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "# MeshX: {} vertices, {} parts", self.positions.len(), self.parts.len())?;
        for [x, y, z] in &self.positions {
            writeln!(out, "v {x} {y} {}", turned(*z))?;
        }
        for (_, row) in self.coordinates() {
            if let [u, v] = row {
                writeln!(out, "vt {u} {v}")?;
            }
        }
        for [x, y, z] in &self.normals {
            writeln!(out, "vn {x} {y} {}", turned(*z))?;
        }
        let (has_uvs, has_normals) = (!self.uvs.is_empty(), !self.normals.is_empty());
        for (number, part) in self.parts.iter().enumerate() {
            writeln!(out, "g part{number}\nusemtl material{number}")?;
            let (word, size) = match part.topology {
                Topology::Points => ("p", 1),
                Topology::Triangles => ("f", 3),
            };
            for corners in part.indices.chunks_exact(size) {
                write!(out, "{word}")?;
                // The first stays the first.
                let (first, others) = corners.split_at(1);
                for index in first.iter().chain(others.iter().rev()) {
                    let own = u64::from(*index).saturating_add(1);
                    match (has_uvs, has_normals) {
                        _ if size == 1 => write!(out, " {own}")?,
                        (true, true) => write!(out, " {own}/{own}/{own}")?,
                        (true, false) => write!(out, " {own}/{own}")?,
                        (false, true) => write!(out, " {own}//{own}")?,
                        (false, false) => write!(out, " {own}")?,
                    }
                }
                writeln!(out)?;
            }
        }
        out.flush()
    }
}

/// A coordinate with the other sign; 0 has none.
fn turned(z: f32) -> f32 {
    if z == 0.0 { 0.0 } else { -z }
}
