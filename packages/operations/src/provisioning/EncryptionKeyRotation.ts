/** Replaces `KEY_ENCRYPTION_KEY` while programs run. */
import { reseal } from "@quittance/auth/Sealed"
import * as Secret from "@quittance/auth/Secret"
import type { InvitationId } from "@quittance/domain/access/Invitation"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"
import type { Instant } from "@quittance/domain/values/Instant"
import { InvitationsRepo, type OpenLink } from "@quittance/persistence/access/InvitationsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import {
  type SealedTable,
  sealedTables,
  type SealedText,
  SealedTextsRepo
} from "@quittance/persistence/tokens/SealedTextsRepo"
import { Context, Effect, Layer, Redacted } from "effect"
import { OneTimeLinkKey } from "../access/OneTimeLinkKey.ts"
import { actorOf, operator } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { KeyEncryption } from "../tokens/KeyEncryption.ts"

/** Rows of one transaction: it holds them for some milliseconds. */
const batchSize = 100

/** How often all texts are gone through, while programs go on to seal some under the key before. */
const passes = 3

/** A sealed text that none of the given keys opens. */
export interface LostText {
  readonly tenant: TenantId
  readonly table: SealedTable
}

export interface EncryptionKeyRotated {
  readonly tenants: number
  /** The sealed texts that there are. */
  readonly texts: number
  /** How many of them were under the key before. */
  readonly resealed: number
  readonly lost: ReadonlyArray<LostText>
  /** Whether a program still sealed under the key before, all the while. */
  readonly unsettled: boolean
  /** Links of letters that end with the key before, and when the last of them expires by itself. */
  readonly links: { readonly count: number; readonly until: Instant | undefined }
}

export class EncryptionKeyRotation extends Context.Service<
  EncryptionKeyRotation,
  {
    /**
     * Seals everything of all tenants under the first key of the service that is under another one of
     * them. Each transaction is short and leaves texts that every program with both keys opens, so it
     * may be cut anywhere and begun again. Where all is under the first key it writes nothing.
     */
    readonly rotate: Effect.Effect<EncryptionKeyRotated>
  }
>()("@quittance/operations/EncryptionKeyRotation") {
  static readonly layer = Layer.effect(
    EncryptionKeyRotation,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const invitations = yield* InvitationsRepo
      const links = yield* OneTimeLinkKey
      const repo = yield* SealedTextsRepo
      const tenants = yield* TenantsRepo
      const tenantSql = yield* TenantSql
      const keys = Redacted.value((yield* KeyEncryption).keys)

      const resealed = Effect.fnUntraced(function* (table: SealedTable, { id, text }: SealedText) {
        const next = yield* reseal(text, keys)
        if (next === undefined) return "LOST"
        if (next === text) return "KEPT"
        yield* repo.replace(table, { id, text: next })
        return "RESEALED"
      })

      const batch = Effect.fn("EncryptionKeyRotation.batch")(function* (
        table: SealedTable,
        after: SealedText["id"] | undefined
      ) {
        const texts = yield* repo.hold(table, after, batchSize)
        const outcomes = yield* Effect.forEach(texts, (text) => resealed(table, text))
        const count = outcomes.filter((outcome) => outcome === "RESEALED").length
        const write = {
          action: "encryptionKey.rotate",
          recordId: table,
          detail: { texts: `${count}` }
        }
        if (count > 0) yield* audit.recordAll(actorOf(operator, "operator"), [write])
        return { outcomes, last: texts.at(-1)?.id }
      }, tenantSql.transaction)

      /** All texts of the current tenant, once. */
      const pass = Effect.gen(function* () {
        const tenant = yield* CurrentTenant
        const tally: Tally = { texts: 0, resealed: 0, lost: [] }
        for (const table of sealedTables) {
          for (let after: SealedText["id"] | undefined; ;) {
            const { last, outcomes }: Batch = yield* batch(table, after)
            if (last === undefined) break
            after = last
            tally.texts += outcomes.length
            tally.resealed += outcomes.filter((outcome) => outcome === "RESEALED").length
            const lost = outcomes.filter((outcome) => outcome === "LOST")
            tally.lost.push(...lost.map(() => ({ tenant, table })))
          }
        }
        return tally
      })

      const isOfKeyBefore = ({ id, tokenHash }: OpenLink, tenant: TenantId) =>
        !Secret.matches(Redacted.value(links.token(tenant, id)), [tokenHash])

      /** The open links of the current tenant that the first key has not made. */
      const linksBefore = Effect.gen(function* () {
        const tenant = yield* CurrentTenant
        const ends: Array<Instant> = []
        for (let after: InvitationId | undefined; ;) {
          const open: ReadonlyArray<OpenLink> = yield* invitations.open(after, batchSize)
          if (open.length === 0) return ends
          after = open.at(-1)!.id
          const before = open.filter((link) => isOfKeyBefore(link, tenant))
          ends.push(...before.map(({ expiresAt }) => expiresAt))
        }
      })

      const rotate = Effect.gen(function* () {
        const ids = (yield* tenants.list).map(({ id }) => id)
        const inEach = <A>(effect: Effect.Effect<A, never, CurrentTenant>) =>
          Effect.forEach(ids, (id) => Effect.provideService(effect, CurrentTenant, id))
        let total = 0
        for (let turn = 1; ; turn++) {
          const tallies = yield* inEach(pass)
          const count = sum(tallies.map(({ resealed }) => resealed))
          total += count
          // What was sealed under the key before while this was under way is met the next time.
          if (count > 0 && turn < passes) continue
          const ends = (yield* inEach(linksBefore)).flat()
          return {
            tenants: ids.length,
            texts: sum(tallies.map(({ texts }) => texts)),
            resealed: total,
            lost: tallies.flatMap(({ lost }) => lost),
            unsettled: count > 0,
            links: { count: ends.length, until: ends.sort().at(-1) }
          }
        }
      }).pipe(Effect.withSpan("EncryptionKeyRotation.rotate"))

      return EncryptionKeyRotation.of({ rotate })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      InvitationsRepo.layer,
      OneTimeLinkKey.layer,
      SealedTextsRepo.layer,
      TenantsRepo.layer
    ])
  )
}

/** What became of each text of a batch, and the last row of it. */
interface Batch {
  readonly outcomes: ReadonlyArray<string>
  readonly last: SealedText["id"] | undefined
}

interface Tally {
  texts: number
  resealed: number
  readonly lost: Array<LostText>
}

const sum = (counts: ReadonlyArray<number>): number =>
  counts.reduce((total, count) => total + count, 0)
