//! Where model calls may connect to: the guard stands between name and connection, so that what was
//! judged is what is connected to. A name is looked up once for a connection; addresses that may not
//! be reached never come to the connector.

use super::error::LlmError;
use super::http::{self, ClientOptions};
use async_trait::async_trait;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use shared::domain::addresses::{ModelHosts, Reach};
use std::fmt::Debug;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use url::Url;

/// Finds the addresses of a name; a parameter so that tests can answer.
#[async_trait]
pub trait Lookup: Send + Sync + Debug {
    /// All addresses.
    async fn lookup(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// Asks the system.
#[derive(Debug, Clone, Copy)]
pub struct SystemLookup;

#[async_trait]
impl Lookup for SystemLookup {
    async fn lookup(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        Ok(tokio::net::lookup_host((name, 0)).await?.map(|address| address.ip()).collect())
    }
}

/// All addresses of a name are ones that may not be reached.
#[derive(Debug, thiserror::Error)]
#[error("the address is blocked")]
pub(super) struct Blocked;

/// Looks up for one client, all of whose calls have the same reach.
pub(super) struct GuardedDns {
    reach: Reach,
    lookup: Arc<dyn Lookup>,
}

impl Resolve for GuardedDns {
    fn resolve(&self, name: Name) -> Resolving {
        let (reach, lookup) = (self.reach, self.lookup.clone());
        Box::pin(async move {
            let found = lookup.lookup(name.as_str()).await?;
            let none_found = found.is_empty();
            let admitted: Vec<SocketAddr> =
                found.into_iter().filter(|ip| reach.admits(*ip)).map(|ip| SocketAddr::new(ip, 0)).collect();
            if admitted.is_empty() && !none_found {
                return Err(Blocked.into());
            }
            Ok(Box::new(admitted.into_iter()) as Addrs)
        })
    }
}

/// A client for each reach, made when it is first needed: a connection that one may use is not found
/// in another's pool.
#[derive(Debug)]
pub(super) struct Clients {
    hosts: ModelHosts,
    connect: Duration,
    lookup: Arc<dyn Lookup>,
    guarded: OnceLock<reqwest::Client>,
    trusted: OnceLock<reqwest::Client>,
    listed: OnceLock<reqwest::Client>,
}

impl Clients {
    /// Makes one client at once, which fails where TLS can't be set up.
    pub fn new(options: &ClientOptions) -> Result<Self, reqwest::Error> {
        let clients = Self {
            hosts: options.hosts.clone(),
            connect: options.connect,
            lookup: options.lookup.clone(),
            guarded: OnceLock::new(),
            trusted: OnceLock::new(),
            listed: OnceLock::new(),
        };
        clients.client(Reach::Trusted)?;
        Ok(clients)
    }

    fn client(&self, reach: Reach) -> Result<&reqwest::Client, reqwest::Error> {
        let place = match reach {
            Reach::Guarded => &self.guarded,
            Reach::Trusted => &self.trusted,
            Reach::Listed => &self.listed,
        };
        match place.get() {
            Some(client) => Ok(client),
            None => {
                let made = http::build(self.connect, GuardedDns { reach, lookup: self.lookup.clone() })?;
                Ok(place.get_or_init(|| made))
            }
        }
    }

    /// The client that may call this address. Connectors look up names only, so an address in the URL
    /// is judged here.
    pub fn of(&self, url: &Url, trusted_host: bool) -> Result<&reqwest::Client, LlmError> {
        let reach = self.hosts.reach(url, trusted_host);
        if !url.host().is_some_and(|host| reach.admits_host(&host)) {
            return Err(blocked(url));
        }
        self.client(reach).map_err(|_| LlmError::Transport { message: "TLS can't be set up".to_owned() })
    }
}

/// The error of an address that may not be reached.
pub(super) fn blocked(url: &Url) -> LlmError {
    LlmError::AddressBlocked { host: url.host_str().unwrap_or_default().to_owned() }
}

/// Whether a request failed because its name led to blocked addresses.
pub(super) fn is_blocked(error: &reqwest::Error) -> bool {
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        if inner.is::<Blocked>() {
            return true;
        }
        cause = inner.source();
    }
    false
}
