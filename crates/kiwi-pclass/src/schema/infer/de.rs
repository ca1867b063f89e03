//! Types that are read: each is shown made-up values.

use serde_core::de::value::{BorrowedBytesDeserializer, BorrowedStrDeserializer};
use serde_core::de::{self, Deserialize, DeserializeSeed, Visitor};

use super::{CONTENT, Form, Game, Schema, Tracer, is_class_name, no_schema, two_types};
use crate::compound::binary;
use crate::types::{GENERATED, MARK, RAW_OBJECT, STRING, VALUE, WSTRING};
use crate::value::UNKNOWN_VARIANT;
use crate::{Error, ErrorKind, Result};
use std::collections::{HashMap, HashSet};

/// Finds the classes of a type as serde-reflection does: each pass reads one made-up value of it. The
/// first pass takes the first variant of every enum; for each other variant there is a pass that goes
/// the way on which its enum was met. Where a type refuses a value, others are tried.
pub(crate) fn infer<'de, T: Deserialize<'de>>(game: Game) -> Result<Schema> {
    let read = |probe: TypeProbe<'_>| T::deserialize(probe).map(drop);
    infer_by(game, std::any::type_name::<T>(), &read)
}

/// Reads a made-up value of the type.
type Read<'r> = &'r dyn Fn(TypeProbe<'_>) -> Result<()>;

/// All but the reading, once for all types.
fn infer_by(game: Game, name: &str, read: Read<'_>) -> Result<Schema> {
    let mut trace = Trace::default();
    let (mut form, mut passed, mut refused) = (Form::Unknown, false, None);
    trace.work.push(Vec::new());
    while let Some(route) = trace.work.pop() {
        trace.number = trace.number.saturating_add(1);
        let outcome = match trace.pass(read, &route, &mut form) {
            Err(error) if error.is_data() => trace.search(read, &route, &mut form, error),
            outcome => outcome,
        };
        match outcome {
            Ok(()) => passed = true,
            // A variant may refuse every made-up value.
            Err(error) => refused = Some(error),
        }
    }
    match refused {
        Some(error) if !passed && error.is_data() => {
            let message = format!(
                "the classes of `{name}` cannot be found out, because it refuses each value that was \
                 tried: {error}; give a schema, such as that of a struct with the same names and plain types"
            );
            return Err(Error::new(ErrorKind::Schema, message));
        }
        Some(error) if !passed => return Err(error),
        _ => {}
    }
    let Trace { mut tracer, units, .. } = trace;
    let Tracer { enums, over_classes, .. } = &mut tracer;
    for (name, variants) in enums {
        // Where variants have several names, their numbers are not known, but that of the first is, which
        // stands for null too.
        let is_unit = |variant: &'static str| units.contains(&(name, variant));
        let has_units = variants.iter().any(|(variant, _)| is_unit(variant));
        variants.retain(|(variant, index)| {
            !over_classes.contains(name) || has_units && *index > 0 || is_unit(variant)
        });
    }
    tracer.enums.retain(|_, variants| !variants.is_empty());
    tracer.finish(game)
}

/// A class or an enum around a value; of an enum the index of the variant.
#[derive(Clone, Copy, PartialEq)]
enum Step {
    Class(&'static str),
    Enum(&'static str, usize),
}

#[derive(Default)]
struct Trace {
    tracer: Tracer,
    /// Variants that are still to be read, each as the last step of the way to it.
    work: Vec<Vec<Step>>,
    /// The way of this pass.
    route: Vec<Step>,
    /// Around the value that is read.
    open: Vec<Step>,
    /// Levels of values that only have to exist, because their type was read or is being read: they
    /// are as short as can be.
    short: usize,
    /// Classes whose fields were read.
    read: HashSet<&'static str>,
    /// Enums that were met, and the number of the way on which they were first.
    enums: HashMap<&'static str, usize>,
    /// The number of the way of this pass.
    number: usize,
    /// The enums that were met in this pass, and no pass before those of this way.
    learned: HashSet<&'static str>,
    /// Variants without content.
    units: HashSet<(&'static str, &'static str)>,
    /// A variant of each enum that could be read.
    readable: HashMap<&'static str, usize>,
    /// The place whose value is read.
    place: Place,
    /// The places that were read in this pass, and how many values there are to try.
    asked: Vec<(Place, usize)>,
    /// Which of the values is tried, if not the first.
    picks: HashMap<Place, usize>,
    /// The numbers that the message of a type has: `expected 5 or 9`.
    message_numbers: Vec<i64>,
}

/// A class, a field of it, and the number of a value in there.
type Place = (&'static str, &'static str, usize);

/// A class whose fields are read.
struct ReadClass {
    forms: super::Fields,
    /// Whether this is where its fields are learned.
    learns: bool,
    /// [`Trace::short`] outside of it.
    short: usize,
}

impl Trace {
    /// Reads one made-up value.
    fn pass(&mut self, read: Read<'_>, route: &[Step], form: &mut Form) -> Result<()> {
        (self.route, self.short, self.tracer.depth) = (route.to_vec(), 0, 0);
        self.open.clear();
        self.asked.clear();
        self.learned.clear();
        self.place = Place::default();
        read(TypeProbe { trace: self, form, hint: None })
    }

    /// Begins the fields of a class: all of its reading that is the same for every type.
    fn open_class(
        &mut self,
        name: &'static str,
        fields: &'static [&'static str],
    ) -> Result<ReadClass> {
        const MAX_NESTED: usize = 32;
        let step = Step::Class(name);
        let nested = self.open.iter().filter(|own| **own == step).count();
        if nested > MAX_NESTED {
            return Err(recursion());
        }
        if *self.tracer.shapes.entry(name).or_insert(fields) != fields {
            let why = format!("one has the fields {fields:?}, the other has others");
            return Err(two_types(name, &why));
        }
        let is_new = !self.read.contains(name) || self.route.contains(&step);
        let learns = self.short == 0 && nested == 0 && is_new;
        let mut before = match learns {
            true => std::mem::take(self.tracer.class(name)),
            false => super::Fields::new(),
        };
        let mut known = |field: &&'static str| {
            let form = before.iter_mut().find(|(other, _)| other == field);
            (*field, form.map(|(_, form)| std::mem::take(form)).unwrap_or_default())
        };
        let forms = fields.iter().map(&mut known).collect();
        self.tracer.enter()?;
        let short = self.short;
        self.short = short.saturating_add(usize::from(!learns));
        self.open.push(step);
        Ok(ReadClass { forms, learns, short })
    }

    /// Ends them, and keeps what was learned.
    fn close_class(&mut self, name: &'static str, read: ReadClass) -> Result<()> {
        let ReadClass { mut forms, learns, short } = read;
        self.open.pop();
        self.short = short;
        if learns {
            // The items inside are fewer, and may not be in order.
            std::mem::swap(self.tracer.class(name), &mut forms);
        }
        self.tracer.learn_fields(name, forms)
    }

    fn has_read(&mut self, name: &'static str, learns: bool) {
        if learns {
            self.read.insert(name);
        }
        self.tracer.leave();
    }

    /// Tries other values at the places before the one where a pass ended, the last one first, until one
    /// gets further. Returns the first error if none does.
    fn search(
        &mut self,
        read: Read<'_>,
        route: &[Step],
        form: &mut Form,
        error: Error,
    ) -> Result<()> {
        const MAX_PLACES: usize = 12;
        let mut tries = 1usize << 10;
        let text = error.to_string();
        let numbers = text.split(|c: char| c != '-' && !c.is_ascii_digit());
        self.message_numbers = numbers.filter_map(|digits| digits.parse().ok()).take(8).collect();
        'further: loop {
            // Once more, with their number, and what was learned: then less is asked.
            let _ = self.pass(read, route, form);
            let asked = self.asked_once();
            for (place, count) in asked.iter().rev().take(MAX_PLACES) {
                let before = self.picks.get(place).copied().unwrap_or_default();
                for pick in (0..*count).filter(|pick| *pick != before) {
                    tries = tries.saturating_sub(1);
                    if tries == 0 {
                        return Err(error);
                    }
                    self.picks.insert(*place, pick);
                    match self.pass(read, route, form) {
                        Ok(()) => return Ok(()),
                        Err(_) if self.asked_once().len() > asked.len() => continue 'further,
                        Err(_) => {}
                    }
                }
                self.picks.insert(*place, before);
            }
            return Err(error);
        }
    }

    /// The places that were read in this pass, each once: those of the elements of a list are the same.
    fn asked_once(&self) -> Vec<(Place, usize)> {
        let mut seen = HashSet::new();
        self.asked.iter().filter(|(place, _)| seen.insert(*place)).copied().collect()
    }

    /// Which of `count` values to try at this place.
    fn pick(&mut self, count: usize) -> usize {
        let place = self.place;
        self.place.2 = place.2.saturating_add(1);
        self.asked.push((place, count));
        self.picks.get(&place).copied().unwrap_or_default()
    }

    /// One of some values to try.
    fn pick_of<T: Copy + Default>(&mut self, values: &[T]) -> T {
        values.get(self.pick(values.len())).copied().unwrap_or_default()
    }

    /// A whole number to try; zero for those without a sign where it is negative.
    fn integer<T: TryFrom<i64> + Default>(&mut self) -> T {
        let pick = self.pick(INTEGERS.len().saturating_add(self.message_numbers.len()));
        let value =
            INTEGERS.iter().chain(&self.message_numbers).nth(pick).copied().unwrap_or_default();
        T::try_from(value).unwrap_or_default()
    }

    /// A text to try: one of those that are usual, or zeros.
    fn text(&mut self) -> &'static str {
        let pick = self.pick(TEXTS.len().saturating_add(LENGTHS.len()));
        match TEXTS.get(pick) {
            Some(text) => text,
            None => {
                let bytes =
                    LENGTHS.get(pick.wrapping_sub(TEXTS.len())).copied().unwrap_or_default();
                ZEROS.get(..bytes.saturating_mul(2)).unwrap_or_default()
            }
        }
    }

    /// A number of elements to try: `usual`, what the visitor says, or another.
    fn length(&mut self, usual: usize, visitor: &dyn de::Expected) -> usize {
        let pick = self.pick(LENGTHS.len().saturating_add(2));
        nth_length(pick, usual, visitor)
    }

    /// Bytes to try, all zero or all one, and how many.
    fn bytes(&mut self, visitor: &dyn de::Expected) -> (u8, usize) {
        let lengths = LENGTHS.len().saturating_add(2);
        let pick = self.pick(lengths.saturating_mul(2));
        let (byte, pick) = pick.checked_sub(lengths).map_or((0, pick), |pick| (1, pick));
        (byte, nth_length(pick, 0, visitor))
    }

    /// Reads what is inside of a class.
    fn within<T>(
        &mut self,
        class: &'static str,
        field: &'static str,
        read: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = std::mem::replace(&mut self.place, (class, field, 0));
        let value = read(self);
        self.place = outer;
        value
    }

    /// Reads something one level further in.
    fn inside<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.tracer.enter()?;
        let value = read(self)?;
        self.tracer.leave();
        Ok(value)
    }

    fn learn(&mut self, form: &mut Form, new: Form) {
        if matches!(form, Form::Unknown) {
            *form = new;
        }
    }

    /// The variant that is read, and whether to learn from it.
    fn choose(&mut self, name: &'static str, variants: usize) -> (usize, bool) {
        let is_own = |step: &&Step| matches!(step, Step::Enum(own, _) if *own == name);
        let nested = self.open.iter().filter(is_own).count();
        if self.short == 0 && nested == 0 {
            if let Some(Step::Enum(_, variant)) = self.route.iter().find(is_own) {
                return (*variant, true);
            }
            let number = self.number;
            let is_first = !self.enums.contains_key(name);
            if *self.enums.entry(name).or_insert(number) == number && self.learned.insert(name) {
                if !is_first {
                    return (0, true);
                }
                // The last is taken first.
                self.work.extend((1..variants).rev().map(|variant| {
                    self.open.iter().copied().chain([Step::Enum(name, variant)]).collect()
                }));
                return (0, true);
            }
        }
        // Inside of itself another one each time, until one does not need the enum again.
        let other = nested.checked_rem(variants).unwrap_or(0);
        (self.readable.get(name).copied().unwrap_or(other), false)
    }
}

/// One place that is asked.
struct TypeProbe<'t> {
    trace: &'t mut Trace,
    form: &'t mut Form,
    hint: Option<&'static str>,
}

#[cold]
fn recursion() -> Error {
    Error::new(ErrorKind::Data, "the type contains itself without an end")
}

#[cold]
fn unsupported(message: &'static str) -> Error {
    Error::new(ErrorKind::Schema, message)
}

#[cold]
fn other_type() -> Error {
    Error::new(ErrorKind::Data, "one place reads values of two types")
}

/// Values to try, for types that check what they read; the first is what most types take.
const INTEGERS: &[i64] = &[0, 1, 2, 3, 4, 5, 7, 8, 10, 12, 16, 20, 32, 50, 64, 100, 127, -1];
const FLOATS: &[f32] = &[0.0, 1.0, 0.5, -1.0, 100.0];
const CHARS: &[char] = &['a', 'A', '0', ' ', '/'];
const TEXTS: &[&str] = &[
    "",
    "0",
    "a",
    "00000000-0000-0000-0000-000000000000",
    "{00000000-0000-0000-0000-000000000000}",
    "urn:uuid:00000000-0000-0000-0000-000000000000",
    "00000000-0000-0000-0000-000000000001",
    "2000-01-01",
    "2000-01-01T00:00:00Z",
    "2000-01-01T00:00:00",
    "00:00:00",
    "2000-01-01 00:00:00",
    "2000-01-01T00:00:00+00:00[UTC]",
    "2000-01-01T00:00:00+00:00",
    "Sat, 01 Jan 2000 00:00:00 +0000",
    "+00:00",
    "UTC",
    "Mon",
    "January",
    "PT0S",
    "0s",
    "2000",
    "2000-01",
    "http://a/",
    "a@a.aa",
    "1.0.0",
    "1.0",
    "127.0.0.1",
    "127.0.0.1:1",
    "::1",
    "[::1]:1",
    "127.0.0.0/8",
    "::/0",
    "00:00:00:00:00:00",
    "{}",
    "[]",
    "null",
    "true",
    "00",
    "0x0",
    "AAAA",
    "#000000",
    "#00000000",
    "a/b",
    "/a",
    "a.b",
    "en",
    "en-US",
    "USD",
    "A",
    "1",
    "-1",
    "text/plain",
];
const ZEROS: &str = "0000000000000000000000000000000000000000000000000000000000000000\
    0000000000000000000000000000000000000000000000000000000000000000";
const BYTES: [&[u8]; 2] = [&[0; 64], &[1; 64]];
const LENGTHS: &[usize] = &[0, 1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32, 64];

fn nth_length(pick: usize, usual: usize, visitor: &dyn de::Expected) -> usize {
    match pick {
        0 => usual,
        1 => expected_number(visitor),
        pick => LENGTHS.get(pick.saturating_sub(2)).copied().unwrap_or_default(),
    }
}

/// The number that a visitor says it expects: `a byte array of length 12`.
fn expected_number(visitor: &dyn de::Expected) -> usize {
    const MAX: usize = 1 << 12;
    let text = visitor.to_string();
    let mut numbers = text.split(|c: char| !c.is_ascii_digit());
    numbers.find_map(|digits| digits.parse::<usize>().ok()).unwrap_or_default().min(MAX)
}

macro_rules! simple {
    ($($method:ident = $name:literal, $visit:ident($value:expr);)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.trace.learn(self.form, Form::Simple($name));
            let value: fn(&mut Trace) -> _ = $value;
            visitor.$visit(value(self.trace))
        }
    )+};
}

impl<'de> de::Deserializer<'de> for TypeProbe<'_> {
    type Error = Error;

    binary!();

    simple! {
        deserialize_bool = "bool", visit_bool(|trace| trace.pick(2) == 1);
        deserialize_i8 = "char", visit_i8(|trace| trace.integer());
        deserialize_i16 = "short", visit_i16(|trace| trace.integer());
        deserialize_i32 = "int", visit_i32(|trace| trace.integer());
        deserialize_i64 = "__int64", visit_i64(|trace| trace.integer());
        deserialize_u8 = "unsigned char", visit_u8(|trace| trace.integer());
        deserialize_u16 = "unsigned short", visit_u16(|trace| trace.integer());
        deserialize_u32 = "unsigned int", visit_u32(|trace| trace.integer());
        deserialize_u64 = "unsigned __int64", visit_u64(|trace| trace.integer());
        deserialize_f32 = "float", visit_f32(|trace| trace.pick_of(FLOATS));
        deserialize_f64 = "double", visit_f64(|trace| trace.pick_of(FLOATS).into());
        deserialize_char = "std::string", visit_char(|trace| trace.pick_of(CHARS));
        deserialize_str = "std::string", visit_borrowed_str(|trace| trace.text());
        deserialize_string = "std::string", visit_borrowed_str(|trace| trace.text());
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.trace.learn(self.form, Form::Simple("std::string"));
        let (byte, len) = self.trace.bytes(&visitor);
        match BYTES.get(usize::from(byte)).and_then(|bytes| bytes.get(..len)) {
            Some(bytes) => visitor.visit_borrowed_bytes(bytes),
            None => visitor.visit_byte_buf(vec![byte; len]),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value> {
        Err(unsupported(
            "a type that reads anything (flattened, untagged, internally tagged) needs a schema",
        ))
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.trace.learn(self.form, Form::Option(Box::default()));
        let Form::Option(form) = self.form else { return Err(other_type()) };
        if (self.trace.short > 0) != (self.trace.pick(2) == 1) {
            return visitor.visit_none();
        }
        self.trace.inside(|trace| visitor.visit_some(TypeProbe { trace, form, hint: None }))
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.trace.learn(self.form, Form::Tuple(Vec::new()));
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.trace.learn(self.form, Form::Object(name));
        self.trace.tracer.class(self.hint.unwrap_or(name));
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        let TypeProbe { trace, form, hint } = self;
        trace.inside(|trace| match name {
            VALUE => Err(unsupported(
                "a Value needs a schema: a type list, or Options::schema with another one",
            )),
            GENERATED => Err(no_schema(hint.unwrap_or_default())),
            RAW_OBJECT => {
                trace.learn(form, Form::Object(""));
                visitor.visit_newtype_struct(BorrowedBytesDeserializer::new(&[0; 12]))
            }
            STRING | WSTRING => {
                trace.learn(form, Form::Simple(name.trim_start_matches(MARK)));
                visitor.visit_newtype_struct(BorrowedBytesDeserializer::new(&[]))
            }
            _ if name.starts_with(MARK) => {
                trace.learn(form, Form::Native(name, Box::default()));
                let Form::Native(_, form) = form else { return Err(other_type()) };
                visitor.visit_newtype_struct(TypeProbe { trace, form, hint: None })
            }
            _ => visitor.visit_newtype_struct(TypeProbe { trace, form, hint }),
        })
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.trace.learn(self.form, Form::List(Box::default()));
        let Form::List(form) = self.form else { return Err(other_type()) };
        let usual = usize::from(self.trace.short == 0);
        let left = self.trace.length(usual, &visitor);
        let forms = std::slice::from_mut(&mut **form);
        self.trace.inside(|trace| visitor.visit_seq(MadeMembers::new(trace, forms, left)))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        const MAX: usize = 1 << 12;
        if len > MAX {
            return Err(unsupported("a tuple or an array has too many members: give a schema"));
        }
        self.trace.learn(self.form, Form::Tuple(vec![Form::Unknown; len]));
        let Form::Tuple(forms) = self.form else { return Err(other_type()) };
        let left = forms.len();
        self.trace.inside(|trace| visitor.visit_seq(MadeMembers::new(trace, forms, left)))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.trace.learn(self.form, Form::Map(Box::default()));
        let Form::Map(pair) = self.form else { return Err(other_type()) };
        let usual = usize::from(self.trace.short == 0);
        let left = self.trace.length(usual, &visitor).saturating_mul(2);
        let forms = &mut pair[..];
        self.trace.inside(|trace| visitor.visit_map(MadeMembers::new(trace, forms, left)))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let TypeProbe { trace, form, hint } = self;
        trace.learn(form, Form::Object(name));
        let name = hint.unwrap_or(name);
        let mut read = trace.open_class(name, fields)?;
        let access =
            MadeFields { trace: &mut *trace, class: name, forms: &mut read.forms, next: 0 };
        let outcome = visitor.visit_map(access);
        let learns = read.learns;
        let learned = trace.close_class(name, read);
        let value = outcome?;
        learned?;
        trace.has_read(name, learns);
        Ok(value)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let TypeProbe { trace, form, .. } = self;
        let (chosen, learns) = trace.choose(name, variants.len());
        let Some(variant) = variants.get(chosen).copied() else { return Err(recursion()) };
        trace.tracer.enter()?;
        let short = trace.short;
        trace.short = short.saturating_add(usize::from(!learns));
        trace.open.push(Step::Enum(name, chosen));
        let outcome = trace
            .within(variant, "", |trace| visitor.visit_enum(MadeVariant { trace, name, variant }));
        trace.open.pop();
        trace.short = short;
        let value = outcome?;
        trace.readable.entry(name).or_insert(chosen);
        trace.learn(form, Form::Enum(name));
        let known = (variants.iter().copied()).zip(0..).collect();
        trace.tracer.enums.insert(name, known);
        trace.tracer.leave();
        Ok(value)
    }
}

/// Names and made-up values of the fields.
struct MadeFields<'t> {
    trace: &'t mut Trace,
    class: &'static str,
    forms: &'t mut super::Fields,
    next: usize,
}

impl<'de> de::MapAccess<'de> for MadeFields<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        while let Some((name, form)) = self.forms.get(self.next) {
            let name = *name;
            if self.trace.within(self.class, name, |trace| trace.pick(2)) == 0 {
                return seed.deserialize(BorrowedStrDeserializer::new(name)).map(Some);
            }
            // A name of which there is never a value is another one of a field before it.
            match form {
                Form::Unknown => drop(self.forms.remove(self.next)),
                _ => self.next = self.next.saturating_add(1),
            }
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let (name, form) = self.forms.get_mut(self.next).ok_or_else(recursion)?;
        self.next = self.next.saturating_add(1);
        let name = *name;
        let value = self.trace.within(self.class, name, |trace| {
            // The first place is that of the name.
            trace.place.2 = 1;
            seed.deserialize(TypeProbe { trace, form, hint: None })
        });
        value.map_err(|error| error.inside(name))
    }
}

/// Members of a tuple, elements of a list, or keys and values of a map in turn.
struct MadeMembers<'t> {
    trace: &'t mut Trace,
    forms: &'t mut [Form],
    next: usize,
    left: usize,
    /// The number of the place of the first member, and of each element.
    start: usize,
}

impl<'t> MadeMembers<'t> {
    fn new(trace: &'t mut Trace, forms: &'t mut [Form], left: usize) -> Self {
        let start = trace.place.2;
        MadeMembers { trace, forms, next: 0, left, start }
    }
}

impl<'de> de::SeqAccess<'de> for MadeMembers<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        let at = if self.next < self.forms.len() { self.next } else { 0 };
        if at == 0 {
            self.trace.place.2 = self.start;
        }
        let Some(form) = self.forms.get_mut(at) else { return Ok(None) };
        self.next = at.saturating_add(1);
        seed.deserialize(TypeProbe { trace: &mut *self.trace, form, hint: None }).map(Some)
    }
}

/// The key and the value of a map's entry.
impl<'de> de::MapAccess<'de> for MadeMembers<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        de::SeqAccess::next_element_seed(self, seed)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        de::SeqAccess::next_element_seed(self, seed)?.ok_or_else(recursion)
    }
}

/// One variant of an enum.
struct MadeVariant<'t> {
    trace: &'t mut Trace,
    name: &'static str,
    variant: &'static str,
}

impl MadeVariant<'_> {
    /// Reads the content of a variant, which makes it a class.
    fn content<T>(self, read: impl FnOnce(TypeProbe<'_>) -> Result<T>) -> Result<T> {
        let MadeVariant { trace, name, variant } = self;
        trace.tracer.over_classes.insert(name);
        let hint = if variant == UNKNOWN_VARIANT { None } else { Some(variant) };
        let mut form = Form::Unknown;
        let value = read(TypeProbe { trace: &mut *trace, form: &mut form, hint })?;
        if !matches!(form, Form::Object(_)) {
            trace.tracer.learn_fields(variant, vec![(CONTENT, form)])?;
        }
        Ok(value)
    }
}

impl<'de> de::EnumAccess<'de> for MadeVariant<'_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self)> {
        let variant = seed.deserialize(BorrowedStrDeserializer::<Error>::new(self.variant))?;
        Ok((variant, self))
    }
}

impl<'de> de::VariantAccess<'de> for MadeVariant<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        let MadeVariant { trace, name, variant } = self;
        if is_class_name(variant) {
            trace.tracer.class(variant);
            trace.tracer.over_classes.insert(name);
        } else {
            trace.units.insert((name, variant));
        }
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        self.content(|probe| seed.deserialize(probe))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.content(|probe| de::Deserializer::deserialize_tuple(probe, len, visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let variant = self.variant;
        self.content(|probe| {
            let probe = TypeProbe { hint: None, ..probe };
            de::Deserializer::deserialize_struct(probe, variant, fields, visitor)
        })
    }
}
