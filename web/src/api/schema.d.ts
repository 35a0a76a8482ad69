// Generated from the OpenAPI document by `npm run types`: not to be edited.

export interface paths {
    "/api/agent-cards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the agents that one may talk to, oldest first. */
        get: operations["agent_cards_cards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the agents that one sees, oldest first. */
        get: operations["agents_list"];
        put?: never;
        /** Makes an agent. */
        post: operations["agents_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/preview-prompt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Shows the prompt and the tools that an agent would have in a scene, without saving it. */
        post: operations["agents_preview_prompt_prompt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/tryouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begins a session whose turns run with a definition that is not saved. It isn't listed, and ends with
         *     `DELETE /api/sessions/{id}`, or a day after its last use. What it uses is counted as always.
         * @description Needs `agent:edit` for a stored agent and `agent:create` for a new one, too.
         */
        post: operations["agents_tryouts_begin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/tryouts/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Puts another definition in the place of the one that a session tries: turns that begin from now on run
         *     with it, and those under way keep theirs.
         */
        put: operations["agents_tryouts_replace"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows an agent. */
        get: operations["agents_get"];
        put?: never;
        post?: never;
        /** Removes an agent. Its sessions stay; runs under way go on. */
        delete: operations["agents_delete"];
        options?: never;
        head?: never;
        /**
         * Changes what is given and keeps the rest; null takes a value away. Runs under way keep the agent
         *     that they began with.
         */
        patch: operations["agents_patch"];
        trace?: never;
    };
    "/api/agents/{id}/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows who sees an agent. */
        get: operations["agents_shares_shares"];
        /**
         * Says who sees an agent, in place of what was said before. Sessions with it stay; who no longer sees
         *     it cannot send to it any more.
         */
        put: operations["agents_shares_share"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists what was done in the tenant, newest first. Lines are never changed and never removed. */
        get: operations["audit_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists keys, oldest first, revoked ones too: with `key:manage` all of the tenant's, else one's own. */
        get: operations["keys_list"];
        put?: never;
        /**
         * Makes a key. It acts for a user, with what both its scopes and the user's roles allow at each request,
         *     or as a service in its own name. Nobody makes a key that may more than they may themselves.
         */
        post: operations["keys_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a key, without its text. */
        get: operations["keys_get"];
        put?: never;
        post?: never;
        /** Revokes a key: it is refused from now on. It stays in the list. */
        delete: operations["keys_revoke"];
        options?: never;
        head?: never;
        /**
         * Changes what is given and keeps the rest; null takes a value away. It holds from the next request on;
         *     sockets and streams that are open follow within seconds.
         */
        patch: operations["keys_patch"];
        trace?: never;
    };
    "/api/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives a key another text. The one before goes on for the overlap, so that programs can be changed over;
         *     one that was still going on from a rotation before that ends at once.
         */
        post: operations["keys_rotate_rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Logs in: the answer sets the cookie `neta_session`, under a new value each time. A login whose cookie
         *     came with the request ends. Whatever is wrong, the refusal is the same.
         */
        post: operations["login_login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Logs out: the login ends, and the cookie goes. */
        post: operations["logout_logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says who asks, and what they may do. */
        get: operations["me_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Changes one's own name or password. A new password ends all other logins. */
        patch: operations["me_patch"];
        trace?: never;
    };
    "/api/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists where one is logged in, the latest first. */
        get: operations["me_sessions_list_sessions"];
        put?: never;
        post?: never;
        /** Ends all of one's logins but the one that asks. */
        delete: operations["me_sessions_end_other_sessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Ends one of one's logins. */
        delete: operations["me_sessions_end_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What one used of the day (UTC), and how much one may. */
        get: operations["me_usage_mine"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists models, oldest first. */
        get: operations["models_list"];
        put?: never;
        /** Stores a model. */
        post: operations["models_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/models/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tries a model that is not saved with one short request and says what is wrong with it. */
        post: operations["models_test_test_unsaved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/models/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a model. */
        get: operations["models_get"];
        put?: never;
        post?: never;
        /** Removes a model that no agent uses. */
        delete: operations["models_delete"];
        options?: never;
        head?: never;
        /**
         * Changes what is given and keeps the rest; null takes a value away.
         * @description A change of the server in `baseUrl` without a new `apiKey` drops the stored key: it is sent only
         *     to the server that it was stored for.
         */
        patch: operations["models_patch"];
        trace?: never;
    };
    "/api/models/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tries a model with one short request and says what is wrong with it. */
        post: operations["models_test_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pauses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists questions, newest first. */
        get: operations["pauses_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pauses/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuses an answer that does not say to which question: 409 `pause_ambiguous`, and `pauseIds` names
         *     those that are open. Which one was meant is never guessed.
         */
        post: operations["pauses_answer_bare_answer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pauses/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counts open questions, live sessions and running subagents, of all sessions that one sees. */
        get: operations["pauses_summary_summary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pauses/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a question. */
        get: operations["pauses_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pauses/{id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answers a question: its run goes on. The first answer counts; the same one again is no error.
         * @description 409 `pause_answered`: somebody answered otherwise; `pause` is the question as it stands. 410
         *     `pause_over`: nobody answered in time (`state` is `expired`), or its run ended (`cancelled`).
         */
        post: operations["pauses_answer_answer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists what roles may give. A role may give all of a resource, too, as `agent:*`, or everything: `*`. */
        get: operations["permissions_permissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/quotas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists quotas in the order in which they were set. Operators see those of other tenants as a whole, too. */
        get: operations["quotas_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/quotas/{kind}/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Sets the quota of a user, a key, or (operators only) a tenant. What was counted of the day stays.
         * @description A turn that a quota does not allow is refused when it is sent: 429 `quota_exceeded`. Turns are counted
         *     exactly; tokens and money are those of model calls that ended, so turns under way may pass them.
         */
        put: operations["quotas_put"];
        post?: never;
        /** Takes a quota away. */
        delete: operations["quotas_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists roles, oldest first. */
        get: operations["roles_list"];
        put?: never;
        /** Makes a role. */
        post: operations["roles_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/roles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a role. */
        get: operations["roles_get"];
        put?: never;
        post?: never;
        /** Removes a role that nobody has. Built-in roles stay. */
        delete: operations["roles_delete"];
        options?: never;
        head?: never;
        /**
         * Changes what is given and keeps the rest. It holds from its users' next requests on. Built-in roles
         *     don't change.
         */
        patch: operations["roles_patch"];
        trace?: never;
    };
    "/api/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists runs, newest first. */
        get: operations["runs_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a run, its journal, and why it waits. */
        get: operations["runs_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stops a run, whatever state it is in. Its text so far is kept. */
        post: operations["runs_stop_stop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{id}/tool-calls/{toolCallId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows one tool call of a run, also of a subagent's, in full.
         * @description With `download` the answer is the result as a text file; 404 while there is none.
         */
        get: operations["runs_tool_calls_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists sessions, the last used first. One that is used while its pages are read moves to the first. */
        get: operations["sessions_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a session, and what it used. */
        get: operations["sessions_get"];
        put?: never;
        post?: never;
        /** Deletes a session with its messages and runs; what runs in it is stopped. */
        delete: operations["sessions_delete"];
        options?: never;
        head?: never;
        /** Renames or pins a session. */
        patch: operations["sessions_patch"];
        trace?: never;
    };
    "/api/sessions/{id}/contents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counts what a session holds: what deleting it removes. */
        get: operations["sessions_contents_contents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tells a session's events since the answer before, as a socket does that is subscribed.
         * @description Answers at once where there are some, else when there are, or after `wait` seconds with none. Ask
         *     again with the `cursor` of the answer: nothing is left out and nothing is told twice, on whichever
         *     process. An answer that got lost is had again with the cursor before it.
         */
        get: operations["sessions_events_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Messages of a session, always oldest first: the newest page, or with `before` or `after` the one
         *     beside a known message.
         */
        get: operations["sessions_messages_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/messages/{messageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes the turn that a message belongs to: both messages and the run; a live run is stopped. */
        delete: operations["sessions_messages_delete"];
        options?: never;
        head?: never;
        /** Changes a user's message whose turn waits in line and was never begun: the agent reads the new text. */
        patch: operations["sessions_messages_edit"];
        trace?: never;
    };
    "/api/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says whether the first administrator is still to be made. */
        get: operations["setup_get"];
        put?: never;
        /**
         * Makes the first administrator and logs them in. The token is printed by the first start; each start
         *     until then prints a new one. Once there are users this is refused for ever.
         */
        post: operations["setup_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subagents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists subagents, newest first. */
        get: operations["subagents_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subagents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a subagent: what it was told, what it may, what it did, and what it used. */
        get: operations["subagents_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subagents/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stops one subagent. The others go on, and the supervisor learns of it. */
        post: operations["subagents_stop_stop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists tenants, oldest first. */
        get: operations["tenants_list"];
        put?: never;
        /**
         * Makes a tenant with copies of the built-in roles. Its users, agents and sessions are its own: who
         *     made it sees none of them.
         */
        post: operations["tenants_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tenants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a tenant. */
        get: operations["tenants_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Changes what is given and keeps the rest. The first tenant can't be disabled. */
        patch: operations["tenants_patch"];
        trace?: never;
    };
    "/api/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the tools that agents may be given. */
        get: operations["tools_tools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the tenant used in a span of time, deleted sessions included. */
        get: operations["usage_bill"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists users, oldest first. */
        get: operations["users_list"];
        put?: never;
        /** Makes a user. */
        post: operations["users_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a user. */
        get: operations["users_get"];
        put?: never;
        post?: never;
        /**
         * Removes a user with their logins and keys. The agents that they made and the sessions that they began
         *     stay.
         */
        delete: operations["users_delete"];
        options?: never;
        head?: never;
        /** Changes what is given and keeps the rest. The last one who may manage users keeps that. */
        patch: operations["users_patch"];
        trace?: never;
    };
    "/api/workers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists workers, the longest running first. */
        get: operations["workers_workers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process answers. */
        get: operations["healthz_healthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was counted and measured, in Prometheus' text format. Needs the token, as Prometheus can
         *     send one (`authorization` in its scrape configuration).
         */
        get: operations["metrics_metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/open/netaclaw/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a message.
         * @description With `wait` (seconds) the answer comes in one response (200) if the turn ends in time; otherwise
         *     202 with all ids, and `Location` to go on waiting at. A turn that asks a person is a 202 at once, with the
         *     question in `pause`. A failed turn is a 200 with `status: failed`.
         *     With `Accept: text/event-stream` the events come as they happen.
         */
        post: operations["open_netaclaw_chat_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/open/netaclaw/chat/{assistantMessageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Asks for a turn, and goes on waiting for its end.
         * @description With `Accept: text/event-stream` the events come from the beginning, or after `Last-Event-ID`
         *     (`<epoch>-<seq>`); 204 when that was the last one.
         */
        get: operations["open_netaclaw_chat_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether all that is needed answers. */
        get: operations["readyz_readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answers the last message: OpenAI's chat completions, with an agent as the model.
         * @description The request's messages are what the agent is told of the conversation; the turn is kept in a
         *     session of its own, or in the one that `metadata.session_id` names. With `stream` the answer comes
         *     in pieces (`text/event-stream`), and what the agent and its subagents do meanwhile as comment lines.
         *     Without, the request waits until the turn ends. Leaving never cancels it.
         *
         *     A turn that asks the user answers with the question (`neta.pauseId`); the session's next message
         *     answers it. A turn that fails is an error whose `code` is its reason.
         */
        post: operations["v1_chat_completions_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the agents that one sees as models. */
        get: operations["v1_models_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows an agent as a model. */
        get: operations["v1_models_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ws/netaclaw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Opens a WebSocket of JSON text frames.
         * @description The client sends `chat`, `subscribe`, `unsubscribe`, `stop` and `clarify_response` (components
         *     `ChatRequest`, `Subscribe`, `Unsubscribe`, `Stop`, `ClarifyResponse`, each with a `type`); the server sends `Answer` and `Event`.
         *     The token stands in `Authorization` or, for browsers, in
         *     `Sec-WebSocket-Protocol: neta, bearer.<token>`. Frames are at most 256 KiB.
         */
        get: operations["ws_netaclaw_open"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description What kind of somebody acted.
         * @enum {string}
         */
        ActorKind: "operator" | "user" | "key" | "nobody";
        /** @description Who is to manage a new tenant. */
        AdminRequest: {
            /** @description What they log in with. */
            name: string;
            /**
             * Format: password
             * @description 10 to 256 characters, not the name.
             */
            password: string;
        };
        /** @description An agent as those know it who talk to it. */
        AgentCard: {
            /** @description Primary key. */
            id: components["schemas"]["AgentId"];
            /** @description Unique for the tenant. */
            name: string;
            /** @description What it is for. */
            description: string;
            /** @description Shown beside the name; empty: none. */
            icon: string;
            /** @description Whether it is for everybody who sees it. */
            published: boolean;
            /** @description Sample questions that a new conversation offers. */
            starters: string[];
        };
        /** @description An agent by id or by name. */
        AgentChoice: components["schemas"]["AgentId"] | string;
        /**
         * Format: int64
         * @description A stored agent definition.
         */
        AgentId: number;
        /** @description Who sees an agent, besides who made it and those who see all. */
        AgentShares: {
            /** @description `tenant`: everybody of the tenant; `shared`: those who are listed. */
            visibility: components["schemas"]["Visibility"];
            /** @description These persons. */
            users?: components["schemas"]["UserId"][];
            /** @description All who have one of these roles. */
            roles?: components["schemas"]["RoleId"][];
        };
        /** @description What a person sets about an agent. */
        AgentSpec: {
            /** @description Unique for the tenant. */
            name: string;
            /** @description For people and for supervisors that may choose this agent. */
            description?: string;
            /** @description May be empty. */
            systemPrompt?: string;
            /** @description The model it uses. */
            modelId: components["schemas"]["ModelId"];
            /** @description Names of tools; None: every tool of the scene; empty: none. */
            tools?: string[] | null;
            /** @description Delegation; absent values inherit. */
            subagentConfig?: components["schemas"]["SubagentConfig"];
            /**
             * Format: int32
             * @description Rounds of tool calls in one run; None: the configured default.
             */
            maxToolRounds?: number | null;
            /**
             * Format: int32
             * @description Seconds of wall time of one run from its start; None: the configured default.
             */
            maxWallSeconds?: number | null;
            /**
             * Format: int64
             * @description Tokens that a turn and its subagents may use together; None: the configured default.
             */
            budgetTokens?: number | null;
            /**
             * Format: double
             * @description What they may cost together, in the currency of the models' prices; None: the configured default.
             */
            budgetCost?: number | null;
            /**
             * Format: float
             * @description Sampling temperature; None: the provider's default.
             */
            temperature?: number | null;
            /** @description Leads a crew. */
            isCrewMaster?: boolean;
            /** @description Shown beside the name, as an emoji; empty: none. */
            icon?: string;
            /**
             * @description Whether it is for everybody who sees it. Else only those who may edit it see it and talk to it, and
             *     no agent calls it.
             */
            published?: boolean;
            /** @description Sample questions that a new conversation offers. */
            starters?: string[];
        };
        /** @description An agent as stored. */
        AgentView: components["schemas"]["AgentSpec"] & {
            /** @description Primary key. */
            id: components["schemas"]["AgentId"];
            ownerUserId?: components["schemas"]["UserId"] | null;
            /** @description Who sees it, besides those who see all. */
            visibility: components["schemas"]["Visibility"];
            /** @description The name of its model, as people know it. */
            modelName: string;
            /**
             * Format: date-time
             * @description When a run of it last began, to the minute; missing: never yet.
             */
            lastRunTime?: string | null;
            /** @description The settings of delegation that hold, and where each comes from. */
            effectiveSubagentConfig: components["schemas"]["EffectiveDelegation"];
            /**
             * Format: int64
             * @description Counts changes; a PATCH that names it is refused if the agent changed meanwhile.
             */
            version: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            createTime: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updateTime: string;
        };
        /** @description What the server says besides events. */
        Answer: {
            /** @description Its session. */
            sessionId: components["schemas"]["SessionId"];
            /** @description The user's message. */
            userMessageId: components["schemas"]["MessageId"];
            /** @description The placeholder. */
            assistantMessageId: components["schemas"]["MessageId"];
            /** @description The run. */
            runId: components["schemas"]["RunId"];
            /** @description The client's own id of the message. */
            clientMessageId?: string | null;
            /** @description It was accepted before, under the same client message id. */
            repeated: boolean;
            /** @enum {string} */
            type: "accepted";
        } | {
            /** @description The session. */
            sessionId: components["schemas"]["SessionId"];
            level?: components["schemas"]["Level"] | null;
            /** @enum {string} */
            type: "subscribed";
        } | {
            /** @description The session. */
            sessionId: components["schemas"]["SessionId"];
            /** @enum {string} */
            type: "unsubscribed";
        } | {
            /** @description The turn. */
            messageId: components["schemas"]["MessageId"];
            subagentId?: components["schemas"]["SubagentId"] | null;
            /** @description Whether it had ended before. */
            alreadyOver: boolean;
            /** @enum {string} */
            type: "stopping";
        } | {
            /** @description The question. */
            pauseId: components["schemas"]["PauseId"];
            /** @enum {string} */
            type: "answered";
        } | {
            /** @description As in HTTP problems. */
            code: string;
            /** @description For people. */
            detail: string;
            /** @description What is to blame. */
            field?: string | null;
            /** @description The client's own id of the message. */
            clientMessageId?: string | null;
            runId?: components["schemas"]["RunId"] | null;
            quota?: components["schemas"]["QuotaProblem"] | null;
            /**
             * Format: int64
             * @description When to come again, where that is known.
             */
            retryAfterSeconds?: number | null;
            state?: components["schemas"]["PauseStatus"] | null;
            pause?: components["schemas"]["PauseView"] | null;
            /** @description The open questions, of which an answer has to name one. */
            pauseIds?: components["schemas"]["PauseId"][] | null;
            /** @enum {string} */
            type: "problem";
        } | {
            /**
             * Format: int64
             * @description Milliseconds; different for each socket.
             */
            afterMs: number;
            /** @enum {string} */
            type: "reconnect";
        };
        /** @description What is said. */
        AnswerMessage: {
            /** @description `assistant`. */
            role: string;
            /** @description The text, or the question to the user. */
            content: string;
            /** @description Always null. */
            refusal?: string | null;
            /** @description What the model showed of its reasoning. */
            reasoning_content?: string | null;
        };
        /** @description A key as stored, without its secrets. */
        ApiKey: {
            /** @description Primary key. */
            id: components["schemas"]["ApiKeyId"];
            userId?: components["schemas"]["UserId"] | null;
            /** @description For people. */
            name: string;
            /**
             * @description What it may do: `*`, `read`, `chat`, `chat:<agent>`, `crew:<crew>:run`.
             * @example [
             *       "chat:7",
             *       "read"
             *     ]
             */
            scopes: string[];
            /**
             * Format: int32
             * @description Requests a minute; None: as configured.
             */
            ratePerMinute?: number | null;
            /**
             * Format: date-time
             * @description From then on it is refused.
             */
            expiresAt?: string | null;
            /**
             * Format: date-time
             * @description Since when it is refused.
             */
            revokedAt?: string | null;
            /**
             * Format: date-time
             * @description About when it was last used, to the minute.
             */
            lastUsedAt?: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            createTime: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updateTime: string;
        };
        /**
         * Format: int64
         * @description What a program calls with. It outlives its secrets.
         */
        ApiKeyId: number;
        /**
         * Format: int64
         * @description A line of the audit.
         */
        AuditId: number;
        /** @description A line that was written. */
        AuditLine: {
            /** @description Rises with time. */
            id: components["schemas"]["AuditId"];
            /** @description What kind of somebody acted. */
            actorKind: components["schemas"]["ActorKind"];
            /**
             * Format: int64
             * @description The user's or the key's number.
             */
            actorId?: number | null;
            /** @description Their name at that time. */
            actorName: string;
            /** @description What was done, as `agent.update`. */
            action: string;
            /** @description To what kind of object. */
            objectKind: string;
            /** @description Its id. */
            objectId: string;
            /** @description Where they came from. */
            address?: string | null;
            /** @description How the object was. */
            before?: Record<string, never> | null;
            /** @description How it is. */
            after?: Record<string, never> | null;
            /**
             * Format: date-time
             * @description When.
             */
            createTime: string;
        };
        /** @description An answer that does not say to which question. */
        BareAnswer: {
            sessionId?: components["schemas"]["SessionId"] | null;
        };
        /** @description How many subagents of a batch stand where. Those that timed out count as failed. */
        BatchSummary: {
            /**
             * Format: int32
             * @description All.
             */
            total: number;
            /**
             * Format: int32
             * @description Not begun.
             */
            queued: number;
            /**
             * Format: int32
             * @description Under way.
             */
            running: number;
            /**
             * Format: int32
             * @description Ended with an answer.
             */
            completed: number;
            /**
             * Format: int32
             * @description Ended without one.
             */
            failed: number;
            /**
             * Format: int32
             * @description Stopped.
             */
            cancelled: number;
        };
        /**
         * @description A bill.
         * @example {
         *       "by": "user",
         *       "from": "2026-11-01T00:00:00Z",
         *       "items": [
         *         {
         *           "calls": 12,
         *           "cost": 0.31,
         *           "id": 7,
         *           "inputTokens": 40100,
         *           "name": "ann",
         *           "outputTokens": 8110
         *         }
         *       ],
         *       "to": "2026-12-01T00:00:00Z",
         *       "total": {
         *         "calls": 12,
         *         "cost": 0.31,
         *         "inputTokens": 40100,
         *         "outputTokens": 8110
         *       }
         *     }
         */
        Bill: {
            /**
             * Format: date-time
             * @description From this time on.
             */
            from: string;
            /**
             * Format: date-time
             * @description Before this time.
             */
            to: string;
            /** @description Broken down by what. */
            by: components["schemas"]["BillBy"];
            /** @description The lines. */
            items: components["schemas"]["UsageLine"][];
            /** @description Their sum. */
            total: components["schemas"]["UsageTotal"];
        };
        /**
         * @description By what a bill is broken down.
         * @enum {string}
         */
        BillBy: "user" | "key" | "agent" | "model" | "day";
        /** @description A tool that subagents never have. */
        Blocked: {
            /** @description The tool. */
            name: string;
            /** @description Who blocks it. */
            from: components["schemas"]["Origin"];
        };
        /** @description A tool that the agent would not have. */
        BlockedTool: {
            /** @description Its name. */
            name: string;
            /** @description Why not. */
            reason: components["schemas"]["Refusal"];
            from?: components["schemas"]["Origin"] | null;
        };
        /** @description A turn as far as it is known. */
        ChatAnswer: {
            /** @description The session. */
            sessionId: components["schemas"]["SessionId"];
            /** @description The user's message. */
            userMessageId: components["schemas"]["MessageId"];
            /** @description The answer's message. */
            assistantMessageId: components["schemas"]["MessageId"];
            /** @description The run. */
            runId: components["schemas"]["RunId"];
            /** @description `completed`, `failed` and `cancelled` are final. */
            status: components["schemas"]["RunStatus"];
            reason?: components["schemas"]["Reason"] | null;
            /** @description The answer, once the turn ended. */
            content?: string | null;
            /** @description What the model showed of its reasoning. */
            thinking?: string | null;
            /** @description The plan as it last stood. */
            todos?: components["schemas"]["TodoItem"][];
            /** @description The tool calls in order. */
            tools?: components["schemas"]["ToolActivity"][];
            usage?: components["schemas"]["TokenUsage"] | null;
            /**
             * Format: double
             * @description Price of the whole turn, where the model has prices.
             */
            cost?: number | null;
            error?: components["schemas"]["ErrorInfo"] | null;
            /** @description The subagents so far, by batch. */
            subagents?: components["schemas"]["SubagentBatch"][];
            pause?: components["schemas"]["OpenPause"] | null;
            /** @description All of them. */
            pauses?: components["schemas"]["OpenPause"][];
        };
        /** @description A whole answer. */
        ChatCompletion: {
            /** @description `chatcmpl-` and the answer's message. */
            id: string;
            /** @description `chat.completion`. */
            object: string;
            /**
             * Format: int64
             * @description When it was given, in seconds since 1970.
             */
            created: number;
            /** @description As the request named it. */
            model: string;
            /** @description Always one. */
            choices: components["schemas"]["Choice"][];
            usage?: components["schemas"]["Usage"] | null;
            /** @description Where the turn is found. */
            neta: components["schemas"]["Neta"];
        };
        /** @description One piece of a streamed answer. */
        ChatCompletionChunk: {
            /** @description The same in all pieces. */
            id: string;
            /** @description `chat.completion.chunk`. */
            object: string;
            /**
             * Format: int64
             * @description The same in all pieces.
             */
            created: number;
            /** @description As the request named it. */
            model: string;
            /** @description One, or none in the piece that holds the usage. */
            choices: components["schemas"]["ChunkChoice"][];
            usage?: components["schemas"]["Usage"] | null;
            neta?: components["schemas"]["Neta"] | null;
        };
        /**
         * @description Asks an agent for the answer to the last message.
         *
         *     Fields that are not listed are accepted and have no effect; so have those that the agent decides:
         *     `temperature`, `top_p`, `max_tokens`, `max_completion_tokens`, `stop`, `seed`, `presence_penalty`,
         *     `frequency_penalty`, `logit_bias`, `reasoning_effort`, `user`, `store`, `service_tier`.
         */
        ChatCompletionRequest: {
            /** @description The agent: its name, or its number. */
            model: string;
            /**
             * @description The conversation; the last message is the user's, and is answered. The others are what the
             *     agent is told of it, in place of what the session has.
             */
            messages: components["schemas"]["ChatMessage"][];
            /** @description Whether the answer comes in pieces. */
            stream?: boolean | null;
            stream_options?: components["schemas"]["StreamOptions"] | null;
            metadata?: components["schemas"]["RequestMetadata"] | null;
            /**
             * Format: int64
             * @description Answers: 1.
             */
            n?: number | null;
            /** @description Tools of the caller: none. The agent has its own. */
            tools?: Record<string, never>[] | null;
            /** @description `none` or `auto`. */
            tool_choice?: Record<string, never> | null;
            /** @description Tools of the caller by their older name: none. */
            functions?: Record<string, never>[] | null;
            /** @description `none` or `auto`. */
            function_call?: Record<string, never> | null;
            response_format?: components["schemas"]["ResponseFormat"] | null;
            /** @description `text`. */
            modalities?: string[] | null;
            /** @description Nothing. */
            audio?: Record<string, never> | null;
            /** @description No. */
            logprobs?: boolean | null;
            /**
             * Format: int64
             * @description None.
             */
            top_logprobs?: number | null;
        };
        /** @description A message of the conversation. */
        ChatMessage: {
            /** @description Who speaks. */
            role: components["schemas"]["ChatRole"];
            content?: components["schemas"]["Content"] | null;
            /** @description Calls that the assistant made in an earlier round, told to the agent as text. */
            tool_calls?: components["schemas"]["ToldCall"][] | null;
            /** @description Of a tool's result: the call. */
            tool_call_id?: string | null;
            /** @description Of a function's result: the function. Without effect in other messages. */
            name?: string | null;
        };
        /** @description A message to an agent. */
        ChatRequest: {
            /** @description What is said. */
            message: string;
            agentId?: components["schemas"]["AgentId"] | null;
            agent?: components["schemas"]["AgentChoice"] | null;
            sessionId?: components["schemas"]["SessionId"] | null;
            /**
             * @description The client's own id of the message: sent again, it is the same turn. The header
             *     `Idempotency-Key` says the same.
             */
            clientMessageId?: string | null;
            policy?: components["schemas"]["Policy"] | null;
            replaces?: components["schemas"]["MessageId"] | null;
            /**
             * Format: int32
             * @description Seconds to wait for the answer: 25 if not given, at most 60; 0 answers at once. Not used by
             *     streams and sockets.
             */
            wait?: number | null;
        };
        /**
         * @description Who speaks, in the dialect.
         * @enum {string}
         */
        ChatRole: "system" | "developer" | "user" | "assistant" | "tool" | "function";
        /** @description What one check found. */
        Check: {
            /** @description Whether it is well. */
            ok: boolean;
            /** @description Without it nothing works: then the answer is 503. */
            needed: boolean;
            /** @description What is wrong, or how it is. */
            detail: string;
            /**
             * Format: int64
             * @description Milliseconds that the check took.
             */
            ms: number;
        };
        /** @description The answer. */
        Choice: {
            /**
             * Format: int32
             * @description 0.
             */
            index: number;
            /** @description What is said. */
            message: components["schemas"]["AnswerMessage"];
            /** @description Always null. */
            logprobs?: Record<string, never> | null;
            /** @description `stop`, `length` or `content_filter`. */
            finish_reason: string;
        };
        /** @description What a piece adds. */
        ChunkChoice: {
            /**
             * Format: int32
             * @description 0.
             */
            index: number;
            /** @description To be appended. */
            delta: components["schemas"]["Delta"];
            /** @description Always null. */
            logprobs?: Record<string, never> | null;
            /** @description In the last one: `stop`, `length` or `content_filter`. */
            finish_reason?: string | null;
        };
        /** @description Answer a question of a turn. */
        ClarifyResponse: {
            pauseId?: components["schemas"]["PauseId"] | null;
            /** @description In words, or one of the options. */
            answer: string;
            sessionId?: components["schemas"]["SessionId"] | null;
        };
        /** @description What a client says over its socket. */
        ClientFrame: (components["schemas"]["ChatRequest"] & {
            /** @enum {string} */
            type: "chat";
        }) | (components["schemas"]["Subscribe"] & {
            /** @enum {string} */
            type: "subscribe";
        }) | (components["schemas"]["Unsubscribe"] & {
            /** @enum {string} */
            type: "unsubscribe";
        }) | (components["schemas"]["Stop"] & {
            /** @enum {string} */
            type: "stop";
        }) | (components["schemas"]["ClarifyResponse"] & {
            /** @enum {string} */
            type: "clarify_response";
        });
        /** @description What is said. */
        Content: string | components["schemas"]["Part"][];
        /** @description Where a reader stands in a stream. */
        Cursor: {
            /**
             * Format: int64
             * @description Which log.
             */
            epoch: number;
            /**
             * Format: int64
             * @description The last event that the reader has.
             */
            seq: number;
        };
        /** @description The most of a day (UTC); None: no limit. */
        DayLimits: {
            /**
             * Format: int64
             * @description Turns that are accepted.
             * @default null
             */
            maxTurns: number | null;
            /**
             * Format: int64
             * @description Tokens of finished model calls, subagents' included.
             * @default null
             */
            maxTokens: number | null;
            /**
             * Format: double
             * @description Their price, in the currency of the models' prices.
             * @default null
             */
            maxCost: number | null;
        };
        /** @description What somebody used of a day. */
        DayUse: {
            /**
             * Format: int64
             * @description Turns that were accepted.
             */
            turns: number;
            /**
             * Format: int64
             * @description Tokens of finished model calls.
             */
            tokens: number;
            /**
             * Format: double
             * @description Their price.
             */
            cost: number;
        };
        /** @description To be appended. */
        Delta: {
            /** @description In the first piece: `assistant`. */
            role?: string | null;
            /** @description More text. */
            content?: string | null;
            /** @description More of what the model shows of its reasoning. */
            reasoning_content?: string | null;
        };
        /**
         * @description What repeating an interrupted call does.
         * @enum {string}
         */
        Effect: "pure" | "idempotent" | "effectful";
        /** @description The settings that hold for an agent. */
        EffectiveDelegation: {
            /** @description Whether it delegates. */
            enabled: components["schemas"]["Effective_bool"];
            /** @description Subagents of one run at the same time. */
            maxConcurrent: components["schemas"]["Effective_u32"];
            /** @description Tasks of one call. */
            maxTasks: components["schemas"]["Effective_u32"];
            /** @description Subagents of one run in all. */
            maxChildren: components["schemas"]["Effective_u32"];
            /** @description Stored agents that it may call; null: every agent of the tenant. */
            allowedPresetAgentIds: components["schemas"]["Effective_Option_Vec_AgentId"];
            /** @description Tools that its subagents may have; null: every tool of the scene. */
            allowedToolNames: components["schemas"]["Effective_Option_Vec_String"];
            /** @description Tools that its subagents never have. */
            blockedToolNames: components["schemas"]["Blocked"][];
            /** @description Rounds of tool calls of a subagent that is a copy of the agent, or of the agent as a subagent. */
            maxToolRounds: components["schemas"]["Effective_u32"];
            /** @description Seconds of wall time of such a subagent, from its start. */
            maxWallSeconds: components["schemas"]["Effective_u32"];
            /** @description Seconds that a subagent may be without progress. */
            idleSeconds: components["schemas"]["Effective_u32"];
        };
        /** @description A value that holds, and who set it. */
        Effective_Option_Vec_AgentId: {
            value: null | number[];
            /** @description Who set it. */
            from: components["schemas"]["Origin"];
        };
        /** @description A value that holds, and who set it. */
        Effective_Option_Vec_String: {
            value: null | string[];
            /** @description Who set it. */
            from: components["schemas"]["Origin"];
        };
        /** @description A value that holds, and who set it. */
        Effective_bool: {
            value: boolean;
            /** @description Who set it. */
            from: components["schemas"]["Origin"];
        };
        /** @description A value that holds, and who set it. */
        Effective_u32: {
            /** Format: int32 */
            value: number;
            /** @description Who set it. */
            from: components["schemas"]["Origin"];
        };
        /** @description An event as readers get it. */
        Envelope: components["schemas"]["Event"] & {
            /**
             * Format: int32
             * @description Version of the envelope.
             */
            v: number;
            /** @description The session. */
            sessionId: components["schemas"]["SessionId"];
            /** @description The assistant message: events are numbered within it. */
            messageId: components["schemas"]["MessageId"];
            /**
             * @description The run that the event tells of: the turn's, or that of one of its subagents, whose stream it
             *     then belongs to.
             */
            runId: components["schemas"]["RunId"];
            /**
             * Format: date-time
             * @description When it happened.
             */
            ts: string;
            /**
             * Format: int64
             * @description Its number within its stream and epoch, from 1.
             */
            seq: number;
            /**
             * Format: int64
             * @description The log in which it is numbered.
             */
            epoch: number;
        };
        /** @description An error in the dialect. */
        ErrorBody: {
            /** @description What went wrong. */
            error: components["schemas"]["ErrorDetail"];
            neta?: components["schemas"]["Neta"] | null;
        };
        /** @description What went wrong. */
        ErrorDetail: {
            /** @description For people. */
            message: string;
            /** @description The kind, by which clients sort errors. */
            type: string;
            /** @description The field that is to blame. */
            param?: string | null;
            /** @description For programs; a failed turn's is its reason. */
            code: string;
        };
        /** @description Why a turn failed, in words that a user can act on. */
        ErrorInfo: {
            /** @description The reason's stable name. */
            kind: components["schemas"]["Reason"];
            /** @description For the user. */
            message: string;
        };
        /** @description What happened. */
        Event: {
            /** @description A message was accepted and has its ids. */
            data: {
                /** @description The user's message. */
                userMessageId: components["schemas"]["MessageId"];
                /** @description The placeholder. */
                assistantMessageId: components["schemas"]["MessageId"];
                /** @description The run. */
                runId: components["schemas"]["RunId"];
            };
            /** @enum {string} */
            type: "run_accepted";
        } | {
            /** @description The turn's status changed. */
            data: {
                /** @description The new status. */
                status: components["schemas"]["RunStatus"];
                reason?: components["schemas"]["Reason"] | null;
            };
            /** @enum {string} */
            type: "status";
        } | {
            /** @description More text. */
            data: {
                /** @description To be appended. */
                text: string;
            };
            /** @enum {string} */
            type: "text_delta";
        } | {
            /** @description More thinking. */
            data: {
                /** @description To be appended. */
                text: string;
            };
            /** @enum {string} */
            type: "thinking_delta";
        } | {
            /** @description All text and thinking shown so far is replaced. */
            data: {
                /** @description The text that stands. */
                text: string;
                /** @description The thinking that stands. */
                thinking: string;
            };
            /** @enum {string} */
            type: "text_reset";
        } | {
            /** @description The model calls a tool. */
            data: {
                /** @description The call. */
                toolCallId: string;
                /** @description The tool. */
                name: string;
                /** @description The argument text, cut to 2,000 characters. */
                arguments: string;
                /**
                 * Format: int32
                 * @description How many characters it has, where it is cut.
                 */
                argumentChars?: number | null;
            };
            /** @enum {string} */
            type: "tool_call";
        } | {
            /** @description A tool call ended. */
            data: {
                /** @description The call. */
                toolCallId: string;
                /** @description The tool. */
                name: string;
                /** @description How it ended. */
                status: components["schemas"]["ToolStatus"];
                /** @description The beginning of its result, at most 2,000 characters. */
                preview: string;
                /**
                 * Format: int32
                 * @description How many characters the result has, where it is cut.
                 */
                resultChars?: number | null;
                /**
                 * Format: int64
                 * @description How long it took.
                 */
                durationMs: number;
            };
            /** @enum {string} */
            type: "tool_result";
        } | {
            /** @description The plan changed. */
            data: {
                /** @description The whole plan. */
                items: components["schemas"]["TodoItem"][];
            };
            /** @enum {string} */
            type: "todo_update";
        } | {
            /** @description A call was handed over to subagents. */
            data: {
                /** @description The turn's assistant message. */
                parentMessageId: components["schemas"]["MessageId"];
                /** @description The call. */
                batchId: string;
                /** @description Shown to people. */
                title: string;
                /**
                 * Format: int32
                 * @description Subagents.
                 */
                total: number;
                /**
                 * Format: int32
                 * @description How many of the run's subagents may be at work at the same time.
                 */
                limit?: number | null;
            };
            /** @enum {string} */
            type: "subagent_batch_start";
        } | {
            /** @description A subagent changed. */
            data: {
                /** @description The turn's assistant message. */
                parentMessageId: components["schemas"]["MessageId"];
                /** @description The call. */
                batchId: string;
                /** @description All that readers see of it. */
                subagent: components["schemas"]["SubagentItem"];
            };
            /** @enum {string} */
            type: "subagent_update";
        } | {
            /** @description The last subagent of a batch ended. */
            data: {
                /** @description The turn's assistant message. */
                parentMessageId: components["schemas"]["MessageId"];
                /** @description The call. */
                batchId: string;
                /** @description How they ended. */
                summary: components["schemas"]["BatchSummary"];
            };
            /** @enum {string} */
            type: "subagent_done";
        } | {
            /** @description A person is asked. */
            data: components["schemas"]["OpenPause"];
            /** @enum {string} */
            type: "clarify_request";
        } | {
            /** @description A question was answered, or nobody did in time. */
            data: {
                /** @description The question. */
                pauseId: components["schemas"]["PauseId"];
                /** @description What became of it. */
                status: components["schemas"]["PauseStatus"];
                /** @description The answer, where there is one. */
                decision?: string | null;
            };
            /** @enum {string} */
            type: "pause_answered";
        } | {
            /** @description Tokens of the turn so far. */
            data: {
                /**
                 * Format: int64
                 * @description Prompt tokens.
                 */
                inputTokens: number;
                /**
                 * Format: int64
                 * @description Completion tokens.
                 */
                outputTokens: number;
                /**
                 * Format: double
                 * @description Price, where the model has prices.
                 */
                cost?: number | null;
            };
            /** @enum {string} */
            type: "usage";
        } | {
            /** @description The whole picture: forget what you had. */
            data: components["schemas"]["TurnView"];
            /** @enum {string} */
            type: "resync";
        } | {
            /** @description The session was deleted: nothing follows on any of its streams. */
            data: Record<string, never>;
            /** @enum {string} */
            type: "session_deleted";
        } | {
            /** @description The turn ended with an answer, or was stopped. Last. */
            data: components["schemas"]["TurnView"];
            /** @enum {string} */
            type: "done";
        } | {
            /** @description The turn failed. Last. */
            data: {
                /** @description The reason's stable name. */
                kind: components["schemas"]["Reason"];
                /** @description For the user. */
                message: string;
            };
            /** @enum {string} */
            type: "error";
        };
        /**
         * @description What ran out.
         * @enum {string}
         */
        Exhausted: "turns" | "tokens" | "cost";
        /** @description A value that can't be used. */
        FieldError: {
            /** @description Which: a path as `tools[3]`, a query parameter, or a header. */
            field: string;
            /** @description What is wrong with it. */
            detail: string;
        };
        /** @description What a tool can do besides its own work. */
        Flags: {
            /** @description Starts other runs. */
            delegates: boolean;
            /** @description Asks a person. */
            asksUser: boolean;
            /** @description Writes memory that outlives the session. */
            writesMemory: boolean;
        };
        /** @description A key that is to be made. */
        KeyInput: {
            /** @description For people. */
            name: string;
            /**
             * @description What it may do: `*` (all that its user may), `read`, `chat`, `chat:<agent id>`,
             *     `crew:<crew id>:run`.
             * @example [
             *       "chat:3",
             *       "read"
             *     ]
             */
            scopes: string[];
            /**
             * Format: date-time
             * @description From then on it is refused; never if not given.
             */
            expiresAt?: string | null;
            /**
             * Format: int32
             * @description Requests a minute, if not as configured; those of its user are counted besides.
             */
            ratePerMinute?: number | null;
            userId?: components["schemas"]["UserId"] | null;
            /**
             * @description It acts in its own name, with sessions of its own: needs `key:manage`. The operator's keys do if
             *     no user is given.
             */
            service?: boolean;
        };
        /** @description One of the texts that a key is called with, as far as it is kept. */
        KeySecret: {
            /** @description The text begins with `neta_` and this. */
            prefix: string;
            /**
             * Format: date-time
             * @description From then on it is refused.
             */
            expiresAt?: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            createTime: string;
        };
        /**
         * @description A key without its text.
         * @example {
         *       "createTime": "2026-11-01T08:00:00Z",
         *       "expiresAt": null,
         *       "id": 5,
         *       "lastUsedAt": "2026-11-30T12:00:00Z",
         *       "name": "ci",
         *       "ratePerMinute": null,
         *       "revokedAt": null,
         *       "scopes": [
         *         "chat:3"
         *       ],
         *       "secrets": [
         *         {
         *           "createTime": "2026-11-01T08:00:00Z",
         *           "expiresAt": null,
         *           "prefix": "4f1c09a2b7de"
         *         }
         *       ],
         *       "updateTime": "2026-11-01T08:00:00Z",
         *       "userId": 7
         *     }
         */
        KeyView: components["schemas"]["ApiKey"] & {
            /**
             * @description Its texts that are accepted, oldest first, as far as they are kept: two during a rotation. Of a
             *     key that expired or was revoked none is accepted.
             */
            secrets: components["schemas"]["KeySecret"][];
        };
        /**
         * @description How much of a session a reader wants.
         * @enum {string}
         */
        Level: "turn" | "subagents";
        /** @description An agent as a model. */
        ListedModel: {
            /** @description The agent's name: what a request names as its `model`. */
            id: string;
            /** @description `model`. */
            object: string;
            /**
             * Format: int64
             * @description When the agent was made, in seconds since 1970.
             */
            created: number;
            /** @description `neta`. */
            owned_by: string;
        };
        /** @description The agents as models. */
        ListedModels: {
            /** @description `list`. */
            object: string;
            /** @description By id of the agents. */
            data: components["schemas"]["ListedModel"][];
        };
        /** @description A session's turn that is at work, or is next. */
        LiveTurn: {
            /** @description Its answer's message. */
            messageId: components["schemas"]["MessageId"];
            /** @description Its run. */
            runId: components["schemas"]["RunId"];
            /** @description Where that stands. */
            status: components["schemas"]["RunStatus"];
            /**
             * Format: int64
             * @description Turns that wait behind it.
             */
            queuedTurns: number;
            /**
             * Format: int64
             * @description Its subagents that have not ended, without those held back until others end.
             */
            activeSubagents: number;
        };
        /** @description Who was logged in. */
        LoginAnswer: {
            /** @description Who they are. */
            user: components["schemas"]["User"];
            /** @description Where. */
            tenant: components["schemas"]["TenantName"];
            /** @description What they may do, by name. */
            permissions: string[];
            /**
             * Format: date-time
             * @description From then on they are logged out, however busy they are.
             */
            expiresAt: string;
        };
        /** @description A name and a password. */
        LoginRequest: {
            /** @description Upper case counts as lower. */
            name: string;
            /**
             * Format: password
             * @description As it was set.
             */
            password: string;
            /** @description The tenant's name; none, or an empty one: the first tenant. */
            tenant?: string | null;
        };
        /** @description A browser that is logged in. */
        LoginSession: {
            /** @description Primary key. */
            id: components["schemas"]["LoginSessionId"];
            /** @description From where. */
            address: string;
            /** @description What the browser calls itself. */
            userAgent: string;
            /**
             * Format: date-time
             * @description Since when.
             */
            createTime: string;
            /**
             * Format: date-time
             * @description About when it last asked for something, to the minute.
             */
            seenAt: string;
            /**
             * Format: date-time
             * @description From then on it is logged out, however busy it is.
             */
            expiresAt: string;
        };
        /**
         * Format: int64
         * @description A browser that is logged in.
         */
        LoginSessionId: number;
        /** @description A browser that one is logged in with. */
        LoginView: components["schemas"]["LoginSession"] & {
            /** @description It is the one that asks. */
            current: boolean;
        };
        /** @description Who asks. */
        Me: {
            /** @description What kind of somebody: `operator`, `user` or `key`. */
            actor: components["schemas"]["ActorKind"];
            user?: components["schemas"]["User"] | null;
            /** @description Where. */
            tenant: components["schemas"]["TenantName"];
            /** @description What they may do, by name. */
            permissions: string[];
            /** @description Their roles. */
            roleIds: components["schemas"]["RoleId"][];
            keyId?: components["schemas"]["ApiKeyId"] | null;
        };
        /** @description What one may change of oneself. */
        MePatch: {
            /** @description Shown to people. */
            displayName?: string | null;
            /**
             * Format: password
             * @description A new password: 10 to 256 characters, not the name.
             */
            password?: string | null;
            /**
             * Format: password
             * @description The one of today; needed for a new one.
             */
            currentPassword?: string | null;
        };
        /**
         * Format: int64
         * @description A row of a session. An assistant message's id anchors all that its turn does.
         */
        MessageId: number;
        /** @description What a message is to say. */
        MessagePatch: {
            /** @description The new text. */
            content: string;
        };
        /**
         * @description Who speaks.
         * @enum {string}
         */
        MessageRole: "user" | "assistant";
        /**
         * @description Where a message stands. User messages are complete from the start.
         * @enum {string}
         */
        MessageStatus: "pending" | "completed" | "failed" | "cancelled";
        /** @description A message as stored; of a turn in flight also its picture so far. */
        MessageView: {
            /** @description Primary key; orders the session. */
            id: components["schemas"]["MessageId"];
            /** @description Its session. */
            sessionId: components["schemas"]["SessionId"];
            /** @description Who speaks. */
            role: components["schemas"]["MessageRole"];
            /** @description Where it stands. */
            status: components["schemas"]["MessageStatus"];
            /** @description What is said. */
            content: string;
            /** @description What the model showed of its reasoning. */
            thinking?: string;
            /** @description What the turn did besides; of a turn in flight its subagents as they stand. */
            metadata: components["schemas"]["Metadata"];
            runId?: components["schemas"]["RunId"] | null;
            runStatus?: components["schemas"]["RunStatus"] | null;
            /**
             * Format: date-time
             * @description When a worker first began the run.
             */
            startedAt?: string | null;
            /**
             * Format: date-time
             * @description When the run ended.
             */
            endedAt?: string | null;
            agentId?: components["schemas"]["AgentId"] | null;
            /** @description That agent's name when the run began; now, if it hasn't. */
            agentName?: string | null;
            /** @description The provider's name of the model that answers. */
            modelName?: string | null;
            usage?: components["schemas"]["TokenUsage"] | null;
            /**
             * Format: double
             * @description Price of the whole turn, where the model has prices.
             */
            cost?: number | null;
            error?: components["schemas"]["ErrorInfo"] | null;
            /** @description The sender's id of it. */
            clientMessageId?: string | null;
            /**
             * Format: date-time
             * @description When it was accepted.
             */
            createTime: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updateTime: string;
            turn?: components["schemas"]["TurnView"] | null;
            cursor?: components["schemas"]["Cursor"] | null;
        };
        /** @description Messages of a session. */
        Messages: {
            /** @description Oldest first, whichever way they were asked for. */
            items: components["schemas"]["MessageView"][];
            /** @description Whether there are more in the direction that was asked for. */
            hasMore: boolean;
        };
        /**
         * @description What stands beside a message: of an answer what the turn did besides, written once, when it ends; of
         *     a user's message what its sender told with it.
         */
        Metadata: {
            /**
             * @description The plan as it last stood.
             * @default []
             */
            todos: components["schemas"]["TodoItem"][];
            /**
             * @description The tool calls in order.
             * @default []
             */
            tools: components["schemas"]["ToolActivity"][];
            /**
             * @description The subagents, by batch.
             * @default []
             */
            subagents: components["schemas"]["SubagentBatch"][];
            /** @default null */
            reason: components["schemas"]["Reason"] | null;
            /** @default null */
            told: components["schemas"]["Told"] | null;
        };
        /**
         * Format: int64
         * @description A stored provider endpoint.
         */
        ModelId: number;
        /** @description A model as a person sets it. */
        ModelInput: {
            /** @description Name shown to people, unique. */
            name: string;
            /** @description `openai` and `anthropic` are dialects, spoken by many servers; `demo` needs no server. */
            provider: components["schemas"]["Provider"];
            /** @description The provider's name of the model. */
            modelName: string;
            /**
             * @description Where it is reached, up to and including `/v1` for the `openai` dialect; the provider's own
             *     address if not given.
             */
            baseUrl?: string | null;
            /**
             * Format: int32
             * @description Tokens of prompt and answer together.
             */
            contextWindow?: number | null;
            /**
             * Format: int32
             * @description Tokens of one answer.
             */
            maxOutputTokens?: number | null;
            /**
             * Format: int32
             * @description Calls at the same time over all workers.
             */
            maxConcurrency?: number | null;
            /**
             * Format: int32
             * @description Calls a minute over all workers.
             */
            rpm?: number | null;
            /**
             * Format: int32
             * @description Tokens a minute over all workers.
             */
            tpm?: number | null;
            /**
             * Format: double
             * @description Price of a million prompt tokens.
             */
            inputPrice?: number | null;
            /**
             * Format: double
             * @description Price of a million completion tokens.
             */
            outputPrice?: number | null;
        };
        /** @description What an operator sets about a model besides its address. */
        ModelLimits: {
            /**
             * Format: int32
             * @description Tokens of prompt and answer together; None: 128,000.
             * @default null
             */
            contextWindow: number | null;
            /**
             * Format: int32
             * @description Tokens of one answer; None: the provider's default (Anthropic requires a number: 8,192).
             * @default null
             */
            maxOutputTokens: number | null;
            /**
             * Format: int32
             * @description Calls at the same time over all workers.
             * @default null
             */
            maxConcurrency: number | null;
            /**
             * Format: int32
             * @description Calls a minute over all workers.
             * @default null
             */
            rpm: number | null;
            /**
             * Format: int32
             * @description Tokens a minute over all workers.
             * @default null
             */
            tpm: number | null;
            /**
             * Format: double
             * @description Price of a million prompt tokens.
             * @default null
             */
            inputPrice: number | null;
            /**
             * Format: double
             * @description Price of a million completion tokens.
             * @default null
             */
            outputPrice: number | null;
        };
        /** @description A model to try, stored or not. Other values of a model are ignored. */
        ModelTrial: {
            id?: components["schemas"]["ModelId"] | null;
            /** @description As of a model. */
            provider: components["schemas"]["Provider"];
            /** @description As of a model. */
            modelName: string;
            /** @description As of a model. */
            baseUrl?: string | null;
            apiKey?: components["schemas"]["Secret"] | null;
        };
        /** @description A model as stored, without its key. */
        ModelView: components["schemas"]["ModelLimits"] & {
            /** @description Primary key. */
            id: components["schemas"]["ModelId"];
            /** @description Name shown to people. */
            name: string;
            /** @description Dialect. */
            provider: components["schemas"]["Provider"];
            /** @description The provider's name of the model. */
            modelName: string;
            /** @description Where it is reached; null: the provider's own address. */
            baseUrl?: string | null;
            /** @description Whether a key is stored. */
            hasApiKey: boolean;
            /** @description Whether the address may lead into private networks: an operator gave it. */
            trustedHost: boolean;
            /**
             * Format: date-time
             * @description When it was made.
             */
            createTime: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updateTime: string;
        };
        /**
         * @description What the caller used of the day, and what limits it.
         * @example {
         *       "day": "2026-11-30",
         *       "quotas": [
         *         {
         *           "maxCost": null,
         *           "maxTokens": null,
         *           "maxTurns": 100,
         *           "resetsAt": "2026-12-01T00:00:00Z",
         *           "subjectId": 7,
         *           "subjectKind": "user",
         *           "used": {
         *             "cost": 0.31,
         *             "tokens": 48210,
         *             "turns": 12
         *           }
         *         }
         *       ],
         *       "resetsAt": "2026-12-01T00:00:00Z",
         *       "used": {
         *         "cost": 0.31,
         *         "tokens": 48210
         *       }
         *     }
         */
        MyUsage: {
            /** @description Which day (UTC). */
            day: string;
            /**
             * Format: date-time
             * @description When it ends.
             */
            resetsAt: string;
            used?: components["schemas"]["OwnUse"] | null;
            /**
             * @description The quotas that one's turns count for: one's own and the key's, and for those who manage users the
             *     tenant's.
             */
            quotas: components["schemas"]["QuotaView"][];
        };
        /** @description Where the turn is found at the other doors. */
        Neta: {
            /** @description The session, to be named in `metadata.session_id`. */
            sessionId: components["schemas"]["SessionId"];
            /** @description The answer's message: the name of the turn. */
            assistantMessageId: components["schemas"]["MessageId"];
            /** @description The run. */
            runId: components["schemas"]["RunId"];
            pauseId?: components["schemas"]["PauseId"] | null;
        };
        /** @description A key with its text. */
        NewKey: components["schemas"]["KeyView"] & {
            /**
             * @description What a program calls with: `Authorization: Bearer neta_…`. It is not stored and not shown again.
             * @example neta_4f1c09a2b7de_…
             */
            text: string;
        };
        /** @description A question that waits for a person, as readers see it. */
        OpenPause: {
            /** @description By which it is answered. */
            pauseId: components["schemas"]["PauseId"];
            /** @description What is asked. */
            kind: components["schemas"]["PauseKind"];
            /** @description In words. */
            question: string;
            /** @description Answers to choose from. */
            options?: string[];
            /**
             * Format: date-time
             * @description When it expires.
             */
            deadline?: string | null;
        };
        /**
         * @description Who set a value.
         * @enum {string}
         */
        Origin: "agent" | "global" | "built_in" | "maximum";
        /** @description Tokens and their price. */
        OwnUse: {
            /**
             * Format: int64
             * @description Tokens of finished model calls.
             */
            tokens: number;
            /**
             * Format: double
             * @description Their price, as far as models had prices.
             */
            cost: number;
        };
        /** @description One page. */
        Page_AgentCard: {
            /** @description In a stable order. */
            items: {
                /** @description Primary key. */
                id: components["schemas"]["AgentId"];
                /** @description Unique for the tenant. */
                name: string;
                /** @description What it is for. */
                description: string;
                /** @description Shown beside the name; empty: none. */
                icon: string;
                /** @description Whether it is for everybody who sees it. */
                published: boolean;
                /** @description Sample questions that a new conversation offers. */
                starters: string[];
            }[];
            /** @description Asks for the next page; missing on the last one. */
            nextCursor?: string | null;
        };
        /** @description One page. */
        Page_AgentView: {
            /** @description In a stable order. */
            items: (components["schemas"]["AgentSpec"] & {
                /** @description Primary key. */
                id: components["schemas"]["AgentId"];
                ownerUserId?: components["schemas"]["UserId"] | null;
                /** @description Who sees it, besides those who see all. */
                visibility: components["schemas"]["Visibility"];
                /** @description The name of its model, as people know it. */
                modelName: string;
                /**
                 * Format: date-time
                 * @description When a run of it last began, to the minute; missing: never yet.
                 */
                lastRunTime?: string | null;
                /** @description The settings of delegation that hold, and where each comes from. */
                effectiveSubagentConfig: components["schemas"]["EffectiveDelegation"];
                /**
                 * Format: int64
                 * @description Counts changes; a PATCH that names it is refused if the agent changed meanwhile.
                 */
                version: number;
                /**
                 * Format: date-time
                 * @description When it was made.
                 */
                createTime: string;
                /**
                 * Format: date-time
                 * @description When it last changed.
                 */
                updateTime: string;
            })[];
            /** @description Asks for the next page; missing on the last one. */
            nextCursor?: string | null;
        };
        /** @description One page. */
        Page_AuditLine: {
            /** @description In a stable order. */
            items: {
                /** @description Rises with time. */
                id: components["schemas"]["AuditId"];
                /** @description What kind of somebody acted. */
                actorKind: components["schemas"]["ActorKind"];
                /**
                 * Format: int64
                 * @description The user's or the key's number.
                 */
                actorId?: number | null;
                /** @description Their name at that time. */
                actorName: string;
                /** @description What was done, as `agent.update`. */
                action: string;
                /** @description To what kind of object. */
                objectKind: string;
                /** @description Its id. */
                objectId: string;
                /** @description Where they came from. */
                address?: string | null;
                /** @description How the object was. */
                before?: Record<string, never> | null;
                /** @description How it is. */
                after?: Record<string, never> | null;
                /**
                 * Format: date-time
                 * @description When.
                 */
                createTime: string;
            }[];
            /** @description Asks for the next page; missing on the last one. */
            nextCursor?: string | null;
        };
        /** @description One page. */
        Page_KeyView: {
            /** @description In a stable order. */
            items: (components["schemas"]["ApiKey"] & {
                /**
                 * @description Its texts that are accepted, oldest first, as far as they are kept: two during a rotation. Of a
                 *     key that expired or was revoked none is accepted.
                 */
                secrets: components["schemas"]["KeySecret"][];
            })[];
            /** @description Asks for the next page; missing on the last one. */
            nextCursor?: string | null;
        };
        /** @description One page. */
        Page_LoginView: {
            /** @description In a stable order. */
            items: (components["schemas"]["LoginSession"] & {
                /** @description It is the one that asks. */
                current: boolean;
            })[];
            /** @description Asks for the next page; missing on the last one. */
            nextCursor?: string | null;
        };
        /** @description One page. */
        Page_ModelView: {
            /** @description In a stable order. */
            items: (components["schemas"]["ModelLimits"] & {
                /** @description Primary key. */
                id: components["schemas"]["ModelId"];
                /** @description Name shown to people. */
                name: string;
                /** @description Dialect. */
                provider: components["schemas"]["Provider"];
                /** @description The provider's name of the model. */
                modelName: string;
                /** @description Where it is reached; null: the provider's own address. */
                baseUrl?: string | null;
                /** @description Whether a key is stored. */
                hasApiKey: boolean;
                /** @description Whether the address may lead into private networks: an operator gave it. */
                trustedHost: boolean;
                /**
                 * Format: date-time
                 * @description When it was made.
                 */
                createTime: string;
                /**
                 * Format: date-time
                 * @description When it last changed.
                 */
                updateTime: string;
            })[];
            /** @description Asks for the next page; missing on the last one. */
            nextCursor?: string | null;
        };
        /** @description One page. */
        Page_PauseItem: {
            /** @description In a stable order. */
            items: (components["schemas"]["PauseView"] & {
                /** @description Its session's title. */
                sessionTitle: string;
                /** @description The agent that asks; null: it is gone. */
                agentName?: string | null;
            })[];
            /** @description Asks for the next page; missing on the last one. */
            nextCursor?: string | null;
        };
        /** @description One page. */
        Page_QuotaView: {
            /** @description In a stable order. */
            items: (components["schemas"]["DayLimits"] & {
                /** @description Who is limited. */
                subjectKind: components["schemas"]["SubjectKind"];
                /**
                 * Format: int64
                 * @description Their number.
                 */
                subjectId: number;
                /** @description What was used of the day: turns since the quota was set, and finished model calls. */
                used: components["schemas"]["DayUse"];
                /**
                 * Format: date-time
                 * @description When the day ends.
                 */
                resetsAt: string;
            })[];
            /** @description Asks for the next page; missing on the last one. */
            nextCursor?: string | null;
        };
        /** @description One page. */
        Page_Role: {
            /** @description In a stable order. */
            items: {
                /** @description Primary key. */
                id: components["schemas"]["RoleId"];
                /** @description Unique in the tenant. */
                name: string;
                /** @description For people. */
                description: string;
                /** @description Made with the tenant; it can't be changed or removed. */
                builtIn: boolean;
                /** @description Grants: names of permissions as `agent:view`, all of a resource as `agent:*`, or `*`. */
                permissions: string[];
                /**
                 * Format: date-time
                 * @description When it was made.
                 */
                createTime: string;
                /**
                 * Format: date-time
                 * @description When it last changed.
                 */
                updateTime: string;
            }[];
            /** @description Asks for the next page; missing on the last one. */
            nextCursor?: string | null;
        };
        /** @description One page. */
        Page_RunView: {
            /** @description In a stable order. */
            items: {
                /** @description Primary key. */
                id: components["schemas"]["RunId"];
                /** @description Its session. */
                sessionId: components["schemas"]["SessionId"];
                /** @description What it executes. */
                kind: components["schemas"]["RunKind"];
                parentRunId?: components["schemas"]["RunId"] | null;
                /** @description The top of its tree. */
                rootRunId: components["schemas"]["RunId"];
                /** @description The agent. */
                agentId: components["schemas"]["AgentId"];
                /** @description The message it answers. */
                userMessageId: components["schemas"]["MessageId"];
                /** @description The answer's message. */
                assistantMessageId: components["schemas"]["MessageId"];
                /** @description Where it stands. */
                status: components["schemas"]["RunStatus"];
                reason?: components["schemas"]["Reason"] | null;
                cancelReason?: components["schemas"]["Reason"] | null;
                /**
                 * Format: int32
                 * @description Times that a worker began since the last stored step.
                 */
                attempts: number;
                /**
                 * Format: int64
                 * @description Entries of its journal.
                 */
                stepCount: number;
                leaseOwner?: components["schemas"]["WorkerId"] | null;
                /**
                 * Format: date-time
                 * @description When that right ends, unless it is renewed.
                 */
                leaseExpiresAt?: string | null;
                /**
                 * Format: date-time
                 * @description Not before this.
                 */
                dueAt: string;
                /** @description Its trace. */
                traceparent?: string | null;
                /**
                 * Format: date-time
                 * @description When it was accepted.
                 */
                createTime: string;
                /**
                 * Format: date-time
                 * @description When a worker first began it.
                 */
                startedAt?: string | null;
                /**
                 * Format: date-time
                 * @description When it ended.
                 */
                endedAt?: string | null;
            }[];
            /** @description Asks for the next page; missing on the last one. */
            nextCursor?: string | null;
        };
        /** @description One page. */
        Page_Session: {
            /** @description In a stable order. */
            items: {
                /** @description Primary key. */
                id: components["schemas"]["SessionId"];
                userId?: components["schemas"]["UserId"] | null;
                apiKeyId?: components["schemas"]["ApiKeyId"] | null;
                agentId?: components["schemas"]["AgentId"] | null;
                /** @description That agent's name now. */
                agentName?: string | null;
                /** @description What it is for. */
                kind: components["schemas"]["SessionKind"];
                /** @description Shown to people; the first message's beginning until renamed. */
                title: string;
                /**
                 * Format: date-time
                 * @description When it began.
                 */
                createTime: string;
                /**
                 * Format: date-time
                 * @description When its last turn was accepted.
                 */
                updateTime: string;
                /** @description Kept at hand by those who see it. */
                pinned: boolean;
                live?: components["schemas"]["LiveTurn"] | null;
                /**
                 * Format: int64
                 * @description Questions that its turns wait for a person to answer.
                 */
                openPauses: number;
            }[];
            /** @description Asks for the next page; missing on the last one. */
            nextCursor?: string | null;
        };
        /** @description One page. */
        Page_SubagentView: {
            /** @description In a stable order. */
            items: {
                /** @description Primary key, and that of its run. */
                id: components["schemas"]["SubagentId"];
                /** @description Its session. */
                sessionId: components["schemas"]["SessionId"];
                /** @description The assistant message that it works for. */
                parentMessageId: components["schemas"]["MessageId"];
                /** @description The run that delegated it. */
                parentRunId: components["schemas"]["RunId"];
                /** @description The call that delegated it. */
                batchId: string;
                /** @description The supervisor. */
                parentAgentId: components["schemas"]["AgentId"];
                /** @description Its own run. */
                runId: components["schemas"]["RunId"];
                /** @description Whose definition it has. */
                sourceType: components["schemas"]["SourceType"];
                agentId?: components["schemas"]["AgentId"] | null;
                /** @description Shown to people. */
                name: string;
                /** @description What it is to do, whole. */
                goal: string;
                /** @description What it is told besides. */
                context?: string | null;
                /** @description Where it stands. */
                status: components["schemas"]["SubagentStatus"];
                exitReason?: components["schemas"]["Reason"] | null;
                /** @description The provider's name of its model. */
                model: string;
                /** @description The tools that it has. */
                toolNames: string[];
                /** @description Its answer, whole. */
                summary?: string | null;
                /** @description Why it failed. */
                error?: string | null;
                tokenUsage?: components["schemas"]["TokenUsage"] | null;
                /**
                 * Format: double
                 * @description Price of its calls, where the model has prices.
                 */
                cost?: number | null;
                /**
                 * Format: int32
                 * @description Tool calls that it made; None while it is live.
                 */
                toolCallCount?: number | null;
                /**
                 * Format: int32
                 * @description Place in its batch, from 0.
                 */
                sortOrder: number;
                /**
                 * Format: date-time
                 * @description When a worker first began it.
                 */
                startedAt?: string | null;
                /**
                 * Format: date-time
                 * @description When it ended.
                 */
                endedAt?: string | null;
                /**
                 * Format: date-time
                 * @description When it was delegated.
                 */
                createTime: string;
                /**
                 * Format: date-time
                 * @description When it last changed.
                 */
                updateTime: string;
            }[];
            /** @description Asks for the next page; missing on the last one. */
            nextCursor?: string | null;
        };
        /** @description One page. */
        Page_Tenant: {
            /** @description In a stable order. */
            items: {
                /** @description Primary key. */
                id: components["schemas"]["TenantId"];
                /** @description Unique; people log in with it, see [`clean_name`]. */
                name: string;
                /** @description Nobody of it may do anything. */
                disabled: boolean;
                /**
                 * Format: date-time
                 * @description When it was made.
                 */
                createTime: string;
                /**
                 * Format: date-time
                 * @description When it last changed.
                 */
                updateTime: string;
            }[];
            /** @description Asks for the next page; missing on the last one. */
            nextCursor?: string | null;
        };
        /** @description One page. */
        Page_User: {
            /** @description In a stable order. */
            items: {
                /** @description Primary key. */
                id: components["schemas"]["UserId"];
                /** @description Unique in the tenant; what they log in with, see [`clean_name`]. */
                name: string;
                /** @description Shown to people. */
                displayName: string;
                /** @description May not log in, and their keys are refused. */
                disabled: boolean;
                /** @description What they may do. */
                roleIds: components["schemas"]["RoleId"][];
                /**
                 * Format: date-time
                 * @description When they last logged in.
                 */
                lastLoginAt?: string | null;
                /**
                 * Format: date-time
                 * @description When they were made.
                 */
                createTime: string;
                /**
                 * Format: date-time
                 * @description When they last changed.
                 */
                updateTime: string;
            }[];
            /** @description Asks for the next page; missing on the last one. */
            nextCursor?: string | null;
        };
        /** @description A part of what is said. */
        Part: {
            /** @description `text`; in the assistant's messages also `refusal`. Others are refused. */
            type: string;
            /** @description Of a `text`. */
            text?: string | null;
            /** @description Of a `refusal`. */
            refusal?: string | null;
        };
        /** @description What a person answers. */
        PauseAnswer: {
            /** @description In words, or one of the options. */
            answer: string;
        };
        /**
         * Format: int64
         * @description A stored question to a person.
         */
        PauseId: number;
        /** @description A question in a list of many. */
        PauseItem: components["schemas"]["PauseView"] & {
            /** @description Its session's title. */
            sessionTitle: string;
            /** @description The agent that asks; null: it is gone. */
            agentName?: string | null;
        };
        /**
         * @description What is asked.
         * @enum {string}
         */
        PauseKind: "clarify" | "escalate" | "approval" | "budget";
        /**
         * @description Where a question stands.
         * @enum {string}
         */
        PauseStatus: "open" | "answered" | "expired" | "cancelled";
        /** @description A question as stored. */
        PauseView: {
            /** @description By which it is answered. */
            pauseId: components["schemas"]["PauseId"];
            /** @description Its session. */
            sessionId: components["schemas"]["SessionId"];
            /** @description The assistant message in which it is asked. */
            messageId: components["schemas"]["MessageId"];
            /** @description The run that waits. */
            runId: components["schemas"]["RunId"];
            /** @description The call that asks. */
            toolCallId: string;
            /** @description What is asked. */
            kind: components["schemas"]["PauseKind"];
            /** @description In words. */
            question: string;
            /** @description Answers to choose from; other answers are allowed to a `clarify` only. */
            options: string[];
            /** @description Where it stands. */
            status: components["schemas"]["PauseStatus"];
            /** @description The answer. */
            answer?: string | null;
            /**
             * Format: date-time
             * @description When it expires.
             */
            deadline?: string | null;
            /**
             * Format: date-time
             * @description When it was asked.
             */
            createTime: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updateTime: string;
        };
        /** @description How much waits for people, and how much is at work. */
        PausesSummary: {
            /**
             * Format: int64
             * @description Open questions.
             */
            open: number;
            /**
             * Format: int64
             * @description Sessions with a turn that has not ended.
             */
            liveSessions: number;
            /**
             * Format: int64
             * @description Subagents that are at work.
             */
            runningSubagents: number;
        };
        /** @description A permission that roles may give. */
        PermissionView: {
            /** @description `resource:action`. */
            name: string;
            /** @description What it allows. */
            description: string;
        };
        /**
         * @description What a later message does to a session that is busy.
         * @enum {string}
         */
        Policy: "enqueue" | "reject" | "interrupt";
        /** @description What the agent would be told and given. */
        Preview: {
            /** @description Where it would run. */
            scene: components["schemas"]["Scene"];
            /** @description The whole of it. */
            systemPrompt: string;
            /** @description The user message of a subagent, if there is a goal. */
            userMessage?: string | null;
            /** @description The tools as the model would see them; these and no others can run. */
            tools: components["schemas"]["ShownTool"][];
            /** @description The tools that it would not have. */
            blockedTools: components["schemas"]["BlockedTool"][];
            /** @description The settings of delegation that hold, and where each comes from. */
            effectiveSubagentConfig: components["schemas"]["EffectiveDelegation"];
        };
        /** @description An agent that need not be stored, and where it would run. Other values of an agent are ignored. */
        PreviewRequest: {
            id?: components["schemas"]["AgentId"] | null;
            /** @description As of an agent. */
            systemPrompt?: string;
            /** @description As of an agent. */
            tools?: string[] | null;
            /** @description As of an agent. */
            subagentConfig?: components["schemas"]["SubagentConfig"];
            /**
             * Format: int32
             * @description As of an agent.
             */
            maxToolRounds?: number | null;
            /**
             * Format: int32
             * @description As of an agent.
             */
            maxWallSeconds?: number | null;
            scene?: components["schemas"]["Scene"] | null;
            /** @description What it would be asked as a subagent. */
            goal?: string | null;
            /** @description What it would be told besides as a subagent. */
            context?: string | null;
        };
        /** @description What became of the try. */
        ProbeResult: {
            /** @description Whether the model answered. */
            ok: boolean;
            /** @description What it answered, or what is wrong and what to do. */
            message: string;
            /** @description The failure's stable name, as `model_auth`. */
            reason?: string | null;
            /**
             * Format: int64
             * @description Milliseconds from request to end.
             */
            latencyMs: number;
        };
        /** @description The body of a refusal. */
        Problem: {
            /** @description `urn:neta:problem:` and the code. */
            type: string;
            /** @description The HTTP status in words. */
            title: string;
            /**
             * Format: int32
             * @description The HTTP status.
             */
            status: number;
            /** @description For people. */
            detail: string;
            /** @description For programs; never changes its meaning. */
            code: string;
            /** @description The field, parameter or header that is to blame. */
            field?: string | null;
            /** @description All values that can't be used; `field` is the first one's. */
            errors?: components["schemas"]["FieldError"][] | null;
            current?: components["schemas"]["AgentView"] | null;
            runId?: components["schemas"]["RunId"] | null;
            state?: components["schemas"]["PauseStatus"] | null;
            pause?: components["schemas"]["PauseView"] | null;
            /** @description The open questions, of which an answer has to name one. */
            pauseIds?: components["schemas"]["PauseId"][] | null;
            quota?: components["schemas"]["QuotaProblem"] | null;
        };
        /**
         * @description The dialect that an endpoint speaks.
         * @enum {string}
         */
        Provider: "openai" | "anthropic" | "demo";
        /** @description A quota of which nothing more of the day is left. */
        QuotaProblem: {
            /** @description Whose it is. */
            subjectKind: components["schemas"]["SubjectKind"];
            /**
             * Format: int64
             * @description Their number.
             */
            subjectId: number;
            /** @description What ran out. */
            exhausted: components["schemas"]["Exhausted"];
            /**
             * Format: date-time
             * @description When the day ends, and the next begins.
             */
            resetsAt: string;
        };
        /**
         * @description Somebody's quota, and what they used of the day.
         * @example {
         *       "maxCost": 5,
         *       "maxTokens": null,
         *       "maxTurns": 100,
         *       "resetsAt": "2026-12-01T00:00:00Z",
         *       "subjectId": 7,
         *       "subjectKind": "user",
         *       "used": {
         *         "cost": 0.31,
         *         "tokens": 48210,
         *         "turns": 12
         *       }
         *     }
         */
        QuotaView: components["schemas"]["DayLimits"] & {
            /** @description Who is limited. */
            subjectKind: components["schemas"]["SubjectKind"];
            /**
             * Format: int64
             * @description Their number.
             */
            subjectId: number;
            /** @description What was used of the day: turns since the quota was set, and finished model calls. */
            used: components["schemas"]["DayUse"];
            /**
             * Format: date-time
             * @description When the day ends.
             */
            resetsAt: string;
        };
        /** @description What all checks found. */
        Readiness: {
            /** @description Whether all that is needed is well. */
            ready: boolean;
            /** @description The database. */
            database: components["schemas"]["Check"];
            /** @description The queue; where it is away the sweep rings, later. */
            queue: components["schemas"]["Check"];
            /** @description The live events; where they are away readers look at the rows. */
            bus: components["schemas"]["Check"];
            /** @description The look for due runs that nobody claimed. */
            sweep: components["schemas"]["Check"];
            /** @description Live workers. */
            workers: components["schemas"]["Check"];
        };
        /**
         * @description Why a run waits or how it ended, by a stable name.
         * @enum {string}
         */
        Reason: "session_busy" | "model_limit" | "parent_concurrency" | "question" | "budget" | "parent_ended" | "handed_back" | "tool_rounds" | "wall_time" | "idle_time" | "repeated_calls" | "poisoned" | "empty_answer" | "output_limit" | "content_filter" | "stopped" | "interrupted" | "deleted" | "agent_gone" | "model_auth" | "model_address_blocked" | "model_request" | "context_length" | "model_unavailable" | "llm_idle_timeout" | "internal";
        /**
         * @description Why a run does not have a tool.
         * @enum {string}
         */
        Refusal: "scene" | "delegation_off" | "blocked" | "not_listed" | "not_allowed" | "not_requested";
        /** @description What the caller says besides. */
        RequestMetadata: {
            session_id?: components["schemas"]["SessionId"] | null;
        };
        /** @description In which form the answer is. */
        ResponseFormat: {
            /** @description `text`. */
            type: string;
        };
        /** @description A named set of permissions. */
        Role: {
            /** @description Primary key. */
            id: components["schemas"]["RoleId"];
            /** @description Unique in the tenant. */
            name: string;
            /** @description For people. */
            description: string;
            /** @description Made with the tenant; it can't be changed or removed. */
            builtIn: boolean;
            /** @description Grants: names of permissions as `agent:view`, all of a resource as `agent:*`, or `*`. */
            permissions: string[];
            /**
             * Format: date-time
             * @description When it was made.
             */
            createTime: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updateTime: string;
        };
        /**
         * Format: int64
         * @description A named set of permissions.
         */
        RoleId: number;
        /** @description What of a role is to change; what is left out stays. */
        RolePatch: {
            /** @description Unique in the tenant. */
            name?: string | null;
            /** @description For people. */
            description?: string | null;
            /** @description All that it is to give. */
            permissions?: string[] | null;
        };
        /** @description A role that is to be. */
        RoleRequest: {
            /** @description Unique in the tenant. */
            name: string;
            /** @description For people. */
            description?: string;
            /**
             * @description Grants: names of permissions as `agent:view`, all of a resource as `agent:*`, or `*`. Never more
             *     than who makes the role holds.
             */
            permissions: string[];
        };
        /** @description How a key is rotated. */
        Rotation: {
            /**
             * Format: int32
             * @description Seconds that the text of before goes on: a day if not given, at most 31 days; 0 ends it at once.
             */
            overlapSeconds?: number | null;
        };
        /** @description A run with its journal. */
        RunDetail: components["schemas"]["RunView"] & {
            why?: components["schemas"]["Why"] | null;
            /** @description Its journal in order: model responses, tool results, notes. */
            steps: Record<string, never>[];
        };
        /**
         * Format: int64
         * @description One durable execution of an agent.
         */
        RunId: number;
        /**
         * @description What a run executes.
         * @enum {string}
         */
        RunKind: "chat" | "subagent" | "crew_master" | "crew_task";
        /**
         * @description Where a run stands.
         *
         *     `queued` runs wait for a worker, their session, or a model's limit; `running` ones have a lease;
         *     the last three are final.
         * @enum {string}
         */
        RunStatus: "queued" | "held" | "running" | "waiting" | "paused" | "completed" | "failed" | "cancelled";
        /** @description A run as stored. */
        RunView: {
            /** @description Primary key. */
            id: components["schemas"]["RunId"];
            /** @description Its session. */
            sessionId: components["schemas"]["SessionId"];
            /** @description What it executes. */
            kind: components["schemas"]["RunKind"];
            parentRunId?: components["schemas"]["RunId"] | null;
            /** @description The top of its tree. */
            rootRunId: components["schemas"]["RunId"];
            /** @description The agent. */
            agentId: components["schemas"]["AgentId"];
            /** @description The message it answers. */
            userMessageId: components["schemas"]["MessageId"];
            /** @description The answer's message. */
            assistantMessageId: components["schemas"]["MessageId"];
            /** @description Where it stands. */
            status: components["schemas"]["RunStatus"];
            reason?: components["schemas"]["Reason"] | null;
            cancelReason?: components["schemas"]["Reason"] | null;
            /**
             * Format: int32
             * @description Times that a worker began since the last stored step.
             */
            attempts: number;
            /**
             * Format: int64
             * @description Entries of its journal.
             */
            stepCount: number;
            leaseOwner?: components["schemas"]["WorkerId"] | null;
            /**
             * Format: date-time
             * @description When that right ends, unless it is renewed.
             */
            leaseExpiresAt?: string | null;
            /**
             * Format: date-time
             * @description Not before this.
             */
            dueAt: string;
            /** @description Its trace. */
            traceparent?: string | null;
            /**
             * Format: date-time
             * @description When it was accepted.
             */
            createTime: string;
            /**
             * Format: date-time
             * @description When a worker first began it.
             */
            startedAt?: string | null;
            /**
             * Format: date-time
             * @description When it ended.
             */
            endedAt?: string | null;
        };
        /**
         * @description Where a run executes; decides which abilities it may have at all.
         * @enum {string}
         */
        Scene: "supervisor" | "plain" | "subagent" | "crew_master" | "crew_member";
        /** @description Text that is not shown: `Debug`, `Display` and `Serialize` give `***`. */
        Secret: string;
        /** @description What a socket tells a client: an event, or an answer to a frame. */
        ServerFrame: components["schemas"]["Envelope"] | components["schemas"]["Answer"];
        /** @description A session as stored. */
        Session: {
            /** @description Primary key. */
            id: components["schemas"]["SessionId"];
            userId?: components["schemas"]["UserId"] | null;
            apiKeyId?: components["schemas"]["ApiKeyId"] | null;
            agentId?: components["schemas"]["AgentId"] | null;
            /** @description That agent's name now. */
            agentName?: string | null;
            /** @description What it is for. */
            kind: components["schemas"]["SessionKind"];
            /** @description Shown to people; the first message's beginning until renamed. */
            title: string;
            /**
             * Format: date-time
             * @description When it began.
             */
            createTime: string;
            /**
             * Format: date-time
             * @description When its last turn was accepted.
             */
            updateTime: string;
            /** @description Kept at hand by those who see it. */
            pinned: boolean;
            live?: components["schemas"]["LiveTurn"] | null;
            /**
             * Format: int64
             * @description Questions that its turns wait for a person to answer.
             */
            openPauses: number;
        };
        /** @description What a session holds: what is gone when it is deleted. */
        SessionContents: {
            /**
             * Format: int64
             * @description Turns, ended or not.
             */
            turns: number;
            /**
             * Format: int64
             * @description Messages.
             */
            messages: number;
            /**
             * Format: int64
             * @description Subagents of its turns.
             */
            subagents: number;
            /**
             * Format: int64
             * @description Turns that have not ended.
             */
            liveTurns: number;
            /**
             * Format: int64
             * @description Questions that wait for a person.
             */
            openPauses: number;
        };
        /** @description A session with what its turns used. */
        SessionDetail: components["schemas"]["Session"] & {
            usage?: components["schemas"]["TokenUsage"] | null;
            /**
             * Format: double
             * @description Their price, as far as models had prices.
             */
            cost?: number | null;
        };
        /** @description What happened since the answer before. */
        SessionEvents: {
            /** @description In order; empty: nothing within the time. At most 256 KiB, unless it is a single event. */
            events: components["schemas"]["Envelope"][];
            /** @description Ask with this for what follows. */
            cursor: string;
        };
        /**
         * Format: uuid
         * @description One conversation: a UUID, version 7 when made here, 8 where a definition is tried.
         */
        SessionId: string;
        /**
         * @description What a session is for.
         * @enum {string}
         */
        SessionKind: "chat" | "crew_master" | "crew_task";
        /** @description What is to be changed about a session. */
        SessionPatch: {
            /** @description Shown to people. */
            title?: string | null;
            /** @description Kept at hand by those who see it. */
            pinned?: boolean | null;
        };
        /** @description Whether the setup is open. */
        SetupAnswer: {
            /** @description Nobody has an account yet; who holds the printed token may make the first one. */
            needed: boolean;
        };
        /** @description The first administrator. */
        SetupRequest: {
            /**
             * Format: password
             * @description As printed by the latest start.
             */
            token: string;
            /** @description What they log in with: 1 to 64 letters, digits or any of `. _ - @ +`. */
            name: string;
            /**
             * Format: password
             * @description 10 to 256 characters, not the name.
             */
            password: string;
            /** @description Shown to people; none: the name. */
            displayName?: string | null;
        };
        /** @description A tool as a model sees it. */
        ShownTool: {
            /** @description Its name. */
            name: string;
            /** @description For the model. */
            description: string;
            /** @description JSON Schema of the arguments. */
            parameters: Record<string, never>;
        };
        /**
         * @description Whose definition a subagent has.
         * @enum {string}
         */
        SourceType: "preset" | "clone";
        /** @description Stop a turn, or one of its subagents; its text so far is kept. */
        Stop: {
            messageId: components["schemas"]["MessageId"];
            subagentId?: components["schemas"]["SubagentId"] | null;
        };
        /** @description What became of a wish to stop. */
        StopAnswer: {
            /** @description The run. */
            runId: components["schemas"]["RunId"];
            /** @description `ended`: it is over now; `stopping`: its worker was told; `already_over`: it had ended. */
            outcome: string;
        };
        /** @description How an answer comes in pieces. */
        StreamOptions: {
            /** @description Whether a last piece tells the tokens. */
            include_usage?: boolean | null;
        };
        /** @description The subagents of one delegating call. */
        SubagentBatch: {
            /** @description The assistant message that they work for. */
            parentMessageId: components["schemas"]["MessageId"];
            /** @description The call that delegated them. */
            batchId: string;
            /** @description Shown to people. */
            title: string;
            /**
             * Format: int32
             * @description How many of the run's subagents may be at work at the same time.
             */
            limit?: number | null;
            /** @description In the order of the call. */
            items: components["schemas"]["SubagentItem"][];
            /** @description How many stand where. */
            summary: components["schemas"]["BatchSummary"];
        };
        /** @description An agent's own settings for delegation; None inherits. */
        SubagentConfig: {
            /**
             * @description Whether it may delegate.
             * @default null
             */
            enabled: boolean | null;
            /**
             * Format: int32
             * @description Children of one run at the same time.
             * @default null
             */
            maxConcurrent: number | null;
            /**
             * @description Agents it may call by id.
             * @default null
             */
            allowedPresetAgentIds: components["schemas"]["AgentId"][] | null;
            /**
             * @description Tools its subagents may use.
             * @default null
             */
            allowedToolNames: string[] | null;
        };
        /** @description A subagent with all that it did. */
        SubagentDetail: components["schemas"]["SubagentView"] & {
            /** @description The top of its tree. */
            rootRunId: components["schemas"]["RunId"];
            /** @description The message of the user that the tree answers. */
            userMessageId: components["schemas"]["MessageId"];
            /** @description The prompt that it was given; null for those who may not see how its agent is made. */
            systemPrompt?: string | null;
            limits?: components["schemas"]["SubagentLimits"] | null;
            usage?: components["schemas"]["TokenUsage"] | null;
            /** @description What it said, called and was answered, in order. */
            transcript: Record<string, never>[];
        };
        /**
         * Format: int64
         * @description A delegated child of a chat run; its number is that of its run.
         */
        SubagentId: number;
        /** @description A subagent as readers see it, in events, pictures and `metadata.subagents`. */
        SubagentItem: {
            /** @description Its id, which is also its run's. */
            id: components["schemas"]["SubagentId"];
            /** @description Shown to people. */
            name: string;
            /** @description Whose definition it has. */
            sourceType: components["schemas"]["SourceType"];
            agentId?: components["schemas"]["AgentId"] | null;
            /** @description Where it stands. */
            status: components["schemas"]["SubagentStatus"];
            exitReason?: components["schemas"]["Reason"] | null;
            /** @description What it is to do, cut to 2,000 characters. */
            goal: string;
            /** @description Its answer, cut to 4,000 characters. */
            summary?: string | null;
            /** @description Why it failed. */
            error?: string | null;
            tokenUsage?: components["schemas"]["TokenUsage"] | null;
            /**
             * Format: double
             * @description Price of its calls, where the model has prices.
             */
            cost?: number | null;
            /**
             * Format: int32
             * @description Place in its batch, from 0.
             */
            sortOrder: number;
            /**
             * Format: date-time
             * @description When a worker first began it.
             */
            startedAt?: string | null;
            /**
             * Format: date-time
             * @description When it ended.
             */
            endedAt?: string | null;
        };
        /** @description The limits that hold for a subagent; None: the configured default. */
        SubagentLimits: {
            /**
             * Format: int32
             * @description Rounds of tool calls.
             */
            maxToolRounds?: number | null;
            /**
             * Format: int32
             * @description Seconds of wall time from its start.
             */
            maxWallSeconds?: number | null;
            /**
             * Format: int32
             * @description Tokens of one answer of its model.
             */
            maxOutputTokens?: number | null;
            /**
             * Format: int32
             * @description Tokens that its model can read at once.
             */
            contextWindow?: number | null;
        };
        /**
         * @description Where a subagent stands.
         * @enum {string}
         */
        SubagentStatus: "queued" | "running" | "completed" | "failed" | "timed_out" | "cancelled";
        /** @description A subagent as stored. */
        SubagentView: {
            /** @description Primary key, and that of its run. */
            id: components["schemas"]["SubagentId"];
            /** @description Its session. */
            sessionId: components["schemas"]["SessionId"];
            /** @description The assistant message that it works for. */
            parentMessageId: components["schemas"]["MessageId"];
            /** @description The run that delegated it. */
            parentRunId: components["schemas"]["RunId"];
            /** @description The call that delegated it. */
            batchId: string;
            /** @description The supervisor. */
            parentAgentId: components["schemas"]["AgentId"];
            /** @description Its own run. */
            runId: components["schemas"]["RunId"];
            /** @description Whose definition it has. */
            sourceType: components["schemas"]["SourceType"];
            agentId?: components["schemas"]["AgentId"] | null;
            /** @description Shown to people. */
            name: string;
            /** @description What it is to do, whole. */
            goal: string;
            /** @description What it is told besides. */
            context?: string | null;
            /** @description Where it stands. */
            status: components["schemas"]["SubagentStatus"];
            exitReason?: components["schemas"]["Reason"] | null;
            /** @description The provider's name of its model. */
            model: string;
            /** @description The tools that it has. */
            toolNames: string[];
            /** @description Its answer, whole. */
            summary?: string | null;
            /** @description Why it failed. */
            error?: string | null;
            tokenUsage?: components["schemas"]["TokenUsage"] | null;
            /**
             * Format: double
             * @description Price of its calls, where the model has prices.
             */
            cost?: number | null;
            /**
             * Format: int32
             * @description Tool calls that it made; None while it is live.
             */
            toolCallCount?: number | null;
            /**
             * Format: int32
             * @description Place in its batch, from 0.
             */
            sortOrder: number;
            /**
             * Format: date-time
             * @description When a worker first began it.
             */
            startedAt?: string | null;
            /**
             * Format: date-time
             * @description When it ended.
             */
            endedAt?: string | null;
            /**
             * Format: date-time
             * @description When it was delegated.
             */
            createTime: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updateTime: string;
        };
        /**
         * @description Who is limited.
         * @enum {string}
         */
        SubjectKind: "tenant" | "user" | "key";
        /** @description Follow a session; with a message and a cursor, go on in that turn's stream. */
        Subscribe: {
            sessionId: components["schemas"]["SessionId"];
            messageId?: components["schemas"]["MessageId"] | null;
            subagentId?: components["schemas"]["SubagentId"] | null;
            /** Format: int64 */
            epoch?: number | null;
            /** Format: int64 */
            seq?: number | null;
            level?: components["schemas"]["Level"] | null;
        };
        /** @description A customer of the operator: owner of everything that its people make. */
        Tenant: {
            /** @description Primary key. */
            id: components["schemas"]["TenantId"];
            /** @description Unique; people log in with it, see [`clean_name`]. */
            name: string;
            /** @description Nobody of it may do anything. */
            disabled: boolean;
            /**
             * Format: date-time
             * @description When it was made.
             */
            createTime: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updateTime: string;
        };
        /**
         * Format: int64
         * @description Owner of everything that a customer of the operator has.
         */
        TenantId: number;
        /** @description A tenant as its people see it. */
        TenantName: {
            /** @description Primary key. */
            id: components["schemas"]["TenantId"];
            /** @description What they log in with. */
            name: string;
        };
        /** @description What of a tenant is to change; what is left out stays. */
        TenantPatch: {
            /** @description Its people log in with it. */
            name?: string | null;
            /** @description Nobody of it may do anything: all are logged out, and its keys are refused. Runs under way end. */
            disabled?: boolean | null;
        };
        /** @description A tenant that is to be. */
        TenantRequest: {
            /** @description Its people log in with it: 1 to 64 letters, digits or any of `. _ - @ +`. */
            name: string;
            admin?: components["schemas"]["AdminRequest"] | null;
        };
        /** @description One line of the plan. */
        TodoItem: {
            /** @description What is to be done. */
            content: string;
            /** @description How far it is. */
            status: components["schemas"]["TodoStatus"];
        };
        /**
         * @description How far a line of the plan is.
         * @enum {string}
         */
        TodoStatus: "pending" | "in_progress" | "completed";
        /** @description Tokens of one call, as the provider counted them. */
        TokenUsage: {
            /**
             * Format: int64
             * @description Prompt tokens, cached ones included.
             */
            inputTokens: number;
            /**
             * Format: int64
             * @description Completion tokens, thinking included.
             */
            outputTokens: number;
        };
        /** @description What came before a message, as its sender tells it. */
        Told: {
            /**
             * @description Instructions; they come after the agent's own prompt.
             * @default
             */
            system: string;
            /**
             * @description Oldest first, without the message that is to be answered.
             * @default []
             */
            messages: components["schemas"]["ToldMessage"][];
        };
        /** @description A call of an earlier round. */
        ToldCall: {
            /** @description By which its result names it. */
            id?: string | null;
            function?: components["schemas"]["ToldFunction"] | null;
        };
        /** @description What was called. */
        ToldFunction: {
            /** @description Its name. */
            name: string;
            /** @description The argument text. */
            arguments?: string;
        };
        /** @description One message of it. */
        ToldMessage: {
            /** @description Who speaks. */
            role: components["schemas"]["MessageRole"];
            /** @description What is said; of calls and results of the caller's own tools, their text. */
            text: string;
        };
        /** @description One tool call as a reader sees it. */
        ToolActivity: {
            /** @description The provider's id of the call. */
            toolCallId: string;
            /** @description The tool. */
            name: string;
            /** @description The argument text, cut to 2,000 characters. */
            arguments: string;
            /**
             * Format: int32
             * @description How many characters it has, where it is cut.
             */
            argumentChars?: number | null;
            /** @description Where it stands. */
            status: components["schemas"]["ToolStatus"];
            /** @description The beginning of its result, at most 2,000 characters. */
            preview?: string | null;
            /**
             * Format: int32
             * @description How many characters the result has, where it is cut.
             */
            resultChars?: number | null;
            /**
             * Format: int64
             * @description How long it took.
             */
            durationMs?: number | null;
        };
        /** @description A tool call with all of its text. */
        ToolCallDetail: {
            /** @description The provider's id of the call. */
            toolCallId: string;
            /** @description The tool. */
            name: string;
            /** @description Where it stands. */
            status: components["schemas"]["ToolStatus"];
            /** @description The argument text, as the model wrote it. */
            arguments: string;
            /** @description What the model read; null while it is under way. */
            result?: string | null;
            /**
             * Format: int64
             * @description How long it took; null while it is under way.
             */
            durationMs?: number | null;
        };
        /** @description A tool as people choose it for an agent. */
        ToolInfo: {
            /** @description The name that agents list. */
            name: string;
            /** @description What it does. */
            description: string;
            /** @description What it can do besides its own work. */
            flags: components["schemas"]["Flags"];
            /** @description What repeating an interrupted call does. */
            effect: components["schemas"]["Effect"];
            /** @description Where it may be had at all. */
            scenes: components["schemas"]["Scene"][];
        };
        /**
         * @description How a tool call ended.
         * @enum {string}
         */
        ToolStatus: "running" | "ok" | "error" | "expired" | "outcome_unknown";
        /** @description Another definition in place of the one before. */
        TryoutChange: {
            /** @description All of it. */
            spec: components["schemas"]["AgentSpec"];
        };
        /** @description A definition to try. */
        TryoutRequest: {
            agentId?: components["schemas"]["AgentId"] | null;
            /** @description All of it. */
            spec: components["schemas"]["AgentSpec"];
        };
        /** @description Where a definition is tried. */
        TryoutView: {
            /** @description Messages that are sent here are answered by the definition, whatever agent they name. */
            sessionId: components["schemas"]["SessionId"];
        };
        /** @description What all events of a turn so far add up to. What a reader gets who comes late. */
        TurnView: {
            /** @description The user's message. */
            userMessageId: components["schemas"]["MessageId"];
            /** @description The assistant's. */
            assistantMessageId: components["schemas"]["MessageId"];
            /** @description The run. */
            runId: components["schemas"]["RunId"];
            /** @description Where the turn stands. */
            status: components["schemas"]["RunStatus"];
            reason?: components["schemas"]["Reason"] | null;
            /** @description The text so far. */
            content: string;
            /** @description The thinking so far. */
            thinking?: string;
            /** @description The plan. */
            todos?: components["schemas"]["TodoItem"][];
            /** @description The tool calls. */
            tools?: components["schemas"]["ToolActivity"][];
            /** @description The subagents, by batch. */
            subagents?: components["schemas"]["SubagentBatch"][];
            /** @description Questions that wait for a person. */
            pauses?: components["schemas"]["OpenPause"][];
            usage?: components["schemas"]["TokenUsage"] | null;
            /**
             * Format: double
             * @description Price so far.
             */
            cost?: number | null;
            error?: components["schemas"]["ErrorInfo"] | null;
        };
        /** @description Follow a session no more. */
        Unsubscribe: {
            sessionId: components["schemas"]["SessionId"];
        };
        /** @description Tokens. */
        Usage: {
            /**
             * Format: int64
             * @description Of prompts.
             */
            prompt_tokens: number;
            /**
             * Format: int64
             * @description Of completions.
             */
            completion_tokens: number;
            /**
             * Format: int64
             * @description Both.
             */
            total_tokens: number;
        };
        /** @description A line of a bill. */
        UsageLine: components["schemas"]["UsageTotal"] & {
            /**
             * Format: int64
             * @description Whose; null: nobody's (the operator's), or a day.
             */
            id?: number | null;
            /** @description Its name, if it is still there; or the day, as `2026-11-30`. */
            name?: string | null;
        };
        /** @description What was used. */
        UsageTotal: {
            /**
             * Format: int64
             * @description Finished model calls.
             */
            calls: number;
            /**
             * Format: int64
             * @description Tokens of their prompts.
             */
            inputTokens: number;
            /**
             * Format: int64
             * @description Tokens of their answers.
             */
            outputTokens: number;
            /**
             * Format: double
             * @description Their price, as far as models had prices.
             */
            cost: number;
        };
        /** @description A person who can log in. */
        User: {
            /** @description Primary key. */
            id: components["schemas"]["UserId"];
            /** @description Unique in the tenant; what they log in with, see [`clean_name`]. */
            name: string;
            /** @description Shown to people. */
            displayName: string;
            /** @description May not log in, and their keys are refused. */
            disabled: boolean;
            /** @description What they may do. */
            roleIds: components["schemas"]["RoleId"][];
            /**
             * Format: date-time
             * @description When they last logged in.
             */
            lastLoginAt?: string | null;
            /**
             * Format: date-time
             * @description When they were made.
             */
            createTime: string;
            /**
             * Format: date-time
             * @description When they last changed.
             */
            updateTime: string;
        };
        /**
         * Format: int64
         * @description A person who can log in.
         */
        UserId: number;
        /** @description What of a user is to change; what is left out stays. */
        UserPatch: {
            /** @description What they log in with. */
            name?: string | null;
            /** @description Shown to people. */
            displayName?: string | null;
            /**
             * Format: password
             * @description Another password, which logs them out everywhere; null: they can't log in with one any more.
             */
            password?: string | null;
            /** @description May not log in: they are logged out everywhere, and their keys are refused. */
            disabled?: boolean | null;
            /** @description What they may do, from their next request on. */
            roleIds?: components["schemas"]["RoleId"][] | null;
        };
        /** @description A user that is to be. */
        UserRequest: {
            /** @description What they log in with: 1 to 64 letters, digits or any of `. _ - @ +`; upper case becomes lower. */
            name: string;
            /** @description Shown to people; none: the name. */
            displayName?: string | null;
            /**
             * Format: password
             * @description 10 to 256 characters, not the name; none: they can't log in with a password.
             */
            password?: string | null;
            /** @description What they may do; never more than who makes them. */
            roleIds?: components["schemas"]["RoleId"][];
        };
        /**
         * @description Who sees an agent, besides those who see all.
         * @enum {string}
         */
        Visibility: "tenant" | "shared";
        /** @description Why a run that has not ended does not run. */
        Why: {
            /** @description The run in the way. */
            runId: components["schemas"]["RunId"];
            /**
             * Format: int32
             * @description Turns of the session that come first, that one included.
             */
            ahead: number;
            /** @enum {string} */
            kind: "session_busy";
        } | {
            /**
             * Format: date-time
             * @description When it asks again at the latest.
             */
            until: string;
            /** @enum {string} */
            kind: "model_limit";
        } | {
            /**
             * Format: date-time
             * @description When it is.
             */
            until: string;
            /** @enum {string} */
            kind: "not_due";
        } | {
            /**
             * Format: int32
             * @description Subagents that may be at work at the same time.
             */
            limit: number;
            /**
             * Format: int32
             * @description Those that are.
             */
            active: number;
            /**
             * Format: int32
             * @description Subagents that are held back, too, and begin before it.
             */
            ahead: number;
            /** @enum {string} */
            kind: "parent_concurrency";
        } | {
            /**
             * Format: int32
             * @description Those that have not ended.
             */
            live: number;
            /** @enum {string} */
            kind: "children";
        } | {
            /** @description The questions. */
            pauseIds: components["schemas"]["PauseId"][];
            /** @enum {string} */
            kind: "question";
        } | {
            /** @description The question; missing where another run of the tree asked it. */
            pauseIds: components["schemas"]["PauseId"][];
            /** @enum {string} */
            kind: "budget";
        } | {
            /** @enum {string} */
            kind: "no_worker";
        } | {
            /** @enum {string} */
            kind: "next_free_slot";
        };
        /**
         * @description A worker process: host, process id and a random part that is new at each start, so that two
         *     replicas with one configuration never share an identity.
         */
        WorkerId: string;
        /** @description A worker process as it last told of itself. */
        WorkerView: {
            /** @description Its identity, new at each start. */
            id: components["schemas"]["WorkerId"];
            /** @description The machine's name. */
            host: string;
            /** @description Of Neta. */
            version: string;
            /**
             * Format: int32
             * @description Runs that it takes at the same time.
             */
            slots: number;
            /**
             * Format: int32
             * @description Runs that it has.
             */
            running: number;
            /** @description It takes no more runs. */
            draining: boolean;
            /** @description Whether it told of itself in the last 30 s. */
            alive: boolean;
            /**
             * Format: date-time
             * @description When it started.
             */
            startedAt: string;
            /**
             * Format: date-time
             * @description When it last told.
             */
            seenAt: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    agent_cards_cards: {
        parameters: {
            query?: {
                /** @description Objects on a page: 50 if not given, at most 200. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_AgentCard"];
                };
            };
            /** @description Something can't be used: `field` names it */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    agents_list: {
        parameters: {
            query?: {
                /** @description A part of the name or the description, in any case of Latin letters. */
                q?: string;
                /** @description Those that are published, or those that are not. */
                published?: boolean;
                /** @description Objects on a page: 50 if not given, at most 200. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_AgentView"];
                };
            };
            /** @description Something can't be used: `field` names it */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    agents_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentSpec"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentView"];
                };
            };
            /** @description A value can't be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The name is taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "conflict",
                     *       "detail": "an agent of this name exists, or the agent changed meanwhile",
                     *       "status": 409,
                     *       "title": "Conflict",
                     *       "type": "urn:neta:problem:conflict"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    agents_preview_prompt_prompt: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preview"];
                };
            };
            /** @description A value can't be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    agents_tryouts_begin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TryoutRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TryoutView"];
                };
            };
            /** @description A value can't be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such agent */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    agents_tryouts_replace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: components["schemas"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TryoutChange"];
            };
        };
        responses: {
            /** @description Replaced */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A value can't be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    agents_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentView"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    agents_delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    agents_patch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["AgentId"];
            };
            cookie?: never;
        };
        /** @description Any of an agent's values; `version` guards against changes in between */
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentView"];
                };
            };
            /** @description A value can't be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The name is taken (`conflict`), or the agent changed meanwhile (`version_conflict`, with `current`) */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "conflict",
                     *       "detail": "an agent of this name exists, or the agent changed meanwhile",
                     *       "status": 409,
                     *       "title": "Conflict",
                     *       "type": "urn:neta:problem:conflict"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    agents_shares_shares: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentShares"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    agents_shares_share: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentShares"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentShares"];
                };
            };
            /** @description There is no such user or role */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    audit_list: {
        parameters: {
            query?: {
                /** @description What kind of somebody acted. */
                actorKind?: components["schemas"]["ActorKind"];
                /** @description The user's or the key's number. */
                actorId?: number;
                /** @description What was done, as `agent.update`; with a dot at its end all that begins so, as `agent.`. */
                action?: string;
                /** @description To what kind of object, as `agent`. */
                objectKind?: string;
                /** @description Its id. */
                objectId?: string;
                /** @description Not before this time. */
                from?: string;
                /** @description Before this time. */
                to?: string;
                /** @description Lines on a page: 50 if not given, at most 200. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "action": "agent.update",
                     *           "actorId": 7,
                     *           "actorKind": "user",
                     *           "actorName": "ann",
                     *           "address": "192.0.2.7",
                     *           "after": {
                     *             "name": "Assistant"
                     *           },
                     *           "before": {
                     *             "name": "Helper"
                     *           },
                     *           "createTime": "2026-11-30T12:00:00Z",
                     *           "id": 42,
                     *           "objectId": "3",
                     *           "objectKind": "agent"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Page_AuditLine"];
                };
            };
            /** @description A value can't be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    keys_list: {
        parameters: {
            query?: {
                /** @description Objects on a page: 50 if not given, at most 200. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_KeyView"];
                };
            };
            /** @description Something can't be used: `field` names it */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    keys_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "ci",
                 *       "scopes": [
                 *         "chat:3"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["KeyInput"];
            };
        };
        responses: {
            /** @description Its text is shown this once */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewKey"];
                };
            };
            /** @description A value can't be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It could do what its maker may not */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    keys_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["ApiKeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyView"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    keys_revoke: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["ApiKeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is refused */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    keys_patch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["ApiKeyId"];
            };
            cookie?: never;
        };
        /** @description Any of name, scopes, expiresAt, ratePerMinute */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "expiresAt": "2027-01-01T00:00:00Z"
                 *     }
                 */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyView"];
                };
            };
            /** @description A value can't be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It could do what whoever changes it may not */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It was revoked, or changed meanwhile */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "conflict",
                     *       "detail": "an agent of this name exists, or the agent changed meanwhile",
                     *       "status": 409,
                     *       "title": "Conflict",
                     *       "type": "urn:neta:problem:conflict"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    keys_rotate_rotate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["ApiKeyId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlapSeconds": 3600
                 *     }
                 */
                "application/json": components["schemas"]["Rotation"] | null;
            };
        };
        responses: {
            /** @description The new text is shown this once */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewKey"];
                };
            };
            /** @description A value can't be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It may do what whoever rotates it may not */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It was revoked */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "conflict",
                     *       "detail": "an agent of this name exists, or the agent changed meanwhile",
                     *       "status": 409,
                     *       "title": "Conflict",
                     *       "type": "urn:neta:problem:conflict"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    login_login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "ada",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            /** @description Logged in */
            200: {
                headers: {
                    /** @description neta_session=…; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "expiresAt": "2026-12-30T12:00:00.000Z",
                     *       "permissions": [
                     *         "agent:use",
                     *         "session:chat"
                     *       ],
                     *       "tenant": {
                     *         "id": 1,
                     *         "name": "main"
                     *       },
                     *       "user": {
                     *         "createTime": "2026-11-30T12:00:00.000Z",
                     *         "disabled": false,
                     *         "displayName": "Ada",
                     *         "id": 1,
                     *         "lastLoginAt": "2026-11-30T12:00:00.000Z",
                     *         "name": "ada",
                     *         "roleIds": [
                     *           1
                     *         ],
                     *         "updateTime": "2026-11-30T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LoginAnswer"];
                };
            };
            /** @description A field is missing or of the wrong type */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `login_failed`: unknown, wrong or disabled */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "login_failed",
                     *       "detail": "the name or the password is wrong",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:login_failed"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A page of another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden_host",
                     *       "detail": "this Host is not allowed: use the server's own name, or add it to the allowed hosts",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden_host"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `login_locked`: too many failures of the account or the address; see `Retry-After` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many log in at this moment; see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    logout_logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Logged out */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    me_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "actor": "operator",
                     *       "permissions": [
                     *         "agent:use",
                     *         "agent:view"
                     *       ],
                     *       "roleIds": [],
                     *       "tenant": {
                     *         "id": 1,
                     *         "name": "main"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Me"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    me_patch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "displayName": "Ada L."
                 *     }
                 */
                "application/json": components["schemas"]["MePatch"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description A value can't be used, or `currentPassword` is not the password */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only a person who is logged in can */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The password changed meanwhile */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "conflict",
                     *       "detail": "an agent of this name exists, or the agent changed meanwhile",
                     *       "status": 409,
                     *       "title": "Conflict",
                     *       "type": "urn:neta:problem:conflict"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `login_locked`: too many wrong passwords; see `Retry-After` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many log in at this moment; see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    me_sessions_list_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "address": "192.0.2.7",
                     *           "createTime": "2026-11-30T12:00:00.000Z",
                     *           "current": true,
                     *           "expiresAt": "2026-12-30T12:00:00.000Z",
                     *           "id": 7,
                     *           "seenAt": "2026-11-30T12:01:00.000Z",
                     *           "userAgent": "Mozilla/5.0"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Page_LoginView"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only a person who is logged in can */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    me_sessions_end_other_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ended */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only a person who is logged in can */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    me_sessions_end_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["LoginSessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ended */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    me_usage_mine: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MyUsage"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    models_list: {
        parameters: {
            query?: {
                /** @description Objects on a page: 50 if not given, at most 200. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_ModelView"];
                };
            };
            /** @description Something can't be used: `field` names it */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    models_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ModelInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelView"];
                };
            };
            /** @description A value can't be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The name is taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "conflict",
                     *       "detail": "an agent of this name exists, or the agent changed meanwhile",
                     *       "status": 409,
                     *       "title": "Conflict",
                     *       "type": "urn:neta:problem:conflict"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    models_test_test_unsaved: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ModelTrial"];
            };
        };
        responses: {
            /** @description What became of the try */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProbeResult"];
                };
            };
            /** @description A value can't be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    models_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["ModelId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelView"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    models_delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["ModelId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An agent uses it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "conflict",
                     *       "detail": "an agent of this name exists, or the agent changed meanwhile",
                     *       "status": 409,
                     *       "title": "Conflict",
                     *       "type": "urn:neta:problem:conflict"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    models_patch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["ModelId"];
            };
            cookie?: never;
        };
        /** @description Any of a model's values */
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelView"];
                };
            };
            /** @description A value can't be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The name is taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "conflict",
                     *       "detail": "an agent of this name exists, or the agent changed meanwhile",
                     *       "status": 409,
                     *       "title": "Conflict",
                     *       "type": "urn:neta:problem:conflict"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    models_test_test: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["ModelId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What became of the try */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProbeResult"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pauses_list: {
        parameters: {
            query?: {
                /** @description Where they stand; `open` is the inbox. */
                status?: components["schemas"]["PauseStatus"];
                /** @description Whose they are. */
                sessionId?: components["schemas"]["SessionId"];
                /** @description Questions on a page: 50 if not given, at most 200. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_PauseItem"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pauses_answer_bare_answer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BareAnswer"];
            };
        };
        responses: {
            /** @description Something can't be used: `field` names it */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Say which */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "conflict",
                     *       "detail": "an agent of this name exists, or the agent changed meanwhile",
                     *       "status": 409,
                     *       "title": "Conflict",
                     *       "type": "urn:neta:problem:conflict"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pauses_summary_summary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PausesSummary"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pauses_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["PauseId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PauseView"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pauses_answer_answer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["PauseId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PauseAnswer"];
            };
        };
        responses: {
            /** @description The answer counts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PauseView"];
                };
            };
            /** @description It is none of those that are offered */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Somebody answered otherwise */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "conflict",
                     *       "detail": "an agent of this name exists, or the agent changed meanwhile",
                     *       "status": 409,
                     *       "title": "Conflict",
                     *       "type": "urn:neta:problem:conflict"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It comes too late */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "pause_over",
                     *       "detail": "nobody answered this question in time",
                     *       "state": "expired",
                     *       "status": 410,
                     *       "title": "Gone",
                     *       "type": "urn:neta:problem:pause_over"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    permissions_permissions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "description": "Talk to agents that one sees, and know their names and descriptions.",
                     *         "name": "agent:use"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["PermissionView"][];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    quotas_list: {
        parameters: {
            query?: {
                /** @description Objects on a page: 50 if not given, at most 200. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_QuotaView"];
                };
            };
            /** @description Something can't be used: `field` names it */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    quotas_put: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: components["schemas"]["SubjectKind"];
                /** @description Of the tenant, user or key */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "maxCost": 5,
                 *       "maxTurns": 100
                 *     }
                 */
                "application/json": components["schemas"]["DayLimits"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuotaView"];
                };
            };
            /** @description A value can't be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A tenant's is set by operators */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    quotas_delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: components["schemas"]["SubjectKind"];
                /** @description Of the tenant, user or key */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description There is no limit any more */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A tenant's is taken away by operators */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    roles_list: {
        parameters: {
            query?: {
                /** @description Objects on a page: 50 if not given, at most 200. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "builtIn": true,
                     *           "createTime": "1970-01-01T00:00:00.000Z",
                     *           "description": "Sees agents and the own conversations, and changes nothing",
                     *           "id": 4,
                     *           "name": "viewer",
                     *           "permissions": [
                     *             "agent:use",
                     *             "session:view"
                     *           ],
                     *           "updateTime": "1970-01-01T00:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Page_Role"];
                };
            };
            /** @description A parameter can't be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    roles_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Reads along",
                 *       "name": "support",
                 *       "permissions": [
                 *         "agent:use",
                 *         "session:view_all"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RoleRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Role"];
                };
            };
            /** @description A value can't be used, as a permission that there is not */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed, or it would give more than you hold */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The name is taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "conflict",
                     *       "detail": "an agent of this name exists, or the agent changed meanwhile",
                     *       "status": 409,
                     *       "title": "Conflict",
                     *       "type": "urn:neta:problem:conflict"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    roles_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["RoleId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Role"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    roles_delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["RoleId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed, or it gives more than you hold */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Built in, or users have it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "conflict",
                     *       "detail": "an agent of this name exists, or the agent changed meanwhile",
                     *       "status": 409,
                     *       "title": "Conflict",
                     *       "type": "urn:neta:problem:conflict"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    roles_patch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["RoleId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "permissions": [
                 *         "agent:use"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RolePatch"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Role"];
                };
            };
            /** @description A value can't be used, as a permission that there is not */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed, or it gives, or would give, more than you hold */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Built in, the name is taken, or nobody would be left who may manage users */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "conflict",
                     *       "detail": "an agent of this name exists, or the agent changed meanwhile",
                     *       "status": 409,
                     *       "title": "Conflict",
                     *       "type": "urn:neta:problem:conflict"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runs_list: {
        parameters: {
            query?: {
                /** @description Where they stand. */
                status?: components["schemas"]["RunStatus"];
                /** @description Why they wait or how they ended; `poisoned` is the dead list. */
                reason?: components["schemas"]["Reason"];
                /** @description What they execute. */
                kind?: components["schemas"]["RunKind"];
                /** @description Whose they are. */
                sessionId?: components["schemas"]["SessionId"];
                /** @description The run that delegated them. */
                parentRunId?: components["schemas"]["RunId"];
                /** @description Runs on a page: 50 if not given, at most 200. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_RunView"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runs_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDetail"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runs_stop_stop: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StopAnswer"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runs_tool_calls_get: {
        parameters: {
            query?: {
                /** @description The result as a file of plain text. */
                download?: boolean;
            };
            header?: never;
            path: {
                id: components["schemas"]["RunId"];
                toolCallId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolCallDetail"];
                    "text/plain": string;
                };
            };
            /** @description Something can't be used: `field` names it */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sessions_list: {
        parameters: {
            query?: {
                /** @description Sessions on a page: 50 if not given, at most 200. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description A part of the title. */
                q?: string;
                /** @description Pinned ones only, or the others only. */
                pinned?: boolean;
                /** @description Those that began with this agent. */
                agentId?: components["schemas"]["AgentId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Session"];
                };
            };
            /** @description Something can't be used: `field` names it */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sessions_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionDetail"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sessions_delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sessions_patch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionPatch"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sessions_contents_contents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionContents"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sessions_events_get: {
        parameters: {
            query?: {
                /**
                 * @description `cursor` of the answer before. Without it the answer is a `resync` of each unfinished turn, at
                 *     once.
                 */
                cursor?: string;
                /** @description Seconds to wait for an event: 25 if not given, at most 60. */
                wait?: number;
                /** @description Whether the text and the tools of subagents are told, too. */
                level?: "turn" | "subagents";
            };
            header?: never;
            path: {
                id: components["schemas"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionEvents"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sessions_messages_list: {
        parameters: {
            query?: {
                /** @description Messages on a page: 50 if not given, at most 200. */
                limit?: number;
                /** @description The newest of those older than this message. Also without `after`: the newest of all. */
                before?: components["schemas"]["MessageId"];
                /** @description The oldest of those newer than this message; 0 is the session's beginning. */
                after?: components["schemas"]["MessageId"];
            };
            header?: never;
            path: {
                id: components["schemas"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Messages"];
                };
            };
            /** @description Something can't be used: `field` names it */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sessions_messages_delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["SessionId"];
                messageId: components["schemas"]["MessageId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sessions_messages_edit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["SessionId"];
                messageId: components["schemas"]["MessageId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessagePatch"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageView"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A worker began the turn, or it is over */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "conflict",
                     *       "detail": "an agent of this name exists, or the agent changed meanwhile",
                     *       "status": 409,
                     *       "title": "Conflict",
                     *       "type": "urn:neta:problem:conflict"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setup_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "needed": true
                     *     }
                     */
                    "application/json": components["schemas"]["SetupAnswer"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden_host",
                     *       "detail": "this Host is not allowed: use the server's own name, or add it to the allowed hosts",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden_host"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setup_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "ada",
                 *       "password": "correct horse battery",
                 *       "token": "…"
                 *     }
                 */
                "application/json": components["schemas"]["SetupRequest"];
            };
        };
        responses: {
            /** @description Made and logged in */
            201: {
                headers: {
                    /** @description As of `POST /api/login` */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginAnswer"];
                };
            };
            /** @description A value can't be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `setup_token`: not the token that was printed last */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden_host",
                     *       "detail": "this Host is not allowed: use the server's own name, or add it to the allowed hosts",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden_host"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `setup_done` */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "setup_done",
                     *       "detail": "the setup is done",
                     *       "status": 410,
                     *       "title": "Gone",
                     *       "type": "urn:neta:problem:setup_done"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `login_locked`: too many wrong tokens from the address; see `Retry-After` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many log in at this moment; see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    subagents_list: {
        parameters: {
            query?: {
                /** @description Whose they are. */
                sessionId?: components["schemas"]["SessionId"];
                /** @description Where they stand. */
                status?: components["schemas"]["SubagentStatus"];
                /** @description Subagents on a page: 50 if not given, at most 200. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_SubagentView"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    subagents_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["SubagentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubagentDetail"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    subagents_stop_stop: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["SubagentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StopAnswer"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tenants_list: {
        parameters: {
            query?: {
                /** @description Objects on a page: 50 if not given, at most 200. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "createTime": "1970-01-01T00:00:00.000Z",
                     *           "disabled": false,
                     *           "id": 1,
                     *           "name": "main",
                     *           "updateTime": "1970-01-01T00:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Page_Tenant"];
                };
            };
            /** @description A parameter can't be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tenants_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "admin": {
                 *         "name": "root",
                 *         "password": "correct horse battery"
                 *       },
                 *       "name": "acme"
                 *     }
                 */
                "application/json": components["schemas"]["TenantRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            /** @description A value can't be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The name is taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "conflict",
                     *       "detail": "an agent of this name exists, or the agent changed meanwhile",
                     *       "status": 409,
                     *       "title": "Conflict",
                     *       "type": "urn:neta:problem:conflict"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many log in at this moment; see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tenants_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["TenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tenants_patch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["TenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "disabled": true
                 *     }
                 */
                "application/json": components["schemas"]["TenantPatch"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            /** @description A value can't be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The name is taken, or it is the first tenant */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "conflict",
                     *       "detail": "an agent of this name exists, or the agent changed meanwhile",
                     *       "status": 409,
                     *       "title": "Conflict",
                     *       "type": "urn:neta:problem:conflict"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tools_tools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolInfo"][];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    usage_bill: {
        parameters: {
            query?: {
                /** @description From this time on; the day's beginning if not given. */
                from?: string;
                /** @description Before this time; now if not given. At most 400 days later. */
                to?: string;
                /** @description Broken down by what: `day` if not given. */
                by?: components["schemas"]["BillBy"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Bill"];
                };
            };
            /** @description A value can't be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    users_list: {
        parameters: {
            query?: {
                /** @description Users on a page: 50 if not given, at most 200. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description A part of the name or of the shown name. */
                q?: string;
                /** @description Those who may not log in, or those who may. */
                disabled?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "createTime": "2026-11-30T12:00:00.000Z",
                     *           "disabled": false,
                     *           "displayName": "Ada",
                     *           "id": 1,
                     *           "lastLoginAt": null,
                     *           "name": "ada",
                     *           "roleIds": [
                     *             1
                     *           ],
                     *           "updateTime": "2026-11-30T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Page_User"];
                };
            };
            /** @description A parameter can't be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    users_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "displayName": "Ada",
                 *       "name": "ada",
                 *       "password": "correct horse battery",
                 *       "roleIds": [
                 *         3
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UserRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description A value can't be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed, or a role gives more than you hold */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The name is taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "conflict",
                     *       "detail": "an agent of this name exists, or the agent changed meanwhile",
                     *       "status": 409,
                     *       "title": "Conflict",
                     *       "type": "urn:neta:problem:conflict"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many log in at this moment; see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    users_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    users_delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed, or the user may do more than you */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nobody would be left who may manage users */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "conflict",
                     *       "detail": "an agent of this name exists, or the agent changed meanwhile",
                     *       "status": 409,
                     *       "title": "Conflict",
                     *       "type": "urn:neta:problem:conflict"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    users_patch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "disabled": true
                 *     }
                 */
                "application/json": components["schemas"]["UserPatch"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description A value can't be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed, or the user may, or would, do more than you */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The name is taken, or nobody would be left who may manage users */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "conflict",
                     *       "detail": "an agent of this name exists, or the agent changed meanwhile",
                     *       "status": 409,
                     *       "title": "Conflict",
                     *       "type": "urn:neta:problem:conflict"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many log in at this moment; see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workers_workers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkerView"][];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    healthz_healthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden_host",
                     *       "detail": "this Host is not allowed: use the server's own name, or add it to the allowed hosts",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden_host"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    metrics_metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    open_netaclaw_chat_post: {
        parameters: {
            query?: {
                /** @description Of a stream: `subagents` for the text and tools of every subagent, too; `turn` if not given. */
                level?: components["schemas"]["Level"];
            };
            header?: {
                /** @description The same as `clientMessageId` */
                "Idempotency-Key"?: string | null;
                /** @description `text/event-stream` for the events */
                Accept?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatRequest"];
            };
        };
        responses: {
            /** @description The turn ended, or the events follow */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatAnswer"];
                    "text/event-stream": string;
                };
            };
            /** @description The turn goes on */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatAnswer"];
                };
            };
            /** @description Something can't be used: `field` names it */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such agent or session, or it may not be seen */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "body_timeout",
                     *       "detail": "the body did not arrive in time",
                     *       "status": 408,
                     *       "title": "Request Timeout",
                     *       "type": "urn:neta:problem:body_timeout"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The session is busy, or the client message id was used before */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "conflict",
                     *       "detail": "an agent of this name exists, or the agent changed meanwhile",
                     *       "status": 409,
                     *       "title": "Conflict",
                     *       "type": "urn:neta:problem:conflict"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "too_large",
                     *       "detail": "the body is larger than 1048576 bytes",
                     *       "status": 413,
                     *       "title": "Payload Too Large",
                     *       "type": "urn:neta:problem:too_large"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unsupported_media_type",
                     *       "detail": "the body must be JSON, with Content-Type: application/json",
                     *       "status": 415,
                     *       "title": "Unsupported Media Type",
                     *       "type": "urn:neta:problem:unsupported_media_type"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    open_netaclaw_chat_get: {
        parameters: {
            query?: {
                /** @description Seconds to wait for the end: 25 if not given, at most 60; 0 answers at once. */
                wait?: number;
                /** @description Of a stream: `subagents` for the text and tools of every subagent, too; `turn` if not given. */
                level?: components["schemas"]["Level"];
            };
            header?: {
                /** @description The last event that the reader has */
                "Last-Event-ID"?: string | null;
            };
            path: {
                /** @description The answer's message */
                assistantMessageId: components["schemas"]["MessageId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The turn ended, or the events follow */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatAnswer"];
                    "text/event-stream": string;
                };
            };
            /** @description The turn goes on */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatAnswer"];
                };
            };
            /** @description The reader has the last event */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something can't be used: `field` names it */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No credential, or one that stands for nobody */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such message */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "not_found",
                     *       "detail": "there is no such agent",
                     *       "status": 404,
                     *       "title": "Not Found",
                     *       "type": "urn:neta:problem:not_found"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readyz_readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ready */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden_host",
                     *       "detail": "this Host is not allowed: use the server's own name, or add it to the allowed hosts",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden_host"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something that is needed is away */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    v1_chat_completions_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id of the message: sent again, it is the same turn */
                "Idempotency-Key"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatCompletionRequest"];
            };
        };
        responses: {
            /** @description The answer, or its pieces */
            200: {
                headers: {
                    /** @description The session */
                    "X-Neta-Session-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "choices": [
                     *         {
                     *           "finish_reason": "stop",
                     *           "index": 0,
                     *           "logprobs": null,
                     *           "message": {
                     *             "content": "Hello!",
                     *             "refusal": null,
                     *             "role": "assistant"
                     *           }
                     *         }
                     *       ],
                     *       "created": 1764547200,
                     *       "id": "chatcmpl-2",
                     *       "model": "assistant",
                     *       "neta": {
                     *         "assistantMessageId": 2,
                     *         "runId": 1,
                     *         "sessionId": "0199a1b2-0000-7000-8000-000000000001"
                     *       },
                     *       "object": "chat.completion",
                     *       "usage": {
                     *         "completion_tokens": 7,
                     *         "prompt_tokens": 11,
                     *         "total_tokens": 18
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ChatCompletion"];
                    /**
                     * @example data: {"id":"chatcmpl-2","object":"chat.completion.chunk",…}
                     *
                     *     data: [DONE]
                     */
                    "text/event-stream": components["schemas"]["ChatCompletionChunk"];
                };
            };
            /** @description Something can't be used, or the turn failed by what it was told */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unsupported_parameter",
                     *         "message": "tools: tools of the caller are not supported: give the agent its tools in Neta",
                     *         "param": "tools",
                     *         "type": "invalid_request_error"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No token, or not the right one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_api_key",
                     *         "message": "a valid bearer token is needed: Authorization: Bearer <token>",
                     *         "param": null,
                     *         "type": "authentication_error"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "forbidden",
                     *         "message": "this needs the permission agent:edit",
                     *         "param": null,
                     *         "type": "permission_error"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no such agent */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "model_not_found",
                     *         "message": "the model \"gpt-4\" does not exist: GET /v1/models lists the agents",
                     *         "param": "model",
                     *         "type": "invalid_request_error"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "body_timeout",
                     *         "message": "the body did not arrive in time",
                     *         "param": null,
                     *         "type": "invalid_request_error"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The Idempotency-Key was used for another message, the question was answered otherwise, or the turn was stopped */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "an agent of this name exists, or the agent changed meanwhile",
                     *         "param": null,
                     *         "type": "invalid_request_error"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The question takes no answer any more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "pause_over",
                     *         "message": "nobody answered this question in time",
                     *         "param": null,
                     *         "type": "invalid_request_error"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "too_large",
                     *         "message": "the body is larger than 1048576 bytes",
                     *         "param": null,
                     *         "type": "invalid_request_error"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unsupported_media_type",
                     *         "message": "the body must be JSON, with Content-Type: application/json",
                     *         "param": null,
                     *         "type": "invalid_request_error"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A limit was reached: the caller's, the model's or the turn's budget */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "rate_limited",
                     *         "message": "too many requests; try again in 3 s",
                     *         "param": null,
                     *         "type": "rate_limit_error"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The turn failed by a fault of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "internal",
                     *         "message": "something went wrong on the server",
                     *         "param": null,
                     *         "type": "server_error"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The turn failed by its model's provider */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "model_auth",
                     *         "message": "The model's provider refused the API key. Check the key in the model's settings.",
                     *         "param": null,
                     *         "type": "server_error"
                     *       },
                     *       "neta": {
                     *         "assistantMessageId": 2,
                     *         "runId": 1,
                     *         "sessionId": "0199a1b2-0000-7000-8000-000000000001"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A service is away, or the server restarts */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unavailable",
                     *         "message": "a service that Neta needs is away; try again shortly",
                     *         "param": null,
                     *         "type": "server_error"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The turn's time is used up */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "idle_time",
                     *         "message": "Nothing happened for too long. Try again.",
                     *         "param": null,
                     *         "type": "server_error"
                     *       },
                     *       "neta": {
                     *         "assistantMessageId": 2,
                     *         "runId": 1,
                     *         "sessionId": "0199a1b2-0000-7000-8000-000000000001"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    v1_models_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "created": 1764547200,
                     *           "id": "assistant",
                     *           "object": "model",
                     *           "owned_by": "neta"
                     *         }
                     *       ],
                     *       "object": "list"
                     *     }
                     */
                    "application/json": components["schemas"]["ListedModels"];
                };
            };
            /** @description No token, or not the right one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_api_key",
                     *         "message": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *         "param": null,
                     *         "type": "authentication_error"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "forbidden",
                     *         "message": "this needs the permission agent:edit",
                     *         "param": null,
                     *         "type": "permission_error"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The caller's limit was reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "rate_limited",
                     *         "message": "too many requests; try again in 3 s",
                     *         "param": null,
                     *         "type": "rate_limit_error"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "internal",
                     *         "message": "something went wrong on the server",
                     *         "param": null,
                     *         "type": "server_error"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A service is away */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unavailable",
                     *         "message": "a service that Neta needs is away; try again shortly",
                     *         "param": null,
                     *         "type": "server_error"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    v1_models_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent: its name, or its number */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "created": 1764547200,
                     *       "id": "assistant",
                     *       "object": "model",
                     *       "owned_by": "neta"
                     *     }
                     */
                    "application/json": components["schemas"]["ListedModel"];
                };
            };
            /** @description No token, or not the right one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_api_key",
                     *         "message": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *         "param": null,
                     *         "type": "authentication_error"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "forbidden",
                     *         "message": "this needs the permission agent:edit",
                     *         "param": null,
                     *         "type": "permission_error"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no such agent */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "there is no such agent",
                     *         "param": null,
                     *         "type": "invalid_request_error"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The caller's limit was reached */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "rate_limited",
                     *         "message": "too many requests; try again in 3 s",
                     *         "param": null,
                     *         "type": "rate_limit_error"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "internal",
                     *         "message": "something went wrong on the server",
                     *         "param": null,
                     *         "type": "server_error"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A service is away */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unavailable",
                     *         "message": "a service that Neta needs is away; try again shortly",
                     *         "param": null,
                     *         "type": "server_error"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    ws_netaclaw_open: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Open */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is no upgrade to a socket */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "invalid",
                     *       "detail": "limit: must be 1 to 200",
                     *       "errors": [
                     *         {
                     *           "detail": "must be 1 to 200",
                     *           "field": "limit"
                     *         }
                     *       ],
                     *       "field": "limit",
                     *       "status": 400,
                     *       "title": "Bad Request",
                     *       "type": "urn:neta:problem:invalid"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unauthorized",
                     *       "detail": "a valid token, API key or login is needed: Authorization: Bearer <token>",
                     *       "status": 401,
                     *       "title": "Unauthorized",
                     *       "type": "urn:neta:problem:unauthorized"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The origin is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "forbidden",
                     *       "detail": "this needs the permission agent:edit",
                     *       "status": 403,
                     *       "title": "Forbidden",
                     *       "type": "urn:neta:problem:forbidden"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: `Retry-After` says when to come again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "rate_limited",
                     *       "detail": "too many requests; try again in 3 s",
                     *       "status": 429,
                     *       "title": "Too Many Requests",
                     *       "type": "urn:neta:problem:rate_limited"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A fault of the server; its log has the cause */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "internal",
                     *       "detail": "something went wrong on the server",
                     *       "status": 500,
                     *       "title": "Internal Server Error",
                     *       "type": "urn:neta:problem:internal"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A service that is needed is away: see `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unavailable",
                     *       "detail": "a service that Neta needs is away; try again shortly",
                     *       "status": 503,
                     *       "title": "Service Unavailable",
                     *       "type": "urn:neta:problem:unavailable"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
