//! Where calls may connect to: addresses as written, addresses that names lead to, redirects. A sink
//! counts what reaches it.

use super::super::guard::Lookup;
use super::super::probe::probe;
use super::*;
use shared::domain::addresses::ModelHosts;
use shared::domain::runs::Reason;
use std::collections::VecDeque;
use std::io;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;

/// Takes connections and counts them.
struct Sink {
    port: u16,
    taken: Arc<AtomicUsize>,
}

impl Sink {
    async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let taken = Arc::new(AtomicUsize::new(0));
        let count = taken.clone();
        tokio::spawn(async move {
            while listener.accept().await.is_ok() {
                count.fetch_add(1, Ordering::SeqCst);
            }
        });
        Self { port, taken }
    }

    fn taken(&self) -> usize {
        self.taken.load(Ordering::SeqCst)
    }
}

/// Answers each lookup with the next list, the last one again and again.
#[derive(Debug)]
struct Answers {
    lists: Mutex<VecDeque<Vec<IpAddr>>>,
    asked: AtomicUsize,
}

impl Answers {
    fn new(lists: &[&[&str]]) -> Arc<Self> {
        let list = |list: &&[&str]| list.iter().map(|ip| ip.parse().unwrap()).collect();
        Arc::new(Self { lists: Mutex::new(lists.iter().map(list).collect()), asked: AtomicUsize::new(0) })
    }
}

#[async_trait::async_trait]
impl Lookup for Answers {
    async fn lookup(&self, _: &str) -> io::Result<Vec<IpAddr>> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let mut lists = self.lists.lock().unwrap();
        Ok(if lists.len() > 1 { lists.pop_front().unwrap() } else { lists[0].clone() })
    }
}

/// A fresh client: it has no connection yet.
fn client(lookup: &Arc<Answers>, hosts: &[&str]) -> Providers {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let hosts: Vec<String> = hosts.iter().map(|host| (*host).to_owned()).collect();
    let hosts = ModelHosts::parse(&hosts).unwrap();
    Providers::new(&ClientOptions { hosts, lookup: lookup.clone(), ..ClientOptions::default() }).unwrap()
}

async fn ask_once(client: &Providers, endpoint: &Endpoint) -> Result<Response, LlmError> {
    client.call(endpoint, &ask("s"), &mut |_| ()).await
}

fn assert_blocked(error: &LlmError, host: &str) {
    assert_eq!(*error, LlmError::AddressBlocked { host: host.to_owned() });
    assert_eq!((error.kind(), error.reason()), ("address_blocked", Reason::ModelAddressBlocked));
    assert!(!error.is_retryable());
    let said = error.user_message();
    assert!(said.contains(host) && said.contains("NETA_MODEL_HOSTS"), "{said}");
}

#[tokio::test]
async fn addresses_as_written() {
    let sink = Sink::start().await;
    let table = [
        ("127.0.0.1", "127.0.0.1"),
        ("0.0.0.0", "0.0.0.0"),
        ("2130706433", "127.0.0.1"),
        ("0x7f000001", "127.0.0.1"),
        ("0177.0.0.1", "127.0.0.1"),
        ("127.1", "127.0.0.1"),
        ("127.0.0.1.", "127.0.0.1"),
        ("[::1]", "[::1]"),
        ("[::ffff:127.0.0.1]", "[::ffff:7f00:1]"),
        ("[64:ff9b::7f00:1]", "[64:ff9b::7f00:1]"),
        ("169.254.169.254", "169.254.169.254"),
        ("100.100.100.200", "100.100.100.200"),
        ("localhost", "localhost"),
    ];
    for dialect in DIALECTS {
        let mut endpoint = ScriptedProvider::start().await.endpoint(dialect);
        endpoint.trusted_host = false;
        for (written, host) in table {
            endpoint.base_url = Some(format!("http://{written}:{}/v1", sink.port));
            assert_blocked(&call(&endpoint, "s").await.0.unwrap_err(), host);
        }
    }
    assert_eq!(sink.taken(), 0);
    // It would have been reached.
    tokio::net::TcpStream::connect(("127.0.0.1", sink.port)).await.unwrap();
    while sink.taken() == 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_model_of_an_operator_is_reached_anywhere_but_at_a_clouds_metadata() {
    let (_server, mut endpoint) = server(Provider::Openai, vec![Reply::text("here")]).await;
    assert_eq!(call(&endpoint, "s").await.0.unwrap().text, "here");
    for (url, host) in [
        ("http://169.254.169.254/latest", "169.254.169.254"),
        ("http://[::ffff:169.254.169.254]/", "[::ffff:a9fe:a9fe]"),
        ("http://[fd00:ec2::254]/v1", "[fd00:ec2::254]"),
        ("http://100.100.100.200/v1", "100.100.100.200"),
    ] {
        endpoint.base_url = Some(url.to_owned());
        assert_blocked(&call(&endpoint, "s").await.0.unwrap_err(), host);
    }
}

#[tokio::test]
async fn a_name_is_judged_by_where_it_leads() {
    let sink = Sink::start().await;
    let mut endpoint = ScriptedProvider::start().await.endpoint(Provider::Openai);
    endpoint.trusted_host = false;
    endpoint.base_url = Some(format!("http://model.example:{}/v1", sink.port));
    for led in [&["127.0.0.1"][..], &["10.0.0.1", "::ffff:127.0.0.1"], &["::1", "169.254.169.254"]] {
        let error = ask_once(&client(&Answers::new(&[led]), &[]), &endpoint).await.unwrap_err();
        assert_blocked(&error, "model.example");
    }
    let error = ask_once(&client(&Answers::new(&[&[]]), &[]), &endpoint).await.unwrap_err();
    assert_eq!(error.kind(), "transport", "a name without an address");
    assert_eq!(sink.taken(), 0);
}

#[tokio::test]
async fn a_name_whose_second_lookup_leads_elsewhere_is_blocked() {
    let (provider, mut endpoint) = server(Provider::Openai, vec![Reply::text("here")]).await;
    let port = endpoint.base_url.as_deref().unwrap().rsplit(':').next().unwrap();
    endpoint.base_url = Some(format!("http://model.example:{port}"));
    // Judged as an operator's model: the provider is in a private network, what follows is worse.
    let lookup = Answers::new(&[&["169.254.169.254", "127.0.0.1"], &["169.254.169.254"]]);
    let first = client(&lookup, &[]);
    assert_eq!(ask_once(&first, &endpoint).await.unwrap().text, "here", "only what is admitted is tried");
    assert_eq!(lookup.asked.load(Ordering::SeqCst), 1, "one lookup for a connection");
    assert_blocked(&ask_once(&client(&lookup, &[]), &endpoint).await.unwrap_err(), "model.example");
    assert_eq!(provider.calls("s"), 1);
}

#[tokio::test]
async fn a_connection_is_not_shared_with_calls_that_may_go_less_far() {
    let (provider, mut endpoint) = server(Provider::Openai, vec![Reply::text("here")]).await;
    let port = endpoint.base_url.as_deref().unwrap().rsplit(':').next().unwrap();
    endpoint.base_url = Some(format!("http://model.example:{port}"));
    let client = client(&Answers::new(&[&["127.0.0.1"]]), &[]);
    ask_once(&client, &endpoint).await.unwrap();
    endpoint.trusted_host = false;
    assert_blocked(&ask_once(&client, &endpoint).await.unwrap_err(), "model.example");
    assert_eq!(provider.calls("s"), 1);
}

#[tokio::test]
async fn a_listed_host_is_reached_wherever_it_is() {
    let (provider, mut endpoint) = server(Provider::Openai, vec![Reply::text("here")]).await;
    endpoint.trusted_host = false;
    let address = endpoint.base_url.clone().unwrap();
    let address = address.strip_prefix("http://").unwrap().strip_suffix("/v1").unwrap().to_owned();
    let port = address.rsplit(':').next().unwrap();
    let lookup = Answers::new(&[&["127.0.0.1"]]);
    assert!(ask_once(&client(&lookup, &[&address]), &endpoint).await.is_ok());
    assert!(ask_once(&client(&lookup, &["127.0.0.1:1"]), &endpoint).await.is_err(), "another port");
    endpoint.base_url = Some(format!("http://model.example:{port}/v1"));
    assert!(ask_once(&client(&lookup, &["model.example"]), &endpoint).await.is_ok());
    assert!(ask_once(&client(&lookup, &["other.example"]), &endpoint).await.is_err());
    assert_eq!(provider.calls("s"), 2);
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    for dialect in DIALECTS {
        for status in [301, 302, 303, 307, 308] {
            let sink = Sink::start().await;
            let to = format!("http://127.0.0.1:{}/v1", sink.port);
            let reply = Reply::status(status, "").header("location", &to);
            let (_server, endpoint) = server(dialect, vec![reply]).await;
            let error = call(&endpoint, "s").await.0.unwrap_err();
            assert_eq!((error.kind(), sink.taken()), ("bad_request", 0), "{status}");
        }
    }
}

#[tokio::test]
async fn a_try_is_guarded_too() {
    let (provider, mut endpoint) = server(Provider::Openai, vec![Reply::text("OK")]).await;
    endpoint.trusted_host = false;
    let tried = probe(&providers(), &endpoint).await;
    assert_eq!(tried.error.map(|e| e.reason), Some(Reason::ModelAddressBlocked));
    assert_eq!(provider.calls(""), 0);
}
