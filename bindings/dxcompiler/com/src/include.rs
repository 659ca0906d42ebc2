//! Include handlers: ours, which reads the disk, and those of clients, which the preprocessor asks.
#![allow(unsafe_code)] // Calls of clients' handlers.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use rtc::Includes;

use crate::base::hresult::{E_ACCESS_DENIED, E_FILE_NOT_FOUND, E_INVALIDARG, E_POINTER, HResult};
use crate::base::interface::Interface;
use crate::base::object::{Class, FaceInfo};
use crate::base::reference::Ref;
use crate::blob::{self, Blob, Content, text_of};
use crate::call;
use crate::interfaces::*;
use crate::out::give;
use crate::wide::{self, WChar};

/// The bytes of a file, as a blob whose code page is not known unless `page` says it.
///
/// # Errors
/// The file cannot be read.
pub fn load_file(name: &str, page: Option<u32>) -> Result<Ref<IDxcBlob>, HResult> {
    let bytes = std::fs::read(name).map_err(|e| match e.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidInput => E_FILE_NOT_FOUND,
        _ => E_ACCESS_DENIED,
    })?;
    match page {
        // SAFETY: the bytes are those of the vector, and are copied.
        Some(page) => unsafe { blob::from_client(bytes.as_ptr().cast(), bytes.len(), page, blob::Source::Copy) },
        None => Blob::copy(&bytes, Content::Encoded { page: 0, known: false }),
    }
}

/// The handler that reads the disk.
pub struct DiskHandler;

impl Class for DiskHandler {
    const FACES: &'static [FaceInfo] = &[FaceInfo::new(&IDxcIncludeHandler::of::<DiskHandler>(), &[IDxcIncludeHandler::IID])];
}

impl IDxcIncludeHandlerMethods for DiskHandler {
    unsafe fn load_source(&self, name: Wide, out: Out) -> HResult {
        if out.is_null() {
            return E_POINTER;
        }
        // SAFETY: the name is null or a string.
        let Some(name) = (unsafe { wide::text(name) }) else { return E_INVALIDARG };
        match load_file(&name, None) {
            // SAFETY: the place is not null.
            Ok(blob) => unsafe { give(out, Ok(blob)) },
            // As in the reference, the place keeps what it has.
            Err(code) => code,
        }
    }
}

/// The path that is requested of a handler: slashes of the platform, none of them doubled, and `./` before what is relative.
pub fn normal_path(path: &str) -> String {
    let (from, to) = if cfg!(windows) { ('/', '\\') } else { ('\\', '/') };
    let mut normal = String::with_capacity(path.len() + 2);
    let mut seen_other = false;
    for c in path.chars().map(|c| if c == from { to } else { c }) {
        if c == to && normal.ends_with(to) && seen_other {
            continue;
        }
        seen_other |= c != to;
        normal.push(c);
    }
    let b = normal.as_bytes();
    let slash = |at: usize| b.get(at).is_some_and(|c| matches!(c, b'/' | b'\\'));
    let as_it_is = normal == "."
        || (b.first() == Some(&b'.') && slash(1))
        || (b.get(1) == Some(&b':') && slash(2))
        || (b.first() == Some(&b'\\') && b.get(1) == Some(&b'\\'))
        || (!cfg!(windows) && b.first() == Some(&b'/'));
    if as_it_is { normal } else { format!(".{to}{normal}") }
}

/// What a client's handler has for a name.
pub type Answer = Option<Arc<[u8]>>;

/// A client's handler. It is called on the client's thread alone, and a name is requested once.
pub struct ClientHandler {
    handler: Option<Ref<IDxcIncludeHandler>>,
    known: HashMap<String, Answer>,
}

impl ClientHandler {
    /// The handler that a client passes to a compilation; null has no files.
    ///
    /// # Safety
    /// `handler` is null or a handler.
    pub unsafe fn new(handler: *mut std::ffi::c_void) -> ClientHandler {
        // SAFETY: the client's object lives during the call; the reference that is kept is an own one.
        let handler = unsafe { Ref::borrow(handler) }.map(|h| (*h).clone());
        ClientHandler { handler, known: HashMap::new() }
    }

    /// No files.
    pub fn none() -> ClientHandler {
        ClientHandler { handler: None, known: HashMap::new() }
    }

    /// Whether there is no handler, and so no file.
    pub fn is_none(&self) -> bool {
        self.handler.is_none()
    }

    /// The bytes of the file with this path, in UTF-8, or as they are where the code page is not known.
    pub fn ask(&mut self, path: &str) -> Answer {
        let Some(handler) = &self.handler else { return None };
        let path = normal_path(path);
        if let Some(known) = self.known.get(&path) {
            return known.clone();
        }
        let answer = load(handler, &path);
        self.known.insert(path, answer.clone());
        answer
    }

    /// The bytes of a file that an option names; such names are passed as they are.
    pub fn ask_exactly(&mut self, name: &str) -> Answer {
        self.handler.as_ref().and_then(|handler| load(handler, name))
    }
}

fn load(handler: &Ref<IDxcIncludeHandler>, name: &str) -> Answer {
    let name: Vec<WChar> = wide::encode(name).into_iter().chain([0]).collect();
    let mut out = std::ptr::null_mut();
    // SAFETY: the handler lives; the name ends in NUL, the place is valid. What it has afterwards is null or an owned reference.
    let (done, blob) = unsafe {
        let done = call!(handler, load_source(name.as_ptr(), &mut out));
        (done, Ref::<IDxcBlob>::take(out))
    };
    let blob = blob.filter(|_| done >= 0)?;
    match blob::page_of(&blob) {
        0 => Some(blob::bytes_of(&blob).into()),
        _ => text_of(&blob).ok().map(|text| text.into_bytes().into()),
    }
}

impl Includes for ClientHandler {
    fn read(&mut self, path: &str) -> io::Result<Option<Arc<[u8]>>> {
        Ok(self.ask(path))
    }

    fn identity(&mut self, path: &str) -> String {
        normal_path(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(not(windows))]
    fn paths_are_as_the_reference_asks_for_them() {
        for (path, normal) in [
            ("b.h", "./b.h"),
            ("./inc/b.h", "./inc/b.h"),
            ("d/../b.h", "./d/../b.h"),
            ("/q//b.h", "/q/b.h"),
            ("d/s\\b.h", "./d/s/b.h"),
            ("..\\.//.\\\\my/x.hlsl", "./../././my/x.hlsl"),
            ("C:/x.h", "C:/x.h"),
            ("", "./"),
        ] {
            assert_eq!(normal_path(path), normal);
        }
    }
}
