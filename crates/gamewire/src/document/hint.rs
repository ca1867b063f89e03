//! Ways out of errors, in the words of whoever made the call.

use std::fmt;

/// Declares the hints: each with its name and its sentence, in which settings stand in braces.
macro_rules! hints {
    ($($(#[$about:meta])* $variant:ident $(($value:ident: $type:ty))?, $name:literal, $sentence:literal;)+) => {
        /// A way out of an [`Error`](super::Error): which setting to change, or what else to do.
        ///
        /// `Display` names fields of [`Settings`](super::Settings) and [`Edit`](super::Edit).
        /// [`to_sentence`](Hint::to_sentence) spells them as the options of a program.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Hint {
            $($(#[$about])* $variant $(($type))?,)+
            /// A sentence of a program that checks more than this crate.
            Other(String),
        }

        impl Hint {
            /// The name, the value that a setting is to have, and the sentence.
            fn parts(&self) -> (&'static str, Option<&str>, &str) {
                match self {
                    $(Hint::$variant $(($value))? => {
                        #[allow(unused_mut, unused_assignments, reason = "not for hints without a value")]
                        let mut to = None;
                        $(to = Some::<&str>($value);)?
                        ($name, to, $sentence)
                    })+
                    Hint::Other(text) => ("other", None, text),
                }
            }
        }
    };
}

hints! {
    /// The value is to have another kind.
    OtherKind, "other_kind", "{kind} says it is to be another kind";
    /// The value, which is null now, is to have another kind.
    NewKind, "new_kind", "{kind} says what it is to be";
    /// A new value may have several kinds.
    MissingKind, "missing_kind", "{kind} says which kind it is";
    /// The value was given as one of this kind.
    KindOf(kind: String), "kind_of", "{kind} makes it one";
    /// This kind holds the whole number.
    ExactKind(kind: &'static str), "exact_kind", "{kind} keeps it";
    /// The file shows no format.
    Format, "format", "if it has one, name it with {format}";
    /// The file is damaged and shows no format.
    DamagedFormat, "damaged_format", "{format} says what it was";
    /// This format reads the file.
    OtherFormat(name: &'static str), "other_format", "{format} reads it";
    /// Only strict reading refuses the file.
    Strict, "strict", "without {strict} this is read";
    /// Only strict reading refuses the file, which the engine reads.
    StrictEngine, "strict_engine", "without {strict} this is read as the engine reads it";
    /// Containers nest too deep.
    Depth, "depth", "{max_depth} allows deeper nesting";
    /// Reading takes too much memory.
    Memory, "memory", "{max_memory} allows more";
    /// The file unpacks to too much.
    Output, "output", "{max_output} allows longer documents";
    /// This dialect reads the file.
    Dialect(name: &'static str), "dialect", "{dialect} reads it";
    /// Values of several dialects fill the file.
    AnyDialect, "any_dialect", "{dialect} says which engine wrote it";
    /// Values stand behind so many bytes.
    Skip(bytes: String), "skip", "{skip} reads them";
    /// Values stand among other things, which this framing reads.
    Framing(name: &'static str), "framing", "{framing} reads it";
    /// This compression reads the stream.
    Stream(name: &'static str), "stream", "{stream} reads it";
    /// Whole objects are not allowed.
    Objects, "objects", "whole objects are read and written with {objects}";
    /// The file is encrypted.
    Secret, "secret", "{password} or {key} opens it; games take a text of their own, or OS.get_unique_id(), which is \
        /etc/machine-id on Linux and the GUID of the hardware profile on Windows";
    /// The file is to be encrypted.
    NewSecret, "new_secret", "{password} or {key}";
    /// Another secret opens the file, or the same one as another kind.
    OtherSecret, "other_secret", "keys are written with {key}, passwords with {password}; games take a text of their own, or OS.get_unique_id(), \
        which is /etc/machine-id on Linux and the GUID of the hardware profile on Windows";
    /// The key is spelled wrong.
    Key, "key", "{key} takes 64 hexadecimal digits";
    /// Frames have bytes after their values.
    PartialFrames, "partial_frames",
        "{partial_frames} passes over them; perhaps the file is of another dialect";
    /// The bytes mean nothing without a type list.
    Types, "types", "the bytes do not say what they are: {types} names a type list";
    /// The type lists lack a class or a property.
    OtherTypes, "other_types", "perhaps another type list has it; {types} may be made of several";
    /// The serializer flags may be other ones.
    Flags, "flags", "serializer flag 4 is set; see {flags}";
    /// Objects may be laid out otherwise.
    Layout, "layout", "the bytes do not say how they are laid out: {mode}, {flags} and {mask} do";
    /// The file looks like a damaged one of this form.
    Form(name: &'static str), "form",
        "this looks like a size and compressed data, damaged: {form} reads it so";
    /// The file is an archive.
    Entry, "entry", "each of its entries is opened alone";
    /// The file is text for what takes bytes.
    Binary, "binary", "convert makes a binary file of it";
    /// A key occurs twice.
    Duplicates, "duplicates", "{duplicates} reads them all the same";
    /// The save needs assets.
    Assets, "assets", "a package that is built of the save can have them";
    /// The file may have these frames.
    Frames(name: &'static str), "frames", "the frames of the published page are read with {frames}";
    /// Only JSON that has what is around the data says all that is to be written.
    Wrap, "wrap", "write the JSON with what is around the data, and give the ids there";
    /// The field has no number.
    Solution, "solution", "or its name in the {solution}";
}

impl Hint {
    /// Returns the name: that of the variant in lower case, with `_` between words.
    pub fn name(&self) -> &'static str {
        self.parts().0
    }

    /// Returns the sentence with its settings as `spell` gives them; `None` where that has no such setting.
    ///
    /// `spell` receives a name that [`Settings::set`](super::Settings::set) takes, or `kind`, `types` or `solution`,
    /// and the value that the setting is to have, where it is known.
    ///
    /// ```
    /// use gamewire::document::Hint;
    ///
    /// let flag = |name: &str, _: Option<&str>| Some(format!("--{}", name.replace('_', "-")));
    /// assert_eq!(Hint::Depth.to_sentence(flag).unwrap(), "--max-depth allows deeper nesting");
    /// assert_eq!(Hint::Depth.to_string(), "`max_depth` allows deeper nesting");
    /// ```
    pub fn to_sentence(
        &self,
        spell: impl Fn(&str, Option<&str>) -> Option<String>,
    ) -> Option<String> {
        let (_, value, sentence) = self.parts();
        if let Hint::Other(text) = self {
            return Some(text.clone());
        }
        let mut made = String::new();
        for part in sentence.split('}') {
            let (text, setting) = part.split_once('{').unwrap_or((part, ""));
            made.push_str(text);
            if !setting.is_empty() {
                made.push_str(&spell(setting, value)?);
            }
        }
        Some(made)
    }
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = |name: &str, value: Option<&str>| {
            let name = match name {
                "password" => "Secret::Password",
                "key" => "Secret::Hex",
                "types" => "schema",
                name => name,
            };
            Some(value.map_or_else(|| format!("`{name}`"), |value| format!("`{name}` {value}")))
        };
        f.write_str(&self.to_sentence(field).unwrap_or_default())
    }
}
