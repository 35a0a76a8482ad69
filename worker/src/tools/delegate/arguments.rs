//! From a call's arguments to tasks: all of them, or one refusal that names the place.

use super::{Rules, agents};
use serde_json::{Map, Value};
use shared::domain::delegation::Task;
use shared::domain::text::is_blank;

/// Other names under which arguments are known.
const ALIASES: [(&str, &str); 2] = [("task_description", "goal"), ("agent_name", "agentId")];

/// Brings the other names of arguments, ids that are numbers, and nulls into the schema's form. Refuses
/// an agent where none may be called: the schema does not know the field then, and would only say so.
pub(super) fn tidy_task(
    mut task: Map<String, Value>,
    place: &str,
    rules: &Rules,
) -> Result<Map<String, Value>, String> {
    task.retain(|_, value| !value.is_null());
    for (alias, name) in ALIASES {
        if let Some(value) = task.remove(alias) {
            task.entry(name).or_insert(value);
        }
    }
    if let Some(id) = task.get_mut("agentId")
        && let Some(number) = id.as_i64()
    {
        *id = Value::String(number.to_string());
    }
    if rules.presets().is_empty()
        && let Some(wanted) = task.remove("agentId")
        && !wanted.as_str().is_some_and(|wanted| wanted.trim().is_empty())
    {
        return Err(format!(
            "{place}agentId: there is no agent that you may call. Leave agentId out: a copy of yourself does it."
        ));
    }
    Ok(task)
}

/// As [`tidy_task`] for each of the tasks. Refuses more than the limit by both numbers.
pub(super) fn tidy_tasks(
    mut arguments: Map<String, Value>,
    rules: &Rules,
) -> Result<Map<String, Value>, String> {
    let max_tasks = rules.delegation.max_tasks;
    let Some(Value::Array(tasks)) = arguments.get_mut("tasks") else { return Ok(arguments) };
    if tasks.len() > max_tasks as usize {
        return Err(format!(
            "{} tasks are more than the {max_tasks} that one call may have. Make several calls, \
             one after the other.",
            tasks.len()
        ));
    }
    for (n, task) in tasks.iter_mut().enumerate() {
        if let Value::Object(object) = task {
            *object = tidy_task(std::mem::take(object), &format!("tasks[{n}]."), rules)?;
        }
    }
    Ok(arguments)
}

/// The tasks of a call that fits the schema.
pub(super) fn tasks(arguments: &Map<String, Value>, rules: &Rules) -> Result<Vec<Task>, String> {
    let tasks = arguments.get("tasks").and_then(Value::as_array).into_iter().flatten();
    let objects = tasks.filter_map(Value::as_object).enumerate();
    objects.map(|(n, object)| task(object, &format!("tasks[{n}]."), rules)).collect()
}

/// One task; `place` stands before the names of its values in a refusal.
pub(super) fn task(object: &Map<String, Value>, place: &str, rules: &Rules) -> Result<Task, String> {
    let text = |name: &str| object.get(name).and_then(Value::as_str).map(str::trim).filter(|t| !is_blank(t));
    let goal = text("goal").ok_or_else(|| format!("{place}goal is blank."))?;
    let preset = match (text("agentId"), text("mode")) {
        (Some(_), Some("clone")) => {
            return Err(format!(
                "{place}mode is clone, but {place}agentId names an agent: give one of them."
            ));
        }
        (None, Some("preset")) => {
            return Err(format!("{place}mode is preset, but {place}agentId names no agent."));
        }
        (Some(wanted), _) => Some(
            agents::find(rules.presets(), wanted).map_err(|refusal| format!("{place}agentId: {refusal}"))?,
        ),
        (None, _) => None,
    };
    let tool_names = object
        .get("toolNames")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>());
    if let Some(names) = &tool_names {
        rules
            .check_tools(names, preset.is_some())
            .map_err(|refusal| format!("{place}toolNames: {refusal}"))?;
    }
    let max_tool_rounds =
        object.get("maxToolRounds").and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok());
    Ok(Task {
        goal: goal.to_owned(),
        context: text("context").map(str::to_owned),
        preset,
        tool_names,
        max_tool_rounds,
    })
}
