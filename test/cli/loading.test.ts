// What a command loads: those that talk to a server, or only tell something, start without the code that finds and writes answers.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { programEnvironment } from '../../testkit/program-environment.ts';

const main = join(import.meta.dirname, '../../src/cli/main.ts');
const tellLoaded = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
  process.on('exit', () => console.error(JSON.stringify(loaded)));
`)}`;

/** Folders of `src` from which a command loads code. */
async function roomsOf(words: readonly string[]): Promise<ReadonlySet<string>> {
  const started = await promisify(execFile)(process.execPath, ['--import', tellLoaded, main, ...words], {
    env: programEnvironment(),
    maxBuffer: 16 * 1024 * 1024,
  });
  const line = started.stderr.split('\n').findLast((one) => one.startsWith('['));
  const urls = JSON.parse(line ?? '[]') as readonly string[];
  return new Set(urls.flatMap((url) => /\/src\/(?<room>\w+)\//u.exec(url)?.groups?.['room'] ?? []));
}

describe('the command line', () => {
  it.each(['--version', 'mcp --help', 'ask --help', 'replay --help', 'eval --help', 'ingest --help'])(
    'tells %s without the code of answers',
    async (command) => {
      const rooms = await roomsOf(command.split(' '));
      expect(rooms).toContain('cli');
      for (const room of ['agent', 'answer', 'memory', 'retrieval', 'models', 'db', 'mcp'])
        expect(rooms).not.toContain(room);
    },
  );
});
