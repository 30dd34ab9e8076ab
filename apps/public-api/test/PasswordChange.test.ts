/** A signed-in user changes their password with the present one. */
import { assert, layer } from "@effect/vitest"
import { Sandbox } from "@quittance/operations/provisioning/Sandbox"
import { Guesses } from "@quittance/operations/access/Guesses"
import { Passwords } from "@quittance/operations/tokens/Passwords"
import { maximumGuesses } from "@quittance/domain/tokens/Guesses"
import { RefreshTokensRepo } from "@quittance/persistence/tokens/RefreshTokensRepo"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { Effect, Layer, Redacted } from "effect"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { idOf, signInOf } from "./SignedIn.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const Services = Layer.mergeAll(
  Guesses.layer,
  Passwords.layer,
  RefreshTokensRepo.layer,
  Sandbox.layer,
  UsersRepo.layer
).pipe(Layer.provideMerge(TestLayer))

const presentPassword = "sandbox-password"
const newPassword = "a harbour with nine cranes"

const change = ({ tenant }: World, token: string, fields: object = {}) =>
  call("/account/password", { tenant, token, body: { presentPassword, newPassword, ...fields } })

const codeOf = ({ body, status }: { readonly status: number; readonly body: any }) =>
  `${status} ${body?.code ?? ""}`.trim()

/** Whether a user of the tenant has this password. */
const isPassword = Effect.fnUntraced(
  function* ({ tenant }: World, name: string, text: string) {
    const login = yield* UsersRepo.use((users) => users.findLogin(`${name}@${tenant}.test`))
    return yield* Passwords.use((passwords) =>
      passwords.verify(Redacted.make(text), login!.passwordHash)
    )
  },
  (effect, { tenant }) => Effect.provideService(effect, CurrentTenant, tenant)
)

const trailOf = Effect.fnUntraced(function* ({ tenant }: World, userId: string) {
  const sql = yield* SuperuserSql
  return yield* sql<Readonly<Record<string, unknown>>>`
    SELECT actor_kind, actor_id, outcome, detail - 'before' - 'after' AS detail FROM audit
    WHERE tenant_id = ${tenant} AND record_id = ${userId} AND action = 'user.password.set'
    ORDER BY recorded_at, id
  `
})

const giveApp = Effect.fnUntraced(function* ({ tenant }: World, userId: string) {
  const sql = yield* SuperuserSql
  yield* sql`
    INSERT INTO second_factor (tenant_id, id, user_id, kind, name, sealed_secret)
    VALUES (${tenant}, ${userId}, ${userId}, 'TOTP', 'Phone', 'sealed')
  `
})

layer(Services, { excludeTestServices: true })("a change of the password", (it) => {
  it.effect("takes the next one, and ends every sign-in but the one that asks", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { tenant } = world
      const north = yield* idOf(tenant, "north")
      const mine = yield* signInOf(tenant, north)
      const other = yield* signInOf(tenant, north)
      const south = yield* signInOf(tenant, yield* idOf(tenant, "south"))
      assert.strictEqual(codeOf(yield* change(world, mine.token)), "204")
      assert.isTrue(yield* isPassword(world, "north", newPassword))
      assert.isFalse(yield* isPassword(world, "north", presentPassword))
      const statusOf = (token: string) =>
        Effect.map(call("/account", { tenant, token }), (a) => a.status)
      assert.strictEqual(yield* statusOf(mine.token), 200)
      assert.strictEqual(yield* statusOf(other.token), 401)
      assert.strictEqual(yield* statusOf(south.token), 200)
      const usable = Effect.provideService(CurrentTenant, tenant)
      const find = (hash: Uint8Array) =>
        usable(RefreshTokensRepo.use((repo) => repo.find(hash, 3600)))
      assert.isDefined(yield* find(mine.refreshTokenHash))
      assert.isUndefined(yield* find(other.refreshTokenHash))
      assert.deepStrictEqual(yield* trailOf(world, north), [
        { actorKind: "USER", actorId: north, outcome: "DONE", detail: { reason: "CHANGED" } }
      ])
      const said = JSON.stringify(yield* trailOf(world, north))
      for (const secret of [newPassword, presentPassword]) assert.notInclude(said, secret)
    })
  )

  it.effect("is refused for one that is weak, or says who they are, without a guess", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { tenant } = world
      const north = yield* idOf(tenant, "north")
      const { token } = yield* signInOf(tenant, north)
      // Nora Lambert is their name, Test the tenant's.
      for (const weak of ["short", "password1234", "Nora-Lambert-2024", "x".repeat(1025)]) {
        const refused = yield* change(world, token, { newPassword: weak })
        assert.strictEqual(codeOf(refused), "422 WEAK_PASSWORD", weak)
      }
      assert.deepStrictEqual(yield* trailOf(world, north), [])
      assert.strictEqual(codeOf(yield* change(world, token)), "204")
    })
  )

  it.effect(
    "counts wrong present ones as guesses of who is signed in, and has them on record",
    () =>
      Effect.gen(function* () {
        const world = yield* newTenant
        const { tenant } = world
        const north = yield* idOf(tenant, "north")
        const { token } = yield* signInOf(tenant, north)
        const wrong = { presentPassword: "wrong" }
        for (let turn = 0; turn < 5; turn++) {
          assert.strictEqual(codeOf(yield* change(world, token, wrong)), "422 WRONG_PASSWORD")
        }
        const sql = yield* SuperuserSql
        yield* sql`
        UPDATE sign_in_guess SET retry_at = now() + interval '1 hour' WHERE tenant_id = ${tenant}
      `
        // The right one too: a thief of a token must not learn that a guess was right.
        assert.strictEqual(codeOf(yield* change(world, token)), "429 RATE_LIMITED")
        assert.deepStrictEqual(
          (yield* trailOf(world, north)).map(({ outcome }) => outcome),
          Array.from({ length: 5 }, () => "REFUSED")
        )
        yield* sql`
        UPDATE sign_in_guess SET retry_at = now(), wrong = ${maximumGuesses}
        WHERE tenant_id = ${tenant}
      `
        assert.strictEqual(codeOf(yield* change(world, token)), "429 RATE_LIMITED")
        yield* sql`UPDATE sign_in_guess SET wrong = ${maximumGuesses - 1} WHERE tenant_id = ${tenant}`
        assert.strictEqual(codeOf(yield* change(world, token)), "204")
        const left = yield* sql`SELECT FROM sign_in_guess WHERE tenant_id = ${tenant}`
        assert.lengthOf(left, 0, "guesses at the password before say nothing of this one")
      })
  )

  it.effect("is not blocked by strangers who guess at the account", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { tenant } = world
      const north = yield* idOf(tenant, "north")
      const { token } = yield* signInOf(tenant, north)
      const email = `north@${tenant}.test`
      yield* Guesses.use((guesses) => guesses.take(email, "", true)).pipe(
        Effect.asVoid,
        Effect.provideService(CurrentTenant, tenant)
      )
      const sql = yield* SuperuserSql
      yield* sql`UPDATE sign_in_guess SET wrong = ${maximumGuesses} WHERE tenant_id = ${tenant}`
      assert.strictEqual(codeOf(yield* change(world, token)), "204")
    })
  )

  it.effect("asks for a new sign-in, with two factors of who has two or needs them", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { tenant } = world
      const [north, manager] = [yield* idOf(tenant, "north"), yield* idOf(tenant, "manager")]
      const old = yield* signInOf(tenant, north, { secondsAgo: 1000 })
      assert.strictEqual(codeOf(yield* change(world, old.token)), "401 SIGN_IN_TOO_OLD")
      const before = yield* signInOf(tenant, north)
      yield* giveApp(world, north)
      assert.strictEqual(codeOf(yield* change(world, before.token)), "401 SIGN_IN_TOO_OLD")
      const withTwo = yield* signInOf(tenant, north, { methods: ["pwd", "otp", "mfa"] })
      assert.strictEqual(codeOf(yield* change(world, withTwo.token)), "204")
      const sql = yield* SuperuserSql
      yield* sql`UPDATE tenant SET second_factor_required = true WHERE tenant_id = ${tenant}`
      const withOne = yield* signInOf(tenant, manager)
      assert.strictEqual(codeOf(yield* change(world, withOne.token)), "401 SIGN_IN_TOO_OLD")
    })
  )

  it.effect("has one winner of those that come at once", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { tenant } = world
      const { token } = yield* signInOf(tenant, yield* idOf(tenant, "north"))
      const next = [
        "three herons on the pier",
        "nine cranes over a harbour",
        "a lamp for the lighthouse"
      ]
      const answers = yield* Effect.forEach(
        next,
        (newPassword) => Effect.map(change(world, token, { newPassword }), codeOf),
        { concurrency: "unbounded" }
      )
      assert.sameMembers(answers, ["204", "422 WRONG_PASSWORD", "422 WRONG_PASSWORD"])
      assert.isTrue(yield* isPassword(world, "north", next[answers.indexOf("204")]!))
    })
  )
})
