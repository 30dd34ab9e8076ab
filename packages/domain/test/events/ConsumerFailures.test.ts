import { assert, describe, it } from "@effect/vitest"
import { type ConsumerFailures, failedAgain } from "../../src/events/ConsumerFailures.ts"

describe("a consumer that fails", () => {
  it("leaves the tenant alone for a second, then twice as long each time, up to five minutes", () => {
    const pauses: Array<number> = []
    let failures: ConsumerFailures | undefined
    for (let now = 0; pauses.length < 12; now = failures.until) {
      failures = failedAgain(now, failures)
      pauses.push((failures.until - now) / 1000)
    }
    assert.deepStrictEqual(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
  })
})
