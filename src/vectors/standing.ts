// How the vectors of a tenant stand, for people and for searches that lack a model: told from what is kept, and from what is being done.
import type { EmbedderStatus } from '../core/store-query.ts';
import { isEncoded, mostEncoded } from './encoded.ts';
import type { KeptModel, VectorKeeping } from './ports.ts';

export interface Standing {
  /** Learned here. */
  readonly isLearned: boolean;
  /** There is too little to learn from. */
  readonly isWaiting: boolean;
  /** What is being done, which goes before what is kept. */
  readonly working: EmbedderStatus | undefined;
  readonly failure: string | undefined;
  /** Absent: there is none beside the model. */
  readonly encoder?: 'available' | 'unavailable';
}

export async function statusOf(
  { isLearned, isWaiting, working, failure, encoder }: Standing,
  spaces: Pick<VectorKeeping, 'models' | 'coverage'>,
  chunks: number,
): Promise<EmbedderStatus> {
  const kept = await spaces.models();
  const covered = async ({ space: { name } }: KeptModel): Promise<number> =>
    (await spaces.coverage(name).catch(() => undefined))?.embedded ?? 0;
  const rich = kept.find(isEncoded);

  async function encoderOf(): Promise<Pick<EmbedderStatus, 'encoder'>> {
    if (encoder === undefined) return {};
    const embedded = rich ? await covered(rich) : 0;
    const isReady = rich?.state === 'active' && embedded >= chunks;
    const other = chunks > mostEncoded ? 'too-many' : rich ? 'encoding' : 'waiting';
    return { encoder: { state: encoder === 'unavailable' ? encoder : isReady ? 'ready' : other, embedded } };
  }

  const beside = await encoderOf();
  if (working) return { ...working, ...beside };
  // What the encoder adds comes in behind a model that serves.
  const shown =
    kept.find((one) => one.state === 'building' && !isEncoded(one)) ?? kept.find(({ state }) => state === 'active');
  const embedded = shown ? await covered(shown) : 0;
  const about = { ...(shown && { model: shown.space.name }), chunks, embedded, ...beside };
  if (failure !== undefined) return { state: 'failed', ...about, failure };
  if (isWaiting) return { state: 'waiting', ...about };
  if (shown?.state === 'active' && embedded >= chunks) return { state: 'ready', ...about };
  return { state: shown || !isLearned ? 'embedding' : 'training', ...about };
}
