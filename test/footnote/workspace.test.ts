// Files that a request brings along are searched and cited for that request alone: nothing of them is a document afterwards, the trace names
// them without their text, and what was cited is shown from the saved answer.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { documentView } from '../../src/http/wire/view.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

let folder: string;
let opened: OpenedFootnote;
let footnote: Footnote;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-workspace-'));
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
  footnote = opened.forScope(localScope());
});
afterEach(async () => {
  await opened.close();
  await rm(folder, { recursive: true });
});

const workspace = [
  {
    path: 'src/limits.ts',
    text: '// Limits of the pump.\nexport const most = 3;\n// The pump moves 90 litres a minute.\n',
  },
  { path: 'notes/today.md', text: '# Today\n\nThe gate of basin four is painted green.\n' },
];
const question = 'How many litres a minute does the pump move?';

describe('files of a request', () => {
  it('are cited by path and line, and gone when it ends', async () => {
    const answer = await footnote.ask({ question, workspace, mode: 'embedded' });
    expect(answer).toMatchObject({ abstained: false, degraded: [] });
    const [citation] = answer.citations;
    expect(citation).toMatchObject({ uri: 'src/limits.ts', source: 'workspace', lines: [1, 3] });
    expect(citation?.quote).toContain('90 litres');
    expect((await footnote.documents.list({ limit: 10 })).data).toEqual([]);
    expect(await footnote.sources.list()).toEqual([]);
    expect((await footnote.search({ query: 'pump litres' })).results).toEqual([]);
    expect(await footnote.ask({ question })).toMatchObject({ abstained: true });
    // What was cited opens from the answer, and nothing else of it does.
    const { documentId = '', start = 0, end = 0 } = citation ?? {};
    const view = await documentView(footnote.documents, documentId, { start, end });
    expect(view.excerpt).toMatchObject({ quote: citation?.quote, uri: 'src/limits.ts' });
    await expect(documentView(footnote.documents, documentId, { start: end, end: end + 1 })).rejects.toMatchObject({
      code: 'not-found',
    });
    const { events } = await footnote.traces.get(answer.traceId);
    const [request] = events;
    expect(JSON.stringify(request)).toContain('src/limits.ts');
    expect(JSON.stringify(request)).not.toContain('litres a minute.');
  });

  it('stand beside documents, in messages of a session, too', async () => {
    await footnote.documents.add({
      text: 'The valve of basin four closes at 6 bar.',
      title: 'Valve',
      uri: 'valve.txt',
    });
    await footnote.documents.add({
      text: 'The pump of basin nine moves 40 litres.',
      title: 'Pump',
      uri: 'p.txt',
      sourceType: 'textbook',
      source: 'book',
    });
    const answer = await footnote.sessions.send('ses_1', {
      content: 'At how many bar does the valve close?',
      workspace,
    });
    expect(answer.citations[0]).toMatchObject({ uri: 'valve.txt' });
    const named = await footnote.ask({
      question: 'What colour is the gate of basin four?',
      workspace,
      sources: ['uploads'],
    });
    expect(named.citations[0]).toMatchObject({ uri: 'notes/today.md', source: 'workspace' });
    expect(named.routing.reason).toContain('the files of the request');
  });

  it('that cannot be searched are named', async () => {
    const { degraded, citations } = await footnote.ask({
      question,
      workspace: [...workspace, { path: 'empty.txt', text: ' ' }, { path: 'film.mp4', text: 'no film' }],
    });
    expect(citations[0]).toMatchObject({ uri: 'src/limits.ts' });
    expect(degraded.filter(({ component }) => component === 'workspace').map(({ effect }) => effect)).toContain(
      'empty.txt was not searched.',
    );
  });
});
