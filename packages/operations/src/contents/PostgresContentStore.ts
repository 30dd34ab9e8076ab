/** Contents in the database: no further service to run, and part of each backup of it. */
import {
  ContentPartsRepo,
  partSize,
  type StoredParts
} from "@quittance/persistence/contents/ContentPartsRepo"
import { Context, Effect, Layer, Option, Stream } from "effect"
import type { ContentStore, Sealed } from "./ContentStore.ts"

/** Names of one statement. */
const pageSize = 1_000

/** A database that is away is what it is to everyone: a defect that the edge answers. */
export class PostgresContentStore extends Context.Service<PostgresContentStore, ContentStore>()(
  "@quittance/operations/PostgresContentStore"
) {
  static readonly layer = Layer.effect(
    PostgresContentStore,
    Effect.gen(function* () {
      const repo = yield* ContentPartsRepo

      const put = Effect.fn("PostgresContentStore.put")(function* (
        name: string,
        { pieces }: Sealed
      ) {
        let number = 0
        for (const part of parts(pieces())) yield* repo.put(name, number++, part)
        yield* repo.delete(name, number)
      })

      /** Each step reads what is left of one part; a part that is shorter than that is the last. */
      const get = (name: string, start: number, end: number) =>
        Stream.paginate(start, (from) => {
          const number = Math.floor(from / partSize)
          const first = number * partSize
          const to = Math.min(end, first + partSize)
          return Effect.map(repo.get(name, number, from - first, to - first), (bytes) => {
            const isWhole = bytes?.length === to - from && to < end
            return [bytes === undefined ? [] : [bytes], isWhole ? Option.some(to) : Option.none()]
          })
        })

      const list = (folder: string) =>
        Stream.paginate<
          string | undefined,
          StoredParts,
          never,
          Effect.Services<ReturnType<typeof repo.page>>
        >(undefined, (after) =>
          Effect.map(repo.page(folder, after, pageSize), (found) => [
            found,
            Option.fromUndefinedOr(found.length < pageSize ? undefined : found.at(-1)?.name)
          ])
        )

      return PostgresContentStore.of({
        kind: "POSTGRES",
        put,
        get,
        stat: repo.size,
        delete: (name) => repo.delete(name, 0),
        list
      })
    })
  ).pipe(Layer.provide(ContentPartsRepo.layer))
}

/** The same bytes in parts of the store's size. */
function* parts(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  let waiting: Array<Uint8Array> = []
  let size = 0
  for (const piece of pieces) {
    let left = piece
    while (size + left.length >= partSize) {
      const fits = partSize - size
      yield Buffer.concat([...waiting, left.subarray(0, fits)])
      left = left.subarray(fits)
      waiting = []
      size = 0
    }
    waiting.push(left)
    size += left.length
  }
  if (size > 0) yield Buffer.concat(waiting)
}
