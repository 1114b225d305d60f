// The child of the kill test: four writers put and delete documents with their index entries, a fifth asks (search, turn,
// trace), until it is killed. Says INTENT before and ACK after each transaction.
// Usage: kill-child.ts FOLDER SEED FAULT START0 START1 START2 START3; FAULT is none, ack-early or index-apart.
import { writeSync } from 'node:fs';
import { localScope } from '../../src/core/scope.ts';
import { openSqliteRecord } from '../../src/db/sqlite/sqlite.ts';
import { createEmbeddedStore } from '../../src/stores/embedded/embedded-store.ts';
import { changesOf, transactionAt } from '../../testkit/history.ts';
import { createWrite } from '../../testkit/record-fixture.ts';
import { createAnswer } from '../../testkit/record-suite/answer-fixture.ts';

const [folder = '', seed = '', fault = 'none', ...starts] = process.argv.slice(2);
const scope = localScope();
const database = openSqliteRecord({ folder });
const tenant = database.forScope(scope);
const store = createEmbeddedStore({ database, scope });
const say = (line: string): void => void writeSync(1, `${line}\n`);
say('READY');

async function writeOn(writer: number, start: number): Promise<never> {
  for (let index = start; ; index += 1) {
    const operations = transactionAt(Number(seed) + writer, index, `w${writer}`);
    say(`INTENT ${writer} ${index + 1}`);
    if (fault === 'ack-early') say(`ACK ${writer} ${index + 1}`);
    await tenant.commit(changesOf(operations, index + 1, fault === 'index-apart' ? undefined : store));
    if (fault === 'index-apart')
      for (const operation of operations)
        if (operation.kind === 'delete') await store.delete([{ documentId: operation.id }]);
        else await store.upsert([createWrite(operation.text, { id: operation.id, uri: `${operation.id}.md` })]);
    if (fault !== 'ack-early') say(`ACK ${writer} ${index + 1}`);
  }
}

async function askOn(): Promise<never> {
  for (let number = 1; ; number += 1) {
    const page = await store.search({ text: 'river copper', mode: 'lexical', limit: 5 });
    const found = await tenant.documents.chunksById(page.hits.map(({ chunkId }) => chunkId));
    const id = `${process.pid}_${number}`;
    const answer = createAnswer(`ans_${id}`, found.map(({ chunk }) => chunk.text).join(' '));
    const at = new Date().toISOString();
    await tenant.traces.save({ id: `trc_${id}`, kind: 'message', startedAt: at, totalMs: 1, eventCount: 0 }, []);
    // A search, whose trace follows its reply.
    await tenant.traces.saveSoon({ id: `trs_${id}`, kind: 'search', startedAt: at, totalMs: 1, eventCount: 0 }, []);
    await tenant.answers.save(answer, at);
    await tenant.sessions.appendTurn({
      id: `trn_${id}`,
      sessionId: 'one session',
      content: 'river copper',
      resolvedQuestion: 'river copper',
      answer,
      createdAt: at,
    });
    say(`TURN ${id}`);
  }
}

await Promise.all([...starts.map((start, writer) => writeOn(writer, Number(start))), askOn()]);
