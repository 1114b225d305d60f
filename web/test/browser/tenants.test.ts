// Two roles of two tenants, on every page: nothing is shown, counted or hinted that is another's, neither on the screen nor in what the page is sent, and no page
// asks for what its key may not ask for.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openPage, type Server, sharedBrowser, startServer } from './harness.ts';

const tenants = ['here', 'there'] as const;
const roles = ['admin', 'reader'] as const;

interface Own {
  readonly tenant: string;
  readonly role: (typeof roles)[number];
  readonly secret: string;
  /** Stands in all that is this key's alone. */
  readonly word: string;
  readonly session: string;
  readonly trace: string;
}
/** Stands in what all keys of a tenant share. */
const sharedWord = (tenant: string): string => `Quill${tenant}`;
/** What of a tenant has an address of its own. */
interface Shared {
  readonly document: string;
  readonly conversation: string;
}

describe.skipIf(!hasBrowser)('two roles of two tenants', () => {
  let browser: Browser;
  let server: Server;
  const owned: Own[] = [];
  const shared = new Map<string, Shared>();

  const send = async <Reply>(secret: string, path: string, body: unknown): Promise<Reply> => {
    const isText = typeof body === 'string';
    const reply = await fetch(server.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': isText ? 'application/x-ndjson' : 'application/json',
      },
      body: isText ? body : JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`);
    return (await reply.json()) as Reply;
  };

  beforeAll(async () => {
    [browser, server] = await Promise.all([sharedBrowser(), startServer()]);
    // The first key is of the tenant that was open before, and makes the others.
    const first = server.createKey('admin', 'first');
    for (const tenant of tenants) {
      const word = sharedWord(tenant);
      const secrets = roles.map((role) => {
        server.useKey(first);
        return server.createKey(role, `${role}-${word}`, tenant);
      });
      const [admin = ''] = secrets;
      server.useKey(admin);
      const text = `# The mill of ${word}\n\nThe mill of ${word} grinds 400 kilograms of rye a day.\n`;
      const document = await server.add({ name: `${word}.md`, text, mime: 'text/markdown' });
      const turn = {
        conversation_id: `talk-${tenant}`,
        turn_id: `talk-${tenant}-1`,
        role: 'user',
        text: `We spoke of the mill of ${word}.`,
        title: `Talk of ${word}`,
        timestamp: '2024-03-01T10:00:00Z',
      };
      await send(admin, '/v1/conversations/import?format=jsonl', JSON.stringify(turn));
      shared.set(tenant, { document, conversation: turn.conversation_id });
      for (const [at, role] of roles.entries()) {
        const secret = secrets[at] ?? '';
        const own = `Plume${role}${tenant}`;
        const { id } = await send<{ id: string }>(secret, '/v1/rag/sessions', {});
        const content = `What does the mill grind a day, asked ${own}?`;
        const { traceId } = await send<{ traceId: string }>(secret, `/v1/rag/sessions/${id}/messages`, { content });
        await send(secret, '/v1/memories', { text: `I keep a goose called ${own}.` });
        owned.push({ tenant, role, secret, word: own, session: id, trace: traceId });
      }
    }
  });
  afterAll(async () => {
    await server?.close();
  });

  it.each(tenants.flatMap((tenant) => roles.map((role) => [role, tenant] as const)))(
    'show the %s of “%s” nothing of another',
    async (role, tenant) => {
      const own = owned.find((one) => one.role === role && one.tenant === tenant);
      const other = owned.find((one) => one.role === role && one.tenant !== tenant);
      const elsewhere = shared.get(other?.tenant ?? '');
      if (!own || !other || !elsewhere) throw new Error('There is no such key.');
      const isAdmin = role === 'admin';
      // An admin reads the traces of the tenant, and so what its readers asked.
      const hidden = [
        sharedWord(other.tenant),
        ...owned.filter((one) => one !== own && !(isAdmin && one.tenant === tenant)).map(({ word }) => word),
      ];
      const hides = (text: string, where: string): void => {
        for (const word of hidden) expect(text.includes(word), `${word} in ${where}`).toBe(false);
      };
      const { page, check, close } = await openPage(browser, server);
      await page.addInitScript((key) => sessionStorage.setItem('footnote-key', key), own.secret);
      const replies: Promise<{ path: string; status: number; text: string }>[] = [];
      page.on('response', (reply) => {
        const { pathname } = new URL(reply.url());
        if (!/^\/(?:v1|admin)\//u.test(pathname)) return;
        const text = reply.text().catch(() => '');
        replies.push(text.then((body) => ({ path: pathname, status: reply.status(), text: body })));
      });
      const visit = async (path: string) => {
        replies.length = 0;
        await page.goto(server.url + path);
        await page.waitForLoadState('networkidle');
        const sent = await Promise.all(replies);
        hides((await page.locator('body').textContent()) ?? '', path);
        for (const reply of sent) hides(reply.text, `${reply.path} for ${path}`);
        return sent;
      };

      const pages = ['/', '/app/search?q=mill+grinds', '/app/documents', '/app/sources', '/app/conversations?q=mill'];
      const later = ['/app/conversations', '/app/evals', '/app/memory', '/app/settings', '/app/health'];
      for (const path of [...pages, ...later, ...(isAdmin ? ['/app/traces'] : [])]) {
        const sent = await visit(path);
        expect(sent.length, path).toBeGreaterThan(0);
        expect(
          sent.filter(({ status }) => status >= 400),
          path,
        ).toEqual([]);
        if (!isAdmin) expect(sent.filter((reply) => reply.path.startsWith('/admin'))).toEqual([]);
        expect(await page.locator('#holdings').textContent(), path).toBe('1 document in 1 source');
        expect(await page.getByRole('link', { name: 'Traces', exact: true }).count(), path).toBe(isAdmin ? 1 : 0);
      }

      // The same addresses as the other tenant has them say that there is nothing.
      for (const path of [
        `/app/documents/${elsewhere.document}?start=0&end=20`,
        `/app/ask/${other.session}`,
        `/app/conversations/${elsewhere.conversation}`,
        `/app/traces/${other.trace}`,
      ]) {
        const sent = await visit(path);
        expect(
          sent.some(({ status }) => status === 404 || status === 403),
          path,
        ).toBe(true);
      }

      // What is its own is there: the words that were looked for can be seen at all.
      await visit(`/app/ask/${own.session}`);
      await page.locator('.turn').first().waitFor();
      const shown = (await page.locator('body').textContent()) ?? '';
      expect(shown).toContain(own.word);
      expect(shown).toContain(sharedWord(tenant));
      await visit('/app/memory');
      await expect.poll(() => page.locator('main').textContent()).toContain(own.word);
      await check();
      await close();
    },
  );
});
