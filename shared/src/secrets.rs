//! Secrets at rest and in memory: text that never prints itself, the key that seals what the
//! database holds, and the private files that the first start makes.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use chacha20poly1305::aead::{Aead, Generate, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use serde::{Deserialize, Serialize, Serializer};
use sha2::{Digest, Sha256};
use std::fmt;
use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The key's file in the data folder.
pub const KEY_FILE: &str = "secret.key";

const MASK: &str = "***";
const VERSION: &str = "v1.";
const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = 24;

/// Text that is not shown: `Debug`, `Display` and `Serialize` give `***`.
#[derive(Clone, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Wraps it.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself. Each call is a place to look at when a secret leaks.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(MASK)
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

/// What went wrong with a key, a private file or a sealed text. Never holds any of them.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// The key is unusable.
    #[error("{origin}: expected 32 bytes in base64, got {got}")]
    BadKey {
        /// Where it came from.
        origin: String,
        /// What was there instead.
        got: String,
    },
    /// The machine gave no random bytes.
    #[error("the operating system gave no random bytes")]
    Random,
    /// The text could not be sealed.
    #[error("the text is too long to be sealed")]
    TooLong,
    /// The text is not one that was sealed here.
    #[error("not a sealed text of a version known here")]
    Malformed,
    /// The key does not open it.
    #[error(
        "sealed with another key, or altered: every process needs the NETA_SECRET_KEY (or secret.key) that sealed it"
    )]
    WrongKey,
    /// A private file could not be read or made.
    #[error("{path}: {source}")]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// The 32 bytes that seal what the database holds.
#[derive(Clone)]
pub struct SecretKey([u8; KEY_BYTES]);

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

impl SecretKey {
    /// A new one.
    pub fn generate() -> Result<Self, SecretError> {
        random_bytes().map(Self)
    }

    /// From base64, standard or URL-safe, with or without padding. `origin` names the source in the
    /// error.
    pub fn from_base64(text: &str, origin: &str) -> Result<Self, SecretError> {
        let bad = |got: String| SecretError::BadKey { origin: origin.to_owned(), got };
        let text = text.trim();
        let bytes = lenient(&base64::alphabet::STANDARD)
            .decode(text)
            .or_else(|_| lenient(&base64::alphabet::URL_SAFE).decode(text))
            .map_err(|_| bad("something that is not base64".to_owned()))?;
        let length = bytes.len();
        bytes.try_into().map(Self).map_err(|_| bad(format!("{length} bytes")))
    }

    /// The key of the data folder's file, which is made (mode 0600) if it is missing. True: it was.
    pub fn of_folder(data: &Path) -> Result<(Self, bool), SecretError> {
        let path = data.join(KEY_FILE);
        let (text, made) = read_or_create(&path, || Ok(STANDARD.encode(random_bytes::<KEY_BYTES>()?)))?;
        Ok((Self::from_base64(text.expose(), &path.display().to_string())?, made))
    }
}

fn lenient(alphabet: &base64::alphabet::Alphabet) -> GeneralPurpose {
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    GeneralPurpose::new(alphabet, config)
}

/// Seals texts with one key, and opens them with it or one of those that were used before. Each text
/// is bound to its purpose, so that a row's sealed text is of no use in another row.
#[derive(Clone)]
pub struct Sealer {
    current: XChaCha20Poly1305,
    previous: Vec<XChaCha20Poly1305>,
}

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sealer")
    }
}

impl Sealer {
    /// With this key.
    pub fn new(key: &SecretKey) -> Self {
        Self::with_previous(key, &[])
    }

    /// The same, which also opens what the previous keys sealed.
    pub fn with_previous(key: &SecretKey, previous: &[SecretKey]) -> Self {
        let cipher = |key: &SecretKey| XChaCha20Poly1305::new(&key.0.into());
        Self { current: cipher(key), previous: previous.iter().map(cipher).collect() }
    }

    /// `v1.` and base64 of nonce and ciphertext. `purpose` says what it is and whose, as
    /// `model:<tenant>`; the same is needed to open it.
    pub fn seal(&self, purpose: &str, secret: &Secret) -> Result<String, SecretError> {
        let nonce = random_bytes::<NONCE_BYTES>()?;
        let payload = Payload { msg: secret.expose().as_bytes(), aad: purpose.as_bytes() };
        let sealed = self.current.encrypt(&XNonce::from(nonce), payload).map_err(|_| SecretError::TooLong)?;
        Ok(format!("{VERSION}{}", STANDARD.encode([nonce.as_slice(), &sealed].concat())))
    }

    /// The text that was sealed for this purpose.
    pub fn open(&self, purpose: &str, sealed: &str) -> Result<Secret, SecretError> {
        self.open_by_any(purpose, sealed).map(|(secret, _)| secret)
    }

    /// The same text sealed with the current key; None: it is already.
    pub fn reseal(&self, purpose: &str, sealed: &str) -> Result<Option<String>, SecretError> {
        match self.open_by_any(purpose, sealed)? {
            (_, true) => Ok(None),
            (secret, false) => self.seal(purpose, &secret).map(Some),
        }
    }

    /// True: the current key opened it.
    fn open_by_any(&self, purpose: &str, sealed: &str) -> Result<(Secret, bool), SecretError> {
        let text = sealed.strip_prefix(VERSION).ok_or(SecretError::Malformed)?;
        let bytes = STANDARD.decode(text).map_err(|_| SecretError::Malformed)?;
        let (nonce, sealed) = bytes.split_first_chunk::<NONCE_BYTES>().ok_or(SecretError::Malformed)?;
        let nonce = XNonce::from(*nonce);
        let open = |cipher: &XChaCha20Poly1305| {
            cipher.decrypt(&nonce, Payload { msg: sealed, aad: purpose.as_bytes() }).ok()
        };
        let (text, is_current) = match open(&self.current) {
            Some(text) => (text, true),
            None => (self.previous.iter().find_map(open).ok_or(SecretError::WrongKey)?, false),
        };
        Ok((String::from_utf8(text).map(Secret).map_err(|_| SecretError::Malformed)?, is_current))
    }
}

/// A bearer token of 256 random bits, safe in URLs and headers.
pub fn random_token() -> Result<Secret, SecretError> {
    Ok(Secret(URL_SAFE.encode(random_bytes::<KEY_BYTES>()?).trim_end_matches('=').to_owned()))
}

/// What is stored of a token of this kind instead of it: SHA-256 in hex. Enough for 256 random bits,
/// which nobody guesses; passwords need more.
pub fn fingerprint(token: &Secret) -> String {
    let digest = Sha256::digest(token.expose().as_bytes());
    digest.iter().fold(String::with_capacity(64), |mut hex, byte| {
        // Writing to a String cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

fn random_bytes<const N: usize>() -> Result<[u8; N], SecretError> {
    <[u8; N]>::try_generate().map_err(|_| SecretError::Random)
}

/// Reads a private file, or makes it (mode 0600) with the given content. It appears whole or not
/// at all, and when several processes start at once all get the content of the one that won. True:
/// this call made it.
pub fn read_or_create(
    path: &Path,
    content: impl FnOnce() -> Result<String, SecretError>,
) -> Result<(Secret, bool), SecretError> {
    let failed = |source| SecretError::File { path: path.to_owned(), source };
    match fs::read_to_string(path) {
        Ok(text) => return Ok((Secret::new(text.trim()), false)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => {}
        Err(e) => return Err(failed(e)),
    }
    let content = content()?;
    if create_whole(path, &content).map_err(failed)? {
        return Ok((Secret::new(content), true));
    }
    let text = fs::read_to_string(path).map_err(failed)?;
    Ok((Secret::new(text.trim()), false))
}

/// False: somebody else made it first.
fn create_whole(path: &Path, content: &str) -> io::Result<bool> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let name = random_token().map_err(io::Error::other)?;
    let draft = path.with_extension(format!("{}.new", name.expose()));
    let written = write_private(&draft, content).and_then(|()| fs::hard_link(&draft, path));
    let removed = fs::remove_file(&draft);
    match written {
        Ok(()) => removed.map(|()| true),
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(e) => Err(e),
    }
}

fn write_private(path: &Path, content: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    writeln!(file, "{content}")?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BENCH_KEY: &str = "YmVuY2gtc2VjcmV0LWtleS0zMi1ieXRlcy1sb25nISE=";

    fn sealer(byte: u8) -> Sealer {
        Sealer::new(&SecretKey([byte; KEY_BYTES]))
    }

    fn folder() -> PathBuf {
        let folder = std::env::temp_dir().join(format!("neta-secrets-{}", uuid::Uuid::new_v4()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_secret_never_prints_itself() {
        let secret = Secret::new("sk-canary");
        assert_eq!(format!("{secret} {secret:?} {:?}", Some(&secret)), "*** *** Some(***)");
        assert_eq!(serde_json::to_string(&secret).unwrap(), "\"***\"");
        assert_eq!(serde_json::from_str::<Secret>("\"sk-canary\"").unwrap().expose(), "sk-canary");
        assert_eq!(format!("{:?}", SecretKey([7; KEY_BYTES])), "***");
    }

    #[test]
    fn a_fingerprint_is_its_sha_256() {
        // The first example of FIPS 180-2.
        assert_eq!(
            fingerprint(&Secret::new("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn keys_are_32_bytes_in_any_base64_and_errors_do_not_quote_them() {
        assert_eq!(&SecretKey::from_base64(BENCH_KEY, "k").unwrap().0, b"bench-secret-key-32-bytes-long!!");
        for same in
            ["__________________________________________8=", "//////////////////////////////////////////8"]
        {
            assert_eq!(SecretKey::from_base64(same, "k").unwrap().0, [255; KEY_BYTES], "{same}");
        }
        let table = [
            ("c2hvcnQ=", "NETA_SECRET_KEY: expected 32 bytes in base64, got 5 bytes"),
            ("not base64!", "NETA_SECRET_KEY: expected 32 bytes in base64, got something that is not base64"),
            ("", "NETA_SECRET_KEY: expected 32 bytes in base64, got 0 bytes"),
        ];
        for (text, message) in table {
            let error = SecretKey::from_base64(text, "NETA_SECRET_KEY").unwrap_err();
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn sealed_text_opens_with_its_key_and_purpose_only() {
        let secret = Secret::new("sk-中文-😀");
        let sealed = sealer(1).seal("model:1", &secret).unwrap();
        assert!(sealed.starts_with("v1.") && !sealed.contains("sk-"));
        assert_ne!(sealed, sealer(1).seal("model:1", &secret).unwrap(), "the nonce is new each time");
        assert_eq!(sealer(1).open("model:1", &sealed).unwrap(), secret);
        for (sealer, purpose) in [(sealer(2), "model:1"), (sealer(1), "model:2")] {
            let error = sealer.open(purpose, &sealed).unwrap_err();
            assert!(matches!(error, SecretError::WrongKey) && error.to_string().contains("another key"));
        }
        for broken in ["", "v1.", "v2.AAAA", "v1.AAAA", "sk-plain", "v1.*"] {
            assert!(matches!(sealer(1).open("p", broken), Err(SecretError::Malformed)), "{broken}");
        }
    }

    #[test]
    fn a_rotated_key_opens_and_seals_anew() {
        let [old, older, new] = [1, 2, 3].map(|byte| SecretKey([byte; KEY_BYTES]));
        let secret = Secret::new("sk-rotated");
        let rotated = Sealer::with_previous(&new, &[old.clone(), older.clone()]);
        for key in [&old, &older] {
            let sealed = Sealer::new(key).seal("p", &secret).unwrap();
            assert_eq!(rotated.open("p", &sealed).unwrap(), secret);
            assert!(matches!(Sealer::new(&new).open("p", &sealed), Err(SecretError::WrongKey)));
            assert!(matches!(rotated.reseal("q", &sealed), Err(SecretError::WrongKey)), "another purpose");
            let anew = rotated.reseal("p", &sealed).unwrap().expect("it was not current");
            assert_eq!(Sealer::new(&new).open("p", &anew).unwrap(), secret);
            assert_eq!(rotated.reseal("p", &anew).unwrap(), None);
        }
        assert!(
            Sealer::new(&new).open("p", &rotated.seal("p", &secret).unwrap()).is_ok(),
            "seals with the current"
        );
        assert!(matches!(rotated.reseal("p", "v1.AAAA"), Err(SecretError::Malformed)));
    }

    #[test]
    fn the_key_file_is_made_once_and_private() {
        let data = folder();
        let (first, made) = SecretKey::of_folder(&data.join("deep/er")).unwrap();
        let (second, again) = SecretKey::of_folder(&data.join("deep/er")).unwrap();
        assert_eq!((first.0, made, again), (second.0, true, false));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(data.join("deep/er").join(KEY_FILE)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        fs::write(data.join(KEY_FILE), "short\n").unwrap();
        let error = SecretKey::of_folder(&data).unwrap_err().to_string();
        assert!(error.contains(KEY_FILE) && !error.contains("short"), "{error}");
        fs::remove_dir_all(data).unwrap();
    }

    #[test]
    fn all_who_start_at_once_get_one_content() {
        let data = folder();
        let path = data.join("token");
        let all: Vec<_> = std::thread::scope(|scope| {
            let starts: Vec<_> = (0..8)
                .map(|_| scope.spawn(|| read_or_create(&path, || Ok(random_token()?.0)).unwrap()))
                .collect();
            starts.into_iter().map(|s| s.join().unwrap()).collect()
        });
        assert!(all.iter().all(|(content, _)| content == &all[0].0 && content.expose().len() == 43));
        assert_eq!(all.iter().filter(|(_, made)| *made).count(), 1);
        assert_eq!(fs::read_dir(&data).unwrap().count(), 1, "no draft stays");
        fs::remove_dir_all(data).unwrap();
    }
}
