// How a report looks, on a screen and on paper: part of the page itself, because the page needs nothing from elsewhere.
export const reportStyle = `
:root{color-scheme:light dark;--paper:light-dark(#fff,#15171b);--ink:light-dark(#1b1d21,#e9e7e2);--soft:light-dark(#5a606a,#a7acb5);--line:light-dark(#dcdad4,#383d45);--card:light-dark(#faf9f6,#1b1e23);--accent:light-dark(#0b57a4,#8fc1ff);--good:light-dark(#176b37,#7fd29b);--warn:light-dark(#8a5200,#f0b95a);--bad:light-dark(#a1221b,#ff9a91);--mark:light-dark(#ffec99,#5f4f00)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:58rem;padding:2.5rem 1.5rem 5rem;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,"Segoe UI","Liberation Sans",sans-serif;overflow-wrap:anywhere}
header{border-bottom:3px solid var(--ink);padding-bottom:1.1rem;margin-bottom:1.6rem}
.kicker{margin:0;font-size:.78rem;letter-spacing:.09em;text-transform:uppercase;color:var(--soft)}
h1{font:600 1.65rem/1.28 Georgia,"Liberation Serif",serif;margin:.3rem 0 .6rem}
h2{font-size:1.02rem;letter-spacing:.01em;margin:2.3rem 0 .7rem;padding-bottom:.3rem;border-bottom:1px solid var(--line)}
h3{font-size:.95rem;margin:0}
a{color:var(--accent);text-decoration-thickness:1px;text-underline-offset:2px}
p{margin:.45rem 0}
.soft{color:var(--soft)}
.small{font-size:.86rem}
.answer{font:1.12rem/1.62 Georgia,"Liberation Serif",serif;white-space:pre-wrap;margin:0}
.answer a,.cites a{font:600 .78em/1 system-ui,sans-serif;vertical-align:.25em;text-decoration:none;padding:0 .12em}
.tally{display:flex;flex-wrap:wrap;gap:.4rem 1.5rem;margin:.9rem 0 0;padding:0;list-style:none;font-size:.9rem}
.tally b{font-variant-numeric:tabular-nums}
.badge{display:inline-block;font:600 .72rem/1 system-ui,sans-serif;letter-spacing:.02em;padding:.28em .55em;border-radius:.4em;border:1px solid currentColor;white-space:nowrap}
.good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}
ol.claims{margin:0;padding:0 0 0 1.6rem}ol.claims>li::marker{color:var(--soft);font-size:.85rem;font-variant-numeric:tabular-nums}
ol.claims>li{padding:.6rem 0 .7rem .2rem;margin:0;border-bottom:1px solid var(--line);break-inside:avoid}
ol.claims>li:last-child{border-bottom:0}
.claim{margin:0 0 .3rem}
.derivation{font:.86rem/1.5 ui-monospace,"Liberation Mono",monospace;background:var(--card);border-left:3px solid var(--accent);padding:.35rem .7rem;margin:.4rem 0}
article{border:1px solid var(--line);border-radius:.6rem;background:var(--card);padding:1rem 1.15rem;margin:0 0 1rem;break-inside:avoid}
article header{border:0;margin:0 0 .35rem;padding:0;display:flex;gap:.6rem;justify-content:space-between;align-items:baseline;flex-wrap:wrap}
article .no{font:600 .9rem/1 system-ui,sans-serif;color:var(--accent);margin-right:.4rem}
blockquote{margin:.35rem 0 0;font:.98rem/1.6 Georgia,"Liberation Serif",serif;white-space:pre-wrap;max-height:none}
blockquote.code{font:.84rem/1.55 ui-monospace,"Liberation Mono",monospace}
blockquote .around{color:var(--soft)}
mark{background:var(--mark);color:inherit;padding:.08em 0;border-radius:.15em;box-decoration-break:clone;-webkit-box-decoration-break:clone}
article footer{margin-top:.7rem;padding-top:.55rem;border-top:1px dashed var(--line);font-size:.82rem;color:var(--soft)}
code,.hash{font:.82em/1.4 ui-monospace,"Liberation Mono",monospace}
dl{display:grid;grid-template-columns:minmax(8rem,max-content) 1fr;gap:.3rem 1.2rem;margin:0}
dt{color:var(--soft);font-size:.9rem}dd{margin:0}
table{border-collapse:collapse;width:100%;font-size:.88rem;font-variant-numeric:tabular-nums}
th{text-align:left;font-weight:600;color:var(--soft)}
th,td{padding:.35rem .8rem .35rem 0;border-bottom:1px solid var(--line);vertical-align:top}
td.number,th.number{text-align:right;white-space:nowrap}
tr{break-inside:avoid}
svg{display:block;width:100%;height:.6rem}
svg rect{fill:var(--accent)}
ul{padding-left:1.15rem;margin:.3rem 0}li{margin:.2rem 0}
.control::before{content:attr(data-label);font:.7em ui-monospace,monospace;border:1px solid currentColor;border-radius:.2em;padding:0 .2em;color:var(--bad)}
.check{border:1px solid var(--line);border-radius:.6rem;padding:.9rem 1.15rem;margin-top:2.3rem;break-inside:avoid}
@media print{:root{color-scheme:light}@page{margin:18mm 16mm}body{max-width:none;padding:0;font-size:10.5pt}a{color:inherit}article{background:none}h2{break-after:avoid}mark{print-color-adjust:exact;-webkit-print-color-adjust:exact}svg rect{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`;
