//! The question of a row of a vector file, and whether an answer is right.

use serde_json::{Map, Value as Json, json};

/// Characters of a question or an answer that are shown.
pub(super) const MAX_SHOWN: usize = 200;

/// Members that say what bytes mean; the first one that a row has is asked for.
const MEANINGS: [&str; 10] = [
    "value",
    "result",
    "java_result",
    "json",
    "text",
    "payload",
    "plain",
    "expect",
    "string_id",
    "bson_sha256",
];

/// Members that what is read is in.
const SOURCES: [&str; 5] = ["hex", "xml", "input", "string", "file"];

/// Members that say that bytes are refused.
const ERRORS: [&str; 2] = ["error", "java_error"];

/// Members that tell what else came of a row: no program is shown them.
const FACTS: [&str; 26] = [
    "agrees_with_digest",
    "back",
    "consumed",
    "decode_only",
    "decoded",
    "digest_hex",
    "djb2",
    "encode_exact",
    "engine_messages",
    "java_message",
    "lenient_consumed",
    "lenient_error",
    "lenient_reencoded",
    "lenient_result",
    "message",
    "nondeterministic",
    "note",
    "ok",
    "outcome",
    "processing",
    "reencoded",
    "reencoded_same",
    "skip_consumed",
    "unknown",
    "used",
    "value64",
];

/// Kinds of rows that are only read.
const READ_ONLY: [&str; 7] = [
    "convert",
    "decode",
    "evolve",
    "int_decode",
    "malformed",
    "string_decode_invalid",
    "uint_decode",
];

/// One line for the program, and what is right for it.
pub(super) struct Question {
    pub(super) op: &'static str,
    ask: String,
    /// The name of the row.
    pub(super) name: String,
    pub(super) at: String,
    row: Map<String, Json>,
    expected: Vec<Json>,
    may_refuse: bool,
    tolerance: f64,
}

pub(super) enum Verdict {
    Passed,
    Skipped,
    Wrong(String),
}

/// The question of a row: to read what it has, to write it, or both.
pub(super) fn questions(row: &Map<String, Json>, at: &str) -> Vec<Question> {
    // The bytes of a published page that the format does not have; the format's are beside them.
    if let Some(bytes) = row.get("digest_hex") {
        let mut settled = row.clone();
        settled.remove("digest_hex");
        settled.insert("hex".to_owned(), bytes.clone());
        return questions(&settled, at);
    }
    let text = |name: &str| row.get(name).and_then(Json::as_str).unwrap_or_default();
    let is = |name: &str, expected: bool| row.get(name).and_then(Json::as_bool) == Some(expected);
    let source = SOURCES.into_iter().find(|name| row.contains_key(*name));
    let meaning = MEANINGS.into_iter().find(|name| row.contains_key(*name));
    let is_refused = ERRORS.iter().any(|name| row.contains_key(*name)) || is("ok", false);
    let make = |op: &'static str, ask: &str, expected: Vec<Json>| {
        let is_hidden = |name: &str| {
            name == ask
                || ERRORS.contains(&name)
                || FACTS.contains(&name)
                || (op == "read" && MEANINGS.contains(&name) && Some(name) != source)
        };
        let shown = row.iter().filter(|(name, _)| !is_hidden(name));
        Question {
            op,
            ask: ask.to_owned(),
            name: text("name").to_owned(),
            at: at.to_owned(),
            row: shown.map(|(name, value)| (name.clone(), value.clone())).collect(),
            expected,
            may_refuse: is_refused,
            tolerance: row.get("tolerance").and_then(Json::as_f64).unwrap_or(0.0),
        }
    };
    let mut found = Vec::new();
    if let Some(source) = source {
        // The value read of -0.0 may be another than the one written.
        let of = |name: &str| row.get(name).cloned();
        let mut expected: Vec<Json> = of("decoded").or_else(|| of(meaning?)).into_iter().collect();
        expected.extend(of("lenient_result"));
        if meaning.is_some() || is_refused {
            found.push(make("read", meaning.unwrap_or("value"), expected));
        }
        let is_exact = !is("encode_exact", false)
            && !is("decode_only", true)
            && !is("nondeterministic", true)
            && !is("reencoded_same", false)
            && !is_refused;
        // The bytes of a tag or a header are all that it has.
        let has_meaning =
            meaning.is_some() || ["tag", "list_header", "map_header"].contains(&text("kind"));
        let is_same = row.get("back").is_none_or(|back| Some(back) == row.get("hex"));
        if source == "hex"
            && has_meaning
            && is_exact
            && is_same
            && !READ_ONLY.contains(&text("kind"))
        {
            found.push(make("write", "hex", vec![json!(text("hex"))]));
        }
    }
    found
}

impl Question {
    /// As it is asked.
    pub(super) fn line(&self) -> String {
        let Question { op, ask, row, at, .. } = self;
        format!("{}\n", json!({ "op": op, "ask": ask, "row": row, "at": at }))
    }

    /// Whether an answer is right.
    pub(super) fn judge(&self, answer: &Json) -> Verdict {
        if answer.get("skip").is_some() {
            return Verdict::Skipped;
        }
        let expected: Vec<String> = self.expected.iter().map(Json::to_string).collect();
        let expected = match (expected.is_empty(), self.may_refuse) {
            (true, _) => "an error".to_owned(),
            (false, false) => expected.join(" or "),
            (false, true) => format!("an error or {}", expected.join(" or ")),
        };
        let expected = cut(&expected);
        let found = match (answer.get(&self.ask), answer.get("error")) {
            (Some(given), _) => {
                let is_right = |own: &Json| is_same(own, given, self.tolerance);
                if self.expected.iter().any(is_right) {
                    return Verdict::Passed;
                }
                cut(&given.to_string())
            }
            (None, Some(_)) if self.may_refuse => return Verdict::Passed,
            (None, Some(why)) => format!("the error {}", cut(&why.to_string())),
            (None, None) => format!("no member `{}`", self.ask),
        };
        Verdict::Wrong(format!("expected {expected}, found {found}"))
    }
}

/// JSON, in which all characters are harmless already.
fn cut(json: &str) -> String {
    match json.char_indices().nth(MAX_SHOWN).and_then(|(end, _)| json.get(..end)) {
        Some(start) => format!("{start}…"),
        None => json.to_owned(),
    }
}

/// Whether two values are the same. Numbers are by what they are, not by how they are spelled.
fn is_same(a: &Json, b: &Json, tolerance: f64) -> bool {
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => {
            let whole = |own: &serde_json::Number| own.as_i128();
            match (whole(a), whole(b), a.as_f64(), b.as_f64()) {
                (Some(a), Some(b), ..) => a == b,
                (_, _, Some(a), Some(b)) => a == b || (a - b).abs() <= tolerance,
                _ => false,
            }
        }
        (Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b, tolerance))
        }
        (Json::Object(a), Json::Object(b)) => {
            let is_there =
                |(name, a): (&String, &Json)| b.get(name).is_some_and(|b| is_same(a, b, tolerance));
            a.len() == b.len() && a.iter().all(is_there)
        }
        (a, b) => a == b,
    }
}
