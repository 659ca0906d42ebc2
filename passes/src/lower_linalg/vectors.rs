//! Matrices of a thread by cooperative vectors of SPIR-V: products with vectors, sums of outer products and of vectors.
//!
//! A loaded matrix is a place, as in [`super::thread`], whose last two parts are stride and layout: an instruction has both as constants, so there is
//! a branch for each pair that matrices of the type have in the function. Layouts of the device are its own here, and what the instructions of
//! [`rtc_tables::linalg::vectors`] cannot do is refused, since plain arithmetic cannot read these layouts.

use rtc_ir::{Opcode, Scalar, Step, Type, Value};
use rtc_tables::linalg::numbers::Encoding;
use rtc_tables::linalg::vectors::{self, MATRIX_ALIGNMENT, Product, VECTOR_ALIGNMENT, spirv_layout};
use rtc_tables::linalg::{LAYOUTS, LAYOUTS_WITH_STRIDE, MatrixType, component_name, name_in};

use super::code::{Arithmetic, Code, Number};
use super::numbers::of_scalar;
use super::thread::InMemory;
use super::{Bound, Lower, encoding};

/// The component type of halves.
const F16: u32 = 8;

/// The layout and stride of a matrix in memory, which an instruction has as constants: NVIDIA's driver (580) takes a stride that is not constant for zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Form {
    layout: u64,
    /// Zero in layouts of the device.
    stride: u64,
}

impl Code<'_> {
    /// A cooperative vector.
    fn cooperative(&mut self, component: u32, parts: &[Value]) -> Value {
        let ty = self.types.linalg(MatrixType::vector(component, parts.len() as u32));
        self.b().many_value(Opcode::coop_vector, 0, parts, ty)
    }

    /// A number as a half, which it is.
    fn half(&mut self, n: Number) -> Value {
        let x = self.to(n, Arithmetic::Float);
        self.b().convert(Opcode::fconv, x, Type::F16)
    }

    /// The components of the matrix in memory in this form times a vector.
    fn times_vector(&mut self, p: InMemory, x: Value, interpretation: u32, t: MatrixType, product: &Product, form: Form) -> Vec<Value> {
        let number = |c: &mut Self, n: u32| c.word(n);
        let (interpretation, component) = (number(self, interpretation), number(self, t.component));
        let (columns, layout, stride) = (number(self, t.columns), number(self, form.layout as u32), number(self, form.stride as u32));
        let ty = self.types.linalg(MatrixType::vector(product.result, t.rows));
        let operands = [x, interpretation, p.handle, p.at, component, columns, layout, stride];
        let y = self.b().many_value(Opcode::coop_multiply, 0, &operands, ty);
        let scalar = if encoding(MatrixType::vector(product.result, 1)).is_float() { Type::F16 } else { Type::I32 };
        (0..t.rows).map(|n| self.b().many_value(Opcode::coop_component, n, &[y], scalar)).collect()
    }
}

impl Lower<'_> {
    /// How matrices of this type are in memory in this function.
    fn forms(&self, t: MatrixType) -> Option<Vec<Form>> {
        let loads = self.f.insts.keys().filter(|&i| self.f.op(i) == Opcode::linalg_load);
        let mut all = Vec::new();
        for i in loads.filter(|&i| self.m.types.as_linalg(self.f.ty(self.f.result(i))) == Some(t)) {
            let operands = self.f.operands(i);
            let &[_, _, stride, layout, ..] = &operands[..] else { return None };
            all.push(self.form(self.constant(layout)?, stride)?);
        }
        all.sort_unstable();
        all.dedup();
        Some(all)
    }

    /// The form with this layout and stride, if that is known at compile time.
    fn form(&self, layout: u64, stride: Value) -> Option<Form> {
        let stride = if layout < LAYOUTS_WITH_STRIDE { self.constant(stride)? } else { 0 };
        Some(Form { layout, stride })
    }

    /// What is wrong with the place of a matrix, where it is known at compile time.
    fn misplaced(&self, at: Value, stride: Value, layout: u64, product: &Product) -> Option<String> {
        let name = name_in(LAYOUTS, layout);
        let plain = layout < LAYOUTS_WITH_STRIDE;
        let component = component_name(product.matrix);
        if plain && !product.plain {
            return Some(format!("a matrix of numbers of type {component} in layout {name}"));
        }
        if spirv_layout(layout)?.1 && !product.transposed {
            return Some(format!("a matrix of numbers of type {component} in layout {name}"));
        }
        let off = |v: Value, n: u32| self.constant(v).filter(|b| b % u64::from(n) != 0);
        if let Some(n) = off(at, MATRIX_ALIGNMENT) {
            return Some(format!("a matrix at byte {n}, which is no multiple of {MATRIX_ALIGNMENT},"));
        }
        let n = off(stride, VECTOR_ALIGNMENT).filter(|_| plain)?;
        Some(format!("a matrix with a stride of {n} bytes, which is no multiple of {VECTOR_ALIGNMENT},"))
    }

    /// Buffer, offset, stride, layout, alignment.
    pub(super) fn load_for_vectors(&mut self, to: &Bound, operands: &[Value]) -> Option<Value> {
        let &[handle, at, stride, layout, _] = operands else { return None };
        let Some(product) = vectors::product(to.ty.component) else {
            self.refuse_vectors(&format!("a matrix of numbers of type {}", to.ty.component_name()));
            return None;
        };
        let Some(given) = self.constant(layout) else {
            self.refuse_vectors("a layout that is not known at compile time");
            return None;
        };
        if let Some(what) = self.misplaced(at, stride, given, product) {
            self.refuse_vectors(&what);
            return None;
        }
        let Some(form) = self.form(given, stride) else {
            self.refuse_vectors("a stride that is not known at compile time");
            return None;
        };
        let stride = self.code().word(form.stride as u32);
        for (n, v) in (0..).zip([handle, at, stride, layout]) {
            let part = to.part(&[Step::At(n)]);
            let indices = to.indices.clone();
            self.code().b().store(to.root, &part, &indices, v);
        }
        None
    }

    /// What the vector of a product becomes; none: it was refused.
    fn input(&mut self, x: Value, component: u32, t: MatrixType, product: &Product) -> Option<Value> {
        let (scalar, lanes) = self.m.types.numeric(self.f.ty(x))?;
        let exact = match encoding(t) {
            Encoding::Float(_) if t.component == F16 => [8, 19, 20, 21, 22].contains(&component),
            _ => component == t.component,
        };
        // A vector of floats that stands for numbers of eight bits would be rounded first.
        let whole = component == F16 || scalar == Scalar::I32;
        if !exact || !whole {
            let (matrix, given) = (t.component_name(), component_name(component));
            self.refuse_vectors(&format!("a product of a matrix of numbers of type {matrix} with a vector of numbers of type {given}"));
            return None;
        }
        let mut c = self.code();
        let parts: Vec<Value> = match component {
            _ if product.input != F16 => (0..lanes).map(|n| c.b().extract(x, n)).collect(),
            F16 if scalar == Scalar::F16 => (0..lanes).map(|n| c.b().extract(x, n)).collect(),
            _ => c.numbers(x, component, t.columns).into_iter().map(|n| c.half(n)).collect(),
        };
        Some(c.cooperative(product.input, &parts))
    }

    /// Matrix, whether the result has a sign, vector, what its numbers are, and, if `add`, what is added.
    pub(super) fn multiply_vector(&mut self, operands: &[Value], result: Option<Value>, add: bool) -> Option<Value> {
        let from = self.matrix(*operands.first()?)?;
        let t = from.ty;
        let signed = self.constant(*operands.get(1)?)? & 1 == 1;
        let component = self.constant(*operands.get(3)?)? as u32;
        let (x, bias) = (*operands.get(2)?, operands.get(4).copied().filter(|_| add));
        let ty = self.f.ty(result?);
        let (scalar, _) = self.m.types.numeric(ty)?;
        // The matrix was refused where it was loaded.
        let product = vectors::product(t.component)?;
        let is_f16 = product.result == F16;
        if is_f16 && scalar != Scalar::F16 {
            let (matrix, name) = (t.component_name(), scalar.name());
            self.refuse_vectors(&format!("a product of a matrix of numbers of type {matrix} whose result has components of type {name}"));
            return None;
        }
        let out = of_scalar(scalar, signed)?;
        let x = self.input(x, component, t, product)?;
        let p = self.in_memory(&from);
        let forms = self.forms(t).unwrap_or_default();
        let arithmetic = Arithmetic::of(&[encoding(t), out]);
        let mut c = self.code();
        c.chosen(p, &forms, ty, &mut |c, form| {
            let mut parts = c.times_vector(p, x, component, t, product, form);
            for (n, part) in (0..).zip(&mut parts) {
                let more = bias.map(|b| c.b().extract(b, n));
                *part = match (is_f16, more) {
                    (true, Some(more)) => c.op(Opcode::fadd, *part, more),
                    (true, None) => *part,
                    (false, more) => {
                        let mut sum = c.to(Number::Int(*part, true), arithmetic);
                        if let Some(more) = more {
                            let word = c.word_of(more);
                            let number = c.decode(out, word);
                            let number = c.to(number, arithmetic);
                            sum = c.sum(arithmetic, sum, number);
                        }
                        c.scalar(arithmetic.number(sum), scalar, out)
                    }
                };
            }
            c.b().construct(&parts)
        })
    }

    /// Two vectors, both of halves.
    pub(super) fn outer_of_halves(&mut self, to: &Bound, operands: &[Value]) -> Option<Value> {
        let is_f16 = operands.iter().all(|&v| self.m.types.numeric(self.f.ty(v)).is_some_and(|n| n.0 == Scalar::F16));
        let matrix = to.ty.component == F16;
        if !is_f16 || !matrix {
            let what = if matrix { "a sum of products of other numbers than halves".to_owned() } else { name_of_products(to.ty) };
            self.refuse_vectors(&what);
            return None;
        }
        for (side, &v) in (0..).zip(operands) {
            let count = if side == 0 { to.ty.rows } else { to.ty.columns };
            let (root, part, indices) = (to.root, to.part(&[Step::At(side)]), to.indices.clone());
            let mut c = self.code();
            for n in 0..count {
                let value = c.b().extract(v, n);
                let steps: Vec<Step> = part.iter().copied().chain([Step::At(n)]).collect();
                c.b().store(root, &steps, &indices, value);
            }
        }
        None
    }

    /// Matrix, buffer, offset, stride, layout, alignment.
    pub(super) fn add_outer(&mut self, operands: &[Value]) -> Option<Value> {
        let &[matrix, handle, at, _, layout, _] = operands else { return None };
        let from = self.matrix(matrix)?;
        let layout = self.constant(layout)?;
        if spirv_layout(layout)?.1 {
            self.refuse_vectors(&format!("a sum of products in layout {}", name_in(LAYOUTS, layout)));
            return None;
        }
        if let Some(n) = self.constant(at).filter(|n| n % u64::from(MATRIX_ALIGNMENT) != 0) {
            self.refuse_vectors(&format!("a matrix at byte {n}, which is no multiple of {MATRIX_ALIGNMENT},"));
            return None;
        }
        let mut c = self.code();
        let mut side = |n: u32, count: u32| {
            let part = from.part(&[Step::At(n)]);
            let parts: Vec<Value> = (0..count)
                .map(|k| {
                    let steps: Vec<Step> = part.iter().copied().chain([Step::At(k)]).collect();
                    c.b().load(from.root, &steps, &from.indices, Type::F16)
                })
                .collect();
            c.cooperative(F16, &parts)
        };
        let (rows, columns) = (side(0, from.ty.rows), side(1, from.ty.columns));
        let (layout, component) = (c.word(layout as u32), c.word(from.ty.component));
        c.b().many(Opcode::coop_outer, 0, &[handle, at, rows, columns, layout, component], &[]);
        None
    }

    /// Buffer, offset, alignment, vector: integers, and what is not aligned, are added one by one.
    pub(super) fn add_vector(&mut self, operands: &[Value]) -> Option<Value> {
        let &[handle, at, align, v] = operands else { return None };
        let (scalar, lanes) = self.m.types.numeric(self.f.ty(v))?;
        let known = self.constant(at).or(self.constant(align)).unwrap_or(1);
        let component = match scalar {
            Scalar::F16 => F16,
            Scalar::F32 => 9,
            _ => return self.vector_add_to(operands),
        };
        if !known.is_multiple_of(u64::from(VECTOR_ALIGNMENT)) {
            return self.vector_add_to(operands);
        }
        let mut c = self.code();
        let parts: Vec<Value> = (0..lanes).map(|n| c.b().extract(v, n)).collect();
        let vector = c.cooperative(component, &parts);
        c.b().many(Opcode::coop_add, 0, &[handle, at, vector], &[]);
        None
    }

    fn refuse_vectors(&mut self, what: &str) {
        let text = format!("linear algebra: {what} is not supported with cooperative vectors; use -fspv-linalg=lower");
        self.errors.push(rtc_base::Diagnostic::new(&rtc_tables::diagnostics::E0904, self.span, text));
    }
}

fn name_of_products(t: MatrixType) -> String {
    format!("a sum of products of numbers of type {}", t.component_name())
}

impl Code<'_> {
    /// What `make` makes of the form that the matrix has: a branch for each but the last.
    fn chosen(&mut self, p: InMemory, forms: &[Form], ty: Type, make: &mut dyn FnMut(&mut Self, Form) -> Value) -> Option<Value> {
        let (&first, rest) = forms.split_first()?;
        if rest.is_empty() {
            return Some(make(self, first));
        }
        let (layout, stride) = (self.word(first.layout as u32), self.word(first.stride as u32));
        let (same_layout, same_stride) = (self.op(Opcode::ieq, p.column, layout), self.op(Opcode::ieq, p.row, stride));
        let is_first = self.op(Opcode::and, same_layout, same_stride);
        let (then, otherwise, around) = (self.f.add_region(), self.f.add_region(), self.region);
        self.region = then;
        let v = make(self, first);
        self.b().exit(Opcode::yield_, &[v]);
        self.region = otherwise;
        let v = self.chosen(p, rest, ty, make)?;
        self.b().exit(Opcode::yield_, &[v]);
        self.region = around;
        let i = self.b().if_(is_first, then, otherwise, &[ty]);
        Some(self.f.result(i))
    }
}
