// Azure AI Foundry's evaluators as the configuration names them: their address, by a key or by Entra ID. Opening calls nothing. Invariant: a
// token of Entra ID goes to Azure's own hosts alone, since whoever else was sent one could use it there.
import type { Config } from '../../config.ts';
import { FootnoteError } from '../../core/errors.ts';
import { createFoundryPanel } from '../../evals/foundry/foundry.ts';
import type { FoundryAccess } from '../../evals/foundry/wire.ts';
import type { Panel } from '../../evals/panel.ts';
import { secretsOf } from '../../models/calls/without-secrets.ts';
import { openEgress } from '../../net/egress.ts';
import { through } from '../../stores/azure/connection.ts';
import { identityCredential, signInAddresses } from '../../stores/azure/entra.ts';

export interface OpenedFoundry {
  readonly panel: Panel;
  close(): void;
}

const keySetting = 'AZURE_FOUNDRY_EVALS_API_KEY';
const ownHosts = /^[a-z\d][a-z\d-]*\.(?:services\.ai|openai|cognitiveservices)\.azure\.(?:com|us|cn)$/u;
/** Of the projects of Foundry. */
const scope = 'https://ai.azure.com/.default';

interface TokenCredential {
  getToken(scope: string, options: { readonly abortSignal: AbortSignal }): Promise<{ readonly token: string } | null>;
}

/** Throws `config-invalid` where no address is set, or neither a key nor Entra ID can be used. */
export function openFoundry(
  { evals: { foundry }, secret }: Pick<Config, 'evals' | 'secret'>,
  timing?: FoundryAccess['timing'],
): OpenedFoundry {
  if (!foundry)
    throw new FootnoteError(
      'config-invalid',
      'AZURE_FOUNDRY_EVALS_ENDPOINT is not set. Set it to the address of your project, https://<account>.services.ai.azure.com/api/projects/<project>.',
    );
  const { endpoint } = foundry;
  const apiKey = secret(keySetting);
  const { protocol, hostname } = new URL(endpoint);
  if (apiKey === undefined && !(protocol === 'https:' && ownHosts.test(hostname)))
    throw new FootnoteError(
      'config-invalid',
      `AZURE_FOUNDRY_EVALS_ENDPOINT (${hostname}) is no address of Azure AI Foundry, so no token of Entra ID is sent there. Correct it, or set ${keySetting}.`,
    );
  const egress = openEgress({ addresses: [endpoint] });
  const signIn = openEgress({ addresses: signInAddresses });
  let identity: Promise<TokenCredential> | undefined;

  async function credential(abortSignal: AbortSignal): Promise<Readonly<Record<string, string>>> {
    if (apiKey !== undefined) return { 'api-key': apiKey };
    identity ??= identityCredential(through(signIn), { keySetting }).then((found) => found as TokenCredential);
    try {
      const found = await (await identity).getToken(scope, { abortSignal });
      if (found) return { authorization: `Bearer ${found.token}` };
    } catch (thrown) {
      identity = undefined;
      if (thrown instanceof FootnoteError) throw thrown;
    }
    throw new FootnoteError(
      'config-invalid',
      `Entra ID gave no token for Azure AI Foundry. Sign in where this program runs, or set ${keySetting}.`,
    );
  }

  const secrets = secretsOf({ ...(apiKey !== undefined && { apiKey }), address: endpoint });
  const panel = createFoundryPanel({
    ...foundry,
    credential,
    fetch: egress.fetch,
    masked: (text) => secrets.reduce((rest, one) => rest.replaceAll(one, '[secret]'), text),
    ...(timing && { timing }),
  });
  return {
    panel,
    close() {
      egress.close();
      signIn.close();
    },
  };
}
