//! The switch itself, and what is told of the judgement.
