//! A loaded package as the host sees it: exports, resources, and the layout of shader records.
//!
//! Everything here is computed once when a package is loaded and is the same for every device.

mod described;
mod specialisation;

pub use described::{LibraryDesc, StateObjectDesc};
pub use specialisation::{ConstantName, ConstantType, ConstantValue, Specialisation, SpecialisationConstant, Specialisations};

use crate::error::{Error, ErrorKind, Result, list};
use crate::merge::{self, MergedPackage};
use crate::own_tables;
use crate::sampler::SamplerDesc;
use crate::slot::{Slot, describe};
use crate::state_object::{Group, Overrides, StateObject, resolve};
use rtc_dxil_container::rdat::SubobjectValue;
use rtc_dxil_container::{FormatError, ResourceClass, ShaderKind};
use rtc_package::{Binding, DescriptorKind, HitLowering, Package, RecordLayout};
use rtc_rootsig::{self as rootsig, RecordParam, RecordParamKind, StaticSampler};

/// A package with its resolved state object.
#[derive(Clone, PartialEq, Debug)]
pub struct Library {
    /// The package; its RDAT includes the host's overrides. Of several packages it is the union of all but the modules.
    pub package: Package,
    /// The modules of further packages in the same pipeline.
    pub additional_modules: Vec<Vec<u32>>,
    /// Which module each entry point is in; 0: the package's own.
    pub module_of: Vec<usize>,
    /// Shaders, hit groups and configurations.
    pub state: StateObject,
    /// Samplers that a root signature declares: class `s` register, space, and how to make it.
    pub static_samplers: Vec<(u32, u32, SamplerDesc)>,
    /// Values of constants: [`Library::specialise`].
    pub specialisation: Specialisations,
}

/// Upper bound of a shader record's size on any device, in bytes.
const MAX_RECORD: u64 = 1 << 16;

/// A register range: class, first register, space.
type Register = (ResourceClass, u32, u32);

/// An argument of a shader record as bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RawArgument {
    /// Bytes of constants.
    Constants(Vec<u8>),
    /// A device address.
    Address(u64),
    /// An index into the descriptor heap.
    Index(u32),
}

impl RawArgument {
    fn what(&self) -> &'static str {
        match self {
            RawArgument::Constants(_) => "constants",
            RawArgument::Address(_) => "an address",
            RawArgument::Index(_) => "a heap index",
        }
    }
}

/// A damaged package, with the part named.
pub fn damaged(e: FormatError) -> Error {
    Error::new(ErrorKind::Package, format!("the package is damaged: {e}"))
}

impl Library {
    /// Reads a package and resolves its state object. Of a package with several forms it is the lowered one, which every device runs;
    /// [`Forms`](crate::forms::Forms) has the others.
    ///
    /// # Errors
    /// The package is damaged (the message names the part and the byte), or its subobjects do not
    /// form a pipeline.
    pub fn read(bytes: &[u8], overrides: &Overrides) -> Result<Library> {
        Library::read_all(&[("the package", bytes)], overrides)
    }

    /// Reads packages with their names and makes one state object of them.
    ///
    /// # Errors
    /// One is damaged, two conflict (the message names both), or their subobjects do not form a pipeline.
    pub fn read_all(packages: &[(&str, &[u8])], overrides: &Overrides) -> Result<Library> {
        let mut read = Vec::with_capacity(packages.len());
        for (name, bytes) in packages {
            let in_it = |e: Error| if packages.len() > 1 { e.at(name) } else { e };
            let package = Package::read(bytes).map_err(|e| in_it(damaged(e)))?;
            check_spirv(&package.spirv).map_err(in_it)?;
            read.push((name.to_string(), package));
        }
        Library::finish(merge::merge(read)?, overrides)
    }

    fn finish(merged: MergedPackage, overrides: &Overrides) -> Result<Library> {
        let MergedPackage { mut package, additional_modules, module_of, warnings } = merged;
        let mut state = resolve(&mut package.rdat, overrides)?;
        state.warnings.extend(warnings);
        let static_samplers = static_samplers(&package)?;
        let specialisation = Specialisations::default();
        let library = Library { static_samplers, package, additional_modules, module_of, state, specialisation };
        library.check_entries()?;
        Ok(library)
    }

    /// Every name that a shader record may hold.
    pub fn record_names(&self) -> Vec<&str> {
        let own = |k: ShaderKind| matches!(k, ShaderKind::RayGeneration | ShaderKind::Miss | ShaderKind::Callable);
        let shaders = self.state.shaders.iter().filter(|s| own(s.stage)).map(|s| s.name.as_str());
        shaders.chain(self.state.groups.iter().map(|g| g.name.as_str())).collect()
    }

    /// The entry point in the module of a compute shader.
    ///
    /// # Errors
    /// There is none of that name; or there is not exactly one, and none is named.
    pub fn compute(&self, name: Option<&str>) -> Result<&rtc_package::EntryPoint> {
        let known = &self.state.compute;
        let name = match (name, known.as_slice()) {
            (Some(name), _) if known.iter().any(|k| k == name) => name,
            (None, [one]) => one,
            (Some(name), _) => return Err(self.no_such(name, "compute shader")),
            (None, many) => {
                let why = match many {
                    [] => "the library has no compute shader",
                    _ => "the library has several compute shaders; say which with `entry`",
                };
                return Err(Error::new(ErrorKind::StateObject, why).note(format!("compute shaders: {}", list(many))));
            }
        };
        let entries = &self.package.map.entries;
        let found = entries.iter().find(|e| e.export == *name && e.stage == ShaderKind::Compute);
        found.ok_or_else(|| Error::new(ErrorKind::Package, format!("part BMAP has no entry point for the compute shader `{name}`")))
    }

    /// The entry point in the module of a shader of the graphics pipeline.
    ///
    /// # Errors
    /// There is none of that name and stage.
    pub fn graphics(&self, stage: ShaderKind, name: &str) -> Result<&rtc_package::EntryPoint> {
        let entries = &self.package.map.entries;
        match entries.iter().find(|e| e.export == name) {
            Some(e) if e.stage == stage => Ok(e),
            Some(e) => {
                let why = format!("`{name}` is a {} shader and not a {stage} shader", e.stage);
                Err(Error::new(ErrorKind::StateObject, why).note(self.exported()))
            }
            None => Err(self.no_such(name, "shader")),
        }
    }

    /// Names of the shaders of the graphics pipeline of a stage, in order.
    pub fn graphics_exports(&self, stage: ShaderKind) -> Vec<&str> {
        self.package.map.entries.iter().filter(|e| e.stage == stage).map(|e| e.export.as_str()).collect()
    }

    /// Minimum and maximum number of lanes of a compute shader's waves, if it declares them.
    pub fn wave_lanes(&self, name: &str) -> Option<(u32, u32)> {
        let functions = &self.package.rdat.functions;
        let found = functions.iter().find(|f| f.kind == ShaderKind::Compute && f.unmangled == name)?;
        let (least, most) = (found.v2.min_wave_lanes, found.v2.max_wave_lanes);
        (least > 0).then(|| (least.into(), most.max(least).into()))
    }

    /// Names of the exports of a stage, in order.
    pub fn exports(&self, stage: ShaderKind) -> impl Iterator<Item = &str> {
        self.state.shaders.iter().filter(move |s| s.stage == stage).map(|s| s.name.as_str())
    }

    /// Names of the hit groups, in order.
    pub fn hit_groups(&self) -> impl Iterator<Item = &str> {
        self.state.groups.iter().map(|g| g.name.as_str())
    }

    /// The module that an entry point is in: 0 is that of [`Library::package`], others are in [`Library::additional_modules`].
    pub fn module_of(&self, export: &str) -> usize {
        let found = self.package.map.entries.iter().position(|e| e.export == export);
        found.and_then(|i| self.module_of.get(i).copied()).unwrap_or(0)
    }

    /// The entry point in the module of a shader of the state object.
    pub fn entry(&self, shader: usize) -> Option<&rtc_package::EntryPoint> {
        let name = &self.state.shaders[shader].name;
        self.package.map.entries.iter().find(|e| e.export == *name)
    }

    /// How a ray generation shader is divided at its reorder points; none: it is not.
    pub fn divided(&self, shader: &str) -> Option<&rtc_package::WavefrontShader> {
        self.package.map.wavefront.iter().find(|w| w.shader == shader)
    }

    /// The entry points that resume rays and are no exports of their own, each with the divided shader that started the rays.
    pub fn resumes(&self) -> impl Iterator<Item = (&str, &rtc_package::EntryPoint)> {
        let points = self.package.map.wavefront.iter().flat_map(|w| w.points.iter().map(|p| (w.shader.as_str(), &p.resume)));
        let own = |name: &str| self.state.shaders.iter().any(|s| s.name == name);
        points.filter(move |(_, resume)| !own(resume)).filter_map(|(shader, resume)| {
            let entry = self.package.map.entries.iter().find(|e| e.export == *resume)?;
            Some((shader, entry))
        })
    }

    /// The resource in a slot of the descriptor sets, by index in the binding map.
    ///
    /// # Errors
    /// Nothing is there; the note lists what there is.
    pub fn binding(&self, slot: &Slot) -> Result<usize> {
        let found = self.package.map.bindings.iter().position(|b| match slot {
            Slot::Name(name) => b.name == *name || is_heap(b, name),
            Slot::Register { class, register, space } => {
                b.class.letter() == *class && b.register == *register && b.space == *space && b.register != u32::MAX
            }
        });
        found.ok_or_else(|| {
            // What the runtime binds itself is nothing that a host could have meant.
            let own = |b: &&Binding| rtc_tables::wavefront::BUFFERS.contains(&b.name.as_str());
            let names = self.package.map.bindings.iter().filter(|b| !own(b)).map(describe_binding);
            Error::new(ErrorKind::Binding, format!("the library has no resource `{slot}`")).note(format!("resources: {}", list(names)))
        })
    }

    /// The resource in a slot into which a descriptor of one of `kinds` is to be put. Of a descriptor heap, named
    /// `ResourceDescriptorHeap` (or, for one register class, `ResourceDescriptorHeap.b`), it is the first kind that
    /// the shaders look for.
    ///
    /// # Errors
    /// Nothing is there.
    pub fn binding_for(&self, slot: &Slot, kinds: &[DescriptorKind]) -> Result<usize> {
        if let Slot::Name(name) = slot {
            let rows = &self.package.map.bindings;
            let fits = |kind: &DescriptorKind| rows.iter().position(|b| is_heap(b, name) && b.descriptor == *kind);
            if let Some(i) = kinds.iter().find_map(fits) {
                return Ok(i);
            }
        }
        self.binding(slot)
    }

    /// The layout of the shader record of an export or hit group; none: the record has no arguments.
    ///
    /// # Errors
    /// No such export.
    pub fn record_layout(&self, name: &str) -> Result<Option<&RecordLayout>> {
        let known = self.state.shaders.iter().any(|s| s.name == name) || self.state.groups.iter().any(|g| g.name == name);
        if !known {
            return Err(self.no_such(name, "record"));
        }
        let records = &self.state.records;
        Ok(records.of(name).and_then(|i| records.layouts.get(i as usize)))
    }

    /// Every parameter of a record with a name to set it by: the HLSL name of the resource where RDAT
    /// has one, else its register.
    pub fn record_parameters<'a>(&self, layout: &'a RecordLayout) -> Vec<(String, &'a RecordParam)> {
        layout.params.iter().map(|p| (self.parameter_name(p), p)).collect()
    }

    fn parameter_name(&self, p: &RecordParam) -> String {
        let Some(b) = p.binds.first() else {
            return "an empty table".to_string();
        };
        let resource = self
            .package
            .rdat
            .resources
            .iter()
            .find(|r| r.class == b.class && r.space == b.space && r.lower <= b.register && b.register <= r.upper);
        match resource {
            Some(r) => r.name.clone(),
            None => Slot::Register { class: b.class.letter(), register: b.register, space: b.space }.to_string(),
        }
    }

    /// The bytes of a record after its identifier.
    ///
    /// # Errors
    /// An argument that no parameter has, one of the wrong kind or size, a parameter without
    /// argument.
    pub fn record_data(&self, export: &str, arguments: &[(Slot, RawArgument)]) -> Result<Vec<u8>> {
        let wrong = |why: String| Error::new(ErrorKind::Binding, format!("shader record of `{export}`: {why}"));
        let Some(layout) = self.record_layout(export)? else {
            return match arguments.first() {
                None => Ok(Vec::new()),
                Some((slot, _)) => Err(wrong(format!("unknown argument `{slot}`: no local root signature is associated with it"))),
            };
        };
        let mut data = vec![0u8; layout.size as usize];
        let mut set = vec![false; layout.params.len()];
        for (slot, argument) in arguments {
            let found = self
                .register_of(slot)
                .and_then(|(class, register, space)| layout.find(class, register, space))
                .and_then(|found| layout.params.iter().position(|p| std::ptr::eq(p, found.param)));
            let Some(i) = found else {
                let names = self.record_parameters(layout).into_iter().map(|(name, _)| name);
                return Err(wrong(format!("unknown argument `{slot}`")).note(format!("arguments: {}", list(names))));
            };
            if std::mem::replace(&mut set[i], true) {
                return Err(wrong(format!("duplicate argument `{slot}`")));
            }
            put(&mut data, &layout.params[i], argument).map_err(|why| wrong(format!("`{slot}` {why}")))?;
        }
        if let Some(i) = set.iter().position(|s| !s) {
            let name = self.parameter_name(&layout.params[i]);
            return Err(wrong(format!("missing argument `{name}`")).note(format!("local root signature `{}`", layout.root_signature)));
        }
        Ok(data)
    }

    /// The register that a slot names: by its own words, or through the resource of that name.
    fn register_of(&self, slot: &Slot) -> Option<Register> {
        match slot {
            Slot::Register { class, register, space } => {
                let class = ResourceClass::ALL.iter().find(|c| c.letter() == *class).copied()?;
                Some((class, *register, *space))
            }
            Slot::Name(name) => {
                let r = self.package.rdat.resources.iter().find(|r| r.name == *name)?;
                Some((r.class, r.lower, r.space))
            }
        }
    }

    /// The error for a `name` that cannot be a `what` ("ray generation shader", "record").
    pub fn no_such(&self, name: &str, what: &str) -> Error {
        let error = match self.state.shaders.iter().find(|s| s.name == name) {
            Some(s) => Error::new(ErrorKind::StateObject, format!("`{name}` is a {} shader and cannot be a {what}", s.stage)),
            None => Error::new(ErrorKind::StateObject, format!("the library exports no `{name}`")),
        };
        error.note(self.exported())
    }

    /// Everything that is exported, for notes.
    fn exported(&self) -> String {
        let shaders = self.state.shaders.iter().map(|s| format!("{} ({})", s.name, s.stage));
        let groups = self.state.groups.iter().map(|g| format!("{} (hit group)", g.name));
        let compute = self.state.compute.iter().map(|c| format!("{c} (compute)"));
        let drawn = self.package.map.entries.iter().filter(|e| e.stage.is_graphics());
        let drawn = drawn.map(|e| format!("{} ({})", e.export, e.stage));
        format!("exports: {}", list(shaders.chain(groups).chain(compute).chain(drawn)))
    }

    /// Checks that every shader has an entry point of its stage, and was compiled against the record layout that its
    /// group gets.
    ///
    /// # Errors
    /// The first of which this is not so.
    pub fn check_entries(&self) -> Result<()> {
        let wrong = |why| Error::new(ErrorKind::Package, why);
        for (i, s) in self.state.shaders.iter().enumerate() {
            let Some(entry) = self.entry(i) else {
                return Err(wrong(format!("part BMAP has no entry point for the export `{}`", s.name)));
            };
            let lowered = self.records() && s.stage == ShaderKind::ClosestHit;
            let expected = if lowered { ShaderKind::Miss } else { s.stage };
            if entry.stage != expected {
                return Err(wrong(format!("`{}` is a {} shader in part RDAT, but a {} shader in part BMAP", s.name, s.stage, entry.stage)));
            }
            self.check_record(self.entry(i), &s.name)?;
        }
        for g in &self.state.groups {
            for shader in g.shaders() {
                self.check_record(self.entry(shader), &g.name)?;
            }
        }
        for w in &self.package.map.wavefront {
            if !self.exports(ShaderKind::RayGeneration).any(|name| name == w.shader) {
                return Err(wrong(format!("part BMAP divides `{}`, which is no ray generation shader of part RDAT", w.shader)));
            }
        }
        for (shader, entry) in self.resumes() {
            self.check_record(Some(entry), shader)?;
        }
        for name in &self.state.compute {
            self.compute(Some(name))?;
        }
        let Some(lowering) = &self.package.map.lowering else {
            return Ok(());
        };
        let end = u64::from(lowering.tail_offset) + u64::from(lowering.tail_size);
        if end > MAX_RECORD || !lowering.tail_offset.is_multiple_of(4) {
            return Err(wrong(format!(
                "part BMAP has {} bytes after byte {} of shader records, whose maximum size is {MAX_RECORD}",
                lowering.tail_size, lowering.tail_offset
            )));
        }
        if lowering.records() {
            for g in &self.state.groups {
                self.recorder(lowering, g)?;
            }
        }
        Ok(())
    }

    /// Whether its closest-hit shaders are compiled as miss shaders, and its hit groups have recorders in their place.
    pub fn records(&self) -> bool {
        self.package.map.lowering.as_ref().is_some_and(HitLowering::records)
    }

    /// Why its shader tables are not those of other libraries, so that it has a pipeline of its own: in a few words, and what may be done.
    pub(crate) fn own_tables(&self) -> Option<(&'static str, &'static str)> {
        own_tables::of(&self.package)
    }

    /// The entry point that records the hits of a hit group, in a library with lowered hit objects.
    ///
    /// # Errors
    /// The package has none for that group.
    pub fn recorder(&self, lowering: &HitLowering, group: &Group) -> Result<String> {
        let by = group.intersection.map_or("", |i| self.state.shaders[i].name.as_str());
        let found = lowering.recorder(by).map(str::to_string);
        found.ok_or_else(|| Error::new(ErrorKind::Package, format!("part BMAP has no recorder for hit group `{}`", group.name)))
    }

    /// The record of `record_of`, an export or a hit group, is laid out as the code of `entry` reads it.
    fn check_record(&self, entry: Option<&rtc_package::EntryPoint>, record_of: &str) -> Result<()> {
        let Some((entry, read)) = entry.and_then(|e| Some((e, e.record?))) else {
            return Ok(());
        };
        let records = &self.package.map.records;
        let Some(read) = records.get(read as usize) else {
            return Err(Error::new(
                ErrorKind::Package,
                format!("part BMAP has {} record layouts, but an entry point uses number {read}", records.len()),
            ));
        };
        let given = self.record_layout(record_of)?;
        if given.is_none_or(|g| g.params != read.params) {
            let has = given.map_or("none".to_string(), |g| format!("`{}`", g.root_signature));
            return Err(Error::new(
                ErrorKind::StateObject,
                format!(
                    "`{}` reads its record with local root signature `{}`, but `{record_of}` has {has}",
                    entry.export, read.root_signature
                ),
            ));
        }
        Ok(())
    }
}

/// Whether `name` is that of the descriptor heap that `b` is a view of: `ResourceDescriptorHeap`, or with the register
/// class of the view, `ResourceDescriptorHeap.b`.
fn is_heap(b: &Binding, name: &str) -> bool {
    let class = name.strip_prefix(b.name.as_str()).filter(|_| b.heap).map(|rest| rest.strip_prefix('.').unwrap_or(rest));
    class.is_some_and(|c| c.is_empty() || c.chars().eq([b.class.letter()]))
}

/// `Scene (t0)`; of a heap `ResourceDescriptorHeap.t`
fn describe_binding(b: &Binding) -> String {
    if b.heap {
        return format!("{}.{}", b.name, b.class.letter());
    }
    describe(&b.name, b.class.letter(), b.register, b.space)
}

/// Writes one argument at its place.
fn put(data: &mut [u8], p: &RecordParam, argument: &RawArgument) -> std::result::Result<(), String> {
    let room = (p.offset as usize).checked_add(p.size as usize).and_then(|end| data.get_mut(p.offset as usize..end));
    let Some(room) = room else {
        return Err("lies outside of the record".to_string());
    };
    let bytes: Vec<u8> = match (p.kind, argument) {
        (RecordParamKind::Constants, RawArgument::Constants(bytes)) => bytes.clone(),
        (RecordParamKind::Cbv | RecordParamKind::Srv | RecordParamKind::Uav, RawArgument::Address(a)) => a.to_le_bytes().to_vec(),
        (RecordParamKind::Table, RawArgument::Index(i)) => u64::from(*i).to_le_bytes().to_vec(),
        (kind, other) => return Err(format!("is a {kind} and cannot be set to {}", other.what())),
    };
    if bytes.len() > room.len() {
        return Err(format!("has room for {} bytes, {} are given", room.len(), bytes.len()));
    }
    room[..bytes.len()].copy_from_slice(&bytes);
    Ok(())
}

/// The module begins like one and is whole words of the machine; drivers do not check.
fn check_spirv(words: &[u32]) -> Result<()> {
    let wrong = |why: String| Err(Error::new(ErrorKind::Package, format!("part SPRV: {why}")));
    match words.first() {
        None => return wrong("it is empty".to_string()),
        Some(&magic) if magic != 0x0723_0203 => {
            return wrong(format!("it does not begin like a SPIR-V module ({magic:#010x})"));
        }
        Some(_) => {}
    }
    let mut at = 5;
    while at < words.len() {
        let length = (words[at] >> 16) as usize;
        if length == 0 || length > words.len() - at {
            return wrong(format!("the instruction at word {at} has {length} words, {} are left", words.len() - at));
        }
        at += length;
    }
    if at > words.len() { wrong("it ends inside of its header".to_string()) } else { Ok(()) }
}

/// The static samplers of all root signatures of a package: register, space, description.
///
/// # Errors
/// A damaged root signature, or one sampler that is declared in two ways.
pub fn static_samplers(package: &Package) -> Result<Vec<(u32, u32, SamplerDesc)>> {
    let mut out: Vec<(u32, u32, SamplerDesc)> = Vec::new();
    for s in &package.rdat.subobjects {
        let (SubobjectValue::GlobalRootSignature { data } | SubobjectValue::LocalRootSignature { data }) = &s.value else {
            continue;
        };
        let signature = rootsig::read(data).map_err(|e| damaged(e).at(format!("root signature `{}`", s.name)))?;
        for sampler in &signature.samplers {
            let desc = sampler_desc(sampler);
            let same = out.iter().find(|o| (o.0, o.1) == (sampler.register, sampler.space));
            match same {
                Some(other) if other.2 != desc => {
                    return Err(Error::new(
                        ErrorKind::StateObject,
                        format!(
                            "static sampler s{} of space {} is declared in two ways; the second is in root signature `{}`",
                            sampler.register, sampler.space, s.name
                        ),
                    ));
                }
                Some(_) => {}
                None => out.push((sampler.register, sampler.space, desc)),
            }
        }
    }
    Ok(out)
}

fn sampler_desc(s: &StaticSampler) -> SamplerDesc {
    use crate::sampler::{Address, Border, Compare};
    use rootsig::{AddressMode, BorderColor, Comparison};
    let address = |a| match a {
        AddressMode::Wrap => Address::Wrap,
        AddressMode::Mirror => Address::Mirror,
        AddressMode::Clamp => Address::Clamp,
        AddressMode::Border => Address::Border,
        AddressMode::MirrorOnce => Address::MirrorOnce,
    };
    let compare = match s.comparison {
        // A sampler that does not compare has none.
        Comparison::None | Comparison::Never => Compare::Never,
        Comparison::Less => Compare::Less,
        Comparison::Equal => Compare::Equal,
        Comparison::LessEqual => Compare::LessEqual,
        Comparison::Greater => Compare::Greater,
        Comparison::NotEqual => Compare::NotEqual,
        Comparison::GreaterEqual => Compare::GreaterEqual,
        Comparison::Always => Compare::Always,
    };
    SamplerDesc {
        mip_linear: s.filter.0 & 1 != 0,
        mag_linear: s.filter.0 & 4 != 0,
        min_linear: s.filter.0 & 0x10 != 0,
        max_anisotropy: if s.filter.0 & 0x40 != 0 { s.max_anisotropy } else { 0 },
        address: s.address.map(address),
        border: match s.border {
            BorderColor::TransparentBlack => Border::TransparentBlack,
            BorderColor::OpaqueBlack | BorderColor::OpaqueBlackUint => Border::OpaqueBlack,
            BorderColor::OpaqueWhite | BorderColor::OpaqueWhiteUint => Border::OpaqueWhite,
        },
        mip_bias: s.mip_lod_bias,
        min_lod: s.min_lod,
        max_lod: s.max_lod,
        compare: s.filter.is_comparison().then_some(compare),
    }
}

#[cfg(test)]
mod tests;
