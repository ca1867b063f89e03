//! Reading of structs whose members are spelled as in the engine.

/// `Deserialize` of a struct with a default: what is absent keeps it, what is unknown is skipped.
macro_rules! members {
    ($name:ident, $reserved:expr, $what:literal, { $($member:literal $field:ident),+ }) => {
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                use serde_core::de::{Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

                struct MembersVisitor;

                impl<'de> Visitor<'de> for MembersVisitor {
                    type Value = $name;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str($what)
                    }

                    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<$name, A::Error> {
                        let mut value = $name::default();
                        while let Some(name) = map.next_key::<String>()? {
                            match name.as_str() {
                                $($member => value.$field = map.next_value()?,)+
                                _ => drop(map.next_value::<IgnoredAny>()?),
                            }
                        }
                        Ok(value)
                    }

                    /// Formats without names have all members in this order.
                    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<$name, A::Error> {
                        let mut value = $name::default();
                        $(
                            let next = seq.next_element()?;
                            value.$field = next.ok_or_else(|| A::Error::missing_field($member))?;
                        )+
                        Ok(value)
                    }
                }

                deserializer.deserialize_struct($reserved, &[$($member),+], MembersVisitor)
            }
        }
    };
}

pub(super) use members;
