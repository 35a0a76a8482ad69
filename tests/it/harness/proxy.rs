//! A TCP proxy that a test stands in front of a service, to be as bad a network as it wants.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_util::sync::{CancellationToken, DropGuard};

/// What the network does to bytes; changes take effect at once, on open connections too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Weather {
    /// Each piece arrives so much later.
    pub delay: Duration,
    /// At most so many bytes a second in each direction.
    pub bytes_per_second: Option<usize>,
    /// Nothing passes, connections stay open: a hung peer.
    pub hold: bool,
    /// What the client sends vanishes.
    pub drop_to_server: bool,
    /// What the server sends vanishes: a half-open connection.
    pub drop_to_client: bool,
    /// The same on connections by which the client has subscribed to something in Redis: commands pass,
    /// and every published message is lost.
    pub drop_published: bool,
    /// New connections are closed at once.
    pub refuse: bool,
    /// Each connection is cut after so many bytes from the server.
    pub cut_after: Option<usize>,
    /// A connection on which the server sends nothing for so long is cut, as load balancers do.
    pub idle_limit: Option<Duration>,
}

/// A running proxy; ends when dropped.
#[derive(Debug)]
pub struct Proxy {
    /// Where clients connect.
    pub port: u16,
    weather: watch::Sender<Weather>,
    cuts: watch::Sender<u64>,
    _end: DropGuard,
}

#[derive(Clone)]
struct Link {
    weather: watch::Receiver<Weather>,
    cuts: watch::Receiver<u64>,
    end: CancellationToken,
}

impl Proxy {
    /// Listens on a free port and passes on to `target` (`HOST:PORT`).
    pub async fn start(target: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("bound").port();
        let (weather, watch_weather) = watch::channel(Weather::default());
        let (cuts, watch_cuts) = watch::channel(0);
        let end = CancellationToken::new();
        let link = Link { weather: watch_weather, cuts: watch_cuts, end: end.clone() };
        tokio::spawn(accept(listener, target.to_owned(), link));
        Self { port, weather, cuts, _end: end.drop_guard() }
    }

    /// Changes the weather.
    pub fn set(&self, weather: Weather) {
        self.weather.send_replace(weather);
    }

    /// Good weather again.
    pub fn clear(&self) {
        self.set(Weather::default());
    }

    /// Cuts every open connection now.
    pub fn cut_all(&self) {
        self.cuts.send_modify(|n| *n += 1);
    }
}

async fn accept(listener: TcpListener, target: String, link: Link) {
    loop {
        let accepted = tokio::select! {
            () = link.end.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        let Ok((client, _)) = accepted else { continue };
        if link.weather.borrow().refuse {
            continue;
        }
        let (target, link) = (target.clone(), link.clone());
        tokio::spawn(async move { carry(client, &target, link).await });
    }
}

/// One connection, until either side ends it or the test cuts it.
async fn carry(client: TcpStream, target: &str, mut link: Link) {
    let Ok(server) = TcpStream::connect(target).await else { return };
    let _ = (client.set_nodelay(true), server.set_nodelay(true));
    link.cuts.mark_unchanged();
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let (up, down) = (link.weather.clone(), link.weather.clone());
    let subscribed = AtomicBool::new(false);
    tokio::select! {
        () = link.end.cancelled() => {}
        _ = link.cuts.changed() => {}
        () = pump(from_client, to_server, up, false, &subscribed) => {}
        () = pump(from_server, to_client, down, true, &subscribed) => {}
    }
}

async fn pump(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut weather: watch::Receiver<Weather>,
    from_server: bool,
    subscribed: &AtomicBool,
) {
    let mut buffer = vec![0; 16 * 1024];
    let mut passed = 0;
    loop {
        let limit = weather.borrow().idle_limit.filter(|_| from_server);
        let read = from.read(&mut buffer);
        let n = match limit {
            Some(limit) => match tokio::time::timeout(limit, read).await {
                Ok(n) => n,
                Err(_) => return,
            },
            None => read.await,
        };
        let Ok(mut n) = n else { return };
        if n == 0 {
            return;
        }
        if !from_server && buffer[..n].windows(9).any(|w| w.eq_ignore_ascii_case(b"SUBSCRIBE")) {
            subscribed.store(true, Ordering::Relaxed);
        }
        if weather.wait_for(|w| !w.hold).await.is_err() {
            return;
        }
        let now = *weather.borrow();
        tokio::time::sleep(now.delay).await;
        if let Some(rate) = now.bytes_per_second {
            tokio::time::sleep(Duration::from_secs_f64(n as f64 / rate as f64)).await;
        }
        let is_lost = now.drop_to_client || (now.drop_published && subscribed.load(Ordering::Relaxed));
        if (from_server && is_lost) || (!from_server && now.drop_to_server) {
            continue;
        }
        let end = now.cut_after.filter(|_| from_server).is_some_and(|most| passed + n >= most);
        if end {
            n = now.cut_after.unwrap_or(n).saturating_sub(passed).min(n);
        }
        passed += n;
        if to.write_all(&buffer[..n]).await.is_err() || end {
            return;
        }
    }
}
