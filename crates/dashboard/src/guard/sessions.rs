//! Sessions of browsers, in memory, limited in number and time.

use super::random;
use crate::access::Credential;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Lifetime of a session.
pub(crate) const AGE: Duration = Duration::from_secs(12 * 60 * 60);
/// Maximum number of sessions; the oldest makes room.
const MAX_SESSIONS: usize = 512;

/// The session of a browser.
#[derive(Clone)]
pub(crate) struct Session {
    /// The credential of the login.
    pub(crate) credential: Credential,
    /// The CSRF token of this session's forms.
    pub(crate) csrf: String,
    until: Instant,
}

/// All sessions, by their random identifiers.
#[derive(Default)]
pub(crate) struct Sessions(Mutex<HashMap<String, Session>>);

impl Sessions {
    /// Begins a session and returns its identifier, or `None` where the system has no random bytes.
    pub(crate) fn begin(&self, credential: Credential) -> Option<String> {
        let session = Session { credential, csrf: random::text()?, until: Instant::now() + AGE };
        let id = random::text()?;
        let mut all = self.all();
        let now = Instant::now();
        all.retain(|_, session| session.until > now);
        while all.len() >= MAX_SESSIONS {
            let oldest = all.iter().min_by_key(|(_, session)| session.until).map(|(id, _)| id.clone());
            oldest.and_then(|id| all.remove(&id));
        }
        all.insert(id.clone(), session);
        Some(id)
    }

    /// The session of an identifier.
    pub(crate) fn find(&self, id: &str) -> Option<Session> {
        self.all().get(id).filter(|session| session.until > Instant::now()).cloned()
    }

    /// Ends a session.
    pub(crate) fn end(&self, id: &str) {
        self.all().remove(id);
    }

    /// Ends the sessions whose credential is no longer admitted.
    pub(crate) fn keep(&self, is_taken: impl Fn(&Credential) -> bool) {
        self.all().retain(|_, session| is_taken(&session.credential));
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, Session>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_SESSIONS, Sessions};
    use crate::access::Credential;

    fn user(name: &str) -> Credential {
        Credential::User { name: name.to_owned(), hash: "hash".to_owned() }
    }

    #[test]
    fn a_session_is_known_until_it_ends() {
        let sessions = Sessions::default();
        let id = sessions.begin(user("a")).unwrap();
        let other = sessions.begin(Credential::Token("token".to_owned())).unwrap();
        let session = sessions.find(&id).unwrap();
        assert!(id.len() == 64 && id != other && session.csrf != id);
        assert_eq!(session.credential.name(), Some("a"));
        sessions.end(&id);
        assert!(sessions.find(&id).is_none() && sessions.find("").is_none() && sessions.find(&other).is_some());
    }

    #[test]
    fn sessions_end_with_what_they_were_let_in_by() {
        let sessions = Sessions::default();
        let [one, other] = ["a", "b"].map(|name| sessions.begin(user(name)).unwrap());
        sessions.keep(|credential| *credential == user("a"));
        assert!(sessions.find(&one).is_some() && sessions.find(&other).is_none());
    }

    #[test]
    fn the_oldest_makes_room() {
        let sessions = Sessions::default();
        let first = sessions.begin(user("a")).unwrap();
        for _ in 0..MAX_SESSIONS {
            sessions.begin(user("b")).unwrap();
        }
        assert!(sessions.find(&first).is_none());
        assert_eq!(sessions.all().len(), MAX_SESSIONS);
    }
}
