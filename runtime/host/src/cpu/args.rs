//! The call interface between compiled shaders and the runtime: one entry function, and arguments marshalled into 64-bit slots.
//!
//! Compiled code does arithmetic itself, and accesses memory that it has proven or checked to be in bounds; every other DXIL
//! operation is one call of [`enter`](crate::cpu::entry::enter) with the thread, an array of 64-bit slots, the call's [`Shape`] and
//! the opcode. Arguments are flattened into the slots from the first one on: the opcode is omitted, a handle or pointer takes one slot, a vector one
//! per component, a float is its bits, an integer is zero-extended. Results overwrite them, in the order of the fields of the
//! result type.

use rtc_tables::dxil_ops::DxOp;

/// The component type of an operation (its overload).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Scalar {
    Void,
    I1,
    I8,
    I16,
    I32,
    I64,
    F16,
    F32,
    F64,
}

impl Scalar {
    /// All types, by discriminant.
    pub const ALL: [Scalar; 9] =
        [Scalar::Void, Scalar::I1, Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64, Scalar::F16, Scalar::F32, Scalar::F64];

    /// Size in bytes.
    pub fn size(self) -> u32 {
        match self {
            Scalar::Void => 0,
            Scalar::I1 | Scalar::I32 | Scalar::F32 => 4,
            Scalar::I8 => 1,
            Scalar::I16 | Scalar::F16 => 2,
            Scalar::I64 | Scalar::F64 => 8,
        }
    }
}

/// The type of a call, packed into the third argument of [`enter`](crate::cpu::entry::enter).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The overload.
    pub scalar: Scalar,
    /// Components if the overload is a vector, else 0.
    pub lanes: u16,
    /// Number of slots.
    pub slots: u16,
    /// The call site: an index into the program's list of sites.
    pub site: u32,
}

impl Shape {
    /// Packed into one number.
    pub fn pack(self) -> u64 {
        // Site ids have 24 bits; larger ones share the last id, which costs their source location in messages.
        let site = self.site.min(0xFF_FFFF);
        u64::from(self.scalar as u8) | u64::from(self.lanes) << 8 | u64::from(self.slots) << 24 | u64::from(site) << 40
    }

    /// The inverse of [`Shape::pack`].
    pub fn unpack(bits: u64) -> Shape {
        Shape {
            scalar: Scalar::ALL[(bits as u8 as usize).min(8)],
            lanes: (bits >> 8) as u16,
            slots: (bits >> 24) as u16,
            site: (bits >> 40) as u32,
        }
    }
}

/// The arguments and results of a call.
///
/// Results overwrite arguments: read all arguments before the first `ret_*`.
pub struct Args<'a> {
    /// The type of the call.
    pub shape: Shape,
    /// The opcode.
    pub opcode: DxOp,
    slots: &'a mut [u64],
}

impl<'a> Args<'a> {
    /// Arguments in `slots`, for tests and for calls from the runtime itself.
    pub fn new(shape: Shape, opcode: DxOp, slots: &'a mut [u64]) -> Self {
        Args { shape, opcode, slots }
    }
    /// The overload.
    pub fn scalar(&self) -> Scalar {
        self.shape.scalar
    }
    /// Components of a vector overload, 0 for a scalar.
    pub fn lanes(&self) -> usize {
        self.shape.lanes.into()
    }
    /// All slots.
    pub fn slots(&mut self) -> &mut [u64] {
        self.slots
    }
    /// The bits of slot `i`; 0 beyond the last.
    pub fn bits(&self, i: usize) -> u64 {
        self.slots.get(i).copied().unwrap_or(0)
    }
    /// A 32-bit integer.
    pub fn u32(&self, i: usize) -> u32 {
        self.bits(i) as u32
    }
    /// A signed 32-bit integer.
    pub fn i32(&self, i: usize) -> i32 {
        self.bits(i) as i32
    }
    /// A boolean.
    pub fn bool(&self, i: usize) -> bool {
        self.bits(i) & 1 != 0
    }
    /// A 32-bit float.
    pub fn f32(&self, i: usize) -> f32 {
        f32::from_bits(self.u32(i))
    }
    /// A 64-bit float.
    pub fn f64(&self, i: usize) -> f64 {
        f64::from_bits(self.bits(i))
    }
    /// Three floats from slot `i` on.
    pub fn f32x3(&self, i: usize) -> [f32; 3] {
        [self.f32(i), self.f32(i + 1), self.f32(i + 2)]
    }
    /// Result `i` as bits; ignored beyond the last slot.
    pub fn ret(&mut self, i: usize, bits: u64) {
        if let Some(slot) = self.slots.get_mut(i) {
            *slot = bits;
        }
    }
    /// Result `i`, a 32-bit integer.
    pub fn ret_u32(&mut self, i: usize, v: u32) {
        self.ret(i, v.into());
    }
    /// Result `i`, a boolean.
    pub fn ret_bool(&mut self, i: usize, v: bool) {
        self.ret(i, v.into());
    }
    /// Result `i`, a 32-bit float.
    pub fn ret_f32(&mut self, i: usize, v: f32) {
        self.ret(i, v.to_bits().into());
    }
    /// Result `i`, a 64-bit float.
    pub fn ret_f64(&mut self, i: usize, v: f64) {
        self.ret(i, v.to_bits());
    }
}

/// The symbol of [`enter`](crate::cpu::entry::enter) in compiled code.
pub const ENTER: &str = "rtc.op";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_survive_packing() {
        for (scalar, lanes, slots, site) in [(Scalar::F64, 1024, 65535, 77), (Scalar::Void, 0, 0, 0), (Scalar::I1, 3, 9, 0xFF_FFFF)] {
            let shape = Shape { scalar, lanes, slots, site };
            assert_eq!(Shape::unpack(shape.pack()), shape);
        }
    }

    #[test]
    fn slots_beyond_the_last_are_zero() {
        let mut slots = [1u64, f32::to_bits(2.5).into()];
        let mut args = Args::new(Shape { scalar: Scalar::F32, lanes: 0, slots: 2, site: 0 }, rtc_tables::dxil_ops::op::FABS, &mut slots);
        assert_eq!((args.u32(0), args.f32(1), args.bits(2)), (1, 2.5, 0));
        args.ret_f32(0, -1.0);
        args.ret_u32(9, 4);
        assert_eq!(args.f32(0), -1.0);
    }
}
