//! The URL of a farm: `grpc://HOST:PORT/INSTANCE`, or `grpcs://` with TLS.

use std::fmt;

/// Where a farm is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// Whether the connection has TLS.
    pub tls: bool,
    /// The host.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The instance of the server; empty for its default.
    pub instance: String,
}

impl Address {
    /// Reads a URL.
    ///
    /// # Errors
    /// It is none of a farm; the text says why.
    pub fn parse(url: &str) -> Result<Self, String> {
        let wrong =
            |why: &str| Err(format!("`{url}`: {why}; a farm is written `grpc://HOST:PORT/INSTANCE` or `grpcs://HOST:PORT/INSTANCE`"));
        let (tls, rest) = match url.split_once("://") {
            Some(("grpc", rest)) => (false, rest),
            Some(("grpcs", rest)) => (true, rest),
            Some(_) => return wrong("the scheme is not known"),
            None => return wrong("there is no scheme"),
        };
        let (authority, instance) = rest.split_once('/').unwrap_or((rest, ""));
        // The brackets around an IPv6 address have colons inside.
        let (host, port) = match authority.rsplit_once(':').filter(|(_, port)| !port.contains(']')) {
            Some((host, port)) => (host, port.parse().ok()),
            None => (authority, Some(if tls { 443 } else { 80 })),
        };
        let Some(port) = port else { return wrong("the port is no number") };
        if host.is_empty() || host.contains(['@', '?', ' ']) {
            return wrong("there is no host");
        }
        Ok(Address { tls, host: host.to_owned(), port, instance: instance.trim_end_matches('/').to_owned() })
    }

    /// Whether it is this machine.
    pub fn is_local(&self) -> bool {
        matches!(self.host.as_str(), "localhost" | "127.0.0.1" | "[::1]")
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.tls { "grpcs" } else { "grpc" };
        write!(f, "{scheme}://{}:{}", self.host, self.port)?;
        if self.instance.is_empty() { Ok(()) } else { write!(f, "/{}", self.instance) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_of_farms() {
        let shown = |url: &str| Address::parse(url).map(|a| a.to_string());
        assert_eq!(shown("grpc://farm:8980/main/").as_deref(), Ok("grpc://farm:8980/main"));
        assert_eq!(shown("grpcs://farm").as_deref(), Ok("grpcs://farm:443"));
        assert_eq!(shown("grpc://[::1]:50/a/b").as_deref(), Ok("grpc://[::1]:50/a/b"));
        assert_eq!(shown("grpc://[::1]").as_deref(), Ok("grpc://[::1]:80"));
        assert!(Address::parse("grpc://[::1]:1").is_ok_and(|a| a.is_local()) && Address::parse("grpc://farm").is_ok_and(|a| !a.is_local()));
        for (url, expected) in [
            ("http://x", "not known"),
            ("x:1", "no scheme"),
            ("grpc://x:y", "no number"),
            ("grpc:///a", "no host"),
            ("grpc://a@b", "no host"),
        ] {
            assert!(Address::parse(url).expect_err(url).contains(expected), "{url}");
        }
    }
}
