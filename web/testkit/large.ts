// What is large: a book of many megabytes, a session of a thousand turns, a histogram of a hundred thousand bars. The book is read by the product; turns
// and bars are those of the product, repeated on their way to the page.
import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';

/** A PDF whose pages each bring a picture of that many bytes; the tree of its pages has twenty branches at each place, as programs write it. */
export function largeBook(pages: number, pictureBytes: number): Buffer {
  const branch = 20;
  const objects: Buffer[] = [];
  const add = (text: string, stream?: Uint8Array): number => {
    const body = stream ? [Buffer.from('\nstream\n'), stream, Buffer.from('\nendstream')] : [];
    objects.push(Buffer.concat([Buffer.from(text), ...body]));
    return objects.length;
  };
  const picture = randomBytes(pictureBytes);
  const branches = Math.ceil(pages / branch);
  const font = add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  const root = 2;
  add(
    `<< /Type /Pages /Count ${pages} /Kids [${Array.from({ length: branches }, (_, at) => `${root + 1 + at} 0 R`).join(' ')}] >>`,
  );
  const perPage = 3;
  const pageAt = (number: number): number => root + branches + (number - 1) * perPage + 1;
  for (let at = 0; at < branches; at += 1) {
    const kids = Array.from({ length: Math.min(branch, pages - at * branch) }, (_, of) => pageAt(at * branch + of + 1));
    add(
      `<< /Type /Pages /Parent ${root} 0 R /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`,
    );
  }
  for (let number = 1; number <= pages; number += 1) {
    const parent = root + 1 + Math.floor((number - 1) / branch);
    const own = pageAt(number);
    add(
      `<< /Type /Page /Parent ${parent} 0 R /MediaBox [0 0 595 842] /Contents ${own + 1} 0 R /Resources << /Font << /F ${font} 0 R >> /XObject << /P ${own + 2} 0 R >> >> >>`,
    );
    // Words at the same place of each page would be a running head.
    const lines = [
      `In chapter ${number} they tell of the voyage to island number ${number}.`,
      `The wind came from the north for ${(number * 7) % 90} days, and ${(number * 13) % 50} barrels of water were left.`,
      'Whoever kept watch wrote down what was seen, and what was only heard of.',
    ];
    const words = lines.map((line) => `(${line}) Tj T*`).join(' ');
    const drawn = `BT /F 12 Tf 18 TL 60 ${520 - (number % 9) * 45} Td ${words} ET q 100 0 0 100 60 640 cm /P Do Q`;
    add(`<< /Length ${drawn.length} >>`, Buffer.from(drawn));
    const side = Math.floor(Math.sqrt(pictureBytes));
    add(
      `<< /Type /XObject /Subtype /Image /Width ${side} /Height ${side} /BitsPerComponent 8 /ColorSpace /DeviceGray /Length ${side * side} >>`,
      picture.subarray(0, side * side),
    );
  }
  const catalog = add(`<< /Type /Catalog /Pages ${root} 0 R >>`);
  const parts = [Buffer.from('%PDF-1.5\n')];
  let place = parts[0]?.length ?? 0;
  const rows = objects.map((object, at) => {
    const whole = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    parts.push(whole);
    const row = `${String(place).padStart(10, '0')} 00000 n \n`;
    place += whole.length;
    return row;
  });
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}trailer << /Size ${size} /Root ${catalog} 0 R >>\nstartxref\n${place}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

interface Messages {
  data: { content: string; answer: { id: string } }[];
  nextCursor?: string;
}

/** From now on the page finds so many turns in each session, in pages of fifty. */
export async function repeatTurns(page: Page, count: number): Promise<void> {
  const perPage = 50;
  await page.route('**/messages?limit=50*', async (route) => {
    const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
    const url = route
      .request()
      .url()
      .replace(/&cursor=.*/u, '');
    const reply = await route.fetch({ url });
    const { data } = (await reply.json()) as Messages;
    const repeated = Array.from({ length: perPage }, (_, at) => {
      const { content, answer } = data[at % data.length] as Messages['data'][number];
      // The last turns are those of the product, so that their sources are known to it.
      const isOwn = from === 0 && at >= perPage - data.length;
      return {
        content,
        answer: isOwn ? data[at - perPage + data.length]?.answer : { ...answer, id: `${answer.id}-${from + at}` },
      };
    });
    const next = from + perPage;
    await route.fulfill({ json: { data: repeated, ...(next < count && { nextCursor: String(next) }) } });
  });
}

interface Bars {
  histogram: { label: string; from: string; to: string; count: number; top_k: number; peak: boolean }[];
}

/** From now on the page finds so many bars, of an hour each, in what it looks at. */
export async function repeatBars(page: Page, count: number): Promise<void> {
  const hourMs = 3_600_000;
  const begin = Date.UTC(2012, 0, 1);
  await page.route('**/conversations/peek', async (route) => {
    const reply = await route.fetch();
    const peek = (await reply.json()) as Bars;
    const instant = (at: number): string => new Date(begin + at * hourMs).toISOString();
    const histogram = Array.from({ length: count }, (_, at) => ({
      label: instant(at).slice(0, 13),
      from: instant(at),
      to: instant(at + 1),
      count: (at * 7919) % 101,
      top_k: 0,
      peak: at % 9973 === 0,
    }));
    await route.fulfill({ json: { ...peek, histogram } });
  });
}
