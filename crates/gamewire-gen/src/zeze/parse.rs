//! From XML to what a solution declares, names not resolved yet.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::Options;
use super::schema::{BeanText, Constant, ProtocolText, ServiceText, Space, Table, VariableText};
use super::sources::Sources;
use super::types::spelling;
use super::xml::{self, Element};
use crate::{Error, Result};

/// The largest field id of the wire format.
const MAX_ID: u32 = 0x7fff_ffff;

/// Files that include one another.
const MAX_INCLUDED: usize = 16;

/// The declarations of the files.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    /// A parent comes before what is in it.
    pub(super) spaces: Vec<Space>,
    pub(super) beans: Vec<BeanText>,
    pub(super) protocols: Vec<ProtocolText>,
    /// Full names of beans that are written by hand, and whether each is a key.
    pub(super) externals: HashMap<String, bool>,
    /// Services of the file that was asked for: those of imported files are for other programs.
    pub(super) services: Vec<ServiceText>,
    /// Sentences that are worth knowing.
    pub(super) notes: Vec<String>,
    /// Spaces by their full names, and modules by their ids.
    by_name: HashMap<String, usize>,
    by_id: HashMap<u32, usize>,
    /// The names in each space, in lower case: Zeze makes files of them.
    taken: HashSet<(usize, String)>,
    files: HashSet<PathBuf>,
    sources: Sources,
    /// Files that are being included.
    including: usize,
}

/// Reads a solution and all that it imports, all of it inside of the root.
pub(super) fn solutions(file: &Path, options: &Options) -> Result<Parsed> {
    let mut parsed = Parsed { sources: Sources::new(file, options)?, ..Parsed::default() };
    parsed.import(file)?;
    Ok(parsed)
}

/// Reads a solution that is no file: of what it imports, nothing is there.
pub(super) fn text(solution: &str) -> Result<Parsed> {
    let mut parsed = Parsed::default();
    parsed.solution(&xml::parse(Path::new("solution.xml"), solution)?, true)?;
    Ok(parsed)
}

impl Parsed {
    /// A file is read once, however often it is imported. Files may have parts of one solution.
    fn import(&mut self, file: &Path) -> Result<()> {
        let real = file.canonicalize();
        let real = real.map_err(|error| Error(format!("{}: {error}", file.display())))?;
        let is_first = self.files.is_empty();
        if !self.files.insert(real) {
            return Ok(());
        }
        self.solution(&xml::read(file, &self.sources)?, is_first)
    }

    /// The content of a file. The first one is that which was asked for.
    fn solution(&mut self, root: &Element, is_first: bool) -> Result<()> {
        if root.name != "solution" {
            return Err(root.wrong(format!("expected <solution>, found <{}>", root.name)));
        }
        let space = self.space(root, None, String::new())?;
        for (element, comment) in root.elements() {
            match element.name.as_str() {
                "import" => {
                    if let Some(file) = self.find(element, "file")? {
                        self.import(&file)?;
                    }
                }
                // Zeze generates what the named file asks for, and only reads the others.
                "project" | "component" if is_first => self.project(element, space)?,
                _ => self.declaration(element, space, comment)?,
            }
        }
        Ok(())
    }

    /// The file that an element names. A missing one is reported: what needs it, says so.
    fn find(&mut self, element: &Element, attribute: &str) -> Result<Option<PathBuf>> {
        let path = element.need(attribute)?;
        let found = self.sources.find(&element.place, path)?;
        self.notes.extend(found.note);
        Ok(found.file)
    }

    /// The services of a project.
    fn project(&mut self, element: &Element, space: usize) -> Result<()> {
        let project = name_of(element)?;
        let solution = self.spaces.get(space).map(|space| space.full.clone()).unwrap_or_default();
        for (service, _) in element.elements().filter(|(own, _)| own.name == "service") {
            let refs = service.elements().filter(|(own, _)| own.name == "module");
            let modules = refs.map(|(own, _)| {
                let name = own.need("ref")?;
                let is_full = name.contains('.');
                let full = if is_full { name.to_owned() } else { format!("{solution}.{name}") };
                Ok((full, own.place.clone()))
            });
            self.services.push(ServiceText {
                space,
                project: project.clone(),
                name: service.attribute("name").to_owned(),
                handle: service.attribute("handle").to_owned(),
                modules: modules.collect::<Result<_>>()?,
            });
        }
        Ok(())
    }

    fn space(
        &mut self,
        element: &Element,
        parent: Option<usize>,
        comment: String,
    ) -> Result<usize> {
        let name = name_of(element)?;
        let outer = parent.and_then(|parent| self.spaces.get(parent));
        let full = match outer {
            Some(outer) => format!("{}.{name}", outer.full),
            None => name.clone(),
        };
        let known = self.by_name.get(&full).copied();
        let id = match parent {
            None => None,
            Some(_) => {
                let id: u32 = element.integer("id")?.unwrap_or(0);
                if id == 0 || id > MAX_ID {
                    return Err(element.wrong(format!("module {full} needs an `id` above 0")));
                }
                let other = self.by_id.get(&id).and_then(|at| self.spaces.get(*at));
                if let Some(other) = other.filter(|other| other.full != full) {
                    return Err(element
                        .wrong(format!("module {full} has the id {id}, as {} does", other.full)));
                }
                Some(id)
            }
        };
        // Another part of it, in a separate file as a rule.
        if let Some((at, space)) = known.and_then(|at| Some((at, self.spaces.get(at)?))) {
            if let (Some(id), Some(before)) = (id, space.id)
                && id != before
            {
                let text = format!("module {full} has the id {id}, elsewhere it has {before}");
                return Err(element.wrong(text));
            }
            return Ok(at);
        }
        self.by_name.insert(full.clone(), self.spaces.len());
        self.by_id.extend(id.map(|id| (id, self.spaces.len())));
        self.spaces.push(Space {
            name,
            full,
            parent,
            id,
            comment,
            constants: Vec::new(),
            protocols: Vec::new(),
            refs: Vec::new(),
            tables: Vec::new(),
        });
        Ok(self.spaces.len() - 1)
    }

    fn declaration(&mut self, element: &Element, space: usize, comment: String) -> Result<()> {
        match element.name.as_str() {
            "bean" | "beankey" => self.bean(element, space, comment),
            "module" => {
                let inner = self.space(element, Some(space), comment)?;
                element
                    .elements()
                    .try_for_each(|(element, comment)| self.declaration(element, inner, comment))
            }
            "enum" => {
                let constant = constant(element, comment)?;
                match self.spaces.get_mut(space) {
                    Some(space) => add_constant(&mut space.constants, constant, element),
                    None => Ok(()),
                }
            }
            "protocol" | "rpc" => self.protocol(element, space, comment),
            "external" | "externalkey" => {
                let names = ["bean", "beankey", "name"].map(|name| element.attribute(name));
                let Some(name) = names.into_iter().find(|name| !name.is_empty()) else {
                    return Err(element.wrong(format!("<{}> has no `bean`", element.name)));
                };
                self.externals.insert(name.to_owned(), element.name == "externalkey");
                Ok(())
            }
            // These are for servers and databases, or refer to declarations elsewhere.
            "servlet" | "servletstream" | "project" | "component" => Ok(()),
            "table" => self.table(element, space),
            "protocolref" => {
                let full = element.need("ref")?.to_owned();
                let space = self.spaces.get_mut(space);
                space.into_iter().for_each(|space| {
                    space.refs.push((full.clone(), element.place.clone()));
                });
                Ok(())
            }
            "xi:include" | "include" => {
                let Some(file) = self.find(element, "href")? else { return Ok(()) };
                if self.including >= MAX_INCLUDED {
                    return Err(element.wrong("files include one another too deep, or without end"));
                }
                self.including += 1;
                // The root of the file stands in the place of the element.
                let included = xml::read(&file, &self.sources)?;
                self.declaration(&included, space, comment)?;
                self.including -= 1;
                Ok(())
            }
            name => Err(element.wrong(format!("unknown element <{name}>"))),
        }
    }

    /// Tables get no code, but their data has to be readable by the next schema.
    fn table(&mut self, element: &Element, space: usize) -> Result<()> {
        let name = name_of(element)?;
        if let Some(space) = self.spaces.get_mut(space) {
            space.tables.push(Table {
                full: format!("{}.{name}", space.full),
                place: element.place.clone(),
                key_name: element.attribute("key").to_owned(),
                value_name: element.attribute("value").to_owned(),
                is_memory: element.attribute("memory") == "true",
                key: None,
                value: None,
            });
        }
        Ok(())
    }

    fn take(&mut self, element: &Element, space: usize, name: &str) -> Result<()> {
        if self.taken.insert((space, name.to_lowercase())) {
            return Ok(());
        }
        Err(element.wrong(format!("there is another {name}; Zeze ignores the case of names")))
    }

    fn bean(&mut self, element: &Element, space: usize, comment: String) -> Result<()> {
        let name = name_of(element)?;
        self.take(element, space, &name)?;
        let mut bean = BeanText {
            space,
            place: element.place.clone(),
            is_key: element.name == "beankey",
            base: element.attribute("base").to_owned(),
            type_id: element.integer("TypeId")?,
            comment,
            constants: Vec::new(),
            variables: Vec::new(),
            name,
        };
        for (element, comment) in element.elements() {
            match element.name.as_str() {
                "var" | "variable" => {
                    let new = variable(element, comment)?;
                    if let Some(other) = bean.variables.iter().find(|own| own.id == new.id) {
                        return Err(element.wrong(format!(
                            "variable {} has the id {}, as {} does",
                            new.name, new.id, other.name
                        )));
                    }
                    if bean.variables.iter().any(|own| own.name == new.name) {
                        return Err(
                            element.wrong(format!("there is another variable {}", new.name))
                        );
                    }
                    bean.variables.push(new);
                }
                "enum" => add_constant(&mut bean.constants, constant(element, comment)?, element)?,
                name => return Err(element.wrong(format!("unknown element <{name}> in a bean"))),
            }
        }
        bean.variables.sort_by_key(|variable| variable.id);
        self.beans.push(bean);
        Ok(())
    }

    fn protocol(&mut self, element: &Element, space: usize, comment: String) -> Result<()> {
        let name = name_of(element)?;
        self.take(element, space, &name)?;
        let is_rpc = element.name == "rpc";
        let mut protocol = ProtocolText {
            space,
            place: element.place.clone(),
            id: element.integer("id")?,
            argument: element.attribute("argument").to_owned(),
            result: is_rpc.then(|| element.attribute("result").to_owned()),
            is_raft: is_rpc && element.attribute("base").ends_with("RaftRpc"),
            handle: element.attribute("handle").to_owned(),
            comment,
            constants: Vec::new(),
            name,
        };
        for (element, comment) in element.elements() {
            match element.name.as_str() {
                "enum" => {
                    add_constant(&mut protocol.constants, constant(element, comment)?, element)?;
                }
                name => {
                    return Err(element.wrong(format!("unknown element <{name}> in a protocol")));
                }
            }
        }
        self.protocols.push(protocol);
        Ok(())
    }
}

/// A name that Zeze takes: letters, digits and `_`, which is neither first nor last.
fn name_of(element: &Element) -> Result<String> {
    let name = element.need("name")?;
    let is_word = name.chars().all(|c| c == '_' || c.is_alphanumeric());
    if !is_word || name.starts_with('_') || name.ends_with('_') {
        return Err(element.wrong(format!("{name:?} is no name: letters, digits and inner `_`")));
    }
    Ok(name.to_owned())
}

fn variable(element: &Element, comment: String) -> Result<VariableText> {
    let name = name_of(element)?;
    let id = element.integer("id")?.unwrap_or(0);
    if id == 0 || id > MAX_ID {
        return Err(element.wrong(format!("variable {name} needs an `id` from 1 to {MAX_ID}")));
    }
    let spelling = spelling(element)?;
    let mut choices = Vec::new();
    if spelling.name == "dynamic"
        && let Some(list) = &spelling.value
    {
        choices.extend(list.split(',').map(|bean| bean.trim().to_owned()));
    }
    for (element, _) in element.elements() {
        match element.name.as_str() {
            "value" => choices.push(element.need("bean")?.to_owned()),
            // Functions of the server that choose beans: such a dynamic can hold any.
            "GetSpecialTypeIdFromBean"
            | "CreateBeanFromSpecialTypeId"
            | "CreateDataFromSpecialTypeId" => {}
            name => return Err(element.wrong(format!("unknown element <{name}> in a variable"))),
        }
    }
    Ok(VariableText {
        id,
        place: element.place.clone(),
        spelled: spelled(element),
        spelling,
        choices,
        default: element.attribute("default").to_owned(),
        is_transient: element.attribute("transient") == "true",
        fixed_size: element.integer("FixSize")?,
        comment,
        name,
    })
}

/// The type in brackets, whichever way the file spells it.
fn spelled(element: &Element) -> String {
    let [kind, key, value] = ["type", "key", "value"].map(|name| element.attribute(name));
    match (key, value) {
        _ if kind == "dynamic" => kind.to_owned(),
        ("", "") => kind.to_owned(),
        ("", value) => format!("{kind}[{value}]"),
        (key, value) => format!("{kind}[{key}, {value}]"),
    }
}

fn add_constant(to: &mut Vec<Constant>, new: Constant, element: &Element) -> Result<()> {
    if to.iter().any(|constant| constant.name == new.name) {
        return Err(element.wrong(format!("there is another constant {}", new.name)));
    }
    to.push(new);
    Ok(())
}

fn constant(element: &Element, comment: String) -> Result<Constant> {
    let name = name_of(element)?;
    let text = element.attribute("value");
    let wrong = || element.wrong(format!("constant {name}: {text:?} is no literal of its type"));
    let (kind, value) = match element.attribute("type") {
        "bool" => ("bool", text.parse::<bool>().ok().map(|value| value.to_string())),
        "byte" => ("i8", integer::<i8>(text)),
        "short" => ("i16", integer::<i16>(text)),
        "" | "int" => ("i32", integer::<i32>(text)),
        "long" => ("i64", integer::<i64>(text)),
        "float" => ("f32", float(text)),
        "double" => ("f64", float(text)),
        "string" => ("&str", Some(format!("{:?}", text.trim_matches('"')))),
        other => return Err(element.wrong(format!("constants cannot be of type {other:?}"))),
    };
    Ok(Constant { kind, value: value.ok_or_else(wrong)?, comment, name })
}

/// An integer as Java spells it, in decimal or hexadecimal digits.
pub(super) fn integer<T: TryFrom<i64> + std::fmt::Display>(text: &str) -> Option<String> {
    let text = text.trim().trim_end_matches(['L', 'l']);
    let value = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => i64::from_str_radix(digits, 16).ok()?,
        None => text.parse().ok()?,
    };
    T::try_from(value).ok().map(|value| value.to_string())
}

/// A float as Java spells it.
pub(super) fn float(text: &str) -> Option<String> {
    let value: f64 = text.trim().trim_end_matches(['f', 'F', 'd', 'D']).parse().ok()?;
    value.is_finite().then(|| format!("{value:?}"))
}
