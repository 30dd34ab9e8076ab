/** Guesses at the password of an account: bounded, on record, and no way to keep its owner out. */
import * as DeviceCookie from "@quittance/auth/DeviceCookie"
import * as SourceAddress from "@quittance/auth/SourceAddress"
import { normalizeEmail } from "@quittance/domain/access/User"
import type { ClientId, UserId } from "@quittance/domain/requests/Caller"
import { RateLimited } from "@quittance/domain/requests/RateLimit"
import { maximumGuesses } from "@quittance/domain/tokens/Guesses"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { GuessesRepo } from "@quittance/persistence/tokens/GuessesRepo"
import { Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { createHash } from "node:crypto"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { KeyEncryption } from "../tokens/KeyEncryption.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export class Guesses extends Context.Service<
  Guesses,
  {
    /**
     * Counts a guess at the account with this address before its password is looked at. A browser that has
     * signed in to the account, which its cookie proves, has a count of its own: guesses of strangers never
     * make it wait. Unknown addresses are counted alike. Its result uncounts the guess, for the case that the
     * password was not verified.
     */
    take(
      email: string,
      device: string,
      isKnown: boolean
    ): Effect.Effect<Effect.Effect<void, never, CurrentTenant>, RateLimited, CurrentTenant>
    /**
     * The same for a signed-in user who gives their present password. It has a count of its own: strangers
     * can't make the user wait, and a thief of a token can't guess without end.
     */
    takeSignedIn(
      userId: UserId,
      email: string
    ): Effect.Effect<Effect.Effect<void, never, CurrentTenant>, RateLimited, CurrentTenant>
    /** Begins again once the password was right. */
    forgive(email: string, device: string): Effect.Effect<void, never, CurrentTenant>
    /** Begins again everywhere once the password is another one: what was guessed says nothing of it. */
    renew(email: string): Effect.Effect<void, never, CurrentTenant>
    /** What names a browser that has signed in to the account, if the cookie proves that it has. */
    browser(email: string, device: string): Effect.Effect<string | undefined, never, CurrentTenant>
    /** The cookie of a browser that has just signed in to the account. */
    cookie(email: string, device: string): Effect.Effect<string, never, CurrentTenant>
    /**
     * Has the refusal of a sign-in on record, in the trail and in the log: by tenant, address, program
     * and account, which only the service can tell from its name there.
     */
    recorded<A, E extends { readonly _tag: string }, R>(
      email: string,
      address: string,
      clientId: ClientId | undefined,
      signIn: Effect.Effect<A, E, R>
    ): Effect.Effect<A, E, R | CurrentTenant>
  }
>()("@quittance/operations/Guesses") {
  static readonly layer = Layer.effect(
    Guesses,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const repo = yield* GuessesRepo
      const random = yield* SecureRandom.SecureRandom
      const users = yield* UsersRepo
      const [serviceKey, ...before] = Redacted.value((yield* KeyEncryption).keys)
      const key = DeviceCookie.deviceKey(serviceKey)
      const keys = [key, ...before.map(DeviceCookie.deviceKey)]

      const accountKey = (email: string) =>
        Effect.map(CurrentTenant, (tenant) =>
          DeviceCookie.accountKey(key, tenant, normalizeEmail(email))
        )

      /** Whose browser it is: the account with its present password, so that a new one voids all cookies. */
      const ownerOf = Effect.fnUntraced(function* (email: string) {
        const login = yield* users.findLogin(email)
        const stored = login === undefined ? "" : Redacted.value(login.passwordHash)
        const digest = createHash("sha256").update(stored).digest("base64url")
        return `${normalizeEmail(email)}\0${digest}`
      })

      const browser = Effect.fnUntraced(function* (email: string, device: string) {
        if (device === "") return undefined
        const [tenant, owner] = [yield* CurrentTenant, yield* ownerOf(email)]
        return keys.map((one) => DeviceCookie.find(one, tenant, owner, device)).find(isFound)
      })

      const take = Effect.fn("Guesses.take")(function* (
        email: string,
        device: string,
        isKnown: boolean
      ) {
        const known = yield* browser(email, device)
        const account = yield* accountKey(email)
        const own =
          known === undefined ? undefined : yield* repo.take(browserKey(known), isKnown, account)
        // A browser that has used up its own guesses is a stranger, and so is one too many.
        const isStranger = own === undefined || (own.usedUp && !own.granted)
        const counted = known === undefined || isStranger ? account : browserKey(known)
        const taken = isStranger ? yield* repo.take(counted, isKnown) : own
        if (!taken.granted) return yield* refusal(taken.usedUp ? longestWait : taken.retryAfter)
        return repo.untake(counted)
      })

      const takeSignedIn = Effect.fn("Guesses.takeSignedIn")(function* (
        userId: UserId,
        email: string
      ) {
        const key = browserKey(`signed-in\0${userId}`)
        const { granted, retryAfter, usedUp } = yield* repo.take(
          key,
          true,
          yield* accountKey(email)
        )
        if (!granted) return yield* refusal(usedUp ? longestWait : retryAfter)
        return repo.untake(key)
      })

      const renew = Effect.fn("Guesses.renew")(function* (email: string) {
        yield* repo.forgetAll(yield* accountKey(email))
      })

      const forgive = Effect.fn("Guesses.forgive")(function* (email: string, device: string) {
        const known = yield* browser(email, device)
        const account = yield* accountKey(email)
        yield* repo.forget(known === undefined ? [account] : [account, browserKey(known)])
      })

      const cookie = Effect.fn("Guesses.cookie")(function* (email: string, device: string) {
        const nonce = yield* random.randomBytes(DeviceCookie.nonceBytes)
        return DeviceCookie.add(key, yield* CurrentTenant, yield* ownerOf(email), device, nonce)
      })

      const recorded = <A, E extends { readonly _tag: string }, R>(
        email: string,
        address: string,
        clientId: ClientId | undefined,
        signIn: Effect.Effect<A, E, R>
      ) => {
        const record = Effect.fnUntraced(function* ({ _tag }: E) {
          const account = (yield* accountKey(email)).toString("base64url")
          yield* Effect.logWarning("A sign-in was refused").pipe(
            Effect.annotateLogs({
              tenant: yield* CurrentTenant,
              address: SourceAddress.key(address),
              account,
              reason: _tag
            })
          )
          const lacking = _tag === "RateLimited" ? "LIMIT" : "PASSWORD"
          yield* audit.refusedSignIn(address, {
            action: "user.signIn.start",
            recordId: account,
            detail: { lacking, ...(clientId === undefined ? {} : { clientId }) }
          })
        })
        return Effect.tapError(signIn, record)
      }

      return Guesses.of({ take, takeSignedIn, forgive, renew, browser, cookie, recorded })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      GuessesRepo.layer,
      SecureRandom.layerWebCrypto,
      UsersRepo.layer
    ])
  )
}

const isFound = (name: string | undefined) => name !== undefined

/** Seconds; what an account waits for is its owner, not the time. */
const longestWait = 3600

const browserKey = (name: string): Uint8Array =>
  new Uint8Array(createHash("sha256").update(`browser\0${name}`).digest())

const refusal = (retryAfter: number) =>
  new RateLimited({ retryAfter, limit: maximumGuesses, remaining: 0, reset: retryAfter })
