//! Chromium, over its pipe.

mod answer;
mod client;
mod dead_proxy;
mod flags;
mod page_script;
mod paused;
mod pipe;
mod process;
mod profile;
pub(crate) mod program;
pub(crate) mod renderer;
mod script_errors;
mod scrolling;
mod settle;
pub(crate) mod start;
mod tab;
mod watch;
