//! The reflection of a library: its functions, with the resources that each uses.
#![allow(unsafe_code)] // Places and strings of clients.

use std::ffi::{CString, c_void};
use std::sync::{Arc, LazyLock};

use super::desc::*;
use super::interfaces::*;
use super::module::{Function, Reflected};
use super::nodes::{describe, no_buffer, no_parameter, no_variable, text};
use super::shader::Resources;
use crate::base::guard::Raw;
use crate::base::hresult::{E_FAIL, E_INVALIDARG, HResult};
use crate::base::interface::Interface;
use crate::base::object::{Class, FaceInfo, Owned};
use crate::base::reference::Ref;

/// A library.
pub struct LibraryReflection {
    functions: Vec<Owned<FunctionNode>>,
}

impl Class for LibraryReflection {
    const FACES: &'static [FaceInfo] =
        &[FaceInfo::new(&ID3D12LibraryReflection::of::<LibraryReflection>(), &[ID3D12LibraryReflection::IID])];
}

/// The reflection of a library, as a reference that the caller owns.
pub fn create(mut data: Reflected) -> *mut c_void {
    let resources = Arc::new(Resources::take(&mut data));
    let functions = std::mem::take(&mut data.functions).into_iter();
    let functions = functions
        .map(|f| {
            let (version, name, resources) = (data.version(f.kind), text(&f.name), resources.clone());
            Owned::new(FunctionNode { data: Some(FunctionData { function: f, version, resources }), name })
        })
        .collect();
    Ref::<ID3D12LibraryReflection>::new(LibraryReflection { functions }).give()
}

impl ID3D12LibraryReflectionMethods for LibraryReflection {
    unsafe fn get_desc(&self, desc: *mut LibraryDesc) -> HResult {
        let filled = LibraryDesc { creator: std::ptr::null(), flags: 0, functions: self.functions.len() as u32 };
        // SAFETY: the client's place.
        unsafe { describe(desc, filled) }
    }

    unsafe fn get_function_by_index(&self, index: i32) -> Raw {
        static NONE: LazyLock<Owned<FunctionNode>> = LazyLock::new(|| Owned::new(FunctionNode { data: None, name: CString::default() }));
        let function = usize::try_from(index).ok().and_then(|n| self.functions.get(n));
        function.map_or_else(|| NONE.raw(), Owned::raw)
    }
}

struct FunctionData {
    function: Function,
    version: u32,
    resources: Arc<Resources>,
}

/// A function; without data, the one that is not there.
pub struct FunctionNode {
    data: Option<FunctionData>,
    name: CString,
}

impl Class for FunctionNode {
    const FACES: &'static [FaceInfo] = &[FaceInfo::new(&ID3D12FunctionReflection::of::<FunctionNode>(), &[])];
}

impl ID3D12FunctionReflectionMethods for FunctionNode {
    unsafe fn get_desc(&self, desc: *mut FunctionDesc) -> HResult {
        let Some(d) = &self.data else { return E_FAIL };
        let filled = FunctionDesc {
            version: d.version,
            creator: std::ptr::null(),
            flags: 0,
            constant_buffers: d.function.buffers.len() as u32,
            bound_resources: d.function.bindings.len() as u32,
            counts: Counts::default(),
            mov_instructions: 0,
            movc_instructions: 0,
            conversion_instructions: 0,
            bitwise_instructions: 0,
            min_feature_level: 0,
            required_features: d.function.features,
            name: self.name.as_ptr(),
            parameters: 0,
            has_return: false,
            has_level9_vertex_shader: false,
            has_level9_pixel_shader: false,
        };
        // SAFETY: the client's place.
        unsafe { describe(desc, filled) }
    }

    unsafe fn get_constant_buffer_by_index(&self, index: u32) -> Raw {
        let buffer = self.data.as_ref().and_then(|d| d.resources.buffers.get(*d.function.buffers.get(index as usize)?));
        buffer.map_or_else(no_buffer, Owned::raw)
    }

    unsafe fn get_constant_buffer_by_name(&self, name: Text) -> Raw {
        // SAFETY: the client's string.
        self.data.as_ref().map_or_else(no_buffer, |d| unsafe { d.resources.buffer(name) })
    }

    unsafe fn get_resource_binding_desc(&self, index: u32, desc: *mut BindingDesc) -> HResult {
        let Some(d) = &self.data else { return E_FAIL };
        let Some(&binding) = d.function.bindings.get(index as usize) else { return E_INVALIDARG };
        // SAFETY: the client's place.
        unsafe { d.resources.binding(binding, desc) }
    }

    unsafe fn get_variable_by_name(&self, name: Text) -> Raw {
        // SAFETY: the client's string.
        self.data.as_ref().map_or_else(no_variable, |d| unsafe { d.resources.variable(name) })
    }

    unsafe fn get_resource_binding_desc_by_name(&self, name: Text, desc: *mut BindingDesc) -> HResult {
        let Some(d) = &self.data else { return E_FAIL };
        // SAFETY: the client's string and place.
        unsafe { d.resources.binding_named(0..d.resources.count(), name, desc) }
    }

    unsafe fn get_function_parameter(&self, _: i32) -> Raw {
        no_parameter()
    }
}
