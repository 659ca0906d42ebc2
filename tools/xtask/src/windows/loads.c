/* Loads the libraries as programs without import libraries do, and asks each for what it is. */
#include <stdio.h>
#include <windows.h>

typedef unsigned (*Number)(void);
typedef HRESULT(WINAPI *Create)(const GUID *class, const GUID *face, void **out);

/* The compiler and its version, as the headers of the reference have them. */
static const GUID CLSID_DxcCompiler = {0x73e22d93, 0xe6ce, 0x47f3, {0xb5, 0xbf, 0xf0, 0x66, 0x4f, 0x39, 0xc1, 0xb0}};
static const GUID CLSID_DxcValidator = {0x8ca3e215, 0xf728, 0x4cf3, {0x8c, 0xdd, 0x88, 0xaf, 0x91, 0x75, 0x87, 0xa1}};
static const GUID IID_IDxcVersionInfo = {0xb04f5b50, 0x2059, 0x4f12, {0xa8, 0xff, 0xa1, 0xe0, 0xcd, 0xe1, 0xcc, 0x7e}};

typedef struct Version Version;
typedef struct {
    HRESULT(WINAPI *query)(Version *, const GUID *, void **);
    ULONG(WINAPI *add)(Version *);
    ULONG(WINAPI *release)(Version *);
    HRESULT(WINAPI *version)(Version *, UINT32 *, UINT32 *);
} Table;
struct Version {
    const Table *table;
};

static FARPROC find(const char *library, const char *name) {
    HMODULE module = LoadLibraryA(library);
    FARPROC found = module ? GetProcAddress(module, name) : NULL;
    if (!found) {
        printf("%s: there is no %s (error %lu)\n", library, name, GetLastError());
        exit(1);
    }
    return found;
}

static void create(const char *library, const GUID *class) {
    Version *object = NULL;
    UINT32 major = 0, minor = 0;
    HRESULT done = ((Create)(void *)find(library, "DxcCreateInstance"))(class, &IID_IDxcVersionInfo, (void **)&object);
    if (done != S_OK || object->table->version(object, &major, &minor) != S_OK || major != 1) {
        printf("%s: %08lx, version %u.%u\n", library, (unsigned long)done, major, minor);
        exit(1);
    }
    printf("%s %u.%u\n", library, major, minor);
    object->table->release(object);
}

int main(void) {
    printf("rtc.dll %u\n", ((Number)(void *)find("rtc.dll", "rtc_abi_version"))());
    printf("rtcrt.dll %u\n", ((Number)(void *)find("rtcrt.dll", "rtcrt_abi_version"))());
    create("dxcompiler.dll", &CLSID_DxcCompiler);
    create("dxil.dll", &CLSID_DxcValidator);
    return 0;
}
