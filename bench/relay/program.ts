import { type RequestListener, type Server, createServer } from 'node:http';
import { type AddressInfo } from 'node:net';

/** What a program of the benchmark says to the one that started it, once it can answer. */
export interface Ready {
  readonly port: number;
}

/** Reads one setting that the starting program passed. */
export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(`${name} is not set; start the benchmark with npm run bench:relay`);
  return value;
}

/** Serves on a free port of this machine until the program that started this one goes away. */
export function serve(listener: RequestListener): Server {
  const server = createServer(listener);
  // Longer than any pause between two samples, so that no measured request meets a closing connection.
  server.keepAliveTimeout = 600_000;
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.send?.({ port } satisfies Ready);
  });
  process.once('disconnect', () => process.exit());
  return server;
}
