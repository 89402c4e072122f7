import { stem } from './stem.ts';

/**
 * Words that people and tools use for the same thing, a line each. A word may stand in several lines; a line
 * is no chain to the next. Actions first, then things. All of it is general vocabulary of software and of
 * everyday services; the names of products are left to the tools that carry them.
 */
const ALIKE = `
create add new make generate insert build compose register
create open start launch initiate begin
create draft write compose
get fetch retrieve read show view obtain load pull display
get check see inspect look
list show enumerate browse
search find lookup query discover locate seek look
update edit modify change set alter adjust revise patch
delete remove erase drop clear destroy discard purge trash
send post publish share submit deliver
post put write add
reply comment respond answer note remark
move transfer relocate
copy duplicate clone replicate fork
close resolve finish complete end
stop cancel abort terminate kill halt end
run execute start invoke trigger launch perform
rerun retry restart
convert transform change
calculate compute evaluate solve
compare diff difference versus
analyze analyse examine inspect evaluate assess
summarize summary overview digest
extract scrape parse crawl
download save export
upload import attach
schedule plan book reserve arrange
book reserve order
buy purchase order shop
approve accept confirm
reject deny decline refuse
assign allocate delegate
enable activate
disable deactivate
subscribe follow watch
monitor watch track observe
merge combine join
connect link attach
sync synchronize
verify validate check test
recommend suggest recommendation suggestion
draw paint render plot
remember store save memorize record
forecast predict prediction
improve optimize enhance polish refine
explain describe detail
detail info information describe
install setup configure
issue bug ticket defect
task todo
repo repository codebase
folder directory
file document doc
image picture photo photograph visual
screenshot capture snapshot
video clip footage
film movie cinema
music song track album playlist audio tune
email mail inbox
message chat
meeting event appointment calendar
person user contact people member
user account profile
team group
company business organization firm corporation enterprise
product item goods merchandise
price cost fee
stock share equity ticker market
crypto cryptocurrency bitcoin token coin ethereum blockchain nft
finance financial money stock economy economic
currency exchange forex
loan mortgage credit debt
invest investment investor portfolio
weather forecast temperature climate
place location address spot
coordinate latitude longitude geocode
map route direction navigation
hotel accommodation lodging stay
house home property apartment estate
rent rental lease
trip travel vacation tour holiday journey itinerary
flight airline plane airport
train railway rail
car vehicle automobile
restaurant dining eat
food meal recipe cook dish ingredient cuisine
diet nutrition calorie meal
medicine drug medication pharmaceutical
health medical wellness
doctor physician
disease illness condition
law legal lawyer attorney
job career employment vacancy position
resume cv
course class lesson tutorial education learn teach
school university college
book novel literature author
paper article publication research study
academic scholar research
news headline article
game play gaming
website site webpage page url
web internet online
database db table sql
row record entry
column field attribute
schema structure field
spreadsheet excel sheet workbook xlsx
slide presentation powerpoint
chart graph plot diagram visualization
comment remark note reply
note memo
tag label category
language translate translation
code source program script
server host machine
cluster kubernetes k8s
error exception failure
deploy deployment release
pipeline ci workflow
secret credential password
gift present
art painting artwork museum
domain whois dns
charity donation donate nonprofit
shop store shopping
discount coupon deal
customer client
invoice bill
review rating feedback
phone telephone mobile
app application
quiz question trivia
dictionary word definition
horoscope astrology zodiac
child kid baby
pet animal
fitness exercise workout gym sport
fashion clothes clothing outfit wear apparel
beauty makeup cosmetic skincare
furniture decor interior
garden plant flower
sport football soccer basketball baseball match league
tax accounting
budget expense spending
salary wage compensation
bank banking
insurance coverage
interview hiring recruit candidate applicant
joke humor funny
poem poetry lyric
story tale narrative fiction
logo brand branding
ad advertisement advertising marketing campaign
keyword seo ranking
taxi cab ride
bike bicycle cycling
hike trail trek
bus transit metro subway
beach sea ocean
space astronomy planet
drink beverage wine beer cocktail
tv television show series episode
podcast episode
concert gig show performance
theater theatre musical
actor actress celebrity
puzzle riddle
bible quran scripture verse religion
meditation mindfulness
math mathematics equation arithmetic
statistic mean median average
unit measurement
random dice
encrypt decrypt cipher
compress zip archive
transcript transcribe subtitle caption
speech voice spoken
emoji sticker gif
writing essay grammar
proofread grammar rewrite rephrase paraphrase
citation reference bibliography
gene protein genome
molecule compound chemical
patient clinical hospital
symptom diagnosis diagnose
email newsletter
survey poll questionnaire form
contract agreement
deadline due reminder
reminder alarm notification alert
subscription plan billing
payment pay checkout transaction
warehouse inventory stock
shipment shipping delivery parcel tracking
flight airfare fare
visa passport
apartment flat condo
neighborhood area district region
nearby near around local
rank top best popular trending
latest recent new current
size length width dimension
total sum count number amount
remove uninstall
login signin authenticate authentication
permission access role
backup snapshot restore
metric measure statistic
usage consumption
traffic visitor analytics
trace profile performance
vulnerability security threat
thread conversation discussion
channel room
reaction emoji like
attachment file
draft unsent
sprint iteration
milestone goal objective target
board kanban
epic initiative
`;

/** Terms that can stand for a term. */
export interface Thesaurus {
  relativesOf(term: string): readonly string[];
}

export function createThesaurus(): Thesaurus {
  const relatives = new Map<string, Set<string>>();
  for (const line of ALIKE.split('\n')) {
    const terms = new Set(line.split(' ').filter(Boolean).map(stem));
    for (const term of terms) {
      const known = relatives.get(term) ?? new Set();
      relatives.set(term, known);
      for (const other of terms) if (other !== term) known.add(other);
    }
  }
  const lists = new Map([...relatives].map(([term, others]) => [term, [...others]]));
  return { relativesOf: (term) => lists.get(term) ?? [] };
}
