//! What the figures were measured on.

use super::redis::Redis;
use shared::store::Db;
use shared::store::db::query;

/// Lines for the head of the report.
pub async fn describe(database: &Db, redis: &Redis) -> anyhow::Result<Vec<String>> {
    let cpus = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let model = field("/proc/cpuinfo", "model name");
    let memory = field("/proc/meminfo", "MemTotal");
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let settings = query(
        "SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync, \
         current_setting('synchronous_commit') AS commit",
    );
    let row = settings.one(database).await?;
    let (version, fsync, commit): (String, String, String) =
        (row.get("version")?, row.get("fsync")?, row.get("commit")?);
    Ok(vec![
        format!("{cpus} CPUs ({model}), {memory}, Linux {}", kernel.trim()),
        format!("Postgres {version}, fsync {fsync}, synchronous_commit {commit}"),
        format!(
            "Redis {}, append-only file {}",
            redis.info("server", "redis_version").await?,
            if redis.info("persistence", "aof_enabled").await? == "1" { "on" } else { "off" }
        ),
        format!("load average {}", load_average()),
    ])
}

fn field(file: &str, name: &str) -> String {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let mut fields = text.lines().filter_map(|line| line.split_once(':'));
    let value = fields.find(|(found, _)| found.trim() == name).map(|(_, value)| value.trim().to_owned());
    value.unwrap_or_else(|| format!("{name} unknown"))
}

/// Of the last minute, at the start: well above 0, and somebody else was using the machine.
fn load_average() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or_default().to_owned()
}
