//! The components of IR values: what each value of the function has become.

use rtc_base::SecondaryMap;
use rtc_ir as ir;
use smallvec::SmallVec;

use rtc_dxil_module::Value;

/// The components of a value.
pub type Components = SmallVec<[Value; 4]>;

/// The components of the values of a function.
#[derive(Default)]
pub struct Values {
    /// Start and length in `pool`.
    ranges: SecondaryMap<ir::Value, (u32, u32)>,
    pool: Vec<Value>,
}

impl Values {
    /// The components of a value; none of one that is not written.
    pub fn get(&self, v: ir::Value) -> &[Value] {
        let (start, len) = self.ranges[v];
        &self.pool[start as usize..][..len as usize]
    }

    /// The components of all values that have several, in the order of the values.
    pub fn vectors(&self) -> impl Iterator<Item = &[Value]> {
        let ranges = self.ranges.values().filter(|r| r.1 > 1);
        ranges.map(|&(start, len)| &self.pool[start as usize..][..len as usize])
    }

    /// Sets the components of a value.
    pub fn set(&mut self, v: ir::Value, parts: &[Value]) {
        let start = self.pool.len() as u32;
        self.pool.extend_from_slice(parts);
        self.ranges[v] = (start, parts.len() as u32);
    }
}
