//! Types, constants, values and metadata as text.

use super::float;
use super::slots::{Local, Slots};
use rtc_base::entity::SecondaryMap;
use rtc_dxil_module::{
    Attr, AttrGroup, AttrKind, Attrs, BinOp, Body, Const, ConstKind, Fields, Func, Inst, Module, Type, TypeKind, Value, data_width, flags,
    sign_extend,
};
use std::fmt::{self, Write};

/// Prints pieces of a module.
pub struct Printer<'m> {
    pub m: &'m Module,
    pub out: String,
    pub slots: Slots,
    /// Numbers of structures without a name.
    pub type_numbers: SecondaryMap<Type, u32>,
    /// The function at hand.
    pub here: Option<(Func, &'m Body, Local)>,
    /// Where the lines of instructions begin in `out`; none if they are not requested.
    pub marks: Option<Vec<(usize, Func, Inst)>>,
}

impl<'m> Printer<'m> {
    /// Writes formatted text.
    pub fn put(&mut self, args: fmt::Arguments<'_>) {
        let _ = self.out.write_fmt(args);
    }

    /// Writes text.
    pub fn str(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Writes `, ` before every item but the first.
    pub fn comma(&mut self, at: usize) {
        if at > 0 {
            self.str(", ");
        }
    }

    /// Fills up with blanks to a column, one at least.
    pub fn pad_to(&mut self, column: usize) {
        let line = self.out.rfind('\n').map_or(0, |at| at + 1);
        let have = self.out.len() - line;
        let blanks = column.saturating_sub(have).max(1);
        self.out.extend(std::iter::repeat_n(' ', blanks));
    }

    /// A type.
    pub fn ty(&mut self, ty: Type) {
        let m = self.m;
        match &m.types[ty] {
            TypeKind::Void => self.str("void"),
            TypeKind::Half => self.str("half"),
            TypeKind::Float => self.str("float"),
            TypeKind::Double => self.str("double"),
            TypeKind::Label => self.str("label"),
            TypeKind::Metadata => self.str("metadata"),
            TypeKind::Int(bits) => self.put(format_args!("i{bits}")),
            TypeKind::Pointer { pointee, space } => {
                self.ty(*pointee);
                if *space != 0 {
                    self.put(format_args!(" addrspace({space})"));
                }
                self.str("*");
            }
            TypeKind::Array { elem, len } => {
                self.put(format_args!("[{len} x "));
                self.ty(*elem);
                self.str("]");
            }
            TypeKind::Vector { elem, len } => {
                self.put(format_args!("<{len} x "));
                self.ty(*elem);
                self.str(">");
            }
            TypeKind::Struct(fields) => self.fields(fields),
            TypeKind::Named { name: Some(name), .. } => self.name('%', name),
            TypeKind::Named { .. } => {
                let number = self.type_numbers[ty];
                self.put(format_args!("%{number}"));
            }
            TypeKind::Function { ret, params, vararg } => {
                self.ty(*ret);
                self.str(" (");
                for (at, &param) in params.iter().enumerate() {
                    self.comma(at);
                    self.ty(param);
                }
                if *vararg {
                    self.comma(params.len());
                    self.str("...");
                }
                self.str(")");
            }
        }
    }

    /// The fields of a structure in braces.
    pub fn fields(&mut self, fields: &Fields) {
        let (open, close) = if fields.packed { ("<{", "}>") } else { ("{", "}") };
        self.str(open);
        for (at, &field) in fields.types.iter().enumerate() {
            self.str(if at == 0 { " " } else { ", " });
            self.ty(field);
        }
        if !fields.types.is_empty() {
            self.str(" ");
        }
        self.str(close);
    }

    /// A name after its sigil, quoted if need be.
    pub fn name(&mut self, sigil: char, name: &str) {
        self.out.push(sigil);
        self.bare_name(name);
    }

    /// A name, quoted if need be.
    pub fn bare_name(&mut self, name: &str) {
        let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_');
        let digit = name.as_bytes().first().is_none_or(u8::is_ascii_digit);
        if !digit && name.bytes().all(plain) {
            return self.str(name);
        }
        self.str("\"");
        self.escaped(name.as_bytes());
        self.str("\"");
    }

    /// Bytes with everything that cannot be printed as a backslash and two digits.
    pub fn escaped(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match byte {
                b'\\' | b'"' => self.put(format_args!("\\{byte:02X}")),
                0x20..=0x7E => self.out.push(byte.into()),
                _ => self.put(format_args!("\\{byte:02X}")),
            }
        }
    }

    /// A value without its type.
    pub fn value(&mut self, value: Value) {
        let m = self.m;
        match value {
            Value::Global(g) if !m.globals[g].name.is_empty() => self.name('@', &m.globals[g].name),
            Value::Func(f) if !m.funcs[f].name.is_empty() => self.name('@', &m.funcs[f].name),
            Value::Global(_) | Value::Func(_) => {
                let number = self.slots.unnamed.iter().position(|&v| v == value).unwrap_or(0);
                self.put(format_args!("@{number}"));
            }
            Value::Const(c) => self.constant(c),
            Value::Arg(_) | Value::Inst(_) | Value::Block(_) => {
                let Some((_, body, local)) = &self.here else {
                    return self.str("<badref>");
                };
                match (body.names.get(&value), local.get(value)) {
                    (Some(name), _) => self.name('%', name),
                    (None, Some(number)) => self.put(format_args!("%{number}")),
                    (None, None) => self.str("<badref>"),
                }
            }
            Value::Meta(meta) => self.meta_operand(Some(meta)),
            Value::LocalMeta(n) => {
                let body = self.here.as_ref().map(|(_, body, _)| *body);
                match body.and_then(|b| b.local_meta.get(n as usize)) {
                    Some(&value) => self.typed(value),
                    None => self.str("<badref>"),
                }
            }
        }
    }

    /// A value's type, a blank and the value.
    pub fn typed(&mut self, value: Value) {
        match value {
            Value::Block(_) => self.str("label"),
            Value::Meta(_) | Value::LocalMeta(_) => self.str("metadata"),
            _ => match self.type_of(value) {
                Some(ty) => self.ty(ty),
                None => self.str("<badref>"),
            },
        }
        self.str(" ");
        self.value(value);
    }

    /// The type of a value.
    pub fn type_of(&self, value: Value) -> Option<Type> {
        self.m.value_type(self.here.as_ref().map(|h| h.0), value)
    }

    fn constant(&mut self, c: Const) {
        let m = self.m;
        let data = &m.consts[c];
        match &data.kind {
            ConstKind::Null if m.types.pointee(data.ty).is_some() => self.str("null"),
            ConstKind::Null => self.str("zeroinitializer"),
            ConstKind::Undef => self.str("undef"),
            ConstKind::Int(v) if m.types[data.ty] == TypeKind::Int(1) => {
                self.str(if *v == 0 { "false" } else { "true" });
            }
            ConstKind::Int(v) => self.put(format_args!("{v}")),
            ConstKind::WideInt(words) => {
                // The number in hexadecimal: LLVM would divide it into decimal digits.
                self.str("u0x");
                for word in words.iter().rev() {
                    self.put(format_args!("{word:016X}"));
                }
            }
            ConstKind::Float(bits) => self.float(data.ty, *bits),
            ConstKind::Data(bits) => self.sequence(data.ty, bits),
            ConstKind::Aggregate(values) => {
                let (open, close) = match &m.types[data.ty] {
                    TypeKind::Array { .. } => ("[", "]"),
                    TypeKind::Vector { .. } => ("<", ">"),
                    _ if m.types.fields(data.ty).is_some_and(|f| f.packed) => ("<{ ", " }>"),
                    _ => ("{ ", " }"),
                };
                self.str(open);
                for (at, &value) in values.iter().enumerate() {
                    self.comma(at);
                    self.typed(value);
                }
                self.str(close);
            }
            ConstKind::Cast { op, value } => {
                self.put(format_args!("{} (", op.text()));
                self.typed(*value);
                self.str(" to ");
                self.ty(data.ty);
                self.str(")");
            }
            ConstKind::Gep { inbounds, source, operands } => {
                self.str(if *inbounds { "getelementptr inbounds (" } else { "getelementptr (" });
                self.ty(*source);
                for &value in operands {
                    self.str(", ");
                    self.typed(value);
                }
                self.str(")");
            }
            ConstKind::Binary { op, flags, operands } => {
                self.binop(*op, data.ty);
                self.op_flags(*op, *flags, data.ty);
                self.operands(" (", operands);
            }
            ConstKind::Compare { pred, operands } => {
                self.str(if pred.is_float() { "fcmp " } else { "icmp " });
                self.str(pred.text());
                self.operands(" (", operands);
            }
            ConstKind::Select { operands } => self.operands("select (", operands),
        }
    }

    fn operands(&mut self, open: &str, operands: &[Value]) {
        self.str(open);
        for (at, &value) in operands.iter().enumerate() {
            self.comma(at);
            self.typed(value);
        }
        self.str(")");
    }

    fn float(&mut self, ty: Type, bits: u64) {
        match self.m.types[ty] {
            TypeKind::Half => float::half(&mut self.out, bits as u16),
            TypeKind::Double => float::double(&mut self.out, bits),
            _ => float::single(&mut self.out, bits as u32),
        }
    }

    fn sequence(&mut self, ty: Type, bits: &[u64]) {
        let m = self.m;
        let elem = m.types.element(ty, 0).unwrap_or(ty);
        let array = matches!(m.types[ty], TypeKind::Array { .. });
        if array && m.types[elem] == TypeKind::Int(8) {
            self.str("c\"");
            let bytes: Vec<u8> = bits.iter().map(|&b| b as u8).collect();
            self.escaped(&bytes);
            return self.str("\"");
        }
        let width = data_width(&m.types, elem).unwrap_or(64);
        self.str(if array { "[" } else { "<" });
        for (at, &b) in bits.iter().enumerate() {
            self.comma(at);
            self.ty(elem);
            self.str(" ");
            match m.types[elem] {
                TypeKind::Int(1) => self.str(if b == 0 { "false" } else { "true" }),
                TypeKind::Int(_) => self.put(format_args!("{}", sign_extend(b as i64, width))),
                _ => self.float(elem, b),
            }
        }
        self.str(if array { "]" } else { ">" });
    }

    /// The spelling of an operation on operands of this type.
    pub fn binop(&mut self, op: BinOp, ty: Type) {
        let float = self.m.types.is_float(self.m.types.scalar(ty));
        self.str(op.float_text().filter(|_| float).unwrap_or(op.text()));
    }

    /// The flags of an operation on operands of this type, each after a blank.
    pub fn op_flags(&mut self, op: BinOp, bits: u8, ty: Type) {
        if self.m.types.is_float(self.m.types.scalar(ty)) {
            return self.fast_flags(bits);
        }
        let names: &[(u8, &str)] = match op {
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl => &[(flags::NUW, " nuw"), (flags::NSW, " nsw")],
            BinOp::UDiv | BinOp::SDiv | BinOp::LShr | BinOp::AShr => &[(flags::EXACT, " exact")],
            _ => &[],
        };
        for &(bit, name) in names {
            if bits & bit != 0 {
                self.str(name);
            }
        }
    }

    /// The flags of an operation on floats, each after a blank.
    pub fn fast_flags(&mut self, bits: u8) {
        if bits & flags::UNSAFE_ALGEBRA != 0 {
            return self.str(" fast");
        }
        for (bit, name) in
            [(flags::NO_NANS, " nnan"), (flags::NO_INFS, " ninf"), (flags::NO_SIGNED_ZEROS, " nsz"), (flags::ALLOW_RECIPROCAL, " arcp")]
        {
            if bits & bit != 0 {
                self.str(name);
            }
        }
    }

    /// Whether a list of attributes has any for a place.
    pub fn attr_group(&self, attrs: Attrs, place: u32) -> Option<AttrGroup> {
        attrs.expand().and_then(|list| self.m.attrs.at(list, place))
    }

    /// The attributes of a place, separated by blanks; `in_group` as in `attributes #0 = {…}`.
    pub fn attrs(&mut self, group: AttrGroup, in_group: bool, texts: bool) {
        let data = self.m.attrs.group_data(group);
        let mut sorted: Vec<&Attr> = data.attrs.iter().collect();
        let rank = |kind: AttrKind| AttrKind::ALL.iter().position(|&k| k == kind).unwrap_or(0);
        sorted.sort_by_key(|attr| match attr {
            Attr::Flag(kind) | Attr::Int(kind, _) => (rank(*kind), None),
            Attr::Text(key, value) => (usize::MAX, Some((key, value))),
        });
        let mut shown = 0;
        for attr in sorted {
            if matches!(attr, Attr::Text(..)) && !texts {
                continue;
            }
            if shown > 0 {
                self.str(" ");
            }
            shown += 1;
            match attr {
                Attr::Flag(kind) => self.str(kind.text()),
                Attr::Int(AttrKind::Align, n) if in_group => self.put(format_args!("align={n}")),
                Attr::Int(AttrKind::Align, n) => self.put(format_args!("align {n}")),
                Attr::Int(AttrKind::AlignStack, n) if in_group => {
                    self.put(format_args!("alignstack={n}"));
                }
                Attr::Int(kind, n) => self.put(format_args!("{}({n})", kind.text())),
                Attr::Text(key, value) => {
                    self.str("\"");
                    self.escaped(key.as_bytes());
                    self.str("\"");
                    if let Some(value) = value {
                        self.str("=\"");
                        self.escaped(value.as_bytes());
                        self.str("\"");
                    }
                }
            }
        }
    }
}
