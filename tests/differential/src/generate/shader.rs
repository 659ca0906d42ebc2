//! Compute shaders: what a group does together, and the entry point.

use super::resources::{SLOT, SLOTS};
use super::types::{Numeric, Scalar, Type};
use super::{Generator, THREADS, Variable};

impl Generator {
    /// The compute shader `main`.
    pub(super) fn compute_shader(&mut self) -> String {
        self.begin();
        let width = self.choices.pick(&["8, 1, 1", "4, 2, 1", "2, 2, 2"]);
        self.line("start(GroupIndex);");
        if let Some(g) = self.globals.iter().find(|v| v.name == "G").cloned()
            && let Type::Array(of, _) = &g.ty
        {
            for i in 0..SLOTS {
                let zero = self.zero(of);
                self.line(format!("G[{SLOT}{i}u] = {zero};"));
            }
        }
        self.inputs();
        self.budget = 20;
        while self.budget > 0 && self.more(14) {
            if self.choices.one_in(4) {
                self.budget -= 1;
                self.together();
            } else {
                self.statement();
            }
        }
        self.write_out();
        let body = std::mem::take(&mut self.text);
        let shared = if self.has_atomics { "groupshared uint A[4];\ngroupshared int B[4];\n" } else { "" };
        format!("{shared}[shader(\"compute\")]\n[numthreads({width})]\nvoid main(uint GroupIndex : SV_GroupIndex) {{\n{body}}}\n")
    }

    /// The state at the beginning of an entry point.
    pub(super) fn begin(&mut self) {
        self.text.clear();
        self.locals.clear();
        (self.indent, self.cost, self.repeat, self.loops) = (1, 0, 1, 0);
        (self.may_write, self.may_return, self.in_switch, self.uniform) = (true, false, false, true);
        self.result = None;
        self.may_trace = false;
    }

    /// Some words of the thread's own.
    pub(super) fn inputs(&mut self) {
        for scalar in [Scalar::Uint, Scalar::Int] {
            let name = self.name("v");
            let n = self.names;
            self.line(format!("{} {name} = ({0})Raw.Load(T * 64u + {}u);", scalar.name(), n % 16 * 4));
            self.locals.push(Variable::local(name, Type::Numeric(Numeric::scalar(scalar))));
        }
    }

    /// What all threads of the group do together.
    fn together(&mut self) {
        match self.choices.weighted(&[3, 2, 2, 1]) {
            1 => self.exchange(),
            2 => self.atomics(),
            3 if self.has_bytes => self.bytes_of_memory(),
            _ => self.wave(),
        }
    }

    fn barrier(&mut self) {
        let name = self.choices.pick(&["GroupMemoryBarrierWithGroupSync", "AllMemoryBarrierWithGroupSync"]);
        self.line(format!("{name}();"));
    }

    /// Reads what another thread has in group-shared memory.
    fn exchange(&mut self) {
        let Some(g) = self.globals.iter().find(|v| v.name == "G").cloned() else {
            return self.wave();
        };
        let k = self.choices.below(THREADS);
        let slot = self.choices.below(SLOTS);
        let Type::Array(of, _) = g.ty else { return };
        self.barrier();
        let other =
            Variable { ty: (*of).clone(), slot: "", ..Variable::local(format!("G[((T + {k}u) & 7u) * 2u + {slot}u]"), (*of).clone()) };
        let path = self.path_into(&other, 1);
        let name = self.name("v");
        let ty = Type::Numeric(path.ty);
        let declaration = self.declare(&ty, &name);
        self.line(format!("{declaration} = {};", path.text));
        self.barrier();
        self.locals.push(Variable::local(name, ty));
    }

    /// Atomic operations on group-shared memory whose order does not matter.
    fn atomics(&mut self) {
        self.has_atomics = true;
        let (array, scalar) = self.choices.pick(&[("A", Scalar::Uint), ("B", Scalar::Int)]);
        let op = self.choices.pick(&["Add", "Or", "Xor", "Max", "Min", "And"]);
        let start = if op == "And" { "-1" } else { "0" };
        let value = self.storable(Numeric::scalar(scalar), 3);
        let index = self.index(4, 2);
        let name = self.name("v");
        self.line(format!("if (T < 4u) {array}[T] = {start};"));
        self.barrier();
        self.line(format!("Interlocked{op}({array}[{index}], {value});"));
        self.barrier();
        let from = self.index(4, 2);
        self.line(format!("{} {name} = {array}[{from}];", scalar.name()));
        self.barrier();
        self.locals.push(Variable::local(name, Type::Numeric(Numeric::scalar(scalar))));
    }

    /// An operation among the lanes of the wave.
    fn wave(&mut self) {
        let float = Numeric::vector(Scalar::Float, 1 + self.choices.below(4));
        let list: Vec<Scalar> = self.scalars.iter().copied().filter(|s| !s.is_bounded() && *s != Scalar::Bool).collect();
        let scalar = self.choices.pick(&list);
        let integer = Numeric::vector(scalar, 1 + self.choices.below(4));
        let boolean = Numeric::scalar(Scalar::Bool);
        let lane = self.choices.below(4);
        let (ty, text) = match self.choices.below(12) {
            0 => (integer, format!("WaveActiveSum({})", self.storable(integer, 3))),
            1 => (integer, format!("WaveActiveMax({})", self.storable(integer, 3))),
            2 => (integer, format!("WaveActiveMin({})", self.storable(integer, 3))),
            3 if !scalar.is_unsigned() => (integer, format!("WaveActiveProduct({})", self.storable(integer, 3))),
            4 => (integer, format!("WavePrefixSum({})", self.storable(integer, 3))),
            5 => (boolean, format!("WaveActiveAllTrue({})", self.test())),
            6 => (boolean, format!("WaveActiveAnyTrue({})", self.test())),
            7 => (Numeric::scalar(Scalar::Uint), format!("WaveActiveCountBits({})", self.test())),
            8 => (Numeric::scalar(Scalar::Uint), format!("WavePrefixCountBits({})", self.test())),
            9 => (float, format!("WaveReadLaneAt({}, {lane}u)", self.storable(float, 3))),
            10 => (integer, format!("WaveReadLaneFirst({})", self.storable(integer, 3))),
            // Eight terms have three bits more.
            _ => (float, format!("bound_{}(WaveActiveSum({}))", float.name(), self.storable(float, 3))),
        };
        if text.starts_with("bound") {
            self.need("bound", ty);
        }
        let ty = Type::Numeric(ty);
        let name = self.name("v");
        let declaration = self.declare(&ty, &name);
        self.line(format!("{declaration} = {text};"));
        self.locals.push(Variable::local(name, ty));
    }

    /// Stores a value in the thread's part of a byte-address buffer and loads it, and a word of it.
    pub(super) fn bytes_of_memory(&mut self) {
        let all: Vec<Variable> = self
            .locals
            .iter()
            .filter(|v| v.writable && !v.wild && v.slot.is_empty() && !matches!(v.ty, Type::Array(..)))
            .cloned()
            .collect();
        let all: Vec<Variable> = all.into_iter().filter(|v| self.is_memory(&v.ty) && self.bytes(&v.ty) < 256).collect();
        let Some(last) = (all.len() as u32).checked_sub(1) else {
            return self.assign();
        };
        let v = all[(last - self.choices.below(last + 1)) as usize].clone();
        let t = self.type_name(&v.ty);
        let at = 8 * self.choices.below(4);
        self.line(format!("Bytes.Store<{t} >(T * 512u + {at}u, {});", v.name));
        let name = self.name("v");
        self.line(format!("{t} {name} = Bytes.Load<{t} >(T * 512u + {at}u);"));
        self.locals.push(Variable::local(name, v.ty));
    }
}
