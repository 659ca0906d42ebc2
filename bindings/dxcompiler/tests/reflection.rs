//! Reflection of the built library, compared with the reference's: every answer about a container, and about what each compiler makes.
//!
//! Both libraries are called through raw slots, as a program with the headers of Direct3D calls them.
// Every block calls through the table of an object that the library gave, with arguments that outlive the call.
#![allow(unsafe_code, clippy::undocumented_unsafe_blocks)]

mod client;

use std::ffi::{CStr, CString, c_char, c_void};
use std::fmt::Write as _;

use client::*;
use rtc_com::base::hresult::{E_INVALIDARG, E_NOINTERFACE};
use rtc_com::base::interface::Interface;
use rtc_com::interfaces::{DxcBuffer, IDxcBlob, IDxcCompiler3, IDxcContainerReflection, IDxcResult, IDxcUtils, Wide};
use rtc_com::reflection::desc::*;
use rtc_com::reflection::interfaces::{ID3D12LibraryReflection, ID3D12ShaderReflection};
use rtc_com::{Guid, HResult, call};
use rtc_oracles::skip::skip;

type Ptr = *mut c_void;

/// A method, by its slot.
unsafe fn slot<F: Copy>(object: Ptr, n: usize) -> F {
    assert!(size_of::<F>() == size_of::<usize>());
    unsafe { (*object.cast::<*const usize>()).add(n).cast::<F>().read() }
}

/// The newer reference.
fn reference() -> Option<CreateInstance> {
    let path = rtc_oracles::newer_library().map_err(skip).ok()?;
    let library = unsafe { libloading::Library::new(path) }.expect("it loads");
    let create = unsafe { *library.get::<CreateInstance>(b"DxcCreateInstance\0").expect("it is exported") };
    // It may have threads and state of its own: it stays.
    std::mem::forget(library);
    Some(create)
}

/// What a library compiles; the errors if it does not.
fn compile(create: CreateInstance, source: &str, arguments: &[&str]) -> Result<Vec<u8>, String> {
    let compiler = make::<IDxcCompiler3>(create, COMPILER).expect("a compiler");
    let strings: Vec<_> = arguments.iter().map(|a| wide(a)).collect();
    let pointers: Vec<Wide> = strings.iter().map(|s| s.as_ptr()).collect();
    let buffer = DxcBuffer { data: source.as_ptr().cast(), size: source.len(), encoding: 65001 };
    let result = get::<IDxcResult>(|out| unsafe {
        call!(compiler, compile(&buffer, pointers.as_ptr(), pointers.len() as u32, std::ptr::null_mut(), &IDxcResult::IID, out))
    });
    let result = result.expect("a result").expect("not null");
    let blob = |n: usize| {
        get::<IDxcBlob>(|out| unsafe { slot::<unsafe extern "C" fn(Ptr, *mut Ptr) -> HResult>(result.raw(), n)(result.raw(), out) })
    };
    let text = |n| blob(n).expect("it never fails").map_or_else(Vec::new, |b| bytes(&b));
    match text(4) {
        object if !object.is_empty() => Ok(object),
        _ => Err(String::from_utf8_lossy(&text(5)).into_owned()),
    }
}

fn string(text: *const c_char) -> String {
    if text.is_null() { "null".into() } else { format!("{:?}", unsafe { CStr::from_ptr(text) }.to_string_lossy()) }
}

fn blank<T>() -> T {
    unsafe { std::mem::zeroed() }
}

/// A description, or the code.
unsafe fn desc<T>(object: Ptr, n: usize) -> Result<T, HResult> {
    let mut out = blank::<T>();
    match unsafe { slot::<unsafe extern "C" fn(Ptr, *mut T) -> HResult>(object, n)(object, &mut out) } {
        0 => Ok(out),
        code => Err(code),
    }
}

/// A description by index, or the code.
unsafe fn indexed<T>(object: Ptr, n: usize, index: u32) -> Result<T, HResult> {
    let mut out = blank::<T>();
    match unsafe { slot::<unsafe extern "C" fn(Ptr, u32, *mut T) -> HResult>(object, n)(object, index, &mut out) } {
        0 => Ok(out),
        code => Err(code),
    }
}

unsafe fn child(object: Ptr, n: usize, index: u32) -> Ptr {
    unsafe { slot::<unsafe extern "C" fn(Ptr, u32) -> Ptr>(object, n)(object, index) }
}

unsafe fn named(object: Ptr, n: usize, name: &str) -> Ptr {
    let name = CString::new(name).expect("a name");
    unsafe { slot::<unsafe extern "C" fn(Ptr, *const c_char) -> Ptr>(object, n)(object, name.as_ptr()) }
}

/// What reflection says, as text.
struct Dump {
    out: String,
}

impl Dump {
    fn line(&mut self, depth: usize, text: std::fmt::Arguments<'_>) {
        _ = writeln!(self.out, "{:1$}{text}", "", 2 * depth);
    }

    unsafe fn ty(&mut self, ty: Ptr, depth: usize) {
        unsafe {
            let t = match desc::<TypeDesc>(ty, 0) {
                Ok(t) => t,
                Err(code) => return self.line(depth, format_args!("type: {code:#x}")),
            };
            self.line(
                depth,
                format_args!(
                    "type {} class {} kind {} {}x{} elements {} members {} offset {}",
                    string(t.name),
                    t.class,
                    t.kind,
                    t.rows,
                    t.columns,
                    t.elements,
                    t.members,
                    t.offset
                ),
            );
            for n in 0..t.members {
                let name = slot::<unsafe extern "C" fn(Ptr, u32) -> *const c_char>(ty, 3)(ty, n);
                self.line(depth + 1, format_args!("member {}", string(name)));
                let member = child(ty, 1, n);
                assert_eq!(named(ty, 2, CStr::from_ptr(name).to_str().expect("text")), member);
                self.ty(member, depth + 2);
            }
            assert_eq!(desc::<TypeDesc>(child(ty, 1, t.members), 0).err(), Some(0x8000_4005_u32 as i32));
        }
    }

    unsafe fn buffer(&mut self, buffer: Ptr, depth: usize) {
        unsafe {
            let b = match desc::<BufferDesc>(buffer, 0) {
                Ok(b) => b,
                Err(code) => return self.line(depth, format_args!("buffer: {code:#x}")),
            };
            self.line(depth, format_args!("buffer {} kind {} size {} flags {}", string(b.name), b.kind, b.size, b.flags));
            for n in 0..b.variables {
                let variable = child(buffer, 1, n);
                let v = desc::<VariableDesc>(variable, 0).expect("a variable");
                let (name, texture) = (string(v.name), v.start_texture as i32);
                self.line(
                    depth + 1,
                    format_args!("variable {name} at {} size {} flags {} texture {texture}", v.start_offset, v.size, v.flags),
                );
                assert_eq!(slot::<unsafe extern "C" fn(Ptr) -> Ptr>(variable, 2)(variable), buffer);
                self.ty(slot::<unsafe extern "C" fn(Ptr) -> Ptr>(variable, 1)(variable), depth + 2);
            }
            self.line(depth + 1, format_args!("beyond: {:x?}", desc::<VariableDesc>(child(buffer, 1, b.variables), 0).err()));
        }
    }

    unsafe fn bindings(&mut self, object: Ptr, get: usize, count: u32, depth: usize) {
        for n in 0..count {
            let b = unsafe { indexed::<BindingDesc>(object, get, n) }.expect("a binding");
            self.line(
                depth,
                format_args!(
                    "binding {} kind {} register {} count {} flags {} returns {} dimension {} samples {} space {} id {}",
                    string(b.name),
                    b.kind,
                    b.bind_point,
                    b.bind_count as i32,
                    b.flags,
                    b.return_type,
                    b.dimension,
                    b.samples as i32,
                    b.space,
                    b.id
                ),
            );
        }
        let beyond = unsafe { indexed::<BindingDesc>(object, get, count) }.err();
        self.line(depth, format_args!("beyond: {beyond:x?}"));
    }

    unsafe fn shader(&mut self, object: Ptr, first: usize, with_counts: bool) {
        unsafe {
            let d = desc::<ShaderDesc>(object, first).expect("a shader");
            self.line(
                0,
                format_args!(
                    "shader {:#x} flags {} gs {} {} {} input {} hs {} {} {} {}",
                    d.version,
                    d.flags,
                    d.gs_output_topology,
                    d.gs_max_output_vertices,
                    d.gs_instances,
                    d.input_primitive,
                    d.control_points,
                    d.hs_output_primitive,
                    d.hs_partitioning,
                    d.tessellator_domain
                ),
            );
            if with_counts {
                self.line(
                    0,
                    format_args!("counts {:?} {} {} {}", d.counts, d.cut_instructions, d.emit_instructions, d.texture_store_instructions),
                );
            }
            for n in 0..d.constant_buffers {
                self.buffer(child(object, first + 1, n), 0);
            }
            self.buffer(child(object, first + 1, d.constant_buffers), 0);
            self.buffer(named(object, first + 2, "no such buffer"), 0);
            self.bindings(object, first + 3, d.bound_resources, 0);
            for (get, count) in [(4, d.input_parameters), (5, d.output_parameters), (6, d.patch_constant_parameters)] {
                for n in 0..count {
                    let p = indexed::<ParameterDesc>(object, first + get, n).expect("a parameter");
                    self.line(
                        0,
                        format_args!(
                            "parameter {get} {} {} register {} system {} component {} mask {:x} {:x} stream {} precision {}",
                            string(p.semantic_name),
                            p.semantic_index,
                            p.register as i32,
                            p.system_value,
                            p.component,
                            p.mask,
                            p.read_write_mask,
                            p.stream,
                            p.min_precision
                        ),
                    );
                }
                self.line(0, format_args!("beyond: {:x?}", indexed::<ParameterDesc>(object, first + get, count).err()));
            }
            let number = |n: usize| slot::<unsafe extern "C" fn(Ptr) -> u32>(object, first + n)(object);
            self.line(0, format_args!("fixed {:?} {} {}", [9, 10, 11, 12].map(number), number(13), number(15)));
            let mut xyz = [9u32; 3];
            let size = slot::<unsafe extern "C" fn(Ptr, *mut u32, *mut u32, *mut u32) -> u32>(object, first + 17);
            let [x, y, z] = &mut xyz;
            let all = size(object, x, y, z);
            assert_eq!(size(object, std::ptr::null_mut(), std::ptr::null_mut(), std::ptr::null_mut()), all);
            let requires = slot::<unsafe extern "C" fn(Ptr) -> u64>(object, first + 18)(object);
            self.line(
                0,
                format_args!("threads {xyz:?} {all} level {:x} requires {requires:#x}", desc::<u32>(object, first + 16).expect("a level")),
            );
        }
    }

    unsafe fn library(&mut self, object: Ptr, first: usize) {
        unsafe {
            let d = desc::<LibraryDesc>(object, first).expect("a library");
            for n in 0..d.functions {
                let function = child(object, first + 1, n);
                // Truth values have four bytes in the reference's header, or one.
                let mut room = [0u64; 24];
                assert_eq!(slot::<unsafe extern "C" fn(Ptr, *mut u64) -> HResult>(function, 0)(function, room.as_mut_ptr()), 0);
                let f = room.as_ptr().cast::<FunctionDesc>().read();
                self.line(0, format_args!("function {} version {:#x} requires {:#x}", string(f.name), f.version, f.required_features));
                for n in 0..f.constant_buffers {
                    self.buffer(child(function, 1, n), 1);
                }
                self.bindings(function, 3, f.bound_resources, 1);
            }
            self.line(0, format_args!("beyond: {:x?}", desc::<FunctionDesc>(child(object, first + 1, d.functions), 0).err()));
        }
    }
}

/// All that a library says of a container.
fn dump(create: CreateInstance, container: &[u8], with_counts: bool) -> Result<String, HResult> {
    let mut utils = std::ptr::null_mut();
    assert_eq!(unsafe { create(&Guid::new(UTILS), &IDxcUtils::IID, &mut utils) }, 0);
    let buffer = DxcBuffer { data: container.as_ptr().cast(), size: container.len(), encoding: 0 };
    let is_library = rtc_dxil_container::Container::parse(container).expect("a container").part(rtc_dxil_container::FourCc::RDAT).is_some();
    let iid = if is_library { ID3D12LibraryReflection::IID } else { ID3D12ShaderReflection::IID };
    let mut object = std::ptr::null_mut();
    let mut out = Dump { out: String::new() };
    unsafe {
        let reflect = slot::<unsafe extern "C" fn(Ptr, *const DxcBuffer, *const Guid, *mut Ptr) -> HResult>(utils, 3 + 10);
        let done = reflect(utils, &buffer, &iid, &mut object);
        if done == 0 {
            if is_library {
                out.library(object, 3)
            } else {
                out.shader(object, 3, with_counts)
            }
            slot::<unsafe extern "C" fn(Ptr) -> usize>(object, 2)(object);
        }
        slot::<unsafe extern "C" fn(Ptr) -> usize>(utils, 2)(utils);
        if done == 0 { Ok(out.out) } else { Err(done) }
    }
}

/// Programs: profile, source. Each has its entry point `main`.
#[rustfmt::skip]
const PROGRAMS: &[(&str, &str)] = &[
    ("ps_6_0", "cbuffer C : register(b1, space2) { float4 a; float2 b[3]; int c; row_major float3x2 m; float3x4 n[2]; uint u; bool t; uint3 v; };
        float4 main() : SV_Target { return a + c + m[1].xyxy + n[1][2] + v.xyzz; }"),
    ("ps_6_0", "struct part { int3 b; float c[2]; }; struct scene { float2 a; part inner[2]; float4x4 m; }; ConstantBuffer<scene> S[3] : register(b0); ConstantBuffer<scene> T;
        float4 main(nointerpolation uint i : I) : SV_Target { return S[NonUniformResourceIndex(i)].m[1] + T.inner[1].c[1]; }"),
    ("ps_6_0", "cbuffer A { float x; double2 d; double3 e; int64_t l; float y; }; cbuffer B { min16float h; min16int4 i; min16uint2 u; };
        float4 main() : SV_Target { return (float)e.z + y + i.xyzw + u.x + h; }"),
    ("ps_6_2", "cbuffer B { float16_t h; int16_t3 i; uint16_t u[3]; float16_t4 q; float f; }; float4 main() : SV_Target { return h + i.z + u[1] + q.w; }"),
    ("ps_6_0", "struct E { float4 p; uint n; float3x2 m; }; StructuredBuffer<E> s[2]; RWStructuredBuffer<float3> r;
        StructuredBuffer<float2x3> mm; AppendStructuredBuffer<uint> ap; tbuffer Q : register(t3) { float4 a; float b; }; float4 main() : SV_Target { r.IncrementCounter(); r[0] = b; ap.Append(3); return s[1][2].p + mm[0][1].xyzz; }"),
    ("ps_6_0", "Texture1D t1; Texture2D<float2> t2; Texture2DArray<uint3> t3; Texture2DMS<float4, 4> t4; Texture3D t5; TextureCube t6; TextureCubeArray t7; Buffer<int> b1; Buffer<unorm float4> b2;
        ByteAddressBuffer raw; SamplerState s1; SamplerComparisonState s2; RWTexture2D<float> w1 : register(u1); RWBuffer<uint2> w2 : register(u3); RWByteAddressBuffer w3; Texture2D arr[] : register(t0, space3); RasterizerOrderedTexture2D<float4> rov;
        float4 main(float4 p : SV_Position) : SV_Target { uint3 at = (uint3)p.xyz; w1[at.xy] = 1; w2[at.x] = 2; w3.Store(0, 3); rov[at.xy] = p; return t1.Sample(s1, p.x) + t2.Sample(s1, p.xy).xyxy + t3[at].xyzz + t4.Load(at.xy, 0) + t5[at] + t6.SampleCmpLevelZero(s2, p.xyz, p.w)
        + t7.Sample(s1, p) + b1[at.x] + b2[at.y] + raw.Load(at.z) + arr[at.x].Load(at); }"),
    ("vs_6_0", "struct O { float4 p : SV_Position; float2 uv[2] : TEXCOORD3; min16int m : M; float c[2] : SV_ClipDistance; uint l : SV_RenderTargetArrayIndex; };
        O main(float3 a : POSITION, uint id : SV_VertexID, float4x4 w : WORLD, float unused : UNUSED) { O o = (O)0; o.p = float4(a, id) + w[2]; o.uv[1] = a.xy; return o; }"),
    ("ps_6_0", "float main(float4 p : SV_Position, bool f : SV_IsFrontFace, uint s : SV_SampleIndex, sample float2 q : Q1, out uint c : SV_Coverage, out float4 t : SV_Target2) : SV_Depth { c = s; t = f; return p.z + q.x; }"),
    ("gs_6_0", "struct V { float4 p : SV_Position; float2 t : T; }; [maxvertexcount(7)] [instance(2)] void main(lineadj V v[4], inout TriangleStream<V> s, uint i : SV_GSInstanceID) { s.Append(v[i]); s.RestartStrip(); s.Append(v[3]); }"),
    ("hs_6_0", "struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; float x : X; }; struct P { float3 p : P; };
        C pc(InputPatch<P, 4> p) { C c; c.e[0] = c.e[1] = c.e[2] = c.i = 2; c.x = p[1].p.x; return c; }
        [domain(\"tri\")] [partitioning(\"fractional_even\")] [outputtopology(\"triangle_ccw\")] [outputcontrolpoints(3)] [patchconstantfunc(\"pc\")] P main(InputPatch<P, 4> p, uint i : SV_OutputControlPointID) { return p[i]; }"),
    ("ds_6_0", "struct C { float e[4] : SV_TessFactor; float i[2] : SV_InsideTessFactor; float x : X; }; struct P { float3 p : P; };
        [domain(\"quad\")] float4 main(C c, float2 uv : SV_DomainLocation, const OutputPatch<P, 9> p) : SV_Position { return p[2].p.xyzz * uv.x + c.x; }"),
    ("ds_6_0", "struct C { float e[2] : SV_TessFactor; }; struct P { float3 p : P; };
        [domain(\"isoline\")] float4 main(C c, float2 uv : SV_DomainLocation, const OutputPatch<P, 2> p) : SV_Position { return p[1].p.xyzz * uv.x + c.e[0]; }"),
    ("cs_6_0", "groupshared uint g[64]; RWStructuredBuffer<uint> o; [numthreads(8, 4, 2)] void main(uint i : SV_GroupIndex) { g[i] = i; GroupMemoryBarrierWithGroupSync(); InterlockedAdd(o[i & 1], g[63 - i]); uint l[4] = { i, 1, 2, 3 }; o[i] = l[i & 3]; if (i > 7) o[9] = WaveActiveSum(i); }"),
    ("ms_6_5", "struct V { float4 p : SV_Position; }; struct Q { uint l : SV_RenderTargetArrayIndex; }; [outputtopology(\"triangle\")] [numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex, out vertices V v[3], out indices uint3 t[1], out primitives Q q[1]) { SetMeshOutputCounts(3, 1); v[i % 3].p = i; t[0] = uint3(0, 1, 2); q[0].l = 1; }"),
    ("lib_6_3", "RaytracingAccelerationStructure as : register(t4); RWTexture2D<float4> o; cbuffer K { float4 k; float z; }; struct E { int a; }; StructuredBuffer<E> s; SamplerState sm; struct P { float4 c; };
        [shader(\"raygeneration\")] void gen() { P p; p.c = k; RayDesc r = { (float3)0, 0, (float3)1, 1 }; TraceRay(as, 0, 255, 0, 1, 0, r, p); o[uint2(0, 0)] = p.c; }
        [shader(\"miss\")] void miss(inout P p) { p.c = s[2].a; } export float help(float x) { return x + z; }"),
];

fn name_of(n: usize) -> String {
    format!("program {n} ({})", PROGRAMS[n].0)
}

/// Both compilers' containers, each with what its own library says.
#[test]
fn our_containers_say_what_those_of_the_reference_say() {
    let Some(reference) = reference() else { return };
    let mut wrong = String::new();
    for (n, (profile, source)) in PROGRAMS.iter().enumerate() {
        let mut arguments = vec!["a.hlsl", "-T", profile, "-HV", "2021"];
        if profile.ends_with("_2") {
            arguments.push("-enable-16bit-types");
        }
        let theirs = compile(reference, source, &arguments).unwrap_or_else(|e| panic!("{}: {e}", name_of(n)));
        let mine = compile(create_instance(), source, &arguments).unwrap_or_else(|e| panic!("{}: {e}", name_of(n)));
        let want = dump(reference, &theirs, true).expect("the reference reads its own");
        for (what, found, want) in [
            ("our library, its container", dump(create_instance(), &theirs, true), &want),
            // Compilers count instructions of their own code.
            ("our library, our container", dump(create_instance(), &mine, false), &dump(reference, &theirs, false).expect("as before")),
        ] {
            match found {
                Ok(found) if found == *want => {}
                Ok(found) => {
                    _ = writeln!(wrong, "{}: {what}", name_of(n));
                    for (a, b) in want.lines().zip(found.lines()).filter(|(a, b)| a != b).take(12) {
                        _ = writeln!(wrong, "  reference {a}\n  ours      {b}");
                    }
                    if want.lines().count() != found.lines().count() {
                        _ = writeln!(wrong, "  {} lines, ours {}", want.lines().count(), found.lines().count());
                    }
                }
                Err(code) => _ = writeln!(wrong, "{}: {what}: {code:#x}", name_of(n)),
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn reflection_is_created_for_its_own_interface_alone() {
    let made = |profile: &str, source: &str| {
        let options = rtc::Options::new(rtc::Profile::parse(profile).expect("a profile"));
        rtc::compile("a.hlsl", source.as_bytes(), &mut rtc::NoIncludes, &options)
    };
    let shader = made(PROGRAMS[0].0, PROGRAMS[0].1);
    let library = made("lib_6_3", PROGRAMS[PROGRAMS.len() - 1].1);
    let utils = create::<IDxcUtils>(UTILS);
    let make = |data: &[u8], iid: &Guid| {
        let buffer = DxcBuffer { data: data.as_ptr().cast(), size: data.len(), encoding: 0 };
        get::<rtc_com::base::interface::IUnknown>(|out| unsafe { call!(utils, create_reflection(&buffer, iid, out)) })
            .map(|o| o.expect("not null"))
    };
    let (of_shader, of_library) = (ID3D12ShaderReflection::IID, ID3D12LibraryReflection::IID);
    for (made, yes, no) in [(shader, of_shader, of_library), (library, of_library, of_shader)] {
        // The container, and the reflection that is an output of its own.
        let reflection = made.outputs.clone().expect("outputs").reflection;
        let container = made.product.expect("it compiles").into_bytes();
        for data in [&container, &reflection] {
            let object = make(data, &yes).expect("it has reflection");
            assert!(object.query::<IDxcUtils>().is_none());
            assert_eq!(references(&object), 1);
            assert_eq!(make(data, &no).err(), Some(E_NOINTERFACE));
            make(data, &rtc_com::base::object::IUNKNOWN).expect("an object");
        }
        let parts = create::<IDxcContainerReflection>(CONTAINER_REFLECTION);
        let (mut index, mut out) = (0, std::ptr::null_mut());
        unsafe {
            assert_eq!(call!(parts, load_container(blob_of(&container, 0).raw())), 0);
            assert_eq!(call!(parts, find_first_part_kind(u32::from_le_bytes(*b"DXIL"), &mut index)), 0);
            assert_eq!(call!(parts, get_part_reflection(index, &no, &mut out)), E_NOINTERFACE);
            let object = get::<rtc_com::base::interface::IUnknown>(|out| call!(parts, get_part_reflection(index, &yes, out)));
            drop(object.expect("it has reflection"));
        }
    }
    for junk in [&b"1234567"[..], b"12345678", b"STAT\xff\xff\xff\xff", b"DXBC and so on", &[0; 64]] {
        assert_eq!(make(junk, &of_shader).err(), Some(E_INVALIDARG), "{junk:?}");
    }
}
