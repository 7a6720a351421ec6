let last: Promise<unknown> = Promise.resolve();

/**
 * Starts a lesson after all earlier lessons have ended. What one lesson replays takes tens of megabytes,
 * so two at once would need twice the memory and end no sooner.
 */
export function oneLessonAtATime<Learned>(lesson: () => Promise<Learned>): Promise<Learned> {
  const learned = last.then(lesson);
  last = learned.catch(() => undefined);
  return learned;
}
