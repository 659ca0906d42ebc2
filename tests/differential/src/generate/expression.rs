//! Expressions without side effects.

use super::helpers::tamed;
use super::types::{Bits, Numeric, Scalar, Type};
use super::{Generator, Mode};

/// An expression: HLSL that can be the operand of a postfix operator, its type, and its bits.
#[derive(Clone, Debug)]
pub struct Expression {
    /// HLSL.
    pub text: String,
    /// Its type.
    pub ty: Numeric,
    /// How large and how fine it may be; nothing for integers that wrap.
    pub bits: Bits,
}

/// The mask of an integer that becomes a floating-point number or one of at least 16 bits, and the bits that are left.
fn mask(to: Scalar) -> (u32, Bits) {
    let magnitude = to.stored().magnitude.min(7);
    ((1 << magnitude) - 1, Bits { magnitude, fraction: 0 })
}

impl Generator {
    /// A scalar type.
    pub(super) fn scalar(&mut self) -> Scalar {
        let list = self.scalars.clone();
        self.choices.pick(&list)
    }

    /// A scalar, vector or matrix type.
    pub(super) fn numeric(&mut self) -> Numeric {
        let scalar = self.scalar();
        self.shaped(scalar)
    }

    /// A shape of a scalar.
    pub(super) fn shaped(&mut self, scalar: Scalar) -> Numeric {
        match self.choices.weighted(&[4, 5, 2]) {
            0 => Numeric::scalar(scalar),
            2 if matches!(scalar, Scalar::Float | Scalar::Int | Scalar::Uint) => {
                Numeric { scalar, rows: 2 + self.choices.below(3), columns: 2 + self.choices.below(3) }
            }
            _ => Numeric::vector(scalar, 2 + self.choices.below(3)),
        }
    }

    /// A value that may be stored.
    pub(super) fn storable(&mut self, ty: Numeric, depth: u32) -> String {
        let e = self.expression(ty, depth);
        self.stored(e).text
    }

    /// The expression, brought into the bits of a variable.
    pub(super) fn stored(&mut self, e: Expression) -> Expression {
        let may = e.ty.scalar.stored();
        let fits = e.bits.magnitude <= may.magnitude && e.bits.fraction <= may.fraction;
        if !e.ty.scalar.is_bounded() || fits { e } else { self.bound(e) }
    }

    fn bound(&mut self, e: Expression) -> Expression {
        self.need("bound", e.ty);
        Expression { text: format!("bound_{}({})", e.ty.name(), e.text), ty: e.ty, bits: e.ty.scalar.stored() }
    }

    /// Two operands whose result, by a rule, is exact.
    fn fit(&mut self, a: Expression, b: Expression, rule: fn(Bits, Bits) -> Bits) -> (Expression, Expression, Bits) {
        let capacity = a.ty.scalar.capacity();
        if !a.ty.scalar.is_bounded() || rule(a.bits, b.bits).total() <= capacity {
            let bits = rule(a.bits, b.bits);
            return (a, b, bits);
        }
        let (a, b) = (self.bound(a), self.bound(b));
        let bits = rule(a.bits, b.bits);
        (a, b, bits)
    }

    /// An expression of a type.
    pub(super) fn expression(&mut self, ty: Numeric, depth: u32) -> Expression {
        if depth == 0 {
            return self.leaf(ty, 0);
        }
        let boolean = ty.scalar == Scalar::Bool;
        let weights = [4, if boolean { 0 } else { 8 }, 3, 2, 2, 2, 4, 3, if boolean { 8 } else { 0 }];
        match self.choices.weighted(&weights) {
            1 => self.arithmetic(ty, depth),
            2 => self.unary(ty, depth),
            3 => self.converted(ty, depth),
            4 => self.built(ty, depth),
            5 => self.chosen(ty, depth),
            6 => self.intrinsic(ty, depth),
            7 => self.call(ty, depth),
            8 => self.condition(ty, depth),
            _ => self.leaf(ty, depth),
        }
    }

    /// A literal, or what is at a path.
    fn leaf(&mut self, ty: Numeric, depth: u32) -> Expression {
        if self.choices.below(4) != 0
            && let Some(path) = self.any_path(depth.saturating_sub(1))
        {
            let e = self.read(path);
            return self.adapt(e, ty);
        }
        self.literal(ty)
    }

    /// What is at a path.
    pub(super) fn read(&mut self, path: super::paths::Path) -> Expression {
        let scalar = path.ty.scalar;
        if path.wild && scalar.is_float() {
            self.need("tame", path.ty);
            if path.ty.is_matrix() {
                self.need("tame", path.ty.row());
            }
            if scalar == Scalar::F64 {
                self.need("tame", Numeric::scalar(scalar));
            }
            return Expression { text: format!("tame_{}({})", path.ty.name(), path.text), ty: path.ty, bits: tamed(scalar) };
        }
        Expression { text: path.text, ty: path.ty, bits: scalar.stored() }
    }

    /// A literal of a type; equal components are one.
    pub(super) fn literal(&mut self, ty: Numeric) -> Expression {
        let (text, bits) = self.scalar_literal(ty.scalar);
        if ty.is_scalar() {
            return Expression { text, ty, bits };
        }
        if ty.is_matrix() || self.choices.below(2) == 0 {
            return Expression { text: format!("(({}){text})", ty.name()), ty, bits };
        }
        let (mut parts, mut bits) = (vec![text], bits);
        for _ in 1..ty.count() {
            let (text, more) = self.scalar_literal(ty.scalar);
            bits = bits.either(more);
            parts.push(text);
        }
        Expression { text: format!("{}({})", ty.name(), parts.join(", ")), ty, bits }
    }

    fn scalar_literal(&mut self, scalar: Scalar) -> (String, Bits) {
        let name = scalar.name();
        if scalar == Scalar::Bool {
            return (if self.choices.one_in(2) { "true" } else { "false" }.into(), Bits::default());
        }
        if scalar.is_float() {
            let small = scalar.stored().magnitude < 7;
            let quarters = self.choices.below(if small { 31 } else { 255 }) as i32;
            let value = f64::from(if quarters % 2 == 1 { -(quarters / 2) } else { quarters / 2 }) / 4.0;
            let bits = Bits { magnitude: if small { 2 } else { 5 }, fraction: 2 };
            let text = if scalar == Scalar::Float { format!("({value:?}f)") } else { format!("(({name}){value:?}f)") };
            return (text, bits);
        }
        if scalar.is_min() {
            return (format!("(({name}){})", self.choices.below(100)), Bits { magnitude: 7, fraction: 0 });
        }
        let text = match self.choices.weighted(&[5, 2, 2, 1]) {
            0 => self.choices.below(17).to_string(),
            1 => self.choices.pick(&["0", "1", "255", "32767", "65535", "31"]).to_string(),
            2 => (self.choices.below(0x7fff_ffff) >> self.choices.below(31)).to_string(),
            _ => self.choices.pick(&["0x7fffffff", "0x80000000", "0xffffffff", "0xaaaaaaaa"]).to_string(),
        };
        let text = match scalar {
            Scalar::Uint => format!("{text}u"),
            // A 16-bit integer of a larger literal is a cast of an integer.
            _ => format!("(({name}){text}u)"),
        };
        let negative = !scalar.is_unsigned() && self.choices.one_in(3);
        (if negative { format!("(-{text})") } else { text }, Bits::default())
    }

    /// Another shape and scalar of a value.
    pub(super) fn adapt(&mut self, e: Expression, to: Numeric) -> Expression {
        if to.is_matrix() && !e.ty.is_matrix() {
            let e = self.reshape(e, 1, 1);
            let e = self.convert(e, to.scalar);
            return self.reshape(e, to.rows, to.columns);
        }
        let e = self.reshape(e, to.rows, to.columns);
        self.convert(e, to.scalar)
    }

    fn reshape(&mut self, e: Expression, rows: u32, columns: u32) -> Expression {
        let from = e.ty;
        if (from.rows, from.columns) == (rows, columns) {
            return e;
        }
        let to = Numeric { scalar: from.scalar, rows, columns };
        if from.is_matrix() {
            if to.is_scalar() {
                let (r, c) = (self.choices.below(from.rows), self.choices.below(from.columns));
                let text = match self.choices.below(3) {
                    0 => format!("{}[{r}][{c}]", e.text),
                    1 => format!("{}._m{r}{c}", e.text),
                    _ => format!("{}._{}{}", e.text, r + 1, c + 1),
                };
                return Expression { text, ty: to, bits: e.bits };
            }
            if to.is_matrix() && from.rows >= rows && from.columns >= columns {
                return Expression { text: format!("(({}){})", to.name(), e.text), ty: to, bits: e.bits };
            }
            let r = self.choices.below(from.rows);
            let row = Expression { text: format!("{}[{r}]", e.text), ty: from.row(), bits: e.bits };
            return self.reshape(row, rows, columns);
        }
        if to.is_matrix() {
            let one = self.reshape(e, 1, 1);
            return Expression { text: format!("(({}){})", to.name(), one.text), ty: to, bits: one.bits };
        }
        if from.is_scalar() && self.choices.below(2) == 0 {
            return Expression { text: format!("(({}){})", to.name(), e.text), ty: to, bits: e.bits };
        }
        let letters: [char; 4] = if self.choices.one_in(4) { ['r', 'g', 'b', 'a'] } else { ['x', 'y', 'z', 'w'] };
        let swizzle: String = (0..columns).map(|_| letters[self.choices.below(from.columns) as usize]).collect();
        // A swizzle of a literal needs its type first.
        let text = if from.is_scalar() { format!("(({}){}).{swizzle}", from.name(), e.text) } else { format!("{}.{swizzle}", e.text) };
        Expression { text, ty: to, bits: e.bits }
    }

    /// The value in another scalar type.
    pub(super) fn convert(&mut self, e: Expression, to: Scalar) -> Expression {
        let from = e.ty.scalar;
        if from == to {
            return e;
        }
        let ty = e.ty.of(to);
        let (name, int) = (ty.name(), e.ty.of(Scalar::Int).name());
        let cast = |text: String, bits| Expression { text, ty, bits };
        if from == Scalar::Bool {
            return cast(format!("(({name}){})", e.text), Bits { magnitude: 1, fraction: 0 });
        }
        if to == Scalar::Bool {
            return cast(format!("(({name}){})", e.text), Bits::default());
        }
        if to.is_float() && from.is_float() {
            let e = if e.bits.total() > to.capacity() { self.bound(e) } else { e };
            // The largest value of a half is near 2^16, its smallest step below 2^-10.
            let e = if e.bits.total() > to.capacity() { self.truncated(e) } else { e };
            return cast(format!("(({name}){})", e.text), e.bits);
        }
        if from.is_float() {
            let e = if e.bits.magnitude > 14 { self.bound(e) } else { e };
            return match to {
                Scalar::Int | Scalar::I16 | Scalar::I64 => cast(format!("(({name}){})", e.text), Bits::default()),
                Scalar::MinInt | Scalar::MinUint => {
                    cast(format!("(({name})(({int}){} & 127))", e.text), Bits { magnitude: 7, fraction: 0 })
                }
                _ => cast(format!("(({name})(({int}){}))", e.text), Bits::default()),
            };
        }
        if to.is_bounded() {
            let (mask, bits) = mask(to);
            let inner = if from.is_min() { format!("(({int}){})", e.text) } else { e.text };
            return cast(format!("(({name})({inner} & {mask}))"), bits);
        }
        cast(format!("(({name}){})", e.text), Bits::default())
    }

    /// The integer part of a float, small.
    fn truncated(&mut self, e: Expression) -> Expression {
        let int = e.ty.of(Scalar::Int).name();
        let text = format!("(({})(({int}){} & 7))", e.ty.name(), e.text);
        Expression { text, ty: e.ty, bits: Bits { magnitude: 3, fraction: 0 } }
    }

    fn arithmetic(&mut self, ty: Numeric, depth: u32) -> Expression {
        let a = self.expression(ty, depth - 1);
        let s = ty.scalar;
        if s.is_float() {
            return match self.choices.weighted(&[3, 3, 3, 1]) {
                3 if s != Scalar::F64 => {
                    let down = self.choices.pick(&["2.0f", "4.0f"]);
                    let a = if a.bits.total() + 2 > s.capacity() { self.bound(a) } else { a };
                    let bits = Bits { fraction: a.bits.fraction + 2, ..a.bits };
                    Expression { text: format!("({} / ({}){down})", a.text, s.name()), ty, bits }
                }
                2 => {
                    let b = self.expression(ty, depth - 1);
                    let (a, b, bits) = self.fit(a, b, Bits::product);
                    Expression { text: format!("({} * {})", a.text, b.text), ty, bits }
                }
                op => {
                    let b = self.expression(ty, depth - 1);
                    let (a, b, bits) = self.fit(a, b, Bits::sum);
                    Expression { text: format!("({} {} {})", a.text, if op == 1 { '-' } else { '+' }, b.text), ty, bits }
                }
            };
        }
        let b = self.expression(ty, depth - 1);
        if s.is_min() {
            // A difference of numbers without a sign may be negative.
            let op = if s == Scalar::MinUint {
                self.choices.pick(&['+', '*', '&', '|'])
            } else {
                self.choices.pick(&['+', '*', '-', '&', '|', '^'])
            };
            let rule = match op {
                '+' | '-' => Bits::sum,
                '*' => Bits::product,
                _ => Bits::either,
            };
            let (a, b, bits) = self.fit(a, b, rule);
            return Expression { text: format!("({} {op} {})", a.text, b.text), ty, bits };
        }
        let w = s.width();
        let name = ty.name();
        let (a, b) = (a.text, b.text);
        let text = match self.choices.weighted(&[3, 3, 3, 2, 2, 2, 2, 2, 1, 1, u32::from(w == 32)]) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("({a} * {b})"),
            3 => format!("({a} & {b})"),
            4 => format!("({a} | {b})"),
            5 => format!("({a} ^ {b})"),
            6 => format!("({a} << ({b} & ({name}){}))", w - 1),
            7 => format!("({a} >> ({b} & ({name}){}))", w - 1),
            // Shifted, a literal has the sign of the type that it is shifted by, which what follows shows.
            10 => {
                let literal = self.choices.pick(&["1", "-1", "0x80000000", "(1 + 2)", "~0"]);
                let shift = self.choices.pick(&["<<", ">>"]);
                format!("((({literal} {shift} ({b} & ({name})31)) >> 1) / 3 + {a})")
            }
            op => {
                let op = if op == 8 { '/' } else { '%' };
                // Never zero, and never the quotient that does not fit.
                let divisor = match (s.is_unsigned(), self.choices.below(2)) {
                    (true, 0) => format!("({b} | ({name})1)"),
                    (_, 0) => format!("(({b} & ({name})15) + ({name})1)"),
                    (true, _) => format!("(({b} & ({name})7) + ({name})3)"),
                    (false, _) => format!("(-(({b} & ({name})7) + ({name})2))"),
                };
                format!("({a} {op} {divisor})")
            }
        };
        Expression { text, ty, bits: Bits::default() }
    }

    fn unary(&mut self, ty: Numeric, depth: u32) -> Expression {
        let e = self.expression(ty, depth - 1);
        let s = ty.scalar;
        let with = |text: String, bits: Bits| Expression { text, ty, bits };
        let same = e.bits;
        if s == Scalar::Bool {
            return with(format!("(!{})", e.text), same);
        }
        if s.is_float() {
            let whole = Bits { magnitude: same.magnitude + 1, fraction: 0 };
            if s == Scalar::F64 {
                return with(format!("(-{})", e.text), same);
            }
            let capped = whole.total() <= s.capacity();
            return match self.choices.below(9) {
                1 => with(format!("abs({})", e.text), same),
                2 if capped => with(format!("floor({})", e.text), whole),
                3 if capped => with(format!("ceil({})", e.text), whole),
                4 if capped => with(format!("trunc({})", e.text), whole),
                5 if capped => with(format!("round({})", e.text), whole),
                6 => with(format!("frac({})", e.text), Bits { magnitude: 1, fraction: same.fraction }),
                7 => with(format!("saturate({})", e.text), Bits { magnitude: 1, fraction: same.fraction }),
                8 => with(format!("(({})sign({}))", ty.name(), e.text), Bits { magnitude: 1, fraction: 0 }),
                _ => with(format!("(-{})", e.text), same),
            };
        }
        if s == Scalar::MinUint {
            return e;
        }
        if s == Scalar::MinInt {
            return with(format!("(-{})", e.text), same);
        }
        let words = s.width() == 32;
        match self.choices.below(8) {
            1 => with(format!("(~{})", e.text), same),
            2 if !s.is_unsigned() => with(format!("abs({})", e.text), same),
            3 if !s.is_unsigned() => with(format!("(({})sign({}))", ty.name(), e.text), same),
            4 if words && !ty.is_matrix() => with(format!("(({})countbits({}))", ty.name(), e.text), same),
            5 if words && !ty.is_matrix() => with(format!("(({})reversebits({}))", ty.name(), e.text), same),
            6 if words && !ty.is_matrix() => with(format!("(({})firstbithigh({}))", ty.name(), e.text), same),
            7 if words && !ty.is_matrix() => with(format!("(({})firstbitlow({}))", ty.name(), e.text), same),
            _ => with(format!("(-{})", e.text), same),
        }
    }

    /// An expression of another type, converted.
    fn converted(&mut self, ty: Numeric, depth: u32) -> Expression {
        let from = if ty.is_matrix() { self.choices.pick(&[Scalar::Float, Scalar::Int, Scalar::Uint]) } else { self.scalar() };
        let e = self.expression(ty.of(from), depth - 1);
        self.convert(e, ty.scalar)
    }

    /// A value made of parts, or a part of one.
    fn built(&mut self, ty: Numeric, depth: u32) -> Expression {
        if ty.is_scalar() {
            let wide = self.shaped(ty.scalar);
            let e = self.expression(wide, depth - 1);
            return self.reshape(e, 1, 1);
        }
        if ty.is_matrix() {
            let (mut parts, mut bits) = (Vec::new(), Bits::default());
            for _ in 0..ty.rows {
                let row = self.expression(ty.row(), depth.saturating_sub(2));
                bits = bits.either(row.bits);
                parts.push(row.text);
            }
            return Expression { text: format!("{}({})", ty.name(), parts.join(", ")), ty, bits };
        }
        let (mut left, mut parts, mut bits) = (ty.columns, Vec::new(), Bits::default());
        while left > 0 {
            let n = 1 + self.choices.below(left.min(3));
            let e = self.expression(Numeric::vector(ty.scalar, n), depth - 1);
            bits = bits.either(e.bits);
            parts.push(e.text);
            left -= n;
        }
        Expression { text: format!("{}({})", ty.name(), parts.join(", ")), ty, bits }
    }

    /// One of two values.
    fn chosen(&mut self, ty: Numeric, depth: u32) -> Expression {
        if ty.is_matrix() {
            // The reference compiler breaks on `?:` of matrices.
            return self.arithmetic(ty, depth);
        }
        let (a, b) = (self.expression(ty, depth - 1), self.expression(ty, depth - 1));
        let bits = a.bits.either(b.bits);
        let each = !ty.is_matrix() && !ty.is_scalar() && self.choices.one_in(2);
        let condition = if each { ty.of(Scalar::Bool) } else { Numeric::scalar(Scalar::Bool) };
        let c = self.expression(condition, depth - 1).text;
        let text = if each { format!("select({c}, {}, {})", a.text, b.text) } else { format!("({c} ? {} : {})", a.text, b.text) };
        // What both are as one is as coarse as the coarser and as large as the larger.
        if ty.scalar.is_bounded() && bits.total() > ty.scalar.capacity() {
            return self.bound(Expression { text, ty, bits: a.bits });
        }
        Expression { text, ty, bits }
    }

    /// A comparison, or an operation on conditions.
    pub(super) fn condition(&mut self, ty: Numeric, depth: u32) -> Expression {
        let made = |text: String| Expression { text, ty, bits: Bits::default() };
        if self.choices.below(4) == 3 {
            let (a, b) = (self.expression(ty, depth - 1).text, self.expression(ty, depth - 1).text);
            return made(match (ty.is_scalar(), self.choices.below(3)) {
                (true, 0) => format!("({a} && {b})"),
                (true, 1) => format!("({a} || {b})"),
                (false, 0) => format!("and({a}, {b})"),
                (false, 1) => format!("or({a}, {b})"),
                _ => format!("({a} != {b})"),
            });
        }
        if ty.is_scalar() && self.choices.one_in(6) {
            let scalar = self.scalar();
            let n = 2 + self.choices.below(3);
            let v = self.expression(Numeric::vector(scalar, n), depth - 1).text;
            let f = self.choices.pick(&["any", "all"]);
            return made(format!("{f}({v})"));
        }
        let scalar = match self.scalar() {
            Scalar::Bool => Scalar::Int,
            other => other,
        };
        let (a, b) = (self.expression(ty.of(scalar), depth - 1), self.expression(ty.of(scalar), depth - 1));
        let op = self.choices.pick(&["<", ">", "<=", ">=", "==", "!="]);
        made(format!("({} {op} {})", a.text, b.text))
    }

    fn intrinsic(&mut self, ty: Numeric, depth: u32) -> Expression {
        let s = ty.scalar;
        if s == Scalar::Bool {
            return self.condition(ty, depth);
        }
        let with = |text: String, bits: Bits| Expression { text, ty, bits };
        match self.choices.below(10) {
            2 => {
                let (a, b, c) = (self.expression(ty, depth - 1), self.expression(ty, depth - 1), self.expression(ty, depth - 1));
                let bits = a.bits.either(b.bits).either(c.bits);
                let text = format!("clamp({}, min({1}, {2}), max({1}, {2}))", a.text, b.text, c.text);
                if s.is_bounded() && bits.total() > s.capacity() {
                    return self.bound(with(text, a.bits));
                }
                with(text, bits)
            }
            3 if s != Scalar::F64 && !s.is_min() => {
                let (a, b, c) = (self.expression(ty, depth - 1), self.expression(ty, depth - 1), self.expression(ty, depth - 1));
                let (a, b, product) = self.fit(a, b, Bits::product);
                let c = self.stored(c);
                let bits = product.sum(c.bits);
                let c = if s.is_bounded() && bits.total() > s.capacity() { self.literal_zero(ty) } else { c };
                with(format!("mad({}, {}, {})", a.text, b.text, c.text), product.sum(c.bits))
            }
            4 if s == Scalar::Float && !ty.is_matrix() => {
                let parts: Vec<Expression> = (0..3).map(|_| self.expression(ty, depth - 1)).collect();
                let [a, b, t] = <[Expression; 3]>::try_from(parts).expect("three").map(|e| self.bounded(e));
                // The difference has one bit more, the product and the sum another one.
                with(format!("lerp({}, {}, {})", a.text, b.text, t.text), Bits { magnitude: 16, fraction: 8 })
            }
            5 if ty.is_scalar() && matches!(s, Scalar::Float | Scalar::Int | Scalar::Uint) => {
                let n = 2 + self.choices.below(3);
                let v = Numeric::vector(s, n);
                let (a, b) = (self.expression(v, depth - 1), self.expression(v, depth - 1));
                let (a, b) = (self.bounded(a), self.bounded(b));
                with(format!("dot({}, {})", a.text, b.text), Bits { magnitude: 16, fraction: 8 })
            }
            6 if s == Scalar::Float || s == Scalar::Int => self.product(ty, depth),
            7 if ty.is_matrix() => {
                let e = self.expression(Numeric { scalar: s, rows: ty.columns, columns: ty.rows }, depth - 1);
                with(format!("transpose({})", e.text), e.bits)
            }
            8 if s == Scalar::Float && !ty.is_matrix() => {
                let (a, b) = (self.expression(ty, depth - 1), self.expression(ty, depth - 1));
                with(format!("step({}, {})", a.text, b.text), Bits { magnitude: 1, fraction: 0 })
            }
            8 if s == Scalar::Uint && !ty.is_matrix() => {
                let e = self.expression(ty.of(Scalar::Float), depth - 1);
                // Eleven bits are exact; the absolute value has no negative zero.
                let e = self.bounded(e);
                with(format!("f32tof16(abs({}))", e.text), Bits::default())
            }
            9 if s == Scalar::Uint => {
                let e = self.expression(ty.of(Scalar::Float), depth - 1);
                let e = self.bounded(e);
                with(format!("asuint(abs({}))", e.text), Bits::default())
            }
            9 if s == Scalar::Int => {
                let e = self.expression(ty.of(Scalar::Uint), depth - 1);
                with(format!("asint({})", e.text), Bits::default())
            }
            9 if s == Scalar::Float && !ty.is_matrix() => {
                let e = self.expression(ty, depth - 1);
                let e = self.bounded(e);
                with(format!("f16tof32(f32tof16({}))", e.text), e.bits)
            }
            other => {
                let (a, b) = (self.expression(ty, depth - 1), self.expression(ty, depth - 1));
                let bits = a.bits.either(b.bits);
                let f = if other == 0 { "min" } else { "max" };
                let text = format!("{f}({}, {})", a.text, b.text);
                if s.is_bounded() && bits.total() > s.capacity() { self.bound(with(text, a.bits)) } else { with(text, bits) }
            }
        }
    }

    /// The same as [`Generator::stored`], whatever the bits.
    fn bounded(&mut self, e: Expression) -> Expression {
        self.stored(e)
    }

    fn literal_zero(&mut self, ty: Numeric) -> Expression {
        Expression { text: format!("(({})0)", ty.name()), ty, bits: Bits::default() }
    }

    /// `mul` of matrices and vectors with a result of a type.
    fn product(&mut self, ty: Numeric, depth: u32) -> Expression {
        let s = ty.scalar;
        let n = 2 + self.choices.below(3);
        let (a, b) = if ty.is_matrix() {
            (Numeric { scalar: s, rows: ty.rows, columns: n }, Numeric { scalar: s, rows: n, columns: ty.columns })
        } else if ty.is_scalar() {
            (Numeric::vector(s, n), Numeric::vector(s, n))
        } else if self.choices.one_in(2) {
            (Numeric::vector(s, n), Numeric { scalar: s, rows: n, columns: ty.columns })
        } else {
            (Numeric { scalar: s, rows: ty.columns, columns: n }, Numeric::vector(s, n))
        };
        let (a, b) = (self.expression(a, depth - 1), self.expression(b, depth - 1));
        let (a, b) = (self.bounded(a), self.bounded(b));
        Expression { text: format!("mul({}, {})", a.text, b.text), ty, bits: Bits { magnitude: 16, fraction: 8 } }
    }

    /// A call of a function without side effects; its result, adapted.
    fn call(&mut self, ty: Numeric, depth: u32) -> Expression {
        let (repeat, spent) = (self.repeat, self.cost);
        let fits = |cost: u32| spent + cost * repeat < super::function::MAX_COST;
        let all: Vec<_> = self
            .functions
            .iter()
            .filter(|f| f.is_pure && f.of.is_none() && fits(f.cost) && matches!(f.result, Some(Type::Numeric(_))))
            .cloned()
            .collect();
        if all.is_empty() {
            return self.leaf(ty, depth);
        }
        let f = &all[self.choices.below(all.len() as u32) as usize];
        let mut arguments = Vec::new();
        for (mode, p) in &f.parameters {
            let Type::Numeric(n) = p else { return self.leaf(ty, depth) };
            if *mode != Mode::In {
                return self.leaf(ty, depth);
            }
            arguments.push(self.storable(*n, depth.saturating_sub(2)));
        }
        self.cost += f.cost * self.repeat;
        let Some(Type::Numeric(result)) = f.result else { return self.leaf(ty, depth) };
        let e = Expression { text: format!("{}({})", f.name, arguments.join(", ")), ty: result, bits: result.scalar.stored() };
        self.adapt(e, ty)
    }
}
