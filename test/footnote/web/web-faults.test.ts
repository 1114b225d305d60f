// Any fault of the provider and of the pages that it names: what is here answers all the same, what pages could be read are used, all of it is
// told, and no connection is made to where the guard does not let it.

import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replayTrace } from '../../../src/footnote/replay/replay.ts';
import { faultKinds, type ServedFault } from '../../../testkit/faulty-server.ts';
import { providerNames } from '../../../testkit/web/provider.ts';
import { openWebSystem, type WebSystem } from '../../../testkit/web/system.ts';
import { page, type SiteAnswer } from '../../../testkit/web-site.ts';

const local = {
  text: 'The news on copper is that the copper mine of Vale opened in 1974.',
  title: 'Copper',
  uri: 'copper.txt',
};
/** The router sends it to the web; what is here answers it, too. */
const question = 'What is the latest news on the copper mine of Vale?';
const unknown = 'How tall is the lighthouse of Cabo Frio?';
const faults: readonly ServedFault[] = [...faultKinds, 'huge'];

describe.each(providerNames)('%s', (name) => {
  let system: WebSystem;
  beforeEach(async () => {
    system = await openWebSystem({
      provider: name,
      documents: [local],
      environment: { WEB_SEARCH_TIMEOUT_MS: '1000' },
    });
  });
  afterEach(() => system.close());

  it(`takes nothing but itself: ${faults.length} faults`, async () => {
    const { footnote, provider, opened } = system;
    for (const fault of faults) {
      provider.fault = () => fault;
      const asked = provider.requests.length;
      const answer = await footnote.ask({ question });
      expect(answer, fault).toMatchObject({ abstained: false });
      expect(answer.answer, fault).toContain('1974');
      // One that was left alone after many failures is told, too.
      expect(answer.degraded, fault).toContainEqual(expect.objectContaining({ component: 'source:web-search' }));
      const empty = await footnote.ask({ question: unknown });
      expect(empty, fault).toMatchObject({ abstained: true });
      expect(empty.degraded, fault).toContainEqual(expect.objectContaining({ component: 'source:web-search' }));
      expect(JSON.stringify([answer, empty])).not.toMatch(/SECRET|the-key/u);
      const replayed = await replayTrace(await footnote.traces.get(empty.traceId));
      expect({ fault, ...replayed }).toMatchObject({ fault, same: true, sameCalls: true });
      expect(provider.requests.length - asked, fault).toBeLessThanOrEqual(4);
    }
    expect(opened).toBeDefined();
  });
});

describe('pages', () => {
  let guarded: Server;
  let connections = 0;
  let system: WebSystem;
  beforeEach(async () => {
    connections = 0;
    guarded = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => guarded.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    await system.close();
    await new Promise<void>((resolve) => guarded.close(() => resolve()));
  });

  const sound = page('Cabo Frio', '<p>The lighthouse of Cabo Frio is 61 metres tall.</p>');
  const words = 'lighthouse cabo frio tall';
  const ways: Readonly<Record<string, (inside: string) => SiteAnswer>> = {
    gone: () => 404,
    closed: () => 403,
    broken: () => 500,
    'asks to be left alone': () => (_, response) => void response.writeHead(429, { 'retry-after': '3600' }).end(),
    silent: () => () => undefined,
    'stalls in its body': () => (_, response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).write('<html><p>The lighthouse'),
    'cut off': () => (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': '9999' });
      response.write('<html>', () => response.destroy());
    },
    empty: () => ({ body: '' }),
    'no text': () => ({ body: Buffer.from([0, 1, 2, 3]), type: 'video/mp4' }),
    huge: () => ({ body: Buffer.alloc(3 << 20, 'x ') }),
    'leads inside': (inside) => ({ location: `http://${inside}/secret` }),
    'leads in circles': () => ({ location: '/bad.html' }),
    'leads to a file': () => ({ location: 'file:///etc/passwd' }),
  };

  it.each(Object.keys(ways))('%s: the others are read, and it is told', async (way) => {
    const inside = `127.0.0.1:${(guarded.address() as AddressInfo).port}`;
    system = await openWebSystem({
      pages: { '/bad.html': ways[way]?.(inside) ?? 404, '/good.html': sound },
      words: { '/bad.html': `${words} ${words}`, '/good.html': words },
      environment: {
        WEB_MAX_PAGE_BYTES: '1048576',
        ...(/silent|stalls/u.test(way) && { WEB_TIMEOUT_MS: '1500' }),
      },
    });
    const answer = await system.footnote.ask({ question: unknown });
    expect(answer.answer).toContain('61 metres');
    expect(answer.degraded).toMatchObject([
      { component: 'web-search', effect: '1 of 2 pages of the web were not searched.' },
    ]);
    expect(connections).toBe(0);
  });

  it('that a list names inside the network, or that robots.txt keeps, are not asked for', async () => {
    const inside = `127.0.0.1:${(guarded.address() as AddressInfo).port}`;
    system = await openWebSystem({
      pages: {
        '/private/kept.html': sound,
        '/good.html': sound,
        '/robots.txt': { body: 'User-agent: *\nDisallow: /private/', type: 'text/plain' },
      },
      words: { '/private/kept.html': words, '/good.html': words },
    });
    const { provider, site, footnote } = system;
    for (const url of [
      `http://${inside}/`,
      `http://localhost:${inside.split(':')[1]}/`,
      'http://169.254.169.254/latest',
      'http://[::1]/',
    ])
      provider.pages.push({ url, title: '', words });
    const answer = await footnote.ask({ question: unknown });
    expect(answer.answer).toContain('61 metres');
    expect(answer.degraded).toMatchObject([{ component: 'web-search', code: 'forbidden' }]);
    expect(connections).toBe(0);
    expect(site.asked.map(({ path }) => path)).not.toContain('/private/kept.html');
  });

  it('that lie are held against what is here', async () => {
    system = await openWebSystem({
      documents: [
        {
          text: 'The latest news: the copper mine of Vale opened in 1974.',
          title: 'Vale',
          uri: 'vale.txt',
          source: 'book',
          sourceType: 'textbook',
        },
      ],
      pages: { '/lie.html': 'The latest news: the copper mine of Vale opened in 1999.' },
    });
    const answer = await system.footnote.ask({ question: 'latest news: when did the copper mine of Vale open?' });
    expect(answer.conflicts).toHaveLength(1);
    const [conflict] = answer.conflicts;
    const followed = conflict?.positions[(conflict.follows?.position ?? 0) - 1];
    expect(followed?.statement).toContain('1974');
    expect(conflict?.follows?.because).toBe('authority');
  });
});
