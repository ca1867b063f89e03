//! Math types to and from `glam`.

use glam::{
    Affine2, Affine3, Affine3A, DAffine2, DAffine3, DMat3, DMat4, DQuat, DVec3, IVec4, Mat3, Mat3A,
    Mat4, Quat, Vec2, Vec3, Vec3A, Vec4,
};

use godot_variant::types::{
    Basis, Color, Projection, Quaternion, Transform2D, Transform3D, Vector2, Vector3, Vector4i,
};

/// 1, 2, 3, …: every component differs, so a swap of any two shows.
fn counted<const N: usize>() -> [f32; N] {
    std::array::from_fn(|index| index as f32 + 1.0)
}

fn doubles<const N: usize>() -> [f64; N] {
    counted().map(f64::from)
}

#[test]
fn vectors_keep_their_components() {
    assert_eq!(Vec2::from(Vector2::new(1.0, 2.0)), Vec2::new(1.0, 2.0));
    assert_eq!(Vec3A::from(Vector3::new(1.0, 2.0, 3.0)), Vec3A::new(1.0, 2.0, 3.0));
    assert_eq!(Vector3::from(Vec3A::new(1.0, 2.0, 3.0)), Vector3::new(1.0, 2.0, 3.0));
    assert_eq!(Vector3::from(DVec3::new(0.1, 0.2, 0.3)).to_array(), [0.1, 0.2, 0.3]);
    assert_eq!(IVec4::from(Vector4i::new(1, -2, 3, -4)), IVec4::new(1, -2, 3, -4));
    let colour = Color::from(Vec4::new(0.1, 0.2, 0.3, 0.4));
    assert_eq!(colour, Color::new(0.1, 0.2, 0.3, 0.4));
    assert_eq!(Vec4::from(colour), Vec4::new(0.1, 0.2, 0.3, 0.4));
}

#[test]
fn the_real_part_of_a_quaternion_stays_the_real_part() {
    let made = Quat::from(Quaternion::new(1.0, 2.0, 3.0, 4.0));
    assert_eq!((made.w, made.z), (4.0, 3.0));
    assert_eq!(Quaternion::from(made), Quaternion::new(1.0, 2.0, 3.0, 4.0));
    assert_eq!(DQuat::from(Quaternion::<f64>::from_array(doubles())).w, 4.0);
}

/// The X axis of each matrix is where the engine's and glam's product put it.
#[test]
fn matrices_are_not_transposed() {
    let basis = Basis::from_array(counted());
    assert_eq!(Mat3::from(basis) * Vec3::X, basis.x.into());
    assert_eq!(Mat3A::from(basis) * Vec3A::Y, basis.y.into());
    assert_eq!(Basis::from(Mat3::from(basis)), basis);
    assert_eq!(Basis::from(Mat3A::from(basis)), basis);
    let wide = Basis::from_array(doubles());
    assert_eq!(DMat3::from(wide) * DVec3::Z, wide.z.into());
    assert_eq!(Basis::from(DMat3::from(wide)), wide);

    let flat = Transform2D::from_array(counted());
    assert_eq!(Affine2::from(flat).translation, flat.origin.into());
    assert_eq!(Affine2::from(flat).transform_vector2(Vec2::Y), flat.y.into());
    assert_eq!(Transform2D::from(Affine2::from(flat)), flat);
    let wide = Transform2D::from_array(doubles());
    assert_eq!(Transform2D::from(DAffine2::from(wide)), wide);

    let transform = Transform3D::from_array(counted());
    let moved = Affine3A::from(transform);
    assert_eq!(moved.translation, transform.origin.into());
    assert_eq!(moved.transform_vector3(Vec3::Y), transform.basis.y.into());
    assert_eq!(Transform3D::from(moved), transform);
    assert_eq!(Transform3D::from(Affine3::from(transform)), transform);
    let wide = Transform3D::from_array(doubles());
    assert_eq!(DAffine3::from(wide).translation, wide.origin.into());
    assert_eq!(Transform3D::from(DAffine3::from(wide)), wide);

    let projection = Projection::from_array(counted());
    assert_eq!(Mat4::from(projection) * Vec4::Y, projection.y.into());
    assert_eq!(Projection::from(Mat4::from(projection)), projection);
    let wide = Projection::from_array(doubles());
    assert_eq!(Projection::from(DMat4::from(wide)), wide);
}
