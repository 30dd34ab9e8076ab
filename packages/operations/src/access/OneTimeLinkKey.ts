import { linkKey, linkToken } from "@quittance/auth/LinkToken"
import { Array, Context, Effect, Layer, Redacted } from "effect"
import { KeyEncryption } from "../tokens/KeyEncryption.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

/** What a link is for, by its identifier: an invitation, the letters of a user, which it ends, a document's link. */
type LinkOf = string

/** Derives the secrets in the links of letters; none is stored. */
export class OneTimeLinkKey extends Context.Service<
  OneTimeLinkKey,
  {
    /** The secret of a link that is made now. */
    token(tenant: TenantId, id: LinkOf): Redacted.Redacted
    /** What the secret of a link may be: by each key of the service, the first key's first. */
    tokens(tenant: TenantId, id: LinkOf): Array.NonEmptyReadonlyArray<Redacted.Redacted>
  }
>()("@quittance/operations/OneTimeLinkKey") {
  static readonly layer = Layer.effect(
    OneTimeLinkKey,
    Effect.map(KeyEncryption, ({ keys }) => {
      const derived = Array.map(Redacted.value(keys), linkKey)
      const tokens = (tenant: TenantId, id: LinkOf) =>
        Array.map(derived, (key) => Redacted.make(linkToken(key, tenant, id)))
      return OneTimeLinkKey.of({ tokens, token: (tenant, id) => tokens(tenant, id)[0] })
    })
  )
}
