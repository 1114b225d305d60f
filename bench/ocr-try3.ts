import { readFileSync } from 'node:fs';
import { drawSample, treated, treatments } from './ocr-samples.ts';
import { openEngine } from '../src/ingest/parsers/ocr-engine.ts';
import { scaled } from '../src/ingest/parsers/image-raster.ts';
import { readPdf } from '../src/ingest/parsers/pdf-reader.ts';
import { wordsFound } from '../test/ingest/parsers/words-found.ts';
const D='/work/shared/data/documents/pdf/';
const pages: [string, number][] = [['attention-is-all-you-need.1706.03762v7.pdf',2],['tracemonkey.pdf',3],['freeculture.pdf',40],['multicolumn.pdf',1]];
const engine = openEngine();
for (const [f,p] of pages) { const c = await readPdf(readFileSync(D+f), f); const exp = c.pages[p-1]!.words.map(w=>(w.spaceBefore?' ':'')+w.text).join('');
 for (const dpi of [100,150]) for (const factor of [1,1.5,2,3]) { 
  const r = scaled(await drawSample(D+f,p,dpi), factor); const c0=process.cpuUsage(); const got = await engine.recognise(r, dpi*factor); const cc=process.cpuUsage(c0);
  const text = got.map(l=>l.words.map(w=>w.text).join(' ')).join('\n'); const rows = got.map(l=>l.rowHeight).sort((a,b)=>a-b);
  console.log(f.slice(0,12), dpi, factor, 'row', (rows[rows.length>>1]??0).toFixed(1), (100*wordsFound(text,exp)).toFixed(1), ((cc.user+cc.system)/1e6).toFixed(1)+'s');
  if (f.startsWith('freec') && dpi===150 && factor===2) { const h = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu)); console.log((exp.normalize('NFKC').toLowerCase().match(/[\p{L}\p{N}]+/gu)??[]).filter(w=>!h.has(w)).join(' ')); }
 } }
