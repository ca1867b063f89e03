mod archive;

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use gamewire::document::count;
use gamewire::kiwi_pclass;
use gamewire::resonite_save::{self, Options};

use super::slot;
use crate::failure::{Failure, Outcome};
use crate::fault::sentence;
use crate::files::{Bound, Input, bad};
use crate::formats::pclass::archive::{self as wad, Given};
use crate::formats::resonite::{assets, edit, package};
use crate::output::Shown as _;
use crate::output::{self, Folder, Sink, is_dash};

/// List, extract, build, change and verify packages and archives
///
/// A .resonitepackage is a zip archive with a save, the assets that it needs, and a record. A .wad is an
/// archive of KingsIsle's games.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire package list item.resonitepackage
  gamewire package extract item.resonitepackage item/ --extensions
  gamewire package build item/ item.resonitepackage
  gamewire package build item.brson item.resonitepackage --asset picture.webp
  gamewire package verify *.resonitepackage
  gamewire package strip item.resonitepackage --dry-run
  gamewire package record set item.resonitepackage name=Lamp thumbnail=lamp.webp
  gamewire package extract Root.wad out/ 'ObjectData/**'
  gamewire package build out/ Own.wad
  gamewire package replace Root.wad ObjectData/Spell.xml=spell.xml -o New.wad")]
pub(crate) struct Package {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// What is in a package: the record, and each asset with its size and what it is; what is in an
    /// archive: each entry with its size, and that in the archive
    #[command(after_help = "\
Examples:
  gamewire package list item.resonitepackage
  gamewire package list item.resonitepackage --json | jq '.entries[].kind'
  gamewire package list Root.wad")]
    List {
        /// The package; `-` is standard input
        file: PathBuf,
        /// Write JSON: the record's name and owner or the archive's version, and each entry
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        reading: Reading,
    },
    /// Write the entries of a package or an archive into a folder
    ///
    /// What is odd in a name is written as % and two digits, which `build` reads back: what is not
    /// printable ASCII, what Windows does not take, dots at the beginning and end. Each such name is
    /// shown.
    #[command(after_help = "\
Examples:
  gamewire package extract item.resonitepackage item/
  gamewire package extract item.resonitepackage item/ --extensions
  gamewire package extract Root.wad out/ 'ObjectData/**'
  gamewire package extract WizardCity-*.wad --out-dir out/")]
    Extract {
        /// The package; `-` is standard input
        file: PathBuf,
        /// The folder, which is made if need be and must be empty
        #[arg(required_unless_present = "out_dir")]
        folder: Option<PathBuf>,
        /// Of an archive, the entries that are meant: names, and patterns with *, ? and **
        #[arg(value_name = "NAME")]
        names: Vec<PathBuf>,
        /// Write the entries of several archives, each into a folder of its name in this one; names and
        /// patterns after an archive are for it
        #[arg(long, value_name = "DIR", conflicts_with = "extensions")]
        out_dir: Option<PathBuf>,
        /// Of a package, give the files of assets the extensions of what they are, as Assets/….png,
        /// which `build` takes off again
        #[arg(long)]
        extensions: bool,
        /// Of an archive, write entries that are marked as compressed and are not as they stand there
        #[arg(long, conflicts_with = "extensions")]
        stored: bool,
        /// Write into a folder that is not empty, replace files in both and follow links in them
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        reading: Reading,
    },
    /// Make a package of an extracted folder, or of a save and its assets; or an archive of a folder
    ///
    /// Each file in the folder is an entry; hidden ones are left out. Version and flags of an archive that
    /// are not those of a new one stand in .gamewire.json, which `extract` writes. Assets that were changed get
    /// the names that their content has, and the save points to them. A file in Assets named by a
    /// hash and an extension is the asset with this hash.
    #[command(after_help = "\
Examples:
  gamewire package build item/ item.resonitepackage
  gamewire package build item.brson item.resonitepackage --asset picture.webp
  gamewire package build out/ Own.wad")]
    Build {
        /// A folder as `extract` writes it, or a save
        from: PathBuf,
        /// The package, or the archive if it is called .wad; `-` is standard output
        #[arg(value_name = "OUT")]
        output: PathBuf,
        /// The name that users see [default: that of the folder's record, or of the root slot]
        #[arg(long)]
        name: Option<String>,
        /// A file to put in beside the save, under its hash
        #[arg(long, value_name = "FILE")]
        asset: Vec<PathBuf>,
        /// Make the package although assets are missing that the save needs
        #[arg(long)]
        incomplete: bool,
        /// The flags of an archive, such as 0x1 [default: those that `extract` saw, else 0]
        #[arg(long, value_name = "FLAGS", value_parser = byte)]
        flags: Option<u8>,
        /// The version of an archive [default: that which `extract` saw, else 2]
        #[arg(long, value_name = "N")]
        archive_version: Option<u32>,
        #[command(flatten)]
        bound: Bound,
    },
    /// Put files into the places of assets of a package; or into an archive, in the place of entries or
    /// beside them
    ///
    /// An asset is named by its hash, or by the path of a value that is its address, as `get` prints it. The
    /// save, the record and its list follow. The other entries keep their bytes and their order, those of an
    /// archive what it says of them, too.
    #[command(after_help = "\
Examples:
  gamewire package replace item.resonitepackage Assets.StaticTexture2D.URL=new.webp
  gamewire package replace Root.wad ObjectData/Spell.xml=spell.xml -o New.wad
  gamewire package replace Root.wad changed/ --remove ObjectData/Old.xml -o New.wad")]
    Replace {
        /// The package or archive; `-` is standard input
        file: PathBuf,
        /// A file for an asset or an entry; of an archive, or a folder with files for entries of their paths
        #[arg(value_name = "NAME=FILE|FOLDER")]
        with: Vec<PathBuf>,
        /// Of an archive, take an entry out; may be repeated
        #[arg(long, value_name = "NAME")]
        remove: Vec<String>,
        /// Where the new one goes; `-` is standard output [default: of a package, FILE itself]
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
        #[command(flatten)]
        reading: Reading,
    },
    /// Take out of a package what nothing points to: files, components in the save's list of assets, types
    ///
    /// What the save needs counts, by way of other assets too, and the picture of the record. Each file
    /// that goes is named with its size.
    #[command(after_help = "\
Examples:
  gamewire package strip item.resonitepackage --dry-run
  gamewire package strip item.resonitepackage -o smaller.resonitepackage")]
    Strip {
        /// The package, which is changed; `-` is standard input, and then standard output
        file: PathBuf,
        /// Only say what would go
        #[arg(long, conflicts_with = "output")]
        dry_run: bool,
        /// Where the changed package goes [default: FILE itself]
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
        #[command(flatten)]
        reading: Reading,
    },
    /// Print or set keys of a package's record: its name, tags and picture
    #[command(after_help = "\
Examples:
  gamewire package record get item.resonitepackage name
  gamewire package record set item.resonitepackage name=Lamp tags=light,desk thumbnail=lamp.webp")]
    Record {
        #[command(subcommand)]
        what: RecordWhat,
    },
    /// Check hashes, sizes, the record's list and the addresses in the save; of an archive, the table
    /// and all entries
    #[command(after_help = "\
Examples:
  gamewire package verify *.resonitepackage
  gamewire package verify Root.wad")]
    Verify {
        /// The packages
        #[arg(required = true)]
        files: Vec<PathBuf>,
        #[command(flatten)]
        reading: Reading,
    },
}

#[derive(Subcommand)]
enum RecordWhat {
    /// Print values of keys: one as it is, text without quotes; several as KEY=VALUE
    #[command(after_help = "\
Examples:
  gamewire package record get item.resonitepackage
  gamewire package record get item.resonitepackage name")]
    Get {
        /// The package; `-` is standard input
        file: PathBuf,
        /// The keys, such as name, tags, thumbnail, description [default: all]
        #[arg(value_name = "KEY")]
        keys: Vec<String>,
        #[command(flatten)]
        reading: Reading,
    },
    /// Set keys: text, or JSON of the kind that stands there
    ///
    /// Tags are words with commas between them, the thumbnail is a file that becomes an asset. What follows
    /// from the package's content is refused.
    #[command(after_help = "\
Examples:
  gamewire package record set item.resonitepackage name=Lamp tags=light,desk
  gamewire package record set item.resonitepackage thumbnail=lamp.webp isPublic=true")]
    Set {
        /// The package, which is changed; `-` is standard input, and then standard output
        file: PathBuf,
        /// A key and its value, or thumbnail and a file
        #[arg(required = true, value_name = "KEY=VALUE")]
        settings: Vec<PathBuf>,
        /// Where the changed package goes [default: FILE itself]
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
        #[command(flatten)]
        reading: Reading,
    },
}

/// A number of one byte, in either notation.
fn byte(text: &str) -> Result<u8, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u8::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|_| "expected a number up to 0xff".to_owned())
}

/// How much of a package is read.
#[derive(Args, Clone, Copy)]
#[command(next_help_heading = "Limits")]
struct Reading {
    #[command(flatten)]
    bound: Bound,
    /// The most bytes that all entries together may have [default: 268435456; of an archive 64 for
    /// each byte of it, if that is more]
    #[arg(long, value_name = "BYTES")]
    max_output: Option<usize>,
    /// The most bytes of memory that reading the package may take [default: 64 for each byte of it,
    /// and 67108864 at least]
    #[arg(long, value_name = "BYTES")]
    max_memory: Option<usize>,
    /// Read entries of archives whose checksum is wrong, as programs write them that count over the content
    #[arg(long)]
    ignore_checksums: bool,
}

impl Reading {
    fn options(self) -> Options {
        let options = Options::new();
        let options = self.max_memory.map_or(options, |bytes| options.max_memory(bytes));
        self.max_output.map_or(options, |bytes| options.max_output(bytes))
    }

    /// The options for archives, of which each entry may be as long as any.
    fn archives(self) -> kiwi_pclass::Options {
        let options = kiwi_pclass::Options::new().ignore_checksums(self.ignore_checksums);
        let memory = self.max_memory.map_or(options.clone(), |bytes| options.max_memory(bytes));
        self.max_output.map_or(memory.clone(), |bytes| memory.max_output(bytes))
    }
}

impl Reading {
    fn given(self, file: &Path) -> Result<Given, Failure> {
        Given::read(file, self.bound, &self.archives())
    }
}

impl Package {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        match self.what {
            What::List { file, json, reading } => {
                let list = match reading.given(&file)? {
                    Given::Archive(_, archive) => wad::list(&archive),
                    Given::Other(input) => package::list(&input.bytes, &reading.options())
                        .map_err(|fault| bad(&input, &fault))?,
                };
                match json {
                    true => output::print_json(&list.json)?,
                    false => output::print(&list.text)?,
                }
                Ok(Outcome::Good)
            }
            What::Extract { file, folder, names, out_dir, extensions, stored, force, reading } => {
                if let Some(out_dir) = out_dir {
                    let all: Vec<PathBuf> = [file].into_iter().chain(folder).chain(names).collect();
                    return archive::extract_all(&all, &out_dir, (force, stored), reading);
                }
                let folder = folder.unwrap_or_default();
                let names: Vec<String> =
                    names.iter().map(|name| name.display().to_string()).collect();
                let input = match reading.given(&file)? {
                    Given::Other(input) => input,
                    Given::Archive(name, _) if extensions => {
                        let why = "--extensions is for packages; this is an archive";
                        return Err(Failure::Usage(format!("{name}: {why}")));
                    }
                    Given::Archive(name, own) => {
                        let folder = Folder::new(&folder, force);
                        let how = (reading.max_output, stored);
                        let (text, outcome) = archive::extract(&name, &own, how, &folder, &names)?;
                        output::print(text)?;
                        return Ok(outcome);
                    }
                };
                if !names.is_empty() {
                    let why = "entries can only be named for an archive; this is a package";
                    return Err(Failure::Usage(format!("{}: {why}", input.name)));
                }
                let options = reading.options();
                let package =
                    package::read(&input.bytes, &options).map_err(|fault| bad(&input, &fault))?;
                extract(&package, &Folder::new(&folder, force), extensions)
            }
            What::Build {
                from,
                output,
                name,
                asset,
                incomplete,
                flags,
                archive_version,
                bound,
            } => {
                let assets = asset
                    .iter()
                    .map(|path| Input::read(path, bound).map(|own| own.bytes.into_vec()));
                let assets = assets.collect::<Result<Vec<_>, Failure>>()?;
                if wad::is_named(&output) {
                    if !from.is_dir() {
                        let why = "an archive is made of a folder";
                        return Err(Failure::Usage(format!("{}: {why}", from.shown())));
                    }
                    must_be_outside(&output, &from)?;
                    return archive::build(&from, &output, flags, archive_version, bound);
                }
                if flags.is_some() || archive_version.is_some() {
                    let why = "--flags and --archive-version are for archives, called .wad";
                    return Err(Failure::Usage(format!("{}: {why}", output.shown())));
                }
                let bytes = if from.is_dir() {
                    must_be_outside(&output, &from)?;
                    package::from_folder(&from, name.as_deref(), assets, incomplete, bound)?
                } else {
                    let input = Input::read(&from, bound)?;
                    package::from_save(&input.bytes, name.as_deref(), assets, incomplete)
                        .map_err(|fault| bad(&input, &fault))?
                };
                Sink::new(Some(&output)).write_bytes(&bytes)?;
                Ok(Outcome::Good)
            }
            What::Replace { file, with, remove, output, reading } => {
                let input = match reading.given(&file)? {
                    Given::Other(input) => input,
                    Given::Archive(name, own) => {
                        let output = output.ok_or_else(|| {
                            let why = "-o OUT says where the new archive goes";
                            Failure::Usage(format!("{name}: {why}"))
                        })?;
                        return archive::replace(
                            &file,
                            &own,
                            &with,
                            &remove,
                            &output,
                            reading.bound,
                        );
                    }
                };
                if !remove.is_empty() {
                    let why = "--remove is for archives; `strip` takes out of packages";
                    return Err(Failure::Usage(format!("{}: {why}", input.name)));
                }
                let with = with.iter().map(|with| archive::named(with, reading.bound));
                let with = with.collect::<Result<Vec<_>, Failure>>()?;
                let edited = edit::replace(&input.bytes, with, &reading.options());
                let edited = edited.map_err(|fault| bad(&input, &fault))?;
                slot::write(&edited, output.as_deref().unwrap_or(&file), &file, &input)?;
                Ok(Outcome::Good)
            }
            What::Strip { file, dry_run, output, reading } => {
                let input = Input::read(&file, reading.bound)?;
                let edited = edit::strip(&input.bytes, &reading.options());
                let edited = edited.map_err(|fault| bad(&input, &fault))?;
                match dry_run {
                    true => output::print(edited.notes.join("\n") + "\n")?,
                    false => {
                        slot::write(&edited, output.as_deref().unwrap_or(&file), &file, &input)?
                    }
                }
                Ok(Outcome::Good)
            }
            What::Record { what: RecordWhat::Get { file, keys, reading } } => {
                let input = Input::read(&file, reading.bound)?;
                let text = edit::record(&input.bytes, &keys, &reading.options());
                output::print(text.map_err(|fault| bad(&input, &fault))?)?;
                Ok(Outcome::Good)
            }
            What::Record { what: RecordWhat::Set { file, settings, output, reading } } => {
                let input = Input::read(&file, reading.bound)?;
                let settings = settings.iter().map(|own| setting(own, reading.bound));
                let settings = settings.collect::<Result<Vec<_>, Failure>>()?;
                let edited = edit::set_record(&input.bytes, settings, &reading.options());
                let edited = edited.map_err(|fault| bad(&input, &fault))?;
                slot::write(&edited, output.as_deref().unwrap_or(&file), &file, &input)?;
                Ok(Outcome::Good)
            }
            What::Verify { files, reading } => {
                let mut is_good = true;
                for file in files {
                    let (name, report) = match reading.given(&file) {
                        Ok(Given::Archive(name, archive)) => (name, Ok(wad::verify(&archive))),
                        Ok(Given::Other(input)) => {
                            let report = package::verify(&input.bytes, &reading.options());
                            (input.name, report.map_err(|fault| sentence(&fault)))
                        }
                        // A table that cannot be read.
                        Err(Failure::Data(why)) => {
                            let name = file.shown();
                            let why =
                                why.strip_prefix(&format!("{name}: ")).unwrap_or(&why).to_owned();
                            (name, Err(why))
                        }
                        Err(failure) => return Err(failure),
                    };
                    let (text, good) = report.unwrap_or_else(|why| (format!("  {why}\n"), false));
                    is_good &= good;
                    let word = if good { "good" } else { "bad" };
                    output::print(format!("{word:<5} {name}\n{text}"))?;
                }
                Ok(Outcome::good_if(is_good))
            }
        }
    }
}

/// A key of a record and its value, of which a picture is a file.
fn setting(own: &Path, bound: Bound) -> Result<edit::Setting, Failure> {
    match own.to_str().and_then(|text| text.split_once('=')) {
        Some(("thumbnail", _)) => Ok(edit::Setting::Thumbnail(archive::named(own, bound)?.1)),
        Some((key, value)) => Ok(edit::Setting::Value(key.to_owned(), value.to_owned())),
        None => {
            let own = own.shown();
            Err(Failure::Usage(format!("{own}: expected a key and a value, as in name=Lamp")))
        }
    }
}

/// A package in the folder would be an entry of the next one.
fn must_be_outside(output: &Path, folder: &Path) -> Result<(), Failure> {
    let parent = match output.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let is_inside = match (parent.canonicalize(), folder.canonicalize()) {
        (Ok(parent), Ok(folder)) => !is_dash(output) && parent.starts_with(folder),
        _ => false,
    };
    if !is_inside {
        return Ok(());
    }
    let (path, folder) = (output.shown(), folder.shown());
    Err(Failure::Usage(format!("{path}: is in {folder}, the folder that is packed")))
}

fn extract(
    package: &resonite_save::package::Package,
    folder: &Folder<'_>,
    extensions: bool,
) -> Result<Outcome, Failure> {
    let mut entries: Vec<_> = package::entries(package).collect();
    let mut text = String::new();
    for (name, path, bytes) in &mut entries {
        if path.as_os_str() != *name {
            _ = writeln!(text, "{} is written as {}", name.escape_debug(), path.shown());
        } else if extensions {
            *path = assets::with_extension(std::mem::take(path), bytes);
        }
    }
    // Before anything is written.
    for (_, path, _) in &entries {
        folder.check(path)?;
    }
    if !folder.force {
        must_be_empty(folder.path)?;
    }
    let mut written = 0;
    for (_, path, bytes) in &entries {
        match folder.write(path, |out| out.write_all(bytes)) {
            Ok(()) => written += 1,
            Err(Failure::Usage(why) | Failure::Data(why)) => output::error(&why),
            Err(Failure::Closed) => return Err(Failure::Closed),
        }
    }
    if written < entries.len() {
        output::note(&format!("{written} of {} entries are written", entries.len()));
    }
    let folders = package.folders().count();
    if folders > 0 {
        let what = count(folders, "entry");
        output::note(&format!("{what} without content, named like a folder: not written"));
    }
    output::print(&text)?;
    Ok(Outcome::good_if(written == entries.len()))
}

fn must_be_empty(folder: &Path) -> Result<(), Failure> {
    let failed = |error: &io::Error| Failure::io(&folder.shown(), error);
    let mut entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(failed(&error)),
    };
    match entries.next() {
        None => Ok(()),
        Some(Err(error)) => Err(failed(&error)),
        Some(Ok(entry)) => Err(Failure::Usage(format!(
            "{}: the folder is not empty; --force writes into it",
            entry.path().shown()
        ))),
    }
}
