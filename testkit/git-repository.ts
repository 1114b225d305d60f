// Repositories of git for tests, and a server of the smart protocol over HTTP as hosts of repositories have it (git http-backend).
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';

const environment = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
  GIT_AUTHOR_DATE: '2026-11-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2026-11-01T00:00:00Z',
};

export const git = (folder: string, ...words: string[]): string =>
  execFileSync('git', ['-C', folder, ...words], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
    .toString()
    .trim();

/** Whether the program is there. */
export const hasGit = ((): boolean => {
  try {
    execFileSync('git', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** Writes files (null: removes one) and commits; the id of the commit. */
export function commitFiles(folder: string, files: Record<string, string | null>): string {
  for (const [path, text] of Object.entries(files)) {
    if (text === null) git(folder, 'rm', '-q', path);
    else {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  }
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'change');
  return git(folder, 'rev-parse', 'HEAD');
}

export function createRepository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '-q', '-b', 'main');
}

/** Answers requests of git for the bare repositories in a folder. */
export const gitBackend =
  (root: string) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const child = spawn('git', ['http-backend'], {
      env: {
        ...environment,
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method ?? 'GET',
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        REMOTE_ADDR: '127.0.0.1',
      },
    });
    request.pipe(child.stdin);
    child.stdin.on('error', () => undefined);
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part));
    child.on('close', () => {
      const whole = Buffer.concat(parts);
      const end = whole.indexOf('\r\n\r\n');
      const headers = whole.subarray(0, end).toString().split('\r\n');
      for (const line of headers) {
        const [name = '', value = ''] = line.split(/:\s*/u);
        if (name.toLowerCase() === 'status') response.statusCode = Number.parseInt(value, 10);
        else response.setHeader(name, value);
      }
      response.end(whole.subarray(end + 4));
    });
  };
