import type { AgentToken } from '../model/agent-token.ts';
import { failure, success, type Problem, type Result } from '../model/problem.ts';
import { compileWhenUsed, joinPointer } from './json-schema.ts';
import { documentProblem } from './problems.ts';
import { parseYaml } from './yaml-document.ts';

const checkSchema = compileWhenUsed(() => ({
  $ref: 'https://dealer-bridge.example/schemas/tokens.schema.json',
}));

/** The tokens that a token file lists (schemas/tokens.schema.json), or everything that is wrong with it. */
export function parseTokenFile(text: string, fileName: string): Result<AgentToken[]> {
  const { document, problems } = parseYaml(text, fileName);
  if (document === undefined) return failure(...problems);
  const faults: Problem[] = [
    ...problems,
    ...checkSchema(document.value).map(({ pointer, key, message }) =>
      documentProblem(
        'CONFIG_TOKEN',
        document.place(key === undefined ? pointer : joinPointer(pointer, key)),
        { reason: message },
      ),
    ),
  ];
  if (faults.length > 0) return failure(...faults);
  const tokens = (document.value as { tokens?: AgentToken[] | null }).tokens ?? [];
  const twins = twinTokens(tokens).map(({ index, reason }) =>
    documentProblem('CONFIG_TOKEN', document.place(`/tokens/${index}`), { reason }),
  );
  return twins.length > 0 ? failure(...twins) : success(tokens);
}

/** Tokens that share a name or a hash with an earlier one: a revoked one of the two would live on in the other. */
export function twinTokens(tokens: readonly AgentToken[]): { index: number; reason: string }[] {
  return tokens.flatMap((token, index) => {
    const earlier = tokens.slice(0, index);
    if (earlier.some(({ name }) => name === token.name)) {
      return [{ index, reason: `the name "${token.name}" is taken by another token` }];
    }
    const twin = earlier.find(({ hash }) => hash === token.hash);
    return twin === undefined ? [] : [{ index, reason: `it is the same token as "${twin.name}"` }];
  });
}
