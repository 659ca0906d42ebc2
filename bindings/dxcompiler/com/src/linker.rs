//! The linker: libraries by name, linked to a library or a shader.
#![allow(unsafe_code)] // Blobs, strings and places of clients.

use std::sync::{Mutex, PoisonError};

use rtc::arguments::Invocation;
use rtc::link::{DebugGoes, Input};
use rtc::outputs::AuxiliaryFiles;
use rtc::{Failure, NoIncludes, Options, Session};
use rtc_dxil_container::{Container, FourCc};

use crate::base::guard::Raw;
use crate::base::hresult::*;
use crate::base::interface::Interface;
use crate::base::object::{Class, FaceInfo};
use crate::base::reference::Ref;
use crate::blob::bytes_of;
use crate::bridge;
use crate::interfaces::*;
use crate::out::give;
use crate::result::{Builder, Kind, failure};
use crate::text::CP_UTF8;
use crate::wide;

/// The linker.
#[derive(Default)]
pub struct Linker {
    libraries: Mutex<Vec<(String, Vec<u8>)>>,
}

impl Class for Linker {
    const FACES: &'static [FaceInfo] = &[FaceInfo::new(&IDxcLinker::of::<Linker>(), &[IDxcLinker::IID])];
}

impl IDxcLinkerMethods for Linker {
    unsafe fn register_library(&self, name: Wide, library: Raw) -> HResult {
        // SAFETY: null or the client's string and blob.
        let (name, library) = unsafe { (wide::text(name), Ref::<IDxcBlob>::borrow(library)) };
        let (Some(name), Some(library)) = (name, library) else { return E_INVALIDARG };
        let bytes = bytes_of(&library).to_vec();
        match Container::parse(&bytes) {
            Err(_) => return DXC_E_CONTAINER_INVALID,
            Ok(container) if container.part(FourCc::DXIL).is_none() => return DXC_E_CONTAINER_MISSING_DXIL,
            Ok(_) => {}
        }
        let mut libraries = self.libraries.lock().unwrap_or_else(PoisonError::into_inner);
        if libraries.iter().any(|(other, _)| *other == name) {
            return E_INVALIDARG;
        }
        libraries.push((name, bytes));
        S_OK
    }

    unsafe fn link(
        &self,
        entry: Wide,
        profile: Wide,
        library_names: *const Wide,
        library_count: u32,
        arguments: *const Wide,
        count: u32,
        out: Out,
    ) -> HResult {
        // SAFETY: null or the client's strings.
        let (entry, profile, names, arguments) =
            unsafe { (wide::text(entry), wide::text(profile), wide::texts(library_names, library_count), wide::texts(arguments, count)) };
        let (Some(profile), Some(names), Some(arguments), false) = (profile, names, arguments, out.is_null()) else { return E_INVALIDARG };
        if names.is_empty() {
            return E_INVALIDARG;
        }
        let libraries = self.libraries.lock().unwrap_or_else(PoisonError::into_inner).clone();
        // SAFETY: the place is not null.
        unsafe {
            out.write_unaligned(std::ptr::null_mut());
            give(out, link(&libraries, &names, &profile, entry.as_deref().unwrap_or_default(), &arguments))
        }
    }
}

fn link(
    libraries: &[(String, Vec<u8>)],
    names: &[String],
    profile: &str,
    entry: &str,
    arguments: &[String],
) -> Result<Ref<IDxcResult>, HResult> {
    let mut chosen = Vec::new();
    for name in names {
        match libraries.iter().find(|(other, _)| other == name) {
            Some((name, bytes)) => chosen.push(Input { name, bytes }),
            None => return failure(E_FAIL, &format!("error: library `{name}` is not registered\n")),
        }
    }
    let mut all = vec!["-link".to_owned(), "-T".to_owned(), profile.to_owned()];
    if !entry.is_empty() {
        all.extend(["-E".to_owned(), entry.to_owned()]);
    }
    all.extend_from_slice(arguments);
    let session = Session::new(NoIncludes);
    let work = || {
        let mut request = match Options::parse_args(&all, &mut NoIncludes) {
            Ok(Invocation::Link(request)) => *request,
            Ok(_) => return Err((E_INVALIDARG, "error: these arguments do not ask for linking\n".to_owned())),
            Err(e) => return Err((E_INVALIDARG, format!("error: {e}\n"))),
        };
        // As in the reference, what libraries have of debug information stays in the container.
        if !arguments.iter().any(|a| a.ends_with("Qstrip_debug")) {
            request.options.debug = DebugGoes::Inside;
        }
        let failed = |text: String| (E_FAIL, text);
        let linked = session.job().limits(&request.limits).link(&chosen, &request.options).map_err(|e| match e {
            Failure::Stopped(e) => bridge::stopped(&e),
            Failure::Error(errors) => failed(errors.0.iter().map(|e| format!("error: {e}\n")).collect()),
        })?;
        let warnings: String = match request.quiet {
            true => String::new(),
            false => linked.warnings.iter().map(|w| format!("warning: {w}\n")).collect(),
        };
        if request.strict && !warnings.is_empty() {
            return Err(failed(warnings.replace("warning:", "error:")));
        }
        let auxiliary = AuxiliaryFiles::linked(&linked).map_err(|e| failed(format!("error: {e}\n")))?;
        Ok((linked.bytes, auxiliary, warnings, request))
    };
    let (bytes, auxiliary, warnings, request) = match work() {
        Ok(linked) => linked,
        Err((status, text)) => return failure(status, &text),
    };
    let mut result = Builder::new(S_OK, Some(Kind::Object), CP_UTF8);
    result.bytes(Kind::Object, &bytes)?.text(Kind::Errors, &warnings)?;
    result.bytes(Kind::Reflection, &auxiliary.reflection)?.bytes(Kind::ShaderHash, &auxiliary.hash)?;
    if let Some(signature) = &auxiliary.root_signature {
        result.bytes(Kind::RootSignature, signature)?;
    }
    if let Some(pdb) = &auxiliary.pdb {
        result.bytes(Kind::Pdb, &pdb.bytes)?.name(Kind::Pdb, &pdb.name)?;
    }
    if let Some(name) = &request.outputs.object {
        result.name(Kind::Object, name)?;
    }
    Ok(result.build())
}
