/**
 * The shape of the state file, step by step: the file remembers how many of these it has seen (`user_version`).
 * A step that was ever released is never changed; a new one is added at the end.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE token_costs (
    digest BLOB NOT NULL,
    tokenizer TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    used_day INTEGER NOT NULL,
    PRIMARY KEY (digest, tokenizer)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE requests (
    time_ms INTEGER NOT NULL,
    principal TEXT NOT NULL,
    profile TEXT NOT NULL,
    client TEXT,
    era TEXT NOT NULL,
    method TEXT NOT NULL,
    tool TEXT,
    server TEXT,
    tokenizer TEXT NOT NULL,
    definition_tokens INTEGER NOT NULL,
    meta_tool_tokens INTEGER NOT NULL,
    visible_tokens INTEGER NOT NULL,
    search_answer_tokens INTEGER,
    result_tokens INTEGER,
    request_bytes INTEGER NOT NULL,
    response_bytes INTEGER NOT NULL,
    duration_ms REAL NOT NULL,
    is_cached INTEGER NOT NULL,
    outcome TEXT NOT NULL
  ) STRICT;
  CREATE INDEX requests_by_time ON requests (time_ms);

  CREATE TABLE unrecorded_requests (
    time_ms INTEGER NOT NULL,
    requests INTEGER NOT NULL
  ) STRICT;
  `,
];
