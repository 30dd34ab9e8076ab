import { linkKey, linkToken } from "@quittance/auth/LinkToken"
import type { InvitationId } from "@quittance/domain/access/Invitation"
import type { TenantId } from "@quittance/domain/tenants/Tenant"
import { Context, Effect, Layer, Redacted } from "effect"
import { KeyEncryption } from "../tokens/KeyEncryption.ts"

/** Derives the secrets in the links of letters; none is stored. */
export class LinkKey extends Context.Service<
  LinkKey,
  { token(tenant: TenantId, id: InvitationId): Redacted.Redacted }
>()("@quittance/operations/LinkKey") {
  static readonly layer = Layer.effect(
    LinkKey,
    Effect.map(KeyEncryption, ({ key }) => {
      const derived = linkKey(Redacted.value(key))
      return LinkKey.of({ token: (tenant, id) => Redacted.make(linkToken(derived, tenant, id)) })
    })
  )
}
