/** `quittance admin audit`: whether the audit trail of a tenant still is what was written. */
import { type Anchor, formatAnchor, parseAnchor } from "@quittance/domain/audit/Audit"
import { AuditVerification, type Verified } from "@quittance/operations/audit/AuditVerification"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Console, Effect, Layer, Option, Runtime, Schema, SchemaGetter } from "effect"
import { Command, Flag } from "effect/cli"
import { asProblems } from "../Problem.ts"
import { counted } from "../terminal/Numbers.ts"
import * as AdminDatabase from "./AdminDatabase.ts"
import { forTenant, tenant } from "./AdminTenant.ts"

const layer = Layer.mergeAll(AuditVerification.layer, TenantsRepo.layer).pipe(
  Layer.provide(TenantSql.layer),
  Layer.provide(Sql.layer),
  Layer.provide(AdminDatabase.layer)
)

/** What is wrong is printed already; what is left to say is the exit code. */
export class NotSound extends Schema.TaggedError<NotSound>()("NotSound", {}) {
  override readonly [Runtime.errorReported] = false
}

const AnchorFromString = Schema.String.check(
  Schema.makeFilter((text) => parseAnchor(text) !== undefined, {
    message: "Expected POSITION:HASH, as this command prints it"
  })
).pipe(
  Schema.decodeTo(Schema.Struct({ position: Schema.Int, hash: Schema.String }), {
    // The check above has already refused what does not parse.
    decode: SchemaGetter.transform((text) => parseAnchor(text)!),
    encode: SchemaGetter.transform(formatAnchor)
  })
)

const verify = Command.make(
  "verify",
  {
    tenant,
    anchor: Flag.String("anchor").pipe(
      Flag.withDescription("An end of the chain that was noted down before, as POSITION:HASH"),
      Flag.withSchema(AnchorFromString),
      Flag.optional
    )
  },
  Effect.fn(function* ({ anchor, tenant }) {
    const verified = yield* forTenant(
      tenant,
      AuditVerification.use(({ verify }) => verify(Option.getOrUndefined(anchor)))
    ).pipe(Effect.provide(layer), asProblems)
    yield* Console.log(report(verified, Option.getOrUndefined(anchor)))
    if (verified.faults.length > 0) return yield* new NotSound()
  })
).pipe(
  Command.withDescription("Recompute the chain of an audit trail, and tell what does not fit"),
  Command.withExamples([
    {
      command: "quittance admin audit verify --tenant acme",
      description: "Ends with 1 if a row was changed, removed or put in; else prints an anchor"
    },
    {
      command: "quittance admin audit verify --tenant acme --anchor 1234:9f86d0…",
      description: "Also finds an end that was cut off, and a chain that was written again"
    }
  ])
)

const report = ({ faults, head, sound, unsealed }: Verified, anchor: Anchor | undefined): string =>
  [
    ...faults.map(({ problem, rowId }) =>
      rowId === undefined || problem.includes(rowId)
        ? `broken    ${problem}`
        : `broken    ${problem} It is ${rowId}.`
    ),
    `sound     ${counted(sound, "row")} from the first on`,
    `unsealed  ${counted(unsealed.rows, "row")}${unsealed.oldest === undefined ? "" : `, the oldest of ${unsealed.oldest}`}`,
    ...(head === undefined ? [] : [`anchor    ${formatAnchor(head)}`]),
    ...(anchor === undefined || faults.some(({ kind }) => kind !== "LATE")
      ? []
      : [`matches   ${formatAnchor(anchor)}`])
  ].join("\n")

export const auditCommand = Command.make("audit").pipe(
  Command.withDescription("The audit trail of a tenant"),
  Command.withSubcommands([verify])
)
