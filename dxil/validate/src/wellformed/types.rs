//! Types: no type contains itself; which types have a size.

use rtc_base::entity::EntityRef;
use rtc_dxil_module::{Module, Type, TypeKind};

/// Facts about each type of a module in which no type contains itself: whether it has a size.
#[derive(Debug, Clone)]
pub(crate) struct Shapes {
    sized: Vec<bool>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

impl Shapes {
    /// Looks at every type once.
    ///
    /// # Errors
    /// Says which structure contains itself.
    pub(crate) fn new(m: &Module) -> Result<Shapes, String> {
        let count = m.types.len();
        let mut sized = vec![false; count];
        let mut state = vec![State::New; count];
        for (root, _) in m.types.iter() {
            let mut stack = vec![(root, false)];
            while let Some((ty, parts_done)) = stack.pop() {
                if parts_done {
                    sized[ty.index()] = is_sized(m, ty, &sized);
                    state[ty.index()] = State::Done;
                    continue;
                }
                match state[ty.index()] {
                    State::Done => continue,
                    // It is on the stack below, with its parts still being looked at.
                    State::Open => {
                        let name = m.types.struct_name(ty).unwrap_or("without a name");
                        return Err(format!("structure `{name}` contains itself"));
                    }
                    State::New => {}
                }
                state[ty.index()] = State::Open;
                stack.push((ty, true));
                contained(m, ty, |part| {
                    if state[part.index()] != State::Done {
                        stack.push((part, false));
                    }
                });
            }
        }
        Ok(Shapes { sized })
    }

    /// Whether memory can hold a value of a type.
    pub(crate) fn is_sized(&self, ty: Type) -> bool {
        self.sized.get(ty.index()).copied().unwrap_or(false)
    }
}

fn contained(m: &Module, ty: Type, mut f: impl FnMut(Type)) {
    match &m.types[ty] {
        TypeKind::Array { elem, .. } | TypeKind::Vector { elem, .. } => f(*elem),
        _ => {
            if let Some(fields) = m.types.fields(ty) {
                fields.types.iter().copied().for_each(f);
            }
        }
    }
}

fn is_sized(m: &Module, ty: Type, sized: &[bool]) -> bool {
    match &m.types[ty] {
        TypeKind::Void | TypeKind::Label | TypeKind::Metadata | TypeKind::Function { .. } => false,
        TypeKind::Half | TypeKind::Float | TypeKind::Double | TypeKind::Int(_) | TypeKind::Pointer { .. } => true,
        TypeKind::Array { elem, .. } | TypeKind::Vector { elem, .. } => sized[elem.index()],
        TypeKind::Struct(_) | TypeKind::Named { .. } => m.types.fields(ty).is_some_and(|f| f.types.iter().all(|t| sized[t.index()])),
    }
}

/// Bits of a scalar or of each component of a vector; 0 for pointers and anything else.
pub(super) fn scalar_bits(m: &Module, ty: Type) -> u32 {
    match m.types[m.types.scalar(ty)] {
        TypeKind::Int(bits) => bits,
        TypeKind::Half => 16,
        TypeKind::Float => 32,
        TypeKind::Double => 64,
        _ => 0,
    }
}

/// The number of components of a vector, none for anything else.
pub(super) fn lanes(m: &Module, ty: Type) -> Option<u32> {
    match m.types[ty] {
        TypeKind::Vector { len, .. } => Some(len),
        _ => None,
    }
}

/// Whether it is an integer or a vector of them.
pub(super) fn is_int(m: &Module, ty: Type) -> bool {
    m.types.is_int(m.types.scalar(ty))
}

/// Whether it is a float or a vector of them.
pub(super) fn is_float(m: &Module, ty: Type) -> bool {
    m.types.is_float(m.types.scalar(ty))
}

/// Whether it is a pointer or a vector of them.
pub(super) fn is_pointer(m: &Module, ty: Type) -> bool {
    matches!(m.types[m.types.scalar(ty)], TypeKind::Pointer { .. })
}

/// Whether it is an `i1` or a vector of them.
pub(super) fn is_bool(m: &Module, ty: Type) -> bool {
    m.types[m.types.scalar(ty)] == TypeKind::Int(1)
}

/// Whether instructions can give values of it.
pub(super) fn is_first_class(m: &Module, ty: Type) -> bool {
    !matches!(m.types[ty], TypeKind::Void | TypeKind::Function { .. } | TypeKind::Named { body: None, .. })
}
