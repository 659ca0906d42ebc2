//! Lists of arguments that clients build.
#![allow(unsafe_code)] // Strings of clients.

use std::ffi::{CStr, c_char};
use std::sync::{Mutex, PoisonError};

use crate::base::hresult::{E_INVALIDARG, HResult, S_OK};
use crate::base::interface::Interface;
use crate::base::object::{Class, FaceInfo};
use crate::base::reference::Ref;
use crate::interfaces::*;
use crate::wide::{self, WChar};

/// A list of arguments. The strings that clients see stay where they are as long as the list lives.
#[derive(Default)]
pub struct CompilerArgs {
    list: Mutex<List>,
}

#[derive(Default)]
struct List {
    texts: Vec<Box<[WChar]>>,
    pointers: Vec<Wide>,
}

// SAFETY: the pointers refer to the texts, which the list owns.
unsafe impl Send for List {}

impl List {
    fn add(&mut self, text: &str) {
        let text: Box<[WChar]> = wide::encode(text).into_iter().chain([0]).collect();
        self.pointers.push(text.as_ptr());
        self.texts.push(text);
    }
}

impl Class for CompilerArgs {
    const FACES: &'static [FaceInfo] = &[FaceInfo::new(&IDxcCompilerArgs::of::<CompilerArgs>(), &[IDxcCompilerArgs::IID])];
}

impl CompilerArgs {
    /// A list of these arguments.
    pub fn of<S: AsRef<str>>(arguments: impl IntoIterator<Item = S>) -> Ref<IDxcCompilerArgs> {
        let args = CompilerArgs::default();
        args.add(arguments);
        Ref::new(args)
    }

    fn add<S: AsRef<str>>(&self, arguments: impl IntoIterator<Item = S>) {
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        arguments.into_iter().for_each(|a| list.add(a.as_ref()));
    }
}

impl IDxcCompilerArgsMethods for CompilerArgs {
    unsafe fn get_arguments(&self) -> *mut Wide {
        self.list.lock().unwrap_or_else(PoisonError::into_inner).pointers.as_mut_ptr()
    }

    unsafe fn get_count(&self) -> u32 {
        self.list.lock().unwrap_or_else(PoisonError::into_inner).pointers.len() as u32
    }

    unsafe fn add_arguments(&self, arguments: *const Wide, count: u32) -> HResult {
        // SAFETY: the client's array of strings.
        let Some(texts) = (unsafe { wide::texts(arguments, count) }) else { return E_INVALIDARG };
        self.add(texts);
        S_OK
    }

    unsafe fn add_arguments_utf8(&self, arguments: *const *const c_char, count: u32) -> HResult {
        if arguments.is_null() && count != 0 {
            return E_INVALIDARG;
        }
        for n in 0..count as usize {
            // SAFETY: the client's array has `count` strings.
            let text = unsafe { arguments.add(n).read() };
            if text.is_null() {
                return E_INVALIDARG;
            }
            // SAFETY: a string ends in NUL.
            self.add([unsafe { CStr::from_ptr(text) }.to_string_lossy()]);
        }
        S_OK
    }

    unsafe fn add_defines(&self, defines: *const DxcDefine, count: u32) -> HResult {
        // SAFETY: the client's array of macros.
        match unsafe { self::defines(defines, count) } {
            Some(defines) => self.add(defines),
            None => return E_INVALIDARG,
        }
        S_OK
    }
}

/// The arguments of macros: `-D`, `NAME=VALUE`. `None` if there is no array, or a name is missing.
///
/// # Safety
/// `defines` is null or an array of `count` macros.
pub unsafe fn defines(defines: *const DxcDefine, count: u32) -> Option<Vec<String>> {
    if defines.is_null() && count != 0 {
        return None;
    }
    let mut arguments = Vec::new();
    for n in 0..count as usize {
        // SAFETY: the array has `count` macros, whose strings are null or end in NUL.
        let (name, value) = unsafe {
            let define = defines.add(n).read();
            (wide::text(define.name)?, wide::text(define.value))
        };
        arguments.push("-D".to_owned());
        arguments.push(match value {
            Some(value) => format!("{name}={value}"),
            None => name,
        });
    }
    Some(arguments)
}

/// The arguments of a compilation: the source's name, entry point and profile where they are given, which replace `-E` and `-T`.
pub fn build(name: Option<&str>, entry: Option<&str>, profile: Option<&str>, arguments: &[String], defines: &[String]) -> Vec<String> {
    let mut all: Vec<String> = name.iter().map(|n| (*n).to_owned()).collect();
    let given = [("E", entry.filter(|e| !e.is_empty())), ("T", profile.filter(|p| !p.is_empty()))];
    for (option, value) in given.iter().filter_map(|(o, v)| Some((o, (*v)?))) {
        all.extend([format!("-{option}"), value.to_owned()]);
    }
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let option = argument.strip_prefix(['-', '/']).unwrap_or_default();
        match given.iter().find(|(o, value)| value.is_some() && option.starts_with(o)) {
            Some(_) if option.len() == 1 => drop(rest.next()),
            Some(_) => {}
            None => all.push(argument.clone()),
        }
    }
    all.extend_from_slice(defines);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entry_and_profile_replace_those_of_the_arguments() {
        let arguments = ["-E", "x", "-Tlib_6_3", "/Ey", "-Zi", "-T", "ps_6_0"].map(String::from);
        assert_eq!(
            build(Some("a"), Some("e"), Some("t"), &arguments, &["-D".into(), "A".into()]),
            ["a", "-E", "e", "-T", "t", "-Zi", "-D", "A"]
        );
        assert_eq!(build(None, Some(""), None, &arguments[..2], &[]), ["-E", "x"]);
    }
}
