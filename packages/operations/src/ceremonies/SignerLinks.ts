/** The links by which signers come to their ceremony: made, sent, and followed back to their signer. */
import * as Secret from "@quittance/auth/Secret"
import type { RequestLetterKind } from "@quittance/domain/mail/SignerRequestLetter"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { signerLinkOf, signerTokenOf } from "@quittance/domain/signatures/SignerLink"
import type { SignerId } from "@quittance/domain/values/Ids"
import { SignerLinksRepo } from "@quittance/persistence/ceremonies/SignerLinksRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer, Redacted } from "effect"
import { OneTimeLinkKey } from "../access/OneTimeLinkKey.ts"
import type { SignerPath } from "./CeremonyAccess.ts"

/** Where the pages of ceremonies are, below the address of the service; a token follows. */
export const signPath = "/sign"

/** Whose link it is, and which one of theirs. */
export interface FollowedPath extends SignerPath {
  readonly linkNumber: number
}

export class SignerLinks extends Context.Service<
  SignerLinks,
  {
    /** Makes a signer another link and answers its number; the one before opens nothing any more. */
    make(id: SignerId): Effect.Effect<number, never, CurrentTenant>
    /** The token of the link of that number; it opens something while the link is the signer's last one. */
    tokenAt(id: SignerId, number: number): Effect.Effect<string, never, CurrentTenant>
    /** A letter with the signer's link leaves once the transaction is committed. */
    send(id: SignerId, kind: RequestLetterKind): Effect.Effect<void, never, CurrentTenant>
    /** The token of the link of that number, which is stored nowhere; `undefined` once another link is the last. */
    tokenOf(
      id: SignerId,
      number: number
    ): Effect.Effect<Redacted.Redacted | undefined, never, CurrentTenant>
    /** Where the secret of a signer's link leads; `undefined` where it is not that of their last one. */
    follow(
      id: SignerId,
      secret: string
    ): Effect.Effect<FollowedPath | undefined, never, CurrentTenant>
  }
>()("@quittance/operations/SignerLinks") {
  static readonly layer = Layer.effect(
    SignerLinks,
    Effect.gen(function* () {
      const keys = yield* OneTimeLinkKey
      const repo = yield* SignerLinksRepo
      const tenantSql = yield* TenantSql

      const secretAt = Effect.fnUntraced(function* (id: SignerId, number: number) {
        return Redacted.value(keys.token(yield* CurrentTenant, signerLinkOf(id, number)))
      })

      const make = Effect.fn("SignerLinks.make")(function* (id: SignerId) {
        // A signer is never deleted.
        const { number: before } = (yield* repo.find(id))!
        const number = before + 1
        yield* repo.set(id, { number, tokenHash: Secret.hash(yield* secretAt(id, number)) })
        return number
      })

      const tokenAt = Effect.fn("SignerLinks.tokenAt")(function* (id: SignerId, number: number) {
        return signerTokenOf(yield* CurrentTenant, id, yield* secretAt(id, number))
      })

      /** The secret whose hash is kept. Where the key that made it is no longer given, the link is another one. */
      const secretOf = Effect.fnUntraced(function* (id: SignerId, number: number) {
        const tenant = yield* CurrentTenant
        const { number: last, tokenHash } = (yield* repo.find(id))!
        if (number !== last) return undefined
        const made = keys
          .tokens(tenant, signerLinkOf(id, number))
          .map(Redacted.value)
          .find((secret) => tokenHash !== null && Secret.matches(secret, [tokenHash]))
        return made ?? (yield* secretAt(id, yield* make(id)))
      }, tenantSql.transaction)

      const tokenOf = Effect.fn("SignerLinks.tokenOf")(function* (id: SignerId, number: number) {
        const secret = yield* secretOf(id, number)
        if (secret === undefined) return undefined
        return Redacted.make(signerTokenOf(yield* CurrentTenant, id, secret))
      })

      const follow = Effect.fn("SignerLinks.follow")(function* (
        signerId: SignerId,
        secret: string
      ) {
        const link = yield* repo.find(signerId)
        if (link === undefined || link.tokenHash === null) return undefined
        return Secret.matches(secret, [link.tokenHash])
          ? { signatureId: link.signatureId, signerId, linkNumber: link.number }
          : undefined
      })

      return SignerLinks.of({
        make,
        tokenAt,
        send: repo.send,
        tokenOf,
        follow
      })
    })
  ).pipe(Layer.provide([OneTimeLinkKey.layer, SignerLinksRepo.layer]))
}
