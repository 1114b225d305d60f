// Which corpus-trained model a tenant's chunks should have: the one there is as long as it has seen most of them, else one that
// is learned now. Invariant: asked exactly, the answer is a function of the corpus alone, whatever models there were before.
import { isFootnoteError } from '../core/errors.ts';
import { createRecent } from '../core/values/recent.ts';
import { learnedOf } from './encoded.ts';
import type { CorpusLearning, CorpusSurvey, IndexContent, KeptModel, VectorKeeping } from './ports.ts';
import { corpusTarget, type EmbeddingTarget } from './target.ts';

export interface CorpusChoiceOptions {
  readonly exact: boolean;
  /** Whether there is time to learn now; otherwise new chunks go into the model there is. */
  readonly mayTrain: boolean;
  readonly onTraining: (chunks: number) => void;
}

export interface CorpusChooser {
  /** `later`: there is no model, and this is not the time to learn one. `nothing`: too few chunks, or they teach nothing. */
  choose(
    indexed: IndexContent,
    options: CorpusChoiceOptions,
    signal: AbortSignal,
  ): Promise<EmbeddingTarget | 'later' | 'nothing'>;
  /** A model that is kept, as it was learned. Undefined where its bytes are damaged: then it was dropped. */
  targetOf(kept: KeptModel): Promise<EmbeddingTarget | undefined>;
  /** Told of chunks that came in since, so that few of them cost no survey. */
  embedded(chunks: number): void;
  /** Lets go of models that were opened to embed with. */
  release(): void;
}

/** A model that shares less with the corpus is learned anew: after a growth by a quarter, or when a fifth was replaced. */
const leastShared = 0.8;
/** While less than this part of the chunks changed since the last survey there is no other. */
const worthSurvey = 0.02;

export function createCorpusChooser({
  spaces,
  learning,
}: {
  readonly spaces: VectorKeeping;
  readonly learning: CorpusLearning;
}): CorpusChooser {
  let surveyed: { readonly space: string; readonly chunks: number; changed: number } | undefined;
  /** The last state of the index that taught nothing. */
  let barren: number | undefined;
  /** Reading a model takes some ten milliseconds: those in use are kept while documents come in. */
  const opened = createRecent<string, EmbeddingTarget>(2);

  async function targetOf(kept: KeptModel): Promise<EmbeddingTarget | undefined> {
    const { space, kind, facts } = learnedOf(kept);
    const present = opened.get(space.name);
    if (present) return present;
    const bytes = await spaces.modelBytes(kept.space.name);
    if (bytes && isReadable(bytes)) return keep(corpusTarget({ spaces, learning }, { space, kind, facts }, bytes));
    await spaces.drop(kept.space.name);
    return undefined;
  }

  function isReadable(bytes: Uint8Array): boolean {
    try {
      learning.open(bytes);
      return true;
    } catch (error) {
      if (isFootnoteError(error) && error.code === 'data-corrupt') return false;
      throw error;
    }
  }

  function keep(target: EmbeddingTarget): EmbeddingTarget {
    opened.set(target.model.space.name, target);
    return target;
  }

  async function train(
    { parts, chunks, revision }: IndexContent,
    { onTraining }: CorpusChoiceOptions,
    signal: AbortSignal,
  ): Promise<EmbeddingTarget | 'nothing'> {
    onTraining(chunks);
    const { model, digest, ...survey } = await learning.train(parts, signal);
    if (!model) {
      barren = revision;
      return 'nothing';
    }
    const space = { name: model.space, dimensions: model.dimensions, metric: 'cosine' } as const;
    const facts = { version: learning.version, digest, ...survey };
    surveyed = { space: space.name, chunks: survey.chunks, changed: 0 };
    return keep(corpusTarget({ spaces, learning }, { space, kind: 'corpus', facts }, model.bytes));
  }

  const surveyOf = ({ facts }: KeptModel): CorpusSurvey => ({
    chunks: Number(facts['chunks']),
    sketch: String(facts['sketch']),
  });

  /** Whether a model has seen most of what there is. */
  async function fits(kept: KeptModel, { parts, chunks }: IndexContent, signal: AbortSignal): Promise<boolean> {
    const { name } = learnedOf(kept).space;
    if (surveyed?.space === name) {
      const changed = surveyed.changed + Math.abs(chunks - surveyed.chunks);
      if (changed < worthSurvey * chunks) return true;
    }
    const survey = await learning.survey(parts, signal);
    surveyed = { space: name, chunks: survey.chunks, changed: 0 };
    return learning.sharedPart(survey, surveyOf(kept)) >= leastShared;
  }

  return {
    targetOf,
    embedded(chunks) {
      if (surveyed) surveyed.changed += chunks;
    },
    release: () => opened.clear(),
    async choose(indexed, options, signal) {
      const { exact, mayTrain } = options;
      if (indexed.chunks < learning.leastChunks || barren === indexed.revision) return mayTrain ? 'nothing' : 'later';
      const all = (await spaces.models()).filter(({ kind }) => kind === 'corpus');
      const usable = all.filter(({ facts }) => facts['version'] === learning.version);
      // What is being built is newer than what is in use.
      usable.sort((left, right) => (left.state < right.state ? 1 : left.state > right.state ? -1 : 0));
      // Without a model that could be the one there is nothing to look for: learning tells the digest too.
      if (exact && usable.length > 0) {
        const { digest } = await learning.digest(indexed.parts, signal);
        const same = usable.find(({ facts }) => facts['digest'] === digest);
        return (same && (await targetOf(same))) ?? train(indexed, options, signal);
      }
      if (exact) return train(indexed, options, signal);
      for (const kept of usable) {
        const target = await targetOf(kept);
        if (!target) continue;
        if (!mayTrain || (await fits(kept, indexed, signal))) return target;
        break;
      }
      return mayTrain ? train(indexed, options, signal) : 'later';
    },
  };
}
