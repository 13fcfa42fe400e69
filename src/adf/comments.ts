import { singleLine } from './text.ts';

/** The longest line of facts that still fits beside the tags and the indent. */
const LONGEST_FACT_LINE = 60;

/** Several facts as one text, `a; b; c`, with line ends in place of some of the blanks we add. */
export function joinFacts(facts: readonly string[]): string {
  let text = '';
  let lineLength = 0;
  for (const fact of facts) {
    const joint = lineLength === 0 ? '' : lineLength + fact.length < LONGEST_FACT_LINE ? '; ' : ';\n';
    lineLength = joint === ';\n' ? fact.length : lineLength + joint.length + fact.length;
    text += joint + fact;
  }
  return text;
}

/**
 * The text, or as much of its beginning as leaves room for a mark that says how much is missing and where the
 * whole is kept. Empty when there is not even room for the mark.
 */
export function cutText(text: string, room: number, leadId: string): string {
  if (text.length <= room) return text;
  const longestMark = cutMark(text.length, leadId);
  const kept = wholeCharacters(text, Math.max(0, room - longestMark.length));
  const mark = cutMark(text.length - kept.length, leadId);
  return kept.length + mark.length <= room ? kept + mark : '';
}

function cutMark(missing: number, leadId: string): string {
  return ` [... ${missing} characters cut, whole text kept with ${singleLine(leadId)}]`;
}

/** Never half of a surrogate pair. */
function wholeCharacters(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
