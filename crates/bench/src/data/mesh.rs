//! `mesh`: triangles with normals, nothing but `f32`.

use serde::{Deserialize, Serialize};

use crate::rng::SplitMix64;

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Copy)]
pub struct Vector3 {
    pub x: f32,
    pub y: f32,
    pub z: f32,
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Copy)]
pub struct Triangle {
    pub v0: Vector3,
    pub v1: Vector3,
    pub v2: Vector3,
    pub normal: Vector3,
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
pub struct Mesh {
    pub triangles: Vec<Triangle>,
}

impl Vector3 {
    fn generate(rng: &mut SplitMix64) -> Self {
        Self { x: rng.f32(), y: rng.f32(), z: rng.f32() }
    }
}

impl Triangle {
    fn generate(rng: &mut SplitMix64) -> Self {
        Self {
            v0: Vector3::generate(rng),
            v1: Vector3::generate(rng),
            v2: Vector3::generate(rng),
            normal: Vector3::generate(rng),
        }
    }
}

impl Mesh {
    pub fn generate(seed: u64, count: usize) -> Self {
        Self { triangles: SplitMix64::new(seed).list(count, Triangle::generate) }
    }
}
