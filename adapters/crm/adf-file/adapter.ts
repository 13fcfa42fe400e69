import { FILE_NAME_PLACES, leadFileName, renderAdf, unknownPlaces } from '../../../src/adapters/index.ts';
import type {
  AdfOptions,
  AttemptOutcome,
  CrmAdapter,
  FileDelivery,
  LeadDocument,
  Problem,
  Verdict,
} from '../../../src/adapters/index.ts';

/** options.schema.json, defaults filled in. */
interface Options {
  folder: string;
  name: string;
  adf: AdfOptions;
}

/** Each lead as one ADF file in a folder. */
const adfFile: CrmAdapter<Options> = {
  check,
  build,
  classify,
  place: ({ folder }) => ({ folder }),
};
export default adfFile;

function check(options: Options): Problem[] {
  const problems: Problem[] = [];
  if (options.folder.includes('\0')) {
    problems.push({
      code: 'ADAPTER_OPTION_INVALID',
      message: 'the folder holds a NUL character',
      where: { path: 'folder' },
    });
  }
  for (const place of unknownPlaces(options.name, FILE_NAME_PLACES)) {
    problems.push({
      code: 'ADAPTER_OPTION_INVALID',
      message: `nothing is known as {${place}}`,
      remedy: `Use ${FILE_NAME_PLACES.map((name) => `{${name}}`).join(', ')}.`,
      where: { path: 'name' },
    });
  }
  if (!options.name.includes('{lead_id}')) {
    problems.push({
      code: 'ADAPTER_OPTION_INVALID',
      message: 'the name has no {lead_id}, so that one lead would overwrite another',
      remedy: 'Put {lead_id} into it.',
      where: { path: 'name' },
    });
  }
  return problems;
}

function build(lead: LeadDocument, options: Options): FileDelivery {
  return {
    kind: 'file',
    folder: options.folder,
    name: leadFileName(options.name, lead),
    content: renderAdf(lead, options.adf),
  };
}

/** A full disk or a folder that is away for the moment: the lead waits. */
function classify(outcome: AttemptOutcome): Verdict {
  return outcome.kind === 'file' && outcome.sent === 'yes'
    ? { state: 'delivered', reason: 'the file is in the folder' }
    : {
        state: 'retry',
        reason: `the file could not be written: ${outcome.kind === 'file' ? (outcome.error ?? 'no reason given') : 'no file was tried'}`,
      };
}
