import { spawn } from 'node:child_process';

/** Ends whole process groups, also when the gateway itself exits without having closed. */
export interface Reaper {
  /** Watches a group; the group is killed if the gateway exits while it is watched. */
  watch(pid: number): void;
  forget(pid: number): void;
  /** True when a process of the group was there to receive the signal. */
  signal(pid: number, signal: 'SIGTERM' | 'SIGKILL'): boolean;
  isAlive(pid: number): boolean;
}

export function createReaper(platform: NodeJS.Platform = process.platform): Reaper {
  const watched = new Set<number>();
  const isWindows = platform === 'win32';

  const signalGroup = (pid: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean => {
    try {
      return process.kill(isWindows ? pid : -pid, signal);
    } catch {
      // ESRCH: the group is gone, which is what the caller wants to know.
      return false;
    }
  };

  const killAll = (): void => {
    for (const pid of watched) signalGroup(pid, 'SIGKILL');
  };

  return {
    watch: (pid) => {
      if (watched.size === 0) process.on('exit', killAll);
      watched.add(pid);
    },
    forget: (pid) => {
      watched.delete(pid);
      if (watched.size === 0) process.off('exit', killAll);
    },
    signal: (pid, signal) => {
      if (!isWindows) return signalGroup(pid, signal);
      // Windows has neither groups nor SIGTERM: taskkill walks the tree.
      spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true, stdio: 'ignore' }).on(
        'error',
        () => signalGroup(pid, 'SIGKILL'),
      );
      return true;
    },
    isAlive: (pid) => signalGroup(pid, 0),
  };
}
