/** Users who want no letters about webhooks, or want them again: by the link in such a letter. */
import type { UserId } from "@quittance/domain/requests/Caller"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { NoticeLettersRepo } from "@quittance/persistence/access/NoticeLettersRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import * as Secret from "@quittance/auth/Secret"
import { Context, Effect, Layer, Redacted } from "effect"
import { OneTimeLinkKey } from "./OneTimeLinkKey.ts"

/** What the link of a letter names: whose letters, and the secret that only they were sent. */
export interface LettersLink {
  readonly userId: UserId
  readonly token: Redacted.Redacted
}

export class LetterRefusals extends Context.Service<
  LetterRefusals,
  {
    /** Ends letters about webhooks, or sends them again; `false` for a link that is not ours. */
    set(link: LettersLink, isRefused: boolean): Effect.Effect<boolean, never, CurrentTenant>
  }
>()("@quittance/operations/LetterRefusals") {
  static readonly layer = Layer.effect(
    LetterRefusals,
    Effect.gen(function* () {
      const keys = yield* OneTimeLinkKey
      const repo = yield* NoticeLettersRepo
      const tenantSql = yield* TenantSql

      const isOurs = Effect.fnUntraced(function* ({ token, userId }: LettersLink) {
        const hashes = keys
          .tokens(yield* CurrentTenant, userId)
          .map((one) => Secret.hash(Redacted.value(one)))
        return Secret.matches(Redacted.value(token), hashes)
      })

      const set = Effect.fn("LetterRefusals.set")(function* (
        link: LettersLink,
        isRefused: boolean
      ) {
        if (!(yield* isOurs(link))) return false
        yield* tenantSql.transaction(repo.setRefused(link.userId, isRefused))
        return true
      })

      return LetterRefusals.of({ set })
    })
  ).pipe(Layer.provide([NoticeLettersRepo.layer, OneTimeLinkKey.layer]))
}
