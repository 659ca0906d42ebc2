//! DXIL modules: an in-memory model of the subset of LLVM 3.7 IR that DXIL uses, and its bitcode.
//!
//! A [`Module`] owns its types, constants, attributes and metadata in arenas of interned or numbered
//! entities; a function owns its basic blocks and instructions. A [`Value`] is anything that an
//! instruction can use as an operand.
//!
//! * [`Types`], [`Consts`], [`AttrTable`], [`MetaTable`]: the arenas of a module.
//! * [`Function`], [`Body`], [`Op`]: functions and instructions. [`Builder`] appends instructions to a block; [`Module::dx_op`] declares a
//!   DXIL operation.
//! * [`mod@bitcode`] reads and writes LLVM 3.7 bitcode, from any producer.
//! * [`mod@cfg`] computes predecessors, successors and the dominator tree of a function.
//! * [`mod@pieces`] takes values of vectors and aggregates apart.
//! * [`ValueNumbers`] is scoped value numbering: it finds redundant computations.
//!
//! To read the crate, begin with this file and [`Op`], then the builder; bitcode is independent of the rest.
//!
//! # Example
//!
//! ```
//! use rtc_dxil_module::{BinOp, Module, Value, bitcode};
//!
//! let mut module = Module::new();
//! let i32 = module.types.i32();
//! let ty = module.types.function(i32, &[i32]);
//! let twice = module.add_function("twice", ty);
//! let mut b = module.define(twice);
//! let sum = b.binary(BinOp::Add, Value::Arg(0), Value::Arg(0), 0);
//! b.ret(Some(sum));
//! let bytes = bitcode::write(&module);
//! let again = bitcode::read(&bytes).expect("it is bitcode");
//! assert!(again.find_function("twice").is_some());
//! ```
//!
//! Left out is what DXIL does not allow: aliases, comdats, invokes, indirect branches, inline
//! assembly, atomic loads and stores, garbage collectors, prologues. The crate does not validate
//! modules (`rtc-dxil-validate`) and does not print them (`rtc-dxil-dis`).

mod attrs;
pub mod bitcode;
mod build;
pub mod cfg;
mod consts;
mod dxop;
mod entities;
mod func;
mod inst;
mod meta;
pub mod pieces;
mod types;
mod value_numbering;

pub use attrs::{Attr, AttrGroup, AttrGroupData, AttrKind, AttrList, AttrTable, Attrs, FUNCTION as FUNCTION_INDEX};
pub use build::Builder;
pub use consts::{Const, ConstData, ConstKind, Consts};
pub use consts::{cut, data_width, number_width, sign_extend, zero};
pub use dxop::DxOpError;
pub use entities::{Block, Func, Indices, Inst, List, Loc};
pub use func::{Body, DebugLoc, Function, InstData};
pub use inst::{BinOp, CastOp, CmpPred, Op, Ordering, RmwOp, Tail, cmpxchg, flags};
pub use meta::{DebugNode, FIXED_KINDS, Meta, MetaNode, MetaTable};
pub use types::{Fields, GROUPSHARED, Type, TypeKind, Types};
pub use value_numbering::{Mark, ValueNumbers, is_computation};

use rtc_base::entity::PrimaryMap;
use rustc_hash::FxHashMap;

rtc_base::entity! {
    /// A global variable of a module.
    pub struct Global = "g";
}

/// Anything that an instruction or a constant can use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    /// The address of a global variable.
    Global(Global),
    /// A function.
    Func(Func),
    /// A constant.
    Const(Const),
    /// An argument of the function at hand.
    Arg(u32),
    /// The result of an instruction of the function at hand.
    Inst(Inst),
    /// A block of the function at hand.
    Block(Block),
    /// Metadata as an operand.
    Meta(Meta),
    /// An argument or instruction wrapped as metadata: an index into [`Body::local_meta`].
    LocalMeta(u32),
}

/// Linkage of a global or function: which modules may refer to it. Discriminants are those of bitcode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum Linkage {
    /// Everyone.
    #[default]
    External = 0,
    /// Everyone, and all contributions are put end to end.
    Appending = 2,
    /// This module.
    Internal = 3,
    /// Every module; the address is null if no module defines it.
    ExternWeak = 7,
    /// Everyone, merged with zero-initialised ones of the name.
    Common = 8,
    /// This module, without a symbol.
    Private = 9,
    /// Defined elsewhere, repeated here for inlining.
    AvailableExternally = 12,
    /// Everyone; another definition may win.
    WeakAny = 16,
    /// Everyone; another, equal definition may win.
    WeakOdr = 17,
    /// As `WeakAny`, and dropped if unused.
    LinkOnceAny = 18,
    /// As `WeakOdr`, and dropped if unused.
    LinkOnceOdr = 19,
}

impl Linkage {
    /// The linkage with this number in bitcode; outdated numbers are mapped to what replaced them.
    pub fn from_code(code: u64) -> Option<Linkage> {
        Some(match code {
            0 | 5 | 6 => Linkage::External,
            1 | 16 => Linkage::WeakAny,
            2 => Linkage::Appending,
            3 => Linkage::Internal,
            4 | 18 => Linkage::LinkOnceAny,
            7 => Linkage::ExternWeak,
            8 => Linkage::Common,
            9 | 13 | 14 => Linkage::Private,
            10 | 17 => Linkage::WeakOdr,
            11 | 15 | 19 => Linkage::LinkOnceOdr,
            12 => Linkage::AvailableExternally,
            _ => return None,
        })
    }

    /// The spelling in listings, empty for external.
    pub fn text(self) -> &'static str {
        match self {
            Linkage::External => "",
            Linkage::Appending => "appending",
            Linkage::Internal => "internal",
            Linkage::ExternWeak => "extern_weak",
            Linkage::Common => "common",
            Linkage::Private => "private",
            Linkage::AvailableExternally => "available_externally",
            Linkage::WeakAny => "weak",
            Linkage::WeakOdr => "weak_odr",
            Linkage::LinkOnceAny => "linkonce",
            Linkage::LinkOnceOdr => "linkonce_odr",
        }
    }
}

/// Visibility of a symbol of a linked program. Discriminants are those of bitcode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum Visibility {
    /// Everyone.
    #[default]
    Default = 0,
    /// The program.
    Hidden = 1,
    /// Everyone, without being replaceable.
    Protected = 2,
}

/// A global variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlobalVar {
    /// The name without `@`.
    pub name: Box<str>,
    /// The type of its contents.
    pub ty: Type,
    /// The pointer to it.
    pub ptr_ty: Type,
    /// The address space.
    pub space: u32,
    /// Whether it never changes.
    pub constant: bool,
    /// Initial contents: a constant, global or function. None for a declaration.
    pub init: Option<Value>,
    /// Linkage.
    pub linkage: Linkage,
    /// Alignment in bytes, 0 if not said.
    pub align: u32,
    /// 1 + index into [`Module::sections`], or 0.
    pub section: u32,
    /// Visibility.
    pub visibility: Visibility,
    /// Thread-local model, 0 for none.
    pub thread_local: u8,
    /// Whether only its contents matter, not its address.
    pub unnamed_addr: bool,
    /// Whether something outside changes it before the program starts.
    pub externally_initialized: bool,
}

/// A DXIL program as LLVM 3.7 would hold it.
#[derive(Debug, Clone, PartialEq)]
pub struct Module {
    /// Types.
    pub types: Types,
    /// Constants.
    pub consts: Consts,
    /// Attributes.
    pub attrs: AttrTable,
    /// Metadata.
    pub meta: MetaTable,
    /// Global variables.
    pub globals: PrimaryMap<Global, GlobalVar>,
    /// Functions.
    pub funcs: PrimaryMap<Func, Function>,
    /// Target triple.
    pub triple: Box<str>,
    /// Data layout.
    pub data_layout: Box<str>,
    /// Section names.
    pub sections: Vec<Box<str>>,
    func_names: FxHashMap<Box<str>, Func>,
}

/// The triple of every DXIL module.
pub const TRIPLE: &str = "dxil-ms-dx";
/// The data layout with 16-bit types as minimum precision, 32 bits wide in memory.
pub const LAYOUT_MIN_PRECISION: &str = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64";
/// The data layout with real 16-bit types.
pub const LAYOUT_NATIVE_16BIT: &str = "e-m:e-p:32:32-i1:32-i8:8-i16:16-i32:32-i64:64-f16:16-f32:32-f64:64-n8:16:32:64";

impl Default for Module {
    fn default() -> Self {
        Self {
            types: Types::default(),
            consts: Consts::default(),
            attrs: AttrTable::default(),
            meta: MetaTable::default(),
            globals: PrimaryMap::new(),
            funcs: PrimaryMap::new(),
            triple: TRIPLE.into(),
            data_layout: LAYOUT_MIN_PRECISION.into(),
            sections: Vec::new(),
            func_names: FxHashMap::default(),
        }
    }
}

impl Module {
    /// An empty DXIL module with the layout of minimum-precision types.
    pub fn new() -> Self {
        Self::default()
    }

    /// Declares a function of type `ty` with external linkage and no attributes.
    pub fn add_function(&mut self, name: &str, ty: Type) -> Func {
        let ptr_ty = self.types.ptr(ty);
        self.push_function(Function {
            name: name.into(),
            ty,
            ptr_ty,
            cc: 0,
            linkage: Linkage::External,
            attrs: None.into(),
            align: 0,
            section: 0,
            visibility: Visibility::Default,
            unnamed_addr: false,
            body: None,
        })
    }

    /// Adds a function as it is. Its name must be new.
    pub fn push_function(&mut self, function: Function) -> Func {
        let name = function.name.clone();
        let func = self.funcs.push(function);
        if !name.is_empty() {
            self.func_names.entry(name).or_insert(func);
        }
        func
    }

    /// Gives a function its name; the first one of that name is the one found by it.
    pub fn rename_function(&mut self, func: Func, name: &str) {
        let old = std::mem::replace(&mut self.funcs[func].name, name.into());
        if self.func_names.get(&old) == Some(&func) {
            self.func_names.remove(&old);
        }
        if !name.is_empty() {
            self.func_names.entry(name.into()).or_insert(func);
        }
    }

    /// The function of this name.
    pub fn find_function(&self, name: &str) -> Option<Func> {
        self.func_names.get(name).copied()
    }

    /// Adds a global variable: external linkage, address space 0, no initial contents.
    pub fn add_global(&mut self, name: &str, ty: Type, constant: bool) -> Global {
        let ptr_ty = self.types.ptr(ty);
        self.globals.push(GlobalVar {
            name: name.into(),
            ty,
            ptr_ty,
            space: 0,
            constant,
            init: None,
            linkage: Linkage::External,
            align: 0,
            section: 0,
            visibility: Visibility::Default,
            thread_local: 0,
            unnamed_addr: false,
            externally_initialized: false,
        })
    }

    /// Moves a global variable to another address space.
    pub fn set_space(&mut self, global: Global, space: u32) {
        let ty = self.globals[global].ty;
        self.globals[global].space = space;
        self.globals[global].ptr_ty = self.types.ptr_in(ty, space);
    }

    /// Makes a declaration a definition with an entry block, and a builder positioned there. A body
    /// that was there is lost.
    pub fn define(&mut self, func: Func) -> Builder<'_> {
        let mut body = Body::default();
        let entry = body.new_block();
        self.funcs[func].body = Some(body);
        Builder::new(self, func, entry)
    }

    /// A builder that appends to `block` of a defined function. Gives none for a declaration.
    pub fn edit(&mut self, func: Func, block: Block) -> Option<Builder<'_>> {
        self.funcs[func].body.is_some().then(|| Builder::new(self, func, block))
    }

    /// The type of a value; `func` says whose arguments and instructions are meant. None for an
    /// argument that does not exist and for blocks and metadata, which have no type of their own here.
    pub fn value_type(&self, func: Option<Func>, value: Value) -> Option<Type> {
        match value {
            Value::Global(g) => Some(self.globals[g].ptr_ty),
            Value::Func(f) => Some(self.funcs[f].ptr_ty),
            Value::Const(c) => Some(self.consts[c].ty),
            Value::Arg(n) => {
                let (_, params, _) = self.types.signature(self.funcs[func?].ty)?;
                params.get(n as usize).copied()
            }
            Value::Inst(i) => Some(self.funcs[func?].body.as_ref()?.insts[i].ty),
            Value::Block(_) | Value::Meta(_) | Value::LocalMeta(_) => None,
        }
    }

    /// The constant `i1`, `i8`, `i32`, … `value`.
    pub fn const_int(&mut self, bits: u32, value: i64) -> Value {
        let ty = self.types.int(bits);
        Value::Const(self.consts.int(&self.types, ty, value))
    }

    /// The constant `i32 value`.
    pub fn i32(&mut self, value: i32) -> Value {
        self.const_int(32, value.into())
    }

    /// The constant `i8 value`.
    pub fn i8(&mut self, value: i8) -> Value {
        self.const_int(8, value.into())
    }

    /// The constant `i1 value`.
    pub fn i1(&mut self, value: bool) -> Value {
        self.const_int(1, value.into())
    }

    /// The constant `float value`.
    pub fn f32(&mut self, value: f32) -> Value {
        let ty = self.types.float();
        Value::Const(self.consts.float_bits(ty, value.to_bits().into()))
    }

    /// The constant `double value`.
    pub fn f64(&mut self, value: f64) -> Value {
        let ty = self.types.double();
        Value::Const(self.consts.float_bits(ty, value.to_bits()))
    }

    /// The constant `half` with these bits.
    pub fn f16_bits(&mut self, bits: u16) -> Value {
        let ty = self.types.half();
        Value::Const(self.consts.float_bits(ty, bits.into()))
    }

    /// The zero of a type.
    pub fn null(&mut self, ty: Type) -> Value {
        Value::Const(self.consts.null(&self.types, ty))
    }

    /// The undefined value of a type.
    pub fn undef(&mut self, ty: Type) -> Value {
        Value::Const(self.consts.undef(ty))
    }

    /// A vector, array or structure constant.
    pub fn aggregate(&mut self, ty: Type, values: &[Value]) -> Value {
        Value::Const(self.consts.aggregate(&self.types, ty, values))
    }

    /// A constant converted to `ty`; the value itself when it has that type already.
    pub fn const_cast(&mut self, op: CastOp, value: Value, ty: Type) -> Value {
        if op == CastOp::BitCast && self.value_type(None, value) == Some(ty) {
            return value;
        }
        Value::Const(self.consts.intern(ty, ConstKind::Cast { op, value }))
    }

    /// `i32 value` as metadata.
    pub fn meta_i32(&mut self, value: i32) -> Meta {
        let v = self.i32(value);
        self.meta.value(v)
    }

    /// `i8 value` as metadata.
    pub fn meta_i8(&mut self, value: i8) -> Meta {
        let v = self.i8(value);
        self.meta.value(v)
    }

    /// `i64 value` as metadata.
    pub fn meta_i64(&mut self, value: i64) -> Meta {
        let v = self.const_int(64, value);
        self.meta.value(v)
    }

    /// `i1 value` as metadata.
    pub fn meta_i1(&mut self, value: bool) -> Meta {
        let v = self.i1(value);
        self.meta.value(v)
    }

    /// The undefined value of a type as metadata.
    pub fn meta_undef(&mut self, ty: Type) -> Meta {
        let v = self.undef(ty);
        self.meta.value(v)
    }

    /// The integer that a value is, if it is a constant of at most 64 bits.
    pub fn int_of(&self, value: Value) -> Option<i64> {
        let Value::Const(c) = value else { return None };
        match self.consts[c].kind {
            ConstKind::Int(n) => Some(n),
            _ => None,
        }
    }

    /// The two integers of a constant structure, as the properties of resources are.
    pub fn int_pair_of(&self, value: Value) -> Option<[i64; 2]> {
        let Value::Const(c) = value else { return None };
        match &self.consts[c].kind {
            ConstKind::Null => Some([0; 2]),
            ConstKind::Aggregate(words) => match **words {
                [a, b] => Some([self.int_of(a)?, self.int_of(b)?]),
                _ => None,
            },
            _ => None,
        }
    }

    /// The integer that a piece of metadata is.
    pub fn meta_int(&self, meta: Meta) -> Option<i64> {
        match self.meta[meta] {
            MetaNode::Value(value) => self.int_of(value),
            _ => None,
        }
    }
}
