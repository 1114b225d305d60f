// The part of a report that says how the answer was made: route, models, times, and what was dropped and why. Pure.
import type { EvidenceReport, ReportTrace } from '../../core/answers/evidence-report.ts';
import { escapeHtml, escapeName, escapeText } from './inert-html.ts';

const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;

const row = (name: string, value: string): string => `<dt>${escapeHtml(name)}</dt><dd>${value}</dd>`;

function timesTable({ answer: { timings } }: EvidenceReport): string {
  const { totalMs, ...steps } = timings;
  const whole = Math.max(totalMs, 0.001);
  const rows = Object.entries(steps).map(([name, value]) => {
    const share = Math.max(0, Math.min(100, (value / whole) * 100)).toFixed(1);
    return `<tr><td>${escapeName(name.replace(/Ms$/u, ''))}</td><td class="number">${ms(value)}</td><td width="55%"><svg role="img" aria-label="${share} %"><rect width="${share}%" height="100%" rx="2"/></svg></td></tr>`;
  });
  return `<table><tbody>${rows.join('')}<tr><td><b>all of it</b></td><td class="number"><b>${ms(totalMs)}</b></td><td></td></tr></tbody></table>`;
}

function searchesTable({ searches }: ReportTrace): string {
  if (searches.length === 0) return '';
  const rows = searches.map(
    ({ store, mode = '', query, hits, latencyMs, error }) =>
      `<tr><td>${escapeName(store)}</td><td>${escapeName(mode)}</td><td dir="auto">${escapeText(query)}</td><td class="number">${error === undefined ? (hits ?? '') : `<span class="bad">${escapeName(error)}</span>`}</td><td class="number">${ms(latencyMs)}</td></tr>`,
  );
  return `<h2>Where it was searched</h2>\n<table><thead><tr><th>store</th><th>by</th><th>query</th><th class="number">hits</th><th class="number">took</th></tr></thead><tbody>${rows.join('')}</tbody></table>\n`;
}

function droppedSection({ droppedClaims, leftOut }: ReportTrace): string {
  const claims = droppedClaims.map(
    ({ text, reasons }) =>
      `<li dir="auto">${escapeText(text)}<br><span class="soft small">${reasons.map(escapeText).join('; ')}</span></li>`,
  );
  const byReason = Map.groupBy(leftOut, ({ stage, reason }) => `${stage === 'search' ? 'found' : 'read'}: ${reason}`);
  const passages = [...byReason].map(([reason, some]) => {
    const named = [...new Set(some.flatMap(({ title }) => (title === undefined ? [] : [title])))];
    const titles =
      named.length === 0
        ? ''
        : ` <span class="soft small"><bdi>${named.map(escapeName).join('</bdi>, <bdi>')}</bdi></span>`;
    return `<li>${some.length} ${some.length === 1 ? 'passage' : 'passages'}, ${escapeText(reason)}${titles}</li>`;
  });
  return [
    claims.length === 0 ? '' : `<h2>Claims that did not pass, and why</h2>\n<ul>${claims.join('')}</ul>\n`,
    passages.length === 0 ? '' : `<h2>Passages that were left out, and why</h2>\n<ul>${passages.join('')}</ul>\n`,
  ].join('');
}

export function madeSection(report: EvidenceReport): string {
  const { answer, trace } = report;
  const { mode, intent, routing, models = [], usage, confidence, coverage, usedFallback } = answer;
  const facts = [
    row(
      'Taken for',
      `${escapeName(intent)}${trace?.intentReason === undefined ? '' : `, because it ${escapeName(trace.intentReason)}`}`,
    ),
    ...(trace?.resolved === undefined ? [] : [row('Searched as', `<bdi>${escapeText(trace.resolved)}</bdi>`)]),
    row('Searched in', `${escapeName(mode)}: ${escapeName(routing.sources.join(', ') || 'all sources')}`),
    row('Why there', `<bdi>${escapeText(routing.reason)}</bdi>`),
    ...(usedFallback ? [row('Stand-in', 'Another store was searched than the one that was to be asked.')] : []),
    row(
      'Models',
      models.length === 0
        ? 'None: the words are those of the documents.'
        : models.map(({ role, model }) => `${escapeName(role)}: ${escapeName(model)}`).join('<br>'),
    ),
    row(
      'Cost',
      `$${usage.costUsd.toFixed(6)}, ${usage.inputTokens} tokens in, ${usage.outputTokens} out, ${usage.toolCalls} tool calls`,
    ),
    row('Confidence', `${confidence.toFixed(2)}, coverage ${coverage.toFixed(2)}`),
  ];
  const origin = trace
    ? [
        row('Trace', `<code>${escapeName(trace.id)}</code>`),
        ...(trace.program === undefined
          ? []
          : [row('Answered by', `Footnote ${escapeName(trace.program)}, Node ${escapeName(trace.node ?? '')}`)]),
        ...(trace.config === undefined
          ? []
          : [
              row(
                'Settings',
                `<span class="hash">${escapeName(trace.config)}</span>${trace.flags.length > 0 ? `<br>${escapeName(trace.flags.join(', '))}` : ''}`,
              ),
            ]),
        ...(trace.erasedEvents === undefined
          ? []
          : [row('Erased', `${trace.erasedEvents} events went with documents that were deleted.`)]),
      ]
    : [row('Trace', 'It is no longer kept: what was searched and dropped cannot be told.')];
  return `<h2>How it was made</h2>
<dl>${[...facts, ...origin].join('\n')}</dl>
${trace ? `${searchesTable(trace)}${droppedSection(trace)}` : ''}<h2>How long it took</h2>
${timesTable(report)}
`;
}
