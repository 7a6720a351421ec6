/**
 * The chances that decide what a plan is, each from 0 to 1. They are choices and not learned: what is
 * learned is how likely something is, and these say what is done with it.
 */

/** A suggested plan below this confidence is only shown: the agent has to say itself what it wants. */
export const SUGGESTED_FROM = 0.7;
/** From this confidence on a plan that changes nothing may be run before it is asked for. */
export const SPECULATED_FROM = 0.85;
/** A step that is less likely to take a value of another does not wait for it. */
export const LINKED_FROM = 0.2;

/**
 * A value, a binding or a tool that is less likely is proposed, and not used: a call with wrong arguments
 * is worse than a question.
 */
export const SURE = 0.5;
/**
 * From this probability on, PML puts a result into a parameter without asking. At this value,
 * `bench/flow.ts` finds at least 95 of 100 such flows right on every set that records flows.
 */
export const SURE_OF_FLOW = 0.87;
/** An optional parameter is only given where the request speaks of it as clearly as this. */
export const SURE_OF_OPTIONAL = 0.75;
/** A value that is as likely as this is shown beside the hole it may fill. */
export const WORTH_A_HINT = 0.25;
/** A less likely source of a value is none. Where the figures of `bench/flow.ts` are best on the whole. */
export const SOURCE_FROM = 0.28;
/** What happened in this share of the runs that could have had it is how it is done. */
export const LEARNED_SHARE = 0.5;

/** A capability that does just what was chosen is taken instead if by itself it is as likely as this, */
export const CAPABILITY_FROM = 0.3;
/** and works as often as this. */
export const CAPABILITY_RELIABLE = 0.8;
/** A value of a capability is taken at least as likely as this by what was seen to take it. */
export const CAPABILITY_NEEDED = 0.5;
/** In this share of like runs with a capability a tool was called beside it: it is wanted for itself. */
export const WANTED_BESIDE = 0.5;

/** Requests with a smaller share of their words in common are alike, and not the same. */
export const NEARLY_THE_SAME = 0.8;
/** A tool that is as likely as this and not in the plan would be missed: that is explained. */
export const MISSED_FROM = 0.1;
/** Less likely next steps are noise. */
export const NEXT_FROM = 0.1;
