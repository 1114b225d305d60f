// Which model search by meaning goes by where nobody names one: OpenAI's with a key of OpenAI, else the one that is learned from the documents.
// A key for an address of one's own is no key of OpenAI: who knows what is served there.
import { isOfVendor, keyDestinations } from './key-destinations.ts';

export const embeddingOfOpenai = 'openai:text-embedding-3-small';

/** Undefined: as the setting's own default says. */
export function usualEmbedding(optional: (name: string) => string | undefined): string | undefined {
  if (optional('OPENAI_API_KEY') === undefined) return undefined;
  const address = optional('OPENAI_BASE_URL');
  const vendor = keyDestinations.find(({ key }) => key === 'OPENAI_API_KEY')?.vendor;
  return address === undefined || isOfVendor(address, vendor) ? embeddingOfOpenai : undefined;
}
