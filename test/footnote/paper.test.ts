// The paper "Attention Is All You Need" asked in all three modes, against the stand-ins of OpenAI, Azure AI Search and Firestore: what is cited stands on the
// right page, every span is checked, the JSON is as its schema says, and what the paper does not say is said to be missing.
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { answerSchema } from '../../src/core/answer.ts';
import { localScope } from '../../src/core/scope.ts';
import { modes } from '../../src/core/search.ts';
import { openAzureSearch } from '../../testkit/azure-search/azure-search.ts';
import { openFirestoreRest } from '../../testkit/firestore-rest.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { openOpenaiSimulator, simulatorKey } from '../../testkit/openai/openai-simulator.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { openWordEmbeddings } from '../../testkit/word-embeddings.ts';

const paper = sharedData('documents', 'pdf', 'attention-is-all-you-need.1706.03762v7.pdf');

/** Our own, each with the pages that say it and what the citation must say. */
const questions: readonly (readonly [question: string, pages: readonly number[], says: RegExp])[] = [
  ['What BLEU score does the model achieve on the WMT 2014 English-to-German translation task?', [1, 8, 10], /28\.4/u],
  ['What BLEU score is reported for English-to-French translation?', [1, 8, 9], /41\.[08]/u],
  ['How many identical layers is the encoder composed of?', [3], /N = 6|6 identical/u],
  ['What is the dimension of the outputs of the sub-layers and the embedding layers?', [3], /512/u],
  ['How many parallel attention layers, or heads, are employed?', [5], /h = 8|8 parallel/u],
  ['What is the inner-layer dimensionality of the feed-forward networks?', [5], /2048/u],
  ['Which optimizer was used for training?', [7], /Adam/u],
  ['How many warmup steps were used?', [7], /4000/u],
  ['What rate of dropout is used for the base model?', [8], /0\.1/u],
  ['What value of label smoothing was employed during training?', [8], /0\.1/u],
  ['How many GPUs did the machine have on which the models were trained?', [7], /8 NVIDIA/u],
  ['How long did each training step of the base models take?', [7], /0\.4 seconds/u],
  ['How many steps or days were the big models trained for?', [7], /300,000|3\.5 days/u],
  ['How many sentence pairs does the standard WMT 2014 English-German dataset consist of?', [7], /4\.5 million/u],
  ['What beam size was used for beam search?', [8], /beam size of 4/u],
  ['Why are the dot products scaled?', [4], /small gradients|large values of/u],
  ['What are the two most commonly used attention functions?', [4], /additive/u],
  ['Which functions are used for the positional encodings?', [6], /sine and cosine/u],
  ['How many training sentences of the Wall Street Journal were used for English constituency parsing?', [9], /40K/u],
  ['Which code was used to train and evaluate the models and where is it available?', [10], /tensor2tensor/u],
];
/** Of the twenty; the vectors of the stand-in are bags of words, which find less than those of a model. */
const least = {
  openai: { embedded: 18, vector: 18, hybrid: 18 },
  azure: { embedded: 18, vector: 12, hybrid: 18 },
  firestore: { embedded: 18, vector: 12, hybrid: 18 },
} as const;
const unanswered = [
  'How long is the notice period of an employee in Switzerland?',
  'What does the airline charge for a second suitcase?',
  'Which vaccine was approved in Iceland in 2021?',
];

describe.skipIf(paper === undefined)('the paper', () => {
  let folder: string;
  const closing: (() => unknown)[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footnote-paper-'));
    await mkdir(join(folder, 'papers'));
    await cp(paper ?? '', join(folder, 'papers', '1706.03762v7.pdf'));
  });
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
    await rm(folder, { recursive: true, force: true });
  });

  async function openWith(store: 'openai' | 'azure' | 'firestore'): Promise<OpenedFootnote> {
    const environment: Record<string, string> = { HOME: folder, FOOTNOTE_DATA: join(folder, store) };
    if (store === 'openai') {
      const simulator = await openOpenaiSimulator();
      closing.push(() => simulator.close());
      Object.assign(environment, {
        OPENAI_API_KEY: simulatorKey,
        OPENAI_BASE_URL: simulator.address,
        VECTOR_STORE: 'openai',
      });
    } else {
      const [azure, firestore] = await Promise.all([openAzureSearch(), openFirestoreRest()]);
      const provider = await openWordEmbeddings();
      closing.push(
        () => azure.close(),
        () => firestore.close(),
        () => provider.close(),
      );
      const hosted =
        store === 'azure'
          ? { AZURE_SEARCH_ENDPOINT: azure.address, AZURE_SEARCH_API_KEY: azure.apiKey }
          : { FIRESTORE_PROJECT_ID: 'demo', FIRESTORE_EMULATOR_HOST: firestore.host };
      Object.assign(environment, { ...hosted, OPENAI_BASE_URL: provider.address, MODEL_EMBED: 'compatible:words' });
    }
    const opened = await openFootnote(loadConfig({ folder, environment }));
    closing.push(() => opened.close());
    const footnote = opened.forScope(localScope());
    await footnote.sources.put({
      name: 'papers',
      type: 'docs',
      connector: { kind: 'folder', path: join(folder, 'papers') },
    });
    await footnote.sources.sync('papers');
    await opened.settle('default');
    return opened;
  }

  it.each(['openai', 'azure', 'firestore'] as const)('is asked with the store %s in every mode', async (store) => {
    const opened = await openWith(store);
    const footnote = opened.forScope(localScope());
    for (const mode of modes) {
      const missed: string[] = [];
      let cited = 0;
      for (const [question, pages, says] of questions) {
        const answer = await footnote.ask({ question, mode });
        expect(answerSchema.parse(JSON.parse(JSON.stringify(answer)))).toEqual(answer);
        expect((await footnote.answers.verify(answer)).ok, question).toBe(true);
        // One paper is too little for a model that is learned from the documents, which serves beside OpenAI; and a page that the usual threshold
        // leaves empty says so, of a part of the question too.
        // "How many steps or days" is read as a choice, which nobody makes without a model.
        const told = ['too-few-chunks', 'needs-model', ...(mode === 'vector' ? ['all-dropped'] : [])];
        expect(
          answer.degraded.filter(({ code }) => !told.includes(code)),
          question,
        ).toEqual([]);
        for (const { documentId, start, end, quote } of answer.citations)
          expect((await footnote.documents.text(documentId, { start, end })).text).toBe(quote);
        const isRight = answer.citations.some(
          ({ page, quote }) => page !== undefined && pages.includes(page) && says.test(quote),
        );
        if (isRight) cited += 1;
        else missed.push(`${answer.abstained ? 'abstained' : answer.answer}: ${question}`);
      }
      for (const question of unanswered) {
        const answer = await footnote.ask({ question, mode });
        // Nothing is asserted: it abstains, or shows what comes closest as such.
        expect(answer.abstained || answer.closestPassages, `${mode}: ${question}`).toBe(true);
        if (answer.abstained) expect(answer.abstainReason, question).toBeTruthy();
      }
      expect(cited, missed.join('\n')).toBeGreaterThanOrEqual(least[store][mode]);
      console.log(`the paper, ${store}, ${mode}: ${cited} of ${questions.length} cited from the right page`, missed);
    }
  });
});
