/** Whether a user's answer proves a second factor, and enrolling one by such an answer. */
import * as Passkey from "@quittance/auth/Passkey"
import * as RecoveryCode from "@quittance/auth/RecoveryCode"
import { seal, unseal } from "@quittance/auth/Sealed"
import * as Totp from "@quittance/auth/Totp"
import { maximumFactors } from "@quittance/domain/authorization-server/SecondFactor"
import type { AuthenticationMethod } from "@quittance/domain/tokens/Authentication"
import {
  type SecondFactor,
  SecondFactorsRepo
} from "@quittance/persistence/authorization-server/SecondFactorsRepo"
import type { SignInAttempt } from "@quittance/persistence/tokens/SignInAttemptsRepo"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Issuers } from "../tokens/Issuers.ts"
import { KeyEncryption } from "../tokens/KeyEncryption.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** A user's answer; a passkey's answer is the JSON of the browser. */
export interface Proof {
  readonly kind: "TOTP" | "PASSKEY" | "RECOVERY_CODE"
  readonly text: string
}

export interface Enrolment {
  readonly kind: "TOTP" | "PASSKEY"
  readonly text: string
  readonly name: string
}

/** A sealed secret of an authenticator app that is not enrolled yet. */
export interface Offer {
  readonly factorId: string
  readonly sealedSecret: string
}

export class FactorProofs extends Context.Service<
  FactorProofs,
  {
    /**
     * The methods that a right answer adds to a sign-in, `undefined` for a wrong one. It uses up the
     * code, or the signature; belongs into the transaction that holds the attempt.
     */
    prove(
      attempt: SignInAttempt,
      proof: Proof
    ): Effect.Effect<ReadonlyArray<AuthenticationMethod> | undefined, never, CurrentTenant>
    /** Stores the factor that is proven to be there; the same as `prove` else. */
    enrol(
      attempt: SignInAttempt,
      enrolment: Enrolment
    ): Effect.Effect<ReadonlyArray<AuthenticationMethod> | undefined, never, CurrentTenant>
    /** A new authenticator app to enrol. */
    readonly offer: Effect.Effect<Offer, never, CurrentTenant>
    readonly openOffer: (offer: Offer) => Effect.Effect<Uint8Array, never, CurrentTenant>
  }
>()("@quittance/operations/FactorProofs") {
  static readonly layer = Layer.effect(
    FactorProofs,
    Effect.gen(function* () {
      const factors = yield* SecondFactorsRepo
      const issuers = yield* Issuers
      const keys = Redacted.value((yield* KeyEncryption).keys)
      const random = yield* SecureRandom.SecureRandom

      const now = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 1000))
      const newId = Effect.map(random.randomBytes(16), (bytes) =>
        Buffer.from(bytes).toString("base64url")
      )

      const openOffer = Effect.fnUntraced(function* ({ factorId, sealedSecret }: Offer) {
        const tenant = yield* CurrentTenant
        const text = yield* unseal(sealedSecret, { tenant, kid: factorId }, keys)
        return new Uint8Array(Buffer.from(text, "base64url"))
      })

      const offer = Effect.gen(function* () {
        const [factorId, secret] = [yield* newId, yield* random.randomBytes(Totp.secretBytes)]
        const binding = { tenant: yield* CurrentTenant, kid: factorId, contentType: "totp" }
        const text = Buffer.from(secret).toString("base64url")
        return { factorId, sealedSecret: yield* seal(text, binding, keys) }
      })

      const stepOf = Effect.fnUntraced(function* (offer: Offer, code: string) {
        return Totp.stepOf(yield* openOffer(offer), code.replace(/\s/gu, ""), yield* now)
      })

      const expected = Effect.fnUntraced(function* (challenge: string) {
        return { origin: issuers.of(yield* CurrentTenant), challenge }
      })

      const proveCode = Effect.fnUntraced(function* (
        { userId }: SignInAttempt,
        present: ReadonlyArray<SecondFactor>,
        code: string
      ) {
        for (const { id, sealedSecret } of present) {
          if (sealedSecret === null) continue
          const step = yield* stepOf({ factorId: id, sealedSecret }, code)
          if (step !== undefined && (yield* factors.useStep(id, step))) return totp
        }
        yield* factors.failCode(userId)
        return undefined
      })

      const provePasskey = Effect.fnUntraced(function* (
        { challenge }: SignInAttempt,
        present: ReadonlyArray<SecondFactor>,
        answer: string
      ) {
        const found = present.find(({ credentialId }) => credentialId === Passkey.named(answer))
        if (challenge === null || found === undefined) return undefined
        const { counter, credentialId, id, publicKey } = found
        if (credentialId === null || publicKey === null) return undefined
        const stored = { credentialId, publicKey, counter }
        const next = yield* Passkey.proven(answer, stored, yield* expected(challenge))
        return next !== undefined && (yield* factors.useCounter(id, next)) ? passkey : undefined
      })

      const prove = Effect.fn("FactorProofs.prove")(function* (
        attempt: SignInAttempt,
        { kind, text }: Proof
      ) {
        if (kind === "RECOVERY_CODE") {
          const isRight = yield* factors.useRecoveryCode(attempt.userId, RecoveryCode.hash(text))
          return isRight ? recovery : undefined
        }
        const present = yield* factors.of(attempt.userId)
        return yield* kind === "TOTP"
          ? proveCode(attempt, present, text)
          : provePasskey(attempt, present, text)
      })

      const enrolApp = Effect.fnUntraced(function* (
        { factorId, sealedSecret, userId }: SignInAttempt,
        { name, text }: Enrolment
      ) {
        if (factorId === null || sealedSecret === null) return undefined
        const step = yield* stepOf({ factorId, sealedSecret }, text)
        if (step === undefined) return undefined
        const factor = { id: factorId, kind: "TOTP", name, sealedSecret, lastStep: step } as const
        return (yield* factors.insert(userId, factor)) ? totp : undefined
      })

      const enrolPasskey = Effect.fnUntraced(function* (
        { challenge, userId }: SignInAttempt,
        { name, text }: Enrolment
      ) {
        if (challenge === null) return undefined
        const made = yield* Passkey.registered(text, yield* expected(challenge))
        if (made === undefined) return undefined
        const factor = { id: yield* newId, kind: "PASSKEY", name, ...made } as const
        return (yield* factors.insert(userId, factor)) ? passkey : undefined
      })

      const enrol = Effect.fn("FactorProofs.enrol")(function* (
        attempt: SignInAttempt,
        enrolment: Enrolment
      ) {
        if ((yield* factors.of(attempt.userId)).length >= maximumFactors) return undefined
        return yield* enrolment.kind === "TOTP"
          ? enrolApp(attempt, enrolment)
          : enrolPasskey(attempt, enrolment)
      })

      return FactorProofs.of({ prove, enrol, offer, openOffer })
    })
  ).pipe(Layer.provide([SecondFactorsRepo.layer, SecureRandom.layerWebCrypto]))
}

const totp: ReadonlyArray<AuthenticationMethod> = ["otp", "mfa"]
const passkey: ReadonlyArray<AuthenticationMethod> = ["pop", "mfa"]
/** RFC 8176 has no name for a code on paper. */
const recovery: ReadonlyArray<AuthenticationMethod> = ["mfa"]
