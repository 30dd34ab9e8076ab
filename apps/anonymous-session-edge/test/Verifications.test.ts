/** `POST /signatures/verify`: whom it answers, how often, and what it makes of wrong files. */
import { assert, layer } from "@effect/vitest"
import { maximumVerified } from "@quittance/domain/signatures/Verification"
import * as HttpApp from "@quittance/http/HttpApp"
import { Sandbox } from "@quittance/operations/provisioning/Sandbox"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { Issuers } from "@quittance/operations/tokens/Issuers"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import * as Targets from "@quittance/persistence/targets"
import * as PgTest from "@quittance/testing/PgTest"
import { sandboxTenant } from "@quittance/testing/SandboxTenant"
import { Context, Effect, Layer, Option, References } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Routes } from "../src/Routes.ts"
import { fileForm, sealedText } from "./FileForm.ts"

interface Call {
  readonly tenant?: string
  readonly address?: string
  readonly headers: Record<string, string>
  readonly body: Buffer
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: any
}

class Server extends Context.Service<
  Server,
  { readonly verify: (call: Call) => Effect.Effect<Answer> }
>()("@quittance/anonymous-session-edge/test/Verifications/Server") {
  static readonly layer = Layer.effect(
    Server,
    Effect.gen(function* () {
      const app = yield* HttpApp.make(Routes)
      return Server.of({
        verify: Effect.fnUntraced(function* ({ address, body, headers, tenant }) {
          const web = new Request("http://localhost:8080/signatures/verify", {
            method: "POST",
            headers: { host: "localhost:8080", ...headers, ...(tenant ? { tenant } : {}) },
            body: new Uint8Array(body)
          })
          const request = HttpServerRequest.fromWeb(web).modify({
            remoteAddress: Option.some(address ?? "192.0.2.1")
          })
          const response = yield* app.pipe(
            Effect.map((answer) => HttpServerResponse.toWeb(answer)),
            Effect.provideService(HttpServerRequest.HttpServerRequest, request),
            Effect.provideService(References.MinimumLogLevel, "Error"),
            Effect.scoped
          )
          const text = yield* Effect.promise(() => response.text())
          return { status: response.status, headers: response.headers, body: JSON.parse(text) }
        })
      })
    })
  )
}

const TestLayer = Server.layer.pipe(
  Layer.provideMerge(Sandbox.layer),
  Layer.provideMerge([ProductsRepo.layer, Targets.layer]),
  Layer.provideMerge(
    Issuers.layerOf("http://{tenant}.auth.localhost:8080", "http://localhost:8080")
  ),
  Layer.provideMerge(KeyEncryption.layerOf(new Uint8Array(32).fill(7))),
  Layer.provideMerge(PgTest.layer)
)

const newTenant = Effect.gen(function* () {
  const tenant = sandboxTenant()
  yield* Sandbox.use((sandbox) => sandbox.seedTenant(tenant, Effect.void))
  return tenant.id
})

const verify = (tenant: string, bytes: string | Uint8Array, address?: string) =>
  Server.use((server) =>
    server.verify({
      tenant,
      ...fileForm(bytes),
      ...(address === undefined ? {} : { address })
    })
  )

layer(TestLayer, { excludeTestServices: true })("POST /signatures/verify", (it) => {
  it.effect("says of a file without a sign-in what holds, and refuses what proves nothing", () =>
    Effect.gen(function* () {
      const tenant = yield* newTenant
      const { body, headers, status } = yield* verify(tenant, sealedText)
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("cache-control"), "no-store")
      assert.deepInclude(body, { kind: "PDF", status: "CHANGED", known: false })
      assert.deepStrictEqual(
        body.checks.map(({ name, result }: Record<string, string>) => [name, result]),
        [
          ["CONTENT", "FAILS"],
          ["ISSUER", "NOT_CHECKED"],
          ["TIME", "NOT_CHECKED"]
        ]
      )
      const refused = yield* verify(tenant, "a letter")
      assert.deepStrictEqual(
        [refused.status, refused.body.code, refused.body.details],
        [422, "FILE_NOT_VERIFIABLE", { reason: "TYPE" }]
      )
      assert.include(refused.body.message, "GET /signatures/{signatureId}/evidence")
      const large = yield* verify(tenant, Buffer.alloc(maximumVerified + 1))
      assert.deepStrictEqual([large.status, large.body.code], [413, "PAYLOAD_TOO_LARGE"])
      const json = { "content-type": "application/json" }
      const other = yield* Server.use((server) =>
        server.verify({ tenant, headers: json, body: Buffer.from("{}") })
      )
      assert.deepStrictEqual([other.status, other.body.code], [415, "UNSUPPORTED_MEDIA_TYPE"])
      const { headers: type } = fileForm("")
      const none = yield* Server.use((server) =>
        server.verify({ tenant, headers: type, body: Buffer.from("------quittance-form--\r\n") })
      )
      assert.deepStrictEqual([none.status, none.body.code], [400, "INVALID_REQUEST"])
    })
  )

  it.effect("takes 30 files an hour of an address, whatever they are", () =>
    Effect.gen(function* () {
      const tenant = yield* newTenant
      const all = yield* Effect.forEach(
        Array.from({ length: 31 }),
        () => verify(tenant, "a letter", "192.0.2.7"),
        { concurrency: 4 }
      )
      const limited = all.filter(({ status }) => status === 429)
      assert.lengthOf(limited, 1)
      assert.strictEqual(limited[0]!.body.code, "RATE_LIMITED")
      assert.isAbove(Number(limited[0]!.headers.get("retry-after")), 3000)
      assert.strictEqual((yield* verify(tenant, "a letter", "192.0.2.8")).status, 422)
    })
  )
})
