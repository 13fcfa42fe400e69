import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { success, type Result } from '../../model/problem.ts';
import { compileProfile } from '../mapping/map.ts';
import { completeProfile } from '../profile/profile.ts';
import { loadVocabularies } from '../profile/vocabulary.ts';
import { loadAliases } from './aliases.ts';
import { sampleFields, type FieldProposal } from './field-samples.ts';
import { sketchFile, type FileSketch } from './file-sketch.ts';
import { profileText, writtenProfile } from './profile-text.ts';
import { propose, type Proposal } from './proposal.ts';
import type { Question } from './proposal-draft.ts';

/** What `feed suggest --json` prints: an unknown export, and how it could be read. */
export interface Suggestion {
  file: Omit<FileSketch, 'columns' | 'samples' | 'options'> & {
    name: string;
    /** Of XML: the element that is one vehicle. */
    record?: string;
  };
  mode: Proposal['mode'];
  fields: FieldProposal[];
  questions: Question[];
  neverPublished: string[];
  unknown: string[];
  /** Required fields without a column: with one of them the profile refuses every file until it is named. */
  missing: string[];
  /** YAML, ready to be saved. */
  profile: string;
}

const PROGRAM_FOLDER = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Reads an export that nobody has described yet, and proposes a profile for it. Changes nothing. Faults: those of
 * the file (empty_file, not_a_feed, archive_broken, xml_not_well_formed …).
 */
export async function suggestProfile(file: string): Promise<Result<Suggestion>> {
  const aliases = await loadAliases(path.join(PROGRAM_FOLDER, 'config', 'aliases.yaml'));
  if (!aliases.ok) return aliases;
  const vocabularies = await loadVocabularies(path.join(PROGRAM_FOLDER, 'config', 'vocabulary'));
  if (!vocabularies.ok) return vocabularies;
  const sketched = await sketchFile(file, aliases.value, [path.join(PROGRAM_FOLDER, 'adapters')]);
  if (!sketched.ok) return sketched;
  const sketch = sketched.value;
  const proposal = propose(sketch, aliases.value, vocabularies.value);
  const name = path.basename(file);
  const written = writtenProfile(name, sketch, proposal);
  const profile = completeProfile(name, file, written);
  const { questions, neverPublished, unknown, missing, mode } = proposal;
  return success({
    file: { name, ...fileFacts(sketch) },
    mode,
    fields: sampleFields(profile.map, compileProfile(profile, vocabularies.value), sketch.samples),
    questions,
    neverPublished,
    unknown,
    missing,
    profile: profileText(written, sketch, proposal),
  });
}

function fileFacts(sketch: FileSketch): Omit<Suggestion['file'], 'name'> {
  const { container, encoding, reader, delimiter, hasHeader, rows, unsoundRows, warnings, options } = sketch;
  return {
    container,
    encoding,
    reader,
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(hasHeader === undefined ? {} : { hasHeader }),
    ...(typeof options.record === 'string' ? { record: options.record } : {}),
    rows,
    unsoundRows,
    warnings,
  };
}
