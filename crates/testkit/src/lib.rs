//! A fake web site on raw sockets with every bad habit, and assertions in the field's words.
