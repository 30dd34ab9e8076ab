/** A tenant that is disabled is as if it weren't there, for programs that knew it a moment ago too. */
import { assert, layer } from "@effect/vitest"
import { ClientId } from "@quittance/domain/requests/Caller"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Duration, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Tenants } from "../../src/provisioning/Tenants.ts"
import { TenantDirectory } from "../../src/tenants/TenantDirectory.ts"
import { AccessTokens } from "../../src/tokens/AccessTokens.ts"
import { TokenIssuer } from "../../src/tokens/TokenIssuer.ts"
import * as Authorization from "../Authorization.ts"

const TestLayer = Layer.mergeAll(
  AccessTokens.layer,
  TenantDirectory.layer,
  Tenants.layer,
  TenantsRepo.layer,
  TokenIssuer.layer
).pipe(Layer.provideMerge(Authorization.TestLayer))

const setDisabled = (disabled: boolean) => Tenants.use((tenants) => tenants.setDisabled(disabled))

const directory = Effect.flatMap(CurrentTenant, (id) =>
  TenantDirectory.use((tenants) => tenants.find(id))
)

layer(TestLayer)("a disabled tenant", (it) => {
  it.effect("has its tokens refused within a second, and taken again once it is enabled", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const token = Redacted.make(
          yield* TokenIssuer.use((tokens) =>
            tokens.client(ClientId.make("acme-integration"), "platform/policies")
          )
        )
        const verify = AccessTokens.use((tokens) => tokens.verify(token))
        yield* verify
        assert.isDefined(yield* directory)
        assert.isTrue(yield* setDisabled(true))
        yield* TestClock.adjust(Duration.seconds(1))
        assert.isUndefined(yield* directory)
        assert.strictEqual((yield* Effect.flip(verify))._tag, "Unauthorized")
        assert.isTrue(yield* setDisabled(false))
        yield* TestClock.adjust(Duration.seconds(1))
        assert.isDefined(yield* directory)
        yield* verify
      })
    )
  )

  it.effect("is there for its operator, and says since when it is disabled", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const id = yield* CurrentTenant
        const repo = yield* TenantsRepo
        const since = Effect.map(repo.list, (all) => all.find((one) => one.id === id)?.disabledAt)
        assert.isNull(yield* since)
        yield* setDisabled(true)
        const first = yield* since
        assert.isString(first)
        assert.isFalse(yield* setDisabled(true))
        assert.strictEqual(yield* since, first)
        assert.strictEqual((yield* repo.find(id))?.id, id)
        assert.isUndefined(yield* repo.enabled(id))
        yield* setDisabled(false)
        assert.isFalse(yield* setDisabled(false))
        assert.strictEqual((yield* repo.enabled(id))?.id, id)
        const sql = yield* SuperuserSql
        const records = yield* sql<{ readonly action: string }>`
          SELECT action FROM audit WHERE tenant_id = ${id}
            AND action IN ('tenant.disable', 'tenant.enable') ORDER BY recorded_at
        `
        assert.deepStrictEqual(
          records.map(({ action }) => action),
          ["tenant.disable", "tenant.enable"]
        )
      })
    )
  )

  it.effect("has to be there", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(setDisabled(true)).pipe(
        Effect.provideService(CurrentTenant, TenantId.make("unknown"))
      )
      assert.strictEqual(failure._tag, "TenantNotFound")
    })
  )
})
