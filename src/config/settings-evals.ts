// Settings of how answers are scored while the server runs.
import { decimal, flag, later, type Setting, secret, text, url } from './setting-kinds.ts';

export const evalsSettings: readonly Setting[] = [
  {
    name: 'ENABLE_ONLINE_EVALS',
    schema: flag,
    default: 'false',
    meaning: 'A sample of answers is judged by rules after it was given, behind the requests (`GET /admin/evals`)',
  },
  { name: 'EVAL_SAMPLE_RATE', schema: decimal(0, 1), default: '0.1', meaning: 'Share of answers that is judged' },
  later('ENABLE_FOUNDRY_EVALS', flag, { default: 'false', meaning: 'Azure AI Foundry scores a sample' }),
  later('FOUNDRY_EVAL_SAMPLE_RATE', decimal(0, 1), { default: '0.1', meaning: 'Share that Foundry scores' }),
  later('AZURE_FOUNDRY_EVALS_ENDPOINT', url, { meaning: 'Address of Azure AI Foundry evaluators' }),
  { ...secret('AZURE_FOUNDRY_EVALS_API_KEY', 'Key of Azure AI Foundry evaluators'), unused: true },
  later('AZURE_FOUNDRY_API_VERSION', text, {
    default: '2024-10-01-preview',
    meaning: 'API version of those evaluators',
  }),
];
