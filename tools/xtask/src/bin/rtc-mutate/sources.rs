//! Mutants of sources, compiled by one session.

use rtc::report::{Format, ReportKind};
use rtc::{OptLevel, Options, Product, Profile, Session, Style, Target, Virtual};
use rtc_oracles::mutants::{self, Random, Source};

use crate::{Mutants, ended, job, timed};

/// One product in so many is read again by the compiler's own readers.
const READ_AGAIN: usize = 8;

/// The sources, and the session that compiles their mutants.
pub struct Sources {
    all: Vec<Source>,
    session: Session,
}

impl Sources {
    pub fn new() -> Self {
        let (all, headers) = mutants::sources();
        let files = Virtual::new(headers.iter().map(|(name, text)| (name.as_str(), text.as_str())));
        Sources { all, session: Session::new(files) }
    }

    fn mutant(&self, number: u64) -> (String, Options, usize) {
        let mut r = Random::new(number);
        let (which, words) = mutants::mutant(&mut r, &self.all);
        let profiles = &self.all[which].profiles;
        let (profile, entry) = &profiles[r.below(profiles.len())];
        let profile = Profile::parse(profile).or_else(|_| Profile::parse("lib_6_6"));
        let mut options = Options::new(profile.expect("a profile of the newest library model"));
        options.entry = entry.clone();
        options.target = [Target::Dxil, Target::Spirv, Target::Dxil, Target::Spirv, Target::Package][r.below(5)];
        options.level = [OptLevel::O0, OptLevel::O3][r.below(2)];
        options.native_16bit = r.below(4) == 0;
        options.hlsl_version = [2021, 2021, 2021, 2018, 2016, 2017, 2015][r.below(7)];
        options.row_major = r.below(8) == 0;
        if r.below(4) == 0 {
            options.debug.kind = rtc::DebugKind::Full;
            options.spirv.debug = rtc::SpirvDebug::LINES;
        }
        if r.below(4) == 0 {
            options.reports.push(ReportKind::Reorder);
        }
        (words.concat(), options, r.below(READ_AGAIN))
    }
}

impl Mutants for Sources {
    fn check(&self, number: u64) -> Result<u32, String> {
        let (text, options, again) = self.mutant(number);
        let done = timed("compilation", || job(&self.session).compile("mutant.hlsl", text.as_bytes(), &options))?;
        let done = ended("compilation", done)?;
        timed("rendering", || {
            for report in &done.reports {
                _ = [Format::Text, Format::Json, Format::Html].map(|f| report.render(f));
            }
            for d in &done.diagnostics {
                if d.message.contains("internal error") || rtc::render(&done.sources, d, Style::Rich).is_empty() {
                    return Err(d.message.clone());
                }
            }
            Ok(())
        })??;
        let failed = done.failed();
        let product = match done.product {
            None if failed => return Ok(0),
            None => return Err("there is neither a product nor a diagnostic".into()),
            Some(product) => product,
        };
        let dxil = matches!(product, Product::Dxil(_));
        if again == 0 {
            let bytes = product.into_bytes();
            let what = "what was made cannot be";
            ended("the listing", job(&self.session).run(|| rtc::dis::disassemble(&bytes)))?.map_err(|e| format!("{what} listed: {e}"))?;
            ended("reflection", job(&self.session).run(|| rtc::reflect::reflection(&bytes)))?
                .map_err(|e| format!("{what} reflected: {e}"))?;
            // Libraries for linking alone have no version of a validator, which refuses them.
            if dxil && !options.profile.is_offline() {
                let found = ended("validation", job(&self.session).run(|| rtc::validate::validate(&bytes)))?;
                let found = found.map_err(|e| format!("{what} validated: {e}"))?;
                if !found.report.is_valid() {
                    return Err(format!("what was made is not valid: {}", found.report));
                }
            }
        }
        Ok(1)
    }

    fn show(&self, number: u64) -> Vec<u8> {
        let (text, o, _) = self.mutant(number);
        let options = format!(
            "// -T {} -E {} {:?} {:?} 16-bit: {} -HV {} row-major: {} {:?}\n",
            o.profile, o.entry, o.target, o.level, o.native_16bit, o.hlsl_version, o.row_major, o.debug.kind
        );
        (options + &text).into_bytes()
    }
}
