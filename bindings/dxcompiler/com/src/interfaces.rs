//! The interfaces of the reference compiler's library: what a vtable holds, slot by slot.
//!
//! A method is named as in the reference's header. Pointers to objects are [`Raw`], results that are pointers too.
#![allow(unsafe_code)] // The functions of the tables.

use std::ffi::{c_char, c_void};

use crate::base::guard::Raw;
use crate::base::guid::Guid;
use crate::base::hresult::HResult;
use crate::base::interface::IUnknown;
use crate::base::object::Class;
use crate::interfaces;
use crate::wide::WChar;

/// A place for a pointer to an object.
pub type Out = *mut Raw;
/// A string of wide characters with a NUL.
pub type Wide = *const WChar;
/// A truth value as a result, in the whole register.
pub type Bool = u32;

/// Bytes with the code page of their text.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DxcBuffer {
    /// The bytes.
    pub data: *const c_void,
    /// How many.
    pub size: usize,
    /// The code page; 0 if it is not known.
    pub encoding: u32,
}

/// A macro or a pair of arguments: two strings, of which the second may be null.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DxcDefine {
    /// The name.
    pub name: Wide,
    /// The value, or null.
    pub value: Wide,
}

interfaces! {
    /// An allocator of a client.
    IMalloc, IMallocMethods: IUnknown, Class = "00000002-0000-0000-c000-000000000046" {
        Alloc = alloc(size: usize) -> Raw;
        Realloc = realloc(memory: Raw, size: usize) -> Raw;
        Free = free(memory: Raw) -> ();
        GetSize = get_size(memory: Raw) -> usize;
        DidAlloc = did_alloc(memory: Raw) -> i32;
        HeapMinimize = heap_minimize() -> ();
    }
    /// A sequence of bytes.
    ISequentialStream, ISequentialStreamMethods: IUnknown, Class = "0c733a30-2a1c-11ce-ade5-00aa0044773d" {
        Read = read(data: *mut u8, size: u32, done: *mut u32) -> HResult;
        Write = write(data: *const u8, size: u32, done: *mut u32) -> HResult;
    }
    /// A sequence of bytes with a position.
    IStream, IStreamMethods: ISequentialStream, ISequentialStreamMethods = "0000000c-0000-0000-c000-000000000046" {
        Seek = seek(distance: i64, origin: u32, position: *mut u64) -> HResult;
        SetSize = set_size(size: u64) -> HResult;
        CopyTo = copy_to(stream: Raw, size: u64, read: *mut u64, written: *mut u64) -> HResult;
        Commit = commit(flags: u32) -> HResult;
        Revert = revert() -> HResult;
        LockRegion = lock_region(offset: u64, size: u64, kind: u32) -> HResult;
        UnlockRegion = unlock_region(offset: u64, size: u64, kind: u32) -> HResult;
        Stat = stat(status: *mut StatStg, flags: u32) -> HResult;
        Clone = clone_stream(out: Out) -> HResult;
    }
    /// Bytes.
    IDxcBlob, IDxcBlobMethods: IUnknown, Class = "8ba5fb08-5195-40e2-ac58-0d989c3a0102" {
        GetBufferPointer = get_buffer_pointer() -> Raw;
        GetBufferSize = get_buffer_size() -> usize;
    }
    /// Bytes with a code page.
    IDxcBlobEncoding, IDxcBlobEncodingMethods: IDxcBlob, IDxcBlobMethods = "7241d424-2646-4191-97c0-98e96e42fc68" {
        GetEncoding = get_encoding(known: *mut u8, page: *mut u32) -> HResult;
    }
    /// Text in wide characters.
    IDxcBlobWide, IDxcBlobWideMethods: IDxcBlobEncoding, IDxcBlobEncodingMethods = "a3f84eab-0faa-497e-a39c-ee6ed60b2d84" {
        GetStringPointer = get_wide_pointer() -> Wide;
        GetStringLength = get_wide_length() -> usize;
    }
    /// Text in UTF-8.
    IDxcBlobUtf8, IDxcBlobUtf8Methods: IDxcBlobEncoding, IDxcBlobEncodingMethods = "3da636c9-ba71-4024-a301-30cbf125305b" {
        GetStringPointer = get_utf8_pointer() -> *const c_char;
        GetStringLength = get_utf8_length() -> usize;
    }
    /// A source of included files, made by a client or by the library.
    IDxcIncludeHandler, IDxcIncludeHandlerMethods: IUnknown, Class = "7f61fc7d-950d-467f-b3e3-3c02fb49187c" {
        LoadSource = load_source(name: Wide, out: Out) -> HResult;
    }
    /// A list of arguments.
    IDxcCompilerArgs, IDxcCompilerArgsMethods: IUnknown, Class = "73effe2a-70dc-45f8-9690-eff64c02429d" {
        GetArguments = get_arguments() -> *mut Wide;
        GetCount = get_count() -> u32;
        AddArguments = add_arguments(arguments: *const Wide, count: u32) -> HResult;
        AddArgumentsUTF8 = add_arguments_utf8(arguments: *const *const c_char, count: u32) -> HResult;
        AddDefines = add_defines(defines: *const DxcDefine, count: u32) -> HResult;
    }
    /// Helpers, in their older form.
    IDxcLibrary, IDxcLibraryMethods: IUnknown, Class = "e5204dc7-d18c-4c3c-bdfb-851673980fe7" {
        SetMalloc = set_malloc(malloc: Raw) -> HResult;
        CreateBlobFromBlob = library_blob_from_blob(blob: Raw, offset: u32, length: u32, out: Out) -> HResult;
        CreateBlobFromFile = library_load_file(name: Wide, page: *const u32, out: Out) -> HResult;
        CreateBlobWithEncodingFromPinned = library_blob_from_pinned(data: *const c_void, size: u32, page: u32, out: Out) -> HResult;
        CreateBlobWithEncodingOnHeapCopy = library_create_blob(data: *const c_void, size: u32, page: u32, out: Out) -> HResult;
        CreateBlobWithEncodingOnMalloc = library_move_to_blob(data: *const c_void, malloc: Raw, size: u32, page: u32, out: Out) -> HResult;
        CreateIncludeHandler = library_include_handler(out: Out) -> HResult;
        CreateStreamFromBlobReadOnly = library_stream(blob: Raw, out: Out) -> HResult;
        GetBlobAsUtf8 = library_utf8(blob: Raw, out: Out) -> HResult;
        GetBlobAsWide = library_wide(blob: Raw, out: Out) -> HResult;
    }
    /// Helpers.
    IDxcUtils, IDxcUtilsMethods: IUnknown, Class = "4605c4cb-2019-492a-ada4-65f20bb7d67f" {
        CreateBlobFromBlob = create_blob_from_blob(blob: Raw, offset: u32, length: u32, out: Out) -> HResult;
        CreateBlobFromPinned = create_blob_from_pinned(data: *const c_void, size: u32, page: u32, out: Out) -> HResult;
        MoveToBlob = move_to_blob(data: *const c_void, malloc: Raw, size: u32, page: u32, out: Out) -> HResult;
        CreateBlob = create_blob(data: *const c_void, size: u32, page: u32, out: Out) -> HResult;
        LoadFile = load_file(name: Wide, page: *const u32, out: Out) -> HResult;
        CreateReadOnlyStreamFromBlob = create_stream(blob: Raw, out: Out) -> HResult;
        CreateDefaultIncludeHandler = create_include_handler(out: Out) -> HResult;
        GetBlobAsUtf8 = get_blob_as_utf8(blob: Raw, out: Out) -> HResult;
        GetBlobAsWide = get_blob_as_wide(blob: Raw, out: Out) -> HResult;
        GetDxilContainerPart = get_part(shader: *const DxcBuffer, part: u32, data: *mut *const c_void, size: *mut u32) -> HResult;
        CreateReflection = create_reflection(data: *const DxcBuffer, iid: *const Guid, out: Out) -> HResult;
        BuildArguments = build_arguments(
            name: Wide, entry: Wide, profile: Wide, arguments: *const Wide, count: u32, defines: *const DxcDefine, define_count: u32, out: Out
        ) -> HResult;
        GetPDBContents = get_pdb_contents(pdb: Raw, hash: Out, container: Out) -> HResult;
    }
    /// The outcome of an operation, in its older form.
    IDxcOperationResult, IDxcOperationResultMethods: IUnknown, Class = "cedb484a-d4e9-445a-b991-ca21ca157dc2" {
        GetStatus = get_status(status: *mut HResult) -> HResult;
        GetResult = get_result(out: Out) -> HResult;
        GetErrorBuffer = get_error_buffer(out: Out) -> HResult;
    }
    /// The outcome of an operation.
    IDxcResult, IDxcResultMethods: IDxcOperationResult, IDxcOperationResultMethods = "58346cda-dde7-4497-9461-6f87af5e0659" {
        HasOutput = has_output(kind: u32) -> Bool;
        GetOutput = get_output(kind: u32, iid: *const Guid, out: Out, name: Out) -> HResult;
        GetNumOutputs = get_num_outputs() -> u32;
        GetOutputByIndex = get_output_by_index(index: u32) -> u32;
        PrimaryOutput = primary_output() -> u32;
    }
    /// The compiler, in its oldest form.
    IDxcCompiler, IDxcCompilerMethods: IUnknown, Class = "8c210bf3-011f-4422-8d70-6f9acb8db617" {
        Compile = compile_blob(
            source: Raw, name: Wide, entry: Wide, profile: Wide, arguments: *const Wide, count: u32, defines: *const DxcDefine,
            define_count: u32, handler: Raw, out: Out
        ) -> HResult;
        Preprocess = preprocess_blob(
            source: Raw, name: Wide, arguments: *const Wide, count: u32, defines: *const DxcDefine, define_count: u32, handler: Raw, out: Out
        ) -> HResult;
        Disassemble = disassemble_blob(object: Raw, out: Out) -> HResult;
    }
    /// The compiler with a separate output for debug information.
    IDxcCompiler2, IDxcCompiler2Methods: IDxcCompiler, IDxcCompilerMethods = "a005a9d9-b8bb-4594-b5c9-0e633bec4d37" {
        CompileWithDebug = compile_with_debug(
            source: Raw, name: Wide, entry: Wide, profile: Wide, arguments: *const Wide, count: u32, defines: *const DxcDefine,
            define_count: u32, handler: Raw, out: Out, debug_name: *mut *mut WChar, debug: Out
        ) -> HResult;
    }
    /// The compiler.
    IDxcCompiler3, IDxcCompiler3Methods: IUnknown, Class = "228b4687-5a6a-4730-900c-9702b2203f54" {
        Compile = compile(source: *const DxcBuffer, arguments: *const Wide, count: u32, handler: Raw, iid: *const Guid, out: Out) -> HResult;
        Disassemble = disassemble(object: *const DxcBuffer, iid: *const Guid, out: Out) -> HResult;
    }
    /// The linker.
    IDxcLinker, IDxcLinkerMethods: IUnknown, Class = "f1b5be2a-62dd-4327-a1c2-42ac1e1e78e6" {
        RegisterLibrary = register_library(name: Wide, library: Raw) -> HResult;
        Link = link(
            entry: Wide, profile: Wide, libraries: *const Wide, library_count: u32, arguments: *const Wide, count: u32, out: Out
        ) -> HResult;
    }
    /// The validator.
    IDxcValidator, IDxcValidatorMethods: IUnknown, Class = "a6e82bd2-1fd7-4826-9811-2857e797f49a" {
        Validate = validate(shader: Raw, flags: u32, out: Out) -> HResult;
    }
    /// The validator with debug information from elsewhere.
    IDxcValidator2, IDxcValidator2Methods: IDxcValidator, IDxcValidatorMethods = "458e1fd1-b1b2-4750-a6e1-9c10f03bed92" {
        ValidateWithDebug = validate_with_debug(shader: Raw, flags: u32, debug: *const DxcBuffer, out: Out) -> HResult;
    }
    /// Changes the parts of a container.
    IDxcContainerBuilder, IDxcContainerBuilderMethods: IUnknown, Class = "334b1f50-2292-4b35-99a1-25588d8c17fe" {
        Load = load(container: Raw) -> HResult;
        AddPart = add_part(part: u32, content: Raw) -> HResult;
        RemovePart = remove_part(part: u32) -> HResult;
        SerializeContainer = serialize_container(out: Out) -> HResult;
    }
    /// Makes a container of a module.
    IDxcAssembler, IDxcAssemblerMethods: IUnknown, Class = "091f7a26-1c1f-4948-904b-e6e3a8a771d5" {
        AssembleToContainer = assemble_to_container(module: Raw, out: Out) -> HResult;
    }
    /// Reads the parts of a container.
    IDxcContainerReflection, IDxcContainerReflectionMethods: IUnknown, Class = "d2c21b26-8350-4bdc-976a-331ce6f4c54c" {
        Load = load_container(container: Raw) -> HResult;
        GetPartCount = get_part_count(count: *mut u32) -> HResult;
        GetPartKind = get_part_kind(index: u32, kind: *mut u32) -> HResult;
        GetPartContent = get_part_content(index: u32, out: Out) -> HResult;
        FindFirstPartKind = find_first_part_kind(kind: u32, index: *mut u32) -> HResult;
        GetPartReflection = get_part_reflection(index: u32, iid: *const Guid, out: Out) -> HResult;
    }
    /// The version.
    IDxcVersionInfo, IDxcVersionInfoMethods: IUnknown, Class = "b04f5b50-2059-4f12-a8ff-a1e0cde1cc7e" {
        GetVersion = get_version(major: *mut u32, minor: *mut u32) -> HResult;
        GetFlags = get_flags(flags: *mut u32) -> HResult;
    }
    /// The version with the commit.
    IDxcVersionInfo2, IDxcVersionInfo2Methods: IDxcVersionInfo, IDxcVersionInfoMethods = "fb6904c4-42f0-4b62-9c46-983af7da7c83" {
        GetCommitInfo = get_commit_info(count: *mut u32, hash: *mut *mut c_char) -> HResult;
    }
    /// The version as text.
    IDxcVersionInfo3, IDxcVersionInfo3Methods: IUnknown, Class = "5e13e843-9d25-473c-9ad2-03b2d0b44b1e" {
        GetCustomVersionString = get_custom_version_string(text: *mut *mut c_char) -> HResult;
    }
    /// What a PDB says, with strings that its callers free.
    IDxcPdbUtils, IDxcPdbUtilsMethods: IUnknown, Class = "e6c9647e-9d6a-4c3b-b94c-524b5a6c343d" {
        Load = pdb_load(pdb: Raw) -> HResult;
        GetSourceCount = pdb_source_count(count: *mut u32) -> HResult;
        GetSource = pdb_source(index: u32, out: Out) -> HResult;
        GetSourceName = pdb_source_name(index: u32, out: *mut *mut WChar) -> HResult;
        GetFlagCount = pdb_flag_count(count: *mut u32) -> HResult;
        GetFlag = pdb_flag(index: u32, out: *mut *mut WChar) -> HResult;
        GetArgCount = pdb_arg_count(count: *mut u32) -> HResult;
        GetArg = pdb_arg(index: u32, out: *mut *mut WChar) -> HResult;
        GetArgPairCount = pdb_arg_pair_count(count: *mut u32) -> HResult;
        GetArgPair = pdb_arg_pair(index: u32, name: *mut *mut WChar, value: *mut *mut WChar) -> HResult;
        GetDefineCount = pdb_define_count(count: *mut u32) -> HResult;
        GetDefine = pdb_define(index: u32, out: *mut *mut WChar) -> HResult;
        GetTargetProfile = pdb_target_profile(out: *mut *mut WChar) -> HResult;
        GetEntryPoint = pdb_entry_point(out: *mut *mut WChar) -> HResult;
        GetMainFileName = pdb_main_file_name(out: *mut *mut WChar) -> HResult;
        GetHash = pdb_hash(out: Out) -> HResult;
        GetName = pdb_name(out: *mut *mut WChar) -> HResult;
        IsFullPDB = pdb_is_full() -> Bool;
        GetFullPDB = pdb_full(out: Out) -> HResult;
        GetVersionInfo = pdb_version_info(out: Out) -> HResult;
        SetCompiler = pdb_set_compiler(compiler: Raw) -> HResult;
        CompileForFullPDB = pdb_compile(out: Out) -> HResult;
        OverrideArgs = pdb_override_args(arguments: *const DxcDefine, count: u32) -> HResult;
        OverrideRootSignature = pdb_override_root_signature(signature: Wide) -> HResult;
    }
    /// What a PDB says.
    IDxcPdbUtils2, IDxcPdbUtils2Methods: IUnknown, Class = "4315d938-f369-4f93-95a2-252017cc3807" {
        Load = load_pdb(pdb: Raw) -> HResult;
        GetSourceCount = get_source_count(count: *mut u32) -> HResult;
        GetSource = get_source(index: u32, out: Out) -> HResult;
        GetSourceName = get_source_name(index: u32, out: Out) -> HResult;
        GetLibraryPDBCount = get_library_pdb_count(count: *mut u32) -> HResult;
        GetLibraryPDB = get_library_pdb(index: u32, pdb: Out, name: Out) -> HResult;
        GetFlagCount = get_flag_count(count: *mut u32) -> HResult;
        GetFlag = get_flag(index: u32, out: Out) -> HResult;
        GetArgCount = get_arg_count(count: *mut u32) -> HResult;
        GetArg = get_arg(index: u32, out: Out) -> HResult;
        GetArgPairCount = get_arg_pair_count(count: *mut u32) -> HResult;
        GetArgPair = get_arg_pair(index: u32, name: Out, value: Out) -> HResult;
        GetDefineCount = get_define_count(count: *mut u32) -> HResult;
        GetDefine = get_define(index: u32, out: Out) -> HResult;
        GetTargetProfile = get_target_profile(out: Out) -> HResult;
        GetEntryPoint = get_entry_point(out: Out) -> HResult;
        GetMainFileName = get_main_file_name(out: Out) -> HResult;
        GetHash = get_hash(out: Out) -> HResult;
        GetName = get_name(out: Out) -> HResult;
        GetVersionInfo = get_version_info(out: Out) -> HResult;
        GetCustomToolchainID = get_custom_toolchain_id(id: *mut u32) -> HResult;
        GetCustomToolchainData = get_custom_toolchain_data(out: Out) -> HResult;
        GetWholeDxil = get_whole_dxil(out: Out) -> HResult;
        IsFullPDB = is_full_pdb() -> Bool;
        IsPDBRef = is_pdb_ref() -> Bool;
    }
}

/// What `IStream::Stat` fills.
#[repr(C)]
#[derive(Debug)]
pub struct StatStg {
    /// The name; null here.
    pub name: *mut WChar,
    /// 2: a stream.
    pub kind: u32,
    /// The size in bytes.
    pub size: u64,
    /// Times of change, creation and access.
    pub times: [u64; 3],
    /// Modes.
    pub mode: u32,
    /// Locks that are supported.
    pub locks: u32,
    /// A class.
    pub class: Guid,
    /// Bits of state.
    pub state: u32,
    /// Reserved.
    pub reserved: u32,
}
