//! What comes out of streams that end well, and of those that do not.

use super::*;
use serde_json::json;
use shared::domain::conversation::{Finish, TokenUsage, ToolCall};

const CHINESE: &str = "那个修复方法😀👨‍👩‍👧";

#[tokio::test]
async fn text_thinking_usage_and_calls() {
    for dialect in DIALECTS {
        let reply = Reply::tokens(["one ", "two"]).thinking("hmm").usage(7, 3);
        let (_server, endpoint) = server(dialect, vec![reply]).await;
        let (result, shown) = call(&endpoint, "s").await;
        let expected = Response {
            text: "one two".into(),
            thinking: "hmm".into(),
            calls: vec![],
            finish: Finish::Stop,
            usage: Some(TokenUsage { input_tokens: 7, output_tokens: 3 }),
        };
        assert_eq!(result, Ok(expected), "{dialect:?}");
        assert_eq!(text_of(&shown), "one two");
        assert_eq!(shown.first(), Some(&Delta::Thinking("hmm".into())));

        let reply = Reply::call("f", r#"{"a":"中"}"#).and_call("g", "{}").usage(1, 1);
        let (_server, endpoint) = server(dialect, vec![reply]).await;
        let response = call(&endpoint, "s").await.0.unwrap();
        let call = |id: &str, name: &str, arguments: &str| ToolCall {
            id: id.into(),
            name: name.into(),
            arguments: arguments.into(),
        };
        assert_eq!(response.calls, [call("call_1", "f", r#"{"a":"中"}"#), call("call_2", "g", "{}")]);
        assert_eq!(response.finish, Finish::ToolCalls, "{dialect:?}");
    }
}

#[tokio::test]
async fn text_is_whole_wherever_the_network_cuts_it() {
    for dialect in DIALECTS {
        let length = 400;
        let (_server, endpoint) =
            server(dialect, vec![Reply::tokens([CHINESE]).split_at((1..length).collect::<Vec<_>>())]).await;
        let (result, shown) = call(&endpoint, "s").await;
        assert_eq!(result.unwrap().text, CHINESE);
        assert_eq!(text_of(&shown), CHINESE);
    }
}

#[tokio::test]
async fn all_text_of_one_read_is_one_delta() {
    for dialect in DIALECTS {
        let tokens = ["a"; 16];
        let (_server, endpoint) = server(dialect, vec![Reply::tokens(tokens)]).await;
        let (result, shown) = call(&endpoint, "s").await;
        assert_eq!(result.unwrap().text, "a".repeat(16));
        assert!(shown.len() <= 2, "{shown:?}");
    }
}

#[tokio::test]
async fn an_end_without_a_finish_is_a_truncation() {
    for dialect in DIALECTS {
        let replies = [
            Reply::text("one two three").unfinished_after(2),
            Reply::text("one two three").cut_after(300),
            Reply::raw(""),
        ];
        for reply in replies {
            let (_server, endpoint) = server(dialect, vec![reply]).await;
            assert_eq!(call(&endpoint, "s").await.0, Err(LlmError::Truncated), "{dialect:?}");
        }
    }
    // `[DONE]` is not enough.
    let chunk = r#"{"choices":[{"delta":{"content":"a"}}]}"#;
    let reply = Reply::raw(format!("data: {chunk}\n\ndata: [DONE]\n\n"));
    let (_server, endpoint) = server(Provider::Openai, vec![reply]).await;
    assert_eq!(call(&endpoint, "s").await.0, Err(LlmError::Truncated));
    // And not needed, like the last line feed.
    let chunk = r#"{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}"#;
    let (_server, endpoint) = server(Provider::Openai, vec![Reply::raw(format!("data: {chunk}"))]).await;
    assert_eq!(call(&endpoint, "s").await.0.unwrap().text, "a");
}

#[tokio::test]
async fn the_first_bad_chunk_ends_the_attempt() {
    let good = r#"data: {"choices":[{"delta":{"content":"a"},"finish_reason":null}]}"#;
    let end = r#"data: {"choices":[{"delta":{},"finish_reason":"stop"}]}"#;
    for bad in ["data: {\"choices\":[{\"delta\":{\"content\":\"b", "data: nonsense", "data: {\"choices\":7}"]
    {
        let reply = Reply::raw(format!("{good}\n\n{bad}\n\n{end}\n\ndata: [DONE]\n\n"));
        let (_server, endpoint) = server(Provider::Openai, vec![reply]).await;
        let error = call(&endpoint, "s").await.0.unwrap_err();
        assert_eq!(error.kind(), "bad_chunk", "{bad}");
        assert!(!error.to_string().contains("nonsense"), "holds nothing of the content");
    }
    let invalid =
        [b"data: {\"choices\":[{\"delta\":{\"content\":\"".as_slice(), b"\xff\xfe", b"\"}}]}\n\n"].concat();
    let (_server, endpoint) = server(Provider::Openai, vec![Reply::raw(invalid)]).await;
    assert_eq!(call(&endpoint, "s").await.0.unwrap_err().kind(), "bad_chunk");
}

#[tokio::test]
async fn a_page_is_an_error_and_one_document_is_not() {
    let page = Reply::raw("<html>hello</html>").header("content-type", "text/html; charset=utf-8");
    let plain = Reply::raw("<!doctype html><html>").header("content-type", "text/plain");
    let words = Reply::raw("everything is fine").header("content-type", "text/plain");
    for dialect in DIALECTS {
        for reply in [&page, &plain, &words] {
            let (_server, endpoint) = server(dialect, vec![reply.clone()]).await;
            assert_eq!(call(&endpoint, "s").await.0, Err(LlmError::NotAStream));
        }
    }
    let document = json!({
        "choices": [{"index": 0, "finish_reason": "tool_calls", "message": {"role": "assistant", "content": "hi",
            "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": {"x": 1}}}]}}],
        "usage": {"prompt_tokens": 4, "completion_tokens": 2},
    });
    let reply = Reply::raw(document.to_string()).header("content-type", "application/json");
    let (_server, endpoint) = server(Provider::Openai, vec![reply]).await;
    let (result, shown) = call(&endpoint, "s").await;
    let response = result.unwrap();
    assert_eq!((response.text.as_str(), text_of(&shown).as_str()), ("hi", "hi"));
    assert_eq!(response.calls[0].arguments, r#"{"x":1}"#);
    assert_eq!(response.usage, Some(TokenUsage { input_tokens: 4, output_tokens: 2 }));
}

#[tokio::test]
async fn connections_are_kept_for_the_next_call() {
    for dialect in DIALECTS {
        let (server, endpoint) = server(dialect, vec![Reply::text("hi")]).await;
        let client = providers();
        for _ in 0..50 {
            client.call(&endpoint, &ask("s"), &mut |_| ()).await.unwrap();
        }
        let stats = server.stats("s");
        assert_eq!((stats.calls, stats.opened), (50, 1), "{dialect:?}");
    }
}

#[tokio::test]
async fn a_dropped_call_closes_its_connection() {
    for dialect in DIALECTS {
        for reply in [Reply::silence(), Reply::text("a b c").hold_after(1), Reply::endless()] {
            let (server, endpoint) = server(dialect, vec![reply]).await;
            let client = providers();
            let request = ask("s");
            let mut ignore = |_| ();
            let under_way = client.call(&endpoint, &request, &mut ignore);
            tokio::select! {
                result = under_way => panic!("{result:?}"),
                _ = server.wait_for("s", |s| s.in_flight == 1) => {}
            }
            let stats = server.wait_for("s", |s| s.closed == 1).await;
            assert_eq!((stats.in_flight, stats.left, stats.finished), (0, 1, 0), "{dialect:?}");
        }
    }
}

#[tokio::test]
async fn output_is_capped() {
    let line = Reply::raw([b"data: ".as_slice(), &vec![b'x'; 2 * 1024 * 1024]].concat());
    for dialect in DIALECTS {
        for reply in [line.clone(), Reply::endless_of(&"more ".repeat(50_000))] {
            let (_server, endpoint) = server(dialect, vec![reply]).await;
            assert_eq!(call(&endpoint, "s").await.0.unwrap_err().kind(), "too_large");
        }
    }
}
