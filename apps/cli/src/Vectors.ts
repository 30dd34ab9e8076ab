/**
 * Runs files of test vectors, `{ topic, cases: [{ id, topic?, input, expected }] }`, against the code. A case
 * without a topic of its own is of the file's.
 */
import { Schema } from "effect"
import { billingTopics } from "./vectors/BillingTopics.ts"
import { claimTopics } from "./vectors/ClaimTopics.ts"
import { correctionTopics } from "./vectors/CorrectionTopics.ts"
import { identifierTopics } from "./vectors/IdentifierTopics.ts"
import { paymentTopics } from "./vectors/PaymentTopics.ts"
import { priceTopics } from "./vectors/PriceTopics.ts"
import { stopTopics } from "./vectors/StopTopics.ts"
import type { Topic } from "./vectors/Topic.ts"

export interface VectorFile {
  readonly name: string
  readonly text: string
}

export interface VectorResult {
  readonly file: string
  readonly id: string
  readonly passed: boolean
  readonly expected: string
  readonly got: string
}

/** Every case of every file. A file that is no vector file, or has no case, is one failure. */
export const run = (files: ReadonlyArray<VectorFile>): ReadonlyArray<VectorResult> =>
  files.flatMap(runFile)

/** Each failure with what was expected and what came, then `N passed, N failed`. */
export const format = (results: ReadonlyArray<VectorResult>): string => {
  const failures = results.filter(({ passed }) => !passed)
  return [
    ...failures.map(
      ({ expected, file, got, id }) => `${file} ${id}\n  expected ${expected}\n  got      ${got}`
    ),
    `${results.length - failures.length} passed, ${failures.length} failed`
  ].join("\n")
}

const Case = Schema.Struct({
  id: Schema.String,
  topic: Schema.optionalKey(Schema.String),
  input: Schema.Unknown,
  expected: Schema.Unknown
})
const File = Schema.Struct({
  topic: Schema.String,
  cases: Schema.Array(Case).check(Schema.isMinLength(1))
})

const runFile = ({ name: fileName, text }: VectorFile): ReadonlyArray<VectorResult> => {
  const failure = (got: string): VectorResult => ({
    file: fileName,
    id: "(file)",
    passed: false,
    expected: "a file of vectors",
    got
  })
  let file: typeof File.Type
  try {
    file = Schema.decodeUnknownSync(File)(parseExact(text))
  } catch (error) {
    return [failure(String(error))]
  }
  return file.cases.map(({ expected, id, input, topic: name = file.topic }) => {
    const topic = topics.get(name)
    if (topic === undefined) return { ...failure(`no topic ${name}`), id }
    const [wanted, got] = [canonical(expected), outcome(topic, input)]
    return { file: fileName, id, passed: wanted === got, expected: wanted, got }
  })
}

/** What a topic makes of an input; a refusal of it is `{ error: true }`. */
const outcome = (topic: Topic, input: unknown): string => {
  try {
    return canonical(topic(input))
  } catch (error) {
    const isRefusal = typeof error === "object" && error !== null && "_tag" in error
    return isRefusal ? canonical({ error: true }) : String(error)
  }
}

const topics: ReadonlyMap<string, Topic> = new Map([
  ...billingTopics,
  ...claimTopics,
  ...correctionTopics,
  ...identifierTopics,
  ...paymentTopics,
  ...priceTopics,
  ...stopTopics
])

/** JSON with integers beyond 2^53 kept as they are written. */
const parseExact = (text: string): unknown => {
  // The type of `JSON.parse` does not know the reviver's third argument yet (ES2026).
  const reviver = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)
      ? BigInt(context?.source ?? value)
      : value
  return JSON.parse(text, reviver)
}

/** One text for one value: members by name, integers of either type alike. */
const canonical = (value: unknown): string => {
  if (typeof value === "bigint") return String(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(",")}}`
  }
  return JSON.stringify(value) ?? "undefined"
}
