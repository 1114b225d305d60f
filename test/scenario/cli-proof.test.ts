// From any answer, in three commands: see why it says so, run it again exactly, make it a regression test. Answers of every kind that a server gives,
// with a model that fails in all of them, and one of the web.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeOpenAI } from '../../src/testing/index.ts';
import { openWebProvider } from '../../testkit/web/provider.ts';
import { openWebSite, page } from '../../testkit/web-site.ts';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

let place: Workplace;
let url: string;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  place = await openWorkplace();
  const site = await openWebSite({
    '/owl.html': page('Owl', '<p>The latest news on the snowy owl of Oban: it weighs 2000 grams.</p>'),
  });
  const listed = [{ url: `${site.origin}/owl.html`, title: 'Owl', words: 'latest news snowy owl Oban' }];
  const provider = await openWebProvider('searxng', listed);
  const model = await startFakeOpenAI(() => ({ error: { status: 503, message: 'It is down.' } }));
  closing.push(
    () => site.close(),
    () => provider.close(),
    () => model.close(),
  );
  const served = await place.serve([], {
    ...model.environment,
    ...provider.environment,
    MODEL_ANSWER: 'compatible:down',
    WEB_ALLOW_HOSTS: site.host,
    WEB_HOST_GAP_MS: '0',
    WEB_SEARCH_TIMEOUT_MS: '60000',
    REQUEST_TIMEOUT_MS: '120000',
    ANSWER_FIRST_TOKEN_TIMEOUT_MS: '60000',
  });
  url = served.url;
  closing.push(() => served.stop());
  await writeFile(join(place.folder, 'leave.md'), '# Leave\n\nNew employees receive 25 days of annual leave.\n');
  await place.run(['ingest', 'leave.md', '--wait']);
  const turn = {
    conversation_id: 'c1',
    turn_id: 't1',
    role: 'user',
    text: 'We decided that the printer stays on floor two.',
    timestamp: '2024-01-01T00:00:00Z',
  };
  await writeFile(join(place.folder, 'talk.jsonl'), `${JSON.stringify(turn)}\n`);
  expect(await place.run(['import', 'auto', 'talk.jsonl'])).toMatchObject({ code: 0 });
}, 300_000);
afterAll(async () => {
  for (const close of closing.reverse()) await close();
  await place.remove();
});

async function post(path: string, body: object): Promise<Record<string, string>> {
  const reply = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(reply.status).toBe(200);
  return (await reply.json()) as Record<string, string>;
}

const asked = 'How many days of annual leave do new employees receive?';
const answers: readonly (readonly [name: string, ask: () => Promise<Record<string, string>>, shown: RegExp])[] = [
  ['a question', () => post('/v1/ask', { question: asked }), /answered .*New employees/u],
  ['a message', () => post('/v1/rag/sessions/s1/messages', { content: asked }), /answered .*New employees/u],
  ['an abstention', () => post('/v1/ask', { question: 'What does the moon weigh?' }), /abstained/u],
  [
    'files of the request',
    () =>
      post('/v1/ask', {
        question: 'Which printer is out of toner?',
        workspace: [{ path: 'notes.md', text: '# Notes\n\nThe printer on floor two is out of toner.\n' }],
      }),
    /answered .*floor two/u,
  ],
  [
    'the web',
    () => post('/v1/ask', { question: 'What is the latest news on the snowy owl of Oban?' }),
    /answered .*latest news/u,
  ],
];

describe('an answer', () => {
  it.each(answers)('of %s is shown, run again and made a test', { timeout: 300_000 }, async (name, ask, shown) => {
    const { id = '' } = await ask();
    const trace = await place.run(['trace', 'show', id]);
    expect(trace).toMatchObject({ code: 0 });
    expect(trace.out).toMatch(shown);
    // Why it was not written by the model, too.
    if (name === 'a question') expect(trace.out).toMatch(/degraded answer-model/u);
    const again = await place.run(['replay', id]);
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('the same, byte for byte') });
    const suite = name.replaceAll(' ', '-');
    const made = await place.run(['eval', 'from-trace', id, '--out', `${suite}/cases.jsonl`]);
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/and 1 document|and \d+ documents/u) });
    const run = await place.run(['eval', 'run', suite, '--gate', '--out', `${suite}-run`]);
    expect(`${run.code} ${run.err}`).toMatch(/^0 /u);
  });
});

it('of an analysis and of a chat are shown, run again and made tests, too', {
  timeout: 300_000,
}, async () => {
  const analysis = await post('/v1/analyses', { kind: 'market', subject: 'annual leave' });
  const content = 'What did we decide about the printer?';
  const chat = await fetch(`${url}/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content }] }),
  });
  expect(await chat.text()).toContain('floor two');
  const [chatted] = (await place.run(['trace', 'list', '--kind', 'chat', '--json'])).json().data;
  for (const [id = '', beside] of [
    [analysis['id'], /and \d+ documents? beside/u],
    [chatted.id, /and 1 turn beside/u],
  ] as const) {
    expect((await place.run(['trace', 'show', id])).out).toMatch(/answered|abstained/u);
    expect((await place.run(['replay', id])).out).toContain('the same, byte for byte');
    const made = await place.run(['eval', 'from-trace', id, '--out', 'others/cases.jsonl']);
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(beside) });
  }
  // So is one that found nothing.
  const further = await fetch(`${url}/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'What did we decide about penguins?' }] }),
  });
  expect(await further.text()).toContain('"abstained":true');
  const [silent] = (await place.run(['trace', 'list', '--kind', 'chat', '--json'])).json().data;
  expect(await place.run(['eval', 'from-trace', silent.id, '--out', 'others/cases.jsonl'])).toMatchObject({ code: 0 });
  const run = await place.run(['eval', 'run', 'others', '--gate', '--out', 'others-run']);
  expect(`${run.code} ${run.err}`).toMatch(/^0 /u);
  // A turn that says something else is found out.
  const path = join(place.folder, 'others/conversations.jsonl');
  await writeFile(path, (await readFile(path, 'utf8')).replace('floor two', 'floor nine'));
  const worse = await place.run(['eval', 'run', 'others', '--gate', '--out', 'others-worse']);
  expect(worse).toMatchObject({ code: 1, err: expect.stringContaining(`${chatted.id} does not pass`) });
});
