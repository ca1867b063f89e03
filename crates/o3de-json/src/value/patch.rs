//! JSON Patch (RFC 6902), as the engine applies and creates it.

use std::borrow::Cow;

use gamewire_core::words::Shortened;

use super::compare::Names;
use super::indexed::{Index, Indexed, Part};
use super::pointer::Pointer;
use super::steps::{MAX_LEVELS, MAX_MADE, Step, Steps, is_halted, weight};
use super::{Array, Object, Text, Value};
use crate::report::{Outcome, ResultCode, Task};

impl Value {
    /// Applies a JSON Patch (RFC 6902) in place, with the outcomes of the engine.
    ///
    /// It stops at the first operation that fails; what came before it stays done, and a `move` that
    /// cannot put down what it took loses it. [`patched`](Value::patched) returns a changed copy or
    /// nothing. Of two members of one name in an operation the first counts. `copy` makes at most 64 MiB
    /// in one patch.
    ///
    /// ```
    /// use o3de_json::{Value, report::Outcome};
    ///
    /// let mut lamp: Value = o3de_json::from_str(r#"{"Name": "Lamp", "Scale": [1.0, 1.0]}"#)?;
    /// let patch: Value = o3de_json::from_str(
    ///     r#"[{"op": "replace", "path": "/Scale/1", "value": 2.5}, {"op": "remove", "path": "/Name"}]"#,
    /// )?;
    /// assert_eq!(lamp.apply_patch(&patch).outcome(), Outcome::Success);
    /// assert_eq!(o3de_json::to_string(&lamp)?, r#"{"Scale":[1.0,2.5]}"#);
    /// # Ok::<(), o3de_json::Error>(())
    /// ```
    pub fn apply_patch(&mut self, patch: &Value) -> ResultCode {
        self.apply_patch_with(patch, &mut |step| step.code)
    }

    /// [`apply_patch`](Value::apply_patch), with a function that receives each step and returns
    /// the code that counts: a milder one lets the patch continue, as prefabs do with overrides whose
    /// target is gone.
    pub fn apply_patch_with(
        &mut self,
        patch: &Value,
        report: &mut dyn FnMut(&Step<'_>) -> ResultCode,
    ) -> ResultCode {
        let mut steps = Steps::new(Task::Merge, report);
        let Value::Array(entries) = patch else {
            return steps.say(
                Outcome::TypeMismatch,
                format!("expected an array of operations, found {}", patch.kind_name()),
            );
        };
        let mut result = steps.idle();
        let mut copies = MAX_MADE;
        let mut target = Indexed::new(self);
        for (at, entry) in entries.0.iter().enumerate() {
            let done =
                steps.within(&at.to_string(), |steps| one(&mut target, entry, steps, &mut copies));
            match done {
                Ok(code) => result = result.combine(code),
                // A patch that is wrong itself ends here, whatever the function answers.
                Err(code) => return code,
            }
            if is_halted(result) {
                return result;
            }
        }
        result.combine(steps.code(Outcome::Success))
    }

    /// The value with a JSON Patch applied, and the result; `None` if an operation failed.
    pub fn patched(&self, patch: &Value) -> (Option<Value>, ResultCode) {
        let mut copy = self.clone();
        let code = copy.apply_patch(patch);
        ((!is_halted(code)).then_some(copy), code)
    }

    /// The JSON Patch that makes `target` of this value: for objects member by member, for arrays
    /// position by position, as the engine makes it. Values that are the [`same`](Value::same) need
    /// no operation.
    ///
    /// The patch is whole unless the code says [`Outcome::Catastrophic`], which it does for values
    /// nested deeper than 512 levels, and for pointers that take more than 64 MiB and four times what
    /// the values take.
    pub fn create_patch(&self, target: &Value) -> (Value, ResultCode) {
        let most = || weight(self, usize::MAX).saturating_add(weight(target, usize::MAX));
        let mut made =
            Made { operations: Array::new(), pointers: 0, most: MAX_MADE, more: Some(&most) };
        let mut say = |step: &Step<'_>| step.code;
        let mut steps = Steps::new(Task::CreatePatch, &mut say);
        let code = create(&mut made, self, target, &mut steps, 0);
        (Value::Array(made.operations), code)
    }
}

/// `Err` when the operation is not well-formed.
fn one(
    target: &mut Indexed<'_>,
    entry: &Value,
    steps: &mut Steps<'_>,
    copies: &mut usize,
) -> Result<ResultCode, ResultCode> {
    let Value::Object(entry) = entry else {
        return Err(steps.say(
            Outcome::TypeMismatch,
            format!("expected an operation, found {}", entry.kind_name()),
        ));
    };
    let operation = text_of(entry, "op", steps)?;
    let (path, pointer) = pointer_of(entry, "path", steps)?;
    let mut own = Operation { target, path, pointer: &pointer, steps };
    let applied = match operation {
        "add" => value_of(entry, own.steps).map(|value| own.add(value.clone(), "add")),
        "remove" => Ok(own.remove(path, &pointer)),
        "replace" => value_of(entry, own.steps).map(|value| own.replace(value)),
        "move" => pointer_of(entry, "from", own.steps).map(|(path, from)| own.take(path, &from)),
        "copy" => pointer_of(entry, "from", own.steps).map(|(_, from)| own.copy(&from, copies)),
        "test" => value_of(entry, own.steps).map(|value| own.test(value)),
        other => {
            let message = format!("unknown operation `{}`", Shortened(other));
            return Err(own.steps.say(Outcome::Unknown, message));
        }
    };
    Ok(applied.unwrap_or_else(|code| code))
}

fn text_of<'v>(
    entry: &'v Object,
    name: &'static str,
    steps: &mut Steps<'_>,
) -> Result<&'v str, ResultCode> {
    match entry.get(name) {
        Some(Value::String(text)) => Ok(text),
        Some(other) => Err(steps.within(name, |steps| {
            let message = format!("expected a string in `{name}`, found {}", other.kind_name());
            steps.say(Outcome::TypeMismatch, message)
        })),
        None => Err(missing(name, steps)),
    }
}

fn missing(name: &str, steps: &mut Steps<'_>) -> ResultCode {
    steps
        .within(name, |steps| steps.say(Outcome::Missing, format!("the operation has no `{name}`")))
}

fn value_of<'v>(entry: &'v Object, steps: &mut Steps<'_>) -> Result<&'v Value, ResultCode> {
    entry.get("value").ok_or_else(|| missing("value", steps))
}

fn pointer_of<'v>(
    entry: &'v Object,
    name: &'static str,
    steps: &mut Steps<'_>,
) -> Result<(&'v str, Pointer<'v>), ResultCode> {
    let text = text_of(entry, name, steps)?;
    match Pointer::parse(text) {
        Some(pointer) => Ok((text, pointer)),
        None => Err(steps.within(name, |steps| {
            steps.say(Outcome::Invalid, format!("`{name}` is not a JSON pointer"))
        })),
    }
}

/// An operation of a patch that is being applied.
struct Operation<'a, 't, 's> {
    target: &'a mut Indexed<'t>,
    path: &'a str,
    pointer: &'a Pointer<'a>,
    steps: &'a mut Steps<'s>,
}

impl Operation<'_, '_, '_> {
    fn add(&mut self, value: Value, operation: &'static str) -> ResultCode {
        let Some((last, before)) = self.pointer.split_last() else {
            if let Some(root) = self.target.part(&[]) {
                *root = Part::new(value);
            }
            return self.steps.say_at(self.path, Outcome::Success, operation);
        };
        let Some(part) = self.target.part(before) else {
            let message = "nothing is where the value is to be added";
            return self.steps.say(Outcome::Invalid, message);
        };
        match part.index() {
            Some(Index::Members(members)) => match members.get_mut(&last.name) {
                Some(place) => *place = Part::new(value),
                None => members.push((&*last.name).into(), value),
            },
            Some(Index::Elements(elements)) => match (last.index, elements.len()) {
                (Some(at), len) if at <= len => elements.insert(at, value),
                (Some(at), len) => {
                    let message = format!("position {at} is past the array of {len}");
                    return self.steps.say(Outcome::Invalid, message);
                }
                (None, len) if last.name == "-" => elements.insert(len, value),
                (None, _) => {
                    return self.steps.say(Outcome::Invalid, "expected a position in an array");
                }
            },
            None => {
                let kind = part.whole().kind_name();
                let message = format!("expected an object or array to add to, found {kind}");
                return self.steps.say(Outcome::TypeMismatch, message);
            }
        }
        self.steps.say_at(self.path, Outcome::Success, operation)
    }

    fn remove(&mut self, path: &str, pointer: &Pointer<'_>) -> ResultCode {
        let Some((last, before)) = pointer.split_last() else {
            return self.steps.say(Outcome::Invalid, "the root cannot be removed");
        };
        let Some(part) = self.target.part(before) else {
            return self.steps.say(Outcome::Invalid, "nothing is where a value is to be removed");
        };
        match part.index() {
            Some(Index::Members(members)) => {
                if !members.remove(&last.name) {
                    let message = "there is no member of that name to remove";
                    return self.steps.say(Outcome::Invalid, message);
                }
            }
            Some(Index::Elements(elements)) => match last.index.filter(|at| *at < elements.len()) {
                Some(at) => elements.remove(at),
                None => {
                    let message = "there is no element at that position to remove";
                    return self.steps.say(Outcome::Invalid, message);
                }
            },
            None => {
                let kind = part.whole().kind_name();
                let message = format!("expected an object or array to remove from, found {kind}");
                return self.steps.say(Outcome::TypeMismatch, message);
            }
        }
        self.steps.say_at(path, Outcome::Success, "remove")
    }

    fn replace(&mut self, value: &Value) -> ResultCode {
        match self.target.part(self.pointer.tokens()) {
            Some(place) => {
                *place = Part::new(value.clone());
                self.steps.say_at(self.path, Outcome::Success, "replace")
            }
            None => self.steps.say(Outcome::Invalid, "there is no value to replace"),
        }
    }

    /// Moves the value from a pointer to that of the operation.
    fn take(&mut self, path: &str, from: &Pointer<'_>) -> ResultCode {
        let Some(place) = self.target.find(from.tokens()) else {
            return self.absent("from", "there is no value at `from`");
        };
        if from.is_root() {
            return self.steps.say(Outcome::Invalid, "the root cannot be moved");
        }
        let value = place.take();
        let removed = self.remove(path, from);
        let added = self.add(value, "move");
        self.steps.code(Outcome::Success).combine(removed).combine(added)
    }

    fn copy(&mut self, from: &Pointer<'_>, copies: &mut usize) -> ResultCode {
        let Some(value) = self.target.find(from.tokens()) else {
            return self.absent("from", "there is no value at `from`");
        };
        let Some(left) = copies.checked_sub(weight(value, *copies)) else {
            let message = format!("the patch copies more than {MAX_MADE} bytes");
            return self.steps.say(Outcome::Catastrophic, message);
        };
        *copies = left;
        let value = value.clone();
        let added = self.add(value, "copy");
        self.steps.code(Outcome::Success).combine(added)
    }

    fn test(&mut self, value: &Value) -> ResultCode {
        match self.target.find(self.pointer.tokens()) {
            None => self.absent("path", "there is no value to test"),
            Some(found) if found.compare(value).is_eq() => self.steps.say(Outcome::Success, "test"),
            Some(_) => self.steps.say(Outcome::TestFailed, "the value is not the expected one"),
        }
    }

    /// Says of a pointer of the operation that nothing is present.
    fn absent(&mut self, name: &str, message: &'static str) -> ResultCode {
        self.steps.within(name, |steps| steps.say(Outcome::Invalid, message))
    }
}

/// A patch that is being made.
struct Made<'a> {
    operations: Array,
    /// Bytes of all pointers, and how many there may be.
    pointers: usize,
    most: usize,
    /// How many bytes the values take, which is asked once.
    more: Option<&'a dyn Fn() -> usize>,
}

impl Made<'_> {
    /// Adds an operation at the present place.
    fn push(
        &mut self,
        name: &'static str,
        value: Option<&Value>,
        steps: &mut Steps<'_>,
    ) -> ResultCode {
        self.pointers = self.pointers.saturating_add(steps.pointer.len());
        if self.pointers > self.most
            && let Some(values) = self.more.take()
        {
            self.most = self.most.max(values().saturating_mul(4));
        }
        if self.pointers > self.most {
            let message = format!("the pointers of the patch take more than {} bytes", self.most);
            return steps.say(Outcome::Catastrophic, message);
        }
        let mut operation = Object::new();
        operation.push("op", name);
        operation.push("path", steps.pointer.as_str());
        if let Some(value) = value {
            operation.push("value", value.clone());
        }
        self.operations.push(operation.into());
        steps.say(Outcome::Success, name)
    }
}

fn create<'v>(
    made: &mut Made<'_>,
    source: &'v Value,
    target: &'v Value,
    steps: &mut Steps<'_>,
    level: usize,
) -> ResultCode {
    if level > MAX_LEVELS {
        return steps.say(Outcome::Catastrophic, too_deep());
    }
    match (source, target) {
        (Value::Object(old), Value::Object(new)) => {
            let (old_names, new_names) = (Names::of(old), Names::of(new));
            let kept = new.0.iter().map(|(name, value)| (name, old_names.find(name), Some(value)));
            let gone = old.0.iter().filter(|(name, _)| new_names.find(name).is_none());
            let gone = gone.map(|(name, value)| (name, Some(value), None));
            let named =
                |(name, old, new): (&'v Text, _, _)| (Cow::Borrowed(name.as_str()), old, new);
            children(made, kept.chain(gone).map(named), steps, level)
        }
        (Value::Array(old), Value::Array(new)) => {
            let kept = new.0.iter().enumerate().map(|(at, value)| (at, old.0.get(at), Some(value)));
            // From the end, so that the positions before stay valid.
            let gone = old.0.iter().enumerate().skip(new.0.len()).rev();
            let gone = gone.map(|(at, value)| (at, Some(value), None));
            let named = |(at, old, new): (usize, _, _)| (Cow::Owned(at.to_string()), old, new);
            children(made, kept.chain(gone).map(named), steps, level)
        }
        _ if source.same(target) => steps.say(Outcome::DefaultsUsed, "the values are the same"),
        _ => made.push("replace", Some(target), steps),
    }
}

/// Compares child by child: the old one, and the wanted one.
fn children<'v>(
    made: &mut Made<'_>,
    children: impl Iterator<Item = (Cow<'v, str>, Option<&'v Value>, Option<&'v Value>)>,
    steps: &mut Steps<'_>,
    level: usize,
) -> ResultCode {
    let mut result = steps.idle();
    for (name, old, new) in children {
        let code = steps.within(&name, |steps| match (old, new) {
            (Some(old), Some(new)) => create(made, old, new, steps, level.saturating_add(1)),
            (None, Some(_)) => made.push("add", new, steps),
            (_, None) => made.push("remove", None, steps),
        });
        result = result.combine(code);
        if is_halted(result) {
            break;
        }
    }
    result
}

pub(super) fn too_deep() -> String {
    format!("values are nested deeper than {MAX_LEVELS} levels")
}
