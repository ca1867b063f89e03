//! A solution, with every name resolved.

use std::collections::HashMap;

use super::place::Place;
use super::types::Spelling;

/// All solutions of a run: the one that was asked for, and those that it imports.
#[derive(Debug, Default)]
pub struct Schema {
    /// Solutions and modules. A parent comes before what is in it.
    pub spaces: Vec<Space>,
    /// Beans and keys.
    pub beans: Vec<Bean>,
    /// Indices of the beans, by their full names.
    pub by_name: HashMap<String, usize>,
    pub(super) services: Vec<Service>,
}

/// A solution or a module.
#[derive(Debug)]
pub struct Space {
    /// Its own name.
    pub name: String,
    /// With the names of what it is in: `demo.Module1`.
    pub full: String,
    /// `None` for a solution.
    pub parent: Option<usize>,
    /// The id of a module.
    pub id: Option<u32>,
    pub(super) comment: String,
    pub(super) constants: Vec<Constant>,
    /// Protocols and rpcs.
    pub protocols: Vec<Protocol>,
    pub(super) tables: Vec<Table>,
    /// Protocols of other modules that services of this one handle as well: their full names.
    pub(super) refs: Vec<(String, Place)>,
}

/// A bean or a key as it is declared.
#[derive(Clone, Debug)]
pub(super) struct BeanText {
    pub(super) name: String,
    pub(super) space: usize,
    pub(super) place: Place,
    /// A `beankey`, which can be a key of maps and an element of sets.
    pub(super) is_key: bool,
    /// Empty for none.
    pub(super) base: String,
    pub(super) type_id: Option<i64>,
    pub(super) comment: String,
    pub(super) constants: Vec<Constant>,
    pub(super) variables: Vec<VariableText>,
}

#[derive(Clone, Debug)]
pub(super) struct VariableText {
    pub(super) id: u32,
    pub(super) name: String,
    pub(super) place: Place,
    /// The type as the file spells it.
    pub(super) spelled: String,
    pub(super) spelling: Spelling,
    /// `Bean` or `Bean:5` of each bean of a dynamic.
    pub(super) choices: Vec<String>,
    /// The value of a new bean; empty for the type's zero.
    pub(super) default: String,
    /// Not serialized.
    pub(super) is_transient: bool,
    pub(super) fixed_size: Option<u32>,
    pub(super) comment: String,
}

#[derive(Debug)]
pub(super) struct ProtocolText {
    pub(super) name: String,
    pub(super) space: usize,
    pub(super) place: Place,
    pub(super) id: Option<i32>,
    pub(super) argument: String,
    /// `None` for a protocol; empty for an rpc without a result.
    pub(super) result: Option<String>,
    pub(super) is_raft: bool,
    /// The handlers, as the file names them.
    pub(super) handle: String,
    pub(super) comment: String,
    pub(super) constants: Vec<Constant>,
}

/// A bean or a key.
#[derive(Debug)]
pub struct Bean {
    /// As it is declared, without its variables.
    pub(super) text: BeanText,
    /// The full name.
    pub full: String,
    /// The bean whose fields follow those of this one.
    pub base: Option<usize>,
    /// The id in a dynamic that gives no ids.
    pub type_id: i64,
    /// Whether `type_id` is the hash of the full name.
    pub(super) is_hashed: bool,
    /// In ascending order of their ids.
    pub variables: Vec<Variable>,
}

/// A variable of a bean.
#[derive(Debug)]
pub struct Variable {
    /// As it is declared.
    pub(super) text: VariableText,
    /// Its type.
    pub kind: Kind,
    /// The beans of the dynamic in `kind`, if there is one.
    pub choices: Vec<Choice>,
}

impl Variable {
    /// The id on the wire.
    pub fn id(&self) -> u32 {
        self.text.id
    }

    /// The name in the solution.
    pub fn name(&self) -> &str {
        &self.text.name
    }

    /// Whether it is never written.
    pub fn is_transient(&self) -> bool {
        self.text.is_transient
    }
}

/// One bean of a dynamic.
#[derive(Debug)]
pub struct Choice {
    /// The id that stands before the bean.
    pub type_id: i64,
    pub(super) is_hashed: bool,
    /// The bean.
    pub bean: Target,
}

/// A type of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of Zeze")]
pub enum Kind {
    Bool,
    Byte,
    Short,
    Int,
    Long,
    Float,
    Double,
    Binary,
    String,
    Decimal,
    Vector2,
    Vector2Int,
    Vector3,
    Vector3Int,
    Vector4,
    Quaternion,
    /// A bean or a key.
    Bean(Target),
    /// One of several beans.
    Dynamic,
    /// A list of elements.
    List(Box<Kind>),
    /// A set of elements.
    Set(Box<Kind>),
    /// Keys and values.
    Map(Box<Kind>, Box<Kind>),
    /// Rows, columns and cells.
    Table(Box<Kind>, Box<Kind>, Box<Kind>),
}

/// The bean that a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// In [`Schema::beans`].
    Here(usize),
    /// A bean that is written by hand: the full name, and the Rust path if one was given.
    External {
        /// The full name.
        name: String,
        /// The Rust path.
        path: Option<String>,
        /// Whether it can be a key.
        is_key: bool,
    },
}

/// A constant of a bean, a module or a protocol: `<enum>`.
#[derive(Clone, Debug)]
pub(super) struct Constant {
    pub(super) name: String,
    /// The Rust type.
    pub(super) kind: &'static str,
    /// A Rust literal.
    pub(super) value: String,
    pub(super) comment: String,
}

/// A protocol or an rpc.
#[derive(Debug)]
pub struct Protocol {
    /// As it is declared.
    pub(super) text: ProtocolText,
    /// The full name.
    pub full: String,
    /// The id in its module.
    pub id: u32,
    /// `None` is an empty bean.
    pub argument: Option<Target>,
    /// Whether it is answered.
    pub shape: Shape,
}

/// A table of a database.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) full: String,
    pub(super) place: Place,
    /// As the file spells them.
    pub(super) key_name: String,
    pub(super) value_name: String,
    /// Not stored.
    pub(super) is_memory: bool,
    /// The types of these names; `None` where there are none.
    pub(super) key: Option<Kind>,
    pub(super) value: Option<usize>,
}

/// A service as it is declared: what one process says on one sort of connection.
#[derive(Clone, Debug)]
pub(super) struct ServiceText {
    /// The solution.
    pub(super) space: usize,
    /// The name of the project or component.
    pub(super) project: String,
    /// Empty in a component.
    pub(super) name: String,
    /// `server`, `client` and so on, with commas.
    pub(super) handle: String,
    /// Full names of the modules, and where they are named.
    pub(super) modules: Vec<(String, Place)>,
}

#[derive(Debug)]
pub(super) struct Service {
    pub(super) text: ServiceText,
    /// Those that it handles: the index of the space, and that in its protocols.
    pub(super) protocols: Vec<(usize, usize)>,
}

/// A protocol or an rpc.
#[derive(Debug)]
pub enum Shape {
    /// A message without an answer.
    Protocol,
    /// A call.
    Rpc {
        /// `None` is an empty bean.
        result: Option<Target>,
        /// Whether the answer comes when the change is safe in a Raft log.
        is_raft: bool,
    },
}
