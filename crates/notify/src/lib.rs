//! Notifies people of the changes of a run by e-mail, webhook or Slack.
//!
//! [`message`] builds a [`Message`] from a [`RunEvent`], or nothing if nothing changed. [`Outbox`] stores it in the
//! caller's database until it is delivered; [`NotificationSender`] delivers it to a [`Channel`]. A delivery that was
//! interrupted may have arrived, so each one has an identity by which its receiver recognises a repetition: see
//! [`Outbox`].
//!
//! ```
//! use jiff::Timestamp;
//! use mapwright_notify::{Channel, Message, Outbox, NotificationSender, Undelivered};
//! use rusqlite::Connection;
//!
//! /// Records a run with its notification.
//! fn record(database: &mut Connection, message: &Message, channels: &[Channel]) -> rusqlite::Result<()> {
//!     let transaction = database.transaction()?;
//!     let labels: Vec<String> = channels.iter().map(Channel::label).collect();
//!     Outbox::put(&transaction, message, &labels, Timestamp::now())?;
//!     transaction.commit()
//! }
//!
//! /// Sends the due notifications. Call it at `Outbox::wakes_at`.
//! async fn send(database: &Connection, post: &NotificationSender, channels: &[Channel]) -> rusqlite::Result<()> {
//!     for mut notification in Outbox::due(database, None, Timestamp::now(), 10)? {
//!         if Outbox::begin(database, &mut notification, Timestamp::now())? {
//!             let result = match channels.iter().find(|channel| channel.label() == notification.channel) {
//!                 Some(channel) => post.deliver(channel, &notification.message).await,
//!                 None => Err(Undelivered { what: "no such channel is set".to_owned(), permanent: true, after: None }),
//!             };
//!             Outbox::settle(database, &notification, result.as_ref().copied(), Timestamp::now())?;
//!         }
//!     }
//!     Ok(())
//! }
//! ```

mod channel;
mod email;
mod event;
mod heartbeat;
mod json;
mod message;
mod outbox;
mod redelivery;
mod secret;
mod sender;
mod sender_error;
mod signature;
mod slack;
mod smtp;
mod smtp_stream;
mod text;
mod trust;
mod undelivered;
mod webhook;

pub use channel::{Channel, ChannelError};
pub use event::{EventKind, FindingChanges, FindingLine, MAX_EXAMPLES, PageSample, RunEvent};
pub use heartbeat::{Heartbeat, HeartbeatError};
pub use message::{MAX_SUBJECT, Message, message};
pub use outbox::{DeadLetter, Notification, OUTBOX_SCHEMA, Outbox};
pub use secret::{MAX_SECRET, Secret, SecretError};
pub use sender::{NotificationSender, SenderOptions};
pub use sender_error::SenderError;
pub use smtp::Smtp;
pub use undelivered::Undelivered;
