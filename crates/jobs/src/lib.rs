//! Wire a crawl from settings; run it; say what happened.
