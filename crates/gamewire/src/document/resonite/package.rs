//! Packages: a save, and the assets that it needs.

use std::collections::BTreeSet;

use resonite_brson::{Container, Options};
use resonite_save::SavedObject;
use resonite_save::package::Package;

use super::content;
use crate::document::error::{Error, Hint};
use crate::document::words::count;

/// A package of a save that needs no other assets.
pub(super) fn of_save(save: Vec<u8>, options: &Options) -> Result<Vec<u8>, Error> {
    let object: SavedObject = options
        .from_slice(&save)
        .map_err(|error| Error::new(format!("only a save can be made a package: {error}")))?;
    let needed: BTreeSet<&str> = object.urls().filter_map(Package::hash_of).collect();
    if needed.is_empty() {
        let name = object.root().and_then(|root| root.name()).unwrap_or("Object");
        let mut package = Package::new(name, &object)?;
        package.set_main(save);
        return Ok(package.to_vec()?);
    }
    let needed = count(needed.len(), "asset");
    let why = format!("the save needs {needed} that would not be in the package");
    Err(Error::new(why).with_hint(Hint::Assets))
}

/// A package of a save, or the same package with its save in another container.
pub(super) fn convert(
    bytes: &[u8],
    target: Option<Container>,
    options: &Options,
) -> Result<Vec<u8>, Error> {
    let Some(mut package) = content::package(bytes, options)? else {
        return of_save(content::convert(bytes, target, options)?, options);
    };
    let Some(target) = target else { return Ok(bytes.to_vec()) };
    let save = content::convert(package.main()?, Some(target), options)?;
    package.set_main(save);
    Ok(package.to_vec()?)
}
