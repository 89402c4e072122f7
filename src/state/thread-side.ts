import { parentPort } from 'node:worker_threads';

/** A request to a thread, numbered so that its answer finds back. */
export interface ThreadRequest {
  readonly id: number;
  readonly body: unknown;
}

export type ThreadAnswer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly code: string | undefined; readonly message: string };

/**
 * The other side of `createThread`: answers requests one after the other, in their order. A code on what the
 * handler throws goes along with the message. The thread ends when its port is closed.
 */
export function serveThread(handle: (body: unknown) => unknown): void {
  const port = parentPort;
  if (port === null) throw new Error('This module runs only in a thread of its own.');
  let last: Promise<void> = Promise.resolve();
  port.on('message', ({ id, body }: ThreadRequest) => {
    last = last.then(async () => port.postMessage(await answer(id, body, handle)));
  });
}

async function answer(id: number, body: unknown, handle: (body: unknown) => unknown): Promise<ThreadAnswer> {
  try {
    return { id, ok: true, value: await handle(body) };
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown };
    return {
      id,
      ok: false,
      code: typeof code === 'string' ? code : undefined,
      message: typeof message === 'string' ? message : String(error),
    };
  }
}
