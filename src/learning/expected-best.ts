export interface Chosen {
  /** How many of the likeliest to take. */
  readonly count: number;
  /** The F1 that is to be expected then. */
  readonly expected: number;
}

/**
 * Of things that are each right with some probability, likeliest first: how many to take so that
 * precision and recall together (F1) are best to be expected. What is left out counts as missed as
 * far as it was likely.
 */
export function expectedBest(probabilities: readonly number[], most = Infinity): Chosen {
  const wanted = probabilities.reduce((sum, probability) => sum + probability, 0);
  let best: Chosen = { count: 0, expected: 0 };
  let right = 0;
  probabilities.slice(0, most).forEach((probability, place) => {
    right += probability;
    const expected = (2 * right) / (place + 1 + wanted);
    if (expected > best.expected) best = { count: place + 1, expected: Math.min(1, expected) };
  });
  return best;
}
