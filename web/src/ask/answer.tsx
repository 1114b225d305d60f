// A whole answer: its claims with their marks, what nothing confirms, passages, conflicts, what was limited, its sources, and what can be done with it.
import { useState } from 'preact/hooks';
import { follow, hrefOf, ownTab } from '../shared/address.ts';
import { call, home } from '../shared/api.ts';
import type { Answer, Claim, Conflict } from '../shared/contract.ts';
import { instantText, spanText } from '../shared/instants.ts';
import { answerMarkdown } from '../shared/markdown.ts';
import { blocksOf, claimsInText, highlightsOf } from '../shared/marks.ts';
import { counted, cut, inOrder } from '../shared/text.ts';
import { flowing } from '../shared/unwrapped.ts';
import { caller } from '../shell/holdings.ts';
import { type CitedProps, MarkButton, Marked } from './marked.tsx';
import { attempt, copied, copyMarkdown, draft, openCitation, tell } from './session.ts';
import { SourceList } from './source-list.tsx';

type Cited = { readonly answerId: string } & Pick<Answer, 'citations'>;

const percent = new Intl.NumberFormat(undefined, { style: 'percent' });
const seconds = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2, style: 'unit', unit: 'second' });

export function AnswerView({ answer }: { readonly answer: Answer }) {
  const { id, citations, claims, conflicts, degraded, passages } = answer;
  const cited = { answerId: id, citations };
  // Without a model the passages may be the claims themselves.
  const below = answer.abstained ? [] : (passages ?? []).filter(({ text }) => !claims.some((one) => one.text === text));
  return (
    <div class="answer" data-answer={id}>
      {answer.erased && <p class="notice">{erasedText(answer.erased)}</p>}
      {degraded.length > 0 && <Limits of={degraded} />}
      {answer.abstained && claimsInText(answer).length === 0 ? (
        <Abstention answer={answer} />
      ) : (
        <Text answer={answer} />
      )}
      {claims
        .filter(({ confirmed }) => confirmed === false)
        .map((claim) => (
          <Reworded key={claim.text} claim={claim} answer={answer} />
        ))}
      {below.length > 0 && <Passages passages={below} {...cited} />}
      {answer.disclaimer && <p class="notice">{inOrder(answer.disclaimer)}</p>}
      {conflicts.map((conflict) => (
        <ConflictView key={conflict.about} conflict={conflict} {...cited} />
      ))}
      {citations.length > 0 && <SourceList {...cited} />}
      <Foot answer={answer} />
    </div>
  );
}

/** What could not serve, by what it changed: whoever reads on knows it before. */
function Limits({ of }: { readonly of: Answer['degraded'] }) {
  return (
    <details class="notice">
      <summary>{inOrder(`This answer is limited. ${[...new Set(of.map(({ effect }) => effect))].join(' ')}`)}</summary>
      <ul>
        {of.map(({ component, detail }) => (
          <li key={component + detail}>{inOrder(`${component}: ${detail}`)}</li>
        ))}
      </ul>
    </details>
  );
}

/** What is left may be right; how sure the whole was says nothing of it. */
const erasedText = ({ at, documents, citations }: NonNullable<Answer['erased']>): string =>
  `${counted(citations, 'passage')} of this answer went when ${counted(documents.length, 'document')} that it cited ${documents.length === 1 ? 'was' : 'were'} deleted (${instantText(at)}). The others are numbered anew.`;

function Abstention({ answer }: { readonly answer: Answer }) {
  const reason = answer.abstainReason ?? '';
  // Some answers say their reason themselves.
  const text = answer.answer.includes(reason) ? answer.answer : `${answer.answer} ${reason}`;
  return (
    <div class="notice">
      <p>{inOrder(text.trim()) || 'The documents do not answer this.'}</p>
      <p>You can ask in other words, search in another mode, or add documents that speak of it.</p>
    </div>
  );
}

function Text({ answer }: { readonly answer: Answer }) {
  const { id, citations, answer: text, marks = [] } = answer;
  const highlights = highlightsOf(answer);
  const shown = claimsInText(answer);
  const common = { answerId: id, citations, text, marks, highlights };
  return (
    <div class="text">
      {blocksOf(answer).map(({ opening, headings, claims, span }) => (
        <div key={span.start} class="block">
          {opening && <p class="opening">{inOrder(opening)}</p>}
          {headings && (
            <HeadingPath headings={headings} answerId={id} index={claims[0] && shown[claims[0].at]?.citations[0]} />
          )}
          {claims.length === 0 ? (
            <p>
              <Marked {...common} span={trimmed(text, span)} />
            </p>
          ) : (
            <p>
              {claims.map(({ at, span: own }) => (
                <span key={at} class="claim" tabIndex={-1} data-claim={at} data-kind={shown[at]?.kind} dir="auto">
                  <Marked {...common} span={own} />{' '}
                </span>
              ))}
            </p>
          )}
        </div>
      ))}
      <Support claims={shown} />
    </div>
  );
}

interface HeadingPathProps extends Pick<CitedProps, 'answerId'> {
  readonly headings: readonly string[];
  readonly index: number | undefined;
}

/** Where a passage stands, which opens it as the mark at its end does: a long passage hides its mark below the window. */
function HeadingPath({ headings, answerId, index }: HeadingPathProps) {
  const text = inOrder(headings.join(' › '));
  return (
    <p class="path" dir="auto">
      {index === undefined || answerId === undefined ? (
        text
      ) : (
        <button type="button" class="link" onClick={() => openCitation(answerId, index)}>
          {text}
        </button>
      )}
    </p>
  );
}

function trimmed(text: string, { start, end }: { start: number; end: number }) {
  const part = text.slice(start, end);
  return { start: start + part.length - part.trimStart().length, end: end - (part.length - part.trimEnd().length) };
}

/** How each claim is supported, on demand. */
function Support({ claims }: { readonly claims: readonly Claim[] }) {
  if (claims.length === 0) return null;
  const said = claims.filter(({ kind }) => kind === 'derived' || kind === 'judged').length;
  return (
    <details class="support" open={said > 0}>
      <summary>How claims are supported</summary>
      <ul>
        {claims.map((claim, at) => (
          <li key={at} data-kind={claim.kind}>
            <meter value={claim.support} aria-label={`Support of claim ${at + 1}`} />{' '}
            {`${percent.format(claim.support)}, ${kindText(claim)}: “${inOrder(cut(claim.text, 120))}”`}
          </li>
        ))}
      </ul>
    </details>
  );
}

function kindText({ kind, derivation, judgedBy }: Claim): string {
  if (kind === 'derived') return `computed from its quotes${derivation ? `: ${inOrder(derivation)}` : ''}`;
  if (kind === 'judged')
    return `judged to follow from its quotes by ${inOrder(judgedBy ?? 'a model')}; no rule checks that`;
  return 'quoted';
}

/** What a model said and nothing confirms, right above the passage that it may misread. */
function Reworded({ claim, answer }: { readonly claim: Claim; readonly answer: Answer }) {
  const { citations, id } = answer;
  return (
    <div class="reworded">
      <p>
        <span>In the model’s words, not confirmed: </span>
        <span dir="auto">{inOrder(claim.text)}</span>
      </p>
      {citations
        .filter(({ index }) => claim.citations.includes(index))
        .map((citation) => (
          <blockquote key={citation.index}>
            <MarkButton answerId={id} citations={citations} index={citation.index} />{' '}
            <q dir="auto">{inOrder(cut(flowing(citation.quote, [citation]), 800))}</q>
          </blockquote>
        ))}
    </div>
  );
}

/** Passages of the documents, as they stand, below what was written or the sentence that leads to them. */
function Passages({ passages, answerId, citations }: { readonly passages: readonly Claim[] } & Cited) {
  return (
    <details class="passages" open>
      <summary>The passages</summary>
      <ul>
        {passages.map(({ text, headingPath = [], citations: cited, pinpoint }, at) => (
          <li key={at}>
            {headingPath.length > 0 && <HeadingPath headings={headingPath} answerId={answerId} index={cited[0]} />}
            <p class="passage" dir="auto">
              <Marked
                answerId={answerId}
                citations={citations}
                text={text}
                span={{ start: 0, end: text.length }}
                marks={[]}
                highlights={pinpoint ? [pinpoint] : []}
                rests={cited}
              />{' '}
              {cited.map((index) => (
                <MarkButton key={index} answerId={answerId} citations={citations} index={index} />
              ))}
            </p>
          </li>
        ))}
      </ul>
    </details>
  );
}

function ConflictView({ conflict, ...cited }: { readonly conflict: Conflict } & Cited) {
  const { positions, about, kind, judgedBy, follows } = conflict;
  const because = {
    authority: 'its source has more authority',
    freshness: 'it is newer',
    agreement: 'more sources say so',
  };
  return (
    <details class="notice conflict" open>
      <summary>
        {`${positions.length} positions on “${inOrder(about)}”${kind === 'judged' ? `, judged by ${inOrder(judgedBy ?? 'a model')}` : ''}`}
      </summary>
      <ul>
        {positions.map(({ statement, citations: own }, at) => (
          <li key={at}>
            <span dir="auto">{inOrder(statement)}</span>{' '}
            {own.map((index) => (
              <MarkButton key={index} index={index} {...cited} />
            ))}
            {follows?.position === at + 1 && ` This one is followed: ${because[follows.because]}.`}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Foot({ answer }: { readonly answer: Answer }) {
  const { abstained, confidence, coverage, mode, timings, usage, routing, reused, id, traceId } = answer;
  const inWords = confidence >= 0.8 ? 'high' : confidence >= 0.5 ? 'fair' : 'low';
  const facts = [
    ...(abstained || answer.erased
      ? [`Searched in mode ${mode}`]
      : [
          `Confidence ${inWords} (${percent.format(confidence)})`,
          `covers ${percent.format(coverage)} of the question`,
          `mode ${mode}`,
        ]),
    seconds.format(timings.totalMs / 1000),
    ...(usage.costUsd > 0
      ? [new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD' }).format(usage.costUsd)]
      : []),
    ...(routing.kept ?? []).map(
      ({ type, ageSeconds }) => `${type}: kept from an earlier search, up to ${spanText(ageSeconds)} old`,
    ),
    ...(reused ? ['given before, and nothing that it rests on has changed'] : []),
  ];
  return (
    <footer>
      <p class="facts">{facts.join(' · ')}</p>
      <div class="row actions">
        <Thumbs answerId={id} />
        <button type="button" onClick={() => attempt(copyMarkdown(answerMarkdown(answer), id))}>
          {copied.value === id ? 'Copied' : 'Copy'}
        </button>
        <a href={new URL(`v1/answers/${encodeURIComponent(id)}/report`, home).href} {...ownTab}>
          Evidence report
        </a>
        {caller.value?.role === 'admin' && (
          <a href={hrefOf({ page: 'traces', id: traceId })} onClick={follow({ page: 'traces', id: traceId })}>
            Trace
          </a>
        )}
      </div>
    </footer>
  );
}

function Thumbs({ answerId }: { readonly answerId: string }) {
  const [given, setGiven] = useState<'up' | 'down'>();
  const say = async (rating: 'up' | 'down'): Promise<void> => {
    await call(`v1/answers/${encodeURIComponent(answerId)}/feedback`, { body: { rating } });
    setGiven(rating);
    tell('Thank you: this is kept with the answer.');
  };
  const give = (rating: 'up' | 'down') => () => attempt(say(rating));
  return (
    <>
      <button type="button" aria-label="Thumbs up" aria-pressed={given === 'up'} onClick={give('up')}>
        <Thumb />
      </button>
      <button type="button" aria-label="Thumbs down" aria-pressed={given === 'down'} onClick={give('down')}>
        <Thumb class="down" />
      </button>
    </>
  );
}

/** Drawn: not every machine has a font with such a sign. */
function Thumb({ class: way = '' }: { readonly class?: string }) {
  return (
    <svg class={`thumb ${way}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M2 10h4v10H2zM9 10l4-7c1.7 0 2.6 1.2 2.2 3l-.8 4H20c1.3 0 2.1 1.1 1.8 2.3l-1.5 6.2c-.2.9-1 1.5-1.9 1.5H9z" />
    </svg>
  );
}

/** The question once more, to be changed. */
export function EditQuestion({ question }: { readonly question: string }) {
  return (
    <button
      type="button"
      class="quiet"
      onClick={() => {
        draft.value = question;
        document.getElementById('question')?.focus();
      }}
    >
      Edit question
    </button>
  );
}
