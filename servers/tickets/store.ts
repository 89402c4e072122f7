import type { Changes } from './changes.ts';
import type { TicketFilter, TicketPage } from './query.ts';
import type { Priority, Resolution, TicketDetail } from './ticket.ts';

export interface NewTicket {
  title: string;
  body: string;
  team: string;
  priority: Priority;
  assignee?: string | undefined;
  labels?: readonly string[] | undefined;
}

export interface TicketUpdate {
  title?: string | undefined;
  body?: string | undefined;
  priority?: Priority | undefined;
  team?: string | undefined;
}

export interface Summary {
  open: number;
  closed: number;
  openByTeam: Record<string, number>;
  openByPriority: Record<string, number>;
}

/** What only looks. */
export interface TicketReads {
  list(filter: TicketFilter, limit: number): TicketPage;
  search(text: string, filter: TicketFilter, limit: number): TicketPage;
  /** Undefined when there is no such ticket, or it is archived. */
  find(id: string): TicketDetail | undefined;
  /** Throws a `TicketError` that says how to find one instead of returning nothing. */
  get(id: string): TicketDetail;
  /** Open tickets first, so that completion offers those before the closed ones. */
  ids(): string[];
  teams(): string[];
  summary(): Summary;
  now(): Date;
}

/** What changes a ticket. Each answers with the ticket as it then is, and throws a `TicketError` for an unknown id. */
export interface TicketWrites {
  create(input: NewTicket): TicketDetail;
  update(id: string, changes: TicketUpdate): TicketDetail;
  comment(id: string, author: string, body: string): TicketDetail;
  assign(id: string, assignee: string | null): TicketDetail;
  close(id: string, resolution: Resolution): TicketDetail;
  reopen(id: string): TicketDetail;
  label(id: string, add: readonly string[], remove: readonly string[]): TicketDetail;
  /** Hides closed tickets from every list and lookup; answers with their ids. */
  archiveClosed(): string[];
}

export interface Store extends TicketReads, TicketWrites {
  dispose(): void;
}

export interface StoreDeps {
  /** A path, or `:memory:`. */
  readonly file: string;
  readonly now: () => Date;
  readonly changes: Changes;
}
