// child run: memory
import { readFileSync } from 'node:fs';
import { createParserPool } from '../src/ingest/parser-pool.ts';
import { deflateSync, crc32 } from 'node:zlib';
import { drawSample } from './ocr-samples.ts';
const pool = createParserPool({ size: 1 });
const ch=(t:string,d:Uint8Array)=>{const b=Buffer.alloc(12+d.length); b.writeUInt32BE(d.length,0); b.write(t,4,'latin1'); b.set(d,8); b.writeUInt32BE(crc32(b.subarray(4,8+d.length)),8+d.length); return b;};
const png=(r:any)=>{const raw=Buffer.alloc((r.width+1)*r.height); for(let y=0;y<r.height;y++) raw.set(r.pixels.subarray(y*r.width,(y+1)*r.width), y*(r.width+1)+1); const h=Buffer.alloc(13); h.writeUInt32BE(r.width,0); h.writeUInt32BE(r.height,4); h[8]=8; return Buffer.concat([Buffer.from([137,80,78,71,13,10,26,10]), ch('IHDR',h), ch('IDAT',deflateSync(raw,{level:1})), ch('IEND',Buffer.alloc(0))]);};
const D='/work/shared/data/documents/pdf/';
let peak=0, cpu=0; const t=setInterval(()=>{ for (const line of readFileSync('/proc/self/task/'+process.pid+'/children','utf8').trim().split(' ')) { try { peak=Math.max(peak, Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/'+line+'/status','utf8'))![1])/1024); const st=readFileSync('/proc/'+line+'/stat','latin1'); const ff=st.slice(st.lastIndexOf(')')+2).split(' '); cpu=(Number(ff[11])+Number(ff[12]))/100;} catch {} } },50);
const run = async (name: string, bytes: Uint8Array) => { peak=0; const c0=cpu; const s=performance.now(); try { const d = await pool.parse({name, bytes}); console.log(name, 'ok', d.text.length, d.warnings, d.metadata['ocrConfidence'], 'cpu', cpu-c0, 'peak MiB', peak|0, ((performance.now()-s)/1000).toFixed(1)); } catch (e: any) { console.log(name, e.code, e.message.slice(0,200), 'cpu', cpu-c0, 'peak', peak|0, ((performance.now()-s)/1000).toFixed(1)); } };
for (const f of ['graphrag.pdf']) await run(f, readFileSync(D+f));
await run('a4-300.png', png(await drawSample(D+'tracemonkey.pdf',3,300)));
await pool.close(); clearInterval(t);
