// The page that asks for a key, as a person meets it: a link is opened in a real browser, the key is typed, and the passage is there.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpServer, startHttpServer } from '../../src/http/server.ts';
import { hasBrowser, openTab, type Tab } from '../../testkit/browser.ts';
import { fakeAppOptions } from './fake-app.ts';

describe.skipIf(!hasBrowser)('a link in a browser', () => {
  let server: HttpServer;
  let tab: Tab;
  const logged: string[] = [];
  const text =
    'The lock was rebuilt in 1931. <img src=x onerror="document.title=\'run\'"><script>document.title = 1</script>';
  let view: string;
  beforeAll(async () => {
    const { options } = fakeAppOptions({
      keys: true,
      publicUrl: 'https://kb.example.org/docs',
      log: (line) => logged.push(JSON.stringify(line)),
    });
    server = await startHttpServer({ ...options, host: '127.0.0.1', port: 0 });
    const reply = await fetch(`${server.url}/v1/documents`, {
      method: 'POST',
      headers: { authorization: 'Bearer writer-key', 'content-type': 'application/json' },
      body: JSON.stringify({ text, uri: 'mill.md', title: 'The mill' }),
    });
    const { documents } = (await reply.json()) as { documents: [{ id: string }] };
    view = `${server.url}/docs/v1/documents/${documents[0].id}/view?start=0&end=29`;
    tab = await openTab();
  });
  afterAll(async () => {
    await tab?.close();
    await server?.close({ deadlineMs: 100 });
  });

  const type = (key: string) =>
    tab.read(
      `document.querySelector('#key').value = ${JSON.stringify(key)}; document.querySelector('#key-form').requestSubmit(); 1`,
    );

  it('asks for the key, says where it is wrong, and opens the passage with it', async () => {
    await tab.open(view);
    await tab.until(`document.querySelector('#key') === document.activeElement && document.styleSheets.length === 1`);
    expect(await tab.read('document.body.innerText')).not.toContain('1931');
    await type('wrong-key');
    await tab.until(`document.querySelector('#status').textContent.includes('does not know')`);
    expect(await tab.read(`sessionStorage.length`)).toBe(0);
    await type('reader-key');
    await tab.until(`location.pathname.startsWith('/docs/app/documents/') && document.querySelector('.source-text')`);
    expect(await tab.read(`[...CSS.highlights.get('quote')][0].toString()`)).toBe('The lock was rebuilt in 1931.');
    expect(await tab.read(`document.querySelector('.source-text').textContent`)).toContain(text);
    expect(await tab.read('location.search')).toBe('?start=0&end=29');
    // The text alone, as the server prints it, for long ones and for readers without a script.
    await tab.open(`${view}&from=0`);
    await tab.until(`document.querySelector('mark')`);
    expect(await tab.read(`document.querySelector('mark').textContent`)).toBe('The lock was rebuilt in 1931.');
    expect(await tab.read(`document.querySelector('pre').textContent`)).toBe(text);
    expect(await tab.read('document.title')).toBe('The mill');
    expect(await tab.read('document.activeElement.id')).toBe('span');
    await tab.until(`[...document.styleSheets].some(({ href }) => href.endsWith('/docs/assets/view.css'))`);
    expect(await tab.read('location.href')).toBe(`${view}&from=0`);
    // Nothing of the text was made an element, and nothing runs in its page.
    expect(await tab.read(`document.querySelectorAll('img, body script').length`)).toBe(0);
  });

  it('asks no second time in the same tab, and shows what is no page as text', async () => {
    await tab.open(view.replace('/view', '/text'));
    await tab.until(`document.querySelector('pre')?.textContent.includes('1931')`);
    expect(await tab.read(`document.querySelectorAll('img').length`)).toBe(0);
    await tab.open(`${server.url}/v1/documents/doc_none/view?start=0&end=1`);
    await tab.until(`document.querySelector('pre')?.textContent.length > 0`);
    expect(await tab.read(`document.querySelector('pre').textContent`)).toMatch(/no document|not found/iu);
  });

  it('finds the ask page below the prefix, which calls the API there', async () => {
    await tab.open(`${server.url}/docs`);
    await tab.until(`document.querySelector('#holdings')?.textContent.startsWith('1 document')`);
  });

  it('puts the key into no address, no log and no store but that of its tab', async () => {
    for (const line of [...tab.requested, ...logged]) expect(line).not.toMatch(/(?:reader|wrong)-key/u);
    for (const url of tab.requested.filter((one) => one.startsWith('http')))
      expect(url.startsWith(server.url)).toBe(true);
    expect(await tab.read('JSON.stringify({ ...localStorage }) + document.cookie')).toBe('{}');
    expect(await tab.read('JSON.stringify({ ...sessionStorage })')).toBe('{"footnote-key":"reader-key"}');
    expect(tab.complaints.filter((one) => !/status of 40[14]/u.test(one))).toEqual([]);
  });
});
