//! Getters of hit objects. SPIR-V leaves undefined what HLSL defines for NOPs and misses ([`rtc_tables::hit_objects`]), so a getter becomes a
//! branch on the state of the object, unless the state is known.

use rtc_ir::{Inst, InstData, Opcode as O, Region, Root, Slot, Step, Type, TypeKind, Value};
use rtc_tables::hit_objects::{Answer, CLUSTER_ID_INVALID, getter};
use smallvec::smallvec;

use super::Ser;
use super::parts::{Part, Rewriter, Values};
use super::states::{HIT, MISS, NOP};
use crate::Error;

impl Rewriter<'_> {
    /// A getter: what replaces its result. `None`: it is none.
    pub fn getter(&mut self, r: Region, i: Inst) -> Option<Value> {
        let (op, imm) = match self.f.insts[i] {
            InstData::Unary { op, .. } => (op, 0),
            InstData::Many { op, imm, .. } => (op, imm),
            _ => return None,
        };
        let v = *self.f.operands(i).first()?;
        let ty = self.f.ty(*self.f.results(i).first()?);
        let may = self.states.may(v);
        let is = |k: u8, f: &mut rtc_ir::Function| match may {
            m if m == k => Some(f.const_bool(true)),
            m if m & k == 0 => Some(f.const_bool(false)),
            _ => None,
        };
        let known = match op {
            O::hit_is_hit => is(HIT, self.f),
            O::hit_is_miss => is(MISS, self.f),
            O::hit_is_nop => is(NOP, self.f),
            O::hit_get_ray_flags if self.ser == Ser::Nv => self.part(r, v, Part::Flags),
            O::hit_get_shader_table_index => self.part(r, v, Part::Record),
            O::hit_get_cluster_id => match self.part(r, v, Part::Cluster) {
                Some(x) => {
                    self.without_clusters(v);
                    Some(x)
                }
                None if may & HIT == 0 => Some(self.f.const_u32(CLUSTER_ID_INVALID)),
                None => None,
            },
            O::hit_triangle_object_position if self.ser == Ser::Nv && may & HIT != 0 => {
                // Objects that come from queries hold them.
                if self.families.list[self.family(v)].trace {
                    self.no_positions();
                }
                self.part(r, v, Part::Vertex(imm as u8))
            }
            _ => None,
        };
        if known.is_some() {
            return known;
        }
        let given = self.in_storage(r, v, &[ty], |this, r, s, may| smallvec![this.guarded(r, s, op, imm, ty, may)]);
        given.first().copied()
    }

    /// The getter on the object in `s`, which may be `may`.
    fn guarded(&mut self, r: Region, s: Slot, op: O, imm: u32, ty: Type, may: u8) -> Value {
        let miss = match op {
            // SPIR-V answers these for every object.
            O::hit_is_hit | O::hit_is_miss | O::hit_is_nop => return self.get(r, s, op, imm, ty),
            O::hit_get_cluster_id => return self.cluster_in(r, s, may),
            _ => getter(op).map_or(Answer::Bits(0), |g| g.miss),
        };
        let get = |this: &mut Self, r: Region| smallvec![this.get(r, s, op, imm, ty)];
        let got = match miss {
            Answer::Own => return self.unless_nop(r, s, op, ty, may),
            Answer::SameAs(world) => self.if_hit(r, s, may, &[ty], get, |this, r| smallvec![this.unless_nop(r, s, world, ty, may & !HIT)]),
            Answer::IdentityRow => self.if_hit(r, s, may, &[ty], get, |this, r| smallvec![this.identity_row(r, imm)]),
            Answer::Bits(_) => self.if_hit(r, s, may, &[ty], get, |this, r| smallvec![this.zero(r, ty)]),
        };
        got[0]
    }

    /// The cluster of the object in `s`, where the extension can tell.
    pub fn cluster_in(&mut self, r: Region, s: Slot, may: u8) -> Value {
        let none = self.f.const_u32(CLUSTER_ID_INVALID);
        let get = |this: &mut Self, r: Region| smallvec![this.get(r, s, O::hit_get_cluster_id, 0, Type::I32)];
        self.if_hit(r, s, may, &[Type::I32], get, |_, _| smallvec![none])[0]
    }

    /// The positions of the triangle that query `q` has committed; of no query, zeros.
    pub fn vertices(&mut self, r: Region, v: Value, q: Option<Value>) {
        if !self.has(self.family(v), Part::Vertex(0)) {
            return;
        }
        for n in 0..3u8 {
            let none = self.zero(r, Type::F32X3);
            let x = match q {
                None => none,
                Some(q) => {
                    let triangle = self.status_is(r, q, O::ieq, 1);
                    let get = O::ray_query_committed_triangle_object_position;
                    let got = self.branch(
                        r,
                        triangle,
                        &[Type::F32X3],
                        |this, r| smallvec![this.b(r).many_value(get, n.into(), &[q], Type::F32X3)],
                        |_, _| smallvec![none],
                    );
                    got[0]
                }
            };
            self.set_part(r, v, Part::Vertex(n), x);
        }
    }

    fn unless_nop(&mut self, r: Region, s: Slot, op: O, ty: Type, may: u8) -> Value {
        if may & NOP == 0 {
            return self.get(r, s, op, 0, ty);
        }
        if may == NOP {
            return self.zero(r, ty);
        }
        let nop = self.get(r, s, O::hit_is_nop, 0, Type::BOOL);
        let got = self.branch(r, nop, &[ty], |this, r| smallvec![this.zero(r, ty)], |this, r| smallvec![this.get(r, s, op, 0, ty)]);
        got[0]
    }

    fn if_hit(
        &mut self,
        r: Region,
        s: Slot,
        may: u8,
        results: &[Type],
        hit: impl FnOnce(&mut Self, Region) -> Values,
        other: impl FnOnce(&mut Self, Region) -> Values,
    ) -> Values {
        match may {
            HIT => hit(self, r),
            m if m & HIT == 0 => other(self, r),
            _ => {
                let is = self.get(r, s, O::hit_is_hit, 0, Type::BOOL);
                self.branch(r, is, results, hit, other)
            }
        }
    }

    fn identity_row(&mut self, r: Region, row: u32) -> Value {
        let parts: Vec<Value> = (0..4).map(|n| self.f.const_f32(if n == row { 1.0 } else { 0.0 })).collect();
        self.b(r).construct(&parts)
    }

    /// Whatever else works on a hit object and gives none. Whether it was that.
    pub fn use_(&mut self, r: Region, i: Inst) -> bool {
        let op = self.f.op(i);
        let args = self.f.operands(i);
        let Some(&v) = args.first() else { return false };
        let may = self.states.may(v);
        match self.f.insts[i] {
            InstData::Slot { op: O::hit_attributes, slot, .. } => {
                self.in_storage(r, v, &[], |this, r, s, may| {
                    this.if_hit(
                        r,
                        s,
                        may,
                        &[],
                        |this, r| {
                            let h = this.object(r, s);
                            this.b(r).slot(O::hit_attributes, slot, &[h]);
                            smallvec![]
                        },
                        |this, r| {
                            let ty = this.f.slots[slot].ty;
                            this.clear(r, slot, &mut Vec::new(), ty);
                            smallvec![]
                        },
                    )
                });
            }
            InstData::Slot { op: O::hit_invoke, slot, .. } => {
                if may == NOP {
                    return true;
                }
                self.with_record(r, v, &[], |this, r, s| {
                    let h = this.object(r, s);
                    this.b(r).slot(O::hit_invoke, slot, &[h]);
                    smallvec![]
                });
            }
            _ if op == O::reorder => {
                let by_hint = self.f.as_const(args[2]).is_none_or(|n| n != 0);
                if may == NOP && by_hint {
                    let nop = self.b(r).nullary(O::hit_make_nop);
                    self.b(r).many(O::reorder, 0, &[nop, args[1], args[2]], &[]);
                    return true;
                }
                self.in_storage(r, v, &[], |this, r, s, may| {
                    this.sync(r, s, v, may);
                    let h = this.object(r, s);
                    this.b(r).many(O::reorder, 0, &[h, args[1], args[2]], &[]);
                    smallvec![]
                });
            }
            _ => return false,
        }
        true
    }

    /// `hit_load_root_constant`: what replaces it.
    pub fn root_constant(&mut self, r: Region, i: Inst) -> Value {
        let args = self.f.operands(i);
        let may = self.states.may(args[0]);
        let zero = self.f.const_u32(0);
        if may == NOP {
            return zero;
        }
        let got = self.with_record(r, args[0], &[zero], |this, r, s| {
            let h = this.object(r, s);
            smallvec![this.b(r).many_value(O::hit_load_root_constant, 0, &[h, args[1]], Type::I32)]
        });
        got[0]
    }

    /// Does something with the shader record of a hit object, if it has one; else gives `otherwise`.
    fn with_record(&mut self, r: Region, v: Value, otherwise: &[Value], mut do_: impl FnMut(&mut Self, Region, Slot) -> Values) -> Values {
        let results: Vec<Type> = otherwise.iter().map(|&v| self.f.ty(v)).collect();
        let mut inside = |this: &mut Self, r: Region| {
            this.in_storage(r, v, &results, |this, r, s, may| {
                let mut bare = |this: &mut Self, r: Region| {
                    this.sync(r, s, v, may);
                    do_(this, r, s)
                };
                if may == NOP {
                    return otherwise.into();
                }
                if may & NOP == 0 {
                    return bare(this, r);
                }
                let nop = this.get(r, s, O::hit_is_nop, 0, Type::BOOL);
                this.branch(r, nop, &results, |_, _| otherwise.into(), bare)
            })
        };
        match self.part(r, v, Part::Bound) {
            Some(bound) => self.branch(r, bound, &results, inside, |_, _| otherwise.into()),
            None => inside(self, r),
        }
    }

    /// Zeros for all of a slot from `steps` on. Types are of bounded depth, attributes of bounded size.
    fn clear(&mut self, r: Region, slot: Slot, steps: &mut Vec<Step>, ty: Type) {
        let count = match self.types.kind(ty) {
            TypeKind::Array(_, n) => n.min(MAX_ELEMENTS),
            TypeKind::Struct(s) => self.structs[s].fields.len() as u32,
            _ => {
                let zero = self.zero(r, ty);
                return self.b(r).store(Root::Slot(slot), steps, &[], zero);
            }
        };
        for n in 0..count {
            let inner = match self.types.kind(ty) {
                TypeKind::Array(e, _) => e,
                TypeKind::Struct(s) => self.structs[s].fields[n as usize].ty,
                _ => return,
            };
            steps.push(Step::At(n));
            self.clear(r, slot, steps, inner);
            steps.pop();
        }
    }

    /// Warns that the cluster of a traced object is not available through the extension.
    fn without_clusters(&mut self, v: Value) {
        let family = &self.families.list[self.family(v)];
        if self.ser == Ser::Ext && family.trace && self.states.may(v) & HIT != 0 {
            let message = "the cluster of a hit object is CLUSTER_ID_INVALID here: SPV_EXT_shader_invocation_reorder \
                           does not give it; -fspv-ser=nv does";
            let e = Error::coded(&rtc_tables::diagnostics::W0922, self.span, message);
            if !self.warnings.contains(&e) {
                self.warnings.push(e);
            }
        }
    }

    fn no_positions(&mut self) {
        let message = "SPV_NV_shader_invocation_reorder does not give the positions of a traced hit object's triangle; \
                       -fspv-ser=ext does";
        self.errors.push(Error::coded(&rtc_tables::diagnostics::E0920, self.span, message));
    }
}

/// Attributes have 32 bytes, so no array in them has more elements.
const MAX_ELEMENTS: u32 = 32;
