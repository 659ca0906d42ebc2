//! The server of the page, for browsers of this machine: the page, its model under other options, and a version that changes with the sources.
//!
//! It listens on the loopback address alone, and answers only requests that name it so: a page of another origin whose name was made to resolve
//! to this machine gets nothing.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};

use tiny_http::{Header, Method, Request, Response};

use crate::model::Model;
use crate::page::page;
use crate::permutations::Listed;
use crate::scene::Scene;
use crate::words::split;

/// What the server shows.
pub trait Explored {
    /// The model under options; `None`: those that it was opened with.
    fn model(&mut self, options: Option<Vec<String>>) -> Model;

    /// A text that changes when a source of the last model changes.
    fn version(&mut self) -> String;

    /// The scene as it is now, which is rendered while requests are answered; none: no scene is rendered.
    fn scene(&mut self) -> Option<&Scene> {
        None
    }

    /// The permutations of the source with these words in their names.
    fn permutations(&mut self, filter: &str) -> Listed<'_> {
        _ = filter;
        Listed::default()
    }
}

/// The server.
pub struct Server {
    inner: tiny_http::Server,
    address: SocketAddr,
}

/// An answer: its status, its type, its body.
type Answer = (u16, &'static str, String);

const TEXT: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json";
const HTML: &str = "text/html; charset=utf-8";

impl Server {
    /// Listens on a port of the loopback address; 0: any that is free.
    ///
    /// # Errors
    /// The port is taken, or not allowed.
    pub fn new(port: u16) -> io::Result<Server> {
        let inner = tiny_http::Server::http(SocketAddrV4::new(Ipv4Addr::LOCALHOST, port)).map_err(io::Error::other)?;
        let address = inner.server_addr().to_ip().ok_or_else(|| io::Error::other("the server has no address"))?;
        Ok(Server { inner, address })
    }

    /// The address that browsers open.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Answers requests until [`Server::stop`].
    ///
    /// # Errors
    /// The connection is lost.
    pub fn serve(&self, explored: &mut dyn Explored) -> io::Result<()> {
        for request in self.inner.incoming_requests() {
            let (status, kind, body) = self.answer(&request, explored);
            let header = |name: &str, value: &str| Header::from_bytes(name, value).map_err(|()| io::Error::other("a malformed header"));
            let response = Response::from_string(body)
                .with_status_code(status)
                .with_header(header("Content-Type", kind)?)
                .with_header(header("Cache-Control", "no-store")?)
                .with_header(header("X-Content-Type-Options", "nosniff")?);
            // A browser that is gone needs no answer.
            _ = request.respond(response);
        }
        Ok(())
    }

    /// Ends [`Server::serve`], which another thread runs.
    pub fn stop(&self) {
        self.inner.unblock();
    }

    fn answer(&self, request: &Request, explored: &mut dyn Explored) -> Answer {
        let host = request.headers().iter().find(|h| h.field.equiv("Host")).map_or("", |h| h.value.as_str());
        let own = [self.address.to_string(), format!("localhost:{}", self.address.port())];
        if !own.iter().any(|name| name == host) {
            return (403, TEXT, format!("this server is {}, not {host}", self.url()));
        }
        if *request.method() != Method::Get {
            return (405, TEXT, "only GET is answered".into());
        }
        let (path, query) = request.url().split_once('?').unwrap_or((request.url(), ""));
        match path {
            "/" => {
                let model = explored.model(None);
                (200, HTML, page(&model, Some(&explored.version())))
            }
            "/version" => (200, TEXT, explored.version()),
            "/model.json" => match parameter(query, "options").map(|text| decoded(text).and_then(|text| split(&text))).transpose() {
                Ok(options) => {
                    let model = explored.model(options);
                    let answer = serde_json::json!({ "model": model, "version": explored.version() });
                    (200, JSON, answer.to_string())
                }
                Err(why) => (400, TEXT, why),
            },
            "/scene.json" => match explored.scene() {
                // A scene with its pictures is large: it is sent once.
                Some(scene) if parameter(query, "seen") != Some(&scene.number.to_string()) => {
                    (200, JSON, serde_json::json!(scene).to_string())
                }
                _ => (200, JSON, "null".into()),
            },
            "/permutations.json" => match decoded(parameter(query, "filter").unwrap_or("")) {
                Ok(filter) => (200, JSON, serde_json::json!(explored.permutations(&filter)).to_string()),
                Err(why) => (400, TEXT, why),
            },
            _ => (404, TEXT, format!("there is no {path}")),
        }
    }
}

/// A parameter of a query, as it is written there.
fn parameter<'q>(query: &'q str, name: &str) -> Option<&'q str> {
    query.split('&').filter_map(|pair| pair.split_once('=')).find(|(n, _)| *n == name).map(|(_, value)| value)
}

/// A part of a URL without `%20` and the like.
fn decoded(text: &str) -> Result<String, String> {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(b) = bytes.next() {
        let digit = |b: Option<u8>| b.and_then(|b| char::from(b).to_digit(16));
        match b {
            b'%' => match (digit(bytes.next()), digit(bytes.next())) {
                (Some(high), Some(low)) => out.push((high << 4 | low) as u8),
                _ => return Err("the address has a % without two digits".into()),
            },
            b'+' => out.push(b' '),
            b => out.push(b),
        }
    }
    String::from_utf8(out).map_err(|_| "the address is not UTF-8".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_decoded() {
        assert_eq!(decoded("-T%20lib+%C3%A9"), Ok("-T lib é".into()));
        assert!(decoded("%2").is_err() && decoded("%zz").is_err() && decoded("%ff").is_err());
    }
}
