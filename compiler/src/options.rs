//! The options of a compilation: target profile, target, code generation, warnings, debug information.

use rtc_dxil_container::Version;
use rtc_frontend::lower::BufferLayout;
use rtc_frontend::preprocess::Define;
pub use rtc_passes::pipeline::Level as OptLevel;
use rtc_spirv::{Environment, Purpose};
use rtc_tables::limits::NEWEST_MODEL;
pub use rtc_tables::limits::OFFLINE_MODEL;
use rtc_tables::stages::{STAGES, Stage};
use serde::{Deserialize, Serialize};

use crate::error::OptionError;

/// A target profile: `lib_6_3` to `lib_6_10`, `lib_6_x`, `cs_6_0` to `cs_6_10`, `vs_…`, `ps_…`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub struct Profile {
    /// A library, or one shader.
    pub kind: ProfileKind,
    /// Minor number of shader model 6; [`OFFLINE_MODEL`] for `lib_6_x`.
    pub minor: u32,
}

impl std::fmt::Display for Profile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (kind, major) = match self.kind {
            ProfileKind::Library => ("lib", 6),
            ProfileKind::Shader(stage) => (stage.info().profile, 6),
            ProfileKind::RootSignature => ("rootsig", 1),
        };
        if self.is_offline() {
            return f.write_str("lib_6_x");
        }
        write!(f, "{kind}_{major}_{}", self.minor)
    }
}

/// The kind of a profile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum ProfileKind {
    /// All entry points of a file.
    Library,
    /// One shader of a stage.
    Shader(Stage),
    /// A root signature from a macro. The version is that of the root signature, not of a shader model.
    RootSignature,
}

impl ProfileKind {
    /// The first and the last minor version of shader model 6 that it has.
    fn models(self) -> (u32, u32) {
        match self {
            ProfileKind::Library => (Stage::Library.info().model, NEWEST_MODEL),
            ProfileKind::Shader(stage) => (stage.info().model, NEWEST_MODEL),
            ProfileKind::RootSignature => (0, NEWEST_MODEL),
        }
    }
}

impl Profile {
    /// Whether it is `lib_6_x`: a library for linking only, into every shader model that has what its code needs.
    pub fn is_offline(self) -> bool {
        self.kind == ProfileKind::Library && self.minor == OFFLINE_MODEL
    }

    /// Parses `lib_6_6`.
    ///
    /// # Errors
    /// The kind of the profile is unknown, or its version malformed or out of range.
    pub fn parse(text: &str) -> Result<Profile, OptionError> {
        let error = |message: String| Err(OptionError::new(message));
        let mut parts = text.split('_');
        let (kind, major, minor) = (parts.next().unwrap_or(""), parts.next(), parts.next());
        let profile = kind;
        let kind = match kind {
            "lib" => ProfileKind::Library,
            "rootsig" => ProfileKind::RootSignature,
            _ => match Stage::from_profile(kind) {
                Some(stage) => ProfileKind::Shader(stage),
                None => {
                    let first = |stage| ProfileKind::Shader(stage).models().0;
                    let shaders = STAGES.iter().filter(|s| !s.profile.is_empty());
                    let shaders: Vec<String> = shaders.map(|s| format!("{}_6_{}", s.profile, first(s.stage))).collect();
                    let all = format!("libraries (lib_6_3 to lib_6_10) and shaders ({} and up)", shaders.join(", "));
                    return error(format!("unknown profile `{text}`; rtc compiles {all}"));
                }
            },
        };
        let number = |s: Option<&str>| s.and_then(|s| s.parse::<u32>().ok());
        if kind == ProfileKind::RootSignature {
            let (Some(1), Some(minor @ 0..=2), None) = (number(major), number(minor), parts.next()) else {
                return error(format!("profile `{text}`: rootsig_1_0, rootsig_1_1 and rootsig_1_2 are supported"));
            };
            return Ok(Profile { kind, minor });
        }
        if text == "lib_6_x" {
            return Ok(Profile { kind, minor: OFFLINE_MODEL });
        }
        let (Some(6), Some(minor), None) = (number(major), number(minor), parts.next()) else {
            return error(format!("malformed profile `{text}`; expected lib_6_6, for example"));
        };
        let (low, high) = kind.models();
        if matches!((kind, minor), (ProfileKind::Library, 1 | 2)) {
            return error(format!("profile `{text}` is an experiment that no validator knows; libraries begin with lib_6_{low}"));
        }
        if minor < low || minor > high {
            return error(format!("profile `{text}`: {profile}_6_{low} to {profile}_6_{high} are supported"));
        }
        Ok(Profile { kind, minor })
    }
}

/// What a profile of shader model 4 or 5 (`ps_5_0`) is compiled as.
#[derive(Clone, Copy)]
pub(crate) struct OlderProfile {
    /// That of shader model 6.0.
    pub profile: Profile,
    /// Before 5.1 the registers of resources that nothing uses are not given to others.
    pub reserves_unused: bool,
}

/// The profile of shader model 6.0 for one of shader model 4 or 5.
pub(crate) fn older_profile(text: &str) -> Option<OlderProfile> {
    let (kind, model) = text.split_once('_')?;
    let stage = Stage::from_profile(kind)?;
    let older = stage.info().older;
    let known = (older.max(4)..6).filter(|_| older > 0).any(|major| model == format!("{major}_0") || model == format!("{major}_1"));
    known.then_some(OlderProfile { profile: Profile { kind: ProfileKind::Shader(stage), minor: 0 }, reserves_unused: model != "5_1" })
}

/// Whether a text has the form of a profile, of whatever kind and version.
pub(crate) fn is_profile(text: &str) -> bool {
    let parts: Vec<&str> = text.split('_').collect();
    let &[kind, major, minor] = &parts[..] else { return false };
    let digit = |s: &str| s.len() == 1 && s.as_bytes()[0].is_ascii_digit();
    (2..=7).contains(&kind.len())
        && digit(major)
        && (minor == "x" || digit(minor.strip_prefix('1').filter(|m| !m.is_empty()).unwrap_or(minor)))
}

/// What is hinted of branches whose source has no hint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum Flow {
    /// Nothing.
    AsWritten,
    /// As `[branch]` (`-Gfp`).
    Branch,
    /// As `[flatten]` (`-Gfa`).
    Flatten,
}

/// Where a binding table is.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum BindingTable {
    /// `-import-binding-table`: a file, with its text.
    File(String, String),
    /// `-binding-table-define`: the tokens of a macro.
    Macro(String),
}

/// The kind of output.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
pub enum Target {
    /// A DXIL container.
    #[default]
    Dxil,
    /// SPIR-V words.
    Spirv,
    /// A runtime package: SPIR-V, RDAT and binding map.
    Package,
    /// The IR after the passes, as text.
    Ir,
    /// Nothing: diagnostics only.
    Check,
}

/// How SPIR-V expresses hit objects (shader execution reordering).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
pub enum Ser {
    /// With an extension of [`rtc_spirv::Options::extensions`], EXT preferred over NV; otherwise [`Ser::Lower`], which every device with
    /// ray tracing runs.
    #[default]
    ByExtension,
    /// Packages: in all forms that the library has, among which the runtime chooses ([`rtc_package::Form`]). Else as
    /// [`Ser::ByExtension`].
    Auto,
    /// With `SPV_NV_shader_invocation_reorder`.
    Nv,
    /// With `SPV_EXT_shader_invocation_reorder`.
    Ext,
    /// As structures of values: traces record the hit, and an invoke runs the hit shader compiled as a miss shader.
    Lower,
    /// As with [`Ser::Lower`], and ray generation shaders are divided at their reorder points: the host sorts rays there
    /// ([`rtc_tables::wavefront`]).
    Wavefront,
}

impl Ser {
    /// The values of `-fspv-ser`. The default has none.
    pub const ALL: [(&'static str, Ser); 5] =
        [("auto", Ser::Auto), ("nv", Ser::Nv), ("ext", Ser::Ext), ("lower", Ser::Lower), ("wavefront", Ser::Wavefront)];
}

/// Which traces under divergent control flow become traces by all lanes of a wave in SPIR-V ([`rtc_passes::converge`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
pub enum ConvergeTraces {
    /// None.
    #[default]
    Off,
    /// All that may be.
    On,
    /// Those for which it pays.
    Auto,
}

impl ConvergeTraces {
    /// The values of `-fspv-converge-traces`.
    pub const ALL: [(&'static str, ConvergeTraces); 3] =
        [("off", ConvergeTraces::Off), ("on", ConvergeTraces::On), ("auto", ConvergeTraces::Auto)];

    /// The choice of the pass; nothing if it does not run.
    pub fn choice(self) -> Option<rtc_passes::converge::Choice> {
        match self {
            ConvergeTraces::Off => None,
            ConvergeTraces::On => Some(rtc_passes::converge::Choice::All),
            ConvergeTraces::Auto => Some(rtc_passes::converge::Choice::Paying),
        }
    }
}

/// How linear algebra is translated for Vulkan.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
pub enum LinearAlgebra {
    /// As the compiler likes it best: as [`LinearAlgebra::Lower`].
    #[default]
    Auto,
    /// To plain arithmetic, which every device has.
    Lower,
    /// Matrices of threads to cooperative vectors (`SPV_NV_cooperative_vector`), those of waves to plain arithmetic.
    Nv,
}

impl LinearAlgebra {
    /// The values of `-fspv-linalg`.
    pub const ALL: [(&'static str, LinearAlgebra); 3] =
        [("lower", LinearAlgebra::Lower), ("nv", LinearAlgebra::Nv), ("auto", LinearAlgebra::Auto)];
}

/// The memory layout of payloads in SPIR-V and packages; DXIL always has the declared one.
#[derive(Clone, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
pub enum PayloadLayout {
    /// As declared.
    #[default]
    Declared,
    /// Payloads with qualifiers take the fewest words that the qualifiers allow. The layout depends only on the payload's declaration, so
    /// libraries of one pipeline agree if all are compiled with this option.
    Packed,
    /// The library is all that there is of the pipeline: payloads take the fewest words that what its shaders do with them allows, with or without
    /// qualifiers.
    Whole,
    /// Packed by a layout file that all libraries of a pipeline share.
    File {
        /// The file's name, for diagnostics.
        name: String,
        /// Its contents.
        text: String,
    },
}

/// An option of the command line as a PDB records it.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub struct Argument {
    /// The name without dash; joined values are part of it.
    pub name: String,
    /// The value; empty if there is none.
    pub value: String,
}

/// Options for warnings.
#[derive(Clone, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
pub struct Warnings {
    /// `-no-warnings`.
    pub none: bool,
    /// `-WX`.
    pub all_errors: bool,
    /// `-Wgroup`, `-Wno-group`, `-Werror=group`, in order; later ones win.
    pub groups: Vec<String>,
}

/// A hit group that the host declares instead of the source.
#[derive(Clone, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
pub struct HostHitGroup {
    /// Its name.
    pub name: String,
    /// The closest-hit shader; empty: none.
    pub closest_hit: String,
    /// The any-hit shader; empty: none.
    pub any_hit: String,
    /// The intersection shader; empty: none, and the group is for triangles.
    pub intersection: String,
}

/// What becomes of a program for Vulkan (SPIR-V and packages), before it is SPIR-V.
#[derive(Clone, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
pub struct VulkanOptions {
    /// How hit objects are expressed.
    pub ser: Ser,
    /// With [`Ser::Wavefront`] or [`Ser::Auto`]: traces of ray generation shaders are reorder points too, if the shader has no others.
    pub wavefront_traces: bool,
    /// Packages with hit objects: traversals that are queried only for hit or miss become plain traces with a generated miss shader.
    pub plain_outcomes: bool,
    /// Traces under divergent control flow that all lanes execute.
    pub converge_traces: ConvergeTraces,
    /// How matrices of `dx::linalg` are expressed.
    pub linear_algebra: LinearAlgebra,
    /// The memory layout of buffers. The default is the Vulkan layout of the reference compiler, and for packages the layout of Direct3D.
    pub layout: Option<BufferLayout>,
    /// SPIR-V: the elements of an array of resources have bindings of their own (`-fspv-flatten-resource-arrays`).
    pub flatten_arrays: bool,
    /// Hit groups that the host declares; their shaders read the records that local root signatures of these groups describe.
    pub hit_groups: Vec<HostHitGroup>,
}

/// All options of a compilation. Except for the source and its includes, nothing else has an influence on the output.
#[derive(Clone, PartialEq, Debug, Eq, Hash, Serialize, Deserialize)]
pub struct Options {
    /// Target profile.
    pub profile: Profile,
    /// Entry point of a compute shader.
    pub entry: String,
    /// The kind of output.
    pub target: Target,
    /// Macros.
    pub defines: Vec<Define>,
    /// Directories to search for includes.
    pub include_dirs: Vec<String>,
    /// `#line` directives are ignored.
    pub ignore_line: bool,
    /// 2016, 2017, 2018, 2021; 2029 stands for 202x.
    pub hlsl_version: u32,
    /// `-Gec`: semantics of Direct3D 9 stand for system values.
    pub older_semantics: bool,
    /// Native 16-bit types.
    pub native_16bit: bool,
    /// The mode of denormal 32-bit floats (`-denorm`); without one, the shader declares none.
    pub denormals: Option<rtc_ir::Denormals>,
    /// The default matrix orientation is row major.
    pub row_major: bool,
    /// Payload access qualifiers, for shader models where they are optional.
    pub payload_qualifiers: Option<bool>,
    /// The memory layout of payloads in SPIR-V and packages.
    pub payload_layout: PayloadLayout,
    /// Optimisation.
    pub level: OptLevel,
    /// Warnings.
    pub warnings: Warnings,
    /// What DXIL containers are like.
    pub dxil: rtc_dxil_lower::Settings,
    /// What modules of SPIR-V are like.
    pub spirv: rtc_spirv::Options,
    /// What becomes of the program for Vulkan, before it is SPIR-V.
    pub vulkan: VulkanOptions,
    /// All computations are `precise`.
    pub precise: bool,
    /// DXIL: what is hinted of branches without a hint.
    pub flow: Flow,
    /// Semantics of outputs that are `precise`.
    pub precise_outputs: Vec<String>,
    /// `-rootsig-define`: the macro with the root signature of the compute shader; it overrides the attribute.
    pub root_define: Option<String>,
    /// DXIL: registers of resources that the source gives none.
    pub binding_table: Option<BindingTable>,
    /// `-setrootsignature`: the root signature of the compute shader in binary form; it overrides all others.
    pub root_signature: Option<Vec<u8>>,
    /// `-default-linkage external`: functions that are neither `static` nor entry points are exported.
    pub export_all: bool,
    /// `-exports`: if not empty, the only functions that a library exports.
    pub exports: Vec<crate::exports::Export>,
    /// `-export-shaders-only`: a library exports its entry points only.
    pub export_shaders_only: bool,
    /// `-auto-binding-space`: the register space for resources without a register, which then get one.
    pub auto_space: Option<u32>,
    /// DXIL: registers of resources that nothing uses are not given to others (`-flegacy-resource-reservation`).
    pub reserves_unused: bool,
    /// DXIL: debug information, for [`crate::Compilation::debug`] and the container.
    pub debug: rtc_dxil_container::debug_module::DebugOptions,
    /// The command line that debug information records, without the source's name.
    pub args: Vec<String>,
    /// The options that a PDB records. Entry point and profile are added if they are missing.
    pub arguments: Vec<Argument>,
    /// The requested reports.
    pub reports: Vec<crate::report::ReportKind>,
    /// Measure how long each phase takes, for [`crate::Compilation::times`].
    pub times: bool,
    /// Keep the IR as it is before the first pass and after each one that changes it, for [`crate::Compilation::snapshots`].
    pub snapshots: bool,
}

impl Options {
    /// The defaults of the dxc command line for a profile.
    pub fn new(profile: Profile) -> Self {
        Options {
            profile,
            entry: "main".into(),
            target: Target::Dxil,
            defines: Vec::new(),
            include_dirs: Vec::new(),
            ignore_line: false,
            hlsl_version: 2021,
            older_semantics: false,
            native_16bit: false,
            denormals: None,
            row_major: false,
            payload_qualifiers: None,
            payload_layout: PayloadLayout::Declared,
            level: OptLevel::O3,
            warnings: Warnings::default(),
            // Shader model 6.n came with validator 1.n. An offline library is not bound to a validator.
            dxil: rtc_dxil_lower::Settings {
                validator: if profile.is_offline() { Version::new(0, 0) } else { Version::new(1, profile.minor.max(8) as _) },
                ..rtc_dxil_lower::Settings::default()
            },
            spirv: rtc_spirv::Options::default(),
            vulkan: VulkanOptions::default(),
            precise: false,
            flow: Flow::AsWritten,
            precise_outputs: Vec::new(),
            root_define: None,
            binding_table: None,
            root_signature: None,
            export_all: false,
            exports: Vec::new(),
            export_shaders_only: false,
            auto_space: None,
            reserves_unused: false,
            debug: rtc_dxil_container::debug_module::DebugOptions::default(),
            args: Vec::new(),
            arguments: Vec::new(),
            reports: Vec::new(),
            times: false,
            snapshots: false,
        }
    }

    /// The extension for hit objects; `None` if they are lowered.
    pub fn ser_extension(&self) -> Option<rtc_spirv::Ser> {
        let named = |s: rtc_spirv::Ser| self.spirv.names(s.extension());
        match self.vulkan.ser {
            Ser::Nv => Some(rtc_spirv::Ser::Nv),
            Ser::Ext => Some(rtc_spirv::Ser::Ext),
            Ser::Lower | Ser::Wavefront => None,
            Ser::ByExtension | Ser::Auto => [rtc_spirv::Ser::Ext, rtc_spirv::Ser::Nv].into_iter().find(|&s| named(s)),
        }
    }

    /// Whether the IR has debug information: types, variables, scopes, and the lines where functions end.
    pub fn debug_in_ir(&self) -> bool {
        match self.target {
            Target::Dxil => self.debug.kind == rtc_dxil_container::debug_module::DebugKind::Full,
            Target::Spirv | Target::Package => self.spirv.debug.line,
            _ => false,
        }
    }

    /// The target environment as far as options decide it: what the preprocessor's macros say.
    pub fn environment(&self) -> Option<Environment> {
        self.spirv.environment.or(if self.target == Target::Package { Purpose::PACKAGE.environment } else { Purpose::HOST.environment })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_of_older_shader_models() {
        let minor = |text| older_profile(text).map(|older| older.profile.to_string());
        assert_eq!(minor("ps_4_0").as_deref(), Some("ps_6_0"));
        assert_eq!(minor("hs_5_1").as_deref(), Some("hs_6_0"));
        for none in ["hs_4_0", "ps_3_0", "cs_5_2", "ms_5_0", "lib_5_0", "ps_6_0", "ps", "ps_5_0_0", "xs_5_0"] {
            assert_eq!(minor(none), None, "{none}");
        }
        let reserves = |text| older_profile(text).map(|older| older.reserves_unused);
        assert_eq!(["ps_4_1", "ps_5_0", "ps_5_1"].map(reserves), [Some(true), Some(true), Some(false)]);
    }

    #[test]
    fn forms_of_profiles() {
        for text in ["ps_6_0", "ps_6_11", "ps_6_1", "lib_6_x", "xs_7_9"] {
            assert!(is_profile(text), "{text}");
        }
        for text in ["", "ps_6_99", "ps_6", "ps_6_0_0", "ps_x_0", "p_6_0", "ps_66_0", "ps_6_1x", "ps_6_-"] {
            assert!(!is_profile(text), "{text}");
        }
    }

    #[test]
    fn profiles() {
        assert_eq!(Profile::parse("lib_6_6"), Ok(Profile { kind: ProfileKind::Library, minor: 6 }));
        assert_eq!(Profile::parse("lib_6_x").map(|p| (p.is_offline(), p.to_string())), Ok((true, "lib_6_x".into())));
        assert_eq!(Profile::parse("cs_6_0"), Ok(Profile { kind: ProfileKind::Shader(Stage::Compute), minor: 0 }));
        for (bad, why) in [
            ("lib_6_2", "libraries begin with lib_6_3"),
            ("lib_6_11", "lib_6_3 to lib_6_10"),
            ("cs_6_11", "cs_6_0 to cs_6_10"),
            ("ms_6_4", "ms_6_5 to ms_6_10"),
            ("lib_6", "malformed"),
            ("lib_6_6_6", "malformed"),
            ("lib_5_1", "malformed"),
            ("cs_6_x", "malformed"),
            ("", "unknown profile"),
            ("libx", "unknown profile"),
        ] {
            let e = Profile::parse(bad).unwrap_err();
            assert!(e.to_string().contains(why), "{bad}: {e}");
        }
    }
}
