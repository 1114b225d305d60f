// Words that questions and answers exchange for one another: "Who acquired X?" is answered by "Y bought X". A small list
// of our own, English only, of everyday verbs and nouns; no group is about any one subject. It softens matching and never
// decides support: the verifier works on its own.
import { termOf } from '../../text/analyze.ts';

const groups = `
acquire buy purchase takeover bought
begin start commence open launch began begun onset initiate
end finish conclude close terminate cease
found establish create form set-up founder founding institute inception launch start
build construct erect built builder construction
make produce manufacture create made production
write author compose wrote written pen
invent devise discover develop inventor inventor inventor originate
direct director filmmaker helm
lead head leader chief led run
win beat defeat victory won winner champion triumph victorious
lose defeat lost loss beaten
die death died dead perish deceased
kill murder slay assassinate death
birth born
marry wife husband spouse married marriage wed
child son daughter kid children offspring
parent father mother
name call title known dub term named nickname label entitle
live reside inhabit home residence dwell lived
locate situate lie sit location site located place
large big huge great major largest biggest main
small little tiny minor
many numerous several
important significant major key crucial vital
main primary principal chief major
cost price expense worth pay paid fee
money fund funding finance financial sum
earn receive get gain obtain got income
give provide offer supply donate grant gave
receive award earn get gain accept
award prize honour honor medal
show display demonstrate reveal exhibit shown
say state claim declare announce assert said tell
announce reveal unveil declare
release launch publish issue premiere debut
publish print release issue
use utilize employ apply usage utilise
need require necessary must requirement
help assist aid support
allow permit enable let
prevent stop avoid block prohibit
ban prohibit forbid outlaw illegal forbidden
increase rise grow growth raise gain rose grew
decrease decline fall drop reduce reduction fell shrink lower
change alter modify transform shift convert
move relocate transfer migrate shift
leave depart exit quit departure left
resign quit step-down resignation
return back came
arrive come reach arrival
attack assault raid invade strike
war conflict battle fight fought
battle fight combat fought
army troop force soldier military
ruler king emperor monarch queen reign rule
rule govern reign control
law legislation act statute legal
vote elect election ballot poll
agree accept consent agreement approve
disagree oppose object reject refuse
refuse reject deny decline
oppose against resist opponent
support back favour favor endorse advocate
believe think consider regard view thought
study research examine investigate investigation
teach instruct educate taught teacher instruction
school college university academy
student pupil learner
job work occupation profession career employment
worker employee labour labor staff workforce
company firm corporation business enterprise
group team band organization organisation association
member belong part
include contain consist comprise compose
part portion section component piece
type kind sort form variety category class
way method manner means approach technique
reason cause why because motive
cause lead result trigger bring produce
result outcome consequence effect
effect impact influence affect
problem issue difficulty trouble
idea concept theory notion
area region territory zone district
country nation state
city town
people population inhabitant resident person citizen
street road avenue
river stream waterway
ship boat vessel
car vehicle automobile
plane aircraft airplane
film movie picture
movie film
song track single tune
singer vocalist
actor actress star cast
star feature appear
play perform portray role performance
game match contest
match game
score point
player athlete
sport athletic
coach manager trainer
book novel publication
author writer
picture image photograph photo
painting picture artwork
doctor physician
disease illness sickness
medicine drug medication
body organism
animal creature species
plant vegetation
food diet nutrition eat
eat consume feed food ate
drink beverage
water liquid
heat warm hot
cold cool freeze
speed fast velocity rate quick
size large dimension area
length long
height tall high
depth deep
width wide broad
weight heavy mass
age old
young youth
old ancient elderly
new recent modern
year annual
early first
last final
first initial original
former previous earlier prior
later subsequent
current present now today
often frequent frequently usually commonly
common usual typical frequent
rare uncommon unusual
different distinct vary differ difference
similar same alike equal
opposite contrary reverse
join enter enrol enroll
join unite merge combine
divide split separate
connect link join
follow succeed after
replace succeed substitute successor
choose select pick chosen choice opt
decide determine decision
plan intend aim scheme
goal aim purpose objective intention
try attempt effort tried
fail failure unsuccessful
succeed success achieve
achieve accomplish attain reach
complete finish
happen occur take-place place
event occasion incident
hold held host
host hold held
meet gather encounter met
speak talk language spoken
language tongue dialect
religion faith church belief
worship pray religious
wealthy rich wealth affluent
poor poverty
strong powerful strength
weak weakness
famous known renowned notable celebrated
responsible charge
ask request demand
demand request require
want wish desire
protect defend guard protection
destroy ruin demolish destruction
damage harm hurt destroy
remove eliminate delete
add append include
keep retain maintain preserve
maintain preserve sustain
save rescue store
hide conceal
find discover locate spot
search seek
measure gauge
calculate compute
estimate approximate
exceed surpass over
surrender give-up yield concede allow
arrest capture seize imprison
capture seize conquer took take
escape flee fled
punish penalty punishment sentence
crime offence offense
trial court
judge court
send sent dispatch
bring brought
carry transport convey
travel journey trip
store keep
sell sold sale
trade commerce
tax levy duty
own possess ownership belong
property asset possession
house home residence
building structure edifice
design architect plan
architect design
material substance
element component
energy power
electricity electric power
generate produce create
machine device apparatus
tool instrument
computer machine
error mistake fault bug
configure setup set option setting configuration
option parameter argument setting
function method
default standard
install setup
delete remove
file document
folder directory
start boot
version release
`;

const families = new Map<string, Set<number>>();
for (const [index, line] of groups.trim().split('\n').entries()) {
  for (const word of line.split(' ')) {
    if (word.includes('-')) continue;
    const term = termOf(word, 'en');
    const known = families.get(term);
    if (known) known.add(index);
    else families.set(term, new Set([index]));
  }
}

/** Whether a term stands in any group. */
export const hasSynonyms = (term: string): boolean => families.has(term);

/** True where both terms stand in one group. Terms are as the analyzer spells them. */
export function areSynonyms(a: string, b: string): boolean {
  const mine = families.get(a);
  if (!mine) return false;
  const theirs = families.get(b);
  if (!theirs) return false;
  for (const group of mine) if (theirs.has(group)) return true;
  return false;
}
