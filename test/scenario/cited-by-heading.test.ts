// What has neither pages nor lines nor places of its own is cited by heading: answers, evidence, chunks, the view and the check say the same.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServerProcess, startServerProcess } from '../../testkit/server-process.ts';

const page = `<!doctype html><title>Handbook</title><h1>Handbook</h1><p>Welcome to the company.</p>
<h2>Annual leave</h2><p>Every employee of Brackwater has 27 days of annual leave.</p>
<h2>Sickness</h2><p>A doctor's note is due at Brackwater on the fourth day of sickness.</p>`;
const mail =
  'From: Ann <ann@example.org>\nTo: Bob <bob@example.org>\nSubject: Harbour crane\nMIME-Version: 1.0\n' +
  'Content-Type: text/html\n\n<h2>Inspection</h2><p>The harbour crane of Brackwater was inspected by Olga Petrov.</p>' +
  '<h2>Costs</h2><p>The repair of the harbour crane costs 4,310 euros.</p>\n';

let data: string;
let server: ServerProcess;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'footnote-heading-'));
  server = await startServerProcess(data);
  for (const [name, content] of [
    ['handbook.html', page],
    ['crane.eml', mail],
  ] as const) {
    const form = new FormData();
    form.set('file', new Blob([content]), name);
    const response = await fetch(`${server.url}/v1/documents?wait=true`, { method: 'POST', body: form });
    expect(response.status).toBe(202);
  }
});
afterAll(async () => {
  await server.stop();
  await rm(data, { recursive: true });
});

async function post<T>(path: string, body: object): Promise<T> {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as T;
}

interface Cited {
  readonly citations: readonly {
    readonly place?: string;
    readonly page?: number;
    readonly quote: string;
    readonly url: string;
    readonly documentId: string;
  }[];
}

it.each([
  ['How many days of annual leave does every employee of Brackwater have?', '27 days', 'Annual leave'],
  ["When is a doctor's note due at Brackwater?", 'fourth day', 'Sickness'],
  ['Who inspected the harbour crane of Brackwater?', 'Olga Petrov', 'Inspection'],
  ['What does the repair of the harbour crane cost?', '4,310 euros', 'Costs'],
])('%s', async (question, words, heading) => {
  const answer = await post<Cited>('/v1/ask', { question });
  const citation = answer.citations.find(({ quote }) => quote.includes(words));
  expect(citation?.place).toBe(heading);
  const view = await fetch(
    new URL(new URL(citation?.url ?? '').pathname + new URL(citation?.url ?? '').search, server.url),
    {
      headers: { accept: 'application/json' },
    },
  );
  expect(await view.json()).toMatchObject({ place: heading });
  expect(await post<object>('/v1/answers/verify', answer)).toMatchObject({ ok: true });

  const withPlace = (place: string | undefined): object => ({
    ...answer,
    citations: answer.citations.map(({ place: _, ...one }) => ({ ...one, ...(place !== undefined && { place }) })),
  });
  // Answers that were kept before places were named hold; those that name a wrong one do not.
  expect(await post<object>('/v1/answers/verify', withPlace(undefined))).toMatchObject({ ok: true });
  expect(await post<object>('/v1/answers/verify', withPlace('Elsewhere'))).toMatchObject({ ok: false });

  const chunks = (await (await fetch(`${server.url}/v1/documents/${citation?.documentId}/chunks`)).json()) as {
    data: { id: string; place?: string; text: string }[];
  };
  const chunk = chunks.data.find(({ text }) => text.includes(words));
  expect(chunk?.place).toContain(heading);
  const found = await post<{ results: { chunkId: string; place?: string }[] }>('/v1/search', { query: question });
  expect(found.results.find(({ chunkId }) => chunkId === chunk?.id)?.place).toBe(chunk?.place);
});
