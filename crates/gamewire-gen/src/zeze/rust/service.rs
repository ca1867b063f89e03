//! Enums of what the services of a solution handle.

use std::collections::HashMap;

use super::super::names::{self, Scope};
use super::super::schema::{Protocol, Service};
use super::{Writer, text};

impl Writer<'_> {
    /// The enums of the services in a solution.
    pub(super) fn services(&mut self, space: usize) {
        let schema = self.schema;
        let all = schema.services.iter().filter(|own| own.text.space == space);
        let all: Vec<&Service> = all.filter(|own| !own.protocols.is_empty()).collect();
        let mut shorts: HashMap<String, usize> = HashMap::new();
        for service in &all {
            *shorts.entry(names::of_type(&service.text.name)).or_default() += 1;
        }
        for service in all {
            let text = &service.text;
            // Components have services without names; several projects may have one of the same.
            let mut name = names::of_type(&text.name);
            if text.name.is_empty() || shorts.get(&name).is_none_or(|count| *count > 1) {
                name = names::of_type(&format!("{}_{}", text.project, text.name));
            }
            let name = self.take(space, name);
            self.service(space, &name, service);
        }
    }

    fn service(&mut self, space: usize, name: &str, service: &Service) {
        let schema = self.schema;
        let krate = self.options.krate.clone();
        let mut scope = Scope::default();
        let found = service.protocols.iter().filter_map(|(at, index)| {
            let space = schema.spaces.get(*at)?;
            Some((space.id.unwrap_or(0), space.protocols.get(*index)?))
        });
        // Protocols of several modules may have one name.
        let mut shorts: HashMap<String, usize> = HashMap::new();
        for (_, protocol) in found.clone() {
            *shorts.entry(names::of_type(&protocol.text.name)).or_default() += 1;
        }
        let all: Vec<(String, u32, &Protocol)> = found
            .map(|(module, protocol)| {
                let short = names::of_type(&protocol.text.name);
                let variant = match shorts.get(&short) {
                    Some(1) => short,
                    _ => protocol.full.split('.').map(names::of_type).collect(),
                };
                (scope.take(variant), module, protocol)
            })
            .collect();
        self.out.item();
        let what = match service.text.name.as_str() {
            "" => format!("the component `{}`", service.text.project),
            own => format!("the service `{own}` of `{}`", service.text.project),
        };
        self.out.doc(&format!("What {what} handles: messages and calls."));
        self.out.line("#[derive(Clone, Debug, PartialEq)]");
        self.out.open(&format!("pub enum {name}<'a> {{"));
        for (variant, _, protocol) in &all {
            self.out.doc(&format!("`{}`.", text::escaped(&protocol.full)));
            let argument = match &protocol.argument {
                Some(target) => self.path(target, space),
                None => "()".to_owned(),
            };
            self.out.variant(variant, &format!("{krate}::frame::Frame<'a, {argument}>"));
        }
        self.out.close("}");
        self.out.item();
        self.out.checked(|out| {
            out.open(&format!("impl<'a> {name}<'a> {{"));
            out.doc("Reads a message or a call; `None` for an answer, and for what others handle.");
            out.open_fn(
                "pub fn read(",
                &[&format!("frame: &{krate}::frame::RawFrame<'a>")],
                &format!(") -> {krate}::Result<Option<Self>> {{"),
            );
            out.open("if frame.is_answer() {");
            out.line("return Ok(None);");
            out.close("}");
            out.line("let frame = frame.clone();");
            out.open("let read = match (frame.module_id, frame.protocol_id) {");
            for (variant, module, protocol) in &all {
                let ids = format!("({module}, {})", protocol.id);
                out.arm(&ids, &format!("Self::{variant}(frame.into_frame()?)"));
            }
            out.line("_ => return Ok(None),");
            out.close("};");
            out.line("Ok(Some(read))");
            out.close("}");
            out.close("}");
        });
    }
}
