/** Sends signers their codes: each letter by one sender at a time, written from its signer. */
import { writeSignerCode } from "@quittance/domain/mail/SignerCodeLetter"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { SignerId } from "@quittance/domain/values/Ids"
import { maximumAttempts } from "@quittance/persistence/access/LetterRetries"
import {
  type ClaimedSignerLetter,
  type DueSignerLetter,
  SignerLettersRepo
} from "@quittance/persistence/ceremonies/SignerLettersRepo"
import { SignatureRequestsRepo } from "@quittance/persistence/signatures/SignatureRequestsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer, Redacted } from "effect"
import { Mailer, type MailNotSent } from "../mail/Mailer.ts"
import { mailFrom } from "../mail/MailSettings.ts"
import { runFor } from "../requests/TenantBatch.ts"
import { TenantDirectory } from "../tenants/TenantDirectory.ts"
import { Issuers } from "../tokens/Issuers.ts"
import { SignerCodes } from "./SignerCodes.ts"

/** Letters of one round, and of them as many at a time. */
const lettersOfRound = 100
const lettersAtOnce = 4

export class SignerLetters extends Context.Service<
  SignerLetters,
  {
    /**
     * Sends the letters that are due, of all tenants; whether more may be. One that can't be sent is tried ten
     * times: its signer asks for another code then.
     */
    readonly round: Effect.Effect<boolean>
  }
>()("@quittance/operations/SignerLetters") {
  static readonly layer = Layer.effect(
    SignerLetters,
    Effect.gen(function* () {
      const codes = yield* SignerCodes
      const issuers = yield* Issuers
      const mailer = yield* Mailer
      const letters = yield* SignerLettersRepo
      const signatures = yield* SignatureRequestsRepo
      const tenants = yield* TenantDirectory
      const tenantSql = yield* TenantSql
      const from = yield* mailFrom

      const failed = Effect.fnUntraced(function* (
        letter: ClaimedSignerLetter,
        failure: MailNotSent
      ) {
        const isLast = failure.reason === "ADDRESS" || letter.attempts >= maximumAttempts
        yield* tenantSql.transaction(isLast ? letters.remove(letter) : letters.fail(letter))
        yield* Effect.logWarning("The code of a signer was not sent", failure)
      })

      const send = Effect.fn("SignerLetters.send")(function* (id: SignerId) {
        const tenant = yield* tenants.find(yield* CurrentTenant)
        if (tenant === undefined) return
        const letter = yield* tenantSql.transaction(letters.claim(id))
        if (letter === undefined) return
        const signature = yield* signatures.find(letter.signatureId)
        const signer = signature.signers.find((one) => one.id === id)
        // A code of a signature that has ended is worth nothing.
        if (signer === undefined || signature.status !== "OPEN") {
          return yield* tenantSql.transaction(letters.remove(letter))
        }
        const { number } = letter
        const code = Redacted.value(yield* codes.code({ signature, signerId: id, number }))
        const { hostname } = new URL(issuers.of(tenant.id))
        const message = {
          ...writeSignerCode({ tenant, firstName: signer.firstName, code }),
          id: `${tenant.id}.${id}.${number}`,
          from: { name: tenant.name, address: from ?? `no-reply@${hostname}` },
          to: signer.email
        }
        yield* mailer.send(message).pipe(
          Effect.andThen(tenantSql.transaction(letters.remove(letter))),
          Effect.catchTag("MailNotSent", (failure) => failed(letter, failure))
        )
      })

      const one = ({ signerId, tenantId }: DueSignerLetter) =>
        runFor(tenantId, send(signerId), {
          message: "A letter could not be sent and is tried again",
          answer: undefined
        }).pipe(Effect.annotateLogs({ signer: signerId }))

      const round = Effect.gen(function* () {
        const due = yield* letters.due(lettersOfRound)
        yield* Effect.forEach(due, one, { concurrency: lettersAtOnce, discard: true })
        return due.length === lettersOfRound
      }).pipe(Effect.withSpan("SignerLetters.round"))

      return SignerLetters.of({ round })
    })
  ).pipe(
    Layer.provide([
      SignatureRequestsRepo.layer,
      SignerCodes.layer,
      SignerLettersRepo.layer,
      TenantDirectory.layer
    ])
  )
}
