import { errorCode } from '../../files/patience.ts';
import { disk } from '../../files/patient-files.ts';
import { moveFile } from './move-file.ts';

/** What lies beside a finished file, by the ending that its name gets; the last only where rows were refused. */
export const REPORT_ENDINGS = { json: '.report.json', text: '.report.txt', rejects: '.rejects.csv' } as const;

/** The reports of a file that goes to another place go with it. */
export async function moveReports(file: string, target: string): Promise<void> {
  for (const ending of Object.values(REPORT_ENDINGS)) {
    try {
      await moveFile(`${file}${ending}`, `${target}${ending}`);
    } catch (error) {
      if (ending !== REPORT_ENDINGS.rejects || errorCode(error) !== 'ENOENT') throw error;
    }
  }
}

export async function removeReports(file: string): Promise<void> {
  for (const ending of Object.values(REPORT_ENDINGS)) await disk.remove(`${file}${ending}`);
}
