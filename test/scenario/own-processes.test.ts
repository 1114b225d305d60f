// Every command as a shell starts it: a process of its own, which ends by itself with its exit code when all that it says is written, and leaves the folder
// to the next one. Elsewhere commands run in a process that has the program loaded (test/cli/command-host.ts).
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

let place: Workplace;
beforeAll(async () => {
  place = await openWorkplace({ ownProcesses: true });
  await writeFile(join(place.folder, 'pier.md'), '# The pier\n\nThe pier of Aveiro is 210 metres long.\n');
  const turn = { conversation_id: 'roof', turn_id: 't1', timestamp: '2024-03-01T10:00:00Z', role: 'user' };
  await writeFile(join(place.folder, 'chat.jsonl'), JSON.stringify({ ...turn, text: 'Which panels fit our roof?' }));
});
afterAll(() => place.remove());

it('each does what it is for, and ends with its exit code', { timeout: 3_600_000 }, async () => {
  const ask = ['ask', 'How long is the pier?'];
  const started = new Set(['serve']);
  const wrong: object[] = [];
  /** `said`: on stdout, or on stderr where it fails. */
  const run = async (words: readonly string[], said: string, code = 0): Promise<string> => {
    started.add(words[0] ?? '');
    const { code: ended, out, err } = await place.run(words);
    if (ended !== code || !(code === 0 ? out : err).includes(said)) wrong.push({ words, code: ended, out, err });
    return out;
  };
  await run(['ingest', 'pier.md'], '1 chunk');
  await run(['sync'], 'has anything to read', 4);
  await run(['sources', 'list'], '1 document');
  await run(['documents', 'list'], 'The pier');
  await run(['stores', 'status'], '100.0 %');
  await run(['reindex'], 'corpus');
  const answer = await run([...ask, '--json'], '210 metres');
  await writeFile(join(place.folder, 'answer.json'), answer);
  const { id, citations } = JSON.parse(answer) as { id: string; citations: { documentId: string; quote: string }[] };
  const { documentId = '', quote = '' } = citations[0] ?? {};
  const claim = { id: 'c1', claim: 'The pier of Aveiro is 210 metres long.', quote };
  await writeFile(join(place.folder, 'claims.jsonl'), JSON.stringify(claim));
  await run(['search', 'pier'], 'pier.md:1');
  await run(['analyse', 'swot', 'the pier'], 'No passage about "the pier"');
  await run(['recommend', documentId], '');
  await run(['import', 'jsonl', 'chat.jsonl'], '1 turns added');
  await run(['conversations', 'list'], 'roof');
  await run(['chat', 'Which panels fit our roof?'], '1 turn read');
  await run(['peek', 'panels'], 't1');
  await run(['turn', 'nobody'], 'no turn "nobody"', 4);
  await run(['memory', 'list'], 'Nothing is remembered');
  await run(['answers', 'export', id], id);
  await run(['verify', 'answer.json'], 'verified');
  await run(['verify-claims', 'claims.jsonl'], 'c1');
  await run(['explain', ...ask.slice(1)], 'Asked');
  await run(['trace', 'list'], 'ask');
  await run(['replay', id], '');
  await run(['affected', documentId], id);
  await run(['feedback', 'give', id, 'up'], '');
  await run(['eval', 'retrieval', 'claims.jsonl'], 'BEIR', 4);
  await run(['mcp', 'config', 'cursor'], 'mcpServers');
  await run(['keys', 'list'], 'There are no keys');
  await run(['models'], 'planner');
  await run(['usage'], 'No model was called');
  await run(['audit', 'verify'], 'each as it was written');
  await run(['doctor'], 'ok  sqlite');
  await run(['estimate', '--scale'], 'chunks');
  await run(['backup', 'all.backup'], '1 documents');
  await run(['restore', 'all.backup', '--data', 'other'], 'Restored 1 documents');
  await run(['export'], 'pier.md');
  await run(['move', '--to', 'postgres'], 'FOOTNOTE_DATABASE_URL', 11);
  const served = await place.serve();
  expect(await served.stop()).toBe(0);
  const help = await run(['help'], 'Exit codes');
  const commands = [...help.matchAll(/^ {2}(?<name>[a-z][a-z-]*) .* {2}[A-Z]/gmu)].map(
    ({ groups }) => groups?.['name'],
  );
  expect(wrong).toEqual([]);
  expect(new Set([...commands, 'help'])).toEqual(started);
});
