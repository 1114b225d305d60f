// A person opened a link without a key: asks for it, fetches what the link leads to with it, and shows that in this page's place. The key
// stays in this tab, as the ask page keeps it, and never stands in an address; or the browser is logged in, and no script keeps it. Links of other programs
// open a tab each, and browsers do not say from there that they are logged in: that is asked here.

import { inPlace } from '../shared/text.ts';
import { trustedHtml } from '../shared/trusted.ts';

/** What the page brings. */
function element<Kind extends HTMLElement>(id: string): Kind {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no ${id}.`);
  return found as Kind;
}
const form = element('key-form');
const field = element<HTMLInputElement>('key');
const stay = element<HTMLInputElement>('stay');
const status = element('status');
const keyName = 'footnote-key';
/** All that is built lies in one folder. */
const ownAddress = import.meta.url;

/** Pages that the server makes itself, with all that others wrote in them escaped. Anything else is shown as text. */
const isOwnPage = /\/v1\/(?:documents\/[^/]+\/view|answers\/[^/]+\/report)$/.test(location.pathname);
/** What is shown of a document by the pages that have a script. */
const viewed = /\/v1\/documents\/([^/]+)\/view$/.exec(location.pathname)?.[1];
const isText = /^(?:text\/plain|application\/(?:[\w.+-]+\+)?(?:json|x-ndjson))(?:;|$)/;

/** Puts a page of ours in the place of this one. The policy of this page stays: nothing in it runs. */
function showPage(html: string): void {
  const page = new DOMParser().parseFromString(trustedHtml(html), 'text/html');
  for (const script of page.querySelectorAll('script')) script.remove();
  for (const focused of page.querySelectorAll('[autofocus]')) focused.removeAttribute('autofocus');
  for (const style of document.head.querySelectorAll('link[rel="stylesheet"]')) style.remove();
  document.title = page.title;
  document.head.append(...page.head.querySelectorAll('link[rel="stylesheet"], style'));
  document.body.replaceWith(page.body);
  const span = document.getElementById(location.hash.slice(1) || 'span');
  span?.focus();
  span?.scrollIntoView({ block: 'center' });
}

function showText(text: string): void {
  const shown = document.createElement('pre');
  shown.textContent = inPlace(text);
  document.querySelector('main')?.replaceChildren(shown);
}

function offerFile(bytes: Blob, disposition: string): void {
  const name = /filename\*=UTF-8''([^;\s]+)/i.exec(disposition)?.[1] ?? location.pathname.split('/').at(-2) ?? 'file';
  const link = document.createElement('a');
  link.href = URL.createObjectURL(bytes);
  link.download = inPlace(decodeURIComponent(name));
  link.textContent = 'Save the file';
  document.querySelector('main')?.replaceChildren(link);
}

async function show(reply: Response): Promise<void> {
  const mime = reply.headers.get('content-type') ?? '';
  if (reply.ok && isOwnPage && mime.startsWith('text/html')) showPage(await reply.text());
  else if (reply.ok && !isText.test(mime))
    offerFile(await reply.blob(), reply.headers.get('content-disposition') ?? '');
  else if (reply.ok) showText(await reply.text());
  else {
    const problem = (await reply.json().catch(() => undefined)) as { detail?: string } | undefined;
    showText(problem?.detail ?? `The server answered with status ${reply.status}.`);
  }
}

/** False where the server does not log browsers in, as from another name than its own. */
async function logIn(key: string): Promise<boolean> {
  const reply = await fetch(new URL('../v1/login', ownAddress), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key }),
  });
  return reply.ok;
}

/** False: the server does not know the key, or without one, the browser. */
async function openWith(key?: string): Promise<boolean> {
  const headers = {
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(isOwnPage && { accept: 'text/html' }),
  };
  const reply = await fetch(`${location.pathname}${location.search}`, { headers });
  if (reply.status === 401) return false;
  if (key !== undefined && !(stay.checked && (await logIn(key)))) sessionStorage.setItem(keyName, key);
  const asked = new URLSearchParams(location.search);
  const start = asked.get('start') ?? '0';
  const span = new URLSearchParams({ start, end: asked.get('end') ?? start });
  if (reply.ok && viewed && !asked.has('from'))
    location.replace(new URL(`../../../app/documents/${viewed}?${span}`, location.href));
  else await show(reply);
  return true;
}

async function openNow(key: string): Promise<void> {
  status.textContent = 'Opening…';
  try {
    if (await openWith(key)) return;
    sessionStorage.removeItem(keyName);
    status.textContent = 'The server does not know this key.';
  } catch (error) {
    status.textContent = inPlace(error instanceof Error ? error.message : String(error));
  }
  field.value = '';
  field.focus();
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void openNow(field.value.trim());
});

const known = sessionStorage.getItem(keyName);
if (known) void openNow(known);
else {
  field.focus();
  // Whatever goes wrong, the key can be typed.
  void openWith().catch(() => undefined);
}
