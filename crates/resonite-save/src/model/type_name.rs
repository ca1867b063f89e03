use std::fmt;
use std::str::FromStr;

use crate::error::{Error, ErrorKind, Result, Shortened};

/// The [name of a .NET type](https://github.com/gamewire/gamewire/blob/main/docs/formats/resonite-brson.md#names-of-types), as `Types` lists them.
///
/// ```text
/// [FrooxEngine]FrooxEngine.ProtoFlux.CoreNodes.FieldDriveBase<float3?>+Proxy
///  └ assembly  └ parts, split at +             └ arguments
/// ```
///
/// `FromStr` and `Display` are Resonite's notation; [`parse_net`](Self::parse_net) and
/// [`to_net`](Self::to_net) that of NeosVR's files, which is .NET's own.
///
/// ```
/// use resonite_save::model::TypeName;
///
/// let name: TypeName = "[FrooxEngine]FrooxEngine.DynamicReferenceVariable<[FrooxEngine]FrooxEngine.IAssetProvider<[FrooxEngine]FrooxEngine.Material>>".parse()?;
/// assert_eq!(name.assembly(), Some("FrooxEngine"));
/// assert_eq!(name.namespace(), "FrooxEngine");
/// assert_eq!(name.simple_name(), "DynamicReferenceVariable");
/// assert_eq!(name.arguments()[0].as_ref().unwrap().arguments().len(), 1);
/// assert_eq!(name.short().to_string(), "DynamicReferenceVariable<IAssetProvider<Material>>");
///
/// let old = TypeName::parse_net(
///     "FrooxEngine.ValueMultiDriver`1[[BaseX.color, BaseX, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null]]",
/// )?;
/// assert_eq!(old.modern().to_string(), "[FrooxEngine]FrooxEngine.ValueMultiDriver<color>");
/// # Ok::<(), resonite_brson::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeName {
    assembly: Option<String>,
    /// `, Version=…` and what follows, of a .NET name.
    details: String,
    parts: Vec<NamePart>,
    nullable: bool,
    /// Commas between the brackets of each array rank.
    ranks: Vec<usize>,
}

/// One name of a nested type, with its own arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct NamePart {
    name: String,
    /// `None` for the parameters of an open generic type.
    arguments: Vec<Option<TypeName>>,
}

/// How deep arguments may nest.
const MAX_DEPTH: usize = 64;

/// Primitive types, which have no assembly: Resonite's names and .NET's.
const PRIMITIVES: &[(&str, &str)] = &[
    ("bool", "System.Boolean"),
    ("byte", "System.Byte"),
    ("sbyte", "System.SByte"),
    ("short", "System.Int16"),
    ("ushort", "System.UInt16"),
    ("int", "System.Int32"),
    ("uint", "System.UInt32"),
    ("long", "System.Int64"),
    ("ulong", "System.UInt64"),
    ("float", "System.Single"),
    ("double", "System.Double"),
    ("decimal", "System.Decimal"),
    ("char", "System.Char"),
    ("string", "System.String"),
    ("object", "System.Object"),
    ("Uri", "System.Uri"),
    ("DateTime", "System.DateTime"),
    ("TimeSpan", "System.TimeSpan"),
    ("Guid", "System.Guid"),
];

impl TypeName {
    /// A type by its full name, without arguments.
    ///
    /// # Errors
    /// A name with characters that mean something in the notation.
    pub fn new(assembly: &str, name: &str) -> Result<TypeName> {
        format!("[{assembly}]{name}").parse()
    }

    /// The assembly before the name; primitives and the engine's vectors have none.
    pub fn assembly(&self) -> Option<&str> {
        self.assembly.as_deref()
    }

    /// The name with its namespace and the names of nested types, without assembly and arguments:
    /// `FrooxEngine.ProtoFlux.CoreNodes.FieldDriveBase+Proxy`.
    pub fn full_name(&self) -> String {
        let names: Vec<&str> = self.parts.iter().map(|part| part.name.as_str()).collect();
        names.join("+")
    }

    /// The text before the last dot of the outermost name; empty for primitives.
    pub fn namespace(&self) -> &str {
        let first = self.parts.first().map_or("", |part| part.name.as_str());
        first.rsplit_once('.').map_or("", |(namespace, _)| namespace)
    }

    /// The innermost name alone: `Proxy`.
    pub fn simple_name(&self) -> &str {
        let last = self.parts.last().map_or("", |part| part.name.as_str());
        last.rsplit_once('.').map_or(last, |(_, name)| name)
    }

    /// The arguments of all parts, outermost first; `None` for each parameter of an open generic
    /// type.
    pub fn arguments(&self) -> Vec<Option<&TypeName>> {
        self.parts.iter().flat_map(|part| part.arguments.iter().map(Option::as_ref)).collect()
    }

    /// Whether it is a `Nullable` of a value type, written with `?`.
    pub fn is_nullable(&self) -> bool {
        self.nullable
    }

    /// The dimensions of each array rank, outermost first: `int[][,]` has `[1, 2]`.
    pub fn ranks(&self) -> impl Iterator<Item = usize> {
        self.ranks.iter().map(|commas| commas.saturating_add(1))
    }

    /// Without assemblies and namespaces, for people.
    pub fn short(&self) -> impl fmt::Display {
        Shown { name: self, short: true }
    }

    /// Reads .NET's notation: `Name`1[[Argument, Assembly, Version=…]]`, as NeosVR's files have it.
    ///
    /// # Errors
    /// Text that is not such a name, or arguments that nest too deeply.
    pub fn parse_net(text: &str) -> Result<TypeName> {
        let mut parser = Parser { text, at: 0 };
        let name = parser.net_type(0, true)?;
        parser.end()?;
        Ok(name)
    }

    /// .NET's notation, as [`parse_net`](Self::parse_net) reads it. The assembly of the outermost
    /// type is left out, as NeosVR does.
    pub fn to_net(&self) -> String {
        let mut out = String::new();
        self.put_net(&mut out);
        out
    }

    fn put_net(&self, out: &mut String) {
        let primitive = PRIMITIVES.iter().find(|(own, _)| self.is_bare(own));
        if let Some((_, net)) = primitive {
            out.push_str(net);
        } else {
            for (index, part) in self.parts.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "+" });
                out.push_str(&part.name);
                if !part.arguments.is_empty() {
                    out.push_str(&format!("`{}", part.arguments.len()));
                }
            }
        }
        let arguments = self.arguments();
        if arguments.iter().any(Option::is_some) {
            out.push('[');
            for (index, argument) in arguments.into_iter().enumerate() {
                out.push_str(if index == 0 { "[" } else { ",[" });
                if let Some(argument) = argument {
                    argument.put_net(out);
                    if let Some(assembly) = &argument.assembly {
                        out.push_str(", ");
                        out.push_str(assembly);
                        out.push_str(&argument.details);
                    }
                }
                out.push(']');
            }
            out.push(']');
        }
        for commas in &self.ranks {
            out.push('[');
            out.extend(std::iter::repeat_n(',', *commas));
            out.push(']');
        }
    }

    /// Whether it is nothing but this name.
    fn is_bare(&self, name: &str) -> bool {
        matches!(self.parts.as_slice(), [part] if part.name == name && part.arguments.is_empty())
    }

    /// A name of NeosVR as Resonite writes it: the assemblies that were renamed, no versions,
    /// primitives and vectors bare. Resonite may have moved the type itself, which nothing in the
    /// file says.
    pub fn modern(&self) -> TypeName {
        let mut parts = self.parts.clone();
        let mut assembly = self.assembly.clone();
        if let [part] = parts.as_mut_slice() {
            if let Some((own, _)) = PRIMITIVES.iter().find(|(_, net)| *net == part.name) {
                part.name = (*own).to_owned();
                assembly = None;
            } else if let Some(name) = part.name.strip_prefix("BaseX.") {
                if name.starts_with(char::is_lowercase) {
                    // Vectors, colours and such.
                    part.name = name.to_owned();
                    assembly = None;
                } else {
                    part.name = format!("Elements.Core.{name}");
                    assembly = Some("Elements.Core".to_owned());
                }
            } else if let Some(name) = part.name.strip_prefix("CodeX.") {
                part.name = format!("Elements.Assets.{name}");
                assembly = Some("Elements.Assets".to_owned());
            } else if part.name.starts_with("FrooxEngine.") {
                assembly = Some("FrooxEngine".to_owned());
            }
        } else if parts.first().is_some_and(|part| part.name.starts_with("FrooxEngine.")) {
            assembly = Some("FrooxEngine".to_owned());
        }
        for part in &mut parts {
            for argument in part.arguments.iter_mut().flatten() {
                *argument = argument.modern();
            }
        }
        let mut name = TypeName { assembly, details: String::new(), parts, ..self.clone() };
        if name.full_name() == "System.Nullable"
            && let [Some(inner)] = name.arguments().as_slice()
        {
            name = TypeName { nullable: true, ranks: self.ranks.clone(), ..(*inner).clone() };
        }
        name
    }
}

/// Reads Resonite's notation.
impl FromStr for TypeName {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut parser = Parser { text, at: 0 };
        let name = parser.resonite_type(0)?;
        parser.end()?;
        Ok(name)
    }
}

/// Writes Resonite's notation.
impl fmt::Display for TypeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Shown { name: self, short: false }.fmt(f)
    }
}

struct Shown<'a> {
    name: &'a TypeName,
    short: bool,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown { name, short } = *self;
        match &name.assembly {
            Some(assembly) if !short => write!(f, "[{assembly}]")?,
            _ => {}
        }
        for (index, part) in name.parts.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { "+" })?;
            let own = part.name.as_str();
            let simple = own.rsplit_once('.').map_or(own, |(_, simple)| simple);
            f.write_str(if short { simple } else { own })?;
            for (index, argument) in part.arguments.iter().enumerate() {
                f.write_str(if index == 0 { "<" } else { "," })?;
                if let Some(name) = argument {
                    Shown { name, short }.fmt(f)?;
                }
            }
            f.write_str(if part.arguments.is_empty() { "" } else { ">" })?;
        }
        f.write_str(if name.nullable { "?" } else { "" })?;
        for commas in &name.ranks {
            write!(f, "[{}]", ",".repeat(*commas))?;
        }
        Ok(())
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Takes this text, if it is next.
    fn take(&mut self, text: &str) -> bool {
        let is_next = self.rest().starts_with(text);
        if is_next {
            self.at = self.at.saturating_add(text.len());
        }
        is_next
    }

    fn need(&mut self, text: &str) -> Result<()> {
        if self.take(text) { Ok(()) } else { Err(self.error(&format!("`{text}`"))) }
    }

    fn spaces(&mut self) {
        while self.take(" ") {}
    }

    /// Takes what is before the first of these characters, or the end.
    fn until(&mut self, ends: &[char]) -> &'a str {
        let rest = self.rest();
        let len = rest.find(ends).unwrap_or(rest.len());
        self.at = self.at.saturating_add(len);
        rest.get(..len).unwrap_or_default()
    }

    #[cold]
    fn error(&self, expected: &str) -> Error {
        let found = match self.rest() {
            "" => "the end".to_owned(),
            rest => format!("`{}`", Shortened(rest)),
        };
        Error::at(
            ErrorKind::Data,
            self.at,
            format!("expected {expected} of a type name, found {found}"),
        )
    }

    fn end(&self) -> Result<()> {
        if self.rest().is_empty() { Ok(()) } else { Err(self.error("the end")) }
    }

    fn deeper(&self, depth: usize) -> Result<usize> {
        if depth >= MAX_DEPTH {
            return Err(Error::at(
                ErrorKind::DepthLimit,
                self.at,
                format!("the arguments of a type name nest deeper than {MAX_DEPTH}"),
            ));
        }
        Ok(depth.saturating_add(1))
    }

    fn name(&mut self, ends: &[char]) -> Result<String> {
        let name = self.until(ends).trim_end();
        let is_good = !name.is_empty() && name.split('.').all(|ident| !ident.is_empty());
        if is_good { Ok(name.to_owned()) } else { Err(self.error("a name")) }
    }

    fn resonite_type(&mut self, depth: usize) -> Result<TypeName> {
        self.spaces();
        let mut assembly = None;
        if self.take("[") {
            let name = self.until(&['[', ']', '<', '>', ',', '+', '?']);
            if name.is_empty() {
                return Err(self.error("an assembly"));
            }
            assembly = Some(name.to_owned());
            self.need("]")?;
        }
        let mut parts = Vec::new();
        loop {
            let name = self.name(&['[', ']', '<', '>', ',', '+', '?', '`'])?;
            let mut arguments = Vec::new();
            if self.take("<") {
                let depth = self.deeper(depth)?;
                loop {
                    self.spaces();
                    let open = matches!(self.peek(), Some(',' | '>'));
                    arguments.push(if open { None } else { Some(self.resonite_type(depth)?) });
                    self.spaces();
                    if !self.take(",") {
                        break;
                    }
                }
                self.need(">")?;
            }
            parts.push(NamePart { name, arguments });
            if !self.take("+") {
                break;
            }
        }
        let nullable = self.take("?");
        let ranks = self.ranks()?;
        Ok(TypeName { assembly, details: String::new(), parts, nullable, ranks })
    }

    fn ranks(&mut self) -> Result<Vec<usize>> {
        let mut ranks = Vec::new();
        while self.rest().starts_with("[]") || self.rest().starts_with("[,") {
            self.need("[")?;
            let commas = self.until(&[']']);
            if commas.bytes().any(|byte| byte != b',') {
                return Err(self.error("the commas of an array"));
            }
            ranks.push(commas.len());
            self.need("]")?;
        }
        Ok(ranks)
    }

    /// At the root there is no assembly, unless it comes after the name.
    fn net_type(&mut self, depth: usize, with_assembly: bool) -> Result<TypeName> {
        let mut parts = Vec::new();
        let mut arities = Vec::new();
        loop {
            let name = self.name(&['`', '[', ']', ',', '+'])?;
            let mut arity = 0;
            if self.take("`") {
                let digits = self.until(&['[', ']', ',', '+']);
                let number = digits.parse::<usize>().ok().filter(|arity| (1..=64).contains(arity));
                arity = number.ok_or_else(|| self.error("an arity before this"))?;
            }
            parts.push(NamePart { name, arguments: Vec::new() });
            arities.push(arity);
            if !self.take("+") {
                break;
            }
        }
        let total = arities.iter().fold(0usize, |sum, arity| sum.saturating_add(*arity));
        let is_closed = total > 0 && self.rest().starts_with('[') && !self.rest().starts_with("[]");
        let mut arguments = Vec::new().into_iter();
        if is_closed {
            let depth = self.deeper(depth)?;
            self.need("[")?;
            let mut found = Vec::new();
            loop {
                self.spaces();
                let bracketed = self.take("[");
                found.push(Some(self.net_type(depth, bracketed)?));
                if bracketed {
                    self.need("]")?;
                }
                if !self.take(",") {
                    break;
                }
            }
            if found.len() != total {
                return Err(self.error(&format!("{total} arguments before this")));
            }
            self.need("]")?;
            arguments = found.into_iter();
        }
        for (part, arity) in parts.iter_mut().zip(arities) {
            part.arguments = if is_closed {
                arguments.by_ref().take(arity).collect()
            } else {
                vec![None; arity]
            };
        }
        let ranks = self.ranks()?;
        let (mut assembly, mut details) = (None, String::new());
        if with_assembly && self.take(",") {
            self.spaces();
            assembly = Some(self.name(&[',', ']'])?);
            details = self.until(&[']']).to_owned();
        }
        Ok(TypeName { assembly, details, parts, nullable: false, ranks })
    }
}
