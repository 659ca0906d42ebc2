//! `-precise-output`: outputs with some semantics are `precise`, by variables that what is stored to them goes through.

use rtc_ir::{self as ir, InstData, LocalData, Opcode, Root};

/// Makes outputs with these semantics `precise`.
pub(super) fn outputs(f: &mut ir::Function, semantics: &[String]) {
    let mut regions = Vec::new();
    f.for_each_region(f.body, |r| regions.push(r));
    for r in regions {
        for i in std::mem::take(&mut f.regions[r].insts) {
            if let InstData::Many { op: Opcode::store_output, imm, args } = f.insts[i]
                && let Some(e) = f.elements.values().nth(ir::ElementPart::from_imm(imm).element as usize)
                && semantics.iter().any(|s| names(s, e))
            {
                let (value, span) = (f.get(args)[1], f.spans[i]);
                let ty = f.ty(value);
                let through = f.locals.push(LocalData { precise: true, ..LocalData::new(ty, "") });
                let place = f.place(Root::Local(through), &[]);
                let args = f.list(&[value]);
                f.append(r, InstData::Access { op: Opcode::store, imm: 0, place, args }, &[], span);
                let load = InstData::Access { op: Opcode::load, imm: 0, place, args: ir::ValueList::EMPTY };
                let load = f.append(r, load, &[ty], span);
                let exact = f.result(load);
                f.own_operands(i);
                f.map_operands(i, |v| if v == value { exact } else { v });
            }
            f.regions[r].insts.push(i);
        }
    }
}

/// Whether `semantic`, with or without its index, is one of an element.
fn names(semantic: &str, e: &ir::ElementData) -> bool {
    let same = |s: &str| s.eq_ignore_ascii_case(&e.name);
    let name = semantic.trim_end_matches(|c: char| c.is_ascii_digit());
    let index = semantic[name.len()..].parse::<u32>().ok();
    same(semantic) || same(name) && index.is_some_and(|n| (e.index..e.index + e.registers().max(1)).contains(&n))
}
