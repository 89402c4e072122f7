import type Database from 'libsql';

const TABLES = `
  CREATE TABLE IF NOT EXISTS tickets (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'open',
    priority TEXT NOT NULL DEFAULT 'normal',
    team TEXT NOT NULL,
    assignee TEXT,
    resolution TEXT,
    archived INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS comments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    ticket_id INTEGER NOT NULL REFERENCES tickets(id),
    author TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS comments_by_ticket ON comments (ticket_id, id);
  CREATE TABLE IF NOT EXISTS labels (
    ticket_id INTEGER NOT NULL REFERENCES tickets(id),
    label TEXT NOT NULL,
    PRIMARY KEY (ticket_id, label)
  );
`;

/** Ids start at TK-101, so that a ticket id is never mistaken for a small count. */
const FIRST_ID = `
  INSERT INTO sqlite_sequence (name, seq)
  SELECT 'tickets', 100 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'tickets');
`;

export function prepareSchema(database: Database.Database): void {
  database.exec(TABLES);
  database.exec(FIRST_ID);
}
