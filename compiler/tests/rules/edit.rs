//! Edits of a compiled container: it is read into a module, changed, and written again.

use rtc::{Disk, Options, Product, Profile, compile};
use rtc_dxil_container::hash::ShaderHash;
use rtc_dxil_container::metadata::signature::Signatures;
use rtc_dxil_container::program::Program;
use rtc_dxil_container::recompute;
use rtc_dxil_container::{self as container, Container, FourCc, Part, ShaderKind, Signing, Version};
use rtc_dxil_module::bitcode;
use rtc_dxil_module::{Block, Body, ConstKind, Func, Inst, Meta, Module, Op, Type, Value};
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
            o.level = rtc::OptLevel::O0;
        }
        if let Some(e) = after("-E") {
            o.entry = e.to_owned();
        }
        let c = compile("case.hlsl", source.as_bytes(), &mut Disk, &o);
        let Some(Product::Dxil(data)) = c.product else { panic!("{source}\n{:?}", c.diagnostics.first().map(|d| &d.message)) };
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
        let opcode = DxilOp::by_name(op).expect("an operation").opcode.number();
        for (func, f) in self.m.funcs.iter() {
            let Some(body) = &f.body else { continue };
            for &inst in body.blocks.values().flatten() {
                if let Op::Call { callee: Value::Func(callee), args, .. } = body.insts[inst].op
                    && self.m.is_dx_op(callee)
                    && let Some(&Value::Const(c)) = body.values(args).first()
                    && self.m.consts[c].kind == ConstKind::Int(i64::from(opcode as i32))
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

    /// Makes features, runtime data, pipeline information and shader flags anew from the module, if it says enough for that.
    pub fn settle(&mut self) {
        let flags = |e: &Edit| {
            let file = Container::parse(&e.bytes()).ok()?;
            let made = recompute::of_container(&file).ok()?;
            Some((made.flags, made.info.flags()))
        };
        if let Some((made, stored)) = flags(self)
            && made != stored
        {
            let value = self.m.meta_i64(made as i64);
            self.set_prop_of(0, 0, Some(value));
        }
        self.remake();
    }

    /// Makes features, runtime data and pipeline information anew from the module, if it says enough for that.
    pub fn remake(&mut self) {
        let Ok(file) = Container::parse(&self.bytes()) else { return };
        let Ok(made) = recompute::of_container(&file) else { return };
        for part in &mut self.parts {
            let data = match part.name {
                FourCc::SFI0 => Some(made.features().to_le_bytes().to_vec()),
                FourCc::RDAT => made.rdat_bytes(),
                FourCc::PSV0 => made.psv.as_ref().map(|p| p.write()),
                _ => None,
            };
            if let Some(data) = data {
                part.data = data;
            }
        }
        if made.signatures.is_some() {
            for (name, data) in made.signature_parts() {
                match self.parts.iter_mut().find(|p| p.name == name) {
                    Some(part) => part.data = data,
                    None => self.parts.insert(0, Part { name, data, offset: 0 }),
                }
            }
        }
    }

    /// The data of a part.
    pub fn part(&mut self, name: FourCc) -> &mut Vec<u8> {
        &mut self.parts.iter_mut().find(|p| p.name == name).expect("the part").data
    }

    /// Adds a part in front of the program.
    pub fn add_part(&mut self, name: &[u8; 4], data: Vec<u8>) {
        let at = self.parts.len() - 1;
        self.parts.insert(at, Part { name: FourCc(*name), data, offset: 0 });
    }

    /// Replaces an element of a node of a named metadata.
    pub fn set_elem(&mut self, name: &str, node: usize, elem: usize, value: Option<Meta>) {
        let mut nodes = self.m.meta.named(name).to_vec();
        let mut elems = self.m.meta.elems(nodes[node]).to_vec();
        elems[elem] = value;
        nodes[node] = self.m.meta.node(&elems);
        self.set_named(name, &nodes);
    }

    /// Gives a function other types.
    pub fn retype(&mut self, func: Func, ret: Type, params: &[Type]) {
        let ty = self.m.types.function(ret, params);
        self.m.funcs[func].ty = ty;
        self.m.funcs[func].ptr_ty = self.m.types.ptr(ty);
    }

    /// An allocation of one value of a type in the first function.
    pub fn allocate(&mut self, ty: Type) -> Inst {
        let (func, count, ptr) = (self.main(), self.m.i32(1), self.m.types.ptr(ty));
        self.insert(func, ptr, Op::Alloca { allocated: ty, count, align: 4 })
    }

    /// Removes a part.
    pub fn remove_part(&mut self, name: FourCc) {
        self.parts.retain(|p| p.name != name);
    }

    /// Sets a property of the last entry point; `None` takes it away.
    pub fn set_prop(&mut self, tag: i64, value: Option<Meta>) {
        self.set_prop_of(self.m.meta.named("dx.entryPoints").len() - 1, tag, value);
    }

    /// Sets a property of record `n` of the entry points; `None` takes it away.
    pub fn set_prop_of(&mut self, n: usize, tag: i64, value: Option<Meta>) {
        let entry = self.m.meta.named("dx.entryPoints")[n];
        let mut props = self.m.meta.elems(entry)[4].map_or(Vec::new(), |p| self.m.meta.elems(p).to_vec());
        let at = props.chunks(2).position(|p| p[0].and_then(|t| self.m.meta_int(t)) == Some(tag)).map(|n| 2 * n);
        match (at, value) {
            (Some(at), Some(_)) => props[at + 1] = value,
            (Some(at), None) => drop(props.drain(at..at + 2)),
            (None, Some(_)) => {
                let tag = self.m.meta_i32(tag as i32);
                props.extend([Some(tag), value]);
            }
            (None, None) => {}
        }
        let props = if props.is_empty() { None } else { Some(self.m.meta.node(&props)) };
        self.set_elem("dx.entryPoints", n, 4, props);
    }

    /// Changes the signatures of the last entry point.
    pub fn signatures(&mut self, change: impl Fn(&mut Signatures)) {
        let last = self.m.meta.named("dx.entryPoints").len() - 1;
        let node = self.m.meta.elems(self.m.meta.named("dx.entryPoints")[last])[2];
        let mut all = Signatures::read(&self.m, node).expect("signatures");
        change(&mut all);
        let node = all.write(&mut self.m, true, true);
        self.set_elem("dx.entryPoints", last, 2, node);
    }

    /// Gives a field of element `n` of the inputs a number, whatever it means.
    pub fn set_input_field(&mut self, n: usize, field: usize, number: i8) {
        let last = self.m.meta.named("dx.entryPoints").len() - 1;
        let node = self.m.meta.elems(self.m.meta.named("dx.entryPoints")[last])[2].expect("signatures");
        let mut lists = self.m.meta.elems(node).to_vec();
        let mut list = self.m.meta.elems(lists[0].expect("inputs")).to_vec();
        let mut fields = self.m.meta.elems(list[n].expect("an element")).to_vec();
        fields[field] = Some(self.m.meta_i8(number));
        list[n] = Some(self.m.meta.node(&fields));
        lists[0] = Some(self.m.meta.node(&list));
        let node = self.m.meta.node(&lists);
        self.set_elem("dx.entryPoints", last, 2, Some(node));
    }

    /// Changes value `n` of the state of the last entry point, which is the property `tag`.
    pub fn set_state(&mut self, tag: i64, n: usize, value: Meta) {
        let entry = *self.m.meta.named("dx.entryPoints").last().expect("an entry point");
        let props = self.m.meta.elems(self.m.meta.elems(entry)[4].expect("properties")).to_vec();
        let pair = props.chunks(2).find(|p| p[0].and_then(|t| self.m.meta_int(t)) == Some(tag)).expect("the property");
        let mut values = self.m.meta.elems(pair[1].expect("a state")).to_vec();
        values[n] = Some(value);
        let node = self.m.meta.node(&values);
        self.set_prop(tag, Some(node));
    }

    /// Makes value `n` of the state of the last entry point a number.
    pub fn state(&mut self, tag: i64, n: usize, number: i32) {
        let value = self.m.meta_i32(number);
        self.set_state(tag, n, value);
    }

    /// Takes an instruction out of its block.
    pub fn take(&mut self, (func, inst): (Func, Inst)) {
        for insts in self.body(func).blocks.values_mut() {
            insts.retain(|i| *i != inst);
        }
    }

    /// Moves an instruction to the beginning of the block of another one.
    pub fn move_to_block_of(&mut self, (func, inst): (Func, Inst), other: Inst) {
        self.take((func, inst));
        let blocks = &mut self.body(func).blocks;
        blocks.values_mut().find(|insts| insts.contains(&other)).expect("a block").insert(0, inst);
    }

    /// Does the first call of an operation a second time, at the end of the entry block.
    pub fn repeat(&mut self, op: &str) {
        let (func, inst) = self.call(op);
        let (ty, again) = (self.body(func).insts[inst].ty, self.body(func).insts[inst].op);
        self.insert(func, ty, again);
    }

    /// Gives the last entry point a second property of this tag.
    pub fn add_prop(&mut self, tag: i64, value: Meta) {
        let mut entries = self.m.meta.named("dx.entryPoints").to_vec();
        let last = *entries.last().expect("an entry point");
        let mut fields = self.m.meta.elems(last).to_vec();
        let mut props = fields[4].map_or(Vec::new(), |p| self.m.meta.elems(p).to_vec());
        props.extend([Some(self.m.meta_i32(tag as i32)), Some(value)]);
        fields[4] = Some(self.m.meta.node(&props));
        *entries.last_mut().expect("an entry point") = self.m.meta.node(&fields);
        self.set_named("dx.entryPoints", &entries);
    }

    /// Changes field `field` of record `row` of a list of `dx.resources` (0 SRVs, 1 UAVs, 2 constant buffers, 3 samplers).
    pub fn set_resource(&mut self, list: usize, row: usize, field: usize, value: Option<Meta>) {
        let old = self.m.meta.named("dx.resources")[0];
        let mut lists = self.m.meta.elems(old).to_vec();
        let mut rows = self.m.meta.elems(lists[list].expect("a list")).to_vec();
        let mut fields = self.m.meta.elems(rows[row].expect("a record")).to_vec();
        fields[field] = value;
        rows[row] = Some(self.m.meta.node(&fields));
        lists[list] = Some(self.m.meta.node(&rows));
        let new = self.m.meta.node(&lists);
        self.set_named("dx.resources", &[new]);
        // Entry points name the node as well.
        let mut entries = self.m.meta.named("dx.entryPoints").to_vec();
        for entry in &mut entries {
            let mut fields = self.m.meta.elems(*entry).to_vec();
            if fields[3] == Some(old) {
                fields[3] = Some(new);
                *entry = self.m.meta.node(&fields);
            }
        }
        self.set_named("dx.entryPoints", &entries);
    }

    /// Says that the module follows the rules of validator version 1.`minor`.
    pub fn set_validator(&mut self, minor: i32) {
        let version = self.numbers(&[1, minor]);
        self.set_named("dx.valver", &[version]);
    }

    /// Says that the module is of another shader model (and DXIL version), of the kind that it is.
    pub fn set_model(&mut self, minor: u32) {
        let kind = self.m.meta.string(if self.header.0 == ShaderKind::Library { "lib" } else { "cs" });
        let (six, one, n) = (self.m.meta_i32(6), self.m.meta_i32(1), self.m.meta_i32(minor as i32));
        let model = self.m.meta.node(&[Some(kind), Some(six), Some(n)]);
        let dxil = self.m.meta.node(&[Some(one), Some(n)]);
        self.set_named("dx.shaderModel", &[model]);
        self.set_named("dx.version", &[dxil]);
        (self.header.1, self.header.2) = (Version::new(6, minor), Version::new(1, minor));
    }
}
