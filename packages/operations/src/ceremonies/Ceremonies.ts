/** The steps of a ceremony before the signature: opened, proven by a code, declined. */
import type { BranchClosed, BranchNotFound, InvalidBranch } from "@quittance/domain/policies/Branch"
import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { RateLimited } from "@quittance/domain/requests/RateLimit"
import type {
  Conflict,
  IdempotencyKeyInUse,
  IdempotencyKeyReused,
  InvalidTransition
} from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Ceremony, DeclineSignature, ProveSigner } from "@quittance/domain/signatures/Ceremony"
import { ceremonyOf, textsOf } from "@quittance/domain/signatures/CeremonyView"
import type { EvidenceKind } from "@quittance/domain/signatures/EvidenceStep"
import {
  mostSends,
  recentSends,
  sendableAt,
  tryCode
} from "@quittance/domain/signatures/OneTimeCode"
import {
  type NotYourTurn,
  OtpInvalid,
  type OtpLocked
} from "@quittance/domain/signatures/SignatureErrors"
import { type SignerCommand, signerAfter } from "@quittance/domain/signatures/SignatureLifecycle"
import { needsCode } from "@quittance/domain/signatures/Signer"
import { toEpochMillis } from "@quittance/domain/values/Instant"
import { SignerStepsRepo } from "@quittance/persistence/ceremonies/SignerStepsRepo"
import { SignatureRequestsRepo } from "@quittance/persistence/signatures/SignatureRequestsRepo"
import { Context, Effect, Layer, Result } from "effect"
import { PolicyLog } from "../policies/PolicyLog.ts"
import { Command } from "../requests/Command.ts"
import { sha256 } from "../values/Sha256.ts"
import {
  type AccessFailure,
  CeremonyAccess,
  type OpenCeremony,
  type SignerPath
} from "./CeremonyAccess.ts"
import { EvidenceLog } from "./EvidenceLog.ts"
import { SignerCodes } from "./SignerCodes.ts"

type Scoped = CurrentTenant | CurrentCaller | CurrentRequest

export type StepFailure =
  | AccessFailure
  | BranchClosed
  | BranchNotFound
  | Conflict
  | IdempotencyKeyInUse
  | IdempotencyKeyReused
  | InvalidBranch
  | InvalidTransition
  | NotYourTurn

type Answer<E = never> = Effect.Effect<Ceremony, E | StepFailure, Scoped>

export class Ceremonies extends Context.Service<
  Ceremonies,
  {
    /** The signer begins, or comes back. */
    open(path: SignerPath): Answer
    /** Sends the signer a code; the one before is worth nothing any more. */
    sendCode(path: SignerPath): Answer<RateLimited>
    /** The signer has the address that the code was sent to. */
    prove(path: SignerPath, input: ProveSigner): Answer<OtpInvalid | OtpLocked>
    /** The signer refuses, which ends the signature for all of them. */
    decline(path: SignerPath, input: DeclineSignature): Answer
  }
>()("@quittance/operations/Ceremonies") {
  static readonly layer = Layer.effect(
    Ceremonies,
    Effect.gen(function* () {
      const access = yield* CeremonyAccess
      const codes = yield* SignerCodes
      const command = yield* Command
      const evidence = yield* EvidenceLog
      const log = yield* PolicyLog
      const repo = yield* SignatureRequestsRepo
      const steps = yield* SignerStepsRepo

      /** Runs a step of a signer: what has to hold by the table, then what the step does. */
      const step = <A, E>(
        path: SignerPath,
        name: SignerCommand,
        decide: (
          ceremony: OpenCeremony,
          status: OpenCeremony["signer"]["status"]
        ) => Effect.Effect<A, E, Scoped>
      ) =>
        command.run({
          authorize: access.open(path),
          decide: Effect.fnUntraced(function* (ceremony) {
            const { signer } = ceremony
            const position = { status: signer.status, needsCode: needsCode(signer) }
            const status = yield* Effect.fromResult(signerAfter(position, name))
            return yield* decide(ceremony, status)
          })
        })

      const keep = Effect.fnUntraced(function* (
        { authorized, signature, signer }: OpenCeremony,
        action: `signature.${string}`,
        fact: { readonly kind: EvidenceKind; readonly reason?: string }
      ) {
        const { now } = authorized
        const facts = [{ ...fact, signerId: signer.id }]
        yield* evidence.add(signature, { action, facts, now })
      })

      /** What the signer sees once the step is done. */
      const shown = Effect.fnUntraced(function* ({
        authorized,
        place,
        signature,
        signer
      }: OpenCeremony) {
        const { product } = yield* log.open(authorized, place.branchId)
        return ceremonyOf(yield* repo.find(signature.id), signer.id, textsOf(product, sha256))
      })

      const open = Effect.fn("Ceremonies.open")((path: SignerPath) =>
        step(
          path,
          "open",
          Effect.fnUntraced(function* (ceremony, status) {
            const { authorized, signer } = ceremony
            if (status !== signer.status) {
              yield* steps.step({ id: signer.id, status, at: authorized.now })
            }
            yield* keep(ceremony, "signature.open", { kind: "OPENED" })
            return yield* shown(ceremony)
          })
        )
      )

      const sendCode = Effect.fn("Ceremonies.sendCode")((path: SignerPath) =>
        step(
          path,
          "send-code",
          Effect.fnUntraced(function* (ceremony) {
            const { authorized, signature, signer } = ceremony
            const { now } = authorized
            const { number, sent } = yield* steps.codes(signer.id)
            // A requested signature ends.
            const at = sendableAt({ number, sent, expiresAt: signature.expiresAt! }, now)
            if (at !== undefined) {
              const retryAfter = Math.ceil((at - toEpochMillis(now)) / 1000)
              const limit = { limit: mostSends, remaining: 0, reset: retryAfter }
              return yield* new RateLimited({ retryAfter, ...limit })
            }
            yield* steps.sendCode(signer.id, [...recentSends(sent, now), now])
            yield* keep(ceremony, "signature.sendCode", { kind: "OTP_SENT" })
            return yield* shown(ceremony)
          })
        )
      )

      const prove = Effect.fn("Ceremonies.prove")(function* (
        path: SignerPath,
        { code }: ProveSigner
      ) {
        // A wrong code is counted, so its answer is one of the command, not a failure that takes it back.
        const answer = yield* step(
          path,
          "prove",
          Effect.fnUntraced(function* (ceremony, status) {
            const { authorized, signature, signer } = ceremony
            const { now } = authorized
            const { number, sent, tries } = yield* steps.codes(signer.id)
            const last = sent.at(-1)
            const isRight = yield* codes.isRight({ signature, signerId: signer.id, number }, code)
            const sentCode = last === undefined ? undefined : { sentAt: last, tries }
            const tried = tryCode(sentCode, isRight, now)
            if (Result.isFailure(tried)) {
              if (tried.failure._tag === "OtpLocked") return yield* tried.failure
              yield* steps.countTry(signer.id)
              yield* keep(ceremony, "signature.failCode", { kind: "OTP_FAILED" })
              return { triesLeft: tried.failure.triesLeft }
            }
            yield* steps.step({ id: signer.id, status, at: now })
            yield* keep(ceremony, "signature.prove", { kind: "OTP_PROVEN" })
            return { ceremony: yield* shown(ceremony) }
          })
        )
        return "ceremony" in answer
          ? answer.ceremony
          : yield* new OtpInvalid({ triesLeft: answer.triesLeft })
      })

      const decline = Effect.fn("Ceremonies.decline")(
        (path: SignerPath, { reason }: DeclineSignature) =>
          step(
            path,
            "decline",
            Effect.fnUntraced(function* (ceremony, status) {
              const { authorized, signature, signer } = ceremony
              const { now } = authorized
              yield* steps.step({ id: signer.id, status, at: now, reason })
              yield* repo.end({ id: signature.id, status: "DECLINED", at: now, reason })
              yield* keep(ceremony, "signature.decline", { kind: "DECLINED", reason })
              return yield* shown(ceremony)
            })
          )
      )

      return Ceremonies.of({ open, sendCode, prove, decline })
    })
  ).pipe(
    Layer.provide([
      CeremonyAccess.layer,
      Command.layer,
      EvidenceLog.layer,
      PolicyLog.layer,
      SignatureRequestsRepo.layer,
      SignerCodes.layer,
      SignerStepsRepo.layer
    ])
  )
}
