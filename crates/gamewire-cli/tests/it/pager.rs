//! What is printed to a terminal, in one that `script` makes.

use std::process::{Command, Stdio};

use crate::run::{Ran, TOOL, run, samples};

/// Whether there is a `script` with the options of util-linux.
pub(crate) fn has_terminal() -> bool {
    let made = Command::new("script")
        .args(["-qec", "test -t 1", "/dev/null"])
        .stdin(Stdio::null())
        .output();
    let has = made.is_ok_and(|made| made.status.success());
    if !has {
        println!("SKIPPED: no `script` of util-linux is installed");
    }
    has
}

/// A command line on a terminal of 80 columns; `$GW` is the tool.
fn terminal(line: &str) -> Ran {
    let mut script = Command::new("script");
    script.args(["-qec", line, "/dev/null"]).current_dir(samples()).stdin(Stdio::null());
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "GAMEWIRE_PAGER", "PAGER", "LESS", "LV"]
    {
        script.env_remove(name);
    }
    // Terminals end lines in two letters.
    let ran: Ran =
        script.env("GW", TOOL).env("COLUMNS", "80").env("TERM", "xterm").output().unwrap().into();
    Ran { stdout: String::from_utf8(ran.stdout).unwrap().replace("\r\n", "\n").into(), ..ran }
}

const TREE: &str = "../o3de-json/samples/Yard.prefab";

#[test]
fn terminals_have_a_pager() {
    if !has_terminal() {
        return;
    }
    let plain = run(&["tree", TREE]);
    let paged: String = plain.text().lines().map(|line| format!("> {line}\n")).collect();
    let tree = format!("$GW tree {TREE}");
    let pager = "GAMEWIRE_PAGER='sed \"s/^/> /\"'";
    // By a variable, over the other one, and not where it is not wanted.
    assert_eq!(terminal(&format!("{pager} PAGER=false {tree}")).text(), paged);
    assert_eq!(terminal(&format!("PAGER='sed \"s/^/> /\"' {tree}")).text(), paged);
    assert_eq!(terminal(&format!("{pager} {tree} --no-pager")).text(), plain.text());
    assert_eq!(terminal(&format!("{pager} $GW --no-pager tree {TREE}")).text(), plain.text());
    assert_eq!(terminal(&format!("GAMEWIRE_PAGER= PAGER=false {tree}")).text(), plain.text());
    assert_eq!(terminal(&format!("{pager} {tree} | cat")).text(), plain.text());
    assert_eq!(
        terminal(&format!("{pager} {tree} --json")).text(),
        run(&["tree", TREE, "--json"]).text()
    );
    // One that is not there, or that nobody reads to the end.
    let ran = terminal(&format!("PAGER=/no/such/pager {tree}"));
    assert!(ran.code == 0 && ran.text().ends_with(plain.text()), "{ran:?}");
    let ran = terminal("PAGER='head -n 1' $GW explain savegame.dat");
    assert_eq!((ran.code, ran.text().lines().count()), (0, 1), "{ran:?}");
    // The flags of less; colours go to it, unless they are not wanted.
    assert_eq!(terminal(&format!("PAGER='printf %s $LESS #' {tree}")).text(), "FRXK");
    let marks = "PAGER='tr -dc \"\\033\"' $GW explain savegame.dat";
    assert!(terminal(marks).text().len() > 100);
    assert_eq!(terminal(&format!("NO_COLOR=1 {marks}")).text(), "");
}

#[test]
fn the_exit_code_is_that_of_the_command() {
    if !has_terminal() {
        return;
    }
    for pager in ["cat > /dev/null", "exit 3", "true"] {
        let line = format!("GAMEWIRE_PAGER='{pager}' $GW");
        assert_eq!(terminal(&format!("{line} diff stream.dat savegame.dat")).code, 1, "{pager}");
        assert_eq!(terminal(&format!("{line} diff stream.dat stream.dat")).code, 0, "{pager}");
        assert_eq!(terminal(&format!("{line} help diff")).code, 0, "{pager}");
    }
    // Bad data is said after the pager.
    let ran = terminal(
        "head -c 200 savegame.dat | GAMEWIRE_PAGER='wc -l' $GW explain - -f godot-variant",
    );
    assert!(ran.code == 1 && ran.text().contains("expected a frame"), "{ran:?}");
}

#[test]
fn tables_fit_the_terminal_and_pipes_get_everything() {
    if !has_terminal() {
        return;
    }
    let explain = "explain ../kiwi-pclass/boss.message --form envelope \
                   --types ../kiwi-pclass/vectors/types/arena.json";
    let whole = run(explain);
    let widest = |text: &str| text.lines().map(|line| line.chars().count()).max().unwrap();
    let value = "Color { r: 255, g: 128, b: 0, a: 255 }\n";
    assert!(whole.text().contains(value), "{}", whole.text());
    for columns in [80, 100, 140] {
        let line = format!("COLUMNS={columns} NO_COLOR=1 $GW {explain} --no-pager");
        let ran = terminal(&line);
        assert!(widest(ran.text()) <= columns, "{}", ran.text());
        assert_eq!(ran.text().contains("…\n"), columns < 140, "{}", ran.text());
        assert_eq!(ran.text().contains(value), columns == 140, "{}", ran.text());
        assert_eq!(ran.text().lines().count(), whole.text().lines().count());
    }
    let line = "COLUMNS=60 $GW tree ../resonite-brson/lamp.brson --no-pager";
    assert!(widest(terminal(line).text()) <= 60);
}
