//! Tables of records in files, such as lists of patches
//! ([description](https://github.com/gamewire/gamewire/blob/main/docs/formats/kiwi-dml.md#tables)).

use std::sync::Arc;

use gamewire_core::words::Count;
use kiwi_pclass::{ErrorKind, Result};

use crate::read::{Reader, error_at};
use crate::{Field, Kind, MessageType, Record};

/// The service of what a table is made of.
const SERVICE: u8 = 2;
/// The order of its fields.
const TEMPLATE: u8 = 1;
/// The order of a record.
const RECORD: u8 = 2;

/// The field that ends the others, with the name of the table.
const TARGET: &str = "_TargetTable";

/// A table: its name and fields, and its records.
///
/// ```
/// use kiwi_dml::Table;
///
/// let bytes = b"\x01\0\0\0\x02\x01\x27\0\x04\0Size\x03\x28\x0c\0_TargetTable\x09\x28\x07\0Patches\
///     \x02\x02\x08\0\x07\0\0\0";
/// let tables = Table::read_all(bytes)?;
/// assert_eq!(tables[0].name(), "Patches");
/// assert_eq!(tables[0].records()[0]["Size"].as_u64(), Some(7));
/// # Ok::<(), kiwi_dml::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    fields: Arc<MessageType>,
    records: Vec<Record>,
}

impl Table {
    /// Reads all tables of a file. The lengths of records are not looked at: those of known files are not
    /// all right.
    ///
    /// # Errors
    /// Tables that are cut off, and types that DML does not have.
    pub fn read_all(bytes: &[u8]) -> Result<Vec<Table>> {
        let mut reader = Reader::new(bytes);
        let mut tables = Vec::new();
        while !reader.rest().is_empty() {
            tables.push(Table::take(&mut reader)?);
        }
        Ok(tables)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.fields.name
    }

    /// Its fields.
    pub fn fields(&self) -> &[Field] {
        &self.fields.fields
    }

    /// Its records.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    fn take(reader: &mut Reader<'_>) -> Result<Table> {
        let at = reader.offset();
        let count = reader.u32("the number of records")?;
        head(reader, TEMPLATE, "the fields of a table")?;
        let mut fields = Vec::new();
        let name = loop {
            let name = text(reader)?;
            let at = reader.offset();
            let [kind, _] = reader.array("the type of a field")?;
            if name == TARGET {
                break text(reader)?;
            }
            let kind = KINDS.iter().find(|(number, _)| *number == kind).map(|(_, kind)| *kind);
            let kind = kind.ok_or_else(|| {
                let text = "expected the type of a field from 1 to 10, found another";
                error_at(ErrorKind::Data, at, text).inside(&*name)
            })?;
            fields.push(Field { name: name.into(), kind, declared: Box::default() });
        };
        let fields = Arc::new(MessageType {
            service_id: SERVICE,
            order: RECORD,
            name: name.into(),
            description: Box::default(),
            handler: Box::default(),
            access_level: 0,
            fields: fields.into(),
        });
        let least =
            fields.fields.iter().fold(4, |sum: usize, own| sum.saturating_add(own.kind.min_size()));
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let left = reader.rest().len();
        if count.saturating_mul(least) > left {
            let (count, left) = (Count(count, "record"), Count(left, "byte"));
            let text = format!("expected {count} of {least} bytes and more, found {left}");
            return Err(error_at(ErrorKind::UnexpectedEof, at, text));
        }
        let mut records = Vec::new();
        for _ in 0..count {
            head(reader, RECORD, "a record")?;
            records.push(Record::take(&fields, reader)?);
        }
        Ok(Table { fields, records })
    }
}

/// The types of fields by their numbers.
const KINDS: [(u8, Kind); 10] = [
    (1, Kind::Gid),
    (2, Kind::Int),
    (3, Kind::UInt),
    (4, Kind::Flt),
    (5, Kind::Byt),
    (6, Kind::UByt),
    (7, Kind::UShrt),
    (8, Kind::Dbl),
    (9, Kind::Str),
    (10, Kind::WStr),
];

/// Takes what stands before the fields of a table and before each record.
fn head(reader: &mut Reader<'_>, order: u8, what: &str) -> Result<()> {
    let at = reader.offset();
    let [service, found, _, _] = reader.array(what)?;
    if (service, found) == (SERVICE, order) {
        return Ok(());
    }
    let text = format!("expected {what} ({SERVICE}, {order}), found ({service}, {found})");
    Err(error_at(ErrorKind::Frame, at, text))
}

fn text(reader: &mut Reader<'_>) -> Result<String> {
    Ok(String::from_utf8_lossy(reader.text(Kind::Str)?).into_owned())
}
