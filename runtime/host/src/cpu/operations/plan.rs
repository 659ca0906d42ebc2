//! The plan of a call: all arguments are read and checked before anything is written.
//!
//! Operations of a call execute in any order, so none may access what another one writes; nor may the parts of one overlap. Each
//! access is recorded as a [`Span`], and [`Plan::check`] finds overlaps in one sweep in address order. Only moves may overlap:
//! sources and destinations of one batch, unless it forbids that.

use super::addresses::{DeviceAddress, aligned, decode, error};
use super::resident::{Entry, Object, Reference};
use crate::cpu::accel::{Bottom, MicromapArray};
use crate::cpu::objects::{Objects, lookup};
use crate::device::{BOTTOM_ALIGNMENT, Fields, Strided};
use crate::error::Result;
use std::sync::Arc;

/// The type of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Read.
    Read,
    /// Write.
    Write,
    /// Source of a move: may overlap the destinations of its batch.
    MoveFrom,
    /// Destination of a move.
    MoveTo,
}

/// Bytes that an operation accesses.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    from: u64,
    to: u64,
    access: Access,
    operation: usize,
    field: &'static str,
}

/// A call before its execution.
pub struct Plan<'a> {
    pub objects: &'a Objects,
    /// The operation that is being planned.
    pub operation: usize,
    spans: Vec<Span>,
    /// Numbers to write: address, size, value.
    pub numbers: Vec<(u64, u32, u64)>,
    /// Memory whose objects end.
    pub cleared: Vec<(u64, u64)>,
    /// Objects to place: address, size, object.
    pub objects_made: Vec<(u64, u64, Object)>,
}

impl<'a> Plan<'a> {
    /// An empty plan.
    pub fn new(objects: &'a Objects) -> Plan<'a> {
        Plan { objects, operation: 0, spans: Vec::new(), numbers: Vec::new(), cleared: Vec::new(), objects_made: Vec::new() }
    }

    /// Records an access.
    pub fn touch(&mut self, field: &'static str, from: u64, size: u64, access: Access) {
        if size > 0 {
            self.spans.push(Span { from, to: from + size, access, operation: self.operation, field });
        }
    }

    /// Reads bytes at an address.
    ///
    /// # Errors
    /// The address is null, misaligned, or of no buffer with so many bytes.
    pub fn read(&mut self, field: &'static str, address: u64, size: u64, alignment: u64) -> Result<Vec<u8>> {
        aligned(field, address, alignment)?;
        let (memory, at) = self.objects.bytes_at(field, address, size)?;
        self.touch(field, address, size, Access::Read);
        memory.read(at, size).ok_or_else(|| error(format!("{field}: {size} bytes at {address:#x} cannot be read")))
    }

    /// Reads a 32-bit number.
    ///
    /// # Errors
    /// See [`Plan::read`].
    pub fn read_u32(&mut self, field: &'static str, address: u64) -> Result<u32> {
        Ok(Fields(&self.read(field, address, 4, 4)?).u32(0))
    }

    /// The elements of an array, all in one buffer.
    ///
    /// # Errors
    /// The address is null, misaligned, or of no buffer with so many bytes.
    pub fn elements(&self, field: &'static str, array: Strided, count: u32, size: u64, alignment: u64) -> Result<Elements> {
        let stride = if array.stride == 0 { size } else { array.stride };
        if !stride.is_multiple_of(alignment) {
            return Err(error(format!("{field}: stride {stride} is not a multiple of {alignment}")));
        }
        aligned(field, array.address, alignment)?;
        let too_large = || error(format!("{field}: {count} elements with stride {stride} exceed the address range"));
        let all = match count {
            0 => 0,
            n => stride.checked_mul(u64::from(n - 1)).and_then(|b| b.checked_add(size)).ok_or_else(too_large)?,
        };
        if all > 0 {
            self.objects.bytes_at(field, array.address, all)?;
        }
        Ok(Elements { address: array.address, stride, size, count, all })
    }

    /// Reads the elements of an array, without the gaps between them.
    ///
    /// # Errors
    /// See [`Plan::elements`].
    pub fn read_array(&mut self, field: &'static str, array: Strided, count: u32, size: u64, alignment: u64) -> Result<Vec<u8>> {
        let elements = self.elements(field, array, count, size, alignment)?;
        self.touch_elements(field, &elements, Access::Read);
        let mut out = Vec::with_capacity((u64::from(count) * size) as usize);
        if count == 0 {
            return Ok(out);
        }
        let (memory, at) = self.objects.bytes_at(field, array.address, elements.all)?;
        if elements.stride == size {
            return Ok(memory.read(at, elements.all).unwrap_or_default());
        }
        for i in 0..u64::from(count) {
            out.extend(memory.read(at + i * elements.stride, size).unwrap_or_default());
        }
        Ok(out)
    }

    /// Records an access to the elements of an array, without the gaps between them.
    pub fn touch_elements(&mut self, field: &'static str, e: &Elements, access: Access) {
        if e.stride <= e.size || e.count < 2 {
            self.touch(field, e.address, e.all, access);
        } else {
            (0..e.count).for_each(|i| self.touch(field, e.at(i), e.size, access));
        }
    }

    /// The object at an address, intact and with all references valid.
    ///
    /// # Errors
    /// There is none, or its bytes have changed.
    pub fn object(&self, field: &str, address: u64) -> Result<&'a Entry> {
        let (objects, nothing) = (self.objects, || error(format!("{field}: no object at address {address:#x}")));
        let entry = objects.placed.get(address).ok_or_else(nothing)?;
        intact(objects, field, address, entry)
    }

    /// The bottom-level structure at an address, with or without clusters.
    ///
    /// # Errors
    /// There is none, or its bytes have changed.
    pub fn bottom(&mut self, field: &'static str, address: u64) -> Result<Arc<Bottom>> {
        aligned(field, address, BOTTOM_ALIGNMENT)?;
        if let Some(DeviceAddress::Accel(a)) = decode(address) {
            return self.objects.bottom(a).cloned().map_err(|e| e.at(format!("{field}: address {address:#x}")));
        }
        let entry = self.object(field, address)?;
        self.touch(field, address, entry.size, Access::Read);
        match &entry.object {
            Object::Bottom(b, _) => Ok(b.clone()),
            other => Err(error(format!("{field}: expected a bottom-level structure at address {address:#x}, found a {}", other.what()))),
        }
    }

    /// The micromap array at an address.
    ///
    /// # Errors
    /// There is none, or its bytes have changed.
    pub fn micromaps(&self, field: &str, address: u64) -> Result<Arc<MicromapArray>> {
        let nothing = || error(format!("{field}: expected a micromap array at address {address:#x}"));
        match decode(address) {
            Some(DeviceAddress::Micromaps(m)) => lookup(&self.objects.micromaps, m).cloned().map_err(|_| nothing()),
            _ => Err(nothing()),
        }
    }

    /// Checks for forbidden overlaps.
    ///
    /// # Errors
    /// Two accesses of which one writes overlap; their fields are named.
    pub fn check(&self) -> Result<()> {
        let mut spans: Vec<&Span> = self.spans.iter().filter(|s| s.access != Access::MoveFrom).collect();
        spans.sort_unstable_by_key(|s| (s.from, s.to));
        let (mut furthest, mut furthest_write): (Option<&Span>, Option<&Span>) = (None, None);
        for &s in &spans {
            let before = if s.access == Access::Read { furthest_write } else { furthest };
            if let Some(b) = before.filter(|b| b.to > s.from) {
                return Err(overlap(b, s));
            }
            let far = |f: Option<&Span>| f.is_none_or(|f| s.to > f.to);
            if far(furthest) {
                furthest = Some(s);
            }
            if s.access != Access::Read && far(furthest_write) {
                furthest_write = Some(s);
            }
        }
        // Writes do not overlap each other here, so those that overlap a source are consecutive.
        let writes: Vec<&Span> = spans.into_iter().filter(|s| s.access != Access::Read).collect();
        for source in self.spans.iter().filter(|s| s.access == Access::MoveFrom) {
            let first = writes.partition_point(|w| w.to <= source.from);
            for w in writes[first..].iter().take_while(|w| w.from < source.to) {
                if w.access != Access::MoveTo || w.operation != source.operation {
                    return Err(overlap(source, w));
                }
            }
        }
        Ok(())
    }
}

fn overlap(a: &Span, b: &Span) -> crate::error::RunError {
    let (at, to) = (a.from.max(b.from), a.to.min(b.to));
    // Reported in a canonical order.
    let (a, b) = if (b.operation, b.field) < (a.operation, a.field) { (b, a) } else { (a, b) };
    let why = match a.operation == b.operation {
        true => format!("operation {}: {} and {} overlap", a.operation, a.field, b.field),
        false => format!("{} of operation {} and {} of operation {} overlap", a.field, a.operation, b.field, b.operation),
    };
    let e = error(format!("{why}: bytes {at:#x} to {to:#x}, and one of them is a write"));
    match a.operation == b.operation {
        true => e,
        false => e.note("operations of one call execute in any order"),
    }
}

/// Checks that an object's signature is intact and its references are valid.
pub(super) fn intact<'a>(objects: &'a Objects, field: &str, address: u64, entry: &'a Entry) -> Result<&'a Entry> {
    let what = entry.object.what();
    let (memory, at) = objects.bytes_at(field, address, entry.size)?;
    if !entry.is_intact(memory, at) {
        return Err(error(format!("{field}: the {what} at address {address:#x} was overwritten")));
    }
    if let Object::Bottom(_, parts) = &entry.object {
        let there = |r: &Reference| {
            let part = objects.placed.get(r.address).filter(|e| e.serial == r.serial);
            part.is_some_and(|e| objects.bytes_at(field, r.address, e.size).is_ok_and(|(m, at)| e.is_intact(m, at)))
        };
        if let Some(gone) = parts.iter().find(|r| !there(r)) {
            let why =
                format!("{field}: the {what} at address {address:#x} refers to a cluster at {:#x} that was overwritten", gone.address);
            return Err(error(why));
        }
    }
    Ok(entry)
}

/// The elements of an array in memory.
#[derive(Clone, Copy, Debug)]
pub struct Elements {
    address: u64,
    stride: u64,
    size: u64,
    count: u32,
    all: u64,
}

impl Elements {
    /// The address of an element.
    pub fn at(&self, i: u32) -> u64 {
        self.address + u64::from(i) * self.stride
    }
}
