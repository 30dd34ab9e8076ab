import { assert, describe, it } from "@effect/vitest"
import { Busy } from "@quittance/domain/requests/RequestErrors"
import { Cause, Effect, Exit, Redacted } from "effect"
import { Passwords } from "../../src/tokens/Passwords.ts"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

const guess = (tenant: string) =>
  Passwords.use((passwords) => passwords.verify(Redacted.make("wrong"), undefined)).pipe(
    Effect.provideService(CurrentTenant, TenantId.make(tenant)),
    Effect.exit
  )

const isBusy = (exit: Exit.Exit<boolean>) =>
  Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof Busy

describe("guesses of passwords", () => {
  it.effect(
    "of one tenant are turned away at once beyond its line, and those of others are not",
    () =>
      Effect.gen(function* () {
        const order: Array<string> = []
        const noted = (tenant: string) =>
          Effect.tap(guess(tenant), (exit) =>
            Effect.sync(() => order.push(isBusy(exit) ? `${tenant} turned away` : tenant))
          )
        const crowd = Array.from({ length: 60 }, () => "crowd")
        yield* Effect.forEach([...crowd, "other"], noted, { concurrency: "unbounded" })
        // One was at work and sixteen waited; the other tenant had a turn of its own.
        assert.strictEqual(order.filter((entry) => entry === "crowd").length, 17)
        assert.strictEqual(order.filter((entry) => entry === "crowd turned away").length, 43)
        const other = order.filter((entry) => !entry.endsWith("away")).indexOf("other")
        assert.isBelow(other, 3)
      }).pipe(Effect.provide(Passwords.layer))
  )
})
