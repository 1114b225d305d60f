// How the models stand in the process that asks them: for the doctor and for `footnote models`. A server that runs knows; one that is too
// old to be asked, or none, tells nothing.
import { toFootnoteError } from '../../core/errors.ts';
import type { Finding } from '../../footnote/doctor.ts';
import type { Health } from '../../footnote/facade.ts';
import type { RemoteHttp } from './remote-http.ts';

export type Standings = NonNullable<Health['models']>;
type Standing = Standings['models'][number];

/** Throws `cancelled` and what asking the server throws, but not for a server that does not know. */
export async function askStandings(http: RemoteHttp, signal?: AbortSignal): Promise<Standings | undefined> {
  const { server } = await import('../../operations/server.ts');
  try {
    return await http.json<Standings>(server.models, { signal });
  } catch (thrown) {
    const error = toFootnoteError(thrown);
    if (error.code === 'not-found') return undefined;
    throw error;
  }
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times in a row`);

/** Whether its last call failed: until its circuit opens calls still go to it, and it counts as serving. */
export const failedLast = ({ failuresInRow }: Pick<Standing, 'failuresInRow'>): boolean => failuresInRow > 0;

const circuits: Readonly<Record<Standing['circuit'], string>> = {
  closed: 'circuit closed',
  open: 'circuit open: calls are kept away for a while',
  'half-open': 'circuit half open: the next call tries it',
};

/** One line: how it stands, its circuit, and its last failure. */
export function standingLine({ state, circuit, failuresInRow, lastServedAt, lastFailure }: Standing): string {
  const failed = failuresInRow === 0 ? '' : `, failed ${times(failuresInRow)}`;
  const stands = state === 'untried' ? 'not asked yet' : state === 'serving' && failed !== '' ? 'still asked' : state;
  const served = lastServedAt === undefined ? '' : `, served last at ${lastServedAt}`;
  const failure =
    lastFailure === undefined ? '' : `; last failure ${lastFailure.code} at ${lastFailure.at}: ${lastFailure.reason}`;
  return `${stands}${failed}, ${circuits[circuit]}${served}${failure}`;
}

export function standingFindings({ models, roles }: Standings): Finding[] {
  const findings = models
    .filter(({ state }) => state !== 'untried')
    .map((one): Finding => {
      const isLasting = ['config-invalid', 'quota-exceeded'].includes(one.lastFailure?.code ?? '');
      return {
        area: `model ${one.model}`,
        state: !failedLast(one) ? 'ok' : isLasting ? 'problem' : 'warning',
        detail: standingLine(one),
        ...(failedLast(one) && {
          advice: isLasting
            ? 'Do what the reason says and start the server again. Until then the next model of the list is asked, or the step is done without one.'
            : 'Calls go on by themselves once it answers again.',
        }),
      };
    });
  const down = roles.filter(({ status }) => status === 'down').map(({ role }) => role);
  if (down.length === 0) return findings;
  const detail = `No model serves ${down.join(', ')} now: what they do is done without.`;
  return [...findings, { area: 'models', state: 'warning', detail, advice: '"footnote models" says what that means.' }];
}
