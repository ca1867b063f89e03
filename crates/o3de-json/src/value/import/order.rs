//! The settings registry's way: members in their order, imports merged where they stand.

use super::{DIRECTIVE, Importer, Imports, Run, deeper, is_nested, merged, parts};
use crate::Result;
use crate::error::{Error, ErrorKind};
use crate::report::Processing;
use crate::value::{Array, Object, Value, pointer};

impl<I: Importer> Imports<I> {
    pub(super) fn in_order(
        &mut self,
        source: &Value,
        run: &mut Run,
        here: &mut String,
    ) -> Result<Value> {
        let length = here.len();
        let resolved = match source {
            Value::Array(items) => {
                deeper(run)?;
                let mut done = Array::new();
                for (index, child) in items.0.iter().enumerate() {
                    pointer::append_pointer(here, &index.to_string());
                    let child = self.in_order(child, run, here);
                    done.push(child.map_err(|error| error.in_index(index))?);
                    here.truncate(length);
                }
                Value::Array(done)
            }
            Value::Object(object) => {
                deeper(run)?;
                let has_import = object.contains(DIRECTIVE);
                let mut done = Value::Object(Object::new());
                for (name, child) in &object.0 {
                    if name == DIRECTIVE {
                        done = self.merge_import(done, child, run, here)?;
                        continue;
                    }
                    pointer::append_pointer(here, name);
                    let child = match is_nested(child) {
                        true => self.in_order(child, run, here),
                        false => Ok(child.clone()),
                    };
                    let child = child.map_err(|error| error.in_field(name))?;
                    here.truncate(length);
                    // An import can have made something else of it.
                    match &mut done {
                        Value::Object(done) if !has_import => done.push(name.clone(), child),
                        Value::Object(done) => drop(done.insert(name.clone(), child)),
                        other => *other = Object::from_iter([(name.clone(), child)]).into(),
                    }
                }
                done
            }
            leaf => return Ok(leaf.clone()),
        };
        run.level = run.level.saturating_sub(1);
        Ok(resolved)
    }

    fn merge_import(
        &mut self,
        mut before: Value,
        directive: &Value,
        run: &mut Run,
        here: &str,
    ) -> Result<Value> {
        let (filename, patch) = parts(directive)?;
        let (file, mut imported) = self.read(filename, run)?;
        if run.stack.len() == 1 {
            run.resolution.add(here, filename);
        }
        if let Some(patch) = patch {
            merged(&mut imported, patch)?;
        }
        let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
        if matches!(extension, "jsonpatch" | "setregpatch") {
            let code = before.apply_patch(&imported);
            if code.processing() != Processing::Completed {
                let message = format!("the patch `{file}` does not fit: {:?}", code.outcome());
                return Err(Error::new(ErrorKind::Catastrophic, message));
            }
        } else {
            merged(&mut before, &imported)?;
        }
        if self.nested {
            self.enter(&file, run)?;
            before = self
                .in_order(&before, run, &mut String::new())
                .map_err(|error| super::in_file(error, &file))?;
            run.stack.pop();
        }
        Ok(before)
    }
}
