//! Source locations of a body that is rewritten, with the call sites that its parts were inlined at.

use rustc_hash::FxHashMap;

use super::debug_info::call_site;
use rtc_dxil_container::metadata::debug_nodes::{LOCATION, reference};
use rtc_dxil_container::metadata::debug_records::opt;
use rtc_dxil_module::{Body, DebugLoc, Inst, Loc, Meta, MetaNode, Module, Op, Value};

/// The source locations of a body while it is written.
pub struct Positions<'m> {
    m: &'m Module,
    /// The node of the function; none if there is no debug information of it.
    scope: Option<Meta>,
    locs: FxHashMap<DebugLoc, Loc>,
    /// Arguments and instructions as metadata.
    locals: FxHashMap<Value, u32>,
    values: FxHashMap<Value, Meta>,
    /// By the node of a call, what calls inside of what was inlined there have become.
    moved: FxHashMap<(Meta, Meta), Meta>,
    /// New nodes, which are to be appended to the module's in this order.
    pub made: Vec<MetaNode>,
}

impl<'m> Positions<'m> {
    /// For a function whose node is `scope`.
    pub fn new(m: &'m Module, scope: Option<Meta>) -> Self {
        let (locs, locals, values, moved) = Default::default();
        Positions { m, scope, locs, locals, values, moved, made: Vec::new() }
    }

    fn push(&mut self, node: MetaNode) -> Meta {
        self.made.push(node);
        Meta::from_u32((self.m.meta.len() + self.made.len() - 1) as u32)
    }

    fn intern(&mut self, new: &mut Body, loc: DebugLoc) -> Loc {
        *self.locs.entry(loc).or_insert_with(|| new.locs.push(loc))
    }

    /// The position that an instruction of the old body has.
    pub fn own(&mut self, new: &mut Body, body: &Body, inst: Inst) -> Option<Loc> {
        let loc = body.locs[body.insts[inst].loc.expand()?];
        Some(self.intern(new, loc))
    }

    /// The location of a call; a call without one gets a location in the function.
    fn of_call(&self, caller: &Body, call: Inst) -> Option<DebugLoc> {
        let nowhere = DebugLoc { line: 0, column: 0, scope: Some(self.scope?), inlined_at: None };
        Some(caller.insts[call].loc.expand().map_or(nowhere, |l| caller.locs[l]))
    }

    /// The node of the position of a call that is about to be inlined. None if there is no debug information of the caller.
    pub fn site(&mut self, caller: &Body, call: Inst) -> Option<Meta> {
        let at = self.of_call(caller, call)?;
        let fields = call_site(at.line, at.column, at.scope?, at.inlined_at).into();
        Some(self.push(MetaNode::Debug { code: LOCATION, fields }))
    }

    /// The position of a callee's instruction in place of the call whose node is `site`.
    pub fn inlined(&mut self, new: &mut Body, (caller, call): (&Body, Inst), (body, inst): (&Body, Inst), site: Meta) -> Option<Loc> {
        let data = &body.insts[inst];
        let loc = match data.loc.expand() {
            Some(l) => {
                let inner = body.locs[l];
                DebugLoc { inlined_at: Some(self.moved(inner.inlined_at, site)), ..inner }
            }
            None if matches!(data.op, Op::Alloca { .. } | Op::Phi(_)) => return None,
            None => self.of_call(caller, call)?,
        };
        Some(self.intern(new, loc))
    }

    /// The node of a call inside of what is inlined at `site`.
    fn moved(&mut self, node: Option<Meta>, site: Meta) -> Meta {
        let (mut chain, mut at) = (Vec::new(), node);
        while let Some(n) = at
            && !self.moved.contains_key(&(site, n))
            && let MetaNode::Debug { code: LOCATION, fields } = &self.m.meta[n]
        {
            chain.push((n, fields));
            at = reference(LOCATION, fields, "inlinedAt");
        }
        let mut outer = at.and_then(|n| self.moved.get(&(site, n)).copied()).unwrap_or(site);
        for (n, fields) in chain.into_iter().rev() {
            let mut fields = fields.clone();
            if let Some(last) = fields.get_mut(4) {
                *last = opt(Some(outer));
            }
            outer = self.push(MetaNode::Debug { code: LOCATION, fields });
            self.moved.insert((site, n), outer);
        }
        outer
    }

    /// A value as an argument of a debug intrinsic of a variable.
    pub fn as_metadata(&mut self, new: &mut Body, value: Value) -> Value {
        match value {
            Value::Inst(_) | Value::Arg(_) => Value::LocalMeta(*self.locals.entry(value).or_insert_with(|| {
                new.local_meta.push(value);
                new.local_meta.len() as u32 - 1
            })),
            Value::Const(_) | Value::Global(_) | Value::Func(_) => {
                let known = self.values.get(&value).copied();
                let node = known.unwrap_or_else(|| self.push(MetaNode::Value(value)));
                self.values.insert(value, node);
                Value::Meta(node)
            }
            v => v,
        }
    }
}
