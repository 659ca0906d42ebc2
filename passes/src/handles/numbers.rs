//! Results, parameters and variables for the two numbers that represent a handle.

use rtc_ir::analysis::{Exits, results_start};
use rtc_ir::{Inst, InstData, LocalData, Opcode, Region, Type, TypeKind, Value, ValueDef};
use smallvec::SmallVec;

use super::{Handles, Node, Parts};
use crate::util::{all_insts, set_args};

impl Handles<'_> {
    /// Which numbers represent a handle of the family: source, index.
    pub(super) fn numbers_of(&mut self, n: Node) -> (bool, bool) {
        let f = self.family(n);
        (f.sources.len() > 1, f.indexed)
    }

    /// Results, parameters and variables for the numbers.
    pub(super) fn add_numbers(&mut self, exits: &Exits) {
        for l in self.f.locals.keys().collect::<Vec<_>>() {
            if self.nodes.contains_key(&Node::Local(l)) {
                let (which, index) = self.numbers_of(Node::Local(l));
                let ty = self.numbers(self.f.locals[l].ty);
                let name = self.f.locals[l].name.clone();
                let mut make = |on: bool, suffix: &str| on.then(|| self.f.locals.push(LocalData::new(ty, format!("{name}.{suffix}"))));
                let new = (make(which, "which"), make(index, "index"));
                self.locals.insert(l, new);
            }
        }
        for i in all_insts(self.f) {
            if self.f.regions_of(i).is_empty() {
                continue;
            }
            let results: SmallVec<[Value; 4]> = self.f.results(i).into();
            let nodes: Vec<(usize, Value)> = self.nodes_in(&results);
            for &(_, v) in &nodes {
                let (which, index) = self.numbers_of(Node::Value(v));
                let which = which.then(|| self.f.add_result(i, Type::I32));
                let index = index.then(|| self.f.add_result(i, Type::I32));
                self.define(v, Parts { which, index });
            }
            if !nodes.is_empty() {
                for &e in &exits.leave[i] {
                    let start = results_start(self.f, e);
                    let given = self.f.operands(e);
                    let new = self.parts_of_each(&nodes, &given[start..]);
                    let mut all: Vec<Value> = given.to_vec();
                    all.extend(new);
                    set_args(self.f, e, &all, (start.max(1) - 1) as u32);
                }
            }
            if let InstData::Loop { init, body, continuing } = self.f.insts[i] {
                self.new_params(body);
                self.new_params(continuing);
                let given: Vec<Value> = self.f.get(init).to_vec();
                let all = self.with_parts(body, &given);
                set_args(self.f, i, &all, 0);
                for &c in &exits.continues[i] {
                    let given = self.f.operands(c);
                    let all = self.with_parts(continuing, &given);
                    set_args(self.f, c, &all, 0);
                }
                for &n in &exits.nexts[i] {
                    self.next_args(n, body);
                }
            }
        }
    }

    pub(super) fn next_args(&mut self, n: Inst, body: Region) {
        let given = self.f.operands(n);
        let InstData::Exit { op, imm, .. } = self.f.insts[n] else {
            return;
        };
        if op != Opcode::next_if {
            let all = self.with_parts(body, &given);
            return set_args(self.f, n, &all, 0);
        }
        let (again, rest) = given[1..].split_at(imm as usize);
        let again = self.with_parts(body, again);
        let mut all = vec![given[0]];
        all.extend(&again);
        all.extend(rest);
        set_args(self.f, n, &all, again.len() as u32);
    }

    pub(super) fn nodes_in(&self, values: &[Value]) -> Vec<(usize, Value)> {
        let all = values.iter().copied().enumerate();
        all.filter(|(_, v)| self.is_node(*v)).collect()
    }

    pub(super) fn new_params(&mut self, r: Region) {
        let params = self.f.regions[r].params.clone();
        for (_, v) in self.nodes_in(&params) {
            let (which, index) = self.numbers_of(Node::Value(v));
            let which = which.then(|| self.f.add_param(r, Type::I32));
            let index = index.then(|| self.f.add_param(r, Type::I32));
            self.define(v, Parts { which, index });
        }
    }

    /// The operands for the parameters of `r`, with those for the new ones.
    pub(super) fn with_parts(&mut self, r: Region, given: &[Value]) -> Vec<Value> {
        let params = self.f.regions[r].params.clone();
        let nodes = self.nodes_in(&params[..given.len().min(params.len())]);
        let new = self.parts_of_each(&nodes, given);
        given.iter().copied().chain(new).collect()
    }

    pub(super) fn parts_of_each(&mut self, nodes: &[(usize, Value)], given: &[Value]) -> Vec<Value> {
        let mut out = Vec::new();
        for &(n, to) in nodes {
            let parts = self.parts_of(given[n], Node::Value(to));
            out.extend(parts.which);
            out.extend(parts.index);
        }
        out
    }

    /// The numbers of handle `v` for the family of `of`. What loads and selects give does not exist yet:
    /// placeholders that are replaced later.
    pub(super) fn parts_of(&mut self, v: Value, of: Node) -> Parts {
        let (which, index) = self.numbers_of(of);
        if self.is_node(v) {
            if let Some(p) = self.parts.get(&v) {
                return *p;
            }
            let mut make = |on: bool| on.then(|| self.f.values.push(rtc_ir::ValueData { ty: Type::I32, def: ValueDef::Undef }));
            let parts = Parts { which: make(which), index: make(index) };
            self.parts.insert(v, parts);
            return parts;
        }
        let zero = self.f.const_u32(0);
        let Some((source, at, _)) = self.source_of(v) else {
            return Parts { which: which.then_some(zero), index: index.then_some(zero) };
        };
        let n = self.family(of).sources.iter().position(|s| *s == source);
        let n = self.f.const_u32(n.unwrap_or(0) as u32);
        Parts { which: which.then_some(n), index: index.then_some(at.unwrap_or(zero)) }
    }

    /// The type with numbers in the places of handles.
    pub(super) fn numbers(&mut self, t: Type) -> Type {
        match self.m.types.kind(t) {
            TypeKind::Array(e, n) => {
                let e = self.numbers(e);
                self.m.types.array(e, n)
            }
            _ => Type::I32,
        }
    }
}
