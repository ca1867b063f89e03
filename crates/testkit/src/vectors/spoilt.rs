//! Rows made wrong on purpose: a runner that lets one pass checks nothing.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::thread;

use serde_json::Value;

use super::run::{Cache, Context, run_row};
use super::{Outcome, Row, Runner, all_rows};
use crate::on_big_stack;

/// How many digits and letters of a member are changed, one after the other.
const EACH: usize = 4;

/// Members that tell people about a row.
const TOLD: [&str; 3] = ["name", "note", "source"];

/// Changes that mean nothing to a runner: the members, by name with spaces between; which of their
/// changes; and the reason.
pub type Silent = (&'static str, fn(&Change<'_>) -> bool, &'static str);

/// One change of a row.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// The row as it was.
    pub row: &'a Row,
    /// The member that changes.
    pub member: &'a str,
    /// The digit or letter that changes, from 0: in hexadecimal digits half of a byte. `None` where
    /// the member is taken out.
    pub at: Option<usize>,
}

impl Change<'_> {
    /// The row with the change.
    fn changed(&self) -> Row {
        let mut changed = self.row.clone();
        match (self.at, &mut changed.value) {
            (Some(mut at), row) => drop(change(&mut row[self.member], &mut at)),
            (None, Value::Object(members)) => drop(members.shift_remove(self.member)),
            (None, _) => {}
        }
        changed
    }
}

/// Changes digits and letters in each member of each row that passes, and stops where such a row
/// still passes, unless the change is in `silent`. `package` is the `CARGO_MANIFEST_DIR` of the
/// crate, whose rows are in testdata.
///
/// # Panics
/// With the members that can be changed; with the reasons in `silent` that no change needs.
pub fn assert_all_fail(runner: Runner, package: &str, silent: &[Silent]) {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let parts: Vec<Found> = thread::scope(|scope| {
        let part = |own| move || on_big_stack(|| part(runner, package, silent, own, threads));
        let started: Vec<_> = (0..threads).map(|own| scope.spawn(part(own))).collect();
        started.into_iter().map(|part| part.join().expect("reports what it finds")).collect()
    });
    let mut found = Found::default();
    for part in parts {
        found.needed.extend(part.needed);
        found.rows += part.rows;
        for (member, passes) in part.passes {
            found.passes.entry(member).or_default().extend(passes);
        }
    }
    let mut message = String::new();
    for (member, passes) in &found.passes {
        let _ = writeln!(
            message,
            "{member}: {} changes pass: {:?}",
            passes.len(),
            &passes[..passes.len().min(5)]
        );
    }
    for (number, (members, _, reason)) in silent.iter().enumerate() {
        if !found.needed.contains(&number) {
            let _ = writeln!(message, "{members}: no change needs to be silent: {reason}");
        }
    }
    assert!(found.rows > 0, "no rows");
    assert!(message.is_empty(), "rows that are wrong pass:\n{message}");
}

/// The outcome of some of the rows.
#[derive(Default)]
struct Found {
    rows: usize,
    /// Changes that pass, by member.
    passes: BTreeMap<String, Vec<String>>,
    /// The reasons that were needed.
    needed: HashSet<usize>,
}

/// Each row of which the line is `own` modulo `step`.
fn part(runner: Runner, package: &str, silent: &[Silent], own: usize, step: usize) -> Found {
    let (mut found, cache) = (Found::default(), Cache::default());
    for file in files(Path::new(package)) {
        let folder = file.parent().unwrap_or(Path::new(""));
        let context = Context { file: &file, folder, cache: &cache };
        let passes = |row: &Row| run_row(runner, row, &context) == Outcome::Passed;
        for row in all_rows(&file) {
            if row.line % step == own && passes(&row) {
                found.rows += 1;
                spoil(&row, passes, silent, &mut found);
            }
        }
    }
    found
}

fn spoil(row: &Row, passes: impl Fn(&Row) -> bool, silent: &[Silent], found: &mut Found) {
    let file = Path::new(&row.file).file_name().unwrap_or_default().to_string_lossy();
    let shown = format!("{file} {}", row.text("kind").or(row.text("op")).unwrap_or("-"));
    let mut failed = false;
    for (member, value) in row.value.as_object().into_iter().flatten() {
        if TOLD.contains(&&**member) {
            continue;
        }
        let mut left = usize::MAX;
        change(&mut value.clone(), &mut left);
        let changes = usize::MAX - left;
        // Other digits in each row.
        let stride = changes.div_ceil(EACH);
        let places = (row.line % stride..changes).step_by(stride).map(Some);
        // A row that no longer says that it is refused.
        let removed = member.ends_with("error").then_some(None);
        for at in places.chain(removed) {
            let own = Change { row, member, at };
            let reason = silent.iter().position(|(members, applies, _)| {
                members.split(' ').any(|name| name == member) && applies(&own)
            });
            if reason.is_some_and(|number| found.needed.contains(&number)) {
                continue;
            }
            let changed = own.changed();
            if !passes(&changed) {
                failed = true;
            } else if let Some(number) = reason {
                found.needed.insert(number);
            } else {
                let value = changed.value.get(member).unwrap_or(&Value::Null).to_string();
                let example = format!("line {}: {value:.200}", row.line);
                found.passes.entry(format!("{shown} {member}")).or_default().push(example);
            }
        }
    }
    if !failed {
        found.passes.entry(format!("{shown} any member")).or_default().push(row.place());
    }
}

/// The vector files of a crate in testdata, sorted.
fn files(package: &Path) -> Vec<PathBuf> {
    let name = package.file_name().unwrap_or_default();
    let mut found = Vec::new();
    super::suite::collect(&package.join("../../testdata").join(name), &mut found);
    found
}

/// Makes one of the changes that a value has, the one with the number `at`; takes their count from
/// `at` where they are fewer.
fn change(value: &mut Value, at: &mut usize) -> bool {
    match value {
        Value::Null if is_within(at, 1) => *value = 1.into(),
        Value::Bool(own) if is_within(at, 1) => *own = !*own,
        Value::Number(number) => match changed(&number.to_string(), at) {
            Some(text) => *value = text.parse().map_or(Value::Null, Value::Number),
            None => return false,
        },
        Value::String(text) => match changed(text, at) {
            Some(other) => *text = other,
            None => return false,
        },
        Value::Array(items) if is_within(at, 1) => items.push(Value::Null),
        Value::Array(items) => return items.iter_mut().any(|item| change(item, at)),
        Value::Object(members) if is_within(at, 1) => {
            drop(members.insert("other".into(), 0.into()))
        }
        Value::Object(members) => {
            let mut done = false;
            let entries = std::mem::take(members).into_iter().map(|(name, mut value)| {
                let other = if done { None } else { changed(&name, at) };
                done |= other.is_some() || !done && change(&mut value, at);
                (other.unwrap_or(name), value)
            });
            *members = entries.collect();
            return done;
        }
        _ => return false,
    }
    true
}

/// The text with another digit or letter; with more, where it has neither.
fn changed(text: &str, at: &mut usize) -> Option<String> {
    let is_one = |own: char| own.is_ascii_alphanumeric();
    let count = text.matches(is_one).count();
    if !is_within(at, count.max(1)) {
        return None;
    }
    let Some((place, own)) = text.match_indices(is_one).nth(*at) else {
        return Some(format!("{text}00"));
    };
    // Hexadecimal digits stay such, and no number starts with 0.
    let other = match own.as_bytes()[0] {
        last @ (b'9' | b'f' | b'F' | b'z' | b'Z') => last - 1,
        own => own + 1,
    };
    Some(format!("{}{}{}", &text[..place], char::from(other), &text[place + 1..]))
}

fn is_within(at: &mut usize, count: usize) -> bool {
    let is_within = *at < count;
    *at -= if is_within { 0 } else { count };
    is_within
}
