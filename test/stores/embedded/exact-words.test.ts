// Numbers, codes, names and words of a form of their own are found as they were asked for, and nothing near them; where nothing is, it is said why.
import { describe, expect, it } from 'vitest';
import { createArchiveIndexRepository } from '../../../src/db/both/archive/index-rows.ts';
import { archivePortsOf } from '../../../src/db/sqlite/archive.ts';
import { createEmbeddedStore } from '../../../src/stores/embedded/embedded-store.ts';
import { analyzeQuery, analyzeText } from '../../../src/text/analyze.ts';
import { withoutParticles } from '../../../src/text/words/particles.ts';
import { archiveIn } from '../../../testkit/archive-fixture.ts';
import { putAll } from '../../../testkit/record-changes.ts';
import { createWrite, recordForEachTest, scopeOf } from '../../../testkit/record-fixture.ts';

const place = recordForEachTest();

async function search(texts: Readonly<Record<string, string>>, queries: readonly string[], language = 'en') {
  const store = createEmbeddedStore({ database: place.record, scope: scopeOf() });
  const writes = Object.entries(texts).map(([id, text]) => createWrite(text, { id, uri: id, title: id, language }));
  await place.tenant.commit(putAll(writes, store));
  const found: string[][] = [];
  for (const text of queries) {
    const { hits, degraded } = await store.search({ text, mode: 'lexical', limit: 5 });
    found.push([...hits.map(({ documentId }) => documentId), ...degraded.map(({ code }) => `! ${code}`)]);
  }
  return found;
}

describe('a search by words', () => {
  it('finds a number however its thousands are parted, and no other number', async () => {
    const written = {
      aa: 'It has 1 000 000 seats.',
      bb: 'It has 1,000,000 seats.',
      cc: 'It has 1000000 seats.',
      dd: 'It has 1\u2009000\u202f000 seats.',
      ee: "It has 1'000'000 seats, or 1.000.000 of them.",
      ff: 'It has 1 000 001 seats and 100000 chairs.',
    };
    for (const found of await search(written, ['1000000', '1,000,000', '1’000’000']))
      expect(found.toSorted()).toEqual(['aa', 'bb', 'cc', 'dd', 'ee']);
    const [first = []] = await search({}, ['1 000 000']);
    expect(first.slice(0, 5)).not.toContain('ff');
    expect(await search({}, ['332315'])).toEqual([[]]);
    expect(analyzeText('In 2010 300 people, 12 34 567 and 5 000x')).toEqual(
      expect.not.arrayContaining(['2010300', '34567', '5000']),
    );
  });

  it('finds names that are made of stop words, and says where such words are nowhere', async () => {
    const texts = {
      bands: 'On Friday The Who played the first night, and The The the second.',
      staff: 'Who runs the desk? The head of the bar.',
    };
    expect(await search(texts, ['The Who', 'the the', 'Where to'])).toEqual([['bands'], ['bands'], ['! stop-words']]);
  });

  it('takes a letter behind a dash for text, and tells of a word that a dash left out', async () => {
    const texts = {
      shell: 'Use grep -v to drop lines.',
      editor: 'Use the editor to drop lines, with grep.',
      cpp: 'C++ code',
      cs: 'C# code',
      net: 'The .NET runtime',
    };
    const found = await search(texts, ['grep -v', '-v', 'C++', 'C#', '.NET', 'grep -editor', 'runtime -net']);
    expect(found).toEqual([['shell', 'editor'], ['shell'], ['cpp'], ['cs'], ['net'], ['shell'], ['! excluded']]);
  });

  it('mends no word that the collection or a dictionary knows, and mends others', async () => {
    const texts = { broken: 'The broken pump was mended by the angle.', lantern: 'A lantern hangs there.' };
    expect(await search(texts, ['broker', 'angel', 'lantrn', 'brokem'])).toEqual([[], [], ['lantern'], ['broken']]);
  });

  it('finds words behind the particles that Hebrew and Arabic write in one with them, both ways', async () => {
    const hebrew = { train: 'הרכבת לירושלים יוצאת בשש.', soup: 'המרק חם מאוד.', city: 'ירושלים היא עיר.' };
    for (const query of ['ירושלים', 'בירושלים', 'ומירושלים', 'שבירושלים'])
      expect((await search(hebrew, [query], 'he'))[0]?.toSorted()).toEqual(['city', 'train']);
    expect(await search({}, ['רכבת'], 'he')).toEqual([['train']]);
    const arabic = { one: 'سافر والمدير إلى المدينة.', two: 'كتب لمدير الشركة.', three: 'السماء زرقاء.' };
    for (const query of ['مدير', 'المدير', 'ومدير', 'فالمدير'])
      expect((await search(arabic, [query], 'ar'))[0]?.toSorted()).toEqual(['one', 'two']);
  });
});

it('an archive whose pieces are of another analyzer is made anew from its turns', async () => {
  const archive = archiveIn(place);
  await archive.of().addTurns({ id: 'a' }, [{ role: 'user', text: 'It has 1 000 000 seats.', turn_id: 'a1' }]);
  const pieces = createArchiveIndexRepository('default', archivePortsOf(place.record));
  const old = Buffer.alloc(64);
  old.writeUInt32LE(0x46_41_52_31);
  await pieces.putSegment(old, { firstRow: 1, lastRow: 1, mark: 0 });
  archive.restart();
  expect((await archive.of().peek({ query: '1000000' })).total.hits).toBe(1);
  expect(await pieces.segmentAfter(0)).toBeUndefined();
});

describe('withoutParticles', () => {
  it('leaves words of other scripts and short ones alone, and takes away three at most', () => {
    for (const word of ['', 'and', 'шлом', 'בית', 'שלו', 'للبيت', 'كتاب']) expect(withoutParticles(word)).toEqual([]);
    expect(withoutParticles('ושבירושלים')).toEqual(['שבירושלים', 'בירושלים', 'ירושלים']);
    expect(analyzeQuery('לירושלים', { languages: ['he'] })).toContain('ירושלים');
  });
});
