//! Headers that the compiler has inside, as the reference compiler does: found where no file of that name exists.

/// Their names and texts.
const HEADERS: &[(&str, &str)] = &[
    ("dx/linalg.h", include_str!("linalg.h")),
    ("enable_if", include_str!("enable_if.h")),
    ("type_traits", include_str!("type_traits.h")),
    ("vector_utils", include_str!("vector_utils.h")),
    ("vk/spirv.h", include_str!("spirv.h")),
    ("vk/opcode_selector.h", include_str!("opcode_selector.h")),
    ("vk/khr/cooperative_matrix.h", include_str!("cooperative_matrix.h")),
];

/// The text of a header.
pub(super) fn text(name: &str) -> Option<&'static str> {
    HEADERS.iter().find(|h| h.0 == name).map(|h| h.1)
}

/// Where they seem to be.
const FOLDER: &str = "<built in>/";

/// The path of a header.
pub(super) fn path(name: &str) -> String {
    format!("{FOLDER}{name}")
}

/// Whether a path is that of a header.
pub fn is_inside(path: &str) -> bool {
    path.starts_with(FOLDER)
}
