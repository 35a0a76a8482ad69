//! From values to a configuration that makes sense, or every reason why it does not.

use super::settings::{Settings, variable};
use super::{
    ApiConfig, Config, CrashAt, DelegationConfig, FirstAdmin, LlmConfig, LogConfig, LogFormat, RateConfig,
    RunDefaults, ServiceUrl, WorkerConfig,
};
use crate::domain::accounts::{check_password, clean_name};
use crate::domain::addresses::ModelHosts;
use crate::domain::clients::{ProxyHeader, TrustedProxies};
use crate::domain::delegation::{Budget, GlobalDelegation, Maxima};
use crate::secrets::{Secret, SecretKey};
use crate::telemetry::is_filter;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is wrong, one line each. Shows no secret.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub struct ConfigError(pub Vec<String>);

impl ConfigError {
    pub(super) fn one(problem: String) -> Self {
        Self(vec![problem])
    }
}

/// Gathers problems, so that a person sees all of them at once.
struct Check(Vec<String>);

impl Check {
    fn problem(&mut self, key: &str, what: &str) {
        self.0.push(format!("{key} ({}): {what}", variable(key)));
    }

    fn demand(&mut self, key: &str, holds: bool, what: &str) {
        if !holds {
            self.problem(key, what);
        }
    }

    fn seconds(&mut self, key: &str, value: f64) -> Duration {
        match Duration::try_from_secs_f64(value) {
            Ok(time) if (0.05..=31_536_000.0).contains(&value) => time,
            _ => {
                self.problem(key, "must be a number of seconds, at least 0.05 and at most a year");
                Duration::ZERO
            }
        }
    }

    fn count(&mut self, key: &str, value: u32, max: u32) -> u32 {
        self.demand(key, (1..=max).contains(&value), &format!("must be between 1 and {max}"));
        value
    }

    fn count_if_set(&mut self, key: &str, value: Option<u32>, max: u32) -> Option<u32> {
        value.map(|value| self.count(key, value, max))
    }
}

pub(super) fn checked(s: &Settings, default_data: PathBuf) -> Result<Config, ConfigError> {
    let mut check = Check(Vec::new());
    let data = s.data.as_ref().map_or(default_data, PathBuf::from);
    let config = Config {
        url: url(&mut check, s.url.as_deref(), &s.listen),
        listen: listen(&mut check, "listen", &s.listen),
        database_url: database_url(&mut check, s.database_url.as_deref(), &data),
        database_connections: check.count("database_connections", s.database_connections, 1_000),
        redis_url: redis_url(&mut check, s.redis_url.as_deref()),
        redis_prefix: redis_prefix(&mut check, &s.redis_prefix),
        start_timeout: check.seconds("start_timeout_seconds", s.start_timeout_seconds),
        admin_token: s.admin_token.as_deref().map(|token| admin_token(&mut check, token)),
        first_admin: first_admin(&mut check, s),
        secret_key: s.secret_key.as_deref().and_then(|key| secret_key(&mut check, "secret_key", key)),
        previous_keys: {
            let keys = s.secret_key_previous.0.iter();
            keys.filter_map(|key| secret_key(&mut check, "secret_key_previous", key)).collect()
        },
        log: log(&mut check, s),
        api: api(&mut check, s),
        worker: worker(&mut check, s),
        runs: runs(&mut check, s),
        delegation: delegation(&mut check, s),
        llm: llm(&mut check, s),
        unknown_variables: Vec::new(),
        data,
    };
    if check.0.is_empty() { Ok(config) } else { Err(ConfigError(check.0)) }
}

fn listen(check: &mut Check, key: &str, listen: &str) -> String {
    let valid = listen.rsplit_once(':').is_some_and(|(host, port)| {
        !host.is_empty() && port.parse::<u16>().is_ok() && (!host.contains(':') || host.starts_with('['))
    });
    check.demand(key, valid, "must be HOST:PORT, as 127.0.0.1:8420 or [::1]:8420");
    listen.to_owned()
}

fn url(check: &mut Check, url: Option<&str>, listen: &str) -> String {
    let Some(url) = url else {
        return format!("http://{}", listen.replace("0.0.0.0", "127.0.0.1").replace("[::]", "[::1]"));
    };
    let valid = url::Url::parse(url).is_ok_and(|u| matches!(u.scheme(), "http" | "https") && u.has_host());
    check.demand("url", valid, "must be an address that begins with http:// or https://");
    url.trim_end_matches('/').to_owned()
}

fn database_url(check: &mut Check, url: Option<&str>, data: &Path) -> ServiceUrl {
    let Some(url) = url else {
        // What would end or change the path in an address is escaped.
        let path = data.join("neta.db").display().to_string();
        return ServiceUrl::new(format!("sqlite://{}", path.replace('%', "%25").replace('?', "%3f")));
    };
    let known = ["sqlite:", "postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme));
    check.demand("database_url", known, "must begin with sqlite://, postgres:// or postgresql://");
    ServiceUrl::new(url)
}

fn redis_url(check: &mut Check, url: Option<&str>) -> Option<ServiceUrl> {
    let url = url?;
    let known = ["redis://", "rediss://"].iter().any(|scheme| url.starts_with(scheme));
    check.demand("redis_url", known, "must begin with redis:// or rediss://");
    Some(ServiceUrl::new(url))
}

fn redis_prefix(check: &mut Check, prefix: &str) -> String {
    let plain = prefix.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'));
    let valid = plain && (1..=64).contains(&prefix.len());
    check.demand("redis_prefix", valid, "must be 1 to 64 letters, digits or any of - _ : .");
    prefix.to_owned()
}

fn admin_token(check: &mut Check, token: &str) -> Secret {
    let plain = token.chars().all(|c| c.is_ascii_graphic());
    check.demand(
        "admin_token",
        plain && (16..=512).contains(&token.len()),
        "must be 16 to 512 visible ASCII characters",
    );
    Secret::new(token)
}

/// A name alone, or a password alone, makes nobody.
fn first_admin(check: &mut Check, s: &Settings) -> Option<FirstAdmin> {
    let (name, password) = match (s.admin_user.as_deref(), s.admin_password.as_deref()) {
        (None, None) => return None,
        (Some(_), None) => {
            check.problem("admin_password", "must be set where admin_user is");
            return None;
        }
        (None, Some(_)) => {
            check.problem("admin_user", "must be set where admin_password is");
            return None;
        }
        (Some(name), Some(password)) => (name, password),
    };
    if let Err(why) = check_password(name, password) {
        check.problem("admin_password", &why.to_string());
    }
    let Some(name) = clean_name(name) else {
        check.problem("admin_user", "must be 1 to 64 letters, digits or any of . _ - @ +");
        return None;
    };
    Some(FirstAdmin { name, password: Secret::new(password) })
}

fn secret_key(check: &mut Check, name: &str, key: &str) -> Option<SecretKey> {
    match SecretKey::from_base64(key, &format!("{name} ({})", variable(name))) {
        Ok(key) => Some(key),
        Err(error) => {
            check.0.push(error.to_string());
            None
        }
    }
}

fn log(check: &mut Check, s: &Settings) -> LogConfig {
    check.demand("log", is_filter(&s.log), "must be a filter, as info or info,sqlx=warn");
    let format = if s.log_format == "json" { LogFormat::Json } else { LogFormat::Human };
    check.demand("log_format", matches!(s.log_format.as_str(), "human" | "json"), "must be human or json");
    LogConfig { filter: s.log.clone(), format }
}

fn api(check: &mut Check, s: &Settings) -> ApiConfig {
    for origin in &s.origins.0 {
        // An origin has a scheme, a host and perhaps a port, and nothing after them.
        let valid = url::Url::parse(origin)
            .is_ok_and(|u| u.has_host() && u.origin().ascii_serialization() == *origin);
        check.demand("origins", valid, &format!("{origin:?} is no origin, as https://chat.example.com"));
    }
    let mut origins = s.origins.0.clone();
    let public_url = s.public_url.as_deref().and_then(|url| public_url(check, url));
    if let Some(url) = &public_url {
        origins.push(url.origin().ascii_serialization());
    }
    ApiConfig {
        origins,
        public_url: public_url.map(|url| url.as_str().trim_end_matches('/').to_owned()),
        web_dir: s.web_dir.as_ref().map(PathBuf::from),
        trusted_proxies: TrustedProxies::parse(&s.trusted_proxies.0).unwrap_or_else(|entry| {
            check.problem(
                "trusted_proxies",
                &format!("{entry:?} is neither an address nor a network, as 10.0.0.0/8"),
            );
            TrustedProxies::default()
        }),
        proxy_header: ProxyHeader::parse(&s.proxy_header).unwrap_or_else(|| {
            check.problem("proxy_header", "must be x-forwarded-for or forwarded");
            ProxyHeader::default()
        }),
        rates: rates(check, s),
        max_body_bytes: check.count("max_body_bytes", s.max_body_bytes, 64 << 20) as usize,
        max_message_chars: check.count("max_message_chars", s.max_message_chars, 10_000_000) as usize,
    }
}

fn public_url(check: &mut Check, url: &str) -> Option<url::Url> {
    let parsed = url::Url::parse(url).ok().filter(|u| matches!(u.scheme(), "http" | "https") && u.has_host());
    let plain =
        parsed.as_ref().is_some_and(|u| u.path() == "/" && u.query().is_none() && u.username().is_empty());
    check.demand("public_url", plain, "must be an address without a path, as https://chat.example.com");
    parsed
}

fn rates(check: &mut Check, s: &Settings) -> RateConfig {
    // Beyond it no limit is one.
    const MOST: u32 = 1_000_000;
    let mut rate = |key: &str, value: u32| {
        check.demand(key, value <= MOST, &format!("must be between 0 (no limit) and {MOST}"));
        value
    };
    RateConfig {
        key_per_minute: rate("rate_key_per_minute", s.rate_key_per_minute),
        user_per_minute: rate("rate_user_per_minute", s.rate_user_per_minute),
        address_per_minute: rate("rate_address_per_minute", s.rate_address_per_minute),
        burst: {
            let seconds = s.rate_burst_seconds;
            let fits = (0.05..=3_600.0).contains(&seconds);
            check.demand(
                "rate_burst_seconds",
                fits,
                "must be a number of seconds, at least 0.05 and at most an hour",
            );
            if fits { Duration::from_secs_f64(seconds) } else { Duration::ZERO }
        },
    }
}

fn worker(check: &mut Check, s: &Settings) -> WorkerConfig {
    let lease = check.seconds("lease_seconds", s.lease_seconds);
    let renew = check.seconds("renew_seconds", s.renew_seconds);
    check.demand("renew_seconds", renew * 2 <= lease, "must be at most half of lease_seconds");
    WorkerConfig {
        slots: check.count("worker_slots", s.worker_slots, 100_000) as usize,
        listen: s.worker_listen.as_deref().map(|address| listen(check, "worker_listen", address)),
        lease,
        renew,
        sweep: check.seconds("sweep_seconds", s.sweep_seconds),
        drain: check.seconds("drain_seconds", s.drain_seconds),
        always_suspend: s.always_suspend,
        crash_at: s.crash_at.as_deref().and_then(|at| crash_at(check, at)),
    }
}

fn crash_at(check: &mut Check, at: &str) -> Option<CrashAt> {
    let (point, nth) = at.split_once(':').unwrap_or((at, "1"));
    match nth.parse() {
        Ok(nth) if nth >= 1 && !point.is_empty() => Some(CrashAt { point: point.to_owned(), nth }),
        _ => {
            check.problem("crash_at", "must be POINT or POINT:COUNT, as S7:1");
            None
        }
    }
}

fn runs(check: &mut Check, s: &Settings) -> RunDefaults {
    check.demand(
        "run_repeat_warn",
        s.run_repeat_warn <= s.run_repeat_stop,
        "must not be more than run_repeat_stop",
    );
    RunDefaults {
        max_tool_rounds: check.count("run_max_tool_rounds", s.run_max_tool_rounds.unwrap_or(20), 1_000),
        max_wall: check.seconds("run_max_wall_seconds", s.run_max_wall_seconds),
        idle: check.seconds("run_idle_seconds", s.run_idle_seconds),
        repeat_warn: check.count("run_repeat_warn", s.run_repeat_warn, 1_000),
        repeat_stop: check.count("run_repeat_stop", s.run_repeat_stop, 1_000),
        attempts: check.count("run_attempts", s.run_attempts, 100),
        tool_concurrency: check.count("run_tool_concurrency", s.run_tool_concurrency, 64) as usize,
        budget: budget(check, s),
    }
}

fn budget(check: &mut Check, s: &Settings) -> Budget {
    let tokens = s.run_budget_tokens.is_none_or(|n| (1..=MAX_BUDGET_TOKENS).contains(&n));
    check.demand("run_budget_tokens", tokens, &format!("must be between 1 and {MAX_BUDGET_TOKENS}"));
    let cost = s.run_budget_cost.is_none_or(|cost| cost.is_finite() && cost > 0.0);
    check.demand("run_budget_cost", cost, "must be a number above 0");
    Budget { max_tokens: s.run_budget_tokens, max_cost: s.run_budget_cost }
}

/// Beyond what anybody can use, and exact in every form in which it is stored.
const MAX_BUDGET_TOKENS: u64 = 1_000_000_000_000;

fn delegation(check: &mut Check, s: &Settings) -> DelegationConfig {
    const DAY: u32 = 86_400;
    let global = GlobalDelegation {
        enabled: s.subagent_enabled,
        max_concurrent: check.count_if_set("subagent_max_concurrent", s.subagent_max_concurrent, 1_000),
        max_tasks: check.count_if_set("subagent_max_tasks", s.subagent_max_tasks, 256),
        max_children: check.count_if_set("subagent_max_children", s.subagent_max_children, 10_000),
        blocked_tool_names: s.subagent_blocked_tools.0.clone(),
        // The bounds are checked where runs are.
        max_tool_rounds: s.run_max_tool_rounds,
        max_wall_seconds: check.count_if_set("subagent_max_wall_seconds", s.subagent_max_wall_seconds, DAY),
        idle_seconds: check.count_if_set("subagent_idle_seconds", s.subagent_idle_seconds, DAY),
        maxima: Maxima {
            concurrent: check.count_if_set("subagent_limit_concurrent", s.subagent_limit_concurrent, 1_000),
            tool_rounds: check.count_if_set(
                "subagent_limit_tool_rounds",
                s.subagent_limit_tool_rounds,
                1_000,
            ),
            wall_seconds: check.count_if_set(
                "subagent_limit_wall_seconds",
                s.subagent_limit_wall_seconds,
                DAY,
            ),
        },
    };
    let clarify_deadline = check.seconds("clarify_deadline_seconds", s.clarify_deadline_seconds);
    DelegationConfig { global, clarify_deadline }
}

fn llm(check: &mut Check, s: &Settings) -> LlmConfig {
    LlmConfig {
        connect: check.seconds("llm_connect_seconds", s.llm_connect_seconds),
        header: check.seconds("llm_header_seconds", s.llm_header_seconds),
        idle: check.seconds("llm_idle_seconds", s.llm_idle_seconds),
        silent: check.seconds("llm_silent_seconds", s.llm_silent_seconds),
        max_attempts: check.count("llm_max_attempts", s.llm_max_attempts, 20),
        model_hosts: ModelHosts::parse(&s.model_hosts.0).unwrap_or_else(|entry| {
            check.problem("model_hosts", &format!("{entry:?} is neither HOST nor HOST:PORT"));
            ModelHosts::default()
        }),
    }
}
