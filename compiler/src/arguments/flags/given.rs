//! The values of options: how each is read, and what is said of one that is wrong.

use rtc_dxil_container::Version;
use rtc_dxil_container::packing::Strategy;
use rtc_frontend::preprocess::Define;
use rtc_ir::Denormals;
use rtc_rootsig::RootVersion;
use rtc_spirv::{DescriptorBinding, Environment, RegisterBinding};
use rtc_tables::resources::ResourceClass;

use super::super::error::{ArgumentError, Result, invalid};
use crate::options::{HostHitGroup, LinearAlgebra, Options};

/// An option with the value that it is given.
pub(in crate::arguments) struct Given<'a> {
    /// The name of the option.
    pub name: &'static str,
    /// Its value; several are separated by spaces.
    pub value: &'a str,
}

impl Given<'_> {
    /// The error that the value is not what the option takes.
    fn error(&self, expected: &str) -> ArgumentError {
        invalid(format!("-{} {}: expected {expected}", self.name, self.value))
    }

    /// Any text.
    pub fn text(&self, to: &mut String) -> Result<()> {
        self.value.clone_into(to);
        Ok(())
    }

    /// Any text, for a field that has none otherwise.
    pub fn some(&self, to: &mut Option<String>) -> Result<()> {
        *to = Some(self.value.to_owned());
        Ok(())
    }

    /// One more entry of a list.
    pub fn push<T>(&self, to: &mut Vec<T>, entry: fn(&str) -> T) -> Result<()> {
        to.push(entry(self.value));
        Ok(())
    }

    /// A number; `what` says of what.
    pub fn number(&self, what: &str) -> Result<u32> {
        self.value.parse().map_err(|_| self.error(what))
    }

    /// A word of a table.
    pub fn one_of<T: Copy, const N: usize>(&self, all: &[(&'static str, T); N]) -> Result<T> {
        let found = all.iter().find(|(name, _)| *name == self.value);
        let names = || all.each_ref().map(|(name, _)| *name).join(", ");
        found.map(|f| f.1).ok_or_else(|| invalid(format!("-{}={}: expected one of {}", self.name, self.value, names())))
    }

    /// One of two words; true for the second.
    pub fn one_of_two(&self, first: &str, second: &str) -> Result<bool> {
        match self.value {
            word if word == first => Ok(false),
            word if word == second => Ok(true),
            other => Err(invalid(format!("-{}={other}: expected {first} or {second}", self.name))),
        }
    }

    /// The names of a list that spaces, commas or semicolons separate.
    pub fn names(&self) -> impl Iterator<Item = String> {
        let separates = |c: char| c.is_whitespace() || c == ',' || c == ';';
        self.value.split(separates).filter(|s| !s.is_empty()).map(str::to_owned)
    }

    /// Two numbers: a binding and a set.
    pub fn descriptor(&self) -> Result<DescriptorBinding> {
        let numbers = self.value.split_once(' ').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        let parsed = numbers.map(|(binding, set)| DescriptorBinding { binding, set });
        parsed.ok_or_else(|| self.error("a binding and a set"))
    }
}

/// `-D NAME=VALUE`.
pub fn define(text: &str) -> Define {
    match text.split_once('=') {
        Some((name, value)) => Define { name: name.into(), value: Some(value.into()) },
        None => Define { name: text.into(), value: None },
    }
}

/// `-validator-version`, of the compiler and of the linker.
pub(in crate::arguments) fn version(text: &str) -> Result<Version> {
    let parsed = text.split_once('.').and_then(|(a, b)| Some((a.parse::<u32>().ok()?, b.parse::<u32>().ok()?)));
    match parsed {
        // Bound to no validator: the newest forms of everything.
        Some((0, 0)) => Ok(Version::new(0, 0)),
        Some((1, minor)) if minor <= 10 => Ok(Version::new(1, minor as _)),
        _ => Err(invalid(format!("-validator-version {text}: expected 1.0 to 1.10, or 0.0 for none"))),
    }
}

/// `-HV`. 2029 stands for 202x.
pub fn hlsl_version(v: &Given<'_>) -> Result<u32> {
    match v.value {
        "2016" => Ok(2016),
        "2017" => Ok(2017),
        "2018" => Ok(2018),
        "2021" => Ok(2021),
        "202x" => Ok(2029),
        other => Err(invalid(format!("unknown HLSL version `{other}`; expected 2016, 2017, 2018, 2021 or 202x"))),
    }
}

/// `-denorm`, in upper or lower case as in dxc. An empty value is that of a shader that declares no mode.
pub fn denormals(v: &Given<'_>) -> Result<Option<Denormals>> {
    if v.value.is_empty() {
        return Ok(None);
    }
    let known = Denormals::NAMES.iter().find(|(_, name)| v.value.eq_ignore_ascii_case(name));
    known.map(|known| Some(known.0)).ok_or_else(|| v.error("any, preserve or ftz"))
}

/// `-default-linkage`: whether it is external.
pub fn linkage(v: &Given<'_>) -> Result<bool> {
    match v.value {
        "internal" => Ok(false),
        "external" => Ok(true),
        _ => Err(v.error("internal or external")),
    }
}

/// `-force-rootsig-ver`.
pub fn root_version(v: &Given<'_>) -> Result<RootVersion> {
    match v.value {
        "rootsig_1_0" => Ok(RootVersion::V1_0),
        "rootsig_1_1" => Ok(RootVersion::V1_1),
        "rootsig_1_2" => Ok(RootVersion::V1_2),
        other => Err(invalid(format!("-force-rootsig-ver {other}: expected rootsig_1_0, rootsig_1_1 or rootsig_1_2"))),
    }
}

/// `-fspv-target-env`.
pub fn environment(v: &Given<'_>) -> Result<Environment> {
    Environment::named(v.value).ok_or_else(|| {
        let names: Vec<&str> = Environment::ALL.iter().map(|e| e.name).collect();
        invalid(format!("unknown target environment `{}`; expected one of {}", v.value, names.join(", ")))
    })
}

/// `-fspv-extension`. `KHR` stands for all extensions of the group.
pub fn extension(v: &Given<'_>) -> Result<String> {
    let known = v.value == "KHR" || v.value.strip_prefix("SPV_").is_some_and(|rest| !rest.is_empty());
    let message = || invalid(format!("-fspv-extension={}: expected the name of a SPIR-V extension, like SPV_KHR_ray_query", v.value));
    if known { Ok(v.value.to_owned()) } else { Err(message()) }
}

/// `-fvk-t-shift 10 all`: an amount, and the space that it is for, or all.
pub fn shift(v: &Given<'_>) -> Result<(u32, Option<u32>)> {
    let (amount, space) = v.value.split_once(' ').unwrap_or((v.value, "all"));
    let number = |s: &str| s.parse::<u32>().map_err(|_| v.error(&format!("a number, found `{s}`")));
    let space = if space == "all" { None } else { Some(number(space)?) };
    Ok((number(amount)?, space))
}

/// `-fvk-bind-register t3 0 1 2`: a register, its space, binding and set.
pub fn register(v: &Given<'_>) -> Result<RegisterBinding> {
    let parse = || {
        let words: Vec<&str> = v.value.split(' ').collect();
        let [register, space, binding, set] = words[..] else { return None };
        let letter = register.chars().next()?;
        let classes = [ResourceClass::Cbv, ResourceClass::Srv, ResourceClass::Sampler, ResourceClass::Uav];
        let class = classes.into_iter().find(|c| c.letter() == letter)?;
        let to = DescriptorBinding { binding: binding.parse().ok()?, set: set.parse().ok()? };
        Some(RegisterBinding { class, register: register[1..].parse().ok()?, space: space.parse().ok()?, to })
    };
    parse().ok_or_else(|| invalid(format!("-fvk-bind-register {}: expected a register, a space, a binding and a set", v.value)))
}

/// `-hit-group=Group=ClosestHit,AnyHit,Intersection`.
pub fn hit_group(v: &Given<'_>) -> Result<HostHitGroup> {
    let (name, shaders) = v.value.split_once('=').unwrap_or((v.value, ""));
    let shaders: Vec<&str> = shaders.split(',').map(str::trim).collect();
    if name.is_empty() || shaders.len() > 3 {
        let expected = "expected a name and up to three shaders, NAME=CLOSESTHIT,ANYHIT,INTERSECTION";
        return Err(invalid(format!("-hit-group={}: {expected}", v.value)));
    }
    let shader = |n: usize| shaders.get(n).copied().unwrap_or_default().to_owned();
    Ok(HostHitGroup { name: name.to_owned(), closest_hit: shader(0), any_hit: shader(1), intersection: shader(2) })
}

/// `-pack-optimized` and `-pack-prefix-stable`: the registers of signatures in DXIL, and the locations in SPIR-V.
pub fn pack(o: &mut Options, strategy: Strategy) {
    o.dxil.packing = strategy;
    o.spirv.stage.packed = strategy == Strategy::Optimized;
}

/// How linear algebra is translated: not by cooperative matrices yet.
pub fn linear_algebra(v: &Given<'_>) -> Result<LinearAlgebra> {
    if v.value != "khr" {
        return v.one_of(&LinearAlgebra::ALL);
    }
    Err(invalid(format!(
        "-{}={}: SPV_KHR_cooperative_matrix is not supported yet; use lower, which is plain arithmetic for every device",
        v.name, v.value
    )))
}
