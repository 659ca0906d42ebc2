/*
 * librtc: compiles HLSL to DXIL and SPIR-V. Generated from bindings/c/src; do not edit.
 *
 * Objects are opaque handles that the caller frees; NULL may be freed. What a function returns by pointer belongs to the object that it
 * comes from and lives as long as it. Text is UTF-8; texts that are arguments end with a zero byte. Objects may be used by several threads
 * at once, except that none must be used while or after it is freed. Each function says what it requires in its section Safety.
 */

#ifndef RTC_H
#define RTC_H

#include <stddef.h>
#include <stdint.h>

// The number of the binary interface. A program was built for the library that it runs with if `rtc_abi_version()` returns it.
#define RTC_ABI_VERSION 1

// The outcome of a function.
typedef enum rtc_status {
  // Success.
  RTC_STATUS_OK = 0,
  // The input has mistakes: diagnostics of the result say which, or the message of the result or error.
  RTC_STATUS_FAILED = 1,
  // An argument of the call is not valid: a null pointer, an index that is too large, text that is not UTF-8.
  RTC_STATUS_INVALID_ARGUMENT = 2,
  // There is no such output.
  RTC_STATUS_NOT_FOUND = 3,
  // The job was cancelled.
  RTC_STATUS_CANCELLED = 4,
  // The job took longer than its limit.
  RTC_STATUS_TIME_LIMIT = 5,
  // The job took more memory than its limit, or there is none.
  RTC_STATUS_MEMORY_LIMIT = 6,
  // A mistake of the compiler; the message says what to report.
  RTC_STATUS_INTERNAL = 7,
} rtc_status;

// How severe a diagnostic is.
typedef enum rtc_severity {
  // A remark.
  RTC_SEVERITY_NOTE = 0,
  // A warning.
  RTC_SEVERITY_WARNING = 1,
  // An error.
  RTC_SEVERITY_ERROR = 2,
} rtc_severity;

// The outputs of a job.
typedef enum rtc_output {
  // What was compiled or linked: a DXIL container, SPIR-V or a runtime package.
  RTC_OUTPUT_OBJECT = 0,
  // Text: of the preprocessor, a listing, a reflection as JSON, what validation found.
  RTC_OUTPUT_TEXT = 1,
  // The PDB, if debug information was requested.
  RTC_OUTPUT_PDB = 2,
  // Its name.
  RTC_OUTPUT_PDB_NAME = 3,
  // Reflection data: the part STAT and, for a library, RDAT.
  RTC_OUTPUT_REFLECTION = 4,
  // The shader's hash.
  RTC_OUTPUT_HASH = 5,
  // A container with the root signature, if there is one.
  RTC_OUTPUT_ROOT_SIGNATURE = 6,
} rtc_output;

// The answer of an include callback.
typedef enum rtc_include_answer {
  // There is no such file.
  RTC_INCLUDE_ANSWER_NONE = 0,
  // `rtc_include_set` has the file.
  RTC_INCLUDE_ANSWER_FILE = 1,
  // There is one that cannot be read.
  RTC_INCLUDE_ANSWER_ERROR = 2,
} rtc_include_answer;

// Cancels jobs from any thread.
typedef struct rtc_cancel rtc_cancel;

// Why arguments are not valid.
typedef struct rtc_error rtc_error;

// Receives the file that an include callback found.
typedef struct rtc_include rtc_include;

// Parsed arguments.
typedef struct rtc_options rtc_options;

// The result of a job.
typedef struct rtc_result rtc_result;

// A session: files and tokens that compilations share.
typedef struct rtc_session rtc_session;

// Finds the file at `path` and passes its bytes to `rtc_include_set`. It is called by the thread that compiles, so by several at once if
// several compile. It must not unwind.
typedef int (*rtc_include_callback)(void *user, const char *path, struct rtc_include *to);

// Bytes that belong to another object. Text has a zero byte after its end, which is not counted.
typedef struct rtc_bytes {
  // The first byte; never null.
  const uint8_t *data;
  // How many.
  size_t size;
} rtc_bytes;

// A diagnostic. Its texts belong to the result.
typedef struct rtc_diagnostic {
  // How severe it is.
  enum rtc_severity severity;
  // The line, from 1; 0 for a diagnostic without a location.
  uint32_t line;
  // The column, from 1.
  uint32_t column;
  // Its code: `E0301`.
  struct rtc_bytes code;
  // The message.
  struct rtc_bytes message;
  // The file.
  struct rtc_bytes file;
  // The diagnostic in one line as dxc prints it, with what belongs to it in the lines after it.
  struct rtc_bytes rendered;
} rtc_diagnostic;

// Called with each phase of a job that begins, and the function or pass that it is about; it must not unwind.
typedef void (*rtc_progress_callback)(void *user, const char *phase, const char *detail);

// Limits of a job. Zero means none. Set all members to zero and `size` to `sizeof(rtc_job)` first.
typedef struct rtc_job {
  // `sizeof(rtc_job)`.
  size_t size;
  // The job stops when it is cancelled; null for never.
  const struct rtc_cancel *cancel;
  // The job stops after this time.
  uint64_t time_limit_ms;
  // The job stops when it has allocated this much.
  uint64_t memory_limit_bytes;
  // Called by the thread that works; null for no progress.
  rtc_progress_callback progress;
  // The first argument of `progress`.
  void *user;
} rtc_job;

// A library to link.
typedef struct rtc_input {
  // Its name, for messages.
  const char *name;
  // Its bytes.
  const uint8_t *data;
  // How many.
  size_t size;
} rtc_input;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// `RTC_ABI_VERSION` of the library.
uint32_t rtc_abi_version(void);

// The version of the compiler, as text that is always there.
const char *rtc_version(void);

// Passes the bytes of a file to the compiler, which copies them. For include callbacks only.
//
// # Safety
// `to` is the receiver of the callback that runs; `data` points to `size` readable bytes, or `size` is 0.
enum rtc_status rtc_include_set(struct rtc_include *to, const uint8_t *data, size_t size);

// Makes a session. Includes come from `callback`, called with `user`; without one, from the disk.
//
// # Safety
// `callback` may be called with `user` by any thread, by several at once, until the session and its clones are freed. `session` can be
// written.
enum rtc_status rtc_session_new(rtc_include_callback callback,
                                void *user,
                                struct rtc_session **session);

// Another handle of the same session.
//
// # Safety
// `session` is a session; `clone` can be written.
enum rtc_status rtc_session_clone(const struct rtc_session *session, struct rtc_session **clone);

// Forgets the files that were read, because they may have changed.
//
// # Safety
// `session` is null or a session.
void rtc_session_forget_files(const struct rtc_session *session);

// Frees a session.
//
// # Safety
// `session` is null, or a session that is not used again.
void rtc_session_free(struct rtc_session *session);

// Parses `count` arguments of dxc, without the name of the program: `-T`, `lib_6_6`, `-Zi`. Files that they name are those of the session's
// includes. With `-link` they are options of the linker. If they are not valid, the status is `RTC_STATUS_FAILED` and `error`, unless it is
// null, is set to the reason.
//
// # Safety
// `session` is a session; `arguments` points to `count` texts; `options` can be written; `error` is null or can be written.
enum rtc_status rtc_options_parse(const struct rtc_session *session,
                                  const char *const *arguments,
                                  size_t count,
                                  struct rtc_options **options,
                                  struct rtc_error **error);

// Other options with one macro more: `NAME` or `NAME=VALUE`. For permutations of a source.
//
// # Safety
// `options` are options; `definition` is a text; `with` can be written.
enum rtc_status rtc_options_define(const struct rtc_options *options,
                                   const char *definition,
                                   struct rtc_options **with);

// Other options with another entry point.
//
// # Safety
// `options` are options; `entry` is a text; `with` can be written.
enum rtc_status rtc_options_entry(const struct rtc_options *options, const char *entry, struct rtc_options **with);

// The 32 bytes that identify options of the compiler, the same on every system: a key for caches.
//
// # Safety
// `options` are options; `fingerprint` points to 32 bytes that can be written.
enum rtc_status rtc_options_fingerprint(const struct rtc_options *options, uint8_t *fingerprint);

// Frees options.
//
// # Safety
// `options` is null, or options that are not used again.
void rtc_options_free(struct rtc_options *options);

// The message of an error; empty for null.
//
// # Safety
// `error` is null or an error.
struct rtc_bytes rtc_error_message(const struct rtc_error *error);

// Frees an error.
//
// # Safety
// `error` is null, or an error that is not used again.
void rtc_error_free(struct rtc_error *error);

// Makes a token that cancels jobs.
//
// # Safety
// `cancel` can be written.
enum rtc_status rtc_cancel_new(struct rtc_cancel **cancel);

// Stops the jobs that have this token, at their next phase. It stays cancelled. Any thread may call.
//
// # Safety
// `cancel` is null or a token.
void rtc_cancel_now(const struct rtc_cancel *cancel);

// Frees a token.
//
// # Safety
// `cancel` is null, or a token that is not used again, nor by a job that runs.
void rtc_cancel_free(struct rtc_cancel *cancel);

// The status of a result; `RTC_STATUS_INVALID_ARGUMENT` for null.
//
// # Safety
// `result` is null or a result.
enum rtc_status rtc_result_status(const struct rtc_result *result);

// Why there is no output, if no diagnostic says it; empty otherwise.
//
// # Safety
// `result` is null or a result.
struct rtc_bytes rtc_result_message(const struct rtc_result *result);

// An output (`rtc_output`) of a result; `RTC_STATUS_NOT_FOUND` if it does not have it.
//
// # Safety
// `result` is a result; `bytes` can be written.
enum rtc_status rtc_result_output(const struct rtc_result *result, uint32_t output, struct rtc_bytes *bytes);

// The number of diagnostics.
//
// # Safety
// `result` is null or a result.
size_t rtc_result_diagnostic_count(const struct rtc_result *result);

// A diagnostic.
//
// # Safety
// `result` is a result; `diagnostic` can be written.
enum rtc_status rtc_result_diagnostic(const struct rtc_result *result, size_t index, struct rtc_diagnostic *diagnostic);

// The number of inclusions, repeated ones included: what a build depends on.
//
// # Safety
// `result` is null or a result.
size_t rtc_result_include_count(const struct rtc_result *result);

// The path of an included file; empty if there is no such one.
//
// # Safety
// `result` is null or a result.
struct rtc_bytes rtc_result_include(const struct rtc_result *result, size_t index);

// Frees a result, and everything that came from it.
//
// # Safety
// `result` is null, or a result that is not used again.
void rtc_result_free(struct rtc_result *result);

// Compiles a source of `size` bytes. Its name is for messages and for includes next to it; if it is null, it is the file that the arguments
// name, or `source.hlsl`.
//
// # Safety
// `session` is a session, `options` are options, `name` is null or a text, `data` points to `size` bytes, `job` is null or a job with its
// members; none is freed or changed before the function returns. `result` can be written.
enum rtc_status rtc_compile(const struct rtc_session *session,
                            const struct rtc_options *options,
                            const char *name,
                            const uint8_t *data,
                            size_t size,
                            const struct rtc_job *job,
                            struct rtc_result **result);

// Preprocesses a source; the output is `RTC_OUTPUT_TEXT`.
//
// # Safety
// As `rtc_compile`.
enum rtc_status rtc_preprocess(const struct rtc_session *session,
                               const struct rtc_options *options,
                               const char *name,
                               const uint8_t *data,
                               size_t size,
                               const struct rtc_job *job,
                               struct rtc_result **result);

// Links `count` DXIL libraries with options that were parsed with `-link`. Files that the arguments name are not read.
//
// # Safety
// `session` is a session, `options` are options, `inputs` points to `count` libraries with their members, `job` is null or a job with its
// members; none is freed or changed before the function returns. `result` can be written.
enum rtc_status rtc_link(const struct rtc_session *session,
                         const struct rtc_options *options,
                         const struct rtc_input *inputs,
                         size_t count,
                         const struct rtc_job *job,
                         struct rtc_result **result);

// The listing of a container, a PDB, a package or a SPIR-V module, as `RTC_OUTPUT_TEXT`.
//
// # Safety
// `session` is a session, `data` points to `size` bytes, `job` is null or a job with its members; none is freed or changed before the
// function returns. `result` can be written.
enum rtc_status rtc_disassemble(const struct rtc_session *session,
                                const uint8_t *data,
                                size_t size,
                                const struct rtc_job *job,
                                struct rtc_result **result);

// The reflection of a container, a PDB, a package or a SPIR-V module, as JSON in `RTC_OUTPUT_TEXT`.
//
// # Safety
// As `rtc_disassemble`.
enum rtc_status rtc_reflect(const struct rtc_session *session,
                            const uint8_t *data,
                            size_t size,
                            const struct rtc_job *job,
                            struct rtc_result **result);

// Validates a DXIL container. `RTC_STATUS_FAILED` if a rule is violated or the digest is that of other content; `RTC_OUTPUT_TEXT` says what.
//
// # Safety
// As `rtc_disassemble`.
enum rtc_status rtc_validate(const struct rtc_session *session,
                             const uint8_t *data,
                             size_t size,
                             const struct rtc_job *job,
                             struct rtc_result **result);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* RTC_H */
