//! `cargo xtask soak`: the servers of `crates/fuzz/soak`, with clients that play and clients that attack.

use std::path::Path;

use crate::bench;
use crate::process::{self, Outcome, built_one};

const HEAD: &str = "\
## Servers under attack

`cargo xtask soak`: 200 clients that play, five calls a second each at moments of their own, and 20 of each kind that
attacks, on one machine, over loopback. Peace and attack are of one length, and measured in the same way.

- Server, players and attackers are three processes. The attackers' one runs when no other would: it shares the
  processors with what is measured, and its own computing is not. What it packs is made once. *Idle* is what was left of
  all processors: where there is some, attackers were not held back.
- *Half*, *99 of 100*, *worst*: the time that so many of the answers took at most. *Work* and *idle*: 100 % is one
  processor. *Memory* is what is resident; see [a server that holds](how-to/server.md).
";

pub(crate) fn run(root: &Path, server: Option<&str>, seconds: u64) -> Outcome {
    let mut build = process::cargo(root);
    build.args(["build", "--release", "--manifest-path", "crates/fuzz/soak/Cargo.toml"]);
    let program = built_one(&mut build)?;
    let mut soak = process::command(&program, root);
    let mut table = String::new();
    let rows = |line: &str| table.extend(line.starts_with('|').then(|| format!("{line}\n")));
    let held = process::run_lines(soak.args(server).arg(seconds.to_string()), rows)?;
    if server.is_none() && held {
        bench::rewrite(root, "soak", &format!("{HEAD}\n{table}"))?;
    }
    Ok(held)
}
