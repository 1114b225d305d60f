// Peek over everything: its totals and bins are those of a count of every turn, in any time zone and range; after removals and restarts too.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { calendarOf } from '../../../src/memory/archive/time/calendar.ts';
import { analyzeText } from '../../../src/text/analyze.ts';
import { archiveIn, type Line, toJsonl } from '../../../testkit/archive-fixture.ts';
import { recordForEachTest } from '../../../testkit/record-fixture.ts';
import { dayOfRun, isLongRun } from '../../../testkit/sample.ts';

const place = recordForEachTest();

/** Numbers as if by chance, the same each time. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const words = Array.from(
  { length: 60 },
  (_, at) => `${['zebra', 'copper', 'violin', 'harbour', 'lantern', 'meadow'][at % 6]}${at}`,
);
const zones = ['UTC', 'Europe/Berlin', 'America/Sao_Paulo', 'Pacific/Apia', 'Asia/Kolkata', 'America/New_York'];
const units = ['day', 'week', 'month', 'quarter', 'year'] as const;

function makeLines(count: number): Line[] {
  const next = random(7);
  return Array.from({ length: count }, (_, at): Line => {
    // Many lie near the change of clocks, at the edges of months and at the same instant.
    const ms = Date.UTC(2009 + next(8), next(12), 1 + next(31), next(24), next(4) * 20);
    const said = Array.from({ length: 1 + next(9) }, () => words[Math.min(next(60), next(60))]).join(' ');
    const timestamp = next(20) === 0 ? {} : { timestamp: new Date(ms).toISOString() };
    return {
      conversation_id: `c${next(9)}`,
      turn_id: `t${at}`,
      role: next(3) === 0 ? 'assistant' : 'user',
      text: said,
      ...timestamp,
    };
  });
}

const queries = isLongRun ? 1000 : 250;

describe('totals and bins', () => {
  it(`equal a count of every turn on ${queries} queries and ranges`, async () => {
    const archive = archiveIn(place);
    const lines = makeLines(2000);
    await archive.importText('all.jsonl', toJsonl(lines));
    const turns = lines.map((line) => ({
      ...line,
      ms: line.timestamp === undefined ? undefined : Date.parse(line.timestamp),
      terms: new Set(analyzeText(line.text, { language: 'en' })),
    }));
    const next = random(isLongRun ? 11 : dayOfRun);
    for (let at = 0; at < queries; at++) {
      const query = Array.from({ length: 1 + next(4) }, () => words[next(60)]).join(' ');
      const zone = zones[next(zones.length)] as string;
      const unit = units[next(units.length)] as (typeof units)[number];
      const calendar = calendarOf(zone);
      const edge = () => new Date(Date.UTC(2008 + next(10), next(12), 1 + next(28), next(24))).toISOString();
      const [from, to] = [edge(), edge()].sort();
      const range = next(3) === 0 || from === to ? {} : { ...(next(4) > 0 && { from }), ...(next(4) > 0 && { to }) };
      const conversation = next(3) === 0 ? `c${next(9)}` : undefined;
      const peek = await archive.of().peek({
        query,
        bin: unit,
        time_zone: zone,
        top_k: 1 + next(50),
        top_n_snippets: 3,
        ...(Object.keys(range).length > 0 && { time_range: range }),
        ...(conversation !== undefined && { conversation_id: conversation }),
      });
      const asked = analyzeText(query, { language: 'en' });
      const isTimed = Object.keys(range).length > 0;
      const hits = turns.filter(
        ({ ms, terms, conversation_id }) =>
          asked.some((term) => terms.has(term)) &&
          (conversation === undefined || conversation_id === conversation) &&
          (!isTimed ||
            (ms !== undefined &&
              ms >= Date.parse(range.from ?? '0000-01-01T00:00:00Z') &&
              ms < Date.parse(range.to ?? '9999-01-01T00:00:00Z'))),
      );
      expect(peek.total.hits).toBe(hits.length);
      expect(peek.total.undated).toBe(hits.filter(({ ms }) => ms === undefined).length);
      expect(peek.total.conversations).toBe(new Set(hits.map((hit) => hit.conversation_id)).size);
      const counts = new Map<string, number>();
      for (const { ms } of hits)
        if (ms !== undefined) counts.set(calendar.labelOf(ms, unit), (counts.get(calendar.labelOf(ms, unit)) ?? 0) + 1);
      const binned = peek.histogram.filter(({ count }) => count > 0);
      // A week is named by its first day.
      if (unit === 'week')
        expect(binned.reduce((sum, { count }) => sum + count, 0)).toBe(hits.length - peek.total.undated);
      else
        expect(Object.fromEntries(binned.map(({ label, count }) => [label, count]))).toEqual(
          Object.fromEntries(counts),
        );
      const isWhole = peek.histogram.every(
        ({ from: begin, to: end }, at_) => begin < end && (at_ === 0 || begin === peek.histogram[at_ - 1]?.to),
      );
      expect(isWhole).toBe(true);
      const best = peek.histogram.reduce((sum, { top_k }) => sum + top_k, 0);
      expect(best).toBeLessThanOrEqual(hits.length);
      if (peek.total.undated === 0 && hits.length > 0) expect(best).toBeGreaterThan(0);
      expect(peek.histogram.some(({ peak }) => peak)).toBe(binned.length > 0);
    }
  });

  it('tell shares of conversations and of roles, whose sums are the total', async () => {
    const archive = archiveIn(place);
    await archive.importText('all.jsonl', toJsonl(makeLines(500)));
    const peek = await archive
      .of()
      .peek({ query: words.slice(0, 5).join(' '), by: ['conversation', 'role'], bin: 'year' });
    const sum = (rows: readonly { count: number }[] = []): number => rows.reduce((all, { count }) => all + count, 0);
    expect(sum(peek.conversations)).toBe(peek.total.hits);
    expect(sum(peek.roles)).toBe(peek.total.hits);
    for (const [at, { count }] of peek.histogram.entries())
      expect(peek.conversations?.reduce((all, { counts }) => all + (counts[at] ?? 0), 0)).toBe(count);
  });
});

describe('an archive', () => {
  it('answers the same after a restart, when turns came one by one, and behaves with no hit and with one', async () => {
    const archive = archiveIn(place);
    const lines = makeLines(300);
    for (let at = 0; at < 300; at += 50) await archive.importText('some.jsonl', toJsonl(lines.slice(at, at + 50)));
    const query = words.slice(0, 3).join(' ');
    const before = await archive.of().peek({ query, top_n_snippets: 30 });
    archive.restart();
    expect(await archive.of().peek({ query, top_n_snippets: 30 })).toEqual(before);
    const none = await archive.of().peek({ query: 'nothing-of-this' });
    expect(none).toMatchObject({ total: { hits: 0, conversations: 0 }, histogram: [], snippets: [] });
    expect(none.zoom).toBeUndefined();
    await archive
      .of()
      .addTurns({ id: 'one' }, [{ role: 'user', text: 'A saxophone.', timestamp: '2020-02-02T02:02:02Z' }]);
    const one = await archive.of().peek({ query: 'saxophones', bin: 'month' });
    expect(one.histogram).toEqual([
      {
        label: '2020-02',
        from: '2020-02-01T00:00:00.000Z',
        to: '2020-03-01T00:00:00.000Z',
        count: 1,
        top_k: 1,
        peak: true,
      },
    ]);
    await expect(archive.of().peek({ query: 'x', time_range: { from: '2020-13' } })).rejects.toMatchObject({
      code: 'invalid-request',
    });
    await expect(
      archive.of().peek({ query: 'saxophone', bin: 'hour', time_range: { from: '1990', to: '2020' } }),
    ).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('forgets a conversation: nothing of its words is left in the folder', async () => {
    const archive = archiveIn(place);
    const secret = 'xylophoneritual';
    // The index has it without its ending.
    const stem = 'xylophonerit';
    // Enough for pieces that are sealed on the disk, the secret in one of them and in the newest turns.
    const filler = Array.from(
      { length: 8300 },
      (_, at): Line => ({ conversation_id: 'rest', turn_id: `r${at}`, role: 'user', text: `ordinary words ${at}` }),
    );
    const telling = (id: string): Line => ({
      conversation_id: 'gone',
      turn_id: id,
      role: 'user',
      text: `the ${secret} at dawn`,
    });
    await archive.importText('all.jsonl', toJsonl([telling('a'), ...filler, telling('b')]));
    rmSync(join(place.folder, 'all.jsonl'));
    const found = () =>
      readdirSync(place.folder).filter((name) => readFileSync(join(place.folder, name)).includes(stem));
    expect(found()).not.toEqual([]);
    expect((await archive.of().peek({ query: secret })).total.hits).toBe(2);
    await archive.of().delete('gone');
    expect((await archive.of().peek({ query: secret })).total.hits).toBe(0);
    expect(await place.record.erasures.cleanPages(async () => undefined)).toBe(true);
    expect(found()).toEqual([]);
    archive.restart();
    const after = await archive.of().peek({ query: `${secret} ordinary` });
    expect(after.total).toMatchObject({ hits: 8300, conversations: 1 });
  });
});
