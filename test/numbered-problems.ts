import { afterAll, describe, expect, it } from 'vitest';

/** A problem that people reported: in which file of its folder the test stands, and what is right. */
interface NumberedProblem<Place extends string> {
  place: Place;
  words: string;
}

export type NumberedProblems<Place extends string> = Readonly<Record<number, NumberedProblem<Place>>>;

type Declare = (number: number, test: () => void | Promise<void>) => void;

/**
 * Gives `testsAt(place, tests)`: the tests of one file, `fault(5, …)` being that of number 5, and after them the proof
 * that the file has all that are its own.
 */
export function testsOf<Place extends string>(
  title: string,
  problems: NumberedProblems<Place>,
): (place: Place, tests: (fault: Declare) => void) => void {
  return (place, tests) => {
    const declared: number[] = [];
    describe(`${title}: ${place}`, () => {
      tests((number, test) => {
        declared.push(number);
        it(`${number}: ${problems[number]?.words ?? 'no such number'}`, test);
      });
      afterAll(() => {
        const own = Object.entries<NumberedProblem<Place>>(problems).filter(
          ([, each]) => each.place === place,
        );
        expect([...declared].sort((a, b) => a - b)).toEqual(own.map(([number]) => Number(number)));
      });
    });
  };
}
