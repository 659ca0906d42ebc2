//! The interfaces of entry points, reduced to the variables that each uses.
//!
//! The reference compiler gives each entry point of a library the variables of all. A ray-tracing entry point may have one incoming payload
//! only (VUID-StandaloneSpirv-IncomingRayPayloadKHR-04700 and its like), and with several a driver takes another shader's.

use std::collections::{HashMap, HashSet};

use rspirv::binary::Assemble;
use rspirv::dr::{Module, Operand, load_words};
use rspirv::spirv::{Op, Word};

/// The module with interfaces that list what the functions of each entry point use.
///
/// # Errors
/// The words are no SPIR-V module.
pub fn own_interfaces(words: &[u32]) -> Result<Vec<u32>, String> {
    let mut module = load_words(words).map_err(|e| format!("not a SPIR-V module: {e}"))?;
    let functions = functions(&module);
    for entry in &mut module.entry_points {
        // Execution model, function, name; then the variables.
        let Some(Operand::IdRef(main)) = entry.operands.get(1) else { continue };
        let used = reachable(&functions, *main);
        let mut n = 0;
        entry.operands.retain(|o| {
            n += 1;
            n <= 3 || matches!(o, Operand::IdRef(v) if used.contains(v))
        });
    }
    Ok(module.assemble())
}

/// What a function refers to.
#[derive(Default)]
struct Uses {
    ids: HashSet<Word>,
    calls: Vec<Word>,
}

fn functions(module: &Module) -> HashMap<Word, Uses> {
    let mut found = HashMap::new();
    for f in &module.functions {
        let Some(id) = f.def_id() else { continue };
        let mut uses = Uses::default();
        for i in f.blocks.iter().flat_map(|b| &b.instructions) {
            uses.ids.extend(i.operands.iter().filter_map(|o| if let Operand::IdRef(v) = o { Some(*v) } else { None }));
            if i.class.opcode == Op::FunctionCall
                && let Some(Operand::IdRef(callee)) = i.operands.first()
            {
                uses.calls.push(*callee);
            }
        }
        found.insert(id, uses);
    }
    found
}

/// All that `main` and the functions that it calls refer to.
fn reachable(functions: &HashMap<Word, Uses>, main: Word) -> HashSet<Word> {
    let (mut used, mut seen, mut worklist) = (HashSet::new(), HashSet::new(), vec![main]);
    while let Some(f) = worklist.pop() {
        if let Some(uses) = functions.get(&f)
            && seen.insert(f)
        {
            used.extend(&uses.ids);
            worklist.extend(&uses.calls);
        }
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;
    use rspirv::dr::Builder;
    use rspirv::spirv::{AddressingModel, ExecutionModel, FunctionControl, MemoryModel, StorageClass};

    /// Two entry points that list both variables; the second reads its own in a function.
    #[test]
    fn each_entry_point_keeps_its_own() {
        let mut b = Builder::new();
        b.memory_model(AddressingModel::Logical, MemoryModel::GLSL450);
        let (void, uint) = (b.type_void(), b.type_int(32, 0));
        let ty = b.type_function(void, []);
        let pointer = b.type_pointer(None, StorageClass::IncomingRayPayloadKHR, uint);
        let variables = [0, 1].map(|_| b.variable(pointer, None, StorageClass::IncomingRayPayloadKHR, None));
        let mut function = |body: &dyn Fn(&mut Builder)| {
            let id = b.begin_function(void, None, FunctionControl::NONE, ty).expect("begins");
            b.begin_block(None).expect("begins");
            body(&mut b);
            b.ret().expect("ends");
            b.end_function().expect("ends");
            id
        };
        let read = |v: Word| {
            move |b: &mut Builder| {
                b.load(uint, None, v, None, []).expect("a load");
            }
        };
        let first = function(&read(variables[0]));
        let inner = function(&read(variables[1]));
        let second = function(&|b| {
            b.function_call(void, None, inner, []).expect("a call");
        });
        for (main, name) in [(first, "First"), (second, "Second")] {
            b.entry_point(ExecutionModel::MissKHR, main, name, variables);
        }
        let words = own_interfaces(&b.module().assemble()).expect("a module");
        let module = load_words(words).expect("a module");
        let listed = |n: usize| module.entry_points[n].operands[3..].to_vec();
        assert_eq!(listed(0), [Operand::IdRef(variables[0])]);
        assert_eq!(listed(1), [Operand::IdRef(variables[1])]);
        assert!(own_interfaces(&[1, 2, 3]).is_err());
    }
}
