//! Coverage of the intrinsics: every row of the table compiles for both targets in every component type and shape of its signature, and every
//! intrinsic of the supported stages has a row. Exceptions have a reason in [`rtc_tables::intrinsics::coverage`]; a reason that no longer
//! holds is an error.
//!
//! `RTC_COVERAGE=name` selects the rows with that text in their names.

mod generate;

use std::collections::{BTreeMap, BTreeSet};

use generate::Call;
use rtc::{NoIncludes, OptLevel, Options, Product, Profile, Version};
use rtc_oracles::selection::Filter;
use rtc_oracles::{Dxc, SpirvVal, skip};
use rtc_tables::intrinsics::coverage::{ABSENT, Target};
use rtc_tables::intrinsics::{self, Intrinsic, Object, Scope};

/// Calls in one source.
const BATCH: usize = 250;

/// The outside validators.
struct Judges {
    dxc: Dxc,
    spirv: SpirvVal,
}

/// Compiles a library with these calls. On failure returns the calls that cause it with their errors; nothing to
/// blame: the message alone.
fn attempt(judges: &Judges, calls: &[Call], model: u32, native_16bit: bool, target: Target) -> Result<(), (Vec<(usize, String)>, String)> {
    let (text, owner) = generate::library(calls);
    let mut options = Options::new(Profile::parse(&format!("lib_6_{model}")).expect("a profile"));
    options.level = OptLevel::O0;
    options.native_16bit = native_16bit;
    options.warnings.none = true;
    if model <= 6 {
        options.dxil.validator = Version::new(1, 6);
    }
    options.target = match target {
        Target::Dxil => rtc::Target::Dxil,
        Target::Spirv => rtc::Target::Spirv,
    };
    let done = rtc::compile("coverage.hlsl", text.as_bytes(), &mut NoIncludes, &options);
    match done.product {
        Some(Product::Dxil(bytes)) if model <= 6 => {
            judges.dxc.validate(&bytes).map(|_| ()).map_err(|e| (Vec::new(), format!("the validator: {e}")))
        }
        Some(Product::Spirv(rtc::SpirvModule { words, .. })) => {
            if judges.spirv.accepts(&words) {
                return Ok(());
            }
            let said = judges.spirv.validate(&words).err().unwrap_or_default();
            Err((Vec::new(), format!("the SPIR-V validator: {said}")))
        }
        Some(_) => Ok(()),
        None => {
            let mut blamed: BTreeMap<usize, String> = BTreeMap::new();
            let mut rest = String::new();
            for d in done.diagnostics.iter().filter(|d| d.is_error()) {
                let line = done.sources.loc(d.span()).map(|l| l.line as usize);
                let call = line.and_then(|l| owner.get(l.checked_sub(1)?).copied().flatten());
                match call {
                    Some(n) => _ = blamed.entry(n).or_insert_with(|| d.message.clone()),
                    None => rest += &format!("{}\n", d.message),
                }
            }
            Err((blamed.into_iter().collect(), rest))
        }
    }
}

/// The calls that do not compile, each with why.
fn failures(judges: &Judges, calls: &[Call], model: u32, native_16bit: bool, target: Target) -> Vec<(Call, String)> {
    let mut out = Vec::new();
    let mut todo: Vec<Vec<Call>> = calls.chunks(BATCH).map(<[Call]>::to_vec).collect();
    while let Some(mut batch) = todo.pop() {
        if batch.is_empty() {
            continue;
        }
        match attempt(judges, &batch, model, native_16bit, target) {
            Ok(()) => {}
            Err((blamed, _)) if !blamed.is_empty() => {
                for (n, why) in blamed.into_iter().rev() {
                    out.push((batch.remove(n), why));
                }
                todo.push(batch);
            }
            Err((_, why)) if batch.len() == 1 => {
                let call = batch.remove(0);
                out.push((call, why));
            }
            Err(_) => {
                let half = batch.split_off(batch.len() / 2);
                todo.extend([batch, half]);
            }
        }
    }
    out
}

#[test]
fn every_row_compiles_or_has_a_reason() {
    let judges = match (Dxc::load(), SpirvVal::load()) {
        (Ok(dxc), Ok(spirv)) => Judges { dxc, spirv },
        (Err(m), _) | (_, Err(m)) => return skip::skip(m),
    };
    let wanted = Filter::new("RTC_COVERAGE");
    let rows: Vec<&Intrinsic> = intrinsics::all().filter(|r| r.is_ours() && wanted.takes(&r.full_name())).collect();
    wanted.must_have_matched();
    let mut groups: BTreeMap<(u32, bool), Vec<Call>> = BTreeMap::new();
    let (mut problems, mut translated) = (Vec::new(), 0);
    for row in rows {
        if !row.is_translated() {
            problems.push(format!("`{}` is known to sema only", row.signature()));
            continue;
        }
        translated += 1;
        let calls = generate::calls(row);
        assert!(!calls.is_empty(), "no call was generated for {}", row.signature());
        for c in calls {
            groups.entry((c.model, c.native_16bit)).or_default().push(c);
        }
    }
    let mut counts: BTreeMap<Target, usize> = BTreeMap::new();
    let mut gaps_seen: BTreeSet<(String, usize, Target)> = BTreeSet::new();
    let total: usize = groups.values().map(Vec::len).sum();
    for target in [Target::Dxil, Target::Spirv] {
        for (&(model, native), calls) in &groups {
            let failed = failures(&judges, calls, model, native, target);
            *counts.entry(target).or_default() += calls.len() - failed.len();
            for (call, why) in failed {
                if call.row.gap(target).is_some() {
                    gaps_seen.insert((call.row.full_name(), call.row.params.len(), target));
                    continue;
                }
                problems.push(format!("{target:?} lib_6_{model}: {}\n    {}\n    {why}", call.row.full_name(), call.text));
            }
        }
    }
    for row in intrinsics::all().filter(|r| r.is_ours() && wanted.takes(&r.full_name())) {
        let Some((target, _)) = row.missing else { continue };
        if !gaps_seen.contains(&(row.full_name(), row.params.len(), target)) {
            problems.push(format!("`{}` compiles to {target:?} now: its column `missing` is stale", row.signature()));
        }
    }
    println!("{translated} rows, {total} calls: {} to DXIL, {} to SPIR-V", counts[&Target::Dxil], counts[&Target::Spirv]);
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}

/// A line of the reference: the owner (empty: a free function), the name, how many parameters, whether the last is `...`.
struct ReferenceRow {
    section: String,
    owner: String,
    name: String,
    params: usize,
}

fn reference() -> Option<Vec<ReferenceRow>> {
    let text = rtc_oracles::facts::text("hlsl_intrinsics.txt");
    let mut section = String::new();
    let mut out = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("== ") {
            section = name.trim().into();
            continue;
        }
        if section.is_empty() || line.trim().is_empty() {
            continue;
        }
        let line = line.split("   [").next().unwrap_or(line);
        let (head, params) = line.split_once('(')?;
        let params = params.strip_suffix(')')?;
        let full = head.rsplit(' ').next()?;
        let (owner, name) = full.rsplit_once("::").unwrap_or(("", full));
        let mut depth = 0;
        let commas = params
            .chars()
            .filter(|c| {
                depth += i32::from(*c == '<') - i32::from(*c == '>');
                *c == ',' && depth == 0
            })
            .count();
        out.push(ReferenceRow {
            section: section.clone(),
            owner: owner.into(),
            name: name.into(),
            params: if params.trim().is_empty() { 0 } else { commas + 1 },
        });
    }
    Some(out)
}

#[test]
fn every_intrinsic_of_the_language_has_a_row_or_a_reason() {
    let known = reference().expect("each line is a signature");
    assert!(known.len() > 850, "{}", known.len());
    let mut used: BTreeSet<&str> = BTreeSet::new();
    let mut missing = BTreeSet::new();
    for k in &known {
        let owner = match k.owner.as_str() {
            "TextureCUBE" => "TextureCube",
            "TextureCUBEArray" => "TextureCubeArray",
            "<Point|Line|Triangle>Stream" => "TriangleStream",
            "Texture2DArrayMS" => "Texture2DMSArray",
            o => o,
        };
        let scopes: Vec<Scope> = match owner {
            "" => vec![Scope::Free],
            "dx" => vec![Scope::Dx],
            "vk" => vec![Scope::Vk],
            o => match Object::from_name(o.rsplit("::").next().unwrap_or(o)) {
                Some(o) => vec![Scope::Method(o), Scope::Static(o)],
                None => Vec::new(),
            },
        };
        let found = scopes.iter().any(|&s| intrinsics::find(s, &k.name).any(|r| r.params.len() == k.params));
        let full = if k.owner.is_empty() { k.name.clone() } else { format!("{}::{}", k.owner, k.name) };
        let reason = ABSENT.iter().find(|a| match a.what.strip_suffix('*') {
            Some(start) => k.name.starts_with(start),
            None => a.what == k.section || a.what == full || a.what == k.name,
        });
        match (found, reason) {
            (false, Some(a)) => _ = used.insert(a.what),
            (false, None) => _ = missing.insert(format!("{full} with {} parameters ({})", k.params, k.section)),
            (true, _) => {}
        }
    }
    let stale: Vec<&str> = ABSENT.iter().map(|a| a.what).filter(|w| !used.contains(w)).collect();
    let missing: Vec<String> = missing.into_iter().collect();
    assert!(missing.is_empty(), "without a row and without a reason:\n{}", missing.join("\n"));
    assert!(stale.is_empty(), "reasons that are not true any more: {stale:?}");
}
