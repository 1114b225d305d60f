// How answers are scored while the server runs, as its settings say.

/** Azure AI Foundry's evaluators; the key is asked for by `secret`. */
export interface FoundryConfig {
  readonly endpoint: string;
  readonly apiVersion: string;
  readonly deployment: string;
  readonly timeoutMs: number;
}

export interface EvalsConfig {
  /** Share of answers that rules score, 0..1; 0 where none is. */
  readonly rulesShare: number;
  /** The same of Azure AI Foundry. */
  readonly foundryShare: number;
  /** Undefined: no address is set. */
  readonly foundry: FoundryConfig | undefined;
}

export function readEvals(values: ReadonlyMap<string, string | number | boolean>): EvalsConfig {
  const share = (flag: string, rate: string): number => (values.get(flag) === true ? Number(values.get(rate)) : 0);
  const string = (name: string): string => String(values.get(name) ?? '');
  return Object.freeze({
    rulesShare: share('ENABLE_ONLINE_EVALS', 'EVAL_SAMPLE_RATE'),
    foundryShare: share('ENABLE_FOUNDRY_EVALS', 'FOUNDRY_EVAL_SAMPLE_RATE'),
    foundry: values.has('AZURE_FOUNDRY_EVALS_ENDPOINT')
      ? Object.freeze({
          endpoint: string('AZURE_FOUNDRY_EVALS_ENDPOINT'),
          apiVersion: string('AZURE_FOUNDRY_API_VERSION'),
          deployment: string('AZURE_FOUNDRY_EVALS_DEPLOYMENT'),
          timeoutMs: Number(values.get('FOUNDRY_EVAL_TIMEOUT_MS')),
        })
      : undefined,
  });
}
