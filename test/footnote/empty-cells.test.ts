// A row that has nothing under the column that a question asks for: its table is shown as it stands, and no sentence says that another cell answers.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

let folder: string;
let opened: OpenedFootnote;

const limits = `| Item | Min. | Typ. | Max. |
|---|---|---|---|
| Coolant pressure | 3 | 5 | 9 |
| Pump torque | | 340 | |
| Minimum load | | 20 | |
`;
const rooms = `Room,Deposit,Rent\nGreen cabin,300,120\nBlue cabin,,95\nRed cabin,250,\n`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-empty-'));
  const environment = { FOOTNOTE_DATA: join(folder, 'data'), DEFAULT_MODE: 'embedded' };
  opened = await openFootnote(loadConfig({ folder, environment }));
  const { documents } = opened.forScope(localScope());
  await documents.add({ title: 'Limits', text: limits, uri: 'limits.md' });
  await documents.add({ title: 'Cabins', text: rooms, uri: 'cabins.csv', mime: 'text/csv' });
});
afterAll(async () => {
  await opened.close();
  await rm(folder, { recursive: true, force: true });
});

describe('an empty cell', () => {
  it.each([
    ['What is the minimum pump torque?', 'Pump torque', 'Item | Min. | Typ. | Max.'],
    ['What is the maximal pump torque?', 'Pump torque', 'Item | Min. | Typ. | Max.'],
    ['What is the deposit of the Blue cabin?', 'Blue cabin', 'Room | Deposit | Rent'],
    ['What is the rent of the Red cabin?', 'Red cabin', 'Room | Deposit | Rent'],
  ])('leads with nothing, its row stands marked under the names of its columns: %s', async (question, row, columns) => {
    const answer = await opened.forScope(localScope()).ask({ question });
    const [claim] = answer.claims;
    expect(claim).toMatchObject({ form: 'row', citations: [1] });
    expect([...(claim?.headingPath ?? []), claim?.text].join('\n')).toContain(columns);
    expect(claim?.text.slice(claim.pinpoint?.start, claim.pinpoint?.end)).toContain(row);
  });

  it.each([
    ['What is the typical pump torque?', '340'],
    ['What is the maximum coolant pressure?', '9'],
    ['What is the typical minimum load?', '20'],
    ['What is the rent of the Blue cabin?', '95'],
    ['What is the deposit of the Red cabin?', '250'],
  ])('does not keep the others of its row from answering: %s', async (question, value) => {
    const answer = await opened.forScope(localScope()).ask({ question });
    expect(answer.answer).toContain(value);
    expect(answer.abstained).toBe(false);
    expect(answer.closestPassages).not.toBe(true);
  });
});
