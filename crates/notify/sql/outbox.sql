-- Messages; each is stored once, however many channels it goes to.
CREATE TABLE outbox_message (
    id TEXT PRIMARY KEY,
    job TEXT NOT NULL,
    scheduled_for INTEGER NOT NULL,
    subject TEXT NOT NULL,
    text TEXT NOT NULL,
    json TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One message to one channel. Times are milliseconds since 1970. `state` is waiting, delivered or given up; `next` is
-- when a waiting one is to be tried (again); `tried` is when the last attempt began, and `error` how the last one that
-- was settled ended. `tries` counts attempts begun: one that no crash interrupted was settled as well.
CREATE TABLE outbox_notification (
    number INTEGER PRIMARY KEY,
    message TEXT NOT NULL REFERENCES outbox_message (id),
    channel TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'given up')),
    put INTEGER NOT NULL,
    next INTEGER NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    tried INTEGER,
    settled INTEGER,
    error TEXT,
    UNIQUE (message, channel)
) STRICT;

CREATE INDEX outbox_notification_waiting ON outbox_notification (next) WHERE state = 'waiting';
