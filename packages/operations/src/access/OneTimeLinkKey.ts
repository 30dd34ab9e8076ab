import { linkKey, linkToken } from "@quittance/auth/LinkToken"
import type { InvitationId } from "@quittance/domain/access/Invitation"
import { Array, Context, Effect, Layer, Redacted } from "effect"
import { KeyEncryption } from "../tokens/KeyEncryption.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

/** Derives the secrets in the links of letters; none is stored. */
export class OneTimeLinkKey extends Context.Service<
  OneTimeLinkKey,
  {
    /** The secret of a link that is made now. */
    token(tenant: TenantId, id: InvitationId): Redacted.Redacted
    /** What the secret of a link may be: by each key of the service, the first key's first. */
    tokens(tenant: TenantId, id: InvitationId): Array.NonEmptyReadonlyArray<Redacted.Redacted>
  }
>()("@quittance/operations/OneTimeLinkKey") {
  static readonly layer = Layer.effect(
    OneTimeLinkKey,
    Effect.map(KeyEncryption, ({ keys }) => {
      const derived = Array.map(Redacted.value(keys), linkKey)
      const tokens = (tenant: TenantId, id: InvitationId) =>
        Array.map(derived, (key) => Redacted.make(linkToken(key, tenant, id)))
      return OneTimeLinkKey.of({ tokens, token: (tenant, id) => tokens(tenant, id)[0] })
    })
  )
}
