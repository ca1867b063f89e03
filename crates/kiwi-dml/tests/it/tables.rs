//! Tables in files.

use kiwi_dml::{ErrorKind, Kind, Table};

/// A text with its length.
fn text(text: &str) -> Vec<u8> {
    [&u16::try_from(text.len()).unwrap().to_le_bytes(), text.as_bytes()].concat()
}

/// What stands before the fields and before each record: its kind, and the length with these four bytes.
fn block(order: u8, content: &[u8]) -> Vec<u8> {
    let len = u16::try_from(content.len() + 4).unwrap().to_le_bytes();
    [&[2, order], &len[..], content].concat()
}

fn table(name: &str, fields: &[(&str, u8)], records: &[Vec<u8>]) -> Vec<u8> {
    let field = |(name, kind): &(&str, u8)| [text(name), vec![*kind, 0x28]].concat();
    let mut template = fields.iter().flat_map(field).collect::<Vec<u8>>();
    template.extend([text("_TargetTable"), vec![9, 0x28], text(name)].concat());
    let mut out = u32::try_from(records.len()).unwrap().to_le_bytes().to_vec();
    out.extend(block(1, &template));
    records.iter().for_each(|record| out.extend(block(2, record)));
    out
}

fn patches() -> Vec<u8> {
    let list = table("_TableList", &[("Name", 9)], &[text("Root")]);
    let fields = [("SrcFileName", 9), ("Size", 3), ("Rate", 4), ("Kind", 6), ("Id", 1)];
    let record = |name: &str, size: u32| {
        let number = [&size.to_le_bytes()[..], &1.5f32.to_le_bytes(), &[7], &[1; 8]].concat();
        [text(name), number].concat()
    };
    let rows = [record("Data/Root.wad", 5), record("", u32::MAX)];
    [list, table("Root", &fields, &rows), table("None", &[], &[])].concat()
}

#[test]
fn tables_have_records_with_names() {
    let tables = Table::read_all(&patches()).unwrap();
    let names: Vec<&str> = tables.iter().map(Table::name).collect();
    assert_eq!(names, ["_TableList", "Root", "None"]);
    assert_eq!(tables[0].records()[0]["Name"].as_str(), Some("Root"));
    let root = &tables[1];
    assert_eq!(root.fields()[1].kind, Kind::UInt);
    assert_eq!(
        serde_json::to_string(root.records()).unwrap(),
        r#"[{"SrcFileName":"Data/Root.wad","Size":5,"Rate":1.5,"Kind":7,"Id":72340172838076673},{"SrcFileName":"","Size":4294967295,"Rate":1.5,"Kind":7,"Id":72340172838076673}]"#
    );
    assert!(Table::read_all(b"").unwrap().is_empty());
}

/// A known file has a record whose length is one too many.
#[test]
fn lengths_of_records_are_not_looked_at() {
    let mut bytes = table("_TableList", &[("Name", 9)], &[text("Test")]);
    let at = bytes.len() - 8;
    assert_eq!(bytes[at], 10);
    bytes[at] = 11;
    assert_eq!(Table::read_all(&bytes).unwrap()[0].records()[0]["Name"].as_str(), Some("Test"));
}

#[test]
fn what_is_no_table_is_said() {
    let bytes = patches();
    for end in 1..bytes.len() {
        match Table::read_all(&bytes[..end]) {
            Ok(tables) => assert!(tables.len() < 3, "{end}"),
            Err(error) => assert_eq!(error.kind(), ErrorKind::UnexpectedEof, "{end}: {error}"),
        }
    }
    for (bytes, expected) in [
        (table("T", &[("A", 11)], &[]), "expected the type of a field from 1 to 10, found another"),
        (table("T", &[("A", 0)], &[]), "expected the type of a field from 1 to 10, found another"),
        (
            b"\x01\0\0\0\x02\x02\x08\0".to_vec(),
            "expected the fields of a table (2, 1), found (2, 2)",
        ),
        (
            [&[0xff; 4], &table("T", &[], &[])[4..]].concat(),
            "expected 4294967295 records of 4 bytes",
        ),
    ] {
        let error = Table::read_all(&bytes).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}
