/** What something learned must bring, from 0 to 1, before it is used. */
const MARGIN = 0.003;

/** Whether what was learned does enough better on what it was not learned from. */
export function isBetter(learned: number, before: number): boolean {
  return learned > before + MARGIN;
}
