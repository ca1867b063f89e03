//! Math types to and from `mint`.

use godot_variant::{
    Basis, Projection, Quaternion, Transform2D, Transform3D, Vector2, Vector3, Vector3i, Vector4,
    Vector4i,
};

/// 1, 2, 3, …: every component differs, so a swap of any two shows.
fn counted<const N: usize>() -> [f64; N] {
    std::array::from_fn(|index| index as f64 + 1.0)
}

#[test]
fn vectors_keep_their_components() {
    assert_eq!(mint::Vector2::from(Vector2::new(1.0, 2.0)), [1.0, 2.0].into());
    assert_eq!(mint::Point3::from(Vector3::new(1.0, 2.0, 3.0)), [1.0, 2.0, 3.0].into());
    let four = Vector4::<f64>::from_array(counted());
    assert_eq!(mint::Vector4::from(four), counted().into());
    assert_eq!(Vector4::from(mint::Vector4::from(counted())), four);
    assert_eq!(Vector3i::from(mint::Vector3::from([1, -2, 3])), Vector3i::new(1, -2, 3));
    assert_eq!(mint::Vector4::from(Vector4i::new(1, 2, 3, 4)), [1, 2, 3, 4].into());
}

#[test]
fn the_real_part_of_a_quaternion_stays_the_real_part() {
    let made = mint::Quaternion::from(Quaternion::new(1.0, 2.0, 3.0, 4.0));
    assert_eq!((made.s, made.v), (4.0, [1.0, 2.0, 3.0].into()));
    assert_eq!(Quaternion::from(made), Quaternion::new(1.0, 2.0, 3.0, 4.0));
}

#[test]
fn matrices_are_not_transposed() {
    // The Y axis goes to (4, 5, 6): second column, second row of a row matrix is (2, 5, 8).
    let basis = Basis::from_array(counted());
    let columns = mint::ColumnMatrix3::from(basis);
    assert_eq!(columns.y, [4.0, 5.0, 6.0].into());
    assert_eq!(mint::RowMatrix3::from(columns).y, [2.0, 5.0, 8.0].into());
    assert_eq!(Basis::from(columns), basis);

    let flat = Transform2D::from_array(counted());
    let columns = mint::ColumnMatrix2x3::from(flat);
    assert_eq!(columns.z, [flat.origin.x, flat.origin.y].into());
    assert_eq!(<[f64; 6]>::from(columns), counted());
    assert_eq!(Transform2D::from(columns), flat);

    let transform = Transform3D::from_array(counted());
    let columns = mint::ColumnMatrix3x4::from(transform);
    assert_eq!(columns.w, [10.0, 11.0, 12.0].into());
    assert_eq!(<[f64; 12]>::from(columns), counted());
    assert_eq!(Transform3D::from(columns), transform);

    let projection = Projection::from_array(counted());
    let columns = mint::ColumnMatrix4::from(projection);
    assert_eq!(columns.y, [5.0, 6.0, 7.0, 8.0].into());
    assert_eq!(Projection::from(columns), projection);
}
