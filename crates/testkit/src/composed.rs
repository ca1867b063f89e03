//! Types that rows name, composed at run time.
//!
//! A row names its type as text, such as `map<string,vector<int32>>`, and Rust's types are fixed when
//! this is compiled. [`composed!`](crate::composed!) makes one `Element` for the inside of all
//! containers, which asks for its type where it is made: `CURRENT` is the type that is being worked
//! on. What serde sees of a container is the same as if its elements had a type of their own.
//!
//! A generic function for each type would do too, but a map alone has some hundred types.

/// A type of a row: which Rust type stands for it, and what it is composed of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type<Kind> {
    /// Which Rust type stands for it.
    pub kind: Kind,
    /// Its parts, such as a key and a value.
    pub parameters: Vec<Type<Kind>>,
}

impl<Kind> Type<Kind> {
    /// A type that is composed of nothing.
    pub fn simple(kind: Kind) -> Self {
        Type { kind, parameters: Vec::new() }
    }
}

/// Makes `Kind`, `Element<N>`, `Composed` and `with_type` for a list of Rust types, each with the
/// names that rows have for it.
///
/// The first line names the trait of values in rows, and its functions that make a value of JSON
/// and show it as JSON; with `default` after them, `Element<N>` has a default, as every type then has. Every type has the trait, as has
/// `Element<N>`, a value of the parameter `N` of the type around it.
#[macro_export]
macro_rules! composed {
    (
        $trait:ident { $of:ident, $show:ident $(, $default:ident)? }
        $($variant:ident($rust:ty): $($name:literal)|+;)+
    ) => {
        /// Which Rust type stands for a type of a row.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Kind { $($variant),+ }

        impl Kind {
            /// By the name that rows have for it.
            fn named(name: &str) -> Option<Kind> {
                match name {
                    $($($name)|+ => Some(Kind::$variant),)+
                    _ => None,
                }
            }
        }

        pub(crate) type Type = $crate::composed::Type<Kind>;

        ::std::thread_local! {
            /// The type that is being read, made or written down.
            static CURRENT: ::std::cell::Cell<Option<&'static Type>> =
                const { ::std::cell::Cell::new(None) };
        }

        /// Works with a type: it is that of `Element<0>` until `work` is done.
        fn with_type<R>(of_row: Type, work: impl FnOnce() -> R) -> R {
            // Rows are few, and an element may outlive this call.
            let around = Type { kind: of_row.kind, parameters: vec![of_row] };
            CURRENT.set(Some(Box::leak(Box::new(around))));
            work()
        }

        /// Works on the parameter `index` of the current type.
        fn inside<R>(index: usize, work: impl FnOnce(&'static Type) -> R) -> R {
            let outer = CURRENT.get().expect("a type is being worked on");
            let inner = &outer.parameters[index];
            CURRENT.set(Some(inner));
            let done = work(inner);
            CURRENT.set(Some(outer));
            done
        }

        /// A value of the parameter `N` of the type around it.
        #[derive(Clone)]
        pub(crate) struct Element<const N: usize>(Box<Composed>);

        impl<const N: usize> $trait for Element<N> {
            fn $of(json: &$crate::Json) -> Result<Self, String> {
                let made = inside(N, |own| Composed::of(own, json))?;
                Ok(Element(Box::new(made)))
            }

            fn $show(&self) -> $crate::Json {
                self.0.show()
            }

        }

        impl<const N: usize> $crate::serde::Serialize for Element<N> {
            fn serialize<S: $crate::serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
                self.0.serialize(out)
            }
        }

        impl<'de, const N: usize> $crate::serde::Deserialize<'de> for Element<N> {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let made = inside(N, |own| Composed::deserialize(own, from))?;
                Ok(Element(Box::new(made)))
            }
        }

        impl<const N: usize> ::std::fmt::Debug for Element<N> {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(f, "{}", self.0.show())
            }
        }

        impl<const N: usize> PartialEq for Element<N> {
            fn eq(&self, other: &Self) -> bool {
                self.0.show() == other.0.show()
            }
        }

        impl<const N: usize> Eq for Element<N> {}

        impl<const N: usize> PartialOrd for Element<N> {
            fn partial_cmp(&self, other: &Self) -> Option<::std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        impl<const N: usize> Ord for Element<N> {
            fn cmp(&self, other: &Self) -> ::std::cmp::Ordering {
                $crate::composed::order(&self.0.show(), &other.0.show())
            }
        }

        impl<const N: usize> ::std::hash::Hash for Element<N> {
            fn hash<H: ::std::hash::Hasher>(&self, state: &mut H) {
                self.0.show().to_string().hash(state);
            }
        }

        /// A value of any of the types.
        #[derive(Clone)]
        enum Composed { $($variant($rust)),+ }

        impl Composed {
            fn of(own: &Type, json: &$crate::Json) -> Result<Self, String> {
                match own.kind {
                    $(Kind::$variant => <$rust as $trait>::$of(json).map(Composed::$variant),)+
                }
            }

            fn show(&self) -> $crate::Json {
                match self {
                    $(Composed::$variant(value) => $trait::$show(value),)+
                }
            }

            fn serialize<S: $crate::serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Composed::$variant(value) => $crate::serde::Serialize::serialize(value, out),)+
                }
            }

            fn deserialize<'de, D: $crate::serde::Deserializer<'de>>(
                own: &Type,
                from: D,
            ) -> Result<Self, D::Error> {
                match own.kind {
                    $(Kind::$variant => {
                        <$rust as $crate::serde::Deserialize>::deserialize(from)
                            .map(Composed::$variant)
                    })+
                }
            }
        }

        $crate::composed!(@default [$($default)?] $($variant($rust))+);
    };
    (@default [] $($rest:tt)*) => {};
    (@default [default] $($variant:ident($rust:ty))+) => {
        impl<const N: usize> Default for Element<N> {
            fn default() -> Self {
                Element(Box::new(inside(N, |own| match own.kind {
                    $(Kind::$variant => Composed::$variant(<$rust>::default()),)+
                })))
            }
        }
    };
}

/// The order of two values as they are shown: integers by value, others by their text.
#[doc(hidden)]
pub fn order(a: &serde_json::Value, b: &serde_json::Value) -> std::cmp::Ordering {
    let integer = |json: &serde_json::Value| {
        json.as_i64().map(i128::from).or_else(|| json.as_u64().map(i128::from))
    };
    match (integer(a), integer(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ => a.to_string().cmp(&b.to_string()),
    }
}
