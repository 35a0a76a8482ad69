//! `get_time`: the current time in a zone.

use super::{Call, Output, Tool};
use async_trait::async_trait;
use chrono_tz::Tz;
use serde_json::{Value, json};
use shared::domain::tools::Effect;

/// Tells the time.
pub struct GetTime;

#[async_trait]
impl Tool for GetTime {
    fn name(&self) -> &'static str {
        "get_time"
    }

    fn description(&self) -> &'static str {
        "Tells the current date, weekday and time in a time zone."
    }

    fn parameters(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "timezone": {
                    "type": "string",
                    "description": "IANA time zone, for example Asia/Shanghai. UTC when left out."
                }
            },
            "additionalProperties": false
        })
    }

    fn effect(&self) -> Effect {
        Effect::Pure
    }

    async fn run(&self, call: Call) -> Output {
        let zone = call.arguments.get("timezone").and_then(Value::as_str).unwrap_or("UTC");
        match zone.parse::<Tz>() {
            Ok(tz) => {
                let local = call.now.with_timezone(&tz);
                Output::ok(format!("{} ({zone})", local.format("%A %Y-%m-%d %H:%M:%S %:z")))
            }
            Err(_) => Output::error(format!(
                "Unknown time zone {:?}. Use an IANA name such as Europe/Berlin or Asia/Shanghai.",
                shared::domain::text::cut(zone, 64)
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Outcome;
    use super::super::tests::call;
    use super::*;

    async fn tell(at: &str, zone: Option<&str>) -> Result<String, String> {
        let arguments = zone.map(|z| ("timezone".to_owned(), json!(z))).into_iter().collect();
        let now = at.parse().unwrap();
        match GetTime.run(Call { now, ..call(arguments) }).await.outcome {
            Outcome::Done(text) => Ok(text),
            Outcome::Failed(error) => Err(error),
            Outcome::HandedOver(to) => panic!("{to:?}"),
        }
    }

    #[tokio::test]
    async fn zones_and_their_summer_time() {
        let (winter, summer) = ("2026-01-15T14:00:00Z", "2026-07-15T13:00:00Z");
        let new_york = Some("America/New_York");
        assert_eq!(
            tell(winter, new_york).await.unwrap(),
            "Thursday 2026-01-15 09:00:00 -05:00 (America/New_York)"
        );
        assert_eq!(
            tell(summer, new_york).await.unwrap(),
            "Wednesday 2026-07-15 09:00:00 -04:00 (America/New_York)"
        );
        assert_eq!(tell(winter, None).await.unwrap(), "Thursday 2026-01-15 14:00:00 +00:00 (UTC)");
        let shanghai = tell("2026-01-15T16:30:00Z", Some("Asia/Shanghai")).await.unwrap();
        assert_eq!(shanghai, "Friday 2026-01-16 00:30:00 +08:00 (Asia/Shanghai)");
    }

    #[tokio::test]
    async fn an_unknown_zone_is_an_error_that_says_what_is_wanted() {
        let error = tell("2026-01-15T14:00:00Z", Some("Mars/Base")).await.unwrap_err();
        assert!(error.contains("Mars/Base") && error.contains("IANA"), "{error}");
    }
}
