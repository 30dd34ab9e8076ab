import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, newTenant, TestLayer } from "./Api.ts"
import { quoted, send, signature } from "./Sales.ts"

// Real time: the database dates sessions by its own clock.
layer(TestLayer, { excludeTestServices: true })("a read of a policy", (it) => {
  it.effect("answers to the byte what the command before it has answered", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { policyId } = yield* quoted(world, world.north)
      const path = `/policies/${policyId}`
      const { tenant } = world
      const commands = [
        { path, method: "PATCH", body: { name: "Zoé’s « car »" } },
        { path: `${path}/confirm`, body: {} },
        { path: `${path}/sign`, body: signature },
        { path: `${path}/stop`, body: { reason: "CUSTOMER_REQUEST" } }
      ]
      for (const { path: to, ...request } of commands) {
        const told = yield* call(to, { tenant, token: world.north, ...request })
        assert.strictEqual(told.status, 200, told.text)
        const read = yield* call(path, { tenant, token: world.manager })
        assert.deepStrictEqual(
          [read.status, read.text, read.header("etag"), read.header("content-type")],
          [200, told.text, told.header("etag"), told.header("content-type")]
        )
        assert.strictEqual(read.header("cache-control"), "no-store")
      }
    })
  )

  it.effect("tells no etag of another instant than now", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { policyId } = yield* quoted(world, world.north)
      const { header } = yield* send(
        world,
        world.north,
        `/policies/${policyId}?whenAt=2026-05-01T00:00:00Z`
      )
      assert.isUndefined(header("etag"))
    })
  )
})
