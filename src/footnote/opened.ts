// What opening takes and gives: one Footnote over a data folder, as servers, commands and library users hold it.

import type { Meter } from '../auth/meter.ts';
import type { Clock, Ids } from '../core/ids.ts';
import type { Scope } from '../core/scope.ts';
import type { IdempotencyRepository } from '../db/repositories/idempotency.ts';
import type { OtherServers } from '../db/servers/servers.ts';
import type { CuttingPool, LinkReader } from '../ingest/read/parse.ts';
import type { ModelLogLine } from '../models/calls/watch.ts';
import type { ResolvedRoles, RoleModels } from '../models/roles.ts';
import type { RequestLogLine } from '../trace/telemetry/request-log.ts';
import type { Telemetry } from '../trace/telemetry/telemetry.ts';
import type { SettleOptions } from '../vectors/embedder.ts';
import type { EmbedEstimate } from '../vectors/estimate.ts';
import type { AuditedKeys, Via } from './audit/audit.ts';
import type { ConfiguredStore } from './configured-stores.ts';
import type { Footnote, Health } from './facade.ts';
import type { Lock } from './lock.ts';
import type { RepairReport } from './record/repair.ts';
import type { OpenedEncoder } from './roles/encoders.ts';
import type { Upkeep } from './sources/upkeep.ts';

export interface OpenOptions {
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** Whether to make a data folder that is not there. Default true. */
  readonly create?: boolean;
  /** Stand in the place of the models that the configuration names: tests of applications, models of one's own. */
  readonly models?: RoleModels;
  /** Stand beside the store inside the record: tests of applications, stores of one's own. */
  readonly stores?: readonly ConfiguredStore[];
  /** Stands in the place of the encoder that comes with Footnote; `none`: there is none, whatever the configuration says. */
  readonly encoder?: OpenedEncoder | 'none';
  /** Read files in the place of processes of its own, and are closed with it: for many that are opened after one another. */
  readonly parsers?: CuttingPool & LinkReader;
  /** What this process does, as others that want the folder are told. */
  readonly command?: string;
  /** Told what a person should know before it happens, a sentence or two each. */
  readonly tell?: (message: string) => void;
  /** Told of failures of models that somebody else runs as they happen, and of searches and turns that were read where there is telemetry: a line for each. */
  readonly log?: (line: ModelLogLine | RequestLogLine) => void;
  /** Whether requests are counted and exported: for servers. Default false. */
  readonly withTelemetry?: boolean;
  /** Told, for people, of what went wrong behind their backs. */
  readonly warn?: (message: string) => void;
}

export interface OpenedFootnote {
  /** Calls are noted in the audit log, with how they came in; by default by the command of this process. */
  forScope(scope: Scope, via?: Via): Footnote;
  health(): Promise<Health>;
  readonly keys: AuditedKeys;
  /** Counts what keys take. */
  readonly meter: Pick<Meter, 'request'>;
  /** Present where other servers work on the same record: what they do shows here. */
  readonly others?: Pick<OtherServers, 'revoked' | 'deletedLately' | 'logins'>;
  idempotency(scope: Scope): IdempotencyRepository;
  /** The lock of the data folder: a server publishes its address there. */
  readonly lock: Lock;
  /** Which model writes what, as the configuration says. */
  readonly languageModels: ResolvedRoles;
  /** Where citations point to: set once the server knows its address. */
  setAddress(url: string): void;
  /** Reads sources on their schedules once it is started: a server does. */
  readonly upkeep: Upkeep;
  /** Resolves when every chunk of a tenant has its vector and what is due at other stores was tried. Throws `cancelled`, or why the vectors cannot be made. */
  settle(tenant: string, options?: SettleOptions): Promise<void>;
  /** Resolves when every answer that was drawn is judged. */
  settleEvals(): Promise<void>;
  /** Resolves when nothing that was deleted is left in the data folder, or why is told with the stores. */
  settleErasures(): Promise<void>;
  /** What has been counted of requests; absent unless asked for. */
  readonly telemetry?: Pick<Telemetry, 'text'>;
  /** What vectors of a model would take, by default of the configured one. Throws what opening the model throws. */
  estimate(tenant: string, model?: string, signal?: AbortSignal): Promise<EmbedEstimate>;
  /** Findings of a full check of the record. Empty: sound. */
  check(): Promise<readonly string[]>;
  /** Aborted when other servers of the record took this one for dead, with what to do: it can only be closed. */
  readonly lost: AbortSignal;
  /** Puts right what is damaged in the record, as far as that can be. */
  repair(signal?: AbortSignal): Promise<RepairReport>;
  close(): Promise<void>;
}
