//! The assembler: a module as text or bitcode becomes a container.
#![allow(unsafe_code)] // Blobs and places of clients.

use rtc::{NoIncludes, Session};

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

/// The assembler.
pub struct Assembler;

impl Class for Assembler {
    const FACES: &'static [FaceInfo] = &[FaceInfo::new(&IDxcAssembler::of::<Assembler>(), &[IDxcAssembler::IID])];
}

impl IDxcAssemblerMethods for Assembler {
    unsafe fn assemble_to_container(&self, module: Raw, out: Out) -> HResult {
        // SAFETY: null or the client's blob.
        let module = unsafe { Ref::<IDxcBlob>::borrow(module) };
        let Some(module) = module.filter(|_| !out.is_null()) else { return E_POINTER };
        // SAFETY: the place is not null.
        unsafe { give(out, assemble(bytes_of(&module))) }
    }
}

fn assemble(source: &[u8]) -> Result<Ref<IDxcResult>, HResult> {
    match Session::new(NoIncludes).job().run(|| rtc::assemble::assemble(source)) {
        Ok(Ok(container)) => {
            let mut result = Builder::new(S_OK, Some(Kind::Object), CP_UTF8);
            result.bytes(Kind::Object, &container)?;
            Ok(result.build())
        }
        Ok(Err(e)) => failure(E_FAIL, &format!("shader: error: {e}\n")),
        Err(e) => {
            let (status, text) = bridge::stopped(&e);
            failure(status, &text)
        }
    }
}
