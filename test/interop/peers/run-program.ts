import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Runs a program to its end and answers with what it wrote; a program that fails is an error with its last words. */
export async function runProgram(command: string, args: readonly string[], input: string): Promise<string> {
  const child = spawn(command, args, { stdio: 'pipe' });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${stderr.slice(-4_000)}`);
  return stdout;
}
