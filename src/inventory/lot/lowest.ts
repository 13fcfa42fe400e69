/** Up to which share of all it is quicker to look for the lowest than to sort all. */
const FEW = 1 / 8;

/** The lowest `wanted` of the numbers, ascending; all of them where there are fewer. The numbers may change places. */
export function lowest(numbers: Float64Array, wanted: number): Float64Array {
  if (wanted > numbers.length * FEW) return numbers.sort().subarray(0, wanted);
  const found = numbers.slice(0, wanted).sort();
  let highest = found[wanted - 1] ?? 0;
  for (let index = wanted; index < numbers.length; index++) {
    const number = numbers[index] ?? 0;
    if (number >= highest) continue;
    let place = wanted - 1;
    for (; place > 0 && (found[place - 1] ?? 0) > number; place--) found[place] = found[place - 1] ?? 0;
    found[place] = number;
    highest = found[wanted - 1] ?? 0;
  }
  return found;
}
