//! Sessions of browsers: in memory, few, and not for long.

use crate::door::Role;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a session lasts.
pub(crate) const AGE: Duration = Duration::from_secs(12 * 60 * 60);
/// How many there are at most; the oldest makes room.
const MOST: usize = 512;

/// A browser that is known.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    /// Who logged in; nobody in particular where nobody is asked.
    pub(crate) name: Option<String>,
    pub(crate) role: Role,
    /// What forms of this session must carry.
    pub(crate) csrf: String,
    until: Instant,
}

/// All sessions, by their random identifiers.
#[derive(Debug, Default)]
pub(crate) struct Sessions(Mutex<HashMap<String, Session>>);

impl Sessions {
    /// Begins a session and gives its identifier, or nothing where the system has no random bytes.
    pub(crate) fn begin(&self, name: Option<String>, role: Role) -> Option<(String, Session)> {
        let session = Session { name, role, csrf: secret()?, until: Instant::now() + AGE };
        let id = secret()?;
        let mut all = self.all();
        let now = Instant::now();
        all.retain(|_, session| session.until > now);
        while all.len() >= MOST {
            let oldest = all.iter().min_by_key(|(_, session)| session.until).map(|(id, _)| id.clone());
            oldest.and_then(|id| all.remove(&id));
        }
        all.insert(id.clone(), session.clone());
        Some((id, session))
    }

    /// The session of an identifier.
    pub(crate) fn find(&self, id: &str) -> Option<Session> {
        self.all().get(id).filter(|session| session.until > Instant::now()).cloned()
    }

    /// Ends a session.
    pub(crate) fn end(&self, id: &str) {
        self.all().remove(id);
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, Session>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// 32 random bytes in hexadecimal.
fn secret() -> Option<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).ok()?;
    Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::{MOST, Sessions};
    use crate::door::Role;

    #[test]
    fn a_session_is_known_until_it_ends() {
        let sessions = Sessions::default();
        let (id, session) = sessions.begin(Some("a".into()), Role::Reader).unwrap();
        let (other, _) = sessions.begin(None, Role::Operator).unwrap();
        assert!(id.len() == 64 && id != other && session.csrf != id);
        assert_eq!(sessions.find(&id).unwrap().name.as_deref(), Some("a"));
        sessions.end(&id);
        assert!(sessions.find(&id).is_none() && sessions.find("").is_none() && sessions.find(&other).is_some());
    }

    #[test]
    fn the_oldest_makes_room() {
        let sessions = Sessions::default();
        let (first, _) = sessions.begin(None, Role::Reader).unwrap();
        for _ in 0..MOST {
            sessions.begin(None, Role::Reader).unwrap();
        }
        assert!(sessions.find(&first).is_none());
        assert_eq!(sessions.all().len(), MOST);
    }
}
