//! Results of loads and stores, in the engine's words: outcomes and how they combine, issues with
//! their place, the report of it all.
//!
//! The rules are
//! [Results](https://github.com/gamewire/gamewire/blob/main/docs/formats/o3de-json.md#results) in the
//! description of the format.

use std::fmt;

macro_rules! outcomes {
    ($($(#[$meta:meta])* $name:ident = $number:literal is $processing:ident,)+) => {
        /// How one step of loading or storing ended, in the engine's order of severity.
        ///
        /// Source: `JsonSerializationResult.h` of the engine.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        pub enum Outcome {
            $($(#[$meta])* $name = $number,)+
        }

        impl Outcome {
            /// All outcomes, least severe first.
            pub const ALL: [Outcome; [$($number),+].len()] = [$(Outcome::$name),+];

            /// The effect of the outcome on the value.
            pub const fn processing(self) -> Processing {
                match self {
                    $(Outcome::$name => Processing::$processing,)+
                }
            }

            /// The engine's name: `PartialDefaults`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Outcome::$name => stringify!($name),)+
                }
            }
        }
    };
}

outcomes! {
    /// All of it was processed.
    Success = 1 is Completed,
    /// A member or element had no place in the type.
    Skipped = 2 is Completed,
    /// Parts had no place in the type.
    PartialSkip = 3 is Completed,
    /// Nothing but defaults.
    DefaultsUsed = 4 is Completed,
    /// Some parts are defaults.
    PartialDefaults = 5 is Completed,
    /// No room for the value: a full container, a set that has it already.
    Unavailable = 6 is Altered,
    /// The value does not fit the type.
    Unsupported = 7 is Altered,
    /// The named type is not the expected one or derived from it.
    TypeMismatch = 8 is Halted,
    /// A `test` operation of a patch failed.
    TestFailed = 9 is Halted,
    /// Something required is missing.
    Missing = 10 is Halted,
    /// The data contradicts itself.
    Invalid = 11 is Halted,
    /// An unknown type or name.
    Unknown = 12 is Halted,
    /// Nothing to continue from.
    Catastrophic = 13 is Halted,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The effect on the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Processing {
    /// It is as the data says.
    Completed = 1,
    /// It is not what the data says.
    Altered = 2,
    /// Parts of it are not what the data says.
    PartialAlter = 3,
    /// Loading stopped.
    Halted = 4,
}

/// The work that was being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Task {
    /// Finding out about a type.
    RetrieveInfo = 1,
    /// Making a default instance.
    CreateDefault = 2,
    /// Converting a value.
    Convert = 3,
    /// Clearing a container.
    Clear = 4,
    /// Reading a field.
    ReadField = 5,
    /// Writing a value.
    WriteValue = 6,
    /// Applying a patch.
    Merge = 7,
    /// Making a patch.
    CreatePatch = 8,
    /// Resolving an import.
    Import = 9,
}

/// Task, processing and outcome together, as the engine packs and combines them.
///
/// ```
/// use o3de_json::report::{Outcome, Processing, ResultCode, Task};
///
/// let loaded = ResultCode::new(Task::ReadField, Outcome::Success);
/// let absent = ResultCode::new(Task::ReadField, Outcome::DefaultsUsed);
/// assert_eq!(loaded.combine(absent).outcome(), Outcome::PartialDefaults);
///
/// let bad = ResultCode::new(Task::ReadField, Outcome::Unsupported);
/// assert_eq!(loaded.combine(bad).processing(), Processing::PartialAlter);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ResultCode {
    /// Outcome in the upper half, 0 for "no work done"; then processing, then task.
    packed: u32,
}

impl ResultCode {
    pub(crate) const SUCCESS: ResultCode = ResultCode::new(Task::ReadField, Outcome::Success);

    /// The end of one step.
    pub const fn new(task: Task, outcome: Outcome) -> Self {
        ResultCode::of_parts(outcome as u32, outcome.processing() as u32, task as u32)
    }

    /// Nothing was done yet: reads as [`Outcome::DefaultsUsed`], and gives way to any other code.
    pub const fn idle(task: Task) -> Self {
        ResultCode::of_parts(0, 0, task as u32)
    }

    const fn of_parts(outcome: u32, processing: u32, task: u32) -> Self {
        ResultCode { packed: outcome << 16 | processing << 8 | task }
    }

    const fn raw_outcome(self) -> u32 {
        self.packed >> 16
    }

    const fn raw_processing(self) -> u32 {
        self.packed >> 8 & 0xff
    }

    /// Whether nothing was done at all.
    pub const fn is_idle(self) -> bool {
        self.raw_outcome() == 0
    }

    /// The outcome.
    pub fn outcome(self) -> Outcome {
        let at = self.raw_outcome().checked_sub(1).and_then(|at| usize::try_from(at).ok());
        at.and_then(|at| Outcome::ALL.get(at).copied()).unwrap_or(Outcome::DefaultsUsed)
    }

    /// The effect on the value.
    pub const fn processing(self) -> Processing {
        match self.raw_processing() {
            2 => Processing::Altered,
            3 => Processing::PartialAlter,
            4 => Processing::Halted,
            _ => Processing::Completed,
        }
    }

    /// The task of the more severe part.
    pub fn task(self) -> Task {
        use Task::*;
        let all = [RetrieveInfo, CreateDefault, Convert, Clear, ReadField, WriteValue, Merge];
        let number = self.packed & 0xff;
        let mut all = all.into_iter().chain([CreatePatch, Import]);
        all.find(|task| *task as u32 == number).unwrap_or(ReadField)
    }

    /// The code of two steps together, as `ResultCode::Combine` of the engine: the more severe one,
    /// with `Success` and `DefaultsUsed` making `PartialDefaults`, `Success` and `Skipped` making
    /// `PartialSkip`, completed and altered making [`Processing::PartialAlter`].
    #[must_use]
    pub const fn combine(self, other: ResultCode) -> ResultCode {
        const SUCCESS: u32 = Outcome::Success as u32;
        const SKIPPED: u32 = Outcome::Skipped as u32;
        const DEFAULTS: u32 = Outcome::DefaultsUsed as u32;
        let (low, high) = if self.packed < other.packed { (self, other) } else { (other, self) };
        let (outcome, processing, task) =
            (high.raw_outcome(), high.raw_processing(), high.packed & 0xff);
        let outcome = match (low.raw_outcome(), outcome) {
            (SUCCESS, DEFAULTS) => Outcome::PartialDefaults as u32,
            (SUCCESS, SKIPPED) => Outcome::PartialSkip as u32,
            (_, outcome) => outcome,
        };
        let processing = match (low.raw_processing(), processing) {
            (1, 2) | (2, 1) => 3,
            (_, processing) => processing,
        };
        ResultCode::of_parts(outcome, processing, task)
    }

    /// Whether nothing was left out, changed or stopped; defaults do not count.
    ///
    /// The engine's functions for whole files demand this of every step.
    pub fn is_clean(self) -> bool {
        matches!(
            self.outcome(),
            Outcome::Success | Outcome::DefaultsUsed | Outcome::PartialDefaults
        )
    }
}

impl fmt::Debug for ResultCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_idle() {
            return write!(f, "ResultCode({:?}, idle)", self.task());
        }
        write!(f, "ResultCode({:?}, {:?}, {:?})", self.task(), self.outcome(), self.processing())
    }
}

/// One thing that was left out, changed or stopped.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Issue {
    /// JSON Pointer (RFC 6901) of the value in the text; for issues of storing, the engine's dot
    /// path. The root is the empty string.
    pub pointer: String,
    /// Byte offset of the value in the text; 0 where there is no text.
    pub offset: usize,
    /// Line of the text, from 1; 0 where there is no text.
    pub line: usize,
    /// Column in its line, from 1, counted in characters; 0 where there is no text.
    pub column: usize,
    /// The work that was being done.
    pub task: Task,
    /// How it ended.
    pub outcome: Outcome,
    /// One sentence about it, without place.
    pub message: String,
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.outcome, self.message)?;
        if self.line > 0 {
            write!(f, " at line {}, column {}", self.line, self.column)?;
        }
        if !self.pointer.is_empty() {
            write!(f, ", in {}", self.pointer)?;
        }
        Ok(())
    }
}

/// A callback's answer to an [`Issue`]; see [`Options::on_issue`](crate::Options::on_issue).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Action {
    /// Leave the outcome as it is.
    Keep,
    /// Go on as if this had been the outcome.
    Replace(Outcome),
    /// Stop with an error.
    Refuse,
}

/// The result of a load or store: the combined code, and all issues.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Report {
    pub(crate) code: ResultCode,
    pub(crate) issues: Vec<Issue>,
    pub(crate) omitted: usize,
}

impl Report {
    /// A report of a task in which nothing has happened yet.
    pub fn new(task: Task) -> Self {
        Report { code: ResultCode::idle(task), issues: Vec::new(), omitted: 0 }
    }

    /// Combines a result code with that of the report.
    pub fn add_code(&mut self, code: ResultCode) {
        self.code = self.code.combine(code);
    }

    /// Adds an issue; counts it as omitted where there are `max_issues` already.
    pub fn add_issue(&mut self, issue: Issue, max_issues: usize) {
        match self.issues.len() < max_issues {
            true => self.issues.push(issue),
            false => self.omitted = self.omitted.saturating_add(1),
        }
    }

    /// The combined result code of the engine.
    pub fn code(&self) -> ResultCode {
        self.code
    }

    /// The combined outcome.
    pub fn outcome(&self) -> Outcome {
        self.code.outcome()
    }

    /// The combined processing.
    pub fn processing(&self) -> Processing {
        self.code.processing()
    }

    /// Everything that was skipped, altered or stopped, in the order of the text. Defaults are no
    /// issues.
    pub fn issues(&self) -> &[Issue] {
        &self.issues
    }

    /// How many issues there were beyond [`max_issues`](crate::Options::max_issues).
    pub fn omitted(&self) -> usize {
        self.omitted
    }

    /// Whether there was no issue at all.
    pub fn is_clean(&self) -> bool {
        self.issues.is_empty() && self.omitted == 0 && self.code.is_clean()
    }
}

impl fmt::Display for Report {
    /// A line for each issue.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, {}", self.processing(), self.outcome())?;
        for issue in &self.issues {
            write!(f, "\n{issue}")?;
        }
        if self.omitted > 0 {
            write!(f, "\nand {} more", self.omitted)?;
        }
        Ok(())
    }
}
