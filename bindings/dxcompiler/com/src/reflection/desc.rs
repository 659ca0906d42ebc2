//! The structures that reflection fills, field by field as Direct3D 12 has them. Strings belong to the reflection.
#![allow(missing_docs)] // What the fields are is in the documentation of Direct3D 12.

use std::ffi::c_char;

/// `D3D12_SHADER_DESC`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ShaderDesc {
    pub version: u32,
    pub creator: *const c_char,
    pub flags: u32,
    pub constant_buffers: u32,
    pub bound_resources: u32,
    pub input_parameters: u32,
    pub output_parameters: u32,
    pub counts: Counts,
    pub cut_instructions: u32,
    pub emit_instructions: u32,
    pub gs_output_topology: u32,
    pub gs_max_output_vertices: u32,
    pub input_primitive: u32,
    pub patch_constant_parameters: u32,
    pub gs_instances: u32,
    pub control_points: u32,
    pub hs_output_primitive: u32,
    pub hs_partitioning: u32,
    pub tessellator_domain: u32,
    pub barrier_instructions: u32,
    pub interlocked_instructions: u32,
    pub texture_store_instructions: u32,
}

/// The counters that shaders and functions have in common.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub instructions: u32,
    pub temp_registers: u32,
    pub temp_arrays: u32,
    pub defs: u32,
    pub dcls: u32,
    pub texture_normal: u32,
    pub texture_load: u32,
    pub texture_comp: u32,
    pub texture_bias: u32,
    pub texture_gradient: u32,
    pub floats: u32,
    pub ints: u32,
    pub uints: u32,
    pub static_flow_control: u32,
    pub dynamic_flow_control: u32,
    pub macros: u32,
    pub arrays: u32,
}

/// `D3D12_SHADER_INPUT_BIND_DESC`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BindingDesc {
    pub name: *const c_char,
    pub kind: u32,
    pub bind_point: u32,
    pub bind_count: u32,
    pub flags: u32,
    pub return_type: u32,
    pub dimension: u32,
    pub samples: u32,
    pub space: u32,
    pub id: u32,
}

/// `D3D12_SIGNATURE_PARAMETER_DESC`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ParameterDesc {
    pub semantic_name: *const c_char,
    pub semantic_index: u32,
    pub register: u32,
    pub system_value: u32,
    pub component: u32,
    pub mask: u8,
    pub read_write_mask: u8,
    pub stream: u32,
    pub min_precision: u32,
}

/// `D3D12_SHADER_BUFFER_DESC`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BufferDesc {
    pub name: *const c_char,
    pub kind: u32,
    pub variables: u32,
    pub size: u32,
    pub flags: u32,
}

/// `D3D12_SHADER_VARIABLE_DESC`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct VariableDesc {
    pub name: *const c_char,
    pub start_offset: u32,
    pub size: u32,
    pub flags: u32,
    pub default_value: *const u8,
    pub start_texture: u32,
    pub texture_size: u32,
    pub start_sampler: u32,
    pub sampler_size: u32,
}

/// `D3D12_SHADER_TYPE_DESC`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TypeDesc {
    pub class: u32,
    pub kind: u32,
    pub rows: u32,
    pub columns: u32,
    pub elements: u32,
    pub members: u32,
    pub offset: u32,
    pub name: *const c_char,
}

/// `D3D12_LIBRARY_DESC`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LibraryDesc {
    pub creator: *const c_char,
    pub flags: u32,
    pub functions: u32,
}

/// `D3D12_FUNCTION_DESC`. Truth values have one byte in some headers and four in others, which are larger by the difference.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct FunctionDesc {
    pub version: u32,
    pub creator: *const c_char,
    pub flags: u32,
    pub constant_buffers: u32,
    pub bound_resources: u32,
    pub counts: Counts,
    pub mov_instructions: u32,
    pub movc_instructions: u32,
    pub conversion_instructions: u32,
    pub bitwise_instructions: u32,
    pub min_feature_level: u32,
    pub required_features: u64,
    pub name: *const c_char,
    pub parameters: i32,
    pub has_return: bool,
    pub has_level9_vertex_shader: bool,
    pub has_level9_pixel_shader: bool,
}

// The layouts that clients have, on 64-bit systems.
#[cfg(target_pointer_width = "64")]
const _: () = {
    assert!(size_of::<ShaderDesc>() == 160 && std::mem::offset_of!(ShaderDesc, gs_output_topology) == 112);
    assert!(std::mem::offset_of!(ShaderDesc, hs_output_primitive) == 136);
    assert!(size_of::<BindingDesc>() == 48 && size_of::<ParameterDesc>() == 40 && size_of::<BufferDesc>() == 24);
    assert!(std::mem::offset_of!(ParameterDesc, stream) == 28 && size_of::<VariableDesc>() == 48 && size_of::<TypeDesc>() == 40);
    assert!(size_of::<LibraryDesc>() == 16 && size_of::<FunctionDesc>() == 144);
    assert!(std::mem::offset_of!(FunctionDesc, min_feature_level) == 112 && std::mem::offset_of!(FunctionDesc, has_return) == 140);
};
