//! The entries of an archive of KingsIsle's games.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, Read, Seek, Write};

use kiwi_pclass::Options;
use kiwi_pclass::archive::{Archive, Entry, Problem};

use super::{Facts, Holder, none};
use crate::document::error::Error;
use crate::document::settings::Settings;

/// An archive, and what is to become of its entries.
#[derive(Debug)]
struct Entered {
    archive: Archive<'static>,
    entries: Vec<Own>,
}

/// An entry: its place in the table that was read, or the name of a new one, and its content where that is
/// new.
#[derive(Debug)]
enum Own {
    Kept(usize),
    Changed(usize, Vec<u8>),
    Added(String, Vec<u8>),
}

pub(super) fn open(
    file: impl Read + Seek + Send + 'static,
    settings: &Settings,
) -> Result<Box<dyn Holder>, Error> {
    let mut options = Options::new().ignore_checksums(settings.pclass.ignore_checksums);
    if let Some(most) = settings.limits.max_memory {
        options = options.max_memory(most);
    }
    let archive = Archive::from_file(file, &options)?;
    let entries = (0..archive.len()).map(Own::Kept).collect();
    Ok(Box::new(Entered { archive, entries }))
}

impl Entered {
    fn name_of<'n>(&'n self, own: &'n Own) -> &'n str {
        match own {
            Own::Added(name, _) => name,
            Own::Kept(at) | Own::Changed(at, _) => {
                self.archive.by_index(*at).map_or("", |own| own.name())
            }
        }
    }

    /// An entry that is as it was read.
    fn kept(&self, at: usize) -> Option<Entry<'_, 'static>> {
        match self.entries.get(at)? {
            Own::Kept(at) => self.archive.by_index(*at),
            _ => None,
        }
    }

    /// Refuses to change one of several entries with one name, except for the first.
    fn must_be_first(&self, at: usize) -> Result<(), Error> {
        let name = self.name(at).ok_or_else(none)?;
        match self.names().position(|own| own == name) == Some(at) {
            true => Ok(()),
            false => {
                Err(Error::new(format!("an entry before it has the name {}", name.escape_debug())))
            }
        }
    }
}

impl Holder for Entered {
    fn names(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        Box::new(self.entries.iter().map(|own| self.name_of(own)))
    }

    fn name(&self, at: usize) -> Option<&str> {
        self.entries.get(at).map(|own| self.name_of(own))
    }

    fn read(&self, at: usize) -> Result<Vec<u8>, Error> {
        match self.entries.get(at).ok_or_else(none)? {
            Own::Changed(_, made) | Own::Added(_, made) => Ok(made.clone()),
            Own::Kept(at) => Ok(self.archive.by_index(*at).ok_or_else(none)?.read()?.into_owned()),
        }
    }

    fn put(&mut self, at: usize, content: Vec<u8>) -> Result<(), Error> {
        self.must_be_first(at)?;
        match self.entries.get_mut(at).ok_or_else(none)? {
            Own::Added(_, made) => *made = content,
            own => {
                let (Own::Kept(of) | Own::Changed(of, _)) = *own else { return Err(none()) };
                *own = Own::Changed(of, content);
            }
        }
        Ok(())
    }

    fn add(&mut self, name: &str, content: Vec<u8>) -> Result<(), Error> {
        if name.contains('\0') {
            return Err(Error::new("expected a name, found one with a zero, which ends names"));
        }
        self.entries.push(Own::Added(name.to_owned(), content));
        Ok(())
    }

    fn remove(&mut self, at: usize) -> Result<(), Error> {
        self.must_be_first(at)?;
        self.entries.remove(at);
        Ok(())
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut builder = self.archive.to_builder();
        let place = |own: &Own| match own {
            Own::Kept(at) | Own::Changed(at, _) => Some(*at),
            Own::Added(..) => None,
        };
        let left: HashSet<usize> = self.entries.iter().filter_map(place).collect();
        for gone in self.archive.entries().filter(|own| !left.contains(&own.index())) {
            builder.remove(gone.name());
        }
        for own in &self.entries {
            if let Own::Changed(_, content) | Own::Added(_, content) = own {
                builder.insert(self.name_of(own), content)?;
            }
        }
        Ok(builder.to_writer(out)?)
    }

    fn facts(&self, at: usize) -> Option<Facts> {
        let own = self.kept(at)?;
        Some((own.size() as usize, own.compressed_size(), own.crc32()))
    }

    fn stored(&self, at: usize) -> Option<Cow<'_, [u8]>> {
        self.kept(at)?.stored().ok()
    }

    fn is_unfetched(&self, at: usize) -> bool {
        self.kept(at).is_some_and(|entry| entry.is_unpatched())
    }

    fn problems(&self) -> Vec<String> {
        let problems = self.archive.verify_table().into_iter();
        problems.filter(Problem::is_error).map(|problem| problem.to_string()).collect()
    }
}
