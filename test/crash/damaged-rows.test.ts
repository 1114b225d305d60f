// One damaged row, of any table, in any column, of any kind: the start, every list, every neighbour, searches and questions go on; what is
// damaged is refused as such or told, never served as something else; and ingesting the documents again makes all of them whole.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { isFootnoteError } from '../../src/core/errors.ts';
import { localScope, type Scope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { createRandom } from '../../testkit/history.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { type Damage, damageRow, kinds, tablesOf } from './damage-rows.ts';

const seed = Number(process.env['FOOTNOTE_TEST_SEED'] ?? 20_261_121);
const isLong = process.env['FOOTNOTE_TEST_LONG'] !== undefined;
/** Damages of one table alone, to look into them: `lexical_state`. */
const onlyTable = process.env['FOOTNOTE_TEST_TABLE'];
/** Damages that are tried of the tables that hold documents, and of all others; every one where there is time. */
const sampled = 40;
const documentTables: ReadonlySet<string> = new Set(['document', 'document_body', 'chunk', 'source']);

let place = '';
let sound = '';
let damages: readonly Damage[] = [];
const reader: Scope = { tenant: 'default', principal: { id: 'key:reader', role: 'reader', groups: ['staff'] } };
const names = ['harbour', 'lantern', 'meadow', 'quarry', 'saffron', 'tundra'];
const textOf = (name: string): string =>
  `# The ${name}\n\nThe ${name} was opened by Marta Oliveira in 1887. It is 43 metres tall.\n\n${`The ${name} stands by the sea. `.repeat(40)}\n`;

interface Golden {
  readonly id: string;
  readonly document: unknown;
  readonly text: unknown;
  readonly chunks: unknown;
  readonly structure: unknown;
}
let golden: Golden[] = [];
let answerId = '';
let traceId = '';

const open = (data: string): Promise<OpenedFootnote> =>
  openFootnote(loadConfig({ folder: place, environment: { FOOTNOTE_DATA: data } }));

async function ingest(footnote: Footnote): Promise<void> {
  for (const name of names.slice(0, 4))
    await footnote.documents.add({
      text: textOf(name),
      mime: 'text/markdown',
      uri: `${name}.md`,
      source: 'notes',
      metadata: { colour: 'red' },
      ...(name === 'meadow' && { access: ['staff'] }),
      ...(name === 'quarry' && { title: 'A quarry' }),
    });
  await footnote.documents.add({
    bytes: new TextEncoder().encode(`<h1>Page</h1><p>${textOf('page')}</p>`),
    name: 'page.html',
    source: 'notes',
  });
  await footnote.sources.put({
    name: 'folder',
    type: 'docs',
    connector: { kind: 'folder', path: join(place, 'files') },
  });
  const run = await footnote.sources.sync('folder');
  if (run.state !== 'done') throw new Error(JSON.stringify(run.error));
}

/** Of every document, what its row and parts say but how often it was written. */
async function look(footnote: Footnote, id: string): Promise<Golden> {
  const {
    revision: _,
    updatedAt: __,
    deliveries: ___,
    duplicates: ____,
    ...document
  } = await footnote.documents.get(id);
  return {
    id,
    document,
    text: await footnote.documents.text(id),
    chunks: await footnote.documents.chunks(id),
    structure: await footnote.documents.structure(id),
  };
}

async function listAll(footnote: Footnote): Promise<{ sound: string[]; damaged: string[] }> {
  const found = { sound: [] as string[], damaged: [] as string[] };
  let cursor: string | undefined;
  do {
    const page = await footnote.documents.list({ limit: 2, ...(cursor !== undefined && { cursor }) });
    found.sound.push(...page.data.map(({ id }) => id));
    found.damaged.push(...(page.damaged ?? []).map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== undefined && found.sound.length < 100);
  return found;
}

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'footnote-rows-'));
  sound = join(place, 'sound');
  mkdirSync(join(place, 'files'));
  for (const name of names.slice(4)) writeFileSync(join(place, 'files', `${name}.md`), textOf(name));
  const opened = await open(sound);
  const footnote = opened.forScope(localScope());
  await ingest(footnote);
  await footnote.sessions.send('chat', { content: 'Who opened the harbour?' });
  const answer = await footnote.sessions.send('chat', { content: 'When was the lantern opened?' });
  answerId = answer.id;
  traceId = answer.traceId;
  await opened.keys.create({ name: 'reader', tenant: 'default', role: 'reader', groups: ['staff'] });
  const { sound: ids } = await listAll(footnote);
  golden = await Promise.all(ids.map((id) => look(footnote, id)));
  expect(golden).toHaveLength(7);
  await opened.close();
  const all = tablesOf(join(sound, 'record.sqlite')).flatMap(({ table, columns }) =>
    columns.flatMap((column) => kinds.map((kind): Damage => ({ table, column, kind }))),
  );
  const random = createRandom(seed);
  const shuffled = all
    .map((damage) => ({ damage, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ damage }) => damage);
  const ofDocuments = shuffled.filter(({ table }) => documentTables.has(table));
  const ofOthers = shuffled.filter(({ table }) => !documentTables.has(table));
  damages =
    onlyTable !== undefined
      ? shuffled.filter(({ table }) => table === onlyTable)
      : isLong
        ? shuffled
        : [...ofDocuments.slice(0, sampled), ...ofOthers.slice(0, sampled)];
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

const isDamage = (error: unknown): boolean => isFootnoteError(error) && error.code === 'data-corrupt';

/** What went wrong with a damaged folder, in words. */
async function judge(damage: Damage, data: string): Promise<readonly string[]> {
  const wrong: string[] = [];
  const does = async <T>(what: string, work: () => Promise<T>, may: (error: unknown) => boolean = () => false) => {
    try {
      return await work();
    } catch (error) {
      if (!may(error)) wrong.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  };
  const opened = await does('opening', () => open(data));
  if (opened === undefined) return wrong;
  try {
    const footnote = opened.forScope(localScope());
    const lesser = opened.forScope(reader);
    const health = await does('health', () => opened.health());
    if (health && health.status === 'down') wrong.push('health: down');
    await does('keys', () => opened.keys.list());
    await does('sources', () => footnote.sources.list());
    await does('runs', () => footnote.ingestions.list({}));
    await does('parked', () => footnote.ingestions.parked({}));
    await does('sessions', () => footnote.sessions.list({}));
    await does(
      'turns',
      () => footnote.sessions.turns('chat'),
      (error) => damage.table === 'session' && isFootnoteError(error) && error.code === 'not-found',
    );
    await does('stores', () => footnote.stores.list());
    const isOwnRow = (error: unknown): boolean =>
      isDamage(error) ||
      (['answer', 'trace', 'turn'].includes(damage.table) && isFootnoteError(error) && error.code === 'not-found');
    await does('the answer', () => footnote.answers.get(answerId), isOwnRow);
    await does('the trace', () => footnote.traces.get(traceId), isOwnRow);

    const listed = await does('list', () => listAll(footnote));
    await does('list of a reader', () => listAll(lesser));
    const colour = { op: 'eq', field: 'metadata.colour', value: 'red' } as const;
    await does('filtered list', () => footnote.documents.list({ filter: colour }));
    let unreadable = 0;
    for (const was of golden) {
      const now = await does(
        `document ${was.id}`,
        () => look(footnote, was.id),
        (error) => {
          unreadable += 1;
          return isDamage(error) || (isFootnoteError(error) && error.code === 'not-found');
        },
      );
      if (now && !isDeepStrictEqual(now, was)) wrong.push(`document ${was.id} was served as something else`);
    }
    if (unreadable > 1) wrong.push(`${unreadable} documents cannot be read`);
    if (unreadable > 0 && !documentTables.has(damage.table)) wrong.push('a document cannot be read');
    if (listed && listed.sound.length + listed.damaged.length < golden.length - 1)
      wrong.push('a neighbour is not listed');
    for (const name of names.slice(0, 3)) {
      const found = await does(`search for ${name}`, () =>
        lesser.search({
          query: `${name} opened`,
          topK: 3,
          filter: { op: 'not', filter: { op: 'eq', field: 'metadata.x', value: 'y' } },
        }),
      );
      // An index that is made anew says so meanwhile.
      if (found && found.results.length + found.degraded.length === 0) wrong.push(`search for ${name}: nothing`);
    }
    await does('question', () => footnote.ask({ question: 'Who opened the harbour?' }));
    await does('message', () => footnote.sessions.send('chat', { content: 'How tall is it?' }));

    // Ingesting it again repairs it.
    const mayNeedSource = (error: unknown): boolean => damage.table === 'source' && isDamage(error);
    // A folder is not read into a source of which no run is known: that would remove what was added by hand.
    if (damage.table === 'ingestion') return wrong;
    await does('ingesting again', () => ingest(footnote), mayNeedSource);
    if (damage.table === 'source') {
      await does('declaring the source', () => footnote.sources.put({ name: 'notes', type: 'docs' }));
      await does('ingesting after that', () => ingest(footnote));
    }
    for (const was of golden) {
      const now = await does(`document ${was.id} afterwards`, () => look(footnote, was.id));
      if (now && !isDeepStrictEqual(now, was)) wrong.push(`document ${was.id} is not what it was`);
    }
    await does('removal of all', async () => {
      for (const { name } of await footnote.sources.list()) await footnote.sources.remove(name);
    });
    return wrong;
  } finally {
    await opened.close();
  }
}

describe('one damaged row', () => {
  it('changes nothing when there is none', async () => {
    const data = join(place, 'none');
    cpSync(sound, data, { recursive: true });
    expect(await judge({ table: 'none', column: 'none', kind: 'changed' }, data)).toEqual([]);
  });

  it('never hides its neighbours, and ingesting it again repairs it', { timeout: 3_600_000 }, async () => {
    const random = createRandom(seed + 1);
    const faults: string[] = [];
    let tried = 0;
    for (const [number, damage] of damages.entries()) {
      const data = join(place, `image-${number}`);
      cpSync(sound, data, { recursive: true });
      if (damageRow(join(data, 'record.sqlite'), damage, random.next())) {
        tried += 1;
        const wrong = await judge(damage, data);
        faults.push(...wrong.map((what) => `${damage.table}.${damage.column} ${damage.kind}: ${what}`));
      }
      rmSync(data, { recursive: true, force: true });
    }
    console.log(`damaged rows: ${tried} damages, seed ${seed}: ${faults.length} faults`);
    expect(faults).toEqual([]);
    expect(tried).toBeGreaterThan(onlyTable === undefined ? sampled : 0);
  });
});
