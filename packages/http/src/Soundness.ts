/** What no part of a request may hold, whatever its schema: the database or we could not keep it. */
import type { RequestIssue, RequestPart } from "@quittance/domain/requests/RequestErrors"

/** Members below members; no body of the interface comes near. */
const maxDepth = 32

/** `~` and `/` in a member's name, as a JSON pointer writes them (RFC 6901, section 3). */
export const pointerSegment = (key: string | number): string =>
  `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`

/** Every text that PostgreSQL or UTF-8 cannot hold, and nesting without end. */
export const unsound = (
  part: RequestPart,
  value: unknown,
  pathOf: (segments: ReadonlyArray<string>) => string
): ReadonlyArray<RequestIssue> => {
  const issues: Array<RequestIssue> = []
  const report = (segments: ReadonlyArray<string>, message: string) =>
    issues.push({ in: part, path: pathOf(segments), message })
  const walk = (value: unknown, segments: ReadonlyArray<string>) => {
    if (typeof value === "string") {
      const fault = textFault(value)
      if (fault !== undefined) report(segments, fault)
    } else if (typeof value === "object" && value !== null) {
      if (segments.length === maxDepth)
        return report(segments, `Expected less than ${maxDepth} levels`)
      for (const [key, member] of Object.entries(value)) {
        const below = [...segments, key]
        const fault = key === "__proto__" ? "Expected another name" : textFault(key)
        if (fault === undefined) walk(member, below)
        else report(below, fault)
      }
    }
    return undefined
  }
  walk(value, [])
  return issues
}

const textFault = (text: string): string | undefined => {
  if (text.includes("\0")) return "Expected a text without the character NUL"
  return text.isWellFormed() ? undefined : "Expected a text without lone surrogates"
}
