//! Paths and URIs: documents have URIs, the compiler has paths. A path here has `/` between its parts and no `.` or `..` in it, so that one file
//! has one path however it was included.

use std::path::{Component, Path};
use std::str::FromStr;

use lsp_types::Uri;
use url::Url;

/// Whether a file is a header by its name: it is seen as the sources see it that include it.
pub fn is_header(path: &str) -> bool {
    const EXTENSIONS: [&str; 9] = ["hlsli", "h", "hh", "hpp", "inc", "fxh", "ush", "cginc", "rti"];
    path.rsplit_once('.').is_some_and(|(_, e)| EXTENSIONS.iter().any(|x| e.eq_ignore_ascii_case(x)))
}

/// The normal form of a path.
pub fn normal(path: &str) -> String {
    let path = path.replace('\\', "/");
    let mut parts: Vec<String> = Vec::new();
    let mut root = String::new();
    for part in Path::new(&path).components() {
        match part {
            // Editors write the letter of a drive in either case.
            Component::Prefix(p) => root = prefix(&p.as_os_str().to_string_lossy()),
            Component::RootDir => root.push('/'),
            Component::CurDir => {}
            Component::ParentDir => match parts.last() {
                Some(last) if last != ".." => _ = parts.pop(),
                _ if root.is_empty() => parts.push("..".into()),
                _ => {}
            },
            Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
        }
    }
    root + &parts.join("/")
}

/// The first part of a path of Windows: a drive, whose letter editors write in either case, or a folder of another machine.
fn prefix(text: &str) -> String {
    if text.ends_with(':') { text.to_ascii_uppercase() } else { text.replace('\\', "/") }
}

/// The path of a document: that of its file, or the URI itself if it is not one of a file.
pub fn of_uri(uri: &Uri) -> String {
    let url = Url::from_str(uri.as_str()).ok();
    match url.filter(|u| u.scheme() == "file").and_then(|u| u.to_file_path().ok()) {
        Some(path) => normal(&path.to_string_lossy()),
        None => uri.as_str().to_owned(),
    }
}

/// The URI of a path; `None` for what is no file: `<built-in>`.
pub fn to_uri(path: &str) -> Option<Uri> {
    if !path.starts_with('/') && path.contains("://") || path.starts_with("untitled:") {
        return Uri::from_str(path).ok();
    }
    Uri::from_str(Url::from_file_path(path).ok()?.as_str()).ok()
}

/// The folder of a path.
pub fn folder(path: &str) -> &str {
    match path.rfind('/') {
        Some(0) => "/",
        Some(i) => &path[..i],
        None => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_has_one_path() {
        for (path, is) in [("/a/./b/../c.hlsl", "/a/c.hlsl"), ("/../x", "/x"), ("a/../../b", "../b"), ("a\\b", "a/b"), ("", "")] {
            assert_eq!(normal(path), is, "{path}");
        }
    }

    #[test]
    fn first_parts_of_windows() {
        assert_eq!((prefix("c:"), prefix(r"\\server\Share")), ("C:".to_owned(), "//server/Share".to_owned()));
    }

    #[test]
    fn uris() {
        let uri = Uri::from_str("file:///tmp/a%20b/%C3%A9.hlsl").unwrap();
        assert_eq!(of_uri(&uri), "/tmp/a b/é.hlsl");
        assert_eq!(to_uri("/tmp/a b/é.hlsl").unwrap(), uri);
        let untitled = Uri::from_str("untitled:Untitled-1").unwrap();
        assert_eq!(to_uri(&of_uri(&untitled)).unwrap(), untitled);
        assert_eq!(to_uri("<built-in>"), None);
    }
}
