//! The reflection of a shader.
#![allow(unsafe_code)] // Places and strings of clients.

use std::ffi::{CString, c_void};

use rtc_dxil_container::ShaderKind;
use rtc_dxil_container::metadata::pipeline::PipelineState;
use rtc_tables::pipeline::InputPrimitive;

use super::bindings::Binding;
use super::desc::*;
use super::interfaces::*;
use super::module::Reflected;
use super::nodes::{BufferNode, describe, is, no_buffer, no_variable, text};
use super::parameters::Parameter;
use crate::base::guard::Raw;
use crate::base::hresult::{E_INVALIDARG, E_NOT_FOUND, E_POINTER, HResult};
use crate::base::interface::Interface;
use crate::base::object::{Class, FaceInfo, Owned};
use crate::base::reference::Ref;
use crate::interfaces::Bool;
use crate::out::put;

/// `D3D_FEATURE_LEVEL_12_0`.
const FEATURE_LEVEL_12_0: u32 = 0xc000;

/// Buffers and bindings, which shaders and libraries have in common.
pub struct Resources {
    /// The buffers.
    pub buffers: Vec<Owned<BufferNode>>,
    bindings: Vec<(CString, Binding)>,
}

impl Resources {
    /// Takes them out of what was read.
    pub fn take(reflected: &mut Reflected) -> Resources {
        Resources {
            buffers: std::mem::take(&mut reflected.buffers).into_iter().map(BufferNode::create).collect(),
            bindings: std::mem::take(&mut reflected.bindings).into_iter().map(|b| (text(&b.name), b)).collect(),
        }
    }

    /// The number of bindings.
    pub fn count(&self) -> usize {
        self.bindings.len()
    }

    /// The buffer of this name, or the one that is not there. Of two the constant buffer is meant.
    ///
    /// # Safety
    /// The name is null or ends in NUL.
    pub unsafe fn buffer(&self, name: Text) -> Raw {
        // SAFETY: the caller's contract.
        self.buffers.iter().find(|b| unsafe { b.is_named(name) }).map_or_else(no_buffer, Owned::raw)
    }

    /// The variable of this name of any buffer, or the one that is not there.
    ///
    /// # Safety
    /// The name is null or ends in NUL.
    pub unsafe fn variable(&self, name: Text) -> Raw {
        // SAFETY: the caller's contract.
        self.buffers.iter().find_map(|b| unsafe { b.variable(name) }).unwrap_or_else(no_variable)
    }

    /// Describes a binding.
    ///
    /// # Safety
    /// The place is null or valid.
    pub unsafe fn binding(&self, index: usize, desc: *mut BindingDesc) -> HResult {
        let Some((name, b)) = self.bindings.get(index).filter(|_| !desc.is_null()) else { return E_INVALIDARG };
        let filled = BindingDesc {
            name: name.as_ptr(),
            kind: b.kind,
            bind_point: b.register,
            bind_count: b.count,
            flags: b.flags,
            return_type: b.return_type,
            dimension: b.dimension,
            samples: b.samples,
            space: b.space,
            id: b.id,
        };
        // SAFETY: the place is not null.
        unsafe { put(desc, filled) }
    }

    /// Describes the binding of this name, of those with these positions.
    ///
    /// # Safety
    /// The name is null or ends in NUL; the place is null or valid.
    pub unsafe fn binding_named(&self, mut among: impl Iterator<Item = usize>, name: Text, desc: *mut BindingDesc) -> HResult {
        if name.is_null() || desc.is_null() {
            return E_INVALIDARG;
        }
        // SAFETY: the name ends in NUL.
        let found = among.find(|&n| self.bindings.get(n).is_some_and(|(other, _)| unsafe { is(name, other) }));
        // SAFETY: the place is not null.
        found.map_or(E_NOT_FOUND, |n| unsafe { self.binding(n, desc) })
    }
}

/// A shader.
pub struct ShaderReflection {
    data: Reflected,
    creator: Option<CString>,
    resources: Resources,
    parameters: [Vec<(CString, Parameter)>; 3],
}

impl Class for ShaderReflection {
    const FACES: &'static [FaceInfo] = &[FaceInfo::new(&ID3D12ShaderReflection::of::<ShaderReflection>(), &[ID3D12ShaderReflection::IID])];
}

/// The reflection of a shader, as a reference that the caller owns.
pub fn create(mut data: Reflected) -> *mut c_void {
    let resources = Resources::take(&mut data);
    let parameters = std::mem::take(&mut data.parameters).map(|list| list.into_iter().map(|p| (text(&p.name), p)).collect());
    let creator = data.creator.as_deref().map(text);
    Ref::<ID3D12ShaderReflection>::new(ShaderReflection { data, creator, resources, parameters }).give()
}

impl ShaderReflection {
    /// Describes a parameter of a signature.
    unsafe fn parameter(&self, signature: usize, index: u32, desc: *mut ParameterDesc) -> HResult {
        let parameter = self.parameters[signature].get(index as usize);
        let Some((name, p)) = parameter.filter(|_| !desc.is_null()) else { return E_INVALIDARG };
        let filled = ParameterDesc {
            semantic_name: name.as_ptr(),
            semantic_index: p.index,
            register: p.register,
            system_value: p.system_value,
            component: p.component,
            mask: p.mask,
            read_write_mask: p.read_write_mask,
            stream: p.stream,
            min_precision: p.min_precision,
        };
        // SAFETY: the place is not null.
        unsafe { put(desc, filled) }
    }

    fn input_primitive(&self) -> u32 {
        match self.data.state {
            Some(PipelineState::Geometry { primitive, .. }) => primitive.map_or(0, InputPrimitive::number),
            // 8 is a patch of one control point.
            Some(PipelineState::Hull { input_points, .. }) => input_points + 7,
            _ if self.data.kind == ShaderKind::Hull => 7,
            _ => 0,
        }
    }

    fn desc(&self) -> ShaderDesc {
        let d = &self.data;
        let n = |name| d.counter(name);
        let state = d.state;
        let geometry = match state {
            Some(PipelineState::Geometry { max_vertices, topology, instances, .. }) => [topology as u32, max_vertices, instances],
            _ => [0; 3],
        };
        let (output, partitioning, points) = match state {
            Some(PipelineState::Hull { output, partitioning, output_points, .. }) => (output as u32, partitioning as u32, output_points),
            Some(PipelineState::Domain { input_points, .. }) => (0, 0, input_points),
            _ => (0, 0, 0),
        };
        ShaderDesc {
            version: d.version(d.kind),
            creator: self.creator.as_ref().map_or(std::ptr::null(), |c| c.as_ptr()),
            flags: 0,
            constant_buffers: self.resources.buffers.len() as u32,
            bound_resources: self.resources.count() as u32,
            input_parameters: self.parameters[0].len() as u32,
            output_parameters: self.parameters[1].len() as u32,
            counts: Counts {
                instructions: n("insts"),
                temp_arrays: n("array_local_bytes") + n("array_static_bytes") + n("array_tgsm_bytes"),
                texture_normal: n("tex_norm"),
                texture_load: n("tex_load"),
                texture_comp: n("tex_cmp"),
                texture_bias: n("tex_bias"),
                texture_gradient: n("tex_grad"),
                floats: n("floats"),
                ints: n("ints"),
                uints: n("uints"),
                dynamic_flow_control: n("branches"),
                arrays: n("array_local_ldst") + n("array_static_ldst") + n("array_tgsm_ldst"),
                ..Counts::default()
            },
            cut_instructions: n("gs_cut"),
            emit_instructions: n("gs_emit"),
            gs_output_topology: geometry[0],
            gs_max_output_vertices: geometry[1],
            input_primitive: self.input_primitive(),
            patch_constant_parameters: self.parameters[2].len() as u32,
            gs_instances: geometry[2],
            control_points: points,
            hs_output_primitive: output,
            hs_partitioning: partitioning,
            tessellator_domain: state.as_ref().and_then(PipelineState::domain).map_or(0, |d| d as u32),
            barrier_instructions: n("barrier"),
            interlocked_instructions: n("atomic"),
            texture_store_instructions: n("tex_store"),
        }
    }
}

impl ID3D12ShaderReflectionMethods for ShaderReflection {
    unsafe fn get_desc(&self, desc: *mut ShaderDesc) -> HResult {
        // SAFETY: the client's place.
        unsafe { describe(desc, self.desc()) }
    }

    unsafe fn get_constant_buffer_by_index(&self, index: u32) -> Raw {
        self.resources.buffers.get(index as usize).map_or_else(no_buffer, Owned::raw)
    }

    unsafe fn get_constant_buffer_by_name(&self, name: Text) -> Raw {
        // SAFETY: the client's string.
        unsafe { self.resources.buffer(name) }
    }

    unsafe fn get_resource_binding_desc(&self, index: u32, desc: *mut BindingDesc) -> HResult {
        // SAFETY: the client's place.
        unsafe { self.resources.binding(index as usize, desc) }
    }

    unsafe fn get_input_parameter_desc(&self, index: u32, desc: *mut ParameterDesc) -> HResult {
        // SAFETY: the client's place.
        unsafe { self.parameter(0, index, desc) }
    }

    unsafe fn get_output_parameter_desc(&self, index: u32, desc: *mut ParameterDesc) -> HResult {
        // SAFETY: the client's place.
        unsafe { self.parameter(1, index, desc) }
    }

    unsafe fn get_patch_constant_parameter_desc(&self, index: u32, desc: *mut ParameterDesc) -> HResult {
        // SAFETY: the client's place.
        unsafe { self.parameter(2, index, desc) }
    }

    unsafe fn get_variable_by_name(&self, name: Text) -> Raw {
        // SAFETY: the client's string.
        unsafe { self.resources.variable(name) }
    }

    unsafe fn get_resource_binding_desc_by_name(&self, name: Text, desc: *mut BindingDesc) -> HResult {
        // SAFETY: the client's string and place.
        unsafe { self.resources.binding_named(0..self.resources.count(), name, desc) }
    }

    unsafe fn get_mov_instruction_count(&self) -> u32 {
        0
    }

    unsafe fn get_movc_instruction_count(&self) -> u32 {
        0
    }

    unsafe fn get_conversion_instruction_count(&self) -> u32 {
        0
    }

    unsafe fn get_bitwise_instruction_count(&self) -> u32 {
        0
    }

    unsafe fn get_gs_input_primitive(&self) -> u32 {
        if self.data.kind == ShaderKind::Geometry { self.input_primitive() } else { 0 }
    }

    unsafe fn is_sample_frequency_shader(&self) -> Bool {
        0
    }

    unsafe fn get_num_interface_slots(&self) -> u32 {
        0
    }

    unsafe fn get_min_feature_level(&self, level: *mut u32) -> HResult {
        if level.is_null() {
            return E_POINTER;
        }
        // SAFETY: the place is not null.
        unsafe { put(level, FEATURE_LEVEL_12_0) }
    }

    unsafe fn get_thread_group_size(&self, x: *mut u32, y: *mut u32, z: *mut u32) -> u32 {
        for (place, n) in [x, y, z].into_iter().zip(self.data.threads) {
            // SAFETY: null or the client's place.
            unsafe { put(place, n) };
        }
        self.data.threads.iter().fold(1, |all, n| all.wrapping_mul(*n))
    }

    unsafe fn get_requires_flags(&self) -> u64 {
        self.data.features
    }
}
