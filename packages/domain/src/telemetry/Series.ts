/** The series of the metrics in the catalogue: one for each combination of labels that has occurred. */
import { Context, Effect, Metric, type Scope } from "effect"
import { catalogue, type Described } from "./Catalogue.ts"

type Catalogue = typeof catalogue

/** The metrics of a kind, by their keys in the catalogue. */
type KeyOf<Kind extends Described["kind"]> = {
  readonly [Key in keyof Catalogue]: Catalogue[Key]["kind"] extends Kind ? Key : never
}[keyof Catalogue]

/** What tells a series from the others of its metric; a label may be left out. */
export type Labels<Key extends keyof Catalogue> = Readonly<
  Partial<Record<Catalogue[Key]["labels"][number], string>>
>

/**
 * Upper bounds in seconds, those that OpenTelemetry advises for requests. Rounds of jobs take as long as
 * several of those.
 */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

const settings = (key: keyof Catalogue, labels: Readonly<Record<string, string | undefined>>) => {
  const { help, unit }: Described = catalogue[key]
  const known = Object.entries(labels).flatMap(([label, value]): Array<[string, string]> =>
    value === undefined ? [] : [[label, value]]
  )
  return { description: help, attributes: { ...Object.fromEntries(known), unit } }
}

/** A counter's series; a scrape shows it from its first update on. */
export const counter = <Key extends KeyOf<"counter">>(key: Key, labels: Labels<Key>) =>
  Metric.counter(catalogue[key].name, {
    ...settings(key, labels),
    incremental: true
  })

/** A gauge's series. */
export const gauge = <Key extends KeyOf<"gauge">>(key: Key, labels: Labels<Key>) =>
  Metric.gauge(catalogue[key].name, settings(key, labels))

/** A histogram's series, of seconds. */
export const histogram = <Key extends KeyOf<"histogram">>(key: Key, labels: Labels<Key>) =>
  Metric.histogram(catalogue[key].name, { ...settings(key, labels), boundaries: bounds })

/** A gauge that is read whenever the metrics are, for as long as the scope is open. */
export const observe = <Key extends KeyOf<"gauge">>(
  key: Key,
  labels: Labels<Key>,
  read: () => number
): Effect.Effect<void, never, Scope.Scope> => {
  const series = gauge(key, labels)
  return registered((context) =>
    Metric.registerUnsafe(series, context, {
      ...readOnly,
      get: () => ({ value: read() })
    })
  )
}

/** A counter of which something else keeps the sum, read whenever the metrics are. */
export const observeTotal = <Key extends KeyOf<"counter">>(
  key: Key,
  labels: Labels<Key>,
  read: () => number
): Effect.Effect<void, never, Scope.Scope> => {
  const series = counter(key, labels)
  return registered((context) =>
    Metric.registerUnsafe(series, context, {
      ...readOnly,
      get: () => ({ count: read(), incremental: true })
    })
  )
}

const readOnly = { update: () => undefined, modify: () => undefined }

const registered = (register: (context: Context.Context<never>) => Metric.Registration) =>
  Effect.asVoid(
    Effect.acquireRelease(Effect.map(Effect.context<never>(), register), (registration) =>
      Effect.sync(() => registration.remove())
    )
  )

/**
 * What has to be measured before the metrics are read, such as what waits in the database. Each measures
 * at most every few seconds and never fails.
 */
export const Measurements = Context.Reference<Set<Effect.Effect<void>>>(
  "@quittance/domain/telemetry/Measurements",
  { defaultValue: () => new Set() }
)

/** Adds a measurement, for as long as the scope is open. */
export const measureBefore = (
  measure: Effect.Effect<void>
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.flatMap(Measurements, (all) =>
    Effect.asVoid(
      Effect.acquireRelease(
        Effect.sync(() => all.add(measure)),
        () => Effect.sync(() => all.delete(measure))
      )
    )
  )

/** Measures what is to be measured before the metrics are read. */
export const measureAll: Effect.Effect<void> = Effect.flatMap(Measurements, (all) =>
  Effect.forEach(all, (measure) => measure, { concurrency: "unbounded", discard: true })
)
