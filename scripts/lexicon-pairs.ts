// Pairs for the lexicon that are ours: everyday synonyms that WordNet's main senses lack, and pairs of theirs too loose to carry a claim.

const split = (text: string): readonly string[] =>
  text
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '');

export const ownSynonyms = split(`
length long; height high; height tall; width wide; depth deep; weight weigh; duration last; heal cure; encircle surround; inaugurate open;
inhabitant live; resident live; population live; resignation resign; donate give; commence begin; erect build; terminate end; murder kill;
receive award; residence home; assassinate kill; vanish disappear; assemble gather; permit allow; forbid prohibit; forbid ban; prohibit ban;
feature display; exhibit display; exhibit show; journey travel; swim travel; wage salary; yearly annual; monthly month; weekly week; daily day;
company firm; business company; ship vessel; boat vessel; film movie; cinema theater; harbour port; near close; big large;
kid child; drug medicine; reduce lower; cut reduce; build construct; make produce; located situated; home house; live reside;
inhabitant resident; people inhabitant; population inhabitant; employee worker; staff employee; work job; author writer;
write author; win victory; found create; set establish; show demonstrate; use utilize; need require; want wish; allow enable;
permit allow; help assist; main chief; main primary; major main; principal main; biggest largest; famous renowned; famous known;
renowned known; quick fast; fast rapid; quickly rapidly; quickly fast; rapid quick; end finish; finish complete; complete finish;
end conclude; close shut; start begin; launch start; begin launch; appoint name; kill murder; die death; born birth; marry wed;
wife spouse; husband spouse; study research; scientist researcher; area region; region area; city town; road street; speak talk;
say state; state declare; announce declare; get receive; obtain receive; gain obtain; earn receive; give provide; offer provide;
supply provide; contain include; include comprise; comprise consist; form constitute; destroy demolish; damage harm; harm hurt;
injury hurt; injured hurt; wound injure; increase rise; rise grow; grow increase; climb rise; fall decline; decline decrease;
decrease drop; drop fall; reduce decrease; fall decrease; shrink decrease; change alter; modify change; ill sick;
illness disease; sickness disease; doctor physician; attorney lawyer; teacher instructor; student pupil; car automobile;
plane aircraft; song track; singer vocalist; leader head; lead head; boss head; chief head; buy purchase; acquire purchase;
acquire buy; obtain acquire; sell vend; resign quit; leave depart; arrive come; go travel; journey trip; happen occur; hold host;
keep retain; maintain keep; remain stay; continue remain; try attempt; aim goal; purpose aim; choose select; pick choose;
elect choose; pick select; decide determine; believe think; consider regard; understand comprehend; important significant;
crucial vital; key important; vital essential; difficult hard; easy simple; simple straightforward; wealthy rich;
poor impoverished; old ancient; new recent; former previous; earlier previous; later subsequent; currently presently; today now;
often frequently; usually typically; mostly mainly; mainly chiefly; mainly primarily; mainly principally; approximately roughly;
approximately about; nearly almost; only sole; only solely; due owing; cover span; extend stretch; connect link; join unite;
separate divide; split divide; protect defend; attack assault; fight battle; war conflict; army military; soldier troop;
weapon arm; law legislation; rule regulation; prohibit ban; forbid ban; forbid prohibit; prevent stop; halt stop; stop cease;
discontinue stop; money fund; cost price; expense cost; salary wage; pay compensate; tax levy; trade commerce; store shop;
shop store; market marketplace; product good; food meal; beverage drink; plant vegetation; animal creature; woman female;
man male; mother parent; father parent; picture image; photograph photo; painting picture; gather collect; collect assemble;
collection assemblage; entire whole; total overall; complete total; various several; numerous many; different distinct;
similar alike; same identical; begin commence; commence start; origin source; originate come; stem originate; discover find;
detect find; invent devise; develop create; design plan; plan scheme; test examine; examine inspect; check verify;
prove demonstrate; confirm verify; reveal disclose; hide conceal; publish release; release issue; issue publish; game match;
match contest; team side; player athlete; championship title; title crown; prize award; award honor; honour award;
record recording; album record; band group; group team; episode installment; series show; program show; programme show;
movie picture; director filmmaker; role part; perform play; play portray; portray depict; depict show; feature include;
feature star; sink founder; demolish raze; pupil schoolchild; jail prison; imprison jail; arrest detain; capture seize;
seize take; crime offence; suspect accused; sentence punishment; guilty convicted; accident crash; crash collision; fire blaze;
flood inundation; storm tempest; rescue save; survive live; supply furnish; power electricity; electricity power; energy power;
machine device; device apparatus; tool instrument; engine motor; computer machine; error mistake; bug fault; fix repair;
repair mend; restore renovate; renovate refurbish; rebuild reconstruct; move relocate; shift move; transfer move; send dispatch;
deliver supply; carry transport; bear carry; serve act; function serve; function work; operate run; run manage; manage direct;
lead direct; govern rule; king monarch; queen monarch; ruler monarch; nation country; state country; country land;
border frontier; coast shore; shore bank; hill mount; mountain peak; summit peak; top summit; river stream; lake water;
forest wood; wood timber; tree wood; church cathedral; building structure; structure edifice; tower spire; castle fortress;
fort fortress; palace residence; make manufacture; produce manufacture; reject dismiss; dismiss fire; dismiss sack; stand situated;
stand located; authorize approve; headquartered based; raise increase; manufacturer maker`);

export const looseSynonyms = split(`
get have; hear discover; launch found; take have; make get; let have; man person; make take; make have; become get; one unit;
state country; number figure; point place; home place; work act; part role; part region; light light; right correct; well good;
back rear; head lead; lead direct; lead run; run operate; play act; lead take; hold have; see understand; see meet; go run;
go work; give make; make do; do make; look appear; turn become; come arrive; keep hold; feel find; tell say; call name; leave go;
put place; mean think; say tell; last end; end last; state say; great large; little small; world earth; order rule; line row;
set place; way mode; means way; bring take; take bring; take lead; follow come; stand stay; learn see; find see; hit strike;
cut reduce`);
