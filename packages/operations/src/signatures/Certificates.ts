/** The certificates by which a tenant seals, for everybody who checks what it has sealed. */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { SealCertificate, SealCertificates } from "@quittance/domain/signatures/SealKey"
import { TenantNotFound } from "@quittance/domain/tenants/Tenant"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import { SealKeysRepo, type StoredSealKey } from "@quittance/persistence/signatures/SealKeysRepo"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { readPem } from "@quittance/signatures/CertificatePath"
import { Context, Effect, Layer } from "effect"

export class Certificates extends Context.Service<
  Certificates,
  {
    /** All that the tenant seals by or has sealed by, the oldest first. */
    readonly list: Effect.Effect<SealCertificates, TenantNotFound, CurrentTenant>
  }
>()("@quittance/operations/Certificates") {
  static readonly layer = Layer.effect(
    Certificates,
    Effect.gen(function* () {
      const repo = yield* SealKeysRepo
      const tenants = yield* TenantsRepo

      const list = Effect.gen(function* () {
        const found = yield* tenants.enabled(yield* CurrentTenant)
        if (found === undefined) return yield* new TenantNotFound({})
        return { certificates: (yield* repo.list).map(shown) }
      }).pipe(Effect.withSpan("Certificates.list"))

      return Certificates.of({ list })
    })
  ).pipe(Layer.provide([SealKeysRepo.layer, TenantsRepo.layer]))
}

const shown = ({ certificates, id, sealedKey, use }: StoredSealKey): SealCertificate => {
  const { issuer, subject, validFromDate, validToDate } = readPem(certificates)[0]!
  return {
    sha256: id,
    use,
    status: sealedKey === null ? "RETIRED" : "ACTIVE",
    subject: named(subject),
    issuer: named(issuer),
    validFrom: fromEpochMillis(validFromDate.getTime()),
    validUntil: fromEpochMillis(validToDate.getTime()),
    pem: certificates
  }
}

/** A distinguished name in one line: `O=Quittance, CN=Acme`. */
const named = (name: string): string => name.split("\n").join(", ")
