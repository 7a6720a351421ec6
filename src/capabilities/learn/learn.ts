import { nameFromIntent } from '../../code/index.js';
import { type Capability, type CapabilityVersion, maskForms, type Mask } from '../../core/index.js';
import type { Book } from '../book.js';
import { closesCycle } from '../contained.js';
import { isAnotherWay, placeVersion, reachOf, takesOver, withIntent } from '../place-version.js';
import { stateAfter, withVersion } from '../take-use.js';
import { withOtherExamples } from './other-examples.js';
import { type Proof, readProof } from './read-proof.js';

export type Learned =
  /** Under a new name; or as a version of what does the same, in use or kept beside it. */
  | { readonly kind: 'new' | 'version'; readonly capability: Capability; readonly version: number }
  /** The same procedure, used once more. */
  | { readonly kind: 'known'; readonly capability: Capability; readonly version: number }
  | { readonly kind: 'refused'; readonly reason: string };

const KEPT_INTENT_CHARACTERS = 500;

/** Keeps what a run has proven, or says why it does not. */
export function learn(book: Book, proof: Proof, mask: Mask): Learned {
  const read = readProof(proof, mask);
  if (!read.ok) return { kind: 'refused', reason: read.reason };
  const { version } = read;
  const said = proof.intent.replaceAll(/\s+/g, ' ').trim();
  const intent = maskForms(mask(said)).slice(0, KEPT_INTENT_CHARACTERS);
  const known = book.withIdentity(version.identity);
  if (known) return countProof(book, known, { version, intent });
  const unknown = version.contains.filter((name) => !book.find(name));
  if (unknown.length > 0) {
    return { kind: 'refused', reason: `there is no capability ${unknown.join(', ')}` };
  }
  const same = book.all().find((one) => isAnotherWay(one, intent, version));
  return same ? learnVersion(book, same, { version, intent }) : learnNew(book, { version, intent });
}

interface Proven {
  readonly version: CapabilityVersion;
  readonly intent: string;
}

function countProof(book: Book, known: Capability, { version, intent }: Proven): Learned {
  const { identity, sequence, invocations, lock, statistics, provenance } = version;
  const use = { ok: true, ms: statistics.totalMs, at: provenance.at };
  const counted = book.count(known, versionOf(known, identity), use);
  const before = versionOf(counted, identity);
  const parameters = withOtherExamples(before.parameters, version.parameters);
  const { invocations: _before, ...rest } = before;
  const timed = invocations ? { invocations } : {};
  const proven = { ...rest, sequence, ...timed, lock, parameters };
  const isInUse = counted.current.identity === identity;
  const isBack = isInUse && stateAfter(counted, use) !== counted.state;
  const state = isBack ? book.healthOf(counted) : counted.state;
  const capability = book.put(withIntent({ ...withVersion(counted, proven), state }, intent));
  return { kind: 'known', capability, version: proven.version };
}

function learnVersion(book: Book, same: Capability, { version, intent }: Proven): Learned {
  const { name } = same;
  if (closesCycle(name, version.contains, book.find)) {
    return { kind: 'refused', reason: `as ${name} it would come to call itself` };
  }
  const hasDependants = book.dependantsOf(name).length > 0;
  const placed = placeVersion(same, version, { isInUse: takesOver(same, { hasDependants }) });
  const capability = book.put(withIntent(placed.capability, intent));
  book.forget(name, placed.forgotten);
  const number = versionOf(capability, version.identity).version;
  return { kind: 'version', capability, version: number };
}

function learnNew(book: Book, { version, intent }: Proven): Learned {
  const description = intent || `Calls ${reachOf(version)}`;
  const capability = book.put({
    name: nameFromIntent(intent, takenNames(book), version.toolsUsed),
    aliases: [],
    description,
    intents: intent === '' ? [] : [intent],
    state: { status: 'active' },
    isPinned: false,
    current: version,
    others: [],
  });
  return { kind: 'new', capability, version: version.version };
}

/** A name that code calls without success is not given to something else. */
function takenNames(book: Book): readonly string[] {
  return book
    .all()
    .flatMap(({ name, aliases, current }) => [name, ...aliases, ...current.contains]);
}

export function versionOf({ current, others }: Capability, identity: string): CapabilityVersion {
  return [current, ...others].find((one) => one.identity === identity)!;
}
