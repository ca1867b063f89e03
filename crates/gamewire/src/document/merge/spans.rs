//! Where the children of three containers stand that are not the same in all.

use std::iter;
use std::ops::Range;

use super::Side;
use super::table::Origin;
use crate::document::diff::Hunks;
use crate::document::path::Step;

/// Children of BASE, OURS and THEIRS, each in a list.
pub(super) type Lists<T> = [Vec<T>; 3];

/// Their positions, between runs that are the same in all.
pub(super) struct Spans(Vec<Span>);

/// A hunk: the position and the number of its children in BASE, OURS and THEIRS.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) at: [usize; 3],
    lens: [usize; 3],
}

impl Spans {
    /// Takes hunks apart.
    pub(super) fn of<N>(hunks: Hunks<N, 3>) -> (Spans, Lists<(Step, N)>) {
        let mut lists = [const { Vec::new() }; 3];
        let mut spans = Vec::new();
        for hunk in hunks.hunks {
            spans.push(Span { at: hunk.at, lens: hunk.children.each_ref().map(Vec::len) });
            lists.iter_mut().zip(hunk.children).for_each(|(all, own)| all.extend(own));
        }
        (Spans(spans), lists)
    }

    fn iter(&self) -> impl Iterator<Item = Span> {
        self.0.iter().copied()
    }

    /// Whether there are as many of each in all hunks.
    pub(super) fn are_even(&self) -> bool {
        self.iter().all(|Span { lens: [base, ours, theirs], .. }| base == ours && base == theirs)
    }

    /// The runs of OURS before, between and after the hunks.
    pub(super) fn runs(&self) -> impl Iterator<Item = Range<usize>> {
        let ends = self.iter().map(|Span { at: [_, at, _], lens: [_, len, _] }| at + len);
        let starts = self.iter().map(|Span { at: [_, at, _], .. }| at);
        iter::once(0).chain(ends).zip(starts.chain([usize::MAX])).map(|(from, to)| from..to)
    }

    /// The elements of three lists in each hunk.
    pub(super) fn parts<'l, T>(
        &self,
        lists: &'l Lists<T>,
    ) -> impl Iterator<Item = (Span, [&'l [T]; 3])> {
        let mut left = lists.each_ref().map(Vec::as_slice);
        self.iter().map(move |span| {
            let mut lens = span.lens.into_iter();
            let parts = left.each_mut().map(|left| {
                let split = lens.next().and_then(|len| left.split_at_checked(len));
                debug_assert!(split.is_some(), "the spans are of these lists");
                let (own, rest) = split.unwrap_or_default();
                *left = rest;
                own
            });
            (span, parts)
        })
    }

    /// The positions of the children in one of the three, hunk by hunk, with the run between it and the last one.
    pub(super) fn places(
        &self,
        origin: Origin,
    ) -> impl Iterator<Item = (Option<Range<usize>>, Range<usize>)> {
        let runs = iter::once(None).chain(self.runs().skip(1).map(Some));
        runs.zip(self.iter()).map(move |(run, span)| {
            let ([base, ours, theirs], [base_len, our_len, their_len]) = (span.at, span.lens);
            let (at, len) = match origin {
                None => (base, base_len),
                Some(Side::Ours) => (ours, our_len),
                Some(Side::Theirs) => (theirs, their_len),
            };
            (run, at..at + len)
        })
    }
}
