/* Micromaps, clusters and partitioned structures on a device that was made without them: each function says what is missing. */

#include "stage.h"

#define REFUSED(call, text) FAILS(call, RTCRT_STATUS_LIMIT, text)

static void micromaps(struct stage *s) {
    static const char WHY[] = "was made without opacity micromaps: feature micromap of VK_EXT_opacity_micromap is not switched on";
    const rtcrt_device *device = s->gpu.rt;
    rtcrt_micromap_count count = {1, 2, 2};
    rtcrt_micromap_inputs inputs = {.size = sizeof inputs, .counts = &count, .count = 1, .data = 256, .entries = 256, .stride = 8};
    rtcrt_micromap_sizes sizes;
    rtcrt_micromaps *made = NULL;
    rtcrt_size_queries *queries = NULL;
    uint32_t two = 0, four = 0;
    uint64_t size = 0;
    REFUSED(rtcrt_micromap_inputs_sizes(device, &inputs, &sizes, &error), WHY);
    REFUSED(rtcrt_micromap_max_levels(device, &two, &four, &error), WHY);
    REFUSED(rtcrt_micromaps_new(device, s->gpu.memory, 256, &made, &error), WHY);
    REFUSED(rtcrt_build_micromaps(device, s->commands, NULL, 0, 256, 256, &error), WHY);
    REFUSED(rtcrt_serialized_micromaps_read(device, &size, sizeof size, &size, &error), WHY);
    REFUSED(rtcrt_size_queries_of_micromaps(device, RTCRT_POSTBUILD_INFO_COMPACTED_SIZE, 1, &queries, &error), WHY);
    INVALID(rtcrt_size_queries_of_micromaps(device, 9, 1, &queries, &error), "`info` is 9");

    /* Triangles of a structure. */
    rtcrt_sizes of_structure;
    rtcrt_micromap_linkage linkage = {
        .size = sizeof linkage, .micromaps = 1, .index_address = 256, .index_stride = 4, .index_size = 4, .counts = &count, .count = 1};
    const rtcrt_micromap_linkage *linkages[1] = {&linkage};
    rtcrt_geometry geometry = s->scene.geometries[0];
    rtcrt_inputs with = {.size = sizeof with, .geometries = &geometry, .count = 1, .micromaps = linkages};
    REFUSED(rtcrt_inputs_sizes(device, &with, &of_structure, &error), WHY);
    linkage.index_size = 256;
    INVALID(rtcrt_inputs_sizes(device, &with, &of_structure, &error), "`index_size` is 256");
    linkage.size = 3;
    INVALID(rtcrt_inputs_sizes(device, &with, &of_structure, &error), "`micromaps[0]` has 3");
    geometry.kind = RTCRT_GEOMETRY_KIND_BOXES;
    INVALID(rtcrt_inputs_sizes(device, &with, &of_structure, &error), "`micromaps[0]` is there, but the geometry has no triangles");
    geometry.kind = RTCRT_GEOMETRY_KIND_TRIANGLES;
    linkages[0] = NULL;
    RT(rtcrt_inputs_sizes(device, &with, &of_structure, &error));
    /* Programs that were built before the last member was there. */
    linkages[0] = &linkage;
    with.size = offsetof(rtcrt_inputs, micromaps);
    RT(rtcrt_inputs_sizes(device, &with, &of_structure, &error));
    with.size -= 8;
    INVALID(rtcrt_inputs_sizes(device, &with, &of_structure, &error), "in its member `size`");

    /* Arguments that are wrong before the device is asked. */
    rtcrt_micromap_build build = {.size = sizeof build, .inputs = &inputs};
    INVALID(rtcrt_build_micromaps(device, s->commands, &build, 1, 256, 256, &error), "`builds[0].target` is null");
    build.size = 1;
    INVALID(rtcrt_build_micromaps(device, s->commands, &build, 1, 256, 256, &error), "`builds[0]` has 1");
    count.level = 13;
    FAILS(rtcrt_micromap_inputs_sizes(device, &inputs, &sizes, &error), RTCRT_STATUS_BINDING, "the finest is 12");
    INVALID(rtcrt_copy_micromaps(device, s->commands, NULL, NULL, RTCRT_COPY_MODE_CLONE, &error), "`source` is null");
    INVALID(rtcrt_serialize_micromaps(device, s->commands, NULL, 256, &error), "`source` is null");
    INVALID(rtcrt_deserialize_micromaps(device, s->commands, 256, 256, NULL, &error), "`target` is null");
    CHECK(made == NULL && queries == NULL);

    /* Questions about structures are not about arrays. */
    RT(rtcrt_size_queries_new(device, RTCRT_POSTBUILD_INFO_SERIALIZATION_SIZE, 1, &queries, &error));
    FAILS(rtcrt_size_queries_record_micromaps(queries, s->commands, NULL, 0, &error), RTCRT_STATUS_BINDING, "are two kinds");
    INVALID(rtcrt_size_queries_record_micromaps(queries, s->commands, NULL, 1, &error), "`arrays` is null");
    rtcrt_size_queries_free(queries);
}

static void clusters(struct stage *s) {
    static const char WHY[] = "was made without clustered geometry: feature clusterAccelerationStructure";
    const rtcrt_device *device = s->gpu.rt;
    rtcrt_operation_sizes sizes;
    rtcrt_cluster_alignments alignments;
    rtcrt_batch_data batch = {.result = 256, .scratch = 256, .count = 256};
    REFUSED(rtcrt_device_cluster_alignments(device, &alignments, &error), WHY);
    for (uint32_t i = 0; i < 5; ++i) {
        rtcrt_cluster_inputs inputs = {
            .size = sizeof inputs, .operation = i, .max_args = 1, .vertices = 2, .instance_vertices = 2, .index_size = 1};
        rtcrt_operation operation = {.size = sizeof operation, .clusters = &inputs, .batch = &batch};
        REFUSED(rtcrt_cluster_inputs_sizes(device, &inputs, &sizes, &error), WHY);
        REFUSED(rtcrt_execute_operations(device, s->commands, &operation, 1, &error), WHY);
        operation.batch = NULL;
        INVALID(rtcrt_execute_operations(device, s->commands, &operation, 1, &error), "`batch` is null");
    }
    rtcrt_cluster_inputs inputs = {.size = sizeof inputs, .operation = 5};
    INVALID(rtcrt_cluster_inputs_sizes(device, &inputs, &sizes, &error), "`operation` is 5");
    inputs.operation = RTCRT_CLUSTER_OPERATION_MOVE;
    inputs.move_kind = 3;
    INVALID(rtcrt_cluster_inputs_sizes(device, &inputs, &sizes, &error), "`move_kind` is 3");
    inputs.operation = RTCRT_CLUSTER_OPERATION_BUILD_CLUSTERS;
    INVALID(rtcrt_cluster_inputs_sizes(device, &inputs, &sizes, &error), "`vertices` is 0");
    inputs.vertices = 14;
    inputs.index_size = 3;
    INVALID(rtcrt_cluster_inputs_sizes(device, &inputs, &sizes, &error), "`index_size` is 3");
    inputs.mode = RTCRT_OPERATION_MODE_GET_SIZES + 1;
    INVALID(rtcrt_cluster_inputs_sizes(device, &inputs, &sizes, &error), "`mode` is 3");
    inputs.size = 0;
    INVALID(rtcrt_cluster_inputs_sizes(device, &inputs, &sizes, &error), "`inputs` has 0");
}

static void partitions(struct stage *s) {
    static const char WHY[] = "was made without partitioned top-level structures: feature partitionedAccelerationStructure";
    const rtcrt_device *device = s->gpu.rt;
    rtcrt_operation_sizes sizes;
    rtcrt_partitioned_desc desc = {.size = sizeof desc, .instances = 8, .max_in_partition = 4, .partitions = 2};
    rtcrt_partitioned_data data = {.dest = 256, .scratch = 256, .count = 256, .operations = 256};
    rtcrt_operation operation = {.size = sizeof operation, .partitioned = &desc, .data = &data};
    REFUSED(rtcrt_partitioned_sizes(device, &desc, &sizes, &error), WHY);
    REFUSED(rtcrt_execute_operations(device, s->commands, &operation, 1, &error), WHY);
    operation.data = NULL;
    INVALID(rtcrt_execute_operations(device, s->commands, &operation, 1, &error), "`data` is null");
    operation.partitioned = NULL;
    INVALID(rtcrt_execute_operations(device, s->commands, &operation, 1, &error), "`operations[0]` must have either");
    operation.size = 7;
    INVALID(rtcrt_execute_operations(device, s->commands, &operation, 1, &error), "`operations[0]` has 7");
    INVALID(rtcrt_execute_operations(NULL, s->commands, NULL, 0, &error), "`device` is null");
    desc.size = 1;
    INVALID(rtcrt_partitioned_sizes(device, &desc, &sizes, &error), "`desc` has 1");
}

void newer(struct stage *s) {
    VkCommandBuffer commands = stage_begin(s);
    CHECK(commands == s->commands);
    micromaps(s);
    clusters(s);
    partitions(s);
    stage_run(s);
}
