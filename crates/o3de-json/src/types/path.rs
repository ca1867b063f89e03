use std::fmt;
use std::ops::Deref;

use serde_core::de::{Deserialize, Deserializer};
use serde_core::ser::{Serialize, Serializer};

use super::handoff;

/// The most bytes of the engine's fixed paths, `AZ::IO::MaxPathLength`.
pub(crate) const MAX_PATH: usize = 1024;

/// Newtypes of a string that the engine reads by separate rules.
macro_rules! text {
    ($(#[$meta:meta])* $name:ident, $reserved:expr) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(
            /// The characters.
            pub String,
        );

        impl Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                $name(text.to_owned())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                $name(text)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct($reserved, &self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                handoff::read($reserved, deserializer).map($name)
            }
        }
    };
}

text! {
    /// A path (`AZ::IO::Path`), with `/` between its parts: only a string is read, and it is normalized
    /// without a look at any disk, so that `a/./b/../c` becomes `a/c`.
    AssetPath, handoff::PATH
}
text! {
    /// A path of no more than 1024 bytes (`AZ::IO::FixedMaxPath`): a longer one is
    /// [`Invalid`](crate::report::Outcome::Invalid).
    FixedMaxPath, handoff::FIXED_PATH
}

text! {
    /// A name that the engine keeps once (`AZ::Name`), read as any string is.
    Name, handoff::NAME
}

/// A path without `.`, without `..` after a name, and without doubled separators.
pub(crate) fn normal_path(path: &str) -> String {
    let root = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => match parts.last() {
                Some(&last) if last != ".." => {
                    parts.pop();
                }
                _ if root => {}
                _ => parts.push(part),
            },
            _ => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match (root, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) if !path.is_empty() => ".".to_owned(),
        (false, _) => joined,
    }
}
