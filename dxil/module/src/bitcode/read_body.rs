//! The reader of function bodies.
//!
//! A value that is used before it is defined becomes an instruction number from [`FORWARD`] on until
//! the end of the function, where it is replaced by the instruction or found not to exist.

use super::error::ReadError;
use super::read::Reader;
use super::records::{attachment, constants, function, metadata, symtab};
use super::stream::Entry;
use crate::{Block, Body, DebugLoc, Func, Inst, Loc, Type, TypeKind, Value};

/// Instruction numbers from here on are values still to come.
const FORWARD: u32 = 1 << 31;

/// A body being read.
pub(super) struct Here {
    pub func: Func,
    pub body: Body,
    /// Module values, arguments and constants by number.
    pub values: Vec<Value>,
    /// Instructions that have a result, in order; their numbers follow those of `values`.
    results: Vec<Inst>,
    /// All instructions in order.
    placed: Vec<Inst>,
    block: u32,
    last_loc: Option<Loc>,
    /// The values of the function's metadata, by number.
    local_meta: Vec<u64>,
    /// Types that were given for values still to come.
    promised: Vec<(u32, Type)>,
}

impl Here {
    pub fn next(&self) -> u32 {
        (self.values.len() + self.results.len()) as u32
    }
}

impl Reader<'_> {
    pub(super) fn read_body(&mut self, func: Func) -> Result<(), ReadError> {
        let mut values = std::mem::take(&mut self.values);
        let module_values = values.len();
        let params = super::number::param_count(&self.m, func);
        values.extend((0..params).map(Value::Arg));
        let mut here = Here {
            func,
            body: Body::default(),
            values,
            results: Vec::new(),
            placed: Vec::new(),
            block: 0,
            last_loc: None,
            local_meta: Vec::new(),
            promised: Vec::new(),
        };
        let result = self.read_blocks(&mut here);
        here.values.truncate(module_values);
        self.values = here.values;
        result?;
        self.m.funcs[func].body = Some(here.body);
        Ok(())
    }

    fn read_blocks(&mut self, here: &mut Here) -> Result<(), ReadError> {
        loop {
            match self.s.next()? {
                Entry::End => break,
                Entry::Record(code) => self.body_record(here, code)?,
                Entry::Block(id) if id == constants::BLOCK.id => {
                    if !here.placed.is_empty() {
                        return Err(self.error("constants after instructions"));
                    }
                    self.s.enter(id)?;
                    self.read_constants(&mut here.values)?;
                }
                Entry::Block(id) if id == metadata::BLOCK.id => {
                    self.s.enter(id)?;
                    self.read_local_metadata(&mut here.local_meta)?;
                }
                Entry::Block(id) if id == symtab::BLOCK.id => {
                    self.s.enter(id)?;
                    self.local_symbols(here)?;
                }
                Entry::Block(id) if id == attachment::BLOCK.id => {
                    self.s.enter(id)?;
                    self.attached(here)?;
                }
                Entry::Block(id) => self.s.skip(id)?,
            }
        }
        if here.body.blocks.is_empty() || here.block as usize != here.body.blocks.len() {
            return Err(self.error("a function body is incomplete"));
        }
        self.resolve(here)
    }

    /// Puts instructions in the place of values that were still to come.
    fn resolve(&mut self, here: &mut Here) -> Result<(), ReadError> {
        for at in 0..here.local_meta.len() {
            let id = here.local_meta[at];
            let id = usize::try_from(id).unwrap_or(usize::MAX);
            let value = match here.values.get(id) {
                Some(&value) => Some(value),
                None => here.results.get(id - here.values.len()).copied().map(Value::Inst),
            };
            let Some(value) = value else {
                return Err(self.error("metadata of a value that does not exist"));
            };
            here.body.local_meta.push(value);
        }
        let results = &here.results;
        for &(number, ty) in &here.promised {
            let inst = results.get(number as usize);
            if inst.is_none_or(|&inst| here.body.insts[inst].ty != ty) {
                return Err(self.error("a value is not of the type that was announced"));
            }
        }
        let mut missing = false;
        here.body.map_values(|value| match value {
            Value::Inst(i) if i.as_u32() >= FORWARD => match results.get((i.as_u32() - FORWARD) as usize) {
                Some(&inst) => Value::Inst(inst),
                None => {
                    missing = true;
                    value
                }
            },
            _ => value,
        });
        if missing {
            return Err(self.error("a value is used that is never defined"));
        }
        Ok(())
    }

    fn local_symbols(&mut self, here: &mut Here) -> Result<(), ReadError> {
        while let Some(code) = self.s.next_record()? {
            let id = self.field32(0)?;
            let name = self.text(1)?;
            let value = if code == symtab::BBENTRY.code {
                Value::Block(self.block(here, id.into())?)
            } else if let Some(&value) = here.values.get(id as usize) {
                value
            } else {
                match here.results.get(id as usize - here.values.len()) {
                    Some(&inst) => Value::Inst(inst),
                    None => return Err(self.error(format!("there is no value {id}"))),
                }
            };
            if !matches!(value, Value::Block(_) | Value::Arg(_) | Value::Inst(_)) {
                return Err(self.error("a constant with a name"));
            }
            here.body.names.insert(value, name);
        }
        Ok(())
    }

    fn attached(&mut self, here: &mut Here) -> Result<(), ReadError> {
        while let Some(code) = self.s.next_record()? {
            if code != attachment::ATTACHMENT.code {
                return Err(self.error(format!("attachment record {code}")));
            }
            let odd = self.s.fields.len() % 2;
            let inst = match odd {
                1 => {
                    let at = usize::try_from(self.field(0)?).unwrap_or(usize::MAX);
                    let inst = here.placed.get(at).copied();
                    Some(inst.ok_or_else(|| self.error(format!("there is no instruction {at}")))?)
                }
                _ => None,
            };
            for at in (odd..self.s.fields.len()).step_by(2) {
                let kind = self.field32(at)?;
                if kind as usize >= self.m.meta.kinds.len() {
                    return Err(self.error(format!("there is no metadata kind {kind}")));
                }
                let node = self.known_meta(self.field(at + 1)?)?;
                match inst {
                    Some(inst) => here.body.attached.push((inst, kind, node)),
                    None => here.body.attached_to_function.push((kind, node)),
                }
            }
        }
        Ok(())
    }

    fn body_record(&mut self, here: &mut Here, code: u32) -> Result<(), ReadError> {
        match code {
            _ if code == function::DECLAREBLOCKS.code => {
                let count = self.field(0)?;
                // Each block ends with an instruction of four bits at least.
                if count == 0 || count > self.s.left() / 4 || !here.body.blocks.is_empty() {
                    return Err(self.error(format!("a function of {count} blocks")));
                }
                (0..count).for_each(|_| {
                    here.body.new_block();
                });
                Ok(())
            }
            _ if code == function::DEBUG_LOC.code || code == function::DEBUG_LOC_AGAIN.code => {
                let loc = if code == function::DEBUG_LOC.code {
                    let meta = |id: u64| match id.checked_sub(1) {
                        Some(id) => self.known_meta(id).map(Some),
                        None => Ok(None),
                    };
                    let loc = DebugLoc {
                        line: self.field32(0)?,
                        column: self.field32(1)?,
                        scope: meta(self.field(2)?)?,
                        inlined_at: meta(self.field(3)?)?,
                    };
                    here.body.locs.push(loc)
                } else {
                    here.last_loc.ok_or_else(|| self.error("no source position to repeat"))?
                };
                here.last_loc = Some(loc);
                match here.placed.last() {
                    Some(&inst) => here.body.insts[inst].loc = loc.into(),
                    None => return Err(self.error("a source position of nothing")),
                }
                Ok(())
            }
            _ => {
                if here.block as usize >= here.body.blocks.len() {
                    return Err(self.error("an instruction after the last block"));
                }
                let (op, ty) = self.inst(here, code)?;
                let block = Block::from_u32(here.block);
                let inst = here.body.append(block, ty, op);
                here.placed.push(inst);
                if op.is_terminator() {
                    here.block += 1;
                }
                if self.m.types[ty] != TypeKind::Void {
                    here.results.push(inst);
                }
                Ok(())
            }
        }
    }

    pub(super) fn block(&self, here: &Here, id: u64) -> Result<Block, ReadError> {
        if id < here.body.blocks.len() as u64 { Ok(Block::from_u32(id as u32)) } else { Err(self.error(format!("there is no block {id}"))) }
    }

    pub(super) fn type_of(&self, here: &Here, value: Value) -> Result<Type, ReadError> {
        let ty = match value {
            Value::Inst(i) => here.body.insts.get(i).map(|data| data.ty),
            value => self.m.value_type(Some(here.func), value),
        };
        ty.ok_or_else(|| self.error("a value of unknown type"))
    }

    pub(super) fn by_number(&self, here: &Here, id: u32) -> Result<Value, ReadError> {
        if let Some(&value) = here.values.get(id as usize) {
            return Ok(value);
        }
        let at = id - here.values.len() as u32;
        match here.results.get(at as usize) {
            Some(&inst) => Ok(Value::Inst(inst)),
            None if at < FORWARD - 1 => Ok(Value::Inst(Inst::from_u32(FORWARD + at))),
            None => Err(self.error("a value that is too far ahead")),
        }
    }

    /// The value in field `at`, which moves on.
    pub(super) fn value(&self, here: &Here, at: &mut usize) -> Result<Value, ReadError> {
        let distance = self.field(*at)? as u32;
        *at += 1;
        self.by_number(here, here.next().wrapping_sub(distance))
    }

    /// The value in field `at`, and its type, which follows if the value is still to come.
    pub(super) fn typed(&self, here: &mut Here, at: &mut usize) -> Result<(Value, Type), ReadError> {
        let value = self.value(here, at)?;
        let ty = match value {
            Value::Inst(i) if i.as_u32() >= FORWARD => {
                *at += 1;
                let ty = self.ty(self.field(*at - 1)?)?;
                here.promised.push((i.as_u32() - FORWARD, ty));
                ty
            }
            value => self.type_of(here, value)?,
        };
        Ok((value, ty))
    }

    /// The argument in field `at` for a parameter of type `ty`.
    pub(super) fn argument(&self, here: &Here, at: &mut usize, ty: Type) -> Result<Value, ReadError> {
        match self.m.types[ty] {
            TypeKind::Metadata => {
                let id = u64::from(here.next().wrapping_sub(self.field(*at)? as u32));
                *at += 1;
                match id.checked_sub(self.m.meta.len() as u64) {
                    None => Ok(Value::Meta(self.known_meta(id)?)),
                    Some(id) if id < here.local_meta.len() as u64 => Ok(Value::LocalMeta(id as u32)),
                    Some(_) => Err(self.error(format!("there is no metadata {id}"))),
                }
            }
            TypeKind::Label => {
                *at += 1;
                Ok(Value::Block(self.block(here, self.field(*at - 1)?)?))
            }
            _ => self.value(here, at),
        }
    }
}
