//! Mutants of containers, SPIR-V modules, packages and PDBs: of their bytes, and of the listings of modules, which are assembled.

use rtc::link::{Input, LinkOptions, Target as LinkTarget};
use rtc::{OptLevel, Options, Profile, Session, Target, Virtual};
use rtc_oracles::mutants::{self, Random};

use crate::{Mutants, ended, job, timed};

/// Sources of which containers are made.
const SOURCES: usize = 400;

/// Larger files are left out: their mutants would take most of the time.
const MAX_BYTES: usize = 24 << 10;

/// Profiles that are linked for.
const LINKED: [&str; 4] = ["lib_6_3", "lib_6_9", "lib_6_x", "cs_6_6"];

/// What is damaged.
pub struct Containers {
    files: Vec<Vec<u8>>,
    libraries: Vec<usize>,
    listings: Vec<Vec<String>>,
    session: Session,
}

impl Containers {
    /// Makes the containers.
    ///
    /// # Errors
    /// Hardly anything compiles.
    pub fn new() -> Result<Self, String> {
        let (sources, headers) = mutants::sources();
        let files = Virtual::new(headers.iter().map(|(name, text)| (name.as_str(), text.as_str())));
        let session = Session::new(files);
        let mut out = Containers { files: Vec::new(), libraries: Vec::new(), listings: Vec::new(), session };
        let right: Vec<_> = sources.iter().filter(|s| s.right).collect();
        let step = (right.len() / SOURCES).max(1);
        for (n, source) in right.iter().step_by(step).enumerate() {
            let (profile, entry) = &source.profiles[n % source.profiles.len()];
            let Ok(profile) = Profile::parse(profile) else { continue };
            let mut options = Options::new(profile);
            options.entry = entry.clone();
            options.target = [Target::Dxil, Target::Dxil, Target::Dxil, Target::Spirv, Target::Package][n % 5];
            options.level = [OptLevel::O3, OptLevel::O0][n % 2];
            if n % 3 == 0 {
                options.debug.kind = rtc::DebugKind::Full;
                options.debug.embed = n % 2 == 0;
            }
            let Ok(done) = job(&out.session).compile("a.hlsl", source.words.concat().as_bytes(), &options) else { continue };
            let Some(product) = done.product else { continue };
            let bytes = product.into_bytes();
            if bytes.len() > MAX_BYTES {
                continue;
            }
            if let Some(pdb) = done.outputs.and_then(|o| o.pdb).filter(|p| p.bytes.len() <= MAX_BYTES) {
                out.files.push(pdb.bytes);
            }
            if options.target == Target::Dxil {
                if let Ok(text) = rtc::dis::disassemble(&bytes) {
                    out.listings.push(mutants::words(&text));
                }
                if profile.to_string().starts_with("lib") {
                    out.libraries.push(out.files.len());
                }
            }
            out.files.push(bytes);
        }
        match (out.libraries.len(), out.listings.len()) {
            (10.., 50..) => Ok(out),
            (libraries, listings) => Err(format!("only {libraries} libraries and {listings} listings could be made")),
        }
    }

    /// The mutant: the text of a module, or the bytes of a file.
    fn mutant(&self, r: &mut Random) -> (Vec<u8>, bool) {
        let times = 1 + r.below(4);
        if r.below(3) == 0 {
            let mut words = self.listings[r.below(self.listings.len())].clone();
            for _ in 0..times {
                match r.below(3) {
                    0 => mutants::mutate(r, &mut words, |r| &self.listings[r.below(self.listings.len())]),
                    _ => mutants::replace_alike(r, &mut words),
                }
            }
            return (words.concat().into_bytes(), true);
        }
        let mut bytes = self.files[r.below(self.files.len())].clone();
        for _ in 0..times {
            mutants::mutate_bytes(r, &mut bytes, |r| &self.files[r.below(self.files.len())]);
        }
        (bytes, false)
    }
}

impl Mutants for Containers {
    fn check(&self, number: u64) -> Result<u32, String> {
        let mut r = Random::new(number);
        let (mut bytes, text) = self.mutant(&mut r);
        if text {
            let made = timed("assembly", || job(&self.session).run(|| rtc::assemble::assemble(&bytes)))?;
            match ended("assembly", made)? {
                Ok(made) => bytes = made,
                Err(_) => return Ok(0),
            }
        }
        let mut results = 0;
        let listed = timed("the listing", || job(&self.session).run(|| rtc::dis::disassemble(&bytes)))?;
        results += u32::from(ended("the listing", listed)?.is_ok());
        let reflected = timed("reflection", || job(&self.session).run(|| rtc::reflect::reflect(&bytes)))?;
        results += u32::from(ended("reflection", reflected)?.is_ok());
        let validated =
            timed("validation", || job(&self.session).run(|| rtc::validate::validate(&bytes).map(|v| v.report.to_string().len())))?;
        results += u32::from(ended("validation", validated)?.is_ok());
        // With a library that is whole, so that the linker gets past its first look.
        let whole = &self.files[self.libraries[r.below(self.libraries.len())]];
        let inputs = [Input { name: "a", bytes: &bytes }, Input { name: "b", bytes: whole }];
        let inputs = &inputs[..1 + r.below(2)];
        let target = LinkTarget::parse(LINKED[r.below(LINKED.len())], "main").map_err(|e| e.to_string())?;
        let linked = timed("linking", || job(&self.session).run(|| rtc::link::link(inputs, &LinkOptions::new(target))))?;
        results += u32::from(ended("linking", linked)?.is_ok());
        Ok(results)
    }

    fn show(&self, number: u64) -> Vec<u8> {
        self.mutant(&mut Random::new(number)).0
    }
}
