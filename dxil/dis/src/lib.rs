//! Disassembler: listings of DXIL modules and containers in the format of the reference compiler.
//!
//! The text is LLVM 3.7 assembly with typed pointers and LLVM's numbering; a comment after each call of
//! a DXIL operation names the operation and its arguments.
//!
//! * [`module_text`] prints a module; [`inst_text`] and [`type_text`] print a part of one, for messages.
//! * [`listing_by_line`] also says of each line which place in the source it comes from.
//! * [`listing`] prints a container, with its features, signatures, hash, stage state, buffer layouts, bindings, dependencies and subobjects as comments before the module.
//!
//! To read the crate, begin with [`module_text`]; `slots` numbers values as LLVM does, `body` prints functions, `container` the comments.
//!
//! # Example
//!
//! ```
//! use rtc_dxil_dis::module_text;
//! use rtc_dxil_module::Module;
//!
//! let mut module = Module::new();
//! let void = module.types.void();
//! let ty = module.types.function(void, &[]);
//! let main = module.add_function("main", ty);
//! module.define(main).ret(None);
//! assert!(module_text(&module).contains("define void @main() {\n  ret void\n}"));
//! ```
//!
//! The crate does not parse assembly, and it does not validate what it prints.

mod body;
mod buffers;
mod comments;
mod container;
mod float;
mod nodes;
mod pipeline;
mod resources;
mod signatures;
mod slots;
mod text;
mod view_state;

pub use container::{ListedLine, ListingError, listing, listing_by_line};

use rtc_base::entity::SecondaryMap;
use rtc_dxil_module::{Func, Global, Inst, Module, Type, TypeKind, Value};
use slots::{Numbered, Slots};
use text::Printer;

/// A listing stops growing here, in bytes: a small module can say the same large constant very often.
const MAX_TEXT: usize = 1 << 28;

/// The listing of a module.
pub fn module_text(m: &Module) -> String {
    let mut p = printer(m);
    module(&mut p);
    p.out
}

/// The listing of a module, and where the lines of its instructions begin.
fn marked_text(m: &Module) -> (String, Vec<(usize, Func, Inst)>) {
    let mut p = printer(m);
    p.marks = Some(Vec::new());
    module(&mut p);
    (p.out, p.marks.unwrap_or_default())
}

fn printer(m: &Module) -> Printer<'_> {
    Printer { m, out: String::with_capacity(1 << 14), slots: Slots::new(m), type_numbers: SecondaryMap::new(), here: None, marks: None }
}

fn module(p: &mut Printer<'_>) {
    let m = p.m;
    if !m.data_layout.is_empty() {
        p.put(format_args!("target datalayout = \"{}\"\n", m.data_layout));
    }
    if !m.triple.is_empty() {
        p.put(format_args!("target triple = \"{}\"\n", m.triple));
    }
    type_list(p);
    if !m.globals.is_empty() {
        p.str("\n");
    }
    for global in m.globals.keys() {
        global_line(p, global);
    }
    for func in m.funcs.keys() {
        if p.out.len() > MAX_TEXT {
            return p.str("\n; (the rest is left out)\n");
        }
        p.function(func);
    }
    if !p.slots.group_order.is_empty() {
        p.str("\n");
    }
    for at in 0..p.slots.group_order.len() {
        let group = p.slots.group_order[at];
        p.put(format_args!("attributes #{at} = {{ "));
        p.attrs(group, true, true);
        p.str(" }\n");
    }
    if !m.meta.named.is_empty() {
        p.str("\n");
    }
    for (name, nodes) in &m.meta.named {
        p.str("!");
        p.meta_name(name);
        p.str(" = !{");
        for (at, &node) in nodes.iter().enumerate() {
            p.comma(at);
            p.meta_operand(Some(node));
        }
        p.str("}\n");
    }
    if !p.slots.meta_order.is_empty() {
        p.str("\n");
    }
    for at in 0..p.slots.meta_order.len() {
        if p.out.len() > MAX_TEXT {
            p.str("; (the rest is left out)\n");
            break;
        }
        let numbered = p.slots.meta_order[at];
        p.put(format_args!("!{at} = "));
        match numbered {
            Numbered::Node(meta) => p.meta_node(meta),
            Numbered::Loc(loc) => p.location(loc),
        }
        p.str("\n");
    }
}

/// One instruction of a function, as listings print it, without the blanks around it.
pub fn inst_text(m: &Module, func: Func, inst: Inst) -> String {
    let mut p = Printer { m, out: String::new(), slots: Slots::new(m), type_numbers: SecondaryMap::new(), here: None, marks: None };
    for (number, &ty) in slots::listed_types(m).iter().filter(|ty| m.types.struct_name(**ty).is_none()).enumerate() {
        p.type_numbers[ty] = number as u32;
    }
    p.one_inst(func, inst);
    p.out.trim().to_owned()
}

/// A type, as listings print it.
pub fn type_text(m: &Module, ty: Type) -> String {
    let slots = Slots::new(&Module::new());
    let mut p = Printer { m, out: String::new(), slots, type_numbers: SecondaryMap::new(), here: None, marks: None };
    p.ty(ty);
    p.out
}

fn type_list(p: &mut Printer<'_>) {
    let m = p.m;
    let types = slots::listed_types(m);
    if types.is_empty() {
        return;
    }
    p.str("\n");
    let unnamed = |ty: &_| m.types.struct_name(*ty).is_none();
    let (numbered, named): (Vec<_>, Vec<_>) = types.into_iter().partition(unnamed);
    for (number, &ty) in numbered.iter().enumerate() {
        p.type_numbers[ty] = number as u32;
    }
    for ty in numbered.into_iter().chain(named) {
        p.ty(ty);
        p.str(" = type ");
        match &m.types[ty] {
            TypeKind::Named { body: Some(fields), .. } => p.fields(fields),
            _ => p.str("opaque"),
        }
        p.str("\n");
    }
}

fn global_line(p: &mut Printer<'_>, global: Global) {
    let g = &p.m.globals[global];
    p.value(Value::Global(global));
    p.str(" = ");
    if g.init.is_none() && g.linkage.text().is_empty() {
        p.str("external ");
    }
    if !g.linkage.text().is_empty() {
        p.put(format_args!("{} ", g.linkage.text()));
    }
    p.visibility(g.visibility);
    p.str(match g.thread_local {
        0 => "",
        1 => "thread_local ",
        2 => "thread_local(localdynamic) ",
        3 => "thread_local(initialexec) ",
        _ => "thread_local(localexec) ",
    });
    if g.unnamed_addr {
        p.str("unnamed_addr ");
    }
    if g.space != 0 {
        p.put(format_args!("addrspace({}) ", g.space));
    }
    if g.externally_initialized {
        p.str("externally_initialized ");
    }
    p.str(if g.constant { "constant " } else { "global " });
    p.ty(g.ty);
    if let Some(init) = g.init {
        p.str(" ");
        p.value(init);
    }
    if g.section != 0 {
        p.str(",");
        p.section(g.section);
    }
    if g.align != 0 {
        p.put(format_args!(", align {}", g.align));
    }
    p.str("\n");
}
