import { Worker } from 'node:worker_threads';

import type { Clock } from '../domain/index.ts';
import { runnableModule } from './source-module.ts';
import type { ThreadAnswer, ThreadRequest } from './thread-side.ts';

/** A thread for work that would hold up requests. It starts when it is first needed. */
export interface Thread {
  /** Rejects with an error that has the code of what was thrown there, or when the thread cannot run or ended. */
  request(body: unknown): Promise<unknown>;
  /** Ends the thread at once, without waiting for answers; a later request starts another. */
  stop(): Promise<void>;
}

export interface ThreadOptions {
  /** See `threadModule`. */
  readonly module: URL;
  /** Handed to every thread that is started. */
  readonly data?: unknown;
  /** A thread without requests ends after this, and frees its memory. */
  readonly idleMs: number;
  /** A thread that needs more memory than this ends with an error, and the process goes on. */
  readonly heapMb?: number;
  readonly clock: Clock;
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Running {
  readonly worker: Worker;
  readonly pending: Map<number, Pending>;
  readonly ended: Promise<void>;
}

export function createThread(options: ThreadOptions): Thread {
  let running: Running | undefined;
  let lastId = 0;
  let cancelIdle: (() => void) | undefined;

  const stop = async (): Promise<void> => {
    cancelIdle?.();
    const stopped = running;
    running = undefined;
    if (stopped === undefined) return;
    await stopped.worker.terminate();
    await stopped.ended;
  };
  const settled = (thread: Running): void => {
    if (thread.pending.size > 0) return;
    // Only unanswered requests keep the process alive.
    thread.worker.unref();
    cancelIdle = options.clock.after(options.idleMs, () => void stop());
  };
  const started = (): Running => {
    const thread = start(options, settled, () => {
      if (running === thread) running = undefined;
    });
    return thread;
  };

  return {
    request: (body) =>
      new Promise((resolve, reject) => {
        cancelIdle?.();
        running ??= started();
        const id = ++lastId;
        running.worker.postMessage({ id, body } satisfies ThreadRequest);
        running.pending.set(id, { resolve, reject });
        running.worker.ref();
      }),
    stop,
  };
}

function start(options: ThreadOptions, onSettled: (thread: Running) => void, onEnded: () => void): Running {
  // Flags of the main thread, such as a test runner's, are not for this one.
  const worker = new Worker(runnableModule(options.module), {
    workerData: options.data,
    execArgv: [],
    ...(options.heapMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: options.heapMb } }),
  });
  const pending = new Map<number, Pending>();
  let reason = new Error('the thread ended');
  worker.on('error', (error) => (reason = error));
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      onEnded();
      for (const { reject } of pending.values()) reject(reason);
      pending.clear();
      resolve();
    });
  });
  const thread: Running = { worker, pending, ended };
  worker.on('message', (answer: ThreadAnswer) => {
    const request = pending.get(answer.id);
    pending.delete(answer.id);
    if (answer.ok) request?.resolve(answer.value);
    else request?.reject(Object.assign(new Error(answer.message), { code: answer.code }));
    onSettled(thread);
  });
  return thread;
}
