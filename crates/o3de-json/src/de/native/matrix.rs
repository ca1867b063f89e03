//! Matrices from scale, angles and translation, and quaternions from angles.

use crate::Result;
use crate::de::readings::IDLE;
use crate::de::slot::Loader;
use crate::node::Shape;
use crate::report::{Outcome, Processing, ResultCode, Task};

/// Scales nearer to zero than this are refused, as by the engine.
const SMALLEST_SCALE: f32 = 1e-3;

/// The members of an object: lower case counts first.
const NAMES: [[&str; 2]; 7] = [
    ["scale", "Scale"],
    ["roll", "Roll"],
    ["pitch", "Pitch"],
    ["yaw", "Yaw"],
    ["x", "X"],
    ["y", "Y"],
    ["z", "Z"],
];

/// `{"scale", "roll", "pitch", "yaw", "x", "y", "z"}`, angles in degrees. What was there is lost
/// even if this fails, as in the engine.
pub(super) fn object(loader: &mut Loader<'_, '_>, shape: Shape) -> Result<[f32; 16]> {
    let start = loader.reader.offset();
    let known = if shape == Shape::Matrix3x3 { 4 } else { 7 };
    let (places, end) = loader.find_members(&NAMES, known)?;
    let mut numbers = [1.0_f32, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let mut code = IDLE;
    for (number, place) in numbers.iter_mut().zip(places) {
        if let Some(at) = place {
            loader.reader.seek(at);
            *number = loader.component(&mut code)?;
        }
    }
    loader.reader.seek(end);
    let identity = shape.initial();
    if code.processing() != Processing::Completed {
        loader.code = ResultCode::new(Task::ReadField, Outcome::Unsupported);
        return Ok(identity);
    }
    let [scale, roll, pitch, yaw, x, y, z] = numbers;
    if scale.abs() < SMALLEST_SCALE {
        let message = format!("expected a scale that is not zero, found {scale:?}");
        loader.issue(Outcome::Unsupported, start, message)?;
        return Ok(identity);
    }
    let rotation = rotation([roll, pitch, yaw]);
    let mut values = identity;
    let width = if shape == Shape::Matrix3x3 { 3 } else { 4 };
    for (row, (cells, moved)) in values.chunks_mut(width).zip(rotation.iter().zip([x, y, z])) {
        for (place, cell) in row.iter_mut().zip(cells) {
            *place = cell * scale;
        }
        if let Some(place) = row.get_mut(3) {
            *place = moved;
        }
    }
    let missing = places[0].is_none();
    let outcome = if values == identity {
        Outcome::DefaultsUsed
    } else if missing {
        Outcome::PartialDefaults
    } else {
        Outcome::Success
    };
    loader.code = ResultCode::new(Task::ReadField, outcome);
    Ok(values)
}

/// Half angles first, in the order X, Y, Z.
pub(super) fn quaternion(degrees: [f32; 3]) -> [f32; 4] {
    let [(sx, cx), (sy, cy), (sz, cz)] = degrees.map(|angle| (angle.to_radians() * 0.5).sin_cos());
    [
        sx * cy * cz + cx * sy * sz,
        cx * sy * cz - sx * cy * sz,
        cx * cy * sz + sx * sy * cz,
        cx * cy * cz - sx * sy * sz,
    ]
}

/// The rotation about X, times that about Y, times that about Z, by rows.
fn rotation(degrees: [f32; 3]) -> [[f32; 3]; 3] {
    let [(sx, cx), (sy, cy), (sz, cz)] = degrees.map(|angle| angle.to_radians().sin_cos());
    [
        [cy * cz, -cy * sz, sy],
        [cx * sz + sx * sy * cz, cx * cz - sx * sy * sz, -sx * cy],
        [sx * sz - cx * sy * cz, sx * cz + cx * sy * sz, cx * cy],
    ]
}
