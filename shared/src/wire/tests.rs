use super::*;
use std::net::SocketAddr;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, mpsc, watch};
use tokio::time::timeout;

const LONG: Duration = Duration::from_secs(20);

/// A way to Redis that a test can cut and mend.
pub(crate) struct Proxy {
    address: SocketAddr,
    open: watch::Sender<bool>,
    _task: tokio_util::task::AbortOnDropHandle<()>,
}

impl Proxy {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (open, gate) = watch::channel(true);
        let task = tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                let mut gate = gate.clone();
                if !*gate.borrow_and_update() {
                    continue;
                }
                tokio::spawn(async move {
                    let Ok(mut far) = TcpStream::connect(test_redis()).await else { return };
                    tokio::select! {
                        _ = tokio::io::copy_bidirectional(&mut near, &mut far) => {}
                        _ = gate.changed() => {}
                    }
                });
            }
        });
        Self { address, open, _task: tokio_util::task::AbortOnDropHandle::new(task) }
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://{}", self.address)
    }

    /// Ends all connections and refuses new ones.
    pub(crate) fn cut(&self) {
        self.open.send_replace(false);
    }

    /// Lets new connections through.
    pub(crate) fn mend(&self) {
        self.open.send_replace(true);
    }
}

/// Host and port of the Redis for tests.
#[expect(clippy::disallowed_methods, reason = "tests are told by the environment, not by configuration")]
fn test_redis() -> String {
    let url = std::env::var("NETA_TEST_REDIS_URL").unwrap_or_else(|_| "redis://127.0.0.1:6379".to_owned());
    let url = url::Url::parse(&url).unwrap();
    format!("{}:{}", url.host_str().unwrap(), url.port().unwrap_or(6379))
}

pub(crate) fn random_prefix() -> String {
    format!("test-{}", uuid::Uuid::new_v4().simple())
}

struct Recorder(mpsc::UnboundedSender<Option<String>>);

impl Ear for Recorder {
    fn heard(&self, payload: &[u8]) {
        let _ = self.0.send(Some(String::from_utf8(payload.to_vec()).unwrap()));
    }
    fn gap(&self) {
        let _ = self.0.send(None);
    }
}

fn recorder() -> (Arc<dyn Ear>, mpsc::UnboundedReceiver<Option<String>>) {
    let (sender, receiver) = mpsc::unbounded_channel();
    (Arc::new(Recorder(sender)), receiver)
}

async fn publish(wire: &Wire, channel: &str, text: &str) -> i64 {
    wire.send(redis::cmd("PUBLISH").arg(channel).arg(text)).await.unwrap()
}

#[test]
fn no_password_is_shown() {
    let table = [
        ("redis://127.0.0.1:6379", "redis://127.0.0.1:6379"),
        ("redis://:hunter2@host:1/3", "redis://:***@host:1/3"),
        ("rediss://user:hunter2@host", "rediss://user:***@host"),
        ("unix:///run/redis.sock?pass=hunter2", "unix:///run/redis.sock?***"),
        ("postgres://u:hunter2@db/neta", "postgres://u:***@db/neta"),
        ("hunter2", "(unreadable URL)"),
    ];
    for (url, shown) in table {
        assert_eq!(redacted(url), shown);
    }
}

#[tokio::test]
async fn no_error_text_holds_the_password() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let url = format!("redis://user:hunter2@127.0.0.1:{port}");
    let wire = Wire::open(&url, "p").unwrap();
    let refused = wire.ping().await.unwrap_err().to_string();
    assert!(refused.contains(&port.to_string()) && !refused.contains("hunter2"), "{refused}");
    let invalid = Wire::open("redis://user:hunter2@host:notaport", "p").unwrap_err().to_string();
    assert!(!invalid.contains("hunter2"), "{invalid}");
    assert!(!format!("{wire:?}").contains("hunter2"));
}

#[tokio::test]
async fn a_script_that_redis_does_not_know_is_loaded() {
    let wire = Wire::for_tests();
    let script = redis::Script::new(&format!("return '{}'", random_prefix()));
    for _ in 0..2 {
        let answer: String = wire.run(&script.prepare_invoke()).await.unwrap();
        assert!(answer.starts_with("test-"));
    }
}

#[tokio::test]
async fn commands_work_again_after_the_connection_was_lost() {
    let proxy = Proxy::start().await;
    let wire = Wire::open(&proxy.url(), &random_prefix()).unwrap();
    wire.ping().await.unwrap();
    proxy.cut();
    timeout(LONG, async { while wire.ping().await.is_ok() {} }).await.expect("still answers");
    proxy.mend();
    timeout(LONG, async { while wire.ping().await.is_err() {} }).await.expect("does not come back");
}

#[tokio::test]
async fn a_channel_is_heard_once_confirmed_and_no_more_once_dropped() {
    let wire = Wire::for_tests();
    let channel = wire.key(format_args!("c"));
    let (ear, mut heard) = recorder();
    wire.hub().want(&channel, || ear);
    wire.hub().confirmed(&channel).await.unwrap();
    assert_eq!(publish(&wire, &channel, "one").await, 1);
    assert_eq!(heard.recv().await.unwrap().as_deref(), Some("one"));
    wire.hub().unwant(&channel);
    timeout(LONG, async { while publish(&wire, &channel, "two").await > 0 {} }).await.expect("still heard");
    assert!(!wire.hub().is_heard(&channel));
    let (ear, mut again) = recorder();
    wire.hub().want(&channel, || ear);
    wire.hub().confirmed(&channel).await.unwrap();
    publish(&wire, &channel, "three").await;
    assert_eq!(again.recv().await.unwrap().as_deref(), Some("three"));
}

#[tokio::test]
async fn dropping_and_wanting_a_channel_in_turn_leaves_it_heard() {
    let wire = Wire::for_tests();
    let channel = wire.key(format_args!("c"));
    let (ear, mut heard) = recorder();
    for _ in 0..200 {
        let ear = Arc::clone(&ear);
        wire.hub().want(&channel, || ear);
        if rand::random() {
            wire.hub().confirmed(&channel).await.unwrap();
        }
        wire.hub().unwant(&channel);
    }
    wire.hub().want(&channel, || ear);
    wire.hub().confirmed(&channel).await.unwrap();
    assert_eq!(publish(&wire, &channel, "x").await, 1);
    assert_eq!(heard.recv().await.unwrap().as_deref(), Some("x"));
}

#[tokio::test]
async fn after_a_lost_connection_all_channels_are_heard_again_and_told_of_the_gap() {
    let proxy = Proxy::start().await;
    let wire = Wire::open(&proxy.url(), &random_prefix()).unwrap();
    let beside = Wire::for_tests();
    let mut ears = Vec::new();
    for n in 0..1_200 {
        let channel = wire.key(format_args!("c{n}"));
        let (ear, heard) = recorder();
        wire.hub().want(&channel, || ear);
        ears.push((channel, heard));
    }
    for (channel, _) in &ears {
        wire.hub().confirmed(channel).await.unwrap();
    }
    proxy.cut();
    let last = &ears[ears.len() - 1].0;
    timeout(LONG, async { while publish(&beside, last, "lost").await > 0 {} }).await.expect("still heard");
    proxy.mend();
    for (channel, heard) in &mut ears {
        let mut signal = timeout(LONG, heard.recv()).await.expect("no gap told").unwrap();
        while signal.as_deref() == Some("lost") {
            signal = timeout(LONG, heard.recv()).await.expect("no gap told").unwrap();
        }
        assert_eq!(signal, None, "{channel}");
        assert_eq!(publish(&beside, channel, "after").await, 1);
        assert_eq!(heard.recv().await.unwrap().as_deref(), Some("after"));
    }
}

#[tokio::test]
async fn while_redis_is_away_a_subscriber_is_told_in_bounded_time() {
    let proxy = Proxy::start().await;
    proxy.cut();
    let wire = Wire::open(&proxy.url(), &random_prefix()).unwrap();
    let (ear, _heard) = recorder();
    wire.hub().want("c", || ear);
    let asked = tokio::time::Instant::now();
    wire.hub().confirmed("c").await.unwrap_err();
    assert!(asked.elapsed() < Duration::from_secs(4), "{:?}", asked.elapsed());
    proxy.mend();
    timeout(LONG, async { while wire.hub().confirmed("c").await.is_err() {} })
        .await
        .expect("never confirmed");
}

#[tokio::test]
async fn the_connection_ends_with_its_owner() {
    let wire = Wire::for_tests();
    let beside = Wire::for_tests();
    let ended = Arc::new(Notify::new());
    struct OnDrop(Arc<Notify>);
    impl Ear for OnDrop {
        fn heard(&self, _: &[u8]) {}
        fn gap(&self) {}
    }
    impl Drop for OnDrop {
        fn drop(&mut self) {
            self.0.notify_one();
        }
    }
    let channel = wire.key(format_args!("c"));
    wire.hub().want(&channel, || Arc::new(OnDrop(Arc::clone(&ended))));
    wire.hub().confirmed(&channel).await.unwrap();
    drop(wire);
    timeout(LONG, ended.notified()).await.expect("the task lives on");
    timeout(LONG, async { while publish(&beside, &channel, "x").await > 0 {} }).await.expect("still heard");
}
