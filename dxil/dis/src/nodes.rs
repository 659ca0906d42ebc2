//! Metadata as text: where it is used, and the nodes themselves.

use super::text::Printer;
use rtc_dxil_container::metadata::debug_nodes::{self, Rest, Row, Shape};
use rtc_dxil_module::bitcode::decode_signed;
use rtc_dxil_module::{DebugLoc, Meta, MetaNode};

/// The tag of a variable that is a parameter.
const ARG_VARIABLE: u64 = 257;

impl Printer<'_> {
    /// Metadata where it is used: a number, a string or a value.
    pub fn meta_operand(&mut self, meta: Option<Meta>) {
        let m = self.m;
        let node = meta.filter(|meta| (meta.as_u32() as usize) < m.meta.len());
        let Some(meta) = node else {
            return self.str("null");
        };
        match &m.meta[meta] {
            MetaNode::String(bytes) => {
                self.str("!\"");
                self.escaped(bytes);
                self.str("\"");
            }
            MetaNode::Value(value) => self.typed(*value),
            MetaNode::Node { .. } | MetaNode::Debug { .. } => match self.slots.meta(meta) {
                Some(number) => self.put(format_args!("!{number}")),
                None => self.str("<badref>"),
            },
        }
    }

    /// The name of metadata or of a kind of it.
    pub fn meta_name(&mut self, name: &str) {
        for (at, byte) in name.bytes().enumerate() {
            let letter = byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'$' | b'.' | b'_');
            if letter || (at > 0 && byte.is_ascii_digit()) {
                self.out.push(byte.into());
            } else {
                self.put(format_args!("\\{byte:02X}"));
            }
        }
    }

    /// A metadata node itself.
    pub fn meta_node(&mut self, meta: Meta) {
        let m = self.m;
        match &m.meta[meta] {
            MetaNode::Node { distinct, elems } => {
                self.str(if *distinct { "distinct !{" } else { "!{" });
                for (at, &elem) in elems.iter().enumerate() {
                    self.comma(at);
                    self.meta_operand(elem);
                }
                self.str("}");
            }
            MetaNode::Debug { code, fields } => {
                if fields.first().is_some_and(|&f| f != 0) {
                    self.str("distinct ");
                }
                match debug_nodes::row(*code) {
                    Some(row) => self.debug_node(row, fields.get(1..).unwrap_or_default()),
                    None => self.put(format_args!("!record{code}{fields:?}")),
                }
            }
            _ => self.meta_operand(Some(meta)),
        }
    }

    /// A source position as a node.
    pub fn location(&mut self, loc: DebugLoc) {
        self.put(format_args!("!DILocation(line: {}", loc.line));
        if loc.column != 0 {
            self.put(format_args!(", column: {}", loc.column));
        }
        for (label, meta) in [("scope", loc.scope), ("inlinedAt", loc.inlined_at)] {
            if meta.is_some() {
                self.put(format_args!(", {label}: "));
                self.meta_operand(meta);
            }
        }
        self.str(")");
    }

    fn debug_node(&mut self, row: &Row, values: &[u64]) {
        self.put(format_args!("!{}(", row.name));
        let mut shown = 0;
        for at in 0..row.fields.len() {
            let at = row.order.get(at).map_or(at, |&i| i.into());
            let (Some(&(label, shape)), Some(&value)) = (row.fields.get(at), values.get(at)) else {
                continue;
            };
            // The number of a parameter is shown even if it is none.
            let parameter = label == "arg" && values.first() == Some(&ARG_VARIABLE);
            let hidden = match shape {
                Shape::Hidden => true,
                Shape::TagBut(usual) => value == usual,
                Shape::Ref | Shape::Int | Shape::Encoding | Shape::Language | Shape::Virtuality | Shape::Flags => value == 0,
                _ => false,
            };
            if hidden && !parameter {
                continue;
            }
            self.comma(shown);
            shown += 1;
            self.put(format_args!("{label}: "));
            self.debug_field(shape, value);
        }
        let rest = values.get(row.fields.len()..).unwrap_or_default();
        match row.rest {
            Rest::Nothing => {}
            Rest::Refs => {
                self.comma(shown);
                self.str("operands: {");
                for (at, &value) in rest.iter().enumerate() {
                    self.comma(at);
                    self.debug_field(Shape::RefOrNull, value);
                }
                self.str("}");
            }
            Rest::Expression => self.expression(rest),
        }
        self.str(")");
    }

    fn debug_field(&mut self, shape: Shape, value: u64) {
        let named = |table: &[debug_nodes::Named]| table.iter().find(|row| row.0 == value).map(|row| row.1);
        let name = match shape {
            Shape::Tag | Shape::TagBut(_) => named(debug_nodes::TAGS),
            Shape::Encoding => named(debug_nodes::ENCODINGS),
            Shape::Language => named(debug_nodes::LANGUAGES),
            Shape::Virtuality => named(debug_nodes::VIRTUALITIES),
            _ => None,
        };
        if let Some(name) = name {
            return self.str(name);
        }
        match shape {
            Shape::Text if value == 0 => self.str("\"\""),
            Shape::Ref | Shape::RefOrNull | Shape::Text | Shape::Plain => {
                let id = if shape == Shape::Plain { Some(value) } else { value.checked_sub(1) };
                let meta = id.and_then(|id| u32::try_from(id).ok()).filter(|&id| id != u32::MAX);
                let meta = meta.map(Meta::from_u32);
                let text = meta.filter(|meta| (meta.as_u32() as usize) < self.m.meta.len()).and_then(|meta| self.m.meta.bytes(meta));
                match text {
                    // As a field, a string has no exclamation mark.
                    Some(bytes) => {
                        self.str("\"");
                        self.escaped(bytes);
                        self.str("\"");
                    }
                    None => self.meta_operand(meta),
                }
            }
            Shape::Bool => self.str(if value == 0 { "false" } else { "true" }),
            Shape::Signed => self.put(format_args!("{}", decode_signed(value))),
            Shape::Flags => self.debug_flags(value),
            _ => self.put(format_args!("{value}")),
        }
    }

    fn debug_flags(&mut self, value: u64) {
        let mut left = value;
        let mut shown = 0;
        for &(bits, name) in debug_nodes::FLAGS {
            let mask = if bits <= 3 { 3 } else { bits };
            if value & mask == bits {
                self.str(if shown > 0 { " | " } else { "" });
                self.str(name);
                shown += 1;
                left &= !mask;
            }
        }
        if left != 0 {
            self.str(if shown > 0 { " | " } else { "" });
            self.put(format_args!("{left}"));
        }
    }

    fn expression(&mut self, mut rest: &[u64]) {
        let mut shown = 0;
        while let Some((&op, after)) = rest.split_first() {
            let row = debug_nodes::OPERATIONS.iter().find(|row| row.0 == op);
            let operands = row.map_or(0, |row| row.2).min(after.len());
            self.comma(shown);
            match row {
                Some(row) => self.str(row.1),
                None => self.put(format_args!("{op}")),
            }
            for operand in &after[..operands] {
                self.put(format_args!(", {operand}"));
            }
            shown += 1;
            rest = &after[operands..];
        }
    }
}
