//! Rows of compressed and encrypted files.

use gamewire_testkit::vectors::{Check, Row, said, same_bytes};
use godot_variant::ErrorKind;
use godot_variant::frame::Framing;
use godot_variant::value::Dictionary;
use godot_variant::wrapped::{
    Compressed, Compression, Encrypted, Generation, Key, Opened, Opener, Wrapper,
};
use sha2::{Digest as _, Sha256};

pub(crate) fn compressed(row: &Row) -> Check {
    let bytes = row.hex("hex")?;
    let compression = match row.need_text("mode")? {
        "fastlz" => Compression::FastLz,
        "deflate" => Compression::Deflate,
        "zstd" => Compression::Zstd,
        "gzip" => Compression::Gzip,
        other => return Err(format!("unknown mode `{other}`")),
    };
    let Opened { plain, wrapper, .. } = Opener::new().open(&bytes).map_err(said)?;
    expect_plain(row, &plain)?;
    let Wrapper::Compressed(found) = wrapper else {
        return Err("not a compressed file".into());
    };
    if found != Compressed::new(compression) {
        return Err(format!("expected {compression:?}, found {found:?}"));
    }
    let written = found.to_vec(&plain).map_err(said)?;
    let again = Opener::new().open(&written).map_err(said)?;
    same_bytes("what was written, opened", &plain, &again.plain)
}

pub(crate) fn encrypted(row: &Row) -> Check {
    let bytes = row.hex("hex")?;
    let key = key(row)?;
    let generation = match row.need_text("engine")?.as_bytes().first() {
        Some(b'3') => Generation::Godot3,
        _ => Generation::Godot4,
    };
    let opened = Opener::new().key(key.clone()).open(&bytes).map_err(said)?;
    expect_plain(row, &opened.plain)?;
    let own = Encrypted::new(key.clone()).of(generation);
    if !matches!(&opened.wrapper, Wrapper::Encrypted(found) if *found == own) {
        return Err(format!("expected {own:?}, found {:?}", opened.wrapper));
    }
    let own = match bytes.get(28..44).map(<[u8; 16]>::try_from) {
        Some(Ok(iv)) => own.iv(iv),
        _ => own,
    };
    same_bytes("bytes", &bytes, &own.to_vec(&opened.plain).map_err(said)?)?;
    let wrong = Opener::new().key(Key::from_password("another password")).open(&bytes);
    match wrong.map_err(|error| error.kind()) {
        Err(ErrorKind::WrongKey) => {}
        other => return Err(format!("with a wrong password: {:?}", other.err())),
    }
    // The same wrapper with a vector of its own.
    let written = opened.wrapper.to_vec(&opened.plain).map_err(said)?;
    if written == bytes && generation == Generation::Godot4 {
        return Err("two files with one initialization vector".into());
    }
    let again = Opener::new().key(key.clone()).open(&written).map_err(said)?;
    same_bytes("what was written, opened", &opened.plain, &again.plain)
}

fn key(row: &Row) -> Check<Key> {
    match row.text("password") {
        Some(password) => Ok(Key::from_password(password)),
        None => Key::from_hex(row.need_text("key")?).map_err(said),
    }
}

/// A compressed file of one frame, whose value the note has in a notation of its own.
pub(crate) fn frame(row: &Row) -> Check {
    if !row.need_text("note")?.ends_with("one store_var of {a:[1,2,3],s:'x'*300}") {
        return Err("another note".into());
    }
    let mut expected = Dictionary::new();
    expected.insert("a", vec![1_i64, 2, 3]);
    expected.insert("s", "x".repeat(300));
    let bytes = row.hex("hex")?;
    let opened = Opener::new().open(&bytes).map_err(said)?;
    let frame = Framing::new().to_vec(&expected).map_err(said)?;
    same_bytes("what is in the file", &frame, &opened.plain)?;
    let written = opened.wrapper.to_vec(&frame).map_err(said)?;
    let again = Opener::new().open(&written).map_err(said)?;
    same_bytes("what was written, opened", &frame, &again.plain)
}

/// The one frame of `store_var` that the file holds, as the row has it or its hash.
fn expect_plain(row: &Row, plain: &[u8]) -> Check {
    let (variant, rest) = Framing::new().split(plain).map_err(said)?;
    if !rest.is_empty() {
        return Err(format!("{} bytes after the frame", rest.len()));
    }
    match row.text("plain") {
        Some(_) => same_bytes("plain", &row.hex("plain")?, variant),
        None => {
            let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
            let found = hex(&Sha256::digest(hex(variant)));
            match row.need_text("plain_sha256")? {
                expected if expected == found => Ok(()),
                expected => Err(format!("SHA-256 of plain: expected {expected}, found {found}")),
            }
        }
    }
}
