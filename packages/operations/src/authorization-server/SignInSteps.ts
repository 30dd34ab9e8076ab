/**
 * From a password that was right to a code for the client: a second factor in between where the person
 * has one or has to have one. Whatever signs people in first hands over to `begin`.
 */
import { attemptLifetime } from "@quittance/domain/tokens/SignInAttempt"
import * as Passkey from "@quittance/auth/Passkey"
import * as RecoveryCode from "@quittance/auth/RecoveryCode"
import * as Secret from "@quittance/auth/Secret"
import * as Totp from "@quittance/auth/Totp"
import type { AuthorizationRequest } from "@quittance/domain/tokens/AuthorizationRequest"
import {
  factorLimit,
  recoveryCodes,
  SignInOver
} from "@quittance/domain/authorization-server/SecondFactor"
import type { UserId } from "@quittance/domain/requests/Caller"
import type { RateLimited } from "@quittance/domain/requests/RateLimit"
import { RequestId } from "@quittance/domain/requests/RequestId"
import type { Tenant } from "@quittance/domain/tenants/Tenant"
import type { Instant } from "@quittance/domain/values/Instant"
import { lifetimes } from "@quittance/domain/tokens/Token"
import { IdentityProvidersRepo } from "@quittance/persistence/access/IdentityProvidersRepo"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { SecondFactorsRepo } from "@quittance/persistence/authorization-server/SecondFactorsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { AuthorizationCodesRepo } from "@quittance/persistence/tokens/AuthorizationCodesRepo"
import {
  type SignInAttempt,
  SignInAttemptsRepo
} from "@quittance/persistence/tokens/SignInAttemptsRepo"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { RateLimits } from "../requests/RateLimits.ts"
import { Issuers } from "../tokens/Issuers.ts"
import { signInSource } from "../tokens/SignInSource.ts"
import { type Enrolment, FactorProofs, type Proof } from "./FactorProofs.ts"
import { makeHold } from "./HeldAttempts.ts"
import {
  fits,
  needed,
  type Said,
  type SignInAnswer,
  type SignInStep,
  type SignInView,
  wrong
} from "./SignInStep.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export type { Said, SignInAnswer, SignInStep, SignInView } from "./SignInStep.ts"

export class SignInSteps extends Context.Service<
  SignInSteps,
  {
    /**
     * The first step of an active user whose password was right, or whom another provider vouches for.
     * That provider may say when (`authenticatedAt`). Without a request they come to change their own factors. Belongs into the transaction that holds
     * the user (`UsersRepo.holdActive`).
     */
    begin(
      userId: UserId,
      methods: ReadonlyArray<string>,
      request: AuthorizationRequest | undefined,
      authenticatedAt?: Instant | null
    ): Effect.Effect<SignInStep, never, CurrentTenant>
    /** What the page has to show now. */
    view(secret: string, tenant: Tenant): Effect.Effect<SignInView, SignInOver, CurrentTenant>
    /** What follows from an answer; a wrong one is asked again, five times at most. */
    answer(
      secret: string,
      answer: SignInAnswer
    ): Effect.Effect<SignInStep, SignInOver | RateLimited, CurrentTenant>
  }
>()("@quittance/operations/SignInSteps") {
  static readonly layer = Layer.effect(
    SignInSteps,
    Effect.gen(function* () {
      const attempts = yield* SignInAttemptsRepo
      const audit = yield* AuditTrail
      const codes = yield* AuthorizationCodesRepo
      const factors = yield* SecondFactorsRepo
      const hold = yield* makeHold
      const issuers = yield* Issuers
      const limits = yield* RateLimits
      const proofs = yield* FactorProofs
      const random = yield* SecureRandom.SecureRandom
      const tenantSql = yield* TenantSql
      const users = yield* UsersRepo
      const newSecret = Effect.map(random.randomBytes(Secret.secretBytes), Secret.make)

      const record = (userId: UserId, action: string, detail: Readonly<Record<string, string>>) =>
        audit.recordBy({ kind: "USER", id: userId }, { action, recordId: userId, detail })

      const issue = Effect.fnUntraced(function* (
        by: Pick<SignInAttempt, "userId" | "methods" | "authenticatedAt">,
        request: AuthorizationRequest
      ) {
        const { methods, userId } = by
        const code = yield* newSecret
        const { clientId, codeChallenge, dpopJkt = null, redirectUri } = request
        yield* codes.insert(
          Secret.hash(code),
          { ...by, ...(yield* signInSource), clientId, redirectUri, codeChallenge, dpopJkt },
          lifetimes.authorizationCode
        )
        yield* record(userId, "user.signIn.start", { clientId, methods: methods.join(" ") })
        return { _tag: "Code", code, request } as const
      })

      const begin = Effect.fn("SignInSteps.begin")(function* (
        userId: UserId,
        methods: ReadonlyArray<string>,
        request: AuthorizationRequest | undefined,
        authenticatedAt: Instant | null = null
      ): Effect.fn.Return<SignInStep, never, CurrentTenant> {
        const has = (yield* factors.of(userId)).length > 0
        if (request !== undefined && !has && !(yield* factors.isRequiredOf(userId))) {
          return yield* issue({ userId, methods, authenticatedAt }, request)
        }
        const secret = yield* newSecret
        const stage = has ? "PROVE" : request === undefined ? "MANAGE" : "ENROL"
        const by = { userId, methods, authenticatedAt }
        const attempt = { ...by, stage, request, ...nothingAsked } as const
        yield* attempts.open(Secret.hash(secret), attempt, attemptLifetime)
        return { _tag: "Question", secret }
      })

      const view = Effect.fn("SignInSteps.view")(function* (secret: string, tenant: Tenant) {
        const hash = Secret.hash(secret)
        const show = Effect.gen(function* () {
          const held = yield* hold(hash)
          const { stage, userId } = held
          const adds = stage === "ENROL" || stage === "MANAGE"
          const challenge = yield* newSecret
          const { factorId, sealedSecret } = held
          const offer =
            adds && (factorId === null || sealedSecret === null)
              ? yield* proofs.offer
              : { factorId, sealedSecret }
          const attempt = { ...held, ...offer, challenge }
          yield* attempts.update(hash, attempt)
          const present = yield* factors.of(userId)
          const credentials = present.flatMap(({ credentialId }) => credentialId ?? [])
          const expected = { challenge, origin: issuers.of(yield* CurrentTenant) }
          // The row is held, so the user is there.
          const { email } = (yield* users.find(userId))!
          const key = adds ? yield* offered(attempt) : undefined
          const shown: SignInView = {
            stage,
            request: held.request,
            factors: present,
            codesLeft: yield* factors.recoveryCodesLeft(userId),
            passkey: adds
              ? Passkey.creation(expected, { id: userId, email, tenant: tenant.name }, credentials)
              : Passkey.question(expected, credentials),
            app: key && { secret: Totp.base32(key), uri: Totp.uri(key, tenant.name, email) }
          }
          return shown
        })
        return yield* tenantSql.transaction(show)
      })

      const offered = Effect.fnUntraced(function* ({ factorId, sealedSecret }: SignInAttempt) {
        if (factorId === null || sealedSecret === null) return undefined
        return yield* proofs.openOffer({ factorId, sealedSecret })
      })

      const replaceCodes = Effect.fnUntraced(function* (userId: UserId) {
        const made = yield* Effect.forEach(Array.from({ length: recoveryCodes }), () =>
          Effect.map(random.randomBytes(RecoveryCode.codeBytes), RecoveryCode.make)
        )
        yield* factors.setRecoveryCodes(userId, made.map(RecoveryCode.hash))
        yield* record(userId, "user.recoveryCodes.replace", {})
        return made
      })

      const prove = Effect.fnUntraced(function* (attempt: SignInAttempt, proof: Proof) {
        const added = yield* proofs.prove(attempt, proof)
        if (added === undefined) return undefined
        if (proof.kind === "RECOVERY_CODE")
          yield* record(attempt.userId, "user.recoveryCode.use", {})
        const methods = [...attempt.methods, ...added]
        return { attempt: { ...attempt, methods, stage: "DONE" as const }, codes: undefined }
      })

      const enrol = Effect.fnUntraced(function* (attempt: SignInAttempt, enrolment: Enrolment) {
        const isFirst = (yield* factors.of(attempt.userId)).length === 0
        const added = yield* proofs.enrol(attempt, enrolment)
        if (added === undefined) return undefined
        yield* record(attempt.userId, "user.factor.add", { kind: enrolment.kind })
        const methods = [...new Set([...attempt.methods, ...added])]
        const stage = attempt.stage === "MANAGE" ? ("MANAGE" as const) : ("DONE" as const)
        return {
          attempt: { ...attempt, methods, stage, ...nothingAsked },
          codes: isFirst ? yield* replaceCodes(attempt.userId) : undefined
        }
      })

      const remove = Effect.fnUntraced(function* (attempt: SignInAttempt, factorId: string) {
        const { userId } = attempt
        const present = yield* factors.of(userId)
        const isLast = present.length === 1
        if (isLast && (yield* factors.isRequiredOf(userId))) return needed
        if (yield* factors.remove(userId, factorId)) {
          if (isLast) yield* factors.setRecoveryCodes(userId, [])
          yield* record(userId, "user.factor.remove", {
            kind: present.find(({ id }) => id === factorId)?.kind ?? ""
          })
        }
        return {}
      })

      /** What the transaction of an answer has to say; a wrong answer is no failure, or it would not count. */
      const decide = Effect.fnUntraced(function* (secret: string, answer: SignInAnswer) {
        const hash = Secret.hash(secret)
        const held = yield* hold(hash)
        // Whatever was asked of a passkey is asked once.
        const attempt = { ...held, challenge: null }
        const ask = (said: Said) => ({ _tag: "Question", secret, said }) as const
        const { stage, userId } = held
        if (!fits(stage, answer)) return yield* new SignInOver()
        if (answer._tag === "Remove") return ask(yield* remove(attempt, answer.factorId))
        if (answer._tag === "NewCodes") return ask({ codes: yield* replaceCodes(userId) })
        if (answer._tag === "GoOn") return yield* finish(hash, attempt)
        const proven = yield* answer._tag === "Prove"
          ? prove(held, answer.proof)
          : enrol(held, answer.enrolment)
        if (proven === undefined) {
          yield* attempts.update(hash, attempt)
          yield* attempts.fail(hash)
          return undefined
        }
        const { codes } = proven
        if (codes === undefined && proven.attempt.stage === "DONE") {
          return yield* finish(hash, { ...proven.attempt, challenge: null })
        }
        yield* attempts.update(hash, { ...proven.attempt, challenge: null })
        return ask(codes === undefined ? {} : { codes })
      })

      /** The end of a sign-in: the code; who came to change their factors may do so now. */
      const finish = Effect.fnUntraced(function* (hash: Uint8Array, attempt: SignInAttempt) {
        const { authenticatedAt, methods, request, userId } = attempt
        yield* attempts.use(hash)
        if (request === undefined) return yield* manage(attempt)
        return yield* issue({ userId, methods, authenticatedAt }, request)
      })

      /** Under a new secret, so that one from before the proof can't be continued. */
      const manage = Effect.fnUntraced(function* (attempt: SignInAttempt) {
        const secret = yield* newSecret
        const managing = { ...attempt, stage: "MANAGE" } as const
        yield* attempts.open(Secret.hash(secret), managing, attemptLifetime)
        return { _tag: "Question", secret } as const
      })

      const answer = Effect.fn("SignInSteps.answer")(function* (
        secret: string,
        answer: SignInAnswer
      ) {
        const found = yield* attempts.find(Secret.hash(secret))
        if (found === undefined) return yield* new SignInOver()
        if (answer._tag !== "Prove") {
          return (yield* tenantSql.transaction(decide(secret, answer))) ?? wrong(secret)
        }
        // Taken before the answer is looked at: however many tries come at once, no more pass.
        const bucket = `factor:${found.userId}`
        yield* limits.take(bucket, factorLimit)
        const step = yield* tenantSql.transaction(decide(secret, answer))
        if (step !== undefined) {
          yield* limits.giveBack(bucket)
          return step
        }
        const actor = { kind: "USER", id: found.userId, requestId: yield* RequestId } as const
        yield* audit.refused(actor, {
          action: "user.signIn.start",
          recordId: found.userId,
          detail: { lacking: "SECOND_FACTOR", kind: answer.proof.kind }
        })
        return wrong(secret)
      })

      return SignInSteps.of({ begin, view, answer })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      AuthorizationCodesRepo.layer,
      FactorProofs.layer,
      IdentityProvidersRepo.layer,
      RateLimits.layer,
      SecondFactorsRepo.layer,
      SecureRandom.layerWebCrypto,
      SignInAttemptsRepo.layer,
      UsersRepo.layer
    ])
  )
}

const nothingAsked = { challenge: null, factorId: null, sealedSecret: null } as const
