//! Linear algebra of shader model 6.10 (proposal 0035 of HLSL): what a matrix is, with the numbers that DXIL has for component types,
//! uses, scopes and layouts.
//!
//! A [`MatrixType`] is what the attribute of a built-in matrix says; the front end, the IR and DXIL have the same one. [`rules`] has what is legal in
//! calls of the operations: the compiler says it at the line of the source, the validator of a module.

pub mod layouts;
pub mod numbers;
pub mod rules;
pub mod vectors;

use std::fmt;

/// The built-in type of a matrix, before its attribute.
pub const TYPE_NAME: &str = "__builtin_LinAlgMatrix";
/// The attribute that says which matrix it is.
pub const ATTRIBUTE: &str = "__LinAlgMatrix_Attributes";
/// How many arguments the attribute has: component type, rows, columns, use, scope.
pub const ATTRIBUTE_ARGUMENTS: usize = 5;
/// How the names of matrix types of DXIL begin; [`MatrixType::mangled`] follows.
pub const DXIL_TYPE: &str = "dx.types.LinAlgMatrix";
/// The metadata that says what each matrix type of a module is.
pub const TARGET_TYPES: &str = "dx.targetTypes";
/// The first shader model 6 that has them.
pub const MODEL: u8 = 10;

/// A component type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Component {
    /// DXIL's number.
    pub number: u32,
    /// Its name.
    pub name: &'static str,
    /// How numbers of the type are stored in vectors and arrays; none: no matrix has the type.
    pub stored: Option<Stored>,
}

/// How numbers of a component type are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stored {
    /// Each is a number of HLSL.
    Native,
    /// So many are in a word of 32 bits.
    Packed(u32),
}

impl Stored {
    /// How many are in a component of a vector.
    pub fn per_scalar(self) -> u32 {
        match self {
            Stored::Native => 1,
            Stored::Packed(n) => n,
        }
    }
}

const fn component(number: u32, name: &'static str, stored: Option<Stored>) -> Component {
    Component { number, name, stored }
}

const NATIVE: Option<Stored> = Some(Stored::Native);
const FOUR: Option<Stored> = Some(Stored::Packed(4));

/// Every component type, by number.
#[rustfmt::skip]
pub const COMPONENTS: &[Component] = &[
    component(0,  "Invalid",     None),
    component(1,  "I1",          None),
    component(2,  "I16",         NATIVE),
    component(3,  "U16",         NATIVE),
    component(4,  "I32",         NATIVE),
    component(5,  "U32",         NATIVE),
    component(6,  "I64",         NATIVE),
    component(7,  "U64",         NATIVE),
    component(8,  "F16",         NATIVE),
    component(9,  "F32",         NATIVE),
    component(10, "F64",         NATIVE),
    component(11, "SNormF16",    None),
    component(12, "UNormF16",    None),
    component(13, "SNormF32",    None),
    component(14, "UNormF32",    None),
    component(15, "SNormF64",    None),
    component(16, "UNormF64",    None),
    component(17, "PackedS8x32", None),
    component(18, "PackedU8x32", None),
    component(19, "I8",          FOUR),
    component(20, "U8",          FOUR),
    component(21, "F8_E4M3FN",   FOUR),
    component(22, "F8_E5M2",     FOUR),
    component(23, "BFloat16",    Some(Stored::Packed(2))),
];

/// The component type with this number.
pub fn component_of(number: u32) -> Option<&'static Component> {
    COMPONENTS.get(number as usize)
}

/// The name of the component type with this number.
pub fn component_name(number: u32) -> &'static str {
    component_of(number).map_or("<unknown>", |c| c.name)
}

/// Which side of a product a matrix is, by number.
pub const USES: &[&str] = &["A", "B", "Accumulator"];
/// The use of the left side of a product.
pub const USE_A: u32 = 0;
/// The use of the right side.
pub const USE_B: u32 = 1;
/// The use of what products are added to.
pub const USE_ACCUMULATOR: u32 = 2;

/// Among which threads a matrix is the same, by number.
pub const SCOPES: &[&str] = &["Thread", "Wave", "ThreadGroup"];
/// Each thread has its own.
pub const SCOPE_THREAD: u32 = 0;
/// The threads of a wave share it.
pub const SCOPE_WAVE: u32 = 1;
/// The threads of a group share it.
pub const SCOPE_GROUP: u32 = 2;

/// The order of components in memory, by number.
pub const LAYOUTS: &[&str] =
    &["RowMajor", "ColumnMajor", "MulOptimal", "MulOptimalTranspose", "OuterProductOptimal", "OuterProductOptimalTranspose"];
/// Layouts below it are those of HLSL's own matrices, with a stride.
pub const LAYOUTS_WITH_STRIDE: u64 = 2;
/// The layout that sums of outer products have in memory.
pub const LAYOUT_OUTER_PRODUCT: u64 = 4;
/// The same, transposed.
pub const LAYOUT_OUTER_PRODUCT_TRANSPOSED: u64 = 5;

/// What a number of one of these lists is called.
pub fn name_in(names: &'static [&'static str], number: u64) -> &'static str {
    usize::try_from(number).ok().and_then(|n| names.get(n)).copied().unwrap_or("<unknown>")
}

/// Which matrix a built-in matrix type is. The numbers are those of the source, which are not legal in every operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MatrixType {
    /// The number of the component type.
    pub component: u32,
    /// Rows.
    pub rows: u32,
    /// Columns.
    pub columns: u32,
    /// The number of the use.
    pub use_: u32,
    /// The number of the scope.
    pub scope: u32,
}

impl MatrixType {
    /// A vector of so many numbers of a component type, of a thread: the matrix with one column.
    pub fn vector(component: u32, count: u32) -> MatrixType {
        MatrixType { component, rows: count, columns: 1, use_: USE_B, scope: SCOPE_THREAD }
    }
    /// Of the five numbers of the attribute, in its order.
    pub fn from_numbers([component, rows, columns, use_, scope]: [u32; ATTRIBUTE_ARGUMENTS]) -> MatrixType {
        MatrixType { component, rows, columns, use_, scope }
    }
    /// The five numbers.
    pub fn numbers(self) -> [u32; ATTRIBUTE_ARGUMENTS] {
        [self.component, self.rows, self.columns, self.use_, self.scope]
    }
    /// What follows [`DXIL_TYPE`] in the name of its type: `C9M4N4U0S1`.
    pub fn mangled(self) -> String {
        let [c, m, n, u, s] = self.numbers();
        format!("C{c}M{m}N{n}U{u}S{s}")
    }
    /// Of a name of [`MatrixType::mangled`].
    pub fn from_mangled(text: &str) -> Option<MatrixType> {
        let mut rest = text;
        let mut numbers = [0; ATTRIBUTE_ARGUMENTS];
        for (n, letter) in numbers.iter_mut().zip(['C', 'M', 'N', 'U', 'S']) {
            rest = rest.strip_prefix(letter)?;
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let digits = &rest[..end];
            *n = digits.parse().ok().filter(|_| digits.len() == 1 || !digits.starts_with('0'))?;
            rest = &rest[end..];
        }
        rest.is_empty().then_some(MatrixType::from_numbers(numbers))
    }
    /// Of the name of a type of DXIL.
    pub fn from_dxil_name(name: &str) -> Option<MatrixType> {
        MatrixType::from_mangled(name.strip_prefix(DXIL_TYPE)?)
    }
    /// The name of its component type.
    pub fn component_name(self) -> &'static str {
        component_name(self.component)
    }
    /// The name of its use.
    pub fn use_name(self) -> &'static str {
        name_in(USES, self.use_.into())
    }
    /// The name of its scope.
    pub fn scope_name(self) -> &'static str {
        name_in(SCOPES, self.scope.into())
    }
    /// Whether several threads share it.
    pub fn is_shared(self) -> bool {
        matches!(self.scope, SCOPE_WAVE | SCOPE_GROUP)
    }
    /// The dimension over which a product with it sums; none of an accumulator.
    pub fn inner(self) -> Option<u32> {
        match self.use_ {
            USE_ACCUMULATOR => None,
            USE_A => Some(self.columns),
            _ => Some(self.rows),
        }
    }
    /// The least and the largest [inner](MatrixType::inner) dimension.
    pub fn inner_range(self) -> (u32, u32) {
        if self.scope == SCOPE_GROUP { (1, 1024) } else { (4, 128) }
    }
    /// Rows and columns: `4x8`.
    pub fn dimensions(self) -> String {
        format!("{}x{}", self.rows, self.columns)
    }
}

/// As the IR's text has it: `9 4x8 0 1`.
impl fmt::Display for MatrixType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [component, rows, columns, use_, scope] = self.numbers();
        write!(f, "{component} {rows} {columns} {use_} {scope}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_in_the_order_of_their_numbers() {
        for (n, c) in COMPONENTS.iter().enumerate() {
            assert_eq!(c.number as usize, n);
        }
        let plain = crate::resources::CompType::PackedU8x32 as usize;
        assert_eq!((component_name(plain as u32), component_name(24)), ("PackedU8x32", "<unknown>"));
        assert_eq!(COMPONENTS.iter().filter(|c| c.stored.is_some()).count(), 14);
    }

    #[test]
    fn mangled_names_are_read_back() {
        let m = MatrixType::from_numbers([21, 7, 15, 0, 2]);
        assert_eq!(m.mangled(), "C21M7N15U0S2");
        assert_eq!(MatrixType::from_dxil_name("dx.types.LinAlgMatrixC21M7N15U0S2"), Some(m));
        for wrong in ["", "C1M1N1U0", "C1M1N1U0S0x", "C01M1N1U0S0", "C1M1N1U0S99999999999", "CM1N1U0S0", "M1C1N1U0S0"] {
            assert_eq!(MatrixType::from_mangled(wrong), None, "{wrong}");
        }
    }
}
