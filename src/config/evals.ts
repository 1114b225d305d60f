// How answers are scored while the server runs: the settings, and what they say.
import { decimal, flag, integer, type SettingKinds, secret, text, url, type ValuesOf } from './setting-kinds.ts';

export const evalsSettings = {
  ENABLE_ONLINE_EVALS: flag
    .default(false)
    .describe('A sample of answers is judged by rules after it was given, behind the requests (`GET /admin/evals`)'),
  EVAL_SAMPLE_RATE: decimal(0, 1).default(0.1).describe('Share of answers that is judged'),
  ENABLE_FOUNDRY_EVALS: flag
    .default(false)
    .describe(
      'Azure AI Foundry scores a sample of answers, behind the requests: questions, answers and the passages that were read are sent there',
    ),
  FOUNDRY_EVAL_SAMPLE_RATE: decimal(0, 1).default(0.1).describe('Share of answers that Foundry scores'),
  AZURE_FOUNDRY_EVALS_ENDPOINT: url.describe(
    'Address of the Foundry project: `https://<account>.services.ai.azure.com/api/projects/<project>`',
  ),
  AZURE_FOUNDRY_EVALS_API_KEY: secret('Key of Azure AI Foundry evaluators; not set: Entra ID'),
  AZURE_FOUNDRY_API_VERSION: text
    .default('2024-10-01-preview')
    .describe('API version of those evaluators: `v1`, or a dated preview'),
  AZURE_FOUNDRY_EVALS_DEPLOYMENT: text
    .default('gpt-5-mini')
    .describe('Model deployment of the project that the evaluators ask'),
  FOUNDRY_EVAL_TIMEOUT_MS: integer(1000, 3_600_000)
    .default(600_000)
    .describe('Longest time of one run there, from its creation to its last result'),
} satisfies SettingKinds;

export function readEvals(values: ValuesOf<typeof evalsSettings>) {
  const endpoint = values.AZURE_FOUNDRY_EVALS_ENDPOINT;
  return {
    /** Share of answers that rules score, 0..1; 0 where none is. */
    rulesShare: values.ENABLE_ONLINE_EVALS ? values.EVAL_SAMPLE_RATE : 0,
    /** The same of Azure AI Foundry. */
    foundryShare: values.ENABLE_FOUNDRY_EVALS ? values.FOUNDRY_EVAL_SAMPLE_RATE : 0,
    /** Azure AI Foundry's evaluators, whose key is asked for by `secret`; undefined: no address is set. */
    foundry:
      endpoint === undefined
        ? undefined
        : {
            endpoint,
            apiVersion: values.AZURE_FOUNDRY_API_VERSION,
            deployment: values.AZURE_FOUNDRY_EVALS_DEPLOYMENT,
            timeoutMs: values.FOUNDRY_EVAL_TIMEOUT_MS,
          },
  };
}
