// The chain of the audit log: whatever is done to its rows behind its back is noticed and named, and a cut leaves a chain that still verifies.
import type { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/db/repositories/audit.ts';
import { createRandom, type Random } from '../../../testkit/history.ts';
import { recordForEachTest } from '../../../testkit/record-fixture.ts';

const tamperings = process.env['FOOTNOTE_TEST_LONG'] === undefined ? 300 : 10_000;
const random = createRandom(Number(process.env['FOOTNOTE_TEST_SEED'] ?? 20_261_129));

const entry = (count: number): AuditEntry => ({
  at: new Date(Date.UTC(2026, 0, 1 + count)).toISOString(),
  ...(count % 2 === 0 && { requestId: `req_${count}` }),
  tenant: count % 5 === 0 ? 'acme' : 'default',
  principal: `key:${count % 3}`,
  via: 'POST /v1/ask',
  operation: count % 4 === 0 ? 'documents.get' : 'ask',
  targets: [`doc_${count}`, 'doc_all'],
  outcome: count % 7 === 0 ? 'not-found' : 'done',
  ms: count / 10,
  ...(count % 3 === 0 && { query: `hash ${count}` }),
});
const entries = (from: number, to: number): AuditEntry[] =>
  Array.from({ length: to - from }, (_, at) => entry(from + at));

const texts = ['at', 'request_id', 'tenant', 'principal', 'via', 'operation', 'targets', 'outcome', 'query', 'hash'];
const all = [...texts, 'ms'];
type Row = Record<string, string | number | null>;

/** Each changes something in a log of rows `low..high` and says what of it must be named; undefined where nothing came of it. */
const tricks: readonly ((database: DatabaseSync, low: number, high: number) => RegExp | undefined)[] = [
  function changeText(database, low, high) {
    const seq = pick(low, high);
    const column = texts[random.below(texts.length)] ?? 'at';
    const { [column]: value } = database.prepare(`SELECT ${column} FROM audit WHERE seq = ?`).get(seq) as Row;
    database.prepare(`UPDATE audit SET ${column} = ? WHERE seq = ?`).run(altered(String(value ?? '')), seq);
    return new RegExp(`\\b${seq}\\b`, 'u');
  },
  function changeNumber(database, low, high) {
    const seq = pick(low, high);
    database.prepare('UPDATE audit SET ms = ms + ? WHERE seq = ?').run(0.1 + random.next(), seq);
    return new RegExp(`\\b${seq}\\b`, 'u');
  },
  function takeAway(database, low, high) {
    const from = pick(low, high);
    const to = Math.min(high, from + random.below(3));
    database.prepare('DELETE FROM audit WHERE seq BETWEEN ? AND ?').run(from, to);
    return new RegExp(`\\b${from}\\b`, 'u');
  },
  function swap(database, low, high) {
    const [one, other] = [pick(low, high), pick(low, high)];
    if (one === other) return undefined;
    const read = (seq: number) => database.prepare('SELECT * FROM audit WHERE seq = ?').get(seq) as Row;
    const [first, second] = [read(one), read(other)];
    const sql = `UPDATE audit SET ${all.map((name) => `${name} = ?`).join(', ')} WHERE seq = ?`;
    database.prepare(sql).run(...all.map((name) => second[name] ?? null), one);
    database.prepare(sql).run(...all.map((name) => first[name] ?? null), other);
    return new RegExp(`\\b${one}\\b[^]*\\b${other}\\b|\\b${other}\\b[^]*\\b${one}\\b`, 'u');
  },
  function renumber(database, low, high) {
    const seq = pick(low, high);
    database.prepare('UPDATE audit SET seq = ? WHERE seq = ?').run(random.next() < 0.5 ? high + 1 : -1, seq);
    return new RegExp(`\\b${seq}\\b`, 'u');
  },
  function putIn(database, _low, high) {
    const seq = random.next() < 0.5 ? high + 1 + random.below(3) : -random.below(3);
    database.prepare(`INSERT INTO audit SELECT ?, ${columnsOf} FROM audit WHERE seq = ?`).run(seq, high);
    return /Rows behind \d+ were not|stands before|not what was written/u;
  },
  function moveTheEnd(database, _low, high) {
    if (random.next() < 0.5) database.prepare('DELETE FROM audit_head').run();
    else database.prepare('UPDATE audit_head SET seq = ?').run(high - 1);
    return /ends|behind/u;
  },
  function takeTheEnd(database, _low, high) {
    database.prepare('DELETE FROM audit WHERE seq = ?').run(high);
    return new RegExp(`Row ${high} is missing`, 'u');
  },
  function takeTheStart(database, low, high) {
    database.prepare('DELETE FROM audit WHERE seq <= ?').run(Math.min(high, low + random.below(4)));
    return new RegExp(`\\b${low}\\b`, 'u');
  },
  function takeAll(database, low) {
    database.exec('DELETE FROM audit');
    return new RegExp(`\\b${low > 1 ? '1' : low}\\b`, 'u');
  },
];
const columnsOf = 'at, request_id, tenant, principal, via, operation, targets, outcome, ms, query, hash';

const pick = (low: number, high: number): number => low + random.below(high - low + 1);
function altered(text: string, { below }: Random = random): string {
  const at = below(text.length + 1);
  const letter = String.fromCharCode(97 + below(26));
  const changed = `${text.slice(0, at)}${letter}${text.slice(at + below(2))}`;
  return changed === text ? `${text}!` : changed;
}

describe('the audit log', () => {
  const place = recordForEachTest();

  it(`notices and names each of ${tamperings} tamperings`, async () => {
    const { audit } = place.record;
    await audit.append(entries(0, 30));
    await audit.append(entries(30, 60));
    // Half of the time the log was cut before.
    const cutAt = tamperings / 2;
    const unnoticed: string[] = [];
    for (let count = 0; count < tamperings; count += 1) {
      if (count === cutAt) expect(await audit.cut(entry(60), entry(20).at, 100)).toBe(20);
      const [low, high] = count < cutAt ? [1, 60] : [21, 61];
      expect(await audit.verify()).toMatchObject({ ok: true, rows: high - low + 1, first: low });
      let named: RegExp | undefined;
      const trick = tricks[count % tricks.length] as (typeof tricks)[number];
      await place.record.write((database) => {
        database.exec(
          'CREATE TEMP TABLE kept AS SELECT * FROM audit; CREATE TEMP TABLE kept_head AS SELECT * FROM audit_head',
        );
        named = trick(database, low, high);
      });
      const { ok, faults } = await audit.verify();
      if (named && (ok || !named.test(faults.join('\n'))))
        unnoticed.push(`${trick.name}: ${named} in ${faults.join(' ')}`);
      await place.record.write((database) =>
        database.exec(
          'DELETE FROM audit; INSERT INTO audit SELECT * FROM kept; DELETE FROM audit_head; INSERT INTO audit_head SELECT * FROM kept_head; DROP TABLE kept; DROP TABLE kept_head',
        ),
      );
    }
    expect(unnoticed).toEqual([]);
  });

  it('does not make itself whole by going on behind what was taken from its end', async () => {
    const { audit } = place.record;
    await audit.append(entries(0, 10));
    await place.record.write((database) => database.exec('DELETE FROM audit WHERE seq > 7; DELETE FROM audit_head'));
    await audit.append(entries(10, 12));
    expect(await audit.verify()).toMatchObject({ ok: false, faults: ['Row 8 is missing.'] });
  });

  it('loses its oldest rows to a cut, in steps, and says so in the chain', async () => {
    const { audit } = place.record;
    await audit.append(entries(0, 50));
    const { head = '' } = await audit.verify();
    expect(await audit.cut(entry(50), entry(30).at, 20)).toBe(20);
    expect(await audit.cut(entry(50), entry(30).at, 20)).toBe(10);
    expect(await audit.cut(entry(50), entry(30).at, 20)).toBe(0);
    expect(await audit.verify()).toMatchObject({ ok: true, first: 31, rows: 22 });
    const { data } = await audit.list({ operation: 'audit.', limit: 10 });
    expect(data.map(({ targets }) => targets[0]?.split(':')[0])).toEqual(['30', '20']);
    const [last] = (await audit.list({ limit: 1, operation: 'ask', target: 'doc_49' })).data;
    expect(head).toBe(`${last?.seq}:${last?.hash}`);
    expect(await audit.verify({ head })).toMatchObject({ ok: true });
    const other = head.replace(/.$/u, (end) => (end === '0' ? '1' : '0'));
    expect((await audit.verify({ head: other })).faults.join()).toContain('written anew');
  });

  it('is listed by what rows say, a page at a time, newest first', async () => {
    const { audit } = place.record;
    await audit.append(entries(0, 20));
    const numbers = async (query: Parameters<typeof audit.list>[0]) =>
      (await audit.list(query)).data.map(({ seq }) => seq);
    const first = await audit.list({ limit: 3, tenant: 'acme' });
    expect(first.data.map(({ seq }) => seq)).toEqual([16, 11, 6]);
    expect(await numbers({ limit: 3, tenant: 'acme', cursor: first.nextCursor ?? '' })).toEqual([1]);
    expect(await numbers({ target: 'doc_4' })).toEqual([5]);
    expect(await numbers({ requestId: 'req_8' })).toEqual([9]);
    expect(await numbers({ outcome: 'not-found' })).toEqual([15, 8, 1]);
    expect(await numbers({ principal: 'key:0', operation: 'documents.' })).toEqual([13, 1]);
    expect(await numbers({ from: entry(17).at, to: entry(19).at })).toEqual([19, 18]);
  });
});
