use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use gamewire::resonite_brson::Options;

use crate::failure::{Failure, Outcome};
use crate::files::{Bound, Input, bad};
use crate::formats::resonite::slots::{self, Edited, Source};
use crate::output::{self, Sink};

/// List, rename, move, copy, remove, extract and insert slots of a Resonite save, or make glTF of them
///
/// SLOT is the way to a slot by names, as `ls` prints it, with or without the root's, or its
/// identifier. A name that several siblings have needs its number, as in `Bulb[1]`. Of a package, its save is meant; all other entries keep their bytes.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire slot ls item.brson
  gamewire slot rename item.brson Lamp/Bulb Lantern
  gamewire slot mv item.brson Lamp/Bulb Lamp/Stand
  gamewire slot cp item.brson Lamp/Bulb
  gamewire slot rm item.brson Lamp/Bulb
  gamewire slot extract item.resonitepackage Bulb -o bulb.resonitepackage
  gamewire slot insert world.brson bulb.brson --into Room/Table
  gamewire slot glb avatar.resonitepackage -o avatar.glb")]
pub(crate) struct Slot {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// The slots of a save, each with its components
    #[command(after_help = "\
Examples:
  gamewire slot ls item.brson
  gamewire slot ls item.resonitepackage Lamp/Bulb
  gamewire slot ls item.brson --json | jq -r '.[].path'")]
    Ls {
        /// The file; `-` is standard input
        file: PathBuf,
        /// Only this one and those in it
        slot: Option<String>,
        /// Write JSON: path, id, name, tag, active, components and children of each
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        reading: Reading,
    },
    /// Give a slot another name
    ///
    /// Of the root slot of a package, the record gets the name too if it had the same one.
    #[command(after_help = "\
Examples:
  gamewire slot rename item.brson Lamp/Bulb Lantern
  gamewire slot rename item.resonitepackage Lamp 'Desk lamp'")]
    Rename {
        /// The file, which is changed; `-` is standard input, and then standard output
        file: PathBuf,
        /// The slot
        slot: String,
        /// The new name
        name: String,
        /// Where the changed file goes [default: FILE itself]
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
        #[command(flatten)]
        reading: Reading,
    },
    /// Move a slot with all that is in it into another one
    ///
    /// References to it stay, and so does its position in the parent, whichever that is.
    #[command(after_help = "\
Examples:
  gamewire slot mv item.brson Lamp/Bulb Lamp/Stand
  gamewire slot mv item.brson Lamp/Bulb Lamp --at 0")]
    Mv {
        /// The file, which is changed; `-` is standard input, and then standard output
        file: PathBuf,
        /// The slot
        slot: String,
        /// The slot that it goes into
        into: String,
        /// Its place among the children there, from 0 [default: the last]
        #[arg(long, value_name = "N")]
        at: Option<usize>,
        /// Where the changed file goes [default: FILE itself]
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
        #[command(flatten)]
        reading: Reading,
    },
    /// Put a copy of a slot after it, or into another one, with all that is in it
    ///
    /// References to its parts refer in the copy to the copies of those parts.
    #[command(after_help = "\
Examples:
  gamewire slot cp item.brson Lamp/Bulb
  gamewire slot cp item.brson Lamp/Bulb Lamp/Stand --name 'Second bulb'")]
    Cp {
        /// The file, which is changed; `-` is standard input, and then standard output
        file: PathBuf,
        /// The slot
        slot: String,
        /// The slot that the copy goes into [default: the one that the slot is in]
        into: Option<String>,
        /// The name of the copy [default: that of the slot]
        #[arg(long)]
        name: Option<String>,
        /// Where the changed file goes [default: FILE itself]
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
        #[command(flatten)]
        reading: Reading,
    },
    /// Take slots out, with all that is in them
    ///
    /// References to what is gone become null, as the engine saves them. Assets that nothing needs any
    /// more stay, in a package their files too, unless --strip says otherwise.
    #[command(after_help = "\
Examples:
  gamewire slot rm item.brson Lamp/Bulb
  gamewire slot rm item.brson Bulb Shade --strip -o smaller.brson")]
    Rm {
        /// The file, which is changed; `-` is standard input, and then standard output
        file: PathBuf,
        /// The slots
        #[arg(required = true, value_name = "SLOT")]
        slots: Vec<String>,
        /// Take out assets and types as well that nothing needs any more, and from a package the files
        /// to which no address in the save leads
        #[arg(long)]
        strip: bool,
        /// Where the changed file goes [default: FILE itself]
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
        #[command(flatten)]
        reading: Reading,
    },
    /// Make a file of one slot, with all that is in it and the assets that it needs
    ///
    /// OUT has the container that its name says, else that of FILE. A package gets the files of its
    /// assets as far as FILE has them.
    #[command(after_help = "\
Examples:
  gamewire slot extract item.brson Lamp/Bulb -o bulb.brson
  gamewire slot extract item.resonitepackage Bulb -o bulb.resonitepackage")]
    Extract {
        /// The file; `-` is standard input
        file: PathBuf,
        /// The slot
        slot: String,
        /// The new file; `-` is standard output
        #[arg(short, long, value_name = "OUT")]
        output: PathBuf,
        #[command(flatten)]
        reading: Reading,
    },
    /// Make a glTF file (.glb) of a slot with all that is in it: places, meshes, bones, blend shapes, materials
    ///
    /// Meshes and textures come from the package; each that is not in it, or that the engine makes, is named.
    #[command(after_help = "\
Examples:
  gamewire slot glb avatar.resonitepackage -o avatar.glb
  gamewire slot glb item.resonitepackage Lamp/Bulb -o bulb.glb")]
    Glb {
        /// The file; `-` is standard input
        file: PathBuf,
        /// The slot [default: the root slot]
        slot: Option<String>,
        /// The new file; `-` is standard output
        #[arg(short, long, value_name = "OUT")]
        output: PathBuf,
        #[command(flatten)]
        reading: Reading,
    },
    /// Put the root slot of another save into a slot, with its assets
    #[command(after_help = "\
Examples:
  gamewire slot insert world.brson bulb.brson
  gamewire slot insert world.brson bulb.brson --into Room/Table -o new.brson")]
    Insert {
        /// The file, which is changed; `-` is standard input, and then standard output
        file: PathBuf,
        /// The file with what is put in
        other: PathBuf,
        /// The slot that it goes into [default: the root slot]
        #[arg(long, value_name = "SLOT")]
        into: Option<String>,
        /// Where the changed file goes [default: FILE itself]
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
        #[command(flatten)]
        reading: Reading,
    },
}

/// How files are read.
#[derive(Args, Clone, Copy)]
#[command(next_help_heading = "Limits")]
pub(super) struct Reading {
    /// Read documents in which a key occurs twice
    #[arg(long)]
    duplicates: bool,
    /// The most bytes that a file may be decompressed to [default: 268435456]
    #[arg(long, value_name = "BYTES")]
    max_output: Option<usize>,
    /// The most bytes of memory that reading a file may take [default: 64 for each byte of it, and
    /// 67108864 at least]
    #[arg(long, value_name = "BYTES")]
    max_memory: Option<usize>,
    #[command(flatten)]
    pub(super) bound: Bound,
}

impl Reading {
    fn read(self, file: &Path) -> Result<(Input, Source), Failure> {
        let input = Input::read(file, self.bound)?;
        let source = slots::read(&input.bytes, &self.options());
        let source = source.map_err(|fault| bad(&input, &fault))?;
        Ok((input, source))
    }

    pub(super) fn options(self) -> Options {
        let options = Options::new().allow_duplicates(self.duplicates);
        let options = self.max_memory.map_or(options, |bytes| options.max_memory(bytes));
        self.max_output.map_or(options, |bytes| options.max_output(bytes))
    }
}

impl Slot {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        match self.what {
            What::Ls { file, slot, json, reading } => {
                let (input, source) = reading.read(&file)?;
                let list = slots::list(&source, slot.as_deref());
                let list = list.map_err(|fault| bad(&input, &fault))?;
                match json {
                    true => output::print_json(&list.json)?,
                    false => output::print(&list.text)?,
                }
            }
            What::Rename { file, slot, name, output, reading } => {
                let (input, source) = reading.read(&file)?;
                let edited = slots::rename(source, &slot, &name, &reading.options());
                let edited = edited.map_err(|fault| bad(&input, &fault))?;
                write(&edited, output.as_deref().unwrap_or(&file), &file, &input)?;
            }
            What::Mv { file, slot, into, at, output, reading } => {
                let (input, source) = reading.read(&file)?;
                let edited = slots::relocate(source, &slot, &into, at, &reading.options());
                let edited = edited.map_err(|fault| bad(&input, &fault))?;
                write(&edited, output.as_deref().unwrap_or(&file), &file, &input)?;
            }
            What::Cp { file, slot, into, name, output, reading } => {
                let (input, source) = reading.read(&file)?;
                let into = into.as_deref();
                let edited =
                    slots::duplicate(source, &slot, into, name.as_deref(), &reading.options());
                let edited = edited.map_err(|fault| bad(&input, &fault))?;
                write(&edited, output.as_deref().unwrap_or(&file), &file, &input)?;
            }
            What::Rm { file, slots, strip, output, reading } => {
                let (input, source) = reading.read(&file)?;
                let edited = slots::remove(source, &slots, strip, &reading.options());
                let edited = edited.map_err(|fault| bad(&input, &fault))?;
                write(&edited, output.as_deref().unwrap_or(&file), &file, &input)?;
            }
            What::Extract { file, slot, output, reading } => {
                let (input, source) = reading.read(&file)?;
                let edited = slots::extract(&source, &slot, &output, &reading.options());
                let edited = edited.map_err(|fault| bad(&input, &fault))?;
                write(&edited, &output, &file, &input)?;
            }
            What::Glb { file, slot, output, reading } => {
                let (input, source) = reading.read(&file)?;
                let made = slots::glb(&source, slot.as_deref(), &reading.options());
                write(&made.map_err(|fault| bad(&input, &fault))?, &output, &file, &input)?;
            }
            What::Insert { file, other, into, output, reading } => {
                let (input, source) = reading.read(&file)?;
                let (_, other) = reading.read(&other)?;
                let edited = slots::insert(source, &other, into.as_deref(), &reading.options());
                let edited = edited.map_err(|fault| bad(&input, &fault))?;
                write(&edited, output.as_deref().unwrap_or(&file), &file, &input)?;
            }
        }
        Ok(Outcome::Good)
    }
}

pub(super) fn write(edited: &Edited, to: &Path, from: &Path, input: &Input) -> Result<(), Failure> {
    Sink::new(Some(to)).over(from, &input.bytes).write_bytes(&edited.bytes)?;
    edited.notes.iter().for_each(|note| output::note(note));
    Ok(())
}
