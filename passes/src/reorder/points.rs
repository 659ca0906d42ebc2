//! Reorder points, and the functions that contain one, transitively over the call graph.

use rtc_base::EntitySet;
use rtc_ir::{Effects, Func, Function, Inst, InstData, Module};

/// The functions of a module during which the thread may be reordered. Functions that are declared only count, except for
/// instructions of inline SPIR-V that run no shaders.
#[derive(Clone, Default)]
pub struct ReorderingFuncs(EntitySet<Func>);

impl ReorderingFuncs {
    /// Those of `m`: they have a reorder point, or call a function that does.
    pub fn of(m: &Module) -> ReorderingFuncs {
        let mut callers: Vec<Vec<Func>> = vec![Vec::new(); m.funcs.len()];
        let mut set = EntitySet::with_capacity(m.funcs.len());
        let mut todo = Vec::new();
        for (id, f) in &m.funcs {
            if f.declared && f.inline.as_ref().is_none_or(|i| i.runs_shaders()) && set.insert(id) {
                todo.push(id);
            }
            f.for_each_inst(f.body, |_, i| match f.insts[i] {
                InstData::Call { func, .. } => {
                    if let Some(list) = callers.get_mut(func.as_u32() as usize) {
                        list.push(id);
                    }
                }
                ref data if data.op().effects().contains(Effects::REORDERS) && set.insert(id) => todo.push(id),
                _ => {}
            });
        }
        while let Some(id) = todo.pop() {
            for &caller in &callers[id.as_u32() as usize] {
                if set.insert(caller) {
                    todo.push(caller);
                }
            }
        }
        ReorderingFuncs(set)
    }

    /// Whether the thread may be reordered while `id` runs.
    pub fn contains(&self, id: Func) -> bool {
        self.0.contains(id)
    }

    /// Whether `i` of `f` is a reorder point, or a call of a function with one.
    pub fn is_point(&self, f: &Function, i: Inst) -> bool {
        match f.insts[i] {
            InstData::Call { func, .. } => self.contains(func),
            ref data => data.op().effects().contains(Effects::REORDERS),
        }
    }
}

/// The reorder points of `f`, in the order of the text, calls of functions with reorder points included.
pub fn points(f: &Function, moving: &ReorderingFuncs) -> Vec<Inst> {
    let mut out = Vec::new();
    f.for_each_inst(f.body, |_, i| {
        if moving.is_point(f, i) {
            out.push(i);
        }
    });
    out
}
