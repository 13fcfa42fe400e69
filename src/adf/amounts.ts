/** 0 and less mean "no price", never a price of 0 (aap-v1.3 section 4). */
export function isAmount(value: number | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}
