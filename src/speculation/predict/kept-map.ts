/** The value of a key, made when it is missing. The longest unused makes room for a new one. */
export function kept<Key, Value>(
  all: Map<Key, Value>,
  key: Key,
  make: () => Value,
  most: number,
): Value {
  const value = all.get(key) ?? make();
  all.delete(key);
  all.set(key, value);
  if (all.size > most) {
    for (const oldest of all.keys()) {
      all.delete(oldest);
      break;
    }
  }
  return value;
}
