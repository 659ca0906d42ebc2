//! Buffers, variables and types as objects. They are not counted; a place that has no object gives one that knows nothing.
#![allow(unsafe_code)] // Places and strings of clients.

use std::ffi::{CStr, CString, c_char};
use std::sync::{LazyLock, OnceLock};

use super::buffers::{Buffer, Variable};
use super::desc::*;
use super::interfaces::*;
use super::types::VariableType;
use crate::base::guard::Raw;
use crate::base::hresult::{E_FAIL, E_POINTER, HResult, S_FALSE};
use crate::base::object::{Class, FaceInfo, Owned};
use crate::out::put;

/// A variable that the code reads.
const USED: u32 = 2;

/// A text with a NUL; what follows a NUL inside of it is left out.
pub fn text(text: &str) -> CString {
    let bytes: Vec<u8> = text.bytes().take_while(|b| *b != 0).collect();
    CString::new(bytes).unwrap_or_default()
}

/// Whether a client's string is `text`; null is none.
///
/// # Safety
/// The string is null or ends in NUL.
pub unsafe fn is(string: *const c_char, text: &CStr) -> bool {
    // SAFETY: the string is not null, so it ends in NUL.
    !string.is_null() && unsafe { CStr::from_ptr(string) } == text
}

/// Writes a description to a client's place.
///
/// # Safety
/// The place is null or valid.
pub unsafe fn describe<T>(place: *mut T, desc: T) -> HResult {
    if place.is_null() {
        return E_POINTER;
    }
    // SAFETY: the place is not null.
    unsafe { put(place, desc) }
}

/// A type; without data, the one that is not there.
pub struct TypeNode {
    data: Option<VariableType>,
    name: CString,
    members: Vec<(CString, Owned<TypeNode>)>,
}

impl Class for TypeNode {
    const FACES: &'static [FaceInfo] = &[FaceInfo::new(&ID3D12ShaderReflectionType::of::<TypeNode>(), &[])];
}

impl TypeNode {
    fn new(mut data: VariableType) -> TypeNode {
        let members = std::mem::take(&mut data.members);
        let members = members.into_iter().map(|(name, ty)| (text(&name), Owned::new(TypeNode::new(ty)))).collect();
        TypeNode { name: text(&data.name), data: Some(data), members }
    }
}

/// The type that is not there.
static NO_TYPE: LazyLock<Owned<TypeNode>> =
    LazyLock::new(|| Owned::new(TypeNode { data: None, name: CString::default(), members: Vec::new() }));
/// The variable that is not there.
static NO_VARIABLE: LazyLock<Owned<VariableNode>> = LazyLock::new(|| Owned::new(VariableNode::missing()));
/// The buffer that is not there.
static NO_BUFFER: LazyLock<Owned<BufferNode>> =
    LazyLock::new(|| Owned::new(BufferNode { data: None, name: CString::default(), variables: Vec::new() }));

/// The buffer that is not there.
pub fn no_buffer() -> Raw {
    NO_BUFFER.raw()
}

/// The variable that is not there.
pub fn no_variable() -> Raw {
    NO_VARIABLE.raw()
}

impl TypeMethods for TypeNode {
    unsafe fn get_desc(&self, desc: *mut TypeDesc) -> HResult {
        let Some(t) = &self.data else { return E_FAIL };
        let filled = TypeDesc {
            class: t.class,
            kind: t.kind,
            rows: t.rows,
            columns: t.columns,
            elements: t.elements,
            members: t.member_count,
            offset: t.offset,
            name: self.name.as_ptr(),
        };
        // SAFETY: the client's place.
        unsafe { describe(desc, filled) }
    }

    unsafe fn get_member_type_by_index(&self, index: u32) -> Raw {
        self.members.get(index as usize).map_or_else(|| NO_TYPE.raw(), |(_, ty)| ty.raw())
    }

    unsafe fn get_member_type_by_name(&self, name: Text) -> Raw {
        if self.data.is_none() {
            return NO_TYPE.raw();
        }
        // SAFETY: the client's string.
        let found = self.members.iter().find(|(member, _)| unsafe { is(name, member) });
        found.map_or(std::ptr::null_mut(), |(_, ty)| ty.raw())
    }

    unsafe fn get_member_type_name(&self, index: u32) -> Text {
        match self.members.get(index as usize) {
            Some((name, _)) => name.as_ptr(),
            None if self.data.is_none() => c"$Invalid".as_ptr(),
            None => std::ptr::null(),
        }
    }

    unsafe fn is_equal(&self, _: Raw) -> HResult {
        if self.data.is_some() { S_FALSE } else { E_FAIL }
    }

    unsafe fn get_sub_type(&self) -> Raw {
        if self.data.is_some() { std::ptr::null_mut() } else { NO_TYPE.raw() }
    }

    unsafe fn get_base_class(&self) -> Raw {
        if self.data.is_some() { std::ptr::null_mut() } else { NO_TYPE.raw() }
    }

    unsafe fn get_num_interfaces(&self) -> u32 {
        0
    }

    unsafe fn get_interface_by_index(&self, _: u32) -> Raw {
        if self.data.is_some() { std::ptr::null_mut() } else { NO_TYPE.raw() }
    }

    unsafe fn is_of_type(&self, _: Raw) -> HResult {
        if self.data.is_some() { S_FALSE } else { E_FAIL }
    }

    unsafe fn implements_interface(&self, _: Raw) -> HResult {
        if self.data.is_some() { S_FALSE } else { E_FAIL }
    }
}

/// A variable; without a type, the one that is not there.
pub struct VariableNode {
    data: Variable,
    name: CString,
    ty: Option<Owned<TypeNode>>,
    /// The address of the buffer's object, which owns this one.
    buffer: OnceLock<usize>,
}

impl Class for VariableNode {
    const FACES: &'static [FaceInfo] = &[FaceInfo::new(&ID3D12ShaderReflectionVariable::of::<VariableNode>(), &[])];
}

impl VariableNode {
    fn new(mut data: Variable) -> VariableNode {
        let ty = Some(Owned::new(TypeNode::new(std::mem::take(&mut data.ty))));
        VariableNode { name: text(&data.name), data, ty, buffer: OnceLock::new() }
    }

    fn missing() -> VariableNode {
        VariableNode { data: Variable::default(), name: CString::default(), ty: None, buffer: OnceLock::new() }
    }
}

impl VariableMethods for VariableNode {
    unsafe fn get_desc(&self, desc: *mut VariableDesc) -> HResult {
        if self.ty.is_none() {
            return E_FAIL;
        }
        let none = if self.data.no_objects { u32::MAX } else { 0 };
        let filled = VariableDesc {
            name: self.name.as_ptr(),
            start_offset: self.data.offset,
            size: self.data.size,
            flags: if self.data.used { USED } else { 0 },
            default_value: std::ptr::null(),
            start_texture: none,
            texture_size: 0,
            start_sampler: none,
            sampler_size: 0,
        };
        // SAFETY: the client's place.
        unsafe { describe(desc, filled) }
    }

    unsafe fn get_type(&self) -> Raw {
        self.ty.as_ref().map_or_else(|| NO_TYPE.raw(), Owned::raw)
    }

    unsafe fn get_buffer(&self) -> Raw {
        self.buffer.get().map_or_else(no_buffer, |address| std::ptr::with_exposed_provenance_mut(*address))
    }

    unsafe fn get_interface_slot(&self, _: u32) -> u32 {
        u32::MAX
    }
}

/// A buffer; without data, the one that is not there.
pub struct BufferNode {
    data: Option<Buffer>,
    name: CString,
    variables: Vec<Owned<VariableNode>>,
}

impl Class for BufferNode {
    const FACES: &'static [FaceInfo] = &[FaceInfo::new(&ID3D12ShaderReflectionConstantBuffer::of::<BufferNode>(), &[])];
}

impl BufferNode {
    /// The object of a buffer.
    pub fn create(mut data: Buffer) -> Owned<BufferNode> {
        let variables = std::mem::take(&mut data.variables);
        let variables = variables.into_iter().map(|v| Owned::new(VariableNode::new(v))).collect();
        let node = Owned::new(BufferNode { name: text(&data.name), data: Some(data), variables });
        for variable in &node.variables {
            // A new variable has no buffer yet.
            _ = variable.buffer.set(node.raw().expose_provenance());
        }
        node
    }

    /// The variable of this name.
    ///
    /// # Safety
    /// The name is null or ends in NUL.
    pub unsafe fn variable(&self, name: Text) -> Option<Raw> {
        // SAFETY: the caller's contract.
        self.variables.iter().find(|v| unsafe { is(name, &v.name) }).map(Owned::raw)
    }

    /// Whether the buffer has this name.
    ///
    /// # Safety
    /// The name is null or ends in NUL.
    pub unsafe fn is_named(&self, name: Text) -> bool {
        // SAFETY: the caller's contract.
        unsafe { is(name, &self.name) }
    }
}

impl ConstantBufferMethods for BufferNode {
    unsafe fn get_desc(&self, desc: *mut BufferDesc) -> HResult {
        let Some(b) = &self.data else { return E_FAIL };
        let variables = self.variables.len() as u32;
        // SAFETY: the client's place.
        unsafe { describe(desc, BufferDesc { name: self.name.as_ptr(), kind: b.kind, variables, size: b.size, flags: 0 }) }
    }

    unsafe fn get_variable_by_index(&self, index: u32) -> Raw {
        self.variables.get(index as usize).map_or_else(no_variable, Owned::raw)
    }

    unsafe fn get_variable_by_name(&self, name: Text) -> Raw {
        // SAFETY: the client's string.
        unsafe { self.variable(name) }.unwrap_or_else(no_variable)
    }
}

/// A parameter of a function, of which nothing is known.
pub struct NoParameter;

impl Class for NoParameter {
    const FACES: &'static [FaceInfo] = &[FaceInfo::new(&ID3D12FunctionParameterReflection::of::<NoParameter>(), &[])];
}

impl ID3D12FunctionParameterReflectionMethods for NoParameter {
    unsafe fn get_desc(&self, _: Raw) -> HResult {
        E_FAIL
    }
}

/// The parameter that is not there.
pub fn no_parameter() -> Raw {
    static NONE: LazyLock<Owned<NoParameter>> = LazyLock::new(|| Owned::new(NoParameter));
    NONE.raw()
}
