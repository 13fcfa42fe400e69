import { SKILL_STEMS } from '../../model/skill.ts';
import type { SkillId } from '../../model/skill.ts';
import { isObject } from '../proto-json.ts';
import { readSchemaTexts } from '../schemas.ts';

type JsonSchema = Record<string, unknown>;

/** What MCP wants of a tool's inputSchema. */
export interface ToolSchema extends JsonSchema {
  type: 'object';
}

/** Neither is of use once a schema stands alone: clients would look the address up, or refuse the dialect. */
const NAMES_OF_ITSELF = new Set(['$id', '$schema', '$defs']);

/** Model providers refuse tools whose schema has one of these at its root. */
const CHOICES = new Set(['anyOf', 'oneOf', 'allOf']);

/**
 * The request schema of a skill as one document: all it refers to stands under `$defs`. It asks a little less than
 * the skill: `type` may be left out, and a choice at the root (one of several identifiers) is not stated.
 */
export function toolSchema(skill: SkillId): ToolSchema {
  const files = new Map([...readSchemaTexts()].map(([name, text]) => [name, JSON.parse(text) as JsonSchema]));
  const definitions: JsonSchema = {};
  const file = `${SKILL_STEMS[skill]}-request.schema.json`;
  const { required: all, ...root } = inline(schemaAt(file, ''), file) as JsonSchema & { required: string[] };
  const required = all.filter((name) => name !== 'type');
  return {
    ...Object.fromEntries(Object.entries(root).filter(([keyword]) => !CHOICES.has(keyword))),
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
  };

  /** A copy of a part of `file` whose references point into `definitions`. */
  function inline(part: unknown, within: string): unknown {
    if (Array.isArray(part)) return part.map((item) => inline(item, within));
    if (!isObject(part)) return part;
    return Object.fromEntries(
      Object.entries(part)
        .filter(([key]) => !NAMES_OF_ITSELF.has(key))
        .map(([key, value]) => [key, key === '$ref' ? define(String(value), within) : inline(value, within)]),
    );
  }

  function define(reference: string, within: string): string {
    const [target = '', pointer = ''] = reference.split('#');
    const source = target === '' ? within : target;
    const name = [source.replace('.schema.json', ''), pointer.replace('/$defs/', '')]
      .filter((piece) => piece !== '')
      .join('_');
    if (!Object.hasOwn(definitions, name)) {
      // Known before it is made, so that a schema may refer to itself.
      definitions[name] = {};
      definitions[name] = inline(schemaAt(source, pointer), source);
    }
    return `#/$defs/${name}`;
  }

  function schemaAt(name: string, pointer: string): unknown {
    const whole = files.get(name);
    const found =
      pointer === '' ? whole : (whole?.$defs as JsonSchema | undefined)?.[pointer.replace('/$defs/', '')];
    if (found === undefined) throw new Error(`no schema ${name}#${pointer}`);
    return found;
  }
}
