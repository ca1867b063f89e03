//! Meshes whose numbers are known.

use gamewire_testkit::vectors::{Check, Row, said};
use resonite_save::mesh::{BlendFrame, Mesh, Topology};
use serde_json::{Value as Json, json};

use super::check::{fact, only};

const FACTS: &str =
    "positions normals tangents colors profile bindings uvs parts bones blend_shapes";

pub(crate) fn run(row: &Row) -> Check {
    only(&row.value, &["name mesh ok facts note"])?;
    let read = Mesh::from_slice(&row.hex("mesh")?);
    if !row.need("ok")?.as_bool().ok_or("`ok` is not a bool")? {
        return match read {
            Err(_) => Ok(()),
            Ok(_) => Err("expected an error, found a mesh".to_owned()),
        };
    }
    let mesh = read.map_err(said)?;
    let facts = row.need("facts")?;
    only(facts, &[FACTS])?;
    for key in FACTS.split(' ') {
        if facts.get(key).is_none() {
            return Err(format!("no fact `{key}`"));
        }
    }
    fact(facts, "positions", json!(mesh.positions))?;
    fact(facts, "normals", json!(mesh.normals))?;
    fact(facts, "tangents", json!(mesh.tangents))?;
    fact(facts, "colors", json!(mesh.colors))?;
    fact(facts, "profile", mesh.profile.as_str())?;
    let all: Vec<Json> = mesh.bindings.iter().map(|own| json!([own.bones, own.weights])).collect();
    fact(facts, "bindings", all)?;
    let all: Vec<Json> = mesh
        .uvs
        .iter()
        .map(|own| json!({"dimensions": own.dimensions, "values": own.values}))
        .collect();
    fact(facts, "uvs", all)?;
    let topology = |own: Topology| format!("{own:?}");
    let all: Vec<Json> = mesh
        .parts
        .iter()
        .map(|own| json!({"topology": topology(own.topology), "indices": own.indices}))
        .collect();
    fact(facts, "parts", all)?;
    let all: Vec<Json> = mesh
        .bones
        .iter()
        .map(|own| json!({"name": own.name, "bind_pose": own.bind_pose}))
        .collect();
    fact(facts, "bones", all)?;
    let frame = |own: &BlendFrame| {
        json!({
            "weight": own.weight,
            "positions": own.positions,
            "normals": own.normals,
            "tangents": own.tangents,
        })
    };
    let all: Vec<Json> = mesh
        .blend_shapes
        .iter()
        .map(|own| {
            let frames: Vec<Json> = own.frames.iter().map(frame).collect();
            json!({"name": own.name, "frames": frames})
        })
        .collect();
    fact(facts, "blend_shapes", all)
}
