// Function words per language, about a hundred each, that carry no topic: they are left out of queries and of counts of
// coverage. Interrogatives are among them (on long questions that is worth a point of nDCG@10). Lower case, as written
// in running text; contractions appear without their apostrophe's variants (the analyzer folds ’ to ').

const lists: Readonly<Record<string, string>> = {
  en: `a about above after again against all also am an and any are as at be because been before being below between both
but by can cannot could did do does doing down during each either else etc few for from further get had has have having
he her here hers him his how however i if in into is it its itself just may me might more most must my neither no nor
not now of off on once only onto or other our out over own per same shall she should since so some such than that the
their them then there these they this those though through thus to too under until up upon us very via was we were what
when where whether which while who whom whose why will with within without would yet you your`,
  de: `aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist da damit
dann das dass dein deine dem den denn der deren des dessen dich die dies diese diesem diesen dieser dieses dir doch dort
du durch ein eine einem einen einer eines er es etwas euch für gegen hab habe haben hat hatte hatten hier hin hinter ich
ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja jede jedem jeden jeder jedes jene jetzt kann kein keine
keinen können könnte man mein meine mich mir mit muss nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem
seinen seiner seit sich sie sind so solche soll sollte sondern sonst über um und uns unser unter viel vom von vor während
wann war waren warum was wegen weil weiter welche welchem welchen welcher welches wenn wer werde werden wie wieder will
wir wird wo wurde wurden zu zum zur zwar zwischen`,
  fr: `à afin ai ainsi alors après as au aucun aucune aussi autre autres aux avait avant avec avez avoir avons c car ce
cela celle celles celui ces cet cette ceux chaque chez ci combien comme comment contre d dans de depuis des dont donc du
elle elles en encore entre es est et étaient était étant été être eu eux fait font fut h ici il ils j je jusque l la là
le les leur leurs lors lorsque lui m ma mais me même mes moi moins mon n ne ni nos notre nous on ont or ou où par parce
pas pendant peu peut plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se sera ses si sien
son sont sous sur t ta te tes toi ton tous tout toute toutes très tu un une vers vos votre vous y`,
  es: `a al algo algún alguna algunos ante antes aquel aquella aquí así aún aunque cada casi como cómo con contra cual
cuál cuáles cuando cuándo cuánto cuántos de del desde donde dónde dos durante e el él ella ellas ellos en entre era eran
es esa esas ese eso esos esta está están estas este esto estos fue fueron ha había habían han hasta hay la las le les lo
los más me mi mientras mis muy nada ni no nos nosotros nuestra nuestro o os otra otras otro otros para pero poco por
porque que qué quien quién quienes se sea según ser si sí sido sin sobre son su sus también tan tanto te tiene tienen
todo todos tras tu tus un una unas uno unos usted y ya yo`,
  it: `a ad agli ai al alcuni alla alle allo altra altre altri altro anche ancora avere aveva c che chi ci cioè come con
contro cosa così cui d da dagli dai dal dalla dalle dallo degli dei del dell della delle dello dentro di dopo dove due e
è ed era erano essere fa fino fra fu già gli ha hanno ho i il in io l la le lei li lo loro lui ma me meno mi mia mio
molto né negli nei nel nell nella nelle nello no noi non nostra nostro o ogni ora per perché più poi possono prima qual
quale quali quando quanto quella quelle quelli quello questa queste questi questo qui se sei senza si sia sono stata
stati stato su sua sue sugli sui sul sulla sulle suo suoi tra tu tutte tutti tutto un una uno verso vi voi`,
  pt: `a à ainda algo algum alguma alguns ao aos apenas após aquela aquele as às assim até cada com como contra da das de
dela dele deles depois desde dessa desse desta deste do dos durante e é ela elas ele eles em embora enquanto entre era
eram essa essas esse esses esta está estão estas este estes eu foi foram há isso isto já la lhe lo mais mas me mesmo meu
minha muito na nas nem no nos nós nossa nosso não num numa o onde os ou outra outras outro outros para pela pelas pelo
pelos pode por porque porquê pouco qual quais qualquer quando quanto quantos que quê quem se seja sem ser seu seus sido
sob sobre sua suas são só também tanto te tem têm tinha toda todas todo todos tu tua um uma umas uns você vos`,
  nl: `aan al alle alleen als ander andere anders bij daar dan dat de deze die dit doch doen door dus een en er geen haar
had hadden heb hebben heeft hem het hier hij hoe hoeveel hun iemand iets ik in is ja je jij jouw jullie kan kon konden
kunnen maar me meer men met mij mijn moet na naar niet niets nog nu of om omdat onder ons onze ook op over reeds sinds
te tegen ten ter toch toen tot tussen u uit uw van veel voor waar waarom wanneer want waren was wat we welk welke werd
werden wie wij wil worden wordt zal ze zelf zich zij zijn zo zonder zou zouden`,
  sv: `alla allt att av blev bli blir blivit de dem den denna deras dess dessa det detta dig din dina ditt du där då efter
ej eller en ens er era ett från för genom ha hade han hans har hela henne hennes hon honom hur här i icke in ingen inom
inte jag ju kan kunde man med mellan men mer mig min mina mitt mot mycket ni nu när någon något några och om oss på
samma sedan sig sin sina sitt själv ska skall skulle som så sådan till under upp ur ut utan vad var vara varför varit
varje vars vem vi vid vilka vilken vilket vår våra är även över`,
  da: `af alle alt anden andet andre at blev blive bliver både da de dem den denne der deres det dette dig din dit dog du
efter ej eller en end er et for fordi fra før få gennem ham han hans har havde have hende hendes her hos hun hvad hvem
hver hvilken hvilke hvilket hvis hvor hvordan hvorfor hvornår i ikke ind ingen jeg jer jo kan kunne man mange med meget
mellem men mere mig min mine mit mod må ned noget nogen nogle nu når og også om op os over på samme sig sin sine sit
skal skulle som sådan til ud uden under var ved vi vil ville vor være været`,
  no: `alle alt at av bare begge ble blei bli blir blitt både da de deg dei dem den denne der deres det dette di din disse
ditt du då eg ein eit ei eller en enn er et etter for fordi fra før ha hadde han hans har henne hennes her hos hun hva
hvem hver hvilke hvilken hvilket hvis hvor hvordan hvorfor i ikke ikkje ingen inn jeg kan kunne kva kvar man mange med
meg mellom men mer mest min mitt mot mye mykje må når noe noen nokon og også om opp oss over på samme seg selv si sin
sitt skal skulle slik som så til ut uten var ved vi vil ville vår være vært`,
  fi: `ei eikä en ennen eri että ette hän häntä hänen he heidän heitä ihan ilman itse ja jo jokin joka joko jolla jonka
jos joissa joita jossa josta jota jotka joten jotta kaikki kanssa keitä kenen keskellä koska kuin kuinka kuka kukaan
kun kuten kyllä me meidän mihin mikä mikään mikäli millainen milloin minkä minä missä mistä mitä mitään moni mukaan
mutta myös näin nämä ne niiden niin niitä noin nyt ole oleva oli olisi olivat olla olleet ollut on ovat pitää sekä sen
siellä siis siitä sinä sitä sillä sitten tai tämä tämän tässä tästä tätä te tuo vaan vaikka vain vai vielä voi voidaan
yli`,
  ru: `а без более больше будет будто бы был была были было быть в вам вас весь во вот все всего всех вы где да даже для
до его ее её если есть еще ещё же за здесь и из или им их к как какая какие какой ко когда кого который которая которое
которые кто куда ли либо между меня мне много может можно мой мы на над надо нас не него нее ней нет ни них но ну о об
однако он она они оно от очень перед по под после потом потому почему при про с сам свою себя сейчас со так также такой
там то тогда того тоже только том тот у уже хотя чего чей чем через что чтобы чье эта эти это этого этой этом этот я`,
  pl: `a aby ale albo bardzo bez bo być był była były było by co czy czyli dla do dlaczego gdy gdzie go i ich ile im inne
iż ja jak jaka jaki jakie jako je jego jej jest jestem jeszcze jeśli jeżeli już każdy kiedy kto która które którego
której który których którym którzy lecz lub ma mają mnie może można mu my na nad nam nas nasz nie nich nim niż o od on
ona one oni ono oraz po pod podczas ponieważ poza przed przez przy się są ta tak także tam te tego tej ten to tu ty tych
tylko tym w we więc wszystko wszystkie z za ze że żeby`,
  tr: `acaba ama ancak arada artık aslında ayrıca bana bazı belki ben bile bir biri birkaç birçok biz bize bizi böyle bu
buna bunda bundan bunlar bunu bunun burada çok çünkü da daha de defa değil diye dolayı en fakat gibi göre hangi hatta
hem hep hepsi her hiç için ile ise işte kadar karşın kendi ki kim kime mı mi mu mü nasıl ne neden nerede neye niçin niye
o olan olarak oldu olduğu olmak olur on ona ondan onlar onu onun orada oysa öyle pek rağmen sadece sanki sen siz sonra
şey şu tarafından tüm üzere var ve veya ya yani yerine yine yoksa zaten`,
  ar: `في من على إلى الى عن مع هذا هذه ذلك تلك هو هي هم هن أن ان إن كان كانت كانوا يكون تكون قد لقد لا لم لن ليس ليست ما
ماذا متى أين اين كيف كم لماذا من أي اي أية التي الذي الذين اللذان اللاتي أو او ثم بل لكن حتى إذا اذا إذ كما كل بعض غير
بين بعد قبل عند عندما منذ خلال حيث أيضا ايضا هناك هنا به بها له لها لهم فيه فيها منه منها عليه عليها إليه إليها عنه
عنها نحن أنا انا أنت انت هل و ف ب ل ولا وقد وكان وكانت وهو وهي ومن وفي وعلى وأن وان كذلك أحد ضد حول أمام تحت فوق دون سوى
مثل بسبب أثناء لدى ذات أكثر اكثر جدا فقط يتم تم أما اما إما`,
  zh: `的 了 是 在 和 与 或 及 也 都 就 而 但 吗 呢 吧 啊 着 们 这 那 之 其 被 把 对 为 从 到 于 以 个 什 么 哪 谁 怎 几
什么 哪些 哪个 怎么 多少 为什么 如何 的是 了什 是什 么的`,
};

/** Word -> true per language, keyed by BCP 47 primary subtag. */
const sets: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(lists).map(([language, words]) => [language, new Set(words.split(/\s+/u))]),
);
const none: ReadonlySet<string> = new Set();

/** Languages that have a list. */
export const stopWordLanguages: readonly string[] = [...sets.keys()];

/** The stop words of a language (lower case, with diacritics); empty for a language without a list. */
export function stopWords(language: string): ReadonlySet<string> {
  return sets.get(language) ?? none;
}
