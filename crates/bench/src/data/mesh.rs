use super::*;

generated! { rng:
    #[derive(Copy)]
    pub struct Vector3 {
        x: f32 = rng.f32(),
        y: f32 = rng.f32(),
        z: f32 = rng.f32(),
    }

    #[derive(Copy)]
    pub struct Triangle {
        v0: Vector3 = Vector3::generate(rng),
        v1: Vector3 = Vector3::generate(rng),
        v2: Vector3 = Vector3::generate(rng),
        normal: Vector3 = Vector3::generate(rng),
    }
}

lists! { Mesh { triangles: Triangle } }
