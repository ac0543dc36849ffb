//! Turn one request into one bounded reply, safely.
