// Deleting while somebody asks, over SQLite: a kill in between leaves the rest to the next process.
import { describe, expect, it } from 'vitest';
import { createWrite, recordForEachTest } from '../../testkit/record-fixture.ts';
import { answerOn, erasureSuite, sweepAll } from '../../testkit/record-suite/erasures.ts';
import { sqlitePlace } from '../../testkit/record-suite/place.ts';

const place = recordForEachTest();
const pause = (): undefined => undefined;

async function put(id: string, text: string) {
  const write = createWrite(text, { id, uri: `${id}.md` });
  await place.tenant.commit([
    { kind: 'put-source', source: { name: 'notes', type: 'docs' } },
    { kind: 'put-document', write },
  ]);
  return write;
}
const remove = (id: string): Promise<unknown> => place.tenant.commit([{ kind: 'delete-document', id }]);

describe('erasing', () => {
  erasureSuite(sqlitePlace(place));

  it('goes on where an earlier process ended, and no note goes before its work is done', async () => {
    const write = await put('gone', 'Otters swim at dawn.');
    await place.tenant.answers.save(answerOn('ans_1', [write]), new Date().toISOString());
    await remove('gone');
    await place.reopen();
    expect(await place.record.erasures.pending()).toMatchObject([{ tenant: 'default', documents: 1 }]);
    const noted = await place.record.erasures.noted('default');
    if (!noted) throw new Error('nothing noted');
    await place.record.erasures.sweep(noted, pause);
    await place.reopen();
    expect(await place.record.erasures.pending()).toHaveLength(1);
    await sweepAll(place.record.erasures);
    expect((await place.tenant.answers.get('ans_1'))?.claims).toEqual([]);
  });
});
