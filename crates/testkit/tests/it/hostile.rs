use gamewire_testkit::hostile::{
    self, Case, Hostile, Limits, SplitMix64, Verdict, measure, mutate,
};
use gamewire_testkit::on_small_stack;

/// What `finish` says, or that it says nothing.
fn failure(
    run: impl FnOnce(&mut Hostile<'_>) + Send,
    decode: fn(&[u8]) -> Result<(), String>,
) -> String {
    on_small_stack(move || {
        let mut hostile = Hostile::new(decode);
        run(&mut hostile);
        hostile.finish()
    })
    .err()
    .unwrap_or_default()
}

fn refuse(_: &[u8]) -> Result<(), String> {
    Err("no".to_owned())
}

fn accept(_: &[u8]) -> Result<(), String> {
    Ok(())
}

#[test]
fn the_generator_gives_the_published_numbers() {
    // The first outputs of the reference implementation for the seed 1234567.
    let mut rng = SplitMix64::new(1_234_567);
    let first: Vec<u64> = (0..5).map(|_| rng.next_u64()).collect();
    assert_eq!(
        first,
        [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821
        ]
    );
    assert!((0..1_000).all(|_| rng.below(3) < 3) && rng.below(0) == 0);
    assert_eq!(SplitMix64::new(1).bytes(11).len(), 11);
}

#[test]
fn peak_and_count_are_those_of_this_thread() {
    let noise = std::thread::spawn(|| (0..100).map(|_| vec![0u8; 1 << 20].len()).sum::<usize>());
    let spent = measure(&[], |_| {
        let a = vec![1u8; 1000];
        drop(a);
        let b = vec![1u8; 600];
        let c = vec![1u8; 700];
        Ok::<_, String>((b, c))
    });
    assert_eq!((spent.peak, spent.allocations, spent.verdict), (1300, 3, Verdict::Accepted));
    noise.join().unwrap();
    // A measurement after a panic starts from nothing.
    let spent = measure(&[], |_| -> Result<(), String> { panic!("boom {}", 1) });
    assert_eq!(spent.verdict, Verdict::Panicked("boom 1".into()));
    let spent = measure(&[], |_| Err::<(), _>("text of 16 bytes".to_owned()));
    assert!(spent.peak >= 16 && spent.peak < 200, "{spent:?}");
}

#[test]
fn a_growing_vector_counts_old_and_new() {
    let spent = measure(&[], |_| {
        let mut v = Vec::with_capacity(1000);
        v.resize(1000, 1u8);
        v.reserve_exact(1000);
        Ok::<_, String>(v)
    });
    assert_eq!(spent.peak, 3000);
}

#[test]
fn panics_are_failures() {
    let message = failure(|h| h.case("x", &[1, 2]), |bytes| panic!("at {}", bytes[1]));
    assert_eq!(message, "1 failures\nx: panicked: at 2 [0102]");
}

#[test]
fn too_much_memory_is_a_failure() {
    fn decode(bytes: &[u8]) -> Result<(), String> {
        let claim = u32::from_le_bytes(bytes.try_into().unwrap()) as usize;
        drop(Vec::<u8>::with_capacity(claim.min(65_536 + 64 * 4 + 1)));
        Err("short".into())
    }
    let message = failure(|h| h.cases("claims", hostile::length_claims(hostile::u32_le)), decode);
    assert!(message.starts_with("3 failures\nlength claim 0x7fffffff: peak of "), "{message}");
    let limits = Limits { base: 1 << 20, ..Limits::default() };
    let mut wide = Hostile::new(decode).limits(limits);
    wide.cases("claims", hostile::length_claims(hostile::u32_le));
    let summary = wide.finish();
    assert_eq!((summary.cases, summary.accepted), (5, 0));
    assert!(summary.highest_share > 0.06 && summary.highest_share < 0.07, "{summary:?}");
    let shown =
        "5 cases, 0 accepted, at most 6 % of the allowed memory, by length claim 0x7fffffff";
    assert_eq!(summary.to_string(), shown);
}

#[test]
fn expectations_are_checked() {
    assert_eq!(failure(|h| h.refused("x", &[1]), accept), "1 failures\nx: was accepted [01]");
    assert_eq!(failure(|h| h.accepted("x", &[]), refuse), "1 failures\nx: was refused: no []");
    assert_eq!(failure(|h| h.sample("x", &[]), accept), "");
    assert!(failure(|h| h.sample("x", &[5]), accept).starts_with("1 failures\nx, first 0 of 1"));
    let silent = failure(|h| h.case("x", &[]), |_| Err(String::new()));
    assert_eq!(silent, "1 failures\nx: the error has no text []");
}

#[test]
fn a_long_list_is_cut() {
    let message = failure(|h| h.random(1, 50, 400), |_| panic!("no"));
    assert!(message.starts_with("50 failures\n"));
    assert_eq!(message.lines().count(), 21);
    assert!(message.lines().any(|line| line.ends_with(" bytes]")));
}

#[test]
fn a_run_that_is_not_finished_fails() {
    let message = on_small_stack(|| drop(Hostile::new(accept)));
    assert!(message.unwrap_err().starts_with("Hostile::finish was not called"));
}

#[test]
fn quadratic_time_is_a_failure() {
    fn linear(bytes: &[u8]) -> Result<(), String> {
        let sum = bytes.iter().fold(0u64, |sum, &byte| std::hint::black_box(sum + u64::from(byte)));
        Err(sum.to_string())
    }
    fn quadratic(bytes: &[u8]) -> Result<(), String> {
        let pairs = bytes.iter().map(|a| bytes.iter().filter(|b| *b != a).count());
        Err(std::hint::black_box(pairs.sum::<usize>()).to_string())
    }
    assert_eq!(failure(|h| h.linear("zeros", 1 << 12, |n| vec![0; n]), linear), "");
    let message = failure(|h| h.linear("zeros", 64, |n| vec![0; n]), quadratic);
    assert!(message.starts_with("1 failures\nzeros: "), "{message}");
    // A decoder that refuses at once has no time to measure, and that is fine.
    assert_eq!(failure(|h| h.linear("zeros", 1 << 20, |n| vec![0; n]), refuse), "");
}

#[test]
fn nesting_is_exact() {
    assert_eq!(hostile::nest(3, b"[", b"1", b"]"), b"[[[1]]]");
    assert_eq!(hostile::nest(100_000, b"[", b"", b"").len(), 100_000);
    // Each head is the number of bytes that follow it up to the end of its tail.
    let bytes = hostile::nest_sized(3, &[9], &[0], |len| vec![len as u8 + 1]);
    assert_eq!(bytes, [6, 4, 2, 9, 0, 0, 0]);
    assert_eq!(
        hostile::nest_sized(100_000, &[], &[0], |len| (len as u32).to_le_bytes().to_vec()).len(),
        500_000
    );
}

#[test]
fn claims_are_those_that_fit() {
    let claims = hostile::length_claims(|n| Some([&[7], &*hostile::u32_le(n)?].concat()));
    assert_eq!((claims.len(), claims[1].name.as_str()), (5, "length claim 0xffff"));
    assert_eq!(claims[1].bytes, [7, 0xff, 0xff, 0, 0]);
    assert_eq!(hostile::length_claims(|n| Some(n.to_le_bytes().to_vec())).len(), 10);
}

#[test]
fn sweeps_are_complete_and_repeatable() {
    let prefixes: Vec<Case> = hostile::truncations("s", b"abc").collect();
    assert_eq!(prefixes.iter().map(|c| &c.bytes[..]).collect::<Vec<_>>(), [&b""[..], b"a", b"ab"]);
    let mut flips: Vec<Vec<u8>> = hostile::bit_flips("s", b"ab").map(|c| c.bytes).collect();
    assert!(flips.iter().all(|f| (f[0] ^ b'a').count_ones() + (f[1] ^ b'b').count_ones() == 1));
    flips.sort();
    flips.dedup();
    assert_eq!(flips.len(), 16);
    let mutants = |seed| {
        hostile::mutations("s", b"some sample", seed, 500).map(|c| c.bytes).collect::<Vec<_>>()
    };
    assert_eq!(mutants(3), mutants(3));
    assert_ne!(mutants(3), mutants(4));
    assert!(mutants(3).iter().filter(|m| **m != b"some sample").count() > 450);
    let mut rng = SplitMix64::new(9);
    assert!((0..100).all(|_| mutate(&mut rng, b"").len() < 64));
    let random: Vec<Case> = hostile::random_bytes(5, 100, 10).collect();
    assert!(random.iter().all(|c| c.bytes.len() < 10) && random.iter().any(|c| c.bytes.len() > 7));
}
