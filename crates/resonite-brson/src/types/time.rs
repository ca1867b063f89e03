//! Points in time and their ISO 8601 text.

use std::fmt;

use super::DateTime;
use crate::error::{Error, Result};

const DAY: i64 = 86_400_000;
/// Days from 1 March of year 0 to 1970.
const TO_1970: i64 = 719_468;
/// Days in 400 years.
const ERA: i64 = 146_097;

impl DateTime {
    /// Reads `2026-08-12T19:56:01.234Z`: a date, or a date and a time of day in UTC or with an
    /// offset. Digits after the milliseconds are cut off. `None` where it is something else.
    pub fn parse(text: &str) -> Option<DateTime> {
        let (date, time) = match text.split_once(['T', 't', ' ']) {
            Some((date, time)) => (date, Some(time)),
            None => (text, None),
        };
        let days = parse_date(date)?;
        let millis = time.map_or(Some(0), parse_time)?;
        days.checked_mul(DAY)?.checked_add(millis).map(DateTime)
    }

    /// Year, month and day.
    #[allow(clippy::arithmetic_side_effects, reason = "an i64 of milliseconds is few days")]
    pub(crate) fn date(self) -> (i64, i64, i64) {
        let days = self.0.div_euclid(DAY) + TO_1970;
        let (era, day) = (days.div_euclid(ERA), days.rem_euclid(ERA));
        // Leap days fall on each 4th, not on each 100th, and on each 400th year.
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let year_day = day - days_before(year);
        // Months from March on have 153 days in each five.
        let month = (year_day * 5 + 2) / 153;
        let day = year_day - (month * 153 + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        (era * 400 + year + i64::from(month <= 2), month, day)
    }
}

/// Days from 1 March of year 0 to 1 March of a year of the first 400.
#[allow(clippy::arithmetic_side_effects, reason = "years of three digits")]
fn days_before(year: i64) -> i64 {
    year * 365 + year / 4 - year / 100
}

fn digits(text: &str, len: usize) -> Option<i64> {
    let plain = text.len() == len && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}

/// Days since 1970.
#[allow(clippy::arithmetic_side_effects, reason = "numbers of at most nine digits")]
fn parse_date(text: &str) -> Option<i64> {
    let (negative, unsigned) = match text.strip_prefix(['+', '-']) {
        Some(rest) => (text.starts_with('-'), rest),
        None => (false, text),
    };
    let mut parts = unsigned.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || !(4..=9).contains(&year.len()) {
        return None;
    }
    let year = digits(year, year.len())?;
    let year = if negative { -year } else { year };
    let (month, day) = (digits(month, 2)?, digits(day, 2)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let year_from_march = year - i64::from(month <= 2);
    let (era, in_era) = (year_from_march.div_euclid(400), year_from_march.rem_euclid(400));
    let before_month = ((month + 9) % 12 * 153 + 2) / 5;
    let days = era * ERA + days_before(in_era) + before_month + day - 1 - TO_1970;
    // 30 February comes out as another day.
    let same = DateTime(days.checked_mul(DAY)?).date() == (year, month, day);
    same.then_some(days)
}

/// Milliseconds since midnight UTC.
#[allow(clippy::arithmetic_side_effects, reason = "numbers of two digits")]
fn parse_time(text: &str) -> Option<i64> {
    let zone_at = text.find(['Z', 'z', '+', '-'])?;
    let (clock, zone) = text.split_at_checked(zone_at)?;
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    if fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let millis: i64 = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
    let mut parts = clock.split(':');
    let hour = digits(parts.next()?, 2)?;
    let minute = digits(parts.next()?, 2)?;
    let second = parts.next().map_or(Some(0), |part| digits(part, 2))?;
    if parts.next().is_some() || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let offset = match zone {
        "Z" | "z" => 0,
        _ => {
            let (hours, minutes) = zone.get(1..)?.split_once(':')?;
            let minutes = digits(hours, 2)? * 60 + digits(minutes, 2)?;
            if zone.starts_with('-') { -minutes } else { minutes }
        }
    };
    Some(((hour * 60 + minute - offset) * 60 + second) * 1000 + millis)
}

impl fmt::Display for DateTime {
    /// ISO 8601 in UTC; years outside of 0 to 9999 with a sign and six digits or more.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.date();
        let time = self.0.rem_euclid(DAY);
        if (0..=9999).contains(&year) {
            write!(f, "{year:04}")?;
        } else {
            write!(f, "{year:+07}")?;
        }
        let (hour, minute) = (time / 3_600_000, time / 60_000 % 60);
        let (second, millis) = (time / 1000 % 60, time % 1000);
        write!(f, "-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        if millis != 0 {
            write!(f, ".{millis:03}")?;
        }
        f.write_str("Z")
    }
}

impl From<std::time::SystemTime> for DateTime {
    /// Rounds down to milliseconds.
    fn from(time: std::time::SystemTime) -> Self {
        let millis = |duration: std::time::Duration, round: u128| {
            i64::try_from(duration.as_nanos().saturating_add(round) / 1_000_000).unwrap_or(i64::MAX)
        };
        DateTime(match time.duration_since(std::time::UNIX_EPOCH) {
            Ok(after) => millis(after, 0),
            Err(before) => millis(before.duration(), 999_999).saturating_neg(),
        })
    }
}

impl TryFrom<DateTime> for std::time::SystemTime {
    type Error = Error;

    fn try_from(time: DateTime) -> Result<Self> {
        let span = std::time::Duration::from_millis(time.0.unsigned_abs());
        let epoch = std::time::UNIX_EPOCH;
        let time = if time.0 < 0 { epoch.checked_sub(span) } else { epoch.checked_add(span) };
        time.ok_or_else(|| Error::range("expected a time that this system has, found another"))
    }
}
