//! The findings of checks.

/// Something in a scene, a resource or a project that refers to what is missing, or contradicts itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The line, from 1. In a binary file it is 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// The node or resource and the property, as errors name them; empty of a file.
    pub place: String,
    /// The kind of fault.
    pub rule: Rule,
    /// The same in a sentence.
    pub message: String,
    /// The change by which [`fix`](crate::fix) mends it.
    pub(super) fix: Option<Fix>,
}

impl Finding {
    /// Whether [`fix`](crate::fix) mends it: what the engine loads stays the same, or was left to chance.
    pub fn is_fixable(&self) -> bool {
        self.fix.is_some()
    }
}

/// A change that mends a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fix {
    /// The mark goes.
    ByteOrderMark,
    /// Lines end with a line feed.
    LineEnds,
    /// Sections come in an order in which they are loaded.
    Order,
    /// A section goes.
    Section(usize),
    /// A property of a section goes, by its place.
    Property(usize, usize),
    /// A field of a section gets another text.
    Field(usize, &'static str, String),
    /// A text in a file of settings gets the place of another.
    Text(String, String),
}

macro_rules! rules {
    ($($(#[$doc:meta])* $rule:ident $name:literal),+ $(,)?) => {
        /// The kinds of [`Finding`]s.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Rule { $($(#[$doc])* $rule),+ }

        impl Rule {
            /// All rules.
            pub const ALL: &'static [Rule] = &[$(Rule::$rule),+];

            /// Its name in reports, such as `stale-override`.
            pub const fn name(self) -> &'static str {
                match self { $(Rule::$rule => $name),+ }
            }
        }
    };
}

rules! {
    /// A mark of a conflict that git left.
    ConflictMarker "conflict-marker",
    /// A byte order mark, with which engines load no scene.
    ByteOrderMark "byte-order-mark",
    /// Lines that end with a carriage return and a line feed: text over several lines has other values then.
    Crlf "crlf",
    /// A file that is no scene or resource.
    NotReadable "not-readable",
    /// A tag that engines do not know, or not there.
    UnknownTag "unknown-tag",
    /// A scene without a node.
    NoNode "no-node",
    /// A resource that stands after what uses it.
    LateResource "late-resource",
    /// A file that is not there.
    MissingFile "missing-file",
    /// A uid that two files have.
    DuplicateUid "duplicate-uid",
    /// A uid that is not that of the file at the path beside it.
    OtherUid "other-uid",
    /// An id that no resource has.
    DanglingId "dangling-id",
    /// An id that two resources have.
    DuplicateId "duplicate-id",
    /// A property that is set twice.
    DuplicateProperty "duplicate-property",
    /// Two nodes of one name below one parent.
    DuplicateNode "duplicate-node",
    /// A unique name that two nodes have.
    DuplicateName "duplicate-name",
    /// A connection that is made twice.
    DuplicateConnection "duplicate-connection",
    /// A node that stands before its parent.
    LateParent "late-parent",
    /// A parent that is not there.
    DanglingParent "dangling-parent",
    /// A scene that is an instance in itself.
    InstanceCycle "instance-cycle",
    /// Changes of a node that the inherited or instanced scene does not have.
    StaleOverride "stale-override",
    /// A connection from or to a node that is not there.
    StaleConnection "stale-connection",
    /// An editable instance that is not there.
    StaleEditable "stale-editable",
    /// A path of a node that leads nowhere.
    DanglingPath "dangling-path",
}
