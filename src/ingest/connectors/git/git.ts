// The git program, asked for what a repository holds and for nothing else. Invariants: no hook, filter, helper or configuration of a person or
// of the machine takes part; a name that looks like an option is never one; it reaches no other machine but where a fetch says so, at the
// address that was looked at before; and whatever it says or breaks ends in a FootnoteError.
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { FootnoteError } from '../../../core/errors.ts';

export interface GitCall {
  /** Configuration of this call alone, as `name=value`. */
  readonly settings?: readonly string[];
  /** Protocols over which other machines may be asked, joined by colons. Default: none. */
  readonly protocols?: string;
  readonly timeoutMs?: number;
  /** What the program reads from its standard input. */
  readonly input?: string;
  readonly signal?: AbortSignal | undefined;
}

const quiet = [
  'safe.directory=*',
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.attributesFile=/dev/null',
  'core.sshCommand=false',
  'core.askPass=false',
  'credential.helper=',
  'gc.auto=0',
];
const mostBytes = 512 << 20;

const environment = (protocols: string): NodeJS.ProcessEnv => ({
  PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'false',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_ALLOW_PROTOCOL: protocols,
});

const argumentsOf = (settings: readonly string[], words: readonly string[]): string[] => [
  ...[...quiet, ...settings].flatMap((setting) => ['-c', setting]),
  ...words,
];

interface GitFailure {
  readonly code?: string | number | null | undefined;
  readonly message: string;
  readonly stderr?: string;
}

function faultOf(error: GitFailure, shown: string): FootnoteError {
  if (error.code === 'ENOENT')
    return new FootnoteError(
      'unsupported',
      'The program git is not installed on this machine. Install it, or read a checkout as a folder.',
    );
  const said = (error.stderr ?? error.message).replace(/\s+/gu, ' ').trim().slice(0, 300);
  if (/not a git repository|does not appear to be a git repository/iu.test(said))
    return new FootnoteError('not-found', `${shown} is no git repository. Name a checkout or a bare repository.`);
  if (/Could not resolve host|Failed to connect|Connection (?:refused|timed out)|unable to access/iu.test(said))
    return new FootnoteError('upstream-unavailable', `${shown} cannot be reached: ${said}`);
  return new FootnoteError('invalid-media', `git could not read ${shown}: ${said}`);
}

/** `shown`: how the repository is called in messages. Throws FootnoteError. */
export function runGit(
  words: readonly string[],
  { shown, ...call }: GitCall & { readonly shown: string },
): Promise<Buffer> {
  const { settings = [], protocols = 'none', timeoutMs = 60_000, input = '', signal } = call;
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      argumentsOf(settings, words),
      {
        env: environment(protocols),
        encoding: 'buffer',
        maxBuffer: mostBytes,
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        ...(signal && { signal }),
      },
      (error, stdout, stderr) => {
        if (!error) return resolve(stdout);
        if (signal?.aborted) return reject(new FootnoteError('cancelled', `Reading ${shown} was cancelled.`));
        if (error.killed)
          return reject(
            new FootnoteError('deadline-exceeded', `git did not end within ${timeoutMs} ms over ${shown}.`),
          );
        reject(faultOf({ code: error.code, message: error.message, stderr: stderr.toString() }, shown));
      },
    );
    // A program that ended early says so by its code.
    child.stdin?.on('error', () => undefined).end(input);
  });
}

export interface BlobReader {
  read(id: string): Promise<Uint8Array>;
  close(): void;
}

/** Reads one blob after another through one process. */
export function openBlobs(gitDir: string, shown: string): BlobReader {
  let child: ChildProcessByStdio<Writable, Readable, null> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let pending: Buffer = Buffer.alloc(0);
  let failure: FootnoteError | undefined;
  let wake: (() => void) | undefined;

  function start(): ChildProcessByStdio<Writable, Readable, null> {
    const started = spawn('git', argumentsOf([], ['--git-dir', gitDir, 'cat-file', '--batch']), {
      env: environment('none'),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const end = (error?: NodeJS.ErrnoException): void => {
      failure ??= error
        ? faultOf(error, shown)
        : new FootnoteError('invalid-media', `git ended before it had read all of ${shown}.`);
      wake?.();
    };
    started.on('error', end);
    started.on('close', () => end());
    started.stdin.on('error', end);
    started.stdout.on('data', (bytes: Buffer) => {
      pending = pending.length === 0 ? bytes : Buffer.concat([pending, bytes]);
      wake?.();
    });
    return started;
  }

  async function until(isEnough: () => boolean): Promise<void> {
    while (!isEnough()) {
      if (failure) throw failure;
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      await promise;
    }
  }

  async function readOne(id: string): Promise<Uint8Array> {
    child ??= start();
    child.stdin.write(`${id}\n`);
    await until(() => pending.includes(0x0a));
    const head = pending.subarray(0, pending.indexOf(0x0a)).toString('latin1');
    const [, kind, size] = head.split(' ');
    pending = pending.subarray(head.length + 1);
    if (kind === 'missing' || size === undefined)
      throw new FootnoteError('data-corrupt', `${shown} lacks the object ${id}: it is incomplete. Fetch it anew.`);
    const length = Number(size);
    // Joined once: what comes in pieces is not joined at every piece.
    const pieces: Buffer[] = [];
    let have = 0;
    while (have < length + 1) {
      await until(() => pending.length > 0);
      pieces.push(pending);
      have += pending.length;
      pending = Buffer.alloc(0);
    }
    const all = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
    pending = all.subarray(length + 1);
    return Uint8Array.prototype.slice.call(all, 0, length);
  }

  return {
    read(id) {
      const reading = last.then(() => readOne(id));
      last = reading.catch(() => undefined);
      return reading;
    },
    close() {
      child?.kill('SIGKILL');
    },
  };
}
