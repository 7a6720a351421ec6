/** The probability that log-odds stand for. */
export function sigmoid(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

/** Never certain: what is outside the bounds counts as they do. */
export function logOdds(probability: number, { least = 0.01, most = 0.99 } = {}): number {
  const bounded = Math.min(most, Math.max(least, probability));
  return Math.log(bounded / (1 - bounded));
}
