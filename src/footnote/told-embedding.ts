// What is told where search by meaning goes by a provider's model that nobody named: that passages leave the machine, how many, what that
// costs, and how to keep them.
import type { EmbedEstimate } from '../vectors/estimate.ts';

/** US dollars for a million tokens of text-embedding-3-small, as OpenAI listed it in November 2026: told as that, never counted. */
const listedUsd = 0.02;

export function toldEmbedding({ setting, texts, remote }: EmbedEstimate): string {
  const tokens = remote?.tokens ?? 0;
  const costUsd = remote?.costUsd ?? (tokens * listedUsd) / 1_000_000;
  const from = remote?.costUsd === undefined ? `OpenAI's list price of $${listedUsd} for a million` : 'MODEL_PRICES';
  const passages = texts === 1 ? '1 passage' : `${texts} passages`;
  return (
    `Search by meaning goes by ${setting}, because OPENAI_API_KEY is set: ${passages} of the documents (about ${tokens} tokens, ` +
    `$${costUsd < 0.01 ? costUsd.toFixed(4) : costUsd.toFixed(2)} by ${from}) and every question are sent there. MODEL_EMBED=corpus keeps them here.`
  );
}
