import { createRequire } from 'node:module';

/** Entries of the OS keychain that PML reads belong to this service. */
const SERVICE = 'pml';

interface Keyring {
  readonly Entry: new (
    service: string,
    name: string,
    options?: object,
  ) => { getPassword(): string | null };
}

/** A secret that the user keeps in the OS keychain; undefined if there is none, or no keychain. */
export function readKeychain(name: string): string | undefined {
  try {
    // Optional: it comes with a binary for each system.
    const { Entry } = createRequire(import.meta.url)('@napi-rs/keyring') as Keyring;
    // The kernel of Linux has a keyring too, which forgets everything when the machine restarts.
    const entry = new Entry(SERVICE, name, { linux: { store: 'secret-service' } });
    return entry.getPassword() ?? undefined;
  } catch {
    return undefined; // The caller reports the reference as missing, with what to do about it.
  }
}
