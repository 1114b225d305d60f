// What a setting is, and the kinds of values that settings take. Invariant: a value that is not quite right is a mistake with its rule,
// never a silent default.
import { z } from 'zod';

export type SettingKind = z.ZodType<string | number | boolean>;
/** A group of settings by their names in the environment: of each its values, its default where it has one, and its meaning. */
export type SettingKinds = Readonly<Record<string, SettingKind>>;

/** What a group of settings says; undefined where nothing is set. */
export type ValuesOf<Kinds extends SettingKinds> = {
  readonly [Name in keyof Kinds]: Kinds[Name] extends z.ZodDefault
    ? z.output<Kinds[Name]>
    : z.output<Kinds[Name]> | undefined;
};

export interface Setting {
  /** Name in the environment. */
  readonly name: string;
  readonly schema: SettingKind;
  /** As a person would write it; absent: not set. */
  readonly default?: string;
  readonly meaning: string;
  /** Only from the environment or `.env`, never from the file, never shown. */
  readonly secret: boolean;
  /** Accepted, but this version does nothing with it. */
  readonly unused: boolean;
}

export const settingsOf = (kinds: SettingKinds): readonly Setting[] =>
  Object.entries(kinds).map(([name, schema]) => {
    const { description: meaning = '', secret = false, unused = false } = schema.meta() ?? {};
    const fallback = schema instanceof z.ZodDefault ? { default: String(schema.def.defaultValue) } : {};
    return { name, schema, ...fallback, meaning, secret: secret === true, unused: unused === true };
  });

export const text = z.string().trim().min(1, 'must not be empty');
export const url = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

/** First parts of paths that the server takes itself: below a prefix that begins so, nobody could tell which is meant. */
const ownPaths = /^\/(?:v1|chat|admin|assets|healthz|readyz|metrics|openapi\.json)(?:\/|$)/u;

/** Where people find the server: an origin and, behind a proxy, perhaps a path before its own. */
export const publicUrl = url
  .refine((value) => {
    const { username = '', password = '', search = '', hash = '' } = URL.parse(value) ?? {};
    return username + password + search + hash === '' && !/[?#]/u.test(value);
  }, 'must be an origin with or without a path, such as https://example.org/footnote, and nothing else')
  .refine((value) => /^(?:\/[\w.~-]+)*\/?$/u.test(URL.parse(value)?.pathname ?? ''), {
    error: 'may have a path of letters, digits, ".", "_", "~" and "-" between single slashes',
  })
  .refine((value) => !ownPaths.test(URL.parse(value)?.pathname ?? ''), {
    error: 'may not have a path that begins like one of the server, such as /v1: choose another name',
  });

/** Origins as browsers send them, separated by commas. */
export const origins = text.superRefine((value, context) => {
  for (const given of value.split(',').map((one) => one.trim())) {
    const { origin, protocol = '' } = URL.parse(given) ?? {};
    if (origin === given && /^https?:$/u.test(protocol) && !given.includes('*')) continue;
    const meant = origin !== undefined && origin !== given && /^https?:$/u.test(protocol) ? ` (write ${origin})` : '';
    context.addIssue(
      `must be exact origins, separated by commas, such as https://app.example.org,http://localhost:3000: ${JSON.stringify(given)} is none${meant}`,
    );
  }
});

/** The end of an address that clients add to it: people copy it from examples of a single call. */
const callOfApi = /\/(chat\/completions|completions|responses|messages|embeddings|models)\/?$/iu;
/** The address of an API, to which the path of each call is added. */
export const apiUrl = url.refine((value) => !callOfApi.test(URL.parse(value)?.pathname ?? ''), {
  error: ({ input }) => {
    const { pathname = '' } = URL.parse(String(input)) ?? {};
    return `must be written without ${callOfApi.exec(pathname)?.[0]} at its end, which is added for each call`;
  },
});

export const integer = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? Number(value) : value),
    z
      .int({ error: `must be a whole number from ${min} to ${max}` })
      .min(min, `must be at least ${min}`)
      .max(max, `must be at most ${max}`),
  ) as unknown as z.ZodType<number>;

export const decimal = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value),
    z
      .number({ error: `must be a number from ${min} to ${max}` })
      .min(min, `must be at least ${min}`)
      .max(max, `must be at most ${max}`),
  ) as unknown as z.ZodType<number>;

/** Strictly `true`, `false`, `1` or `0`: `yes`, `on` and `TRUE` are mistakes, never a silent false. */
export const flag = z.preprocess(
  (value) =>
    value === 'true' || value === '1' || value === 1
      ? true
      : value === 'false' || value === '0' || value === 0
        ? false
        : value,
  z.boolean({ error: 'must be true, false, 1 or 0' }),
) as unknown as z.ZodType<boolean>;

export const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names, { error: `must be one of ${names.join(', ')}` });

export const secret = (meaning: string) => text.meta({ description: meaning, secret: true });
/** A name that people may have set for another version. */
export const unused = (meaning: string) => text.meta({ description: meaning, unused: true });
