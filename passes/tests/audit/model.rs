//! The audit against a model: random programs of accesses, traces, branches, loops and calls, in which a load is moved anywhere. The model walks the tree of
//! statements and knows nothing of graphs: which traces may come last before a place, and which next after it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use rtc_ir::Opcode as O;
use rtc_passes::reorder_audit::Audit;
use rtc_test_support::Random;

use crate::{HEAD, Hand, TRACE, WORLD, well_formed, whole};

/// A statement. Loads and marks are accesses: loads are moved to before or after marks.
#[derive(Clone, Debug)]
enum Statement {
    Load(usize),
    Mark(usize),
    Trace(usize),
    If(Vec<Statement>, Vec<Statement>),
    /// A loop that may end before each iteration, and what continues it.
    Loop(usize, Vec<Statement>, Vec<Statement>),
    /// Perhaps the innermost loop is left, or goes on, or the function returns.
    Break,
    Continue,
    Return,
    Call(usize),
}

/// The traces that may be next to a place; 0 is the start or end of the shader.
type Points = BTreeSet<usize>;

/// A load or a mark.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Access {
    Load(usize),
    Mark(usize),
}

/// What a program is written with: functions call earlier ones.
struct Writer {
    random: Random,
    next: usize,
    callees: usize,
}

impl Writer {
    fn number(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    fn statements(&mut self, depth: usize, in_loop: bool) -> Vec<Statement> {
        (0..1 + self.random.below(4)).map(|_| self.statement(depth, in_loop)).collect()
    }

    fn statement(&mut self, depth: usize, in_loop: bool) -> Statement {
        match self.random.below(if depth == 0 { 8 } else { 12 }) {
            0 | 1 => Statement::Load(self.number()),
            2 | 3 => Statement::Mark(self.number()),
            4 | 5 => Statement::Trace(self.number()),
            6 if self.callees > 0 => Statement::Call(self.random.below(self.callees)),
            7 if in_loop => [Statement::Break, Statement::Continue, Statement::Return][self.random.below(3)].clone(),
            8 | 9 => Statement::If(self.statements(depth - 1, in_loop), self.statements(depth - 1, in_loop)),
            10 | 11 => Statement::Loop(self.number(), self.statements(depth - 1, true), self.continuing(depth - 1)),
            _ => Statement::Return,
        }
    }

    /// What continues a loop neither leaves it nor goes on earlier.
    fn continuing(&mut self, depth: usize) -> Vec<Statement> {
        let exits = |s: &Statement| {
            matches!(s, Statement::Break | Statement::Continue | Statement::Return | Statement::If(..) | Statement::Loop(..))
        };
        let mut all = self.statements(depth, false);
        all.retain(|s| !exits(s));
        all
    }
}

/// The points before each access, or after it if the walk goes backwards.
struct Walk<'a> {
    functions: &'a [Vec<Statement>],
    forward: bool,
    found: BTreeMap<Access, Points>,
}

/// Where exits of a walk lead: the sets there.
#[derive(Default)]
struct Exits {
    /// At the end of the loop, and where it continues.
    left: Points,
    continued: Points,
    returned: Points,
}

impl Walk<'_> {
    fn all(&mut self, list: &[Statement], mut at: Points, exits: &mut Exits) -> Points {
        let mut order: Vec<&Statement> = list.iter().collect();
        if !self.forward {
            order.reverse();
        }
        for s in order {
            at = self.one(s, at, exits);
        }
        at
    }

    fn one(&mut self, s: &Statement, mut at: Points, exits: &mut Exits) -> Points {
        match s {
            Statement::Load(n) => self.found.entry(Access::Load(*n)).or_default().extend(&at),
            Statement::Mark(n) => self.found.entry(Access::Mark(*n)).or_default().extend(&at),
            Statement::Trace(n) => at = Points::from([*n]),
            Statement::Break => self.exit(&mut at, &mut exits.left),
            Statement::Continue => self.exit(&mut at, &mut exits.continued),
            Statement::Return => self.exit(&mut at, &mut exits.returned),
            Statement::Call(n) => {
                let functions = self.functions;
                let mut own = Exits::default();
                if !self.forward {
                    own.returned = at.clone();
                }
                at = self.all(&functions[*n], at, &mut own);
                if self.forward {
                    at.extend(&own.returned);
                }
            }
            Statement::If(yes, no) => {
                let other = self.all(no, at.clone(), exits);
                at = self.all(yes, at, exits);
                at.extend(&other);
            }
            Statement::Loop(_, body, next) => at = self.repeat(body, next, at, exits),
        }
        at
    }

    /// Forwards an exit brings what is here to where it leads, backwards what is there comes here.
    fn exit(&self, here: &mut Points, there: &mut Points) {
        if self.forward {
            there.extend(&*here);
        } else {
            here.extend(&*there);
        }
    }

    fn repeat(&mut self, body: &[Statement], next: &[Statement], at: Points, exits: &mut Exits) -> Points {
        // The set where the condition is; the loop may end there.
        let mut head = at.clone();
        loop {
            let mut own = Exits { returned: exits.returned.clone(), ..Exits::default() };
            let mut now = if self.forward {
                let end = self.all(body, head.clone(), &mut own);
                own.continued.extend(&end);
                let mut none = Exits::default();
                self.all(next, own.continued.clone(), &mut none)
            } else {
                let mut none = Exits::default();
                own.left = at.clone();
                own.continued = self.all(next, head.clone(), &mut none);
                self.all(body, own.continued.clone(), &mut own)
            };
            exits.returned.extend(&own.returned);
            now.extend(&head);
            if now == head {
                if self.forward {
                    head.extend(&own.left);
                }
                return head;
            }
            head = now;
        }
    }
}

/// The points around each access of a program, whose last function is the shader.
fn intervals(functions: &[Vec<Statement>]) -> BTreeMap<Access, (Points, Points)> {
    let walk = |forward: bool| {
        let mut w = Walk { functions, forward, found: BTreeMap::new() };
        let mut exits = Exits::default();
        if !forward {
            exits.returned = Points::from([0]);
        }
        if let Some(shader) = functions.last() {
            w.all(shader, Points::from([0]), &mut exits);
        }
        w.found
    };
    let (before, after) = (walk(true), walk(false));
    before.into_iter().map(|(a, b)| (a, (b, after[&a].clone()))).collect()
}

/// Whether there are traces in statements, or in what they call.
fn traces(functions: &[Vec<Statement>], list: &[Statement]) -> bool {
    list.iter().any(|s| match s {
        Statement::Trace(_) => true,
        Statement::Call(n) => traces(functions, &functions[*n]),
        Statement::If(a, b) | Statement::Loop(_, a, b) => traces(functions, a) || traces(functions, b),
        _ => false,
    })
}

/// The loops with traces around each access.
fn around(functions: &[Vec<Statement>], list: &[Statement], loops: &BTreeSet<usize>, out: &mut BTreeMap<Access, BTreeSet<usize>>) {
    for s in list {
        match s {
            Statement::Load(n) => drop(out.insert(Access::Load(*n), loops.clone())),
            Statement::Mark(n) => drop(out.insert(Access::Mark(*n), loops.clone())),
            Statement::If(a, b) => [a, b].into_iter().for_each(|l| around(functions, l, loops, out)),
            Statement::Loop(n, a, b) => {
                let mut inner = loops.clone();
                if traces(functions, a) || traces(functions, b) {
                    inner.insert(*n);
                }
                [a, b].into_iter().for_each(|l| around(functions, l, &inner, out));
            }
            _ => {}
        }
    }
}

/// Accesses in the order of the text.
fn accesses(list: &[Statement], out: &mut Vec<Access>) {
    for s in list {
        match s {
            Statement::Load(n) => out.push(Access::Load(*n)),
            Statement::Mark(n) => out.push(Access::Mark(*n)),
            Statement::If(a, b) | Statement::Loop(_, a, b) => [a, b].into_iter().for_each(|l| accesses(l, out)),
            _ => {}
        }
    }
}

/// The program with a load taken out, or put next to a mark.
fn without(list: &[Statement], load: usize) -> Vec<Statement> {
    let kept = list.iter().filter(|s| !matches!(s, Statement::Load(n) if *n == load));
    kept.map(|s| match s {
        Statement::If(a, b) => Statement::If(without(a, load), without(b, load)),
        Statement::Loop(n, a, b) => Statement::Loop(*n, without(a, load), without(b, load)),
        s => s.clone(),
    })
    .collect()
}

fn with(list: &[Statement], load: usize, mark: usize, after: bool) -> Vec<Statement> {
    let mut out = Vec::new();
    for s in list {
        let here = matches!(s, Statement::Mark(n) if *n == mark);
        if here && !after {
            out.push(Statement::Load(load));
        }
        out.push(match s {
            Statement::If(a, b) => Statement::If(with(a, load, mark, after), with(b, load, mark, after)),
            Statement::Loop(n, a, b) => Statement::Loop(*n, with(a, load, mark, after), with(b, load, mark, after)),
            s => s.clone(),
        });
        if here && after {
            out.push(Statement::Load(load));
        }
    }
    out
}

/// Writes statements as text. `inside`: the region of the innermost loop.
fn text(list: &[Statement], inside: &str, next: &mut usize, out: &mut String) {
    for s in list {
        *next += 10;
        let n = *next;
        let exit = |out: &mut String, what: &str| {
            _ = writeln!(out, "if v87 {{ r{n}: {what} }} else {{ r{}: yield }}", n + 1);
        };
        match s {
            Statement::Load(_) => _ = writeln!(out, "v{n} = raw_load #4 v84, v81 : i32"),
            Statement::Mark(_) => *out += "raw_store #4 v83, v81, v90\n",
            Statement::Trace(_) => *out += TRACE,
            Statement::Call(f) => _ = writeln!(out, "call fn{f}()"),
            Statement::Break => exit(out, &format!("break {inside}")),
            Statement::Continue => exit(out, &format!("continue {inside} (v90)")),
            Statement::Return => exit(out, "return"),
            Statement::If(a, b) => {
                _ = writeln!(out, "if v87 {{ r{n}:");
                text(a, inside, next, out);
                _ = writeln!(out, "yield }} else {{ r{}:", n + 1);
                text(b, inside, next, out);
                *out += "yield }\n";
            }
            Statement::Loop(_, a, b) => {
                let [body, yes, no, more] = [n, n + 1, n + 2, n + 3];
                _ = writeln!(out, "loop (v90) {{ r{body}(v{n}: i32): v{} = ult v{n}, v93 : bool", n + 1);
                _ = writeln!(out, "if v{} {{ r{yes}: yield }} else {{ r{no}: break r{body} }}", n + 1);
                text(a, &format!("r{body}"), next, out);
                _ = writeln!(out, "continue r{body} (v{n}) }} continuing {{ r{more}(v{}: i32):", n + 2);
                text(b, "", next, out);
                _ = writeln!(out, "next v{} }}", n + 2);
            }
        }
    }
}

fn program(functions: &[Vec<Statement>]) -> String {
    let mut out = WORLD.to_owned();
    for (n, list) in functions.iter().enumerate() {
        let stage = if n + 1 == functions.len() { "raygen" } else { "library" };
        let mut next = 100;
        _ = write!(out, "fn fn{n} \"f{n}\" stage {stage} {{{HEAD}");
        text(list, "", &mut next, &mut out);
        out += "return\n}\n";
    }
    out
}

/// Moves a load of the shader next to a mark: whether the audit must object, and whether it does.
fn moved(functions: &[Vec<Statement>], load: usize, mark: usize, after: bool) -> (bool, bool) {
    let shader = functions.last().expect("a shader");
    let mut now = functions.to_vec();
    *now.last_mut().expect("a shader") = with(&without(shader, load), load, mark, after);
    let is = |all: &[Vec<Statement>]| intervals(all)[&Access::Load(load)].clone();
    let (old, new) = (is(functions), is(&now));
    let loops = |all: &[Vec<Statement>]| {
        let mut out = BTreeMap::new();
        around(all, all.last().expect("a shader"), &BTreeSet::new(), &mut out);
        out.remove(&Access::Load(load)).expect("it is there")
    };
    let left = new != old && !loops(functions).is_subset(&loops(&now));
    let expected = !new.0.is_subset(&old.0) || !new.1.is_subset(&old.1) || left;
    let mut m = whole(&program(functions));
    let mut audit = Audit::take(&mut m);
    assert!(audit.check(&m, false).is_empty(), "nothing happened yet");
    let mut order = Vec::new();
    accesses(shader, &mut order);
    let nth = |is: &dyn Fn(&Access) -> bool, what: Access| order.iter().filter(|a| is(a)).position(|a| *a == what).expect("it is there");
    let n = nth(&|a| matches!(a, Access::Load(_)), Access::Load(load));
    let k = nth(&|a| matches!(a, Access::Mark(_)), Access::Mark(mark));
    let id = m.funcs.keys().next_back().expect("a shader");
    Hand { m: &mut m, id }.move_to(O::raw_load, n, after, O::raw_store, k);
    well_formed(&m);
    (expected, !audit.check(&m, false).is_empty())
}

#[test]
fn the_audit_objects_to_what_the_model_does() {
    let (mut objected, mut silent, mut calls) = (0, 0, 0);
    for seed in 0..700u64 {
        let mut w = Writer { random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1), next: 0, callees: 0 };
        let mut functions = Vec::new();
        for n in 0..=w.random.below(3) {
            w.callees = n;
            functions.push(w.statements(2, false));
        }
        let shader = functions.last().expect("a shader");
        let (mut order, mut loads, mut marks) = (Vec::new(), Vec::new(), Vec::new());
        accesses(shader, &mut order);
        for a in order {
            match a {
                Access::Load(n) => loads.push(n),
                Access::Mark(n) => marks.push(n),
            }
        }
        // A module without traces is not watched.
        if loads.is_empty() || marks.is_empty() || !traces(&functions, &functions.concat()) {
            continue;
        }
        for _ in 0..4 {
            let (load, mark) = (loads[w.random.below(loads.len())], marks[w.random.below(marks.len())]);
            let after = w.random.below(2) == 0;
            let (expected, found) = moved(&functions, load, mark, after);
            assert_eq!(found, expected, "seed {seed}: load {load} to mark {mark}, after: {after}\n{functions:?}\n{}", program(&functions));
            objected += usize::from(found);
            silent += usize::from(!found);
            calls += usize::from(functions.len() > 1);
        }
    }
    assert!(objected > 100 && silent > 100 && calls > 100, "{objected} {silent} {calls}");
}
