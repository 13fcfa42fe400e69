import { describe, expect, it } from 'vitest';
import { parseNumber } from '../../src/feeds/mapping/fields/numbers.ts';
import { codeText, lineText } from '../../src/feeds/mapping/fields/text.ts';
import { cleanVin } from '../../src/feeds/mapping/fields/vin-text.ts';

describe('characters that nobody sees', () => {
  it.each(['\u200b', '\ufeff', '\u2060', '\u200e', '\u202a', '\u00ad'])(
    '%j are no part of a VIN or stock number',
    (sign) => {
      expect(cleanVin(`${sign}1HGCV1F31KAA90301${sign}`)).toBe('1HGCV1F31KAA90301');
      expect(cleanVin(`1HGCV1F31${sign}KAA90301`)).toBe('1HGCV1F31KAA90301');
      expect(codeText(`${sign}00417${sign}`)).toBe('00417');
    },
  );

  it('are no part of a word or number, and those that join letters stay', () => {
    expect(lineText('Used\u200b')).toBe('Used');
    expect(parseNumber('31,995\u200b')).toBe(31_995);
    expect(lineText('\u{1F468}\u200d\u{1F469} van')).toBe('\u{1F468}\u200d\u{1F469} van');
    expect(codeText('1E5')).toBe('1E5');
    expect(codeText("'00420")).toBe('00420');
  });
});
