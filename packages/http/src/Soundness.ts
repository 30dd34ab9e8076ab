/** What no part of a request may hold, whatever its schema: the database or we could not keep it. */
import type { RequestIssue, RequestPart } from "@quittance/domain/requests/RequestErrors"

/** Members below members; no body of the interface comes near. */
const maxDepth = 32

/** Characters of a member's name that a fault repeats: a name may be as long as the body. */
const longestName = 200

/** Faults of one body that anybody reads; a body of a megabyte may have a hundred thousand. */
const mostFaults = 100

/** `~` and `/` in a member's name, as a JSON pointer writes them (RFC 6901, section 3). */
export const pointerSegment = (key: string | number): string =>
  `/${String(key).slice(0, longestName).replaceAll("~", "~0").replaceAll("/", "~1")}`

/** The texts that PostgreSQL or UTF-8 cannot hold, the first hundred; and nesting without end. */
export const unsound = (
  part: RequestPart,
  value: unknown,
  pathOf: (segments: ReadonlyArray<string>) => string
): ReadonlyArray<RequestIssue> => {
  const issues: Array<RequestIssue> = []
  const report = (segments: ReadonlyArray<string>, message: string) =>
    issues.push({ in: part, path: pathOf(segments), message })
  const walk = (value: unknown, segments: ReadonlyArray<string>) => {
    if (issues.length === mostFaults) return
    if (typeof value === "string") {
      const fault = textFault(value)
      if (fault !== undefined) report(segments, fault)
    } else if (typeof value === "object" && value !== null) {
      if (segments.length === maxDepth) {
        report(segments, `Expected less than ${maxDepth} levels`)
        return
      }
      for (const [key, member] of Object.entries(value)) {
        const below = [...segments, key]
        const fault = key === "__proto__" ? "Expected another name" : textFault(key)
        if (fault === undefined) walk(member, below)
        else if (issues.length < mostFaults) report(below, fault)
      }
    }
  }
  walk(value, [])
  return issues
}

const textFault = (text: string): string | undefined => {
  if (text.includes("\0")) return "Expected a text without the character NUL"
  return text.isWellFormed() ? undefined : "Expected a text without lone surrogates"
}
