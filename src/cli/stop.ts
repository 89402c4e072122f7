import { EXIT } from './exit.ts';
import type { OpenGateway } from './open-gateway.ts';

/** A stop that takes longer than this is cut short, so that the process always ends. */
const STOP_LIMIT_MS = 4_500;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Returns the stop function, which also runs once on the first signal; a second signal ends at once.
 * @param released called when the gateway is closed, to let go of what the command itself holds
 */
export function stopOnSignals(
  { gateway, logger }: OpenGateway,
  released: () => void = () => undefined,
): () => Promise<void> {
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopping ??= (async () => {
      const limit = setTimeout(() => {
        logger.error({}, 'the stop took too long and was cut short');
        process.exit(EXIT.failed);
      }, STOP_LIMIT_MS);
      await gateway.close();
      await logger.close();
      released();
      // Output that nobody reads would keep the process, so the limit holds on; by itself it keeps nothing.
      limit.unref();
    })();
    return stopping;
  };
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (stopping !== undefined) process.exit(EXIT.failed);
      void stop();
    });
  }
  return stop;
}
