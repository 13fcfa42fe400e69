import type { Problem } from '../model/problem.ts';
import type { Sound, WrittenAppointmentRule } from './bridge-file.ts';
import { quote } from './problems.ts';
import type { Review } from './review.ts';
import { checkRooftopReference } from './rooftop-reference.ts';

const RULES = '/leads/appointments/rules';
const MINUTES_A_DAY = 24 * 60;

/** Rules about rooftops that are not there, and promises that nothing could be held to. */
export function checkAppointments(review: Review): Problem[] {
  return (review.file.leads?.appointments?.rules ?? []).flatMap((rule, index) => {
    if (rule === undefined) return [];
    const pointer = `${RULES}/${index}`;
    const references = (rule.rooftops ?? []).flatMap((id, position) =>
      id === undefined ? [] : checkRooftopReference(review, id, `${pointer}/rooftops/${position}`),
    );
    if (rule.mode !== 'auto') return references;
    return [...references, ...checkSpan(review, rule, pointer), ...checkHours(review, rule, pointer)];
  });
}

function checkSpan(review: Review, rule: Sound<WrittenAppointmentRule>, pointer: string): Problem[] {
  const { lead_time_minutes: minutes, days_ahead: days } = rule;
  if (minutes === undefined || days === undefined || minutes < days * MINUTES_A_DAY) return [];
  return [review.tell('CONFIG_APPOINTMENT_SPAN', pointer, { minutes, days })];
}

function checkHours(review: Review, rule: Sound<WrittenAppointmentRule>, pointer: string): Problem[] {
  // A list with a fault in it is told elsewhere, and may mean other rooftops than it seems to.
  if (rule.rooftops === undefined && review.isWritten(`${pointer}/rooftops`)) return [];
  const rooftops = (review.file.dealer?.rooftops ?? []).flatMap((rooftop, index) =>
    rooftop === undefined ? [] : [{ rooftop, at: `/dealer/rooftops/${index}` }],
  );
  return rooftops
    .filter(({ rooftop: { id } }) => id !== undefined && (rule.rooftops?.includes(id) ?? true))
    .flatMap(({ rooftop: { id = '' }, at }) =>
      [
        { missing: 'timezone', isThere: review.isWritten(`${at}/timezone`) },
        { missing: 'schedules', isThere: review.isWritten(`${at}/schedules/0`) },
      ]
        .filter(({ isThere }) => !isThere)
        .map(({ missing }) =>
          review.tell('CONFIG_APPOINTMENT_HOURS', `${pointer}/mode`, { name: quote(id), missing }),
        ),
    );
}
