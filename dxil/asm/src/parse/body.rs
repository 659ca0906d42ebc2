//! Bodies of functions: blocks and instructions.
//!
//! A value may be used before it is defined. It gets a number that no instruction has, and the real one when the body has been read; every
//! use says its type, so nothing waits for that.

use rustc_hash::FxHashMap;

use rtc_dxil_module::{Attr, Block, Body, CmpPred, FUNCTION_INDEX, Func, Inst, Op, Ordering, RmwOp, Tail, Type, TypeKind, Value, cmpxchg};

use super::values::{binary_named, cast_named};
use super::{Parser, Result};
use crate::lex::Token;

/// Values that are not defined yet have numbers from here on.
const AHEAD: u32 = 1 << 30;

/// The function whose body is read.
pub(crate) struct Here {
    func: Func,
    body: Body,
    /// Values and blocks by name or number.
    names: FxHashMap<String, Value>,
    /// The types of values that are defined.
    types: FxHashMap<String, Type>,
    /// Values that were used before, by name, with their number, type and place.
    ahead: FxHashMap<String, (u32, Type, usize)>,
    /// Blocks that were used before they began, with the place.
    blocks_ahead: FxHashMap<String, (Block, usize)>,
    /// The number of the next value or block without a name.
    next: u32,
    /// The order in which blocks begin.
    order: Vec<Block>,
    /// The block at hand, and whether it ends.
    block: Option<Block>,
}

impl Parser<'_> {
    fn here(&mut self) -> Result<&mut Here> {
        if self.here.is_none() {
            return self.wrong("a value of a function is used outside of one");
        }
        // It was just seen.
        self.here.as_mut().ok_or_else(|| unreachable!("there is a function"))
    }

    /// A local value of a known type.
    pub(crate) fn local(&mut self, name: &str, ty: Type) -> Result<Value> {
        let at = self.at - 1;
        if self.m.types[ty] == TypeKind::Label {
            return self.block_named(name, at);
        }
        let here = self.here()?;
        if let Some(&value) = here.names.get(name) {
            let known = here.types.get(name).copied();
            return if known == Some(ty) { Ok(value) } else { self.wrong_at(at, format!("`%{name}` has another type")) };
        }
        let count = AHEAD + here.ahead.len() as u32;
        let (number, first, _) = *here.ahead.entry(name.to_owned()).or_insert((count, ty, at));
        if first != ty {
            return self.wrong_at(at, format!("`%{name}` is used with two types"));
        }
        Ok(Value::Inst(Inst::from_u32(number)))
    }

    /// `%name` of a block.
    pub(crate) fn block_operand(&mut self) -> Result<Value> {
        match self.next()? {
            Token::Local(name) => self.block_named(&name, self.at - 1),
            other => self.wrong_at(self.at - 1, format!("expected a block, found `{other}`")),
        }
    }

    fn block_named(&mut self, name: &str, at: usize) -> Result<Value> {
        let here = self.here()?;
        match here.names.get(name) {
            Some(&value @ Value::Block(_)) => Ok(value),
            Some(_) => self.wrong_at(at, format!("`%{name}` is no block")),
            None => {
                let body = &mut here.body;
                let (block, _) = *here.blocks_ahead.entry(name.to_owned()).or_insert_with(|| (body.new_block(), at));
                Ok(Value::Block(block))
            }
        }
    }

    fn block_after_label(&mut self) -> Result<Block> {
        if !self.eat_word("label") {
            return self.wrong("expected `label`");
        }
        match self.block_operand()? {
            Value::Block(block) => Ok(block),
            _ => self.wrong("expected a block"),
        }
    }

    /// A value of the function wrapped as metadata.
    pub(crate) fn local_meta(&mut self, value: Value) -> Value {
        match &mut self.here {
            Some(here) => {
                here.body.local_meta.push(value);
                Value::LocalMeta(here.body.local_meta.len() as u32 - 1)
            }
            None => value,
        }
    }

    /// The body of a function, from its attachments on.
    pub(crate) fn body(&mut self, func: Func) -> Result<()> {
        let mut here = Here {
            func,
            body: Body::default(),
            names: FxHashMap::default(),
            types: FxHashMap::default(),
            ahead: FxHashMap::default(),
            blocks_ahead: FxHashMap::default(),
            next: 0,
            order: Vec::new(),
            block: None,
        };
        let params = self.m.types.signature(self.m.funcs[func].ty).map_or(Vec::new(), |(_, params, _)| params.to_vec());
        let names = self.nodes.parameter_names.remove(&func).unwrap_or_default();
        for (n, ty) in params.into_iter().enumerate() {
            let value = Value::Arg(n as u32);
            let name = names.get(n).cloned().flatten();
            let is_number = name.as_ref().is_none_or(|n| n.bytes().all(|b| b.is_ascii_digit()));
            let known = match name {
                Some(name) if !is_number => {
                    here.body.names.insert(value, name.as_str().into());
                    name
                }
                _ => {
                    here.next += 1;
                    (here.next - 1).to_string()
                }
            };
            here.types.insert(known.clone(), ty);
            here.names.insert(known, value);
        }
        self.here = Some(here);
        while let Some(Token::Meta(kind)) = self.peek().cloned() {
            self.at += 1;
            let kind = self.m.meta.kind(&kind);
            let Some(node) = self.meta_operand()? else { return self.wrong("nothing is attached") };
            self.here()?.body.attached_to_function.push((kind, node));
        }
        self.expect("{")?;
        while !self.eat("}") {
            self.line()?;
        }
        self.finish()
    }

    /// A label or an instruction.
    fn line(&mut self) -> Result<()> {
        if let Some(Token::Label(name)) = self.peek().cloned() {
            self.at += 1;
            return self.begin_block(Some(name));
        }
        if self.here()?.block.is_none() {
            self.begin_block(None)?;
        }
        let name = match (self.peek().cloned(), self.peek_at(1)) {
            (Some(Token::Local(name)), Some(Token::Punct("="))) => {
                self.at += 2;
                Some(name)
            }
            _ => None,
        };
        let at = self.at;
        let (op, ty) = self.instruction()?;
        let here = self.here()?;
        let Some(block) = here.block else { return Ok(()) };
        let inst = here.body.append(block, ty, op);
        if op.is_terminator() {
            here.block = None;
        }
        let is_void = self.m.types[ty] == TypeKind::Void;
        if is_void && name.is_some() {
            return self.wrong_at(at, "an instruction without a result has a name");
        }
        if !is_void {
            self.define_value(at, name, Value::Inst(inst), ty)?;
        }
        while self.eat(",") {
            let Some(Token::Meta(kind)) = self.peek().cloned() else { return self.wrong("expected an attachment") };
            self.at += 1;
            if kind == "dbg" {
                return self.wrong("debug information (`!dbg`) cannot be read as text");
            }
            let kind = self.m.meta.kind(&kind);
            let Some(node) = self.meta_operand()? else { return self.wrong("nothing is attached") };
            self.here()?.body.attach(inst, kind, node);
        }
        Ok(())
    }

    fn define_value(&mut self, at: usize, name: Option<String>, value: Value, ty: Type) -> Result<()> {
        let here = self.here()?;
        let known = match name {
            Some(name) if !name.bytes().all(|b| b.is_ascii_digit()) => {
                here.body.names.insert(value, name.as_str().into());
                name
            }
            numbered => {
                let own = here.next.to_string();
                here.next += 1;
                if let Some(number) = numbered.filter(|n| *n != own) {
                    return self.wrong_at(at, format!("the value `%{number}` should have the number {own}"));
                }
                own
            }
        };
        if here.names.insert(known.clone(), value).is_some() {
            return self.wrong_at(at, format!("`%{known}` is defined twice"));
        }
        here.types.insert(known, ty);
        Ok(())
    }

    fn begin_block(&mut self, name: Option<String>) -> Result<()> {
        let at = self.at.saturating_sub(1);
        let here = self.here()?;
        if here.block.is_some() {
            return self.wrong_at(at, "the block before does not end in a branch or return");
        }
        let named = name.filter(|n| !n.bytes().all(|b| b.is_ascii_digit()));
        let known = named.clone().unwrap_or_else(|| {
            here.next += 1;
            (here.next - 1).to_string()
        });
        let block = match here.blocks_ahead.remove(&known) {
            Some((block, _)) => block,
            None => here.body.new_block(),
        };
        if here.names.insert(known.clone(), Value::Block(block)).is_some() {
            return self.wrong_at(at, format!("`%{known}` is defined twice"));
        }
        if let Some(name) = named {
            here.body.names.insert(Value::Block(block), name.into());
        }
        here.order.push(block);
        here.block = Some(block);
        Ok(())
    }

    /// Puts blocks in the order of the text, and real values in place of those that were ahead.
    fn finish(&mut self) -> Result<()> {
        let Some(here) = self.here.take() else { return Ok(()) };
        if here.block.is_some() || here.order.is_empty() {
            return self.wrong_at(self.at - 1, "the last block does not end in a branch or return");
        }
        if let Some((name, (_, at))) = here.blocks_ahead.iter().min_by_key(|(_, (_, at))| *at) {
            return self.wrong_at(*at, format!("there is no block `%{name}`"));
        }
        let mut real = FxHashMap::default();
        for (name, (number, ty, at)) in &here.ahead {
            match here.names.get(name) {
                Some(&value @ Value::Inst(_)) if here.types.get(name) == Some(ty) => drop(real.insert(*number, value)),
                Some(_) => return self.wrong_at(*at, format!("`%{name}` has another type")),
                None => return self.wrong_at(*at, format!("there is no `%{name}`")),
            }
        }
        let mut place: FxHashMap<Block, Block> = FxHashMap::default();
        for (n, &block) in here.order.iter().enumerate() {
            place.insert(block, Block::from_u32(n as u32));
        }
        let mut body = here.body;
        let change = |value: Value| match value {
            Value::Inst(inst) => real.get(&inst.as_u32()).copied().unwrap_or(value),
            Value::Block(block) => Value::Block(place[&block]),
            other => other,
        };
        for inst in body.insts.keys().collect::<Vec<_>>() {
            body.map_operands(inst, change);
            match &mut body.insts[inst].op {
                Op::Br(to) => *to = place[to],
                Op::CondBr { then, other, .. } => (*then, *other) = (place[then], place[other]),
                Op::Switch { default, .. } => *default = place[default],
                _ => {}
            }
        }
        for value in &mut body.local_meta {
            *value = change(*value);
        }
        let names = std::mem::take(&mut body.names);
        body.names = names.into_iter().map(|(value, name)| (change(value), name)).collect();
        let blocks: Vec<Vec<Inst>> = here.order.iter().map(|b| std::mem::take(&mut body.blocks[*b])).collect();
        for (n, insts) in blocks.into_iter().enumerate() {
            body.blocks[Block::from_u32(n as u32)] = insts;
        }
        self.m.funcs[here.func].body = Some(body);
        Ok(())
    }

    /// The type of a value.
    fn type_of(&mut self, value: Value) -> Result<Type> {
        let at = self.at;
        let known = match value {
            Value::Inst(inst) if inst.as_u32() >= AHEAD => {
                self.here()?.ahead.values().find(|(number, ..)| *number == inst.as_u32()).map(|(_, ty, _)| *ty)
            }
            Value::Inst(inst) => Some(self.here()?.body.insts[inst].ty),
            other => {
                let func = self.here()?.func;
                self.m.value_type(Some(func), other)
            }
        };
        known.map_or_else(|| self.wrong_at(at, "a value has no type"), Ok)
    }

    fn list(&mut self, values: &[Value]) -> Result<rtc_dxil_module::List> {
        Ok(self.here()?.body.list(values))
    }

    fn comma_typed(&mut self) -> Result<Value> {
        self.expect(",")?;
        self.typed()
    }

    /// A second value of the type of the first, or with a type of its own as listings of other versions have it.
    fn comma_same(&mut self, ty: Type) -> Result<Value> {
        self.expect(",")?;
        self.value(ty)
    }

    fn align(&mut self) -> Result<u32> {
        let there = matches!(self.peek(), Some(Token::Punct(","))) && matches!(self.peek_at(1), Some(Token::Word(w)) if w == "align");
        if !there {
            return Ok(0);
        }
        self.at += 2;
        self.number()
    }

    fn ordering(&mut self) -> Result<Ordering> {
        let word = self.word()?;
        let found = (1..=6).filter_map(Ordering::from_code).find(|o| o.text() == word);
        found.map_or_else(|| self.wrong_at(self.at - 1, format!("`{word}` is no memory ordering")), Ok)
    }

    fn path(&mut self) -> Result<Vec<u32>> {
        let mut path = Vec::new();
        while matches!((self.peek(), self.peek_at(1)), (Some(Token::Punct(",")), Some(Token::Int(_)))) {
            self.at += 1;
            path.push(self.number()?);
        }
        if path.is_empty() { self.wrong("expected the number of a field") } else { Ok(path) }
    }

    /// The type at the end of a path.
    fn field_type(&mut self, mut ty: Type, path: &[u32]) -> Result<Type> {
        for &n in path {
            let inner = match &self.m.types[ty] {
                TypeKind::Array { elem, .. } => Some(*elem),
                _ => self.m.types.fields(ty).and_then(|f| f.types.get(n as usize).copied()),
            };
            match inner {
                Some(inner) => ty = inner,
                None => return self.wrong("there is no such field"),
            }
        }
        Ok(ty)
    }

    fn instruction(&mut self) -> Result<(Op, Type)> {
        let at = self.at;
        let word = self.word()?;
        let void = self.m.types.void();
        Ok(match word.as_str() {
            "ret" if self.eat_word("void") => (Op::Ret(None), void),
            "ret" => (Op::Ret(Some(self.typed()?)), void),
            "br" if matches!(self.peek(), Some(Token::Word(w)) if w == "label") => (Op::Br(self.block_after_label()?), void),
            "br" => {
                let cond = self.typed()?;
                self.expect(",")?;
                let then = self.block_after_label()?;
                self.expect(",")?;
                (Op::CondBr { cond, then, other: self.block_after_label()? }, void)
            }
            "switch" => {
                let value = self.typed()?;
                self.expect(",")?;
                let default = self.block_after_label()?;
                self.expect("[")?;
                let mut cases = Vec::new();
                while !self.eat("]") {
                    cases.push(self.typed()?);
                    self.expect(",")?;
                    cases.push(Value::Block(self.block_after_label()?));
                }
                (Op::Switch { value, default, cases: self.list(&cases)? }, void)
            }
            "unreachable" => (Op::Unreachable, void),
            "icmp" | "fcmp" => self.comparison(word == "fcmp")?,
            "select" => {
                let cond = self.typed()?;
                let then = self.comma_typed()?;
                let other = self.comma_typed()?;
                (Op::Select { cond, then, other }, self.type_of(then)?)
            }
            "phi" => {
                let ty = self.ty()?;
                let mut pairs = Vec::new();
                loop {
                    self.expect("[")?;
                    pairs.push(self.value(ty)?);
                    self.expect(",")?;
                    pairs.push(self.block_operand()?);
                    self.expect("]")?;
                    // A comma may also begin an attachment.
                    if !matches!((self.peek(), self.peek_at(1)), (Some(Token::Punct(",")), Some(Token::Punct("[")))) {
                        break;
                    }
                    self.at += 1;
                }
                (Op::Phi(self.list(&pairs)?), ty)
            }
            "call" => self.call(Tail::No)?,
            "tail" | "musttail" => {
                if !self.eat_word("call") {
                    return self.wrong("expected `call`");
                }
                self.call(if word == "tail" { Tail::Tail } else { Tail::Must })?
            }
            "extractvalue" => {
                let value = self.typed()?;
                let path = self.path()?;
                let whole = self.type_of(value)?;
                let ty = self.field_type(whole, &path)?;
                (Op::ExtractValue { value, path: self.here()?.body.indices(&path) }, ty)
            }
            "insertvalue" => {
                let value = self.typed()?;
                let field = self.comma_typed()?;
                let path = self.path()?;
                (Op::InsertValue { value, field, path: self.here()?.body.indices(&path) }, self.type_of(value)?)
            }
            "extractelement" => {
                let vector = self.typed()?;
                let index = self.comma_index()?;
                let whole = self.type_of(vector)?;
                (Op::ExtractElement { vector, index }, self.m.types.scalar(whole))
            }
            "insertelement" => {
                let vector = self.typed()?;
                let value = self.comma_typed()?;
                let index = self.comma_typed()?;
                (Op::InsertElement { vector, value, index }, self.type_of(vector)?)
            }
            "shufflevector" => {
                let lhs = self.typed()?;
                let rhs = self.comma_typed()?;
                let mask = self.comma_typed()?;
                let (like, shape) = (self.type_of(lhs)?, self.type_of(mask)?);
                let elem = self.m.types.scalar(like);
                (Op::ShuffleVector { lhs, rhs, mask }, self.m.types.reshape(shape, elem))
            }
            "alloca" | "load" | "store" | "getelementptr" | "atomicrmw" | "cmpxchg" | "fence" => self.memory(at, &word)?,
            _ => {
                if let Some(op) = cast_named(&word) {
                    let value = self.typed()?;
                    if !self.eat_word("to") {
                        return self.wrong("expected `to`");
                    }
                    (Op::Cast { op, value }, self.ty()?)
                } else if let Some(op) = binary_named(&word) {
                    let float = op.float_text() == Some(word.as_str());
                    let flags = self.op_flags(float);
                    let ty = self.ty()?;
                    let lhs = self.value(ty)?;
                    (Op::Binary { op, flags, lhs, rhs: self.comma_same(ty)? }, ty)
                } else {
                    return self.wrong_at(at, format!("`{word}` is no instruction"));
                }
            }
        })
    }

    /// An index after a comma, with its type; listings leave it out where it is that of the vector.
    fn comma_index(&mut self) -> Result<Value> {
        self.expect(",")?;
        self.typed()
    }

    fn comparison(&mut self, float: bool) -> Result<(Op, Type)> {
        let flags = if float { self.op_flags(true) } else { 0 };
        let pred: CmpPred = self.predicate(float)?;
        let ty = self.ty()?;
        let lhs = self.value(ty)?;
        let rhs = self.comma_same(ty)?;
        let truth = self.m.types.i1();
        let result = self.m.types.reshape(ty, truth);
        Ok((Op::Cmp { pred, flags, lhs, rhs }, result))
    }

    fn call(&mut self, tail: Tail) -> Result<(Op, Type)> {
        let cc = self.convention() as u16;
        let mut groups: Vec<(u32, Vec<Attr>)> = vec![(0, self.attributes(false)?)];
        let mut ty = self.ty()?;
        let at = self.at;
        let Token::Global(name) = self.next()? else {
            return self.wrong_at(at, "only functions by name can be called");
        };
        let Some(&callee) = self.values.get(&name) else { return self.wrong_at(at, format!("there is no `@{name}`")) };
        let Value::Func(func) = callee else { return self.wrong_at(at, format!("`@{name}` is no function")) };
        let of_function = self.m.funcs[func].ty;
        let ret = self.m.types.signature(of_function).map(|(ret, ..)| ret);
        // The result alone, the function, or a pointer to it.
        if self.m.types.pointee(ty) == Some(of_function) || Some(ty) == ret {
            ty = of_function;
        }
        let (Some(ret), true) = (ret, ty == of_function) else { return self.wrong_at(at, format!("`@{name}` has another type")) };
        self.expect("(")?;
        let mut args = Vec::new();
        while !self.eat(")") {
            if !args.is_empty() {
                self.expect(",")?;
            }
            if matches!(self.peek(), Some(Token::Word(w)) if w == "metadata" || w == "label") {
                args.push(self.typed()?);
                continue;
            }
            let ty = self.ty()?;
            groups.push((args.len() as u32 + 1, self.attributes(false)?));
            args.push(self.value(ty)?);
        }
        let params = self.m.types.signature(of_function).map_or((0, false), |(_, params, vararg)| (params.len(), vararg));
        if args.len() < params.0 || (args.len() > params.0 && !params.1) {
            return self.wrong_at(at, format!("`@{name}` has {} parameters, {} arguments are passed", params.0, args.len()));
        }
        let mut own = Vec::new();
        while let Some(Token::Group(number)) = self.peek().cloned() {
            self.at += 1;
            own.extend(self.group(&number)?);
        }
        own.extend(self.attributes(false)?);
        groups.push((FUNCTION_INDEX, own));
        let attrs = self.attribute_list(groups);
        Ok((Op::Call { callee, ty, attrs, args: self.list(&args)?, cc, tail }, ret))
    }

    fn memory(&mut self, at: usize, word: &str) -> Result<(Op, Type)> {
        let void = self.m.types.void();
        Ok(match word {
            "alloca" => {
                let allocated = self.ty()?;
                let has_count = matches!(self.peek(), Some(Token::Punct(",")))
                    && !matches!(self.peek_at(1), Some(Token::Word(w)) if w == "align")
                    && !matches!(self.peek_at(1), Some(Token::Meta(_)));
                let count = if has_count { self.comma_typed()? } else { self.m.i32(1) };
                let align = self.align()?;
                (Op::Alloca { allocated, count, align }, self.m.types.ptr(allocated))
            }
            "load" => {
                let volatile = self.eat_word("volatile");
                let ty = self.ty()?;
                let ptr = self.comma_typed()?;
                (Op::Load { ptr, align: self.align()?, volatile }, ty)
            }
            "store" => {
                let volatile = self.eat_word("volatile");
                let value = self.typed()?;
                let ptr = self.comma_typed()?;
                (Op::Store { ptr, value, align: self.align()?, volatile }, void)
            }
            "getelementptr" => {
                let inbounds = self.eat_word("inbounds");
                let source = self.ty()?;
                self.expect(",")?;
                let operands = self.addresses()?;
                let ty = self.address_type(at, source, &operands)?;
                (Op::Gep { inbounds, source, operands: self.list(&operands)? }, ty)
            }
            "atomicrmw" => {
                let volatile = self.eat_word("volatile");
                let name = self.word()?;
                let Some(op) = (0..=10).filter_map(RmwOp::from_code).find(|o| o.text() == name) else {
                    return self.wrong_at(self.at - 1, format!("`{name}` is no operation on memory"));
                };
                let ptr = self.typed()?;
                let value = self.comma_typed()?;
                let cross_thread = !self.eat_word("singlethread");
                let ordering = self.ordering()?;
                (Op::AtomicRmw { op, ptr, value, ordering, volatile, cross_thread }, self.type_of(value)?)
            }
            "cmpxchg" => {
                let mut flags = if self.eat_word("weak") { cmpxchg::WEAK } else { 0 };
                flags |= if self.eat_word("volatile") { cmpxchg::VOLATILE } else { 0 };
                let ptr = self.typed()?;
                let expected = self.comma_typed()?;
                let new = self.comma_typed()?;
                flags |= if self.eat_word("singlethread") { 0 } else { cmpxchg::CROSS_THREAD };
                let (success, failure) = (self.ordering()?, self.ordering()?);
                let (ty, truth) = (self.type_of(new)?, self.m.types.i1());
                (Op::CmpXchg { ptr, expected, new, success, failure, flags }, self.m.types.anon_struct(&[ty, truth]))
            }
            _ => {
                let cross_thread = !self.eat_word("singlethread");
                (Op::Fence { ordering: self.ordering()?, cross_thread }, void)
            }
        })
    }

    /// Base and indices of an address.
    fn addresses(&mut self) -> Result<Vec<Value>> {
        let mut all = vec![self.typed()?];
        while matches!(self.peek(), Some(Token::Punct(","))) && !matches!(self.peek_at(1), Some(Token::Meta(_))) {
            self.at += 1;
            all.push(self.typed()?);
        }
        Ok(all)
    }

    fn address_type(&mut self, at: usize, source: Type, operands: &[Value]) -> Result<Type> {
        let base = self.type_of(operands[0])?;
        let (pointee, space) = match self.m.types[base] {
            TypeKind::Pointer { pointee, space } => (pointee, space),
            _ => return self.wrong_at(at, "the base of an address is no pointer"),
        };
        if pointee != source {
            return self.wrong_at(at, "the base of an address points to another type");
        }
        let mut ty = source;
        for &index in operands.iter().skip(2) {
            let inner = match self.m.types[ty] {
                TypeKind::Array { elem, .. } | TypeKind::Vector { elem, .. } => Some(elem),
                _ => {
                    let n = self.m.int_of(index).and_then(|n| usize::try_from(n).ok());
                    n.and_then(|n| self.m.types.fields(ty)?.types.get(n).copied())
                }
            };
            match inner {
                Some(inner) => ty = inner,
                None => return self.wrong_at(at, "an index leads nowhere"),
            }
        }
        Ok(self.m.types.ptr_in(ty, space))
    }
}
