import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { Stage } from "../src/Branch.ts"
import { allowed, Command, permit, type Position, status } from "../src/Lifecycle.ts"
import { ContractState } from "../src/PolicyState.ts"

const positions: ReadonlyArray<Position> = [
  ...Stage.literals.map((stage) => ({ stage })),
  ...ContractState.literals.map((contract) => ({ stage: "SIGNED", contract }) as const)
]

/** What domain rules say, written out: every state, and all that may follow it. */
const expected: Record<string, ReadonlyArray<string>> = {
  DRAFT: ["quote"],
  QUOTED: ["quote", "confirm"],
  CONFIRMED: ["reopen", "sign"],
  SIGNED: [],
  NOT_STARTED: ["start", "stop"],
  STARTED: ["suspend", "stop"],
  SUSPENDED: ["reactivate", "stop"],
  STOPPED: []
}

describe("the life cycle", () => {
  for (const position of positions) {
    const name = position.contract ?? position.stage
    for (const command of Command.literals) {
      const may = expected[name]!.includes(command)
      it(`${may ? "takes" : "refuses"} ${command} in ${name}`, () => {
        const result = permit(position, command)
        assert.strictEqual(Result.isSuccess(result), may)
        if (Result.isFailure(result)) {
          assert.deepStrictEqual(result.failure.allowed, expected[name])
          assert.strictEqual(result.failure.command, command)
          assert.strictEqual(result.failure.status, status(position))
        }
      })
    }
    it(`lists what may follow ${name}`, () => {
      assert.deepStrictEqual(allowed(position), expected[name])
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
})
