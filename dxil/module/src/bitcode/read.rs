//! The reader: any producer's bitcode of the LLVM 3.7 era into a module.
//!
//! Blocks are taken in the order in which they come. Nothing in the input is trusted: every number
//! that refers to something is checked, counts are checked against what is left of the input, and
//! whatever could nest (types, constants) has a limit. Unknown blocks are skipped, unknown records
//! and everything that a [`Module`] cannot hold are errors.

use super::MAGIC;
use super::bits::BitReader;
use super::error::ReadError;
use super::records::{USELIST, constants, function, metadata, module as top, paramattr, paramattr_group, symtab, types};
use super::stream::{Entry, Stream};
use crate::{
    Attr, AttrGroup, AttrKind, AttrList, Attrs, Const, Func, Function, Global, GlobalVar, Linkage, Module, Type, TypeKind, Value,
    Visibility,
};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Reads bitcode. Zero bytes after the module are fine, fewer than four.
///
/// # Errors
/// Says what is wrong and at which bit.
pub fn read(bytes: &[u8]) -> Result<Module, ReadError> {
    read_all(bytes).map(|(m, _)| m)
}

/// The same, and the first block that was skipped because its id is unknown.
///
/// # Errors
/// As [`read`].
pub fn read_all(bytes: &[u8]) -> Result<(Module, Option<ReadError>), ReadError> {
    let bytes = unwrap(bytes)?;
    if bytes.get(..4) != Some(&MAGIC) {
        return Err(ReadError::new(0, "no bitcode: it does not begin with BC C0 DE"));
    }
    let mut bits = BitReader::new(bytes);
    bits.skip(32)?;
    let mut reader = Reader::new(Stream::new(bits));
    let mut seen = false;
    while !reader.s.at_end() {
        match reader.s.next()? {
            Entry::Block(id) if id == top::BLOCK.id => {
                if seen {
                    return Err(reader.s.error("a second module"));
                }
                seen = true;
                reader.s.enter(id)?;
                reader.module()?;
            }
            Entry::Block(id) => reader.s.skip(id)?,
            _ => return Err(reader.s.error("something outside all blocks")),
        }
    }
    if !seen {
        return Err(reader.s.error("there is no module"));
    }
    Ok((reader.m, reader.s.skipped))
}

/// Takes off the header that some tools put around bitcode.
fn unwrap(bytes: &[u8]) -> Result<&[u8], ReadError> {
    let word = |at: usize| {
        let word = bytes.get(at..at + 4)?;
        Some(u32::from_le_bytes([word[0], word[1], word[2], word[3]]) as usize)
    };
    if word(0) != Some(0x0B17_C0DE) {
        return Ok(bytes);
    }
    let inner = word(8).zip(word(12)).and_then(|(at, len)| bytes.get(at..)?.get(..len));
    inner.ok_or_else(|| ReadError::new(64, "the header around the bitcode points outside of it"))
}

pub(super) struct Reader<'a> {
    pub s: Stream<'a>,
    pub m: Module,
    /// The types by number.
    pub types: Vec<Type>,
    /// How many types each type's text consists of, by [`Type`]; limited.
    pub type_weights: Vec<u32>,
    /// The values of the module by number.
    pub values: Vec<Value>,
    /// How many constants each constant consists of, and how deeply it is nested; both limited.
    pub const_weights: FxHashMap<Const, (u32, u32)>,
    attr_groups: FxHashMap<u64, AttrGroup>,
    attr_lists: Vec<AttrList>,
    /// Initial values, by number, that may still be to come.
    inits: Vec<(Global, u64)>,
    /// Functions whose bodies are still to come.
    bodies: VecDeque<Func>,
}

impl<'a> Reader<'a> {
    fn new(s: Stream<'a>) -> Self {
        let mut m = Module::new();
        m.triple = "".into();
        m.data_layout = "".into();
        Self {
            s,
            m,
            types: Vec::new(),
            type_weights: Vec::new(),
            values: Vec::new(),
            const_weights: FxHashMap::default(),
            attr_groups: FxHashMap::default(),
            attr_lists: Vec::new(),
            inits: Vec::new(),
            bodies: VecDeque::new(),
        }
    }

    pub(super) fn error(&self, what: impl Into<String>) -> ReadError {
        self.s.error(what)
    }

    /// Field `at` of the last record.
    pub(super) fn field(&self, at: usize) -> Result<u64, ReadError> {
        let value = self.s.fields.get(at).copied();
        value.ok_or_else(|| self.error(format!("a record has only {} fields", self.s.fields.len())))
    }

    /// Field `at` as a number of at most 32 bits.
    pub(super) fn field32(&self, at: usize) -> Result<u32, ReadError> {
        let value = self.field(at)?;
        u32::try_from(value).map_err(|_| self.error(format!("field {at} is {value}, too large")))
    }

    /// The fields from `from` on as text.
    pub(super) fn text(&self, from: usize) -> Result<Box<str>, ReadError> {
        let bytes = self.bytes(from)?;
        match String::from_utf8(bytes) {
            Ok(text) => Ok(text.into()),
            Err(_) => Err(self.error("a name is not UTF-8")),
        }
    }

    /// The fields from `from` on as bytes.
    pub(super) fn bytes(&self, from: usize) -> Result<Vec<u8>, ReadError> {
        let fields = self.s.fields.get(from..).unwrap_or_default();
        let bytes = fields.iter().map(|&f| u8::try_from(f)).collect();
        Result::map_err(bytes, |_| self.error("a character has more than 8 bits"))
    }

    /// The type with number `id`.
    pub(super) fn ty(&self, id: u64) -> Result<Type, ReadError> {
        let ty = usize::try_from(id).ok().and_then(|id| self.types.get(id));
        ty.copied().ok_or_else(|| self.error(format!("there is no type {id}")))
    }

    /// A list of attributes: 0 for none, otherwise 1 + its number.
    pub(super) fn attrs(&self, id: u64) -> Result<Attrs, ReadError> {
        let Some(at) = id.checked_sub(1) else {
            return Ok(None.into());
        };
        match usize::try_from(at).ok().and_then(|at| self.attr_lists.get(at)) {
            Some(&list) => Ok(list.into()),
            None => Err(self.error(format!("there is no attribute list {id}"))),
        }
    }

    /// An alignment in bytes from its code.
    pub(super) fn align(&self, code: u64) -> Result<u32, ReadError> {
        match code {
            0 => Ok(0),
            1..=30 => Ok(1 << (code - 1)),
            _ => Err(self.error(format!("an alignment of 2 to the power {}", code - 1))),
        }
    }

    fn module(&mut self) -> Result<(), ReadError> {
        loop {
            match self.s.next()? {
                Entry::End => break,
                Entry::Record(code) => self.module_record(code)?,
                Entry::Block(id) => self.module_block(id)?,
            }
        }
        for (global, id) in std::mem::take(&mut self.inits) {
            let value = self.module_value(id)?;
            self.m.globals[global].init = Some(value);
        }
        if !self.bodies.is_empty() {
            return Err(self.error("a defined function has no body"));
        }
        self.check_metadata()
    }

    fn module_block(&mut self, id: u32) -> Result<(), ReadError> {
        if id == USELIST {
            return self.s.skip(id);
        }
        let known = [
            paramattr_group::BLOCK.id,
            paramattr::BLOCK.id,
            types::BLOCK.id,
            constants::BLOCK.id,
            metadata::BLOCK.id,
            symtab::BLOCK.id,
            function::BLOCK.id,
        ];
        if !known.contains(&id) {
            return self.s.skip(id);
        }
        self.s.enter(id)?;
        match id {
            _ if id == paramattr_group::BLOCK.id => self.attr_groups(),
            _ if id == paramattr::BLOCK.id => self.attr_lists(),
            _ if id == types::BLOCK.id => self.read_types(),
            _ if id == constants::BLOCK.id => {
                let mut values = std::mem::take(&mut self.values);
                let result = self.read_constants(&mut values);
                self.values = values;
                result
            }
            _ if id == metadata::BLOCK.id => self.read_metadata(),
            _ if id == symtab::BLOCK.id => self.symbols(),
            _ => match self.bodies.pop_front() {
                Some(func) => self.read_body(func),
                None => Err(self.error("a function body too many")),
            },
        }
    }

    fn module_record(&mut self, code: u32) -> Result<(), ReadError> {
        match code {
            _ if code == top::VERSION.code => match self.field(0)? {
                1 => Ok(()),
                v => Err(self.error(format!("module version {v}, where LLVM 3.7 has 1"))),
            },
            _ if code == top::TRIPLE.code => {
                self.m.triple = self.text(0)?;
                Ok(())
            }
            _ if code == top::DATALAYOUT.code => {
                self.m.data_layout = self.text(0)?;
                Ok(())
            }
            _ if code == top::SECTIONNAME.code => {
                let name = self.text(0)?;
                self.m.sections.push(name);
                Ok(())
            }
            _ if code == top::GLOBALVAR.code => self.global(),
            _ if code == top::FUNCTION.code => self.function(),
            _ => {
                let name = top::BLOCK.records.iter().find(|r| r.code == code).map(|r| r.name);
                let name = name.unwrap_or("an unknown one");
                Err(self.error(format!("module record {code} ({name}) has no place in DXIL")))
            }
        }
    }

    fn global(&mut self) -> Result<(), ReadError> {
        let flags = self.field(1)?;
        let listed = self.ty(self.field(0)?)?;
        let opt = |at: usize| self.s.fields.get(at).copied().unwrap_or(0);
        let (ty, space) = if flags & 2 != 0 {
            (listed, flags >> 2)
        } else {
            match self.m.types[listed] {
                TypeKind::Pointer { pointee, space } => (pointee, space.into()),
                _ => return Err(self.error("a global variable that is no pointer")),
            }
        };
        let space = self.space(space)?;
        self.is_memory(ty)?;
        let linkage = self.linkage(self.field(3)?)?;
        let global = GlobalVar {
            name: "".into(),
            ty,
            ptr_ty: ty,
            space,
            constant: flags & 1 != 0,
            init: None,
            linkage,
            align: self.align(self.field(4)?)?,
            section: self.section(self.field(5)?)?,
            visibility: self.visibility(opt(6))?,
            thread_local: u8::try_from(opt(7)).unwrap_or(u8::MAX),
            unnamed_addr: opt(8) != 0,
            externally_initialized: opt(9) != 0,
        };
        if global.thread_local > 4 || opt(10) != 0 || opt(11) != 0 {
            return Err(self.error("a global variable of a kind that DXIL has no use for"));
        }
        let init = self.field(2)?;
        let id = self.m.globals.push(global);
        let ptr_ty = self.pointer(ty, space);
        self.m.globals[id].ptr_ty = ptr_ty;
        if let Some(init) = init.checked_sub(1) {
            self.inits.push((id, init));
        }
        self.values.push(Value::Global(id));
        Ok(())
    }

    fn function(&mut self) -> Result<(), ReadError> {
        let listed = self.ty(self.field(0)?)?;
        let ty = self.m.types.pointee(listed).unwrap_or(listed);
        if self.m.types.signature(ty).is_none() {
            return Err(self.error("a function whose type is none of a function"));
        }
        let opt = |at: usize| self.s.fields.get(at).copied().unwrap_or(0);
        let (gc, prologue, dll, comdat, prefix, personality) = (opt(8), opt(10), opt(11), opt(12), opt(13), opt(14));
        if [gc, prologue, dll, comdat, prefix, personality].iter().any(|&f| f != 0) {
            return Err(self.error("a function of a kind that DXIL has no use for"));
        }
        let function = Function {
            name: "".into(),
            ty,
            ptr_ty: ty,
            cc: self.field32(1)?,
            linkage: self.linkage(self.field(3)?)?,
            attrs: self.attrs(self.field(4)?)?,
            align: self.align(self.field(5)?)?,
            section: self.section(self.field(6)?)?,
            visibility: self.visibility(self.field(7)?)?,
            unnamed_addr: opt(9) != 0,
            body: None,
        };
        let declaration = self.field(2)? != 0;
        let func = self.m.push_function(function);
        let ptr_ty = self.pointer(ty, 0);
        self.m.funcs[func].ptr_ty = ptr_ty;
        if !declaration {
            self.bodies.push_back(func);
        }
        self.values.push(Value::Func(func));
        Ok(())
    }

    fn linkage(&self, code: u64) -> Result<Linkage, ReadError> {
        Linkage::from_code(code).ok_or_else(|| self.error(format!("there is no linkage {code}")))
    }

    fn visibility(&self, code: u64) -> Result<Visibility, ReadError> {
        match code {
            0 => Ok(Visibility::Default),
            1 => Ok(Visibility::Hidden),
            2 => Ok(Visibility::Protected),
            _ => Err(self.error(format!("there is no visibility {code}"))),
        }
    }

    fn section(&self, id: u64) -> Result<u32, ReadError> {
        if id > self.m.sections.len() as u64 {
            return Err(self.error(format!("there is no section {id}")));
        }
        Ok(id as u32)
    }

    pub(super) fn space(&self, space: u64) -> Result<u32, ReadError> {
        match u32::try_from(space) {
            Ok(space) if space < 1 << 24 => Ok(space),
            _ => Err(self.error(format!("address space {space}"))),
        }
    }

    /// A global, function or constant of the module by its number.
    pub(super) fn module_value(&self, id: u64) -> Result<Value, ReadError> {
        let value = usize::try_from(id).ok().and_then(|id| self.values.get(id));
        value.copied().ok_or_else(|| self.error(format!("there is no value {id}")))
    }

    fn symbols(&mut self) -> Result<(), ReadError> {
        while let Some(code) = self.s.next_record()? {
            if code != symtab::ENTRY.code {
                return Err(self.error(format!("symbol record {code}")));
            }
            let name = self.text(1)?;
            match self.module_value(self.field(0)?)? {
                Value::Global(g) => self.m.globals[g].name = name,
                Value::Func(f) => self.m.rename_function(f, &name),
                _ => return Err(self.error("a constant with a name")),
            }
        }
        Ok(())
    }

    fn attr_groups(&mut self) -> Result<(), ReadError> {
        while let Some(code) = self.s.next_record()? {
            if code != paramattr_group::ENTRY.code {
                return Err(self.error(format!("attribute group record {code}")));
            }
            let id = self.field(0)?;
            let place = self.field32(1)?;
            let mut attrs = Vec::new();
            let mut at = 2;
            while at < self.s.fields.len() {
                let shape = self.field(at)?;
                at += 1;
                attrs.push(match shape {
                    0 | 1 => {
                        let code = self.field(at)?;
                        let kind = AttrKind::from_code(code).ok_or_else(|| self.error(format!("there is no attribute {code}")))?;
                        at += 1 + shape as usize;
                        if shape == 0 { Attr::Flag(kind) } else { Attr::Int(kind, self.field(at - 1)?) }
                    }
                    3 | 4 => {
                        let key = self.c_string(&mut at)?;
                        let value = if shape == 4 { Some(self.c_string(&mut at)?) } else { None };
                        Attr::Text(key, value)
                    }
                    _ => return Err(self.error(format!("an attribute of shape {shape}"))),
                });
            }
            let group = self.m.attrs.group(place, &attrs);
            if self.attr_groups.insert(id, group).is_some() {
                return Err(self.error(format!("a second attribute group {id}")));
            }
        }
        Ok(())
    }

    /// A text up to its final zero.
    fn c_string(&self, at: &mut usize) -> Result<Box<str>, ReadError> {
        let rest = &self.s.fields[(*at).min(self.s.fields.len())..];
        let len = rest.iter().position(|&f| f == 0);
        let len = len.ok_or_else(|| self.error("an attribute without end"))?;
        *at += len + 1;
        let bytes = rest[..len].iter().map(|&f| u8::try_from(f).unwrap_or(0xFF)).collect();
        match String::from_utf8(bytes) {
            Ok(text) => Ok(text.into()),
            Err(_) => Err(self.error("an attribute is not UTF-8")),
        }
    }

    fn attr_lists(&mut self) -> Result<(), ReadError> {
        while let Some(code) = self.s.next_record()? {
            if code != paramattr::ENTRY.code {
                return Err(self.error(format!("attribute list record {code}")));
            }
            let groups: Option<Vec<AttrGroup>> = self.s.fields.iter().map(|id| self.attr_groups.get(id).copied()).collect();
            let Some(groups) = groups else {
                return Err(self.error("an attribute group that does not exist"));
            };
            let list = self.m.attrs.list(&groups);
            self.attr_lists.push(list);
        }
        Ok(())
    }
}
