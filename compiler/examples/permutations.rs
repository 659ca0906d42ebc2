//! Measures a session: permutations of a ray-tracing library of 500 lines, with headers of 3,000 lines, on several threads, compared with the
//! same without a session: `cargo run --release -p rtc --example permutations -- [PERMUTATIONS [THREADS]]`. With `reference` after both numbers
//! the pinned reference library compiles a fortieth of them in this process, from a folder, on as many threads. Its calls wait for one another,
//! so give it one thread.

use std::error::Error;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rtc::{Define, Options, Profile, Session, Virtual};

/// The headers: thirty files of a hundred lines with structures, macros and functions, each including the one before.
pub fn headers() -> Virtual {
    let files = header_files();
    Virtual::new(files.iter().map(|(n, t)| (n.as_str(), t.as_str())))
}

/// The names and texts of the headers.
pub fn header_files() -> Vec<(String, String)> {
    let mut files = Vec::new();
    for n in 0..30 {
        let mut text = format!("#ifndef HEADER_{n}\n#define HEADER_{n}\n");
        if n > 0 {
            _ = writeln!(text, "#include \"header_{}.hlsli\"", n - 1);
        }
        _ = writeln!(text, "struct Material_{n} {{\n  float3 base;\n  float roughness;\n  uint flags;\n}};");
        for f in 0..11 {
            _ = write!(
                text,
                "#define SCALE_{n}_{f}(x) ((x) * {f}.5 + {n}.25)\n\
                 // Function {f} of header {n}.\n\
                 float3 shade_{n}_{f}(Material_{n} m, float3 normal, float3 light) {{\n  \
                   float d = saturate(dot(normal, light));\n  \
                   if (m.flags & {f}u) d = SCALE_{n}_{f}(d);\n  \
                   return m.base * pow(d, 1 + m.roughness);\n}}\n\n"
            );
        }
        text.push_str("#endif\n");
        files.push((format!("header_{n}.hlsli"), text));
    }
    files
}

/// The library: eight hit shaders of some sixty lines that use functions of the headers, under features that macros select.
pub fn library() -> String {
    let mut text = String::from(
        "#include \"header_29.hlsli\"\n\
         RaytracingAccelerationStructure Scene : register(t0);\nRWTexture2D<float4> Output : register(u0);\n\
         struct Payload { float3 color; float distance; uint seed; };\n\
         struct Attributes { float2 barycentrics; };\n",
    );
    for shader in 0..8 {
        _ = write!(
            text,
            "[shader(\"closesthit\")]\nvoid Hit{shader}(inout Payload p, Attributes a) {{\n  float3 n = normalize(float3(a.barycentrics, 1)), sum = 0;\n"
        );
        for step in 0..9 {
            let (header, function) = ((shader * 7 + step * 3) % 30, (shader + step) % 11);
            _ = write!(
                text,
                "#if FEATURES & {bit}\n  {{\n    Material_{header} m = {{ p.color, {step} * 0.1, PERMUTATION + {step}u }};\n    \
                   sum += shade_{header}_{function}(m, n, WorldRayDirection());\n  }}\n#endif\n",
                bit = 1 << (step % 6)
            );
        }
        text.push_str("  p.color = sum;\n  p.distance = RayTCurrent();\n}\n\n");
    }
    text.push_str(
        "[shader(\"miss\")]\nvoid Sky(inout Payload p) { p.color = WorldRayDirection() * 0.5 + 0.5; }\n\n\
         [shader(\"raygeneration\")]\nvoid Camera() {\n  uint2 pixel = DispatchRaysIndex().xy;\n  \
           RayDesc ray = { float3(pixel, 0), 0, float3(0, 0, 1), 1000 };\n  Payload p = { (float3)0, 0, PERMUTATION };\n  \
           TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);\n  Output[pixel] = float4(p.color, p.distance);\n}\n",
    );
    text
}

/// The options of a permutation.
///
/// # Errors
/// The profile is not valid.
pub fn options(permutation: usize) -> Result<Options, rtc::OptionError> {
    let mut o = Options::new(Profile::parse("lib_6_6")?);
    o.defines = vec![Define::parse(&format!("PERMUTATION={permutation}")), Define::parse(&format!("FEATURES={}", permutation % 64))];
    Ok(o)
}

/// Compiles the permutations on threads with `compile`, which returns whether there is a product.
///
/// # Errors
/// A permutation does not compile.
pub fn measure(count: usize, threads: usize, compile: impl Fn(usize) -> bool + Sync) -> Result<Duration, String> {
    let (next, failed) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if n >= count {
                        break;
                    }
                    if !compile(n) {
                        failed.store(n, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    match failed.into_inner() {
        usize::MAX => Ok(start.elapsed()),
        n => Err(format!("permutation {n} does not compile")),
    }
}

/// Compiles with a session and without, and says how long both take.
///
/// # Errors
/// A permutation does not compile.
pub fn compare(count: usize, threads: usize) -> Result<String, Box<dyn Error>> {
    let (source, session) = (library(), Session::new(headers()));
    options(0)?;
    let with = measure(count, threads, |n| {
        options(n).is_ok_and(|o| session.compile("library.hlsl", source.as_bytes(), &o).is_ok_and(|c| c.product.is_some()))
    })?;
    let files = headers();
    let without = measure(count, threads, |n| {
        options(n).is_ok_and(|o| rtc::compile("library.hlsl", source.as_bytes(), &mut files.clone(), &o).product.is_some())
    })?;
    let each = |d: Duration| 1e3 * d.as_secs_f64() / count.max(1) as f64;
    Ok(format!(
        "{count} permutations on {threads} threads: {:.3} ms each with a session, {:.3} ms without\n{:?}\n",
        each(with),
        each(without),
        session.statistics()
    ))
}

/// Compiles with the reference library in this process, and says how long that takes.
///
/// # Errors
/// The library is not there, the headers cannot be written, or a permutation does not compile.
pub fn reference(count: usize, threads: usize) -> Result<String, Box<dyn Error>> {
    let dxc = rtc_oracles::Dxc::load()?;
    let folder = std::env::temp_dir().join(format!("rtc-permutations-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    for (name, text) in header_files() {
        std::fs::write(folder.join(name), text)?;
    }
    let (source, name) = (library(), folder.join("library.hlsl").to_string_lossy().into_owned());
    let took = measure(count, threads, |n| {
        let defines = [format!("-DPERMUTATION={n}"), format!("-DFEATURES={}", n % 64)];
        dxc.compile(&source, &name, &["-T", "lib_6_6", &defines[0], &defines[1]]).ok
    });
    std::fs::remove_dir_all(&folder)?;
    Ok(format!("the reference, {count} permutations: {:.3} ms each\n", 1e3 * took?.as_secs_f64() / count.max(1) as f64))
}

fn main() -> Result<(), Box<dyn Error>> {
    let number = |n: usize, default: usize| std::env::args().nth(n).map_or(Ok(default), |a| a.parse());
    let (count, threads) = (number(1, 1000)?, number(2, 2)?);
    print!("{}", compare(count, threads)?);
    if std::env::args().nth(3).is_some_and(|a| a == "reference") {
        print!("{}", reference(count.div_ceil(40), threads)?);
    }
    // Where the time goes.
    let session = Session::new(headers());
    for n in 0..3 {
        session.compile("library.hlsl", library().as_bytes(), &options(n)?)?;
    }
    let mut o = options(63)?;
    o.times = true;
    let compilation = session.compile("library.hlsl", library().as_bytes(), &o)?;
    print!("{}", rtc::times::report(&compilation.times).lines().take(20).map(|l| format!("{l}\n")).collect::<String>());
    Ok(())
}
