//! A real S3 server, shared by the tests of this program, and a reader of a bucket.

use mapwright_publish::mirror::{MirrorOptions, MirrorTarget};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

/// The server ends with this program, when its standard input is closed.
struct Server {
    port: u16,
    _process: Child,
}

static SERVER: OnceLock<Server> = OnceLock::new();

fn server() -> &'static Server {
    SERVER.get_or_init(|| {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/lib/s3_server.py");
        let mut process = Command::new(python())
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Server { port: line.trim().parse().expect("the S3 server reports its port"), _process: process }
    })
}

/// The Python of `tests/lib/python.sh`, in the directory that this program was built into.
fn python() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    let found = program.ancestors().map(|folder| folder.join("tests-python/bin/python")).find(|path| path.exists());
    found.expect("target/tests-python is missing; tests/run makes it (install_python in tests/lib/python.sh)")
}

/// A bucket of its own.
pub(crate) struct Bucket {
    name: String,
}

/// The response of the server.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Bucket {
    pub(crate) fn new(name: &str) -> Self {
        let answer = request("PUT", &format!("/{name}"));
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        Self { name: name.to_owned() }
    }

    /// The place `maps` in it.
    pub(crate) fn place(&self) -> MirrorTarget {
        MirrorTarget::parse(&format!("s3://{}/maps", self.name)).unwrap()
    }

    /// Reads an object as a visitor does.
    pub(crate) fn get(&self, name: &str) -> Answer {
        request("GET", &format!("/{}/maps/{name}", self.name))
    }

    pub(crate) fn put(&self, name: &str) {
        assert_eq!(request("PUT", &format!("/{}/{name}", self.name)).status, 200);
    }

    /// The keys of all objects.
    pub(crate) fn keys(&self) -> Vec<String> {
        let list = String::from_utf8(request("GET", &format!("/{}?list-type=2", self.name)).body).unwrap();
        list.split("<Key>").skip(1).map(|rest| rest.split_once('<').unwrap().0.to_owned()).collect()
    }
}

pub(crate) fn options() -> MirrorOptions {
    let endpoint = format!("http://127.0.0.1:{}", server().port);
    let environment = [
        ("AWS_ENDPOINT", endpoint.as_str()),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "us-east-1"),
        ("AWS_ACCESS_KEY_ID", "AKIATESTTESTTEST"),
        ("AWS_SECRET_ACCESS_KEY", "s3cret-of-the-tests"),
        // Not a variable of mapwright, though the store has a setting of this name.
        ("ENDPOINT", "http://127.0.0.1:1"),
    ];
    MirrorOptions {
        grace: Duration::from_secs(86_400),
        timeout: Duration::from_secs(60),
        now: jiff::Timestamp::from_second(1_700_000_000).unwrap(),
        environment: environment.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec(),
        state: None,
    }
}

/// Buckets are private, so the reader names itself. The server does not check the signature.
const READER: &str = "Authorization: AWS4-HMAC-SHA256 Credential=READER/20260101/us-east-1/s3/aws4_request, \
                      SignedHeaders=host, Signature=0\r\n";

fn request(method: &str, path: &str) -> Answer {
    let mut stream = TcpStream::connect(("127.0.0.1", server().port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    write!(stream, "{method} {path} HTTP/1.0\r\nHost: 127.0.0.1\r\n{READER}Content-Length: 0\r\n\r\n").unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("an answer of HTTP");
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers = lines.filter_map(|line| line.split_once(": "));
    let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
    Answer { status, headers, body: bytes[end + 4..].to_vec() }
}
