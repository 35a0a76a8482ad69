//! The bench's own view of Redis: a prefix of its own, which is emptied at the end.

use anyhow::Context;
use redis::aio::MultiplexedConnection;

/// One connection, and the prefix that Neta is given.
#[derive(Debug, Clone)]
pub struct Redis {
    url: String,
    prefix: String,
    connection: MultiplexedConnection,
}

impl Redis {
    pub async fn connect(url: &str) -> anyhow::Result<Self> {
        let client = redis::Client::open(url).context("the address of Redis")?;
        let connection = client.get_multiplexed_async_connection().await.context("Redis does not answer")?;
        let prefix = format!("bench-{}", uuid::Uuid::new_v4().simple());
        Ok(Self { url: url.to_owned(), prefix, connection })
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// One round trip that writes a little.
    pub async fn round_trip(&self) -> anyhow::Result<()> {
        let key = format!("{}:floor", self.prefix);
        let set = redis::cmd("SET").arg(key).arg("a few bytes").to_owned();
        Ok(set.query_async(&mut self.connection.clone()).await?)
    }

    /// A field of INFO.
    pub async fn info(&self, section: &str, field: &str) -> anyhow::Result<String> {
        let info: String = redis::cmd("INFO").arg(section).query_async(&mut self.connection.clone()).await?;
        let mut fields = info.lines().filter_map(|line| line.split_once(':'));
        let value = fields.find(|(name, _)| *name == field).map(|(_, value)| value.trim().to_owned());
        value.with_context(|| format!("INFO has no {field}"))
    }

    /// Removes everything under the prefix.
    pub async fn clear(&self) -> anyhow::Result<()> {
        let (mut connection, mut cursor) = (self.connection.clone(), 0_u64);
        loop {
            let mut scan = redis::cmd("SCAN");
            scan.arg(cursor).arg("MATCH").arg(format!("{}*", self.prefix)).arg("COUNT").arg(1_000);
            let (next, keys): (u64, Vec<String>) = scan.query_async(&mut connection).await?;
            if !keys.is_empty() {
                redis::cmd("UNLINK").arg(keys).query_async::<()>(&mut connection).await?;
            }
            if next == 0 {
                return Ok(());
            }
            cursor = next;
        }
    }
}
