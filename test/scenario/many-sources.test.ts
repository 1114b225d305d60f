// A repository, its documentation, a textbook, questions and answers and a site, as a person declares them and asks: concepts and implementations come
// from the right places, and who disagrees is said once.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git, hasGit } from '../../testkit/git-repository.ts';
import { openWebSite, page, type WebSite } from '../../testkit/web-site.ts';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

let place: Workplace;
let site: WebSite;

const files: Readonly<Record<string, string>> = {
  'repo/retry.ts':
    '// Sends a request again after a failure.\nexport const maxAttempts = 5;\nexport async function retryWithBackoff(send: () => Promise<void>): Promise<void> {\n  await send();\n}\n',
  'docs/client.md':
    '# Client configuration\n\n## Retries\n\nThe client retries a failed request at most 5 times.\n\n## Cache\n\nThe client keeps 1,000 replies in its cache.\n',
  'book/networking.md':
    '# Exponential backoff\n\nExponential backoff is a technique in which the delay between two attempts doubles after each failure.\n',
  'dump.jsonl': `${JSON.stringify({ id: '1', title: 'Giving up', text: 'The client retries a failed request at most 3 times.' })}\n`,
};

beforeAll(async () => {
  place = await openWorkplace();
  site = await openWebSite();
  site.answers.set('/', page('Client news', '<p>Version 2.0 of the client drops support for Windows 7.</p>'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(place.folder, path)), { recursive: true });
    await writeFile(join(place.folder, path), text);
  }
  if (hasGit)
    for (const words of [
      ['init', '-q'],
      ['add', '-A'],
      ['commit', '-qm', 'one'],
    ])
      git(join(place.folder, 'repo'), ...words);
  // With the gap that people have: a command waits between two pages, and nothing else keeps it alive.
  const env = { WEB_ALLOW_HOSTS: site.host };
  for (const words of [
    ['sources', 'add', 'repo', hasGit ? '--git' : '--folder', 'repo', '--type', 'code'],
    ['sources', 'add', 'docs', '--folder', 'docs', '--type', 'docs'],
    ['sources', 'add', 'book', '--folder', 'book', '--type', 'textbook'],
    ['sources', 'add', 'site', '--sitemap', `${site.origin}/`, '--type', 'web'],
    ['ingest', 'dump.jsonl', '--source', 'forum', '--type', 'qa'],
  ])
    expect(await place.run(words, { env })).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await site.close();
  await place.remove();
});

const ask = async (question: string): Promise<string> => {
  const { code, out } = await place.run(['ask', question]);
  expect(code).toBe(0);
  return out;
};

describe('many sources', () => {
  it('answer concepts from the textbook and implementations from the code', async () => {
    expect(await ask('What is exponential backoff?')).toMatch(/Exponential backoff is a technique[^[]*\[1\]/u);
    const code = await ask('Where is retryWithBackoff implemented?');
    expect(code).toMatch(/^export async function retryWithBackoff[^[]*\[1\]/mu);
    expect(code).toMatch(/repo\/retry\.ts:1/u);
  });

  it('say once what they disagree about, and whom the answer follows', async () => {
    const told = await ask('How many times does the client retry a failed request?');
    expect(told).toMatch(/at most 5 times\. \[\d\]/u);
    expect(told.match(/The sources disagree about/gu)).toHaveLength(1);
    expect(told).toMatch(/followed here is \[\d\], which is of the kind of source with more authority/u);
    expect(told).toMatch(/docs\/client\.md:5[\s\S]*dump\.jsonl/u);
  });

  it('are explained, and a page says when it was read', async () => {
    const { code, out } = await place.run(['explain', 'Which version of the client drops support for Windows 7?']);
    expect(code).toBe(0);
    expect(out).toMatch(/^ {2}web: \d+ hits?, the best answers \d+ % of the words/mu);
    expect(out).toMatch(/1\. Client news \(web site\) http.*\n {3}read \d{4}-\d\d-\d\d \d\d:\d\d UTC, .* ago$/mu);
  });
});
