use super::*;

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Copy)]
pub struct Address {
    pub x0: u8,
    pub x1: u8,
    pub x2: u8,
    pub x3: u8,
}

generated! { rng:
    pub struct Log [[x0, x1, x2, x3, ..] = rng.bits().to_le_bytes()] {
        address: Address = Address { x0, x1, x2, x3 },
        identity: String = "-".to_owned(),
        userid: String = rng.pick(&USERS).to_owned(),
        date: String = date(rng),
        request: String = request(rng),
        code: u16 = status_code(rng),
        size: u64 = rng.below(100_000_000),
    }
}

lists! { Logs { logs: Log } }

/// [`Log`] with strings that point into the input.
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
#[serde(rename = "Log")]
pub struct LogRef<'a> {
    pub address: Address,
    pub identity: &'a str,
    pub userid: &'a str,
    pub date: &'a str,
    pub request: &'a str,
    pub code: u16,
    pub size: u64,
}

/// [`Logs`] with strings that point into the input: one allocation, the vector.
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
#[serde(rename = "Logs")]
pub struct LogsRef<'a> {
    #[serde(borrow)]
    pub logs: Vec<LogRef<'a>>,
}

const USERS: [&str; 9] =
    ["-", "alma", "bo", "castor", "dario", "edda", "farid", "greta", "hanneke"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const METHODS: [&str; 5] = ["GET", "HEAD", "PUT", "PATCH", "DELETE"];
const PATHS: [&str; 7] = [
    "/robots.txt",
    "/app/main.css",
    "/fonts/inter-latin.woff2",
    "/images/banner.png",
    "/media/intro.mp4",
    "/v1/session",
    "/v1/profile",
];
const VERSIONS: [&str; 4] = ["HTTP/1.0", "HTTP/1.1", "HTTP/2", "HTTP/3"];

/// The ranges (both ends included) in which status codes are assigned.
const CODES: [(u16, u16); 10] = [
    (100, 103),
    (200, 208),
    (226, 226),
    (300, 308),
    (400, 418),
    (421, 426),
    (428, 429),
    (431, 431),
    (451, 451),
    (500, 511),
];

fn status_code(rng: &mut SplitMix64) -> u16 {
    let total: u16 = CODES.iter().map(|(first, last)| last - first + 1).sum();
    let mut index = rng.below(u64::from(total)) as u16;
    for (first, last) in CODES {
        let span = last - first + 1;
        if index < span {
            return first + index;
        }
        index -= span;
    }
    CODES[0].0
}

/// Numbers are not padded, as in the published set, so the length varies.
fn date(rng: &mut SplitMix64) -> String {
    let (month, day) = (rng.pick(&MONTHS), rng.within(1, 29));
    let (year, hour) = (rng.within(1970, 2022), rng.below(24));
    let (minute, second) = (rng.below(60), rng.below(60));
    let zone = rng.within(-12, 13);
    format!("{month} {day} {year} {hour}:{minute}:{second} {zone:+03}00")
}

fn request(rng: &mut SplitMix64) -> String {
    let (method, path, version) = (rng.pick(&METHODS), rng.pick(&PATHS), rng.pick(&VERSIONS));
    format!("{method} {path} {version}")
}
