// What sources agree about, from documents to a checked answer: the sentence that tells it, and how it stands up to verification, deletion and streams.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { Answer } from '../../src/core/answer.ts';
import type { SourceType } from '../../src/core/document.ts';
import type { FootnoteEvent } from '../../src/core/events.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

let folder: string;
let opened: OpenedFootnote;
let footnote: Footnote;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-agreements-'));
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
  footnote = opened.forScope(localScope());
});
afterEach(async () => {
  await opened.close();
  await rm(folder, { recursive: true });
});

const add = (source: string, sourceType: SourceType, text: string) =>
  footnote.documents.add({ text, uri: `${source}.md`, title: source, source, sourceType });

async function ask(question: string): Promise<{ answer: Answer; events: FootnoteEvent[] }> {
  const events: FootnoteEvent[] = [];
  const answer = await footnote.ask({ question }, { onEvent: (event) => events.push(event) });
  return { answer, events };
}

const question = 'What is the default timeout of the gateway?';
const said = 'The default timeout of the gateway is 30 seconds.';

async function addThree(): Promise<void> {
  await add('manual', 'docs', `# Gateway\n\n${said} It may be raised in its file.`);
  await add('site', 'web', `Welcome to the mirror. ${said} Read on below.`);
  await add('forum', 'qa', 'Somebody asked. The gateway has a default timeout of 45 seconds.');
}

describe('agreements', () => {
  it('stand in a sentence behind the claims that names who says the same, and whoever disagrees is told beside it', async () => {
    await addThree();
    const { answer, events } = await ask(question);
    const sourceOf = (index: number): string | undefined => answer.citations[index - 1]?.source;
    expect(answer.agreements).toHaveLength(1);
    const [agreement] = answer.agreements ?? [];
    const claim = answer.claims[(agreement?.claim ?? 0) - 1];
    expect(claim?.text).toContain(said);
    const cited = [...(claim?.citations ?? []), ...(agreement?.citations ?? [])].map(sourceOf);
    expect(new Set(cited)).toEqual(new Set(['manual', 'site']));
    expect(cited).toHaveLength(2);
    expect(answer.answer).toMatch(
      /\n\nThe sources agree: \[\d\] says the same as \[\d\]\.\n\nThe sources disagree about /u,
    );
    expect(answer.conflicts).toHaveLength(1);
    // Nothing that was streamed is taken back.
    expect(events.flatMap((event) => (event.type === 'delta' ? [event.text] : [])).join('')).toBe(answer.answer);
    expect((await footnote.answers.verify(answer)).reasons).toEqual([]);
  });

  it('are checked like the rest of an answer', async () => {
    await addThree();
    const { answer } = await ask(question);
    const [agreement] = answer.agreements ?? [];
    const own = answer.claims[0]?.citations[0] ?? 0;
    const against = answer.citations.find(({ source }) => source === 'forum')?.index ?? 0;
    const forged = (citations: number[]): Answer => ({
      ...answer,
      agreements: [{ claim: agreement?.claim ?? 1, citations }],
    });
    for (const index of [own, against])
      expect((await footnote.answers.verify(forged([index]))).reasons).toContain(`agreement-unsupported: [${index}]`);
    const { agreements: _, ...silent } = answer;
    expect((await footnote.answers.verify(silent)).reasons.join()).toContain('text-without-claim: The sources agree');
  });

  it('are none in one source, in copies, and in sentences that do not say of what they speak', async () => {
    await add('manual', 'docs', `# Gateway\n\n${said}`);
    await footnote.documents.add({
      text: `${said} Twice.`,
      uri: 'b.md',
      title: 'b',
      source: 'manual',
      sourceType: 'docs',
    });
    await add('site', 'web', 'The default timeout of the worker is 30 seconds.');
    await add('forum', 'qa', 'The default timeout of the gateway is not 30 seconds.');
    expect((await ask(question)).answer.agreements).toBeUndefined();
  });

  it('are told of a short sentence that says what it speaks of', async () => {
    await add('manual', 'docs', '# Pool\n\nThe default poolTimeout is 10000 milliseconds.');
    await add('site', 'web', 'The default bodyLimit is 1 MiB. The default poolTimeout is 10000 milliseconds.');
    expect((await ask('How long is the default poolTimeout?')).answer.agreements).toHaveLength(1);
  });

  it('go with a document that is deleted, and what is left still holds', async () => {
    await addThree();
    const { answer } = await ask(question);
    const [index] = answer.agreements?.[0]?.citations ?? [];
    const gone = answer.citations.find((one) => one.index === index);
    await footnote.documents.delete(gone?.documentId ?? '');
    await opened.settleErasures();
    const left = await footnote.answers.get(answer.id);
    expect(left.agreements).toBeUndefined();
    expect(left.answer).not.toContain('The sources agree');
    expect((await footnote.answers.verify(left)).reasons).toEqual([]);
  });
});
