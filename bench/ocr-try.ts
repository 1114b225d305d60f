import { readFileSync } from 'node:fs';
import { drawSample, treated, treatments } from './ocr-samples.ts';
import { openEngine } from '../src/ingest/parsers/ocr-engine.ts';
import { recognisePicture } from '../src/ingest/parsers/ocr-page.ts';
import { readPdf } from '../src/ingest/parsers/pdf-reader.ts';
import { wordsFound } from '../test/ingest/parsers/words-found.ts';
const D='/work/shared/data/documents/pdf/';
const pages: [string, number][] = [['attention-is-all-you-need.1706.03762v7.pdf',2],['tracemonkey.pdf',3],['freeculture.pdf',40],['multicolumn.pdf',1],['pdfjs_wikipedia.pdf',1]];
const engine = openEngine(); const only = process.argv[2]?.split(',').map(Number);
for (const [i,t] of treatments.entries()) { if (only && !only.includes(i)) continue; let line = t.name.padEnd(28); 
 for (const [f,p] of pages) { const c = await readPdf(readFileSync(D+f), f); const exp = c.pages[p-1]!.words.map(w=>(w.spaceBefore?' ':'')+w.text).join('');
  const r = treated(await drawSample(D+f,p,t.dpi), t); const c0=process.cpuUsage(); const got = await recognisePicture(r,{engine,dpi:t.dpi}); const cc=process.cpuUsage(c0);
  line += `  ${(100*wordsFound(got.words.map(w=>w.text).join(' '),exp)).toFixed(1)}% c${got.confidence.toFixed(2)} ${((cc.user+cc.system)/1e6).toFixed(1)}s`; }
 console.log(line); }
