//! Sessions: each method is one operation of the library.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rtc::arguments::{Action, CompileRequest, Invocation, LinkRequest};
use rtc::link::Input;
use rtc::outputs::AuxiliaryFiles;
use rtc::session::{Failure, Job, Stopped};
use rtc::{Compilation, Options};

use crate::files::{Given, Source};
use crate::results::{Compiled, Values, broken, failure, put_auxiliary, validation};
use crate::work::{Broken, Limits, run};

/// Files and tokens that compilations share. Several threads may use it at once.
#[pyclass(frozen, module = "rtc._rtc")]
pub struct Session {
    session: rtc::Session,
    files: Source,
}

/// What an operation ends with: a value, or a reason why there is none.
type Ended<T> = Result<T, String>;

impl Session {
    /// Reads arguments of dxc in the worker, since they may name files, and compiles.
    fn compiles<T: Send>(
        &self,
        py: Python<'_>,
        limits: &Limits,
        name: &str,
        arguments: &[String],
        work: impl FnOnce(Job<'_>, &CompileRequest) -> Result<T, Stopped> + Send,
    ) -> Result<Ended<T>, Broken> {
        let mut files = self.files.clone();
        run(py, &self.session, limits, move |job| match Options::parse_args_of(name, arguments, &mut files) {
            Ok(Invocation::Compile(request)) => work(job.limits(&request.limits), &request).map(Ok),
            Ok(_) => Ok(Err("the options ask for something else than to compile a source".into())),
            Err(e) => Ok(Err(e.to_string())),
        })
    }
}

/// A failure of an operation on a file that is given.
fn flat<T, E: std::fmt::Display>(result: Result<T, Failure<E>>) -> Result<Ended<T>, Stopped> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(Failure::Stopped(e)) => Err(e),
        Err(Failure::Error(e)) => Ok(Err(e.to_string())),
    }
}

#[pymethods]
impl Session {
    #[new]
    #[pyo3(signature = (includes=None))]
    fn new(includes: Option<Given>) -> Self {
        let files = Source::new(includes);
        Session { session: rtc::Session::of_process(files.clone()), files }
    }

    /// Forgets the files that were read, because they may have changed.
    fn forget_files(&self) {
        self.session.forget_files();
    }

    /// What was saved so far: reads, reads saved, texts lexed, lexing saved, preambles saved.
    fn statistics(&self) -> (u64, u64, u64, u64, u64) {
        let s = self.session.statistics();
        (s.reads, s.reads_saved, s.lexed, s.lexed_saved, s.preambles_saved)
    }

    fn compile<'py>(&self, py: Python<'py>, name: &str, source: &[u8], arguments: Vec<String>, limits: Limits) -> PyResult<Values<'py>> {
        let done = self.compiles(py, &limits, name, &arguments, |job, request| match request.action {
            Action::Compile => Ok(Ok(private(job.compile(name, source, &request.options)?, request))),
            Action::Preprocess { .. } => Ok(Err("`-P` preprocesses: call `preprocess`")),
            Action::Dependencies { .. } => Ok(Err("dependencies are in `includes` of a result: leave out `-M`, `-MD`, `-MF`")),
            Action::Verify => Ok(Err("`-verify` is for the command `rtc`")),
        });
        match done {
            Ok(Ok(Ok(c))) => Compiled::new(c).values(py),
            Ok(Ok(Err(e))) => failure(py, "options", e),
            Ok(Err(e)) => failure(py, "options", &e),
            Err(e) => broken(py, e),
        }
    }

    fn preprocess<'py>(&self, py: Python<'py>, name: &str, source: &[u8], arguments: Vec<String>, limits: Limits) -> PyResult<Values<'py>> {
        let done = self.compiles(py, &limits, name, &arguments, |job, request| job.preprocess(name, source, &request.options));
        match done {
            Ok(Ok((text, c))) => {
                let mut made = Compiled::new(c);
                made.text = Some(text);
                made.values(py)
            }
            Ok(Err(e)) => failure(py, "options", &e),
            Err(e) => broken(py, e),
        }
    }

    /// `libraries` are names and bytes.
    fn link<'py>(
        &self,
        py: Python<'py>,
        libraries: Vec<(String, Vec<u8>)>,
        arguments: Vec<String>,
        limits: Limits,
    ) -> PyResult<Values<'py>> {
        let mut files = self.files.clone();
        let done = run(py, &self.session, &limits, |job| {
            let request: Box<LinkRequest> = match Options::parse_args_of("", &arguments, &mut files) {
                Ok(Invocation::Link(request)) => request,
                Ok(_) => return Ok(Err(("options", "the options do not ask for linking".to_owned()))),
                Err(e) => return Ok(Err(("options", e.to_string()))),
            };
            let inputs: Vec<Input<'_>> = libraries.iter().map(|(name, bytes)| Input { name, bytes }).collect();
            match flat(job.limits(&request.limits).link(&inputs, &request.options))? {
                Ok(linked) => Ok(AuxiliaryFiles::linked(&linked).map(|a| (linked, a)).map_err(|e| ("file", e.to_string()))),
                Err(e) => Ok(Err(("link", e))),
            }
        });
        match done {
            Ok(Ok((linked, auxiliary))) => {
                let out = PyDict::new(py);
                out.set_item("kind", "dxil")?;
                out.set_item("object", PyBytes::new(py, &linked.bytes))?;
                out.set_item("warnings", linked.warnings)?;
                put_auxiliary(&out, Some(auxiliary))?;
                Ok(out)
            }
            Ok(Err((kind, e))) => failure(py, kind, &e),
            Err(e) => broken(py, e),
        }
    }

    /// The reflection as JSON.
    fn reflect<'py>(&self, py: Python<'py>, data: &[u8], limits: Limits) -> PyResult<Values<'py>> {
        let done = run(py, &self.session, &limits, |job| {
            flat(job.reflect(data)).map(|r| r.and_then(|r| serde_json::to_string(&r).map_err(|e| e.to_string())))
        });
        text(py, done)
    }

    fn disassemble<'py>(&self, py: Python<'py>, data: &[u8], limits: Limits) -> PyResult<Values<'py>> {
        text(py, run(py, &self.session, &limits, |job| flat(job.disassemble(data))))
    }

    fn validate<'py>(&self, py: Python<'py>, data: &[u8], limits: Limits) -> PyResult<Values<'py>> {
        match run(py, &self.session, &limits, |job| flat(job.validate(data))) {
            Ok(Ok(v)) => validation(py, &v),
            Ok(Err(e)) => failure(py, "file", &e),
            Err(e) => broken(py, e),
        }
    }
}

/// Puts the private data into the container.
fn private(mut done: Compilation, request: &CompileRequest) -> Compilation {
    if let (Some(rtc::Product::Dxil(bytes)), Some(data)) = (&mut done.product, &request.private) {
        let edits = rtc::container::Edits { private: Some(data.clone()), ..Default::default() };
        // A container that was just made can be changed.
        if let Ok(changed) = edits.apply(bytes) {
            *bytes = changed;
        }
    }
    done
}

fn text(py: Python<'_>, done: Result<Ended<String>, Broken>) -> PyResult<Values<'_>> {
    match done {
        Ok(Ok(text)) => {
            let out = PyDict::new(py);
            out.set_item("text", text)?;
            Ok(out)
        }
        Ok(Err(e)) => failure(py, "file", &e),
        Err(e) => broken(py, e),
    }
}
