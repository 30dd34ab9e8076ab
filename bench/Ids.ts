import { Ids } from "@quittance/persistence/sql/Ids"
import { Effect } from "effect"
import { compare } from "./Interleaved.ts"

/**
 * An identifier costs what a UUID of the platform's generator costs, within a small factor: there is
 * no call to the generator per identifier, let alone per character.
 */
export const bench = Effect.gen(function* () {
  const ids = yield* Ids
  const many = (make: () => string) => () =>
    Effect.sync(() => {
      for (let count = 0; count < 1000; count++) make()
    })
  return [
    yield* compare(
      "1000 identifiers ÷ 1000 UUIDs of the platform",
      3,
      many(() => crypto.randomUUID()),
      many(() => ids.next("policy")),
      { rounds: 60, operationsPerRound: 20, concurrency: 1 }
    )
  ]
}).pipe(Effect.provide(Ids.layer))
