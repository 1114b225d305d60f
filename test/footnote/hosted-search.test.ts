// The hosted tool `file_search`: in mode vector the answering model of OpenAI searches the store there by itself; what it finds is located in our text
// and cited as spans of ours. Over the real adapters and a stand-in whose every request and reply is checked against OpenAI's specification.
import { afterEach, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { openaiModel } from '../../src/models/language/ai-sdk/openai.ts';
import { scopeFor } from '../../src/stores/conformance/harness.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import {
  type OpenaiSimulator,
  openOpenaiSimulator,
  type SimulatorOptions,
  simulatorKey,
} from '../../testkit/openai/openai-simulator.ts';
import type { HostedModel } from '../../testkit/openai/vector-stores.ts';
import { temporaryFolder } from '../../testkit/record-fixture.ts';

interface Place {
  readonly opened: OpenedFootnote;
  readonly simulator: OpenaiSimulator;
}
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open(
  hosted: HostedModel = {},
  more: Readonly<Record<string, string>> = {},
  service: SimulatorOptions = {},
): Promise<Place> {
  const simulator = await openOpenaiSimulator({ ...service, hosted });
  const { folder, remove } = temporaryFolder();
  const model = openaiModel('gpt-5.2', {
    apiKey: simulatorKey,
    address: simulator.address,
    fetch,
    keySetting: 'OPENAI_API_KEY',
    addressSetting: 'OPENAI_BASE_URL',
  });
  const environment = {
    FOOTNOTE_DATA: `${folder}/data`,
    OPENAI_API_KEY: simulatorKey,
    OPENAI_BASE_URL: simulator.address,
    VECTOR_STORE: 'openai',
    MODEL_EMBED: 'none',
    ENABLE_HOSTED_FILE_SEARCH: 'true',
    ...more,
  };
  // Answers in the documents' own sentences: only what is found is looked at here.
  const opened = await openFootnote(loadConfig({ folder, environment }), {
    models: { of: (role) => (role === 'answer' ? model : undefined), answering: () => undefined },
  });
  closing.push(async () => {
    await opened.close();
    await simulator.close();
    remove();
    expect(simulator.violations).toEqual([]);
  });
  const footnote = opened.forScope(localScope());
  const put = (uri: string, text: string, access?: readonly string[]) =>
    footnote.documents.add({ uri, text, mime: 'text/markdown', source: 'notes', ...(access && { access }) });
  await put('owl.md', '# Owls\n\nThe barn owl weighs 500 grams.\n');
  await put('heron.md', '# Herons\n\nThe grey heron weighs 1500 grams.\n');
  await put('secret.md', '# Secrets\n\nThe snowy owl weighs 2000 grams.\n', ['team']);
  await opened.settle('default');
  return { opened, simulator };
}

const toolsOf = ({ simulator }: Place) =>
  simulator.calls.flatMap(({ name, body }) =>
    name === 'responses.create' ? [(body as { tools: readonly Record<string, unknown>[] }).tools] : [],
  );

it('cites what the model found in words of its own, as a span of ours', async () => {
  // Nothing of the question is in the document: the model knows another word for it.
  const place = await open({ queries: () => ['barn owl grams'] });
  const answer = await place.opened.forScope(localScope()).ask({ question: 'How heavy is Tyto alba?', mode: 'vector' });
  expect(answer.sources[0]).toMatchObject({ title: 'Owls' });
  const asked = await place.opened
    .forScope(localScope())
    .ask({ question: 'How many grams does the barn owl weigh?', mode: 'vector' });
  expect(asked.citations[0]).toMatchObject({ title: 'Owls', quote: 'The barn owl weighs 500 grams.', start: 8 });
  const trace = await place.opened.forScope(localScope()).traces.get(answer.traceId);
  expect(JSON.stringify(trace)).toContain('file-search@1');
  const tool = {
    type: 'file_search',
    vector_store_ids: [[...place.simulator.state.stores.keys()][0]],
    max_num_results: 50,
    filters: expect.objectContaining({ type: 'and' }),
  };
  expect(toolsOf(place)).toEqual([[tool], [tool]]);
});

it('replays from its trace alone', async () => {
  const place = await open({ queries: () => ['barn owl grams', 'owl'] });
  const footnote = place.opened.forScope(localScope());
  const answer = await footnote.ask({ question: 'How many grams does the barn owl weigh?', mode: 'vector' });
  place.simulator.setFault(() => 500);
  expect(await footnote.traces.replay(answer.traceId)).toMatchObject({ same: true, sameCalls: true, divergences: [] });
});

it('asks it in mode vector, for answers, where it is switched on, and nowhere else', async () => {
  const place = await open();
  const footnote = place.opened.forScope(localScope());
  await footnote.ask({ question: 'How many grams does the barn owl weigh?', mode: 'embedded' });
  await footnote.ask({ question: 'How many grams does the barn owl weigh?', mode: 'hybrid' });
  await footnote.search({ query: 'barn owl', mode: 'vector' });
  expect(toolsOf(place)).toEqual([]);
  const off = await open({}, { ENABLE_HOSTED_FILE_SEARCH: 'false' });
  await off.opened.forScope(localScope()).ask({ question: 'How many grams does the barn owl weigh?', mode: 'vector' });
  expect(toolsOf(off)).toEqual([]);
});

it('gives the tool the rights of who asks and the filter of the request, and believes neither model nor provider', async () => {
  const found: string[] = [];
  const place = await open({
    queries: () => ['owl weighs grams'],
    told(results) {
      found.push(...results.map(({ text }) => text));
      return results;
    },
  });
  const bob = place.opened.forScope(scopeFor('default', 'key:bob'));
  const asked = { question: 'How heavy are owls?', mode: 'vector' } as const;
  const answer = await bob.ask(asked);
  expect(answer.sources.map(({ title }) => title)).toContain('Owls');
  expect(JSON.stringify(answer)).not.toContain('snowy');
  expect(found.join(' ')).not.toContain('snowy');
  const filtered = await bob.ask({ ...asked, filter: { op: 'eq', field: 'uri', value: 'heron.md' } });
  expect(filtered.sources.map(({ title }) => title)).toEqual(['Herons']);
});

it('shows nobody what a provider gives that ignores the filter', async () => {
  let isGiven = false;
  const place = await open({ queries: () => ['snowy owl weighs grams'] }, {}, { ignoresFilters: true });
  const bob = place.opened.forScope(scopeFor('default', 'key:bob'));
  place.simulator.state.hosted.told = (results) => {
    isGiven ||= results.some(({ text }) => text.includes('snowy'));
    return results;
  };
  const answer = await bob.ask({ question: 'How many grams does the snowy owl weigh?', mode: 'vector' });
  expect(isGiven).toBe(true);
  expect(JSON.stringify([answer.answer, answer.citations, answer.sources])).not.toContain('2000');
});

it('leaves out what stands in no text of ours, and tells it', async () => {
  const place = await open({
    queries: () => ['barn owl'],
    told: ([first]) =>
      first
        ? [
            { ...first, text: 'The barn owl weighs 9000 grams.' },
            { ...first, file_id: 'file-strange', attributes: {}, text: 'The barn owl weighs 7000 grams.' },
          ]
        : [],
  });
  const answer = await place.opened
    .forScope(localScope())
    .ask({ question: 'How many grams does the barn owl weigh?', mode: 'vector' });
  expect(JSON.stringify([answer.answer, answer.citations, answer.sources])).not.toMatch(/9000|7000/);
  expect(answer.degraded.map(({ component, code }) => [component, code])).toEqual(
    expect.arrayContaining([
      ['openai', 'not-located'],
      ['file_search', 'not-located'],
    ]),
  );
  expect(answer.answer).toContain('500 grams');
});

it('goes on with what the store found where the model fails, and tells it', async () => {
  const place = await open();
  place.simulator.setFault(({ name }) => (name === 'responses.create' ? 500 : undefined));
  const answer = await place.opened
    .forScope(localScope())
    .ask({ question: 'How many grams does the barn owl weigh?', mode: 'vector' });
  expect(answer.answer).toContain('500 grams');
  expect(answer.degraded).toMatchObject([{ component: 'file_search', effect: 'Searched without file_search.' }]);
});

it('tells where the provider keeps back what was found', async () => {
  const place = await open({ told: () => null });
  const answer = await place.opened
    .forScope(localScope())
    .ask({ question: 'How many grams does the barn owl weigh?', mode: 'vector' });
  expect(answer.degraded).toMatchObject([{ component: 'file_search', code: 'upstream-invalid' }]);
});
