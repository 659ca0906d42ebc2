//! The outcome of an operation: a status and outputs by kind, each with an optional name.
#![allow(unsafe_code)] // Places of clients.

use rtc::arguments::Encoding;

use crate::base::guid::Guid;
use crate::base::hresult::{E_INVALIDARG, E_POINTER, HResult, S_OK};
use crate::base::interface::Interface;
use crate::base::object::{Class, FaceInfo};
use crate::base::reference::Ref;
use crate::blob::Blob;
use crate::call;
use crate::interfaces::*;
use crate::out::put;
use crate::text::CP_UTF8;
use crate::wide::CP_WIDE;

/// The kinds of outputs, by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Kind {
    /// A container or a SPIR-V module.
    Object = 1,
    /// Errors and warnings.
    Errors,
    /// Debug information.
    Pdb,
    /// The shader's hash.
    ShaderHash,
    /// A listing.
    Disassembly,
    /// Preprocessed text.
    Hlsl,
    /// Other text.
    Text,
    /// Reflection data.
    Reflection,
    /// A container with the root signature.
    RootSignature,
    /// Outputs that have no kind.
    ExtraOutputs,
    /// Remarks.
    Remarks,
    /// A report of times.
    TimeReport,
    /// A trace of times.
    TimeTrace,
}

impl Kind {
    /// The number of kinds.
    const COUNT: usize = 13;

    fn index(number: u32) -> Option<usize> {
        (1..=Kind::COUNT as u32).contains(&number).then(|| number as usize - 1)
    }
}

struct Output {
    object: Ref<IDxcBlob>,
    name: Option<Ref<IDxcBlob>>,
}

/// A result that is being made.
pub struct Builder {
    status: HResult,
    primary: Option<Kind>,
    outputs: [Option<Output>; Kind::COUNT],
    page: u32,
}

impl Builder {
    /// A result without outputs, whose texts are in UTF-8 or wide characters.
    pub fn new(status: HResult, primary: Option<Kind>, page: u32) -> Builder {
        Builder { status, primary, outputs: [const { None }; Kind::COUNT], page }
    }

    /// Adds an object.
    pub fn object(&mut self, kind: Kind, object: Ref<IDxcBlob>) -> &mut Builder {
        self.outputs[kind as usize - 1] = Some(Output { object, name: None });
        self
    }

    /// Adds bytes.
    ///
    /// # Errors
    /// There is no memory.
    pub fn bytes(&mut self, kind: Kind, bytes: &[u8]) -> Result<&mut Builder, HResult> {
        Ok(self.object(kind, Blob::binary(bytes)?))
    }

    /// Adds text.
    ///
    /// # Errors
    /// There is no memory.
    pub fn text(&mut self, kind: Kind, text: &str) -> Result<&mut Builder, HResult> {
        let text = if self.page == CP_WIDE { Blob::wide(text) } else { Blob::utf8(text) };
        Ok(self.object(kind, text?))
    }

    /// Names an output that was added.
    ///
    /// # Errors
    /// There is no memory.
    pub fn name(&mut self, kind: Kind, name: &str) -> Result<&mut Builder, HResult> {
        if let Some(output) = &mut self.outputs[kind as usize - 1] {
            output.name = Some(Blob::wide(name)?);
        }
        Ok(self)
    }

    /// The result.
    pub fn build(self) -> Ref<IDxcResult> {
        Ref::new(OperationResult { status: self.status, primary: self.primary, outputs: self.outputs })
    }
}

/// A result with a status and a text of errors alone.
///
/// # Errors
/// There is no memory.
pub fn failure(status: HResult, text: &str) -> Result<Ref<IDxcResult>, HResult> {
    let mut result = Builder::new(status, None, CP_UTF8);
    result.text(Kind::Errors, text)?;
    Ok(result.build())
}

/// The outcome of an operation.
pub struct OperationResult {
    status: HResult,
    primary: Option<Kind>,
    outputs: [Option<Output>; Kind::COUNT],
}

impl Class for OperationResult {
    const FACES: &'static [FaceInfo] = &[FaceInfo::new(&IDxcResult::of::<OperationResult>(), &[IDxcResult::IID, IDxcOperationResult::IID])];
}

impl OperationResult {
    fn output(&self, kind: Option<Kind>) -> Option<&Output> {
        self.outputs[kind? as usize - 1].as_ref()
    }

    /// Gives an output through an interface; null if there is none.
    ///
    /// # Safety
    /// `out` is null or a place for a pointer.
    unsafe fn give_if_any(out: Out, output: Option<&Output>, iid: Guid) -> HResult {
        if out.is_null() {
            return E_POINTER;
        }
        // SAFETY: the place is not null; the object lives.
        unsafe {
            out.write_unaligned(std::ptr::null_mut());
            output.map_or(S_OK, |o| call!(o.object, query_interface(&iid, out)))
        }
    }
}

impl IDxcOperationResultMethods for OperationResult {
    unsafe fn get_status(&self, status: *mut HResult) -> HResult {
        if status.is_null() {
            return E_INVALIDARG;
        }
        // SAFETY: the place is not null.
        unsafe { put(status, self.status) }
    }

    unsafe fn get_result(&self, out: Out) -> HResult {
        // SAFETY: the client's place.
        unsafe { OperationResult::give_if_any(out, self.output(self.primary), IDxcBlob::IID) }
    }

    unsafe fn get_error_buffer(&self, out: Out) -> HResult {
        // SAFETY: the client's place.
        unsafe { OperationResult::give_if_any(out, self.output(Some(Kind::Errors)), IDxcBlobEncoding::IID) }
    }
}

impl IDxcResultMethods for OperationResult {
    unsafe fn has_output(&self, kind: u32) -> Bool {
        Kind::index(kind).is_some_and(|n| self.outputs[n].is_some()).into()
    }

    unsafe fn get_output(&self, kind: u32, iid: *const Guid, out: Out, name: Out) -> HResult {
        let output = Kind::index(kind).and_then(|n| self.outputs[n].as_ref());
        let Some(output) = output.filter(|_| !out.is_null() && !iid.is_null()) else { return E_INVALIDARG };
        // SAFETY: the places are valid or, for the name, null; the objects live.
        unsafe {
            out.write_unaligned(std::ptr::null_mut());
            put(name, std::ptr::null_mut());
            let done = call!(output.object, query_interface(iid, out));
            if done >= 0
                && let Some(text) = output.name.as_ref().filter(|_| !name.is_null())
            {
                name.write_unaligned(text.clone().give());
            }
            done
        }
    }

    unsafe fn get_num_outputs(&self) -> u32 {
        self.outputs.iter().flatten().count() as u32
    }

    unsafe fn get_output_by_index(&self, index: u32) -> u32 {
        let there = self.outputs.iter().enumerate().filter(|(_, o)| o.is_some());
        there.map(|(n, _)| n as u32 + 1).nth(index as usize).unwrap_or(0)
    }

    unsafe fn primary_output(&self) -> u32 {
        self.primary.map_or(0, |k| k as u32)
    }
}

/// The code page of text outputs.
pub fn page_of(encoding: Encoding) -> u32 {
    match encoding {
        Encoding::Utf8 => CP_UTF8,
        Encoding::Wide => CP_WIDE,
    }
}
