/**
 * The tables, as a list of steps. A step that has shipped is never changed: the next one is added after it.
 *
 * Order within a session is `seq`, without gaps from 0, so that a page is a range of an index and the number of
 * messages is the last `seq` plus one. Questions have no table of their own: a question is a call whose status is
 * `awaiting`.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    key TEXT NOT NULL DEFAULT '',
    title TEXT NOT NULL,
    auto_title INTEGER NOT NULL,
    workspace TEXT NOT NULL,
    model TEXT NOT NULL,
    toolset TEXT NOT NULL,
    mode TEXT NOT NULL,
    parent_id TEXT,
    status TEXT NOT NULL,
    -- The process that runs its turn, so that a second one on the same folder does not take it for a crashed one.
    owner TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    deleted_at INTEGER,
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    cached_tokens INTEGER NOT NULL DEFAULT 0,
    cost REAL NOT NULL DEFAULT 0,
    context_tokens INTEGER NOT NULL DEFAULT 0,
    context_window INTEGER NOT NULL DEFAULT 0,
    todo TEXT NOT NULL DEFAULT '[]'
  ) STRICT;
  CREATE INDEX sessions_by_update ON sessions (updated_at DESC) WHERE deleted_at IS NULL;
  CREATE INDEX sessions_by_key ON sessions (key) WHERE key <> '';

  CREATE TABLE messages (
    -- Also the row id of the search index, so it must survive VACUUM.
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    role TEXT NOT NULL,
    parts TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    streaming INTEGER NOT NULL DEFAULT 0,
    steer INTEGER NOT NULL DEFAULT 0,
    model TEXT,
    usage TEXT,
    -- For a compaction in force: the model sees its summary instead of all messages before this seq.
    hides_before INTEGER,
    UNIQUE (session_id, seq)
  ) STRICT;
  CREATE INDEX messages_compactions ON messages (session_id, seq) WHERE hides_before IS NOT NULL;
  CREATE INDEX messages_streaming ON messages (session_id) WHERE streaming = 1;

  CREATE TABLE calls (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    provider_id TEXT NOT NULL,
    name TEXT NOT NULL,
    arguments TEXT NOT NULL,
    gist TEXT NOT NULL DEFAULT '',
    status TEXT NOT NULL,
    state TEXT NOT NULL,
    question_id TEXT,
    -- What the model was told, where the state does not hold it.
    result TEXT,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at INTEGER,
    "grant" TEXT
  ) STRICT;
  CREATE INDEX calls_by_message ON calls (message_id, position);
  CREATE INDEX calls_open ON calls (session_id, status) WHERE status IN ('pending', 'awaiting', 'running');
  CREATE INDEX calls_by_question ON calls (question_id) WHERE question_id IS NOT NULL;

  CREATE TABLE queue (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    attachments TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX queue_by_session ON queue (session_id, position);

  CREATE TABLE rules (
    id TEXT PRIMARY KEY,
    scope TEXT NOT NULL,
    subject TEXT NOT NULL,
    verdict TEXT NOT NULL,
    action TEXT NOT NULL,
    match TEXT NOT NULL,
    sentence TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER,
    use_count INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE processes (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    status TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    info TEXT NOT NULL
  ) STRICT;
  CREATE INDEX processes_by_session ON processes (session_id, started_at);

  CREATE VIRTUAL TABLE message_text USING fts5 (text, tokenize = "unicode61 remove_diacritics 2");
  CREATE TRIGGER messages_unindex AFTER DELETE ON messages BEGIN
    DELETE FROM message_text WHERE rowid = old.n;
  END;
  `,
  `
  CREATE TABLE nodes (
    id TEXT PRIMARY KEY,
    -- Names it had before, by which its command line may still know itself.
    aliases TEXT NOT NULL DEFAULT '[]',
    -- Of the token, which itself is nowhere. NULL: it comes with the shared one.
    token_hash TEXT,
    -- The public key of its first connection; another one is refused.
    device_key TEXT,
    role TEXT NOT NULL,
    -- What the user has agreed to; NULL before the first connection.
    approved TEXT,
    -- What the node last told of itself.
    runtime TEXT,
    added_at INTEGER NOT NULL,
    last_seen_at INTEGER
  ) STRICT;

  CREATE TABLE gateway_state (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- The run of Deckhand that started it: another one on the same folder must not take it for lost.
  ALTER TABLE processes ADD COLUMN owner TEXT;
  `,
  `
  -- Whose own files and prompt the session works with.
  ALTER TABLE sessions ADD COLUMN agent_id TEXT NOT NULL DEFAULT 'main';
  `,
  `
  CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT,
    enabled INTEGER NOT NULL,
    delete_after_run INTEGER NOT NULL,
    schedule TEXT NOT NULL,
    spec TEXT NOT NULL,
    -- What its runs may do by themselves, where the user has said so.
    mode TEXT,
    workspace TEXT,
    answer_minutes INTEGER NOT NULL,
    made_by TEXT NOT NULL,
    tainted INTEGER NOT NULL,
    next_run_at INTEGER,
    running_at INTEGER,
    -- The process that runs it, so that a second one on the same folder neither joins in nor takes it for crashed.
    runner TEXT,
    last_run_at INTEGER,
    last_status TEXT,
    last_error TEXT,
    last_duration_ms INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;

  -- No reference to the job: what it did is still there when it is gone.
  CREATE TABLE job_runs (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    job_id TEXT NOT NULL,
    job_name TEXT NOT NULL,
    session_id TEXT,
    ts INTEGER NOT NULL,
    status TEXT NOT NULL,
    error TEXT,
    summary TEXT,
    duration_ms INTEGER,
    next_run_at INTEGER
  ) STRICT;
  CREATE INDEX job_runs_by_job ON job_runs (job_id, n);

  CREATE TABLE channels (
    channel TEXT NOT NULL,
    account_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    -- Everything but secrets.
    config TEXT NOT NULL,
    last_sent_at INTEGER,
    last_received_at INTEGER,
    PRIMARY KEY (channel, account_id)
  ) STRICT;

  CREATE TABLE channel_pending (
    channel TEXT NOT NULL,
    account_id TEXT NOT NULL,
    sender TEXT NOT NULL,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (channel, account_id, sender)
  ) STRICT;

  -- Where the answers of a session go: the channel and peer that last spoke in it.
  CREATE TABLE channel_routes (
    session_id TEXT PRIMARY KEY,
    channel TEXT NOT NULL,
    account_id TEXT NOT NULL,
    peer TEXT NOT NULL,
    peer_kind TEXT NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;

  -- Signed requests that have been taken, for as long as their time would still be accepted.
  CREATE TABLE channel_seen (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL
  ) STRICT;

  -- Sessions that have read strangers' words.
  CREATE TABLE tainted_sessions (
    session_id TEXT PRIMARY KEY,
    at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE service_state (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- What the user answered to questions, for holding new rules against it.
  CREATE TABLE answers (
    n INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    session_id TEXT NOT NULL,
    workspace TEXT NOT NULL,
    action TEXT NOT NULL,
    targets TEXT NOT NULL,
    answer TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- Tools of MCP servers as the user knows them: what is different later is flagged.
  CREATE TABLE mcp_tools (
    server TEXT NOT NULL,
    tool TEXT NOT NULL,
    hash TEXT NOT NULL,
    definition TEXT NOT NULL,
    denied INTEGER NOT NULL,
    PRIMARY KEY (server, tool)
  ) STRICT;
  `,
  `
  CREATE TABLE memory_files (
    agent_id TEXT NOT NULL,
    path TEXT NOT NULL,
    hash TEXT NOT NULL,
    size INTEGER NOT NULL,
    modified_at REAL NOT NULL,
    PRIMARY KEY (agent_id, path)
  ) STRICT;

  CREATE TABLE memory_chunks (
    -- Never used again, so that whoever keeps vectors by id cannot mistake one passage for another.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    agent_id TEXT NOT NULL,
    path TEXT NOT NULL,
    start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    -- The headings above it.
    context TEXT NOT NULL,
    text TEXT NOT NULL,
    -- Its meaning: float32, little endian, of length 1. NULL until it was computed.
    vector BLOB
  ) STRICT;
  CREATE INDEX memory_chunks_by_file ON memory_chunks (agent_id, path);
  CREATE INDEX memory_chunks_pending ON memory_chunks (agent_id) WHERE vector IS NULL;

  CREATE VIRTUAL TABLE memory_text USING fts5 (text, tokenize = "porter unicode61 remove_diacritics 2");
  CREATE TRIGGER memory_index AFTER INSERT ON memory_chunks BEGIN
    INSERT INTO memory_text (rowid, text) VALUES (new.id, new.context || ' ' || new.text);
  END;
  CREATE TRIGGER memory_unindex AFTER DELETE ON memory_chunks BEGIN
    DELETE FROM memory_text WHERE rowid = old.id;
  END;

  CREATE TABLE memory_recalls (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    agent_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    query TEXT NOT NULL,
    at INTEGER NOT NULL,
    hits TEXT NOT NULL
  ) STRICT;
  CREATE INDEX memory_recalls_by_agent ON memory_recalls (agent_id, n);
  `,
  `
  -- Each look at a session counts its questions: without this by a walk through every call there ever was.
  CREATE INDEX calls_awaiting ON calls (session_id) WHERE status = 'awaiting';
  `,
  `
  -- What a call changed and left running. The contents that it refers to are in a database of their own.
  CREATE TABLE receipts (
    call_id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    state TEXT NOT NULL,
    -- The process that has to finish it.
    owner TEXT NOT NULL,
    head TEXT NOT NULL,
    counts TEXT NOT NULL,
    files TEXT NOT NULL
  ) STRICT;
  CREATE INDEX receipts_by_session ON receipts (session_id, at);
  `,
  `
  ALTER TABLE sessions ADD COLUMN sandbox INTEGER NOT NULL DEFAULT 0;
  -- Made once more outside the sandbox, by the user's wish.
  ALTER TABLE calls ADD COLUMN outside INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- Places that programs of this machine lead to: ssh hosts, containers, tmux.
  CREATE TABLE backends (
    id TEXT PRIMARY KEY,
    place TEXT NOT NULL,
    wanted INTEGER NOT NULL,
    added_at INTEGER NOT NULL
  ) STRICT;
  `,
  `
  -- What the user says about the MCP servers that a folder names, bound to the very words of its file.
  CREATE TABLE mcp_projects (
    folder TEXT PRIMARY KEY,
    verdict TEXT NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- What began the latest turn, where it was not the user (JSON): a job or a message from outside may not do all that the
  -- user may, and a question that outlives a restart must not forget it.
  ALTER TABLE sessions ADD COLUMN origin TEXT;
  ALTER TABLE queue ADD COLUMN origin TEXT;
  `,
  `
  -- An answer as its server wrote it, with thoughts that only that server can read and wants back word for word (JSON).
  ALTER TABLE messages ADD COLUMN native TEXT;
  -- How hard the model should think; NULL for its own default.
  ALTER TABLE sessions ADD COLUMN effort TEXT;
  `,
  `
  -- What was used on a day, in a session, of a model. No reference to the session: what it cost stays when it is gone.
  CREATE TABLE usage_days (
    -- In the time zone of this machine: 2026-11-17.
    day TEXT NOT NULL,
    session_id TEXT NOT NULL,
    model TEXT NOT NULL,
    -- The session that it counts towards: of a sub-agent, the one that sent it.
    root_id TEXT NOT NULL,
    requests INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    -- US dollars of what has a known price; NULL where nothing has.
    cost REAL,
    unpriced_tokens INTEGER NOT NULL,
    PRIMARY KEY (day, session_id, model)
  ) STRICT;
  CREATE INDEX usage_days_by_root ON usage_days (root_id);
  -- Answers of before. A cost of 0 meant that the price was not known.
  INSERT INTO usage_days
  SELECT date(created_at / 1000, 'unixepoch', 'localtime'), session_id, model, root_id, count(*),
    sum(input), sum(output), sum(cached), sum(written), sum(cost), sum(CASE WHEN cost IS NULL THEN input + output ELSE 0 END)
  FROM (
    SELECT messages.created_at, session_id, coalesce(messages.model, sessions.model) AS model,
      coalesce(sessions.parent_id, sessions.id) AS root_id,
      CAST(coalesce(usage ->> 'inputTokens', 0) AS INTEGER) AS input,
      CAST(coalesce(usage ->> 'outputTokens', 0) AS INTEGER) AS output,
      CAST(coalesce(usage ->> 'cachedTokens', 0) AS INTEGER) AS cached,
      CAST(coalesce(usage ->> 'cacheWriteTokens', 0) AS INTEGER) AS written,
      CAST(nullif(usage ->> 'cost', 0) AS REAL) AS cost
    FROM messages JOIN sessions ON sessions.id = messages.session_id
    WHERE usage IS NOT NULL AND json_valid(usage)
  ) GROUP BY 1, 2, 3;

  -- Tokens of models without a price. Until now a cost of 0 did not say which it was.
  ALTER TABLE sessions ADD COLUMN unpriced_tokens INTEGER NOT NULL DEFAULT 0;
  UPDATE sessions SET unpriced_tokens = input_tokens + output_tokens WHERE cost = 0;

  -- US dollars that one run of a job may cost; 0 for no cap of its own.
  ALTER TABLE jobs ADD COLUMN max_cost REAL NOT NULL DEFAULT 0;
  `,
  `
  -- What the user says about the instructions that a folder brings, and what those may import from outside it (JSON).
  CREATE TABLE instruction_folders (
    folder TEXT PRIMARY KEY,
    verdict TEXT NOT NULL,
    outside TEXT NOT NULL
  ) STRICT;
  -- Instructions of folders below the workspace that a session has read, with a hash of their words.
  CREATE TABLE told_instructions (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (session_id, path)
  ) STRICT;
  `,
  `
  -- The agent of another maker that plays the turns of a session, and what it calls that session itself.
  CREATE TABLE hosted_sessions (
    session_id TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    agent TEXT NOT NULL,
    remote_id TEXT NOT NULL,
    folder TEXT NOT NULL,
    -- Position of the last message that it has read.
    sent INTEGER NOT NULL DEFAULT -1,
    -- What was last known of its modes, options and commands (JSON).
    info TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- Where a session stands in the list: before all others, or put away.
  ALTER TABLE sessions ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sessions ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- What the user says about the hooks that a folder brings, bound to their very words.
  CREATE TABLE hook_projects (
    folder TEXT PRIMARY KEY,
    verdict TEXT NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  -- What was taken over from other agents, by a hash of where it was.
  CREATE TABLE imports (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL
  ) STRICT;
  `,
  `
  -- What went when the user took a session back to an earlier message, so that it can be undone (JSON).
  CREATE TABLE rewinds (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    -- Of the first message that went; NULL if the chat stayed.
    from_seq INTEGER,
    chat TEXT NOT NULL,
    files TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- What the user marked while looking through the changes of a session, by path in its workspace.
  CREATE TABLE review_files (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    -- Names the two sides that were looked at.
    viewed TEXT,
    -- What counts as the state before since it was accepted (JSON).
    accepted TEXT,
    PRIMARY KEY (session_id, path)
  ) STRICT;
  -- Comments on lines that were not sent yet (JSON).
  CREATE TABLE review_comments (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    body TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- Work trees that belong to sessions.
  CREATE TABLE worktrees (
    session_id TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    repository TEXT NOT NULL,
    path TEXT NOT NULL,
    branch TEXT NOT NULL,
    base TEXT NOT NULL,
    port INTEGER NOT NULL
  ) STRICT;
  -- What is done for each new work tree of a repository (JSON).
  CREATE TABLE worktree_setups (
    repository TEXT PRIMARY KEY,
    setup TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- A question that was open across an update keeps its offer to try the command, which had another name before.
  UPDATE calls SET state = json_set(
    json_remove(state, '$.question.rehearsal'), '$.question.trial', json(state -> '$.question.rehearsal')
  )
  WHERE status = 'awaiting' AND json_valid(state) AND state -> '$.question.rehearsal' IS NOT NULL;
  `,
  `
  -- Requests to models that count towards the cap of a day, until they end: what they could take at most. Cost is NULL where
  -- the price is not known.
  CREATE TABLE requests_under_way (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    cost REAL,
    tokens INTEGER NOT NULL
  ) STRICT;
  `,
]
