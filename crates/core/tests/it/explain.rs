use std::fmt;

use gamewire_core::bytes::hex;
use gamewire_core::explain::{Explanation, Failure, Mark, Note, Role, Sink, quoted, shortened};
use gamewire_core::{Notation, Path, Segment};

#[derive(Debug)]
struct Error {
    bit: Option<u64>,
    path: Path,
    trailing: bool,
}

impl Error {
    fn at(byte: u64) -> Self {
        let path = Path::from_innermost([Segment::field("name"), Segment::field("items")]);
        Error { bit: Some(8 * byte), path, trailing: false }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it is wrong, in {}", self.path)
    }
}

impl Failure for Error {
    fn kind(&self) -> &dyn fmt::Debug {
        &"Wrong"
    }

    fn message(&self) -> &str {
        "it is wrong"
    }

    fn bit(&self) -> Option<u64> {
        self.bit
    }

    fn path(&self) -> &Path {
        &self.path
    }

    fn is_trailing(&self) -> bool {
        self.trailing
    }
}

/// Every bit of every space is in exactly one span.
fn assert_covers(explanation: &Explanation<Error>) {
    for (index, space) in explanation.spaces().iter().enumerate() {
        let mut at = 0;
        for span in explanation.spans_in(index) {
            assert_eq!(span.bit_range().start, at, "{span:?}");
            assert!(span.bit_range().end > at || span.role() == Role::Error, "{span:?}");
            at = span.bit_range().end;
        }
        assert_eq!(at, 8 * space.bytes().len() as u64);
    }
}

/// A file with a magic, packed bytes, and bits in what was packed.
fn packed() -> Explanation<Error> {
    let mut sink = Sink::new(b"MAGIpacked");
    sink.push(4, Note::new(Role::Magic, "magic").value("\"MAGI\""));
    let from = sink.push(10, Note::new(Role::Compressed, "packed bytes"));
    sink.open("inflated data", vec![0b1010_1101, 0x80, 7, 0], from);
    let object = sink.push_bits(3, Note::header("object"));
    sink.indent();
    sink.enter("m_on");
    sink.push_bits(4, Note::new(Role::Data, "").kind("bool").value("true"));
    sink.leave();
    sink.pad(16);
    sink.enter("m_id");
    sink.push(4, Note::new(Role::Data, "").kind("u16").value("7").note("small").note("odd"));
    sink.leave();
    sink.outdent();
    sink.set_value(object, "2 properties");
    sink.finish(None)
}

#[test]
fn spaces_have_addresses_of_their_own() {
    let explanation = packed();
    assert_covers(&explanation);
    assert_eq!(
        explanation.to_text(),
        "\
offset    bytes                    meaning                   value
00000000  4d 41 47 49              magic                     \"MAGI\"
00000004  70 61 63 6b 65 64        packed bytes

inflated data, 4 bytes:

offset      bits                     meaning                   value
00000000    101                      object                    2 properties
00000000.3  1                          m_on: bool              true
00000000.4  100000001010               padding                 · not zero
00000002    07 00                      m_id: u16               7  · small, odd
"
    );
    let space = &explanation.spaces()[1];
    assert_eq!((space.name(), space.origin()), ("inflated data", Some((0, 4))));
    let span = explanation.span_in(1, 2).unwrap();
    assert_eq!((span.kind(), span.path().to_string().as_str()), ("u16", "m_id"));
    assert_eq!(explanation.bytes_of(span), [7, 0]);
    assert_eq!(explanation.span_at(9).unwrap().role(), Role::Compressed);
    assert!(explanation.span_at(10).is_none());
}

#[test]
fn one_schema_of_json() {
    let json = serde_json::to_value(packed()).unwrap();
    assert_eq!(
        json["spaces"],
        serde_json::json!([
            {"name": "input", "len": 10, "origin": null},
            {"name": "inflated data", "len": 4, "origin": [0, 4]},
        ])
    );
    assert_eq!(
        json["spans"][3],
        serde_json::json!({
            "space": 1, "offset": 0, "len": 1, "bits": [3, 1], "hex": "ad", "path": "m_on",
            "role": "data", "kind": "bool", "meaning": "", "value": "true",
        })
    );
    assert_eq!(json["spans"][5]["notes"], "small, odd");
    assert_eq!(json["spans"][5].get("bits"), None);
    assert_eq!((&json["error"], &json["unlisted"]), (&serde_json::Value::Null, &0.into()));
}

#[test]
fn an_error_takes_back_what_was_said_of_its_bytes() {
    let mut sink = Sink::new(b"0123456789");
    sink.push(2, Note::header("list"));
    sink.indent();
    sink.push(6, Note::new(Role::Text, "letters"));
    let error = Error::at(4);
    sink.fail(&error, 7);
    let explanation = sink.finish(Some(error));
    assert_covers(&explanation);
    assert_eq!(
        explanation.to_text(),
        "\
offset    bytes                    meaning                   value
00000000  30 31                    list
00000002  32 33                      letters
00000004  34 35 36                   it is wrong
00000007  37 38 39                 not reached               3 bytes

error: it is wrong, in items.name
"
    );
    assert_eq!(explanation.spans()[2].path().to_string(), "items.name");
    assert_eq!(explanation.error_space().unwrap().name(), "input");
}

#[test]
fn an_error_is_in_its_own_space() {
    let mut sink = Sink::new(b"0123456789");
    let from = sink.push(10, Note::new(Role::Compressed, "entries"));
    sink.open("entry a", *b"abc", from);
    sink.fail(&Error::at(1), 2);
    sink.open("entry b", *b"abc", from);
    let error = Error::at(2);
    sink.fail(&error, 3);
    let explanation = sink.finish(Some(error));
    assert_covers(&explanation);
    assert_eq!(explanation.error_space().unwrap().name(), "entry b");
    assert_eq!(serde_json::to_value(&explanation).unwrap()["error"]["space"], 2);
}

#[test]
fn bytes_after_the_end_are_no_part_of_an_error() {
    let mut sink = Sink::new(b"01234");
    sink.push(2, Note::header("list"));
    let error = Error { bit: Some(16), path: Path::default(), trailing: true };
    sink.fail(&error, 5);
    let explanation = sink.finish(Some(error));
    assert_covers(&explanation);
    let last = explanation.spans().last().unwrap();
    assert_eq!((last.role(), last.meaning()), (Role::NotReached, "bytes after the end"));
}

#[test]
fn what_is_not_listed_is_counted() {
    let mut sink = Sink::new(&[0; 100]).max_spans(10);
    (1..=90).for_each(|end| {
        let mark = sink.push(end, Note::header("byte"));
        assert_eq!(mark == Mark::NONE, end > 10);
    });
    assert!(sink.is_full());
    let explanation = sink.finish::<Error>(None);
    assert_covers(&explanation);
    assert_eq!(explanation.unlisted(), 80);
    assert!(explanation.to_text().ends_with("\n80 other bytes left out\n"));
    assert_eq!(serde_json::to_value(&explanation).unwrap()["unlisted"], 80);
    assert!(explanation.to_html("t").contains("\"unlisted\":80"));

    // An error among them is still said at its place.
    let mut sink = Sink::new(&[0; 100]).max_spans(10);
    (1..=90).for_each(|end| {
        sink.push(end, Note::header("byte"));
    });
    let error = Error::at(50);
    sink.fail(&error, 51);
    let explanation = sink.finish(Some(error));
    assert_covers(&explanation);
    let error = explanation.spans().iter().find(|span| span.role() == Role::Error).unwrap();
    assert_eq!((error.range(), explanation.unlisted()), (50..51, 40));
}

#[test]
fn memory_is_bounded() {
    let mut sink = Sink::new(&[0; 10_000]).max_memory(10_000);
    for end in 1..=10_000 {
        sink.enter("a name that is not short");
        sink.push(end, Note::header("byte").value(format!("{end:0>40}")));
        sink.leave();
    }
    let explanation = sink.finish::<Error>(None);
    assert_covers(&explanation);
    let kept = explanation.spans().len();
    assert!((20..60).contains(&kept), "{kept}");
    assert_eq!(explanation.unlisted(), 10_000 - kept + 1);

    // Places that no span is in are not held.
    let mut sink = Sink::new(&[0; 10]).max_memory(1000);
    for _ in 0..10_000 {
        sink.enter("nothing here");
        sink.leave();
    }
    assert!(!sink.is_full());
}

#[test]
fn pointers_where_the_format_has_them() {
    let mut sink = Sink::new(b"01").notation(Notation::Pointer);
    sink.enter("odd/name");
    sink.enter(0);
    sink.push(2, Note::header("Number"));
    let explanation = sink.finish::<Error>(None);
    let json = serde_json::to_value(&explanation).unwrap();
    assert_eq!(json["spans"][0]["path"], "/odd~1name/0");
    let page = explanation.to_html("t");
    assert!(page.contains(r#""places":[[-1,"odd/name","odd~1name"],[0,"[0]","0"]]"#), "{page}");
}

#[test]
fn foreign_text_stays_text_on_the_page() {
    let mut sink = Sink::new(b"01");
    sink.enter("</script><script>alert(1)");
    sink.push(2, Note::header("String").value("</script>\u{2028}{{style}}"));
    let page = sink.finish::<Error>(None).to_html("<title> & {{data}}");
    assert_eq!(page.matches("</script>").count(), 2, "the two of the template");
    assert!(page.contains("<title>&lt;title&gt; &amp; {{data}}</title>"));
    assert!(page.contains(r#""\u003c/script>\u2028{{style}}""#));
}

/// The data of a page, unpacked where it is packed.
fn data_of(page: &str) -> serde_json::Value {
    use base64::Engine as _;
    use std::io::Read as _;
    let (before, after) = page.split_once("\" id=\"data\">").unwrap();
    let data = after.split_once("</script>").unwrap().0;
    if before.ends_with("application/json") {
        return serde_json::from_str(data).unwrap();
    }
    let packed = base64::engine::general_purpose::STANDARD.decode(data).unwrap();
    let mut text = String::new();
    flate2::read::DeflateDecoder::new(packed.as_slice()).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn large_pages_are_packed() {
    let mut state = 7_u32;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    for count in [0, 1, 2, 3, 10, 110_000] {
        let bytes: Vec<u8> = (0..4 * count).map(|_| random() as u8).collect();
        let mut sink = Sink::new(&bytes);
        for index in 0..count {
            let value =
                if index % 3 == 0 { "Åsa 🌾".repeat(index % 40) } else { random().to_string() };
            sink.push(4 * index + 4, Note::header("int").value(value));
        }
        let explanation = sink.finish::<Error>(None);
        let page = explanation.to_html("t");
        assert_eq!(page.contains("application/octet-stream"), count > 100_000);
        let data = data_of(&page);
        let space = &data["spaces"][0];
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(space["hex"], hex);
        let spans = space["spans"].as_array().unwrap();
        assert_eq!(spans.len(), count);
        for (span, shown) in explanation.spans().iter().zip(spans) {
            assert_eq!(shown[6], span.value());
        }
        if count > 100_000 {
            assert!(page.len() < 3 * data.to_string().len() / 5, "{}", page.len());
        }
    }
}

#[test]
fn a_part_is_the_spans_in_it() {
    let sink = || {
        let mut sink = Sink::new(&[0; 100]);
        (1..=10_u8).for_each(|end| {
            sink.push(10 * usize::from(end), Note::header("ten"));
        });
        sink.finish::<Error>(None)
    };
    for (range, first, last) in
        [(0..100, 0, 100), (25..26, 20, 30), (20..40, 20, 40), (95..200, 90, 100)]
    {
        let part = sink().part(0, range.clone());
        assert_covers(&part);
        let kept = part.spans().iter().filter(|span| span.role() == Role::Header);
        let kept: Vec<_> = kept.map(|span| span.range()).collect();
        assert_eq!((kept[0].start, kept[kept.len() - 1].end), (first, last), "{range:?}");
        assert_eq!(part.unlisted(), 100 - (last - first));
        let data = data_of(&part.to_html("t"));
        assert_eq!(data, serde_json::from_str::<serde_json::Value>(&part.to_page_data()).unwrap());
        let space = &data["spaces"][0];
        assert_eq!(space["hex"].as_str().unwrap().len(), 2 * (last - first));
        assert_eq!(space["from"].as_u64().unwrap_or(0), 8 * first as u64);
        assert_eq!(data["unlisted"], part.unlisted());
    }
    // Nothing of one space, and nothing of the other.
    let part = sink().part(1, 0..50);
    assert_covers(&part);
    assert_eq!((part.spans().len(), part.unlisted()), (1, 100));
    assert_eq!(data_of(&part.to_html("t"))["spaces"][0]["hex"], "");
}

#[test]
fn deep_places_need_no_stack() {
    let explanation = std::thread::Builder::new().stack_size(256 << 10).spawn(|| {
        let mut sink = Sink::new(&[0]);
        (0..1_000_000).for_each(|_| {
            sink.enter(0);
            sink.indent();
        });
        sink.push(1, Note::header("deep"));
        let explanation = sink.finish::<Error>(None);
        assert!(explanation.to_text().contains("1000000› [0]: deep"));
        assert!(explanation.spans()[0].path().is_cut());
    });
    explanation.unwrap().join().unwrap();
}

#[test]
fn tables_fit_or_are_whole() {
    let mut sink = Sink::new(&[7; 40]);
    sink.indent();
    sink.enter("a_name_that_is_long_enough");
    sink.push(8, Note::header("Dictionary").value("0123456789".repeat(6)).note(&"odd ".repeat(30)));
    sink.leave();
    sink.push(40, Note::new(Role::Text, "text").value("é🌾".repeat(20)));
    let explanation = sink.finish::<Error>(None);
    let widest = |text: &str| text.lines().map(|line| line.chars().count()).max().unwrap();
    for columns in [72, 80, 100, 120, 200] {
        let text = explanation.to_text_in(Some(columns), false);
        assert!(widest(&text) <= columns, "{text}");
        assert_eq!(text.contains('…'), columns < 200, "{columns}: {text}");
    }
    // No narrower than this, and never cut for other programs.
    let text = explanation.to_text_in(Some(10), false);
    assert_eq!(text, explanation.to_text_in(Some(72), false));
    assert_eq!(explanation.to_text(), explanation.to_text_in(Some(120), false));
    let whole = explanation.to_text_in(None, false);
    assert!(!whole.contains('…') && whole.contains(&"é🌾".repeat(20)), "{whole}");
    assert!(whole.contains("odd ".repeat(30).trim_end()), "{whole}");
}

#[test]
fn the_only_value_of_a_row_is_the_root() {
    let mut sink = Sink::new(&[0; 6]);
    sink.push(1, Note::new(Role::Length, "length"));
    for index in 0..2 {
        sink.enter(index);
        sink.push(2 + 2 * index, Note::header("list"));
        sink.enter("name");
        sink.enter(0);
        sink.push(3 + 2 * index, Note::header("int"));
        sink.leave();
        sink.leave();
        sink.leave();
    }
    let explanation = sink.finish::<Error>(None);
    let paths = |explanation: &Explanation<Error>| {
        let paths = explanation.spans().iter().map(|span| span.path().to_string());
        paths.collect::<Vec<_>>()
    };
    assert_eq!(paths(&explanation), ["", "[0]", "[0].name[0]", "[1]", "[1].name[0]", ""]);
    let inside = explanation.inside(&Segment::Index(0));
    assert_eq!(paths(&inside), ["", "", "name[0]", "[1]", "[1].name[0]", ""]);
    assert!(inside.to_text().contains("  list\n") && inside.to_text().contains("[0]: int\n"));
    assert_covers(&inside);
    // Places nest as deep as the data.
    let mut sink = Sink::new(&[0]);
    (0..50_000).for_each(|_| sink.enter(0));
    sink.push(1, Note::header("deep"));
    let inside = sink.finish::<Error>(None).inside(&Segment::Index(0));
    assert!(inside.spans()[0].path().is_cut());
}

#[test]
fn spaces_are_left_and_gone_back_to() {
    let mut sink = Sink::new(b"0123");
    assert_eq!((sink.space(), sink.at(), sink.depth()), (0, 0, 0));
    sink.push(1, Note::header("one"));
    sink.indent();
    let packed = sink.push(4, Note::new(Role::Compressed, "packed"));
    let first = sink.open("first", *b"abc", packed);
    assert_eq!((first, sink.space(), sink.at(), sink.depth()), (1, 1, 0, 0));
    sink.set_depth(3);
    sink.outdent();
    sink.push_bits(12, Note::header("more than a byte"));
    assert_eq!((sink.at(), sink.at_bit()), (1, 12));
    let second = sink.open("second", *b"de", packed);
    assert_eq!((second, sink.space(), &*sink.bytes()), (2, 2, &b"de"[..]));
    sink.select(first);
    assert_eq!((sink.space(), sink.at_bit(), &*sink.bytes()), (1, 12, &b"abc"[..]));
    sink.push(3, Note::header("rest"));
    sink.select(0);
    assert_eq!((sink.at(), sink.depth()), (4, 1));
    // There is no such space; the last one is taken for it.
    sink.select(7);
    assert_eq!(sink.space(), second);
    let explanation = sink.finish::<Error>(None);
    assert_covers(&explanation);
    let depths = |space| explanation.spans_in(space).iter().map(|span| span.depth());
    assert_eq!(depths(0).chain(depths(1)).collect::<Vec<_>>(), [0, 1, 2, 2]);
    assert_eq!(explanation.spans_in(2)[0].value(), "2 bytes");
    assert_eq!(explanation.spaces()[2].origin(), Some((0, 1)));
}

#[test]
fn what_is_known_later_is_said_later() {
    let mut sink = Sink::new(b"0123");
    let list = sink.push(2, Note::header("?"));
    let more = sink.push(4, Note::new(Role::Data, "?"));
    sink.set_kind(list, "list");
    sink.set_meaning(more, "letters");
    sink.set_value(more, "ab");
    sink.note(more, "odd");
    sink.note(more, "but read");
    // There is nothing to say of what is no span.
    let none = sink.push(4, Note::header("nothing"));
    assert_eq!(none, Mark::NONE);
    sink.set_kind(none, "x");
    sink.note(none, "x");
    let explanation = sink.finish::<Error>(None);
    let said: Vec<_> = explanation
        .spans()
        .iter()
        .map(|span| (span.kind(), span.meaning(), span.value(), span.notes()))
        .collect();
    assert_eq!(said, [("list", "", "", ""), ("", "letters", "ab", "odd, but read")]);
}

#[test]
fn padding_says_if_it_is_not_zero() {
    for (byte, is_zero) in [(0b1111_0001, true), (0b0000_0010, false), (0b0000_1000, false)] {
        let mut sink = Sink::new(&[byte, 0]);
        sink.push_bits(1, Note::header("bit"));
        sink.pad(4);
        sink.push_bits(8, Note::header("bits"));
        sink.pad(16);
        let explanation = sink.finish::<Error>(None);
        let notes = [1, 3].map(|index| explanation.spans()[index].notes());
        assert_eq!(notes, [if is_zero { "" } else { "not zero" }, ""], "{byte:#b}");
    }
}

#[test]
fn what_is_before_an_error_begins_a_value() {
    // `read` bytes are told of before an error at byte 4 whose bytes end at `end`.
    let spans = |read, end, max_spans| {
        let mut sink = Sink::new(b"0123456789").max_spans(max_spans);
        sink.push(read, Note::header("list"));
        let error = Error::at(4);
        sink.fail(&error, end);
        let explanation = sink.finish(Some(error));
        assert_covers(&explanation);
        let spans = explanation.spans().iter().map(|span| (span.role(), span.range()));
        spans.collect::<Vec<_>>()
    };
    let (header, error, after) = (Role::Header, Role::Error, Role::NotReached);
    assert_eq!(spans(2, 6, 9), [(header, 0..2), (Role::Data, 2..4), (error, 4..6), (after, 6..10)]);
    assert_eq!(spans(4, 6, 9), [(header, 0..4), (error, 4..6), (after, 6..10)]);
    assert_eq!(spans(5, 10, 9), [(header, 0..4), (error, 4..10)]);
    assert_eq!(spans(4, 99, 9), [(header, 0..4), (error, 4..10)]);
    assert_eq!(spans(4, 0, 9), [(header, 0..4), (error, 4..4), (after, 4..10)]);
    assert_eq!(
        spans(2, 6, 1),
        [(header, 0..2), (Role::Omitted, 2..4), (error, 4..6), (after, 6..10)]
    );
}

#[test]
fn bits_that_are_not_reached_are_counted() {
    for (end, left) in [(8, "1 byte"), (9, "7 bits"), (15, "1 bit"), (0, "2 bytes")] {
        let mut sink = Sink::new(b"01");
        sink.push_bits(end, Note::header("bits"));
        let explanation = sink.finish::<Error>(None);
        assert_covers(&explanation);
        assert_eq!(explanation.spans().last().unwrap().value(), left);
    }
}

#[test]
fn values_are_as_long_as_a_table_takes() {
    assert_eq!((hex(b""), hex(&[0, 0xab, 7])), (String::new(), "00ab07".to_owned()));
    assert_eq!(shortened(format_args!("{}\t", "ä".repeat(59))), format!("{}\\t", "ä".repeat(59)));
    assert_eq!(shortened(format_args!("{}", "ä".repeat(61))), format!("{}…", "ä".repeat(60)));
    assert_eq!(quoted("\"\n"), r#""\"\n""#);
    assert_eq!(quoted(&"ä".repeat(57)), format!("\"{}\"", "ä".repeat(57)));
    assert_eq!(quoted(&"ä".repeat(58)), format!("\"{}…\"", "ä".repeat(56)));
    assert_eq!(quoted(&"\n".repeat(57)), format!("\"{}…\"", "\\n".repeat(28)));
}
