//! A server on loopback that answers fixed paths and counts connections.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::Mutex;
use std::thread;

/// Complete responses, as raw bytes, by path.
pub(crate) struct Server {
    pub(crate) base: String,
    answers: Arc<Mutex<HashMap<String, String>>>,
    paths: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Serves `answers` on this address, on a free port; `@B@` in a response stands for the server's URL.
    pub(crate) fn new(address: &str, answers: &[(&str, String)]) -> Server {
        let listener = TcpListener::bind((address, 0)).unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let answers: HashMap<String, String> =
            answers.iter().map(|(path, answer)| ((*path).to_owned(), expanded(answer, &base))).collect();
        let answers = Arc::new(Mutex::new(answers));
        let paths = Arc::new(Mutex::new(Vec::new()));
        let (served, seen) = (answers.clone(), paths.clone());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let path = requested(&stream);
                seen.lock().unwrap().push(path.clone());
                let missing = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_owned();
                let answer = served.lock().unwrap().get(&path).cloned().unwrap_or(missing);
                let _ = (&stream).write_all(answer.as_bytes());
            }
        });
        Server { base, answers, paths }
    }

    /// Adds a response from now on.
    pub(crate) fn answer(&self, path: &str, answer: &str) {
        self.answers.lock().unwrap().insert(path.to_owned(), expanded(answer, &self.base));
    }

    /// The requested paths, in order.
    pub(crate) fn paths(&self) -> Vec<String> {
        self.paths.lock().unwrap().clone()
    }
}

/// Fills in the server's address and the length of the body.
fn expanded(answer: &str, base: &str) -> String {
    let answer = answer.replace("@B@", base);
    let length = answer.split_once("\r\n\r\n").map_or(0, |(_, body)| body.len());
    answer.replace("@L@", &length.to_string())
}

fn requested(stream: &TcpStream) -> String {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let path = lines.next().unwrap_or_default().split(' ').nth(1).unwrap_or_default().to_owned();
    lines.take_while(|line| !line.is_empty()).for_each(drop);
    path
}

/// A 200 with this body; `@L@` stands for its length.
pub(crate) fn ok(body: &str) -> String {
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\nContent-Length: @L@\r\nConnection: close\r\n\r\n{body}"
    )
}

/// A 302 to this location.
pub(crate) fn redirect(location: &str) -> String {
    format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
}
