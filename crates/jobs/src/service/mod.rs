//! The nightly service: jobs by the clock, what they publish, and whom they tell.

mod alone;
mod announce;
mod answers;
mod changes;
mod check;
mod clock;
mod further;
mod ledger;
mod letters;
mod live;
mod lived_again;
mod news;
mod night;
mod night_state;
mod nightly;
mod orders;
mod outage;
mod plan;
mod post;
mod postman;
mod rivals;
mod test_messages;
mod unsent;
mod view;

pub use alone::alone;
pub use check::check;
pub use clock::Clock;
pub use ledger::Ledger;
pub use night::{Keeping, Kept};
pub use night_state::NightState;
pub use nightly::{Nightly, Orders};
pub use orders::{OrdersError, link, plan, state_root};
pub use plan::{Plan, ReadInput};
pub use postman::{Whose, deliver};
pub use test_messages::{Tested, test_messages};
pub use view::{Denied, Figures, JobStanding, JobView, Live, NightCounts, NightView, Outage, Phase, Service};
