//! Paths of files for the names of entries in packages and archives, and back.
//!
//! An archive's names are any text. In a folder, letters of all scripts stay; a byte that some system or some
//! reader takes amiss is written as `%` and two digits, and an empty part of a name as `%` alone:
//!
//! | in a name | written |
//! |---|---|
//! | `%`, controls, `" * : < > ? \ \|`, what cannot be seen, other spaces than `U+3000`, private use | each byte as `%XX` |
//! | all that is not ASCII, in a part that is not in Unicode's form NFC | each byte as `%XX` |
//! | a dot at the beginning of a part, a dot or a space at its end | as `%XX` |
//! | a part that Windows takes for a device, as `CON` or `nul.txt` | its first letter as `%XX` |
//! | an empty part, as in `a//b` and `/a` | `%` |
//! | a part that differs from an earlier one only by case, or is a file and a folder | all bytes as `%XX`, with `%` after them where that is not enough |
//! | a part of more than 255 bytes | its beginning, `%-`, and 16 digits of its SHA-256; no name is read of it |
//! | the first dot of a part of `Assets` that is a hash and an extension | `%2E` |
//!
//! Because of the last, a file `Assets/<hash>.png` can be the asset `<hash>`: its name has no extension, and
//! no other entry gets this path.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

use gamewire::document::is_control_or_bidi;
use gamewire::resonite_save::package::hash;
use unicode_normalization::UnicodeNormalization as _;

/// The paths that are given out.
pub(crate) struct Paths {
    /// The owner of each path, by what systems take for the same.
    taken: HashMap<String, Owner>,
}

/// The name or the beginning of a name, and whether it is a folder.
#[derive(PartialEq, Eq)]
struct Owner {
    name: String,
    is_folder: bool,
}

impl Paths {
    pub(crate) fn new() -> Self {
        Paths { taken: HashMap::new() }
    }

    /// A file name for a name, in which `/` is odd too, with an extension.
    pub(crate) fn file(name: &str, extension: &str) -> String {
        let text = plain(&format!("{name}{extension}"));
        match text.strip_suffix(extension).filter(|_| text.len() > MAX_PART) {
            Some(stem) => cut(stem, name, MAX_PART - extension.len()) + extension,
            None => cut(&text, name, MAX_PART),
        }
    }

    /// The path of an entry. No two entries get paths that a system could take for one.
    pub(crate) fn of(&mut self, name: &str) -> PathBuf {
        let mut path = String::new();
        let mut end = 0;
        for part in name.split('/') {
            end += part.len();
            let owner = Owner {
                name: name.get(..end).unwrap_or(name).to_owned(),
                is_folder: end < name.len(),
            };
            // The second may be what a folder of the same name has, but not the third too.
            let ways = [plain_in(&path, part), whole(part), whole(part) + "%"];
            let mut candidates = ways
                .into_iter()
                .map(|way| cut(&way, part, MAX_PART))
                .map(|way| if path.is_empty() { way } else { format!("{path}/{way}") });
            let free = candidates.find(|path| {
                let own = self.taken.get(&folded(path));
                own.is_none_or(|own| *own == owner)
            });
            path = free.unwrap_or_default();
            self.taken.insert(folded(&path), owner);
            end += 1;
        }
        PathBuf::from(path)
    }
}

/// The folder in a package whose files are named by hashes.
const ASSETS: &str = "Assets";

/// A part of a name in this folder, with what is odd in it written otherwise.
fn plain_in(folder: &str, part: &str) -> String {
    let text = plain(part);
    let dotted = text
        .split_at_checked(64)
        .filter(|(hash, _)| folder == ASSETS && hash.bytes().all(|byte| byte.is_ascii_hexdigit()));
    match dotted.and_then(|(hash, rest)| Some((hash, rest.strip_prefix('.')?))) {
        Some((hash, rest)) => format!("{hash}%2E{rest}"),
        None => text,
    }
}

/// Bytes of a file's name that systems allow.
const MAX_PART: usize = 255;

/// A path as a system may have it that looks neither at case nor at how letters are composed, nor at what joins
/// them.
pub(crate) fn folded(path: &str) -> String {
    let joined = |letter: &char| !matches!(letter, '\u{200c}' | '\u{200d}');
    path.to_uppercase().to_lowercase().nfc().filter(joined).collect()
}

/// Text for a part of a name, of so many bytes at most.
fn cut(text: &str, part: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let digits: String = hash(part.as_bytes()).chars().take(16).collect();
    // The part that says the kind of the file stays.
    let is_short =
        |own: &&str| own.len() <= 16 && own.bytes().all(|own| own.is_ascii_alphanumeric());
    let extension = text.rsplit_once('.').map(|(_, own)| own).filter(is_short);
    let extension = extension.map(|own| format!(".{own}")).unwrap_or_default();
    let room = most.saturating_sub(2 + digits.len() + extension.len());
    let head = (0..=room).rev().find_map(|end| text.get(..end)).unwrap_or_default();
    // Not in the middle of an escape.
    let head = match head.rfind('%').filter(|at| at + 3 > head.len()) {
        Some(at) => head.get(..at).unwrap_or_default(),
        None => head,
    };
    format!("{head}%-{digits}{extension}")
}

/// A part of a name, with what is odd in it written otherwise.
fn plain(part: &str) -> String {
    if part.is_empty() {
        return "%".to_owned();
    }
    let last = part.len() - 1;
    let is_device = is_device(part);
    let is_nfc = unicode_normalization::is_nfc(part);
    spell(part, |at, letter| match letter {
        '%' | '"' | '*' | '/' | ':' | '<' | '>' | '?' | '\\' | '|' => true,
        '.' => at == 0 || at == last,
        ' ' => at == last,
        _ if letter.is_ascii() => !letter.is_ascii_graphic() || (is_device && at == 0),
        // Which some systems have in the place of what Windows does not allow.
        '\u{e000}'..='\u{f8ff}' | '\u{f0000}'.. => true,
        _ => {
            !is_nfc
                || is_control_or_bidi(letter)
                || (letter.is_whitespace() && letter != '\u{3000}')
        }
    })
}

/// A part of a name, with every byte written otherwise.
fn whole(part: &str) -> String {
    if part.is_empty() { "%%".to_owned() } else { spell(part, |_, _| true) }
}

fn spell(part: &str, must_escape: impl Fn(usize, char) -> bool) -> String {
    let mut text = String::new();
    for (at, letter) in part.char_indices() {
        match must_escape(at, letter) {
            true => {
                for byte in letter.encode_utf8(&mut [0; 4]).bytes() {
                    _ = write!(text, "%{byte:02X}");
                }
            }
            false => text.push(letter),
        }
    }
    text
}

/// Whether Windows takes a file with this name for a device, whatever its extension is.
fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or(part).trim_end().to_ascii_uppercase();
    let numbered = |rest: &str| {
        let mut rest = rest.chars();
        let number = rest.next();
        matches!(number, Some('0'..='9' | '\u{b9}' | '\u{b2}' | '\u{b3}')) && rest.next().is_none()
    };
    matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$")
        || stem.strip_prefix("COM").is_some_and(numbered)
        || stem.strip_prefix("LPT").is_some_and(numbered)
}

/// The name of the entry that has this path.
pub(crate) fn entry(path: &Path) -> Result<String, String> {
    let mut parts = Vec::new();
    for part in path.components() {
        let Component::Normal(part) = part else { continue };
        let part = part.to_str().ok_or("its name is not UTF-8")?;
        parts.push(read(part)?);
    }
    Ok(parts.join("/"))
}

fn read(part: &str) -> Result<String, String> {
    let mut name = Vec::new();
    let mut rest = part.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        if *byte != b'%' {
            name.push(*byte);
        } else if let Some(byte) = after.get(..2).and_then(two_digits) {
            name.push(byte);
            rest = after.get(2..).unwrap_or_default();
        } else if let [b'-', hash @ ..] = after
            && hash.iter().take_while(|own| own.is_ascii_hexdigit()).count() >= 16
        {
            return Err("its name is cut, and does not say what it was".to_owned());
        } else if after.iter().any(|byte| *byte != b'%') {
            return Err("`%` in its name needs two digits after it; %25 is `%` itself".to_owned());
        }
    }
    String::from_utf8(name).map_err(|_| "the name that it stands for is not UTF-8".to_owned())
}

fn two_digits(text: &[u8]) -> Option<u8> {
    let text = std::str::from_utf8(text).ok().filter(|text| !text.starts_with('+'))?;
    u8::from_str_radix(text, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_path_of_its_own_and_comes_back() {
        let names = "R-Main.record\nr-main.record\nAssets/a\nAssets/A\nassets/a\nAssets//a\n\
                     Assets/a/b\nAssets\n\n/\n//\n/a\na/\na//\n..\n../..\n../../etc/x\n.\n.hidden\n\
                     a.\na..\na \n a\nCON\ncon.txt\nCon\nCOM1\ncom10\nLPT9.a.b\nnul\n\u{1b}[31m\n\
                     \u{202e}gpj\n\u{e5}\na\u{30a}\n\u{c5}\n\u{212b}\n\u{7167}\u{660e}\n\u{200d}a\nCOM\u{b9}\n\u{f03a}\n\u{a0}\n\u{e0001}\n\u{df}\nss\n%\n%41\n%%\n100%\nC:\\x\na|b?c*d<e>f\"g\n\
                     \0\n\u{7f}\na/%\n%43ON\n\u{1b}/x\n\u{1b}";
        let mut paths = Paths::new();
        let mut seen = std::collections::HashSet::new();
        for name in names.split('\n') {
            let path = paths.of(name);
            assert_eq!(entry(&path).as_deref(), Ok(name), "{path:?}");
            let text = path.to_str().unwrap().to_owned();
            assert!(seen.insert(folded(&text)), "{text} twice");
            for part in text.split('/') {
                assert!(
                    !part.chars().any(is_control_or_bidi) && !part.is_empty(),
                    "{name:?} as {part:?}"
                );
                assert!(part.len() <= MAX_PART, "{name:?} as {part:?}");
                assert!(
                    !part.starts_with('.') && !part.ends_with(['.', ' ']),
                    "{name:?} as {part:?}"
                );
                assert!(!is_device(part), "{name:?} as {part:?}");
            }
        }
        // No path is a file and a folder.
        for path in &seen {
            assert!(!seen.iter().any(|other| other.starts_with(&format!("{path}/"))), "{path}");
        }
    }

    #[test]
    fn ordinary_names_stay() {
        for name in
            ["R-Main.record", "Assets/0f3a", "Metadata/0f3a.bitmap", "Variants/0f3a/a b-c_d.png"]
        {
            assert_eq!(Paths::new().of(name), Path::new(name));
        }
    }

    #[test]
    fn letters_of_all_scripts_stay() {
        for name in ["照明/ランプ", "Möbel/Schränke", "Игры/Лампа", "مصباح", "램프", "दीपक", "a 💡"]
        {
            assert_eq!(Paths::new().of(name), Path::new(name));
        }
        let mut paths = Paths::new();
        let second = ["é", "É", "e\u{301}"].map(|name| paths.of(name).display().to_string());
        assert_eq!(second, ["é", "%C3%89", "e%CC%81"]);
    }

    #[test]
    fn long_names_are_cut_and_stay_apart() {
        let long = |end: &str| "ア".repeat(90) + end;
        let names = ["a", "b"].map(|end| Paths::file(&long(end), ".resonitepackage"));
        assert_ne!(names[0], names[1]);
        for name in &names {
            assert!(name.len() <= MAX_PART && name.len() > 230, "{name}");
            assert!(name.starts_with("アアア") && name.ends_with(".resonitepackage"), "{name}");
            assert!(entry(Path::new(name)).is_err(), "{name}");
        }
        let odd = Paths::file(&"\u{1b}".repeat(90), "");
        let (head, digits) = odd.split_once("%-").unwrap();
        assert!(head.len() % 3 == 0 && digits.len() == 16, "{odd}");
        assert_eq!(Paths::file(&"a".repeat(255), ""), "a".repeat(255));
    }

    #[test]
    fn no_entry_has_the_path_of_an_asset_with_an_extension() {
        let hash = "0123456789abcdef".repeat(4);
        let upper = hash.to_uppercase();
        for (name, path) in [
            (format!("Assets/{hash}"), format!("Assets/{hash}")),
            (format!("Assets/{hash}.png"), format!("Assets/{hash}%2Epng")),
            (format!("Assets/{hash}.a.b"), format!("Assets/{hash}%2Ea.b")),
            (format!("Assets/{hash}."), format!("Assets/{hash}%2E")),
            (format!("Assets/{hash}.png/in"), format!("Assets/{hash}%2Epng/in")),
            (format!("Assets/{upper}.png"), format!("Assets/{upper}%2Epng")),
            (format!("Assets/{hash}%2Epng"), format!("Assets/{hash}%252Epng")),
            (format!("Assets/{hash}0.png"), format!("Assets/{hash}0.png")),
            (format!("Assets/x/{hash}.png"), format!("Assets/x/{hash}.png")),
            (format!("Metadata/{hash}.bitmap"), format!("Metadata/{hash}.bitmap")),
        ] {
            assert_eq!(Paths::new().of(&name), Path::new(&path));
            assert_eq!(entry(Path::new(&path)), Ok(name));
        }
    }

    #[test]
    fn paths_that_extract_does_not_write_are_refused() {
        assert!(read("100%.png").is_err());
        assert!(read("%+1").is_err());
        assert!(read("%ff").is_err());
        assert_eq!(read("a%2fb").as_deref(), Ok("a/b"));
    }
}
