// Five judged sets in SQLite and in PostgreSQL, behind two servers: 500 questions find the same at all three, in the same order and with the same scores to
// the last bit, by words, by meaning and by both; and a hundred of them are answered the same. In the long run alone, as it takes minutes.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { openPostgresServer, type PostgresServer, postgresPrograms } from '../../testkit/postgres/server.ts';
import { isLongRun } from '../../testkit/sample.ts';
import { sharedData, sharedLines, sharedQueries } from '../../testkit/shared-data.ts';

const programs = postgresPrograms();
const sets = ['scifact', 'cranfield', 'cacm', 'cisi', 'time'] as const;
const questionsASet = 100;
const linesAtOnce = 1000;
const longestMs = 3_600_000;

const arePlaced = isLongRun && programs !== undefined && sets.every((set) => sharedData(set) !== undefined);

describe.skipIf(!arePlaced)(
  'judged sets in PostgreSQL and SQLite (skipped in short runs, without the sets, and where no server is installed)',
  () => {
    let server: PostgresServer;
    let folder: string;
    const opened: OpenedFootnote[] = [];
    const footnotes: Footnote[] = [];
    const questions = arePlaced
      ? sets.flatMap((set) => {
          const all = sharedQueries(set);
          return Array.from({ length: questionsASet }, (_, at) => all[at % all.length] ?? '');
        })
      : [];

    beforeAll(async () => {
      server = await openPostgresServer(programs ?? '');
      const address = await server.createDatabase();
      folder = await mkdtemp(join(tmpdir(), 'footnote-same-sets-'));
      for (const data of ['sqlite', 'one', 'other']) {
        const database = data === 'sqlite' ? {} : { FOOTNOTE_DATABASE_URL: address };
        const environment = { FOOTNOTE_DATA: join(folder, data), ...database };
        const one = await openFootnote(loadConfig({ folder, environment }));
        opened.push(one);
        footnotes.push(one.forScope(localScope()));
      }
      for (const set of sets) {
        const lines = sharedLines(set, 'corpus.jsonl.gz') ?? [];
        for (let at = 0; at < lines.length; at += linesAtOnce) {
          const text = lines.slice(at, at + linesAtOnce).map((line) => JSON.stringify(line));
          const file = { bytes: new TextEncoder().encode(text.join('\n')), name: `${set}-${at}.jsonl`, source: set };
          for (const footnote of footnotes.slice(0, 2)) await footnote.documents.add(file);
        }
      }
      for (const one of opened) await one.settle('default', { exact: true });
    }, longestMs);
    afterAll(async () => {
      for (const one of opened) await one.close();
      server?.remove();
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    });

    for (const mode of ['embedded', 'vector', 'hybrid'] as const)
      it(`find the same, mode ${mode}`, { timeout: longestMs }, async () => {
        let hits = 0;
        for (const query of questions) {
          const [sqlite, ...servers] = await Promise.all(
            footnotes.map(async (footnote) => {
              const { results, degraded } = await footnote.search({ query, mode, topK: 20 });
              return {
                results: results.map(({ chunkId, uri, score, scores }) => ({ chunkId, uri, score, scores })),
                degraded,
              };
            }),
          );
          for (const one of servers) expect(one, query).toEqual(sqlite);
          hits += sqlite?.results.length ?? 0;
        }
        console.log(`${mode}: ${questions.length} questions, ${hits} hits, the same at all three`);
        expect(hits).toBeGreaterThan(questions.length * 10);
      });

    it('answer the same', { timeout: longestMs }, async () => {
      let claims = 0;
      for (const question of questions.filter((_, at) => at % 5 === 0)) {
        const [sqlite, ...servers] = await Promise.all(
          footnotes.map(async (footnote) => {
            const { answer, claims, citations, confidence } = await footnote.ask({ question });
            return { answer, claims, citations, confidence };
          }),
        );
        for (const one of servers) expect(one, question).toEqual(sqlite);
        claims += sqlite?.claims.length ?? 0;
      }
      console.log(`${questions.length / 5} answers, ${claims} claims, the same at all three`);
      expect(claims).toBeGreaterThan(20);
    });
  },
);
