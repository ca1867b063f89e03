//! Lists of compact variants: the arguments of a call, the state of a node.

use std::borrow::Cow;
use std::fmt;

use serde_core::{Deserialize, Serialize};

use godot_variant::{Dialect, Value};

use crate::{Error, ErrorKind, Options, Result, de, ser};

/// The arguments of a remote call, still encoded.
///
/// ```
/// use godot_multiplayer::Args;
///
/// let args = Args::new(&(1, "x", 2.5))?;
/// assert_eq!(args.len(), 3);
/// assert_eq!(args.read::<(i64, &str, f64)>()?, (1, "x", 2.5));
/// # Ok::<(), godot_multiplayer::Error>(())
/// ```
#[derive(Clone)]
pub struct Args<'a> {
    pub(crate) bytes: Cow<'a, [u8]>,
    pub(crate) form: Form,
    /// Where they stand in the packet.
    pub(crate) at: usize,
}

/// How arguments stand in a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// That many compact variants.
    Counted(u8),
    /// No arguments, or the bytes of one `PackedByteArray`.
    Raw,
}

impl<'a> Args<'a> {
    /// Encodes the elements of a tuple, array or sequence, or the fields of a struct in their order.
    ///
    /// # Errors
    /// A value that is no list, more than 255 arguments, and as [`to_vec`](godot_variant::to_vec).
    pub fn new<T: Serialize + ?Sized>(args: &T) -> Result<Args<'static>> {
        Args::new_with(args, &Options::new())
    }

    /// [`new`](Self::new) with options; the dialect is always that of Godot 4.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn new_with<T: Serialize + ?Sized>(args: &T, options: &Options) -> Result<Args<'static>> {
        let list = ser::list(args, godot4(options))?;
        let (bytes, form) = match list.count {
            // The engine's short form: nothing, or bytes without header and length.
            0 => (list.bytes, Form::Raw),
            1 => match list.packed_bytes() {
                Some(bytes) => (bytes.to_vec(), Form::Raw),
                None => (list.bytes, Form::Counted(1)),
            },
            count => match u8::try_from(count) {
                Ok(count) => (list.bytes, Form::Counted(count)),
                Err(_) => {
                    let text = format!("expected up to 255 arguments, found {count}");
                    return Err(Error::new(ErrorKind::Unsupported, text));
                }
            },
        };
        Ok(Args { bytes: bytes.into(), form, at: 0 })
    }

    /// Reads the arguments into a tuple, array or sequence, or into the fields of a struct in their
    /// order. Text and bytes can be borrowed.
    ///
    /// # Errors
    /// Malformed variants, data that does not fit `T`, or another number of arguments.
    pub fn read<'s, T: Deserialize<'s>>(&'s self) -> Result<T> {
        self.read_with(&Options::new())
    }

    /// [`read`](Self::read) with options; the dialect is always that of Godot 4.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_with<'s, T: Deserialize<'s>>(&'s self, options: &Options) -> Result<T> {
        let list = match self.form {
            Form::Counted(count) => de::List::counted(&self.bytes, count.into(), godot4(options)),
            Form::Raw => de::List::raw(&self.bytes, godot4(options)),
        };
        list.read().map_err(|error| error.shifted(self.at))
    }

    /// How many arguments there are.
    pub fn len(&self) -> usize {
        match self.form {
            Form::Counted(count) => count.into(),
            Form::Raw => usize::from(!self.bytes.is_empty()),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The same, with the bytes of this one.
    pub(crate) fn borrowed(&self) -> Args<'_> {
        Args { bytes: Cow::Borrowed(&self.bytes), form: self.form, at: self.at }
    }

    /// The same with its own bytes.
    pub fn into_owned(self) -> Args<'static> {
        Args { bytes: self.bytes.into_owned().into(), form: self.form, at: self.at }
    }
}

impl PartialEq for Args<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.form, &self.bytes) == (other.form, &other.bytes)
    }
}

impl Eq for Args<'_> {}

impl fmt::Debug for Args<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(f, self.read::<Vec<Value>>(), &self.bytes)
    }
}

/// The values if they can be read, else the bytes.
fn show(f: &mut fmt::Formatter<'_>, values: Result<Vec<Value>>, bytes: &[u8]) -> fmt::Result {
    match values {
        Ok(values) => f.debug_list().entries(values).finish(),
        Err(_) => write!(f, "{bytes:02x?}"),
    }
}

/// Properties of a node, still encoded: compact variants without a count.
///
/// Which property each value is says the configuration of the synchronizer, which both sides have.
#[derive(Clone)]
pub struct State<'a> {
    pub(crate) bytes: Cow<'a, [u8]>,
    /// Where they stand in the packet.
    pub(crate) at: usize,
}

impl<'a> State<'a> {
    /// Encodes the elements of a tuple, array or sequence, or the fields of a struct in their order.
    ///
    /// # Errors
    /// A value that is no list, and as [`to_vec`](godot_variant::to_vec).
    pub fn new<T: Serialize + ?Sized>(values: &T) -> Result<State<'static>> {
        State::new_with(values, &Options::new())
    }

    /// [`new`](Self::new) with options; the dialect is always that of Godot 4, and whole objects
    /// are never allowed here.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn new_with<T: Serialize + ?Sized>(
        values: &T,
        options: &Options,
    ) -> Result<State<'static>> {
        let list = ser::list(values, godot4(options).allow_objects(false))?;
        Ok(State { bytes: list.bytes.into(), at: 0 })
    }

    /// Reads the values into a tuple, array or sequence, or into the fields of a struct in their
    /// order. All of them must be read.
    ///
    /// # Errors
    /// Malformed variants, data that does not fit `T`, or another number of values.
    pub fn read<'s, T: Deserialize<'s>>(&'s self) -> Result<T> {
        self.read_with(&Options::new())
    }

    /// [`read`](Self::read) with options, of which dialect and objects are not looked at.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_with<'s, T: Deserialize<'s>>(&'s self, options: &Options) -> Result<T> {
        let list = de::List::to_end(&self.bytes, godot4(options).allow_objects(false));
        list.read().map_err(|error| error.shifted(self.at))
    }

    /// The encoded values.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The same with its own bytes.
    pub fn into_owned(self) -> State<'static> {
        State { bytes: self.bytes.into_owned().into(), at: self.at }
    }
}

impl PartialEq for State<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for State<'_> {}

impl fmt::Debug for State<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(f, self.read::<Vec<Value>>(), &self.bytes)
    }
}

fn godot4(options: &Options) -> Options {
    options.clone().dialect(Dialect::Godot4)
}
