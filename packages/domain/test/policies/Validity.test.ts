import { assert, describe, it } from "@effect/vitest"
import { canonicalJson } from "../../src/values/CanonicalJson.ts"
import * as Validity from "../../src/policies/Validity.ts"
import * as Naive from "../NaiveView.ts"
import { days, RandomLogs, runs } from "../RandomLogs.ts"

describe("the validity rows of a branch", () => {
  it.prop(
    "say at every instant what the fold says, by entity, in maximal intervals that don't overlap",
    [RandomLogs],
    ([{ branches, log, base }]) => {
      for (const lineage of [base, ...branches]) {
        const rows = Validity.ofBranch(log, lineage, "policy")
        const shown = Naive.instantsOf(Naive.shown(log, lineage))
        for (const at of days.filter((instant) => instant >= shown[0]!)) {
          const inForce = rows.filter(({ from, to }) => from <= at && (to === undefined || to > at))
          const expected = Naive.stateAt(log, { ...lineage, whenAt: at })
          assert.strictEqual(
            canonicalJson(Validity.toState(inForce)),
            canonicalJson({ customers: {}, assets: {}, ...expected })
          )
        }
        const byEntity = Map.groupBy(
          rows,
          ({ entityId, entityKind }) => `${entityKind} ${entityId}`
        )
        for (const own of byEntity.values()) {
          for (const [index, row] of own.entries()) {
            const next = own[index + 1]
            assert.isTrue(row.to === undefined ? next === undefined : row.from < row.to)
            if (next === undefined) continue
            assert.isTrue(row.to! <= next.from)
            const isOne =
              row.to === next.from && canonicalJson(row.state) === canonicalJson(next.state)
            assert.isFalse(isOne)
          }
        }
      }
    },
    runs
  )
})
