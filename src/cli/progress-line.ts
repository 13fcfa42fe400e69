import type { WriteStream } from 'node:tty';
import type { Progress, ProgressTeller } from '../feeds/reporting/progress.ts';
import { visibleText } from '../feeds/reporting/visible-text.ts';

/** Return to the first column and clear the line. */
const START_OVER = '\r\u001B[2K';
const EVERY_MS = 1000;
const USUAL_COLUMNS = 80;

export type Terminal = Pick<WriteStream, 'write'> & { isTTY?: boolean; columns?: number };

export interface ProgressLine {
  /** Nothing where nobody looks: a file or a pipe would keep every state of the line. */
  readonly teller: ProgressTeller | undefined;
  /** Takes the line away. */
  end(): void;
}

/** How far a long file has been read, on one line of a terminal that is written anew each second. */
export function progressLine(terminal: Terminal = process.stderr): ProgressLine {
  if (terminal.isTTY !== true) return { teller: undefined, end: () => undefined };
  let isShown = false;
  return {
    teller: {
      everyMs: EVERY_MS,
      tell: (progress) => {
        isShown = true;
        // One column less: a full line would wrap, and only its second half be cleared.
        const { columns = 0 } = terminal;
        const room = (columns > 1 ? columns : USUAL_COLUMNS) - 1;
        terminal.write(`${START_OVER}${progressText(progress).slice(0, room)}`);
      },
    },
    end: () => {
      if (isShown) terminal.write(START_OVER);
      isShown = false;
    },
  };
}

function progressText({ fileName, rows, rowsPerSecond, percent }: Progress): string {
  const [all, each] = [rows, rowsPerSecond].map((count) => count.toLocaleString('en-US'));
  return `${percent} %  ${all} rows  ${each} rows/s  ${visibleText(fileName)}`;
}
