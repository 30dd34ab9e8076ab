/** What is left of contents that nothing needs, and what is missing: by the records, and by the stores. */
import * as SealedContent from "@quittance/auth/SealedContent"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { ContentsRepo } from "@quittance/persistence/contents/ContentsRepo"
import { UnusedContentsRepo } from "@quittance/persistence/contents/UnusedContentsRepo"
import { Context, Effect, Layer, Stream } from "effect"
import { Contents } from "./Contents.ts"
import type { ContentStore, ContentStoreAway } from "./ContentStore.ts"
import { ContentStores } from "./ContentStores.ts"

/** What was found of a tenant; where it was not a dry run, what was unused or unknown is gone. */
export interface Collected {
  /** Contents that no record has had for a day. */
  readonly unused: number
  /** Files of contents that were destroyed before, or now. */
  readonly removed: number
  /** Files of a day and older that no content has. */
  readonly strays: number
  /** Addresses of contents whose bytes are not in their store, or not all of them. */
  readonly missing: ReadonlyArray<string>
}

export class ContentCollection extends Context.Service<
  ContentCollection,
  {
    /** Collects what nothing needs; a dry run counts it. It may run beside uploads and beside itself. */
    collect(options: {
      readonly dryRun: boolean
    }): Effect.Effect<Collected, ContentStoreAway, CurrentTenant>
  }
>()("@quittance/operations/ContentCollection") {
  static readonly layer = Layer.effect(
    ContentCollection,
    Effect.gen(function* () {
      const contents = yield* Contents
      const records = yield* ContentsRepo
      const stores = yield* ContentStores
      const unusedRepo = yield* UnusedContentsRepo

      const unused = Effect.fnUntraced(function* (dryRun: boolean) {
        let [after, count] = ["", 0]
        for (;;) {
          const page = yield* unusedRepo.page(after, pageSize)
          for (const address of page) {
            if (dryRun || (yield* unusedRepo.destroy(address))) count += 1
          }
          if (page.length < pageSize) return count
          after = page.at(-1)!
        }
      })

      const removed = Effect.fnUntraced(function* (dryRun: boolean) {
        if (dryRun) return (yield* records.removals(countedRemovals)).length
        let count = 0
        for (;;) {
          const swept = yield* contents.sweep
          if (swept === 0) return count
          count += swept
        }
      })

      const straysOf = Effect.fnUntraced(function* (
        store: ContentStore,
        folder: string,
        dryRun: boolean
      ) {
        let count = 0
        const old = Stream.filter(store.list(folder), ({ age }) => age >= day)
        yield* Stream.runForEach(
          Stream.grouped(old, pageSize),
          Effect.fnUntraced(function* (page) {
            const known = yield* records.known(page.map(({ name }) => name))
            for (const { name } of page.filter((file) => !known.has(file.name))) {
              if (!dryRun) yield* store.delete(name)
              count += 1
            }
          })
        )
        return count
      })

      const strays = Effect.fnUntraced(function* (dryRun: boolean) {
        const folder = yield* contents.folder
        if (folder === undefined) return 0
        const counts = yield* Effect.forEach(stores.all, (store) => straysOf(store, folder, dryRun))
        return counts.reduce((sum, count) => sum + count, 0)
      })

      const missing = Effect.gen(function* () {
        const found: Array<string> = []
        let after: string | undefined
        for (;;) {
          const page = yield* records.page(after, pageSize)
          for (const { address, isStored, name, size, store } of page) {
            if (!isStored) continue
            const stored = yield* (yield* stores.of(store)).stat(name)
            if (stored === SealedContent.sealedSize(size)) continue
            // It may have been destroyed since, or put again under another name.
            if ((yield* records.find(address))?.name === name) found.push(address)
          }
          if (page.length < pageSize) return found
          after = page.at(-1)!.address
        }
      })

      const collect = Effect.fn("ContentCollection.collect")(function* ({
        dryRun
      }: {
        readonly dryRun: boolean
      }) {
        return {
          unused: yield* unused(dryRun),
          removed: yield* removed(dryRun),
          strays: yield* strays(dryRun),
          missing: yield* missing
        }
      })

      return ContentCollection.of({ collect })
    })
  ).pipe(
    Layer.provide([
      Contents.layer,
      ContentsRepo.layer,
      ContentStores.layer,
      UnusedContentsRepo.layer
    ])
  )
}

const pageSize = 200
/** Up to which a dry run counts removals. */
const countedRemovals = 1_000_000
/** Milliseconds that bytes without a record are kept: someone may be storing them. */
const day = 86_400_000
