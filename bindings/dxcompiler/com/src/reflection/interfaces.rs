//! The interfaces of reflection, slot by slot. Those without a base are not counted: their objects live as long as the reflection.
#![allow(unsafe_code)] // The functions of the tables.

use std::ffi::c_char;

use crate::base::guard::Raw;
use crate::base::hresult::HResult;
use crate::base::interface::{IUnknown, NoBase};
use crate::base::object::Class;
use crate::interfaces;
use crate::interfaces::Bool;
use crate::reflection::desc::*;

/// A string with a NUL.
pub type Text = *const c_char;

interfaces! {
    /// A shader.
    ID3D12ShaderReflection, ID3D12ShaderReflectionMethods: IUnknown, Class = "5a58797d-a72c-478d-8ba2-efc6b0efe88e" {
        GetDesc = get_desc(desc: *mut ShaderDesc) -> HResult;
        GetConstantBufferByIndex = get_constant_buffer_by_index(index: u32) -> Raw;
        GetConstantBufferByName = get_constant_buffer_by_name(name: Text) -> Raw;
        GetResourceBindingDesc = get_resource_binding_desc(index: u32, desc: *mut BindingDesc) -> HResult;
        GetInputParameterDesc = get_input_parameter_desc(index: u32, desc: *mut ParameterDesc) -> HResult;
        GetOutputParameterDesc = get_output_parameter_desc(index: u32, desc: *mut ParameterDesc) -> HResult;
        GetPatchConstantParameterDesc = get_patch_constant_parameter_desc(index: u32, desc: *mut ParameterDesc) -> HResult;
        GetVariableByName = get_variable_by_name(name: Text) -> Raw;
        GetResourceBindingDescByName = get_resource_binding_desc_by_name(name: Text, desc: *mut BindingDesc) -> HResult;
        GetMovInstructionCount = get_mov_instruction_count() -> u32;
        GetMovcInstructionCount = get_movc_instruction_count() -> u32;
        GetConversionInstructionCount = get_conversion_instruction_count() -> u32;
        GetBitwiseInstructionCount = get_bitwise_instruction_count() -> u32;
        GetGSInputPrimitive = get_gs_input_primitive() -> u32;
        IsSampleFrequencyShader = is_sample_frequency_shader() -> Bool;
        GetNumInterfaceSlots = get_num_interface_slots() -> u32;
        GetMinFeatureLevel = get_min_feature_level(level: *mut u32) -> HResult;
        GetThreadGroupSize = get_thread_group_size(x: *mut u32, y: *mut u32, z: *mut u32) -> u32;
        GetRequiresFlags = get_requires_flags() -> u64;
    }
    /// A library.
    ID3D12LibraryReflection, ID3D12LibraryReflectionMethods: IUnknown, Class = "8e349d19-54db-4a56-9dc9-119d87bdb804" {
        GetDesc = get_desc(desc: *mut LibraryDesc) -> HResult;
        GetFunctionByIndex = get_function_by_index(index: i32) -> Raw;
    }
    /// A function of a library.
    ID3D12FunctionReflection, ID3D12FunctionReflectionMethods: NoBase, Class = "1108795c-2772-4ba9-b2a8-d464dc7e2799" {
        GetDesc = get_desc(desc: *mut FunctionDesc) -> HResult;
        GetConstantBufferByIndex = get_constant_buffer_by_index(index: u32) -> Raw;
        GetConstantBufferByName = get_constant_buffer_by_name(name: Text) -> Raw;
        GetResourceBindingDesc = get_resource_binding_desc(index: u32, desc: *mut BindingDesc) -> HResult;
        GetVariableByName = get_variable_by_name(name: Text) -> Raw;
        GetResourceBindingDescByName = get_resource_binding_desc_by_name(name: Text, desc: *mut BindingDesc) -> HResult;
        GetFunctionParameter = get_function_parameter(index: i32) -> Raw;
    }
    /// A parameter of a function.
    ID3D12FunctionParameterReflection, ID3D12FunctionParameterReflectionMethods: NoBase, Class
        = "ec25f42d-7006-4f2b-b33e-02cc3375733f" {
        GetDesc = get_desc(desc: Raw) -> HResult;
    }
    /// A constant buffer, or what a structured buffer has in it.
    ID3D12ShaderReflectionConstantBuffer, ConstantBufferMethods: NoBase, Class = "c59598b4-48b3-4869-b9b1-b1618b14a8b7" {
        GetDesc = get_desc(desc: *mut BufferDesc) -> HResult;
        GetVariableByIndex = get_variable_by_index(index: u32) -> Raw;
        GetVariableByName = get_variable_by_name(name: Text) -> Raw;
    }
    /// A variable of a buffer.
    ID3D12ShaderReflectionVariable, VariableMethods: NoBase, Class = "8337a8a6-a216-444a-b2f4-314733a73aea" {
        GetDesc = get_desc(desc: *mut VariableDesc) -> HResult;
        GetType = get_type() -> Raw;
        GetBuffer = get_buffer() -> Raw;
        GetInterfaceSlot = get_interface_slot(index: u32) -> u32;
    }
    /// A type.
    ID3D12ShaderReflectionType, TypeMethods: NoBase, Class = "e913c351-783d-48ca-a1d1-4f306284ad56" {
        GetDesc = get_desc(desc: *mut TypeDesc) -> HResult;
        GetMemberTypeByIndex = get_member_type_by_index(index: u32) -> Raw;
        GetMemberTypeByName = get_member_type_by_name(name: Text) -> Raw;
        GetMemberTypeName = get_member_type_name(index: u32) -> Text;
        IsEqual = is_equal(other: Raw) -> HResult;
        GetSubType = get_sub_type() -> Raw;
        GetBaseClass = get_base_class() -> Raw;
        GetNumInterfaces = get_num_interfaces() -> u32;
        GetInterfaceByIndex = get_interface_by_index(index: u32) -> Raw;
        IsOfType = is_of_type(other: Raw) -> HResult;
        ImplementsInterface = implements_interface(base: Raw) -> HResult;
    }
}
