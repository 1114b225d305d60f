// Processes in the states that a kill leaves behind, for tests of who lives: one that has ended and that nobody reaps, and one whose first
// thread has ended before the others. Whoever starts them ends them.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** `pid` has been killed; `parent` lives and does not reap it, like a PID 1 that is no init. */
export async function startUnreaped(): Promise<{ readonly pid: number; readonly parent: ChildProcess }> {
  // Once Node stands in its place, the shell can reap nothing any more.
  const script = `sleep 600 & exec "$0" -e 'console.log(process.argv[1]); setInterval(() => {}, 1000)' $!`;
  const parent = spawn('sh', ['-c', script, process.execPath], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(said.toString());
  process.kill(pid, 'SIGKILL');
  return { pid, parent };
}

/** Linux: its first thread ends, and another goes on until the process is killed. */
export async function startHeadless(): Promise<ChildProcess> {
  const script = `import ctypes, threading, time
threading.Thread(target=lambda: time.sleep(600)).start()
print('up', flush=True)
ctypes.CDLL(None).pthread_exit(None)`;
  const child = spawn('python3', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}
