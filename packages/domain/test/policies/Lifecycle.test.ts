import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { readFileSync } from "node:fs"
import { Stage } from "../../src/policies/Branch.ts"
import { allowed, Command, permit, type Position, status } from "../../src/policies/Lifecycle.ts"
import { page } from "../../src/policies/LifecycleDiagram.ts"
import { ContractState } from "../../src/policies/PolicyState.ts"

/** What the rules say, written out: every state, what a caller may do in it, and what happens by itself. */
const expected: Record<
  string,
  { readonly may: ReadonlyArray<string>; readonly does: ReadonlyArray<string> }
> = {
  DRAFT: { may: ["quote", "stop"], does: [] },
  QUOTED: { may: ["quote", "confirm", "stop"], does: [] },
  CONFIRMED: { may: ["reopen", "sign", "stop"], does: [] },
  SIGNED: { may: [], does: [] },
  "DRAFT endorsement": { may: ["quote"], does: [] },
  "QUOTED endorsement": { may: ["quote", "confirm"], does: [] },
  "CONFIRMED endorsement": { may: ["reopen", "sign"], does: [] },
  "SIGNED endorsement": { may: [], does: [] },
  "CONFIRMED unsigned endorsement": { may: ["reopen", "merge"], does: [] },
  NOT_STARTED: { may: ["stop"], does: ["start"] },
  STARTED: { may: ["suspend", "stop"], does: ["renew"] },
  SUSPENDED: { may: ["reactivate", "stop"], does: ["renew"] },
  STOPPED: { may: ["reinstate"], does: [] }
}

const positions: Readonly<Record<string, Position>> = {
  ...Object.fromEntries(Stage.literals.map((stage) => [stage, { stage }])),
  ...Object.fromEntries(
    Stage.literals.map((stage) => [`${stage} endorsement`, { stage, endorsement: "SIGNED" }])
  ),
  "CONFIRMED unsigned endorsement": { stage: "CONFIRMED", endorsement: "UNSIGNED" },
  ...Object.fromEntries(
    ContractState.literals.map((contract) => [contract, { stage: "SIGNED", contract }])
  )
}

describe("the life cycle", () => {
  it("is written out for every state", () => {
    assert.sameMembers(Object.keys(positions), Object.keys(expected))
  })

  for (const [name, position] of Object.entries(positions)) {
    const { does, may } = expected[name]!
    for (const command of Command.literals) {
      const takes = may.includes(command) || does.includes(command)
      it(`${takes ? "takes" : "refuses"} ${command} in ${name}`, () => {
        const result = permit(position, command)
        assert.strictEqual(Result.isSuccess(result), takes)
        if (Result.isFailure(result)) {
          assert.deepStrictEqual(result.failure.allowed, may)
          assert.strictEqual(result.failure.command, command)
          assert.strictEqual(result.failure.status, status(position))
        }
      })
    }
    it(`lists what may follow ${name}`, () => {
      assert.deepStrictEqual(allowed(position), may)
    })
  }

  it("shows a signed policy that waits for its first payment as confirmed", () => {
    const signed = { stage: "SIGNED", contract: "NOT_STARTED" } as const
    assert.strictEqual(status({ ...signed, gated: true }), "POLICY_CONFIRMED")
    assert.strictEqual(status({ ...signed, gated: false }), "POLICY_SIGNED")
    assert.strictEqual(
      status({ stage: "SIGNED", contract: "STARTED", gated: true }),
      "POLICY_STARTED"
    )
  })

  it("is drawn in the documentation as it is", () => {
    assert.strictEqual(
      readFileSync(new URL("../../../../docs/life-cycle.md", import.meta.url), "utf8"),
      page(),
      "run node --conditions=@quittance/source packages/domain/scripts/life-cycle.ts"
    )
  })
})
