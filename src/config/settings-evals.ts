// Settings of how answers are scored while the server runs.
import { decimal, flag, integer, type Setting, secret, text, url } from './setting-kinds.ts';

export const evalsSettings: readonly Setting[] = [
  {
    name: 'ENABLE_ONLINE_EVALS',
    schema: flag,
    default: 'false',
    meaning: 'A sample of answers is judged by rules after it was given, behind the requests (`GET /admin/evals`)',
  },
  { name: 'EVAL_SAMPLE_RATE', schema: decimal(0, 1), default: '0.1', meaning: 'Share of answers that is judged' },
  {
    name: 'ENABLE_FOUNDRY_EVALS',
    schema: flag,
    default: 'false',
    meaning:
      'Azure AI Foundry scores a sample of answers, behind the requests: questions, answers and the passages that were read are sent there',
  },
  {
    name: 'FOUNDRY_EVAL_SAMPLE_RATE',
    schema: decimal(0, 1),
    default: '0.1',
    meaning: 'Share of answers that Foundry scores',
  },
  {
    name: 'AZURE_FOUNDRY_EVALS_ENDPOINT',
    schema: url,
    meaning: 'Address of the Foundry project: `https://<account>.services.ai.azure.com/api/projects/<project>`',
  },
  secret('AZURE_FOUNDRY_EVALS_API_KEY', 'Key of Azure AI Foundry evaluators; not set: Entra ID'),
  {
    name: 'AZURE_FOUNDRY_API_VERSION',
    schema: text,
    default: '2024-10-01-preview',
    meaning: 'API version of those evaluators: `v1`, or a dated preview',
  },
  {
    name: 'AZURE_FOUNDRY_EVALS_DEPLOYMENT',
    schema: text,
    default: 'gpt-5-mini',
    meaning: 'Model deployment of the project that the evaluators ask',
  },
  {
    name: 'FOUNDRY_EVAL_TIMEOUT_MS',
    schema: integer(1000, 3_600_000),
    default: '600000',
    meaning: 'Longest time of one run there, from its creation to its last result',
  },
];
