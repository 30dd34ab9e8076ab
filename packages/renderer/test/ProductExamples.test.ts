import type { DocumentModel } from "@quittance/domain/documents/DocumentModel"
import { assert, describe, it } from "@effect/vitest"
import { examples } from "./ProductScene.ts"

/** What the documents of a kind are made of, by the name of their product. */
const of = (kind: DocumentModel["document"]["kind"]) =>
  examples
    .filter(({ input }) => input.model.document.kind === kind)
    .map(({ input, product }) => [product, input.model] as const)

const instalmentsOf = { YEARLY: 1, HALF_YEARLY: 2, QUARTERLY: 4, MONTHLY: 12 } as const

describe("the examples of the products", () => {
  it("are paid in their schedules as often as their contracts say", () => {
    assert.lengthOf(of("SCHEDULE"), 8)
    for (const [{ invoicing, productId }, { policy, price, schedule }] of of("SCHEDULE")) {
      const { frequency } = policy
      assert.strictEqual(frequency, invoicing.default.frequency, productId)
      const { instalments, total } = schedule!
      const expected = new Map(Object.entries(instalmentsOf)).get(frequency)
      assert.lengthOf(instalments, expected!, productId)
      assert.strictEqual(instalments.at(-1)!.periodEnd, policy.endsOn, productId)
      assert.strictEqual(total, price?.total ?? 0, productId)
    }
  })

  it("change something in their endorsements, and say what it costs", () => {
    assert.lengthOf(of("ENDORSEMENT"), 8)
    for (const [{ productId }, { endorsement, price }] of of("ENDORSEMENT")) {
      const { changes, previousTotal, restOfTerm } = endorsement!
      assert.lengthOf(changes, 1, productId)
      const [{ after, before }] = changes as [(typeof changes)[0]]
      assert.notStrictEqual(before, after, productId)
      assert.notInclude([before, after], "–", productId)
      const more = (price?.total ?? 0) - previousTotal
      assert.isAtLeast(restOfTerm, 0, productId)
      assert.closeTo(restOfTerm * 2, more, 1, productId)
      if (price !== undefined) assert.isAbove(more, 0, productId)
    }
  })
})
