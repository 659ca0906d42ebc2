//! Matching of calls with rows of the intrinsic table: deduction of parameter types from patterns.
//!
//! Parameters whose patterns are tied form groups: one for component types, one for shapes. The arguments of a group determine
//! the type together (the wider component type, the smaller vector) within the class of the row. Then every parameter has a
//! type, and implicit conversions apply with their usual costs.

use rtc_tables::intrinsics::{Class, Dim, Intrinsic, Mode, Object, Param, Pat, Scope as RowScope, Shape};
use rtc_tables::resources::ResourceClass;

use super::context::Sema;
use super::conversion_rank::{Cost, OperandElem, aspect};
use crate::hir::{Category, ExprId, ExprKind, Scalar, Ty, TyKind, Types};

/// A viable row.
pub struct RowMatch {
    /// The sum of the conversions' costs.
    pub cost: Cost,
    /// The types of the parameters.
    pub params: Vec<Ty>,
    /// The type of the result.
    pub ret: Ty,
}

/// Why a candidate is not viable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// Wrong number of arguments.
    Count,
    /// This argument has no conversion to the parameter.
    Argument(usize),
    /// Template argument deduction failed.
    Deduction,
}

/// Shape of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ArgShape {
    Scalar,
    Vector(u32),
    Matrix(u32, u32),
}

/// What arguments give, by parameter.
struct Given {
    /// The common component type of those that follow each other.
    classes: Vec<Option<OperandElem>>,
    /// Their common shape.
    shapes: Vec<Option<ArgShape>>,
}

/// The types of a call site other than those of its arguments.
#[derive(Clone, Copy, Default)]
pub struct CallSite {
    /// The element type of the object whose method is called.
    pub elem: Option<Ty>,
    /// The explicit template argument.
    pub explicit: Option<Ty>,
}

impl Sema<'_> {
    /// The match of `row` with `args`.
    ///
    /// # Errors
    /// Why the row is not viable.
    pub fn match_row(&mut self, row: &'static Intrinsic, site: CallSite, args: &[ExprId]) -> Result<RowMatch, Mismatch> {
        let params = row.params;
        let variadic = params.last().is_some_and(|p| p.pat == Pat::Variadic);
        let fixed = params.len() - variadic as usize;
        if args.len() < fixed || (!variadic && args.len() > fixed) {
            return Err(Mismatch::Count);
        }
        let typed = |p: Pat| matches!(p, Pat::FuncT | Pat::UdtT);
        if matches!(row.scope, RowScope::Method(_)) && site.explicit.is_some() && !typed(row.ret) && !params.iter().any(|p| typed(p.pat)) {
            return Err(Mismatch::Deduction);
        }
        let roots = Roots::of(row);
        let Given { classes, shapes } = self.given(row, &roots, &args[..fixed])?;
        // Component types.
        let mut scalars: Vec<Option<Scalar>> = vec![None; fixed];
        for p in 0..fixed {
            if roots.class[p] != p {
                continue;
            }
            if let Pat::Num(_, class) = params[p].pat {
                let got = classes[p].map_or(Scalar::Int, |c| c.scalar);
                scalars[p] = Some(self.m.types.choose_at(class, got, site).ok_or(Mismatch::Argument(p))?);
            }
        }
        let dims = Dims::of(params, &shapes)?;
        let mut out = RowMatch { cost: 0, params: Vec::with_capacity(args.len()), ret: Ty::VOID };
        for (p, &arg) in args.iter().enumerate() {
            let pat = params.get(p).map_or(Pat::Variadic, |q| q.pat);
            let from = self.ty(arg);
            let ty = match pat {
                Pat::Num(..) | Pat::Same(_) => {
                    let s = scalars[roots.class[p]].unwrap_or(Scalar::Int);
                    self.m.types.row_shape(row, roots.shape[p], &shapes, &dims, s)
                }
                _ => self.other_param(pat, site, arg).ok_or(Mismatch::Argument(p))?,
            };
            let mode = params.get(p).map_or(Mode::In, |q| q.mode);
            // What has the type of another parameter follows that one's class.
            let root = params.get(p).filter(|_| matches!(pat, Pat::Num(..) | Pat::Same(_))).map(|_| params[roots.class[p]].pat);
            let only = matches!(root, Some(Pat::Num(_, class)) if exact(class));
            let cost = if from == Ty::ERROR {
                0
            } else {
                self.passing_cost(from, ty, mode, only)
                    .ok_or(Mismatch::Argument(p))?
                    .saturating_add(self.m.types.loss_of_all_but_one(from, ty))
            };
            out.cost = out.cost.saturating_add(cost);
            out.params.push(ty);
        }
        out.ret = self.row_result(row, site, &out.params, &dims, |n| scalars[roots.class[n]])?;
        Ok(out)
    }

    /// The component types and shapes of `args`, which are given for parameters that follow each other's.
    fn given(&self, row: &Intrinsic, roots: &Roots, args: &[ExprId]) -> Result<Given, Mismatch> {
        let params = row.params;
        let mut classes: Vec<Option<OperandElem>> = vec![None; args.len()];
        let mut shapes: Vec<Option<ArgShape>> = vec![None; args.len()];
        for p in 0..args.len() {
            if !matches!(params[p].pat, Pat::Num(..) | Pat::Same(_)) {
                continue;
            }
            let ty = self.ty(args[p]);
            if ty == Ty::ERROR {
                continue;
            }
            let scoped = matches!(self.kind(ty), TyKind::Enum(e) if self.m.types.enums[e].scoped);
            let mut elem = self.m.types.operand_elem(ty).filter(|_| !scoped).ok_or(Mismatch::Argument(p))?;
            if matches!(params[p].pat, Pat::Num(_, Class::AnyInt32)) && self.is_negated(args[p]) {
                elem.scalar = Scalar::Int;
            }
            let c = &mut classes[roots.class[p]];
            *c = Some(c.map_or(elem, |c| c.common(elem)));
            let shape = self.m.types.arg_shape(ty).ok_or(Mismatch::Argument(p))?;
            // A vector is not cut to a scalar here, and one of one component is no scalar.
            if shape != ArgShape::Scalar && matches!(params[roots.shape[p]].pat, Pat::Num(Shape::Scalar, _)) {
                return Err(Mismatch::Argument(p));
            }
            let s = &mut shapes[roots.shape[p]];
            *s = Some(match *s {
                None => shape,
                Some(s) => combine(s, shape).ok_or(Mismatch::Argument(p))?,
            });
        }
        Ok(Given { classes, shapes })
    }

    /// The type of the result, given those of the parameters. `scalar` is the component type that was chosen for a parameter.
    fn row_result(
        &mut self,
        row: &'static Intrinsic,
        site: CallSite,
        params: &[Ty],
        dims: &Dims,
        scalar: impl Fn(usize) -> Option<Scalar>,
    ) -> Result<Ty, Mismatch> {
        let ret = match row.ret {
            Pat::Num(shape, class) => {
                let s = match class {
                    Class::Like(n) => scalar(n as usize).unwrap_or(Scalar::Int),
                    c => self.m.types.choose_at(c, Scalar::Int, site).unwrap_or(Scalar::Int),
                };
                match shape {
                    Shape::Like(n) => {
                        let like = params[n as usize];
                        self.m.types.with_elem(like, s)
                    }
                    Shape::Scalar | Shape::Any => Ty::scalar(s),
                    Shape::Vec(d) => self.m.types.vec_ty(dims.get(d), s),
                    Shape::Mat(r, c) => {
                        let (r, c) = (dims.get(r), dims.get(c));
                        self.m.types.matrix(s, r as u8, c as u8)
                    }
                }
            }
            Pat::Same(n) => params[n as usize],
            Pat::FuncT => match site.explicit {
                Some(t) => t,
                None => row.params.iter().position(|p| p.pat == Pat::FuncT).and_then(|p| params.get(p).copied()).unwrap_or(Ty::UINT),
            },
            Pat::Elem => site.elem.unwrap_or(Ty::ERROR),
            Pat::UdtT => match site.explicit {
                Some(t) => t,
                None => return Err(Mismatch::Deduction),
            },
            Pat::RayDesc | Pat::TrianglePositions => self.builtin_of(row.ret),
            Pat::Object(Object::HitObject) => self.m.types.intern(TyKind::HitObject),
            Pat::Str => self.m.types.intern(TyKind::String),
            Pat::Linalg | Pat::SharedArray => Ty::VOID,
            Pat::Void | Pat::Udt | Pat::Object(_) | Pat::AnySampler | Pat::AnyUav | Pat::Variadic => Ty::VOID,
        };
        // `FuncT` is the type in memory, whose packing counts.
        Ok(if row.ret == Pat::FuncT { ret } else { self.m.types.value_ty(ret) })
    }

    /// Whether a number without a type has a sign: `-3`, and what is chosen between such numbers.
    fn is_negated(&self, e: ExprId) -> bool {
        match self.e(e).kind {
            ExprKind::Conditional(_, a, b) => self.is_negated(a) && self.is_negated(b),
            ExprKind::Convert(of) if self.m.types.elem(self.ty(of)) == Some(Scalar::LitInt) => self.is_negated(of),
            _ => self.f.negated.contains(&e),
        }
    }

    /// The cost of passing; `None` if it cannot be done. `only`: the argument's component type must be the parameter's.
    fn passing_cost(&self, from: Ty, to: Ty, mode: Mode, only: bool) -> Option<Cost> {
        match mode {
            Mode::In if only => {
                let (a, b) = (self.m.types.elem(from)?, self.m.types.elem(to)?);
                (a == b || a.is_literal()).then_some(())?;
                self.implicit_cost(from, to)
            }
            Mode::In => self.implicit_cost(from, to),
            Mode::Out => self.implicit_cost(to, from),
            Mode::InOut => Some(self.implicit_cost(from, to)?.saturating_add(self.implicit_cost(to, from)?)),
            Mode::Ref => self.same_value(from, to).then_some(0),
        }
    }

    /// The type of a parameter that is not numeric.
    fn other_param(&mut self, pat: Pat, site: CallSite, arg: ExprId) -> Option<Ty> {
        let from = self.ty(arg);
        if from == Ty::ERROR {
            return Some(Ty::ERROR);
        }
        match pat {
            Pat::Elem => site.elem,
            Pat::FuncT => match site.explicit {
                Some(t) => Some(t),
                None => {
                    let settled = self.default_type(arg);
                    // A variable's packing is its own; a value has the default one.
                    let is_variable = self.e(arg).category != Category::Rvalue;
                    Some(if is_variable { settled } else { self.m.types.with_packing(settled, self.opts.row_major) })
                }
            },
            Pat::Udt => matches!(self.kind(from), TyKind::Record(_)).then_some(from),
            Pat::RayDesc | Pat::TrianglePositions => Some(self.builtin_of(pat)),
            Pat::Object(o) => match self.kind(from) {
                TyKind::Resource(r) => (r.object == o).then_some(from),
                TyKind::RayQuery { .. } => (o == Object::RayQuery).then_some(from),
                TyKind::HitObject => (o == Object::HitObject).then_some(from),
                TyKind::HeapElement(sampler) => self.heap_resource(o, sampler),
                _ => None,
            },
            Pat::AnySampler => match self.kind(from) {
                TyKind::Resource(r) if matches!(r.object, Object::SamplerState | Object::SamplerComparisonState) => Some(from),
                _ => None,
            },
            Pat::AnyUav => {
                let r = self.m.types.as_resource(from)?;
                (r.class == ResourceClass::Uav).then_some(from)
            }
            Pat::Linalg => matches!(self.kind(from), TyKind::Linalg(Some(_))).then_some(from),
            Pat::SharedArray => match self.kind(from) {
                TyKind::Array(e, Some(_)) => match self.kind(e) {
                    TyKind::Scalar(s) | TyKind::Vector(s, _) => (choose(Class::Linalg, s) == Some(s)).then_some(from),
                    _ => None,
                },
                _ => None,
            },
            Pat::Str => matches!(self.kind(from), TyKind::String).then_some(from),
            Pat::Variadic => {
                self.m.types.elem(from)?;
                Some(self.default_type(arg))
            }
            _ => None,
        }
    }

    /// The resource type that a heap element converts to for a parameter of this type.
    fn heap_resource(&mut self, o: Object, sampler: bool) -> Option<Ty> {
        let row = o.type_row();
        if !row.params.is_empty() {
            return None;
        }
        let ty = self.builtin_type(row.name)?;
        let r = self.m.types.as_resource(ty)?;
        let is_sampler = r.class == rtc_tables::resources::ResourceClass::Sampler;
        (is_sampler == sampler).then_some(ty)
    }

    fn builtin_of(&mut self, pat: Pat) -> Ty {
        let name = if pat == Pat::RayDesc { "RayDesc" } else { "BuiltInTrianglePositions" };
        self.builtin_type(name).unwrap_or(Ty::ERROR)
    }
}

impl Types {
    fn choose_at(&self, class: Class, got: Scalar, site: CallSite) -> Option<Scalar> {
        match class {
            Class::Elem => self.elem(site.elem?),
            c => choose(c, got),
        }
    }

    /// Rows of one intrinsic differ in shape (`mul`), and the worst truncation is that of a whole vector or matrix.
    fn loss_of_all_but_one(&self, from: Ty, to: Ty) -> Cost {
        let many = self.components(from).is_some_and(|n| n > 1);
        if many && self.components(to) == Some(1) { 8 * aspect::TRUNCATION } else { 0 }
    }

    fn arg_shape(&self, ty: Ty) -> Option<ArgShape> {
        Some(match self.kind(ty) {
            TyKind::Scalar(_) | TyKind::Enum(_) => ArgShape::Scalar,
            TyKind::Vector(_, n) => ArgShape::Vector(n),
            TyKind::Matrix { rows, cols, .. } => ArgShape::Matrix(rows as u32, cols as u32),
            _ => return None,
        })
    }

    fn vec_ty(&mut self, n: u32, s: Scalar) -> Ty {
        if n <= 1 { Ty::scalar(s) } else { self.vector(s, n) }
    }

    /// The type of the parameters of a shape group.
    fn row_shape(&mut self, row: &'static Intrinsic, root: usize, shapes: &[Option<ArgShape>], dims: &Dims, s: Scalar) -> Ty {
        let Pat::Num(shape, _) = row.params[root].pat else {
            return Ty::scalar(s);
        };
        match shape {
            Shape::Scalar => Ty::scalar(s),
            Shape::Vec(d) => match shapes[root] {
                Some(ArgShape::Vector(1)) => self.vector(s, 1),
                _ => self.vec_ty(dims.get(d), s),
            },
            Shape::Mat(r, c) => self.matrix(s, dims.get(r) as u8, dims.get(c) as u8),
            Shape::Any | Shape::Like(_) => match shapes[root] {
                Some(ArgShape::Vector(n)) => self.vector(s, n),
                Some(ArgShape::Matrix(r, c)) => self.matrix(s, r as u8, c as u8),
                _ => Ty::scalar(s),
            },
        }
    }
}

/// For each parameter the representative of its group.
struct Roots {
    class: Vec<usize>,
    shape: Vec<usize>,
}

impl Roots {
    fn of(row: &Intrinsic) -> Roots {
        let n = row.params.len();
        let follow = |mut p: usize, next: &dyn Fn(Pat) -> Option<u8>| {
            for _ in 0..n {
                match next(row.params[p].pat) {
                    Some(q) => p = q as usize,
                    None => break,
                }
            }
            p
        };
        let class = |pat| match pat {
            Pat::Same(n) | Pat::Num(_, Class::Like(n)) => Some(n),
            _ => None,
        };
        let shape = |pat| match pat {
            Pat::Same(n) | Pat::Num(Shape::Like(n), _) => Some(n),
            _ => None,
        };
        Roots { class: (0..n).map(|p| follow(p, &class)).collect(), shape: (0..n).map(|p| follow(p, &shape)).collect() }
    }
}

/// Values of named dimensions: the smallest so far.
#[derive(Default)]
struct Dims([Option<u32>; 4]);

impl Dims {
    /// The dimensions with names, from the shapes that are given for `params`.
    fn of(params: &[Param], shapes: &[Option<ArgShape>]) -> Result<Dims, Mismatch> {
        let mut dims = Dims::default();
        for p in 0..shapes.len() {
            let (Pat::Num(shape, _), Some(got)) = (params[p].pat, shapes[p]) else {
                continue;
            };
            let fits = match (shape, got) {
                // A vector of one component does not fill one of several.
                (Shape::Vec(Dim::N(n)), ArgShape::Vector(1)) if n > 1 => false,
                (Shape::Vec(d), ArgShape::Scalar) => dims.bind(d, 1),
                (Shape::Vec(d), ArgShape::Vector(n)) => dims.bind(d, n),
                (Shape::Mat(r, c), ArgShape::Matrix(n, m)) => dims.bind(r, n) && dims.bind(c, m),
                // A scalar is a matrix of one element where nothing else is given.
                (Shape::Mat(r, c), ArgShape::Scalar) if shapes.len() == 1 => dims.bind(r, 1) && dims.bind(c, 1),
                (Shape::Vec(_), ArgShape::Matrix(..)) | (Shape::Mat(..), _) => false,
                _ => true,
            };
            if !fits {
                return Err(Mismatch::Argument(p));
            }
        }
        Ok(dims)
    }

    fn slot(d: Dim) -> Option<usize> {
        match d {
            Dim::N(_) => None,
            Dim::C => Some(0),
            Dim::R => Some(1),
            Dim::C2 => Some(2),
            Dim::R2 => Some(3),
        }
    }
    fn bind(&mut self, d: Dim, n: u32) -> bool {
        match (Self::slot(d), d) {
            (Some(i), _) => {
                self.0[i] = Some(self.0[i].map_or(n, |m| m.min(n)));
                true
            }
            // A scalar repeats, more components are dropped.
            (None, Dim::N(k)) => n == 1 || n >= k as u32,
            _ => false,
        }
    }
    fn get(&self, d: Dim) -> u32 {
        match d {
            Dim::N(n) => n as u32,
            d => Self::slot(d).and_then(|i| self.0[i]).unwrap_or(1),
        }
    }
}

/// The common shape of two arguments.
fn combine(a: ArgShape, b: ArgShape) -> Option<ArgShape> {
    Some(match (a, b) {
        (ArgShape::Scalar, x) | (x, ArgShape::Scalar) => x,
        (ArgShape::Vector(1), x) | (x, ArgShape::Vector(1)) => x,
        (ArgShape::Vector(n), ArgShape::Vector(m)) => ArgShape::Vector(n.min(m)),
        (ArgShape::Matrix(r, c), ArgShape::Matrix(s, d)) => ArgShape::Matrix(r.min(s), c.min(d)),
        (ArgShape::Vector(_), ArgShape::Matrix(..)) | (ArgShape::Matrix(..), ArgShape::Vector(_)) => return None,
    })
}

/// Whether arguments must have the component type already.
fn exact(class: Class) -> bool {
    matches!(class, Class::DoubleOnly | Class::Float32Only | Class::Int32Only | Class::Int64Only | Class::Numeric16)
}

/// The component type that arguments of type `got` get in a parameter of `class`.
fn choose(class: Class, got: Scalar) -> Option<Scalar> {
    use Scalar::*;
    let int_like = match got {
        LitInt | Bool => Int,
        LitFloat => Int,
        s if s.is_float() => Int,
        s => s,
    };
    Some(match class {
        Class::Bool => Bool,
        Class::Int => Int,
        Class::Uint => Uint,
        Class::Float => Float,
        Class::Double => Double,
        Class::Half => Float16,
        Class::Int16 => Int16,
        Class::Uint16 => Uint16,
        Class::Int64 => Int64,
        Class::Uint64 => Uint64,
        Class::Int8x4 => Int8x4,
        Class::Uint8x4 => Uint8x4,
        Class::FloatLike => match got {
            LitFloat | Double => Float,
            s if s.is_float() => s,
            _ => Float,
        },
        Class::AnyFloat => match got {
            LitFloat => Float,
            s if s.is_float() => s,
            _ => Float,
        },
        Class::AnyInt => int_like,
        // Only the minimum and maximum at an address have this class as their type, and their memory is of `uint`. (A minus makes it `int`.)
        Class::AnyInt32 if got == LitInt => Uint,
        Class::AnyInt32 => match int_like {
            s if s.bits() == 32 => s,
            s if s.is_signed() => Int,
            _ => Uint,
        },
        Class::AnyInt64 => match int_like {
            s if s.bits() == 64 => s,
            s if s.is_signed() => Int64,
            _ => Uint64,
        },
        Class::AnyInt16Or32 => match int_like {
            s if s.bits() <= 32 => s,
            s if s.is_signed() => Int,
            _ => Uint,
        },
        Class::SInt16Or32 => match got {
            Int16 => Int16,
            Int | LitInt => Int,
            _ => return None,
        },
        Class::Numeric => match got {
            Bool | LitInt => Int,
            LitFloat => Float,
            s => s,
        },
        Class::Numeric32 => match got {
            LitInt => Int,
            // Booleans have no bits to see.
            Bool => return None,
            LitFloat | Half => Float,
            s if s.bits() == 32 => s,
            _ => return None,
        },
        Class::Numeric16 => match got {
            s if matches!(s.computed(), Int16 | Uint16 | Float16) => s,
            // The first type of the class, for integers too.
            LitInt | LitFloat => Float16,
            _ => return None,
        },
        Class::Any => match got {
            LitInt => Int,
            LitFloat => Float,
            s => s,
        },
        Class::Linalg => match got {
            LitInt => Uint,
            LitFloat => Float,
            Int16 | Uint16 | Int | Uint | Int64 | Uint64 | Float16 | Half | Float | Double | Int8x4 | Uint8x4 => got,
            _ => return None,
        },
        Class::UintOnly => match got {
            s if s.is_float() && s != LitFloat => return None,
            _ => Uint,
        },
        Class::UnsignedOnly => match got {
            LitInt => Uint,
            Uint | Uint16 | Uint64 | Min16Uint | PromotedMin16Uint => got,
            _ => return None,
        },
        Class::DoubleOnly => match got {
            Double | LitFloat | LitInt => Double,
            _ => return None,
        },
        Class::Float32Only => match got {
            Float => Float,
            _ => return None,
        },
        Class::Int32Only => match got {
            Int | Uint => got,
            _ => return None,
        },
        Class::Int64Only => match got {
            Int64 | Uint64 => got,
            _ => return None,
        },
        Class::Like(_) | Class::Elem => return None,
    })
}
