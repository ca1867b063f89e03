//! The page: the table of the text, with its colours.

use std::fmt::Write;

use super::{Explanation, Span, text};

/// What one page holds; browsers take more, but not gladly.
const MOST_SPANS: usize = 200_000;

const STYLE: &str = "\
:root{color-scheme:light dark}
body{font:14px/1.4 ui-monospace,monospace;margin:1.5em}
h1{font-size:1.1em}
table{border-collapse:collapse}
th,td{text-align:left;vertical-align:top;padding:0 1.2em 0 0;white-space:pre-wrap}
th,.padding td,.not_reached td,.omitted td,.compressed td,td:first-child{opacity:.6}
tr:hover td{background:#8883}
.header td:nth-child(3),.magic td:nth-child(3){font-weight:bold}
.unknown td{color:#b60}
.error td,p.error{color:#d22;font-weight:bold}
";

pub(super) fn page(explanation: &Explanation, title: &str) -> String {
    let title = escaped(title);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    if let Some(error) = explanation.error() {
        push(&mut page, format_args!("<p class=\"error\">{}</p>\n", escaped(&error.to_string())));
    }
    let spans = explanation.spans();
    if spans.len() > MOST_SPANS {
        push(&mut page, format_args!("<p>The first {MOST_SPANS} of {} spans.</p>\n", spans.len()));
    }
    page.push_str("<table>\n<tr><th>offset<th>bits<th>meaning<th>value\n");
    let mut inflated = false;
    for span in spans.iter().take(MOST_SPANS) {
        if span.is_inflated() && !inflated {
            inflated = true;
            page.push_str("<tr><th colspan=\"4\">inflated\n");
        }
        row(&mut page, span, explanation.bytes_of(span));
    }
    page.push_str("</table>\n</body>\n</html>\n");
    page
}

fn row(page: &mut String, span: &Span, bytes: &[u8]) {
    let bit = span.bit_offset();
    let offset = match bit & 7 {
        0 => format!("{:08x}", bit >> 3),
        rest => format!("{:08x}.{rest}", bit >> 3),
    };
    let path = escaped(&span.path().to_string());
    let indent = "  ".repeat(span.depth().min(24));
    push(
        page,
        format_args!(
            "<tr class=\"{}\" title=\"{path}\"><td>{offset}<td>{}<td>{indent}{}<td>{}\n",
            span.role().name(),
            text::cells(span, bytes).join("\n"),
            escaped(span.meaning()),
            escaped(span.value()),
        ),
    );
}

fn push(page: &mut String, args: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = page.write_fmt(args);
}

/// Text for the content of an element or an attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
