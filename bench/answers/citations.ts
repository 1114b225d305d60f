// Do the citations that people get hold? A server runs as its own process over real documents; hundreds of questions are
// asked over HTTP, and every citation is checked by a program that knows the HTTP contract and nothing else.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkAnswers } from '../../testkit/forge/independent-check.ts';
import { startServerProcess } from '../../testkit/server-process.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { writeResult } from '../report.ts';

const questionsPerSet = 400;

async function readLines(path: string): Promise<Record<string, unknown>[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

async function post(url: string, body: unknown): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
}

async function syncFolder(url: string, name: string, path: string): Promise<void> {
  await post(`${url}/v1/sources`, { name, type: 'docs', connector: { kind: 'folder', path } });
  const started = await fetch(`${url}/v1/sources/${name}/sync`, { method: 'POST' });
  const { id } = (await started.json()) as { id: string };
  // The stream of progress ends with the run.
  const progress = await fetch(`${url}/v1/ingestions/${id}`, { headers: { accept: 'text/event-stream' } });
  await progress.text();
}

const xquad = sharedData('xquad-en');
const german = sharedData('xquad-de');
const papers = sharedData('documents', 'pdf');
const markdown = sharedData('markdown', 'fastify-docs');
if (xquad && german && papers && markdown) {
  const data = await mkdtemp(join(tmpdir(), 'footnote-citations-'));
  const server = await startServerProcess(data);
  try {
    const sets: { name: string; questions: string[] }[] = [];
    for (const [name, folder] of [
      ['xquad-en', xquad],
      ['xquad-de', german],
    ] as const) {
      for (const { _id, title, text } of await readLines(join(folder, 'corpus.jsonl')))
        await post(`${server.url}/v1/documents?wait=true`, { uri: String(_id), title, text, source: name });
      const queries = await readLines(join(folder, 'queries.jsonl'));
      const step = Math.max(1, Math.floor(queries.length / questionsPerSet));
      sets.push({
        name,
        questions: queries.filter((_, index) => index % step === 0).map((query) => String(query['text'])),
      });
    }
    await syncFolder(server.url, 'papers', papers);
    await syncFolder(server.url, 'markdown', markdown);
    const attention = await readLines(join(import.meta.dirname, '../data', 'attention-questions.jsonl'));
    sets.push({ name: 'attention paper', questions: attention.map((line) => String(line['question'])) });
    sets.push({
      name: 'fastify docs',
      questions: [
        'How do I register a plugin?',
        'What is the default body limit?',
        'Which hooks run before the handler?',
        'How are errors handled?',
        'What does the logger option do?',
        'How can a route be validated?',
        'What is encapsulation?',
        'How do I close the server gracefully?',
      ],
    });
    const rows: (string | number)[][] = [];
    let citations = 0;
    let failed = 0;
    for (const { name, questions } of sets) {
      const result = await checkAnswers(server.url, questions);
      const bad = result.citations.filter((citation) => citation.faults.length > 0);
      citations += result.citations.length;
      failed += bad.length + result.faults.length;
      rows.push([name, result.asked, result.abstained, result.citations.length, bad.length + result.faults.length]);
      for (const fault of [...bad.map((citation) => JSON.stringify(citation)), ...result.faults].slice(0, 10))
        console.log(fault);
    }
    await writeResult('citations', {
      title: 'Citations checked by a program that reads only the HTTP API',
      command: 'npm run bench citations',
      seed: null,
      data: [xquad, german, papers, markdown],
      metrics: { citations, failed },
      goals: [
        {
          what: 'citations that hold',
          wanted: '100 %',
          got: `${(100 * (citations - failed)) / citations} %`,
          met: failed === 0,
        },
      ],
      tables: [{ title: 'By set', columns: ['set', 'asked', 'abstained', 'citations', 'faults'], rows }],
      notes: ['A citation holds if its quote is the text at start..end and its link shows exactly the quote marked.'],
    });
  } finally {
    await server.stop();
    await rm(data, { recursive: true });
  }
}
