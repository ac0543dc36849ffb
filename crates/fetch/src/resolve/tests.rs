use std::time::Instant;

use hickory_resolver::config::{ConnectionConfig, NameServerConfig, ResolverConfig};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use tokio::net::UdpSocket;

use super::*;
use crate::address_guard::GuardOptions;

/// The reply of a name server to every query: a response code, or nothing at all.
#[derive(Clone, Copy)]
enum Says {
    Code(u8),
    Nothing,
}

const NO_ERROR: u8 = 0;
const SERVER_FAILURE: u8 = 2;
const NO_SUCH_NAME: u8 = 3;

/// The machine's resolver with this one name server: its responses hold the question and no record.
async fn resolver(says: Says) -> SystemResolver {
    let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let port = socket.local_addr().unwrap().port();
    tokio::spawn(async move {
        let mut packet = [0; 1_500];
        while let Ok((length, asker)) = socket.recv_from(&mut packet).await {
            if let Says::Code(code) = says {
                // RFC 1035, section 4.1.1: a response, recursion desired and available, one question, nothing else.
                packet[2] = 0x81;
                packet[3] = 0x80 | code;
                packet[6..12].fill(0);
                let question = 12 + packet[12..length].iter().position(|&byte| byte == 0).unwrap() + 5;
                socket.send_to(&packet[..question], asker).await.unwrap();
            }
        }
    });
    let mut connection = ConnectionConfig::udp();
    connection.port = port;
    let server = NameServerConfig::new("127.0.0.1".parse().unwrap(), true, vec![connection]);
    let config = ResolverConfig::from_parts(None, Vec::new(), vec![server]);
    let mut builder = TokioResolver::builder_with_config(config, TokioRuntimeProvider::default());
    set(builder.options_mut());
    let made = OnceCell::new_with(Some(Way::Own(Box::new(builder.build().unwrap()))));
    SystemResolver { made }
}

async fn why(says: Says) -> String {
    resolver(says).await.lookup("www.site.test").await.unwrap_err().to_string()
}

#[tokio::test]
async fn a_name_that_does_not_exist_is_reported_at_once() {
    let started = Instant::now();
    assert_eq!(why(Says::Code(NO_SUCH_NAME)).await, "www.site.test: no such host");
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[tokio::test]
async fn names_that_are_none_of_idna_are_looked_up() {
    for name in ["my_shop.site.test", "a_.test", "r3---sn-x.test"] {
        let error = resolver(Says::Code(NO_SUCH_NAME)).await.lookup(name).await.unwrap_err();
        assert_eq!(error.to_string(), format!("{name}: no such host"));
    }
}

#[tokio::test]
async fn a_name_without_addresses_is_reported() {
    assert_eq!(why(Says::Code(NO_ERROR)).await, "www.site.test: the name has no address");
}

#[tokio::test]
async fn a_name_server_that_fails_is_reported() {
    let why = why(Says::Code(SERVER_FAILURE)).await;
    assert!(why.starts_with("www.site.test: ") && !why.contains("no such host"), "{why}");
}

#[tokio::test]
async fn name_servers_that_are_silent_are_left_after_the_bound() {
    let started = Instant::now();
    assert_eq!(why(Says::Nothing).await, "www.site.test: the name servers do not answer");
    assert!(started.elapsed() < LOOKUP_TIMEOUT + Duration::from_secs(2), "{:?}", started.elapsed());
}

#[tokio::test]
async fn names_that_never_exist_are_not_looked_up() {
    for host in ["invalid", "no-such.invalid", "NO-SUCH.INVALID."] {
        let error = resolver(Says::Nothing).await.lookup(host).await.unwrap_err();
        assert_eq!(error.why, "no such host", "{host}");
    }
}

#[tokio::test]
async fn the_c_library_is_used_where_there_is_no_configuration() {
    let library = SystemResolver { made: OnceCell::new_with(Some(Way::Library)) };
    let addresses = library.lookup("localhost").await.unwrap();
    assert!(addresses.iter().all(IpAddr::is_loopback), "{addresses:?}");
}

#[tokio::test]
async fn pinned_addresses_come_before_any_lookup_and_are_judged() {
    let pin = |host: &str, address: &str| (host.to_owned(), 0, address.parse().unwrap());
    let resolver = GuardedResolver {
        pins: Pins::new(&[
            pin("good.test", "93.184.216.34"),
            pin("evil.test", "10.0.0.1"),
            pin("proxy.test", "10.0.0.2"),
        ]),
        guard: Arc::new(AddressGuard::new(GuardOptions::default())),
        trusted: Arc::new(vec!["proxy.test".to_owned()]),
        system: Arc::new(resolver(Says::Nothing).await),
    };
    assert_eq!(resolver.resolve("good.test").await.unwrap(), ["93.184.216.34".parse::<IpAddr>().unwrap()]);
    assert!(resolver.resolve("evil.test").await.is_err());
    assert_eq!(resolver.resolve("proxy.test").await.unwrap(), ["10.0.0.2".parse::<IpAddr>().unwrap()]);
}
