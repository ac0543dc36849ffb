//! Decide which URL is fetched next; remember which are known.
