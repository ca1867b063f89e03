//! KingsIsle's PropertyClass binary.

mod args;
mod content;
mod explain;
pub(crate) mod generate;
mod notation;
mod tree;

use std::io::Write;

use gamewire::kiwi_pclass::{self, ErrorKind};

pub(super) use args::{PclassArgs, PclassTarget};

use self::content::{Content, Terms};
use super::{Document, Explained, Limits, Side, Tool, Verdict, verdict};
use crate::diff::{self, Change};
use crate::fault::Fault;
use crate::json::{self, Layout};

/// The format with the options of one call.
pub(super) struct Pclass {
    terms: Terms,
    target: PclassTarget,
    strict: bool,
}

impl Pclass {
    pub(super) fn new(limits: Limits, args: &PclassArgs, target: &PclassTarget) -> Self {
        Pclass {
            terms: Terms::new(limits, args),
            target: target.clone(),
            strict: limits.is_strict(),
        }
    }

    fn read(&self, bytes: &[u8]) -> Result<Content, Fault> {
        let content = Content::read(bytes, &self.terms)?;
        if self.strict && !content.form.is_text() {
            let written = content.to_vec(&self.terms)?;
            let common = bytes.iter().zip(&written).take_while(|(old, new)| old == new).count();
            if written != bytes {
                let fault = Fault::new(format!("other bytes would be written at {common:#x}"));
                return Err(fault.at(Some(common)).hint(Some("without --strict this is read")));
            }
        }
        Ok(content)
    }
}

impl Tool for Pclass {
    fn describe(&self, bytes: &[u8]) -> String {
        content::describe(bytes, &self.terms)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Box<dyn Document>, Fault> {
        Ok(Box::new(self.read(bytes)?))
    }

    fn encode(&self, json: &[u8]) -> Result<Vec<u8>, Fault> {
        notation::read(json, &self.terms)?.to_vec(&self.terms)
    }

    fn explain(&self, bytes: &[u8]) -> Result<Box<dyn Explained>, Fault> {
        explain::explain(bytes, &self.terms)
    }

    fn check(&self, bytes: &[u8]) -> Result<Verdict, Fault> {
        // The form of the file, for both readings of it.
        let mut terms = self.terms.clone();
        terms.form = Some(terms.form.unwrap_or_else(|| content::guess(bytes)));
        if self.strict {
            self.read(bytes)?;
        }
        verdict(bytes, |bytes| Content::read(bytes, &terms), |content| content.to_vec(&terms))
    }

    fn diff(&self, old: &[u8], new: &[u8], most: usize) -> Result<Vec<Change>, (Side, Fault)> {
        let old = self.read(old).map_err(|fault| (Side::Old, fault))?;
        let new = self.read(new).map_err(|fault| (Side::New, fault))?;
        Ok(diff::compare(&tree::Node::root(&old), &tree::Node::root(&new), most))
    }

    fn convert(&self, bytes: &[u8]) -> Result<Vec<u8>, Fault> {
        let mut content = self.read(bytes)?;
        self.target.apply(&mut content);
        content.to_vec(&self.terms)
    }
}

impl Document for Content {
    fn write_json(
        &self,
        out: &mut dyn Write,
        layout: Layout,
        wrap: bool,
    ) -> Result<(), serde_json::Error> {
        json::write(out, &notation::Shown { content: self, wrap }, layout)
    }
}

impl From<kiwi_pclass::Error> for Fault {
    fn from(error: kiwi_pclass::Error) -> Self {
        Fault::from(&error)
    }
}

impl From<&kiwi_pclass::Error> for Fault {
    fn from(error: &kiwi_pclass::Error) -> Self {
        let hint = match error.kind() {
            ErrorKind::DepthLimit => Some("--max-depth N allows deeper nesting"),
            ErrorKind::UnknownClass | ErrorKind::UnknownProperty => {
                Some("perhaps another type list has it; --types may be given again")
            }
            ErrorKind::MissingDelta => Some("serializer flag 4 is set; see --flags"),
            _ => None,
        };
        let offset = error.offset().filter(|_| !error.is_inflated());
        Fault::new(error.to_string()).at(offset).hint(hint)
    }
}
