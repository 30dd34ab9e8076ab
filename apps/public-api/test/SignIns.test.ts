/** People see and end their own sign-ins, and administrators those of others. */
import { assert, layer } from "@effect/vitest"
import { lifetimes } from "@quittance/domain/tokens/Token"
import { RefreshTokensRepo } from "@quittance/persistence/tokens/RefreshTokensRepo"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { idOf, signInOf } from "./SignedIn.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const TestLayerWithTokens = Layer.provideMerge(RefreshTokensRepo.layer, TestLayer)

const own = "/account/sign-ins"
const listed = ({ tenant }: World, token: string, path = own) => call(path, { tenant, token })
const end = ({ tenant }: World, token: string, path: string) =>
  call(path, { tenant, token, method: "DELETE" })

const inTenant = <A, E, R>({ tenant }: World, effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(effect, CurrentTenant, tenant)

const idsOf = ({ body }: { readonly body: { readonly data: ReadonlyArray<{ id: string }> } }) =>
  body.data.map(({ id }) => id)

/** Makes a sign-in as old as if it had been used last so many seconds ago. */
const idleFor = Effect.fnUntraced(function* (familyId: string, seconds: number) {
  const sql = yield* SuperuserSql
  yield* sql`
    UPDATE refresh_token SET created_at = created_at - ${seconds}::int * interval '1 second'
    WHERE family_id = ${familyId}
  `
})

/** What is on record of sign-ins that were ended. */
const endsOf = Effect.fnUntraced(function* ({ tenant }: World, userId: string) {
  const sql = yield* SuperuserSql
  return yield* sql<Readonly<Record<string, unknown>>>`
    SELECT actor_id, detail ->> 'reason' AS reason FROM audit
    WHERE tenant_id = ${tenant} AND record_id = ${userId} AND action = 'user.signIn.end'
  `
})

layer(TestLayerWithTokens, { excludeTestServices: true })("sign-ins", (it) => {
  it.effect("are shown with all that tells them apart, and no other user's with them", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { tenant } = world
      const north = yield* idOf(tenant, "north")
      const source = { address: "192.0.2.7", browser: "Firefox on Linux" }
      const first = yield* signInOf(tenant, north, { ...source, methods: ["pwd", "otp", "mfa"] })
      const second = yield* signInOf(tenant, north)
      yield* signInOf(tenant, yield* idOf(tenant, "south"))
      yield* idleFor(second.id, 60)
      const { body, status } = yield* listed(world, first.token)
      assert.deepStrictEqual([status, body.totalCount], [200, 2])
      const [shown, other] = body.data
      const { expiresAt, lastUsedAt, startedAt, ...rest } = shown
      assert.deepStrictEqual(rest, {
        id: first.id,
        clientId: "quittance-cli",
        clientName: rest.clientName,
        methods: ["pwd", "otp", "mfa"],
        ...source,
        isCurrent: true
      })
      assert.isTrue(Date.parse(startedAt) <= Date.parse(lastUsedAt))
      assert.strictEqual(
        Date.parse(expiresAt) - Date.parse(lastUsedAt),
        lifetimes.refreshIdle * 1000
      )
      assert.deepInclude(other, { id: second.id, isCurrent: false })
      assert.notProperty(other, "address")
      const { body: page } = yield* listed(world, first.token, `${own}?count=1&page=2`)
      assert.deepStrictEqual([idsOf({ body: page }), page.totalPages], [[second.id], 2])
    })
  )

  it.effect("that are over, ended or idle for too long are not shown", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { tenant } = world
      const north = yield* idOf(tenant, "north")
      const sql = yield* SuperuserSql
      const [kept, over, ended, idle] = yield* Effect.all([
        signInOf(tenant, north),
        signInOf(tenant, north),
        signInOf(tenant, north),
        signInOf(tenant, north)
      ])
      yield* sql`
        UPDATE refresh_family SET created_at = now() - interval '1 day',
          expires_at = now() - interval '1 second' WHERE id = ${over.id}
      `
      yield* sql`UPDATE refresh_family SET revoked_at = now() WHERE id = ${ended.id}`
      yield* idleFor(idle.id, lifetimes.refreshIdle)
      const shown = yield* listed(world, kept.token)
      assert.deepStrictEqual(idsOf(shown), [kept.id])
      for (const { id } of [over, ended, idle]) {
        const { body, status } = yield* end(world, kept.token, `${own}/${id}`)
        assert.deepStrictEqual([status, body.code], [404, "SIGN_IN_NOT_FOUND"])
      }
    })
  )

  it.effect("are ended one by one by who signed in, with their tokens, once and on record", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { tenant } = world
      const north = yield* idOf(tenant, "north")
      const mine = yield* signInOf(tenant, north)
      const lost = yield* signInOf(tenant, north)
      assert.strictEqual((yield* listed(world, lost.token)).status, 200)
      const path = `${own}/${lost.id}`
      const tried = yield* end(world, mine.token, `${path}?dryRun=true`)
      assert.strictEqual(tried.status, 204)
      assert.strictEqual((yield* listed(world, lost.token)).status, 200)
      const key = `?idempotencyKey=${randomUUID()}`
      for (const turn of ["once", "again"]) {
        assert.strictEqual((yield* end(world, mine.token, `${path}${key}`)).status, 204, turn)
      }
      assert.strictEqual((yield* end(world, mine.token, path)).status, 404)
      assert.strictEqual((yield* listed(world, lost.token)).status, 401)
      const find = RefreshTokensRepo.use((repo) => repo.find(lost.refreshTokenHash, 3600))
      assert.isUndefined(yield* inTenant(world, find))
      assert.deepStrictEqual(idsOf(yield* listed(world, mine.token)), [mine.id])
      assert.deepStrictEqual(yield* endsOf(world, north), [{ actorId: north, reason: "ENDED" }])
    })
  )

  it.effect("of others are not there for who signed in, nor after a sign-in of long ago", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { tenant } = world
      const theirs = yield* signInOf(tenant, yield* idOf(tenant, "south"))
      const north = yield* idOf(tenant, "north")
      const mine = yield* signInOf(tenant, north)
      const { body, status } = yield* end(world, mine.token, `${own}/${theirs.id}`)
      assert.deepStrictEqual([status, body.code], [404, "SIGN_IN_NOT_FOUND"])
      const old = yield* signInOf(tenant, north, { secondsAgo: 1000 })
      const refused = yield* end(world, old.token, `${own}/${mine.id}`)
      assert.deepStrictEqual([refused.status, refused.body.code], [401, "SIGN_IN_TOO_OLD"])
      assert.strictEqual((yield* listed(world, theirs.token)).status, 200)
      const forbidden = yield* listed(world, world.session)
      const client = yield* listed(world, world.client)
      assert.deepStrictEqual([forbidden.status, client.status], [403, 404])
    })
  )

  it.effect(
    "of others are seen and ended by users who could disable them, and by no one else",
    () =>
      Effect.gen(function* () {
        const world = yield* newTenant
        const { client, manager, tenant } = world
        const people = {
          south: yield* idOf(tenant, "south"),
          manager: yield* idOf(tenant, "manager")
        }
        const first = yield* signInOf(tenant, people.south)
        const second = yield* signInOf(tenant, people.south)
        const path = `/admin/users/${people.south}/sign-ins`
        for (const token of [manager, client]) {
          const shown = yield* listed(world, token, path)
          assert.sameMembers(idsOf(shown), [first.id, second.id])
        }
        for (const token of [world.auditor, world.north]) {
          assert.strictEqual((yield* listed(world, token, path)).status, 403)
          assert.strictEqual((yield* end(world, token, `${path}/${first.id}`)).status, 403)
        }
        assert.strictEqual((yield* end(world, manager, `${path}/${first.id}`)).status, 204)
        assert.strictEqual((yield* end(world, client, `${path}/${second.id}`)).status, 204)
        assert.strictEqual((yield* listed(world, first.token)).status, 401)
        const another = yield* signInOf(tenant, people.manager)
        const misnamed = yield* end(world, manager, `${path}/${another.id}`)
        assert.deepStrictEqual([misnamed.status, misnamed.body.code], [404, "SIGN_IN_NOT_FOUND"])
        // South manages a firm: less than the manager has.
        const above = `/admin/users/${people.manager}/sign-ins/${another.id}`
        assert.strictEqual((yield* end(world, world.south, above)).status, 403)
        assert.deepStrictEqual(yield* endsOf(world, people.south), [
          { actorId: people.manager, reason: "ENDED" },
          { actorId: `${tenant}-integration`, reason: "ENDED" }
        ])
      })
  )
})
