import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAnswers } from '../../testkit/forge/independent-check.ts';
import { type ServerProcess, startServerProcess } from '../../testkit/server-process.ts';

describe('citations, checked over HTTP alone', () => {
  let data: string;
  let server: ServerProcess;
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'footnote-http-'));
    server = await startServerProcess(data);
  });
  afterAll(async () => {
    await server.stop();
    await rm(data, { recursive: true });
  });

  it('hold for the bundled corpus: quotes, offsets, links and marks', async () => {
    const result = await checkAnswers(server.url, [
      'What is a citation in Footnote?',
      'Which formats can Footnote read?',
      'What happens when a file is deleted?',
      'Does Footnote need an API key?',
      'What does hybrid mode do?',
      'How can I remove a source?',
      'Who won the 1998 football world cup?',
    ]);
    expect(result.faults).toEqual([]);
    expect(result.citations.filter((citation) => citation.faults.length > 0)).toEqual([]);
    expect(result.citations.length).toBeGreaterThanOrEqual(5);
    expect(result.abstained).toBeGreaterThanOrEqual(1);
    expect(result.abstained).toBeLessThanOrEqual(3);
  });

  it('hold for text with markup, many scripts and odd white space', async () => {
    const text =
      'The <b>launch</b> code & the "vault" are kept in Zürich.\r\n\r\n水の沸点は100度です。東京タワーの高さは333メートルです。\n\n' +
      'The 😀 emoji museum opened in 2019 with 1,250 exhibits.\n\n| item | price |\n|---|---|\n| anvil | 40 € |\n| bellows | 12.50 € |\n';
    const response = await fetch(`${server.url}/v1/documents?wait=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text, title: 'Odd <text>', mime: 'text/markdown', uri: 'odd.md', source: 'odd' }),
    });
    expect(response.status).toBe(202);
    const result = await checkAnswers(server.url, [
      'Where is the launch code kept?',
      'When did the emoji museum open?',
      'What is the price of the anvil?',
      '東京タワーの高さは何メートルですか？',
    ]);
    expect(result.faults).toEqual([]);
    expect(result.citations.filter((citation) => citation.faults.length > 0)).toEqual([]);
    expect(result.citations.length).toBeGreaterThanOrEqual(3);
  });
});
