//! The files that options request of a product or a container, as names with bytes. Nothing is written here.

use std::fmt::Write as _;

use crate::compilation::Product;
use crate::container::Edits;
use crate::error::FileError;
use crate::outputs::AuxiliaryFiles;

/// The files to write, each with its name or `None`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OutputFiles {
    /// `-Fo`: the product.
    pub object: Option<String>,
    /// `-Fc`: the listing.
    pub listing: Option<String>,
    /// `-Fh`: a C header.
    pub header: Option<Header>,
    /// `-Fd`: the PDB. A name that ends in a separator is a folder, in which the PDB has its own name.
    pub pdb: Option<String>,
    /// `-Fre`: reflection data.
    pub reflection: Option<String>,
    /// `-Frs`: a container with the root signature.
    pub root_signature: Option<String>,
    /// `-Fsh`: the shader's hash.
    pub hash: Option<String>,
    /// `-getprivate`: the private data of the container.
    pub private: Option<String>,
    /// `-extractrootsignature`: a container with the root signature of the container.
    pub extracted_root_signature: Option<String>,
}

/// A C header with the bytes of a product.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// Its file.
    pub file: String,
    /// The variable.
    pub variable: String,
}

/// Files with their contents, in the order in which they are written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Files {
    /// Names and contents.
    pub files: Vec<(String, Vec<u8>)>,
    /// A listing for standard output, if no file is requested.
    pub listing: Option<String>,
    /// A requested file that is not made, because there is nothing to write into it.
    pub missing: Option<&'static str>,
}

impl OutputFiles {
    /// The files that are named, each with its option. A folder for the PDB is none.
    pub fn named(&self) -> Vec<(&'static str, &str)> {
        let pdb = self.pdb.as_ref().filter(|path| !path.ends_with(std::path::is_separator));
        let all = [
            ("-Fo", self.object.as_ref().or(self.extracted_root_signature.as_ref())),
            ("-Fc", self.listing.as_ref()),
            ("-Fh", self.header.as_ref().map(|h| &h.file)),
            ("-Fd", pdb),
            ("-Fre", self.reflection.as_ref()),
            ("-Frs", self.root_signature.as_ref()),
            ("-Fsh", self.hash.as_ref()),
            ("-getprivate", self.private.as_ref()),
        ];
        all.into_iter().filter_map(|(option, file)| Some((option, file?.as_str()))).collect()
    }

    /// Whether a file is requested that replaces the listing on standard output.
    fn is_quiet(&self) -> bool {
        let named = [&self.object, &self.listing, &self.pdb, &self.private, &self.extracted_root_signature];
        named.iter().any(|f| f.is_some()) || self.header.is_some()
    }

    /// The files of a compiled or linked product; `private` is added to a container first.
    ///
    /// # Errors
    /// A requested part is missing, or the product cannot be listed.
    pub fn of_product(&self, product: Product, auxiliary: Option<&AuxiliaryFiles>, private: Option<Vec<u8>>) -> Result<Files, FileError> {
        let (is_ir, is_dxil) = (matches!(product, Product::Ir(_)), matches!(product, Product::Dxil(_)));
        let mut bytes = product.into_bytes();
        let mut out = Files::default();
        if is_dxil {
            if let Some(private) = private {
                bytes = Edits { private: Some(private), ..Edits::default() }.apply(&bytes)?;
            }
            self.auxiliary(auxiliary, &mut out);
            self.parts(&bytes, &mut out)?;
        }
        if let Some(path) = &self.object {
            out.files.push((path.clone(), bytes.clone()));
        }
        let listing = || if is_ir { Ok(String::from_utf8_lossy(&bytes).into_owned()) } else { crate::dis::disassemble(&bytes) };
        self.listings(&bytes, listing, self.is_quiet(), &mut out)?;
        Ok(out)
    }

    /// The files of an existing container or PDB, changed by `edits`.
    ///
    /// # Errors
    /// It is damaged, or a requested part is missing.
    pub fn of_container(&self, data: &[u8], edits: &Edits) -> Result<Files, FileError> {
        let mut out = Files::default();
        if let Some(path) = &self.object {
            out.files.push((path.clone(), if edits.is_empty() { data.to_vec() } else { edits.apply(data)? }));
        }
        if let Some(path) = &self.pdb {
            let none = |_| FileError::MissingPart("there is no debug module for -Fd".into());
            out.files.push((path.clone(), crate::container::part(data, "ILDB").map_err(none)?));
        }
        self.parts(data, &mut out)?;
        let quiet = !out.files.is_empty() || self.listing.is_some() || self.header.is_some();
        self.listings(data, || crate::dis::disassemble(data), quiet, &mut out)?;
        Ok(out)
    }

    /// The listing and the header.
    fn listings(
        &self,
        bytes: &[u8],
        listing: impl Fn() -> Result<String, FileError>,
        quiet: bool,
        out: &mut Files,
    ) -> Result<(), FileError> {
        if let Some(path) = &self.listing {
            out.files.push((path.clone(), listing()?.into_bytes()));
        }
        if let Some(header) = &self.header {
            out.files.push((header.file.clone(), c_header(&header.variable, bytes, &listing()?).into_bytes()));
        }
        if !quiet {
            out.listing = Some(listing()?);
        }
        Ok(())
    }

    /// The files besides a container.
    fn auxiliary(&self, auxiliary: Option<&AuxiliaryFiles>, out: &mut Files) {
        let Some(auxiliary) = auxiliary else { return };
        if let (Some(path), Some(pdb)) = (&self.pdb, &auxiliary.pdb) {
            let path = if path.ends_with(std::path::is_separator) { format!("{path}{}", pdb.name) } else { path.clone() };
            out.files.push((path, pdb.bytes.clone()));
        }
        let root = auxiliary.root_signature.as_ref();
        if self.root_signature.is_some() && root.is_none() {
            out.missing = Some("there is no root signature for -Frs to write");
        }
        for (name, bytes) in
            [(&self.reflection, Some(&auxiliary.reflection)), (&self.hash, Some(&auxiliary.hash)), (&self.root_signature, root)]
        {
            if let (Some(path), Some(bytes)) = (name, bytes) {
                out.files.push((path.clone(), bytes.clone()));
            }
        }
    }

    /// Parts of a container as files.
    fn parts(&self, container: &[u8], out: &mut Files) -> Result<(), FileError> {
        if let Some(path) = &self.private {
            let none = |_| FileError::MissingPart("the container has no private data for -getprivate".into());
            out.files.push((path.clone(), crate::container::part(container, "PRIV").map_err(none)?));
        }
        if let Some(path) = &self.extracted_root_signature {
            let none = |e| FileError::MissingPart(format!("-extractrootsignature: {e}"));
            let data = crate::rootsig::of_container(container).map_err(none)?;
            let signed = container.get(4..20).is_some_and(|d| d != [0; 16]);
            out.files.push((path.clone(), crate::rootsig::container_of(&data, signed)));
        }
        Ok(())
    }
}

/// The listing in a comment, and a C array of the bytes.
pub fn c_header(name: &str, bytes: &[u8], listing: &str) -> String {
    let mut out = format!("#if 0\n{}\n#endif\n\nconst unsigned char {name}[] = {{", listing.trim_end());
    for (i, b) in bytes.iter().enumerate() {
        out.push_str(if i % 12 == 0 { "\n " } else { "" });
        _ = write!(out, " 0x{b:02x},");
    }
    out.push_str("\n};\n");
    out
}
