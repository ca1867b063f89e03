//! Triangles by zeze-serialize: by serde, and by code over [`wire`] that knows the one type it is for.

use zeze_serialize::wire::{self, Tag};
use zeze_serialize::{Kind, Result};

use crate::Outcome;
use crate::data::Mesh;
use crate::data::mesh::{Triangle, Vector3};
use crate::harness::{COLUMNS, push, row};
use crate::ours::Beans;
use crate::table::Table;
use crate::task::Task;

/// The table.
pub fn table(task: &Task) -> Outcome<Table> {
    let (plan, mesh) = (&task.plan, &task.data.mesh);
    let mut table = Table::new("mesh by zeze-serialize, without serde", &COLUMNS);
    push::<Beans, _>(plan, &mut table, mesh)?;
    table.rows.push(row(
        plan,
        "by hand, over wire",
        mesh,
        |mesh, out| Ok(write_mesh(out, mesh)?),
        |bytes| Ok(read_mesh(bytes)?.0),
    )?);
    Ok(table)
}

fn write_mesh(out: &mut Vec<u8>, mesh: &Mesh) -> Result<()> {
    if !mesh.triangles.is_empty() {
        wire::write_tag(out, 0, 1, Kind::List)?;
        wire::write_list_header(out, mesh.triangles.len(), Kind::Bean)?;
        mesh.triangles.iter().try_for_each(|triangle| write_triangle(out, triangle))?;
    }
    wire::write_end(out);
    Ok(())
}

fn write_triangle(out: &mut Vec<u8>, triangle: &Triangle) -> Result<()> {
    let mut last = 0;
    let points = [&triangle.v0, &triangle.v1, &triangle.v2, &triangle.normal];
    for (id, point) in (1..).zip(points) {
        let before = out.len();
        wire::write_tag(out, last, id, Kind::Bean)?;
        let start = out.len();
        write_point(out, point)?;
        // Nothing but its end: all of it is zero.
        if out.len() == start + 1 {
            out.truncate(before);
        } else {
            last = id;
        }
    }
    wire::write_end(out);
    Ok(())
}

fn write_point(out: &mut Vec<u8>, point: &Vector3) -> Result<()> {
    let mut last = 0;
    for (id, number) in (1..).zip([point.x, point.y, point.z]) {
        if number.to_bits() != 0 {
            wire::write_tag(out, last, id, Kind::Float)?;
            out.extend_from_slice(&number.to_le_bytes());
            last = id;
        }
    }
    wire::write_end(out);
    Ok(())
}

fn read_mesh(mut rest: &[u8]) -> wire::Read<'_, Mesh> {
    let mut mesh = Mesh { triangles: Vec::new() };
    let mut last = 0;
    loop {
        let (tag, after) = wire::read_tag(rest, last)?;
        rest = after;
        match tag {
            Tag::End => return Ok((mesh, rest)),
            Tag::Base => last = 0,
            Tag::Field(1, Kind::List) => {
                let ((count, _), after) = wire::read_list_header(rest)?;
                (rest, last) = (after, 1);
                mesh.triangles.reserve(count.min(rest.len()));
                for _ in 0..count {
                    let (triangle, after) = read_triangle(rest)?;
                    mesh.triangles.push(triangle);
                    rest = after;
                }
            }
            Tag::Field(id, kind) => (rest, last) = (wire::skip(rest, kind)?, id),
        }
    }
}

fn read_triangle(mut rest: &[u8]) -> wire::Read<'_, Triangle> {
    const ZERO: Vector3 = Vector3 { x: 0.0, y: 0.0, z: 0.0 };
    let mut triangle = Triangle { v0: ZERO, v1: ZERO, v2: ZERO, normal: ZERO };
    let mut last = 0;
    loop {
        let (tag, after) = wire::read_tag(rest, last)?;
        rest = after;
        let (id, place) = match tag {
            Tag::End => return Ok((triangle, rest)),
            Tag::Base => {
                last = 0;
                continue;
            }
            Tag::Field(1, Kind::Bean) => (1, &mut triangle.v0),
            Tag::Field(2, Kind::Bean) => (2, &mut triangle.v1),
            Tag::Field(3, Kind::Bean) => (3, &mut triangle.v2),
            Tag::Field(4, Kind::Bean) => (4, &mut triangle.normal),
            Tag::Field(id, kind) => {
                (rest, last) = (wire::skip(rest, kind)?, id);
                continue;
            }
        };
        (*place, rest) = read_point(rest)?;
        last = id;
    }
}

fn read_point(mut rest: &[u8]) -> wire::Read<'_, Vector3> {
    let mut point = Vector3 { x: 0.0, y: 0.0, z: 0.0 };
    let mut last = 0;
    loop {
        let (tag, after) = wire::read_tag(rest, last)?;
        rest = after;
        let (id, place) = match tag {
            Tag::End => return Ok((point, rest)),
            Tag::Base => {
                last = 0;
                continue;
            }
            Tag::Field(1, Kind::Float) => (1, &mut point.x),
            Tag::Field(2, Kind::Float) => (2, &mut point.y),
            Tag::Field(3, Kind::Float) => (3, &mut point.z),
            Tag::Field(id, kind) => {
                (rest, last) = (wire::skip(rest, kind)?, id);
                continue;
            }
        };
        let (float, after) = rest.split_first_chunk().unwrap_or((&[0; 4], &[]));
        (*place, rest) = (f32::from_le_bytes(*float), after);
        last = id;
    }
}
