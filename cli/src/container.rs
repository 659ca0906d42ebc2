//! Options for containers: editing an existing one (`-dumpbin`), parts of a compiled one, and `rtc container`.

use crate::error::Result;
use clap::ArgMatches;
use rtc::container::Edits;
use rtc::{FileError, Options, ProfileKind, RootVersion, Target};

use crate::matches::{given, has, last};
use crate::output;

/// Files to write, by name.
pub type Files = Vec<(String, Vec<u8>)>;

/// Options of the compiler that cannot be combined with `-dumpbin`.
const COMPILING: &[&str] = &[
    "T",
    "E",
    "D",
    "I",
    "P",
    "M",
    "MD",
    "H",
    "Vi",
    "HV",
    "spirv",
    "Zi",
    "Zs",
    "Zss",
    "Zsb",
    "Zpr",
    "Zpc",
    "Gis",
    "denorm",
    "Od",
    "O0",
    "O1",
    "O2",
    "O3",
    "all-resources-bound",
    "all_resources_bound",
    "force-rootsig-ver",
    "force_rootsig_ver",
    "rootsig-define",
    "Gfa",
    "Gfp",
    "exports",
    "export-shaders-only",
    "default-linkage",
    "Qembed_debug",
    "Qkeep_reflect_in_dxil",
    "validator-version",
    "enable-16bit-types",
    "Fre",
    "Frs",
    "Fsh",
    "emit-ir",
    "report",
    "verify",
];

/// The changes of parts that the options request.
fn edits(m: &ArgMatches) -> Result<Edits> {
    if has(m, "Qstrip_priv") && last(m, "setprivate").is_some() {
        return Err("-Qstrip_priv and -setprivate contradict each other".into());
    }
    if has(m, "Qstrip_rootsignature") && last(m, "setrootsignature").is_some() {
        return Err("-Qstrip_rootsignature and -setrootsignature contradict each other".into());
    }
    Ok(Edits {
        strip_debug: has(m, "Qstrip_debug"),
        strip_reflection: has(m, "Qstrip_reflect"),
        strip_private: has(m, "Qstrip_priv"),
        strip_root_signature: has(m, "Qstrip_rootsignature"),
        private: last(m, "setprivate").map(output::read).transpose()?,
        root_signature: last(m, "setrootsignature").map(root_signature).transpose()?,
    })
}

/// The root signature of a container in a file.
fn root_signature(path: &str) -> Result<Vec<u8>> {
    rtc::rootsig::of_container(&output::read(path)?).map_err(|e| format!("`{path}`: {e}").into())
}

/// Applies the options for the compiled container.
///
/// # Errors
/// Options that contradict each other or require others, files that cannot be read.
pub fn options(m: &ArgMatches, o: &mut Options) -> Result<()> {
    let edits = edits(m)?;
    let spirv = !matches!(o.target, Target::Dxil);
    for name in ["Fd", "Fre", "Frs", "Fsh", "setprivate", "getprivate", "setrootsignature", "extractrootsignature"] {
        if spirv && given(m, name) {
            return Err(format!("-{name} applies to DXIL containers, and the target is another").into());
        }
    }
    for (name, needs) in [("Vn", "Fh"), ("extractrootsignature", "Fo")] {
        if given(m, name) && last(m, needs).is_none() {
            return Err(format!("-{name} requires -{needs}").into());
        }
    }
    if given(m, "verifyrootsignature") {
        return Err("-verifyrootsignature applies to an existing container: add -dumpbin".into());
    }
    if let Some(v) = last(m, "force-rootsig-ver").or(last(m, "force_rootsig_ver")) {
        o.root_version = match v {
            "rootsig_1_0" => RootVersion::V1_0,
            "rootsig_1_1" => RootVersion::V1_1,
            "rootsig_1_2" => RootVersion::V1_2,
            _ => return Err(format!("-force-rootsig-ver {v}: expected rootsig_1_0, rootsig_1_1 or rootsig_1_2").into()),
        };
    }
    if o.profile.kind == ProfileKind::Library && !spirv {
        for name in ["setrootsignature", "rootsig-define"] {
            if given(m, name) {
                // As in dxc.
                eprintln!("rtc: warning: -{name} has no effect: libraries have root signatures as subobjects");
            }
        }
    }
    o.keep_reflection = has(m, "Qkeep_reflect_in_dxil");
    o.strip_root_signature = edits.strip_root_signature;
    o.root_signature = edits.root_signature;
    o.root_define = last(m, "rootsig-define").map(str::to_owned);
    o.binding_table = match (last(m, "import-binding-table"), last(m, "binding-table-define")) {
        (Some(path), _) => {
            let text = String::from_utf8_lossy(&output::read(path)?).into_owned();
            Some(rtc::options::BindingTable::File(path.to_owned(), text))
        }
        (None, name) => name.map(|n| rtc::options::BindingTable::Macro(n.to_owned())),
    };
    Ok(())
}

/// Adds private data to a compiled container and collects the files that options request.
///
/// # Errors
/// A requested part is missing, or a file cannot be read.
pub fn outputs(m: &ArgMatches, container: &mut Vec<u8>, auxiliary: Option<&rtc::outputs::AuxiliaryFiles>, files: &mut Files) -> Result<()> {
    let private = Edits { private: edits(m)?.private, ..Edits::default() };
    if !private.is_empty() {
        *container = private.apply(container).map_err(|e| e.to_string())?;
    }
    if let (Some(path), Some(pdb)) = (last(m, "Fd"), auxiliary.and_then(|o| o.pdb.as_ref())) {
        let path = if path.ends_with(std::path::is_separator) { format!("{path}{}", pdb.name) } else { path.to_owned() };
        files.push((path, pdb.bytes.clone()));
    }
    if let Some(auxiliary) = auxiliary {
        let root = auxiliary.root_signature.as_ref();
        if last(m, "Frs").is_some() && root.is_none() {
            eprintln!("rtc: warning: there is no root signature for -Frs to write");
        }
        for (name, bytes) in [("Fre", Some(&auxiliary.reflection)), ("Fsh", Some(&auxiliary.hash)), ("Frs", root)] {
            if let (Some(path), Some(bytes)) = (last(m, name), bytes) {
                files.push((path.to_owned(), bytes.clone()));
            }
        }
    }
    parts(m, container, files)
}

/// Collects the parts of a container that options request as files.
fn parts(m: &ArgMatches, container: &[u8], files: &mut Files) -> Result<()> {
    if let Some(path) = last(m, "getprivate") {
        let data = rtc::container::part(container, "PRIV").map_err(|_| "the container has no private data for -getprivate")?;
        files.push((path.to_owned(), data));
    }
    if has(m, "extractrootsignature") {
        let data = rtc::rootsig::of_container(container).map_err(|e| format!("-extractrootsignature: {e}"))?;
        let path = last(m, "Fo").ok_or("-extractrootsignature requires -Fo")?;
        let signed = container.get(4..20).is_some_and(|d| d != [0; 16]);
        files.push((path.to_owned(), rtc::rootsig::container_of(&data, signed)));
    }
    Ok(())
}

/// `-dumpbin`: extracts and changes parts of a container or a PDB. Without an output it prints the listing.
///
/// # Errors
/// Options of the compiler, a damaged file, a missing part.
pub fn dump(m: &ArgMatches, file: &str) -> Result<bool> {
    if let Some(name) = COMPILING.iter().find(|n| given(m, n)) {
        return Err(format!("-{name} applies to compilation and cannot be combined with -dumpbin").into());
    }
    let data = output::read(file)?;
    let named = |e: FileError| format!("`{file}`: {e}");
    let edits = edits(m)?;
    if let Some(path) = last(m, "verifyrootsignature") {
        let problems = rtc::rootsig::problems(&root_signature(path)?, &data).map_err(named)?;
        if let Some(problem) = problems.first() {
            return Err(format!("the root signature of `{path}` does not match `{file}`: {problem}").into());
        }
        output::print(b"root signature verification succeeded.\n")?;
        return Ok(true);
    }
    let mut files = Files::new();
    if has(m, "extractrootsignature") {
        // `-Fo` names the root signature.
    } else if let Some(path) = last(m, "Fo") {
        files.push((path.to_owned(), if edits.is_empty() { data.clone() } else { edits.apply(&data).map_err(named)? }));
    } else if !edits.is_empty() {
        return Err("changing a container requires an output file: -Fo".into());
    }
    if let Some(path) = last(m, "Fd") {
        let part = rtc::container::part(&data, "ILDB").map_err(|_| format!("`{file}`: there is no debug module for -Fd"))?;
        files.push((path.to_owned(), part));
    }
    parts(m, &data, &mut files)?;
    let listing = || rtc::dis::disassemble(&data).map_err(named);
    let none = files.is_empty();
    if let Some(path) = last(m, "Fc") {
        files.push((path.to_owned(), listing()?.into_bytes()));
    }
    if let Some(path) = last(m, "Fh") {
        files.push((path.to_owned(), header(last(m, "Vn").unwrap_or("g_main"), &data, &listing()?).into_bytes()));
    }
    if none && files.is_empty() {
        output::print(listing()?.as_bytes())?;
    }
    output::write_all(&files)?;
    Ok(true)
}

/// The listing in a comment, and a C array of the bytes.
pub fn header(name: &str, bytes: &[u8], listing: &str) -> String {
    use std::fmt::Write as _;
    let mut out = format!("#if 0\n{}\n#endif\n\nconst unsigned char {name}[] = {{", listing.trim_end());
    for (i, b) in bytes.iter().enumerate() {
        out.push_str(if i % 12 == 0 { "\n " } else { "" });
        _ = write!(out, " 0x{b:02x},");
    }
    out.push_str("\n};\n");
    out
}

const USAGE: &str = "usage: rtc container FILE [-extract PART -o OUT]\n\
    Lists the parts of a container or a PDB with their offsets and sizes, or writes the data of one part to a file (- is standard \
    output).";

/// `rtc container`: lists parts, or extracts one.
///
/// # Errors
/// Invalid arguments, a damaged file, a missing part.
pub fn run(args: &[String]) -> Result<bool> {
    let (mut file, mut part, mut out) = (None, None, None);
    let mut rest = args.iter();
    while let Some(a) = rest.next() {
        match a.as_str() {
            "-h" | "-help" | "--help" => {
                println!("{USAGE}");
                return Ok(true);
            }
            "-extract" | "--extract" => part = Some(rest.next().ok_or("option `-extract` requires a part")?),
            "-o" => out = Some(rest.next().ok_or("option `-o` requires a file")?),
            a if a.starts_with('-') && a != "-" => return Err(format!("unknown option `{a}`\n{USAGE}").into()),
            _ if file.is_none() => file = Some(a),
            _ => return Err(format!("more than one file given\n{USAGE}").into()),
        }
    }
    let file = file.ok_or_else(|| format!("no file given\n{USAGE}"))?;
    let data = output::read(file)?;
    let named = |e: FileError| format!("`{file}`: {e}");
    match (part, out) {
        (Some(part), Some(out)) => output::write(out, &rtc::container::part(&data, part).map_err(named)?)?,
        (Some(_), None) => return Err("option `-extract` requires `-o OUT`".into()),
        (None, out) => {
            let text = rtc::container::list(&data).map_err(named)?;
            output::write(out.map_or("-", |o| o), text.as_bytes())?;
        }
    }
    Ok(true)
}
