//! The URL of a shared cache: scheme, user, authority, path, and settings of the service in its query.

use std::fmt;

use rtc_base::path::System;

/// A URL in its parts, which are decoded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// The scheme in lower case: `s3`.
    pub scheme: String,
    /// The user, if there is one.
    pub user: Option<String>,
    /// The user's password, if there is one.
    pub password: Option<String>,
    /// Host and port, or the name of a bucket.
    pub authority: String,
    /// The path, with a slash first; empty if there is none.
    pub path: String,
    query: Vec<(String, String)>,
}

/// The schemes of shared caches, with what they are and the settings that their queries have.
pub const SCHEMES: &[(&str, &str, &[&str])] = &[
    ("file", "a folder", &[]),
    ("s3", "a bucket of S3", &["endpoint", "region", "anonymous"]),
    ("gs", "a bucket of Google Cloud Storage", &["endpoint", "anonymous"]),
    ("azblob", "a container of Azure Blob Storage", &["endpoint", "account", "anonymous"]),
    ("redis", "Redis; the path is the number of the database", &["prefix"]),
    ("dav", "WebDAV", &[]),
    ("davs", "WebDAV over TLS", &[]),
    ("http", "HTTP, which is only read", &[]),
    ("https", "HTTP over TLS, which is only read", &[]),
];

impl Location {
    /// Reads a URL.
    ///
    /// # Errors
    /// It is no URL, or its scheme or a setting of its query is unknown; the text says which.
    pub fn parse(url: &str) -> Result<Self, String> {
        let Some((scheme, rest)) = url.split_once("://") else {
            return Err(format!("`{url}` is no URL; one of a folder begins with `file:///`"));
        };
        let scheme = scheme.to_ascii_lowercase();
        let names = || SCHEMES.iter().map(|s| s.0);
        let Some((_, _, settings)) = SCHEMES.iter().find(|s| s.0 == scheme) else {
            let near = rtc_base::similar::nearest(&scheme, names()).map(|n| format!("; did you mean `{n}`?")).unwrap_or_default();
            let known = names().collect::<Vec<_>>().join(", ");
            return Err(format!("there are no caches with the scheme `{scheme}` (known: {known}){near}"));
        };
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
        let (user, authority) = authority.rsplit_once('@').map_or((None, authority), |(user, host)| (Some(user), host));
        let (user, password) = match user.map(|u| u.split_once(':').unwrap_or((u, ""))) {
            Some((user, password)) => (Some(decoded(user)?), Some(decoded(password)?)),
            None => (None, None),
        };
        let some = |text: Option<String>| text.filter(|t| !t.is_empty());
        let mut location = Location {
            scheme,
            user: some(user),
            password: some(password),
            authority: decoded(authority)?,
            path: decoded(path)?,
            query: Vec::new(),
        };
        for pair in query.split('&').filter(|p| !p.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, "true"));
            if !settings.contains(&name) {
                let known = if settings.is_empty() { "none".to_owned() } else { settings.join(", ") };
                return Err(format!("`{location}`: unknown setting `{name}`; known here: {known}"));
            }
            location.query.push((name.to_owned(), decoded(value)?));
        }
        match (location.scheme.as_str(), location.authority.is_empty()) {
            ("file", false) if System::HERE == System::Unix => {
                return Err(format!("`{location}`: a folder of this machine is written `file:///path`"));
            }
            ("file", _) | (_, false) => {}
            (_, true) => return Err(format!("`{location}` names no host, bucket or container")),
        }
        Ok(location)
    }

    /// The path of a folder. On Windows `file:///C:/x` is on a drive, `file://host/share/x` on another machine.
    pub fn folder(&self, system: System) -> String {
        let drive = |p: &str| p.starts_with(|c: char| c.is_ascii_alphabetic()) && p.get(1..2) == Some(":");
        match (system, self.path.strip_prefix('/')) {
            (System::Windows, _) if !self.authority.is_empty() => format!("//{}{}", self.authority, self.path),
            (System::Windows, Some(path)) if drive(path) => path.to_owned(),
            _ => self.path.clone(),
        }
    }

    /// A setting of the query.
    pub fn setting(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|q| q.0 == name).map(|q| q.1.as_str())
    }
}

impl fmt::Display for Location {
    /// The URL without user, password and query, so that no message has a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}{}", self.scheme, self.authority, self.path)
    }
}

/// A part of a URL without its escapes.
fn decoded(text: &str) -> Result<String, String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let escape = || u8::from_str_radix(std::str::from_utf8(after.get(..2)?).ok()?, 16).ok();
        match first {
            b'%' => {
                bytes.push(escape().ok_or_else(|| format!("`{text}` has a `%` that no two hexadecimal digits follow"))?);
                rest = &after[2..];
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).map_err(|_| format!("`{text}` is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_urls() {
        let parse = |url: &str| Location::parse(url).expect(url);
        let s3 = parse("S3://bucket/a/b%20c?endpoint=http%3A%2F%2Flocalhost:9000&region=eu-1");
        assert_eq!((s3.scheme.as_str(), s3.authority.as_str(), s3.path.as_str()), ("s3", "bucket", "/a/b c"));
        assert_eq!(
            (s3.setting("endpoint"), s3.setting("region"), s3.setting("anonymous")),
            (Some("http://localhost:9000"), Some("eu-1"), None)
        );
        let dav = parse("dav://me:p%40ss@host:80/x");
        assert_eq!((dav.user.as_deref(), dav.password.as_deref(), dav.authority.as_str()), (Some("me"), Some("p@ss"), "host:80"));
        assert_eq!(dav.to_string(), "dav://host:80/x", "no message has the password");
        assert_eq!(parse("file:///tmp/x").path, "/tmp/x");
        assert_eq!(parse("redis://:secret@host/3").password.as_deref(), Some("secret"));
    }

    #[test]
    fn folders_of_each_system() {
        let of = |url: &str, system| Location::parse(url).expect(url).folder(system);
        assert_eq!(of("file:///C:/a%20b", System::Windows), "C:/a b");
        assert_eq!(of("file:///srv/x", System::Windows), "/srv/x", "on the drive of the current folder");
        assert_eq!(of("file:///C:/a", System::Unix), "/C:/a");
        let remote = Location { authority: "host".to_owned(), ..Location::parse("file:///share/x").expect("a URL") };
        assert_eq!(remote.folder(System::Windows), "//host/share/x");
    }

    #[test]
    fn mistakes_are_told() {
        let wrong = |url: &str, expected: &str| {
            let text = Location::parse(url).expect_err(url);
            assert!(text.contains(expected), "{url}: {text}");
        };
        wrong("/tmp/cache", "`/tmp/cache` is no URL; one of a folder begins with `file:///`");
        wrong("rediss://b", "; did you mean `redis`?");
        wrong("ftp://b", "no caches with the scheme `ftp` (known: file, s3");
        wrong("s3://b?regoin=x", "unknown setting `regoin`; known here: endpoint, region, anonymous");
        if System::HERE == System::Unix {
            wrong("file://host/x", "is written `file:///path`");
        }
        wrong("s3:///x", "names no host, bucket or container");
        wrong("dav://h/%zz", "two hexadecimal digits");
        wrong("dav://h/%ff", "not UTF-8");
    }
}
