//! Types of the standard library, and plain structs and enums.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::ffi::{CString, OsString};
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::{NonZeroI64, NonZeroU8, NonZeroU32, Wrapping};
use std::ops::{Bound, Range, RangeFrom, RangeInclusive, RangeTo};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32};
use std::sync::{Arc, Mutex, RwLock};
use std::time::{Duration, SystemTime};

use crate::table::{Table, rows, types};

types! {
    pub(crate) struct Pos {
        pub(crate) x: i32,
        pub(crate) y: i32,
    }
    struct Unit;
    struct Empty {}
    struct Meters(f64);
    struct Pair(i32, String);
    struct Wrap<T> { inner: T }
    struct Outer { name: String, pos: Pos, tags: Vec<String> }
    struct List { head: u8, next: Option<Box<List>> }
    struct Tree { name: String, children: Vec<Tree> }
    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    pub(crate) enum Color { Red, Green = 5, Blue }
    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    struct Key { a: u8, b: String }
    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    struct Id(u32);
    enum Newtypes { Number(i32), Text(String) }
    enum Tuples { Two(i32, i32), Three(u8, String, bool) }
    enum Structs { Circle { r: f64 }, Rect { w: f64, h: f64 } }
    enum Mixed { Nothing, One(i32), Two(u8, u8), Named { x: i32 } }
    enum Expr { Number(f64), Neg(Box<Expr>), Add(Box<Expr>, Box<Expr>) }
    struct Many {
        a: u8, b: i8, c: u16, d: i16, e: u32, f: i32, g: i64, h: f32, i: f64, j: bool,
        k: char, l: String, m: Option<u8>, n: Vec<u8>, o: (u8, i8), p: Pos, q: Color, r: [u8; 2],
    }
}

fn pos(x: i32, y: i32) -> Pos {
    Pos { x, y }
}

fn leaf(name: &str) -> Tree {
    Tree { name: name.into(), children: vec![] }
}

fn expr() -> Expr {
    Expr::Add(Expr::Number(1.5).into(), Expr::Neg(Expr::Number(2.0).into()).into())
}

fn map<K: Ord, V, const N: usize>(entries: [(K, V); N]) -> BTreeMap<K, V> {
    entries.into()
}

pub(crate) fn rows(table: &mut Table) {
    rows! { table;
        bool => true, false;
        u8 => 0, 1, 255;
        u16 => 0, u16::MAX;
        u32 => 0, 1 << 31, u32::MAX;
        u64 => 0, i64::MAX as u64, u64::MAX;
        i8 => 0, i8::MIN, i8::MAX;
        i16 => 0, i16::MIN, i16::MAX;
        i32 => 0, i32::MIN, i32::MAX;
        i64 => 0, i64::MIN, i64::MAX;
        usize => 0, 1 << 40;
        isize => 0, -(1 << 40);
        u128 => 0, u64::MAX.into(), u128::MAX;
        i128 => 0, i64::MIN.into(), i64::MAX.into(), i128::MIN, i128::MAX;
        f32 => 0.0, -0.0, 1.5, 0.1, f32::MIN_POSITIVE / 2.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY;
        f64 => 0.0, -0.0, 0.1, 1e300, 5e-324, 9_007_199_254_740_993.0, f64::NAN, f64::INFINITY;
        char => 'a', '\0', 'ß', '😀', '\u{feff}';
        String => "".into(), "a".into(), "ü\n\t\"\\".into(), "a\0b".into(), "\u{feff}x".into(), "😀".into(), "1".into();
        () => ();
        NonZeroU8 => NonZeroU8::MIN, NonZeroU8::MAX;
        NonZeroU32 => NonZeroU32::new(5).unwrap();
        NonZeroI64 => NonZeroI64::MIN, NonZeroI64::MAX;
        Wrapping<u32> => Wrapping(0), Wrapping(7);
        Reverse<i32> => Reverse(-3);
        PhantomData<u8> => PhantomData;
        AtomicU32 => AtomicU32::new(7);
        AtomicBool => AtomicBool::new(true);
        AtomicI64 => AtomicI64::new(-7);
        Cell<u32> => Cell::new(3);
        RefCell<Vec<u8>> => RefCell::new(vec![1]);
        Mutex<u32> => Mutex::new(3);
        RwLock<Pos> => RwLock::new(pos(1, 2));
        Box<u32> => Box::new(5);
        Box<str> => "text".into();
        Box<[u16]> => [1, 2].into();
        Rc<str> => "text".into();
        Rc<Pos> => Rc::new(pos(1, 2));
        Arc<[u8]> => [1, 2].into();
        Cow<'static, str> => "text".into();
        Cow<'static, [u8]> => vec![1, 2].into();

        Option<u32> => None, Some(0), Some(5);
        Option<bool> => None, Some(false), Some(true);
        Option<String> => None, Some("".into()), Some("a".into());
        Option<f64> => None, Some(0.0), Some(-1.5);
        Option<Vec<u8>> => None, Some(vec![]), Some(vec![1]);
        Option<Pos> => None, Some(pos(0, 0)), Some(pos(1, 2));
        Option<Box<Pos>> => None, Some(pos(0, 0).into());
        Option<Color> => None, Some(Color::Red), Some(Color::Blue);
        Option<Option<u32>> => None, Some(None), Some(Some(0)), Some(Some(5));
        Option<()> => None, Some(());
        Option<BTreeMap<String, u8>> => None, Some(map([])), Some(map([("a".into(), 1)]));
        Result<i32, String> => Ok(1), Err("no".into());

        Vec<u8> => vec![], vec![0, 255], vec![7; 300];
        Vec<i32> => vec![], vec![0, -1, i32::MAX];
        Vec<u64> => vec![1, 1 << 40];
        Vec<f32> => vec![0.5, -1.0], vec![f32::NAN, f32::INFINITY];
        Vec<f64> => vec![0.1, 1e300];
        Vec<bool> => vec![true, false];
        Vec<char> => vec!['a', '😀'];
        Vec<String> => vec![], vec!["".into(), "b".into()];
        Vec<()> => vec![(), ()];
        Vec<Vec<i32>> => vec![], vec![vec![], vec![1, 2]];
        Vec<Option<u32>> => vec![None, Some(1)];
        Vec<Option<Pos>> => vec![None, Some(pos(1, 2))];
        Vec<(i32, String)> => vec![(1, "a".into()), (2, "".into())];
        Vec<Pos> => vec![], vec![pos(0, 0), pos(1, 2)];
        Vec<Color> => vec![Color::Red, Color::Green];
        Vec<Mixed> => vec![Mixed::Nothing, Mixed::One(1), Mixed::Named { x: 2 }];
        VecDeque<u16> => VecDeque::from([1, 2]);
        LinkedList<u16> => LinkedList::from([1, 2]);
        BinaryHeap<u16> => BinaryHeap::from([2]);
        BTreeSet<String> => [].into(), ["a".to_owned(), "b".into()].into();
        BTreeSet<i32> => [-1, 2].into();
        HashSet<u8> => [].into(), [7].into();
        [u8; 4] => [1, 2, 3, 4];
        [u8; 32] => [9; 32];
        [i32; 0] => [];
        [f32; 3] => [0.5, 0.0, -1.0];
        [[f32; 3]; 3] => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        [String; 2] => ["a".into(), "".into()];
        [Option<u8>; 2] => [None, Some(1)];
        (i32,) => (5,);
        (i32, String) => (1, "a".into()), (0, "".into());
        (i32, (bool, f32), [u8; 2]) => (1, (true, 0.5), [1, 2]);
        (Pos, Option<Pos>) => (pos(1, 2), None);
        (u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8) => (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);

        BTreeMap<String, i32> => map([]), map([("".into(), 1), ("a".into(), -1)]);
        BTreeMap<String, String> => map([("a".into(), "b".into())]), map([("\u{feff}".into(), "".into())]);
        BTreeMap<String, Vec<u8>> => map([("a".into(), vec![]), ("b".into(), vec![1])]);
        BTreeMap<String, Option<u8>> => map([("a".into(), None), ("b".into(), Some(1))]);
        BTreeMap<String, Pos> => map([("a".into(), pos(1, 2))]);
        BTreeMap<String, Color> => map([("a".into(), Color::Green)]);
        BTreeMap<String, BTreeMap<String, u8>> => map([("a".into(), map([("b".into(), 1)]))]);
        BTreeMap<i32, String> => map([(-1, "a".into()), (2, "b".into())]);
        BTreeMap<u64, u8> => map([(1, 1)]), map([(u64::MAX, 1)]);
        BTreeMap<i8, u8> => map([(-1, 1)]);
        BTreeMap<bool, u8> => map([(false, 0), (true, 1)]);
        BTreeMap<char, u8> => map([('a', 1), ('ß', 2)]);
        BTreeMap<Color, u8> => map([(Color::Red, 1), (Color::Blue, 2)]);
        BTreeMap<Id, u8> => map([(Id(5), 1)]);
        BTreeMap<Key, u8> => map([(Key { a: 1, b: "b".into() }, 1)]);
        BTreeMap<(i32, i32), String> => map([((0, 1), "a".into())]);
        BTreeMap<Option<i32>, u8> => map([(Some(1), 1)]), map([(None, 0)]);
        BTreeMap<Vec<u8>, u8> => map([(vec![1, 2], 1)]);
        HashMap<String, i32> => [].into(), [("a".to_owned(), 1)].into();
        HashMap<u32, Vec<String>> => [(7, vec!["a".to_owned()])].into();
        HashMap<String, HashMap<u8, bool>> => [("a".to_owned(), [(1, true)].into())].into();

        Range<i32> => 0..5;
        RangeInclusive<u8> => 1..=9;
        RangeFrom<i64> => 3..;
        RangeTo<u32> => ..3;
        Bound<i32> => Bound::Unbounded, Bound::Included(1), Bound::Excluded(2);
        Duration => Duration::ZERO, Duration::new(1, 5), Duration::MAX;
        SystemTime => SystemTime::UNIX_EPOCH + Duration::new(1_700_000_000, 123);
        IpAddr => Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into();
        Ipv4Addr => Ipv4Addr::new(1, 2, 3, 4);
        Ipv6Addr => Ipv6Addr::LOCALHOST;
        SocketAddr => ([1, 2, 3, 4], 80).into(), (Ipv6Addr::LOCALHOST, 443).into();
        PathBuf => "".into(), "a/b.txt".into();
        OsString => "a".into();
        CString => c"".into(), c"text".into();

        Unit => Unit;
        Empty => Empty {};
        Meters => Meters(0.0), Meters(1.5);
        Pair => Pair(0, "".into()), Pair(1, "a".into());
        Pos => pos(0, 0), pos(1, -2);
        Wrap<u8> => Wrap { inner: 5 };
        Wrap<Vec<Wrap<u8>>> => Wrap { inner: vec![Wrap { inner: 5 }] };
        Outer => Outer { name: "".into(), pos: pos(0, 0), tags: vec![] }, Outer { name: "a".into(), pos: pos(1, 2), tags: vec!["b".into()] };
        List => List { head: 1, next: None }, List { head: 1, next: Some(List { head: 2, next: None }.into()) };
        Tree => leaf("a"), Tree { name: "".into(), children: vec![leaf("b"), leaf("c")] };
        Many => Many {
            a: 0, b: -1, c: 2, d: -3, e: 4, f: -5, g: -6, h: 0.5, i: 1.0 / 3.0, j: true, k: 'x', l: "l".into(),
            m: Some(1), n: vec![1], o: (1, -1), p: pos(1, -2), q: Color::Blue, r: [1, 0],
        };
        Color => Color::Red, Color::Green, Color::Blue;
        Newtypes => Newtypes::Number(0), Newtypes::Text("a".into());
        Tuples => Tuples::Two(0, 1), Tuples::Three(1, "a".into(), true);
        Structs => Structs::Circle { r: 0.5 }, Structs::Rect { w: 0.0, h: 1.0 };
        Mixed => Mixed::Nothing, Mixed::One(0), Mixed::Two(1, 2), Mixed::Named { x: 0 };
        Expr => expr(), Expr::Number(0.0);
        Box<Expr> => expr().into();
    }
}
