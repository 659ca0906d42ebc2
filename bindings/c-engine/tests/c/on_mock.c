/* What no device here can do, on functions that note how they are called: each function of librtcrt reaches the one of Vulkan. */

#include "mock.h"

/* A call that succeeds and reaches a function of Vulkan last. */
#define REACHES(call, name) \
    do { \
        mock_called = ""; \
        RT(call); \
        CHECK(strcmp(mock_called, name) == 0); \
    } while (0)

static void micromaps(struct stage *s) {
    rtcrt_device *device = s->gpu.rt;
    rtcrt_micromap_count counts[2] = {{10, 3, 1}, {1, 4, 2}}, told[26];
    rtcrt_micromap_inputs inputs = {
        .size = sizeof inputs, .counts = counts, .count = 2, .data = 0x1000, .entries = 0x2000, .stride = 8, .flags = 2};
    rtcrt_micromap_sizes sizes;
    rtcrt_micromaps *array = NULL, *other = NULL;
    uint32_t two = 0, four = 0;
    size_t count = 26;
    RT(rtcrt_micromap_max_levels(device, &two, &four, &error));
    CHECK(two == MOCK_LEVEL && four == MOCK_LEVEL / 2);
    REACHES(rtcrt_micromap_inputs_sizes(device, &inputs, &sizes, &error), "vkGetMicromapBuildSizesEXT");
    CHECK(sizes.result == MOCK_RESULT && sizes.scratch == MOCK_SCRATCH && sizes.discardable);
    REACHES(rtcrt_micromaps_new(device, s->gpu.memory, sizes.result, &array, &error), "vkCreateMicromapEXT");
    REACHES(rtcrt_micromaps_new(device, s->gpu.memory, sizes.result, &other, &error), "vkCreateMicromapEXT");
    CHECK(rtcrt_micromaps_handle(array) == 0x77 && rtcrt_micromaps_size(array) == MOCK_RESULT && rtcrt_micromaps_address(array) != 0);
    FAILS(rtcrt_copy_micromaps(device, s->commands, array, other, RTCRT_COPY_MODE_COMPACT, &error), RTCRT_STATUS_BINDING, "not built");
    RT(rtcrt_micromaps_counts(array, told, &count, &error));
    CHECK(count == 0);

    rtcrt_micromap_build builds[2] = {{.size = sizeof builds[0], .inputs = &inputs, .target = array},
                                      {.size = sizeof builds[0], .inputs = &inputs, .target = array}};
    FAILS(rtcrt_build_micromaps(device, s->commands, builds, 2, 0x10000, 4096, &error), RTCRT_STATUS_BUSY, "`builds[1].target`");
    FAILS(rtcrt_build_micromaps(device, s->commands, builds, 1, 0x10000, 16, &error), RTCRT_STATUS_BINDING, "array 0: the build needs 512");
    REACHES(rtcrt_build_micromaps(device, s->commands, builds, 1, 0x10000, 4096, &error), "vkCmdBuildMicromapsEXT");
    count = 1;
    INVALID(rtcrt_micromaps_counts(array, told, &count, &error), "`counts` has room for 1 numbers, there are 2");
    count = 26;
    RT(rtcrt_micromaps_counts(array, told, &count, &error));
    CHECK(count == 2 && memcmp(told, counts, sizeof counts) == 0);
    FAILS(rtcrt_copy_micromaps(device, s->commands, array, array, RTCRT_COPY_MODE_COMPACT, &error), RTCRT_STATUS_BUSY, "`target`");
    REACHES(rtcrt_copy_micromaps(device, s->commands, array, other, RTCRT_COPY_MODE_COMPACT, &error), "vkCmdCopyMicromapEXT");

    REACHES(rtcrt_serialize_micromaps(device, s->commands, array, 0x300, &error), "vkCmdCopyMicromapToMemoryEXT");
    uint64_t bytes[8] = {0}, size = 0;
    bytes[4] = sizeof bytes;
    bytes[5] = MOCK_RESULT;
    REACHES(rtcrt_serialized_micromaps_read(device, bytes, sizeof bytes, &size, &error), "vkGetDeviceMicromapCompatibilityEXT");
    CHECK(size == MOCK_RESULT);
    REACHES(rtcrt_deserialize_micromaps(device, s->commands, size, 0x400, other, &error), "vkCmdCopyMemoryToMicromapEXT");
    FAILS(rtcrt_deserialize_micromaps(device, s->commands, size + 1, 0x400, other, &error), RTCRT_STATUS_BINDING, "needs 1025 bytes");

    rtcrt_size_queries *queries = NULL;
    const rtcrt_micromaps *const list[1] = {array};
    REACHES(rtcrt_size_queries_of_micromaps(device, RTCRT_POSTBUILD_INFO_COMPACTED_SIZE, 1, &queries, &error), "vkCreateQueryPool");
    REACHES(rtcrt_size_queries_record_micromaps(queries, s->commands, list, 1, &error), "vkCmdWriteMicromapsPropertiesEXT");
    rtcrt_size_queries_free(queries);
    FAILS(rtcrt_size_queries_of_micromaps(device, RTCRT_POSTBUILD_INFO_CURRENT_SIZE, 1, &queries, &error), RTCRT_STATUS_LIMIT, "alone");

    /* Triangles that refer to the array. */
    rtcrt_micromap_linkage linkage = {.size = sizeof linkage, .micromaps = rtcrt_micromaps_handle(array), .counts = told, .count = count};
    const rtcrt_micromap_linkage *linkages[1] = {&linkage};
    rtcrt_inputs with = s->scene.inputs[0];
    rtcrt_sizes of_structure;
    with.micromaps = linkages;
    RT(rtcrt_inputs_sizes(device, &with, &of_structure, &error));
    CHECK(of_structure.result > 0);
    linkage.micromaps = 0;
    FAILS(rtcrt_inputs_sizes(device, &with, &of_structure, &error), RTCRT_STATUS_BINDING, "there is no array");
    rtcrt_micromaps_free(other);
    rtcrt_micromaps_free(array);
    CHECK(strcmp(mock_called, "vkDestroyMicromapEXT") == 0);
}

static void operations(struct stage *s) {
    rtcrt_device *device = s->gpu.rt;
    rtcrt_operation_sizes sizes;
    rtcrt_cluster_alignments alignments;
    rtcrt_batch_data batch = {.result = 0x100, .scratch = 0x100, .arguments = {0x100, 0}, .count = 0x100};
    RT(rtcrt_device_cluster_alignments(device, &alignments, &error));
    CHECK(alignments.scratch == 1 && alignments.cluster == 1 && alignments.cluster_template == 1);
    for (uint32_t i = 0; i < 5; ++i) {
        rtcrt_cluster_inputs inputs = {
            .size = sizeof inputs, .operation = i, .max_args = 1, .vertices = 2, .instance_vertices = 2, .index_size = 1};
        rtcrt_operation operation = {.size = sizeof operation, .clusters = &inputs, .batch = &batch};
        REACHES(rtcrt_cluster_inputs_sizes(device, &inputs, &sizes, &error), "vkGetClusterAccelerationStructureBuildSizesNV");
        CHECK(sizes.result == MOCK_RESULT && sizes.scratch == MOCK_SCRATCH);
        REACHES(rtcrt_execute_operations(device, s->commands, &operation, 1, &error), "vkCmdBuildClusterAccelerationStructureIndirectNV");
    }
    rtcrt_partitioned_desc desc = {.size = sizeof desc, .instances = 8, .max_in_global = 8};
    rtcrt_partitioned_data data = {.dest = 0x100, .scratch = 0x100, .count = 0x100, .operations = 0x100};
    rtcrt_operation operation = {.size = sizeof operation, .partitioned = &desc, .data = &data};
    REACHES(rtcrt_partitioned_sizes(device, &desc, &sizes, &error), "vkGetPartitionedAccelerationStructuresBuildSizesNV");
    CHECK(sizes.result == MOCK_RESULT && sizes.scratch == MOCK_SCRATCH);
    REACHES(rtcrt_execute_operations(device, s->commands, &operation, 1, &error), "vkCmdBuildPartitionedAccelerationStructuresNV");
    data.dest = 8;
    FAILS(rtcrt_execute_operations(device, s->commands, &operation, 1, &error), RTCRT_STATUS_BINDING, "operation 0: the structure at 0x8");
}

static void indirect_builds(struct stage *s) {
    rtcrt_inputs inputs = s->scene.inputs[2];
    rtcrt_sizes sizes;
    rtcrt_accel *top = NULL;
    rtcrt_indirect_ranges ranges = {0x500, 16};
    RT(rtcrt_inputs_sizes(s->gpu.rt, &inputs, &sizes, &error));
    RT(rtcrt_accel_new(s->gpu.rt, s->gpu.memory, true, sizes.result, &top, &error));
    rtcrt_build build = {.size = sizeof build, .inputs = &inputs, .target = top};
    REACHES(rtcrt_build_accels_indirect(s->gpu.rt, s->commands, &build, &ranges, 1, 0x10000, 1 << 24, &error),
            "vkCmdBuildAccelerationStructuresIndirectKHR");
    ranges.address = 2;
    FAILS(rtcrt_build_accels_indirect(s->gpu.rt, s->commands, &build, &ranges, 1, 0x10000, 1 << 24, &error), RTCRT_STATUS_BINDING,
          "build 0: ranges at 0x2");
    rtcrt_accel_free(top);
}

void on_mock(struct stage *s) {
    struct stage *mocked = malloc(sizeof *mocked);
    CHECK(mocked != NULL);
    memcpy(mocked, s, sizeof *mocked);
    mocked->gpu.rt = mock_device(s);
    mocked->uses |= RTCRT_USE_HOST_BUILDS;
    VkCommandBuffer commands = stage_begin(s);
    CHECK(commands == mocked->commands);
    micromaps(mocked);
    operations(mocked);
    indirect_builds(mocked);
    on_host(mocked);
    stage_run(s);
    rtcrt_device_free(mocked->gpu.rt);
    free(mocked);
}
