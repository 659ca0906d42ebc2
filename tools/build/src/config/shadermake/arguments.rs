//! The arguments of ShaderMake.

use clap::Parser;

use super::line::{Line, message};
use crate::error::Error;

/// What is compiled to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Platform {
    /// DXIL.
    Dxil,
    /// SPIR-V.
    Spirv,
}

fn platform(text: &str) -> Result<Platform, String> {
    match text {
        "DXIL" => Ok(Platform::Dxil),
        "SPIRV" => Ok(Platform::Spirv),
        "DXBC" => Err("rtc does not compile to DXBC, the format of shader model 5".into()),
        _ => Err("expected DXIL or SPIRV".into()),
    }
}

fn layout(text: &str) -> Result<String, String> {
    if ["dx", "gl", "scalar"].contains(&text) { Ok(text.to_owned()) } else { Err("expected dx, gl or scalar".into()) }
}

/// The arguments of ShaderMake, with its names. Those that are about its own processes and its printing have no effect.
#[derive(Parser, Clone, Debug)]
#[command(no_binary_name = true, disable_help_flag = true, name = "rtc build shadermake")]
pub struct Arguments {
    /// DXIL or SPIRV
    #[arg(short, long, value_parser = platform, value_name = "PLATFORM")]
    pub platform: Platform,
    /// the configuration: a shader in each line
    #[arg(short, long)]
    pub config: String,
    /// the folder of outputs
    #[arg(short, long)]
    pub out: String,
    /// write a file for each object
    #[arg(short, long)]
    pub binary: bool,
    /// write a C header for each object
    #[arg(short = 'h', long)]
    pub header: bool,
    /// write a blob with the permutations of each shader
    #[arg(short = 'B', long = "binaryBlob")]
    pub binary_blob: bool,
    /// write a C header with this blob
    #[arg(short = 'H', long = "headerBlob")]
    pub header_blob: bool,
    /// no effect: rtc compiles
    #[arg(long)]
    pub compiler: Option<String>,
    /// the shader model
    #[arg(short = 'm', long = "shaderModel", default_value = "6_5")]
    pub model: String,
    /// the optimisation level, 0 to 3
    #[arg(short = 'O', long = "optimization", default_value_t = 3)]
    pub optimization: u32,
    /// options of the compiler, separated by spaces
    #[arg(short = 'X', long = "compilerOptions", allow_hyphen_values = true)]
    pub options: Vec<String>,
    /// warnings are errors
    #[arg(long = "WX")]
    pub warnings_are_errors: bool,
    /// all resources are bound
    #[arg(long = "allResourcesBound")]
    pub all_resources_bound: bool,
    /// write PDBs
    #[arg(long = "PDB")]
    pub pdb: bool,
    /// debug information in the objects
    #[arg(long = "embedPDB")]
    pub embed_pdb: bool,
    /// no reflection in the objects
    #[arg(long = "stripReflection")]
    pub strip_reflection: bool,
    /// matrices are row-major
    #[arg(long = "matrixRowMajor")]
    pub row_major: bool,
    /// HLSL 2021
    #[arg(long)]
    pub hlsl2021: bool,
    /// refused: rtc compiles HLSL alone
    #[arg(long)]
    pub slang: bool,
    /// refused: rtc compiles HLSL alone
    #[arg(long = "slangHLSL")]
    pub slang_hlsl: bool,
    /// a folder of includes
    #[arg(short = 'I', long = "include")]
    pub includes: Vec<String>,
    /// a macro of all shaders, and a name for `#ifdef` in the configuration
    #[arg(short = 'D', long = "define")]
    pub defines: Vec<String>,
    /// compile what is up to date too
    #[arg(short, long)]
    pub force: bool,
    /// the folder of sources
    #[arg(long = "sourceDir")]
    pub source_dir: Option<String>,
    /// no effect: dependencies are exact
    #[arg(long = "relaxedInclude")]
    pub relaxed_includes: Vec<String>,
    /// the extension of outputs
    #[arg(long = "outputExt")]
    pub extension: Option<String>,
    /// one thread
    #[arg(long)]
    pub serial: bool,
    /// no subfolders in the folder of outputs
    #[arg(long)]
    pub flatten: bool,
    /// no effect: a shader that fails stops no other
    #[arg(long = "continue")]
    pub continue_on_error: bool,
    /// no effect
    #[arg(long)]
    pub colorize: bool,
    /// no effect
    #[arg(long)]
    pub verbose: bool,
    /// no effect
    #[arg(long = "retryCount")]
    pub retries: Option<u32>,
    /// relative folders are relative to the current one
    #[arg(long = "ignoreConfigDir")]
    pub ignore_config_dir: bool,
    /// no effect
    #[arg(long = "compactProgress")]
    pub compact_progress: bool,
    /// no effect
    #[arg(long = "project")]
    pub project: Option<String>,
    /// the layout of buffers: dx, gl or scalar
    #[arg(long = "vulkanMemoryLayout", value_parser = layout)]
    pub layout: Option<String>,
    /// the version of Vulkan
    #[arg(long = "vulkanVersion", default_value = "1.3")]
    pub vulkan: String,
    /// an extension that SPIR-V may use
    #[arg(long = "spirvExt")]
    pub extensions: Vec<String>,
    /// added to the registers of samplers
    #[arg(long = "sRegShift", default_value_t = 100)]
    pub shift_s: u32,
    /// added to the registers of textures
    #[arg(long = "tRegShift", default_value_t = 200)]
    pub shift_t: u32,
    /// added to the registers of constant buffers
    #[arg(long = "bRegShift", default_value_t = 300)]
    pub shift_b: u32,
    /// added to the registers of views for unordered access
    #[arg(long = "uRegShift", default_value_t = 400)]
    pub shift_u: u32,
    /// registers are not shifted
    #[arg(long = "noRegShifts")]
    pub no_shifts: bool,
}

/// The spaces whose registers are shifted.
const SHIFTED_SPACES: u32 = 8;

impl Arguments {
    /// Parses arguments, without the program's name.
    ///
    /// # Errors
    /// An argument is unknown or malformed, or one is missing.
    pub fn parse_args(arguments: &[String]) -> Result<Self, Error> {
        let a = Arguments::try_parse_from(arguments).map_err(|e| Error::Arguments(message(&e)))?;
        let fail = |message: &str| Err(Error::Arguments(message.to_owned()));
        if !(a.binary || a.header || a.binary_blob || a.header_blob) {
            return fail("no output is requested: --binary, --header, --binaryBlob or --headerBlob");
        }
        if a.slang || a.slang_hlsl {
            return fail("--slang: rtc compiles HLSL, not Slang");
        }
        if a.layout.is_some() && a.platform != Platform::Spirv {
            return fail("--vulkanMemoryLayout is for SPIRV only");
        }
        Ok(a)
    }

    /// The text that `--help` prints.
    pub fn help() -> String {
        <Self as clap::CommandFactory>::command().render_help().to_string()
    }

    /// The extension of objects, with its dot.
    pub(super) fn extension(&self) -> &str {
        match (&self.extension, self.platform) {
            (Some(extension), _) => extension,
            (None, Platform::Dxil) => ".dxil",
            (None, Platform::Spirv) => ".spirv",
        }
    }

    /// The name of the array in a header.
    pub(super) fn variable(&self, file: &str) -> String {
        let name = std::path::Path::new(file).file_name().unwrap_or_default().to_string_lossy().replace('.', "_");
        let platform = if self.platform == Platform::Dxil { "dxil" } else { "spirv" };
        format!("g_{name}_{platform}")
    }

    /// The arguments of the compiler for a line, in ShaderMake's order.
    pub(super) fn of_compiler(&self, line: &Line) -> Result<Vec<String>, String> {
        let model = line.model.as_ref().unwrap_or(&self.model);
        let version = model.split_once('_').and_then(|(major, minor)| Some((major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?)));
        let version = version.ok_or_else(|| format!("shader model `{model}`: expected major_minor, for example 6_5"))?;
        let folder = if self.ignore_config_dir { String::new() } else { super::folder_of(&self.config) };
        let mut all = vec!["-T".to_owned(), format!("{}_{model}", line.profile), "-E".to_owned(), line.entry.clone()];
        let mut add = |words: &[&str]| all.extend(words.iter().map(|w| (*w).to_owned()));
        line.defines.iter().chain(&self.defines).for_each(|d| add(&["-D", d]));
        self.includes.iter().for_each(|dir| add(&["-I", &super::within(&folder, dir)]));
        add(&[["-Od", "-O1", "-O2", "-O3"][line.optimization.unwrap_or(self.optimization).min(3) as usize]]);
        let spirv = self.platform == Platform::Spirv;
        let debug = self.pdb || self.embed_pdb;
        let flags = [
            (version >= (6, 2), "-enable-16bit-types"),
            (self.warnings_are_errors, "-WX"),
            (self.all_resources_bound, "-all_resources_bound"),
            (self.row_major, "-Zpr"),
            (self.hlsl2021, "-HV=2021"),
            (debug, "-Zi"),
            (debug, "-Zsb"),
            (self.embed_pdb, "-Qembed_debug"),
            (spirv, "-spirv"),
            (!spirv && self.strip_reflection, "-Qstrip_reflect"),
        ];
        flags.iter().filter(|f| f.0).for_each(|f| add(&[f.1]));
        if spirv {
            add(&[&format!("-fspv-target-env=vulkan{}", self.vulkan)]);
            self.layout.iter().for_each(|l| add(&[&format!("-fvk-use-{l}-layout")]));
            self.extensions.iter().for_each(|e| add(&[&format!("-fspv-extension={e}")]));
            for space in (0..SHIFTED_SPACES).filter(|_| !self.no_shifts) {
                for (class, shift) in [("s", self.shift_s), ("t", self.shift_t), ("b", self.shift_b), ("u", self.shift_u)] {
                    add(&[&format!("-fvk-{class}-shift"), &shift.to_string(), &space.to_string()]);
                }
            }
        }
        let own = if spirv { &line.options_spirv } else { &line.options_dxil };
        for options in self.options.iter().chain(own) {
            all.extend(super::line::words(options)?);
        }
        Ok(all)
    }
}
