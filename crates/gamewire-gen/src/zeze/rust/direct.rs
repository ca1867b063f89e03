//! What encodes and decodes the generated types without serde.

use super::super::schema::{Bean, Kind, Target, Variable};
use super::{Fields, Writer, has_dynamic};

/// Whether a value is written without serde. Types that others made, values of any type, and binaries
/// in containers are not.
pub(super) fn is_direct(kind: &Kind, own: &Variable) -> bool {
    match kind {
        Kind::Binary => false,
        Kind::Bean(target) => matches!(target, Target::Here(_)),
        Kind::Dynamic => {
            let here = |choice: &super::Choice| matches!(choice.bean, Target::Here(_));
            !own.choices.is_empty() && own.choices.iter().all(here)
        }
        Kind::List(inner) | Kind::Set(inner) => is_direct(inner, own),
        Kind::Map(key, value) => is_direct(key, own) && is_direct(value, own),
        Kind::Table(row, column, value) => {
            [row, column, value].into_iter().all(|kind| is_direct(kind, own))
        }
        _ => true,
    }
}

/// The method that a field of the type is written and read by.
fn method(own: &Variable) -> &'static str {
    match &own.kind {
        Kind::Binary => "bytes",
        kind if is_direct(kind, own) => "field",
        _ => "serde",
    }
}

impl Writer<'_> {
    /// `impl`s of a bean, and the names of its fields, which both use.
    pub(super) fn direct_bean(&mut self, bean: &Bean, name: &str, fields: &Fields) {
        let all = bean.variables.iter().zip(&fields.names);
        let all: Vec<_> = all.filter(|(own, _)| !own.text.is_transient).collect();
        let names = all.iter().map(|(own, _)| (own.text.id.to_string(), own.text.name.clone()));
        self.names(name, "field_name", "u32", &names.collect::<Vec<_>>(), "");
        let has_unknown = fields.unknown.as_deref();
        self.encode(name, "Bean", |out| {
            if all.is_empty() && fields.base.is_none() && has_unknown.is_none() {
                return out.line("to.bean(Self::field_name)?.end()");
            }
            out.line("let mut bean = to.bean(Self::field_name)?;");
            if let Some(unknown) = has_unknown {
                out.line(&format!("bean.unknown(&self.{unknown});"));
            }
            for (own, field) in &all {
                let method = method(own);
                out.line(&format!("bean.{method}({}, &self.{field})?;", own.text.id));
            }
            if let Some(base) = &fields.base {
                out.line(&format!("bean.base(\"{base}\", &self.{base})?;"));
            }
            out.line("bean.end()");
        });
        let mut inside: Vec<String> = Vec::new();
        if let Some(unknown) = has_unknown {
            inside.push(format!("{unknown}: bean.unknown(\"{unknown}\")?"));
        }
        for (own, field) in bean.variables.iter().zip(&fields.names) {
            inside.push(if own.text.is_transient {
                format!("{field}: Default::default()")
            } else {
                format!("{field}: bean.{}({})?", method(own), own.text.id)
            });
        }
        if let Some(base) = &fields.base {
            inside.push(format!("{base}: bean.base(\"{base}\")?"));
        }
        self.decode(name, |out| {
            if inside.is_empty() {
                out.line("from.bean(Self::field_name)?.end()?;");
                return out.line("Ok(Self {})");
            }
            out.line("let mut bean = from.bean(Self::field_name)?;");
            out.literal("let read = Self", &inside, ";");
            out.line("bean.end()?;");
            out.line("Ok(read)");
        });
    }

    /// `impl`s of the row of a table, a bean whose field 1 are the cells.
    pub(super) fn direct_row(&mut self, name: &str, own: &Variable) {
        if !is_direct(&own.kind, own) {
            return;
        }
        self.names(name, "field_name", "u32", &[("1".to_owned(), "map".to_owned())], "");
        self.encode(name, "Bean", |out| {
            out.line("let mut bean = to.bean(Self::field_name)?;");
            out.line("bean.field(1, &self.cells)?;");
            out.line("bean.end()");
        });
        self.decode(name, |out| {
            out.line("let mut bean = from.bean(Self::field_name)?;");
            out.literal("let read = Self", &["cells: bean.field(1)?".to_owned()], ";");
            out.line("bean.end()?;");
            out.line("Ok(read)");
        });
    }

    /// `impl`s of an enum: its variants with the type id of each, and its name in serde.
    pub(super) fn direct_dynamic(
        &mut self,
        name: &str,
        own: &Variable,
        variants: &[(String, i64, String)],
        other: &str,
    ) {
        if !has_dynamic(&own.kind) || !is_direct(&Kind::Dynamic, own) {
            return;
        }
        let mut names = vec![("0".to_owned(), "0".to_owned())];
        names.extend(variants.iter().map(|(_, id, shown)| (id.to_string(), shown.clone())));
        self.names(name, "variant_name", "i64", &names, "*");
        self.encode(name, "Dynamic", |out| {
            out.open("match self {");
            out.line("Self::Empty => to.empty_dynamic(),");
            for (variant, id, _) in variants {
                out.arm(
                    &format!("Self::{variant}(bean)"),
                    &format!("to.dynamic({id}, Self::variant_name, bean)"),
                );
            }
            out.line(&format!("Self::{other}(value) => to.other_dynamic(value),"));
            out.close("}");
        });
        self.decode(name, |out| {
            out.line("let bean = from.dynamic(Self::variant_name)?;");
            out.open("let read = match bean.type_id() {");
            out.line("0 => bean.empty().map(|()| Self::Empty)?,");
            for (variant, id, _) in variants {
                out.line(&format!("{id} => Self::{variant}(bean.bean()?),"));
            }
            out.line(&format!("_ => Self::{other}(bean.other()?),"));
            out.close("};");
            out.line("Ok(read)");
        });
    }

    /// A function from ids to names.
    fn names(&mut self, name: &str, method: &str, id: &str, all: &[(String, String)], none: &str) {
        self.out.item();
        self.out.checked(|out| {
            out.open(&format!("impl {name} {{"));
            if all.is_empty() {
                out.open(&format!("fn {method}(_id: {id}) -> &'static str {{"));
                out.line(&format!("\"{none}\""));
            } else {
                out.open(&format!("fn {method}(id: {id}) -> &'static str {{"));
                out.open("match id {");
                all.iter().for_each(|(id, name)| out.arm(id, &format!("\"{name}\"")));
                out.line(&format!("_ => \"{none}\","));
                out.close("}");
            }
            out.close("}");
            out.close("}");
        });
    }

    fn encode(&mut self, name: &str, kind: &str, body: impl FnOnce(&mut super::Out)) {
        let krate = self.options.krate.clone();
        self.out.item();
        self.out.checked(|out| {
            out.open_impl(&format!("impl {krate}::wire::Encode"), &format!("for {name}"));
            out.line(&format!("const KIND: {krate}::Kind = {krate}::Kind::{kind};"));
            if kind == "Dynamic" {
                out.item();
                out.open(&format!("fn is_default(&self, _to: &{krate}::Serializer) -> bool {{"));
                out.line("matches!(self, Self::Empty)");
                out.close("}");
            }
            out.item();
            out.open_fn(
                "fn encode(",
                &["&self", &format!("to: &mut {krate}::Serializer")],
                &format!(") -> {krate}::Result<()> {{"),
            );
            body(out);
            out.close("}");
            out.close("}");
        });
    }

    fn decode(&mut self, name: &str, body: impl FnOnce(&mut super::Out)) {
        let krate = self.options.krate.clone();
        self.out.item();
        self.out.checked(|out| {
            out.open_impl(&format!("impl<'de> {krate}::wire::Decode<'de>"), &format!("for {name}"));
            out.open_fn(
                "fn decode(",
                &[&format!("from: &mut {krate}::Deserializer<'de>")],
                &format!(") -> {krate}::Result<Self> {{"),
            );
            body(out);
            out.close("}");
            out.close("}");
        });
    }
}
