//! Encrypted files.

use gamewire_testkit::hostile::{Hostile, Limits};
use godot_variant::frame::Framing;
use godot_variant::wrapped::{Encrypted, Generation, Key, Opener, Wrapper};
use godot_variant::*;

const PASSWORD: &str = "correct horse";

fn opener() -> Opener {
    Opener::new().key(Key::from_password(PASSWORD))
}

#[test]
fn what_is_encrypted_is_opened_by_its_key() {
    for generation in [Generation::Godot4, Generation::Godot3] {
        let wrapper = Encrypted::new(Key::from_password(PASSWORD)).of(generation);
        for len in [0, 1, 15, 16, 17, 1000] {
            let plain = vec![7; len];
            let file = wrapper.to_vec(&plain).unwrap();
            let opened = opener().open(&file).unwrap();
            assert_eq!(opened.plain, plain);
            let Wrapper::Encrypted(found) = &opened.wrapper else { panic!("not encrypted") };
            assert_eq!(*found, wrapper);
        }
        let error = Opener::new().open(&wrapper.to_vec(b"x").unwrap()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::KeyMissing);
    }
}

#[test]
fn a_wrong_key_is_an_error_of_its_own_and_shows_nothing() {
    let file = Encrypted::new(Key::from_password(PASSWORD)).to_vec(b"secret data").unwrap();
    let wrong = "wrong horse";
    let opener = Opener::new().key(Key::from_password(wrong));
    let error = opener.open(&file).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WrongKey);
    assert_eq!((error.offset(), error.engine_code()), (Some(4), None));
    let shown = format!("{error} {error:?} {opener:?} {:?}", Key::from_password(wrong));
    for part in [wrong, "horse", "secret"] {
        assert!(!shown.contains(part), "{shown}");
    }
    assert!(shown.contains("Key(..)"), "{shown}");
    let error = Key::from_hex("0123 no key").unwrap_err();
    assert!(!error.to_string().contains("0123"), "{error}");
    assert!(Key::from_hex(&"0f".repeat(31)).is_err());
    assert!(Key::from_hex(&"é".repeat(32)).is_err());
    assert_eq!(Key::from_hex(&"0F".repeat(32)).unwrap(), Key::new([15; 32]));
}

#[test]
fn what_there_is_of_a_damaged_file_is_opened() {
    let plain: Vec<u8> = (0..=255).collect();
    for generation in [Generation::Godot4, Generation::Godot3] {
        let file = Encrypted::new(Key::from_password(PASSWORD)).of(generation);
        let file = file.to_vec(&plain).unwrap();
        let (opened, wrong) = opener().open_damaged(&file).unwrap();
        assert!(wrong.is_none() && opened.plain == plain);
        for cut in 1..plain.len() {
            let (opened, wrong) = opener().open_damaged(&file[..file.len() - cut]).unwrap();
            assert_eq!(wrong.unwrap().kind(), ErrorKind::UnexpectedEof);
            assert!(plain.starts_with(&opened.plain));
            assert!(opened.plain.len() + cut + 16 > plain.len());
        }
        let mut flipped = file.clone();
        flipped[file.len() - 100] ^= 1;
        let (opened, wrong) = opener().open_damaged(&flipped).unwrap();
        assert_eq!(wrong.unwrap().kind(), ErrorKind::WrongKey);
        // A block of 16, and in CFB mode one bit of the one before.
        let same = opened.plain.iter().zip(&plain).filter(|(a, b)| a == b).count();
        assert!((256 - 32..256).contains(&same), "{same}");
        let error = Opener::new().open_damaged(&file).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::KeyMissing);
    }
}

#[test]
fn files_with_one_key_have_vectors_of_their_own() {
    let wrapper = Encrypted::new(Key::new([1; 32]));
    let files: std::collections::HashSet<_> =
        (0..100).map(|_| wrapper.to_vec(b"the same").unwrap()).collect();
    assert_eq!(files.len(), 100);
    // One that is asked for gives the same file each time.
    let fixed = wrapper.iv([9; 16]);
    assert_eq!(fixed.to_vec(b"the same").unwrap(), fixed.to_vec(b"the same").unwrap());
}

#[test]
fn an_edit_keeps_key_and_form() {
    for generation in [Generation::Godot4, Generation::Godot3] {
        let framing = Framing::new();
        let wrapper = Encrypted::new(Key::from_password(PASSWORD)).of(generation);
        let file = wrapper.to_vec(&framing.to_vec(&("hp", 5)).unwrap()).unwrap();
        let opened = opener().open(&file).unwrap();
        let edited = opened.wrapper.to_vec(&framing.to_vec(&("hp", 100)).unwrap()).unwrap();
        assert_eq!(edited.len(), file.len());
        let opened = opener().open(&edited).unwrap();
        let (saved, _) = framing.take_from_slice::<(String, i64)>(&opened.plain).unwrap();
        assert_eq!(saved, ("hp".to_owned(), 100));
    }
}

#[test]
fn max_plain_is_the_most_that_a_file_holds() {
    let file = Encrypted::new(Key::from_password(PASSWORD)).to_vec(&[0; 100]).unwrap();
    let error = opener().max_plain(99).open(&file).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::AllocLimit, Some(20)));
    opener().max_plain(100).open(&file).unwrap();
}

#[test]
fn hostile_files_are_read_or_refused() {
    let open = |bytes: &[u8]| opener().open(bytes).map(drop);
    let mut hostile = Hostile::new(open).limits(Limits { base: 128 << 10, ..Limits::default() });
    for generation in [Generation::Godot4, Generation::Godot3] {
        let wrapper = Encrypted::new(Key::from_password(PASSWORD)).of(generation);
        let wrapper = wrapper.iv([3; 16]);
        hostile.sample("small", &wrapper.to_vec(&[7; 20]).unwrap());
        hostile.linear("long", 4096, |len| wrapper.to_vec(&vec![7; len]).unwrap());
    }
    hostile.random(5, 300, 80);
    hostile.finish();
}
