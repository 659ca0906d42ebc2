//! A container that is taken apart, changed and put together again.

use rtc::{Disk, Options, Product, Profile, compile};
use rtc_dxil::bitcode;
use rtc_dxil::container::hash::ShaderHash;
use rtc_dxil::container::program::Program;
use rtc_dxil::container::{self, Container, FourCc, Part, ShaderKind, Signing, Version};
use rtc_dxil::module::{ConstKind, Func, Inst, Meta, Module, Op, Value};
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
