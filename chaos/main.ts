/**
 * `pnpm chaos billing` kills workers, their connections and their database at random instants, and then holds
 * every bill, posting and state to an independent model. It ends with 1 at any difference. `pnpm chaos hosts`
 * does so on two machines, with PgBouncer between them and the database. `pnpm chaos events` kills workers
 * while others record events, and holds what consumers were told to the log. `pnpm chaos documents` kills
 * dispatchers, APIs and renderers while documents become due and are read. `pnpm chaos versions` holds what is read of a policy's versions to another model, for `--minutes` or so many `--lives`; the same seed lives
 * the same life, and one that differs is made as short as it can be.
 *
 * `--kills`, `--workers`, `--policies`, `--pauses`, `--seed` say how much and which; `--long` kills a
 * thousand times. With `--kills 0` nothing is killed, and far more is done in the same time. Which draws are
 * made depends on the seed alone, when they hit on the machine, too.
 */
import { Effect, References } from "effect"
import { Reactivity } from "effect/reactivity"
import { parseArgs } from "node:util"
import * as Campaign from "./Campaign.ts"
import * as Documents from "./documents/Main.ts"
import * as Events from "./events/Main.ts"
import * as Hosts from "./Hosts.ts"
import * as Namespaces from "./Namespaces.ts"
import * as Report from "./Report.ts"
import * as Versions from "./versions/Main.ts"

interface Asked {
  readonly subject: keyof typeof subjects
  readonly settings: Campaign.Settings & Versions.Settings
}

const usage = `pnpm chaos billing|documents|events|hosts [--long] [--kills N] [--workers N] [--policies N] [--pauses N] [--seed S]
pnpm chaos versions [--minutes N] [--lives N] [--seed S]

billing    kills workers, their connections and their database, and compares every bill with a model
hosts      does so on two machines, with PgBouncer between them and the database
documents  kills dispatchers, APIs and renderers while documents become due and are read
events     kills them while four writers record events, and compares what consumers were told
versions   draws commands and reads of policy versions, and compares each answer with a model
--long     a thousand kills
--kills    how often something is killed; with 0 nothing is killed
--minutes  how long versions are drawn
--lives    how many policies they are drawn for; with 0 as many as fit
--seed     which draws are made`

const isHelpWanted = process.argv.slice(2).some((argument) => ["--help", "-h"].includes(argument))

/** The arguments; `undefined` where they are not what the command takes. */
const parsed = (): Asked | undefined => {
  try {
    return parse()
  } catch {
    return undefined
  }
}

const parse = (): Asked | undefined => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      long: { type: "boolean", default: false },
      kills: { type: "string" },
      workers: { type: "string" },
      policies: { type: "string" },
      pauses: { type: "string" },
      seed: { type: "string" },
      minutes: { type: "string" },
      lives: { type: "string" }
    }
  })
  const [kills, policies] = values.long ? [1000, 120] : [25, 40]
  const settings: Asked["settings"] = {
    kills: Number(values.kills ?? kills),
    workers: Number(values.workers ?? 3),
    policies: Number(values.policies ?? policies),
    pauses: Number(values.pauses ?? 40),
    seed: Number(values.seed ?? 1),
    minutes: Number(values.minutes ?? 1),
    lives: Number(values.lives ?? 0)
  }
  const isUsable = Object.values(settings).every(Number.isSafeInteger) && settings.workers > 0
  const [subject, ...more] = positionals
  if (!isSubject(subject) || more.length > 0) return undefined
  return isUsable ? { settings, subject } : undefined
}

/** What each name runs; whether all was as it must be. */
const subjects = {
  billing: (settings: Campaign.Settings) =>
    Effect.flatMap(Campaign.run(settings), (ended) => Report.print(settings, ended)),
  documents: Documents.run,
  events: Events.run,
  hosts: Hosts.run,
  versions: Versions.run
}

const isSubject = (name: string | undefined): name is keyof typeof subjects =>
  name !== undefined && Object.hasOwn(subjects, name)

const main = async (): Promise<number> => {
  if (isHelpWanted) {
    process.stdout.write(`${usage}\n`)
    return 0
  }
  const asked = parsed()
  if (asked === undefined) {
    process.stderr.write(`${usage}\n`)
    return 2
  }
  if (asked.subject === "hosts" && !Namespaces.isPrivate()) {
    const obstacle = Namespaces.obstacle()
    if (obstacle === undefined) return Namespaces.again()
    process.stdout.write(`Workers share this machine's network: ${obstacle}.\n`)
  }
  const isSound = await subjects[asked.subject](asked.settings).pipe(
    // What workers and people are told while the database is away is not news.
    Effect.provideService(References.MinimumLogLevel, "None"),
    Effect.provide(Reactivity.layer),
    Effect.scoped,
    Effect.runPromise
  )
  return isSound ? 0 : 1
}

process.exitCode = await main()
