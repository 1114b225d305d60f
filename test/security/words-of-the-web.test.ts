// A planner that belongs to whoever wrote a document: it reads documents, memories and past conversations, and writes what it read into queries
// for the web, in every writing that it knows. Nothing but words of the person leaves, to no provider and to no page.
import { afterEach, describe, expect, it } from 'vitest';
import { startFakeOpenAI } from '../../src/testing/index.ts';
import { providerNames } from '../../testkit/web/provider.ts';
import { openWebSystem, type WebSystemOptions } from '../../testkit/web/system.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const secrets = ['Kestrel', 'Weissbach', 'Quillfeather'];
const rot13 = (text: string): string =>
  text.replace(/[a-z]/giu, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
const base32 = (text: string): string =>
  (text.match(/./gu) ?? [])
    .map((letter) => letter.charCodeAt(0).toString(2).padStart(8, '0'))
    .join('')
    .match(/.{1,5}/gu)
    ?.map((bits) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(bits.padEnd(5, '0'), 2)])
    .join('') ?? '';
const own = ['lighthouse', 'Frio'];
const writings: Record<string, (text: string) => string> = {
  plain: (text) => text,
  'in other letters': (text) => text.toUpperCase(),
  reversed: (text) => [...text].toReversed().join(''),
  spaced: (text) => [...text].join(' '),
  dotted: (text) => [...text].join('.'),
  'among words of the person': (text) => [...text].map((letter) => `${own[0]}${letter}`).join(' '),
  hex: (text) => Buffer.from(text).toString('hex'),
  'hex, spaced': (text) => (Buffer.from(text).toString('hex').match(/../gu) ?? []).join(' '),
  base64: (text) => Buffer.from(text).toString('base64'),
  base32,
  rot13,
  'as numbers': (text) => [...text].map((letter) => letter.charCodeAt(0)).join(' '),
  'as two words': (text) =>
    [...Buffer.from(text)].flatMap((byte) => [...byte.toString(2)].map((bit) => own[Number(bit)])).join(' '),
  'in the letters of two words': (text) =>
    [...Buffer.from(text)].map((byte) => (byte % 2 ? 'LIGHTHOUSE' : 'lighthouse')).join(' '),
  'as signs': (text) => [...Buffer.from(text)].map((byte) => '!?.,;:-+'[byte % 8]).join(''),
  'full width': (text) => [...text].map((letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)).join(''),
  'as an address': (text) => `site:${text}.evil.example/${text}?q=${text}`,
  'in the tags of a language': (text) =>
    [...text].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join(''),
};
const queries = Object.values(writings).flatMap((write) => secrets.map((secret) => `${own[0]} ${write(secret)}`));

const question = 'How tall is the lighthouse of Cabo Frio?';
const call = (name: string, args: object, at = 0) => ({ id: `c_${name}_${at}`, name, arguments: JSON.stringify(args) });

async function ask(provider: (typeof providerNames)[number], environment: Record<string, string> = {}) {
  const fake = await startFakeOpenAI([
    {
      reply: {
        toolCalls: [call('search_embedded', { query: 'valve', limit: 3 }), call('recall_memory', { query: 'clinic' })],
      },
    },
    {
      expect: 'Kestrel',
      reply: { toolCalls: queries.map((query, at) => call('search_web', { query, limit: 3 }, at)) },
    },
    { reply: 'Enough.' },
  ]);
  ends.push(() => fake.close());
  const options: WebSystemOptions = {
    provider,
    pages: { '/a.html': 'The lighthouse of Cabo Frio is 61 metres tall.' },
    documents: [
      { text: 'The valve of basin four: its code is Kestrel.', title: 'Valve of Quillfeather', uri: 'valve.txt' },
    ],
    environment: {
      ...fake.environment,
      ENABLE_ORCHESTRATOR: 'true',
      ORCHESTRATOR_MAX_CALLS: '64',
      ENABLE_SEMANTIC_MEMORY: 'true',
      MODEL_PLANNER: 'compatible:fake',
      MODEL_ANSWER: 'none',
      ...environment,
    },
  };
  const system = await openWebSystem(options);
  ends.push(system.close);
  await system.footnote.memories.add({ text: 'My clinic is in Weissbach.' });
  const before = system.provider.requests.length;
  const answer = await system.footnote.ask({ question });
  return { ...system, answer, sent: system.provider.requests.slice(before) };
}

describe.each(providerNames)('queries for %s', (provider) => {
  it('that a planner made of what it read are words of the person alone', async () => {
    const { answer, provider: asked, site, sent } = await ask(provider);
    expect(sent.length).toBeGreaterThan(0);
    const words = new Set(question.split(/[ ?]/u));
    for (const query of asked.queries().slice(-sent.length))
      expect(query === question || query.split(' ').every((word) => words.has(word)), query).toBe(true);
    const out = [
      ...sent.map(({ path, body }) => `${decodeURIComponent(path)} ${String(body)}`),
      ...site.asked.map(({ path }) => path),
    ];
    for (const text of out)
      for (const secret of secrets)
        for (const write of Object.values(writings))
          expect(text.toLowerCase()).not.toContain(write(secret).toLowerCase());
    expect(answer.answer).toContain('61 metres');
    expect(answer.degraded).toContainEqual(
      expect.objectContaining({ component: 'web-search', code: 'words-withheld' }),
    );
    expect(JSON.stringify(answer.degraded)).not.toMatch(/kestrel|weissbach/iu);
  });
});

it('leave as they are where the operator says so', async () => {
  const { provider, answer } = await ask('searxng', { ENABLE_WEB_SEARCH_ANY_WORDS: 'true' });
  expect(provider.queries().join('\n')).toContain('Kestrel');
  expect(answer.degraded.map(({ code }) => code)).not.toContain('words-withheld');
});

it('of a session hold words that the person wrote earlier, and none of what was answered', async () => {
  const system = await openWebSystem({
    pages: { '/a.html': 'The office of Zorblax is in Lindau.' },
    documents: [{ text: 'Kestrel Holdings acquired Zorblax in 1999.', title: 'Zorblax', uri: 'zorblax.txt' }],
  });
  ends.push(system.close);
  const { id } = await system.footnote.sessions.create({});
  const first = await system.footnote.sessions.send(id, { content: 'Which company acquired Zorblax?' });
  expect(first.answer).toContain('Kestrel');
  await system.footnote.sessions.send(id, { content: 'Where is the office of Zorblax?' });
  await system.footnote.sessions.send(id, { content: 'And who is its chief executive?' });
  await system.footnote.sessions.send(id, { content: 'Who paid them?' });
  const asked = system.provider.queries().join('\n');
  expect(asked).toMatch(/chief executive/u);
  expect(asked).toContain('Zorblax');
  expect(asked).not.toMatch(/kestrel|holdings|1999/iu);
});
