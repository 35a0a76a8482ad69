//! Addresses of services, which may hold a password.

use std::fmt;

/// Where a database or Redis is reached. Printing it leaves out the password.
#[derive(Clone, PartialEq, Eq)]
pub struct ServiceUrl(String);

impl ServiceUrl {
    /// Wraps it.
    pub fn new(url: impl Into<String>) -> Self {
        Self(url.into())
    }

    /// With the password, for the client that connects.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ServiceUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&without_password(&self.0))
    }
}

impl fmt::Debug for ServiceUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Works on text, not on a parsed address: what cannot be parsed is shown in errors too.
fn without_password(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let (address, query) = rest.split_once('?').map_or((rest, None), |(a, q)| (a, Some(q)));
    let mut shown = if scheme.is_empty() { String::new() } else { format!("{scheme}://") };
    match address.rsplit_once('@') {
        None => shown.push_str(address),
        Some((user, host)) => {
            let (name, password) = user.split_once(':').map_or((user, None), |(n, p)| (n, Some(p)));
            shown.push_str(name);
            shown.push_str(if password.is_some() { ":***@" } else { "@" });
            shown.push_str(host);
        }
    }
    let pairs: Vec<String> = query
        .into_iter()
        .flat_map(|query| query.split('&'))
        .map(|pair| match pair.split_once('=') {
            Some((key, _)) if key.to_lowercase().contains("pass") => format!("{key}=***"),
            _ => pair.to_owned(),
        })
        .collect();
    if pairs.is_empty() { shown } else { format!("{shown}?{}", pairs.join("&")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_is_not_shown() {
        let table = [
            ("postgres://neta:p:a@ss@db:5432/neta", "postgres://neta:***@db:5432/neta"),
            ("postgres://neta@db/neta?sslmode=require", "postgres://neta@db/neta?sslmode=require"),
            ("postgres://db/neta?user=u&password=pw&x=1", "postgres://db/neta?user=u&password=***&x=1"),
            ("redis://:pw@cache:6379/0", "redis://:***@cache:6379/0"),
            ("sqlite:///var/lib/neta/neta.db", "sqlite:///var/lib/neta/neta.db"),
            ("neta:pw@db", "neta:***@db"),
        ];
        for (url, shown) in table {
            assert_eq!(format!("{0} {0:?}", ServiceUrl::new(url)), format!("{shown} {shown}"));
        }
    }
}
