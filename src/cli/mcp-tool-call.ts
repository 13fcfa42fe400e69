import { aapError } from '../agent/errors.ts';
import type { Refusal as AapRefusal } from '../agent/errors.ts';
import { refusalFor } from '../agent/faults.ts';
import type { ToolReply } from '../agent/mcp/tool-result.ts';
import type { ToolCall } from '../agent/mcp/tool-server.ts';
import { createRequestValidator } from '../agent/validators.ts';
import { AgentFault } from '../client/agent-fault.ts';
import { askAgent } from '../client/ask-agent.ts';
import { textAt, valueAt } from '../client/json-value.ts';
import type { Refusal } from '../client/refusal.ts';
import { formatInstant, systemClock } from '../model/clock.ts';
import { newErrorId } from '../model/identifier.ts';
import { type OpenedAgent, printNotes } from './ask-options.ts';
import { printableText } from './printable-text.ts';

/** A tool as a question to the agent. What does not fit the skill's request is told here already. */
export function remoteToolCall({ agent, call }: Pick<OpenedAgent, 'agent' | 'call'>): ToolCall {
  const validate = createRequestValidator();
  return async (skill, payload) => {
    const [first, ...more] = validate(skill, payload);
    if (first !== undefined) return refused(errorObject(refusalFor([first, ...more])));
    try {
      // What fits a request schema is an object.
      const reply = await askAgent(agent, skill, payload as object, call);
      printNotes(reply.notes);
      if (reply.kind === 'refused') return refused(errorOf(reply.refusal));
      return { kind: 'answered', payload: JSON.stringify(reply.payload) };
    } catch (fault) {
      return refused(unanswered(fault));
    }
  };
}

function refused(error: object): ToolReply {
  return { kind: 'refused', error };
}

/** As the agent said it. What A2A or the agent's door says no to is no matter of the arguments: trying again is vain. */
function errorOf({ error, message }: Refusal): object {
  const data = valueAt(error, 'data');
  if (textAt(data, 'type') === 'aap.error') return data as object;
  const text = `The dealer's agent does not serve this call: ${message}`;
  return { ...errorObject({ code: 'INTERNAL_ERROR', message: text }), retryable: false };
}

function unanswered(fault: unknown): object {
  const isKnown = fault instanceof AgentFault;
  const text =
    isKnown && fault.kind === 'unreachable'
      ? "The dealer's agent cannot be reached right now; please try again later."
      : undefined;
  const error = errorObject({ code: 'INTERNAL_ERROR', ...(text === undefined ? {} : { message: text }) });
  const reason =
    fault instanceof Error ? ((isKnown ? undefined : fault.stack) ?? fault.message) : String(fault);
  console.error(`dealer-bridge: ${error.error_id}: ${printableText(reason)}`);
  return error;
}

function errorObject(refusal: AapRefusal): { error_id: string } {
  return aapError(refusal, newErrorId(), formatInstant(systemClock.now())).data as { error_id: string };
}
