import type { CreateClient } from "@quittance/domain/access/ClientRequests"
import * as Secret from "@quittance/auth/Secret"
import { assert, layer } from "@effect/vitest"
import { type Caller, ClientId, type Scope, scopeNames } from "@quittance/domain/requests/Caller"
import { type ClientSecretId, firstPartyClientId, reachOf } from "@quittance/domain/access/Client"
import { ClientsRepo } from "@quittance/persistence/access/ClientsRepo"
import * as PgTest from "@quittance/testing/PgTest"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Effect, Layer, Redacted, Result } from "effect"
import { createHash } from "node:crypto"
import { Clients } from "../../src/access/Clients.ts"
import { client, defineDesk, desk, onFirm, onTenant, person, TestLayer } from "../People.ts"
import * as World from "../World.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Action } from "@quittance/domain/requests/Action"

const create = (input: Partial<CreateClient> = {}) =>
  Clients.use((clients) => clients.create({ name: "Integration", scopes: [], ...input }))
const get = (id: ClientId) => Clients.use((clients) => clients.get(id))
const list = (page = { count: 100, page: 1 }) => Clients.use((clients) => clients.list(page))
const addSecret = (id: ClientId) => Clients.use((clients) => clients.addSecret(id))
const removeSecret = (id: ClientId, secretId: ClientSecretId) =>
  Clients.use((clients) => clients.removeSecret(id, secretId))
const remove = (id: ClientId) => Clients.use((clients) => clients.remove(id))

const failure = <A, E extends { readonly _tag: string }, R>(attempt: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(attempt), (error) =>
    "action" in error ? `${error._tag} ${String(error.action)}` : error._tag
  )

const failuresOn = (run: ReturnType<typeof World.as>, id: ClientId) =>
  Effect.all([failure(run(get(id))), failure(run(addSecret(id))), failure(run(remove(id)))])
const nowhere = ["ClientNotFound", "ClientNotFound", "ClientNotFound"]

/** Whether the authorization server would take the secret as this client's. */
const isValid = (world: World.World, id: ClientId, secret: Redacted.Redacted) =>
  ClientsRepo.use((repo) => repo.find(id)).pipe(
    Effect.map((found) => Secret.matches(Redacted.value(secret), found?.secretHashes ?? [])),
    Effect.provideService(CurrentTenant, world.tenant)
  )

/** An application of the service itself, which a tenant has from elsewhere. */
const addInternal = ({ tenant }: World.World, id: ClientId) =>
  Effect.gen(function* () {
    const repo = yield* ClientsRepo
    const sql = yield* TenantSql
    yield* sql.transaction(
      repo.insert({
        id,
        name: "Metrics",
        kind: "CONFIDENTIAL",
        internal: true,
        scopes: ["platform/metrics"],
        grantTypes: ["client_credentials"],
        redirectUris: []
      })
    )
  }).pipe(Effect.provideService(CurrentTenant, tenant))

const Live = Layer.mergeAll(Clients.layer, ClientsRepo.layer).pipe(Layer.provideMerge(TestLayer))

layer(Live)("clients", (it) => {
  it.effect("are for who has the permission on the whole tenant, and found in their own", () =>
    Effect.gen(function* () {
      const [world, other] = [yield* World.make(), yield* World.make()]
      const made = yield* World.as(world, client)(create())
      yield* defineDesk(world, ["client.read", "client.write"])
      const head = yield* person(world, [{ role: desk, on: onFirm(world.firms.north) }])
      const { secretId } = made.secrets[0]!
      const attempts: ReadonlyArray<readonly [Caller, string]> = [
        [head, "Forbidden client.write"],
        [world.auditor, "Forbidden client.write"],
        [world.north, "Forbidden client.write"]
      ]
      for (const [caller, expected] of attempts) {
        const run = World.as(world, caller)
        assert.deepStrictEqual(
          [
            yield* failure(run(create())),
            yield* failure(run(addSecret(made.clientId))),
            yield* failure(run(removeSecret(made.clientId, secretId))),
            yield* failure(run(remove(made.clientId)))
          ],
          [expected, expected, expected, expected]
        )
      }
      for (const caller of [head, world.north]) {
        const run = World.as(world, caller)
        assert.strictEqual(yield* failure(run(get(made.clientId))), "Forbidden client.read")
        assert.strictEqual(yield* failure(run(list())), "Forbidden client.read")
      }
      const { clientSecret: _secret, ...view } = made
      assert.deepStrictEqual(yield* World.as(world, world.auditor)(get(made.clientId)), view)
      const asOther = World.as(other, other.manager)
      assert.deepStrictEqual(yield* failuresOn(asOther, made.clientId), nowhere)
      assert.deepStrictEqual((yield* asOther(list())).data, [])
    })
  )

  it.effect("get no scope that lets them do what their maker may not, and no internal one", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      yield* defineDesk(world, ["client.write"])
      const maker = yield* person(world, [{ role: desk, on: onTenant }])
      const lacking = (scopes: ReadonlyArray<Scope>, held: ReadonlyArray<Action>) =>
        Effect.andThen(
          defineDesk(world, ["client.write", ...held]),
          failure(World.as(world, maker)(create({ scopes })))
        )
      // Alone, and with the right to let others do what is of the area.
      const alone = scopeNames.map((scope): ReadonlyArray<Scope> => [scope])
      const inviting = scopeNames.map((scope) => [scope, "platform/invitations"] as const)
      for (const scopes of [...alone, ...inviting]) {
        const needed = reachOf(scopes).filter((action) => action !== "client.write")
        for (const action of needed) {
          const others = needed.filter((other) => other !== action)
          const failed = yield* lacking(scopes, others)
          assert.strictEqual(failed, `Forbidden ${action}`, scopes.join(" "))
        }
      }
      assert.include(reachOf(["platform/policies", "platform/invitations"]), "policy.suspend")
      const manager = World.as(world, world.manager)
      for (const run of [manager, World.as(world, client)]) {
        const error = yield* Effect.flip(
          run(create({ scopes: ["platform/metrics", "platform/billing", "platform/permissions"] }))
        )
        if (error._tag !== "InternalScope") assert.fail(error._tag)
        assert.deepStrictEqual(error.scopes, ["platform/metrics", "platform/permissions"])
      }
      const scopes = ["platform/billing", "platform/admin"] as const
      const made = yield* manager(create({ scopes }))
      assert.deepStrictEqual(made.scopes, scopes)
      // To act as a client is as much as to make one.
      yield* defineDesk(world, ["client.read", "client.write"])
      const asMaker = World.as(world, maker)
      assert.strictEqual(
        yield* failure(asMaker(addSecret(made.clientId))),
        "Forbidden billing.read"
      )
      // To end one takes nothing.
      yield* asMaker(remove(made.clientId))
    })
  )

  it.effect("are confidential and act for themselves, unless it is said otherwise", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, client)
      const made = yield* run(create())
      assert.deepInclude(made, { kind: "CONFIDENTIAL", grantTypes: ["client_credentials"] })
      assert.isTrue(yield* isValid(world, made.clientId, made.clientSecret!))
      const app = yield* run(
        create({ kind: "PUBLIC", redirectUris: ["https://app.example/callback"] })
      )
      assert.deepInclude(app, {
        kind: "PUBLIC",
        grantTypes: ["authorization_code", "refresh_token"],
        secrets: []
      })
      assert.notProperty(app, "clientSecret")
      const error = yield* Effect.flip(run(addSecret(app.clientId)))
      if (error._tag !== "TooManySecrets") assert.fail(error._tag)
      assert.strictEqual(error.maximum, 0)
    })
  )

  it.effect(
    "have an identifier that is never given again, and leave those of the service alone",
    () =>
      Effect.gen(function* () {
        const world = yield* World.make()
        const run = World.as(world, client)
        const clientId = ClientId.make("acme-crm")
        yield* run(create({ clientId }))
        assert.strictEqual(yield* failure(run(create({ clientId }))), "ClientIdTaken")
        yield* run(remove(clientId))
        assert.strictEqual(yield* failure(run(create({ clientId }))), "ClientIdTaken")
        assert.deepStrictEqual(yield* failuresOn(run, clientId), nowhere)
        const internal = ClientId.make("quittance-metrics")
        yield* addInternal(world, internal)
        for (const id of [internal, firstPartyClientId]) {
          assert.deepStrictEqual(yield* failuresOn(run, id), nowhere)
        }
        assert.strictEqual(yield* failure(run(create({ clientId: internal }))), "ClientIdTaken")
        assert.strictEqual((yield* run(list())).totalCount, 0)
      })
  )

  it.effect("are listed by their identifiers, page by page", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, client)
      for (const id of ["c-3", "c-1", "c-2"]) yield* run(create({ clientId: ClientId.make(id) }))
      const pages = yield* Effect.forEach([1, 2, 3], (page) => run(list({ count: 2, page })))
      assert.deepStrictEqual(
        pages.map(({ data, totalCount }) => [data.map(({ clientId }) => clientId), totalCount]),
        [
          [["c-1", "c-2"], 3],
          [["c-3"], 3],
          [[], 3]
        ]
      )
    })
  )

  it.effect("have two secrets at most, and never lose the last one", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, world.manager)
      const made = yield* run(create())
      const id = made.clientId
      const [{ secretId }] = made.secrets as readonly [(typeof made.secrets)[number]]
      const secret = Redacted.value(made.clientSecret!)
      const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest()
      assert.strictEqual(secretId, sha256(sha256(secret)).toString("hex").slice(0, 16))
      assert.strictEqual(yield* failure(run(removeSecret(id, secretId))), "LastSecret")

      const second = yield* run(addSecret(id))
      assert.strictEqual(yield* failure(run(addSecret(id))), "TooManySecrets")
      const { secrets } = yield* run(get(id))
      assert.deepStrictEqual(
        secrets.map(({ secretId }) => secretId),
        [secretId, second.secretId]
      )
      assert.isTrue(yield* isValid(world, id, made.clientSecret!))
      assert.isTrue(yield* isValid(world, id, second.clientSecret))

      const unknown = "0123456789abcdef" as ClientSecretId
      assert.strictEqual(yield* failure(run(removeSecret(id, unknown))), "ClientSecretNotFound")
      const other = yield* run(create())
      assert.strictEqual(
        yield* failure(run(removeSecret(other.clientId, secretId))),
        "ClientSecretNotFound"
      )
      yield* run(removeSecret(id, secretId))
      assert.isFalse(yield* isValid(world, id, made.clientSecret!))
      assert.isTrue(yield* isValid(world, id, second.clientSecret))
      // The free slot is the first again; the secret in it is another.
      const third = yield* run(addSecret(id))
      assert.notStrictEqual(third.secretId, secretId)
      assert.isTrue(yield* isValid(world, id, third.clientSecret))
    })
  )

  it.effect("do not delete themselves", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { clientId } = yield* World.as(world, client)(create())
      const self = { _tag: "Client", clientId, scopes: new Set<Scope>() } as const
      assert.strictEqual(yield* failure(World.as(world, self)(remove(clientId))), "OwnAccount")
      yield* World.as(world, self)(addSecret(clientId))
    })
  )

  it.effect("answer a repeated deletion as first, write nothing in a dry run, keep no secret", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, client)
      const tried = World.as(world, client, { dryRun: true })
      const never = yield* tried(create({ clientId: ClientId.make("never") }))
      assert.strictEqual(yield* failure(run(get(never.clientId))), "ClientNotFound")

      const made = yield* run(create({ scopes: ["platform/billing"] }))
      const second = yield* run(addSecret(made.clientId))
      yield* tried(remove(made.clientId))
      yield* tried(removeSecret(made.clientId, second.secretId))
      assert.strictEqual((yield* run(get(made.clientId))).secrets.length, 2)

      const answer = { replayed: false }
      const keyed = (key: string) =>
        World.as(world, client, { answer, idempotency: { key, fingerprint: key } })
      yield* keyed("secret")(removeSecret(made.clientId, second.secretId))
      yield* keyed("secret")(removeSecret(made.clientId, second.secretId))
      assert.isTrue(answer.replayed)
      answer.replayed = false
      yield* keyed("client")(remove(made.clientId))
      yield* keyed("client")(remove(made.clientId))
      assert.isTrue(answer.replayed)

      const superuser = yield* PgTest.SuperuserSql
      const records = yield* superuser`
        SELECT action, detail::text AS detail FROM audit
        WHERE tenant_id = ${world.tenant} ORDER BY recorded_at
      `
      assert.deepStrictEqual(
        records.map(({ action }) => action),
        ["client.create", "client.secret.add", "client.secret.remove", "client.remove"]
      )
      const rows = yield* superuser`
        SELECT outcome::text AS text FROM idempotency WHERE tenant_id = ${world.tenant}
      `
      for (const secret of [made.clientSecret!, second.clientSecret]) {
        assert.notInclude(JSON.stringify([records, rows]), Redacted.value(secret))
      }
    })
  )

  it.effect(
    "of two secrets added at once have two in the end, of two removed keep one, 200 times",
    () =>
      Effect.gen(function* () {
        const world = yield* World.make()
        const run = World.as(world, client)
        const { clientId } = yield* run(create())
        const tags = (outcomes: ReadonlyArray<Result.Result<unknown, { readonly _tag: string }>>) =>
          outcomes.map((one) => (Result.isSuccess(one) ? "done" : one.failure._tag))
        const both = { concurrency: "unbounded" } as const
        for (let round = 0; round < 200; round++) {
          const add = Effect.result(run(addSecret(clientId)))
          assert.sameMembers(tags(yield* Effect.all([add, add], both)), ["done", "TooManySecrets"])
          const { secrets } = yield* run(get(clientId))
          assert.strictEqual(secrets.length, 2)
          const removals = secrets.map(({ secretId }) =>
            Effect.result(run(removeSecret(clientId, secretId)))
          )
          assert.sameMembers(tags(yield* Effect.all(removals, both)), ["done", "LastSecret"])
        }
      })
  )
})
