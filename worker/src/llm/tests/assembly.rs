//! Assembly without I/O: streams cut at every byte, and what servers send besides the usual.

use super::super::anthropic::assemble::Assembler as Anthropic;
use super::super::http::Assemble;
use super::super::openai::assemble::Assembler as OpenAi;
use super::super::scripted::render::{Segment, body};
use super::super::sse::Decoder;
use super::*;
use serde_json::{Value, json};
use shared::domain::conversation::{Finish, TokenUsage};

const CHINESE: &str = "那个修复方法😀👨‍👩‍👧";

/// A response and the text that was shown, from a stream in these reads.
fn assemble(dialect: Provider, reads: &[&[u8]]) -> Result<(Response, String), LlmError> {
    fn feed(into: &mut dyn Assemble, reads: &[&[u8]]) -> Result<String, LlmError> {
        let (mut decoder, mut shown) = (Decoder::default(), Vec::new());
        for read in reads {
            decoder.push(read, &mut |event| into.event(event))?;
            into.show(&mut |delta| shown.push(delta));
        }
        decoder.end(&mut |event| into.event(event))?;
        into.show(&mut |delta| shown.push(delta));
        Ok(text_of(&shown))
    }
    if dialect == Provider::Anthropic {
        let mut assembler = Anthropic::new(None);
        let shown = feed(&mut assembler, reads)?;
        Ok((assembler.finish()?, shown))
    } else {
        let mut assembler = OpenAi::new(None);
        let shown = feed(&mut assembler, reads)?;
        Ok((assembler.finish()?, shown))
    }
}

/// As [`assemble`], from the events' data alone.
fn events(dialect: Provider, data: &[Value]) -> Result<Response, LlmError> {
    let stream = data.iter().fold(String::new(), |s, d| s + "data: " + &d.to_string() + "\n\n");
    assemble(dialect, &[stream.as_bytes()]).map(|(response, _)| response)
}

#[expect(clippy::needless_pass_by_value, reason = "reads better in the tables below")]
fn chunk(delta: Value, finish: Option<&str>) -> Value {
    json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
}

fn calls_of(response: &Response) -> Vec<(&str, &str)> {
    response.calls.iter().map(|c| (c.name.as_str(), c.arguments.as_str())).collect()
}

#[test]
fn every_cut_gives_the_same_response() {
    for dialect in DIALECTS {
        let reply = Reply::tokens([CHINESE, "\u{0}b"])
            .thinking(CHINESE)
            .and_call("f", r#"{"a":"中😀"}"#)
            .and_call("g", r#"{"b":2}"#);
        let segments = body(&reply, dialect == Provider::Anthropic, true);
        let [Segment::Bytes(bytes)] = segments.as_slice() else { panic!("one write") };
        let whole = assemble(dialect, &[bytes]).unwrap();
        assert_eq!(whole.0.text, format!("{CHINESE}\u{2400}b"), "NUL is made visible");
        assert_eq!((whole.0.thinking.as_str(), &whole.1), (CHINESE, &whole.0.text));
        assert_eq!(calls_of(&whole.0), [("f", r#"{"a":"中😀"}"#), ("g", r#"{"b":2}"#)]);
        for cut in 0..=bytes.len() {
            let (a, b) = bytes.split_at(cut);
            assert_eq!(assemble(dialect, &[a, b]).unwrap(), whole, "{dialect:?} cut at {cut}");
        }
        let single = bytes.chunks(1).collect::<Vec<_>>();
        assert_eq!(assemble(dialect, &single).unwrap(), whole);
    }
}

#[test]
fn parallel_calls_under_one_index() {
    let call = |id: &str, name: &str, arguments: &str| {
        json!({"tool_calls": [{"index": 0, "id": id, "type": "function",
            "function": {"name": name, "arguments": arguments}}]})
    };
    let data = [
        chunk(call("a", "f", r#"{"a":1}"#), None),
        chunk(call("b", "g", r#"{"b":2}"#), None),
        chunk(json!({}), Some("tool_calls")),
    ];
    let response = events(Provider::Openai, &data).unwrap();
    assert_eq!(calls_of(&response), [("f", r#"{"a":1}"#), ("g", r#"{"b":2}"#)]);
    assert_eq!((response.calls[0].id.as_str(), response.calls[1].id.as_str()), ("a", "b"));
}

#[test]
fn arguments_of_any_form() {
    let piece = |arguments: Option<Value>| {
        let mut function = json!({"name": "f"});
        if let Some(arguments) = arguments {
            function["arguments"] = arguments;
        }
        chunk(json!({"tool_calls": [{"function": function}]}), Some("stop"))
    };
    let table = [
        (Some(json!("")), ""),
        (Some(json!("  ")), "  "),
        (None, ""),
        (Some(Value::Null), ""),
        (Some(json!({"a": 1})), r#"{"a":1}"#),
        (Some(json!({})), "{}"),
        (Some(json!("{\"a\"")), "{\"a\""),
    ];
    for (arguments, expected) in table {
        let response = events(Provider::Openai, &[piece(arguments.clone())]).unwrap();
        assert_eq!(calls_of(&response), [("f", expected)], "{arguments:?}");
        assert_eq!(response.finish, Finish::ToolCalls, "whatever the server calls it");
        assert!(response.calls[0].id.starts_with("call_"));
    }
}

#[test]
fn finish_reasons() {
    let openai = |reason: &str| events(Provider::Openai, &[chunk(json!({"content": "a"}), Some(reason))]);
    for (reason, finish) in [
        ("stop", Finish::Stop),
        ("length", Finish::Length),
        ("content_filter", Finish::ContentFilter),
        ("eos", Finish::Stop),
    ] {
        assert_eq!(openai(reason).unwrap().finish, finish);
    }
    assert_eq!(openai("tool_calls").unwrap_err().kind(), "bad_chunk");
    assert_eq!(openai("").unwrap_err(), LlmError::Truncated);

    let anthropic = |reason: &str| {
        let text = json!({"type": "text", "text": "a"});
        events(
            Provider::Anthropic,
            &[
                json!({"type": "content_block_start", "index": 0, "content_block": text}),
                json!({"type": "message_delta", "delta": {"stop_reason": reason}}),
                json!({"type": "message_stop"}),
            ],
        )
    };
    for (reason, finish) in [
        ("end_turn", Finish::Stop),
        ("stop_sequence", Finish::Stop),
        ("max_tokens", Finish::Length),
        ("refusal", Finish::ContentFilter),
    ] {
        assert_eq!(anthropic(reason).unwrap().finish, finish);
    }
    assert_eq!(anthropic("tool_use").unwrap_err().kind(), "bad_chunk");
    let unended = [json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}})];
    assert_eq!(events(Provider::Anthropic, &unended).unwrap_err(), LlmError::Truncated);

    // A call that the limit cut is told apart by the finish.
    let cut =
        json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"a"}}]});
    let response = events(Provider::Openai, &[chunk(cut, Some("length"))]).unwrap();
    assert_eq!((response.finish, response.calls.len()), (Finish::Length, 1));
}

#[test]
fn what_servers_send_besides() {
    let data = [
        json!({"choices": [], "prompt_filter_results": []}),
        json!({"choices": null}),
        chunk(json!({"role": "assistant", "content": null, "tool_calls": null}), None),
        chunk(json!({"reasoning": "hm"}), Some("")),
        chunk(json!({"refusal": "no"}), None),
        json!({"choices": [{"delta": null, "finish_reason": "stop"}], "usage": null, "error": null}),
        json!({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}),
    ];
    let response = events(Provider::Openai, &data).unwrap();
    assert_eq!((response.text.as_str(), response.thinking.as_str()), ("no", "hm"));
    assert_eq!(response.usage, Some(TokenUsage { input_tokens: 3, output_tokens: 2 }));

    let data = [
        json!({"type": "message_start", "message": {"usage": {"input_tokens": 3,
            "cache_read_input_tokens": 4, "cache_creation_input_tokens": 5, "output_tokens": 1}}}),
        json!({"type": "ping"}),
        json!({"type": "something_new", "delta": {"type": "new"}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "x"}}),
        json!({"type": "content_block_start", "index": 1, "content_block":
            {"type": "tool_use", "id": "t", "name": "f", "input": {"whole": true}}}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 9}}),
        json!({"type": "message_stop"}),
    ];
    let response = events(Provider::Anthropic, &data).unwrap();
    assert_eq!(calls_of(&response), [("f", r#"{"whole":true}"#)]);
    assert_eq!(response.usage, Some(TokenUsage { input_tokens: 12, output_tokens: 9 }));
}

#[test]
fn half_a_surrogate_pair_is_mended() {
    let stream =
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\\ud83d\"},\"finish_reason\":\"stop\"}]}\n\n";
    assert_eq!(assemble(Provider::Openai, &[stream.as_bytes()]).unwrap().0.text, "a\u{FFFD}");
}

#[test]
fn a_whole_document_of_the_messages_dialect() {
    let document = json!({"type": "message", "role": "assistant",
        "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "hi"},
            {"type": "tool_use", "id": "t", "name": "f", "input": {"x": 1}}],
        "stop_reason": "tool_use", "usage": {"input_tokens": 1, "output_tokens": 2}});
    let mut assembler = Anthropic::new(None);
    assembler.whole(document.to_string().as_bytes()).unwrap();
    let response = assembler.finish().unwrap();
    assert_eq!((response.text.as_str(), response.thinking.as_str()), ("hi", "hm"));
    assert_eq!(calls_of(&response), [("f", r#"{"x":1}"#)]);
    assert_eq!(response.usage, Some(TokenUsage { input_tokens: 1, output_tokens: 2 }));
}
