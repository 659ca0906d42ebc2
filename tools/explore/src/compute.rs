//! Computes the model: compiles the source for each target, and puts what comes out into views.

use rtc::arguments::{ArgumentFiles, Invocation};
use rtc::report::{Format, Report, ReportKind};
use rtc::{Compilation, Options, Product, ProfileKind, Severity};
use serde_json::Value;

use crate::colour;
use crate::links::Files;
use crate::model::{Diagnostic, Model, View};
use crate::options::{is_own, option};

/// A source, and how it is compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The name of the source.
    pub name: String,
    /// Its text.
    pub source: String,
    /// The options, in the dialect of the command line, without the name of the source. Without `-T`, a first line
    /// `// rtc -T PROFILE OPTIONS` of the source has them, as samples do.
    pub arguments: Vec<String>,
}

/// How the source is compiled with options: [`rtc::compile`], or a job of a session.
pub type Compile<'a> = &'a mut dyn FnMut(&Options) -> Result<Compilation, String>;

/// The profile of a source that does not say one.
const DEFAULT_PROFILE: &str = "lib_6_9";

/// What a target adds to the options.
const DXIL: &[&str] = &["-Zi", "-Qembed_debug"];
const SPIRV: &[&str] = &["-spirv", "-fspv-debug=line"];

/// Groups of warnings about what a shader does when it runs: values that are undefined, lost or different on some devices.
const BEHAVIOUR: &[&str] = &[
    "uninitialized",
    "return-type",
    "ray-arguments",
    "ray-flags",
    "ray-query",
    "ray-query-range",
    "shader-side-effects",
    "mesh-output-counts",
    "payload-access-shader",
    "payload-access-trace",
    "payload-access-call",
    "wave-across-reorder",
    "wave-data-across-reorder",
    "reorder-coherence",
    "reorder-divergence",
    "reorder-single-lane",
    "nop-hit-object",
    "invoke-without-record",
];

impl Request {
    /// Whether the source says its options itself, in the first line.
    pub fn source_has_options(&self) -> bool {
        self.source.lines().next().is_some_and(|l| l.trim().starts_with("// rtc "))
    }

    /// All options: those of the request, or those of the source's first line, with a profile.
    fn options(&self) -> Vec<String> {
        // `-T lib_6_9` or `-Tlib_6_9`, and not a path that begins with `/T`.
        let names = |name: &str| name.strip_prefix('T').is_some_and(|rest| !rest.contains('/') && (rest.is_empty() || rest.contains('_')));
        let has_profile = |args: &[String]| args.iter().any(|a| names(option(a)));
        let mut out = self.arguments.clone();
        if !has_profile(&out) {
            let first = self.source.lines().next().and_then(|l| l.trim().strip_prefix("// rtc "));
            let own: Vec<String> = first.into_iter().flat_map(str::split_whitespace).map(str::to_owned).collect();
            // Options of the request come later, so that they win.
            out = [own, out].concat();
        }
        if !has_profile(&out) {
            out.splice(0..0, ["-T".to_owned(), DEFAULT_PROFILE.to_owned()]);
        }
        out
    }
}

/// The model of a source. `files` reads what arguments name (`@options`, binding tables).
pub fn model(request: &Request, files: &mut dyn ArgumentFiles, compile: Compile<'_>) -> Model {
    let arguments: Vec<String> = request.options().into_iter().filter(|a| !is_own(a)).collect();
    let mut out = Model {
        name: request.name.clone(),
        arguments: arguments.clone(),
        profile: String::new(),
        entry: None,
        start: None,
        files: Vec::new(),
        diagnostics: Vec::new(),
        views: Vec::new(),
        payloads: None,
        reorder: None,
        scene: None,
        permutations: None,
    };
    let mut sources = Files::new(&request.name, &request.source);
    for (target, title, doc, more) in [
        ("dxil", "DXIL", "The module of the container, as `rtc dis` lists it.", DXIL),
        ("spirv", "SPIR-V", "The module for Vulkan.", SPIRV),
    ] {
        let mut view = View { id: target.into(), title: title.into(), doc: doc.into(), ..View::default() };
        let given = arguments.iter().map(String::as_str).chain(more.iter().copied());
        match parse(request, given, files).and_then(|mut options| {
            options.ignore_line = true;
            if target == "dxil" {
                out.profile = options.profile.to_string();
                out.entry = matches!(options.profile.kind, ProfileKind::Shader(_)).then(|| options.entry.clone());
                options.snapshots = true;
                options.reports = vec![ReportKind::Paq, ReportKind::Reorder];
            }
            compile(&options)
        }) {
            Ok(mut c) => {
                sources.add(&c.sources);
                messages(&mut out.diagnostics, &c, &sources, title);
                match c.product.take().map(|p| listing(p, &sources, &mut view)) {
                    Some(Ok(())) => {}
                    Some(Err(why)) => view.missing = Some(why),
                    None => view.missing = Some(format!("There are errors for {title}.")),
                }
                out.views.push(view);
                snapshots(&mut out.views, &mut c, &sources);
                for report in &c.reports {
                    // A report is JSON that it renders itself.
                    let value: Option<Value> = serde_json::from_str(&report.render(Format::Json)).ok();
                    match report {
                        Report::Paq(_) => out.payloads = value,
                        Report::Reorder(_) => out.reorder = value,
                    }
                }
            }
            Err(why) => {
                // The same for both targets, as a rule: arguments that cannot be read.
                let message =
                    Diagnostic { severity: "error", code: "", behaviour: false, message: why.clone(), at: None, targets: vec![title] };
                add(&mut out.diagnostics, message);
                view.missing = Some(why);
                out.views.push(view);
            }
        }
    }
    // IR is between the targets in the order of the compiler; readers look at products first.
    out.views.sort_by_key(|v| v.id.starts_with("ir-"));
    out.start = colour::start_of(&request.source, out.entry.as_deref());
    for view in &mut out.views {
        view.start = colour::code(&view.lines, out.entry.as_deref());
    }
    out.files = sources.list;
    out
}

fn parse<'a>(request: &Request, arguments: impl Iterator<Item = &'a str>, files: &mut dyn ArgumentFiles) -> Result<Options, String> {
    match Options::parse_args_of(&request.name, arguments, files) {
        Ok(Invocation::Compile(c)) => Ok(c.options),
        Ok(_) => Err("these arguments do not ask for a compilation".into()),
        Err(e) => Err(e.to_string()),
    }
}

/// The listing of a product.
fn listing(product: Product, sources: &Files, view: &mut View) -> Result<(), String> {
    let bytes = product.into_bytes();
    let lines = rtc::dis::disassemble_by_line(&bytes).map_err(|e| e.to_string())?;
    sources.fill(view, lines);
    Ok(())
}

/// A view for the IR after each pass.
fn snapshots(views: &mut Vec<View>, c: &mut Compilation, sources: &Files) {
    let mut last = None;
    for (n, s) in std::mem::take(&mut c.snapshots).into_iter().enumerate() {
        let title = if s.pass.is_empty() { "IR".to_owned() } else { format!("IR after {}", s.pass) };
        let mut view = View { id: format!("ir-{n}"), title, doc: sentence(s.doc), ..View::default() };
        match s.lines {
            Some(lines) => {
                sources.fill(&mut view, lines);
                last = Some(view.id.clone());
            }
            None => view.same_as = last.clone(),
        }
        views.push(view);
    }
}

/// A clause as a sentence.
fn sentence(clause: &str) -> String {
    let mut chars = clause.chars();
    chars.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), chars.as_str()))
}

fn messages(out: &mut Vec<Diagnostic>, c: &Compilation, files: &Files, target: &'static str) {
    for d in &c.diagnostics {
        let severity = match d.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            _ => "note",
        };
        let at = files.of_message(d, &c.sources);
        let behaviour = BEHAVIOUR.contains(&d.code.group);
        add(out, Diagnostic { severity, code: d.code.id, behaviour, message: d.message.clone(), at, targets: vec![target] });
    }
}

/// Adds a message; one that is there already gets the target.
fn add(out: &mut Vec<Diagnostic>, new: Diagnostic) {
    let same = |d: &&mut Diagnostic| (d.severity, d.code, &d.message, d.at) == (new.severity, new.code, &new.message, new.at);
    match out.iter_mut().find(same) {
        Some(known) => known.targets.extend(new.targets),
        None => out.push(new),
    }
}
