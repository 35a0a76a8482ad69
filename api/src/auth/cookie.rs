//! The login's cookie: as it is set and taken away.

use super::credential::LOGIN_COOKIE;
use axum::http::HeaderValue;
use shared::domain::accounts::LOGIN_LIFETIME;
use shared::secrets::Secret;

/// Logs a browser in. Scripts can't read it, and pages of other sites send it with links only.
pub fn set(token: &Secret, secure: bool) -> HeaderValue {
    made(token.expose(), LOGIN_LIFETIME.num_seconds(), secure)
}

/// Logs it out.
pub fn clear(secure: bool) -> HeaderValue {
    made("", 0, secure)
}

fn made(value: &str, max_age: i64, secure: bool) -> HeaderValue {
    let secure = if secure { "; Secure" } else { "" };
    let text = format!("{LOGIN_COOKIE}={value}; Path=/; Max-Age={max_age}; HttpOnly; SameSite=Lax{secure}");
    // A token is letters, digits, - and _: this cannot fail.
    let mut value = HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static(""));
    value.set_sensitive(true);
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_are_for_this_server_and_no_script() {
        let set = set(&Secret::new("abc-_1"), true);
        assert_eq!(
            set.to_str().unwrap(),
            "neta_session=abc-_1; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure"
        );
        assert!(set.is_sensitive());
        let clear = clear(false);
        assert_eq!(clear.to_str().unwrap(), "neta_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
    }
}
