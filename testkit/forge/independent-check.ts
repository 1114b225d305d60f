// An independent check of citations: knows the HTTP contract and nothing else of this code base. For every citation it
// reads the document's text at the cited offsets and compares, and opens the link that a person would click.

export interface CheckedCitation {
  readonly question: string;
  readonly index: number;
  readonly faults: readonly string[];
}

interface WireCitation {
  readonly index: number;
  readonly documentId: string;
  readonly quote: string;
  readonly start: number;
  readonly end: number;
  readonly url: string;
}

interface WireAnswer {
  readonly answer: string;
  readonly abstained: boolean;
  /** The answer opens by saying that it may be none. */
  readonly closestPassages?: boolean;
  readonly claims: readonly {
    readonly text: string;
    readonly citations: readonly number[];
    readonly form?: string;
    readonly headingPath?: readonly string[];
  }[];
  readonly citations: readonly WireCitation[];
  /** Of a question that was taken apart; `missing` beside claims: they only come closest. */
  readonly parts?: readonly {
    readonly question: string;
    readonly claims: readonly number[];
    readonly missing?: string;
  }[];
}

/** What an answer says of parts that nothing answers names those parts alone; the reasons stand in brackets behind them. */
function withoutNotices(rest: string, parts: WireAnswer['parts'] = []): string {
  const isOf = (named: string, wanted: (part: { claims: readonly number[]; missing?: string }) => boolean): boolean =>
    [...named.matchAll(/"([^"]+)"/gu)].every(([, question]) =>
      parts.some((part) => part.question === question && wanted(part)),
    );
  return rest
    .replace(/\n\nNot answered by these documents: ([^\n]*)\.(?=\n\n|$)/u, (all, named: string) =>
      isOf(named.replace(/ \([^()]*\)(?=; "|$)/gu, ''), ({ claims }) => claims.length === 0) ? '' : all,
    )
    .replace(
      /\n\nNot said outright by these documents, what is cited only comes closest: ([^\n]*)\.(?=\n\n|$)/u,
      (all, named: string) =>
        isOf(named, ({ claims, missing }) => claims.length > 0 && missing !== undefined) ? '' : all,
    );
}

/** An answer that is passages opens in one of two ways, by how sure it is; each passage stands under its headings. */
const openings = { sure: 'From the documents:\n\n', unsure: 'The closest passages (they may not answer this):\n\n' };

const isPassage = ({ form }: WireAnswer['claims'][number]): boolean => form !== undefined && form !== 'sentence';

/** A text without what it has to open with. */
function withoutOpening(text: string, { closestPassages, claims: [first] }: WireAnswer): string {
  if (!first) return text;
  const opening = closestPassages === true ? openings.unsure : isPassage(first) ? openings.sure : '';
  return text.startsWith(opening) ? text.slice(opening.length) : text;
}

const plain = (html: string): string =>
  html
    .replace(/<[^>]*>/gu, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

async function faultsOf(baseUrl: string, citation: WireCitation): Promise<string[]> {
  const faults: string[] = [];
  const { documentId, start, end, quote } = citation;
  const text = await fetch(`${baseUrl}/v1/documents/${encodeURIComponent(documentId)}/text?start=${start}&end=${end}`);
  if (text.status !== 200) faults.push(`the text answers ${text.status}`);
  else if (((await text.json()) as { text: string }).text !== quote)
    faults.push('the quote is not the text at start..end');
  const view = await fetch(new URL(citation.url, baseUrl), { headers: { accept: 'text/html' } });
  const html = await view.text();
  const marked = [...html.matchAll(/<mark[^>]*>([\s\S]*?)<\/mark>/gu)].map((match) => plain(match[1] ?? '')).join('');
  if (view.status !== 200) faults.push(`the link answers ${view.status}`);
  else if (marked.replace(/\s+/gu, '') !== quote.replace(/\s+/gu, ''))
    faults.push('the link does not show the quote marked');
  return faults;
}

/** Asks a running server and checks all that it cites. Also: every claim cites, and the text holds no uncited sentence. */
export async function checkAnswers(
  baseUrl: string,
  questions: readonly string[],
): Promise<{ asked: number; abstained: number; citations: readonly CheckedCitation[]; faults: readonly string[] }> {
  const citations: CheckedCitation[] = [];
  const faults: string[] = [];
  let abstained = 0;
  for (const question of questions) {
    const response = await fetch(`${baseUrl}/v1/ask`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ question }),
    });
    if (response.status !== 200) {
      faults.push(`${question}: ${response.status} ${await response.text()}`);
      continue;
    }
    const answer = (await response.json()) as WireAnswer;
    if (answer.abstained) {
      abstained += 1;
      if (answer.citations.length > 0 || answer.claims.length > 0) faults.push(`${question}: abstained with claims`);
      continue;
    }
    const spoken = answer.claims.map((claim) => {
      const heading = isPassage(claim) && claim.headingPath?.length ? `${claim.headingPath.join(' > ')}\n` : '';
      return `${heading}${claim.text} ${claim.citations.map((index) => `[${index}]`).join('')}`;
    });
    const body = withoutOpening(answer.answer, answer);
    const told = spoken.reduce((text, claim) => text.replace(claim, () => ''), body);
    const rest = withoutNotices(told, answer.parts);
    if (rest.trim() !== '') faults.push(`${question}: text without a citation: ${rest.trim().slice(0, 80)}`);
    const indexes = new Set(answer.citations.map((citation) => citation.index));
    if (
      answer.claims.some(
        (claim) => claim.citations.length === 0 || claim.citations.some((index) => !indexes.has(index)),
      )
    )
      faults.push(`${question}: a claim without a citation`);
    for (const citation of answer.citations)
      citations.push({ question, index: citation.index, faults: await faultsOf(baseUrl, citation) });
  }
  return { asked: questions.length, abstained, citations, faults };
}
