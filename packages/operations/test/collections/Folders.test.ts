/** Files leave by folders exactly once, and what banks leave there is read once. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { afterAll, assert, layer } from "@effect/vitest"
import type { PaymentFileId } from "@quittance/domain/collections/PaymentFile"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Draw } from "@quittance/testing/Draw"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { ConfigProvider, Effect, FileSystem, Layer, References } from "effect"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { DebitSteps } from "../../src/collections/DebitSteps.ts"
import { FolderDelivery } from "../../src/collections/FolderDelivery.ts"
import { FolderReading } from "../../src/collections/FolderReading.ts"
import { PaymentFiles } from "../../src/collections/PaymentFiles.ts"
import { Mandates } from "../../src/payments/Mandates.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as Bank from "../treasury/Bank.ts"
import * as World from "../World.ts"
import * as Debited from "./Debited.ts"

const root = mkdtempSync(path.join(tmpdir(), "bank-"))
afterAll(() => rmSync(root, { recursive: true }))

/** What happens before and after each step on the disk. */
const meanwhile = { run: (): Effect.Effect<void> => Effect.void }
const step = <A, E, R>(taken: Effect.Effect<A, E, R>) =>
  Effect.suspend(meanwhile.run).pipe(
    Effect.andThen(taken),
    Effect.tap(() => Effect.suspend(meanwhile.run))
  )

const disk = Layer.effect(
  FileSystem.FileSystem,
  Effect.map(FileSystem.FileSystem, (fs) => ({
    ...fs,
    open: (...args: Parameters<typeof fs.open>) => step(fs.open(...args)),
    rename: (...args: Parameters<typeof fs.rename>) => step(fs.rename(...args)),
    remove: (...args: Parameters<typeof fs.remove>) => step(fs.remove(...args))
  }))
)

const TestLayer = Layer.mergeAll(FolderDelivery.layer, FolderReading.layer).pipe(
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ BANK_DIR: root }))),
  Layer.provideMerge(Layer.mergeAll(DebitSteps.layer, PaymentFiles.layer)),
  Layer.provideMerge(Bank.layerStatements),
  Layer.provideMerge(Debited.layer),
  Layer.provide(Layer.provideMerge(disk, NodeServices.layer))
)

const folder = ({ world }: Pick<Made, "world">, name: string) =>
  path.join(root, world.tenant, "collections", name)
const inFolder = (made: Pick<Made, "world">, name: string): ReadonlyArray<string> =>
  existsSync(folder(made, name)) ? readdirSync(folder(made, name)).toSorted() : []

/** A file that is filled, whose account has a folder; its payer was told on 2 April. */
const filled = Effect.gen(function* () {
  const world = yield* World.make(World.at("2026-03-10T09:00:00Z"), [World.motor, Debited.product])
  const account = yield* Debited.opened(world, { channel: "FOLDER" })
  const contract = yield* Debited.signed(world)
  yield* Contracts.moveTo(world, "2026-04-02T09:00:00Z")
  const run = World.as(world, world.manager)
  const [planned] = yield* Debited.debits(world, contract)
  const debit = yield* run(DebitSteps.use((all) => all.notify(planned!.id)))
  yield* Contracts.moveTo(world, `${debit.submitOn}T12:00:00Z`)
  const { data } = yield* run(PaymentFiles.use((all) => all.list({}, { count: 10, page: 1 })))
  return { world, account, contract, run, debit, file: data[0]! }
})
type Made = Effect.Success<typeof filled>

const fileOf = ({ file, run }: Made) => run(PaymentFiles.use((all) => all.get(file.id)))
const round = FolderDelivery.use((delivery) => delivery.round)

const deliver = ({ world }: Made, id: PaymentFileId) =>
  FolderDelivery.use((delivery) => delivery.deliver(id)).pipe(
    Effect.provideService(CurrentTenant, world.tenant)
  )

layer(TestLayer, { excludeTestServices: true })("a file for a folder", (it) => {
  it.effect("leaves by itself with its bytes, and is with the bank", () =>
    Effect.gen(function* () {
      const made = yield* filled
      assert.strictEqual(made.file.status, "FILLED")
      yield* round
      const { messageId, status } = yield* fileOf(made)
      assert.strictEqual(status, "DELIVERED")
      assert.deepStrictEqual(inFolder(made, "out"), [`${messageId}.xml`])
      assert.deepStrictEqual(inFolder(made, "tmp"), [])
      const { bytes } = yield* made.run(PaymentFiles.use((all) => all.content(made.file.id)))
      const out = readFileSync(path.join(folder(made, "out"), `${messageId}.xml`))
      assert.isTrue(out.equals(bytes))
      const [debit] = yield* Debited.debits(made.world, made.contract)
      assert.strictEqual(debit!.status, "SUBMITTED")
      const mandate = yield* made.run(Mandates.use((all) => all.get(made.contract.mandate.id)))
      assert.strictEqual(mandate.lastPresentedOn, debit!.collectOn)
      // Once more it does nothing, whatever the bank has done with it.
      rmSync(path.join(folder(made, "out"), `${messageId}.xml`))
      yield* deliver(made, made.file.id)
      yield* round
      assert.deepStrictEqual(inFolder(made, "out"), [])
    })
  )

  it.effect("leaves exactly once, wherever workers die, and whenever the bank takes it", () =>
    Effect.gen(function* () {
      const made = yield* filled
      const { file, world } = made
      const sql = yield* SuperuserSql
      const { bytes } = yield* made.run(PaymentFiles.use((all) => all.content(file.id)))
      let deaths = 0
      for (let seed = 0; seed < 200; seed++) {
        const draw = new Draw(seed)
        yield* sql`UPDATE payment_file SET status = 'SEALED', delivered_at = NULL
          WHERE tenant_id = ${world.tenant}`
        yield* sql`UPDATE debit SET status = 'IN_FILE' WHERE tenant_id = ${world.tenant}
          AND payment_file_id = ${file.id}`
        yield* sql`INSERT INTO file_delivery (tenant_id, payment_file_id)
          VALUES (${world.tenant}, ${file.id}) ON CONFLICT DO NOTHING`
        const taken: Array<Buffer> = []
        const take = () => {
          for (const name of inFolder(made, "out")) {
            taken.push(readFileSync(path.join(folder(made, "out"), name)))
            rmSync(path.join(folder(made, "out"), name))
          }
        }
        let isDelivered = false
        for (let attempt = 0; attempt < 50 && !isDelivered; attempt++) {
          // In the end nothing happens any more.
          const isQuiet = attempt > 20
          meanwhile.run = () =>
            Effect.suspend(() => {
              if (draw.chance(0.4)) take()
              const dies = !isQuiet && draw.chance(0.25)
              if (dies) deaths++
              return dies ? Effect.die("The worker died") : Effect.void
            })
          const workers = draw.chance(0.3) ? 2 : 1
          yield* Effect.all(
            Array.from({ length: workers }, () => Effect.exit(deliver(made, file.id))),
            { concurrency: "unbounded" }
          )
          meanwhile.run = () => Effect.void
          isDelivered = (yield* fileOf(made)).status === "DELIVERED"
        }
        take()
        assert.isTrue(isDelivered)
        assert.lengthOf(taken, 1, `seed ${seed}`)
        assert.isTrue(taken[0]!.equals(bytes))
        // What was delivered before a worker could end it is ended by the next round.
        yield* deliver(made, file.id)
      }
      assert.isAbove(deaths, 300)
    }).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          meanwhile.run = () => Effect.void
        })
      ),
      Effect.provideService(References.MinimumLogLevel, "None")
    )
  )

  it.effect("waits for people once its day is past", () =>
    Effect.gen(function* () {
      const made = yield* filled
      yield* made.run(PaymentFiles.use((all) => all.content(made.file.id)))
      yield* Contracts.moveTo(made.world, `${made.debit.submitOn}T13:00:00Z`)
      yield* round
      assert.strictEqual((yield* fileOf(made)).status, "SEALED")
      assert.deepStrictEqual(inFolder(made, "out"), [])
      assert.deepStrictEqual(inFolder(made, "tmp"), [])
    })
  )
})

const other = "FR7630006000011234567890189"

layer(TestLayer, { excludeTestServices: true })("what a bank leaves in a folder", (it) => {
  it.effect("is read once and moved, and what is no statement of the account is told apart", () =>
    Effect.gen(function* () {
      const world = yield* World.make(World.at("2026-12-05T09:00:00Z"), [])
      yield* Bank.opened(world, { channel: "FOLDER" })
      const made = { world }
      const place = folder(made, "in")
      const put = (name: string, bytes: Uint8Array | string) => {
        mkdirSync(place, { recursive: true })
        writeFileSync(path.join(place, name), bytes)
      }
      const statement = Bank.statement([Bank.entry(1_500)])
      const read = FolderReading.use((reading) => reading.round)
      put("first.xml", statement)
      put("second.xml.part", statement)
      put("nonsense.xml", "<a>")
      put("foreign.xml", statement.toString().replaceAll(Bank.ownIban, other))
      // Two readers at once.
      yield* Effect.all([read, read], { concurrency: 2 })
      assert.deepStrictEqual(inFolder(made, "in"), ["second.xml.part"])
      assert.deepStrictEqual(inFolder(made, "done"), ["first.xml"])
      assert.deepStrictEqual(inFolder(made, "failed"), ["foreign.xml", "nonsense.xml"])
      assert.deepStrictEqual(
        (yield* Bank.entries(world)).map(({ amount }) => amount),
        [1_500]
      )
      // As if its reader had died before it was moved.
      put("first.xml", statement)
      yield* read
      assert.deepStrictEqual(inFolder(made, "done"), ["1-first.xml", "first.xml"])
      assert.lengthOf(yield* Bank.entries(world), 1)
    }).pipe(Effect.provideService(References.MinimumLogLevel, "None"))
  )

  it.effect("of no account, or of one that has no folder, stays where it is", () =>
    Effect.gen(function* () {
      const world = yield* World.make(World.at("2026-12-05T09:00:00Z"), [])
      yield* Bank.opened(world)
      const made = { world }
      const unknown = path.join(root, "no-such-tenant", "collections", "in")
      for (const place of [folder(made, "in"), unknown]) {
        mkdirSync(place, { recursive: true })
        writeFileSync(path.join(place, "a.xml"), Bank.statement([Bank.entry(100)]))
      }
      writeFileSync(path.join(root, "README"), "No folder of a tenant.")
      yield* FolderReading.use((reading) => reading.round)
      assert.deepStrictEqual(inFolder(made, "in"), ["a.xml"])
      assert.deepStrictEqual(readdirSync(unknown), ["a.xml"])
      assert.deepStrictEqual(yield* Bank.entries(world), [])
    })
  )
})
