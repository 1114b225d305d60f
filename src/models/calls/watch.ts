// How the models that somebody else runs stand in this process: whether each serves, whether its circuit keeps calls away, and its last
// failure, told once as it happens. Invariants: nothing is called for it; a failure of the request (too long, cancelled) is none of the
// model; the same failure again is counted and not told again within a minute, so that an outage does not fill a log.
import type { FootnoteError } from '../../core/errors.ts';
import { type Circuit, type CircuitOptions, type CircuitState, createCircuit } from './circuit.ts';

export interface ModelFailure {
  readonly code: string;
  /** Ours: nothing that a provider wrote. */
  readonly reason: string;
  readonly at: string;
  /** HTTP status, where there was one. */
  readonly status?: number;
}

/** How a model stands. A key that is refused, a model that is not there and an account without credit fail until a call succeeds. */
export interface ModelStanding {
  /** `provider:model`. */
  readonly model: string;
  readonly state: 'untried' | 'serving' | 'failing';
  readonly circuit: CircuitState;
  readonly failuresInRow: number;
  readonly lastServedAt?: string;
  readonly lastFailure?: ModelFailure;
}

/** One line of a log: a failure that has not been told in the last minute, or the first success after one. */
export type ModelLogLine =
  | ({
      readonly event: 'model-failed';
      readonly model: string;
      readonly circuit: CircuitState;
      readonly failuresInRow: number;
      /** The same failure since the last line that told it. */
      readonly untold: number;
    } & ModelFailure)
  | { readonly event: 'model-recovered'; readonly model: string; readonly at: string };

export interface ModelWatch {
  /** A circuit for one model, watched. A second one of the same name takes over what is known of it. */
  circuit(name: string, options: CircuitOptions): Circuit;
  /** By name. */
  standings(): readonly ModelStanding[];
}

/** As that of a watch, of which nobody wants to know. */
export const unwatched: Pick<ModelWatch, 'circuit'> = { circuit: (_name, options) => createCircuit(options) };

export interface ModelWatchOptions {
  readonly now: () => string;
  readonly elapsedMs: () => number;
  readonly log?: ((line: ModelLogLine) => void) | undefined;
  /** Which models were silent, across processes. */
  readonly silences?: SilenceMemory | undefined;
}

export interface SilenceMemory {
  of(model: string): number;
  /** 0: it served. */
  note(model: string, silences: number): void;
}

/** Failures that last until somebody corrects a setting or an account. */
const lasting: ReadonlySet<string> = new Set(['config-invalid', 'quota-exceeded']);
/** Ends of a call that say nothing of the model. */
const ofRequest: ReadonlySet<string> = new Set(['cancelled', 'too-large', 'internal']);
const toldAgainAfterMs = 60_000;

interface Known {
  circuit: Circuit;
  inRow: number;
  lastServedAt?: string;
  last?: ModelFailure;
  /** The failure of the last line, when it was told, and how often it came since. */
  told?: { readonly code: string; readonly atMs: number; untold: number };
  /** The last line said that it failed. */
  isToldFailing?: boolean;
}

export function createModelWatch({ now, elapsedMs, log, silences }: ModelWatchOptions): ModelWatch {
  const models = new Map<string, Known>();

  function noteFailure(model: string, known: Known, error: FootnoteError | undefined): void {
    if (!error || ofRequest.has(error.code)) return;
    const { code, message, details } = error;
    const status = details['status'];
    known.inRow += 1;
    known.last = { code, reason: message, at: now(), ...(typeof status === 'number' && { status }) };
    const { told } = known;
    if (told?.code === code && elapsedMs() - told.atMs < toldAgainAfterMs) {
      told.untold += 1;
      return;
    }
    const untold = told?.code === code ? told.untold : 0;
    known.told = { code, atMs: elapsedMs(), untold: 0 };
    known.isToldFailing = true;
    log?.({
      event: 'model-failed',
      model,
      ...known.last,
      circuit: known.circuit.state(),
      failuresInRow: known.inRow,
      untold,
    });
  }

  const standingOf = (model: string, { circuit, inRow, lastServedAt, last }: Known): ModelStanding => {
    const state = circuit.state();
    const isFailing = inRow > 0 && (state !== 'closed' || (last !== undefined && lasting.has(last.code)));
    return {
      model,
      state: isFailing ? 'failing' : lastServedAt === undefined && last === undefined ? 'untried' : 'serving',
      circuit: state,
      failuresInRow: inRow,
      ...(lastServedAt !== undefined && { lastServedAt }),
      ...(last && { lastFailure: last }),
    };
  };

  return {
    circuit(name, options) {
      const circuit = createCircuit({ silences: silences?.of(name), ...options });
      const known: Known = models.get(name) ?? { circuit, inRow: 0 };
      known.circuit = circuit;
      models.set(name, known);
      return {
        ...circuit,
        silent() {
          circuit.silent();
          silences?.note(name, circuit.silences());
        },
        succeeded() {
          if (circuit.silences() > 0) silences?.note(name, 0);
          circuit.succeeded();
          known.lastServedAt = now();
          known.inRow = 0;
          if (known.isToldFailing) log?.({ event: 'model-recovered', model: name, at: known.lastServedAt });
          known.isToldFailing = false;
        },
        failed(error) {
          circuit.failed(error);
          noteFailure(name, known, error);
        },
        undecided(error) {
          circuit.undecided(error);
          noteFailure(name, known, error);
        },
      };
    },
    standings: () =>
      [...models].map(([name, known]) => standingOf(name, known)).sort((a, b) => (a.model < b.model ? -1 : 1)),
  };
}
