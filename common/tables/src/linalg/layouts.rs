//! Where the components of a matrix are in memory, by layout.
//!
//! `RowMajor` and `ColumnMajor` are those of the program, with its stride. The others are the device's own: here rows with a stride of a multiple of 16
//! bytes, and columns where it is transposed. What a shader adds to in an outer-product layout it may read as a matrix for products.

use super::LAYOUTS_WITH_STRIDE;

/// The number of the layout by rows.
pub const ROW_MAJOR: u64 = 0;
/// The number of the layout by columns.
pub const COLUMN_MAJOR: u64 = 1;
/// The bytes of which rows of the device's own layouts are multiples.
pub const OPTIMAL_ALIGNMENT: u64 = 16;

/// How far it is from one row to the next, and from one column to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Steps {
    /// Between rows.
    pub row: u64,
    /// Between columns.
    pub column: u64,
}

/// Whether columns, not rows, are in one piece.
pub fn is_by_columns(layout: u64) -> bool {
    layout & 1 == COLUMN_MAJOR
}

/// The steps of a layout for a matrix of so many rows and columns, whose components have so many bytes.
pub fn steps(layout: u64, stride: u64, rows: u32, columns: u32, bytes: u32) -> Steps {
    let by_columns = is_by_columns(layout);
    let length = u64::from(if by_columns { rows } else { columns });
    let stride = if layout < LAYOUTS_WITH_STRIDE { stride } else { (length * u64::from(bytes)).next_multiple_of(OPTIMAL_ALIGNMENT) };
    if by_columns { Steps { row: bytes.into(), column: stride } } else { Steps { row: stride, column: bytes.into() } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_of_the_device_have_their_own_stride() {
        assert_eq!(steps(0, 48, 3, 5, 4), Steps { row: 48, column: 4 });
        assert_eq!(steps(1, 48, 3, 5, 4), Steps { row: 4, column: 48 });
        assert_eq!(steps(2, 0, 3, 5, 4), Steps { row: 32, column: 4 });
        assert_eq!(steps(3, 0, 3, 5, 4), Steps { row: 4, column: 16 });
        assert_eq!(steps(4, 0, 3, 5, 1), Steps { row: 16, column: 1 });
        assert_eq!(steps(5, 0, 3, 17, 2), Steps { row: 2, column: 16 });
    }
}
