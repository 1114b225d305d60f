// The frame of a report: one HTML file that needs nothing else, with its style inside and a policy that lets nothing in from anywhere.
import { escapeXml } from './plots.ts';

const style = `
:root { color-scheme: light dark; --ink: #1c1c1c; --paper: #fff; --soft: #667; --line: #ccd; --bar: #2a6fb0; --bad: #b3382c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8e8; --paper: #16181c; --soft: #9aa; --line: #445; --bar: #6aa9e0; --bad: #e2786d; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; } p.about { color: var(--soft); }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: 0.3rem 0.6rem 0.3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
svg { width: 100%; height: auto; font-size: 12px; } svg.narrow { max-width: 22rem; } svg text { fill: var(--ink); } svg .small { font-size: 9px; fill: var(--soft); }
svg .bar { fill: var(--bar); } svg .worse { fill: var(--bad); } svg .interval { stroke: var(--ink); stroke-width: 1.5; } svg .axis { stroke: var(--line); }
.passed { color: var(--bar); } .refused { color: var(--bad); } details { margin: 0.4rem 0; } summary { cursor: pointer; }
blockquote { margin: 0.3rem 0; padding-left: 0.8rem; border-left: 3px solid var(--line); white-space: pre-wrap; }
`;

export function toPage(title: string, body: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escapeXml(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escapeXml(title)}</h1>
${body.join('\n')}
</body>
</html>
`;
}

/** Cells are text; a number is set to the right. */
export function toHtmlTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number): string =>
    typeof value === 'number' ? `<td class="number">${value}</td>` : `<td>${escapeXml(value)}</td>`;
  return [
    '<table>',
    `<thead><tr>${head.map((name) => `<th scope="col">${escapeXml(name)}</th>`).join('')}</tr></thead>`,
    `<tbody>${rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('\n')}</tbody>`,
    '</table>',
  ].join('\n');
}
