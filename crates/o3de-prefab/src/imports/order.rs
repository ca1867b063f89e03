//! The settings registry's way: members in their order, imports merged where they stand.

use o3de_json::report::Processing;
use o3de_json::value::Object;
use o3de_json::{Error, ErrorKind, Result, Value};

use super::{DIRECTIVE, Importer, Imports, Run, merged, parts};

impl<I: Importer> Imports<I> {
    pub(super) fn in_order(&mut self, object: Object, run: &mut Run) -> Result<Value> {
        let mut done = Value::Object(Object::new());
        for (name, mut child) in object {
            if name == DIRECTIVE {
                self.merge_import(&mut done, &child, run)?;
                continue;
            }
            self.member(&name, &mut child, run)?;
            // An import can have made something else of it.
            match &mut done {
                Value::Object(done) => drop(done.insert(name, child)),
                other => *other = Object::from_iter([(name, child)]).into(),
            }
        }
        Ok(done)
    }

    fn merge_import(&mut self, before: &mut Value, directive: &Value, run: &mut Run) -> Result<()> {
        let (filename, patch) = parts(directive)?;
        let (file, mut imported) = self.noted(filename, run)?;
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
            merged(before, &imported)?;
        }
        self.inner(&file, before, run)
    }
}
