import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, FileSystem, Layer, Redacted } from "effect"
import { createHash } from "node:crypto"
import { KeyEncryption } from "../../src/tokens/KeyEncryption.ts"
import { Issuers } from "../../src/tokens/Issuers.ts"
import { TenantId } from "@quittance/domain/requests/Tenancy"

const acme = TenantId.make("acme")
const configured = (variables: Record<string, string>) =>
  ConfigProvider.layer(ConfigProvider.fromUnknown(variables))

const issuers = (variables: Record<string, string>) =>
  Issuers.use(Effect.succeed).pipe(
    Effect.provide(Issuers.layer.pipe(Layer.provide(configured(variables))))
  )

describe("Issuers", () => {
  it.effect("does not start in production without its addresses", () =>
    Effect.gen(function* () {
      const missing = yield* Effect.exit(issuers({ ENVIRONMENT: "production" }))
      const wrong = yield* Effect.exit(
        issuers({
          ENVIRONMENT: "production",
          BASE_URL: "https://api.example.com",
          AUTH_URL: "https://auth.example.com"
        })
      )
      assert.deepStrictEqual([missing._tag, wrong._tag], ["Failure", "Failure"])
    })
  )

  it.effect.each([
    { AUTH_URL: "http://{tenant}.auth.example.com" },
    { BASE_URL: "http://api.example.com" },
    { BASE_URL: "ftp://api.example.com" }
  ])("takes no address in production but of https: %o", (wrong) =>
    Effect.gen(function* () {
      const right = {
        ENVIRONMENT: "production",
        BASE_URL: "https://api.example.com",
        AUTH_URL: "https://{tenant}.auth.example.com"
      }
      const error = yield* Effect.flip(issuers({ ...right, ...wrong }))
      assert.include(String(error), Object.keys(wrong)[0]!)
      assert.include(String(error), "https")
    })
  )

  it.effect("takes no address of https outside production", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(issuers({ BASE_URL: "https://api.example.com" }))
      assert.include(String(error), "http outside production")
    })
  )

  it.effect("TN-16 reads the tenant of a host, in any case of letters and with any port", () =>
    Effect.gen(function* () {
      const { tenantOf } = yield* issuers({})
      for (const host of [
        "acme.auth.localhost:8080",
        "ACME.auth.localhost",
        "acme.AUTH.localhost:1"
      ]) {
        assert.strictEqual(tenantOf(host), acme)
      }
    })
  )

  it.effect.each([
    "acme.auth.localhost.",
    "acme.auth.localhost.evil.test",
    "x@acme.auth.localhost",
    "a.acme.auth.localhost",
    "acme.auth.localhost:8080:8080",
    "acme.auth.localhost:",
    "acmeauth.localhost",
    "acme.auth",
    ".auth.localhost",
    "auth.localhost",
    "evilacme-.auth.localhost",
    "ac me.auth.localhost",
    "localhost",
    ""
  ])("TN-16 finds no tenant in the host %s", (host) =>
    Effect.gen(function* () {
      assert.isUndefined((yield* issuers({})).tenantOf(host))
    })
  )

  it.effect("names the issuer of a tenant and the audience as they are configured", () =>
    Effect.gen(function* () {
      const local = yield* issuers({ PORT: "9000" })
      assert.deepStrictEqual(
        [local.of(acme), local.audience],
        ["http://acme.auth.localhost:9000", "http://localhost:9000"]
      )
      const production = yield* issuers({
        ENVIRONMENT: "production",
        AUTH_URL: "https://{tenant}.auth.example.com",
        BASE_URL: "https://api.example.com/"
      })
      assert.deepStrictEqual(
        [production.of(acme), production.audience],
        ["https://acme.auth.example.com", "https://api.example.com"]
      )
      assert.strictEqual(production.tenantOf("acme.auth.example.com"), acme)
      assert.isTrue(production.isBelow("x.y.auth.example.com"))
      assert.isFalse(production.isBelow("api.example.com"))
    })
  )
})

describe("KeyEncryption", () => {
  const keyWith = (variables: Record<string, string>) =>
    KeyEncryption.use(({ keys }) =>
      Effect.succeed(
        Redacted.value(keys)
          .map((key) => Buffer.from(key).toString("base64url"))
          .join()
      )
    ).pipe(
      Effect.provide(
        Layer.fresh(KeyEncryption.layer).pipe(
          Layer.provide([configured(variables), NodeServices.layer])
        )
      )
    )
  const given = createHash("sha256").update("a key").digest("base64url")

  it.effect("does not start in production without a key, nor anywhere with a wrong one", () =>
    Effect.gen(function* () {
      const missing = yield* Effect.exit(keyWith({ ENVIRONMENT: "production" }))
      const short = yield* Effect.exit(keyWith({ KEY_ENCRYPTION_KEY: "short" }))
      assert.deepStrictEqual([missing._tag, short._tag], ["Failure", "Failure"])
      assert.notInclude(JSON.stringify(short), 'short"')
    })
  )

  it.effect("takes no key in production that was written by hand", () =>
    Effect.gen(function* () {
      const weak = Buffer.alloc(32).toString("base64url")
      const variables = { ENVIRONMENT: "production", KEY_ENCRYPTION_KEY: weak }
      const error = yield* Effect.flip(keyWith(variables))
      assert.include(String(error), "Expected 32 random bytes in base64url")
      assert.notInclude(JSON.stringify(error), weak)
      assert.strictEqual(yield* keyWith({ KEY_ENCRYPTION_KEY: weak }), weak)
    })
  )

  it.effect("takes a second key after a comma, as strong as the first, and no third", () =>
    Effect.gen(function* () {
      const other = createHash("sha256").update("another key").digest("base64url")
      const both = { ENVIRONMENT: "production", KEY_ENCRYPTION_KEY: `${given},${other}` }
      assert.strictEqual(yield* keyWith(both), `${given},${other}`)
      const weak = Buffer.alloc(32).toString("base64url")
      for (const text of [`${given},${weak}`, `${given},`, `${given},${other},${given}`]) {
        const error = yield* Effect.flip(keyWith({ ...both, KEY_ENCRYPTION_KEY: text }))
        assert.include(String(error), "Expected 32 random bytes in base64url")
        assert.notInclude(JSON.stringify(error), given)
      }
    })
  )

  it.effect("takes the configured key", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* keyWith({ ENVIRONMENT: "production", KEY_ENCRYPTION_KEY: given }),
        given
      )
    })
  )

  it.effect(
    "makes one key in the data folder for all processes that start at once, and keeps it",
    () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const folder = yield* fs.makeTempDirectoryScoped()
        const variables = { DATA_DIR: `${folder}/new` }
        const keys = yield* Effect.all(
          Array.from({ length: 20 }, () => keyWith(variables)),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(new Set([...keys, yield* keyWith(variables)]).size, 1)
        assert.match(keys[0]!, /^[A-Za-z0-9_-]{43}$/u)
        assert.deepStrictEqual(yield* fs.readDirectory(`${folder}/new`), ["key-encryption-key"])
        const { mode } = yield* fs.stat(`${folder}/new/key-encryption-key`)
        assert.strictEqual(mode & 0o777, 0o600)
      }).pipe(Effect.provide(NodeServices.layer))
  )
})
