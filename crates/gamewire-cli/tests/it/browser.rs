//! The page of explain in a real browser, without a window: headless Chromium, where it is installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use crate::run::{feed, run, run_in, testdata};

/// What is done on a page, and what comes of it. It runs in the page itself.
const VISIT: &str = r##"
<script>
addEventListener("load", async () => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const text = (selector) => all(selector).map((own) => own.textContent);
  const wait = (time) => new Promise((done) => setTimeout(done, time));
  const point = (own, kind = "mouseover") => own.dispatchEvent(new MouseEvent(kind, { bubbles: true }));
  const found = {};
  try {
    for (let turn = 0; turn < 500 && !all("#tree .line").length; turn++) await wait(20);
    found.size = text("#size")[0];
    found.notes = text("#notes p");
    found.paper = getComputedStyle(document.body).backgroundColor;
    found.direction = getComputedStyle(document.querySelector("main")).flexDirection;
    found.wider = document.documentElement.scrollWidth > innerWidth;
    found.first = text("#tree .line")[0];
    found.title = document.title;
    // As it opens: values alone, and few of them.
    const rows = () => all("#tree .line").length;
    const tree = document.getElementById("tree"), find = document.getElementById("find");
    const press = (key, on = document) => on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    found.opened = rows();
    found.keyRows = text("#tree .line").filter((line) => /\bkey \d+\b/.test(line)).length;
    found.roles = [tree.getAttribute("role"), all("#tree [role=treeitem][aria-level]").length === rows(),
      all("#tree [aria-expanded=false]").length, all("[aria-live]").length];
    press("1");
    const least = rows();
    press("3");
    const three = rows();
    press("0");
    const height = () => parseInt(document.querySelector("#tree .all").style.height);
    found.levels = [least, three, height()];
    press("2");
    found.two = rows();
    // Colours that all can read: the ratio of WCAG.
    const channels = (color) => color.match(/[\d.]+/g).map(Number);
    const light = (color) => channels(color).slice(0, 3).map((own) => own / 255)
      .map((own) => own <= 0.03928 ? own / 12.92 : ((own + 0.055) / 1.055) ** 2.4)
      .reduce((sum, own, index) => sum + own * [0.2126, 0.7152, 0.0722][index], 0);
    const ground = (own) => {
      for (; own; own = own.parentElement) {
        const color = channels(getComputedStyle(own).backgroundColor);
        if (color[3] !== 0) return `rgb(${color.join()})`;
      }
    };
    const contrast = () => Math.min(...all("header *, #tree span, #tree a, #bytes b, #bytes i, #bytes span, footer *, #reading *")
      .filter((own) => own.textContent.trim() && own.offsetWidth).map((own) => {
        const [a, b] = [light(getComputedStyle(own).color), light(ground(own))].sort((a, b) => b - a);
        return (a + 0.05) / (b + 0.05) * Math.min(1, +getComputedStyle(own).opacity);
      }));
    found.contrast = contrast();
    found.perLine = all("#bytes .line")[1].querySelectorAll("b[data-span]").length;
    // A byte lights up what it means, and a line its bytes.
    point(all("#bytes b[data-span]")[8]);
    found.lineOfByte = text("#tree .line.lit");
    point(document.getElementById("bytes"), "mouseleave");
    point(all("#tree .line[data-span]")[2]);
    found.bytesOfLine = text("#bytes b.lit").join(" ");
    found.status = text("#status .path")[0];
    // Folding hides what is in a value, and shows it again.
    const count = () => document.querySelector("#tree .all").style.height;
    const before = count();
    const fold = () => all("#tree [data-fold]")[0];
    for (let turn = 0; turn < 20 && !fold(); turn++) {
      tree.scrollTop += 300;
      tree.dispatchEvent(new Event("scroll"));
    }
    point(fold(), "click");
    found.folded = before !== count();
    point(fold(), "click");
    found.unfolded = before === count();
    // An address that changes, and the keys that go far.
    location.hash = "#0x8";
    await wait(50);
    found.went = text("#bytes b.lit").join(" ");
    press("End");
    found.end = [text("#tree .line.lit")[0], text("#tree .line").at(-1)];
    press("Home");
    found.home = [text("#tree .line.lit")[0], text("#tree .line")[0]];
    press("PageDown");
    found.paged = text("#tree .line.lit")[0];
    found.pinned = contrast();
    found.reading = [text("#reading")[0], text("#reading button")];
    press("Escape");
    // Bytes: four of them, and nothing else.
    const four = all("#bytes .line")[3].querySelectorAll("b[data-span]");
    find.value = [...four].slice(2, 6).map((own) => own.textContent).join(" ");
    find.dispatchEvent(new Event("input"));
    press("Enter", find);
    found.bytes = [text("#hits")[0], find.value, text("#bytes b.lit").join(" ")];
    // A link leads to what it names.
    press("0");
    for (let turn = tree.scrollTop = 0; turn < 60 && !all("#tree a.ref").length; turn++) {
      tree.scrollTop += 300;
      tree.dispatchEvent(new Event("scroll"));
    }
    if (all("#tree a.ref").length) {
      const link = all("#tree a.ref")[0];
      point(link, "click");
      found.link = [link.textContent, text("#tree .line.lit")[0]];
    }
    // With everything folded, search shows what it finds.
    press("1");
    find.value = SEARCH;
    find.dispatchEvent(new Event("input"));
    await wait(300);
    found.hits = text("#hits")[0];
    press("Enter", find);
    found.hit = [text("#hits")[0], text("#tree .line.lit")[0], text("#status .path")[0]];
    find.value = "0x" + (LAST).toString(16);
    find.dispatchEvent(new Event("input"));
    press("Enter", find);
    found.last = [text("#tree .line.lit")[0] ?? "", text("#bytes b.lit").length > 0];
  } catch (error) {
    found.error = String(error.stack);
  }
  parent.postMessage(JSON.stringify(found), "*");
});
</script>
"##;

fn browser() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let found = names.into_iter().find(|name| Command::new(name).arg("--version").output().is_ok());
    if found.is_none() {
        println!("SKIPPED: no Chromium is installed");
    }
    found
}

/// A page in a frame of a width, and what its visitor found; with the time of it all.
fn visit(page: &Path, width: u32, search: &str, last: usize, options: &[&str]) -> (Json, Duration) {
    let folder = page.parent().unwrap();
    let script = VISIT.replace("SEARCH", &format!("{search:?}")).replace("LAST", &last.to_string());
    let visited = fs::read_to_string(page).unwrap().replace("</html>", &format!("{script}</html>"));
    fs::write(folder.join("visited.html"), visited).unwrap();
    let frame = format!(
        "<!doctype html><iframe src=visited.html width={width} height=700></iframe><pre></pre><script>\
         onmessage = (event) => document.querySelector('pre').textContent = event.data</script>"
    );
    fs::write(folder.join("frame.html"), frame).unwrap();
    let start = Instant::now();
    let output = Command::new(browser().unwrap())
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=30000"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .args(options)
        .arg("--dump-dom")
        .arg(format!("file://{}", folder.join("frame.html").display()))
        .output()
        .unwrap();
    let time = start.elapsed();
    let dom = String::from_utf8(output.stdout).unwrap();
    let found = dom.split("<pre>").nth(1).and_then(|rest| rest.split("</pre>").next());
    let found =
        found.unwrap_or_default().replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&");
    let found: Json = serde_json::from_str(&found)
        .unwrap_or_else(|error| panic!("{}: {error}: {dom:.500}", page.display()));
    assert_eq!(found.get("error"), None, "{}: {found}", page.display());
    (found, time)
}

/// The page of a file, below a folder.
fn page(folder: &Path, path: &Path, options: &str) -> PathBuf {
    let page = folder.join("page.html");
    let mut line = vec!["explain", path.to_str().unwrap(), "--html", page.to_str().unwrap()];
    line.extend(options.split_whitespace());
    let ran = run(&line);
    assert_eq!(ran.code, 0, "{}: {}", path.display(), ran.stderr);
    page
}

#[test]
fn pages_of_all_formats_light_up_fold_and_search() {
    if browser().is_none() {
        return;
    }
    let types = testdata("kiwi-pclass/vectors/types/arena.json");
    let types = format!("--types {}", types.display());
    for (path, options, search, hit) in [
        ("godot-variant/savegame.dat", "", "pumpkin", "kind"),
        ("zeze-serialize/frames.bin", "", "field 4", "[0][field 4]"),
        ("kiwi-pclass/boss.xml", types.as_str(), "Åsa", "m_name"),
        ("resonite-brson/lamp.brson", "", "Range", "Range"),
        ("o3de-json/samples/Lamp.prefab", "", "ContainerEntity", "ContainerEntity"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let page = page(folder.path(), &testdata(path), options);
        let (found, _) = visit(&page, 1200, search, 200, &[]);
        let text = |name: &str| found[name].as_str().unwrap().to_owned();
        assert!(text("size").contains(" spans"), "{path}: {found}");
        assert_eq!(text("title"), Path::new(path).file_name().unwrap().to_str().unwrap());
        let rows = |name: &str| found[name].as_u64().unwrap();
        assert!(
            (1..=45).contains(&rows("opened")) && rows("opened") == rows("two"),
            "{path}: {found}"
        );
        assert_eq!(found["keyRows"], 0, "{path}");
        let [least, three, whole] = [0, 1, 2].map(|at| found["levels"][at].as_u64().unwrap());
        assert!(
            least < rows("two") && rows("two") <= three && three * 20 <= whole,
            "{path}: {found}"
        );
        assert_eq!(found["roles"][0], "tree", "{path}");
        assert_eq!(
            (&found["roles"][1], &found["roles"][3]),
            (&Json::Bool(true), &1.into()),
            "{path}"
        );
        for contrast in ["contrast", "pinned"] {
            assert!(found[contrast].as_f64().unwrap() >= 4.5, "{path}: {contrast}: {found}");
        }
        assert_eq!(found["end"][0], found["end"][1], "{path}");
        assert_eq!(found["home"][0], found["home"][1], "{path}");
        assert_ne!(found["paged"], found["home"][0], "{path}");
        assert!(text("went").len() >= 2, "{path}");
        assert!(found["reading"].to_string().contains("int 8 "), "{path}: {found}");
        assert!(found["reading"][1].to_string().matches("copy ").count() >= 2, "{path}: {found}");
        assert!(found["bytes"][0].as_str().unwrap().starts_with("1 of "), "{path}: {found}");
        assert_eq!(found["bytes"][1], found["bytes"][2], "{path}");
        let has_links =
            matches!(path, "resonite-brson/lamp.brson" | "o3de-json/samples/Lamp.prefab");
        assert_eq!(found.get("link").is_some(), has_links, "{path}: {found}");
        if let Some(link) = found.get("link") {
            let to = link[1].as_str().unwrap();
            assert!(
                to.contains("I") && to.contains(link[0].as_str().unwrap().trim_matches('"')),
                "{link}"
            );
        }
        assert_eq!(found["notes"], serde_json::json!([]), "{path}");
        assert_eq!((text("direction").as_str(), &found["wider"]), ("row", &Json::Bool(false)));
        assert_eq!(found["lineOfByte"].as_array().unwrap().len(), 1, "{path}: {found}");
        assert!(text("bytesOfLine").len() >= 2, "{path}: {found}");
        assert_eq!((&found["folded"], &found["unfolded"]), (&true.into(), &true.into()), "{path}");
        assert!(text("hits").ends_with(" found"), "{path}: {found}");
        assert!(found["hit"][0].as_str().unwrap().starts_with("1 of "), "{path}: {found}");
        assert!(found["hit"].to_string().contains(hit), "{path}: {found}");
        assert_eq!(found["last"][1], true, "{path}: {found}");
        assert_ne!(found["last"][0], found["hit"][1], "{path}: {found}");
    }
}

#[test]
fn pages_fit_telephones_and_the_night() {
    if browser().is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path(), &testdata("godot-variant/savegame.dat"), "");
    let light = visit(&page, 390, "hp", 9, &["--blink-settings=preferredColorScheme=1"]).0;
    let dark = visit(&page, 390, "hp", 9, &["--blink-settings=preferredColorScheme=0"]).0;
    assert_eq!(light["direction"], "column");
    assert_eq!(light["wider"], false, "{light}");
    assert_ne!(light["paper"], dark["paper"]);
    assert_eq!(dark["paper"], "rgb(21, 23, 28)");
    for page in [&light, &dark] {
        assert!(page["contrast"].as_f64().unwrap() >= 4.5, "{page}");
        assert!(page["pinned"].as_f64().unwrap() >= 4.5, "{page}");
        // Eight bytes in a line.
        assert_eq!(page["perLine"], 8, "{page}");
    }
}

/// All rows, not those in sight.
#[test]
fn pages_print_whole() {
    if browser().is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path(), &testdata("godot-variant/savegame.dat"), "");
    let pdf = folder.path().join("page.pdf");
    let printed = Command::new(browser().unwrap())
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"])
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg(format!("--print-to-pdf={}", pdf.display()))
        .arg(format!("file://{}", page.display()))
        .output();
    assert!(printed.unwrap().status.success());
    let pdf = fs::read(pdf).unwrap();
    let pages = pdf.windows(12).filter(|own| own == b"/Type /Page\n").count();
    // 250 values and more, at 20 pixels each.
    assert!((5..30).contains(&pages), "{pages} pages");
}

/// Half a MB on a page of less than 2.5 MB, all of it, without a wait.
#[test]
fn large_inputs_have_whole_pages() {
    let folder = tempfile::tempdir().unwrap();
    let crop = |n: usize| {
        let kind = ["wheat", "pumpkin", "carrot"][n % 3];
        let grown = (n * 7919 % 10_007) as f64 / 10_007.0;
        format!(
            "{{\"type\":\"Dictionary\",\"args\":[\"s:id\",\"i:{n}\",\"s:kind\",\"s:{kind}\",\"s:pos\",\
             {{\"type\":\"Vector2i\",\"args\":[{},{}]}},\"s:grown\",\"f:{grown:?}\",\"s:watered\",{}]}}",
            n % 97,
            n % 89,
            n.is_multiple_of(2)
        )
    };
    let crops: Vec<String> = (0..3800).map(crop).collect();
    let save =
        feed("encode - -f godot-variant", format!("[{}]", crops.join(",")).as_bytes()).good();
    assert!(save.len() > 500_000, "{}", save.len());
    let file = folder.path().join("farm.dat");
    fs::write(&file, &save).unwrap();
    let whole = page(folder.path(), &file, "");
    let size = fs::metadata(&whole).unwrap().len();
    assert!(size < 2_500_000, "{size} bytes");
    if browser().is_some() {
        let (found, time) = visit(&whole, 1200, "id", save.len() - 1, &[]);
        assert_eq!(found["notes"], serde_json::json!([]), "{found}");
        let end = found["last"][0].as_str().unwrap();
        assert!(end.starts_with(&format!("{:08x}", save.len() - 8)), "{found}");
        // With the start of the browser; seconds are for slow machines.
        println!("{size} bytes of page, {time:?}");
        assert!(time < Duration::from_secs(20), "{time:?}");
    }

    // The rest alone, and one value alone.
    let ran = run_in(folder.path(), &["explain", "farm.dat", "--from", "0x70000"]);
    assert!(ran.text().contains("\n00070000  ") && !ran.text().contains("\n00060000  "));
    assert!(ran.text().ends_with(" other bytes left out\n"), "{}", ran.stderr);
    let ran = run_in(folder.path(), &["explain", "farm.dat", "--path", "[3001]"]);
    let lines: Vec<&str> = ran.text().lines().filter(|line| line.contains("[3001]: ")).collect();
    assert!(lines.len() == 1 && lines[0].ends_with("5 entries"), "{lines:?}");
    assert!(ran.text().contains("pumpkin") && ran.text().lines().count() < 60);
    let part = page(folder.path(), &file, "--path [3001]");
    assert!(fs::metadata(&part).unwrap().len() < 60_000);
    if browser().is_some() {
        let (found, _) = visit(&part, 1200, "pumpkin", save.len() - 1, &[]);
        assert_eq!(found["notes"].as_array().unwrap().len(), 1, "{found}");
        assert!(
            found["first"].as_str().unwrap().contains("[3001]: Dictionary5 entries"),
            "{found}"
        );
        assert!(found["bytesOfLine"].as_str().unwrap().starts_with("04 00 00 00"), "{found}");
        assert_eq!(found["hits"], "1 found", "{found}");
    }
    for (option, what) in [
        ("--path=[3001].zz", "[3001].zz: there is only id, kind, pos, grown, watered in [3001]"),
        ("--from=0xffffffff", "there is no byte 0:0xffffffff"),
        ("--from=1:0", "there is no byte 1:0x0"),
    ] {
        let ran = run_in(folder.path(), &["explain", "farm.dat", option]);
        assert_eq!(ran.end(), (1, format!("error: farm.dat: {what}\n").as_str()));
    }
}
