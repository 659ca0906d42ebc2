/*
 * librtcrt: ray-tracing packages of rtc on the Vulkan device of the caller. Generated from bindings/c-engine/src; do not edit.
 *
 * It needs neither a Vulkan loader nor vulkan.h: the caller gives vkGetInstanceProcAddr. Handles of Vulkan are `void *` where vulkan.h has
 * pointers on every machine (VkInstance, VkPhysicalDevice, VkDevice, VkCommandBuffer) and `uint64_t` where it has not; enumerations and
 * flags are `uint32_t`.
 *
 * Objects are opaque handles that the caller frees; NULL may be freed. An object keeps what it was made from, so that the order of freeing is
 * free, but one that the device uses must not be freed. What a function returns by pointer belongs to the object that it comes from and
 * lives as long as it. Text is UTF-8; texts that are arguments end with a zero byte.
 *
 * A function that can fail returns a status; its last argument, unless it is NULL, is set to the error, which has a message, or to NULL if
 * there is none. After an error nothing was made and nothing was recorded. Structures with a member `size` have `sizeof` of them in it.
 *
 * Objects may be used by several threads at once, except that none must be used while or after it is freed. Of those that functions
 * change, a second thread gets RTCRT_STATUS_BUSY.
 */

#ifndef RTCRT_H
#define RTCRT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The number of the binary interface. A program was built for the library that it runs with if `rtcrt_abi_version()` returns it.
#define RTCRT_ABI_VERSION 1

// A use: collections and additions, which are pipeline libraries.
#define RTCRT_USE_PIPELINE_LIBRARIES 1

// A use: indirect dispatches whose arguments are sizes.
#define RTCRT_USE_INDIRECT_SIZES 2

// A use: indirect dispatches whose arguments are sizes and shader tables, as D3D12 has them.
#define RTCRT_USE_INDIRECT_TABLES 4

// A use: indirect dispatches that the device counts, as `ExecuteIndirect` does.
#define RTCRT_USE_INDIRECT_COUNT 8

// A use: layouts and descriptors of `rtcrt_layout_for_descriptor_buffers`.
#define RTCRT_USE_DESCRIPTOR_BUFFERS 16

// A use: `rtcrt_wavefront_*`, which sort rays between the stages of divided shaders.
#define RTCRT_USE_WAVEFRONT 32

// A use: builds whose numbers of primitives the device reads.
#define RTCRT_USE_INDIRECT_BUILDS 256

// A use: builds and copies on the host.
#define RTCRT_USE_HOST_BUILDS 512

// A use: questions about current sizes, and about pointers in serialised structures.
#define RTCRT_USE_CURRENT_SIZES 1024

// A use: shaders read vertex positions of hits.
#define RTCRT_USE_POSITIONS 2048

// A use: opacity micromaps.
#define RTCRT_USE_MICROMAPS 4096

// A use: clustered geometry.
#define RTCRT_USE_CLUSTERS 8192

// A use: partitioned top-level structures.
#define RTCRT_USE_PARTITIONS 16384

// Bytes that `rtcrt_wavefront_copy_progress` writes.
#define RTCRT_WAVEFRONT_PROGRESS_SIZE 16

// The outcome of a function.
typedef enum rtcrt_status {
  // Success.
  RTCRT_STATUS_OK = 0,
  // An argument of the call is not valid: a null pointer, an unknown number, text that is not UTF-8.
  RTCRT_STATUS_INVALID_ARGUMENT = 1,
  // A package: truncated, damaged, without a part that is needed.
  RTCRT_STATUS_PACKAGE = 2,
  // A state object: a hit group without its shader, conflicting associations, a name that nothing exports.
  RTCRT_STATUS_STATE_OBJECT = 3,
  // An object of another device.
  RTCRT_STATUS_OTHER_DEVICE = 4,
  // Something that does not fit: a record, an address, a structure that is too small.
  RTCRT_STATUS_BINDING = 5,
  // The device cannot do it: a limit, or a feature or extension that is off.
  RTCRT_STATUS_LIMIT = 6,
  // The device or its driver failed.
  RTCRT_STATUS_DEVICE = 7,
  // A file could not be read or written.
  RTCRT_STATUS_IO = 8,
  // Another thread uses the object, or it is given twice in one call.
  RTCRT_STATUS_BUSY = 9,
  // A mistake of the library; the message says what to report.
  RTCRT_STATUS_INTERNAL = 10,
  // The device or its driver has no memory left; with more, the same call may succeed.
  RTCRT_STATUS_OUT_OF_MEMORY = 11,
  // The device is lost: everything on it is to be freed and made again on a new one.
  RTCRT_STATUS_DEVICE_LOST = 12,
} rtcrt_status;

// How the host uses memory.
typedef enum rtcrt_host_access {
  // Not at all.
  RTCRT_HOST_ACCESS_NONE = 0,
  // It writes: memory must be mapped and coherent.
  RTCRT_HOST_ACCESS_WRITE = 1,
  // It reads: memory must be mapped and coherent, and should be cached.
  RTCRT_HOST_ACCESS_READ = 2,
} rtcrt_host_access;

// A kind of shader table.
typedef enum rtcrt_table {
  // Ray generation: one record.
  RTCRT_TABLE_RAY_GENERATION = 0,
  // Miss.
  RTCRT_TABLE_MISS = 1,
  // Hit groups.
  RTCRT_TABLE_HIT = 2,
  // Callable.
  RTCRT_TABLE_CALLABLE = 3,
} rtcrt_table;

// The kinds of arguments of a shader record.
typedef enum rtcrt_argument_kind {
  // Root constants: `data` and `data_size`.
  RTCRT_ARGUMENT_KIND_CONSTANTS = 0,
  // A root descriptor: the device address `value`.
  RTCRT_ARGUMENT_KIND_ADDRESS = 1,
  // A descriptor table: the index `value` in the descriptor heap.
  RTCRT_ARGUMENT_KIND_INDEX = 2,
} rtcrt_argument_kind;

// A kind of geometry.
typedef enum rtcrt_geometry_kind {
  // `D3D12_RAYTRACING_GEOMETRY_TRIANGLES_DESC`.
  RTCRT_GEOMETRY_KIND_TRIANGLES = 0,
  // `D3D12_RAYTRACING_GEOMETRY_AABBS_DESC`.
  RTCRT_GEOMETRY_KIND_BOXES = 1,
} rtcrt_geometry_kind;

// What the indices of triangles are.
typedef enum rtcrt_index_kind {
  // There are none: three consecutive vertices are a triangle.
  RTCRT_INDEX_KIND_NONE = 0,
  // 16 bits each.
  RTCRT_INDEX_KIND_UINT16 = 1,
  // 32 bits each.
  RTCRT_INDEX_KIND_UINT32 = 2,
} rtcrt_index_kind;

// What a build starts from.
typedef enum rtcrt_build_mode {
  // Nothing: a build.
  RTCRT_BUILD_MODE_BUILD = 0,
  // An update, of `source` or, if that is null, of the target in place.
  RTCRT_BUILD_MODE_UPDATE = 1,
} rtcrt_build_mode;

// What a copy makes.
typedef enum rtcrt_copy_mode {
  // The same again.
  RTCRT_COPY_MODE_CLONE = 0,
  // The same in less memory.
  RTCRT_COPY_MODE_COMPACT = 1,
} rtcrt_copy_mode;

// What is queried of structures after their builds: `D3D12_RAYTRACING_ACCELERATION_STRUCTURE_POSTBUILD_INFO_*`.
typedef enum rtcrt_postbuild_info {
  // Bytes after a compaction.
  RTCRT_POSTBUILD_INFO_COMPACTED_SIZE = 0,
  // Bytes of the serialised structure.
  RTCRT_POSTBUILD_INFO_SERIALIZATION_SIZE = 1,
  // Bytes that it has now. Needs `rayTracingMaintenance1`.
  RTCRT_POSTBUILD_INFO_CURRENT_SIZE = 2,
  // How many bottom-level structures its serialised bytes refer to. Needs `rayTracingMaintenance1`.
  RTCRT_POSTBUILD_INFO_SERIALIZATION_POINTERS = 3,
} rtcrt_postbuild_info;

// The kinds of constants. Integers of packages do not say whether they have a sign.
typedef enum rtcrt_constant_kind {
  // `bool`: not 0 is true.
  RTCRT_CONSTANT_KIND_BOOL = 0,
  // An integer of 16 bits.
  RTCRT_CONSTANT_KIND_INT16 = 1,
  // An integer of 32 bits.
  RTCRT_CONSTANT_KIND_INT32 = 2,
  // An integer of 64 bits.
  RTCRT_CONSTANT_KIND_INT64 = 3,
  // A half.
  RTCRT_CONSTANT_KIND_FLOAT16 = 4,
  // A `float`.
  RTCRT_CONSTANT_KIND_FLOAT32 = 5,
  // A `double`.
  RTCRT_CONSTANT_KIND_FLOAT64 = 6,
  // Another one, to which no value can be given.
  RTCRT_CONSTANT_KIND_OTHER = 7,
} rtcrt_constant_kind;

// What an operation on clusters does.
typedef enum rtcrt_cluster_operation {
  // `MOVE_CLUSTER_OBJECTS`.
  RTCRT_CLUSTER_OPERATION_MOVE = 0,
  // `BUILD_BLAS_FROM_CLAS`: bottom-level structures of clusters.
  RTCRT_CLUSTER_OPERATION_BUILD_BOTTOMS = 1,
  // `BUILD_CLAS_FROM_TRIANGLES`: clusters.
  RTCRT_CLUSTER_OPERATION_BUILD_CLUSTERS = 2,
  // `BUILD_CLUSTER_TEMPLATES_FROM_TRIANGLES`.
  RTCRT_CLUSTER_OPERATION_BUILD_TEMPLATES = 3,
  // `INSTANTIATE_CLUSTER_TEMPLATES`: clusters of templates.
  RTCRT_CLUSTER_OPERATION_INSTANTIATE_TEMPLATES = 4,
} rtcrt_cluster_operation;

// What determines the addresses of results.
typedef enum rtcrt_operation_mode {
  // The device, within memory for all results; it returns the addresses.
  RTCRT_OPERATION_MODE_IMPLICIT = 0,
  // The caller, an address for each.
  RTCRT_OPERATION_MODE_EXPLICIT = 1,
  // Nothing is built; the sizes are returned.
  RTCRT_OPERATION_MODE_GET_SIZES = 2,
} rtcrt_operation_mode;

// What is moved.
typedef enum rtcrt_move_kind {
  // Structures of clusters.
  RTCRT_MOVE_KIND_BOTTOM = 0,
  // Clusters.
  RTCRT_MOVE_KIND_CLUSTER = 1,
  // Templates.
  RTCRT_MOVE_KIND_TEMPLATE = 2,
} rtcrt_move_kind;

// A form of a package: how it translates hit objects and reorder points.
typedef enum rtcrt_form {
  // Lowered to what every device with ray tracing has; of a library without hit objects the library as it is.
  RTCRT_FORM_LOWER = 0,
  // With `SPV_EXT_shader_invocation_reorder`.
  RTCRT_FORM_EXT = 1,
  // With `SPV_NV_shader_invocation_reorder`.
  RTCRT_FORM_NV = 2,
  // Lowered and divided at reorder points, between which `rtcrt_wavefront_dispatch_rays` sorts rays.
  RTCRT_FORM_WAVEFRONT = 3,
  // Lowered, and all lanes of a wave execute the traces that some of them have.
  RTCRT_FORM_CONVERGE = 4,
} rtcrt_form;

// An acceleration structure with its memory.
typedef struct rtcrt_accel rtcrt_accel;

// Bytes that the caller owns.
typedef struct rtcrt_blob rtcrt_blob;

// A buffer with its memory, and a device address.
typedef struct rtcrt_buffer rtcrt_buffer;

// A pipeline cache with its file.
typedef struct rtcrt_cache rtcrt_cache;

// What was measured on a device, with its file.
typedef struct rtcrt_choices rtcrt_choices;

// A compiled state object that pipelines are linked from.
typedef struct rtcrt_collection rtcrt_collection;

// A compilation that threads of the caller do.
typedef struct rtcrt_compilation rtcrt_compilation;

// What `D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INPUTS` describe: a structure, or an array of micromaps.
typedef struct rtcrt_d3d12_inputs rtcrt_d3d12_inputs;

// Memory for all sets of a layout, several times.
typedef struct rtcrt_descriptor_buffer rtcrt_descriptor_buffer;

// A device of the caller, which is never destroyed here.
typedef struct rtcrt_device rtcrt_device;

// Why a function failed.
typedef struct rtcrt_error rtcrt_error;

// The compute pipeline that prepares arguments. One serves all frames.
typedef struct rtcrt_execute_indirect rtcrt_execute_indirect;

// Structures for `vkCreateDevice`.
typedef struct rtcrt_feature_chain rtcrt_feature_chain;

// The forms in which packages are one pipeline. All have the same exports, descriptor slots and shader records; each has identifiers of its
// own.
typedef struct rtcrt_forms rtcrt_forms;

// Shader tables with a copy for each frame in flight.
typedef struct rtcrt_frame_tables rtcrt_frame_tables;

// A shader or hit group of a state object, which is the same in the state object's additions.
typedef struct rtcrt_identifier rtcrt_identifier;

// The layouts of libraries.
typedef struct rtcrt_layout rtcrt_layout;

// A library: what `D3D12` calls the state object before it is compiled.
typedef struct rtcrt_library rtcrt_library;

// Chooses among forms by measuring dispatches of one ray generation shader.
typedef struct rtcrt_measure rtcrt_measure;

// Memory for buffers and structures.
typedef struct rtcrt_memory rtcrt_memory;

// An array of micromaps with its memory.
typedef struct rtcrt_micromaps rtcrt_micromaps;

// A pipeline.
typedef struct rtcrt_pipeline rtcrt_pipeline;

// What a device must have.
typedef struct rtcrt_requirements rtcrt_requirements;

// Questions about structures.
typedef struct rtcrt_size_queries rtcrt_size_queries;

// A description of a state object: `D3D12_STATE_OBJECT_DESC`.
typedef struct rtcrt_state_object rtcrt_state_object;

// Records by their names and indices.
typedef struct rtcrt_tables rtcrt_tables;

// A list of texts.
typedef struct rtcrt_texts rtcrt_texts;

// The kernels that sort rays: one for all dispatches and frames of a device.
typedef struct rtcrt_wavefront rtcrt_wavefront;

// The buffers of a dispatch.
typedef struct rtcrt_wavefront_memory rtcrt_wavefront_memory;

// What a dispatch of a divided shader needs, and how it proceeds.
typedef struct rtcrt_wavefront_plan rtcrt_wavefront_plan;

// Bytes that belong to another object. Text has a zero byte after its end, which is not counted.
typedef struct rtcrt_bytes {
  // The first byte; never null.
  const uint8_t *data;
  // How many.
  size_t size;
} rtcrt_bytes;

// A package.
typedef struct rtcrt_package {
  // Its name in messages; null for none.
  const char *name;
  // Its bytes.
  const uint8_t *data;
  // How many.
  size_t size;
} rtcrt_package;

// A hit group. An absent shader is null.
typedef struct rtcrt_hit_group {
  // Its name.
  const char *name;
  // Not 0: for procedural primitives.
  uint32_t procedural;
  // The export that is its any-hit shader.
  const char *any_hit;
  // The export that is its closest-hit shader.
  const char *closest_hit;
  // The export that is its intersection shader.
  const char *intersection;
} rtcrt_hit_group;

// What replaces the configurations of packages. Set all members to zero and `size` to `sizeof(rtcrt_overrides)` first.
typedef struct rtcrt_overrides {
  // `sizeof(rtcrt_overrides)`.
  size_t size;
  // Not 0: `max_recursion` and `pipeline_flags` are for the whole pipeline.
  uint32_t has_pipeline;
  // Deepest nesting of traced rays.
  uint32_t max_recursion;
  // `D3D12_RAYTRACING_PIPELINE_FLAG_*`.
  uint32_t pipeline_flags;
  // Not 0: `max_payload` and `max_attribute` are for the whole pipeline.
  uint32_t has_shader;
  // Largest payload in bytes.
  uint32_t max_payload;
  // Largest hit attributes in bytes.
  uint32_t max_attribute;
  // More hit groups.
  const struct rtcrt_hit_group *hit_groups;
  // How many.
  size_t hit_group_count;
} rtcrt_overrides;

// An argument of a shader record.
typedef struct rtcrt_argument {
  // The resource: its name in HLSL, or its register as `b0` or `b0,space1`.
  const char *slot;
  // `rtcrt_argument_kind`.
  uint32_t kind;
  // Bytes of constants.
  const void *data;
  // How many.
  size_t data_size;
  // A device address, or an index.
  uint64_t value;
} rtcrt_argument;

// A constant of a library.
typedef struct rtcrt_constant {
  // Its number.
  uint32_t id;
  // `rtcrt_constant_kind`.
  uint32_t kind;
  // Its name in HLSL; empty if the package has no names.
  const char *name;
  // The bits of the value that it has if the host gives none.
  uint64_t default_bits;
} rtcrt_constant;

// A value for a constant. Set all members to zero and `size` to `sizeof(rtcrt_specialisation)` first.
typedef struct rtcrt_specialisation {
  // `sizeof(rtcrt_specialisation)`.
  size_t size;
  // The export whose shader gets the value; null: all that have no value of their own.
  const char *export_name;
  // The constant's name in HLSL; null: `id` counts.
  const char *name;
  // The constant's number.
  uint32_t id;
  // `rtcrt_constant_kind`, which must be the constant's.
  uint32_t kind;
  // The bits of the value, from the lowest one.
  uint64_t bits;
} rtcrt_specialisation;

// An export to take: `D3D12_EXPORT_DESC`.
typedef struct rtcrt_export {
  // Its name in the state object.
  const char *name;
  // Its name in the package, if that is another; else null.
  const char *renamed;
} rtcrt_export;

// `PFN_vkVoidFunction`: any function, for a cast.
typedef void (*rtcrt_function)(void);

// A device of the caller. Set all members to zero and `size` to `sizeof(rtcrt_device_handles)` first. The features that are on are those
// of `next` and `core`, or, if `feature_names` is not null, those with these names.
typedef struct rtcrt_device_handles {
  // `sizeof(rtcrt_device_handles)`.
  size_t size;
  // `vkGetInstanceProcAddr` of the loader or of a layer of the caller.
  rtcrt_function get_instance_proc_addr;
  // `VkInstance`.
  void *instance;
  // `VkPhysicalDevice`.
  void *physical_device;
  // `VkDevice`.
  void *device;
  // The version of Vulkan that the caller uses, of its `VkApplicationInfo`. 0: that of the physical device.
  uint32_t api_version;
  // The queue families in whose command buffers commands are recorded.
  const uint32_t *queue_families;
  // How many.
  size_t queue_family_count;
  // The device extensions that are on.
  const char *const *extensions;
  // How many.
  size_t extension_count;
  // `VkDeviceCreateInfo::pNext` with which the device was made; read during the call alone.
  const void *next;
  // `VkDeviceCreateInfo::pEnabledFeatures`.
  const void *core;
  // Names of the members of Vulkan's structures that are on.
  const char *const *feature_names;
  // How many.
  size_t feature_name_count;
  // `VkAllocationCallbacks` for every object that is made here, or null. They are copied; what they point to must live as long as the
  // objects.
  const void *allocation_callbacks;
} rtcrt_device_handles;

// Limits of a device that concern ray tracing.
typedef struct rtcrt_limits {
  // Bytes of a shader group handle.
  uint32_t handle_size;
  // Strides of shader tables are multiples of this.
  uint32_t handle_alignment;
  // Shader tables begin at multiples of this.
  uint32_t base_alignment;
  // Largest stride of a shader table.
  uint32_t max_stride;
  // Deepest recursion.
  uint32_t max_recursion;
  // Largest hit attributes in bytes.
  uint32_t max_attribute_size;
  // Most rays of a dispatch.
  uint32_t max_rays;
  // Bytes of push constants.
  uint32_t max_push_constants;
  // Descriptor sets of a pipeline.
  uint32_t max_sets;
  // Scratch memory begins at multiples of this.
  uint32_t scratch_alignment;
  // Most rays of a dispatch along each axis.
  uint64_t max_size[3];
  // Most geometries of a bottom-level structure.
  uint64_t max_geometries;
  // Most primitives of a bottom-level structure.
  uint64_t max_primitives;
  // Most instances of a top-level structure.
  uint64_t max_instances;
} rtcrt_limits;

// Memory to find.
typedef struct rtcrt_memory_request {
  // Bytes.
  uint64_t size;
  // The offset is a multiple of this.
  uint64_t alignment;
  // A bit for each memory type that will do.
  uint32_t memory_types;
  // `rtcrt_host_access`: whether and how it is mapped.
  uint32_t host_access;
  // Not 0: the memory is allocated with `VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT`.
  uint32_t device_address;
} rtcrt_memory_request;

// Memory that was found.
typedef struct rtcrt_allocation {
  // `VkDeviceMemory`.
  uint64_t memory;
  // Where it begins.
  uint64_t offset;
  // Where the host sees it (the byte at `offset`), or null.
  void *mapped;
  // Whatever the allocator expects back.
  uint64_t token;
} rtcrt_allocation;

// Finds memory as `request` demands, for nothing else until it is freed, and stores it in `allocation`. Returns 0, or something else if
// there is none. It must not unwind.
typedef int (*rtcrt_allocate_callback)(void *user,
                                       const struct rtcrt_memory_request *request,
                                       struct rtcrt_allocation *allocation);

// Takes memory back. It must not unwind.
typedef void (*rtcrt_free_callback)(void *user, const struct rtcrt_allocation *allocation);

// An allocator of device memory. Its functions may be called from every thread.
typedef struct rtcrt_allocator {
  // `sizeof(rtcrt_allocator)`.
  size_t size;
  // Finds memory.
  rtcrt_allocate_callback allocate;
  // Takes memory back.
  rtcrt_free_callback free;
  // The first argument of both.
  void *user;
} rtcrt_allocator;

// How to make a layout. Set all members to zero and `size` to `sizeof(rtcrt_layout_options)` first.
typedef struct rtcrt_layout_options {
  // `sizeof(rtcrt_layout_options)`.
  size_t size;
  // How many elements each unbounded resource array gets; 0: 1024.
  uint32_t unbounded;
  // `VkShaderStageFlags` that see the resources beyond those of ray tracing and compute.
  uint32_t more_stages;
  // Not 0: no sampler is immutable, so that the caller writes all static ones.
  uint32_t mutable_samplers;
} rtcrt_layout_options;

// `VkDescriptorPoolSize`.
typedef struct rtcrt_pool_size {
  // `VkDescriptorType`.
  uint32_t descriptor_type;
  // How many descriptors one of each set has.
  uint32_t count;
} rtcrt_pool_size;

// A static sampler that the caller writes into its sets.
typedef struct rtcrt_static_sampler {
  // Descriptor set.
  uint32_t set;
  // Binding.
  uint32_t binding;
  // Array element.
  uint32_t element;
  // `VkSampler`, owned by the layout.
  uint64_t sampler;
} rtcrt_static_sampler;

// Where a resource is.
typedef struct rtcrt_place {
  // Descriptor set.
  uint32_t set;
  // Binding; of push constants: the first byte.
  uint32_t binding;
  // Not 0: push constants, which have no descriptor.
  uint32_t push_constants;
  // `VkDescriptorType` of descriptors to write.
  uint32_t descriptor_type;
  // Descriptors; of push constants: bytes.
  uint32_t count;
  // Not 0: it has hidden counters, one storage buffer of four bytes for each element.
  uint32_t has_counter;
  // The set of the counters.
  uint32_t counter_set;
  // Their binding.
  uint32_t counter_binding;
} rtcrt_place;

// A descriptor to write. Set all members to zero and `size` to `sizeof(rtcrt_descriptor)` first; members that the type has no use for do
// not count.
typedef struct rtcrt_descriptor {
  // `sizeof(rtcrt_descriptor)`.
  size_t size;
  // `VkDescriptorType`: what it is, also in a heap, which takes several types.
  uint32_t descriptor_type;
  // Not 0: nothing, so that reads give zero. Needs `nullDescriptor`.
  uint32_t null;
  // Of a buffer and of a top-level structure: its device address.
  uint64_t address;
  // Of a buffer: bytes.
  uint64_t range;
  // Of a typed buffer: `VkFormat`.
  uint32_t format;
  // Of an image: `VkImageLayout`.
  uint32_t image_layout;
  // `VkImageView`, `VkSampler`.
  uint64_t handle;
} rtcrt_descriptor;

// How to make a pipeline. Set all members to zero and `size` to `sizeof(rtcrt_pipeline_options)` first.
typedef struct rtcrt_pipeline_options {
  // `sizeof(rtcrt_pipeline_options)`.
  size_t size;
  // Not 0: `rtcrt_pipeline_add` may be called. Needs `RTCRT_USE_PIPELINE_LIBRARIES`.
  uint32_t allow_additions;
  // Not 0: `rtcrt_pipeline_set_stack_size` may be called; every dispatch sets the size then.
  uint32_t dynamic_stack;
  // More `VkPipelineCreateFlags`, such as those that promise that no shader of a table is null.
  uint32_t create_flags;
  // Where compiled code is kept, or null.
  const struct rtcrt_cache *cache;
} rtcrt_pipeline_options;

// Stack bytes that the hungriest shader of each stage needs.
typedef struct rtcrt_stage_stacks {
  // Ray generation.
  uint64_t raygen;
  // Closest hit.
  uint64_t closest_hit;
  // Miss.
  uint64_t miss;
  // Intersection.
  uint64_t intersection;
  // Any hit.
  uint64_t any_hit;
  // Callable.
  uint64_t callable;
} rtcrt_stage_stacks;

// `D3D12_GPU_VIRTUAL_ADDRESS_RANGE`.
typedef struct rtcrt_range {
  // First byte.
  uint64_t address;
  // Bytes.
  uint64_t size;
} rtcrt_range;

// `D3D12_GPU_VIRTUAL_ADDRESS_RANGE_AND_STRIDE`.
typedef struct rtcrt_strided_range {
  // First byte; 0: no table.
  uint64_t address;
  // Bytes.
  uint64_t size;
  // From record to record; 0: there is only one.
  uint64_t stride;
} rtcrt_strided_range;

// `D3D12_DISPATCH_RAYS_DESC`, whose bytes are an indirect argument too.
typedef struct rtcrt_dispatch {
  // The ray generation record.
  struct rtcrt_range raygen;
  // The miss table.
  struct rtcrt_strided_range miss;
  // The hit group table.
  struct rtcrt_strided_range hit;
  // The callable table.
  struct rtcrt_strided_range callable;
  // Rays along the first axis.
  uint32_t width;
  // Rays along the second axis.
  uint32_t height;
  // Rays along the third axis.
  uint32_t depth;
} rtcrt_dispatch;

// Arguments of dispatches in the memory of the device.
typedef struct rtcrt_indirect_arguments {
  // Address of the first `rtcrt_dispatch`, a multiple of 4.
  uint64_t address;
  // From one to the next: `ByteStride` of the command signature, a multiple of 4.
  uint64_t stride;
  // Address of the word that counts them, a multiple of 4: `pCountBuffer`. 0: there are `max_count`.
  uint64_t count_address;
  // The most dispatches: `MaxCommandCount`.
  uint32_t max_count;
} rtcrt_indirect_arguments;

// A record of a shader table.
typedef struct rtcrt_record {
  // The export or hit group; null: the null shader identifier.
  const char *name;
  // Arguments of its local root signature.
  const struct rtcrt_argument *arguments;
  // How many.
  size_t argument_count;
} rtcrt_record;

// What the traces and calls of a dispatch name at most. Members that begin with `has` are 0 where there is none.
typedef struct rtcrt_reach {
  // Not 0: there are miss shaders.
  uint32_t has_miss;
  // Largest `MissShaderIndex`.
  uint32_t miss;
  // Not 0: there are hit groups.
  uint32_t has_hit;
  // Largest `RayContributionToHitGroupIndex`.
  uint32_t ray_contribution;
  // Largest `MultiplierForGeometryContributionToHitGroupIndex`.
  uint32_t multiplier;
  // Largest geometry index.
  uint32_t geometry;
  // Largest `InstanceContributionToHitGroupIndex`.
  uint32_t instance_contribution;
  // Not 0: there are callable shaders.
  uint32_t has_callable;
  // Largest index of a callable shader.
  uint32_t callable;
} rtcrt_reach;

// A buffer that divided shaders use.
typedef struct rtcrt_wavefront_buffer {
  // The name of the resource to bind it to; a library has those that its shaders use. It belongs to the memory.
  const char *name;
  // `VkBuffer`.
  uint64_t buffer;
  // Its bytes.
  uint64_t size;
} rtcrt_wavefront_buffer;

// What the launches of a dispatch have in common.
typedef struct rtcrt_wavefront_launch {
  // The pipeline with the shader and the shaders that resume it.
  const struct rtcrt_pipeline *pipeline;
  // The shader tables; the sizes do not count.
  struct rtcrt_dispatch tables;
  // The records that resume rays (`rtcrt_wavefront_records`) in a buffer, at a multiple of the device's `shaderGroupBaseAlignment`.
  struct rtcrt_range resume;
  // The push constants of the pipeline's layout; sorts overwrite those of the command buffer.
  const void *push_constants;
  // Bytes of them; 0 if the layout has none.
  size_t push_constants_size;
  // How the dispatch proceeds.
  const struct rtcrt_wavefront_plan *plan;
  // Its buffers, which are also bound to the resources that `rtcrt_wavefront_memory_buffer` names.
  const struct rtcrt_wavefront_memory *memory;
} rtcrt_wavefront_launch;

// What the sorts of a tile counted.
typedef struct rtcrt_wavefront_progress {
  // Rays that the last sort found at a point; 0: the tile is done.
  uint32_t live;
  // Sorts that found a ray.
  uint32_t sorts;
  // The rays that they found, together.
  uint64_t sorted;
} rtcrt_wavefront_progress;

// A geometry of a bottom-level structure. Set all members to zero and `size` to `sizeof(rtcrt_geometry)` first.
typedef struct rtcrt_geometry {
  // `sizeof(rtcrt_geometry)`.
  size_t size;
  // `rtcrt_geometry_kind`.
  uint32_t kind;
  // `D3D12_RAYTRACING_GEOMETRY_FLAG_*`.
  uint32_t flags;
  // Address of the first vertex, or of the first box, a multiple of 8.
  uint64_t address;
  // From vertex to vertex, or from box to box, a multiple of 8.
  uint64_t stride;
  // How many vertices or boxes.
  uint32_t count;
  // `VkFormat` of the positions of vertices.
  uint32_t format;
  // `rtcrt_index_kind`.
  uint32_t index_kind;
  // How many indices.
  uint32_t index_count;
  // Address of the first index; a multiple of the size of an index.
  uint64_t index_address;
  // Address of a 3×4 matrix, a multiple of 16; 0: none.
  uint64_t transform;
} rtcrt_geometry;

// How many micromaps there are of a level and a format: `D3D12_RAYTRACING_OPACITY_MICROMAP_HISTOGRAM_ENTRY`.
typedef struct rtcrt_micromap_count {
  // How many.
  uint32_t count;
  // The level of subdivision, at most 12.
  uint32_t level;
  // `D3D12_RAYTRACING_OPACITY_MICROMAP_FORMAT_*`: 1 for two states, 2 for four.
  uint32_t format;
} rtcrt_micromap_count;

// `D3D12_RAYTRACING_GEOMETRY_OMM_LINKAGE_DESC`. Set all members to zero and `size` to `sizeof(rtcrt_micromap_linkage)` first.
typedef struct rtcrt_micromap_linkage {
  // `sizeof(rtcrt_micromap_linkage)`.
  size_t size;
  // `rtcrt_micromaps_handle` of the array, which must outlive the structure; 0 if all triangles have special indices.
  uint64_t micromaps;
  // Address of an index for each triangle: into the array, or a `D3D12_RAYTRACING_OPACITY_MICROMAP_SPECIAL_INDEX_*`. A multiple of
  // `index_size`.
  uint64_t index_address;
  // From one to the next; a multiple of `index_size`.
  uint64_t index_stride;
  // Bytes of an index, 4 or 2; 0: there are none, and each triangle has the micromap of its number.
  uint32_t index_size;
  // Added to what is not a special index.
  uint32_t base;
  // How many triangles refer to a micromap of each level and format; `rtcrt_micromaps_counts` if each micromap has one triangle.
  const struct rtcrt_micromap_count *counts;
  // How many counts.
  size_t count;
} rtcrt_micromap_linkage;

// What a structure is built from. Set all members to zero and `size` to `sizeof(rtcrt_inputs)` first.
typedef struct rtcrt_inputs {
  // `sizeof(rtcrt_inputs)`.
  size_t size;
  // Not 0: a top-level structure of instances; 0: a bottom-level structure of geometries.
  uint32_t top;
  // `D3D12_RAYTRACING_ACCELERATION_STRUCTURE_BUILD_FLAG_*`.
  uint32_t flags;
  // The geometries.
  const struct rtcrt_geometry *geometries;
  // How many geometries or instances.
  uint32_t count;
  // Not 0: the address is that of pointers to instances.
  uint32_t pointers;
  // Address of the instances: 64 bytes each, as D3D12 and Vulkan have them, with addresses of `rtcrt_accel_address`; a multiple of 16.
  uint64_t instances;
  // Null, or for each geometry what its triangles have for opacity micromaps, null if they have none.
  const struct rtcrt_micromap_linkage *const *micromaps;
} rtcrt_inputs;

// `D3D12_RAYTRACING_ACCELERATION_STRUCTURE_PREBUILD_INFO`.
typedef struct rtcrt_sizes {
  // Bytes of the structure.
  uint64_t result;
  // Scratch bytes of a build.
  uint64_t scratch;
  // Scratch bytes of an update.
  uint64_t update_scratch;
} rtcrt_sizes;

// A build or an update of a batch. Set all members to zero and `size` to `sizeof(rtcrt_build)` first.
typedef struct rtcrt_build {
  // `sizeof(rtcrt_build)`.
  size_t size;
  // What it is built from.
  const struct rtcrt_inputs *inputs;
  // The structure to write. No other build of the batch writes or updates it.
  struct rtcrt_accel *target;
  // `rtcrt_build_mode`.
  uint32_t mode;
  // Of an update: where it starts from, if that is another structure.
  const struct rtcrt_accel *source;
} rtcrt_build;

// Answers with the device address of the structure that another API knows by `address`; 0: it is unknown. It must not unwind.
typedef uint64_t (*rtcrt_translate_callback)(void *user, uint64_t address);

// Where a build reads how many primitives each of its geometries has: a `VkAccelerationStructureBuildRangeInfoKHR` for each.
typedef struct rtcrt_indirect_ranges {
  // Address of the first, a multiple of 4.
  uint64_t address;
  // From one to the next, a multiple of 4.
  uint32_t stride;
} rtcrt_indirect_ranges;

// The header of a serialised structure.
typedef struct rtcrt_serialized_header {
  // Bytes of the structure after it is read.
  uint64_t deserialized_size;
  // How many addresses of bottom-level structures follow the header.
  uint64_t handles;
} rtcrt_serialized_header;

// What an array is built from: `D3D12_RAYTRACING_OPACITY_MICROMAP_ARRAY_DESC`. Set all members to zero and `size` to
// `sizeof(rtcrt_micromap_inputs)` first.
typedef struct rtcrt_micromap_inputs {
  // `sizeof(rtcrt_micromap_inputs)`.
  size_t size;
  // How many micromaps there are of each level and format.
  const struct rtcrt_micromap_count *counts;
  // How many counts.
  size_t count;
  // Address of the states of micro-triangles, a multiple of 256.
  uint64_t data;
  // Address of `D3D12_RAYTRACING_OPACITY_MICROMAP_DESC`s, one for each micromap, a multiple of 256.
  uint64_t entries;
  // From one of them to the next: a multiple of 4, at least 8.
  uint64_t stride;
  // `D3D12_RAYTRACING_ACCELERATION_STRUCTURE_BUILD_FLAG_*`: those about compaction and preferences.
  uint32_t flags;
} rtcrt_micromap_inputs;

// Bytes that an array and its build need.
typedef struct rtcrt_micromap_sizes {
  // Bytes of the array.
  uint64_t result;
  // Scratch bytes of the build.
  uint64_t scratch;
  // Not 0: the array may be freed after the structures that refer to it are built.
  uint32_t discardable;
} rtcrt_micromap_sizes;

// The build of an array. Set all members to zero and `size` to `sizeof(rtcrt_micromap_build)` first.
typedef struct rtcrt_micromap_build {
  // `sizeof(rtcrt_micromap_build)`.
  size_t size;
  // What it is built from.
  const struct rtcrt_micromap_inputs *inputs;
  // The array to write. No other build of the batch writes it.
  struct rtcrt_micromaps *target;
} rtcrt_micromap_build;

// What a callback says of an array of micromaps. The counts are read when the callback has returned.
typedef struct rtcrt_known_micromaps {
  // `rtcrt_micromaps_handle`; 0: there is no array at the address.
  uint64_t micromaps;
  // How many triangles refer to micromaps of each level and format.
  const struct rtcrt_micromap_count *counts;
  // How many counts.
  size_t count;
} rtcrt_known_micromaps;

// Answers in `found`, which is zero before, with the array of micromaps that another API built at `address`. It must not unwind.
typedef void (*rtcrt_micromaps_callback)(void *user, uint64_t address, struct rtcrt_known_micromaps *found);

// What addresses of D3D12 are in Vulkan. Set all members to zero and `size` to `sizeof(rtcrt_addresses)` first.
typedef struct rtcrt_addresses {
  // `sizeof(rtcrt_addresses)`.
  size_t size;
  // The device address of memory. Null: addresses are the same in both.
  rtcrt_translate_callback memory;
  // The array of micromaps at an address. Null: there are none.
  rtcrt_micromaps_callback micromaps;
  // The first argument of both.
  void *user;
} rtcrt_addresses;

// What a batch of operations on clusters does, and what it is at most. Set all members to zero and `size` to
// `sizeof(rtcrt_cluster_inputs)` first; members that the operation has no use for do not count.
typedef struct rtcrt_cluster_inputs {
  // `sizeof(rtcrt_cluster_inputs)`.
  size_t size;
  // `rtcrt_cluster_operation`.
  uint32_t operation;
  // `rtcrt_operation_mode`.
  uint32_t mode;
  // `D3D12_RTAS_OPERATION_FLAG_*` as numbers: 4 for fast traces, 8 to be fast, 0x200 where no move overlaps, 0x400 for micromaps.
  uint32_t flags;
  // Arguments at most.
  uint32_t max_args;
  // Of moves: `rtcrt_move_kind`.
  uint32_t move_kind;
  // Of structures of clusters: clusters in one argument at most.
  uint32_t max_clusters_per_arg;
  // Of structures of clusters: clusters in all arguments at most.
  uint32_t max_total_clusters;
  // Of clusters and templates: format of positions (of templates, those that are a hint), by D3D12's number: 2 is three floats.
  uint32_t vertices;
  // Of templates: format of the positions of their instances.
  uint32_t instance_vertices;
  // Bytes of an index: 1, 2 or 4.
  uint32_t index_size;
  // Bytes of an index into the array of geometries; 0: there are none.
  uint32_t geometry_index_size;
  // Bytes of an index into the array of micromaps; 0: there are none.
  uint32_t micromap_index_size;
  // Largest geometry index.
  uint32_t max_geometry_index;
  // Different geometry indices with their flags in one; 0 is 1.
  uint32_t max_unique_geometries;
  // Triangles of one, up to 256.
  uint32_t max_triangles;
  // Different indices of one, up to 256.
  uint32_t max_vertices;
  // Triangles of all.
  uint32_t max_total_triangles;
  // Different indices of each, summed up.
  uint32_t max_total_vertices;
  // Triangles of one that have a micromap.
  uint32_t max_micromap_indices;
  // Of clusters: at least as many bits of each coordinate are made zero.
  uint32_t min_truncate_bits;
  // Of clusters: bytes of the compressed positions of one at most.
  uint32_t max_compressed_size;
  // Of moves: bytes of all that is moved at most.
  uint64_t max_bytes;
} rtcrt_cluster_inputs;

// Bytes that an operation needs: `GetRTASOperationPrebuildInfo`.
typedef struct rtcrt_operation_sizes {
  // Bytes of all results together if the device places them, of the largest one if the caller does; 0 where sizes are queried.
  uint64_t result;
  // Bytes of scratch memory.
  uint64_t scratch;
} rtcrt_operation_sizes;

// How large a partitioned structure is. Set all members to zero and `size` to `sizeof(rtcrt_partitioned_desc)` first.
typedef struct rtcrt_partitioned_desc {
  // `sizeof(rtcrt_partitioned_desc)`.
  size_t size;
  // Instances of the table; all are inactive at first.
  uint32_t instances;
  // Instances in a partition at most.
  uint32_t max_in_partition;
  // Partitions, besides the global one.
  uint32_t partitions;
  // Instances in the global partition at most.
  uint32_t max_in_global;
  // Not 0: change fast rather than trace fast.
  uint32_t fast_build;
  // Not 0: partitions may be moved.
  uint32_t allow_translation;
} rtcrt_partitioned_desc;

// What addresses of clusters and their like are multiples of, on a device.
typedef struct rtcrt_cluster_alignments {
  // Of scratch memory.
  uint64_t scratch;
  // Of clusters.
  uint64_t cluster;
  // Of templates.
  uint64_t cluster_template;
  // Of structures of clusters.
  uint64_t bottom;
  // Of the bounds of instances of templates.
  uint64_t bounds;
} rtcrt_cluster_alignments;

// A list in device memory.
typedef struct rtcrt_strided {
  // Where the first element is; 0: nothing.
  uint64_t address;
  // From one element to the next; 0: they have no gaps.
  uint64_t stride;
} rtcrt_strided;

// Where a batch finds its arguments and leaves its results: `D3D12_RTAS_BATCHED_OPERATION_DATA`.
typedef struct rtcrt_batch_data {
  // `D3D12_RTAS_OPERATION_ADDRESS_RESOLUTION_FLAG_*` as numbers, which Vulkan has too: of which members the address is that of an
  // address.
  uint32_t resolution;
  // Memory that the device distributes.
  uint64_t result;
  // Scratch memory.
  uint64_t scratch;
  // Addresses of results, 8 bytes each.
  struct rtcrt_strided addresses;
  // Sizes of results, 32 bits in strides of 8.
  struct rtcrt_strided sizes;
  // The arguments, in the layouts of Vulkan (`rtcrt_cluster_arguments`).
  struct rtcrt_strided arguments;
  // The address of the number of arguments (32 bits).
  uint64_t count;
  // Must be 0; D3D12's information for tools has no counterpart.
  uint64_t tools;
} rtcrt_batch_data;

// Where a partitioned structure is, and what changes: `D3D12_RTAS_PARTITIONED_TLAS_OPERATION_DATA`.
typedef struct rtcrt_partitioned_data {
  // The structure that is changed; 0: a new one.
  uint64_t source;
  // Where the changed one goes; may be `source`.
  uint64_t dest;
  // Scratch memory.
  uint64_t scratch;
  // Address of the number of operations (32 bits).
  uint64_t count;
  // Address of the operations, 24 bytes each: type, number of arguments, their address and stride.
  uint64_t operations;
} rtcrt_partitioned_data;

// An operation: on clusters, with `clusters` and `batch`, or on a partitioned structure, with `partitioned` and `data`; the other two are
// null. Set all members to zero and `size` to `sizeof(rtcrt_operation)` first.
typedef struct rtcrt_operation {
  // `sizeof(rtcrt_operation)`.
  size_t size;
  // What is done with clusters.
  const struct rtcrt_cluster_inputs *clusters;
  // Where.
  const struct rtcrt_batch_data *batch;
  // How large a partitioned structure is.
  const struct rtcrt_partitioned_desc *partitioned;
  // Where it is.
  const struct rtcrt_partitioned_data *data;
} rtcrt_operation;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// `RTCRT_ABI_VERSION` of the library.
uint32_t rtcrt_abi_version(void);

// The version of the library, as text that is always there.
const char *rtcrt_version(void);

// The message of an error, with its notes in further lines: text that belongs to the error.
//
// # Safety
// `error` is null or an error.
struct rtcrt_bytes rtcrt_error_message(const struct rtcrt_error *error);

// The status that the function returned.
//
// # Safety
// `error` is null or an error.
enum rtcrt_status rtcrt_error_status(const struct rtcrt_error *error);

// Frees an error.
//
// # Safety
// `error` is null, or an error that is not used again.
void rtcrt_error_free(struct rtcrt_error *error);

// How many texts a list has.
//
// # Safety
// `texts` is null or a list.
size_t rtcrt_texts_count(const struct rtcrt_texts *texts);

// A text of a list; empty if there is none of this number.
//
// # Safety
// `texts` is null or a list.
struct rtcrt_bytes rtcrt_texts_at(const struct rtcrt_texts *texts, size_t index);

// All texts, each ended by a zero byte, as `ppEnabledExtensionNames` has them.
//
// # Safety
// `texts` is null or a list.
const char *const *rtcrt_texts_data(const struct rtcrt_texts *texts);

// Frees a list.
//
// # Safety
// `texts` is null, or a list that is not used again.
void rtcrt_texts_free(struct rtcrt_texts *texts);

// Reads packages and makes one library of them; of packages with several forms the lowered ones (`rtcrt_forms_read` has the others). The bytes are
// copied. `overrides` may be null.
//
// # Safety
// `packages` points to `count` packages with valid pointers; `overrides` is null or points to overrides; `library` can be written; `error`
// is null or can be written.
enum rtcrt_status rtcrt_library_read(const struct rtcrt_package *packages,
                                     size_t count,
                                     const struct rtcrt_overrides *overrides,
                                     struct rtcrt_library **library,
                                     struct rtcrt_error **error);

// Names of everything that a shader record may hold: ray generation, miss and callable shaders, and hit groups.
//
// # Safety
// `library` is a library; `names` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_library_names(const struct rtcrt_library *library,
                                      struct rtcrt_texts **names,
                                      struct rtcrt_error **error);

// What the packages said that is not an error.
//
// # Safety
// As `rtcrt_library_names`.
enum rtcrt_status rtcrt_library_warnings(const struct rtcrt_library *library,
                                         struct rtcrt_texts **warnings,
                                         struct rtcrt_error **error);

// Frees a library. What was made from it stays valid.
//
// # Safety
// `library` is null, or a library that is not used again.
void rtcrt_library_free(struct rtcrt_library *library);

// The bytes of a blob.
//
// # Safety
// `blob` is null or a blob.
struct rtcrt_bytes rtcrt_blob_bytes(const struct rtcrt_blob *blob);

// Frees a blob.
//
// # Safety
// `blob` is null, or a blob that is not used again.
void rtcrt_blob_free(struct rtcrt_blob *blob);

// The bytes of a shader record after its identifier, for callers that write tables themselves.
//
// # Safety
// `library` is a library; `name` is a text; `arguments` points to `count` arguments with valid pointers; `record` can be written; `error`
// is null or can be written.
enum rtcrt_status rtcrt_library_record(const struct rtcrt_library *library,
                                       const char *name,
                                       const struct rtcrt_argument *arguments,
                                       size_t count,
                                       struct rtcrt_blob **record,
                                       struct rtcrt_error **error);

// The constants of a library in the order of their numbers; the list belongs to the library.
//
// # Safety
// `library` is null or a library; `count` can be written.
const struct rtcrt_constant *rtcrt_library_constants(const struct rtcrt_library *library, size_t *count);

// A library with values for constants, and those that it already has.
//
// # Safety
// `library` is a library; `values` points to `count` values with valid pointers; `specialised` can be written; `error` is null or can be
// written.
enum rtcrt_status rtcrt_library_specialise(const struct rtcrt_library *library,
                                           const struct rtcrt_specialisation *values,
                                           size_t count,
                                           struct rtcrt_library **specialised,
                                           struct rtcrt_error **error);

// Makes an empty description.
//
// # Safety
// `state_object` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_state_object_new(struct rtcrt_state_object **state_object, struct rtcrt_error **error);

// Adds a package, of which the state object takes `exports`; none: all. The bytes are copied.
//
// # Safety
// `state_object` is a description; `package` points to a package with valid pointers; `exports` points to `count` exports with valid
// pointers; `error` is null or can be written.
enum rtcrt_status rtcrt_state_object_add_package(struct rtcrt_state_object *state_object,
                                                 const struct rtcrt_package *package,
                                                 const struct rtcrt_export *exports,
                                                 size_t count,
                                                 struct rtcrt_error **error);

// Adds a `D3D12_STATE_OBJECT_CONFIG` with `D3D12_STATE_OBJECT_FLAG_*`.
//
// # Safety
// `state_object` is a description; `name` is a text; `error` is null or can be written.
enum rtcrt_status rtcrt_state_object_add_config(struct rtcrt_state_object *state_object,
                                                const char *name,
                                                uint32_t flags,
                                                struct rtcrt_error **error);

// Adds a shader configuration: the largest payload and hit attributes in bytes.
//
// # Safety
// As `rtcrt_state_object_add_config`.
enum rtcrt_status rtcrt_state_object_add_shader_config(struct rtcrt_state_object *state_object,
                                                       const char *name,
                                                       uint32_t max_payload,
                                                       uint32_t max_attributes,
                                                       struct rtcrt_error **error);

// Adds a pipeline configuration: the deepest nesting of traced rays, and `D3D12_RAYTRACING_PIPELINE_FLAG_*`.
//
// # Safety
// As `rtcrt_state_object_add_config`.
enum rtcrt_status rtcrt_state_object_add_pipeline_config(struct rtcrt_state_object *state_object,
                                                         const char *name,
                                                         uint32_t max_recursion,
                                                         uint32_t flags,
                                                         struct rtcrt_error **error);

// Adds a root signature in its binary form, local or global. The bytes are copied.
//
// # Safety
// As `rtcrt_state_object_add_config`; `data` points to `size` bytes.
enum rtcrt_status rtcrt_state_object_add_root_signature(struct rtcrt_state_object *state_object,
                                                        const char *name,
                                                        bool local,
                                                        const uint8_t *data,
                                                        size_t size,
                                                        struct rtcrt_error **error);

// Adds a hit group.
//
// # Safety
// `state_object` is a description; `group` points to a hit group with valid pointers; `error` is null or can be written.
enum rtcrt_status rtcrt_state_object_add_hit_group(struct rtcrt_state_object *state_object,
                                                   const struct rtcrt_hit_group *group,
                                                   struct rtcrt_error **error);

// Associates a subobject of any scope, by its name, with exports; with none: it is the default for all that have no other of its kind.
//
// # Safety
// `state_object` is a description; `name` is a text; `exports` points to `count` texts; `error` is null or can be written.
enum rtcrt_status rtcrt_state_object_associate(struct rtcrt_state_object *state_object,
                                               const char *name,
                                               const char *const *exports,
                                               size_t count,
                                               struct rtcrt_error **error);

// Adds a copy of a description as a collection.
//
// # Safety
// Both are descriptions; `error` is null or can be written.
enum rtcrt_status rtcrt_state_object_add_collection(struct rtcrt_state_object *state_object,
                                                    const struct rtcrt_state_object *collection,
                                                    struct rtcrt_error **error);

// Makes a library of a description, by the rules of association over scopes. The description can be used again.
//
// # Safety
// `state_object` is a description; `library` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_state_object_library(const struct rtcrt_state_object *state_object,
                                             struct rtcrt_library **library,
                                             struct rtcrt_error **error);

// Frees a description.
//
// # Safety
// `state_object` is null, or a description that is not used again.
void rtcrt_state_object_free(struct rtcrt_state_object *state_object);

// What libraries and uses (`RTCRT_USE_*`) need.
//
// # Safety
// `libraries` points to `count` libraries; `requirements` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_requirements_new(const struct rtcrt_library *const *libraries,
                                         size_t count,
                                         uint32_t uses,
                                         struct rtcrt_requirements **requirements,
                                         struct rtcrt_error **error);

// Adds a feature that the caller requires for `reason`, such as `nullDescriptor` of `VK_EXT_robustness2`; `extension` is empty for a
// feature of Vulkan itself. A feature that the library does not know is an error: the caller switches it on in structures of its own.
//
// # Safety
// `requirements` are requirements; `name`, `extension` and `reason` are texts; `error` is null or can be written.
enum rtcrt_status rtcrt_requirements_add_feature(struct rtcrt_requirements *requirements,
                                                 const char *name,
                                                 const char *extension,
                                                 const char *reason,
                                                 struct rtcrt_error **error);

// The lowest version of Vulkan, as `VK_MAKE_API_VERSION` has it.
//
// # Safety
// `requirements` is null or requirements.
uint32_t rtcrt_requirements_api_version(const struct rtcrt_requirements *requirements);

// The device extensions to switch on, for `ppEnabledExtensionNames`.
//
// # Safety
// `requirements` are requirements; `extensions` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_requirements_extensions(const struct rtcrt_requirements *requirements,
                                                struct rtcrt_texts **extensions,
                                                struct rtcrt_error **error);

// The features to switch on, by the names of their members in Vulkan's structures.
//
// # Safety
// As `rtcrt_requirements_extensions`.
enum rtcrt_status rtcrt_requirements_features(const struct rtcrt_requirements *requirements,
                                              struct rtcrt_texts **features,
                                              struct rtcrt_error **error);

// Why a physical device cannot meet the requirements, a text for each reason; none if it can.
//
// # Safety
// `requirements` are requirements; `get_instance_proc_addr` is `vkGetInstanceProcAddr`, the handles are a `VkInstance` and a
// `VkPhysicalDevice` of it; `refusals` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_requirements_refusals(const struct rtcrt_requirements *requirements,
                                              rtcrt_function get_instance_proc_addr,
                                              void *instance,
                                              void *physical_device,
                                              struct rtcrt_texts **refusals,
                                              struct rtcrt_error **error);

// The structures that switch the features on, linked to each other while the chain lives. Structures of the caller go before them: the
// last of these points to `rtcrt_feature_chain_next`.
//
// # Safety
// `requirements` are requirements; `chain` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_requirements_chain(const struct rtcrt_requirements *requirements,
                                           struct rtcrt_feature_chain **chain,
                                           struct rtcrt_error **error);

// Frees requirements.
//
// # Safety
// `requirements` is null, or requirements that are not used again.
void rtcrt_requirements_free(struct rtcrt_requirements *requirements);

// The first structure, for `pNext` of `VkDeviceCreateInfo`; it belongs to the chain.
//
// # Safety
// `chain` is null or a chain.
const void *rtcrt_feature_chain_next(const struct rtcrt_feature_chain *chain);

// A `VkPhysicalDeviceFeatures`, for `pEnabledFeatures`; it belongs to the chain.
//
// # Safety
// `chain` is null or a chain.
const void *rtcrt_feature_chain_core(const struct rtcrt_feature_chain *chain);

// Frees a chain.
//
// # Safety
// `chain` is null, or a chain that is not used again.
void rtcrt_feature_chain_free(struct rtcrt_feature_chain *chain);

// Takes over the description of a device of the caller.
//
// # Safety
// `handles` points to handles that are what they are called, belong together, and outlive the device and everything made from it.
// Extensions and features that are listed as on are on. The callbacks may be called from every thread. `device` can be written; `error` is
// null or can be written.
enum rtcrt_status rtcrt_device_new(const struct rtcrt_device_handles *handles,
                                   struct rtcrt_device **device,
                                   struct rtcrt_error **error);

// The device's own name: text that belongs to it.
//
// # Safety
// `device` is null or a device.
struct rtcrt_bytes rtcrt_device_name(const struct rtcrt_device *device);

// Its limits.
//
// # Safety
// `device` is a device; `limits` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_device_limits(const struct rtcrt_device *device,
                                      struct rtcrt_limits *limits,
                                      struct rtcrt_error **error);

// Checks whether the device has what a library needs. The error says what is missing and which package needs it.
//
// # Safety
// `device` is a device, `library` is a library; `error` is null or can be written.
enum rtcrt_status rtcrt_device_check(const struct rtcrt_device *device,
                                     const struct rtcrt_library *library,
                                     struct rtcrt_error **error);

// Frees the description of a device; the device itself is the caller's.
//
// # Safety
// `device` is null, or a device that is not used again by the caller. What was made from it stays valid.
void rtcrt_device_free(struct rtcrt_device *device);

// Memory from functions of the caller.
//
// # Safety
// `allocator` points to an allocator, whose functions may be called by any thread, by several at once, until the memory and everything in
// it are freed, and do what they say. `memory` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_memory_new(const struct rtcrt_allocator *allocator,
                                   struct rtcrt_memory **memory,
                                   struct rtcrt_error **error);

// Memory from one `vkAllocateMemory` for each request.
//
// # Safety
// `device` is a device; `memory` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_memory_own(const struct rtcrt_device *device,
                                   struct rtcrt_memory **memory,
                                   struct rtcrt_error **error);

// Frees memory; what is in it stays valid.
//
// # Safety
// `memory` is null, or memory that is not used again by the caller.
void rtcrt_memory_free(struct rtcrt_memory *memory);

// A buffer of at least `size` bytes for uses that `VkBufferUsageFlags` name, which the host uses as `host_access` (`rtcrt_host_access`)
// says.
//
// # Safety
// `device` is a device, `memory` is memory of it; `buffer` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_buffer_new(const struct rtcrt_device *device,
                                   const struct rtcrt_memory *memory,
                                   uint64_t size,
                                   uint32_t usage,
                                   uint32_t host_access,
                                   struct rtcrt_buffer **buffer,
                                   struct rtcrt_error **error);

// `VkBuffer`.
//
// # Safety
// `buffer` is null or a buffer.
uint64_t rtcrt_buffer_handle(const struct rtcrt_buffer *buffer);

// Its device address.
//
// # Safety
// `buffer` is null or a buffer.
uint64_t rtcrt_buffer_address(const struct rtcrt_buffer *buffer);

// Bytes that were requested.
//
// # Safety
// `buffer` is null or a buffer.
uint64_t rtcrt_buffer_size(const struct rtcrt_buffer *buffer);

// Writes bytes; seen by work that is submitted afterwards.
//
// # Safety
// `buffer` is a buffer, whose bytes at `offset` neither the device nor another thread uses now; `data` points to `size` bytes; `error` is
// null or can be written.
enum rtcrt_status rtcrt_buffer_write(const struct rtcrt_buffer *buffer,
                                     uint64_t offset,
                                     const void *data,
                                     size_t size,
                                     struct rtcrt_error **error);

// Reads bytes, after the device wrote them and the caller waited for it.
//
// # Safety
// `buffer` is a buffer, whose bytes at `offset` neither the device nor another thread writes now; `data` points to `size` bytes that can
// be written; `error` is null or can be written.
enum rtcrt_status rtcrt_buffer_read(const struct rtcrt_buffer *buffer,
                                    uint64_t offset,
                                    void *data,
                                    size_t size,
                                    struct rtcrt_error **error);

// Frees a buffer.
//
// # Safety
// `buffer` is null, or a buffer that neither the caller nor the device uses again.
void rtcrt_buffer_free(struct rtcrt_buffer *buffer);

// The layout of libraries that are used together: at once, or one after the other as additions. `options` may be null.
//
// # Safety
// `device` is a device; `libraries` points to `count` libraries; `options` is null or points to options; `layout` can be written; `error`
// is null or can be written.
enum rtcrt_status rtcrt_layout_new(const struct rtcrt_device *device,
                                   const struct rtcrt_library *const *libraries,
                                   size_t count,
                                   const struct rtcrt_layout_options *options,
                                   struct rtcrt_layout **layout,
                                   struct rtcrt_error **error);

// `VkPipelineLayout`.
//
// # Safety
// `layout` is null or a layout.
uint64_t rtcrt_layout_handle(const struct rtcrt_layout *layout);

// `VkDescriptorSetLayout`, one for each set; the list belongs to the layout.
//
// # Safety
// `layout` is null or a layout; `count` can be written.
const uint64_t *rtcrt_layout_sets(const struct rtcrt_layout *layout, size_t *count);

// Descriptors of all sets by type: what a pool needs for one of each set. The list, `VkDescriptorPoolSize`s, belongs to the layout.
//
// # Safety
// `layout` is null or a layout; `count` can be written.
const struct rtcrt_pool_size *rtcrt_layout_pool_sizes(const struct rtcrt_layout *layout,
                                                      size_t *count);

// Static samplers that the caller writes; the list belongs to the layout.
//
// # Safety
// `layout` is null or a layout; `count` can be written.
const struct rtcrt_static_sampler *rtcrt_layout_samplers(const struct rtcrt_layout *layout, size_t *count);

// Bytes of push constants.
//
// # Safety
// `layout` is null or a layout.
uint32_t rtcrt_layout_push_size(const struct rtcrt_layout *layout);

// `VkShaderStageFlags` of the push constant range.
//
// # Safety
// `layout` is null or a layout.
uint32_t rtcrt_layout_push_stages(const struct rtcrt_layout *layout);

// Where a resource of a library is: by its name in HLSL, or its register as `t0` or `t0,space1`.
//
// # Safety
// `layout` is a layout, `library` is a library; `slot` is a text; `place` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_layout_place(const struct rtcrt_layout *layout,
                                     const struct rtcrt_library *library,
                                     const char *slot,
                                     struct rtcrt_place *place,
                                     struct rtcrt_error **error);

// Frees a layout. What was made with it stays valid.
//
// # Safety
// `layout` is null, or a layout that is not used again by the caller, and whose handles the device does not use.
void rtcrt_layout_free(struct rtcrt_layout *layout);

// As `rtcrt_layout_new`, for descriptors in memory. No sampler is immutable; pipelines that are made with it get the flag that they need.
// Needs `RTCRT_USE_DESCRIPTOR_BUFFERS`.
//
// # Safety
// As `rtcrt_layout_new`.
enum rtcrt_status rtcrt_layout_for_descriptor_buffers(const struct rtcrt_device *device,
                                                      const struct rtcrt_library *const *libraries,
                                                      size_t count,
                                                      const struct rtcrt_layout_options *options,
                                                      struct rtcrt_layout **layout,
                                                      struct rtcrt_error **error);

// Bytes of each set in memory. `count` says for how many sets there is room in `sizes`, and then how many there are.
//
// # Safety
// `layout` is a layout; `sizes` points to `count` numbers that can be written; `count` can be read and written; `error` is null or can be
// written.
enum rtcrt_status rtcrt_layout_set_sizes(const struct rtcrt_layout *layout,
                                         uint64_t *sizes,
                                         size_t *count,
                                         struct rtcrt_error **error);

// Where the first descriptor of a binding is in the memory of its set.
//
// # Safety
// `layout` is a layout; `offset` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_layout_binding_offset(const struct rtcrt_layout *layout,
                                              uint32_t set,
                                              uint32_t binding,
                                              uint64_t *offset,
                                              struct rtcrt_error **error);

// Room for `copies` of the sets of a layout, one for each frame in flight, with the static samplers in their places.
//
// # Safety
// `layout` is a layout, `memory` is memory of its device; `buffer` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_descriptor_buffer_new(const struct rtcrt_layout *layout,
                                              const struct rtcrt_memory *memory,
                                              uint32_t copies,
                                              struct rtcrt_descriptor_buffer **buffer,
                                              struct rtcrt_error **error);

// Writes a descriptor into an element of a binding of a copy: set and binding are those of `rtcrt_layout_place`, of its hidden counter
// too.
//
// # Safety
// `buffer` is a descriptor buffer; `descriptor` points to a descriptor, whose handles and addresses are what they are called, of this
// device, and live as long as the descriptor is used. Neither the device nor another thread uses the element now. `error` is null or can
// be written.
enum rtcrt_status rtcrt_descriptor_buffer_write(const struct rtcrt_descriptor_buffer *buffer,
                                                uint32_t copy,
                                                uint32_t set,
                                                uint32_t binding,
                                                uint32_t element,
                                                const struct rtcrt_descriptor *descriptor,
                                                struct rtcrt_error **error);

// Records the binding of all sets of a copy for ray tracing. Other descriptor buffers are not bound afterwards.
//
// # Safety
// `buffer` is a descriptor buffer; `command_buffer` is a `VkCommandBuffer` of its device that records. The buffer and everything that its
// descriptors are of live until the work ends. `error` is null or can be written.
enum rtcrt_status rtcrt_descriptor_buffer_bind(const struct rtcrt_descriptor_buffer *buffer,
                                               void *command_buffer,
                                               uint32_t copy,
                                               struct rtcrt_error **error);

// How many copies there are.
//
// # Safety
// `buffer` is null or a descriptor buffer.
uint32_t rtcrt_descriptor_buffer_copies(const struct rtcrt_descriptor_buffer *buffer);

// Frees a descriptor buffer.
//
// # Safety
// `buffer` is null, or a descriptor buffer that neither the caller nor the device uses again.
void rtcrt_descriptor_buffer_free(struct rtcrt_descriptor_buffer *buffer);

// Compiles the pipeline of a library. `options` may be null.
//
// # Safety
// `library` is a library, `layout` is a layout; `options` is null or points to options; `pipeline` can be written; `error` is null or can
// be written.
enum rtcrt_status rtcrt_pipeline_new(const struct rtcrt_library *library,
                                     const struct rtcrt_layout *layout,
                                     const struct rtcrt_pipeline_options *options,
                                     struct rtcrt_pipeline **pipeline,
                                     struct rtcrt_error **error);

// A pipeline with what `parent` has and the shaders of a further library, which alone are compiled: `AddToStateObject`. Identifiers stay
// valid, and `parent` stays as it is.
//
// # Safety
// `parent` is a pipeline, `library` is a library; the rest as `rtcrt_pipeline_new`.
enum rtcrt_status rtcrt_pipeline_add(const struct rtcrt_pipeline *parent,
                                     const struct rtcrt_library *library,
                                     const struct rtcrt_pipeline_options *options,
                                     struct rtcrt_pipeline **pipeline,
                                     struct rtcrt_error **error);

// `VkPipeline`.
//
// # Safety
// `pipeline` is null or a pipeline.
uint64_t rtcrt_pipeline_handle(const struct rtcrt_pipeline *pipeline);

// Names of all shaders and hit groups that records may hold.
//
// # Safety
// `pipeline` is a pipeline; `names` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_pipeline_names(const struct rtcrt_pipeline *pipeline,
                                       struct rtcrt_texts **names,
                                       struct rtcrt_error **error);

// The identifier of a ray generation, miss or callable shader or of a hit group.
//
// # Safety
// `pipeline` is a pipeline; `name` is a text; `identifier` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_pipeline_identifier(const struct rtcrt_pipeline *pipeline,
                                            const char *name,
                                            struct rtcrt_identifier **identifier,
                                            struct rtcrt_error **error);

// Whether two identifiers are of one shader or hit group of one state object.
//
// # Safety
// Both are null or identifiers.
bool rtcrt_identifier_equal(const struct rtcrt_identifier *one, const struct rtcrt_identifier *other);

// Frees an identifier.
//
// # Safety
// `identifier` is null, or an identifier that is not used again.
void rtcrt_identifier_free(struct rtcrt_identifier *identifier);

// The bytes of an identifier for shader records that this pipeline uses; they belong to the pipeline.
//
// # Safety
// `pipeline` is a pipeline, `identifier` is an identifier; `bytes` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_pipeline_identifier_bytes(const struct rtcrt_pipeline *pipeline,
                                                  const struct rtcrt_identifier *identifier,
                                                  struct rtcrt_bytes *bytes,
                                                  struct rtcrt_error **error);

// The bytes of the identifier of a name; they belong to the pipeline.
//
// # Safety
// As `rtcrt_pipeline_identifier_bytes`; `name` is a text.
enum rtcrt_status rtcrt_pipeline_name_bytes(const struct rtcrt_pipeline *pipeline,
                                            const char *name,
                                            struct rtcrt_bytes *bytes,
                                            struct rtcrt_error **error);

// What the hungriest shader of each stage needs.
//
// # Safety
// `pipeline` is a pipeline; `stacks` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_pipeline_stage_stacks(const struct rtcrt_pipeline *pipeline,
                                              struct rtcrt_stage_stacks *stacks,
                                              struct rtcrt_error **error);

// Stack bytes of a shader: of a ray generation, miss or callable shader by its name, of the shaders of a hit group by `Group::closesthit`,
// `Group::anyhit` and `Group::intersection`. `0xffffffff`: there is no such shader.
//
// # Safety
// `pipeline` is null or a pipeline; `name` is null or a text.
uint64_t rtcrt_pipeline_shader_stack_size(const struct rtcrt_pipeline *pipeline,
                                          const char *name);

// The stack size by the formula of the specification.
//
// # Safety
// `pipeline` is null or a pipeline.
uint64_t rtcrt_pipeline_default_stack_size(const struct rtcrt_pipeline *pipeline);

// The stack size that is set.
//
// # Safety
// `pipeline` is null or a pipeline.
uint64_t rtcrt_pipeline_stack_size(const struct rtcrt_pipeline *pipeline);

// Sets the stack size for dispatches that are recorded from now on. As in D3D12, a size of 0xffffffff or more is ignored.
//
// # Safety
// `pipeline` is a pipeline; `error` is null or can be written.
enum rtcrt_status rtcrt_pipeline_set_stack_size(struct rtcrt_pipeline *pipeline,
                                                uint64_t bytes,
                                                struct rtcrt_error **error);

// Frees a pipeline.
//
// # Safety
// `pipeline` is null, or a pipeline that neither the caller nor the device uses again.
void rtcrt_pipeline_free(struct rtcrt_pipeline *pipeline);

// Begins to compile the pipeline of a library. `options` may be null; its cache must live until the compilation is finished or freed.
//
// # Safety
// As `rtcrt_pipeline_new`.
enum rtcrt_status rtcrt_compilation_new(const struct rtcrt_library *library,
                                        const struct rtcrt_layout *layout,
                                        const struct rtcrt_pipeline_options *options,
                                        struct rtcrt_compilation **compilation,
                                        struct rtcrt_error **error);

// Begins `rtcrt_pipeline_add` for threads of the caller.
//
// # Safety
// As `rtcrt_pipeline_add`; a cache lives until the compilation is finished or freed.
enum rtcrt_status rtcrt_pipeline_add_deferred(const struct rtcrt_pipeline *parent,
                                              const struct rtcrt_library *library,
                                              const struct rtcrt_pipeline_options *options,
                                              struct rtcrt_compilation **compilation,
                                              struct rtcrt_error **error);

// How many threads may join with profit; 0: the driver has finished already.
//
// # Safety
// `compilation` is null or a compilation.
uint32_t rtcrt_compilation_max_concurrency(const struct rtcrt_compilation *compilation);

// Works on the compilation until this thread has nothing left to do, and stores whether everything is done. Any thread may call.
//
// # Safety
// `compilation` is a compilation; `complete` is null or can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_compilation_join(const struct rtcrt_compilation *compilation,
                                         bool *complete,
                                         struct rtcrt_error **error);

// Whether nothing is left to do.
//
// # Safety
// `compilation` is null or a compilation.
bool rtcrt_compilation_is_complete(const struct rtcrt_compilation *compilation);

// Does what is left on this thread, and gives the pipeline. The compilation can only be freed afterwards.
//
// # Safety
// `compilation` is a compilation; `pipeline` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_compilation_finish(struct rtcrt_compilation *compilation,
                                           struct rtcrt_pipeline **pipeline,
                                           struct rtcrt_error **error);

// Frees a compilation; one that is not finished is waited for.
//
// # Safety
// `compilation` is null, or a compilation that is not used again.
void rtcrt_compilation_free(struct rtcrt_compilation *compilation);

// Compiles the state object of a library for later use in pipelines. `payload` is the largest payload of the pipelines that will be linked
// from it, if that is more than the library's own. Needs `RTCRT_USE_PIPELINE_LIBRARIES`.
//
// # Safety
// As `rtcrt_pipeline_new`.
enum rtcrt_status rtcrt_collection_new(const struct rtcrt_library *library,
                                       const struct rtcrt_layout *layout,
                                       uint32_t payload,
                                       const struct rtcrt_pipeline_options *options,
                                       struct rtcrt_collection **collection,
                                       struct rtcrt_error **error);

// Links a pipeline from collections.
//
// # Safety
// `collections` points to `count` collections; the rest as `rtcrt_pipeline_new`.
enum rtcrt_status rtcrt_pipeline_link(const struct rtcrt_collection *const *collections,
                                      size_t count,
                                      const struct rtcrt_pipeline_options *options,
                                      struct rtcrt_pipeline **pipeline,
                                      struct rtcrt_error **error);

// Frees a collection. Pipelines that were linked from it stay valid.
//
// # Safety
// `collection` is null, or a collection that is not used again.
void rtcrt_collection_free(struct rtcrt_collection *collection);

// Opens the pipeline cache of a device in a folder, which is made if it is not there: one file for each device and driver. A file that is
// damaged or of another driver counts as empty.
//
// # Safety
// `device` is a device; `folder` is a text; `cache` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_cache_open(const struct rtcrt_device *device,
                                   const char *folder,
                                   struct rtcrt_cache **cache,
                                   struct rtcrt_error **error);

// The file of a cache: text that belongs to it.
//
// # Safety
// `cache` is null or a cache.
struct rtcrt_bytes rtcrt_cache_path(const struct rtcrt_cache *cache);

// The bytes that are in a cache, for callers that keep them elsewhere.
//
// # Safety
// `cache` is a cache; `data` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_cache_data(const struct rtcrt_cache *cache,
                                   struct rtcrt_blob **data,
                                   struct rtcrt_error **error);

// Writes the file of a cache: all of it or nothing.
//
// # Safety
// `cache` is a cache; `error` is null or can be written.
enum rtcrt_status rtcrt_cache_save(const struct rtcrt_cache *cache, struct rtcrt_error **error);

// Frees a cache, without saving it.
//
// # Safety
// `cache` is null, or a cache that is not used again, nor by a compilation that is not finished.
void rtcrt_cache_free(struct rtcrt_cache *cache);

// Checks what D3D12 and Vulkan demand of addresses, strides and sizes, as dispatches do; for arguments of indirect ones.
//
// # Safety
// `device` is a device; `desc` points to a description; `error` is null or can be written.
enum rtcrt_status rtcrt_dispatch_check(const struct rtcrt_device *device,
                                       const struct rtcrt_dispatch *desc,
                                       struct rtcrt_error **error);

// Records a dispatch. The pipeline is bound; descriptor sets and push constants are the caller's, bound before to the pipeline's layout.
//
// # Safety
// `pipeline` is a pipeline; `command_buffer` is a `VkCommandBuffer` of its device that records outside of a render pass; `desc` points to
// a description. Pipeline, tables and whatever shaders use live until the work ends, and are synchronised with what writes them. Records
// hold handles of this pipeline, and traces and calls reach no record outside of the tables. `error` is null or can be written.
enum rtcrt_status rtcrt_dispatch_rays(const struct rtcrt_pipeline *pipeline,
                                      void *command_buffer,
                                      const struct rtcrt_dispatch *desc,
                                      struct rtcrt_error **error);

// Records dispatches whose tables and sizes the device reads: `count` of `rtcrt_dispatch`, `stride` bytes apart, at a device address.
// Needs `RTCRT_USE_INDIRECT_TABLES`.
//
// # Safety
// As `rtcrt_dispatch_rays`; the descriptions are what `rtcrt_dispatch_check` accepts, and are synchronised with
// `VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT`.
enum rtcrt_status rtcrt_dispatch_rays_indirect(const struct rtcrt_pipeline *pipeline,
                                               void *command_buffer,
                                               uint64_t address,
                                               uint32_t count,
                                               uint64_t stride,
                                               struct rtcrt_error **error);

// Records a dispatch whose sizes the device reads: three words at a device address. `desc` has the tables; its sizes do not count. Needs
// `RTCRT_USE_INDIRECT_SIZES`.
//
// # Safety
// As `rtcrt_dispatch_rays`; the sizes are what the device allows, and are synchronised with `VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT`.
enum rtcrt_status rtcrt_dispatch_rays_indirect_sizes(const struct rtcrt_pipeline *pipeline,
                                                     void *command_buffer,
                                                     const struct rtcrt_dispatch *desc,
                                                     uint64_t address,
                                                     struct rtcrt_error **error);

// Records a copy of the sizes of an `rtcrt_dispatch` at offset `from` of a buffer to offset `to` of another, and a barrier after it, for
// `rtcrt_dispatch_rays_indirect_sizes` on devices that cannot read tables.
//
// # Safety
// As `rtcrt_dispatch_rays`; `source` has transfer source usage, `target` transfer destination and indirect buffer usage.
enum rtcrt_status rtcrt_convert_indirect_sizes(const struct rtcrt_pipeline *pipeline,
                                               void *command_buffer,
                                               const struct rtcrt_buffer *source,
                                               uint64_t from,
                                               const struct rtcrt_buffer *target,
                                               uint64_t to,
                                               struct rtcrt_error **error);

// Makes the pipeline that prepares arguments. Needs `RTCRT_USE_INDIRECT_COUNT`.
//
// # Safety
// `device` is a device; `execute_indirect` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_execute_indirect_new(const struct rtcrt_device *device,
                                             struct rtcrt_execute_indirect **execute_indirect,
                                             struct rtcrt_error **error);

// Bytes that prepared arguments of `max_count` dispatches need.
uint64_t rtcrt_execute_indirect_size(uint32_t max_count);

// Records the preparation of arguments, and a barrier after it. The dispatches are `rtcrt_dispatch_rays_indirect` of the address of
// `target`, `max_count` and the size of an `rtcrt_dispatch`. A compute pipeline is bound and push constants are written: the caller sets
// its own for what comes after.
//
// # Safety
// `execute_indirect` was made by `rtcrt_execute_indirect_new`; `command_buffer` is a `VkCommandBuffer` of its device that records outside
// of a render pass; `arguments` points to arguments. All of what they name can be read until the work ends, and is synchronised with
// `VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT`. `target` has indirect buffer usage and is not in use. All live until the work ends. `error` is
// null or can be written.
enum rtcrt_status rtcrt_execute_indirect_prepare(const struct rtcrt_execute_indirect *execute_indirect,
                                                 void *command_buffer,
                                                 const struct rtcrt_indirect_arguments *arguments,
                                                 const struct rtcrt_buffer *target,
                                                 struct rtcrt_error **error);

// Frees the pipeline that prepares arguments.
//
// # Safety
// `execute_indirect` is null, or an object that neither the caller nor the device uses again.
void rtcrt_execute_indirect_free(struct rtcrt_execute_indirect *execute_indirect);

// Makes empty tables.
//
// # Safety
// `tables` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_tables_new(struct rtcrt_tables **tables, struct rtcrt_error **error);

// Puts a record at an index of a table (`rtcrt_table`), with null records before it where there were none.
//
// # Safety
// `tables` are tables; `record` points to a record with valid pointers; `error` is null or can be written.
enum rtcrt_status rtcrt_tables_put(struct rtcrt_tables *tables,
                                   uint32_t table,
                                   uint32_t index,
                                   const struct rtcrt_record *record,
                                   struct rtcrt_error **error);

// Checks that the tables have every record that the traces and calls of a dispatch can reach.
//
// # Safety
// `tables` are tables; `reach` points to a reach; `error` is null or can be written.
enum rtcrt_status rtcrt_tables_check_reach(const struct rtcrt_tables *tables,
                                           const struct rtcrt_reach *reach,
                                           struct rtcrt_error **error);

// The index of the record of a hit. Contribution and multiplier of the ray count with 4 bits, the contribution of the instance with 24.
uint64_t rtcrt_hit_index(uint32_t ray_contribution,
                         uint32_t multiplier,
                         uint32_t geometry,
                         uint32_t instance_contribution);

// Bytes that the tables need in a buffer of the caller.
//
// # Safety
// `tables` are tables, `pipeline` is a pipeline; `size` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_tables_size(const struct rtcrt_tables *tables,
                                    const struct rtcrt_pipeline *pipeline,
                                    uint64_t *size,
                                    struct rtcrt_error **error);

// The tables as bytes for a device address, and a dispatch of no rays with them.
//
// # Safety
// `tables` are tables, `pipeline` is a pipeline; `bytes` and `dispatch` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_tables_encode(const struct rtcrt_tables *tables,
                                      const struct rtcrt_pipeline *pipeline,
                                      uint64_t address,
                                      struct rtcrt_blob **bytes,
                                      struct rtcrt_dispatch *dispatch,
                                      struct rtcrt_error **error);

// Frees tables. Frame tables that were made from them stay valid.
//
// # Safety
// `tables` is null, or tables that are not used again.
void rtcrt_tables_free(struct rtcrt_tables *tables);

// Copies of tables for `frames` frames in flight, in memory that the host writes.
//
// # Safety
// `pipeline` is a pipeline, `memory` is memory of its device, `tables` are tables; `frame_tables` can be written; `error` is null or can
// be written.
enum rtcrt_status rtcrt_frame_tables_new(const struct rtcrt_pipeline *pipeline,
                                         const struct rtcrt_memory *memory,
                                         const struct rtcrt_tables *tables,
                                         size_t frames,
                                         struct rtcrt_frame_tables **frame_tables,
                                         struct rtcrt_error **error);

// Replaces a record. Frames see it from their next `rtcrt_frame_tables_begin` on.
//
// # Safety
// `frame_tables` are frame tables, `pipeline` is a pipeline; `record` points to a record with valid pointers; `error` is null or can be
// written.
enum rtcrt_status rtcrt_frame_tables_set(struct rtcrt_frame_tables *frame_tables,
                                         const struct rtcrt_pipeline *pipeline,
                                         uint32_t table,
                                         size_t index,
                                         const struct rtcrt_record *record,
                                         struct rtcrt_error **error);

// Replaces all records.
//
// # Safety
// `frame_tables` are frame tables, `pipeline` is a pipeline, `tables` are tables; `error` is null or can be written.
enum rtcrt_status rtcrt_frame_tables_replace(struct rtcrt_frame_tables *frame_tables,
                                             const struct rtcrt_pipeline *pipeline,
                                             const struct rtcrt_tables *tables,
                                             struct rtcrt_error **error);

// Gives the records the handles of another pipeline with the same names, such as one that was made by an addition.
//
// # Safety
// `frame_tables` are frame tables, `pipeline` is a pipeline; `error` is null or can be written.
enum rtcrt_status rtcrt_frame_tables_retarget(struct rtcrt_frame_tables *frame_tables,
                                              const struct rtcrt_pipeline *pipeline,
                                              struct rtcrt_error **error);

// Brings the copy of a frame up to date, and describes a dispatch of no rays with it.
//
// # Safety
// `frame_tables` are frame tables, and the device has finished everything that used this copy; `dispatch` can be written; `error` is null
// or can be written.
enum rtcrt_status rtcrt_frame_tables_begin(struct rtcrt_frame_tables *frame_tables,
                                           size_t frame,
                                           struct rtcrt_dispatch *dispatch,
                                           struct rtcrt_error **error);

// Frees frame tables.
//
// # Safety
// `frame_tables` is null, or frame tables that neither the caller nor the device uses again.
void rtcrt_frame_tables_free(struct rtcrt_frame_tables *frame_tables);

// Reads packages, each of which may have several forms (`-fspv-ser=auto`). The bytes are copied. `overrides` may be null.
//
// # Safety
// As `rtcrt_library_read`; `forms` can be written.
enum rtcrt_status rtcrt_forms_read(const struct rtcrt_package *packages,
                                   size_t count,
                                   const struct rtcrt_overrides *overrides,
                                   struct rtcrt_forms **forms,
                                   struct rtcrt_error **error);

// The forms that are possible: bit n is set for the form with number n (`rtcrt_form`).
//
// # Safety
// `forms` is null or forms.
uint32_t rtcrt_forms_possible(const struct rtcrt_forms *forms);

// Why other forms that a package has are not possible, a text for each.
//
// # Safety
// `forms` are forms; `reasons` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_forms_impossible(const struct rtcrt_forms *forms,
                                         struct rtcrt_texts **reasons,
                                         struct rtcrt_error **error);

// The library that the packages make in a form (`rtcrt_form`).
//
// # Safety
// `forms` are forms; `library` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_forms_library(const struct rtcrt_forms *forms,
                                      uint32_t form,
                                      struct rtcrt_library **library,
                                      struct rtcrt_error **error);

// Package `index` in a form alone, for descriptions of state objects.
//
// # Safety
// `forms` are forms; `package` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_forms_package(const struct rtcrt_forms *forms,
                                      uint32_t form,
                                      size_t index,
                                      struct rtcrt_blob **package,
                                      struct rtcrt_error **error);

// The form for a device without measuring: hit objects of an extension where the device reorders threads, else lowered, and with
// traces by all lanes of a wave where it is known to leave waves split. The device must have
// what the form needs switched on.
//
// # Safety
// `forms` are forms, `device` is a device; `form` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_forms_choose(const struct rtcrt_forms *forms,
                                     const struct rtcrt_device *device,
                                     uint32_t *form,
                                     struct rtcrt_error **error);

// Not 0: the device reorders threads at reorder points of hit objects, by an extension that is on.
//
// # Safety
// `device` is null or a device.
uint32_t rtcrt_device_reorders(const struct rtcrt_device *device);

// Frees forms. Libraries that were made from them stay valid.
//
// # Safety
// `forms` is null, or forms that are not used again.
void rtcrt_forms_free(struct rtcrt_forms *forms);

// Begins to measure the forms (`rtcrt_form`) of a list. The first is the one that stays if others are about as fast: that of
// `rtcrt_forms_choose`.
//
// # Safety
// `list` points to `count` numbers; `measure` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_measure_new(const uint32_t *list,
                                    size_t count,
                                    struct rtcrt_measure **measure,
                                    struct rtcrt_error **error);

// The form of the next dispatch. Each call is for one dispatch; with several frames in flight forms alternate before their times are recorded.
//
// # Safety
// `measure` is a measure; `form` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_measure_next(const struct rtcrt_measure *measure,
                                     uint32_t *form,
                                     struct rtcrt_error **error);

// Records how many nanoseconds a dispatch of so many rays took on the device; with frames in flight times may come late. First dispatches may be
// slow: those of a form count when its times agree. `ended` may be null; it becomes 1 if a measuring has ended with this dispatch, else 0.
//
// # Safety
// `measure` is a measure; `ended` is null or can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_measure_record(struct rtcrt_measure *measure,
                                       uint32_t form,
                                       uint64_t nanoseconds,
                                       uint64_t rays,
                                       uint32_t *ended,
                                       struct rtcrt_error **error);

// What the last measuring found of a form: nanoseconds for a ray; 0 before its end, and of a form that is not measured.
//
// # Safety
// `measure` is null or a measure.
double rtcrt_measure_nanoseconds(const struct rtcrt_measure *measure, uint32_t form);

// Measures all forms again, from the next dispatch on: for callers that know that the scene is another one.
//
// # Safety
// `measure` is a measure; `error` is null or can be written.
enum rtcrt_status rtcrt_measure_restart(struct rtcrt_measure *measure, struct rtcrt_error **error);

// Frees a measure.
//
// # Safety
// `measure` is null, or a measure that is not used again.
void rtcrt_measure_free(struct rtcrt_measure *measure);

// Reads what was measured on a device from its file in a folder. A file that is damaged or of another version counts as empty, and
// `rtcrt_choices_note` says so.
//
// # Safety
// `device` is a device; `folder` is a text; `choices` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_choices_open(const struct rtcrt_device *device,
                                     const char *folder,
                                     struct rtcrt_choices **choices,
                                     struct rtcrt_error **error);

// Why the file counts as empty: text that belongs to the choices; empty if it does not.
//
// # Safety
// `choices` is null or choices.
struct rtcrt_bytes rtcrt_choices_note(const struct rtcrt_choices *choices);

// As `rtcrt_measure_new`, for a ray generation shader of packages, beginning with what was measured before.
//
// # Safety
// `choices` are choices, `forms` are forms; `shader` is a text; `list` points to `count` numbers; `measure` can be written; `error` is null or
// can be written.
enum rtcrt_status rtcrt_choices_measure(const struct rtcrt_choices *choices,
                                        const struct rtcrt_forms *forms,
                                        const char *shader,
                                        const uint32_t *list,
                                        size_t count,
                                        struct rtcrt_measure **measure,
                                        struct rtcrt_error **error);

// Keeps what was measured of a ray generation shader of packages, and writes the file. An error means that it is not kept, and nothing
// else.
//
// # Safety
// `choices` are choices, `forms` are forms, `measure` is a measure; `shader` is a text; `error` is null or can be written.
enum rtcrt_status rtcrt_choices_keep(struct rtcrt_choices *choices,
                                     const struct rtcrt_forms *forms,
                                     const char *shader,
                                     const struct rtcrt_measure *measure,
                                     struct rtcrt_error **error);

// Frees choices.
//
// # Safety
// `choices` is null, or choices that are not used again.
void rtcrt_choices_free(struct rtcrt_choices *choices);

// Makes the kernels. Needs `RTCRT_USE_WAVEFRONT`.
//
// # Safety
// `device` is a device; `wavefront` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_wavefront_new(const struct rtcrt_device *device,
                                      struct rtcrt_wavefront **wavefront,
                                      struct rtcrt_error **error);

// Frees kernels.
//
// # Safety
// `wavefront` is null, or kernels that neither the caller nor the device uses again.
void rtcrt_wavefront_free(struct rtcrt_wavefront *wavefront);

// Plans dispatches of a ray generation shader with tables and a size, in at most `most` bytes of memory. A shader that is not divided is an error:
// `rtcrt_dispatch_rays` dispatches it.
//
// # Safety
// `device` is a device, `library` is a library; `shader` is a text; `dispatch` points to a description; `plan` can be written; `error` is null or
// can be written.
enum rtcrt_status rtcrt_wavefront_plan_new(const struct rtcrt_device *device,
                                           const struct rtcrt_library *library,
                                           const char *shader,
                                           const struct rtcrt_dispatch *dispatch,
                                           uint64_t most,
                                           struct rtcrt_wavefront_plan **plan,
                                           struct rtcrt_error **error);

// Bytes of memory that the dispatch needs.
//
// # Safety
// `plan` is null or a plan.
uint64_t rtcrt_wavefront_plan_size(const struct rtcrt_wavefront_plan *plan);

// How many tiles the dispatch is divided into, one after the other; the largest number if there are more.
//
// # Safety
// `plan` is null or a plan.
uint64_t rtcrt_wavefront_plan_tiles(const struct rtcrt_wavefront_plan *plan);

// Frees a plan.
//
// # Safety
// `plan` is null, or a plan that is not used again.
void rtcrt_wavefront_plan_free(struct rtcrt_wavefront_plan *plan);

// Makes the buffers of a dispatch.
//
// # Safety
// `device` is a device, `memory` is memory of it, `plan` is a plan; `made` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_wavefront_memory_new(const struct rtcrt_device *device,
                                             const struct rtcrt_memory *memory,
                                             const struct rtcrt_wavefront_plan *plan,
                                             struct rtcrt_wavefront_memory **made,
                                             struct rtcrt_error **error);

// Buffer `index` (0 to 3) of those that shaders use.
//
// # Safety
// `memory` is such memory; `buffer` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_wavefront_memory_buffer(const struct rtcrt_wavefront_memory *memory,
                                                size_t index,
                                                struct rtcrt_wavefront_buffer *buffer,
                                                struct rtcrt_error **error);

// Bytes of zeros to bind in place of buffer `index` where a divided shader is dispatched as any other: then its rays are not sorted.
uint64_t rtcrt_wavefront_plain_size(size_t index);

// Frees the buffers of a dispatch.
//
// # Safety
// `memory` is null, or such memory that neither the caller nor the device uses again.
void rtcrt_wavefront_memory_free(struct rtcrt_wavefront_memory *memory);

// The records that resume rays, for a buffer with `VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR`: `record` is that of the plan's shader, as
// `rtcrt_tables_encode` wrote it at `dispatch.raygen`.
//
// # Safety
// `pipeline` is a pipeline, `plan` is a plan; `record` points to `size` bytes; `records` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_wavefront_records(const struct rtcrt_pipeline *pipeline,
                                          const struct rtcrt_wavefront_plan *plan,
                                          const uint8_t *record,
                                          size_t size,
                                          struct rtcrt_blob **records,
                                          struct rtcrt_error **error);

// Records a whole dispatch: for each tile a launch that starts its rays, `iterations` of a sort and launches that resume them, and a last sort after
// which they run to their end. Compute pipelines are bound and push constants are written; descriptor sets stay.
//
// # Safety
// As `rtcrt_dispatch_rays`; `wavefront` are kernels of the pipeline's device; `launch` points to a launch with valid pointers. The memory is bound
// to the shaders' resources, and no other work that may run at the same time uses it.
enum rtcrt_status rtcrt_wavefront_dispatch_rays(const struct rtcrt_wavefront *wavefront,
                                                void *command_buffer,
                                                const struct rtcrt_wavefront_launch *launch,
                                                uint32_t iterations,
                                                struct rtcrt_error **error);

// Records the launch that starts the rays of a tile.
//
// # Safety
// As `rtcrt_wavefront_dispatch_rays`.
enum rtcrt_status rtcrt_wavefront_start(const struct rtcrt_wavefront *wavefront,
                                        void *command_buffer,
                                        const struct rtcrt_wavefront_launch *launch,
                                        uint64_t tile,
                                        struct rtcrt_error **error);

// Records iteration `n` of a tile, counted from 0 after its start: a sort, and the launches that resume its rays. They stop at their next points, or,
// if `finish` is not 0, run to their end.
//
// # Safety
// As `rtcrt_wavefront_dispatch_rays`.
enum rtcrt_status rtcrt_wavefront_iterate(const struct rtcrt_wavefront *wavefront,
                                          void *command_buffer,
                                          const struct rtcrt_wavefront_launch *launch,
                                          uint32_t n,
                                          uint32_t finish,
                                          struct rtcrt_error **error);

// Records a copy of what `iterations` of the tile counted to a buffer that the host reads, for `rtcrt_wavefront_read_progress`.
//
// # Safety
// As `rtcrt_wavefront_dispatch_rays`; `memory` is that of the launch; `target` is a buffer with transfer destination usage that is not in
// use.
enum rtcrt_status rtcrt_wavefront_copy_progress(const struct rtcrt_wavefront *wavefront,
                                                void *command_buffer,
                                                const struct rtcrt_wavefront_memory *memory,
                                                uint32_t iterations,
                                                const struct rtcrt_buffer *target,
                                                struct rtcrt_error **error);

// What was counted, from the bytes of the buffer.
//
// # Safety
// `data` points to `size` bytes; `progress` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_wavefront_read_progress(const uint8_t *data,
                                                size_t size,
                                                struct rtcrt_wavefront_progress *progress,
                                                struct rtcrt_error **error);

// Bytes that a structure and its builds need. Smaller counts of the same need no more.
//
// # Safety
// `device` is a device; `inputs` points to inputs with valid pointers; `sizes` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_inputs_sizes(const struct rtcrt_device *device,
                                     const struct rtcrt_inputs *inputs,
                                     struct rtcrt_sizes *sizes,
                                     struct rtcrt_error **error);

// Room for a structure of `size` bytes (`rtcrt_sizes`); it is empty until a build or a copy into it has run.
//
// # Safety
// `device` is a device, `memory` is memory of it; `accel` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_accel_new(const struct rtcrt_device *device,
                                  const struct rtcrt_memory *memory,
                                  bool top,
                                  uint64_t size,
                                  struct rtcrt_accel **accel,
                                  struct rtcrt_error **error);

// `VkAccelerationStructureKHR`.
//
// # Safety
// `accel` is null or a structure.
uint64_t rtcrt_accel_handle(const struct rtcrt_accel *accel);

// Its device address, for instances and root descriptors.
//
// # Safety
// `accel` is null or a structure.
uint64_t rtcrt_accel_address(const struct rtcrt_accel *accel);

// Bytes that it has room for.
//
// # Safety
// `accel` is null or a structure.
uint64_t rtcrt_accel_size(const struct rtcrt_accel *accel);

// Frees a structure.
//
// # Safety
// `accel` is null, or a structure that neither the caller nor the device uses again.
void rtcrt_accel_free(struct rtcrt_accel *accel);

// Scratch bytes with which all builds of a batch run at the same time; with less, they take turns. Of each build, only inputs and mode
// count.
//
// # Safety
// `device` is a device; `builds` points to `count` builds with valid inputs; `size` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_scratch_size(const struct rtcrt_device *device,
                                     const struct rtcrt_build *builds,
                                     size_t count,
                                     uint64_t *size,
                                     struct rtcrt_error **error);

// Records builds: bottom-level structures before top-level ones, and a barrier after each level, so that what is recorded after it, in any
// stage that traces rays or builds, sees the structures.
//
// # Safety
// `device` is a device; `command_buffer` is a `VkCommandBuffer` of it on a queue with compute, which records outside of a render pass;
// `builds` points to `count` builds with valid pointers. Inputs, structures and scratch memory live until the work ends; inputs and
// scratch memory are synchronised with their earlier uses. `error` is null or can be written.
enum rtcrt_status rtcrt_build_accels(const struct rtcrt_device *device,
                                     void *command_buffer,
                                     const struct rtcrt_build *builds,
                                     size_t count,
                                     uint64_t scratch_address,
                                     uint64_t scratch_size,
                                     struct rtcrt_error **error);

// Records a copy of a structure (`rtcrt_copy_mode`), and a barrier after it.
//
// # Safety
// As `rtcrt_build_accels`, of `source` and `target`; for a compaction the target has the size that a query gave.
enum rtcrt_status rtcrt_copy_accel(const struct rtcrt_device *device,
                                   void *command_buffer,
                                   const struct rtcrt_accel *source,
                                   struct rtcrt_accel *target,
                                   uint32_t mode,
                                   struct rtcrt_error **error);

// Replaces the addresses in `count` instances (`D3D12_RAYTRACING_INSTANCE_DESC`) by those that `translate` gives; 0 stays, an inactive
// instance.
//
// # Safety
// `instances` points to `count` times 64 bytes that nothing else uses; `translate` may be called with `user`; `error` is null or can be
// written.
enum rtcrt_status rtcrt_translate_instances(void *instances,
                                            size_t count,
                                            rtcrt_translate_callback translate,
                                            void *user,
                                            struct rtcrt_error **error);

// As `rtcrt_build_accels`, where the device reads the numbers of primitives when it builds: `ranges` has an element for each build. The
// numbers of its inputs are the most that there may be. Needs `RTCRT_USE_INDIRECT_BUILDS`.
//
// # Safety
// As `rtcrt_build_accels`; `ranges` points to `count` elements. What they name is synchronised as indirect arguments, and has at most the
// primitives of the inputs; that of an update has as many as the build.
enum rtcrt_status rtcrt_build_accels_indirect(const struct rtcrt_device *device,
                                              void *command_buffer,
                                              const struct rtcrt_build *builds,
                                              const struct rtcrt_indirect_ranges *ranges,
                                              size_t count,
                                              uint64_t scratch_address,
                                              uint64_t scratch_size,
                                              struct rtcrt_error **error);

// As `rtcrt_inputs_sizes`, for builds on the host. Needs `RTCRT_USE_HOST_BUILDS`, as all functions about the host do.
//
// # Safety
// As `rtcrt_inputs_sizes`.
enum rtcrt_status rtcrt_inputs_host_sizes(const struct rtcrt_device *device,
                                          const struct rtcrt_inputs *inputs,
                                          struct rtcrt_sizes *sizes,
                                          struct rtcrt_error **error);

// As `rtcrt_accel_new`, in memory that the host sees, for builds on the host.
//
// # Safety
// As `rtcrt_accel_new`.
enum rtcrt_status rtcrt_accel_new_on_host(const struct rtcrt_device *device,
                                          const struct rtcrt_memory *memory,
                                          bool top,
                                          uint64_t size,
                                          struct rtcrt_accel **accel,
                                          struct rtcrt_error **error);

// Builds on the host, bottom-level structures before top-level ones; they are done when the function returns. Addresses, that of scratch
// memory too, are those of the process, and instances refer to bottom-level structures by `rtcrt_accel_handle`.
//
// # Safety
// `device` is a device; `builds` points to `count` builds with valid pointers, of structures of `rtcrt_accel_new_on_host` that nothing
// else uses now. Inputs are as described, and there are `scratch_size` bytes at `scratch_address`, all in host memory. `error` is null or
// can be written.
enum rtcrt_status rtcrt_build_accels_on_host(const struct rtcrt_device *device,
                                             const struct rtcrt_build *builds,
                                             size_t count,
                                             uint64_t scratch_address,
                                             uint64_t scratch_size,
                                             struct rtcrt_error **error);

// Copies a structure on the host (`rtcrt_copy_mode`).
//
// # Safety
// `device` is a device; `source` and `target` are structures of `rtcrt_accel_new_on_host`, of which nothing else writes the source or uses
// the target now; for a compaction the target has the size that `rtcrt_accel_host_info` gave. `error` is null or can be written.
enum rtcrt_status rtcrt_copy_accel_on_host(const struct rtcrt_device *device,
                                           const struct rtcrt_accel *source,
                                           struct rtcrt_accel *target,
                                           uint32_t mode,
                                           struct rtcrt_error **error);

// A structure as bytes, on the host. `rtcrt_serialized_patch` replaces the addresses in a copy of them.
//
// # Safety
// `device` is a device; `source` is a structure of `rtcrt_accel_new_on_host` that nothing writes now; `serialized` can be written; `error`
// is null or can be written.
enum rtcrt_status rtcrt_serialize_accel_on_host(const struct rtcrt_device *device,
                                                const struct rtcrt_accel *source,
                                                struct rtcrt_blob **serialized,
                                                struct rtcrt_error **error);

// Reads a serialised structure on the host, whose addresses of bottom-level structures were replaced.
//
// # Safety
// `device` is a device; `data` points to `size` bytes, which are those of a structure; `target` is a structure of
// `rtcrt_accel_new_on_host` that nothing else uses now; `error` is null or can be written.
enum rtcrt_status rtcrt_deserialize_accel_on_host(const struct rtcrt_device *device,
                                                  const void *data,
                                                  size_t size,
                                                  struct rtcrt_accel *target,
                                                  struct rtcrt_error **error);

// The answer to a question about a structure after its build on the host (`rtcrt_postbuild_info`).
//
// # Safety
// `device` is a device; `accel` is a structure of `rtcrt_accel_new_on_host` that nothing writes now; `answer` can be written; `error` is
// null or can be written.
enum rtcrt_status rtcrt_accel_host_info(const struct rtcrt_device *device,
                                        const struct rtcrt_accel *accel,
                                        uint32_t info,
                                        uint64_t *answer,
                                        struct rtcrt_error **error);

// Records the serialisation of a structure to memory at a multiple of 256, which has the size that a query gave, and a barrier after it.
//
// # Safety
// As `rtcrt_build_accels`, of `source`; the memory is large enough.
enum rtcrt_status rtcrt_serialize_accel(const struct rtcrt_device *device,
                                        void *command_buffer,
                                        const struct rtcrt_accel *source,
                                        uint64_t address,
                                        struct rtcrt_error **error);

// Reads and checks the header of serialised bytes: whether they are whole, and of this device and driver.
//
// # Safety
// `device` is a device; `data` points to `size` bytes; `header` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_serialized_read(const struct rtcrt_device *device,
                                        const void *data,
                                        size_t size,
                                        struct rtcrt_serialized_header *header,
                                        struct rtcrt_error **error);

// Replaces the addresses of bottom-level structures in serialised bytes by others (`rtcrt_accel_address`).
//
// # Safety
// `header` points to a header; `data` points to `size` bytes that nothing else uses; `bottoms` points to `count` addresses; `error` is
// null or can be written.
enum rtcrt_status rtcrt_serialized_patch(const struct rtcrt_serialized_header *header,
                                         void *data,
                                         size_t size,
                                         const uint64_t *bottoms,
                                         size_t count,
                                         struct rtcrt_error **error);

// Records the reading of a serialised structure, whose header `rtcrt_serialized_read` has checked and whose addresses of bottom-level
// structures `rtcrt_serialized_patch` has replaced, and a barrier after it.
//
// # Safety
// As `rtcrt_build_accels`, of `target`; `header` points to a header; the memory at `address` has the bytes that it is
// of.
enum rtcrt_status rtcrt_deserialize_accel(const struct rtcrt_device *device,
                                          void *command_buffer,
                                          const struct rtcrt_serialized_header *header,
                                          uint64_t address,
                                          struct rtcrt_accel *target,
                                          struct rtcrt_error **error);

// Room for `capacity` questions of a kind (`rtcrt_postbuild_info`).
//
// # Safety
// `device` is a device; `queries` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_size_queries_new(const struct rtcrt_device *device,
                                         uint32_t info,
                                         uint32_t capacity,
                                         struct rtcrt_size_queries **queries,
                                         struct rtcrt_error **error);

// Records the questions about structures that were built before in the same or an earlier command buffer.
//
// # Safety
// As `rtcrt_build_accels`, of `count` structures that `structures` points to; `queries` are queries whose earlier
// questions the device has answered.
enum rtcrt_status rtcrt_size_queries_record(struct rtcrt_size_queries *queries,
                                            void *command_buffer,
                                            const struct rtcrt_accel *const *structures,
                                            size_t count,
                                            struct rtcrt_error **error);

// The answers in the order of the structures, if the device has given all: `ready` says so. `count` says for how many there is room in
// `answers`, and then how many there are.
//
// # Safety
// `queries` are queries; `answers` points to `count` numbers that can be written; `count` and `ready` can be written; `error` is null or
// can be written.
enum rtcrt_status rtcrt_size_queries_answers(const struct rtcrt_size_queries *queries,
                                             uint64_t *answers,
                                             size_t *count,
                                             bool *ready,
                                             struct rtcrt_error **error);

// Records that the answers to the questions that were recorded last are written to a `VkBuffer`, 8 bytes each, as D3D12 does. `offset` is
// a multiple of 8.
//
// # Safety
// `queries` are queries; `command_buffer` is a `VkCommandBuffer` of their device that records outside of a render pass. `buffer` is a
// buffer that transfers may write, with room for the answers, that lives until the work ends. `error` is null or can be written.
enum rtcrt_status rtcrt_size_queries_write(const struct rtcrt_size_queries *queries,
                                           void *command_buffer,
                                           uint64_t buffer,
                                           uint64_t offset,
                                           struct rtcrt_error **error);

// Frees queries.
//
// # Safety
// `queries` is null, or queries that neither the caller nor the device uses again.
void rtcrt_size_queries_free(struct rtcrt_size_queries *queries);

// Bytes that an array and its build need. Needs `RTCRT_USE_MICROMAPS`, as all functions about micromaps do.
//
// # Safety
// `device` is a device; `inputs` points to inputs with valid pointers; `sizes` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_micromap_inputs_sizes(const struct rtcrt_device *device,
                                              const struct rtcrt_micromap_inputs *inputs,
                                              struct rtcrt_micromap_sizes *sizes,
                                              struct rtcrt_error **error);

// The finest levels of micromaps with two and with four states.
//
// # Safety
// `device` is a device; `two_states` and `four_states` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_micromap_max_levels(const struct rtcrt_device *device,
                                            uint32_t *two_states,
                                            uint32_t *four_states,
                                            struct rtcrt_error **error);

// Room for an array of `size` bytes (`rtcrt_micromap_sizes`); it is empty until a build or a copy into it has run.
//
// # Safety
// `device` is a device, `memory` is memory of it; `micromaps` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_micromaps_new(const struct rtcrt_device *device,
                                      const struct rtcrt_memory *memory,
                                      uint64_t size,
                                      struct rtcrt_micromaps **micromaps,
                                      struct rtcrt_error **error);

// `VkMicromapEXT`, for `rtcrt_micromap_linkage`.
//
// # Safety
// `micromaps` is null or an array.
uint64_t rtcrt_micromaps_handle(const struct rtcrt_micromaps *micromaps);

// The device address of its memory, for clusters.
//
// # Safety
// `micromaps` is null or an array.
uint64_t rtcrt_micromaps_address(const struct rtcrt_micromaps *micromaps);

// Bytes that it has room for.
//
// # Safety
// `micromaps` is null or an array.
uint64_t rtcrt_micromaps_size(const struct rtcrt_micromaps *micromaps);

// How many micromaps of each level and format the last recorded build has; none if it was not built or was read from bytes. `count` says
// for how many there is room in `counts` (26 are enough), and then how many there are.
//
// # Safety
// `micromaps` is an array; `counts` points to `count` counts that can be written; `count` can be read and written; `error` is null or can
// be written.
enum rtcrt_status rtcrt_micromaps_counts(const struct rtcrt_micromaps *micromaps,
                                         struct rtcrt_micromap_count *counts,
                                         size_t *count,
                                         struct rtcrt_error **error);

// Frees an array.
//
// # Safety
// `micromaps` is null, or an array that neither the caller nor the device uses again, nor a structure that refers to it.
void rtcrt_micromaps_free(struct rtcrt_micromaps *micromaps);

// Records builds of arrays, and a barrier after them. Structures that refer to them are built afterwards.
//
// # Safety
// As `rtcrt_build_accels`.
enum rtcrt_status rtcrt_build_micromaps(const struct rtcrt_device *device,
                                        void *command_buffer,
                                        const struct rtcrt_micromap_build *builds,
                                        size_t count,
                                        uint64_t scratch_address,
                                        uint64_t scratch_size,
                                        struct rtcrt_error **error);

// Records a copy of an array (`rtcrt_copy_mode`), and a barrier after it.
//
// # Safety
// As `rtcrt_copy_accel`.
enum rtcrt_status rtcrt_copy_micromaps(const struct rtcrt_device *device,
                                       void *command_buffer,
                                       const struct rtcrt_micromaps *source,
                                       struct rtcrt_micromaps *target,
                                       uint32_t mode,
                                       struct rtcrt_error **error);

// Records the serialisation of an array to memory at a multiple of 256, which has the size that a query gave, and a barrier after it.
//
// # Safety
// As `rtcrt_build_accels`, of `source`; the memory is large enough.
enum rtcrt_status rtcrt_serialize_micromaps(const struct rtcrt_device *device,
                                            void *command_buffer,
                                            const struct rtcrt_micromaps *source,
                                            uint64_t address,
                                            struct rtcrt_error **error);

// Reads and checks the header of a serialised array, whether it is whole, and of this device and driver; `deserialized_size` is for the
// room that it is read into.
//
// # Safety
// `device` is a device; `data` points to `size` bytes; `deserialized_size` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_serialized_micromaps_read(const struct rtcrt_device *device,
                                                  const void *data,
                                                  size_t size,
                                                  uint64_t *deserialized_size,
                                                  struct rtcrt_error **error);

// Records the reading of a serialised array, whose header `rtcrt_serialized_micromaps_read` has checked, and a barrier after it.
//
// # Safety
// As `rtcrt_build_accels`, of `target`; the memory at `address` has the bytes of which `deserialized_size` was read.
enum rtcrt_status rtcrt_deserialize_micromaps(const struct rtcrt_device *device,
                                              void *command_buffer,
                                              uint64_t deserialized_size,
                                              uint64_t address,
                                              struct rtcrt_micromaps *target,
                                              struct rtcrt_error **error);

// Room for `capacity` questions about arrays of micromaps: sizes after a compaction, or of the serialised array (`rtcrt_postbuild_info`).
//
// # Safety
// `device` is a device; `queries` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_size_queries_of_micromaps(const struct rtcrt_device *device,
                                                  uint32_t info,
                                                  uint32_t capacity,
                                                  struct rtcrt_size_queries **queries,
                                                  struct rtcrt_error **error);

// Records the questions about arrays that were built before in the same or an earlier command buffer.
//
// # Safety
// As `rtcrt_size_queries_record`, of `count` arrays.
enum rtcrt_status rtcrt_size_queries_record_micromaps(struct rtcrt_size_queries *queries,
                                                      void *command_buffer,
                                                      const struct rtcrt_micromaps *const *arrays,
                                                      size_t count,
                                                      struct rtcrt_error **error);

// Reads `D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INPUTS`, of a structure or of an array of micromaps, whose pointers to descriptions
// are followed. `addresses` may be null: then addresses are the same in D3D12 and Vulkan, and there are no micromaps.
//
// # Safety
// `desc` is null or points to the structure; so do the pointers in it, and those in its descriptions. `addresses` is null or points to
// addresses, whose functions may be called during the call. `inputs` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_d3d12_inputs_new(const void *desc,
                                         const struct rtcrt_addresses *addresses,
                                         struct rtcrt_d3d12_inputs **inputs,
                                         struct rtcrt_error **error);

// The inputs of a structure, which belong to `inputs`; null if they are those of an array of micromaps.
//
// # Safety
// `inputs` is null or inputs that were read.
const struct rtcrt_inputs *rtcrt_d3d12_inputs_structure(const struct rtcrt_d3d12_inputs *inputs);

// The inputs of an array of micromaps, which belong to `inputs`; null if they are those of a structure.
//
// # Safety
// `inputs` is null or inputs that were read.
const struct rtcrt_micromap_inputs *rtcrt_d3d12_inputs_micromaps(const struct rtcrt_d3d12_inputs *inputs);

// Frees inputs that were read.
//
// # Safety
// `inputs` is null, or inputs that are not used again.
void rtcrt_d3d12_inputs_free(struct rtcrt_d3d12_inputs *inputs);

// The `VkFormat` of a `DXGI_FORMAT` that positions of vertices may have; 0 of any other.
uint32_t rtcrt_vertex_format_of_dxgi(uint32_t dxgi_format);

// Makes points of inverted boxes (`D3D12_RAYTRACING_AABB`), as D3D12 takes them. `stride` is from box to box, at least 24; bytes between
// boxes stay.
//
// # Safety
// `boxes` points to `size` bytes that nothing else uses; `error` is null or can be written.
enum rtcrt_status rtcrt_upright_boxes(void *boxes,
                                      size_t size,
                                      size_t stride,
                                      struct rtcrt_error **error);

// Makes triangles inactive of which any vertex has an x that is not a number, as D3D12 takes them. With indices, a vertex may be added:
// `count` says how many vertices there are, and then how many there are with it; there must be room for it in `positions`.
//
// # Safety
// `positions` points to three numbers for each vertex, and for one more if there are indices, that nothing else uses; `count` can be read
// and written; `indices` is null or points to `index_count` indices that nothing else uses; `error` is null or can be written.
enum rtcrt_status rtcrt_deactivate_triangles(float *positions,
                                             size_t *count,
                                             uint32_t *indices,
                                             size_t index_count,
                                             struct rtcrt_error **error);

// Bytes that a batch of operations on clusters needs. Needs `RTCRT_USE_CLUSTERS`.
//
// # Safety
// `device` is a device; `inputs` points to inputs; `sizes` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_cluster_inputs_sizes(const struct rtcrt_device *device,
                                             const struct rtcrt_cluster_inputs *inputs,
                                             struct rtcrt_operation_sizes *sizes,
                                             struct rtcrt_error **error);

// Bytes that a partitioned structure and its builds need. Needs `RTCRT_USE_PARTITIONS`.
//
// # Safety
// `device` is a device; `desc` points to a description; `sizes` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_partitioned_sizes(const struct rtcrt_device *device,
                                          const struct rtcrt_partitioned_desc *desc,
                                          struct rtcrt_operation_sizes *sizes,
                                          struct rtcrt_error **error);

// What addresses are multiples of; never more than in D3D12. Needs `RTCRT_USE_CLUSTERS`.
//
// # Safety
// `device` is a device; `alignments` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_device_cluster_alignments(const struct rtcrt_device *device,
                                                  struct rtcrt_cluster_alignments *alignments,
                                                  struct rtcrt_error **error);

// Records operations: `ExecuteIndirectRTASOperations`. They run in no order. A barrier after them makes results visible to builds and to
// stages that trace rays; arguments and results in buffers are the caller's to synchronise.
//
// # Safety
// `device` is a device; `command_buffer` is a `VkCommandBuffer` of it that records outside of a render pass; `operations` points to
// `count` operations with valid pointers. Memory at all addresses is as they say, large enough, and lives until the work ends. `error` is
// null or can be written.
enum rtcrt_status rtcrt_execute_operations(const struct rtcrt_device *device,
                                           void *command_buffer,
                                           const struct rtcrt_operation *operations,
                                           size_t count,
                                           struct rtcrt_error **error);

// Arguments in Vulkan's layout from D3D12's, of builds of clusters and templates and of instantiations. Those of moves and of structures
// of clusters have the same bytes in both. The address of an array of micromaps is `rtcrt_micromaps_address`.
//
// # Safety
// `inputs` points to inputs; `data` points to `size` bytes; `addresses` is null, for addresses that are the same in both, or points to
// addresses, whose functions may be called during the call; `arguments` can be written; `error` is null or can be written.
enum rtcrt_status rtcrt_cluster_arguments(const struct rtcrt_cluster_inputs *inputs,
                                          const void *data,
                                          size_t size,
                                          const struct rtcrt_addresses *addresses,
                                          struct rtcrt_blob **arguments,
                                          struct rtcrt_error **error);

// Writes of instances into partitioned structures in Vulkan's layout from `D3D12_RTAS_PARTITIONED_TLAS_OPERATION_WRITE_INSTANCE_ARGS`.
//
// # Safety
// As `rtcrt_cluster_arguments`.
enum rtcrt_status rtcrt_write_instance_arguments(const void *data,
                                                 size_t size,
                                                 const struct rtcrt_addresses *addresses,
                                                 struct rtcrt_blob **arguments,
                                                 struct rtcrt_error **error);

// Rewrites an array of D3D12's geometry indices with flags, 4 bytes each, for Vulkan.
//
// # Safety
// `words` points to `size` bytes that nothing else uses; `error` is null or can be written.
enum rtcrt_status rtcrt_geometry_words(void *words, size_t size, struct rtcrt_error **error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* RTCRT_H */
