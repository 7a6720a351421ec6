/**
 * How fast a neighbour loses its say as it gets less alike than the nearest. Cosines of sentence
 * models lie close together: unrelated texts around 0.75, the same need in other words around 0.9.
 */
export const SHARPNESS = 0.025;
