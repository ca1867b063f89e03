use std::fmt;
use std::sync::Arc;

use crate::{Action, Issue, TypeRegistry};

/// Which description of the format to follow where they differ.
///
/// `docs/formats/o3de-json.md` of the repository has the table of all differences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Conformance {
    /// What the engine does.
    #[default]
    Engine,
    /// The published page of the format, taken literally: short vectors and arrays are filled up,
    /// maps whose keys are no strings are always arrays, flags are written in the order of their
    /// registration without redundant names, a colour object has exactly one key, and no
    /// default is stripped.
    Docs,
}

/// What happens to data that does not fit, in the functions that give no
/// [`Report`](crate::Report).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Policy {
    /// A value that does not fit its type is an error; unknown members are ignored.
    #[default]
    Checked,
    /// As the engine's functions for whole files: unknown members and spare elements are errors
    /// too.
    Strict,
    /// As the engine's loader itself: what does not fit is left out.
    Lenient,
}

/// How doubles are spelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Floats {
    /// As the engine writes them: an `f32` is widened first, and the digits are those of its
    /// writer, which in a few of a thousand cases are not the shortest.
    #[default]
    Engine,
    /// The shortest text that reads back as the same number of the same width.
    Shortest,
}

/// How to read and write: policy, conformance, limits.
///
/// ```
/// use o3de_json::Options;
///
/// let options = Options::new().trailing_commas(true).max_depth(16);
/// assert_eq!(options.from_str::<Vec<u8>>("[1, 2, /* three */ 3,]")?, [1, 2, 3]);
/// # Ok::<(), o3de_json::Error>(())
/// ```
#[derive(Clone)]
pub struct Options {
    pub(crate) conformance: Conformance,
    pub(crate) policy: Policy,
    pub(crate) comments: bool,
    pub(crate) trailing_commas: bool,
    pub(crate) clear_containers: bool,
    pub(crate) keep_defaults: bool,
    pub(crate) exact_floats: bool,
    pub(crate) pretty: bool,
    pub(crate) floats: Floats,
    pub(crate) max_depth: usize,
    pub(crate) max_alloc: usize,
    pub(crate) max_output: usize,
    pub(crate) max_issues: usize,
    pub(crate) types: Option<Arc<TypeRegistry>>,
    pub(crate) on_issue: Option<Arc<dyn Fn(&Issue) -> Action + Send + Sync>>,
}

impl Default for Options {
    fn default() -> Self {
        Options::new()
    }
}

impl Options {
    /// The engine's conformance, [`Policy::Checked`], comments, compact output, finite limits.
    pub const fn new() -> Self {
        Options {
            conformance: Conformance::Engine,
            policy: Policy::Checked,
            comments: true,
            trailing_commas: false,
            clear_containers: false,
            keep_defaults: false,
            exact_floats: false,
            pretty: false,
            floats: Floats::Engine,
            max_depth: 128,
            max_alloc: 256 << 20,
            max_output: 1 << 30,
            max_issues: 1000,
            types: None,
            on_issue: None,
        }
    }

    /// Which description of the format to follow. Default [`Conformance::Engine`].
    #[must_use]
    pub fn conformance(mut self, conformance: Conformance) -> Self {
        self.conformance = conformance;
        self
    }

    /// What happens to data that does not fit. Default [`Policy::Checked`].
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// [`Policy::Strict`] or, with `false`, [`Policy::Checked`].
    #[must_use]
    pub fn strict(self, strict: bool) -> Self {
        self.policy(if strict { Policy::Strict } else { Policy::Checked })
    }

    /// [`Policy::Lenient`] or, with `false`, [`Policy::Checked`].
    #[must_use]
    pub fn lenient(self, lenient: bool) -> Self {
        self.policy(if lenient { Policy::Lenient } else { Policy::Checked })
    }

    /// Accepts `//` and `/* */` where white space may stand, as the engine's file functions do.
    /// Default `true`; with `false` the text must be JSON by RFC 8259.
    #[must_use]
    pub fn comments(mut self, accept: bool) -> Self {
        self.comments = accept;
        self
    }

    /// Accepts a comma after the last element or member, as the engine's settings registry does.
    /// Default `false`.
    #[must_use]
    pub fn trailing_commas(mut self, accept: bool) -> Self {
        self.trailing_commas = accept;
        self
    }

    /// Whether [`load_into`](Self::load_into) empties sequences and maps that the text has, before
    /// it fills them. Default `false`, as in the engine: they are added to.
    #[must_use]
    pub fn clear_containers(mut self, clear: bool) -> Self {
        self.clear_containers = clear;
        self
    }

    /// Whether [`store`](Self::store) and its kin write values that are the default. Default
    /// `false`. [`to_string`](Self::to_string) always does.
    #[must_use]
    pub fn keep_defaults(mut self, keep: bool) -> Self {
        self.keep_defaults = keep;
        self
    }

    /// Whether stripping compares floats exactly. Default `false`, as in the engine: a float is its
    /// default when they differ by no more than the epsilon of its type, so that 1e-8 is lost
    /// where the default is 0.
    #[must_use]
    pub fn exact_floats(mut self, exact: bool) -> Self {
        self.exact_floats = exact;
        self
    }

    /// Whether text is written with line breaks, indented by four spaces, as the engine's files.
    /// Default `false`. [`to_string_pretty`](Self::to_string_pretty) always does.
    #[must_use]
    pub fn pretty(mut self, pretty: bool) -> Self {
        self.pretty = pretty;
        self
    }

    /// How floats are spelled. Default [`Floats::Engine`].
    #[must_use]
    pub fn floats(mut self, floats: Floats) -> Self {
        self.floats = floats;
        self
    }

    /// How deep arrays and objects may nest, reading and writing. Default 128.
    #[must_use]
    pub fn max_depth(mut self, depth: usize) -> Self {
        self.max_depth = depth;
        self
    }

    /// The most bytes that a reader is drained into. Default 256 MiB.
    #[must_use]
    pub fn max_alloc(mut self, bytes: usize) -> Self {
        self.max_alloc = bytes;
        self
    }

    /// The most bytes that one value may be written as. Default 1 GiB.
    #[must_use]
    pub fn max_output(mut self, bytes: usize) -> Self {
        self.max_output = bytes;
        self
    }

    /// The most issues that a [`Report`](crate::Report) holds; more are only counted. Default
    /// 1000.
    #[must_use]
    pub fn max_issues(mut self, count: usize) -> Self {
        self.max_issues = count;
        self
    }

    /// What is known of the engine's types, for `$type`. Without it, the variants of a Rust enum
    /// are all that is known.
    #[must_use]
    pub fn types(mut self, types: Arc<TypeRegistry>) -> Self {
        self.types = Some(types);
        self
    }

    /// Asks `callback` about every issue before the [`Policy`] applies, as the engine's reporter:
    /// it may turn the outcome into another one, or stop the load.
    #[must_use]
    pub fn on_issue(mut self, callback: impl Fn(&Issue) -> Action + Send + Sync + 'static) -> Self {
        self.on_issue = Some(Arc::new(callback));
        self
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("conformance", &self.conformance)
            .field("policy", &self.policy)
            .field("comments", &self.comments)
            .field("trailing_commas", &self.trailing_commas)
            .field("clear_containers", &self.clear_containers)
            .field("keep_defaults", &self.keep_defaults)
            .field("exact_floats", &self.exact_floats)
            .field("pretty", &self.pretty)
            .field("floats", &self.floats)
            .field("max_depth", &self.max_depth)
            .field("max_alloc", &self.max_alloc)
            .field("max_output", &self.max_output)
            .field("max_issues", &self.max_issues)
            .field("types", &self.types.is_some())
            .field("on_issue", &self.on_issue.is_some())
            .finish()
    }
}

impl Options {
    /// Says what every byte of a text means; never fails, see
    /// [`Explanation::error`](crate::Explanation::error).
    pub fn explain(&self, bytes: &[u8]) -> crate::Explanation {
        crate::explain::explain(bytes, self)
    }
}
