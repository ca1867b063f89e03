//! Names of engines and gems with the versions that are wanted.

/// A name and the versions that are accepted: `Atom`, `Atom>=1.2.0,<2`.
#[derive(Debug)]
pub(super) struct Wanted<'n> {
    pub(super) name: &'n str,
    conditions: Vec<(&'n str, &'n str)>,
}

/// As the engine's scripts have them, the longer ones first.
const COMPARISONS: [&str; 8] = ["===", "~=", "==", "!=", "<=", ">=", "<", ">"];

impl<'n> Wanted<'n> {
    pub(super) fn parse(text: &'n str) -> Self {
        let end = text.find(['~', '=', '!', '<', '>']).unwrap_or(text.len());
        let (name, rest) = text.split_at_checked(end).unwrap_or((text, ""));
        let conditions = rest.split(',').filter_map(|own| {
            let own = own.trim();
            let comparison = COMPARISONS.into_iter().find(|sign| own.starts_with(sign))?;
            Some((comparison, own.strip_prefix(comparison)?))
        });
        Wanted { name: name.trim(), conditions: conditions.collect() }
    }

    pub(super) fn accepts(&self, version: &str) -> bool {
        let own = parts(version);
        self.conditions.iter().all(|(comparison, wanted)| {
            let other = parts(wanted);
            match *comparison {
                "~=" => {
                    // All parts that are written but the last stay.
                    let fixed = wanted.trim().split('.').count().saturating_sub(1);
                    own >= other && own.iter().zip(&other).take(fixed).all(|(a, b)| a == b)
                }
                "!=" => own != other,
                "<=" => own <= other,
                ">=" => own >= other,
                "<" => own < other,
                ">" => own > other,
                _ => own == other,
            }
        })
    }
}

/// The numbers of a version, so that they compare; those that are not written are 0.
pub(super) fn parts(version: &str) -> [u64; 4] {
    let mut parts = [0; 4];
    for (part, text) in parts.iter_mut().zip(version.trim().split('.')) {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        *part = text.get(..digits).and_then(|text| text.parse().ok()).unwrap_or(0);
    }
    parts
}
