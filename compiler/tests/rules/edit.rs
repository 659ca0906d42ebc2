//! A container that is taken apart, changed and put together again.

use rtc::{Disk, Options, Product, Profile, compile};
use rtc_dxil::bitcode;
use rtc_dxil::container::hash::ShaderHash;
use rtc_dxil::container::program::Program;
use rtc_dxil::container::{self, Container, FourCc, Part, ShaderKind, Signing, Version};
use rtc_dxil::module::{Block, Body, ConstKind, Func, Inst, Meta, Module, Op, Type, Value};
use rtc_tables::dxil_ops::DxilOp;

/// The parts of a container and its module.
pub struct Edit {
    /// The module of part DXIL.
    pub m: Module,
    /// All parts; the data of DXIL and HASH are made anew from the module.
    pub parts: Vec<Part>,
    /// Kind, shader model and DXIL version of the program header.
    pub header: (ShaderKind, Version, Version),
    /// If not empty, these bytes stand for the bitcode of the module.
    pub bitcode: Vec<u8>,
}

impl Edit {
    /// Compiles a source whose first line is `// rtc -T PROFILE [-E ENTRY] [-Od] [-enable-16bit-types]`.
    pub fn compile(source: &str) -> Edit {
        let line = source.lines().next().unwrap_or_default();
        let words: Vec<&str> = line.strip_prefix("// rtc ").expect("arguments").split_whitespace().collect();
        let after = |w: &str| words.iter().position(|x| *x == w).map(|n| words[n + 1]);
        let mut o = Options::new(Profile::parse(after("-T").expect("a profile")).expect("a known profile"));
        o.hlsl_version = 2021;
        o.native_16bit = words.contains(&"-enable-16bit-types");
        if words.contains(&"-Od") {
            o.level = rtc::OptLevel::None;
        }
        if let Some(e) = after("-E") {
            o.entry = e.to_owned();
        }
        let c = compile("case.hlsl", source.as_bytes(), &mut Disk::default(), &o);
        let Some(Product::Dxil(data)) = c.product else {
            panic!("{source}\n{:?}", c.diagnostics.first().map(|d| &d.message))
        };
        let file = Container::parse(&data).expect("a container");
        let program = Program::read("DXIL", file.require(FourCc::DXIL).expect("a program")).expect("a header");
        let m = bitcode::read(program.bitcode).expect("bitcode");
        Edit { m, header: (program.kind, program.model, program.dxil), parts: file.parts, bitcode: Vec::new() }
    }

    /// The container.
    pub fn bytes(&self) -> Vec<u8> {
        let code = if self.bitcode.is_empty() { bitcode::write(&self.m) } else { self.bitcode.clone() };
        let (kind, model, dxil) = self.header;
        let parts: Vec<(FourCc, Vec<u8>)> = self
            .parts
            .iter()
            .map(|p| match p.name {
                FourCc::DXIL => (p.name, Program { kind, model, dxil, bitcode: &code }.write()),
                FourCc::HASH => (p.name, ShaderHash::of(&code).write()),
                _ => (p.name, p.data.clone()),
            })
            .collect();
        container::write(&parts, Signing::Digest).expect("parts that fit")
    }

    /// The first call of a DXIL operation, by the name in its row.
    pub fn call(&self, op: &str) -> (Func, Inst) {
        let opcode = DxilOp::by_name(op).expect("an operation").opcode;
        for (func, f) in self.m.funcs.iter() {
            let Some(body) = &f.body else { continue };
            for &inst in body.blocks.values().flatten() {
                if let Op::Call { callee: Value::Func(callee), args, .. } = body.insts[inst].op
                    && self.m.is_dx_op(callee)
                    && let Some(&Value::Const(c)) = body.values(args).first()
                    && self.m.consts[c].kind == ConstKind::Int(i64::from(opcode))
                {
                    return (func, inst);
                }
            }
        }
        panic!("no call of {op}");
    }

    /// The first instruction of a kind.
    pub fn find(&self, kind: impl Fn(&Op) -> bool) -> (Func, Inst) {
        for (func, f) in self.m.funcs.iter() {
            let Some(body) = &f.body else { continue };
            for &inst in body.blocks.values().flatten() {
                if kind(&body.insts[inst].op) {
                    return (func, inst);
                }
            }
        }
        panic!("no such instruction");
    }

    /// The code of a function.
    pub fn body(&mut self, func: Func) -> &mut Body {
        self.m.funcs[func].body.as_mut().expect("a body")
    }

    /// An instruction, to be changed.
    pub fn op(&mut self, (func, inst): (Func, Inst)) -> &mut Op {
        &mut self.body(func).insts[inst].op
    }

    /// The only function with code.
    pub fn main(&self) -> Func {
        self.m.funcs.iter().find(|(_, f)| f.body.is_some()).expect("a function").0
    }

    /// Appends an instruction before the end of the first block of a function.
    pub fn insert(&mut self, func: Func, ty: Type, op: Op) -> Inst {
        let body = self.body(func);
        let entry = Block::from_u32(0);
        let inst = body.append(entry, ty, op);
        let insts = &mut body.blocks[entry];
        let len = insts.len();
        insts.swap(len - 2, len - 1);
        inst
    }

    /// Attaches metadata to an instruction.
    pub fn attach(&mut self, (func, inst): (Func, Inst), kind: &str, node: Meta) {
        let kind = self.m.meta.kind(kind);
        self.body(func).attach(inst, kind, node);
    }

    /// A tuple of numbers.
    pub fn numbers(&mut self, numbers: &[i32]) -> Meta {
        let elems: Vec<Option<Meta>> = numbers.iter().map(|&n| Some(self.m.meta_i32(n))).collect();
        self.m.meta.node(&elems)
    }

    /// Changes argument `n` (the opcode is 0) of a call.
    pub fn set_arg(&mut self, (func, inst): (Func, Inst), n: usize, value: Value) {
        let body = self.m.funcs[func].body.as_mut().expect("a body");
        let Op::Call { args, .. } = body.insts[inst].op else { panic!("no call") };
        body.values_mut(args)[n] = value;
    }

    /// Replaces the nodes of a named metadata.
    pub fn set_named(&mut self, name: &str, nodes: &[Meta]) {
        self.m.meta.remove_named(name);
        for &node in nodes {
            self.m.meta.add_named(name, node);
        }
    }

    /// Removes a part.
    pub fn remove_part(&mut self, name: FourCc) {
        self.parts.retain(|p| p.name != name);
    }
}
