// An archive of given lines, read by their meaning, for benches and fits that ask it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Config, loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { openFootnote } from '../../src/footnote/compose.ts';
import type { Footnote } from '../../src/footnote/facade.ts';

export interface AskedArchive {
  readonly conversations: Footnote['conversations'];
  readonly config: Config;
}

/** Brings lines of the import format in, waits until what they mean is read, so that each run asks the same, and takes all away behind `ask`. */
export async function withArchive<Result>(
  lines: readonly object[],
  ask: (archive: AskedArchive) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-archive-'));
  // What else runs on the machine must not decide whether the encoder is heard.
  const environment = { FOOTNOTE_DATA: join(folder, 'data'), ENCODER_TIMEOUT_MS: '60000' };
  const config = loadConfig({ folder, environment });
  const opened = await openFootnote(config);
  try {
    const { conversations } = opened.forScope(localScope());
    const path = join(folder, 'one.jsonl');
    await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await conversations.import({ content: { path }, details: { name: 'one.jsonl' } });
    for (let isRead = false; !isRead; await setTimeout(isRead ? 0 : 500)) {
      const { meaning, total } = await conversations.peek({ query: 'anything', meaning: true, top_n_snippets: 0 });
      isRead = meaning === undefined || meaning.turns === total.turns;
    }
    return await ask({ conversations, config });
  } finally {
    await opened.close();
    await rm(folder, { recursive: true });
  }
}
