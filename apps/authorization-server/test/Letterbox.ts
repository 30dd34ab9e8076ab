/** The authorization servers, and the sender of mail, which writes into a folder of the test. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { CurrentCaller, type Caller } from "@quittance/domain/requests/Caller"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { Invitations } from "@quittance/operations/access/Invitations"
import { OutgoingMail } from "@quittance/operations/access/OutgoingMail"
import { Mailer } from "@quittance/operations/mail/Mailer"
import { Users } from "@quittance/operations/access/Users"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { ConfigProvider, Context, Effect, FileSystem, Layer } from "effect"
import { join } from "node:path"
import * as Server from "./Server.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

/** Where the letters land, for as long as the test runs. */
export class Folder extends Context.Service<Folder, string>()("test/Folder") {
  static readonly layer = Layer.effect(
    Folder,
    Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())
  )
}

const configuration = ConfigProvider.layer(
  Effect.map(Folder, (folder) => ConfigProvider.fromUnknown({ MAIL_DIR: folder }))
)

export const TestLayer = Layer.mergeAll(
  Invitations.layer,
  OutgoingMail.layer.pipe(Layer.provide(Mailer.layerFolder)),
  Users.layer,
  UsersRepo.layer
).pipe(
  Layer.provideMerge(Server.TestLayer),
  Layer.provideMerge(configuration),
  Layer.provideMerge(Folder.layer),
  Layer.provideMerge(NodeServices.layer)
)

/** The tenant's manager, in whose name people are let in. */
export const asManager =
  (tenant: TenantId) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const users = yield* UsersRepo
      const { id } = (yield* users.findLogin(`manager@${tenant}.test`))!
      const caller: Caller = { _tag: "User", userId: id }
      return yield* effect.pipe(
        Effect.provideService(CurrentCaller, caller),
        Effect.provideService(CurrentRequest, {
          id: "test",
          dryRun: false,
          address: "127.0.0.1",
          userAgent: "test",
          answer: { replayed: false }
        })
      )
    }).pipe(Server.as(tenant))

export interface Received {
  readonly file: string
  readonly mail: string
  /** The path and query of the link. */
  readonly link: string
}

/** Has the letters sent that wait; those of the tenant to this address, the newest file last. */
export const receive = Effect.fn(function* (tenant: TenantId, to: string) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* Folder
  const letters = yield* OutgoingMail
  while (yield* letters.round) {}
  const files = (yield* fs.readDirectory(folder)).filter((name) => name.startsWith(`${tenant}.`))
  const all = yield* Effect.forEach(files, (file) =>
    Effect.map(fs.readFileString(join(folder, file)), (mail): Received => ({
      file,
      mail,
      link: /^http:\/\/[^/]+(\/\S+)\r$/mu.exec(mail)?.[1] ?? ""
    }))
  )
  return all.filter(({ mail }) => mail.includes(`\r\nTo: <${to}>\r\n`))
})

/** Invites a person, and takes the mail out of the box. */
export const invite = Effect.fn(function* (tenant: TenantId, email: string, firstName?: string) {
  const input = {
    email,
    permissions: [{ role: "BROKER", on: { kind: "TENANT" } }],
    ...(firstName === undefined ? {} : { firstName })
  } as const
  const { id } = yield* Invitations.use((invitations) => invitations.create(input)).pipe(
    asManager(tenant)
  )
  const [letter] = yield* receive(tenant, email.toLowerCase())
  return { id, link: letter!.link }
})

/** Whether the link of an invitation was used up. */
export const isUsed = (id: string) =>
  Effect.gen(function* () {
    const sql = yield* SuperuserSql
    const [row] = yield* sql<{ readonly used: boolean }>`
      SELECT used_at IS NOT NULL AS used FROM invitation WHERE id = ${id}
    `
    return row!.used
  })
