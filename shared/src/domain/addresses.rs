//! Which network addresses a model may be at. A model that somebody other than an operator stored
//! must not lead into the private network that Neta runs in. Pure: names are looked up elsewhere.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use url::{Host, Url};

/// What kind of place an address is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressKind {
    /// Anywhere on the internet.
    Public,
    /// This machine, its network, or an address that nobody may have.
    Private,
    /// Where a cloud tells a machine its own secrets.
    Metadata,
}

/// Which addresses a call may connect to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reach {
    /// Public ones.
    Guarded,
    /// All but those of cloud metadata: an operator stored the model.
    Trusted,
    /// All: the host is in the setting `model_hosts`.
    Listed,
}

impl Reach {
    /// Whether a call may connect there.
    pub fn admits(self, address: IpAddr) -> bool {
        match kind(address) {
            AddressKind::Public => true,
            AddressKind::Private => self != Self::Guarded,
            AddressKind::Metadata => self == Self::Listed,
        }
    }

    /// Whether a call to this host may be tried: false for an address, or the name `localhost`, that
    /// is not admitted. Any other name is decided when it is looked up.
    pub fn admits_host(self, host: &Host<&str>) -> bool {
        match host {
            Host::Ipv4(ip) => self.admits(IpAddr::V4(*ip)),
            Host::Ipv6(ip) => self.admits(IpAddr::V6(*ip)),
            Host::Domain(name) => !is_localhost(name) || self != Self::Guarded,
        }
    }
}

/// RFC 6761: it and the names below it always mean this machine.
fn is_localhost(name: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    name == "localhost" || name.ends_with(".localhost")
}

/// By the IANA registries of special addresses (RFC 6890) and the clouds' manuals.
pub fn kind(address: IpAddr) -> AddressKind {
    match address {
        IpAddr::V4(ip) => kind_v4(ip),
        IpAddr::V6(ip) => kind_v6(ip),
    }
}

/// Networks that are not the internet: first address and length.
const PRIVATE_V4: [(Ipv4Addr, u32); 15] = [
    (Ipv4Addr::UNSPECIFIED, 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    // The nearest relay of 6to4, whose packets lead anywhere.
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    // Multicast, and all above: reserved, and the broadcast address.
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
];

/// Where clouds keep metadata: most of them in the link-local network, Alibaba, Oracle and Azure in
/// addresses of their own.
const METADATA_V4: [(Ipv4Addr, u32); 4] = [
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(100, 100, 100, 200), 32),
    (Ipv4Addr::new(192, 0, 0, 192), 32),
    (Ipv4Addr::new(168, 63, 129, 16), 32),
];

/// Amazon's and Google's.
const METADATA_V6: [Ipv6Addr; 2] =
    [Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254), Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254)];

/// Networks within 2000::/3 that are not the internet: protocols (Teredo, ORCHID), documentation.
const PRIVATE_V6: [(Ipv6Addr, u32); 3] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

fn kind_v4(ip: Ipv4Addr) -> AddressKind {
    let within = |(network, length): &(Ipv4Addr, u32)| {
        (ip.to_bits() ^ network.to_bits()).checked_shr(32 - length).unwrap_or(0) == 0
    };
    if METADATA_V4.iter().any(within) {
        AddressKind::Metadata
    } else if PRIVATE_V4.iter().any(within) {
        AddressKind::Private
    } else {
        AddressKind::Public
    }
}

fn kind_v6(ip: Ipv6Addr) -> AddressKind {
    if METADATA_V6.contains(&ip) {
        return AddressKind::Metadata;
    }
    let within =
        |(network, length): &(Ipv6Addr, u32)| (ip.to_bits() ^ network.to_bits()) >> (128 - length) == 0;
    let global = ip.to_bits() >> 125 == 1 && !PRIVATE_V6.iter().any(within);
    match embedded(ip) {
        Some(inner) if kind_v4(inner) == AddressKind::Metadata => AddressKind::Metadata,
        // What translates it leads to the inner address.
        Some(inner) if global || translates(ip) => kind_v4(inner),
        None if global => AddressKind::Public,
        _ => AddressKind::Private,
    }
}

/// NAT64's well-known network: the only one outside 2000::/3 whose addresses may lead to the
/// internet.
fn translates(ip: Ipv6Addr) -> bool {
    matches!(ip.segments(), [0x64, 0xff9b, 0, 0, 0, 0, _, _])
}

/// The IPv4 address that an IPv6 address stands for or leads to.
fn embedded(ip: Ipv6Addr) -> Option<Ipv4Addr> {
    let v4 = |high: u16, low: u16| Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
    match ip.segments() {
        // Mapped, compatible, translated (SIIT), NAT64 well-known and local (with a prefix of 96).
        [0, 0, 0, 0, 0, 0xffff | 0, high, low]
        | [0, 0, 0, 0, 0xffff, 0, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        | [0x64, 0xff9b, 1, _, _, _, high, low]
        // 6to4.
        | [0x2002, high, low, ..]
        // ISATAP, in any network.
        | [_, _, _, _, 0 | 0x200, 0x5efe, high, low] => Some(v4(high, low)),
        // Teredo's client, stored inverted.
        [0x2001, 0, .., high, low] => Some(v4(!high, !low)),
        _ => None,
    }
}

/// Hosts that an operator allows whatever their address: `host`, or `host:port` for one port of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModelHosts(Vec<(String, Option<u16>)>);

impl ModelHosts {
    /// Reads the entries; the error is the first that is neither form.
    pub fn parse(entries: &[String]) -> Result<Self, String> {
        entries
            .iter()
            .map(|entry| parse_entry(entry).ok_or_else(|| entry.clone()))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// What a call to this address may connect to.
    pub fn reach(&self, url: &Url, trusted_host: bool) -> Reach {
        if self.lists(url) {
            Reach::Listed
        } else if trusted_host {
            Reach::Trusted
        } else {
            Reach::Guarded
        }
    }

    fn lists(&self, url: &Url) -> bool {
        let Some(host) = url.host_str().map(normal) else { return false };
        let port = url.port_or_known_default();
        self.0.iter().any(|(name, only)| *name == host && (only.is_none() || *only == port))
    }
}

/// As `Url` shows hosts, without the dot that may end a name.
fn normal(host: &str) -> String {
    host.trim_end_matches('.').to_owned()
}

fn parse_entry(entry: &str) -> Option<(String, Option<u16>)> {
    let entry = entry.trim();
    let (host, port) = match entry.rsplit_once(':') {
        // A colon within brackets is the address's own.
        Some((host, port)) if !port.contains(']') => (host, Some(port.parse().ok()?)),
        _ => (entry, None),
    };
    let url = Url::parse(&format!("http://{host}/")).ok()?;
    // What follows the host would be silently dropped; a pattern would be taken for a name.
    let alone = url.path() == "/" && url.username().is_empty() && url.port().is_none();
    (alone && !host.contains(['/', '*', '?', '#']))
        .then(|| (normal(url.host_str().unwrap_or_default()), port))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kind of an address as a person writes it into a base URL.
    fn of(text: &str) -> AddressKind {
        match Url::parse(&format!("http://{text}/v1")).unwrap().host().unwrap() {
            Host::Ipv4(ip) => kind(IpAddr::V4(ip)),
            Host::Ipv6(ip) => kind(IpAddr::V6(ip)),
            Host::Domain(name) => panic!("{text} is the name {name}"),
        }
    }

    #[test]
    fn addresses_of_the_internet_are_public() {
        let table = [
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "[2606:4700::1111]",
            "[2001:4860:4860::8888]",
            "[2a00::1]",
            "[64:ff9b::808:808]",
            "[2002:808:808::1]",
            "0x08080808",
        ];
        for text in table {
            assert_eq!(of(text), AddressKind::Public, "{text}");
        }
    }

    #[test]
    fn addresses_that_are_not_are_private_in_every_spelling() {
        let table = [
            "0.0.0.0",
            "0.1.2.3",
            "0",
            "10.0.0.1",
            "10.255.255.255",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "127.1",
            "2130706433",
            "0x7f000001",
            "0x7f.1",
            "0177.0.0.1",
            "017700000001",
            "127.0.0.1.",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "１２７.0.0.1",
            "[::]",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[::ffff:8.8.8.8]",
            "[::127.0.0.1]",
            "[::ffff:0:127.0.0.1]",
            "[64:ff9b::127.0.0.1]",
            "[64:ff9b::10.0.0.1]",
            "[64:ff9b:1::8.8.8.8]",
            "[2002:7f00:1::]",
            "[2002:c0a8:1::1]",
            "[2001:0:1234::f5ff:fffe]",
            "[2001:0:4136:e378:8000:63bf:3fff:fdd2]",
            "[2a00::5efe:10.0.0.1]",
            "[2a00::200:5efe:192.168.0.1]",
            "[fe80::5efe:8.8.8.8]",
            "[fc00::1]",
            "[fd12:3456::1]",
            "[fe80::1]",
            "[fec0::1]",
            "[ff02::1]",
            "[100::1]",
            "[2001:db8::1]",
            "[2001:2::1]",
            "[2001:10::1]",
            "[2001:20::1]",
            "[3fff::1]",
            "[4000::1]",
            "[5f00::1]",
        ];
        for text in table {
            assert_eq!(of(text), AddressKind::Private, "{text}");
        }
    }

    #[test]
    fn metadata_is_found_in_every_spelling() {
        let table = [
            "169.254.169.254",
            "169.254.0.1",
            "169.254.170.2",
            "2852039166",
            "0xa9fea9fe",
            "0251.0376.0251.0376",
            "100.100.100.200",
            "1684301000",
            "192.0.0.192",
            "168.63.129.16",
            "[fd00:ec2::254]",
            "[fd20:ce::254]",
            "[::ffff:169.254.169.254]",
            "[::169.254.169.254]",
            "[64:ff9b::169.254.169.254]",
            "[64:ff9b:1::169.254.169.254]",
            "[2002:a9fe:a9fe::1]",
            "[::ffff:100.100.100.200]",
            "[2001:0:1234::5601:5601]",
            "[fe80::5efe:169.254.169.254]",
        ];
        for text in table {
            assert_eq!(of(text), AddressKind::Metadata, "{text}");
        }
    }

    #[test]
    fn reach_decides_by_kind() {
        let [public, private, metadata] =
            ["8.8.8.8", "127.0.0.1", "169.254.169.254"].map(|text| text.parse::<IpAddr>().unwrap());
        let table = [
            (Reach::Guarded, [true, false, false]),
            (Reach::Trusted, [true, true, false]),
            (Reach::Listed, [true, true, true]),
        ];
        for (reach, expected) in table {
            assert_eq!([public, private, metadata].map(|ip| reach.admits(ip)), expected, "{reach:?}");
        }
    }

    #[test]
    fn hosts_are_judged_before_a_lookup_where_that_is_possible() {
        let table = [
            ("http://localhost/", false),
            ("http://LOCALHOST./", false),
            ("http://api.localhost:80/", false),
            ("http://notlocalhost/", true),
            ("http://localhost.example/", true),
            ("http://[::1]/", false),
            ("http://10.0.0.1/", false),
            ("http://8.8.8.8/", true),
        ];
        for (url, guarded) in table {
            let url = Url::parse(url).unwrap();
            let host = url.host().unwrap();
            assert_eq!(Reach::Guarded.admits_host(&host), guarded, "{url}");
            assert!(Reach::Trusted.admits_host(&host), "{url}");
        }
    }

    #[test]
    fn listed_hosts() {
        let entries =
            ["ollama.lan", "10.0.0.5:11434", "[fd00::5]", "[::1]:80", " Meta.Example. "].map(str::to_owned);
        let hosts = ModelHosts::parse(&entries).unwrap();
        let table = [
            ("http://ollama.lan/v1", true),
            ("https://OLLAMA.lan.:8443/v1", true),
            ("http://x.ollama.lan/v1", false),
            ("http://ollama.lan.example/v1", false),
            ("http://10.0.0.5:11434/v1", true),
            ("http://0xa000005:11434/v1", true),
            ("http://10.0.0.5/v1", false),
            ("http://[fd00::5]:9/v1", true),
            ("http://[::1]/v1", true),
            ("https://[::1]/v1", false),
            ("http://meta.example/v1", true),
        ];
        for (url, listed) in table {
            let url = Url::parse(url).unwrap();
            for trusted in [false, true] {
                let otherwise = if trusted { Reach::Trusted } else { Reach::Guarded };
                let expected = if listed { Reach::Listed } else { otherwise };
                assert_eq!(hosts.reach(&url, trusted), expected, "{url}");
            }
        }
    }

    #[test]
    fn entries_that_are_no_host_are_refused() {
        for entry in [
            "",
            "http://host",
            "host/path",
            "host/",
            "u@host",
            "host:port",
            "host:1:2",
            "host:70000",
            "*",
            "a b",
            "[::1",
            "host?x",
        ] {
            let refused = ModelHosts::parse(&["good".to_owned(), entry.to_owned()]);
            assert_eq!(refused, Err(entry.to_owned()));
        }
    }
}
