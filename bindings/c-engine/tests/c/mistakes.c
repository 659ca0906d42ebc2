/* Arguments that are wrong, without a device: everything here runs on every machine. */

#include "stage.h"

static void nothing_is_null(void) {
    rtcrt_library *library = NULL;
    rtcrt_texts *texts = NULL;
    rtcrt_bytes bytes;
    rtcrt_sizes sizes;
    uint64_t size;
    INVALID(rtcrt_library_read(NULL, 1, NULL, &library, &error), "`packages` is null");
    INVALID(rtcrt_library_read(NULL, 0, NULL, &library, &error), "`packages` are none");
    INVALID(rtcrt_library_names(NULL, &texts, &error), "`library` is null");
    INVALID(rtcrt_requirements_extensions(NULL, &texts, &error), "`requirements` is null");
    INVALID(rtcrt_device_new(NULL, NULL, &error), "`handles` is null");
    INVALID(rtcrt_device_check(NULL, NULL, &error), "`device` is null");
    INVALID(rtcrt_layout_new(NULL, NULL, 0, NULL, NULL, &error), "`device` is null");
    INVALID(rtcrt_pipeline_new(NULL, NULL, NULL, NULL, &error), "`library` is null");
    INVALID(rtcrt_pipeline_add(NULL, NULL, NULL, NULL, &error), "`parent` is null");
    INVALID(rtcrt_pipeline_name_bytes(NULL, NULL, &bytes, &error), "`pipeline` is null");
    INVALID(rtcrt_pipeline_set_stack_size(NULL, 0, &error), "`pipeline` is null");
    INVALID(rtcrt_compilation_finish(NULL, NULL, &error), "`compilation` is null");
    INVALID(rtcrt_collection_new(NULL, NULL, 0, NULL, NULL, &error), "`library` is null");
    INVALID(rtcrt_cache_open(NULL, "x", NULL, &error), "`device` is null");
    INVALID(rtcrt_tables_size(NULL, NULL, &size, &error), "`tables` is null");
    INVALID(rtcrt_frame_tables_begin(NULL, 0, NULL, &error), "`frame_tables` is null");
    INVALID(rtcrt_dispatch_rays(NULL, NULL, NULL, &error), "`pipeline` is null");
    INVALID(rtcrt_inputs_sizes(NULL, NULL, &sizes, &error), "`inputs` is null");
    INVALID(rtcrt_build_accels(NULL, NULL, NULL, 0, 0, 0, &error), "`device` is null");
    INVALID(rtcrt_copy_accel(NULL, NULL, NULL, NULL, 0, &error), "`device` is null");
    INVALID(rtcrt_buffer_write(NULL, 0, "x", 1, &error), "`buffer` is null");
    INVALID(rtcrt_buffer_write(NULL, 0, NULL, 1, &error), "`data` is null");
    INVALID(rtcrt_memory_own(NULL, NULL, &error), "`device` is null");
    INVALID(rtcrt_size_queries_new(NULL, 0, 1, NULL, &error), "`device` is null");
    INVALID(rtcrt_tables_new(NULL, &error), "`tables` is null");
    /* The status alone. */
    CHECK(rtcrt_tables_new(NULL, NULL) == RTCRT_STATUS_INVALID_ARGUMENT);
    /* Getters of nothing. */
    CHECK(rtcrt_texts_count(NULL) == 0 && rtcrt_texts_at(NULL, 3).size == 0 && rtcrt_texts_data(NULL) == NULL);
    CHECK(rtcrt_buffer_handle(NULL) == 0 && rtcrt_accel_address(NULL) == 0 && rtcrt_layout_handle(NULL) == 0);
    CHECK(rtcrt_error_message(NULL).size == 0 && rtcrt_error_message(NULL).data[0] == 0 && rtcrt_error_status(NULL) == RTCRT_STATUS_OK);
    CHECK(rtcrt_layout_sets(NULL, NULL) == NULL && rtcrt_device_name(NULL).size == 0);
    CHECK(rtcrt_pipeline_shader_stack_size(NULL, "x") == 0xffffffff && !rtcrt_identifier_equal(NULL, NULL));
    CHECK(rtcrt_feature_chain_next(NULL) == NULL && rtcrt_blob_bytes(NULL).size == 0);
    rtcrt_library_free(NULL);
    rtcrt_state_object_free(NULL);
    rtcrt_requirements_free(NULL);
    rtcrt_feature_chain_free(NULL);
    rtcrt_device_free(NULL);
    rtcrt_memory_free(NULL);
    rtcrt_buffer_free(NULL);
    rtcrt_layout_free(NULL);
    rtcrt_pipeline_free(NULL);
    rtcrt_identifier_free(NULL);
    rtcrt_compilation_free(NULL);
    rtcrt_collection_free(NULL);
    rtcrt_cache_free(NULL);
    rtcrt_tables_free(NULL);
    rtcrt_frame_tables_free(NULL);
    rtcrt_accel_free(NULL);
    rtcrt_size_queries_free(NULL);
    rtcrt_blob_free(NULL);
    rtcrt_texts_free(NULL);
    rtcrt_error_free(NULL);
}

static void packages(void) {
    static const uint8_t lies[] = "not a package at all, whatever it says";
    rtcrt_library *library = NULL;
    rtcrt_package package = {"lies.rtp", lies, sizeof lies};
    FAILS(rtcrt_library_read(&package, 1, NULL, &library, &error), RTCRT_STATUS_PACKAGE, "the package is damaged");
    package.name = "\xff";
    INVALID(rtcrt_library_read(&package, 1, NULL, &library, &error), "`name` is not UTF-8");
    package.name = NULL;
    package.size = (size_t)-1;
    INVALID(rtcrt_library_read(&package, 1, NULL, &library, &error), "longer than any object");
    package.size = 0;
    FAILS(rtcrt_library_read(&package, 1, NULL, &library, &error), RTCRT_STATUS_PACKAGE, "");
    package.size = sizeof lies;
    rtcrt_overrides overrides = {.size = 3};
    INVALID(rtcrt_library_read(&package, 1, &overrides, &library, &error), "3 in its member `size`");
    INVALID(rtcrt_library_read((const rtcrt_package *)(lies + 1), 1, NULL, &library, &error), "is not aligned");
    CHECK(library == NULL);
}

static void tables(void) {
    rtcrt_tables *tables = NULL;
    rtcrt_record sky = {"Sky", NULL, 0}, null = {NULL, NULL, 0};
    rtcrt_argument argument = {.slot = "Material", .kind = 7};
    rtcrt_reach reach = {.has_miss = 1, .miss = 3};
    RT(rtcrt_tables_new(&tables, &error));
    RT(rtcrt_tables_put(tables, RTCRT_TABLE_MISS, 2, &sky, &error));
    RT(rtcrt_tables_put(tables, RTCRT_TABLE_CALLABLE, 0, &null, &error));
    INVALID(rtcrt_tables_put(tables, 4, 0, &sky, &error), "`table` is 4");
    INVALID(rtcrt_tables_put(tables, RTCRT_TABLE_MISS, 0, NULL, &error), "`record` is null");
    FAILS(rtcrt_tables_put(tables, RTCRT_TABLE_HIT, 0xffffffff, &sky, &error), RTCRT_STATUS_LIMIT, "no trace reaches");
    FAILS(rtcrt_tables_put(tables, RTCRT_TABLE_RAY_GENERATION, 1, &sky, &error), RTCRT_STATUS_BINDING, "index 1");
    sky.arguments = &argument;
    sky.argument_count = 1;
    INVALID(rtcrt_tables_put(tables, RTCRT_TABLE_MISS, 0, &sky, &error), "`kind` is 7");
    argument.kind = RTCRT_ARGUMENT_KIND_INDEX;
    argument.value = 1ull << 40;
    INVALID(rtcrt_tables_put(tables, RTCRT_TABLE_MISS, 0, &sky, &error), "`value` is the index");
    argument.slot = NULL;
    INVALID(rtcrt_tables_put(tables, RTCRT_TABLE_MISS, 0, &sky, &error), "`slot` is null");
    FAILS(rtcrt_tables_check_reach(tables, &reach, &error), RTCRT_STATUS_BINDING, "the miss table has 3 record(s), index 3");
    reach.miss = 2;
    RT(rtcrt_tables_check_reach(tables, &reach, &error));
    CHECK(rtcrt_hit_index(1, 2, 3, 10) == 17);
    rtcrt_tables_free(tables);
}

static void add_feature(rtcrt_requirements *requirements) {
    rtcrt_texts *features = NULL;
    RT(rtcrt_requirements_add_feature(requirements, "nullDescriptor", "VK_EXT_robustness2", "null descriptors", &error));
    FAILS(rtcrt_requirements_add_feature(requirements, "nothing", "", "a test", &error),
          RTCRT_STATUS_BINDING, "the feature `nothing` of Vulkan");
    INVALID(rtcrt_requirements_add_feature(requirements, "x", "x", NULL, &error), "`reason` is null");
    INVALID(rtcrt_requirements_add_feature(NULL, "x", "x", "x", &error), "`requirements` is null");
    RT(rtcrt_requirements_features(requirements, &features, &error));
    size_t last = rtcrt_texts_count(features) - 1;
    CHECK(strcmp((const char *)rtcrt_texts_at(features, last).data, "nullDescriptor") == 0);
    rtcrt_texts_free(features);
    /* What each use adds. */
    static const struct {
        uint32_t use;
        const char *feature;
    } uses[8] = {{RTCRT_USE_DESCRIPTOR_BUFFERS, "descriptorBuffer"},
                 {RTCRT_USE_INDIRECT_BUILDS, "accelerationStructureIndirectBuild"},
                 {RTCRT_USE_HOST_BUILDS, "accelerationStructureHostCommands"},
                 {RTCRT_USE_CURRENT_SIZES, "rayTracingMaintenance1"},
                 {RTCRT_USE_POSITIONS, "rayTracingPositionFetch"},
                 {RTCRT_USE_MICROMAPS, "micromap"},
                 {RTCRT_USE_CLUSTERS, "clusterAccelerationStructure"},
                 {RTCRT_USE_PARTITIONS, "partitionedAccelerationStructure"}};
    for (int i = 0; i < 8; ++i) {
        rtcrt_requirements *own = NULL;
        RT(rtcrt_requirements_new(NULL, 0, uses[i].use, &own, &error));
        RT(rtcrt_requirements_features(own, &features, &error));
        CHECK(strcmp((const char *)rtcrt_texts_at(features, rtcrt_texts_count(features) - 1).data, uses[i].feature) == 0);
        rtcrt_texts_free(features);
        rtcrt_requirements_free(own);
    }
}

static void devices(void) {
    rtcrt_requirements *requirements = NULL;
    rtcrt_texts *extensions = NULL, *features = NULL, *refusals = NULL;
    rtcrt_device *device = NULL;
    const rtcrt_library *none[1] = {NULL};
    INVALID(rtcrt_requirements_new(none, 1, 0, &requirements, &error), "`libraries[0]` is null");
    INVALID(rtcrt_requirements_new(NULL, 0, 64, &requirements, &error), "unknown bits 0x40");
    RT(rtcrt_requirements_new(NULL, 0, RTCRT_USE_PIPELINE_LIBRARIES, &requirements, &error));
    CHECK(rtcrt_requirements_api_version(requirements) >= VK_API_VERSION_1_2);
    RT(rtcrt_requirements_extensions(requirements, &extensions, &error));
    RT(rtcrt_requirements_features(requirements, &features, &error));
    bool found = false;
    for (size_t i = 0; i < rtcrt_texts_count(extensions); ++i) {
        found = found || strcmp(rtcrt_texts_data(extensions)[i], "VK_KHR_pipeline_library") == 0;
        CHECK((const char *)rtcrt_texts_at(extensions, i).data == rtcrt_texts_data(extensions)[i]);
    }
    CHECK(found && rtcrt_texts_count(features) > 3);
    CHECK(rtcrt_texts_at(extensions, 1000).size == 0);
    add_feature(requirements);
    FAILS(rtcrt_requirements_refusals(requirements, NULL, NULL, NULL, &refusals, &error), RTCRT_STATUS_BINDING, "vkGetInstanceProcAddr is null");
    rtcrt_device_handles handles = {.size = sizeof handles};
    FAILS(rtcrt_device_new(&handles, &device, &error), RTCRT_STATUS_BINDING, "vkGetInstanceProcAddr is null");
    handles.get_instance_proc_addr = (rtcrt_function)vkGetInstanceProcAddr;
    FAILS(rtcrt_device_new(&handles, &device, &error), RTCRT_STATUS_BINDING, "VkInstance is null");
    handles.extension_count = 1;
    INVALID(rtcrt_device_new(&handles, &device, &error), "`extensions` is null");
    handles.extensions = rtcrt_texts_data(extensions);
    handles.feature_names = rtcrt_texts_data(features);
    handles.next = &handles;
    INVALID(rtcrt_device_new(&handles, &device, &error), "both by their names and by structures");
    handles.size = 8;
    INVALID(rtcrt_device_new(&handles, &device, &error), "8 in its member `size`");
    rtcrt_texts_free(extensions);
    rtcrt_texts_free(features);
    rtcrt_requirements_free(requirements);

    rtcrt_memory *memory = NULL;
    rtcrt_allocator allocator = {.size = sizeof allocator};
    INVALID(rtcrt_memory_new(&allocator, &memory, &error), "null function");
    CHECK(device == NULL && refusals == NULL && memory == NULL);
}

static uint64_t translate(void *user, uint64_t address) {
    return address == *(const uint64_t *)user ? 0xabc0 : 0;
}

static void instances(void) {
    VkAccelerationStructureInstanceKHR two[2];
    uint64_t known = 0x1000;
    memset(two, 0, sizeof two);
    two[0].accelerationStructureReference = known;
    RT(rtcrt_translate_instances(two, 2, translate, &known, &error));
    CHECK(two[0].accelerationStructureReference == 0xabc0 && two[1].accelerationStructureReference == 0);
    FAILS(rtcrt_translate_instances(two, 2, translate, &known, &error), RTCRT_STATUS_BINDING, "an unknown structure at 0xabc0");
    INVALID(rtcrt_translate_instances(NULL, 2, translate, &known, &error), "`instances` is null");
    INVALID(rtcrt_translate_instances(two, 2, NULL, &known, &error), "`translate` is null");
    INVALID(rtcrt_translate_instances(two, (size_t)-1, translate, &known, &error), "`count` is larger");
    rtcrt_serialized_header header = {100, 1};
    INVALID(rtcrt_serialized_patch(&header, two, 8, &known, 1, &error), "less than a header");
    FAILS(rtcrt_serialized_patch(&header, two, sizeof two, &known, 0, &error), RTCRT_STATUS_BINDING, "1 bottom-level structures, 0 are given");
    RT(rtcrt_serialized_patch(&header, two, sizeof two, &known, 1, &error));
    CHECK(two[0].accelerationStructureReference == 0x1000);
}

void mistakes(void) {
    CHECK(rtcrt_abi_version() == RTCRT_ABI_VERSION && strlen(rtcrt_version()) > 4);
    nothing_is_null();
    packages();
    tables();
    devices();
    instances();
}
