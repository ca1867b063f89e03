//! A file: the document in it, and what is around it.

use std::borrow::Cow;

use resonite_brson::{
    Container, Kind, Options, Value,
    container::{detect, pack_with},
};
use resonite_save::package::Package;

use super::{Resonite, settings};
use crate::document::codec::{Verdict, verdict};
use crate::document::error::Error;
use crate::document::ranges::{Body, Bytes};
use crate::document::words::count;

/// The document of a file; of a package, that of its main asset.
#[derive(Clone)]
pub(crate) struct Content {
    pub(super) container: Container,
    pub(super) body: Body,
}

/// The keys of the wrapper that names the container.
const CONTAINER: &str = "container";
const DOCUMENT: &str = "document";

impl Resonite {
    pub(super) fn content(&self, bytes: &Bytes) -> Result<Content, Error> {
        let (container, bson) = document(bytes, &self.options)?;
        self.scanned(container, bytes.share(bson))
    }

    /// The content of a document that is not read yet.
    pub(super) fn scanned(&self, container: Container, bson: Bytes) -> Result<Content, Error> {
        validate(&bson, &self.options)?;
        let body = Body::scan(self, bson, 0, Kind::Document)?;
        Ok(Content { container, body })
    }
}

impl Content {
    /// The document, made of its bytes; with `wrap` with the name of the container around it.
    pub(super) fn value(&self, options: &Options, wrap: bool) -> Result<Value, Error> {
        let value = value(&self.body.bytes, options)?;
        if !wrap {
            return Ok(value);
        }
        let name = settings::name_of(self.container);
        Ok([(CONTAINER, Value::from(name)), (DOCUMENT, value)].into_iter().collect())
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
    validate(&bson, options)?;
    Ok(pack_with(&bson, &options.container(target.unwrap_or(own)))?)
}

/// The file with another document in its container, or in the package that it is.
pub(super) fn replaced(
    bytes: &[u8],
    own: Container,
    after: &Bytes,
    options: &Options,
) -> Result<Bytes, Error> {
    let save = match own {
        Container::BSON => after.clone(),
        own => pack_with(after, &options.container(own))?.into(),
    };
    let Some(mut package) = package(bytes, options)? else { return Ok(save) };
    package.set_main(save.into_vec());
    Ok(package.to_vec()?.into())
}

/// Checks a decompressed document.
fn validate(bson: &[u8], options: &Options) -> Result<(), Error> {
    options.validate(bson).map_err(|error| located(&error, bson))
}

/// The value of a decompressed document.
fn value(bson: &[u8], options: &Options) -> Result<Value, Error> {
    let value = options.input(Container::BSON).from_slice(bson);
    value.map_err(|error: resonite_brson::Error| located(&error, bson))
}

fn located(error: &resonite_brson::Error, bson: &[u8]) -> Error {
    Error::from(error).within(error.offset(), bson)
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
