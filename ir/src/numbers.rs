//! What a numeric type of HLSL says and its type in the IR does not: signs, vectors of one component, and which arrays are matrices, in which order.
//!
//! Memory that others share (buffers, payloads of mesh shaders, parameters of exported functions) and its description show these facts. Targets decide by
//! them and never by how HLSL spells a type: the strings `hlsl` are for listings.

use std::fmt;

use rtc_tables::types::{Scalar, Shape, numeric};

use crate::{Module, Type, TypeKind};

/// The order in which a matrix is in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum MatrixOrder {
    /// Row after row.
    RowMajor,
    /// Column after column.
    ColumnMajor,
}

impl MatrixOrder {
    /// Both with their names in HLSL and in text.
    pub const NAMES: [(MatrixOrder, &'static str); 2] = [(MatrixOrder::RowMajor, "row_major"), (MatrixOrder::ColumnMajor, "column_major")];

    /// As HLSL spells it.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].1
    }
}

/// A matrix of HLSL. In the IR it is an array of its rows, whatever its order in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Matrix {
    /// Rows.
    pub rows: u32,
    /// Columns.
    pub cols: u32,
    /// How it is in memory that others share.
    pub order: MatrixOrder,
}

impl Matrix {
    /// Whether its rows follow each other in memory.
    pub fn is_row_major(self) -> bool {
        self.order == MatrixOrder::RowMajor
    }
}

/// What the IR's types leave open about the form of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Form {
    /// Scalars and vectors as the IR's type says.
    Plain,
    /// A vector of one component, which is a scalar in the IR.
    OneComponent,
    /// A matrix, which is an array in the IR.
    Matrix(Matrix),
}

/// The numbers that a type of HLSL consists of; of an array, those of its innermost element.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Numbers {
    /// What HLSL calls each.
    pub scalar: Scalar,
    /// Their form.
    pub form: Form,
}

impl Numbers {
    /// Numbers of which the IR's type does not say everything; `None` if it does.
    pub fn new(scalar: Scalar, form: Form) -> Option<Numbers> {
        (form != Form::Plain || scalar.is_unsigned()).then_some(Numbers { scalar, form })
    }

    /// The matrix that they are.
    pub fn matrix(self) -> Option<Matrix> {
        match self.form {
            Form::Matrix(m) => Some(m),
            Form::Plain | Form::OneComponent => None,
        }
    }

    /// The numbers that text spells as `name`, with the order of a matrix.
    pub(crate) fn from_text(order: Option<MatrixOrder>, name: &str) -> Option<Numbers> {
        let (scalar, shape) = numeric(name)?;
        let form = match (shape, order) {
            (Shape::Scalar, None) => Form::Plain,
            (Shape::Vector(1), None) => Form::OneComponent,
            (Shape::Matrix(rows, cols), Some(order)) => Form::Matrix(Matrix { rows: rows.into(), cols: cols.into(), order }),
            _ => return None,
        };
        Numbers::new(scalar, form).filter(|n| n.to_string().ends_with(name))
    }

    /// Whether type `t` can consist of them.
    pub(crate) fn fit(self, m: &Module, mut t: Type) -> bool {
        let mut rows = None;
        while let TypeKind::Array(e, n) = m.types.kind(t) {
            (t, rows) = (e, Some(n));
        }
        let lanes = m.types.numeric(t).map(|n| n.1);
        match self.form {
            Form::Plain => lanes.is_some(),
            Form::OneComponent => lanes == Some(1),
            Form::Matrix(shape) => lanes == Some(shape.cols) && rows == Some(shape.rows),
        }
    }
}

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.scalar.name();
        match self.form {
            Form::Plain => f.write_str(name),
            Form::OneComponent => write!(f, "{name}1"),
            Form::Matrix(Matrix { rows, cols, order }) => write!(f, "{} {name}{rows}x{cols}", order.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_types_leave_open_is_a_fact() {
        assert_eq!(Numbers::new(Scalar::Float, Form::Plain), None);
        let matrix = |rows, cols, order| Form::Matrix(Matrix { rows, cols, order });
        for (order, name, numbers) in [
            (None, "uint", Numbers::new(Scalar::Uint, Form::Plain)),
            (None, "min16uint", Numbers::new(Scalar::Min16Uint, Form::Plain)),
            (None, "float16_t1", Numbers::new(Scalar::Float16, Form::OneComponent)),
            (Some(MatrixOrder::ColumnMajor), "float4x3", Numbers::new(Scalar::Float, matrix(4, 3, MatrixOrder::ColumnMajor))),
            (Some(MatrixOrder::RowMajor), "min16float2x4", Numbers::new(Scalar::Min16Float, matrix(2, 4, MatrixOrder::RowMajor))),
        ] {
            assert_eq!(Numbers::from_text(order, name), numbers, "{name}");
            let text = [order.map_or("", MatrixOrder::name), name].join(" ");
            assert_eq!(numbers.expect("it says something").to_string(), text.trim_start());
        }
        for (order, name) in
            [(None, "float"), (None, "uint3"), (None, "float2x2"), (Some(MatrixOrder::RowMajor), "uint"), (None, "dword1"), (None, "S")]
        {
            assert_eq!(Numbers::from_text(order, name), None, "{name}");
        }
    }
}
