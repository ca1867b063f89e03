#!/bin/bash -eu
# All targets are one program, which runs the target that it is called as. `tool` starts the tool and is left out: it
# would need a second program.
cd "$SRC/gamewire"
export RUSTFLAGS="${RUSTFLAGS:-} -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
 -Cllvm-args=-sanitizer-coverage-trace-compares"
target=x86_64-unknown-linux-gnu
cargo build --release --target "$target" --manifest-path crates/fuzz/Cargo.toml
program="crates/fuzz/target/$target/release/gamewire-fuzz"

for name in $("$program" | grep -vx tool); do
    cp "$program" "$OUT/$name"
    seeds=$(mktemp -d)
    FUZZ_TARGET=$name FUZZ_SEEDS=$seeds "$program" -runs=0 >/dev/null 2>&1
    if [ -d "testdata/fuzz/$name" ]; then
        cp "testdata/fuzz/$name"/* "$seeds"
    fi
    (cd "$seeds" && zip -qr "$OUT/${name}_seed_corpus.zip" .)
    printf '[libfuzzer]\nmax_len = 16384\ntimeout = 5\n' > "$OUT/$name.options"
done
