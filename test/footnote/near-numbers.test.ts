// Who asks for a number, a code or a part is never told of another one as if it were that one, by sentences of the documents or by a model.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { openFakeServer } from '../../src/testing/fake-http.ts';
import { renderChat } from '../../src/testing/openai-chat.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

let folder: string;
let opened: OpenedFootnote;

const texts = {
  'Invoice 332305': 'Invoice 332305\n\nCustomer: Orla Finch\nAmount due: 1,240.00 EUR\n',
  'Part sheet': 'The pump RX-4471 weighs 18 kg and is painted green.\n',
  Rooms: 'Room 412 has twelve chairs.\n',
};

async function open(environment: Readonly<Record<string, string>> = {}): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'footnote-near-'));
  opened = await openFootnote(
    loadConfig({
      folder,
      environment: { FOOTNOTE_DATA: join(folder, 'data'), DEFAULT_MODE: 'embedded', ...environment },
    }),
  );
  for (const [title, text] of Object.entries(texts))
    await opened.forScope(localScope()).documents.add({ title, text, uri: `${title.length}.txt` });
}
afterEach(async () => {
  await opened.close();
  await rm(folder, { recursive: true, force: true });
});

const cases = [
  ['What is the amount due of invoice 332315?', 'What is the amount due of invoice 332305?', '1,240'],
  ['How much does the pump RX-4417 weigh?', 'How much does the pump RX-4471 weigh?', '18 kg'],
  ['How many chairs has room 421?', 'How many chairs has room 412?', 'twelve'],
] as const;

/** Others that are alike in all but their number. */
const siblings = {
  'Lease 70455': 'Lease 70455\nTenant: Ivo Brandt\nMonthly rent: 910.00 EUR\n',
  'Lease 70461': 'Lease 70461\nTenant: Nora Quill\nMonthly rent: 655.00 EUR\n',
};

describe('a number that stands beside others', () => {
  it('is answered without what is said of the others', async () => {
    await open();
    const { documents, ask } = opened.forScope(localScope());
    for (const [title, text] of Object.entries(siblings)) await documents.add({ title, text, uri: `${title}.txt` });
    for (const [number, right, wrong] of [
      ['70455', '910.00', '655.00'],
      ['70461', '655.00', '910.00'],
    ] as const) {
      const told = await ask({ question: `What is the monthly rent of lease ${number}?` });
      expect(told.answer).toContain(right);
      expect(told.answer).not.toContain(wrong);
    }
    const both = await ask({ question: 'What are the monthly rents of leases 70455 and 70461?' });
    expect(both.answer).toContain('910.00');
    expect(both.answer).toContain('655.00');
  });
});

describe('a number that stands nowhere', () => {
  it('is answered by nothing that is said of another one, and the other one is answered', async () => {
    await open();
    const { ask } = opened.forScope(localScope());
    for (const [near, right, value] of cases) {
      const answer = await ask({ question: near });
      expect(answer.abstained || answer.closestPassages === true || !answer.answer.includes(value), near).toBe(true);
      const told = await ask({ question: right });
      expect(told.answer).toContain(value);
      expect(told.closestPassages, right).not.toBe(true);
    }
  });

  it('is asserted by no model', async () => {
    const [sentence, claim] = ['The pump RX-4471 weighs 18 kg and is painted green.', 'The pump weighs 18 kg.'];
    const reply = {
      text: JSON.stringify({ claims: [{ text: claim, quotes: [{ id: 1, quote: sentence }] }], insufficient: false }),
    };
    const server = await openFakeServer((request) => renderChat(reply, request));
    await open({ MODEL_ANSWER: 'compatible:one', OPENAI_BASE_URL: `${server.address}/v1` });
    const { ask } = opened.forScope(localScope());
    const near = await ask({ question: 'How much does the pump RX-4417 weigh?' });
    expect(near.abstained || near.closestPassages === true || !near.answer.includes('18 kg')).toBe(true);
    const right = await ask({ question: 'How much does the pump RX-4471 weigh?' });
    expect(right.answer).toContain('18 kg');
    expect(right.closestPassages).not.toBe(true);
    await server.close();
  });
});
