import { readFile, stat } from 'node:fs/promises';
import { failure, success, type Problem, type Result } from '../model/problem.ts';

const MAX_LEAD_FILE_BYTES = 1024 * 1024;

/** The lead.submit request in a JSON file that holds it alone, or the whole JSON-RPC call around it. */
export async function readLeadPayload(file: string): Promise<Result<unknown>> {
  const content = await readJson(file);
  return content.ok ? success(payloadOf(content.value)) : content;
}

async function readJson(file: string): Promise<Result<unknown>> {
  try {
    const { size } = await stat(file);
    if (size > MAX_LEAD_FILE_BYTES) {
      return failure(unreadable(file, `it is larger than ${MAX_LEAD_FILE_BYTES} bytes`));
    }
    return success(JSON.parse((await readFile(file, 'utf8')).replace(/^\uFEFF/, '')) as unknown);
  } catch (error) {
    return failure(unreadable(file, error instanceof Error ? error.message : String(error)));
  }
}

function unreadable(file: string, reason: string): Problem {
  return { code: 'LEAD_FILE_UNREADABLE', message: `${file}: ${reason}` };
}

/** The payload itself, or the data of the first part that has some (aap-v1.3 section 2). */
function payloadOf(content: unknown): unknown {
  const parts = memberOf(memberOf(memberOf(content, 'params'), 'message'), 'parts');
  if (!Array.isArray(parts)) return content;
  return parts.map((part) => memberOf(part, 'data')).find((data) => data !== undefined) ?? content;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
