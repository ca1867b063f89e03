//! Borrowed views of packed arrays.

use std::fmt;

use godot_variant::types::{
    Color, PackedColorArray, PackedFloat32Array, PackedFloat64Array, PackedInt32Array,
    PackedInt64Array, PackedVector2Array, PackedVector3Array, PackedVector4Array, Vector2, Vector3,
    Vector4,
};
use godot_variant::view::{
    F32, F64, I32, I64, LeColor, LeVector2, LeVector3, LeVector4, View, ViewElement,
};
use godot_variant::{Options, Precision, Value, from_slice, to_vec};
use serde::Serialize;
use zerocopy::IntoBytes;

/// Reads the view at every alignment, and finds its elements inside the input.
#[track_caller]
fn check<E>(owned: &impl Serialize, elements: &[E])
where
    E: ViewElement + PartialEq + fmt::Debug,
    for<'a> View<'a, E>: Serialize,
{
    let encoded = to_vec(owned).unwrap();
    assert_eq!(to_vec(&View(elements)).unwrap(), encoded);
    for shift in 0..8 {
        let mut input = vec![0xaa; shift];
        input.extend_from_slice(&encoded);
        let view: View<'_, E> = from_slice(&input[shift..]).unwrap();
        assert_eq!(&*view, elements);
        assert_eq!(view.as_bytes().as_ptr_range(), input[shift..][8..].as_ptr_range());
    }
}

#[test]
fn elements_stay_in_the_input() {
    check::<I32>(&PackedInt32Array(vec![1, -2]), &[1.into(), (-2).into()]);
    check::<I64>(&PackedInt64Array(vec![1, -2]), &[1.into(), (-2).into()]);
    check::<F32>(&PackedFloat32Array(vec![0.5]), &[0.5.into()]);
    check::<F64>(&PackedFloat64Array(vec![0.1]), &[0.1.into()]);
    let two = Vector2::new(1.0, 2.0);
    check::<LeVector2>(&PackedVector2Array(vec![two]), &[two.into()]);
    let three = [Vector3::new(1.0, 2.0, 3.0), Vector3::new(4.0, 5.0, 6.0)];
    check::<LeVector3>(&PackedVector3Array(three.to_vec()), &three.map(LeVector3::from));
    let four = Vector4::new(1.0, 2.0, 3.0, 4.0);
    check::<LeVector4>(&PackedVector4Array(vec![four]), &[four.into()]);
    let colour = Color::new(0.1, 0.2, 0.3, 0.4);
    check::<LeColor>(&PackedColorArray(vec![colour]), &[colour.into()]);
    check::<F32>(&PackedFloat32Array::default(), &[]);
    assert_eq!(View(&[LeColor::from(colour)]).to_owned_vec(), [colour]);
}

#[test]
fn other_widths_and_types_are_errors_that_say_so() {
    let wide = to_vec(&PackedVector3Array(vec![Vector3::<f64>::default()])).unwrap();
    let error = from_slice::<View<'_, LeVector3>>(&wide).unwrap_err().to_string();
    assert!(error.contains("found 64-bit components"), "{error}");
    let doubles = to_vec(&PackedFloat64Array(vec![0.5])).unwrap();
    let error = from_slice::<View<'_, F32>>(&doubles).unwrap_err().to_string();
    assert!(error.contains("a view can only borrow"), "{error}");
    let singles = to_vec(&PackedFloat32Array(vec![0.5])).unwrap();
    assert!(from_slice::<View<'_, F64>>(&singles).is_err());
    assert!(from_slice::<View<'_, LeVector2>>(&singles).is_err());
    let plain = to_vec(&[0.5, 1.5]).unwrap();
    let error = from_slice::<View<'_, F32>>(&plain).unwrap_err().to_string();
    assert!(error.contains("a view can only borrow"), "{error}");
}

#[test]
fn precision_applies_when_written() {
    let view = [LeVector2::from(Vector2::new(1.0, 2.0))];
    let double = Options::new().precision(Precision::Double);
    let bytes = double.to_vec(&View(&view)).unwrap();
    let expected = PackedVector2Array(vec![Vector2 { x: 1.0_f64, y: 2.0 }]);
    assert_eq!(bytes, to_vec(&expected).unwrap());
    assert!(double.from_slice::<View<'_, LeVector2>>(&bytes).is_err());
}

#[test]
fn other_formats_write_views_and_refuse_to_read_them() {
    let view = [LeVector2::from(Vector2::new(1.0, 2.0))];
    assert_eq!(serde_json::to_string(&View(&view)).unwrap(), "[[1.0,2.0]]");
    assert_eq!(serde_json::to_string(&View(&[I32::new(7)])).unwrap(), "[7]");
    let error = serde_json::from_str::<View<'_, F32>>("[1.0]").unwrap_err().to_string();
    assert!(error.contains("a view can only borrow an encoded PackedFloat32Array"), "{error}");
    let value = Value::from(PackedFloat32Array(vec![0.5]));
    assert_eq!(godot_variant::to_value(&View(&[F32::new(0.5)])).unwrap(), value);
}

#[test]
fn views_are_fields() {
    #[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug)]
    struct Mesh<'a> {
        name: &'a str,
        #[serde(borrow)]
        indices: View<'a, I32>,
        #[serde(borrow)]
        colours: Option<View<'a, LeColor>>,
    }
    let indices = [1.into(), 2.into(), 3.into()];
    let mesh = Mesh { name: "quad", indices: View(&indices), colours: None };
    let bytes = to_vec(&mesh).unwrap();
    assert_eq!(from_slice::<Mesh<'_>>(&bytes).unwrap(), mesh);
}
