import { expect, it } from 'vitest';
import { csvLine } from '../../src/model/csv.ts';

it('drops control characters, keeps line breaks and tabs, and lets no cell begin like a formula', () => {
  expect(csvLine(['a\u001b[31mb\u0000', 'x\u009by', 'one\r\ntwo', 'a\tb', '\u0000=1+1'])).toBe(
    'a[31mb,xy,"one\r\ntwo",a\tb,\'=1+1\r\n',
  );
});
