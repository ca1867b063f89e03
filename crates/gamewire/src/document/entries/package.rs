//! The entries of a package of Resonite.

use std::io::{self, Write};

use resonite_save::package::{Package, Record, hash};

use super::{Holder, none};
use crate::document::error::Error;
use crate::document::settings::Settings;

/// The entry of a package with its record.
const RECORD: &str = "R-Main.record";

/// The first folder in a package, of files that are named by their hashes.
const ASSETS: &str = "Assets/";

/// Opens a package; `None` for another archive.
pub(super) fn open(bytes: &[u8], settings: &Settings) -> Result<Option<Box<dyn Holder>>, Error> {
    if !Package::is_archive(bytes) {
        return Ok(None);
    }
    let options = settings.resonite.options(settings.limits);
    Ok(Some(Box::new(Package::from_slice_with(bytes, &options)?)))
}

/// The hash of an asset that is not the save.
fn asset<'n>(package: &Package, name: &'n str, verb: &str) -> Result<&'n str, Error> {
    let hash =
        name.strip_prefix(ASSETS).filter(|hash| package.main_hash().as_deref() != Some(hash));
    hash.ok_or_else(|| Error::new(format!("{}: only assets can be {verb}", name.escape_debug())))
}

impl Holder for Package {
    fn names(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        Box::new([RECORD].into_iter().chain(self.entries().map(|(name, _)| name)))
    }

    fn read(&self, at: usize) -> Result<Vec<u8>, Error> {
        match at.checked_sub(1) {
            None => Ok(self.record().to_vec()),
            Some(at) => Ok(self.entries().nth(at).ok_or_else(none)?.1.to_vec()),
        }
    }

    fn put(&mut self, at: usize, content: Vec<u8>) -> Result<(), Error> {
        let name = self.name(at).ok_or_else(none)?.to_owned();
        if at == 0 {
            *self.record_mut() = Record::from_slice(&content)?;
        } else if self
            .main_hash()
            .as_deref()
            .is_some_and(|hash| name.strip_prefix(ASSETS) == Some(hash))
        {
            self.set_main(content);
        } else {
            self.replace_asset(asset(self, &name, "changed")?, content)?;
        }
        Ok(())
    }

    fn add(&mut self, name: &str, content: Vec<u8>) -> Result<(), Error> {
        let own = hash(&content);
        if asset(self, name, "added")? != own {
            let why = format!("{}: its content belongs to {ASSETS}{own}", name.escape_debug());
            return Err(Error::new(why));
        }
        self.add_asset(content);
        Ok(())
    }

    fn remove(&mut self, at: usize) -> Result<(), Error> {
        let name = self.name(at).ok_or_else(none)?.to_owned();
        let hash = asset(self, &name, "removed")?;
        self.remove_asset(hash).map(|_| ()).ok_or_else(none)
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.to_vec()?)
    }
}
