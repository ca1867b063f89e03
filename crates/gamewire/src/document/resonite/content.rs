//! A file: the document in it, and what is around it.

use std::borrow::Cow;

use resonite_brson::package::Package;
use resonite_brson::{
    Container, Options, Value,
    container::{detect, pack_with},
};

use super::settings;
use crate::document::codec::{Verdict, verdict};
use crate::document::error::Error;
use crate::document::words::count;

/// The document of a file; of a package, that of its main asset.
#[derive(Clone, PartialEq)]
pub(crate) struct Content {
    pub(super) container: Container,
    pub(super) value: Value,
}

/// The keys of the wrapper that names the container.
const CONTAINER: &str = "container";
const DOCUMENT: &str = "document";

impl Content {
    pub(super) fn read(bytes: &[u8], options: &Options) -> Result<Self, Error> {
        let (container, bson) = document(bytes, options)?;
        Ok(Content { container, value: value(&bson, options)? })
    }

    /// With the name of the container around it.
    pub(super) fn wrapped(&self) -> Value {
        let name = settings::name_of(self.container);
        let entries = [(CONTAINER, Value::from(name)), (DOCUMENT, self.value.clone())];
        entries.into_iter().collect()
    }
}

/// Takes the wrapper off, if there is one.
pub(super) fn unwrap(value: Value) -> Result<(Option<Container>, Value), Error> {
    let wrapper = value.as_document().filter(|own| {
        let is_document = |value: &Value| value.as_document().is_some();
        own.keys().eq([CONTAINER, DOCUMENT]) && own.get(DOCUMENT).is_some_and(is_document)
    });
    let Some(wrapper) = wrapper else { return Ok((None, value)) };
    let name = wrapper.get(CONTAINER).and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut value = value;
    let container = settings::named(&name)
        .ok_or_else(|| Error::new(format!("expected the name of a container, found {name:?}")))?;
    let document = value.get_mut(DOCUMENT).map(Value::take).unwrap_or_default();
    Ok((Some(container), document))
}

/// The package, if the file is one.
pub(super) fn package(bytes: &[u8], options: &Options) -> Result<Option<Package>, Error> {
    if !Package::is_archive(bytes) {
        return Ok(None);
    }
    Ok(Some(Package::from_slice_with(bytes, options)?))
}

/// The BSON of a file or of a package's main asset.
pub(super) fn document<'b>(
    bytes: &'b [u8],
    options: &Options,
) -> Result<(Container, Cow<'b, [u8]>), Error> {
    Ok(match package(bytes, options)? {
        Some(package) => {
            let body = package.open_main(options)?;
            (body.container(), Cow::Owned(body.into_bson()))
        }
        None => {
            let body = options.open(bytes)?;
            (body.container(), body.into_cow())
        }
    })
}

/// Compares the documents: no two compressors write the same bytes.
pub(super) fn check(bytes: &[u8], options: &Options) -> Result<Verdict, Error> {
    let (_, bson) = document(bytes, options)?;
    let plain = options.container(Container::BSON);
    verdict(&bson, |bson| value(bson, options), |value| Ok(plain.to_vec(value)?))
}

/// The document in another container, with the same BSON.
pub(super) fn convert(
    bytes: &[u8],
    target: Option<Container>,
    options: &Options,
) -> Result<Vec<u8>, Error> {
    let (own, bson) = document(bytes, options)?;
    // Only a valid document gets a new container.
    value(&bson, options)?;
    Ok(pack_with(&bson, &options.container(target.unwrap_or(own)))?)
}

/// The file with another document in its container, or in the package that it is.
pub(super) fn replaced(
    bytes: &[u8],
    before: &[u8],
    after: Vec<u8>,
    options: &Options,
) -> Result<Vec<u8>, Error> {
    let (own, bson) = document(bytes, options)?;
    if bson != before {
        return Err(Error::new(
            "cannot be changed: the document would not be written back the same",
        ));
    }
    let package = package(bytes, options)?;
    if own == Container::BSON && package.is_none() {
        return Ok(after);
    }
    let save = pack_with(&after, &options.container(own))?;
    let Some(mut package) = package else { return Ok(save) };
    package.set_main(save);
    Ok(package.to_vec()?)
}

/// The value of a decompressed document.
fn value(bson: &[u8], options: &Options) -> Result<Value, Error> {
    options.input(Container::BSON).from_slice(bson).map_err(|error: resonite_brson::Error| {
        let offset = error.offset();
        Error::from(error).within(offset, bson)
    })
}

/// Describes the container in a few words.
pub(super) fn describe(bytes: &[u8], options: &Options) -> String {
    match package(bytes, options) {
        Err(_) => "package".to_owned(),
        Ok(Some(package)) => format!("package, {}", count(package.assets().count(), "asset")),
        Ok(None) => match detect(bytes) {
            Ok(Some(head)) => head.container().to_string(),
            _ => "unknown container".to_owned(),
        },
    }
}
