/** Where encrypted bytes are kept. */
import type { StoreKind } from "@quittance/domain/contents/StoreKind"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { type Effect, Schema, type Stream } from "effect"

/** A store that can't be reached, refuses what was asked, or is full. Nothing was stored or read. */
export class ContentStoreAway extends Schema.TaggedError<ContentStoreAway>()("ContentStoreAway", {
  cause: Schema.Defect()
}) {
  override get message() {
    return "The store of contents does not answer as it should; see whether it is up, may be written to and has room."
  }
}

/** Bytes that are to be stored; the same pieces each time that they are asked for. */
export interface Sealed {
  /** All bytes of all pieces. */
  readonly size: number
  readonly pieces: () => Iterable<Uint8Array>
}

/** What a store has. */
export interface StoredBytes {
  readonly name: string
  readonly size: number
  /** Milliseconds since it was stored. */
  readonly age: number
}

/**
 * A store knows bytes by names, and nothing of what they mean. Names consist of hexadecimal digits, and
 * a full stop and slashes between them.
 */
export interface ContentStore {
  readonly kind: StoreKind
  /** Stores all bytes under a name, in the place of what it has there. They are safe once it answers. */
  put(name: string, sealed: Sealed): Effect.Effect<void, ContentStoreAway, CurrentTenant>
  /**
   * The bytes from `start` up to and without `end`, in pieces of any size. It ends early where the store has
   * fewer: the reader knows how many there have to be.
   */
  get(
    name: string,
    start: number,
    end: number
  ): Stream.Stream<Uint8Array, ContentStoreAway, CurrentTenant>
  /** How many bytes there are, `undefined` without any. */
  stat(name: string): Effect.Effect<number | undefined, ContentStoreAway, CurrentTenant>
  /** Deletes what there is; nothing is no failure. */
  delete(name: string): Effect.Effect<void, ContentStoreAway, CurrentTenant>
  /** All that is under names which begin with a folder of the tenant, also what was left half stored. */
  list(folder: string): Stream.Stream<StoredBytes, ContentStoreAway, CurrentTenant>
}
