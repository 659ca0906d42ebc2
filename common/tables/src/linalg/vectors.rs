//! Products of a matrix and a vector by cooperative vectors (`SPV_NV_cooperative_vector`): those that every device with them has, and the numbers that
//! SPIR-V has for component types and layouts.

use super::component_name;

/// Offsets of matrices are multiples of it.
pub const MATRIX_ALIGNMENT: u32 = 64;
/// So are those of vectors that sums are added to, and strides.
pub const VECTOR_ALIGNMENT: u32 = 16;

/// A product. The numbers are those of component types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Product {
    /// What the matrix consists of.
    pub matrix: u32,
    /// What the vector that is passed consists of.
    pub input: u32,
    /// What the result consists of.
    pub result: u32,
    /// Whether the matrix may be by rows and columns, and not only in layouts of the device.
    pub plain: bool,
    /// Whether a layout of the device may be transposed.
    pub transposed: bool,
}

const F16: u32 = 8;
const I32: u32 = 4;
const U32: u32 = 5;

/// All products that were seen right on a device. The vector holds numbers of the matrix's type: as halves, or four of them in a word. Matrices of floats
/// of eight bits are in layouts of the device alone, into which nothing here converts.
#[rustfmt::skip]
pub const PRODUCTS: &[Product] = &[
    Product { matrix: F16, input: F16, result: F16, plain: true,  transposed: true },
    Product { matrix: 19,  input: U32, result: I32, plain: true,  transposed: false },
];

/// The product with matrices of a component type.
pub fn product(matrix: u32) -> Option<&'static Product> {
    PRODUCTS.iter().find(|p| p.matrix == matrix)
}

/// The component types of [`PRODUCTS`], for messages: `F16, I8, …`.
pub fn component_names() -> String {
    PRODUCTS.iter().map(|p| component_name(p.matrix)).collect::<Vec<_>>().join(", ")
}

/// What SPIR-V calls a component type: as numbers, or (`packed`) as four of them in a word.
pub fn spirv_component(number: u32, packed: bool) -> Option<u32> {
    Some(match (number, packed) {
        (8, false) => 0,
        (9, false) => 1,
        (19, false) => 3,
        (2, false) => 4,
        (4, false) => 5,
        (20, false) => 7,
        (3, false) => 8,
        (5, false) => 9,
        (19, true) => 1_000_491_000,
        (20, true) => 1_000_491_001,
        (21, false) => 1_000_491_002,
        (22, false) => 1_000_491_003,
        _ => return None,
    })
}

/// What SPIR-V calls a layout, and whether the matrix there is the transposed one.
pub fn spirv_layout(layout: u64) -> Option<(u32, bool)> {
    Some(match layout {
        0 => (0, false),
        1 => (1, false),
        2 => (2, false),
        3 => (2, true),
        4 => (3, false),
        5 => (3, true),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::{COMPONENTS, LAYOUTS};

    #[test]
    fn products_and_layouts_have_numbers_of_spirv() {
        for p in PRODUCTS {
            assert!(spirv_component(p.matrix, false).is_some() && spirv_component(p.input, false).is_some(), "{p:?}");
        }
        let mut seen: Vec<u32> =
            COMPONENTS.iter().flat_map(|c| [false, true].map(|packed| spirv_component(c.number, packed))).flatten().collect();
        let count = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!((seen.len(), count), (12, 12));
        assert!((0..LAYOUTS.len() as u64).all(|n| spirv_layout(n).is_some()));
        assert_eq!((component_names().as_str(), spirv_layout(6)), ("F16, I8", None));
    }
}
