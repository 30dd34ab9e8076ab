import { assert, describe, it } from "@effect/vitest"
import { exampleOf } from "@quittance/domain/products/ProductExamples"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { Result } from "effect"
import { compile } from "../src/Engine.ts"
import { explain, explainInSlices } from "../src/Explain.ts"
import type { PriceInput } from "../src/PriceInput.ts"
import { screener } from "../src/PriceQuestion.ts"
import { type Sliced, sliceSize } from "../src/Slices.ts"
import { fleet } from "./Shipped.ts"

const startDate = LocalDate.make("2026-01-01")

/** A fleet that counts how often a vehicle is read; it has a thousand unless given. */
const watched = (look: (asset: number) => void, count = 1000): PriceInput => {
  const { assets, ...example } = exampleOf(fleet)
  return {
    ...example,
    startDate,
    assets: Array.from({ length: count }, (_, index) => ({
      customFields: new Proxy(assets[0]!.customFields, {
        get: (fields, key) => {
          look(index)
          return Reflect.get(fields, key)
        }
      })
    }))
  }
}

/** What work comes to, and the most that was looked at between two pauses. */
const run = <A>(work: Sliced<A>, looked: Set<number>) => {
  let most = 0
  let pauses = 0
  for (;;) {
    const step = work.next()
    most = Math.max(most, looked.size)
    looked.clear()
    if (step.done === true) return { most, pauses, result: step.value }
    pauses++
  }
}

describe("the price of one tier of a thousand vehicles", () => {
  const looked = new Set<number>()
  const input = watched((asset) => looked.add(asset))

  it("reads a slice of them between two pauses, by the service and by a provider", () => {
    for (const { id: tierId } of fleet.tiers) {
      const work = compile(fleet).priceInSlices({ ...input, tierId })
      const { most, pauses, result } = run(work, looked)
      assert.isTrue(Result.isSuccess(result))
      assert.isAtMost(most, 2 * sliceSize)
      assert.isAtLeast(pauses, 2 * (1000 / sliceSize))
    }
    const { most, result } = run(screener(fleet)(input), looked)
    assert.isTrue(Result.isSuccess(result))
    assert.isAtMost(most, 2 * sliceSize)
  })

  it("is explained a slice at a time", () => {
    const priced = Result.getOrThrow(compile(fleet).price(input))
    let moves = 0
    const components = priced.components.map((one) => {
      if (one.trace.kind !== "RATED") return one
      const units = one.trace.rated.units.map((unit) => ({
        ...unit,
        get moves() {
          moves++
          return unit.moves
        }
      }))
      return { ...one, trace: { ...one.trace, rated: { ...one.trace.rated, units } } }
    })
    const work = explainInSlices(fleet, { ...priced, components })
    let before = 0
    for (let step = work.next(); ; step = work.next()) {
      // The moves of each vehicle are gone through twice.
      assert.isAtMost(moves - before, 2 * sliceSize)
      before = moves
      if (step.done !== true) continue
      assert.deepStrictEqual(step.value, explain(fleet, priced))
      break
    }
    assert.isAbove(moves, 2000)
  })

  it("comes to the same in slices, and pauses for no small fleet", () => {
    const whole = Result.getOrThrow(compile(fleet).price(input))
    const sliced = Result.getOrThrow(run(compile(fleet).priceInSlices(input), looked).result)
    assert.deepStrictEqual(sliced.quote, whole.quote)
    const few = watched(() => undefined, 2)
    assert.strictEqual(run(compile(fleet).priceInSlices(few), looked).pauses < 5, true)
  })
})
