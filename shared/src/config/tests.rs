use super::*;
use crate::domain::delegation::{Budget, GlobalDelegation};

fn pairs(pairs: &[(&str, &str)]) -> Pairs {
    pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
}

fn resolve(file: &str, env: &[(&str, &str)], flags: &[(&str, &str)]) -> Result<Config, String> {
    Config::resolve(Some(("neta.toml", file)), &pairs(env), &pairs(flags)).map_err(|e| e.to_string())
}

#[test]
fn built_in_values_are_those_of_the_design() {
    let c = Config::resolve(None, &pairs(&[("HOME", "/home/ann")]), &Pairs::new()).unwrap();
    assert_eq!((c.listen.as_str(), c.url.as_str()), ("127.0.0.1:8420", "http://127.0.0.1:8420"));
    assert_eq!(c.data, PathBuf::from("/home/ann/.local/share/neta"));
    assert_eq!(c.database_url.expose(), "sqlite:///home/ann/.local/share/neta/neta.db");
    assert_eq!((c.redis_url, c.redis_prefix.as_str(), c.worker.slots), (None, "neta", 64));
    let seconds = [c.worker.lease, c.worker.renew, c.worker.sweep, c.runs.max_wall, c.runs.idle];
    assert_eq!(seconds.map(|d| d.as_secs()), [15, 5, 5, 1_800, 300]);
    assert_eq!((c.runs.max_tool_rounds, c.runs.attempts), (20, 3));
    assert_eq!((c.runs.repeat_warn, c.runs.repeat_stop), (3, 5));
    assert_eq!((c.runs.budget, c.delegation.global), (Budget::default(), GlobalDelegation::default()));
    assert_eq!(c.delegation.clarify_deadline.as_secs(), 86_400);
    let llm = [c.llm.connect, c.llm.header, c.llm.idle, c.llm.silent];
    assert_eq!(llm.map(|d| d.as_secs()), [10, 60, 60, 120]);
    assert_eq!((c.llm.max_attempts, c.api.max_body_bytes), (5, 1_048_576));
    assert!(c.admin_token.is_none() && c.secret_key.is_none() && c.worker.crash_at.is_none());
}

#[test]
fn the_first_administrator_has_a_name_and_a_password_that_is_not_shown() {
    let admin =
        |user, password| resolve("", &[("NETA_ADMIN_USER", user), ("NETA_ADMIN_PASSWORD", password)], &[]);
    let config = admin("Root@Example.com", "canary-canary-1").unwrap();
    assert!(!format!("{config:?}").contains("canary"));
    let first = config.first_admin.unwrap();
    assert_eq!((first.name.as_str(), first.password.expose()), ("root@example.com", "canary-canary-1"));
    assert_eq!(admin("", "").unwrap().first_admin, None);
    let table = [
        ("root", "", "admin_password (NETA_ADMIN_PASSWORD): must be set"),
        ("", "canary-canary-1", "admin_user (NETA_ADMIN_USER): must be set"),
        ("root", "canary", "admin_password (NETA_ADMIN_PASSWORD): must have at least 10"),
        ("canary.canary", "canary.canary", "admin_password (NETA_ADMIN_PASSWORD): must not be the name"),
        ("the root", "canary-canary-1", "admin_user (NETA_ADMIN_USER): must be 1 to 64"),
    ];
    for (user, password, message) in table {
        let error = admin(user, password).unwrap_err();
        assert!(error.contains(message) && !error.contains("canary"), "{user}: {error}");
    }
}

#[test]
fn flags_win_over_the_environment_and_that_over_the_file() {
    let file =
        "listen = \"file:1\"\nredis_prefix = \"file\"\nworker_slots = 3\norigins = [\"https://a.example\"]\n";
    let env = [("NETA_LISTEN", "env:2"), ("NETA_REDIS_PREFIX", "env"), ("NETA_WORKER_SLOTS", "")];
    let c = resolve(file, &env, &[("listen", "flag:3")]).unwrap();
    assert_eq!((c.listen.as_str(), c.redis_prefix.as_str(), c.worker.slots), ("flag:3", "env", 3));
    assert_eq!(c.api.origins, ["https://a.example"]);
}

#[test]
fn every_form_of_a_value_is_read() {
    let env = [
        ("NETA_ORIGINS", "https://a.example, http://localhost:3000"),
        ("NETA_LEASE_SECONDS", "1.5"),
        ("NETA_RENEW_SECONDS", "0.5"),
        ("NETA_ALWAYS_SUSPEND", "1"),
        ("NETA_CRASH_AT", "S7:2"),
        ("NETA_ADMIN_TOKEN", "0012345678901234"),
        ("NETA_LOG_FORMAT", "json"),
        ("NETA_REDIS_URL", "redis://:pw@cache:6379"),
        ("RUST_LOG", "debug"),
    ];
    let c = resolve("sweep_seconds = 2", &env, &[]).unwrap();
    assert_eq!(c.api.origins, ["https://a.example", "http://localhost:3000"]);
    assert_eq!((c.worker.lease.as_millis(), c.worker.renew.as_millis()), (1_500, 500));
    assert_eq!((c.worker.sweep.as_secs(), c.worker.always_suspend), (2, true));
    assert_eq!(c.worker.crash_at, Some(CrashAt { point: "S7".to_owned(), nth: 2 }));
    assert_eq!(c.admin_token.unwrap().expose(), "0012345678901234", "digits stay as they were written");
    assert_eq!((c.log.filter.as_str(), c.log.format), ("debug", LogFormat::Json));
    assert_eq!(c.redis_url.unwrap().to_string(), "redis://:***@cache:6379");
    let c = resolve("", &[("RUST_LOG", "debug"), ("NETA_LOG", "warn")], &[]).unwrap();
    assert_eq!(c.log.filter, "warn");
}

#[test]
fn delegation_keeps_what_was_set_and_what_was_not() {
    let file = "subagent_enabled = false\nsubagent_blocked_tools = [\"a\"]\nrun_max_tool_rounds = 7\n\
                run_budget_tokens = 5000000000\nsubagent_limit_wall_seconds = 60\nclarify_deadline_seconds = 1.5\n";
    let env = [("NETA_SUBAGENT_BLOCKED_TOOLS", "b, c"), ("NETA_RUN_BUDGET_COST", "0.5")];
    let c = resolve(file, &env, &[("subagent_max_concurrent", "4")]).unwrap();
    let global = &c.delegation.global;
    assert_eq!((global.enabled, global.max_concurrent, global.max_tasks), (Some(false), Some(4), None));
    assert_eq!(global.blocked_tool_names, ["b", "c"]);
    assert_eq!((global.max_tool_rounds, c.runs.max_tool_rounds), (Some(7), 7));
    assert_eq!((global.maxima.wall_seconds, global.maxima.concurrent), (Some(60), None));
    assert_eq!(c.runs.budget, Budget { max_tokens: Some(5_000_000_000), max_cost: Some(0.5) });
    assert_eq!(c.delegation.clarify_deadline.as_millis(), 1_500);
}

#[test]
fn the_data_folder_is_found_in_order() {
    type Row<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a [(&'a str, &'a str)], &'a str);
    let all = [("NETA_DATA", "/env"), ("XDG_DATA_HOME", "/xdg"), ("HOME", "/home/ann")];
    let table: [Row<'_>; 6] = [
        ("data = \"/file\"", &all, &[("data", "/flag")], "/flag"),
        ("data = \"/file\"", &all, &[], "/env"),
        ("data = \"/file\"", &all[1..], &[], "/file"),
        ("", &all[1..], &[], "/xdg/neta"),
        ("", &all[2..], &[], "/home/ann/.local/share/neta"),
        ("", &[], &[], "data"),
    ];
    for (file, env, flags, expected) in table {
        assert_eq!(resolve(file, env, flags).unwrap().data, PathBuf::from(expected));
    }
    let odd = resolve("", &[], &[("data", "/a?b%c")]).unwrap();
    assert_eq!(odd.database_url.expose(), "sqlite:///a%3fb%25c/neta.db");
}

#[test]
fn what_is_wrong_is_named() {
    let table = [
        ("wroker_slots = 3", "neta.toml: unknown key `wroker_slots`"),
        ("worker_slots = \"many\"", "worker_slots` in neta.toml"),
        ("worker_slots = 0", "worker_slots (NETA_WORKER_SLOTS): must be between 1 and 100000"),
        ("lease_seconds = -1", "lease_seconds (NETA_LEASE_SECONDS): must be a number of seconds"),
        ("lease_seconds = nan", "lease_seconds (NETA_LEASE_SECONDS): must be a number of seconds"),
        ("renew_seconds = 9", "renew_seconds (NETA_RENEW_SECONDS): must be at most half of lease_seconds"),
        ("listen = \"8420\"", "listen (NETA_LISTEN): must be HOST:PORT"),
        ("listen = \"::1:8420\"", "listen (NETA_LISTEN): must be HOST:PORT"),
        ("url = \"ftp://x\"", "url (NETA_URL): must be an address"),
        ("database_url = \"mysql://db\"", "database_url (NETA_DATABASE_URL): must begin with"),
        ("redis_url = \"cache:6379\"", "redis_url (NETA_REDIS_URL): must begin with"),
        ("redis_prefix = \"a b\"", "redis_prefix (NETA_REDIS_PREFIX): must be"),
        ("admin_token = \"short\"", "admin_token (NETA_ADMIN_TOKEN): must be 16 to 512"),
        ("secret_key = \"c2hvcnQ=\"", "secret_key (NETA_SECRET_KEY): expected 32 bytes in base64, got 5"),
        ("log = \"worker=loud\"", "log (NETA_LOG): must be a filter"),
        ("log_format = \"xml\"", "log_format (NETA_LOG_FORMAT): must be human or json"),
        ("origins = [\"a.example/x\"]", "origins (NETA_ORIGINS): \"a.example/x\" is no origin"),
        ("crash_at = \"S7:0\"", "crash_at (NETA_CRASH_AT): must be"),
        ("run_repeat_warn = 9", "run_repeat_warn (NETA_RUN_REPEAT_WARN): must not be more"),
        ("run_budget_tokens = 0", "run_budget_tokens (NETA_RUN_BUDGET_TOKENS): must be between 1"),
        ("run_budget_cost = -1.0", "run_budget_cost (NETA_RUN_BUDGET_COST): must be a number above 0"),
        ("subagent_max_concurrent = 0", "(NETA_SUBAGENT_MAX_CONCURRENT): must be between 1 and 1000"),
        ("llm_max_attempts = 99", "llm_max_attempts (NETA_LLM_MAX_ATTEMPTS): must be between 1 and 20"),
    ];
    for (file, message) in table {
        let error = resolve(file, &[], &[]).unwrap_err();
        assert!(error.contains(message), "{file}: {error}");
    }
    let both = resolve("worker_slots = 0\nlisten = \"x\"", &[], &[]).unwrap_err();
    assert_eq!(both.lines().count(), 2, "all problems at once: {both}");
    let error = resolve("", &[("NETA_WORKER_SLOTS", "many")], &[]).unwrap_err();
    assert!(error.contains("worker_slots` in NETA_WORKER_SLOTS"), "{error}");
    let error = resolve("", &[], &[("worker_slots", "many")]).unwrap_err();
    assert!(error.contains("worker_slots` in --worker-slots"), "{error}");
}

#[test]
fn no_error_and_no_print_shows_a_secret() {
    let error = resolve("listen = \"a:1\"\nadmin_token = \"canary-canary-canary", &[], &[]).unwrap_err();
    assert!(error.contains("neta.toml: TOML parse error at line 2") && !error.contains("canary"), "{error}");
    for file in
        ["admin_token = \"canary canary canary\"", "secret_key = \"canary\"", "[secret_key]\ncanary = 1"]
    {
        let error = resolve(file, &[], &[]).unwrap_err();
        assert!(!error.contains("canary"), "{error}");
    }
    let env = [
        ("NETA_ADMIN_TOKEN", "canary-canary-canary"),
        ("NETA_SECRET_KEY", "Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5Y2E="),
        ("NETA_DATABASE_URL", "postgres://u:canary@db/neta"),
    ];
    let shown = format!("{:?}", resolve("", &env, &[]).unwrap());
    assert!(!shown.contains("canary") && !shown.contains("Y2FuYXJ5"), "{shown}");
}

#[test]
fn variables_that_mean_nothing_are_reported() {
    let env =
        [("NETA_DATABSE_URL", "x"), ("NETA_TEST_REDIS_URL", "x"), ("NETA_LISTEN", "a:1"), ("PATH", "x")];
    assert_eq!(resolve("", &env, &[]).unwrap().unknown_variables, ["NETA_DATABSE_URL"]);
}

#[test]
fn the_token_is_made_once_and_a_configured_one_wins() {
    let data = std::env::temp_dir().join(format!("neta-config-{}", uuid::Uuid::new_v4()));
    let flags = [("data", data.to_str().unwrap())];
    let config = resolve("", &[], &flags).unwrap();
    let (token, made) = config.ensure_admin_token().unwrap();
    assert_eq!((config.ensure_admin_token().unwrap(), made), ((token.clone(), false), true));
    assert!(token.expose().len() >= 32);
    let set = resolve("", &[("NETA_ADMIN_TOKEN", "0123456789abcdef")], &flags).unwrap();
    assert_eq!(set.ensure_admin_token().unwrap(), (Secret::new("0123456789abcdef"), false));
    let sealed = config.sealer().unwrap().seal("p", &token).unwrap();
    assert_eq!(config.sealer().unwrap().open("p", &sealed).unwrap(), token, "the folder's key is kept");
    std::fs::remove_dir_all(data).unwrap();
}

#[test]
fn the_manual_lists_every_key() {
    let manual = include_str!("../../../docs/OPERATIONS.md");
    let section = manual.split("## Settings").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows =
        section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`').map(|(key, _)| key));
    assert_eq!(rows.collect::<Vec<_>>(), KEYS);
}
