// Clients that people have, each asking the real server in its own way: the marks, links and quotes that survive in its own types are the table of
// docs/doors.md, an abstention and failures arrive, and whoever leaves ends the work. Those of test-clients/sdks are asked where
// `npm ci --ignore-scripts --prefix test-clients/sdks` has installed them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Citation } from '../../src/core/answer.ts';
import { answerPieces } from '../../src/core/answers/answer-text.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import { joinMarked } from '../../src/core/marked-text.ts';
import { startHttpServer } from '../../src/http/server.ts';
import { clients, isInstalled } from '../../testkit/clients/clients.ts';
import { type Library, openLibrary, question, rowFor, unanswerable } from '../../testkit/clients/library.ts';
import { type Given, shownIn } from '../../testkit/clients/shown.ts';
import { rowsIn } from '../../testkit/clients/table.ts';
import { fakeAppOptions } from './fake-app.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/doors.md'), 'utf8');
let library: Library;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library.close());

it('stand in the table of docs/doors.md, and nobody else', () => {
  expect(rowsIn(page).map((row) => /^\| (.+?) \|/u.exec(row)?.[1])).toEqual(clients.map(({ name }) => name));
});

const passages = ['The tower of Pell is old.', 'Its roof is green [7].'];
const abstention =
  'The documents do not seem to say. Nothing names a height.\n\nThe closest passages:\n\nThe tower of Pell is old. [1] Its roof is green [\u20607]. [2]';
/** An answer that is none, with two passages. */
function abstentionOf(honest: Answer, address: string): Answer {
  const citations = passages.map(
    (quote, at): Citation => ({
      ...{
        index: at + 1,
        documentId: `doc_${at}`,
        chunkId: `chk_${at}`,
        title: `${at}.md`,
        uri: `${at}.md`,
        source: 's',
      },
      ...{ url: `${address}/v1/documents/doc_${at}/view`, quote, start: 0, end: quote.length, score: 1, alsoIn: [] },
    }),
  );
  const told = {
    ...{ claims: [], conflicts: [], abstained: true, abstainReason: 'Nothing names a height.', version: 6 },
    passages: passages.map((text, at) => ({ text, citations: [at + 1], support: 1 })),
  };
  const { text: answer, marks } = joinMarked(answerPieces(told));
  return { ...honest, ...told, citations, answer, marks: [...marks] };
}

const titled = clients.map((client) => ({
  ...client,
  title: isInstalled(client) ? client.name : `${client.name} (not installed in test-clients/sdks)`,
}));
describe.for(titled)('$title', (client) => {
  const absent = !isInstalled(client);
  const ways = (['ask', 'stream'] as const).filter((way) => client[way]);

  it.skipIf(absent)('shows what the table of docs/doors.md says (npm run doors:renew writes it)', async () => {
    expect(rowsIn(page)).toContain(await rowFor(client, library));
  });

  it.skipIf(absent).for(ways)('keeps marks and words of documents apart, and abstains: %s', async (way) => {
    const { text } = await library.ask(client, way);
    expect(text).toContain('is 43 metres tall [\u20602]. [1]');
    expect(text).not.toMatch(/\[[^1\u2060]/u);
    const abstained = await library.ask(client, way, { question: unanswerable });
    expect(abstained.text).not.toMatch(/\[1\]|tall|baked/u);
    expect(abstained.text).toMatch(/\p{L}{3}/u);
  });

  it.skipIf(absent).for(ways)(
    'tells an abstention as every other: its reason, and what comes closest with its links: %s',
    async (way) => {
      const { system, options } = fakeAppOptions({ keys: true });
      const server = await startHttpServer({ ...options, host: '127.0.0.1', port: 0 });
      system.answerWith = async (_request, { onEvent }, honest) => {
        const answer = abstentionOf(honest(), server.url);
        for (const citation of answer.citations) onEvent?.({ type: 'citation', citation });
        let said = 0;
        for (const { text, marks } of answerPieces(answer)) {
          const own = marks.map((mark) => ({ ...mark, start: mark.start + said, end: mark.end + said }));
          onEvent?.({ type: 'delta', text, marks: own });
          said += text.length;
        }
        return answer;
      };
      const { signal } = new AbortController();
      const asked = { url: server.url, key: 'reader-key', question, signal };
      const given = await client[way]?.({ ...asked, model: 'footnote' });
      // The same words at each door, of which the first say that it is none; MCP has its footnotes below, and one client says a piece twice.
      expect(given?.text).toMatch(/^The documents do not seem to say\. /u);
      expect(given?.text).toContain(abstention);
      const linked = client.isWithoutModel ? undefined : await client[way]?.({ ...asked, model: 'footnote:links' });
      await server.close({ deadlineMs: 100 });
      const passages = abstentionOf({} as Answer, server.url).citations;
      for (const { index, url, quote } of passages) {
        const { links } = shownIn(given as Given, { url, quote, mark: `[${index}]` });
        expect([links.length > 0, linked?.text.includes(`(${url} `)]).toContain(true);
      }
    },
  );

  it.skipIf(absent).for(ways)('is told why it is refused: %s', async (way) => {
    const failureOf = async (more: object): Promise<string> => {
      const failed: unknown = await library.ask(client, way, more).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failed).toBeInstanceOf(Error);
      return inspect(failed, { depth: 6 });
    };
    const stranger = await failureOf({ key: 'fn_nobody' });
    expect(stranger).toMatch(/401/u);
    expect(stranger).toMatch(/valid API key/u);
    expect(await failureOf({ question: 'x'.repeat(20_001) })).toMatch(/20,?000/u);
    if (client.isWithoutModel !== true) expect(await failureOf({ model: 'gpt-5' })).toMatch(/does not exist/u);
  });

  it.skipIf(absent).for(ways)('ends the work where it leaves: %s', async (way) => {
    const { system, options } = fakeAppOptions({ keys: true });
    const server = await startHttpServer({ ...options, host: '127.0.0.1', port: 0 });
    const leaving = new AbortController();
    const { promise: over, resolve: end } = Promise.withResolvers<unknown>();
    system.answerWith = async (_request, { onEvent, signal }) => {
      onEvent?.({ type: 'delta', text: 'The lighthouse' });
      await new Promise((left) => {
        signal?.addEventListener('abort', left);
        leaving.abort();
      });
      end(signal?.reason);
      throw new FootnoteError('cancelled', 'Over.');
    };
    const asked = client[way]?.({
      ...{ url: server.url, key: 'reader-key', model: 'footnote', question, signal: leaving.signal },
    });
    await expect(asked).rejects.toThrow();
    // MCP says so in its own words.
    expect(await over).toMatchObject({ code: client.isWithoutModel ? 'CONNECTION_CLOSED' : 'cancelled' });
    await server.close({ deadlineMs: 100 });
  });
});
