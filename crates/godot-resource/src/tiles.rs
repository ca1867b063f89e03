//! Cells of tile maps, which stand as numbers in a row.

use godot_variant::Value;
use godot_variant::types::{PackedByteArray, PackedInt32Array, Vector2i, Vector4i};
use godot_variant::value::Dictionary;

/// Bytes of a cell: its place, source, place in the atlas, alternative.
const CELL: usize = 12;

/// The cells in the tiles of a map, by their places; `None` for another property, and for what would not be written
/// back the same.
pub(crate) fn cells(property: &str, value: &Value) -> Option<Value> {
    let mut all = Dictionary::new();
    match value {
        Value::PackedByteArray(bytes) if property == "tile_map_data" => {
            let (_, cells) =
                bytes.split_first_chunk::<2>().filter(|(version, _)| **version == [0, 0])?;
            for cell in cells.chunks(CELL) {
                let number = |at: usize| Some(u16::from_le_bytes(*cell.get(at..)?.first_chunk()?));
                let place = |at: usize| Some(i32::from(number(at)?.cast_signed()));
                let tile = [4, 6, 8, 10].map(|at| number(at).map(i32::from));
                let [Some(source), Some(x), Some(y), Some(alternative)] = tile else { return None };
                all.insert(
                    Vector2i { x: place(0)?, y: place(2)? },
                    Vector4i { x: source, y: x, z: y, w: alternative },
                );
            }
        }
        Value::PackedInt32Array(numbers) if is_layer(property) => {
            for cell in numbers.chunks(3) {
                let [place, tile, rest] = *cell.first_chunk::<3>()?;
                let [x, y] = [place, place >> 16].map(low);
                all.insert(Vector2i { x, y }, Vector2i { x: tile, y: rest });
            }
        }
        _ => return None,
    }
    let all = Value::from(all);
    (data(property, &all).as_ref() == Some(value)).then_some(all)
}

/// The tiles that cells are; `None` for another property.
pub(crate) fn data(property: &str, value: &Value) -> Option<Value> {
    let cells = value.as_dictionary()?;
    let is_bytes = property == "tile_map_data";
    if !is_bytes && !is_layer(property) {
        return None;
    }
    let (mut bytes, mut numbers) = (vec![0_u8; 2], Vec::new());
    for (place, tile) in cells {
        let Value::Vector2i(place) = place else { return None };
        let [x, y] = [place.x, place.y].map(|own| i16::try_from(own).ok());
        let (x, y) = (x?, y?);
        match tile {
            Value::Vector4i(tile) if is_bytes => {
                bytes.extend(x.to_le_bytes());
                bytes.extend(y.to_le_bytes());
                for part in [tile.x, tile.y, tile.z, tile.w] {
                    bytes.extend(u16::try_from(part).ok()?.to_le_bytes());
                }
            }
            Value::Vector2i(tile) if !is_bytes => {
                let place = (i32::from(x) & 0xffff) | (i32::from(y) << 16);
                numbers.extend([place, tile.x, tile.y]);
            }
            _ => return None,
        }
    }
    Some(match is_bytes {
        true => PackedByteArray(bytes).into(),
        false => PackedInt32Array(numbers).into(),
    })
}

/// The lowest 16 bits, with their sign.
fn low(number: i32) -> i32 {
    number << 16 >> 16
}

/// Whether it is a layer of a TileMap, of 4.x or 3.x.
fn is_layer(property: &str) -> bool {
    let layer = property.strip_prefix("layer_").and_then(|rest| rest.strip_suffix("/tile_data"));
    property == "tile_data"
        || layer.is_some_and(|own| own.bytes().all(|byte| byte.is_ascii_digit()))
}
