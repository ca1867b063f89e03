/// Methods that set a field of a builder by value.
macro_rules! setters {
    ($($(#[$meta:meta])* pub fn $name:ident($argument:ident: $type:ty);)+) => {$(
        $(#[$meta])*
        #[must_use]
        pub fn $name(mut self, $argument: $type) -> Self {
            self.$name = $argument;
            self
        }
    )+};
}

pub(crate) use setters;
