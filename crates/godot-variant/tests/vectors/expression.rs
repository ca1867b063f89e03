//! The few GDScript literals in the notes of frame rows.

use godot_variant::value::Dictionary;
use godot_variant::{Value, Vector2, Vector3};

use crate::Check;

/// Literals separated by commas.
pub(crate) fn list(text: &str) -> Check<Vec<Value>> {
    let mut parser = Parser { rest: text.trim() };
    let values = parser.until("")?;
    match parser.rest {
        "" => Ok(values),
        rest => Err(format!("cannot read `{rest}`")),
    }
}

struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    fn eat(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(token) {
            Some(rest) if !token.is_empty() => {
                self.rest = rest;
                true
            }
            _ => token.is_empty() && self.rest.is_empty(),
        }
    }

    /// Values up to a closing bracket, which is taken.
    fn until(&mut self, close: &str) -> Check<Vec<Value>> {
        let mut values = Vec::new();
        while !self.eat(close) {
            values.push(self.value()?);
            self.eat(",");
        }
        Ok(values)
    }

    fn word(&mut self) -> &'a str {
        self.rest = self.rest.trim_start();
        let end = self
            .rest
            .find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.' | '-'))
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn quoted(&mut self, quote: char) -> Check<String> {
        let (text, rest) = self.rest.split_once(quote).ok_or("text without an end")?;
        self.rest = rest;
        Ok(text.to_owned())
    }

    fn value(&mut self) -> Check<Value> {
        if self.eat("\"") {
            return Ok(self.quoted('"')?.into());
        }
        if self.eat("[") {
            return Ok(self.until("]")?.into());
        }
        if self.eat("{") {
            let mut entries = Dictionary::new();
            while !self.eat("}") {
                let key = if self.eat("\"") { self.quoted('"')? } else { self.word().to_owned() };
                if !self.eat(":") {
                    return Err(format!("no `:` after `{key}`"));
                }
                entries.insert(key, self.value()?);
                self.eat(",");
            }
            return Ok(entries.into());
        }
        match self.word() {
            "true" => Ok(true.into()),
            "false" => Ok(false.into()),
            "null" => Ok(Value::Nil),
            "Vector2" => self.components().map(|c: [f32; 2]| Vector2::from(c).into()),
            "Vector3" => self.components().map(|c: [f32; 3]| Vector3::from(c).into()),
            word if word.contains('.') => {
                word.parse::<f64>().map(Value::Float).map_err(|_| format!("cannot read `{word}`"))
            }
            word => {
                word.parse::<i64>().map(Value::Int).map_err(|_| format!("cannot read `{word}`"))
            }
        }
    }

    fn components<const N: usize>(&mut self) -> Check<[f32; N]> {
        if !self.eat("(") {
            return Err("no `(`".into());
        }
        let numbers: Vec<f32> = self
            .until(")")?
            .iter()
            .filter_map(|value| value.as_f64().map(|number| number as f32))
            .collect();
        numbers.try_into().map_err(|_| "wrong number of components".into())
    }
}
