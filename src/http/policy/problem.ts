// Every failure leaves as application/problem+json (RFC 9457) with a stable code and the request's id: ours, Fastify's,
// a parser's or the router's. What is ours to know (stacks, upstream bodies, unknown errors) never leaves.
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { type ErrorCode, errorTable, FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { Problem } from '../../core/events.ts';

export const problemMime = 'application/problem+json; charset=utf-8';

/** A failure as the door reports it: the problem for the caller, and whether the operator should hear of it. */
export interface Failure {
  readonly problem: Problem;
  /** Set when the error is ours to look into. */
  readonly unexpected?: unknown;
}

/** What is known of the call that failed. */
export interface FailedCall {
  /** Where HTTP has a finer status than the code's own. */
  readonly status?: number | undefined;
  /** The schemas of its route, by what they check: `body`, `querystring`, `params`. */
  readonly schemas?: unknown;
  /** Whether the route takes files. */
  readonly takesFiles?: boolean;
  /** What of a message the caller may see; all of it where this is absent. */
  readonly conceal?: ((detail: string) => string) | undefined;
}

/** Total: turns anything thrown behind a route into a problem. */
export function toFailure(thrown: unknown, requestId: string, call: FailedCall = {}): Failure {
  const { status } = call;
  const error = toRequestError(thrown, call);
  const rule = errorTable[error.code];
  const detail =
    error.code === 'internal'
      ? `Something went wrong on our side. The server's log has it under request ${requestId}.`
      : (call.conceal ?? String)(shortened(error.message));
  const problem: Problem = {
    type: `urn:footnote:error:${error.code}`,
    title: rule.title,
    status: status ?? error.status ?? rule.status,
    detail,
    code: error.code,
    requestId,
  };
  return rule.status >= 500 && error.code !== 'deadline-exceeded' ? { problem, unexpected: thrown } : { problem };
}

/** What a message repeats of a request can be as long as the request. */
const maxDetailLength = 4_000;
const shortened = (message: string): string =>
  message.length <= maxDetailLength ? message : `${message.slice(0, maxDetailLength).toWellFormed()}…`;

export function toProblem(thrown: unknown, requestId: string, call: FailedCall = {}): Problem {
  return toFailure(thrown, requestId, call).problem;
}

interface RequestError {
  readonly code: ErrorCode;
  readonly message: string;
  /** Where HTTP has a finer status than the code's own. */
  readonly status?: number;
}

// Fastify's and its plugins' own codes that a caller can cause.
const frameworkErrors: Readonly<Record<string, readonly [ErrorCode, string, number?]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['too-large', 'The body is larger than this route takes.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid-request', 'The body does not match the Content-Length header.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported-media', 'Send the body as application/json.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['invalid-request', 'The body is empty. Send a JSON object.'],
  FST_ERR_BAD_URL: ['invalid-request', 'The path of the URL is not valid. Percent-encode it.'],
  FST_ERR_MAX_PARAM_LENGTH: ['invalid-request', 'A part of the path is longer than 1024 characters.', 414],
  FST_REQ_FILE_TOO_LARGE: ['too-large', 'A file is larger than this server takes.'],
  FST_FILES_LIMIT: ['too-large', 'Too many files in one upload. Send them in several.'],
  FST_PARTS_LIMIT: ['too-large', 'Too many parts in one upload. Send them in several.'],
  FST_FIELDS_LIMIT: ['too-large', 'Too many fields in one upload.'],
  FST_PROTO_VIOLATION: ['invalid-request', 'An upload field has a name that is refused.'],
  FST_INVALID_MULTIPART_CONTENT_TYPE: ['unsupported-media', 'Send the files as multipart/form-data.'],
  FST_MP_PREMATURE_CLOSE: ['invalid-request', 'The upload ended before its last part was complete.'],
};

/** What the reader of uploads says of one that is broken; its errors have no code. The needle is the boundary. */
const uploadFaults =
  /^(Multipart:|Unexpected end of multipart|Malformed part header|The needle cannot )|terminated early due to unexpected end of multipart/;

/** What a broken upload is told, where the error is one of the reader of uploads. */
export const uploadFaultOf = (thrown: unknown): FootnoteError | undefined =>
  thrown instanceof Error && uploadFaults.test(thrown.message)
    ? new FootnoteError('invalid-request', `The upload is malformed: ${thrown.message}`, { cause: thrown })
    : undefined;

function toRequestError(thrown: unknown, { schemas, takesFiles = false }: FailedCall): RequestError {
  if (thrown instanceof FootnoteError) return thrown;
  if (hasZodFastifySchemaValidationErrors(thrown)) {
    const where = (thrown as { validationContext?: string }).validationContext ?? 'request';
    return {
      code: 'invalid-request',
      message: describeIssues(
        where,
        thrown.validation as unknown as readonly Issue[],
        (schemas as Record<string, unknown> | undefined)?.[where],
      ),
    };
  }
  const raw = thrown as { code?: unknown; statusCode?: unknown; message?: unknown } | null | undefined;
  const known = typeof raw?.code === 'string' ? frameworkErrors[raw.code] : undefined;
  if (known && takesFiles && raw?.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return { code: known[0], message: 'Send the body as application/json, or files as multipart/form-data.' };
  if (known) return { code: known[0], message: known[1], ...(known[2] === undefined ? {} : { status: known[2] }) };
  // What else a library blames on the caller (such as a malformed multipart boundary).
  if (typeof raw?.statusCode === 'number' && raw.statusCode >= 400 && raw.statusCode < 500)
    return {
      code: 'invalid-request',
      message: typeof raw.message === 'string' ? raw.message : 'The request is not valid.',
    };
  return uploadFaultOf(thrown) ?? toFootnoteError(thrown);
}

interface Issue {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message?: string;
  readonly params: { readonly keys?: readonly string[]; readonly errors?: readonly (readonly ZodIssue[])[] };
}
interface ZodIssue {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  readonly errors?: readonly (readonly ZodIssue[])[];
}

const maxIssuesShown = 5;

function describeIssues(where: string, issues: readonly Issue[], schema: unknown): string {
  const place = where === 'querystring' ? 'query' : where === 'params' ? 'path' : where;
  const found = issues.flatMap((issue) => {
    const path = issue.instancePath.split('/').filter((part) => part !== '');
    const whole = { code: issue.keyword, message: issue.message ?? 'is not valid', ...issue.params, path: [] };
    return flatten(whole, path, schema);
  });
  const shown = found.slice(0, maxIssuesShown).map(({ path, text }) => {
    const field = [place, ...path].join('.');
    return `${field}: ${text}`;
  });
  const more = found.length - shown.length;
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}

/** The issues that a person should read: unknown fields by name, and of a union the branch that came closest. */
function flatten(issue: ZodIssue, prefix: readonly PropertyKey[], schema: unknown): { path: string[]; text: string }[] {
  const path = [...prefix, ...issue.path].map(String);
  if (issue.code === 'unrecognized_keys' && issue.keys) {
    const known = knownFields(schema, path);
    // Said once, with the last one.
    const last = issue.keys.length - 1;
    return issue.keys.map((key, at) => ({
      path: [...path, key],
      text: `unknown field; remove it${known && at === last ? ` (known: ${known.join(', ')})` : ''}`,
    }));
  }
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined'))
    return [{ path, text: `is missing (${/expected (.{1,200}?), received/u.exec(issue.message)?.[1] ?? 'a value'})` }];
  if (issue.code === 'invalid_union' && issue.errors && issue.errors.length > 0) {
    const closest = issue.errors.reduce((best, branch) => (closeness(branch) > closeness(best) ? branch : best));
    return closest.flatMap((inner) => flatten(inner, path, schema));
  }
  return [{ path, text: issue.message }];
}

/** A branch whose discriminating value matched fails deeper, and with fewer issues. */
function closeness(branch: readonly ZodIssue[]): number {
  const depth = Math.max(0, ...branch.map((issue) => issue.path.length));
  const wrongKind = branch.some((issue) => issue.code === 'invalid_value' && issue.path.length === 1) ? 100 : 0;
  return depth - branch.length - wrongKind;
}

type Schema = z.core.$ZodType;

/** Longer lists help nobody. */
const mostListed = 40;

/** What a schema is, beneath `optional`, defaults and transformations; each branch of a union. */
function branchesOf(schema: Schema): readonly z.core.$ZodTypeDef[] {
  const def = schema._zod.def as z.core.$ZodTypeDef & {
    readonly innerType?: Schema;
    readonly in?: Schema;
    readonly options?: readonly Schema[];
  };
  const inner = def.innerType ?? (def.type === 'pipe' ? def.in : undefined);
  if (inner) return branchesOf(inner);
  return def.options ? def.options.flatMap(branchesOf) : [def];
}

function step(schema: Schema, part: string): readonly Schema[] {
  return branchesOf(schema).flatMap((def) => {
    const { shape, element } = def as { readonly shape?: Readonly<Record<string, Schema>>; readonly element?: Schema };
    const member = element ?? (shape && Object.hasOwn(shape, part) ? shape[part] : undefined);
    return member ? [member] : [];
  });
}

/** `path` leads to the object that has the unknown field. */
function knownFields(schema: unknown, path: readonly string[]): readonly string[] | undefined {
  if (typeof schema !== 'object' || schema === null || !('_zod' in schema)) return undefined;
  let at: readonly Schema[] = [schema as Schema];
  for (const part of path) at = at.flatMap((one) => step(one, part));
  const names = at.flatMap(branchesOf).flatMap((def) => Object.keys((def as { readonly shape?: object }).shape ?? {}));
  const known = [...new Set(names)];
  return known.length === 0 || known.length > mostListed ? undefined : known;
}
