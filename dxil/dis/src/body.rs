//! Functions: their head, their blocks and their instructions as text.

use super::slots::{Attached, Local};
use super::text::Printer;
use rtc_dxil_module::{Attrs, Block, Body, FUNCTION_INDEX, Func, Inst, Op, Tail, TypeKind, Value, Visibility, cmpxchg};

impl<'m> Printer<'m> {
    /// A function, with an empty line before it.
    pub fn function(&mut self, func: Func) {
        let m = self.m;
        let f = &m.funcs[func];
        let params = m.types.signature(f.ty).map_or(&[][..], |(_, params, _)| params);
        let attached = f.body.as_ref().map(Attached::new);
        if let (Some(body), Some(attached)) = (&f.body, &attached) {
            self.slots.add_body(m, body, attached);
            self.here = Some((func, body, Local::new(m, params.len() as u32, body)));
        }
        self.str("\n");
        let own = self.attr_group(f.attrs, FUNCTION_INDEX);
        if let Some(group) = own {
            let before = self.out.len();
            self.str("; Function Attrs: ");
            let start = self.out.len();
            self.attrs(group, false, false);
            if self.out.len() == start {
                self.out.truncate(before);
            } else {
                self.str("\n");
            }
        }
        self.str(if f.body.is_some() { "define " } else { "declare " });
        if f.linkage.text() != "" {
            self.put(format_args!("{} ", f.linkage.text()));
        }
        self.visibility(f.visibility);
        self.calling_convention(f.cc);
        if let Some(group) = self.attr_group(f.attrs, 0) {
            self.attrs(group, false, true);
            self.str(" ");
        }
        let (ret, vararg) = m.types.signature(f.ty).map_or((f.ty, false), |(r, _, v)| (r, v));
        self.ty(ret);
        self.str(" ");
        self.value(Value::Func(func));
        self.str("(");
        for (at, &ty) in params.iter().enumerate() {
            self.comma(at);
            self.ty(ty);
            if let Some(group) = self.attr_group(f.attrs, at as u32 + 1) {
                self.str(" ");
                self.attrs(group, false, true);
            }
            let name = f.body.as_ref().and_then(|b| b.names.get(&Value::Arg(at as u32)));
            if let Some(name) = name {
                self.str(" ");
                self.name('%', name);
            }
        }
        if vararg {
            self.comma(params.len());
            self.str("...");
        }
        self.str(")");
        if f.unnamed_addr {
            self.str(" unnamed_addr");
        }
        self.group_number(f.attrs);
        self.section(f.section);
        if f.align != 0 {
            self.put(format_args!(" align {}", f.align));
        }
        match (&f.body, attached) {
            (Some(body), Some(attached)) => {
                self.attachments(" ", &body.attached_to_function);
                self.str(" {");
                for block in body.blocks.keys() {
                    self.block(body, block, &attached);
                }
                self.str("}\n");
            }
            _ => self.str("\n"),
        }
        self.here = None;
    }

    /// One instruction of a function.
    pub fn one_inst(&mut self, func: Func, inst: Inst) {
        let m = self.m;
        let f = &m.funcs[func];
        let Some(body) = &f.body else { return };
        let params = m.types.signature(f.ty).map_or(0, |(_, params, _)| params.len());
        let attached = Attached::new(body);
        self.slots.add_body(m, body, &attached);
        self.here = Some((func, body, Local::new(m, params as u32, body)));
        self.inst(body, inst, &attached);
        self.here = None;
    }

    /// A visibility and a blank, if it is not the usual one.
    pub fn visibility(&mut self, visibility: Visibility) {
        match visibility {
            Visibility::Default => {}
            Visibility::Hidden => self.str("hidden "),
            Visibility::Protected => self.str("protected "),
        }
    }

    /// A section, if there is one.
    pub fn section(&mut self, section: u32) {
        let m = self.m;
        if let Some(name) = (section as usize).checked_sub(1).and_then(|at| m.sections.get(at)) {
            self.str(" section \"");
            self.escaped(name.as_bytes());
            self.str("\"");
        }
    }

    fn calling_convention(&mut self, cc: u32) {
        match cc {
            0 => {}
            8 => self.str("fastcc "),
            9 => self.str("coldcc "),
            _ => self.put(format_args!("cc{cc} ")),
        }
    }

    fn group_number(&mut self, attrs: Attrs) {
        let group = self.attr_group(attrs, FUNCTION_INDEX);
        if let Some(number) = group.and_then(|g| self.slots.group(g)) {
            self.put(format_args!(" #{number}"));
        }
    }

    fn attachments(&mut self, separator: &str, pairs: &[(u32, rtc_dxil_module::Meta)]) {
        let m = self.m;
        for &(kind, node) in pairs {
            self.put(format_args!("{separator}!"));
            match m.meta.kinds.get(kind as usize) {
                Some(name) => self.meta_name(name),
                None => self.put(format_args!("<unknown kind #{kind}>")),
            }
            self.str(" ");
            self.meta_operand(Some(node));
        }
    }

    fn block(&mut self, body: &Body, block: Block, attached: &Attached) {
        let Some((_, _, local)) = &self.here else {
            return;
        };
        let preds = local.preds[block].clone();
        let number = local.get(Value::Block(block));
        if let Some(name) = body.names.get(&Value::Block(block)) {
            self.str("\n");
            self.bare_name(name);
            self.str(":");
        } else if !preds.is_empty() {
            self.put(format_args!("\n; <label>:{}", number.unwrap_or(0)));
        }
        if block.as_u32() != 0 {
            self.pad_to(50);
            self.str(";");
            if preds.is_empty() {
                self.str(" No predecessors!");
            } else {
                self.str(" preds = ");
                for (at, &pred) in preds.iter().enumerate() {
                    self.comma(at);
                    self.value(Value::Block(pred));
                }
            }
        }
        self.str("\n");
        for &inst in &body.blocks[block] {
            self.inst(body, inst, attached);
        }
    }

    fn inst(&mut self, body: &Body, inst: Inst, attached: &Attached) {
        let m = self.m;
        let data = &body.insts[inst];
        if let (Some(marks), Some((func, ..))) = (&mut self.marks, &self.here) {
            marks.push((self.out.len(), *func, inst));
        }
        self.str("  ");
        if m.types[data.ty] != TypeKind::Void {
            self.value(Value::Inst(inst));
            self.str(" = ");
        }
        self.op(body, inst);
        if let Some(loc) = data.loc.expand() {
            match self.slots.loc(body.locs[loc]) {
                Some(number) => self.put(format_args!(", !dbg !{number}")),
                None => self.str(", !dbg <badref>"),
            }
        }
        self.attachments(", ", attached.of(inst));
        let (callee, args) = match data.op {
            Op::Call { callee, args, .. } => (Some(callee), body.values(args)),
            _ => (None, &[][..]),
        };
        let name = match callee {
            Some(Value::Func(func)) => Some(&*m.funcs[func].name),
            _ => None,
        };
        self.source_comment(name, args, data.loc.expand().map(|loc| body.locs[loc]));
        if let Some(callee) = callee {
            self.call_comment(callee, args);
        }
        self.str("\n");
    }

    fn op(&mut self, body: &Body, inst: Inst) {
        let data = &body.insts[inst];
        match data.op {
            Op::Ret(None) => self.str("ret void"),
            Op::Ret(Some(value)) => {
                self.str("ret ");
                self.typed(value);
            }
            Op::Br(to) => self.all("br ", &[Value::Block(to)]),
            Op::CondBr { cond, then, other } => {
                self.all("br ", &[cond, Value::Block(then), Value::Block(other)]);
            }
            Op::Switch { value, default, cases } => {
                self.all("switch ", &[value, Value::Block(default)]);
                self.str(" [");
                for case in body.values(cases).chunks(2) {
                    self.all("\n    ", case);
                }
                self.str("\n  ]");
            }
            Op::Unreachable => self.str("unreachable"),
            Op::Binary { op, flags, lhs, rhs } => {
                self.binop(op, data.ty);
                self.op_flags(op, flags, data.ty);
                self.same(&[lhs, rhs]);
            }
            Op::Cast { op, value } => {
                self.put(format_args!("{} ", op.text()));
                self.typed(value);
                self.str(" to ");
                self.ty(data.ty);
            }
            Op::Cmp { pred, flags, lhs, rhs } => {
                if pred.is_float() {
                    self.str("fcmp");
                    self.fast_flags(flags);
                } else {
                    self.str("icmp");
                }
                self.put(format_args!(" {}", pred.text()));
                self.same(&[lhs, rhs]);
            }
            Op::Select { cond, then, other } => self.all("select ", &[cond, then, other]),
            Op::Phi(list) => {
                self.str("phi ");
                self.ty(data.ty);
                for (at, pair) in body.values(list).chunks(2).enumerate() {
                    self.str(if at > 0 { ", [ " } else { " [ " });
                    for (at, &value) in pair.iter().enumerate() {
                        self.comma(at);
                        self.value(value);
                    }
                    self.str(" ]");
                }
            }
            Op::ExtractValue { value, path } => {
                self.all("extractvalue ", &[value]);
                body.path(path).iter().for_each(|i| self.put(format_args!(", {i}")));
            }
            Op::InsertValue { value, field, path } => {
                self.all("insertvalue ", &[value, field]);
                body.path(path).iter().for_each(|i| self.put(format_args!(", {i}")));
            }
            Op::ExtractElement { vector, index } => {
                self.str("extractelement");
                self.same(&[vector, index]);
            }
            Op::InsertElement { vector, value, index } => {
                self.str("insertelement");
                self.same(&[vector, value, index]);
            }
            Op::ShuffleVector { lhs, rhs, mask } => self.all("shufflevector ", &[lhs, rhs, mask]),
            Op::Call { .. } => self.call(body, data.op),
            _ => self.memory(body, inst),
        }
    }

    /// Instructions that touch or address memory.
    fn memory(&mut self, body: &Body, inst: Inst) {
        let data = &body.insts[inst];
        let volatile = |on| if on { " volatile" } else { "" };
        let scope = |cross: bool| if cross { "" } else { " singlethread" };
        match data.op {
            Op::Alloca { allocated, count, align } => {
                self.str("alloca ");
                self.ty(allocated);
                let i32 = self.type_of(count).map(|ty| &self.m.types[ty]);
                if self.int(count) != Some(1) || i32 != Some(&TypeKind::Int(32)) {
                    self.str(", ");
                    self.typed(count);
                }
                self.align(align);
            }
            Op::Load { ptr, align, volatile: v } => {
                self.put(format_args!("load{} ", volatile(v)));
                self.ty(data.ty);
                self.all(", ", &[ptr]);
                self.align(align);
            }
            Op::Store { ptr, value, align, volatile: v } => {
                self.put(format_args!("store{}", volatile(v)));
                self.all(" ", &[value, ptr]);
                self.align(align);
            }
            Op::Gep { inbounds, source, operands } => {
                self.str(if inbounds { "getelementptr inbounds " } else { "getelementptr " });
                self.ty(source);
                self.str(",");
                self.same(body.values(operands));
            }
            Op::AtomicRmw { op, ptr, value, ordering, volatile: v, cross_thread } => {
                self.put(format_args!("atomicrmw{} {}", volatile(v), op.text()));
                self.same(&[ptr, value]);
                self.put(format_args!("{} {}", scope(cross_thread), ordering.text()));
            }
            Op::CmpXchg { ptr, expected, new, success, failure, flags } => {
                let weak = if flags & cmpxchg::WEAK != 0 { " weak" } else { "" };
                let v = volatile(flags & cmpxchg::VOLATILE != 0);
                self.put(format_args!("cmpxchg{weak}{v}"));
                self.same(&[ptr, expected, new]);
                let scope = scope(flags & cmpxchg::CROSS_THREAD != 0);
                self.put(format_args!("{scope} {} {}", success.text(), failure.text()));
            }
            Op::Fence { ordering, cross_thread } => {
                self.put(format_args!("fence{} {}", scope(cross_thread), ordering.text()));
            }
            _ => {}
        }
    }

    fn call(&mut self, body: &Body, op: Op) {
        let Op::Call { callee, ty, attrs, args, cc, tail } = op else {
            return;
        };
        self.str(match tail {
            Tail::No => "call ",
            Tail::Tail => "tail call ",
            Tail::Must => "musttail call ",
        });
        self.calling_convention(cc.into());
        if let Some(group) = self.attr_group(attrs, 0) {
            self.attrs(group, false, true);
            self.str(" ");
        }
        match self.m.types.signature(ty) {
            Some((ret, _, false)) => self.ty(ret),
            _ => self.ty(ty),
        }
        self.str(" ");
        self.value(callee);
        self.str("(");
        for (at, &arg) in body.values(args).iter().enumerate() {
            self.comma(at);
            match self.attr_group(attrs, at as u32 + 1) {
                Some(group) => {
                    if let Some(ty) = self.type_of(arg) {
                        self.ty(ty);
                    }
                    self.str(" ");
                    self.attrs(group, false, true);
                    self.str(" ");
                    self.value(arg);
                }
                None => self.typed(arg),
            }
        }
        self.str(")");
        self.group_number(attrs);
    }

    fn align(&mut self, align: u32) {
        if align != 0 {
            self.put(format_args!(", align {align}"));
        }
    }

    /// Values with their types, separated by commas.
    fn all(&mut self, before: &str, values: &[Value]) {
        self.str(before);
        for (at, &value) in values.iter().enumerate() {
            self.comma(at);
            self.typed(value);
        }
    }

    /// Values with one type in front if all have the same, otherwise each with its own.
    fn same(&mut self, values: &[Value]) {
        let mut types = values.iter().map(|&v| self.type_of(v));
        let first = types.next().flatten();
        if types.any(|ty| ty != first) {
            return self.all(" ", values);
        }
        self.str(" ");
        if let Some(ty) = first {
            self.ty(ty);
            self.str(" ");
        }
        for (at, &value) in values.iter().enumerate() {
            self.comma(at);
            self.value(value);
        }
    }
}
