//! Whose address a request comes from, where proxies stand before the server. A header can be
//! written by anybody, so what it says counts only as far as it was written by a trusted proxy.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// Networks of proxies that are believed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrustedProxies(Vec<(IpAddr, u8)>);

/// The header in which proxies say whom they ask for. Only one is read: a proxy passes the other on
/// as the client wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ProxyHeader {
    /// `X-Forwarded-For`.
    #[default]
    XForwardedFor,
    /// `Forwarded` (RFC 7239).
    Forwarded,
}

impl ProxyHeader {
    /// Its name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::XForwardedFor => "x-forwarded-for",
            Self::Forwarded => "forwarded",
        }
    }

    /// By name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::XForwardedFor, Self::Forwarded]
            .into_iter()
            .find(|header| header.name().eq_ignore_ascii_case(name))
    }

    /// The address of one element; None: it names none.
    fn hop(self, element: &str) -> Option<IpAddr> {
        match self {
            Self::XForwardedFor => address(element),
            Self::Forwarded => element.split(';').find_map(|pair| {
                let (name, value) = pair.split_once('=')?;
                name.trim().eq_ignore_ascii_case("for").then(|| address(value.trim().trim_matches('"')))?
            }),
        }
    }
}

/// An address, perhaps with a port.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).unwrap_or(text);
    bare.parse::<IpAddr>()
        .ok()
        .or_else(|| text.parse::<SocketAddr>().ok().map(|with_port| with_port.ip()))
        .map(plain)
}

/// An IPv4 address that a listener for both kinds shows as IPv6.
fn plain(address: IpAddr) -> IpAddr {
    address.to_canonical()
}

impl TrustedProxies {
    /// Reads addresses and networks (`10.0.0.0/8`); the error is the first that is neither.
    pub fn parse(entries: &[String]) -> Result<Self, String> {
        entries
            .iter()
            .map(|entry| network(entry).ok_or_else(|| entry.clone()))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// The address of whoever asks: the right-most that no trusted proxy has. `peer` is the other end
    /// of the connection, `values` those of the header in order.
    pub fn client<'a>(
        &self,
        peer: IpAddr,
        header: ProxyHeader,
        values: impl DoubleEndedIterator<Item = &'a str>,
    ) -> IpAddr {
        let mut client = plain(peer);
        let mut hops = values.rev().flat_map(|value| value.rsplit(','));
        while self.trusts(client) {
            match hops.next().and_then(|element| header.hop(element)) {
                Some(hop) => client = hop,
                None => break,
            }
        }
        client
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.0.iter().any(|(network, length)| match (network, address) {
            (IpAddr::V4(network), IpAddr::V4(address)) => {
                (network.to_bits() ^ address.to_bits()).checked_shr(32 - u32::from(*length)).unwrap_or(0) == 0
            }
            (IpAddr::V6(network), IpAddr::V6(address)) => {
                (network.to_bits() ^ address.to_bits()).checked_shr(128 - u32::from(*length)).unwrap_or(0)
                    == 0
            }
            _ => false,
        })
    }
}

fn network(entry: &str) -> Option<(IpAddr, u8)> {
    let (address, length) = entry.split_once('/').map_or((entry, None), |(a, l)| (a, Some(l)));
    let address: IpAddr = address.trim().parse().ok()?;
    let most = if address.is_ipv4() { 32 } else { 128 };
    let length = length.map_or(Some(most), |length| length.trim().parse().ok())?;
    (length <= most).then_some((address, length))
}

/// Under what an address is counted: who has an IPv6 address has all of its network's 2^64.
pub fn counted_as(address: IpAddr) -> IpAddr {
    match plain(address) {
        IpAddr::V6(ip) => IpAddr::V6(Ipv6Addr::from_bits(ip.to_bits() >> 64 << 64)),
        v4 @ IpAddr::V4(_) => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(proxies: &[&str], peer: &str, header: ProxyHeader, values: &[&str]) -> String {
        let proxies: Vec<String> = proxies.iter().map(|p| (*p).to_owned()).collect();
        let proxies = TrustedProxies::parse(&proxies).unwrap();
        proxies.client(peer.parse().unwrap(), header, values.iter().copied()).to_string()
    }

    #[test]
    fn the_right_most_address_that_is_no_trusted_proxys() {
        let table: [(&[&str], &str, &[&str], &str); 13] = [
            (&[], "9.9.9.9", &["1.1.1.1"], "9.9.9.9"),
            (&["10.0.0.1"], "9.9.9.9", &["1.1.1.1"], "9.9.9.9"),
            (&["10.0.0.1"], "10.0.0.1", &[], "10.0.0.1"),
            (&["10.0.0.1"], "10.0.0.1", &["1.1.1.1"], "1.1.1.1"),
            (&["10.0.0.1"], "10.0.0.1", &["6.6.6.6, 1.1.1.1"], "1.1.1.1"),
            (&["10.0.0.1"], "10.0.0.1", &["6.6.6.6", "7.7.7.7 , 1.1.1.1"], "1.1.1.1"),
            (&["10.0.0.0/8"], "10.0.0.1", &["6.6.6.6, 1.1.1.1, 10.9.9.9"], "1.1.1.1"),
            (&["10.0.0.0/8"], "10.0.0.1", &["10.1.1.1, 10.2.2.2"], "10.1.1.1"),
            (&["10.0.0.0/8"], "::ffff:10.0.0.1", &["1.1.1.1:4000"], "1.1.1.1"),
            (&["10.0.0.0/8"], "10.0.0.1", &["1.1.1.1, unknown"], "10.0.0.1"),
            (&["fd00::/8"], "fd00::1", &["[2001:db8::5]:80"], "2001:db8::5"),
            (&["0.0.0.0/0"], "10.0.0.1", &["1.1.1.1"], "1.1.1.1"),
            (&["::/0"], "10.0.0.1", &["1.1.1.1"], "10.0.0.1"),
        ];
        for (proxies, peer, values, expected) in table {
            assert_eq!(
                client(proxies, peer, ProxyHeader::XForwardedFor, values),
                expected,
                "{proxies:?} {values:?}"
            );
        }
    }

    #[test]
    fn the_standard_header() {
        let table = [
            ("for=1.1.1.1", "1.1.1.1"),
            ("for=6.6.6.6, proto=https;FOR=\"[2001:db8::7]:4711\";by=10.0.0.1", "2001:db8::7"),
            ("for=\"1.1.1.1:80\"", "1.1.1.1"),
            ("for=_hidden", "10.0.0.1"),
            ("for=unknown", "10.0.0.1"),
            ("by=1.1.1.1", "10.0.0.1"),
            ("1.1.1.1", "10.0.0.1"),
        ];
        for (value, expected) in table {
            assert_eq!(
                client(&["10.0.0.1"], "10.0.0.1", ProxyHeader::Forwarded, &[value]),
                expected,
                "{value}"
            );
        }
    }

    #[test]
    fn entries_that_are_no_network_are_refused() {
        for entry in ["", "proxy", "10.0.0.0/33", "::/129", "10.0.0.0/x", "10.0.0/8"] {
            assert_eq!(TrustedProxies::parse(&[entry.to_owned()]), Err(entry.to_owned()));
        }
    }

    #[test]
    fn an_ipv6_address_is_counted_by_its_network() {
        let table = [
            ("1.2.3.4", "1.2.3.4"),
            ("::ffff:1.2.3.4", "1.2.3.4"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ];
        for (address, counted) in table {
            assert_eq!(counted_as(address.parse().unwrap()).to_string(), counted);
        }
    }
}
