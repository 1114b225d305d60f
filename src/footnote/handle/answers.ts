// Answers that were given, of one scope: read, checked, and told with their evidence.
import { verifyAnswer } from '../../answer/verify.ts';
import { version } from '../../config/version.ts';
import type { Answer } from '../../core/answer.ts';
import type { EvidenceReport } from '../../core/answers/evidence-report.ts';
import type { Clock } from '../../core/ids.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import type { Answers } from '../facade/answers.ts';
import { withTurns } from '../keeping/archives.ts';
import { withMemories } from '../keeping/memories.ts';
import { withSaid } from '../keeping/said.ts';
import { linkedFrom } from '../record/links.ts';
import { createSpanReader } from '../record/span-reader.ts';
import { toldOfAnswer } from '../record/without-memories.ts';
import { checkReport } from '../report/check-report.ts';
import { gatherReport } from '../report/gather-report.ts';
import { withPassing } from '../report/passing-spans.ts';
import { reportLayout, reportPage } from '../report/report-page.ts';
import { rowsIn } from '../report/trace-facts.ts';
import { isOfWorkspace, traceOfWorkspace } from '../sources/workspace.ts';
import { found, missing } from './found.ts';

export interface AnswersOptions {
  readonly record: TenantRecord;
  readonly clock: Pick<Clock, 'now'>;
  readonly addressOf: () => string;
  readonly conversations: { readonly archive: Parameters<typeof withTurns>[1] };
}

export function createAnswersPart(options: AnswersOptions): Answers {
  const { record, clock } = options;
  const { archive } = options.conversations;
  const linked = (answer: Answer): Answer => linkedFrom(options.addressOf(), answer);
  const readerFor = (answer: Answer) =>
    withSaid(withTurns(withMemories(createSpanReader(record), record), archive), answer, record);
  /** Quotes of files that came with the request are read in what its trace has of them. */
  const verifyReported = async (answer: Answer) => {
    const isPassing = answer.citations.some(({ documentId }) => traceOfWorkspace(documentId) !== undefined);
    const saved = isPassing ? await record.traces.get(answer.traceId) : undefined;
    if (!saved) return verify(answer);
    const passages = new Map([...rowsIn(saved.events)].filter(([, row]) => isOfWorkspace(row)));
    return verifyAnswer(answer, withPassing(await readerFor(answer), passages));
  };
  const verify = async (answer: Answer) => verifyAnswer(answer, await readerFor(answer));
  const gather = (answer: Answer, head: Pick<EvidenceReport, 'program' | 'writtenAt' | 'layout'>) =>
    gatherReport(linked(answer), record, head);
  const told = async (id: string): Promise<Answer> =>
    linked(await toldOfAnswer(await found('answer', id, record.answers.get(id)), record));
  return {
    get: told,
    async delete(id) {
      if (!(await record.answers.delete(id))) throw missing('answer', id);
    },
    verify,
    using: (place, request) => record.answers.using(place, request),
    async report(id) {
      const report = await gather(await told(id), { program: version, writtenAt: clock.now(), layout: reportLayout });
      return reportPage(report);
    },
    verifyReport: (html) =>
      checkReport(html, {
        async answerOf(id) {
          const answer = await record.answers.get(id);
          return answer && toldOfAnswer(answer, record);
        },
        verify: verifyReported,
        gather,
      }),
  };
}
