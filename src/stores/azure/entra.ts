// Entra ID, where no key is configured: `@azure/identity`, which operators install themselves, as most have a key. Its traffic goes through
// the way out that it is given, to the addresses where Azure signs programs in and to that of a machine's own identity.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SearchClient, SearchClientOptions } from '@azure/search-documents';
import { FootnoteError } from '../../core/errors.ts';

export type Credential = ConstructorParameters<typeof SearchClient>[2];
type HttpClient = NonNullable<SearchClientOptions['httpClient']>;

/** Public and national clouds, and the machine's own identity. */
export const signInAddresses = [
  'https://login.microsoftonline.com',
  'https://login.microsoftonline.us',
  'https://login.chinacloudapi.cn',
  'http://169.254.169.254',
];

export const identityPackage = '@azure/identity';
const testedVersion = '4.14.1';

interface IdentityOptions {
  /** Files beside which the package is looked up; default: this program, then the working directory. */
  readonly places?: readonly string[];
  /** The key that would do instead. Default: that of Azure AI Search. */
  readonly keySetting?: string;
}

/** Throws `config-invalid` where the package is not installed. */
export async function identityCredential(
  httpClient: HttpClient,
  {
    places = [import.meta.url, join(process.cwd(), 'package.json')],
    keySetting = 'AZURE_SEARCH_API_KEY',
  }: IdentityOptions = {},
): Promise<Credential> {
  const entry = places.flatMap((place) => resolved(place)).at(0);
  if (entry === undefined)
    throw new FootnoteError(
      'config-invalid',
      `${keySetting} is not set, so Entra ID is used, for which the package ${identityPackage} is missing. Set the key, or install it with: npm install ${identityPackage}@${testedVersion}`,
      { details: { isFinal: true } },
    );
  const loaded = (await import(pathToFileURL(entry).href)) as Identity & { readonly default?: Identity };
  const { DefaultAzureCredential } = loaded.DefaultAzureCredential ? loaded : (loaded.default ?? loaded);
  return new DefaultAzureCredential({ httpClient });
}

interface Identity {
  readonly DefaultAzureCredential: new (options: { readonly httpClient: HttpClient }) => Credential;
}

function resolved(place: string): readonly string[] {
  try {
    return [createRequire(place).resolve(identityPackage)];
  } catch {
    return [];
  }
}
