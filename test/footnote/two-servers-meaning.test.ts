// Search by meaning at two servers over one database: a model that one of them learned is used by both, and when one learns another, the other goes
// over to it; what is found is the same to the last bit.
import { cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { postgresPrograms } from '../../testkit/postgres/server.ts';
import { twoServers } from '../../testkit/postgres/two-servers.ts';

const programs = postgresPrograms();
const repository = join(import.meta.dirname, '../..');
const queries = [
  'Where does my data go?',
  'delete a conversation',
  'costs of models and budgets',
  'encrypted documents',
];

describe.skipIf(programs === undefined)('meaning at two servers (skipped where no server is installed)', () => {
  const place = twoServers(programs ?? '');
  const read = async (
    which: number,
    name: string,
    from: string,
    isWanted: (file: string) => boolean,
  ): Promise<void> => {
    const path = join(place.folder, name);
    await mkdir(path);
    for (const file of await readdir(join(repository, from)))
      if (file.endsWith('.md') && isWanted(file)) await cp(join(repository, from, file), join(path, file));
    const { sources } = place.at(which);
    await sources.put({ name, type: 'docs', connector: { kind: 'folder', path } });
    expect((await sources.sync(name)).error).toBeUndefined();
    await place.opened[which]?.settle('default', { exact: true });
  };
  const found = async (which: number, query: string) => {
    const { results, degraded } = await place.at(which).search({ query, mode: 'vector', topK: 20 });
    return { results: results.map(({ chunkId, score, scores }) => ({ chunkId, score, scores })), degraded };
  };
  const same = async (): Promise<void> => {
    for (const query of queries) {
      const [one, other] = [await found(0, query), await found(1, query)];
      expect(other).toEqual(one);
      expect(one.degraded).toEqual([]);
      expect(one.results.length).toBe(20);
    }
  };

  it('is by the model that was learned last, at whichever', async () => {
    await read(0, 'first', 'docs', (file) => file < 'e');
    await same();
    const models = () => place.server.run(place.address, 'SELECT space, state FROM embedding_model');
    const before = await models();
    expect(before).toMatchObject([{ state: 'active' }]);
    await read(1, 'second', 'docs', (file) => file >= 'e');
    expect(await models()).not.toEqual(before);
    await same();
  });
});
