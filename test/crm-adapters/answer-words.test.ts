import { describe, expect, test } from 'vitest';
import { answerWords } from '../../adapters/crm/adf-http/answer-words.ts';

describe('what a CRM says in its answer is told in one line', () => {
  test.each([
    ['{"parseOk":false,"errors":[{"text":"unknown vendor"}]}', 'parseOk: false, text: unknown vendor'],
    ['{"error":"Jos\\u00e9 \\"O\'Brien\\" is no name"}', 'error: José "O\'Brien" is no name'],
    ['"refused"', 'refused'],
    ['<response code="7"><text>No &#233;lan &amp; more</text></response>', 'code: 7 No élan & more'],
    [
      '<!DOCTYPE html><html class="x"><style>p{}</style><p>Service <b>unavailable</b></p></html>',
      'Service unavailable',
    ],
    ['busy,\r\n\tcome back', 'busy, come back'],
    ['Gr\u200bace is \u202eunknown', 'Grace is unknown'],
  ])('%j', (body, words) => {
    expect(answerWords(body)).toBe(`; it says: ${words}`);
  });

  test('nothing is added for an empty answer', () => {
    expect([answerWords(undefined), answerWords(''), answerWords(' \n'), answerWords('{}')]).toEqual([
      '',
      '',
      '',
      '',
    ]);
  });

  test('a long, deep or broken answer stays short', () => {
    const deep = `${'['.repeat(4_000)}1${']'.repeat(4_000)}`;
    const hostile = [
      'x'.repeat(100_000),
      '<'.repeat(60_000),
      '<a "'.repeat(20_000),
      deep,
      '😀'.repeat(3_000),
    ];
    for (const body of hostile) {
      const words = answerWords(body);
      expect(words.length).toBeLessThanOrEqual(1_100);
      expect(words.isWellFormed()).toBe(true);
    }
    expect(answerWords('<r>&#x110000; &#xd800;</r>')).toBe('; it says: &#x110000; \ufffd');
  });
});
