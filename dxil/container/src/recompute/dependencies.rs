//! Which outputs depend on which inputs, and on the view: what a driver needs that runs a shader once for several views.
//!
//! An output depends on whatever the value that is stored depends on: operands, transitively; through memory, all stores to the same
//! variable; and the branches that decide whether an instruction runs, or which value a phi has. Components of registers are
//! numbered row × 4 + column. Resources are not followed: what a shader stores to a UAV is not one of its outputs.

use std::collections::BTreeSet;

use rtc_base::{EntitySet, SecondaryMap};
use rtc_tables::dxil_ops::op;
use rtc_tables::limits::GEOMETRY_STREAMS;
use rustc_hash::FxHashMap;

use super::accesses::{Which, access, operation};
use super::uses::instructions;
use crate::ShaderKind;
use crate::metadata::signature::{SignatureElement, Signatures};
use rtc_base::dominators::{Dominators, Edges};
use rtc_dxil_module::cfg::Cfg;
use rtc_dxil_module::{Block, Body, ConstKind, Inst, Module, Op, Value};

/// The dependencies of one component of an output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// Components of inputs.
    pub inputs: BTreeSet<u32>,
    /// Components of patch constants, of a domain shader.
    pub constants: BTreeSet<u32>,
    /// It depends on the view.
    pub view: bool,
}

/// What the third signature is to a shader.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Third {
    /// There is none.
    #[default]
    Absent,
    /// Outputs: patch constants of a hull shader, primitives of a mesh shader.
    Outputs(Vec<Output>),
    /// So many components of inputs: patch constants of a domain shader.
    Inputs(u32),
}

/// The dependencies of a shader.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dependencies {
    /// The view id is used.
    pub uses_view_id: bool,
    /// The number of components of inputs.
    pub inputs: u32,
    /// The components of outputs: one list, or one for each stream of a geometry shader.
    pub streams: Vec<Vec<Output>>,
    /// The third signature.
    pub third: Third,
}

/// Streams of a kind of shader.
fn streams(kind: ShaderKind) -> usize {
    if kind == ShaderKind::Geometry { GEOMETRY_STREAMS } else { 1 }
}

/// Words of a mask of so many bits.
fn words(bits: usize) -> usize {
    bits.div_ceil(32)
}

/// The numbers of `dx.viewIdState` as they are read.
struct Reader(std::vec::IntoIter<u32>);

impl Reader {
    fn count(&mut self) -> Option<usize> {
        self.0.next().map(|n| n as usize)
    }
    /// A mask over `outputs`.
    fn mask(&mut self, outputs: &mut [Output], count: usize, mut mark: impl FnMut(&mut Output)) -> Option<()> {
        for n in 0..words(count) {
            let bits = self.0.next()?;
            for (k, o) in outputs.iter_mut().skip(32 * n).take(32).enumerate() {
                if bits >> k & 1 != 0 {
                    mark(o);
                }
            }
        }
        Some(())
    }
    /// Outputs with their masks: the view's, then one for each component of inputs.
    fn table(&mut self, inputs: u32, view: bool) -> Option<Vec<Output>> {
        let count = self.count()?;
        let mut out = vec![Output::default(); count.min(LIMIT as usize)];
        if view {
            self.mask(&mut out, count, |o| o.view = true)?;
        }
        for i in 0..inputs.min(LIMIT) {
            self.mask(&mut out, count, |o| _ = o.inputs.insert(i))?;
        }
        Some(out)
    }
}

/// More components than signatures have.
const LIMIT: u32 = 1 << 10;

/// Appends the mask of those of the first `count` outputs that depend on something.
fn put_mask(list: &[Output], count: usize, out: &mut Vec<u32>, depends: impl Fn(&Output) -> bool) {
    let start = out.len();
    out.resize(start + words(count), 0);
    for (n, _) in list.iter().enumerate().take(count).filter(|(_, o)| depends(o)) {
        out[start + n / 32] |= 1 << (n % 32);
    }
}

/// Appends a mask for each of `inputs` components.
fn put_table(list: &[Output], count: usize, inputs: usize, out: &mut Vec<u32>) {
    for i in 0..inputs as u32 {
        put_mask(list, count, out, |o| o.inputs.contains(&i));
    }
}

impl Dependencies {
    /// The metadata that has them.
    pub const METADATA: &str = "dx.viewIdState";

    /// Reads what metadata says (`dx.viewIdState`).
    pub fn read(m: &Module, kind: ShaderKind, uses_view_id: bool) -> Option<Dependencies> {
        let &node = m.meta.named(Self::METADATA).first()?;
        let value = crate::metadata::value(m, *m.meta.elems(node).first()?)?;
        let Value::Const(c) = value else { return None };
        let list: Vec<u32> = match &m.consts[c].kind {
            ConstKind::Data(bits) => bits.iter().map(|&b| b as u32).collect(),
            ConstKind::Aggregate(values) => values.iter().map(|&v| m.int_of(v).unwrap_or(0) as u32).collect(),
            _ => return None,
        };
        let mut from = Reader(list.into_iter());
        let inputs = from.count()? as u32;
        let mut out = Dependencies { uses_view_id, inputs, ..Dependencies::default() };
        for _ in 0..streams(kind) {
            out.streams.push(from.table(inputs, uses_view_id)?);
        }
        out.third = match kind {
            ShaderKind::Hull | ShaderKind::Mesh => Third::Outputs(from.table(inputs, uses_view_id)?),
            ShaderKind::Domain => {
                let constants = from.count()? as u32;
                let outputs = out.streams.first_mut()?;
                for i in 0..constants.min(LIMIT) {
                    let count = outputs.len();
                    from.mask(outputs, count, |o| _ = o.constants.insert(i))?;
                }
                Third::Inputs(constants)
            }
            _ => Third::Absent,
        };
        Some(out)
    }

    /// The words of the metadata; none if there is nothing to say.
    fn serialized(&self) -> Option<Vec<u32>> {
        let mut out = vec![self.inputs];
        let table = |list: &[Output], out: &mut Vec<u32>| {
            out.push(list.len() as u32);
            if self.uses_view_id {
                put_mask(list, list.len(), out, |o| o.view);
            }
            put_table(list, list.len(), self.inputs as usize, out);
        };
        for list in &self.streams {
            table(list, &mut out);
        }
        match &self.third {
            Third::Absent => {}
            Third::Outputs(list) => table(list, &mut out),
            Third::Inputs(constants) => {
                out.push(*constants);
                let list = self.streams.first().map_or(&[][..], |l| l);
                for i in 0..*constants {
                    put_mask(list, list.len(), &mut out, |o| o.constants.contains(&i));
                }
            }
        }
        out.iter().any(|&w| w != 0).then_some(out)
    }

    /// Writes the metadata, if there is something to say.
    pub fn write(&self, m: &mut Module) {
        let Some(list) = self.serialized() else { return };
        let list = m.consts.words(&mut m.types, &list);
        let list = m.meta.value(Value::Const(list));
        let node = m.meta.node(&[Some(list)]);
        m.meta.add_named(Self::METADATA, node);
    }

    /// The tables of `PSV0`, for so many rows of inputs, of the outputs of each stream, and of the third signature.
    pub fn padded(&self, inputs: usize, outputs: [usize; GEOMETRY_STREAMS], third: usize) -> Vec<u32> {
        let mut out = Vec::new();
        let made = match &self.third {
            Third::Outputs(list) => &list[..],
            _ => &[],
        };
        let streams = || self.streams.iter().zip(outputs).filter(|s| s.1 > 0);
        if self.uses_view_id {
            for (list, rows) in streams() {
                put_mask(list, 4 * rows, &mut out, |o| o.view);
            }
            if matches!(self.third, Third::Outputs(_)) {
                put_mask(made, 4 * third, &mut out, |o| o.view);
            }
        }
        for (list, rows) in streams() {
            put_table(list, 4 * rows, 4 * inputs, &mut out);
        }
        match self.third {
            Third::Absent => {}
            Third::Outputs(_) => put_table(made, 4 * third, 4 * inputs, &mut out),
            Third::Inputs(_) => {
                for (list, rows) in streams() {
                    for i in 0..4 * third as u32 {
                        put_mask(list, 4 * rows, &mut out, |o| o.constants.contains(&i));
                    }
                }
            }
        }
        out
    }

    /// Finds the dependencies of a shader with this code: the entry point, then the patch constant function of a hull shader.
    pub fn find(m: &Module, kind: ShaderKind, code: &[&Body], signatures: &Signatures) -> Dependencies {
        let of_stream = |n: usize| signatures.outputs.iter().filter(move |e| e.stream == n as u32);
        let list = |n: u32| vec![Output::default(); n as usize];
        let mut out = Dependencies {
            uses_view_id: false,
            inputs: components(signatures.inputs.iter()),
            streams: (0..streams(kind)).map(|n| list(components(of_stream(n)))).collect(),
            third: match kind {
                ShaderKind::Hull | ShaderKind::Mesh => Third::Outputs(list(components(signatures.patch.iter()))),
                ShaderKind::Domain => Third::Inputs(components(signatures.patch.iter())),
                _ => Third::Absent,
            },
        };
        for body in code {
            let mut stores: FxHashMap<(Which, u32, u32), Vec<Inst>> = FxHashMap::default();
            for i in instructions(body) {
                out.uses_view_id |= operation(m, body, i).is_some_and(|o| o.0 == op::VIEW_ID);
                let Some(a) = access(m, body, i).filter(|a| a.value.is_some()) else { continue };
                let Some(e) = a.which.elements(signatures).get(a.id as usize) else { continue };
                for component in places(e, a.row, a.column) {
                    stores.entry((a.which, e.stream, component)).or_default().push(i);
                }
            }
            if stores.is_empty() {
                continue;
            }
            let mut walk = Walk::new(m, body);
            // A patch constant function reads control points that are complete.
            let points = out.streams.first().cloned().unwrap_or_default();
            for ((which, stream, component), stores) in stores {
                let list = match (which, &mut out.third) {
                    (Which::Output, _) => out.streams.get_mut(stream as usize),
                    (Which::Patch, Third::Outputs(list)) => Some(list),
                    _ => None,
                };
                let Some(output) = list.and_then(|l| l.get_mut(component as usize)) else { continue };
                walk.seen.clear();
                for i in stores {
                    walk.enter(i);
                }
                while let Some(i) = walk.todo.pop() {
                    walk.visit(i, signatures, &points, output);
                }
            }
        }
        out
    }
}

/// One more than the last component of the registers that elements take.
fn components<'e>(elements: impl Iterator<Item = &'e SignatureElement>) -> u32 {
    elements.filter_map(|e| Some(4 * (e.row? + e.rows() - 1) + e.column + e.columns)).max().unwrap_or(0)
}

/// The components of registers that an access may mean.
fn places(e: &SignatureElement, row: Option<u32>, column: u32) -> Vec<u32> {
    let Some(first) = e.row else { return Vec::new() };
    let rows = match row {
        Some(r) if r < e.rows() => r..r + 1,
        Some(_) => return Vec::new(),
        None => 0..e.rows(),
    };
    rows.map(|r| 4 * (first + r) + e.column + column).collect()
}

/// The search backwards from stores.
struct Walk<'m> {
    m: &'m Module,
    body: &'m Body,
    /// The block of each instruction.
    block: SecondaryMap<Inst, Option<Block>>,
    /// The branches that decide whether a block runs.
    decides: Vec<Vec<Block>>,
    /// The instructions that write a variable, by its root.
    writes: FxHashMap<Value, Vec<Inst>>,
    seen: EntitySet<Inst>,
    todo: Vec<Inst>,
}

impl<'m> Walk<'m> {
    fn new(m: &'m Module, body: &'m Body) -> Walk<'m> {
        let mut block = SecondaryMap::new();
        block.resize(body.insts.len());
        for (b, list) in body.blocks.iter() {
            list.iter().for_each(|&i| block[i] = Some(b));
        }
        let mut writes: FxHashMap<Value, Vec<Inst>> = FxHashMap::default();
        for i in instructions(body) {
            let ptr = match body.insts[i].op {
                Op::Store { ptr, .. } | Op::AtomicRmw { ptr, .. } | Op::CmpXchg { ptr, .. } => Some(ptr),
                _ => None,
            };
            if let Some(root) = ptr.and_then(|p| root(m, body, p)) {
                writes.entry(root).or_default().push(i);
            }
        }
        Walk { m, body, block, decides: control_dependence(body), writes, seen: EntitySet::new(), todo: Vec::new() }
    }

    fn enter(&mut self, i: Inst) {
        if self.seen.insert(i) {
            self.todo.push(i);
        }
    }

    /// What decides whether a block runs.
    fn enter_branches(&mut self, block: Block) {
        let block = block.as_u32() as usize;
        for n in 0..self.decides[block].len() {
            if let Some(&last) = self.body.blocks[self.decides[block][n]].last() {
                self.enter(last);
            }
        }
    }

    /// Adds what instruction `i` reads to `output`. `points`: the outputs of control points, which a patch constant function reads.
    fn visit(&mut self, i: Inst, signatures: &Signatures, points: &[Output], output: &mut Output) {
        if let Some(a) = access(self.m, self.body, i).filter(|a| a.value.is_none())
            && let Some(e) = a.which.elements(signatures).get(a.id as usize)
        {
            let read = places(e, a.row, a.column);
            match a.which {
                Which::Input => output.inputs.extend(read),
                Which::Patch => output.constants.extend(read),
                Which::Output => {
                    for point in read.iter().filter_map(|&c| points.get(c as usize)) {
                        output.inputs.extend(&point.inputs);
                        output.view |= point.view;
                    }
                }
            }
        }
        if operation(self.m, self.body, i).is_some_and(|o| o.0 == op::VIEW_ID) {
            output.view = true;
        }
        let body = self.body;
        body.operands(i, |v| {
            if let Value::Inst(def) = v {
                self.enter(def);
            }
        });
        match body.insts[i].op {
            Op::Phi(list) => {
                for pair in body.values(list).chunks_exact(2) {
                    if let Value::Block(from) = pair[1] {
                        let own = matches!(pair[0], Value::Inst(def) if self.block[def] == Some(from));
                        if !own {
                            self.enter_branches(from);
                        }
                    }
                }
            }
            Op::Load { ptr, .. } | Op::AtomicRmw { ptr, .. } | Op::CmpXchg { ptr, .. } => {
                let writes = root(self.m, self.body, ptr).and_then(|r| self.writes.get(&r)).cloned().unwrap_or_default();
                for w in writes {
                    self.enter(w);
                }
            }
            _ => {}
        }
        if let Some(block) = self.block[i] {
            self.enter_branches(block);
        }
    }
}

/// The variable that a pointer points into.
fn root(m: &Module, body: &Body, mut ptr: Value) -> Option<Value> {
    loop {
        match ptr {
            Value::Global(_) => return Some(ptr),
            Value::Inst(i) => match body.insts[i].op {
                Op::Alloca { .. } => return Some(ptr),
                Op::Gep { operands, .. } => ptr = *body.values(operands).first()?,
                Op::Cast { value, .. } => ptr = value,
                _ => return None,
            },
            Value::Const(c) => match &m.consts[c].kind {
                ConstKind::Gep { .. } | ConstKind::Cast { .. } => ptr = *m.consts[c].kind.operands().first()?,
                _ => return None,
            },
            _ => return None,
        }
    }
}

/// For each block the blocks whose branches decide whether it runs (Ferrante, Ottenstein and Warren).
fn control_dependence(body: &Body) -> Vec<Vec<Block>> {
    if body.blocks.len() == 1 {
        return vec![Vec::new()];
    }
    let cfg = Cfg::new(body);
    let count = body.blocks.len();
    let exit = count as u32;
    // The function ends in one node more, which comes after every block without successors.
    let succs = Edges::new(count + 1, |b, out| {
        if b == exit {
            return;
        }
        out.extend(cfg.succs(Block::from_u32(b)).map(|s| s.as_u32()));
        if cfg.succs(Block::from_u32(b)).len() == 0 {
            out.push(exit);
        }
    });
    let after = Dominators::new(&succs.reversed(), &succs, exit);
    let mut out = vec![Vec::new(); count];
    for a in (0..exit).filter(|&a| succs.of(a).len() > 1) {
        for &s in succs.of(a) {
            let mut runner = s;
            while runner != exit && Some(runner) != after.immediate_of(a) {
                let deciding = Block::from_u32(a);
                let deciders: &mut Vec<Block> = &mut out[runner as usize];
                if !deciders.contains(&deciding) {
                    deciders.push(deciding);
                }
                match after.immediate_of(runner) {
                    Some(next) => runner = next,
                    None => break,
                }
            }
        }
    }
    out
}
