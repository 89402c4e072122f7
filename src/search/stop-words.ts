/**
 * English words that say nothing about what a tool does: articles, pronouns, prepositions, auxiliaries. They
 * are dropped on both sides. `not`, `all` and `between` stay out of it where they name something in schemas.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the this that these those some any each every either neither such ' +
    'i me my mine myself we us our ours you your yours he him his she her hers it its they them their theirs ' +
    'who whom whose which what when where why how ' +
    'am is are was were be been being do does did doing done have has had having ' +
    'can could will would shall should may might must ' +
    'and or but nor if then else than so because as while until unless though although ' +
    'of at by for with about against between into through during before after above below to from in on off ' +
    'over under again further once here there out up down upon within without via per ' +
    'no not only own same too very just also both more most other another ' +
    's t d m ll re ve don doesn didn isn aren wasn weren won couldn wouldn shouldn'
  ).split(' '),
);
