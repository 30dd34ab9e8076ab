import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Result, Schema } from "effect"
import { LocalDate } from "../../src/values/LocalDate.ts"
import {
  format,
  liveStatuses,
  parse,
  type PolicySelection
} from "../../src/portfolio/PolicySelection.ts"
import { BrokerageFirmId } from "../../src/values/Ids.ts"

const firm = "brokerage_firm_test_346789ABCDEFGHJKLMNPQ"
const other = "brokerage_firm_test_QPNMLKJHGFEDCBA987643"

const some = <A>(schema: Schema.Schema<A> & Schema.ConstraintDecoder<A>) =>
  Arbitrary.array(Arbitrary.schema(schema), { minLength: 1, maxLength: 3 })
const drawn = {
  parts: Arbitrary.array(Arbitrary.schema(Schema.Literals(["a", "b", "c", "d", "e", "f"]))),
  statuses: some(Schema.Literals(liveStatuses)),
  firmIds: some(BrokerageFirmId),
  productVersions: some(Schema.Literals(["2026.1", "7", "draft-2"])),
  day: Arbitrary.schema(Schema.Literals(["2024-02-29", "2026-01-01", "1999-12-31"])),
  sample: Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 99_999_999 })))
}

const faultsOf = (...texts: ReadonlyArray<string>) => {
  const result = parse(texts)
  return Result.isFailure(result) ? result.failure : assert.fail("It was accepted.")
}

describe("a selection of policies", () => {
  it("refuses what it does not know, all of it at once, and says what is accepted", () => {
    const failure = faultsOf("state=POLICY_STARTED", "status=POLICY_STOPPED", "sample=0", "all")
    assert.deepStrictEqual(failure.faults, [
      "There is no criterion `state=POLICY_STARTED`.",
      "`status` can't be `POLICY_STOPPED`.",
      "`sample` can't be `0`.",
      "`all` stands alone; leave it out beside other criteria."
    ])
    for (const name of ["all", "status", "firm", "product-version", "started-after", "sample"]) {
      assert.include(failure.message, `  ${name}`)
    }
    assert.include(failure.message, "POLICY_CONFIRMED, POLICY_SIGNED")
  })

  it("refuses values that are none", () => {
    for (const text of [
      "status=",
      "status=POLICY_STARTED,",
      "firm=acme",
      "product-version=",
      "product-version=2026.1,,2026.2",
      "started-after=2026-02-30",
      "started-before=tomorrow",
      "sample=1.5",
      "sample=-1",
      "sample=999999999",
      "sample",
      "toString=1"
    ]) {
      assert.lengthOf(faultsOf(text).faults, 1, text)
    }
    assert.deepStrictEqual(faultsOf().faults, ["Say which policies."])
    assert.include(faultsOf("sample=1", "sample=2").faults[0], "given twice")
  })

  it("reads what people write", () => {
    assert.deepStrictEqual(Result.getOrThrow(parse(["all"])), {})
    assert.deepStrictEqual(
      Result.getOrThrow(
        parse(["status=POLICY_STARTED,POLICY_SUSPENDED", `firm=${firm},${other}`, "sample=1000"])
      ) as unknown,
      { statuses: ["POLICY_STARTED", "POLICY_SUSPENDED"], firmIds: [firm, other], sample: 1000 }
    )
  })

  it.effect.prop("is read again from what it is written as", drawn, ({ day, parts, ...rest }) =>
    Effect.sync(() => {
      const of: Record<(typeof parts)[number], PolicySelection> = {
        a: { statuses: rest.statuses },
        b: { firmIds: rest.firmIds },
        c: { productVersions: rest.productVersions },
        d: { startedAfter: LocalDate.make(day) },
        e: { startedBefore: LocalDate.make(day) },
        f: { sample: rest.sample }
      }
      const selection: PolicySelection = Object.assign({}, ...parts.map((part) => of[part]))
      assert.deepStrictEqual(Result.getOrThrow(parse(format(selection))), selection)
    })
  )
})
