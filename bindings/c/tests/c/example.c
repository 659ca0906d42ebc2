/* Compiles permutations of a source with an include callback, on two threads; looks at diagnostics; then everything that can go wrong. */

#include "rtc.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

static const char source[] =
    "#include \"twice.hlsli\"\n"
    "RWByteAddressBuffer Out : register(u0);\n"
    "[numthreads(1, 1, 1)] void main(uint n : SV_DispatchThreadID) { Out.Store(0, asuint(twice(N))); }\n";

static int find(void *user, const char *path, struct rtc_include *to) {
    const char text[] = "float twice(float x) { return 2 * x; }\n";
    CHECK(strcmp(user, "user") == 0);
    if (strcmp(path, "broken.hlsli") == 0) {
        return RTC_INCLUDE_ANSWER_ERROR;
    }
    if (strcmp(path, "twice.hlsli") != 0) {
        return RTC_INCLUDE_ANSWER_NONE;
    }
    CHECK(rtc_include_set(to, (const uint8_t *)text, sizeof text - 1) == RTC_STATUS_OK);
    return RTC_INCLUDE_ANSWER_FILE;
}

static struct rtc_options *parse(const struct rtc_session *session, const char *const *arguments, size_t count) {
    struct rtc_options *options = NULL;
    struct rtc_error *error = NULL;
    enum rtc_status status = rtc_options_parse(session, arguments, count, &options, &error);
    if (status != RTC_STATUS_OK) {
        fprintf(stderr, "%s\n", (const char *)rtc_error_message(error).data);
        exit(1);
    }
    return options;
}

static void *permutations(void *argument) {
    struct rtc_session *session = argument;
    const char *const arguments[] = {"-T", "cs_6_6", "-Zi", "-Qembed_debug"};
    struct rtc_options *options = parse(session, arguments, 4);
    for (int n = 0; n < 3; ++n) {
        char definition[16];
        struct rtc_options *with = NULL;
        struct rtc_result *result = NULL;
        struct rtc_bytes object;
        snprintf(definition, sizeof definition, "N=%d", n);
        CHECK(rtc_options_define(options, definition, &with) == RTC_STATUS_OK);
        CHECK(rtc_compile(session, with, "main.hlsl", (const uint8_t *)source, sizeof source - 1, NULL, &result) == RTC_STATUS_OK);
        CHECK(rtc_result_output(result, RTC_OUTPUT_OBJECT, &object) == RTC_STATUS_OK);
        CHECK(object.size > 4 && memcmp(object.data, "DXBC", 4) == 0);
        CHECK(rtc_result_include_count(result) == 1);
        CHECK(strcmp((const char *)rtc_result_include(result, 0).data, "twice.hlsli") == 0);
        struct rtc_result *valid = NULL;
        CHECK(rtc_validate(session, object.data, object.size, NULL, &valid) == RTC_STATUS_OK);
        rtc_result_free(valid);
        rtc_result_free(result);
        rtc_options_free(with);
    }
    rtc_options_free(options);
    rtc_session_free(session);
    return NULL;
}

static void progress(void *user, const char *phase, const char *detail) {
    ++*(int *)user;
    CHECK(phase[0] != 0 && detail != NULL);
}

static void mistakes(const struct rtc_session *session) {
    struct rtc_result *result = NULL;
    struct rtc_bytes bytes;
    const char *const arguments[] = {"-T", "cs_6_6"};
    struct rtc_options *options = parse(session, arguments, 2);
    const char bad[] = "\nfloat f() { return missing; }\n[numthreads(1,1,1)] void main() { f(); }\n";
    CHECK(rtc_compile(session, options, "bad.hlsl", (const uint8_t *)bad, sizeof bad - 1, NULL, &result) == RTC_STATUS_FAILED);
    CHECK(rtc_result_status(result) == RTC_STATUS_FAILED && rtc_result_diagnostic_count(result) == 1);
    struct rtc_diagnostic d;
    CHECK(rtc_result_diagnostic(result, 0, &d) == RTC_STATUS_OK);
    CHECK(d.severity == RTC_SEVERITY_ERROR && d.line == 2 && d.column == 20);
    CHECK(strcmp((const char *)d.file.data, "bad.hlsl") == 0 && strcmp((const char *)d.code.data, "E0301") == 0);
    CHECK(strstr((const char *)d.rendered.data, "bad.hlsl:2:20: error:") != NULL);
    CHECK(rtc_result_diagnostic(result, 1, &d) == RTC_STATUS_INVALID_ARGUMENT);
    CHECK(rtc_result_output(result, RTC_OUTPUT_OBJECT, &bytes) == RTC_STATUS_NOT_FOUND);
    CHECK(rtc_result_output(result, 1000, &bytes) == RTC_STATUS_INVALID_ARGUMENT);
    rtc_result_free(result);

    const char broken[] = "#include \"broken.hlsli\"\n";
    CHECK(rtc_compile(session, options, NULL, (const uint8_t *)broken, sizeof broken - 1, NULL, &result) == RTC_STATUS_FAILED);
    rtc_result_free(result);

    CHECK(rtc_compile(NULL, options, NULL, (const uint8_t *)bad, 1, NULL, &result) == RTC_STATUS_INVALID_ARGUMENT && result == NULL);
    CHECK(rtc_compile(session, NULL, NULL, (const uint8_t *)bad, 1, NULL, &result) == RTC_STATUS_INVALID_ARGUMENT);
    CHECK(rtc_compile(session, options, "\xff", (const uint8_t *)bad, 1, NULL, &result) == RTC_STATUS_INVALID_ARGUMENT);
    CHECK(rtc_compile(session, options, NULL, NULL, 1, NULL, &result) == RTC_STATUS_INVALID_ARGUMENT);
    CHECK(rtc_compile(session, options, NULL, NULL, 0, NULL, &result) == RTC_STATUS_FAILED);
    rtc_result_free(result);
    CHECK(rtc_compile(session, options, NULL, (const uint8_t *)bad, 1, NULL, NULL) == RTC_STATUS_INVALID_ARGUMENT);

    struct rtc_job job;
    struct rtc_cancel *cancel = NULL;
    int phases = 0;
    memset(&job, 0, sizeof job);
    CHECK(rtc_compile(session, options, NULL, (const uint8_t *)bad, 1, &job, &result) == RTC_STATUS_INVALID_ARGUMENT);
    job.size = sizeof job;
    job.progress = progress;
    job.user = &phases;
    const char good[] = "RWByteAddressBuffer Out; [numthreads(1,1,1)] void main() { Out.Store(0, 1); }";
    CHECK(rtc_compile(session, options, NULL, (const uint8_t *)good, sizeof good - 1, &job, &result) == RTC_STATUS_OK);
    CHECK(phases > 3);
    rtc_result_free(result);
    job.memory_limit_bytes = 1000;
    CHECK(rtc_compile(session, options, NULL, (const uint8_t *)good, sizeof good - 1, &job, &result) == RTC_STATUS_MEMORY_LIMIT);
    CHECK(rtc_result_message(result).size > 0);
    rtc_result_free(result);
    CHECK(rtc_cancel_new(&cancel) == RTC_STATUS_OK);
    rtc_cancel_now(cancel);
    job.cancel = cancel;
    CHECK(rtc_compile(session, options, NULL, (const uint8_t *)good, sizeof good - 1, &job, &result) == RTC_STATUS_CANCELLED);
    rtc_result_free(result);
    rtc_cancel_free(cancel);

    struct rtc_options *none = NULL;
    struct rtc_error *error = NULL;
    const char *const wrong[] = {"-T", "lib_9_9"};
    CHECK(rtc_options_parse(session, wrong, 2, &none, &error) == RTC_STATUS_FAILED && none == NULL);
    CHECK(rtc_error_message(error).size > 0);
    rtc_error_free(error);
    CHECK(rtc_options_parse(session, wrong, 2, &none, NULL) == RTC_STATUS_FAILED);
    CHECK(rtc_options_parse(session, NULL, 2, &none, NULL) == RTC_STATUS_INVALID_ARGUMENT);

    const char *const lies = "DXBC, says the file";
    CHECK(rtc_disassemble(session, (const uint8_t *)lies, strlen(lies), NULL, &result) == RTC_STATUS_FAILED);
    CHECK(rtc_result_message(result).size > 0);
    rtc_result_free(result);
    CHECK(rtc_reflect(session, NULL, 0, NULL, &result) == RTC_STATUS_FAILED);
    rtc_result_free(result);
    rtc_options_free(options);
}

static void linking(const struct rtc_session *session) {
    const char *const compile_arguments[] = {"-T", "lib_6_6"};
    const char *const link_arguments[] = {"-link", "-T", "cs_6_6", "-E", "main"};
    const char library[] = "RWByteAddressBuffer Out; [shader(\"compute\")] [numthreads(1,1,1)] void main() { Out.Store(0, 7); }";
    struct rtc_options *compile = parse(session, compile_arguments, 2), *link = parse(session, link_arguments, 5);
    struct rtc_result *compiled = NULL, *linked = NULL, *text = NULL;
    struct rtc_input input = {"library.dxil", NULL, 0};
    struct rtc_bytes bytes;
    uint8_t first[32], second[32];
    CHECK(rtc_compile(session, compile, NULL, (const uint8_t *)library, sizeof library - 1, NULL, &compiled) == RTC_STATUS_OK);
    CHECK(rtc_result_output(compiled, RTC_OUTPUT_OBJECT, &bytes) == RTC_STATUS_OK);
    input.data = bytes.data;
    input.size = bytes.size;
    CHECK(rtc_link(session, link, &input, 1, NULL, &linked) == RTC_STATUS_OK);
    CHECK(rtc_result_output(linked, RTC_OUTPUT_OBJECT, &bytes) == RTC_STATUS_OK);
    CHECK(rtc_reflect(session, bytes.data, bytes.size, NULL, &text) == RTC_STATUS_OK);
    CHECK(rtc_result_output(text, RTC_OUTPUT_TEXT, &bytes) == RTC_STATUS_OK && strstr((const char *)bytes.data, "\"compute\"") != NULL);
    rtc_result_free(text);
    rtc_result_free(linked);
    CHECK(rtc_link(session, link, NULL, 0, NULL, &linked) == RTC_STATUS_FAILED && rtc_result_message(linked).size > 0);
    rtc_result_free(linked);
    CHECK(rtc_link(session, compile, &input, 1, NULL, &linked) == RTC_STATUS_INVALID_ARGUMENT);
    CHECK(rtc_preprocess(session, compile, NULL, (const uint8_t *)"#define A 42\nA\n", 15, NULL, &text) == RTC_STATUS_OK);
    CHECK(rtc_result_output(text, RTC_OUTPUT_TEXT, &bytes) == RTC_STATUS_OK && strstr((const char *)bytes.data, "42") != NULL);
    rtc_result_free(text);
    CHECK(rtc_options_fingerprint(compile, first) == RTC_STATUS_OK && rtc_options_fingerprint(compile, second) == RTC_STATUS_OK);
    CHECK(memcmp(first, second, 32) == 0);
    rtc_result_free(compiled);
    rtc_options_free(compile);
    rtc_options_free(link);
}

int main(void) {
    struct rtc_session *session = NULL, *clones[2];
    pthread_t threads[2];
    char user[] = "user";
    CHECK(rtc_abi_version() == RTC_ABI_VERSION);
    CHECK(rtc_session_new(find, user, NULL) == RTC_STATUS_INVALID_ARGUMENT);
    CHECK(rtc_session_new(find, user, &session) == RTC_STATUS_OK);
    for (int n = 0; n < 2; ++n) {
        CHECK(rtc_session_clone(session, &clones[n]) == RTC_STATUS_OK);
        CHECK(pthread_create(&threads[n], NULL, permutations, clones[n]) == 0);
    }
    for (int n = 0; n < 2; ++n) {
        CHECK(pthread_join(threads[n], NULL) == 0);
    }
    mistakes(session);
    linking(session);
    rtc_session_forget_files(session);
    rtc_session_free(session);
    rtc_session_free(NULL);
    rtc_options_free(NULL);
    rtc_result_free(NULL);
    rtc_error_free(NULL);
    rtc_cancel_free(NULL);
    printf("rtc %s: all is well\n", rtc_version());
    return 0;
}
