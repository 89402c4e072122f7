import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { createReaper } from '../../../src/upstream/process-group.ts';
import { isRunning, until } from './harness.ts';

describe('the watch over child processes', () => {
  it('ends whole groups when the gateway exits, and listens only while there are some', async () => {
    const script = `require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" })
      .on("spawn", function () { console.log(this.pid); }); setInterval(() => {}, 1000)`;
    const child = spawn(process.execPath, ['-e', script], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const grandchild = await new Promise<number>((resolve) => {
      child.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString())));
    });
    const { pid } = child;
    if (pid === undefined) throw new Error('not started');
    const before = process.listeners('exit');
    const reaper = createReaper();
    reaper.watch(pid);
    reaper.watch(2 ** 30);
    const [onExit, ...others] = process.listeners('exit').filter((listener) => !before.includes(listener));
    expect(others).toEqual([]);
    expect(reaper.isAlive(pid)).toBe(true);
    onExit?.(0);
    await until(() => !isRunning(pid) && !isRunning(grandchild));
    reaper.forget(pid);
    reaper.forget(2 ** 30);
    expect(process.listeners('exit')).toEqual(before);
    expect(reaper.signal(2 ** 30, 'SIGTERM')).toBe(false);
  });
});
