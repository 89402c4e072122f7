import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';

/** A response without a connection: what was written, and the moments that a connection would report. */
export class FakeResponse extends EventEmitter {
  status: number | undefined;
  headers: Record<string, string> = {};
  text = '';
  headersSent = false;
  destroyed = false;
  writableEnded = false;
  writableFinished = false;
  writableLength = 0;
  /** False while the host reads slower than is written. */
  hasRoom = true;

  writeHead(status: number, headers: readonly string[]): this {
    if (this.headersSent) throw new Error('the head was written twice');
    this.headersSent = true;
    this.status = status;
    for (let at = 0; at + 1 < headers.length; at += 2)
      this.headers[headers[at] ?? ''] = headers[at + 1] ?? '';
    return this;
  }

  write(chunk: string | Buffer): boolean {
    if (this.writableEnded) throw new Error('written after the end');
    if (!this.destroyed) this.text += chunk.toString();
    return this.hasRoom && !this.destroyed;
  }

  end(chunk?: string | Buffer, encoding?: BufferEncoding): this {
    if (this.writableEnded) throw new Error('ended twice');
    if (chunk !== undefined)
      this.text +=
        typeof chunk === 'string' && encoding === 'latin1'
          ? Buffer.from(chunk, 'latin1').toString()
          : chunk.toString();
    this.writableEnded = true;
    return this;
  }

  destroy(): this {
    this.close();
    return this;
  }

  /** The host has everything, and the connection closes. */
  finish(): void {
    this.writableFinished = true;
    this.close();
  }

  /** The connection closes. */
  close(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.emit('close');
  }
}

export const asResponse = (res: FakeResponse): ServerResponse => res as unknown as ServerResponse;
