/** The codes of signers: each is worked out where it is sent and where it is tried, and stored nowhere. */
import { codeKey, isSignerCode, signerCode } from "@quittance/auth/SignerCode"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Signature } from "@quittance/domain/signatures/Signature"
import { boundText } from "@quittance/domain/signatures/SignedContent"
import type { SignerId } from "@quittance/domain/values/Ids"
import { Context, Effect, Layer, Redacted } from "effect"
import { KeyEncryption } from "../tokens/KeyEncryption.ts"
import { sha256 } from "../values/Sha256.ts"

/** A code of a signer, by its number. */
export interface NumberedCode {
  readonly signature: Signature
  readonly signerId: SignerId
  readonly number: number
}

export class SignerCodes extends Context.Service<
  SignerCodes,
  {
    /** The code as it is sent. */
    code(of: NumberedCode): Effect.Effect<Redacted.Redacted, never, CurrentTenant>
    /** Whether a code is the one that was sent, under any key of the service. */
    isRight(of: NumberedCode, given: string): Effect.Effect<boolean, never, CurrentTenant>
  }
>()("@quittance/operations/SignerCodes") {
  static readonly layer = Layer.effect(
    SignerCodes,
    Effect.gen(function* () {
      const { keys } = yield* KeyEncryption
      const derived = Redacted.value(keys).map(codeKey)

      const codes = Effect.fnUntraced(function* ({ number, signature, signerId }: NumberedCode) {
        const tenant = yield* CurrentTenant
        const bound = sha256(boundText(signature))
        return derived.map((key) => signerCode(key, { tenant, signerId, number, bound }))
      })

      // The service has a key.
      const code = (of: NumberedCode) => Effect.map(codes(of), ([first]) => Redacted.make(first!))
      const isRight = (of: NumberedCode, given: string) =>
        Effect.map(codes(of), (all) => all.some((one) => isSignerCode(given, one)))

      return SignerCodes.of({ code, isRight })
    })
  )
}
