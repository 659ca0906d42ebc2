//! The specification's semantics of payloads, executed: a ray carries the actual payload, each transition between
//! stages copies what the qualifiers say and poisons the rest (DXR, payload access qualifiers, detailed semantics).
//!
//! What the other stages do is not one program but any: in the *kind* world they leave a value in whatever they may
//! write, in the *unkind* one they leave poison. A warning must be true in the kind world; what is called defined must
//! be so in the unkind one.

use rtc_ir::{Paq, Stage};
use rustc_hash::FxHashSet;

use super::program::{CELLS, Cell, Cond, FIELD, FLAGS, HELD, Kind, NUMBERS, Program, Shader, Stmt, Var};

const CALLER: u8 = 1;

/// What is in a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// A value that the statement wrote; `copied`: here it is a copy of a whole payload.
    Value { by: u32, copied: bool },
    /// A value from elsewhere.
    Other,
    /// Poison: nothing was ever written.
    Fresh,
    /// Poison: did not come in.
    Entry,
    /// Poison: a trace lost it.
    Trace,
    /// Poison of an unkind world.
    Unkind,
}

impl Content {
    fn is_poison(self) -> bool {
        !matches!(self, Content::Value { .. } | Content::Other)
    }
}

/// What happened on some path.
#[derive(Default)]
pub struct Seen {
    /// Statements that read poison, and of which kind.
    pub poison_read: FxHashSet<(u32, bool)>,
    /// Reads of poison at all.
    pub any_poison: FxHashSet<u32>,
    /// Those of them that read a field without elements: what is in it is always known.
    pub certain: FxHashSet<u32>,
    /// Traces into which poison goes: statement, field, and whether nothing was ever written.
    pub poison_in: FxHashSet<(u32, usize, bool)>,
    /// Shaders (by number) from which a field leaves with poison.
    pub poison_out: FxHashSet<(usize, usize)>,
    /// Writes that are seen, lost at an end, lost in a trace.
    pub seen: FxHashSet<u32>,
    pub lost_at_end: FxHashSet<u32>,
    pub lost_in_trace: FxHashSet<u32>,
    /// The same of their copies: received by a trace, lost at an end, lost in a trace.
    pub copy_seen: FxHashSet<u32>,
    pub copy_lost_at_end: FxHashSet<u32>,
    pub copy_lost_in_trace: FxHashSet<u32>,
}

impl Seen {
    /// Whether a write is lost at an end, or a copy of it where no trace receives one.
    pub fn is_lost_at_end(&self, id: u32) -> bool {
        !self.seen.contains(&id) && (self.lost_at_end.contains(&id) || self.copy_lost_at_end.contains(&id) && !self.copy_seen.contains(&id))
    }

    /// Whether a write is lost in a trace, in the same way.
    pub fn is_lost_in_trace(&self, id: u32) -> bool {
        !self.seen.contains(&id)
            && (self.lost_in_trace.contains(&id) || self.copy_lost_in_trace.contains(&id) && !self.copy_seen.contains(&id))
    }
}

#[derive(Clone, Copy)]
struct Payload {
    cells: [Content; CELLS],
    /// What the fields hold of which conditions ask: entries of [`Run::numbers`].
    held: [usize; HELD],
}

/// A variable of a payload where it is declared: its numbers are zero.
const FRESH: Payload = Payload { cells: [Content::Fresh; CELLS], held: [0; HELD] };

#[derive(PartialEq, Eq)]
enum Flow {
    On,
    Break,
    Continue,
    Return,
    /// The shader ends.
    End,
    /// The run is too long.
    Stop,
}

/// Choices: given ones first, then `false`; counts them.
struct Choices {
    given: Vec<bool>,
    at: usize,
}

impl Choices {
    fn next(&mut self) -> bool {
        if self.at == self.given.len() {
            self.given.push(false);
        }
        self.at += 1;
        self.given[self.at - 1]
    }
}

struct Run<'a> {
    p: &'a Program,
    paqs: [Paq; CELLS],
    kind: bool,
    choices: Choices,
    flags: [bool; FLAGS],
    out: &'a mut Seen,
    iterations: usize,
    steps: usize,
    /// Numbers, as far as some condition has compared them; the first ones are those that are stored.
    numbers: Vec<Option<usize>>,
}

/// Runs shader `n` along all paths, as far as `limit` runs go. Whether all were run.
pub fn explore(p: &Program, n: usize, kind: bool, limit: usize, iterations: usize, out: &mut Seen) -> bool {
    let mut given: Vec<bool> = Vec::new();
    let mut complete = true;
    for _ in 0..limit {
        let mut r = Run {
            p,
            paqs: std::array::from_fn(|c| p.paqs[FIELD[c]]),
            kind,
            choices: Choices { given, at: 0 },
            flags: [false; FLAGS],
            out,
            iterations,
            steps: 0,
            numbers: (0..NUMBERS).map(Some).collect(),
        };
        for f in 0..FLAGS {
            r.flags[f] = r.choices.next();
        }
        r.shader(n, &p.shaders[n]);
        complete &= r.steps < 500;
        given = r.choices.given;
        // The next path: the last choice that was `false` becomes `true`.
        while given.last() == Some(&true) {
            given.pop();
        }
        match given.last_mut() {
            Some(last) => *last = true,
            None => return complete,
        }
    }
    false
}

impl Run<'_> {
    fn shader(&mut self, n: usize, s: &Shader) {
        let stage = match s.stage {
            Stage::ClosestHit => Some(2u8),
            Stage::Miss => Some(4),
            Stage::AnyHit => Some(8),
            _ => None,
        };
        let unkind = if self.kind { Content::Other } else { Content::Unkind };
        let cells = std::array::from_fn(|c| match stage {
            Some(stage) if self.paqs[c].read & stage != 0 => unkind,
            Some(_) => Content::Entry,
            None => Content::Fresh,
        });
        let mut p = Payload { cells, held: self.unknown() };
        let mut q = FRESH;
        if self.list(&s.body, &mut p, &mut q) == Flow::Stop {
            return;
        }
        let Some(stage) = stage else { return };
        for c in 0..CELLS {
            let leaves = self.paqs[c].write & stage != 0;
            match p.cells[c] {
                Content::Value { by, .. } if leaves => _ = self.out.seen.insert(by),
                Content::Value { by, copied: false } => _ = self.out.lost_at_end.insert(by),
                Content::Value { by, copied: true } => _ = self.out.copy_lost_at_end.insert(by),
                x if x.is_poison() && leaves => _ = self.out.poison_out.insert((n, FIELD[c])),
                _ => {}
            }
        }
    }

    /// Numbers of which nothing is known.
    fn unknown(&mut self) -> [usize; HELD] {
        let first = self.numbers.len();
        self.numbers.extend([None; HELD]);
        std::array::from_fn(|n| first + n)
    }

    /// What a field holds: one of the numbers that are stored, or another one.
    fn number(&mut self, at: usize) -> usize {
        if self.numbers[at].is_none() {
            let mut n = 0;
            while n < NUMBERS && self.choices.next() {
                n += 1;
            }
            self.numbers[at] = Some(n);
        }
        self.numbers[at].unwrap()
    }

    fn cond(&mut self, c: &Cond, p: &Payload, q: &Payload) -> bool {
        let held = |v: Var, n: usize| if v == Var::P { p.held[n] } else { q.held[n] };
        match *c {
            Cond::Holds(v, n, c, holds) => (self.number(held(v, n)) == c as usize) == holds,
            Cond::Less(v, n, c) => self.number(held(v, n)) < c as usize,
            Cond::Flag(n, x) => self.flags[n] == x,
            Cond::Both(a, b) => self.flags[a] && self.flags[b],
            Cond::Either(a, b) => self.flags[a] || self.flags[b],
            Cond::Fresh => self.choices.next(),
        }
    }

    fn cell(&mut self, c: Cell) -> usize {
        match c {
            Cell::At(n) => n,
            Cell::Any => 3 + usize::from(self.choices.next()),
        }
    }

    fn read(&mut self, id: u32, x: Content, c: usize) {
        if matches!(x, Content::Entry | Content::Trace) && c < 3 {
            self.out.certain.insert(id);
        }
        match x {
            Content::Value { by, .. } => _ = self.out.seen.insert(by),
            Content::Entry => _ = self.out.poison_read.insert((id, false)),
            Content::Trace => _ = self.out.poison_read.insert((id, true)),
            _ => {}
        }
        if x.is_poison() {
            self.out.any_poison.insert(id);
        }
    }

    fn trace(&mut self, id: u32, x: &mut Payload) {
        for c in 0..CELLS {
            let q = self.paqs[c];
            let goes_in = q.write & CALLER != 0;
            match x.cells[c] {
                Content::Value { by, copied: false } if goes_in => _ = self.out.seen.insert(by),
                Content::Value { by, copied: false } => _ = self.out.lost_in_trace.insert(by),
                Content::Value { by, copied: true } if goes_in => _ = self.out.copy_seen.insert(by),
                Content::Value { by, copied: true } => _ = self.out.copy_lost_in_trace.insert(by),
                Content::Fresh if goes_in => _ = self.out.poison_in.insert((id, FIELD[c], true)),
                Content::Entry | Content::Trace if goes_in => _ = self.out.poison_in.insert((id, FIELD[c], false)),
                _ => {}
            }
            // The actual payload of the ray, as the stages change it.
            let actual = if goes_in { x.cells[c] } else { Content::Unkind };
            let written = q.write & !CALLER != 0;
            let after = match (self.kind, written) {
                (true, _) => Content::Other,
                (false, true) => Content::Unkind,
                (false, false) if actual.is_poison() => Content::Unkind,
                (false, false) => Content::Other,
            };
            x.cells[c] = if q.read & CALLER != 0 { after } else { Content::Trace };
        }
        x.held = self.unknown();
    }

    fn list(&mut self, body: &[Stmt], p: &mut Payload, q: &mut Payload) -> Flow {
        for s in body {
            self.steps += 1;
            if self.steps >= 500 {
                return Flow::Stop;
            }
            let flow = self.stmt(s, p, q);
            if flow != Flow::On {
                return flow;
            }
        }
        Flow::On
    }

    fn stmt(&mut self, s: &Stmt, p: &mut Payload, q: &mut Payload) -> Flow {
        match &s.kind {
            Kind::Set(v, c) => {
                let c = self.cell(*c);
                let x = Content::Value { by: s.id, copied: false };
                (if *v == Var::P { p } else { q }).cells[c] = x;
            }
            Kind::Observe(v, c) => {
                let c = self.cell(*c);
                let x = if *v == Var::P { p.cells[c] } else { q.cells[c] };
                self.read(s.id, x, c);
            }
            Kind::Hold(v, n, c) => (if *v == Var::P { p } else { q }).held[*n] = *c as usize,
            Kind::Move(v, c, w, d) => {
                let d = self.cell(*d);
                let x = if *w == Var::P { p.cells[d] } else { q.cells[d] };
                self.read(s.id, x, d);
                let c = self.cell(*c);
                (if *v == Var::P { p } else { q }).cells[c] = Content::Value { by: s.id, copied: false };
            }
            Kind::Copy(to) => {
                let copy = |x: &Payload| {
                    let cells = x.cells.map(|x| match x {
                        Content::Value { by, .. } => Content::Value { by, copied: true },
                        x => x,
                    });
                    Payload { cells, ..*x }
                };
                if *to == Var::P { *p = copy(q) } else { *q = copy(p) }
            }
            Kind::If(c, then, other) => {
                let way = if self.cond(c, p, q) { then } else { other };
                return self.list(way, p, q);
            }
            Kind::While(body) | Kind::Counted(body) => {
                let mut n = 0;
                while n == 0 && matches!(s.kind, Kind::Counted(_)) || self.choices.next() {
                    n += 1;
                    if n > self.iterations {
                        return Flow::Stop;
                    }
                    match self.list(body, p, q) {
                        Flow::On | Flow::Continue => {}
                        Flow::Break => break,
                        other => return other,
                    }
                }
            }
            Kind::Trace(v) => self.trace(s.id, if *v == Var::P { p } else { q }),
            Kind::Call(n, v) => {
                let body = &self.p.helpers[*n];
                let mut own = FRESH;
                match self.list(body, if *v == Var::P { p } else { q }, &mut own) {
                    Flow::On | Flow::Return => {}
                    other => return other,
                }
            }
            Kind::Break => return Flow::Break,
            Kind::Continue => return Flow::Continue,
            Kind::Return => return Flow::Return,
            Kind::IgnoreHit | Kind::AcceptHit => return Flow::End,
        }
        Flow::On
    }
}
