/** `quittance admin seals`: by what a tenant seals what was signed. */
import type { SealCertificate } from "@quittance/domain/signatures/SealKey"
import { Certificates } from "@quittance/operations/signatures/Certificates"
import { SealKeys } from "@quittance/operations/signatures/SealKeys"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { Ids } from "@quittance/persistence/sql/Ids"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Config, Console, Effect, FileSystem, Layer } from "effect"
import { Argument, Command } from "effect/cli"
import { asProblems, problem } from "../Problem.ts"
import * as AdminDatabase from "./AdminDatabase.ts"
import { forTenant, tenant } from "./AdminTenant.ts"
import type { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

const layer = Layer.mergeAll(Certificates.layer, SealKeys.layer, TenantsRepo.layer).pipe(
  Layer.provide([Ids.layer, KeyEncryption.layer]),
  Layer.provide(TenantSql.layer),
  Layer.provide(Sql.layer),
  Layer.provide(AdminDatabase.layer)
)

/** Runs a command on the seals of a tenant that is there. */
const onSeals = <A, E extends Error, R>(
  id: TenantId,
  effect: Effect.Effect<A, E, R | Certificates | SealKeys | CurrentTenant>
) => forTenant(id, effect).pipe(Effect.provide(layer), asProblems)

const list = Command.make("list", { tenant }, ({ tenant }) =>
  onSeals(
    tenant,
    Effect.gen(function* () {
      const { certificates } = yield* Certificates.use(({ list }) => list)
      if (certificates.length === 0) return yield* Console.error(`${tenant} has no seals.`)
      yield* Console.log(certificates.map(line).join("\n"))
    })
  )
).pipe(Command.withDescription("The certificates of a tenant: what each is for, and until when"))

const line = ({ issuer, sha256, status, subject, use, validUntil }: SealCertificate): string =>
  `${sha256}  ${use}  ${status}  ${subject}  issued by ${issuer}  until ${validUntil}`

const create = Command.make("create", { tenant }, ({ tenant }) =>
  onSeals(
    tenant,
    Effect.gen(function* () {
      const id = yield* SealKeys.use(({ create }) => create)
      yield* Console.log(`${tenant} seals by ${id}.`)
      yield* Console.error("Readers of sealed files will say that they don't know the issuer.")
    })
  )
).pipe(Command.withDescription("Make the authority, the seal and the time stamp of a sandbox"))

/** Not among the arguments, which every user of the machine can read while the command runs. */
const password = Config.Redacted("SEAL_PASSWORD")

const importSeal = Command.make(
  "import",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("The PKCS#12 file of a trust service, with its chain")
    ),
    tenant
  },
  ({ file, tenant }) =>
    onSeals(
      tenant,
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const bytes = yield* fs
          .readFile(file)
          .pipe(Effect.mapError((cause) => problem(`${file} can't be read.`, cause)))
        const secret = yield* password.pipe(
          Effect.mapError((cause) => problem("Give the password in SEAL_PASSWORD.", cause))
        )
        const id = yield* SealKeys.use((seals) => seals.importPkcs12(bytes, secret))
        yield* Console.log(`${tenant} seals by ${id}.`)
      })
    )
).pipe(
  Command.withDescription("Seal by the certificate of a trust service from now on"),
  Command.withExamples([
    {
      command: "SEAL_PASSWORD=… quittance admin seals import seal.p12 --tenant acme",
      description: "The seal before is retired, and its key destroyed"
    }
  ])
)

const retire = Command.make(
  "retire",
  {
    seal: Argument.String("seal").pipe(
      Argument.withDescription("The SHA-256 of its certificate, as `list` shows it")
    ),
    tenant
  },
  ({ seal, tenant }) =>
    onSeals(
      tenant,
      Effect.gen(function* () {
        yield* SealKeys.use((seals) => seals.retire(seal))
        yield* Console.log(`${seal} seals nothing any more; what it has sealed stays valid.`)
      })
    )
).pipe(Command.withDescription("Destroy the key of a seal, as when another party may have it"))

export const sealsCommand = Command.make("seals").pipe(
  Command.withDescription("By what a tenant seals what was signed"),
  Command.withSubcommands([list, create, importSeal, retire])
)
