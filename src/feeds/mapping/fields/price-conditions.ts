import { sentencesOf } from './price-disclaimer.ts';

/** Offers and invitations say nothing about the price beside them. */
const OFFERED =
  /\b((?<!all |any )available|availability|ask|inquire|welcome|may (?:also )?(?:qualify|be eligible|apply|be available)|see if|additional(?:ly)?|extra|before|prior to|not includ\w*|does not|do not|exclud\w*|without)\b|n't\b|\bw\/o\b/i;
const PAYMENT =
  /\b(financing|payments?|apr|monthly|per month|lease|leases|leasing|rates?|terms?|loans?)\b|\/mo\b/i;

/** Only buyers of some kind get it. */
const OF_SOME =
  /\b(military|loyalty|conquest|college|grad(?:uate)?s?|first[- ]responders?|students?|teachers?|educators?|nurses?|veterans?|farm bureau|costco|aarp|lessees?|competitive|militaire|militar|fid[eé]lit[eé]|lealtad)\b/i;
const REDUCTION =
  /\b(rebates?|bonus|cash|discounts?|incentives?|offers?|assistance|savings|programs?|pricing|rabais|remise|descuentos?|bono)\b/i;
const ALL_REDUCTIONS =
  /\b(?:all|any|every) (?:(?:available|applicable|eligible|possible|current|qualifying|manufacturer|manufacturer's|factory|dealer|and|other)[\s,]+)*(?:rebates?|incentives?|discounts?)\b/i;
const QUALIFYING =
  /\bnot (?:all|every(?:one|body)?)\b.*\bqualif|\bmust qualify\b|\b(?:who|if you|when you) qualify\b|\bqualif(?:ied|ying) (?:buyers?|customers?|individuals?|residents?)\b|\b(?:restricted|limited) to\b.*\b(?:buyers?|customers?|residents?)\b/i;

const NOT_NEEDED =
  /\bno (?:dealer )?financing (?:is )?(?:required|necessary|needed)\b|\bfinancing (?:is )?not (?:required|needed)\b/gi;
const FINANCED =
  /\b(?:must|requir\w*|assum\w*|contingent|based on|only|when|if)\b.*\bfinanc\w*|\bfinanc\w*\b.*\b(?:required|requires|only|incentive|discount|assistance|bonus|cash|rebate|price)\b|\bwith (?:dealer |our |in-house |approved |captive )*financing\b|\b(?:avec|con) (?:le |un )?financ(?:ement|iamiento|iaci[oó]n)\b|\bfinanciando\b|\bfinancement (?:requis|exig\w*|obligatoire)\b/i;
const CREDIT =
  /\b(?:approved credit|credit approval|w\.?a\.?c|o\.?a\.?c|cr[eé]dit approuv[eé]|cr[eé]dito aprobado)\b/i;
const TRADE =
  /\btrade(?:[- ]?in)? (?:assistance|bonus|allowance|credit|cash|rebate|equity|required)\b|\b(?:must |required? to |with (?:a |an |your |any |eligible |qualifying )*)trade\b/i;

/**
 * Whether the note beside a price says that not everybody pays so little: who finances, trades a car in, serves in the
 * army, qualifies. An all-in price has only discounts that are open to everyone (aap-v1.3 section 4).
 */
export function isConditional(disclaimer: string): boolean {
  return sentencesOf(disclaimer).some(namesCondition);
}

function namesCondition(sentence: string): boolean {
  const text = sentence.replace(NOT_NEEDED, ' ');
  const isOffer = OFFERED.test(text);
  const isOfPayments = PAYMENT.test(text);
  if (QUALIFYING.test(text) && !isOfPayments && !/\byou may qualify\b/i.test(text)) return true;
  if (CREDIT.test(text) && !isOfPayments) return true;
  if (isOffer && !/\b(must|requir\w*|only)\b/i.test(text)) return false;
  if (FINANCED.test(text) || TRADE.test(text)) return true;
  return (OF_SOME.test(text) && REDUCTION.test(text)) || ALL_REDUCTIONS.test(text);
}
