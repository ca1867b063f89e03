//! JSON Merge Patch (RFC 7396), as the engine applies and creates it.

use super::compare::Names;
use super::indexed::{MemberIndex, Part};
use super::patch::too_deep;
use super::steps::{MAX_LEVELS, Step, Steps, is_halted};
use super::{Object, Text, Value};
use crate::report::{Outcome, Processing, ResultCode, Task};

impl Value {
    /// Applies a JSON Merge Patch (RFC 7396) in place: members of the patch replace members of the
    /// value, null removes them, arrays are replaced whole.
    ///
    /// Members that stay keep their order; the engine puts the last one in the place of one that is
    /// removed.
    ///
    /// ```
    /// use o3de_json::Value;
    ///
    /// let mut value: Value = o3de_json::from_str(r#"{"a": 1, "b": {"c": 2, "d": 3}}"#)?;
    /// let patch: Value = o3de_json::from_str(r#"{"b": {"c": null, "d": [4]}}"#)?;
    /// value.apply_merge_patch(&patch);
    /// assert_eq!(o3de_json::to_string(&value)?, r#"{"a":1,"b":{"d":[4]}}"#);
    /// # Ok::<(), o3de_json::Error>(())
    /// ```
    pub fn apply_merge_patch(&mut self, patch: &Value) -> ResultCode {
        self.apply_merge_patch_with(patch, &mut |step| step.code)
    }

    /// [`apply_merge_patch`](Value::apply_merge_patch), with a function that receives each step
    /// and returns the code that counts.
    pub fn apply_merge_patch_with(
        &mut self,
        patch: &Value,
        report: &mut dyn FnMut(&Step<'_>) -> ResultCode,
    ) -> ResultCode {
        apply(self, patch, &mut Steps::new(Task::Merge, report), 0)
    }

    /// The JSON Merge Patch that makes `target` of this value. `None` where that needs a null,
    /// which merge patches cannot write; the code then says [`Outcome::Unsupported`].
    ///
    /// For values that are the [`same`](Value::same) and no objects, the patch is null and the code
    /// says [`Outcome::DefaultsUsed`].
    pub fn create_merge_patch(&self, target: &Value) -> (Option<Value>, ResultCode) {
        let mut say = |step: &Step<'_>| step.code;
        let mut steps = Steps::new(Task::CreatePatch, &mut say);
        let (patch, code) = create(Some(self), target, &mut steps, 0);
        let whole = code.processing() == Processing::Completed;
        (whole.then(|| patch.unwrap_or_default()), code)
    }
}

fn apply(target: &mut Value, patch: &Value, steps: &mut Steps<'_>, level: usize) -> ResultCode {
    if level > MAX_LEVELS {
        return steps.say(Outcome::Catastrophic, too_deep());
    }
    let mut result = steps.idle();
    if let Value::Object(patch) = patch {
        if !matches!(target, Value::Object(_)) {
            *target = Object::new().into();
        }
        if let Value::Object(target) = target {
            let mut members = MemberIndex::new(std::mem::take(target));
            for (name, value) in &patch.0 {
                let code =
                    steps.within(name, |steps| member(&mut members, (name, value), steps, level));
                result = result.combine(code);
                if is_halted(result) {
                    break;
                }
            }
            *target = members.into_object();
            if is_halted(result) {
                return result;
            }
        }
    } else {
        *target = patch.clone();
    }
    result.combine(steps.say(Outcome::Success, "merge"))
}

fn member(
    target: &mut MemberIndex,
    (name, value): (&Text, &Value),
    steps: &mut Steps<'_>,
    level: usize,
) -> ResultCode {
    let found = target.get_mut(name).map(Part::whole);
    match (value, found) {
        (Value::Object(_), Some(place)) => apply(place, value, steps, level.saturating_add(1)),
        (Value::Object(_), None) => {
            let mut fresh = Value::Null;
            let code = apply(&mut fresh, value, steps, level.saturating_add(1));
            target.push(name.clone(), fresh);
            code
        }
        (Value::Null, Some(_)) => {
            target.remove(name);
            steps.say(Outcome::Success, "remove")
        }
        (Value::Null, None) => steps.idle(),
        (_, Some(place)) => {
            *place = value.clone();
            steps.say(Outcome::Success, "replace")
        }
        (_, None) => {
            target.push(name.clone(), value.clone());
            steps.say(Outcome::Success, "add")
        }
    }
}

/// `source` is absent for members that are new: a null there is not what is there already.
fn create(
    source: Option<&Value>,
    target: &Value,
    steps: &mut Steps<'_>,
    level: usize,
) -> (Option<Value>, ResultCode) {
    if level > MAX_LEVELS {
        return (None, steps.say(Outcome::Catastrophic, too_deep()));
    }
    let Value::Object(new) = target else {
        if source.is_some_and(|source| source.same(target)) {
            return (None, steps.say(Outcome::DefaultsUsed, "the values are the same"));
        }
        if target.is_null() {
            let message = "a merge patch cannot write null";
            return (None, steps.say(Outcome::Unsupported, message));
        }
        return (Some(target.clone()), steps.say(Outcome::Success, "replace"));
    };
    let mut result = steps.idle();
    let mut patch = Object::new();
    let none = Object::new();
    let old = source.and_then(Value::as_object);
    let (old_names, new_names) = (Names::of(old.unwrap_or(&none)), Names::of(new));
    for (name, value) in &new.0 {
        let (part, code) = steps.within(name, |steps| {
            create(old_names.find(name), value, steps, level.saturating_add(1))
        });
        if code.outcome() == Outcome::Success {
            patch.push(name.clone(), part.unwrap_or_default());
            result = result.combine(code);
        } else if code.processing() != Processing::Completed {
            return (None, code);
        }
    }
    for (name, _) in old.map_or(&[][..], |old| &old.0) {
        if new_names.find(name).is_none() {
            patch.push(name.clone(), Value::Null);
            let code = steps.within(name, |steps| steps.say(Outcome::Success, "remove"));
            result = result.combine(code);
        }
    }
    (Some(patch.into()), result.combine(steps.code(Outcome::Success)))
}
