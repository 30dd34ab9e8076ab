/**
 * The examples of the published document are what these stories receive. Where they answer otherwise,
 * look whether they should, and write the examples anew, in `apps/public-api`:
 *
 *     UPDATE_EXAMPLES=1 pnpm exec vitest run test/reference
 *
 * Then write the document anew (`packages/contract/scripts/openapi.ts`), and format both.
 */
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { eventNames } from "@quittance/domain/EventType"
import * as LeftEvents from "./LeftEvents.ts"
import { operationIds, writes } from "./ReceivedAnswers.ts"
import { sale } from "./Sale.ts"
import { exampleOf } from "./Stable.ts"
import { acme, Left, Received, StageLayer } from "./Stage.ts"
import { stories } from "./Stories.ts"

const file = new URL("../../../../packages/contract/src/api/ReceivedExamples.json", import.meta.url)

const anew = "the head of this test says how to write the examples anew"

/** One story after the other, on one tenant, whose time goes on. */
const tell = Effect.gen(function* () {
  const from = Date.now()
  const world = yield* acme
  const sold = yield* sale(world)
  yield* Effect.forEach(stories, (story) => story(world, sold))
  const run = { from, to: Date.now() }
  return { received: yield* Received, all: yield* LeftEvents.all, left: yield* Left, run }
})

/** What has come of the stories. */
class Told extends Context.Service<Told, Effect.Success<typeof tell>>()(
  "@quittance/public-api/test/reference/Told"
) {}

const ToldLayer = Layer.provide(Layer.effect(Told, tell), StageLayer)

layer(ToldLayer, { excludeTestServices: true })("the stories of the reference", (it) => {
  it.effect("receive the examples that the document shows", () =>
    Effect.gen(function* () {
      const { received, run } = yield* Told
      assert.sameMembers(
        [...received.keys()],
        [...operationIds],
        "call it in a story of `stories/`"
      )
      const examples = new Map(
        operationIds
          .filter((id) => received.get(id) !== undefined)
          .map((id) => [id, exampleOf(id, received.get(id), run)])
      )
      if (process.env["UPDATE_EXAMPLES"] === "1") {
        writeFileSync(file, `${JSON.stringify(Object.fromEntries(examples), undefined, 2)}\n`)
      }
      const committed = new Map(Object.entries(JSON.parse(readFileSync(file, "utf8"))))
      assert.deepStrictEqual([...examples.keys()], [...committed.keys()], anew)
      for (const [operation, example] of examples) {
        assert.deepStrictEqual(example, committed.get(operation), `${operation}: ${anew}`)
      }
    })
  )

  it.effect("leave an event of each thing that they do, and none of what they only read", () =>
    Effect.gen(function* () {
      const { all, left } = yield* Told
      const told = [...left].filter(([, types]) => types.length > 0)
      const names = told.map(([operation]) => operation)
      assert.sameMembers(
        writes.filter((operation) => !names.includes(operation)),
        [...LeftEvents.silentWrites]
      )
      assert.sameMembers(
        names.filter((operation) => !writes.includes(operation)),
        [...LeftEvents.ofReads]
      )
      for (const [operation, types] of told) {
        assert.deepStrictEqual(types, LeftEvents.ofWrites[operation] ?? types, operation)
      }
      assert.sameMembers(
        eventNames.filter((type) => !all.includes(type)),
        [...LeftEvents.leftElsewhere],
        "record it in a story, or test it elsewhere and name it there"
      )
    })
  )
})
