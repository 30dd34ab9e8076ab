/** The loop that sends letters, through a database that fails for a while. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Invitations } from "@quittance/operations/access/Invitations"
import { OutgoingMail } from "@quittance/operations/access/OutgoingMail"
import { Mailer } from "@quittance/operations/mail/Mailer"
import { Issuers } from "@quittance/operations/tokens/Issuers"
import { OwnerSql } from "@quittance/testing/PgTest"
import {
  ConfigProvider,
  Context,
  Duration,
  Effect,
  FileSystem,
  Layer,
  Logger,
  Schedule
} from "effect"
import * as World from "../../../packages/operations/test/World.ts"
import * as Loop from "@quittance/operations/worker/Loop"

class Folder extends Context.Service<Folder, string>()("test/Folder") {
  static readonly layer = Layer.effect(
    Folder,
    Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())
  )
}

const configuration = ConfigProvider.layer(
  Effect.map(Folder, (folder) =>
    ConfigProvider.fromUnknown({
      MAIL_DIR: folder,
      MAIL_FROM: "people@acme.test"
    })
  )
)

const sender = Layer.provide(OutgoingMail.layer, Mailer.layerFolder)

const TestLayer = Layer.merge(Invitations.layer, sender).pipe(
  Layer.provideMerge(Issuers.layerOf("https://{tenant}.auth.test", "https://api.test")),
  Layer.provideMerge(World.layer),
  Layer.provideMerge(configuration),
  Layer.provideMerge(Folder.layer),
  Layer.provideMerge(NodeServices.layer)
)

const invite = Effect.fnUntraced(function* (world: World.World, email: string) {
  const permissions = [{ role: "BROKER", on: { kind: "TENANT" } }] as const
  yield* Invitations.use((invitations) =>
    World.as(world, world.manager)(invitations.create({ email, permissions }))
  )
})

const schedule = Schedule.spaced("10 millis")

/** Waits until so many letters are in the folder. */
const letters = (count: number) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* Folder
    // One that is still being written has another name.
    const files = (yield* fs.readDirectory(folder)).filter((file) => file.endsWith(".eml"))
    return yield* Effect.forEach(files, (file) => fs.readFileString(`${folder}/${file}`))
  }).pipe(Effect.repeat({ until: (mails) => mails.length >= count, schedule }))

layer(TestLayer, { excludeTestServices: true })("the sender of letters", (it) => {
  it.effect("goes on after it could not look for letters", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const owner = yield* OwnerSql
      yield* invite(world, "ada@example.test")
      yield* owner.unsafe("ALTER TABLE letter RENAME TO letter_away")
      const said: Array<string> = []
      const log = Logger.layer([Logger.make(({ message }) => said.push(String(message)))])
      const { round } = yield* OutgoingMail
      const loop = yield* Loop.make({ name: "letters", pause: Duration.millis(10), round })
      yield* Effect.forkScoped(Effect.provide(loop.run, log))
      yield* Effect.repeat(
        Effect.sync(() => said),
        { until: ([first]) => first !== undefined, schedule }
      )
      assert.include(said[0], "The job letters has failed")
      yield* owner.unsafe("ALTER TABLE letter_away RENAME TO letter")
      const [mail] = yield* letters(1)
      assert.include(mail, "\r\nFrom: Test <people@acme.test>\r\n")
      assert.include(mail, `https://${world.tenant}.auth.test/invitation?token=`)
      yield* invite(world, "bob@example.test")
      yield* letters(2)
    })
  )
})
