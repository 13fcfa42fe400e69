import type { LeadDesk } from '../../leads/lead-desk.ts';
import type { LeadSubmitRequest } from '../../model/lead.ts';
import { answered, refused } from './skill.ts';
import type { Skill } from './skill.ts';

/** Answers only after the desk has the lead on disk. A stored reply goes out word for word again. */
export function leadSubmit(leadDesk: LeadDesk): Skill {
  return {
    id: 'lead.submit',
    description:
      "Passes a buyer's inquiry to the dealer, with their consent: a vehicle of interest, a trade-in, a visit.",
    tags: ['lead', 'submit', 'automotive'],
    answer: async (request) => {
      const outcome = await leadDesk.submit(request as LeadSubmitRequest);
      if (outcome.kind === 'answered') {
        return answered('lead.submit', JSON.stringify(outcome.answer), outcome.message);
      }
      const { code, message, details } = outcome;
      return refused({ code, message, ...(details === undefined ? {} : { details }) });
    },
  };
}
