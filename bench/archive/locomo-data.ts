// LoCoMo (Maharana et al. 2024): dated conversations of two people, questions, and the turns that hold the answers, as lines that the archive
// imports.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sharedData } from '../../testkit/shared-data.ts';

export interface LocomoQuestion {
  readonly id: string;
  readonly conversation: string;
  readonly text: string;
  /** 1 multi-hop, 2 temporal, 3 open-domain, 4 single-hop, 5 adversarial. */
  readonly category: number;
  /** Ids of the turns with the answer. */
  readonly evidence: ReadonlySet<string>;
}

interface CorpusLine {
  readonly _id: string;
  readonly text: string;
  readonly metadata: { readonly sample_id: string; readonly date_time: string; readonly speaker: string };
}
interface QueryLine {
  readonly _id: string;
  readonly text: string;
  readonly metadata: { readonly sample_id: string; readonly category: number };
}

export const locomoFolder = sharedData('locomo', 'ir');

async function linesOf(name: string): Promise<readonly string[]> {
  if (locomoFolder === undefined) return [];
  return (await readFile(join(locomoFolder, name), 'utf8')).split('\n').filter((line) => line !== '');
}

/** `1:56 pm on 8 May, 2023` */
function toTimestamp(text: string): string {
  const found = /^(\d+):(\d+) ([ap])m on (\d+) (\w+), (\d+)$/u.exec(text);
  if (!found) throw new Error(`"${text}" is no time of LoCoMo.`);
  const [, hour, minute, half, day, month, year] = found;
  const hours = (Number(hour) % 12) + (half === 'p' ? 12 : 0);
  const at = Date.parse(`${day} ${month} ${year} 00:00 UTC`) + (hours * 60 + Number(minute)) * 60_000;
  return new Date(at).toISOString();
}

/** A line for each message, its speaker as the role, in conversation and order. */
export async function locomoLines(): Promise<readonly object[]> {
  return (await linesOf('corpus.jsonl')).map((line) => {
    const { _id, text, metadata } = JSON.parse(line) as CorpusLine;
    return {
      conversation_id: metadata.sample_id,
      turn_id: _id,
      role: metadata.speaker,
      text: text.slice(metadata.speaker.length + 2),
      timestamp: toTimestamp(metadata.date_time),
    };
  });
}

/** Questions with judgments. */
export async function locomoQuestions(): Promise<readonly LocomoQuestion[]> {
  const evidence = new Map<string, Set<string>>();
  for (const line of (await linesOf('qrels/test.tsv')).slice(1)) {
    const [query = '', turn = '', grade] = line.split('\t');
    if (Number(grade) > 0) evidence.set(query, (evidence.get(query) ?? new Set()).add(turn));
  }
  return (await linesOf('queries.jsonl')).flatMap((line) => {
    const { _id: id, text, metadata } = JSON.parse(line) as QueryLine;
    const own = evidence.get(id);
    return own ? [{ id, text, conversation: metadata.sample_id, category: metadata.category, evidence: own }] : [];
  });
}
