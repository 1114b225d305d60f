// `footnote usage` as a person runs it: on the folder itself, through a server, and after a server that was killed in the moment its
// answer was out.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeServer, openFakeServer } from '../../src/testing/fake-http.ts';
import { renderChat } from '../../src/testing/openai-chat.ts';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

let place: Workplace;
let provider: FakeServer;
const sentence = 'The lighthouse is 43 metres tall.';
const reply = {
  text: JSON.stringify({ claims: [{ text: sentence, quotes: [{ id: 1, quote: sentence }] }], insufficient: false }),
  usage: { input: 1000, output: 200 },
};

beforeAll(async () => {
  provider = await openFakeServer((request) => renderChat(reply, request));
  place = await openWorkplace();
  const settings = [
    `openaiBaseUrl: ${provider.address}/v1`,
    'modelAnswer: compatible:qwen3:8b',
    'modelPrices: compatible:qwen3:8b = 2 / 10',
    'budgetDay: usd 1',
  ];
  await writeFile(join(place.folder, 'footnote.yaml'), `${settings.join('\n')}\n`);
  await writeFile(join(place.folder, 'lighthouse.md'), `# The lighthouse\n\n${sentence}\n`);
  expect((await place.run(['ingest', 'lighthouse.md'])).code).toBe(0);
}, 120_000);
afterAll(async () => {
  await place.remove();
  await provider.close();
});

describe('footnote usage', () => {
  it('sums what was spent on the folder, through a server, and by one that was killed', async () => {
    expect((await place.run(['usage'])).out).toContain('No model was called');
    expect((await place.run(['ask', 'How tall is the lighthouse?'])).out).toContain('43 metres');
    const alone = await place.run(['usage', '--by', 'model']);
    expect(alone.out).toMatch(/compatible:qwen3:8b +1 call +1000 tokens in +200 out +\$0\.004000\n/u);
    expect(alone.out).toMatch(/this tenant today \(BUDGET_DAY\): \$0\.004000 of \$1\.00 spent, anew at .*T00:00:00/u);

    const server = await place.serve();
    expect((await place.run(['ask', 'How tall is the lighthouse?'])).code).toBe(0);
    const through = await place.run(['usage', '--json']);
    expect(through.json()).toMatchObject({ by: 'day', total: { calls: 2, inputTokens: 2000 } });
    // By hand, so that nothing lies between the answer and the kill.
    const asked = await fetch(`${server.url}/v1/ask`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ question: 'How tall is the lighthouse?' }),
    });
    server.server.kill('SIGKILL');
    expect(asked.status).toBe(200);
    await new Promise((resolve) => server.server.once('close', resolve));
    expect(provider.requests).toHaveLength(3);
    const after = await place.run(['usage', '--json']);
    expect(after.json().total).toMatchObject({ calls: 3, inputTokens: 3000, outputTokens: 600, unpricedCalls: 0 });
  }, 120_000);

  it('refuses what is no day', async () => {
    const { code, err } = await place.run(['usage', '--from', 'monday']);
    expect(code).toBe(2);
    expect(err).toContain('from is "monday"');
  }, 60_000);
});
