//! The first administrator: by configuration, or by a token that the process prints.

use crate::auth::password::Passwords;
use crate::error::ApiError;
use shared::app::App;
use shared::config;
use shared::secrets::{Secret, SecretError, fingerprint, random_token};
use shared::store::accounts::AccountError;
use shared::store::tenants::FirstAdmin;
use shared::store::{StoreError, setup};

/// What a process that serves the API begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FirstStart {
    /// There are users.
    Ready,
    /// The configured administrator was made now.
    Made,
    /// Nobody has an account: who holds this token may make the first one. To be printed.
    Setup(Secret),
}

/// Why the first administrator was not made.
#[derive(Debug, thiserror::Error)]
pub enum FirstStartError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The account.
    #[error(transparent)]
    Account(#[from] AccountError),
    /// No random bytes.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// The password was not hashed.
    #[error(transparent)]
    Hash(#[from] ApiError),
}

/// Makes the configured administrator where there are no users, or the token for the setup in place of
/// an earlier one. Users who are there stay as they are.
pub async fn first_start(
    app: &App,
    admin: Option<&config::FirstAdmin>,
) -> Result<FirstStart, FirstStartError> {
    let (db, now) = (&app.db, app.clock.now());
    if !setup::is_fresh(db).await? {
        return Ok(FirstStart::Ready);
    }
    if let Some(admin) = admin {
        let admin = FirstAdmin {
            name: admin.name.clone(),
            display_name: admin.name.clone(),
            password_hash: Passwords::default().turn().await?.hash(&admin.password).await?,
        };
        let made = setup::make_configured(db, &admin, now).await?;
        return Ok(if made.is_some() { FirstStart::Made } else { FirstStart::Ready });
    }
    let token = random_token()?;
    let offered = setup::offer(db, &fingerprint(&token), now).await?;
    Ok(if offered { FirstStart::Setup(token) } else { FirstStart::Ready })
}
