import { readFileSync } from 'node:fs';
import { parseFile } from '../src/ingest/parsers/registry.ts';
for (const f of process.argv.slice(2)) { const c0=process.cpuUsage(); try { const d = await parseFile({bytes: readFileSync(f), name: f.split('/').at(-1)!}); const c=process.cpuUsage(c0); console.log('=====', f, ((c.user+c.system)/1e6).toFixed(1),'s cpu', d.warnings, d.metadata, d.title, d.pages.map(p=>[p.number,p.end-p.start,p.width|0,p.height|0]).slice(0,8)); console.log(d.text.slice(0,1800)); } catch (e) { console.log('=====', f, e); } }
