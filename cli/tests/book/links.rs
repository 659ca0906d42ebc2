//! Links of the book: each leads to a page of the table of contents, and to a heading of it.

use std::collections::BTreeSet;

use pulldown_cmark::{Event, Tag, TagEnd};

use crate::pages::{Page, folder, pages, parser};

/// The identifiers that mdBook gives the headings of a page.
fn headings(page: &Page) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    let mut title: Option<String> = None;
    for (event, _) in parser(&page.text) {
        match event {
            Event::Start(Tag::Heading { .. }) => title = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let id = identifier(&title.take().unwrap_or_default());
                let mut unique = id.clone();
                let mut n = 0;
                while !ids.insert(unique.clone()) {
                    n += 1;
                    unique = format!("{id}-{n}");
                }
            }
            Event::Text(t) | Event::Code(t) => {
                if let Some(title) = &mut title {
                    title.push_str(&t);
                }
            }
            _ => {}
        }
    }
    ids
}

fn identifier(title: &str) -> String {
    let of = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c.to_ascii_lowercase()),
        c if c.is_whitespace() => Some('-'),
        _ => None,
    };
    title.trim().chars().filter_map(of).collect()
}

/// The targets of links and pictures.
fn targets(text: &str) -> Vec<String> {
    let target = |event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.to_string()),
        _ => None,
    };
    parser(text).filter_map(|(event, _)| target(event)).collect()
}

/// `path` as seen from the page `from`, without `.` and `..`; `None` outside of the book.
fn resolve(from: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." => _ = parts.pop()?,
            p => parts.push(p),
        }
    }
    Some(parts.join("/"))
}

#[test]
fn links_lead_somewhere() {
    let pages = pages();
    let mut wrong = Vec::new();
    let mut count = 0;
    for page in &pages {
        for target in targets(&page.text) {
            if target.starts_with("https://") {
                continue;
            }
            count += 1;
            let (path, anchor) = target.split_once('#').map_or((target.as_str(), None), |(p, a)| (p, Some(a)));
            let name = if path.is_empty() { Some(page.name.clone()) } else { resolve(&page.name, path) };
            let Some(to) = name.and_then(|n| pages.iter().find(|p| p.name == n)) else {
                wrong.push(format!("{}: `{target}` leads to no page of the book", page.name));
                continue;
            };
            if anchor.is_some_and(|a| !headings(to).contains(a)) {
                wrong.push(format!("{}: `{target}`: there is no such heading", page.name));
            }
        }
    }
    assert!(count > 250, "links are found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every page is in the table of contents once, and each entry of that is a page.
#[test]
fn the_table_of_contents_is_complete() {
    let summary = std::fs::read_to_string(folder().join("src/SUMMARY.md")).expect("the table of contents");
    let mut listed = targets(&summary);
    listed.sort();
    let mut names: Vec<String> = pages().into_iter().map(|p| p.name).collect();
    names.sort();
    assert_eq!(listed, names);
}
