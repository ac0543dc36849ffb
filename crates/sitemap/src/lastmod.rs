//! Dates of sitemaps: W3C Datetime, the profile of ISO 8601 in a W3C note of 1997.

mod parse;

use std::fmt;

use jiff::civil::{Date, DateTime};
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

/// A W3C Datetime of any of its six precisions. It displays exactly as it was parsed.
///
/// ```
/// use mapwright_sitemap::Lastmod;
///
/// for text in ["2026", "2026-05", "2026-05-06", "2026-05-06T07:08+02:00", "2026-05-06T07:08:09.10Z"] {
///     let lastmod: Lastmod = text.parse()?;
///     assert_eq!(lastmod.to_string(), text);
/// }
/// assert!("2026-02-30".parse::<Lastmod>().is_err());
/// # Ok::<(), mapwright_sitemap::LastmodError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lastmod {
    /// `YYYY`, 1 to 9999.
    Year(i16),
    /// `YYYY-MM`.
    Month {
        /// 1 to 9999.
        year: i16,
        /// 1 to 12.
        month: i8,
    },
    /// `YYYY-MM-DD`.
    Day(Date),
    /// A date with a time of day and a zone.
    Instant(Moment),
}

/// A time of day on a date, in local time of some zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Moment {
    /// Date and time in the zone; components finer than `precision` are zero.
    pub local: DateTime,
    /// The zone designator.
    pub zone: Zone,
    /// The written precision of the time.
    pub precision: Precision,
}

/// The zone designator of a W3C Datetime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Zone {
    /// `Z`.
    Utc,
    /// `+hh:mm` or `-hh:mm`.
    Offset {
        /// The sign is a minus: `-00:00` is written differently from `+00:00`.
        west: bool,
        /// Minutes, 0 to 840.
        minutes: u16,
    },
}

/// The written precision of a time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    /// `hh:mm`.
    Minute,
    /// `hh:mm:ss`.
    Second,
    /// `hh:mm:ss.s…` with this many digits, 1 to 9.
    Fraction(u8),
}

/// The reason why a text is no W3C Datetime.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LastmodError {
    /// The text is empty.
    #[error("the date is empty: write it as YYYY-MM-DD or YYYY-MM-DDThh:mm:ss+hh:mm, or leave it out")]
    Empty,
    /// The text has none of the six forms.
    #[error("not a W3C date: write it as YYYY-MM-DD or YYYY-MM-DDThh:mm:ss+hh:mm")]
    Form,
    /// The form is right, but the day or time does not exist.
    #[error("no such date or time in the calendar: {0} is out of range")]
    Calendar(&'static str),
}

impl Lastmod {
    /// The W3C Datetime of an instant, in UTC and full seconds: `2026-05-06T07:08:09Z`.
    ///
    /// A fraction of a second is dropped; instants before the year 1 become its first second.
    pub fn at(instant: Timestamp) -> Self {
        let local = Offset::UTC.to_datetime(instant);
        let local = local.with().subsec_nanosecond(0).build().unwrap_or(local);
        let local = local.max(DateTime::constant(1, 1, 1, 0, 0, 0, 0));
        Self::Instant(Moment { local, zone: Zone::Utc, precision: Precision::Second })
    }

    /// The first instant that the text may mean.
    ///
    /// A date without a zone begins 14 hours before UTC, where the day begins first on Earth, so a date is in the
    /// future only if it is so in every zone. Clamped to the range of [`Timestamp`].
    pub fn earliest(&self) -> Timestamp {
        /// The largest offset from UTC in use (Line Islands, UTC+14).
        const EASTERNMOST: SignedDuration = SignedDuration::from_hours(14);
        let day = |date: Date| instant_of(date.at(0, 0, 0, 0), EASTERNMOST);
        match *self {
            Self::Year(year) => day(Date::new(year, 1, 1).unwrap_or(Date::MIN)),
            Self::Month { year, month } => day(Date::new(year, month, 1).unwrap_or(Date::MIN)),
            Self::Day(date) => day(date),
            Self::Instant(moment) => moment.timestamp(),
        }
    }

    /// The instant, or `None` for a date without a time.
    pub fn instant(&self) -> Option<Timestamp> {
        match self {
            Self::Instant(moment) => Some(moment.timestamp()),
            _ => None,
        }
    }
}

impl Moment {
    /// The instant, clamped to the range of [`Timestamp`] (the last day of 9999 is beyond).
    pub fn timestamp(&self) -> Timestamp {
        instant_of(self.local, self.zone.ahead_of_utc())
    }
}

impl Zone {
    fn ahead_of_utc(self) -> SignedDuration {
        match self {
            Self::Utc => SignedDuration::ZERO,
            Self::Offset { west: false, minutes } => SignedDuration::from_mins(i64::from(minutes)),
            Self::Offset { west: true, minutes } => -SignedDuration::from_mins(i64::from(minutes)),
        }
    }
}

fn instant_of(local: DateTime, ahead: SignedDuration) -> Timestamp {
    let utc = local.saturating_sub(ahead);
    let clamped = if utc.year() > 0 { Timestamp::MAX } else { Timestamp::MIN };
    Offset::UTC.to_timestamp(utc).unwrap_or(clamped)
}

impl From<Date> for Lastmod {
    fn from(date: Date) -> Self {
        Self::Day(date)
    }
}

impl fmt::Display for Lastmod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Year(year) => write!(f, "{year:04}"),
            Self::Month { year, month } => write!(f, "{year:04}-{month:02}"),
            Self::Day(date) => write!(f, "{:04}-{:02}-{:02}", date.year(), date.month(), date.day()),
            Self::Instant(moment) => moment.fmt(f),
        }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = &self.local;
        write!(f, "{:04}-{:02}-{:02}T{:02}:{:02}", at.year(), at.month(), at.day(), at.hour(), at.minute())?;
        match self.precision {
            Precision::Minute => {}
            Precision::Second => write!(f, ":{:02}", at.second())?,
            Precision::Fraction(digits) => {
                let digits = u32::from(digits.clamp(1, 9));
                let fraction = at.subsec_nanosecond() / 10_i32.pow(9 - digits);
                write!(f, ":{:02}.{fraction:0width$}", at.second(), width = digits as usize)?;
            }
        }
        self.zone.fmt(f)
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Utc => f.write_str("Z"),
            Self::Offset { west, minutes } => {
                let sign = if *west { '-' } else { '+' };
                write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
            }
        }
    }
}
