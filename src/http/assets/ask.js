// The ask page: asks within a session, shows the answer claim by claim as it is verified, and makes every [n] a link to
// the passage. Text from the server is only ever set as text, never as markup.

const element = (id) => document.getElementById(id);
const form = element('ask');
const question = element('question');
const mode = element('mode');
const status = element('status');
const turns = element('turns');
const submit = element('submit');
const stop = element('stop');
const restart = element('restart');
const keyDialog = element('key-dialog');
const keyField = element('key');
const passage = element('passage');

const stageTexts = {
  understanding: 'Reading the question…',
  searching: 'Searching…',
  reading: 'Reading passages…',
  waiting: 'Waiting for the model, which writes for others first…',
  answering: 'Writing the answer…',
  verifying: 'Checking every claim…',
};

/** Where this page was found: perhaps below a path, behind a proxy. */
const home = new URL('..', import.meta.url);

let running;

/** Characters that turn the order of what is read (CVE-2021-42574) are shown as what they are: the words are not ours. */
function inOrder(text) {
  return String(text)
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
    .replace(/[\u061c\u200e\u200f]/g, '');
}

/** An element with a class, text and children. */
function make(name, { className, text, ...attributes } = {}, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = inOrder(text);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, inOrder(value));
  made.append(...children.map((child) => (typeof child === 'string' ? inOrder(child) : child)));
  return made;
}

class Problem extends Error {
  constructor(problem, httpStatus) {
    super(problem?.detail ?? `The server answered with status ${httpStatus}.`);
    this.status = httpStatus;
    this.code = problem?.code;
  }
}

/** Calls the API with the key of this tab; asks for a key when the server wants one. */
async function call(path, options = {}) {
  const key = sessionStorage.getItem('footnote-key');
  const headers = { ...options.headers };
  if (key) headers.authorization = `Bearer ${key}`;
  if (options.body) headers['content-type'] = 'application/json';
  const reply = await fetch(new URL(path, home), { ...options, headers });
  if (reply.ok) return reply;
  const problem = await reply.json().catch(() => undefined);
  if (reply.status === 401 && (await askForKey(key ? 'The server does not know this key.' : undefined)))
    return call(path, options);
  throw new Problem(problem, reply.status);
}

function askForKey(reason) {
  if (reason) element('key-reason').textContent = reason;
  keyField.value = '';
  keyDialog.returnValue = '';
  keyDialog.showModal();
  return new Promise((resolve) => {
    keyDialog.addEventListener(
      'close',
      () => {
        const given = keyField.value.trim();
        const saved = keyDialog.returnValue === 'save';
        if (saved && given) sessionStorage.setItem('footnote-key', given);
        if (saved && !given) sessionStorage.removeItem('footnote-key');
        resolve(saved && given !== '');
      },
      { once: true },
    );
  });
}

/** The events of a server-sent stream. */
async function* eventsOf(reply) {
  let buffered = '';
  for await (const piece of reply.body.pipeThrough(new TextDecoderStream())) {
    buffered += piece;
    for (let cut = buffered.indexOf('\n\n'); cut !== -1; cut = buffered.indexOf('\n\n')) {
      const data = buffered
        .slice(0, cut)
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trim())
        .join('\n');
      buffered = buffered.slice(cut + 2);
      if (data) yield JSON.parse(data);
    }
  }
}

async function sessionId() {
  const known = sessionStorage.getItem('footnote-session');
  if (known) return known;
  const reply = await call('v1/rag/sessions', { method: 'POST', body: '{}' });
  const { id } = await reply.json();
  sessionStorage.setItem('footnote-session', id);
  restart.hidden = false;
  return id;
}

/**
 * Text in which each mark is a link to its passage. Marks have places: words of documents hold [2] as well. `from`: where the text begins
 * in the text that the places count in.
 */
function withMarks(text, { marks = [], citations, from = 0, highlights = [] }) {
  const parts = [];
  let at = 0;
  const plain = (start, end) => parts.push(...highlighted(text.slice(start, end), from + start, highlights));
  for (const mark of marks) {
    const [start, end] = [mark.start - from, mark.end - from];
    const citation = citations.find(({ index }) => index === mark.citation);
    if (start < at || !citation || text.slice(start, end) !== `[${mark.citation}]`) continue;
    plain(at, start);
    parts.push(citationLink(citation));
    at = end;
  }
  plain(at, text.length);
  return parts;
}

/** The parts of passages that answer, marked; `from`: where the text begins in the answer. */
function highlighted(text, from, highlights) {
  const parts = [];
  let at = 0;
  for (const highlight of highlights) {
    const [start, end] = [highlight.start - from, highlight.end - from];
    if (start < at || end > text.length) continue;
    parts.push(text.slice(at, start), make('mark', { text: text.slice(start, end) }));
    at = end;
  }
  return [...parts, text.slice(at)];
}

/** Where the parts that answer stand in the text. */
function highlightsOf({ answer, claims }) {
  let from = 0;
  return claims.flatMap(({ text, citations, pinpoint }) => {
    // Headings may hold the same words: a claim is followed by its first mark.
    const at = answer.indexOf(`${text} [${citations[0]}]`, from);
    if (at < 0) return [];
    from = at + text.length;
    return pinpoint ? [{ start: at + pinpoint.start, end: at + pinpoint.end }] : [];
  });
}

/** Its mark, or a title of it. */
function citationLink(citation, title) {
  const url = new URL(citation.url, location.href);
  const link = make('a', {
    className: title === undefined ? 'mark' : '',
    text: title ?? `[${citation.index}]`,
    href: `${url.pathname}${url.search}#span`,
    target: '_blank',
    rel: 'noopener',
    title: citation.quote.slice(0, 300),
  });
  if (title === undefined) link.setAttribute('aria-label', `Source ${citation.index}: ${citation.title}`);
  // A link cannot carry the key, so with one the passage is fetched and shown here.
  link.addEventListener('click', (event) => {
    if (!sessionStorage.getItem('footnote-key')) return;
    event.preventDefault();
    showPassage(`${url.pathname}${url.search}`).catch(report);
  });
  const point = (on) => () => {
    link.closest('article')?.querySelector(`li[data-index="${citation.index}"]`)?.classList.toggle('shown', on);
  };
  for (const name of ['mouseenter', 'focus']) link.addEventListener(name, point(true));
  for (const name of ['mouseleave', 'blur']) link.addEventListener(name, point(false));
  return link;
}

async function showPassage(path) {
  const reply = await call(path, { headers: { accept: 'application/json' } });
  const view = await reply.json();
  element('passage-title').textContent = inOrder(view.title);
  element('passage-place').textContent = inOrder(placeOf(view));
  const mark = make('mark', { text: view.quote });
  element('passage-text').replaceChildren(inOrder(view.before), mark, inOrder(view.after));
  passage.showModal();
  mark.scrollIntoView({ block: 'center' });
}

function placeOf({ source, uri, page, lines }) {
  const parts = [source, uri];
  if (page !== undefined) parts.push(`page ${page}`);
  if (lines) parts.push(lines[0] === lines[1] ? `line ${lines[0]}` : `lines ${lines[0]}–${lines[1]}`);
  return parts.join(' · ');
}

function citationItem(citation) {
  const quote = citation.quote.length > 400 ? `${citation.quote.slice(0, 400)}…` : citation.quote;
  return make(
    'li',
    { 'data-index': citation.index },
    citationLink(citation),
    ' ',
    citationLink(citation, citation.title || citation.uri),
    make('div', { className: 'place', text: placeOf(citation) }),
    make('blockquote', {}, make('q', { text: quote })),
  );
}

/** A claim that says more than its quotes, and what that rests on. */
function kindItem({ text, citations, kind, derivation, judgedBy }) {
  const marks = citations.map((n) => `[${n}]`).join('');
  const how =
    kind === 'derived'
      ? `computed from its quotes${derivation ? `: ${derivation}` : ''}`
      : `judged to follow from its quotes by ${judgedBy ?? 'a model'}; no rule checks that`;
  return make('li', { 'data-kind': kind, text: `“${text}” ${marks} is ${how}.` });
}

/** What a model said and nothing confirms, above the passage that it may misread. */
function rewordedItem({ text, citations: cited }, citations) {
  const quoted = citations.filter(({ index }) => cited.includes(index));
  return make(
    'div',
    { className: 'reworded' },
    make('p', {}, make('span', { text: 'In the model’s words, not confirmed: ' }), make('span', { text })),
    ...quoted.map((citation) =>
      make('blockquote', {}, citationLink(citation), ' ', make('q', { text: citation.quote.slice(0, 800) })),
    ),
  );
}

/** Passages of the documents, as they stand, below what a model wrote. */
function passagesBelow({ passages = [], citations }) {
  const items = passages.map(({ text, headingPath = [], citations: cited }) =>
    make(
      'li',
      {},
      make('div', { className: 'place', text: headingPath.join(' › ') }),
      make('span', { text: `${text} ` }),
      ...citations.filter(({ index }) => cited.includes(index)).map((citation) => citationLink(citation)),
    ),
  );
  return make('details', { open: '' }, make('summary', { text: 'The passages' }), make('ul', {}, ...items));
}

/** The whole answer, in place of what was streamed. */
function render(box, answer) {
  box.replaceChildren();
  if (answer.abstained) {
    // Some answers say their reason themselves.
    const reason = answer.abstainReason ?? '';
    const text = answer.answer.includes(reason) ? answer.answer : `${answer.answer} ${reason}`;
    box.append(make('p', { className: 'notice', text: text.trim() || 'The documents do not answer this.' }));
  } else {
    const text = make('div', { className: 'text' });
    const highlights = highlightsOf(answer);
    let from = 0;
    for (const part of answer.answer.split(/(\n{2,})/)) {
      if (part.trim()) text.append(make('p', {}, ...withMarks(part, { ...answer, from, highlights })));
      from += part.length;
    }
    box.append(text);
  }
  const special = answer.claims.filter(({ kind }) => kind === 'derived' || kind === 'judged');
  if (special.length > 0)
    box.append(make('ul', { className: 'kinds', 'aria-label': 'How claims are supported' }, ...special.map(kindItem)));
  for (const claim of answer.claims.filter(({ confirmed }) => confirmed === false))
    box.append(rewordedItem(claim, answer.citations));
  if (!answer.abstained && answer.passages && answer.claims[0]?.form === undefined) box.append(passagesBelow(answer));
  if (answer.disclaimer) box.append(make('p', { className: 'notice', text: answer.disclaimer }));
  const linkOf = (index) => {
    const citation = answer.citations.find((one) => one.index === index);
    return citation ? citationLink(citation) : `[${index}]`;
  };
  for (const conflict of answer.conflicts) {
    const sides = conflict.positions.map((position) =>
      make('li', {}, position.statement, ...position.citations.flatMap((n) => [' ', linkOf(n)])),
    );
    const summary = make('summary', {
      text: `${conflict.positions.length} positions on “${conflict.about}”${conflict.kind === 'judged' ? `, judged by ${conflict.judgedBy}` : ''}`,
    });
    box.append(make('details', { className: 'notice' }, summary, make('ul', {}, ...sides)));
  }
  if (answer.degraded.length > 0) {
    const items = answer.degraded.map(({ component, detail }) => make('li', { text: `${component}: ${detail}` }));
    const effects = [...new Set(answer.degraded.map(({ effect }) => effect))].join(' ');
    const summary = make('summary', { text: `Limited: ${effects}` });
    box.append(make('details', { className: 'notice' }, summary, make('ul', {}, ...items)));
  }
  if (answer.citations.length > 0)
    box.append(make('ol', { className: 'citations', 'aria-label': 'Sources' }, ...answer.citations.map(citationItem)));
  const percent = (share) => `${Math.round(share * 100)} %`;
  box.append(
    make('p', {
      className: 'facts',
      text: answer.abstained
        ? `Searched in mode ${answer.mode}, ${(answer.timings.totalMs / 1000).toFixed(2)} s`
        : `Confidence ${percent(answer.confidence)} · covers ${percent(answer.coverage)} of the question · mode ${answer.mode} · ${(answer.timings.totalMs / 1000).toFixed(2)} s`,
    }),
  );
}

function report(error) {
  if (error.name === 'AbortError') return;
  status.textContent = inOrder(error.message);
}

async function ask(content) {
  element('welcome')?.remove();
  const box = make('div', { className: 'answer' });
  const streamed = make('div', { className: 'text pending' });
  box.append(streamed);
  const article = make('article', {}, make('h2', { text: content }), box);
  turns.append(article);
  article.scrollIntoView({ block: 'start' });
  const citations = [];
  const marks = [];
  let text = '';
  running = new AbortController();
  submit.disabled = true;
  stop.hidden = false;
  status.textContent = 'Asking…';
  try {
    const id = await sessionId();
    const body = { content, stream: true, ...(mode.value ? { mode: mode.value } : {}) };
    const reply = await call(`v1/rag/sessions/${encodeURIComponent(id)}/messages`, {
      method: 'POST',
      body: JSON.stringify(body),
      signal: running.signal,
    });
    let answer;
    for await (const event of eventsOf(reply)) {
      if (event.type === 'status') status.textContent = stageTexts[event.stage] ?? event.stage;
      else if (event.type === 'citation') citations.push(event.citation);
      else if (event.type === 'delta') {
        text += event.text;
        marks.push(...(event.marks ?? []));
        streamed.replaceChildren(make('p', {}, ...withMarks(text, { marks, citations })));
      } else if (event.type === 'error') throw new Problem(event.problem, event.problem.status);
      else if (event.type === 'done') answer = event.answer;
    }
    if (!answer) throw new Error('The connection ended before the answer was complete. Ask again.');
    render(box, answer);
    const shown = answer.claims.filter(({ confirmed }) => confirmed !== false).length;
    status.textContent = answer.abstained
      ? 'No answer was found.'
      : `Answered with ${shown} claim${shown === 1 ? '' : 's'}, each checked against its source.`;
  } catch (error) {
    streamed.classList.remove('pending');
    const stopped = error.name === 'AbortError';
    const said = stopped ? 'Stopped.' : error.message;
    box.append(make('p', { className: stopped ? 'notice' : 'notice failure', text: said }));
    status.textContent = inOrder(said);
  } finally {
    running = undefined;
    submit.disabled = false;
    stop.hidden = true;
    article.scrollIntoView({ block: 'start' });
    question.focus();
  }
}

/** What the server holds, so that an empty one says how to fill it. */
async function showHoldings() {
  const reply = await call('v1/sources');
  const { data } = await reply.json();
  const documents = data.reduce((sum, source) => sum + source.documents, 0);
  const count = (number, noun) => `${number} ${noun}${number === 1 ? '' : 's'}`;
  element('holdings').textContent = `${count(documents, 'document')} in ${count(data.length, 'source')}`;
  if (documents === 0)
    element('welcome')?.append(
      make('p', {
        className: 'notice',
        text: 'There are no documents yet. Add a folder from the terminal: footnote ingest FOLDER',
      }),
    );
}

/** The turns of this tab's session, after a reload. */
async function showEarlierTurns() {
  const id = sessionStorage.getItem('footnote-session');
  if (!id) return;
  restart.hidden = false;
  try {
    const reply = await call(`v1/rag/sessions/${encodeURIComponent(id)}/messages`);
    const { data } = await reply.json();
    for (const turn of data) {
      element('welcome')?.remove();
      const box = make('div', { className: 'answer' });
      render(box, turn.answer);
      turns.append(make('article', {}, make('h2', { text: turn.content }), box));
    }
  } catch (error) {
    if (error.status !== 404) throw error;
    sessionStorage.removeItem('footnote-session');
    restart.hidden = true;
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const content = question.value.trim();
  if (running || content === '') return;
  question.value = '';
  ask(content).catch(report);
});
question.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});
stop.addEventListener('click', () => running?.abort());
restart.addEventListener('click', () => {
  running?.abort();
  sessionStorage.removeItem('footnote-session');
  restart.hidden = true;
  turns.replaceChildren();
  status.textContent = 'New session: earlier questions are no longer referred to.';
  question.focus();
});
element('change-key').addEventListener('click', () => {
  askForKey('The key stays in this tab and is forgotten when the tab is closed. Leave it empty to use none.')
    .then(() => showHoldings())
    .catch(report);
});
element('cancel-key').addEventListener('click', () => keyDialog.close('cancel'));
for (const dialog of [keyDialog, passage])
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close('cancel');
  });

showHoldings().then(showEarlierTurns).catch(report);
