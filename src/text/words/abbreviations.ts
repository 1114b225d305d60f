// Words that end in a period without ending a sentence, and words that open one. Used by the sentence segmenter only;
// lower case, without the final period. A wrong entry merges or splits two sentences; it never changes an offset.

/** Before a name: a period after one of these never ends a sentence. */
export const titleAbbreviations: ReadonlySet<string> = new Set(
  'mr mrs ms mx dr prof rev hon pres gov sen rep gen col lt sgt capt cmdr adm maj cpl pvt msgr sr.a mme mlle mgr supt hr fr frau herr dipl.-ing dipl ing mag'.split(
    ' ',
  ),
);

/** Before a number or label: no end of a sentence when a number, a roman numeral or a single letter follows. */
export const referenceAbbreviations: ReadonlySet<string> = new Set(
  'fig figs no nos nr eq eqs eqn sec secs sect ch chap vol vols p pp art arts tab tabs ref refs app alg thm def lem cor prop ex abb bd kap abs s z ziff rn lit op para paras cl sched ver jan feb mar apr jun jul aug sep sept oct nov dec okt dez'.split(
    ' ',
  ),
);

/** Never at the end of a sentence: something always follows. */
export const neverFinalAbbreviations: ReadonlySet<string> = new Set(
  'e.g i.e eg ie cf vs viz approx ca circa resp bzw ggf sog vgl z.b d.h i.d.r u.a. z.t st mt ft incl excl esp inkl evtl geb gest n.chr v.chr'.split(
    ' ',
  ),
);

/** May end a sentence: they do only when a word that opens sentences follows. */
export const otherAbbreviations: ReadonlySet<string> = new Set(
  'etc inc ltd co corp llc plc bros jr sr al et.al est dept univ assn ave blvd rd hwy sq ph.d m.d b.a m.a m.sc b.sc d.c u.s u.k u.n u.s.a e.u a.m p.m b.c a.d b.c.e c.e usw u.a mio mrd tel std min max avg temp orig ed eds trans repr ibid anon misc govt intl natl tech inst jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thurs fri sat sun calif mass conn fla ariz colo ill minn mich penn tenn tex wash wis'.split(
    ' ',
  ),
);

/** Words that open sentences far more often than they follow an abbreviation as part of a name. */
export const sentenceOpeners: ReadonlySet<string> = new Set(
  (
    'the this these those that it its he she they we you i his her their our my your there here in on at by for from with as after before during when while ' +
    'where what who why how which if although though because since however but and or so yet nor then thus therefore hence moreover furthermore additionally also meanwhile ' +
    'an a all both each some many most several few no not one two another other such under over between among according to of into until unless despite ' +
    'der die das den dem ein eine einer es er sie wir ihr im am auf aus bei mit nach seit von zu zum zur für und oder aber doch auch als wenn weil da dies diese dieser dieses nur so dann danach'
  ).split(' '),
);

/** Things that are told apart by a letter behind them: a period after that ends a sentence, where one after an initial does not. */
export const letteredThings: ReadonlySet<string> = new Set(
  (
    'aisle annex apartment appendix area bay berth block building bus cabin category channel class clause column compartment deck division dock drive elevator entrance exhibit exit ' +
    'factor figure flat floor form gate grade group hall hangar hepatitis influenza item level lift line lot machine model option panel part phase pin plan platform port product pump quay ' +
    'question room route row sample schedule seat section sector series set shed site slot stage stand step storage studio switch table tank team terminal track train type unit valve variant ' +
    'version vitamin ward warehouse wing workshop zone ' +
    'abschnitt anhang anlage ausgang bahnsteig bereich eingang flügel gebäude gleis gruppe halle klasse linie modell raum saal stufe teil tor trakt typ variante ' +
    'annexe bâtiment groupe niveau porte quai salle vitamine voie anexo edificio grupo puerta sala vitamina zona'
  ).split(' '),
);

/** German month names: a number with a period before one of them is an ordinal. */
export const germanMonths: ReadonlySet<string> = new Set(
  'januar jänner februar märz april mai juni juli august september oktober november dezember'.split(' '),
);
