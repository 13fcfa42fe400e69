import { readFile } from 'node:fs/promises';

export interface OpenQuestion {
  /** From 1. */
  line: number;
  question: string;
}

const QUESTION = /^\s*#\s*QUESTION:\s*(.+?)\s*$/;

/** What `feed suggest` left for a person to decide and still stands in the comments of a profile. */
export async function openQuestions(profileFile: string): Promise<OpenQuestion[]> {
  const lines = (await readFile(profileFile, 'utf8')).split(/\r?\n/);
  return lines.flatMap((text, index) => {
    const question = QUESTION.exec(text)?.[1];
    return question === undefined ? [] : [{ line: index + 1, question }];
  });
}
