import type { Member } from './json-spans.ts';

/** Look-up of an object's members. */
export interface Members {
  get(name: string): Member | undefined;
  has(name: string): boolean;
}

/** The members that messages have. */
export const ENVELOPE_NAMES = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'] as const;

/** The envelope of a message in plain fields: one is made for every message that passes. */
export class Envelope implements Members {
  jsonrpc: Member | undefined;
  id: Member | undefined;
  method: Member | undefined;
  params: Member | undefined;
  result: Member | undefined;
  error: Member | undefined;
  #others: Map<string, Member> | undefined;

  get(name: string): Member | undefined {
    switch (name) {
      case 'jsonrpc':
        return this.jsonrpc;
      case 'id':
        return this.id;
      case 'method':
        return this.method;
      case 'params':
        return this.params;
      case 'result':
        return this.result;
      case 'error':
        return this.error;
      default:
        return this.#others?.get(name);
    }
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  set(name: string, member: Member): void {
    switch (name) {
      case 'jsonrpc':
      case 'id':
      case 'method':
      case 'params':
      case 'result':
      case 'error':
        this[name] = member;
        break;
      default:
        this.#others ??= new Map();
        this.#others.set(name, member);
    }
  }
}
