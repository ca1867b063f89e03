//! Builder methods.

/// Methods that take a value and return it with one field changed.
macro_rules! setters {
    (
        $type:ty;
        $($(#[$about:meta])* $name:ident($argument:ident: $kind:ty) => $field:ident = $new:expr;)+
    ) => {
        impl $type {$(
            $(#[$about])*
            #[must_use]
            pub const fn $name(mut self, $argument: $kind) -> Self {
                self.$field = $new;
                self
            }
        )+}
    };
}
pub(crate) use setters;
