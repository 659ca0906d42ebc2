//! Metadata: nodes are read when something refers to them, since a text has them last.

use rustc_hash::FxHashMap;

use rtc_dxil_module::{Func, Meta, MetaNode, Value};

use super::{Parser, Result};
use crate::lex::Token;

/// Nodes by number: where they are, and what was read.
#[derive(Default)]
pub(crate) struct Nodes {
    places: FxHashMap<String, usize>,
    read: FxHashMap<String, Meta>,
    /// Nodes that are being read: one that refers to itself must be distinct.
    open: Vec<String>,
    /// The names of parameters, by function.
    pub(crate) parameter_names: FxHashMap<Func, Vec<Option<String>>>,
}

impl Nodes {
    /// Says that the node is defined at this token.
    pub(crate) fn define(&mut self, number: String, at: usize) {
        self.places.insert(number, at);
    }
}

/// Nodes refer to nodes; reading them is recursive.
const MAX_OPEN: usize = 512;

impl Parser<'_> {
    /// The nodes of named metadata: `!{!0, !1}`.
    pub(crate) fn node_list(&mut self) -> Result<Vec<Meta>> {
        let at = self.at;
        let elems = self.elements()?;
        match elems.into_iter().collect() {
            Some(nodes) => Ok(nodes),
            None => self.wrong_at(at, "named metadata has nodes alone"),
        }
    }

    /// Metadata where it is used; `None` is `null`.
    pub(crate) fn meta_operand(&mut self) -> Result<Option<Meta>> {
        let at = self.at;
        match self.peek().cloned() {
            Some(Token::Word(word)) if word == "null" => {
                self.at += 1;
                Ok(None)
            }
            Some(Token::Meta(number)) => {
                self.at += 1;
                self.node(at, &number).map(Some)
            }
            Some(Token::Bang) => {
                self.at += 1;
                if let Some(Token::Text(bytes)) = self.peek().cloned() {
                    self.at += 1;
                    return Ok(Some(self.m.meta.intern_node(MetaNode::String(bytes.into()))));
                }
                self.at = at;
                let elems = self.elements()?;
                Ok(Some(self.m.meta.node(&elems)))
            }
            _ => match self.typed()? {
                value @ (Value::Const(_) | Value::Global(_) | Value::Func(_)) => Ok(Some(self.m.meta.value(value))),
                Value::Meta(meta) => Ok(Some(meta)),
                _ => self.wrong_at(at, "a node cannot have a value of a function"),
            },
        }
    }

    /// `!{…}`.
    fn elements(&mut self) -> Result<Vec<Option<Meta>>> {
        match self.next()? {
            Token::Bang => {}
            other => return self.wrong_at(self.at - 1, format!("expected a node, found `{other}`")),
        }
        self.expect("{")?;
        let mut elems = Vec::new();
        while !self.eat("}") {
            if !elems.is_empty() {
                self.expect(",")?;
            }
            elems.push(self.meta_operand()?);
        }
        Ok(elems)
    }

    /// The node with a number.
    fn node(&mut self, used_at: usize, number: &str) -> Result<Meta> {
        if let Some(&meta) = self.nodes.read.get(number) {
            return Ok(meta);
        }
        let Some(&place) = self.nodes.places.get(number) else {
            return self.wrong_at(used_at, format!("there is no metadata `!{number}`"));
        };
        if self.nodes.open.iter().any(|open| open == number) {
            return self.wrong_at(place, format!("`!{number}` refers to itself and is not distinct"));
        }
        if self.nodes.open.len() == MAX_OPEN {
            return self.wrong_at(place, "metadata is nested too deeply");
        }
        let back = std::mem::replace(&mut self.at, place);
        // The function at hand has nothing to do with it.
        let here = self.here.take();
        let depth = std::mem::take(&mut self.depth);
        let meta = if self.eat_word("distinct") {
            let meta = self.m.meta.distinct(&[]);
            self.nodes.read.insert(number.to_owned(), meta);
            self.debug_is_refused()?;
            let elems = self.elements()?;
            self.m.meta.set_elems(meta, &elems);
            meta
        } else {
            self.debug_is_refused()?;
            self.nodes.open.push(number.to_owned());
            let elems = self.elements()?;
            self.nodes.open.pop();
            self.m.meta.node(&elems)
        };
        self.nodes.read.insert(number.to_owned(), meta);
        (self.at, self.here, self.depth) = (back, here, depth);
        Ok(meta)
    }

    fn debug_is_refused(&self) -> Result<()> {
        match self.peek() {
            Some(Token::Meta(name)) if !name.starts_with(|c: char| c.is_ascii_digit()) => {
                self.wrong(format!("debug information (`!{name}`) cannot be read as text"))
            }
            _ => Ok(()),
        }
    }
}
