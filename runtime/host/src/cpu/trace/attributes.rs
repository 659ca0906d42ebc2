//! Payloads, parameters and hit attributes: memory on shader stacks that shaders pass to each other by reference or by copy.
//!
//! Soundness: a [`Memory`] is created from the slots of an operation, in which lowered code has stored an address on the shader's
//! own stack and the size in bytes; nothing here accesses more.
#![allow(unsafe_code)]

use crate::cpu::args::Args;
use crate::cpu::program::Field;

/// Maximum size of hit attributes in bytes. Direct3D allows 32; shader tables reject shaders that declare more than this.
pub const CAPACITY: usize = 128;

/// Hit attributes. Unwritten bytes are zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(16))]
pub struct Attributes([u8; CAPACITY]);

impl Attributes {
    /// All zero.
    pub const ZERO: Attributes = Attributes([0; CAPACITY]);

    /// The attributes of a triangle: the weights of the second and third vertex.
    pub fn triangle(barycentrics: [f32; 2]) -> Attributes {
        let mut out = Attributes::ZERO;
        out.0[..4].copy_from_slice(&barycentrics[0].to_le_bytes());
        out.0[4..8].copy_from_slice(&barycentrics[1].to_le_bytes());
        out
    }

    /// The barycentric weights, for a triangle.
    pub fn barycentrics(&self) -> [f32; 2] {
        let float = |i: usize| f32::from_le_bytes([self.0[i], self.0[i + 1], self.0[i + 2], self.0[i + 3]]);
        [float(0), float(4)]
    }

    /// A copy of a shader's attributes, truncated to the capacity.
    pub fn copied(from: Memory) -> Attributes {
        let mut out = Attributes::ZERO;
        if !from.data.is_null() {
            let size = CAPACITY.min(from.size as usize);
            // SAFETY: `Memory` has so many bytes on a shader's stack; the copy is memory of its own.
            unsafe { std::ptr::copy_nonoverlapping(from.data, out.0.as_mut_ptr(), size) }
        }
        out
    }

    /// Copies them to a shader's attributes; bytes beyond the capacity become zero.
    pub fn copy_to(&self, to: Memory) {
        if to.data.is_null() {
            return;
        }
        let size = to.size as usize;
        let own = size.min(CAPACITY);
        // SAFETY: `Memory` has `size` bytes on a shader's stack, and `own` is no more.
        unsafe {
            std::ptr::copy_nonoverlapping(self.0.as_ptr(), to.data, own);
            std::ptr::write_bytes(to.data.add(own), 0, size - own);
        }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8; CAPACITY] {
        &self.0
    }

    /// The address, for a shader.
    pub fn address(&mut self) -> *mut u8 {
        self.0.as_mut_ptr()
    }
}

/// An object on a shader's stack: a payload, a parameter, or attributes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Memory {
    /// Its address.
    pub data: *mut u8,
    /// Its size in bytes.
    pub size: u64,
}

impl Memory {
    /// No object.
    pub const NONE: Memory = Memory { data: std::ptr::null_mut(), size: 0 };

    /// The object of an operation: its address is argument `pointer`, its size is in slot `size`, after all arguments.
    pub fn of(args: &Args<'_>, pointer: usize, size: usize) -> Memory {
        let data = args.bits(pointer) as usize as *mut u8;
        match data.is_null() {
            true => Memory::NONE,
            false => Memory { data, size: args.bits(size) },
        }
    }

    /// The address of a field that is in the object.
    fn field(self, f: &Field) -> Option<*mut u8> {
        let end = f.offset.checked_add(f.size)?;
        // SAFETY: the field is inside the object.
        (!self.data.is_null() && end <= self.size).then(|| unsafe { self.data.add(f.offset as usize) })
    }

    /// The bytes of these fields.
    #[cold]
    pub fn save(self, fields: &[Field]) -> Vec<u8> {
        let mut out = Vec::new();
        for f in fields {
            let Some(at) = self.field(f) else { continue };
            // SAFETY: the field is inside the object.
            out.extend_from_slice(unsafe { std::slice::from_raw_parts(at, f.size as usize) });
        }
        out
    }

    /// Gives these fields the bytes that [`Memory::save`] gave of them.
    #[cold]
    pub fn restore(self, fields: &[Field], mut saved: &[u8]) {
        for f in fields {
            let (Some(at), Some((bytes, rest))) = (self.field(f), saved.split_at_checked(f.size as usize)) else { continue };
            // SAFETY: the field is inside the object; `saved` is memory of the runtime.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), at, bytes.len()) }
            saved = rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_stay_inside_both_sides() {
        let mut words = [0x0403_0201u32; 64];
        let all = Memory { data: words.as_mut_ptr().cast(), size: 256 };
        let copied = Attributes::copied(all);
        assert_eq!(copied.bytes()[CAPACITY - 1], 4);
        let copied = Attributes::copied(Memory { size: 6, ..all });
        assert_eq!(copied.bytes()[..8], [1, 2, 3, 4, 1, 2, 0, 0]);
        copied.copy_to(Memory { size: 4, ..all });
        assert_eq!(words[1], 0x0403_0201);
        copied.copy_to(all);
        assert_eq!((words[0], words[1], words[63]), (0x0403_0201, 0x0000_0201, 0));
        assert_eq!(Attributes::copied(Memory::NONE), Attributes::ZERO);
        copied.copy_to(Memory::NONE);
    }

    #[test]
    fn triangles_have_two_floats() {
        let a = Attributes::triangle([0.25, -2.0]);
        assert_eq!(a.bytes()[..8], [0, 0, 0x80, 0x3e, 0, 0, 0, 0xc0]);
        assert!(a.bytes()[8..].iter().all(|&b| b == 0));
        assert_eq!(a.barycentrics(), [0.25, -2.0]);
    }
}
