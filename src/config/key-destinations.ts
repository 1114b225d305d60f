// Where keys may go. Whoever writes a file into a folder that somebody works in could otherwise choose where that person's own keys are sent.
// Invariant: a key from the environment goes to an address from the environment or to the vendor's own, or to one that was confirmed.
import type { Setting } from './setting-kinds.ts';
import { settings } from './settings.ts';

interface Destination {
  readonly key: string;
  /** The setting that says where the key goes; absent: always to its vendor. */
  readonly address?: string;
  /** Hosts of the vendor, regional ones among them; nobody else answers there. */
  readonly vendor?: RegExp;
}

// Hosts that end so are made by Azure for its customers, but served, and their keys seen, by Azure alone. Not azure-api.net: what stands
// there is a gateway of whoever rents it.
const azure =
  /^(?:[a-z\d][a-z\d-]*\.(?:openai|cognitiveservices)\.azure\.(?:com|us|cn)|[a-z\d][a-z\d-]*\.services\.ai\.azure\.(?:com|us|cn)|[a-z\d]+\.api\.cognitive\.microsoft\.com)$/u;

/** Services of Azure AI Search, in every cloud. */
const azureSearch = /^[a-z\d][a-z\d-]*\.search\.(?:windows\.net|azure\.us|azure\.cn)$/u;

/** A row for every secret of the settings; which is seen by a test. */
export const keyDestinations: readonly Destination[] = [
  { key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL', vendor: /^(?:[a-z]{2}\.)?api\.openai\.com$/u },
  { key: 'AZURE_OPENAI_API_KEY', address: 'AZURE_OPENAI_ENDPOINT', vendor: azure },
  { key: 'ANTHROPIC_API_KEY' },
  { key: 'AZURE_SEARCH_API_KEY', address: 'AZURE_SEARCH_ENDPOINT', vendor: azureSearch },
  { key: 'HF_TOKEN', address: 'HF_ENDPOINT', vendor: /^(?:www\.)?huggingface\.co$/u },
  // A rerank service may be anybody's, so its key has no vendor.
  { key: 'RERANK_API_KEY', address: 'RERANK_BASE_URL' },
  { key: 'SUPER_MIND_API_KEY', address: 'SUPER_MIND_BASE_URL' },
  { key: 'BRAVE_API_KEY', address: 'BRAVE_BASE_URL', vendor: /^api\.search\.brave\.com$/u },
  { key: 'TAVILY_API_KEY', address: 'TAVILY_BASE_URL', vendor: /^api\.tavily\.com$/u },
  // A collector may be anybody's, too.
  { key: 'OTEL_EXPORTER_OTLP_HEADERS', address: 'OTEL_EXPORTER_OTLP_ENDPOINT' },
  { key: 'FOOTNOTE_DATABASE_URL' },
  { key: 'DATABASE_URL' },
  { key: 'AZURE_FOUNDRY_EVALS_API_KEY', address: 'AZURE_FOUNDRY_EVALS_ENDPOINT', vendor: azure },
];

/** What a setting was given, and whether by a file rather than by the person who started the program. */
export interface GivenSetting {
  readonly value: string;
  readonly place: string;
  readonly isFromFile: boolean;
}

/**
 * An address as it is compared and confirmed: scheme, host, port and path, since some gateways tell their customers apart by the path
 * alone. Without user, password and query, which may be secret. Undefined for what is no http or https address.
 */
export function plainAddress(written: string): string | undefined {
  const url = URL.parse(written.trim());
  if (!url || !/^https?:$/u.test(url.protocol) || url.hostname === '') return undefined;
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/u, '')}`;
}

/** Whether an address is one of the vendor's own. */
export function isOfVendor(address: string, vendor: RegExp | undefined): boolean {
  const url = URL.parse(address);
  return vendor !== undefined && url?.protocol === 'https:' && url.port === '' && vendor.test(url.hostname);
}

/** A word of a command line, as a shell takes it for one. */
const quoted = (word: string): string => (/^[\w:/.%-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

const unusedNames = new Set(settings.filter(({ unused }: Setting) => unused).map(({ name }) => name));

/** One mistake for each key that would go where it may not. `isTrusted` is asked for nothing else. */
export function misdirectedKeys(
  given: (name: string) => GivenSetting | undefined,
  isTrusted: (address: string) => boolean,
): readonly string[] {
  return keyDestinations.flatMap(({ key, address: name, vendor }) => {
    const secret = given(key);
    const address = name === undefined ? undefined : given(name);
    if (!secret || secret.isFromFile || !address?.isFromFile || unusedNames.has(key)) return [];
    // What is no address is told as a mistake of its own, and nothing goes there.
    const plain = plainAddress(address.value);
    if (plain === undefined || isOfVendor(plain, vendor) || isTrusted(plain)) return [];
    return `${address.place}: ${name} would send the ${key} of your environment to ${plain}, which a file says and you have not confirmed. If you want that, run "footnote models trust ${quoted(plain)}" once, or set ${name} in the environment; if not, remove the line.`;
  });
}

const issuerName = 'FOOTNOTE_OIDC_ISSUER';
const issuerAddresses = [issuerName, 'FOOTNOTE_OIDC_KEYS_URL'];
const issuerSettings = [
  ...issuerAddresses,
  'FOOTNOTE_OIDC_AUDIENCE',
  'FOOTNOTE_OIDC_GROUPS_CLAIM',
  'FOOTNOTE_OIDC_SOURCES',
];

/** A mistake for each setting by which a file would choose whose tokens open the documents, and which, until the addresses are confirmed. */
export function misplacedIssuers(
  given: (name: string) => GivenSetting | undefined,
  isTrusted: (address: string) => boolean,
): readonly string[] {
  if (given(issuerName) === undefined) return [];
  const unconfirmed = issuerAddresses.flatMap((name) => {
    const plain = plainAddress(given(name)?.value ?? '');
    return plain === undefined || isTrusted(plain) ? [] : [plain];
  });
  if (unconfirmed.length === 0) return [];
  return issuerSettings.flatMap((name) => {
    const one = given(name);
    return one?.isFromFile
      ? `${one.place}: ${name} says in a file whose tokens open the documents, or which. If you want that, run ${unconfirmed.map((plain) => `"footnote models trust ${quoted(plain)}"`).join(' and ')} once, or set ${name} in the environment; if not, remove the line.`
      : [];
  });
}
