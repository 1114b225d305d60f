// The evidence of an answer as one page: it needs nothing else, words of documents are text in it, and whatever is changed in it, in its data or
// in its documents is told when it is checked against the record.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { Answer } from '../../src/core/answer.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { readReport } from '../../src/footnote/report/check-report.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

let folder: string;
let opened: OpenedFootnote;
let footnote: Footnote;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-report-'));
  const environment = { FOOTNOTE_DATA: join(folder, 'data'), ENABLE_SEMANTIC_MEMORY: 'true' };
  opened = await openFootnote(loadConfig({ folder, environment }));
  footnote = opened.forScope(localScope());
});
afterEach(async () => {
  await opened.close();
  await rm(folder, { recursive: true });
});

const hostile =
  '</pre><script>alert(1)</script><img src="https://evil.example/x.png" onerror="alert(2)"> &lt;b&gt; \u202egnp.exe';
const tower = (year: number): string =>
  `# The tower\n\nThis is about the tower. ${hostile}\n\n## Building\n\nThe tower of Sines was built in ${year} by Ana Reis.\n\n## Hours\n\nIt is open on Monday.\n`;

async function askOfTower(): Promise<Answer> {
  await footnote.documents.add({
    text: tower(1880),
    mime: 'text/markdown',
    uri: 'tower.md',
    title: `Tower ${hostile}`,
  });
  return footnote.ask({ question: 'When was the tower of Sines built?' });
}

/** Words of documents hold no `<` of their own in it: what looks like a tag is one. */
const tagsOf = (page: string): readonly (readonly [name: string, attributes: string])[] =>
  [...page.matchAll(/<([!/]?[a-z][a-z0-9]*)([^>]*)>/giu)].map(([, name = '', attributes = '']) => [name, attributes]);
const written = new Set(
  'html head meta title style body header p h1 h2 h3 ul ol li b main a span article bdi blockquote mark footer br section code dl dt dd table thead tbody tr td th svg rect pre'.split(
    ' ',
  ),
);

const check = (page: string) => footnote.answers.verifyReport(page);

describe('an evidence report', () => {
  it('holds claims, quotes in their surroundings, hashes and the route, and verifies', async () => {
    const answer = await askOfTower();
    const page = await footnote.answers.report(answer.id);
    expect(await check(page)).toEqual({
      answerId: answer.id,
      ok: true,
      reasons: [],
      citationsHeld: answer.citations.length,
      citations: answer.citations.length,
    });
    const report = await readReport(page);
    expect(report.answer).toEqual(answer);
    const [document] = report.documents;
    const { textHash, contentHash } = await footnote.documents.get(document?.id ?? '');
    expect(document).toMatchObject({ standing: 'same', textHash, contentHash, revision: 1, kind: 'docs' });
    expect(report.passages[0]).toMatchObject({ index: 1, headings: ['The tower'] });
    expect(report.passages[0]?.before).toContain('This is about the tower.');
    expect(report.passages[0]?.after).toContain('It is open on Monday.');
    expect(report.trace).toMatchObject({ question: 'When was the tower of Sines built?', id: answer.traceId });
    expect(report.trace?.searches[0]).toMatchObject({ store: 'embedded', mode: 'lexical', hits: 1 });
    expect(page).toContain(textHash);
    expect(page).toContain(answer.routing.reason);
  });

  it('loads nothing, runs nothing, and shows words of documents as text', async () => {
    const { id } = await askOfTower();
    const page = await footnote.answers.report(id);
    const tags = tagsOf(page);
    for (const [name, attributes] of tags) {
      if (!name.startsWith('/') && name !== '!doctype') expect(written).toContain(name);
      for (const [, attribute = '', value = ''] of attributes.matchAll(/([a-z-]+)="([^"]*)"/gu)) {
        expect(attribute).not.toMatch(/^on|^src|^style$|^action/u);
        if (attribute === 'href') expect(value).toMatch(/^#c\d+$/u);
      }
    }
    const bare = tags.map(([, attributes]) => attributes.replace(/ ?[a-z-]+="[^"]*"/gu, '').trim());
    expect(bare.filter((left) => left !== '' && left !== '/')).toEqual(['html', 'hidden']);
    expect(page).not.toContain('\u202e');
    expect(page).not.toMatch(/url\(|@import/u);
    expect(page).toContain('default-src &#39;none&#39;');
  });

  it.each([
    ['words that it shows', (page: string) => page.replace('1880', '1980')],
    ['every place of a word', (page: string) => page.replaceAll('1880', '1980')],
    ['a hash', (page: string) => page.replaceAll(/[0-9a-f]{64}/gu, 'f'.repeat(64))],
    ['the question', (page: string) => page.replaceAll('When was', 'Never was')],
    ['the route', (page: string) => page.replaceAll('there is only docs', 'there are all books')],
    ['a sentence more', (page: string) => page.replace('</main>', '<p>All of it is true.</p></main>')],
    ['its edition', (page: string) => page.replaceAll('&quot;layout&quot;:2', '&quot;layout&quot;:0')],
  ])('that was changed is told: %s', async (_, change) => {
    const { id } = await askOfTower();
    const page = await footnote.answers.report(id);
    const changed = change(page);
    expect(changed).not.toBe(page);
    const { ok, reasons } = await check(changed);
    expect(ok).toBe(false);
    expect(reasons.length).toBeGreaterThan(0);
  });

  it('says when a document was changed or deleted since, and a new one shows what was read then', async () => {
    const { id, citations } = await askOfTower();
    const page = await footnote.answers.report(id);
    await footnote.documents.add({ text: tower(1990), mime: 'text/markdown', uri: 'tower.md', title: 'Tower' });
    const changed = await check(page);
    expect(changed).toMatchObject({ ok: false, citationsHeld: 0 });
    expect(changed.reasons.join('\n')).toContain('was changed since the report was written');
    const again = await readReport(await footnote.answers.report(id));
    expect(again.documents[0]?.standing).toBe('changed');
    expect(again.passages[0]?.after).toContain('It is open on Monday.');
    await footnote.documents.delete(citations[0]?.documentId ?? '');
    expect((await check(page)).ok).toBe(false);
    await opened.settleErasures();
    const erased = await footnote.answers.report(id);
    expect(erased).not.toContain('Ana Reis');
    expect(erased).not.toContain('When was');
    expect(erased).toContain('went on');
  });

  it('is of messages, memories and files of a request, too', async () => {
    await askOfTower();
    const workspace = [{ path: 'pump.md', text: '# Pump\n\nThe pump of Oban moves 90 litres a minute.\n' }];
    const told = await footnote.sessions.send('ses_1', { content: 'I prefer tea over coffee.' });
    const recalled = await footnote.sessions.send('ses_2', { content: 'Do I prefer tea or coffee?' });
    const message = await footnote.sessions.send('ses_2', { content: 'When was the tower of Sines built?' });
    const file = await footnote.ask({ question: 'How many litres a minute does the pump of Oban move?', workspace });
    const abstained = await footnote.ask({ question: 'Which zebra won the chess tournament?' });
    for (const { id } of [told, recalled, message, file, abstained])
      expect(await check(await footnote.answers.report(id))).toMatchObject({ ok: true, reasons: [] });
    const ofMemory = await readReport(await footnote.answers.report(recalled.id));
    expect(ofMemory.documents[0]).toMatchObject({ kind: 'memory', standing: 'same' });
    const ofFile = await readReport(await footnote.answers.report(file.id));
    expect(ofFile.documents[0]).toMatchObject({ standing: 'passing', uri: 'pump.md' });
  });

  it('is made for its owner alone, and no other page is taken for one', async () => {
    const { id } = await askOfTower();
    const page = await footnote.answers.report(id);
    const principal = { id: 'stranger', role: 'reader' as const, groups: [] };
    const stranger = opened.forScope({ tenant: localScope().tenant, principal });
    await expect(stranger.answers.report(id)).rejects.toMatchObject({ code: 'not-found' });
    const { ok, reasons } = await stranger.answers.verifyReport(page);
    expect(ok).toBe(false);
    expect(reasons.join('\n')).toContain('holds no answer');
    for (const other of ['<!doctype html><p>x</p>', '<!doctype html><pre id="footnote-report" hidden>{}</pre>'])
      await expect(check(other)).rejects.toMatchObject({ code: 'invalid-request' });
    const newer = page.replace('&quot;version&quot;:1', '&quot;version&quot;:99');
    await expect(check(newer)).rejects.toMatchObject({ code: 'invalid-request' });
  });
});
