/** `quittance admin encryption-key`: another `KEY_ENCRYPTION_KEY` in the place of the one before. */
import {
  EncryptionKeyRotation,
  type EncryptionKeyRotated,
  type LostText
} from "@quittance/operations/provisioning/EncryptionKeyRotation"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { Ids } from "@quittance/persistence/sql/Ids"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Console, Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { asProblems, problem } from "../Problem.ts"
import { counted } from "../terminal/Numbers.ts"
import * as AdminDatabase from "./AdminDatabase.ts"

const layer = EncryptionKeyRotation.layer.pipe(
  Layer.provide([Ids.layer, KeyEncryption.layer]),
  Layer.provide(TenantSql.layer),
  Layer.provide(Sql.layer),
  Layer.provide(AdminDatabase.layer)
)

const rotate = Command.make(
  "rotate",
  {},
  Effect.fn(
    function* () {
      const rotated = yield* EncryptionKeyRotation.use(({ rotate }) => rotate)
      yield* Console.log(report(rotated))
      if (rotated.lost.length > 0) return yield* problem(ofLost(rotated.lost))
      if (rotated.unsettled) {
        return yield* problem(
          "A program still stores under the key before: give every program the new key first, then run this again."
        )
      }
      yield* Console.error(advice(rotated))
    },
    Effect.provide(layer),
    asProblems
  )
).pipe(
  Command.withDescription("Store everything under the first key of KEY_ENCRYPTION_KEY"),
  Command.withExamples([
    {
      command: "KEY_ENCRYPTION_KEY=NEW,OLD quittance admin encryption-key rotate",
      description:
        "While programs run that have both keys; may be stopped at any time and run again"
    },
    {
      command: "KEY_ENCRYPTION_KEY=NEW quittance admin encryption-key rotate",
      description: "Ends with 1 if anything still needs another key"
    }
  ])
)

const report = ({ links, resealed, tenants, texts }: EncryptionKeyRotated): string =>
  [
    `stored    ${counted(texts, "secret")} of ${counted(tenants, "tenant")}`,
    `resealed  ${counted(resealed, "secret")}`,
    `links     ${counted(links.count, "open link")} of another key${links.until === undefined ? "" : `, the last until ${links.until}`}`
  ].join("\n")

const ofLost = (lost: ReadonlyArray<LostText>): string => {
  const places = new Set(lost.map(({ table, tenant }) => `${table} of ${tenant}`))
  const [first, ...others] = places
  const where = others.length === 0 ? first : `${first} and ${counted(others.length, "more place")}`
  return `${counted(lost.length, "secret")} can't be opened with the keys that were given, in ${where}: give the key before after the new one, as NEW,OLD.`
}

const advice = ({ links }: EncryptionKeyRotated): string =>
  links.until === undefined
    ? "Programs need the first key alone."
    : `Give programs the first key alone after ${links.until}; before, the open links of letters would end with the key that made them.`

export const encryptionKeyCommand = Command.make("encryption-key").pipe(
  Command.withDescription("The key of the service, KEY_ENCRYPTION_KEY"),
  Command.withSubcommands([rotate])
)
