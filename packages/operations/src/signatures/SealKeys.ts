/** The keys by which a tenant seals: made in sandboxes, imported from a trust service elsewhere. */
import { seal as sealText, unseal } from "@quittance/auth/Sealed"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import {
  InvalidSeal,
  type SealKeyUse,
  SealNotFound,
  SealNotMade
} from "@quittance/domain/signatures/SealKey"
import type { KeyEncryptionKeyDiffers } from "@quittance/domain/tokens/SigningKey"
import { type ActiveSealKey, SealKeysRepo } from "@quittance/persistence/signatures/SealKeysRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { isValidAt, readPem, writePem } from "@quittance/signatures/CertificatePath"
import { readPkcs12 } from "@quittance/signatures/Pkcs12"
import * as SandboxAuthority from "@quittance/signatures/SandboxAuthority"
import { type Signer, softwareSigner } from "@quittance/signatures/Signer"
import { Context, DateTime, Effect, Layer, Redacted } from "effect"
import { createPrivateKey, type KeyObject, type X509Certificate } from "node:crypto"
import { actorOf, operator } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { KeyEncryption } from "../tokens/KeyEncryption.ts"
import { KeyEncryptionCheck } from "../tokens/KeyEncryptionCheck.ts"

/** What a tenant seals with, opened. */
export interface SealingKeys {
  readonly seal: Signer
  /** The tenant's own timestamp authority; sandboxes alone have one. */
  readonly stamp: Signer | undefined
}

/** By which a certificate is named: its SHA-256 in lower-case hexadecimal. */
export const fingerprint = ({ fingerprint256 }: X509Certificate): string =>
  fingerprint256.replaceAll(":", "").toLowerCase()

export class SealKeys extends Context.Service<
  SealKeys,
  {
    /**
     * What the tenant seals with now. A sandbox makes what is missing; in production there is nothing until
     * a seal is imported.
     */
    readonly current: Effect.Effect<SealingKeys | undefined, never, CurrentTenant>
    /** Makes the keys of a sandbox where they are missing; answers the seal's identifier. */
    readonly create: Effect.Effect<string, SealNotMade | KeyEncryptionKeyDiffers, CurrentTenant>
    /** Seals by the key of a PKCS#12 file from now on, in the place of the one before. */
    importPkcs12(
      bytes: Uint8Array,
      password: Redacted.Redacted
    ): Effect.Effect<string, InvalidSeal | KeyEncryptionKeyDiffers, CurrentTenant>
    /** Destroys the key of a seal. What it has sealed stays as it is. */
    retire(id: string): Effect.Effect<void, SealNotFound, CurrentTenant>
  }
>()("@quittance/operations/SealKeys") {
  static readonly layer = Layer.effect(
    SealKeys,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const check = yield* KeyEncryptionCheck
      const repo = yield* SealKeysRepo
      const tenants = yield* TenantsRepo
      const tenantSql = yield* TenantSql
      const keys = Redacted.value((yield* KeyEncryption).keys)

      const record = (action: string, recordId: string) =>
        audit.recordAll(actorOf(operator, "operator"), [{ action, recordId }])

      const add = Effect.fnUntraced(function* (
        use: SealKeyUse,
        key: KeyObject,
        certificates: readonly [X509Certificate, ...ReadonlyArray<X509Certificate>]
      ) {
        const id = fingerprint(certificates[0])
        const text = key.export({ type: "pkcs8", format: "pem" }).toString()
        const binding = { tenant: yield* CurrentTenant, kid: kidOf(id), contentType }
        const sealedKey = yield* sealText(text, binding, keys)
        return yield* repo.add({ id, use, certificates: writePem(certificates), sealedKey })
      })

      const open = Effect.fnUntraced(function* ({ certificates, id, sealedKey }: ActiveSealKey) {
        const tenant = yield* CurrentTenant
        const pem = yield* unseal(sealedKey, { tenant, kid: kidOf(id) }, keys)
        const [certificate, ...chain] = readPem(certificates)
        return { key: createPrivateKey(pem), certificate: certificate!, chain }
      })

      /** An authority that vouches for itself, and what it issues. The first to make it makes all. */
      const make = Effect.fnUntraced(function* (name: string) {
        const from = yield* DateTime.now
        const validity = { from, until: DateTime.add(from, { years: sandboxYears }) }
        const active = yield* repo.active
        const known = active.find(({ use }) => use === "AUTHORITY")
        const authority =
          known === undefined
            ? SandboxAuthority.createAuthority(`${name} sandbox authority`, validity)
            : yield* open(known)
        const root = authority.certificate
        if (known === undefined && !(yield* add("AUTHORITY", authority.key, [root]))) return
        const has = (wanted: SealKeyUse) => active.some(({ use }) => use === wanted)
        if (!has("TIMESTAMP")) {
          const stamping = SandboxAuthority.issueTimestamping(
            authority,
            `${name} sandbox time`,
            validity
          )
          yield* add("TIMESTAMP", stamping.key, [stamping.certificate, root])
        }
        if (!has("SEAL")) {
          const seal = SandboxAuthority.issueSeal(authority, name, validity)
          const added = yield* add("SEAL", seal.key, [seal.certificate, root])
          if (added) yield* record("seal.create", fingerprint(seal.certificate))
        }
      }, tenantSql.transaction)

      /** The active keys by their uses, made first in a sandbox that lacks some. */
      const found = Effect.gen(function* () {
        const by = (active: ReadonlyArray<ActiveSealKey>) =>
          new Map(active.map((key) => [key.use, key]))
        const tenant = yield* tenants.find(yield* CurrentTenant)
        const active = by(yield* repo.active)
        if (tenant?.environment === "production" || (active.has("SEAL") && active.has("TIMESTAMP")))
          return active
        yield* make(tenant?.name ?? (yield* CurrentTenant))
        return by(yield* repo.active)
      })

      const signerOf = Effect.fnUntraced(function* (stored: ActiveSealKey) {
        const { certificate, chain, key } = yield* open(stored)
        return softwareSigner(key, certificate, chain)
      })

      const current = Effect.gen(function* () {
        const active = yield* found
        const [seal, stamp] = [active.get("SEAL"), active.get("TIMESTAMP")]
        if (seal === undefined) return undefined
        return {
          seal: yield* signerOf(seal),
          stamp: stamp === undefined ? undefined : yield* signerOf(stamp)
        }
      }).pipe(Effect.withSpan("SealKeys.current"))

      const create = Effect.gen(function* () {
        yield* check.sameKey
        const seal = (yield* found).get("SEAL")
        return seal === undefined ? yield* new SealNotMade() : seal.id
      }).pipe(Effect.withSpan("SealKeys.create"))

      const importPkcs12 = Effect.fn("SealKeys.importPkcs12")(function* (
        bytes: Uint8Array,
        password: Redacted.Redacted
      ) {
        yield* check.sameKey
        const { key, signer } = yield* readPkcs12(bytes, password).pipe(
          Effect.mapError(({ reason }) => new InvalidSeal({ reason }))
        )
        const { certificate, chain } = signer
        if (!isValidAt(certificate, DateTime.toEpochMillis(yield* DateTime.now)))
          return yield* new InvalidSeal({ reason: "VALIDITY" })
        const id = fingerprint(certificate)
        yield* tenantSql.transaction(
          Effect.gen(function* () {
            const before = (yield* repo.active).find(({ use }) => use === "SEAL")
            if (before?.id === id) return
            if (before !== undefined) {
              yield* repo.retire(before.id)
              yield* record("seal.retire", before.id)
            }
            if (!(yield* add("SEAL", key, [certificate, ...chain])))
              return yield* new InvalidSeal({ reason: "RETIRED" })
            yield* record("seal.import", id)
          })
        )
        return id
      })

      const retire = Effect.fn("SealKeys.retire")(function* (id: string) {
        const isSeal = (yield* repo.active).some((key) => key.id === id && key.use === "SEAL")
        if (!isSeal || !(yield* repo.retire(id))) return yield* new SealNotFound({ sha256: id })
        yield* record("seal.retire", id)
      }, tenantSql.transaction)

      return SealKeys.of({ current, create, importPkcs12, retire })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      KeyEncryptionCheck.layer,
      SealKeysRepo.layer,
      TenantsRepo.layer
    ])
  )
}

const contentType = "application/pkcs8"
/** How long certificates of a sandbox are valid. */
const sandboxYears = 20

const kidOf = (id: string): string => `seal/${id}`
