// The archive by meaning: turns are found that share no word with a question, under the same rights; what was encoded once is kept, goes with its turn and is
// made anew where it is damaged; without an encoder words serve.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { Peek } from '../../../src/core/archive.ts';
import { openEncoder } from '../../../src/footnote/roles/encoders.ts';
import type { TurnEncoder } from '../../../src/memory/archive/index/meaning.ts';
import { type ArchivePlace, archiveIn, saidAt, toJsonl } from '../../../testkit/archive-fixture.ts';
import { recordForEachTest, scopeOf } from '../../../testkit/record-fixture.ts';

const place = recordForEachTest();

const topics = [
  /postgres|storage engine|database|invoice|billing/iu,
  /puppy|dog|biscuit/iu,
  /cello|instrument|music/iu,
  /rain|weather/iu,
];

/** Texts of one topic are alike, whatever their words. */
function topicEncoder(): TurnEncoder & { readonly encoded: string[]; fails: boolean; pauses?: Promise<void> } {
  const vectorOf = (text: string): Float32Array => {
    const own = topics.map((topic) => (topic.test(text) ? 1 : 0.05));
    const length = Math.hypot(...own);
    return Float32Array.from(own, (value) => value / length);
  };
  const made = {
    encoded: [] as string[],
    fails: false,
    pauses: undefined as Promise<void> | undefined,
    async id() {
      if (made.fails) throw new Error('There is none.');
      return 'topics';
    },
    async encode(texts: readonly string[]) {
      await made.pauses;
      made.encoded.push(...texts.filter((text) => text !== 'vector'));
      return texts.map(vectorOf);
    },
    async encodeQuery(query: string) {
      if (made.fails) throw new Error('There is none.');
      return vectorOf(query);
    },
  };
  return made as ReturnType<typeof topicEncoder>;
}

const lines = [
  saidAt('a1', '2024-03-01T10:00:00Z', 'We use Postgres for billing.'),
  saidAt('a2', '2024-03-02T10:00:00Z', 'The weather was awful.'),
  saidAt('b1', '2024-06-01T10:00:00Z', 'Biscuit, our puppy, ate a shoe.'),
  saidAt('b2', '2024-06-02T10:00:00Z', 'I practise the cello every day.'),
];
const question = 'Which storage engine keeps the invoices?';
const idsOf = ({ snippets }: Peek): readonly string[] => snippets.map(({ turn_id }) => turn_id);

async function filled(archive: ArchivePlace, scope = scopeOf()): Promise<Peek> {
  for (;;) {
    const peek = await archive.of(scope).peek({ query: question, meaning: true });
    if (peek.meaning?.turns === peek.total.turns) return peek;
  }
}
const rowsKept = (): number => {
  const database = new DatabaseSync(join(place.folder, 'record.sqlite'), { readOnly: true });
  const { count } = database.prepare('SELECT count(*) AS count FROM archive_vector').get() as { count: number };
  database.close();
  return count;
};

describe('a look by meaning', () => {
  it('finds the turn that shares no word, counts what is near, and says of how many turns that is known', async () => {
    const archive = archiveIn(place, topicEncoder());
    await archive.importText('all.jsonl', toJsonl(lines));
    const peek = await filled(archive);
    expect(idsOf(peek)).toEqual(['a1']);
    expect(peek.total).toMatchObject({ hits: 1, turns: 4 });
    expect(peek.histogram.filter(({ count }) => count > 0).map(({ label }) => label.slice(0, 10))).toEqual([
      '2024-03-01',
    ]);
    expect(peek.meaning).toEqual({ similarity: 0.3, turns: 4 });
    const byWords = await archive.of().peek({ query: question });
    expect(byWords.meaning).toBeUndefined();
    expect(idsOf(byWords)).toEqual([]);
  });

  it('stays within the time, the conversation and the rights of whoever asks', async () => {
    const archive = archiveIn(place, topicEncoder());
    await archive.importText('all.jsonl', toJsonl(lines));
    await filled(archive);
    const own = archive.of();
    const later = { query: question, meaning: true, time_range: { from: '2024-04' } };
    expect(idsOf(await own.peek(later))).toEqual([]);
    expect(idsOf(await own.peek({ query: question, meaning: true, conversation_id: 'b' }))).toEqual([]);
    const stranger = archive.of(scopeOf('default', 'somebody', 'reader'));
    expect(await stranger.peek({ query: question, meaning: true })).toMatchObject({
      total: { hits: 0, turns: 0 },
      snippets: [],
    });
  });

  it('searches words where there is no encoder, where it fails, and says so by leaving `meaning` out', async () => {
    const encoder = topicEncoder();
    encoder.fails = true;
    for (const archive of [archiveIn(place), archiveIn(place, encoder)]) {
      await archive.importText('all.jsonl', toJsonl(lines));
      const peek = await archive.of().peek({ query: 'puppy', meaning: true });
      expect(peek.meaning).toBeUndefined();
      expect(idsOf(peek)).toContain('b1');
    }
  });
});

describe('vectors of turns', () => {
  it('are kept, are not made twice, and go with their turn', async () => {
    const encoder = topicEncoder();
    const archive = archiveIn(place, encoder);
    await archive.importText('all.jsonl', toJsonl(lines));
    await filled(archive);
    expect(encoder.encoded).toHaveLength(lines.length);
    archive.restart();
    await filled(archive);
    expect(encoder.encoded).toHaveLength(lines.length);
    expect(rowsKept()).toBe(4);
    await archive.of().delete('a');
    expect(rowsKept()).toBe(2);
    expect(idsOf(await filled(archive))).toEqual([]);
    await archive.of().addTurns({ id: 'c' }, [{ role: 'user', text: 'Our database is Postgres.' }]);
    expect((await filled(archive)).snippets.map(({ conversation_id }) => conversation_id)).toEqual(['c']);
    expect(encoder.encoded).toHaveLength(lines.length + 1);
  });

  it('are made anew where they are damaged', async () => {
    const encoder = topicEncoder();
    const before = archiveIn(place, encoder);
    await before.importText('all.jsonl', toJsonl(lines));
    await filled(before);
    await place.reopen(() => {
      const database = new DatabaseSync(join(place.folder, 'record.sqlite'));
      database.exec("UPDATE archive_vector SET vectors = x'00' WHERE turn = (SELECT min(turn) FROM archive_vector)");
      database.close();
    });
    const archive = archiveIn(place, encoder);
    expect(idsOf(await filled(archive))).toEqual(['a1']);
    expect(encoder.encoded.filter((text) => text.includes('Postgres'))).toHaveLength(2);
  });

  it('are made of the newest turns first, and a question meanwhile is told of how many', async () => {
    const encoder = topicEncoder();
    let go = (): void => undefined;
    const many = Array.from({ length: 40 }, (_, at) =>
      saidAt(`a${at}`, `2024-01-01T00:${String(at).padStart(2, '0')}:00Z`, `It rains, says number ${at}.`),
    );
    encoder.pauses = new Promise((resolve) => {
      go = resolve;
    });
    const archive = archiveIn(place, encoder);
    await archive.importText('all.jsonl', toJsonl(many));
    expect((await archive.of().peek({ query: 'weather', meaning: true, top_n_snippets: 1 })).meaning).toBeUndefined();
    go();
    await filled(archive);
    expect(encoder.encoded[0]).toBe('It rains, says number 24.');
    expect(encoder.encoded.at(-1)).toBe('It rains, says number 7.');
  });
});

it('finds other wordings with the encoder that comes with Footnote', async () => {
  const encoder = openEncoder({ encoder: { isOn: true, timeoutMs: 60_000 } });
  try {
    const archive = archiveIn(place, encoder?.ofTurns);
    await archive.importText('all.jsonl', toJsonl(lines));
    await filled(archive);
    const first = async (query: string): Promise<string | undefined> =>
      idsOf(await archive.of().peek({ query, meaning: true }))[0];
    expect(await first('Which storage engine keeps the invoices?')).toBe('a1');
    expect(await first('What is the name of our dog?')).toBe('b1');
    expect(await first('What instrument do I play?')).toBe('b2');
  } finally {
    await encoder?.close();
  }
});
