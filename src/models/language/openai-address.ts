// Whether an address is OpenAI's own: people set OPENAI_BASE_URL to it because other programs want that. Invariant: what is taken for
// OpenAI's is a host of OpenAI's, and is called over TLS.

/** OpenAI's own host, or that of a region (`https://eu.api.openai.com`). */
const ownHost = /^([a-z0-9-]+\.)?api\.openai\.com$/u;

/** Where OpenAI's API is called, if the address is OpenAI's; undefined for any other. */
export function openaiAddressOf(address: string): string | undefined {
  const url = URL.parse(address);
  const host = url?.hostname.replace(/\.$/u, '') ?? '';
  return url?.port === '' && ownHost.test(host) ? `https://${host}/v1` : undefined;
}
