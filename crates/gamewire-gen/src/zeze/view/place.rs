//! The parts of the data, by a solution: on the way through values, and through bytes that are
//! explained.

use std::fmt::{self, Write as _};

use crate::zeze::schema::{Kind, Target, Variable};
use zeze_serialize::explain::{Known, Names, Part};
use zeze_serialize::value::Bean;
use zeze_serialize::{Kind as Wire, Value};

use super::{View, wire};

/// The solution's knowledge of a value.
#[derive(Clone, Copy)]
pub enum At<'a> {
    /// A bean of the solution, by its position.
    Bean(usize),
    /// A value of a kind, in a variable.
    Value(&'a Kind, &'a Variable),
    /// A row of a table, by its columns and cells: a bean whose field 1 are the cells.
    Row(&'a Kind, &'a Kind, &'a Variable),
    /// The cells of a row.
    Cells(&'a Kind, &'a Kind, &'a Variable),
}

/// The only field of a row.
const CELLS: u32 = 1;

impl View {
    /// The bean at the root of a file without frames.
    pub fn bean(&self) -> Option<At<'_>> {
        self.bean.map(At::Bean)
    }

    /// The full name of a bean.
    pub fn full(&self, at: At<'_>) -> Option<&str> {
        match at {
            At::Bean(bean) => Some(self.solution.schema.beans.get(bean)?.full.as_str()),
            _ => None,
        }
    }

    /// The name of a field, and what is in it. The cells of a row have no name: they stand in its place.
    pub fn field<'a>(&'a self, at: At<'a>, id: u32, kind: Wire) -> Known<'a, At<'a>> {
        match at {
            At::Bean(bean) => match self.solution.variable(bean, id) {
                Some(own) => Known::name(own.name()).at(self.typed(&own.kind, own, kind)),
                None => Known::NOTHING,
            },
            At::Row(column, cell, own) if (id, kind) == (CELLS, Wire::Map) => {
                Known::name("").at(At::Cells(column, cell, own))
            }
            _ => Known::NOTHING,
        }
    }

    /// The id and the kind that a field has by its name.
    pub fn by_name(&self, at: At<'_>, name: &str) -> Option<(u32, &'static str)> {
        let At::Bean(bean) = at else { return None };
        let own = self.solution.by_name(bean, name)?;
        Some((own.id(), wire(&own.kind)))
    }

    /// The knowledge of a part of a value.
    pub fn part<'a>(&'a self, at: At<'a>, part: Part) -> Option<At<'a>> {
        Some(match (at, part) {
            (At::Bean(bean), Part::Base) => At::Bean(self.solution.base(bean)?),
            (At::Value(Kind::List(inner) | Kind::Set(inner), own), Part::Element(kind)) => {
                return self.typed(inner, own, kind);
            }
            (At::Value(Kind::Map(key, value), own), part) => {
                return self.of_map((key, value), own, part);
            }
            (At::Cells(key, value, own), part) => return self.of_map((key, value), own, part),
            (At::Value(Kind::Table(row, ..), own), Part::Key(key, Wire::Bean)) => {
                return self.typed(row, own, key);
            }
            (At::Value(Kind::Table(row, column, cell), own), Part::Value(key, Wire::Bean)) => {
                self.typed(row, own, key)?;
                At::Row(column, cell, own)
            }
            _ => return None,
        })
    }

    /// A part of a map of such keys and values.
    fn of_map<'a>(
        &self,
        (key, value): (&'a Kind, &'a Kind),
        own: &'a Variable,
        part: Part,
    ) -> Option<At<'a>> {
        let (Part::Key(found, inner) | Part::Value(found, inner)) = part else { return None };
        let (key, value) = (self.typed(key, own, found)?, self.typed(value, own, inner)?);
        Some(if matches!(part, Part::Key(..)) { key } else { value })
    }

    /// The bean of a type id in a dynamic.
    pub fn dynamic<'a>(&'a self, at: At<'a>, type_id: i64) -> Option<At<'a>> {
        let At::Value(Kind::Dynamic, own) = at else { return None };
        self.solution.choice(own, type_id).map(At::Bean)
    }

    /// The protocol of a frame, and the bean in it.
    pub fn frame(&self, module_id: u32, protocol_id: u32, is_answer: bool) -> Known<'_, At<'_>> {
        let ids = (module_id.into(), protocol_id.into());
        let known = self.solution.protocols.get(&ids);
        known
            .map_or(Known::NOTHING, |own| Known::name(&own.full))
            .at(self.bean_of(ids, is_answer).map(At::Bean))
    }

    /// The content of a variable, if it has that wire type in the data.
    fn typed<'a>(&self, kind: &'a Kind, own: &'a Variable, found: Wire) -> Option<At<'a>> {
        if wire(kind) != found.name() {
            return None;
        }
        Some(match kind {
            Kind::Bean(Target::Here(at)) => At::Bean(*at),
            kind => At::Value(kind, own),
        })
    }

    /// The kinds of the keys and values that the cells of a row have.
    pub fn cells(&self, at: At<'_>) -> Option<(Wire, Wire)> {
        let At::Row(column, cell, _) = at else { return None };
        Wire::from_name(wire(column)).zip(Wire::from_name(wire(cell)))
    }
}

impl<'v> Names for &'v View {
    type Place = At<'v>;

    fn root(&self) -> Option<At<'v>> {
        View::bean(self)
    }

    fn frame(&self, module_id: u32, protocol_id: u32, is_answer: bool) -> Known<'_, At<'v>> {
        View::frame(self, module_id, protocol_id, is_answer)
    }

    fn field(&self, bean: At<'v>, id: u32, kind: Wire) -> Known<'_, At<'v>> {
        View::field(self, bean, id, kind)
    }

    fn part(&self, place: At<'v>, part: Part) -> Option<At<'v>> {
        View::part(self, place, part)
    }

    fn dynamic(&self, place: At<'v>, type_id: i64) -> Known<'_, At<'v>> {
        let view: &'v View = self;
        match View::dynamic(view, place, type_id) {
            Some(bean) => view.full(bean).map_or(Known::NOTHING, Known::name).at(bean),
            None => Known::NOTHING,
        }
    }

    fn key(&self, place: At<'v>, key: &Value) -> Option<String> {
        Some(ShownValue { value: key, at: Some(place), view: self }.to_string())
    }
}

/// A value by the names of a solution, as `{:?}` shows it without.
pub struct ShownValue<'a> {
    /// The value.
    pub value: &'a Value,
    /// The solution's knowledge of it.
    pub at: Option<At<'a>>,
    /// The solution.
    pub view: &'a View,
}

impl fmt::Display for ShownValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view.write(self.value, self.at, f)
    }
}

impl View {
    fn write(
        &self,
        value: &Value,
        at: Option<At<'_>>,
        out: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let Some(at) = at else { return write!(out, "{value:?}") };
        match value {
            Value::Bean(bean) => {
                out.write_char('{')?;
                self.write_bean(bean, Some(at), out)
            }
            Value::Dynamic(own) => {
                let bean = self.dynamic(at, own.type_id);
                match bean.and_then(|bean| self.full(bean)) {
                    Some(full) => write!(out, "dynamic {full} {{")?,
                    None => write!(out, "dynamic {} {{", own.type_id)?,
                }
                self.write_bean(&own.bean, bean, out)
            }
            Value::List(list) => {
                let inner = list.element().and_then(|kind| self.part(at, Part::Element(kind)));
                out.write_char('[')?;
                for (index, item) in list.iter().enumerate() {
                    out.write_str(if index > 0 { ", " } else { "" })?;
                    self.write(item, inner, out)?;
                }
                out.write_char(']')
            }
            Value::Map(map) => {
                let both = map.key().zip(map.value());
                let part = |part: fn(Wire, Wire) -> Part| {
                    both.and_then(|(key, value)| self.part(at, part(key, value)))
                };
                let (own_key, inner) = (part(Part::Key), part(Part::Value));
                out.write_str("map {")?;
                for (index, (key, value)) in map.iter().enumerate() {
                    out.write_str(if index > 0 { ", " } else { "" })?;
                    self.write(key, own_key, out)?;
                    out.write_str(": ")?;
                    self.write(value, inner, out)?;
                }
                out.write_char('}')
            }
            scalar => write!(out, "{scalar:?}"),
        }
    }

    /// A bean after its first brace.
    fn write_bean(
        &self,
        bean: &Bean,
        at: Option<At<'_>>,
        out: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let mut comma = "";
        for (id, value) in bean.iter() {
            let known = at.map_or(Known::NOTHING, |at| self.field(at, id, value.kind()));
            match known.name {
                Some("") => write!(out, "{comma}")?,
                Some(name) => write!(out, "{comma}{name}: ")?,
                None => write!(out, "{comma}{id}: ")?,
            }
            self.write(value, known.place, out)?;
            comma = ", ";
        }
        if let Some(base) = bean.base() {
            write!(out, "{comma}base: {{")?;
            self.write_bean(base, at.and_then(|at| self.part(at, Part::Base)), out)?;
        }
        out.write_char('}')
    }
}

/// A bean by the names of a solution.
pub struct ShownBean<'a> {
    /// The bean.
    pub bean: &'a Bean,
    /// The solution's knowledge of it.
    pub at: Option<At<'a>>,
    /// The solution.
    pub view: &'a View,
}

impl fmt::Display for ShownBean<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('{')?;
        self.view.write_bean(self.bean, self.at, f)
    }
}
