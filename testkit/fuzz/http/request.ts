// One hostile request from one number: the same number, contract and planted ids give the same bytes, wherever it is asked for.
import { type Random, seeded } from '../../../packages/readers/testkit/mutate.ts';
import { pick, type Requests } from './contract.ts';
import { framingMutations } from './framing.ts';
import { bodyMutations, targetMutations } from './values.ts';
import { bodyByteMutations, headerMutations, partsMutations, toBytes, toWire, type Wire } from './wire.ts';

export interface HostileRequest {
  readonly seed: number;
  /** `POST /v1/search`. */
  readonly route: string;
  /** Names of what was done to the sound request; none for one that was left sound. */
  readonly mutations: readonly string[];
  readonly wire: Wire;
  readonly bytes: Buffer;
}

/** How many mutations: some requests stay sound, most have one, so that it reaches as far as it can. */
const someMutations = (random: Random): number => pick(random, [0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 4]);

export function hostileRequest(requests: Requests, seed: number): HostileRequest {
  const random = seeded(seed);
  const draft = requests.draft(seed, random);
  const mutations: string[] = [];
  const onWire: ((wire: Wire) => void)[] = [];
  const take = <Mutation extends { readonly name: string }>(from: readonly Mutation[]): Mutation => {
    const mutation = pick(random, from);
    mutations.push(mutation.name);
    return mutation;
  };
  for (let count = someMutations(random); count > 0; count--) {
    const kind = random();
    const { parts } = draft;
    if (kind < 0.35 && parts) take(partsMutations)(parts, random);
    else if (kind < 0.35 && draft.json !== undefined) take(bodyMutations)(draft, random);
    else if (kind < 0.55) take(targetMutations)(draft, random);
    else if (kind < 0.65 && (parts || draft.json !== undefined)) {
      const mutation = take(bodyByteMutations);
      onWire.push((wire) => mutation(wire, random));
    } else {
      const mutation = take(kind < 0.85 ? headerMutations : framingMutations);
      onWire.push((wire) => mutation(wire, random));
    }
  }
  const wire = toWire(draft, random);
  for (const change of onWire) change(wire);
  return { seed, route: `${draft.method} ${draft.route}`, mutations, wire, bytes: toBytes(wire, random) };
}

/** As a command that sends it, shortened: the whole of a long one is made again from its seed. */
export function toCommand({ bytes }: HostileRequest, port: number): string {
  const shown = bytes
    .subarray(0, 1500)
    .toString('latin1')
    .replace(/[\\'%\0-\x1f\x7f-\xff]/gu, (character) =>
      character === '%' ? '%%' : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
    );
  const more = bytes.length > 1500 ? ` # and ${bytes.length - 1500} bytes more` : '';
  return `printf '${shown}' | nc -q 5 127.0.0.1 ${port}${more}`;
}
