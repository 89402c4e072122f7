import { renderTicket, type TicketDetail } from './ticket.ts';

export const exportFormats = ['csv', 'json', 'markdown'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const mimeTypes: Record<ExportFormat, string> = {
  csv: 'text/csv',
  json: 'application/json',
  markdown: 'text/markdown',
};

export interface ExportDocument {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
}

/** Quoted as RFC 4180 wants it, and only where it must be. */
function csvField(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

function csvRow(ticket: TicketDetail): string {
  const { id, title, status, priority, team, assignee, labels, resolution, createdAt, updatedAt } = ticket;
  const fields = [id, title, status, priority, team, assignee ?? '', labels.join(' '), resolution ?? ''];
  return [...fields, createdAt, updatedAt].map(csvField).join(',');
}

const CSV_HEAD = 'id,title,status,priority,team,assignee,labels,resolution,created_at,updated_at';

function render(tickets: readonly TicketDetail[], format: ExportFormat): string {
  if (format === 'csv') return [CSV_HEAD, ...tickets.map(csvRow)].join('\r\n') + '\r\n';
  if (format === 'json') return JSON.stringify(tickets, null, 2) + '\n';
  return tickets.map(renderTicket).join('\n---\n\n');
}

export function exportUri(format: ExportFormat): string {
  return `tickets://export/${format}`;
}

export function exportDocument(tickets: readonly TicketDetail[], format: ExportFormat): ExportDocument {
  return { uri: exportUri(format), mimeType: mimeTypes[format], text: render(tickets, format) };
}
