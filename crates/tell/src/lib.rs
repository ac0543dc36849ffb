//! Tell people what changed in a night: by e-mail, webhook or Slack.
//!
//! [`message`] makes a [`Message`] of a [`Night`], or nothing where nothing changed. [`Outbox`] keeps it in the caller's
//! database until it is delivered; [`Post`] delivers it to a [`Channel`]. Every delivery can be recognised by its
//! receiver, since one that was cut off may have arrived: see [`Outbox`].
//!
//! ```
//! use jiff::Timestamp;
//! use mapwright_tell::{Channel, Message, Outbox, Post, Undelivered};
//! use rusqlite::Connection;
//!
//! /// When the night is recorded.
//! fn record(database: &mut Connection, message: &Message, channels: &[Channel]) -> rusqlite::Result<()> {
//!     let transaction = database.transaction()?;
//!     let labels: Vec<String> = channels.iter().map(Channel::label).collect();
//!     Outbox::put(&transaction, message, &labels, Timestamp::now())?;
//!     transaction.commit()
//! }
//!
//! /// Whenever the clock is at `Outbox::wakes_at`.
//! async fn send(database: &Connection, post: &Post, channels: &[Channel]) -> rusqlite::Result<()> {
//!     for mut letter in Outbox::due(database, None, Timestamp::now(), 10)? {
//!         if Outbox::begin(database, &mut letter, Timestamp::now())? {
//!             let result = match channels.iter().find(|channel| channel.label() == letter.channel) {
//!                 Some(channel) => post.deliver(channel, &letter.message).await,
//!                 None => Err(Undelivered { what: "no such channel is set".to_owned(), lasting: true, after: None }),
//!             };
//!             Outbox::settle(database, &letter, result.as_ref().copied(), Timestamp::now())?;
//!         }
//!     }
//!     Ok(())
//! }
//! ```

mod backoff;
mod channel;
mod email;
mod heartbeat;
mod json;
mod mail;
mod message;
mod night;
mod outbox;
mod post;
mod secret;
mod signature;
mod slack;
mod talk;
mod text;
mod trust;
mod undelivered;
mod visible;
mod webhook;

pub use channel::{Channel, ChannelError};
pub use heartbeat::{Heartbeat, HeartbeatError};
pub use mail::{Smtp, Tls};
pub use message::{MOST_SUBJECT, Message, message};
pub use night::{FindingChanges, FindingLine, Listing, MOST_EXAMPLES, Night, NightOutcome};
pub use outbox::{Letter, Lost, OUTBOX_SCHEMA, Outbox};
pub use post::{Post, PostError, PostOptions};
pub use secret::{MOST_SECRET, Secret, SecretError};
pub use undelivered::Undelivered;
