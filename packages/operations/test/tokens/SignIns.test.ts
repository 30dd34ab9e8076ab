/** What ends with a user's sign-ins, also with those that are just under way. */
import * as Secret from "@quittance/auth/Secret"
import { assert, layer } from "@effect/vitest"
import { CurrentCaller, type UserId } from "@quittance/domain/requests/Caller"
import {
  type Client,
  firstPartyClientId,
  loopbackRedirectUri
} from "@quittance/domain/access/Client"
import { AuthorizationCodesRepo } from "@quittance/persistence/tokens/AuthorizationCodesRepo"
import { ClientsRepo } from "@quittance/persistence/access/ClientsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import * as PgTest from "@quittance/testing/PgTest"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { Deferred, Effect, Fiber, Layer, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import { argon2Sync, createHash, randomBytes } from "node:crypto"
import { AccessTokens } from "../../src/tokens/AccessTokens.ts"
import { AuthorizationServer } from "../../src/authorization-server/TokenGrants.ts"
import { AuthorizationServerLogin } from "../../src/authorization-server/SignIn.ts"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { SignIns } from "../../src/tokens/SignIns.ts"
import { Users } from "../../src/access/Users.ts"
import { inSandbox, inTransaction, TestLayer } from "../Authorization.ts"
import { client } from "../People.ts"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const Live = Layer.mergeAll(
  AccessTokens.layer,
  AuthorizationCodesRepo.layer,
  AuthorizationServer.layer,
  AuthorizationServerLogin.layer,
  ClientsRepo.layer,
  SignIns.layer,
  Users.layer,
  UsersRepo.layer
).pipe(Layer.provideMerge(TestLayer))

const verifier = "v".repeat(43)
const codeChallenge = createHash("sha256").update(verifier).digest("base64url")
const redirectUri = loopbackRedirectUri
const password = Redacted.make("a password of the test's")

/** The public client that every tenant has. */
const app = Effect.map(
  ClientsRepo.use((repo) => repo.find(firstPartyClientId)),
  (found): Client => found!.client
)

/** The hash of the password with parameters that take no time to verify. */
const cheapHash = () => {
  const nonce = randomBytes(16)
  const parameters = { parallelism: 1, memory: 8, passes: 1, tagLength: 32 }
  const tag = argon2Sync("argon2id", { ...parameters, nonce, message: Redacted.value(password) })
  const unpadded = (bytes: Buffer) => bytes.toString("base64").replaceAll("=", "")
  return Redacted.make(`$argon2id$v=19$m=8,t=1,p=1$${unpadded(nonce)}$${unpadded(tag)}`)
}

/** Another user who has the password. */
const addUser = Effect.gen(function* () {
  const id = (yield* Ids).next("user")
  const email = `${id.toLowerCase()}@example.test`
  const user = { id, email, firstName: "Ada", lastName: "Test" }
  yield* inTransaction(UsersRepo.use((repo) => repo.insert(user, cheapHash())))
  return { id, email }
})

/** A code for the user, as a sign-in leaves it. */
const codeFor = Effect.fnUntraced(function* (userId: UserId) {
  const code = Secret.make(randomBytes(Secret.secretBytes))
  const given = {
    clientId: firstPartyClientId,
    userId,
    redirectUri,
    codeChallenge,
    methods: ["pwd"]
  }
  const codes = yield* AuthorizationCodesRepo
  yield* inTransaction(codes.insert(Secret.hash(code), given, 60))
  return code
})

const token = Effect.fnUntraced(function* (form: Readonly<Record<string, string>>) {
  const server = yield* AuthorizationServer
  return yield* server.token(yield* app, new Map(Object.entries(form)))
})
const redeem = (code: string) =>
  token({
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier
  })
const refresh = (refreshToken: string | undefined) =>
  token({ grant_type: "refresh_token", refresh_token: refreshToken ?? "" })

const signIn = (email: string, address: string) =>
  AuthorizationServerLogin.use((login) =>
    login.signIn(
      {
        clientId: firstPartyClientId,
        clientName: "App",
        redirectUri,
        state: undefined,
        codeChallenge
      },
      { email, password, address, device: "" }
    )
  ).pipe(
    // No user here has a second factor.
    Effect.map((step) => (step._tag === "Code" ? step.code : ""))
  )

/** A change of users in the name of a client. */
const change = <A, E>(
  use: (
    users: Users["Service"]
  ) => Effect.Effect<A, E, CurrentTenant | CurrentCaller | CurrentRequest>
) =>
  Users.use(use).pipe(
    Effect.provideService(CurrentCaller, client),
    Effect.provideService(CurrentRequest, {
      id: "test",
      dryRun: false,
      address: "127.0.0.1",
      userAgent: "test",
      answer: { replayed: false }
    })
  )
const disable = (id: UserId) => change((users) => users.disable(id))
const enable = (id: UserId) => change((users) => users.enable(id))

const verify = (accessToken: string) =>
  AccessTokens.use((tokens) => tokens.verify(Redacted.make(accessToken)))

const tagOf = <A, E extends { readonly _tag: string }, R>(attempt: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.result(attempt), (one) => (Result.isSuccess(one) ? "done" : one.failure._tag))

const atOnce = { concurrency: "unbounded" } as const

/** None to some trips to the database, so that what comes after falls into every step of the others. */
const trips = Effect.fnUntraced(function* (round: number) {
  const superuser = yield* PgTest.SuperuserSql
  for (let trip = 0; trip < round % 24; trip++) yield* superuser`SELECT`
})

/** Until a connection waits for a lock in the test's database. */
const aConnectionWaits = Effect.gen(function* () {
  const superuser = yield* PgTest.SuperuserSql
  const [row] = yield* superuser<{ waits: boolean }>`
    SELECT EXISTS (SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock') AS waits
  `
  return row!.waits
}).pipe(Effect.repeat({ until: (waits) => waits }))

layer(Live)("a user who is disabled", (it) => {
  it.effect("has nothing left of what they signed in with, also when they are enabled again", () =>
    inSandbox(
      Effect.gen(function* () {
        const { email, id } = yield* addUser
        const signedIn = yield* redeem(yield* signIn(email, "192.0.2.1"))
        yield* verify(signedIn.access_token)
        const waiting = yield* signIn(email, "192.0.2.1")
        yield* disable(id)
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* tagOf(verify(signedIn.access_token)), "Unauthorized")
        assert.strictEqual(yield* tagOf(refresh(signedIn.refresh_token)), "TokenRefused")
        assert.strictEqual(yield* tagOf(signIn(email, "192.0.2.1")), "WrongCredentials")

        yield* enable(id)
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* tagOf(verify(signedIn.access_token)), "Unauthorized")
        assert.strictEqual(yield* tagOf(refresh(signedIn.refresh_token)), "TokenRefused")
        assert.strictEqual(yield* tagOf(redeem(waiting)), "TokenRefused")
        const again = yield* redeem(yield* signIn(email, "192.0.2.1"))
        yield* verify(again.access_token)
        yield* refresh(again.refresh_token)
      })
    )
  )

  it.effect("loses a sign-in alone: others keep theirs", () =>
    inSandbox(
      Effect.gen(function* () {
        const [ada, bob] = [yield* addUser, yield* addUser]
        const others = yield* redeem(yield* codeFor(bob.id))
        const waiting = yield* codeFor(bob.id)
        yield* disable(ada.id)
        yield* TestClock.adjust("1 second")
        yield* verify(others.access_token)
        yield* refresh(others.refresh_token)
        yield* redeem(waiting)
      })
    )
  )

  it.effect("keeps nothing of codes that are redeemed at that moment, in 200 rounds", () =>
    inSandbox(
      Effect.gen(function* () {
        let redeemed = 0
        for (let round = 0; round < 200; round++) {
          const { id } = yield* addUser
          const codes = [yield* codeFor(id), yield* codeFor(id), yield* codeFor(id)]
          const redemptions = codes.map((code) => Effect.result(redeem(code)))
          const [outcomes] = yield* Effect.all(
            [Effect.all(redemptions, atOnce), Effect.andThen(trips(round), disable(id))],
            atOnce
          )
          yield* enable(id)
          for (const outcome of outcomes) {
            if (Result.isFailure(outcome)) {
              assert.strictEqual(outcome.failure._tag, "TokenRefused")
              continue
            }
            redeemed++
            const { refresh_token } = outcome.success
            assert.strictEqual(yield* tagOf(refresh(refresh_token)), "TokenRefused")
          }
          for (const code of codes) assert.strictEqual(yield* tagOf(redeem(code)), "TokenRefused")
        }
        assert.isAbove(redeemed, 0, "nothing was redeemed in time: no race was run")
      })
    )
  )

  it.effect("keeps nothing of a token that is rotated at that moment, in 200 rounds", () =>
    inSandbox(
      Effect.gen(function* () {
        for (let round = 0; round < 200; round++) {
          const { id } = yield* addUser
          const signedIn = yield* redeem(yield* codeFor(id))
          const [rotated] = yield* Effect.all(
            [
              Effect.result(refresh(signedIn.refresh_token)),
              Effect.andThen(trips(round), disable(id))
            ],
            atOnce
          )
          yield* enable(id)
          if (Result.isSuccess(rotated)) {
            const { refresh_token } = rotated.success
            assert.strictEqual(yield* tagOf(refresh(refresh_token)), "TokenRefused")
          }
        }
      })
    )
  )

  it.effect("gets no code by a password that is being verified at that moment, in 200 rounds", () =>
    inSandbox(
      Effect.gen(function* () {
        for (let round = 0; round < 200; round++) {
          const { email, id } = yield* addUser
          const [code] = yield* Effect.all(
            [
              Effect.result(signIn(email, `198.51.${round % 250}.${round % 7}`)),
              Effect.andThen(trips(round), disable(id))
            ],
            atOnce
          )
          yield* enable(id)
          if (Result.isSuccess(code)) {
            assert.strictEqual(yield* tagOf(redeem(code.success)), "TokenRefused")
          }
        }
      })
    )
  )
})

layer(Live)("a sign-in that is under way", (it) => {
  it.effect("makes disabling its user wait, and is then ended", () =>
    inSandbox(
      Effect.gen(function* () {
        const { id } = yield* addUser
        const users = yield* UsersRepo
        const codes = yield* AuthorizationCodesRepo
        const code = Secret.make(randomBytes(Secret.secretBytes))
        const given = {
          clientId: firstPartyClientId,
          userId: id,
          redirectUri,
          codeChallenge,
          methods: ["pwd"]
        }
        const [held, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const signingIn = yield* inTransaction(
          Effect.gen(function* () {
            assert.isTrue(yield* users.holdActive(id))
            yield* Deferred.succeed(held, undefined)
            yield* Deferred.await(goOn)
            yield* codes.insert(Secret.hash(code), given, 60)
          })
        ).pipe(Effect.forkChild)
        yield* Deferred.await(held)
        const disabling = yield* Effect.forkChild(disable(id))
        yield* aConnectionWaits
        yield* Deferred.succeed(goOn, undefined)
        yield* Fiber.join(signingIn)
        assert.strictEqual((yield* Fiber.join(disabling)).status, "DISABLED")
        yield* enable(id)
        assert.strictEqual(yield* tagOf(redeem(code)), "TokenRefused")
      })
    )
  )

  it.effect("holds its user only while they are active, and their password the one it knows", () =>
    inSandbox(
      Effect.gen(function* () {
        const { email, id } = yield* addUser
        const users = yield* UsersRepo
        const holds = (passwordHash?: Redacted.Redacted) =>
          inTransaction(users.holdActive(id, passwordHash))
        const login = yield* users.findLogin(email)
        assert.isTrue(yield* holds())
        assert.isTrue(yield* holds(login?.passwordHash))
        assert.isFalse(yield* holds(cheapHash()))
        yield* disable(id)
        assert.isFalse(yield* holds())
        assert.isFalse(yield* holds(login?.passwordHash))
      })
    )
  )
})
