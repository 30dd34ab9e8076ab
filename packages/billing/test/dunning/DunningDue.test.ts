import { assert, describe, it } from "@effect/vitest"
import { fromEpochMillis, type Instant, toEpochMillis } from "@quittance/domain/values/Instant"
import { addDays, LocalDate } from "@quittance/domain/values/LocalDate"
import { alphabet } from "@quittance/domain/values/PrefixedId"
import type { Product } from "@quittance/domain/products/Product"
import { startOfDay } from "@quittance/domain/values/TimeZone"
import { shippedProduct } from "@quittance/testing/ShippedProducts"
import { Arbitrary, Schema } from "effect"
import { dunningSteps } from "../../src/dunning/Dunning.ts"
import type { DunningFacts } from "../../src/dunning/DunningTimeline.ts"
import {
  type ManualSteps,
  coverChanges,
  type CoverStep,
  coverSteps,
  type TakenStep
} from "../../src/dunning/DunningChanges.ts"
import { int, payerA } from "../Drawn.ts"
import { InvoiceId } from "@quittance/domain/values/Ids"

const products = ["motor-fr", "bicycle-it", "bicycle-es", "bicycle-de", "bicycle-be"].map((name) =>
  shippedProduct(`${name}`)
)

const firstDay = LocalDate.make("2026-01-01")
const id = (number: number) => InvoiceId.make(`invoice_test_${alphabet[number]!.repeat(21)}`)

/** Days after the first one; what is paid or noticed late comes so many hours into its day. */
const StoryOf = Schema.Struct({
  product: int(0, products.length - 1),
  debts: Schema.Array(
    Schema.Struct({
      due: int(0, 200),
      noticed: Schema.optionalKey(int(11, 40)),
      paid: Schema.optionalKey(Schema.Struct({ after: int(0, 260), recordedAfter: int(0, 90) })),
      hour: int(0, 23)
    })
  ).check(Schema.isMinLength(1), Schema.isMaxLength(4)),
  hold: Schema.optionalKey(Schema.Struct({ from: int(0, 200), days: int(1, 60) })),
  stop: Schema.optionalKey(int(30, 400)),
  visits: Schema.Array(int(0, 600)).check(Schema.isMaxLength(8))
})
type Story = typeof StoryOf.Type
const Story = Arbitrary.schema(StoryOf)

const instant = (product: Product, days: number, hour = 0): Instant =>
  fromEpochMillis(
    toEpochMillis(startOfDay(addDays(firstDay, days), product.timeZone)) + hour * 3_600_000
  )

/** What is known of a story by an instant. */
const factsBy = (story: Story, now: Instant): DunningFacts => {
  const product = products[story.product]!
  const { dunning: rule, timeZone } = product
  const at = (days: number, hour = 0) => instant(product, days, hour)
  const known = story.debts.map((debt, index) => ({ ...debt, invoiceId: id(index) }))
  return {
    rule,
    timeZone,
    startedAt: at(0),
    yearEnds: rule.suspend.untilYearEnd === true ? [at(365), at(730)] : [],
    debts: known.map(({ due, hour, invoiceId, paid }, index) => {
      const isKnown = paid !== undefined && at(due + paid.after + paid.recordedAfter, hour) <= now
      return {
        invoiceId,
        payerCustomerId: payerA,
        dueOn: addDays(firstDay, due),
        isFirst: index === 0,
        settledAt: isKnown ? at(due + paid.after, hour) : undefined
      }
    }),
    notices:
      rule.notice === undefined
        ? []
        : known.flatMap(({ due, hour, invoiceId, noticed }) => {
            const sentAt = noticed === undefined ? undefined : at(due + noticed, hour)
            return sentAt === undefined || sentAt > now
              ? []
              : [{ invoiceIds: [invoiceId], sentAt, announcesTermination: true }]
          }),
    holds:
      story.hold === undefined || at(story.hold.from) > now
        ? []
        : [{ from: at(story.hold.from), to: at(story.hold.from + story.hold.days) }]
  }
}

/** A contract that starts on the first day, and that may be stopped. */
const byHand = (story: Story): ManualSteps => {
  const product = products[story.product]!
  const start = instant(product, 0)
  const stop = story.stop === undefined ? undefined : instant(product, story.stop)
  return {
    stretches: [
      { from: instant(product, -30), to: start, contract: "NOT_STARTED" },
      { from: start, to: stop, contract: "STARTED" },
      ...(stop === undefined ? [] : [{ from: stop, contract: "STOPPED" } as const])
    ],
    waivers: [],
    withdrawn: []
  }
}

const wantedBy = (story: Story, now: Instant) =>
  coverSteps(dunningSteps(factsBy(story, now)), byHand(story))

const visit = (
  story: Story,
  taken: ReadonlyArray<TakenStep<string>>,
  now: Instant
): ReadonlyArray<TakenStep<string>> => {
  const { reverted, toTake } = coverChanges(wantedBy(story, now), taken, now)
  return [
    ...taken.filter((step) => !reverted.includes(step.id)),
    ...toTake.map((step) => ({ ...step, id: `${step.kind} ${step.at} ${now}` }))
  ]
}

const byInstant = (a: CoverStep, b: CoverStep): number => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1)

const textsOf = (steps: ReadonlyArray<CoverStep>) => steps.map(({ at, kind }) => `${at} ${kind}`)

const assertAllowed = (story: Story) => {
  const product = products[story.product]!
  const days = [...story.visits.toSorted((a, b) => a - b), lastDay]
  let taken: ReadonlyArray<TakenStep<string>> = []
  for (const now of days.map((day) => instant(product, day))) {
    const { reverted, toTake } = coverChanges(wantedBy(story, now), taken, now)
    taken = taken.filter((step) => !reverted.includes(step.id))
    for (const step of toTake) {
      // What was recorded first comes first of one instant.
      const before = taken.filter(({ at }) => at <= step.at).sort(byInstant)
      const last = before.at(-1)?.kind ?? "REACTIVATE"
      assert.strictEqual(last, behind[step.kind], `${step.kind} ${step.at}`)
      taken = [...taken, { ...step, id: `${step.kind} ${step.at} ${now}` }]
    }
  }
}

/** What each step comes after. */
const behind = { SUSPEND: "REACTIVATE", REACTIVATE: "SUSPEND", TERMINATE: "SUSPEND" } as const

const runs = { arbitrary: { runs: 500 } }
const lastDay = 1_000

describe("the steps of dunning that are due", () => {
  it.prop(
    "are in the end the same, however often and late a worker comes and payments are recorded",
    [Story],
    ([story]) => {
      const product = products[story.product]!
      const instants = [...story.visits.toSorted((a, b) => a - b), lastDay].map((day) =>
        instant(product, day)
      )
      const taken = instants.reduce<ReadonlyArray<TakenStep<string>>>(
        (sofar, now) => visit(story, sofar, now),
        []
      )
      const once = visit(story, [], instants.at(-1)!)
      assert.deepStrictEqual(textsOf(taken).sort(), textsOf(once).sort())
    },
    runs
  )

  it.prop(
    "are allowed by all that is recorded by then, also of the same instant",
    [Story],
    ([story]) => assertAllowed(story),
    runs
  )

  it("are taken anew behind a suspension that comes to lie on the instant of an end", () => {
    // In Germany both come with the end of the time that the notice gives.
    const paid = { due: 40, hour: 1, paid: { after: 6, recordedAfter: 73 } }
    assertAllowed({
      product: products.findIndex(({ productId }) => productId === "bicycle-de"),
      debts: [paid, { due: 47, hour: 0, noticed: 11 }],
      visits: [75]
    })
  })

  it.prop(
    "are none once they are taken",
    [Story],
    ([story]) => {
      const product = products[story.product]!
      for (const day of [...story.visits, lastDay]) {
        const now = instant(product, day)
        const taken = visit(story, [], now)
        assert.deepStrictEqual(coverChanges(wantedBy(story, now), taken, now), {
          reverted: [],
          toTake: []
        })
      }
    },
    runs
  )

  it.prop(
    "are steps that the contract allows, one after the other, up to its end",
    [Story],
    ([story]) => {
      const stop = byHand(story).stretches[2]?.from
      let state = "STARTED"
      for (const { at, kind } of wantedBy(story, instant(products[story.product]!, lastDay))) {
        assert.strictEqual(
          state,
          { SUSPEND: "STARTED", REACTIVATE: "SUSPENDED", TERMINATE: "SUSPENDED" }[kind]
        )
        assert.isTrue(stop === undefined || at < stop)
        state = { SUSPEND: "SUSPENDED", REACTIVATE: "STARTED", TERMINATE: "ENDED" }[kind]
      }
    },
    runs
  )
})
