/** Pages for people, under a content security policy that lets them load nothing from elsewhere. */
import { HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"

export interface PageOptions {
  /** Lets scripts of the page add styles; else only the page's own `<style>` elements count. */
  readonly dynamicStyles?: boolean
  /** Lets the page call the server that it came from. */
  readonly connects?: boolean
}

/** The page as an answer. Its inline scripts and styles are allowed by their hash, and no others. */
export const response = (
  html: string,
  { connects = false, dynamicStyles = false }: PageOptions = {}
): HttpServerResponse.HttpServerResponse => {
  const policy = {
    "default-src": ["'none'"],
    "script-src": sources(hashes(html, "script")),
    "style-src": dynamicStyles ? ["'unsafe-inline'"] : sources(hashes(html, "style")),
    "img-src": ["'self'", "data:"],
    "font-src": ["data:"],
    "connect-src": connects ? ["'self'"] : ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"]
  }
  const directives = Object.entries(policy).map(([name, values]) => [name, ...values].join(" "))
  return HttpServerResponse.text(html, { contentType: "text/html; charset=utf-8" }).pipe(
    HttpServerResponse.setHeaders({
      "content-security-policy": directives.join("; "),
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY"
    })
  )
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** A text as it stands in an element or between quotes. */
export const escape = (text: string): string =>
  text.replaceAll(/[&<>"']/gu, (character) => entities[character]!)

const sources = (allowed: ReadonlyArray<string>) => (allowed.length === 0 ? ["'none'"] : allowed)

const hashes = (html: string, element: "script" | "style"): ReadonlyArray<string> =>
  [...html.matchAll(new RegExp(`<${element}(?:\\s[^>]*)?>([\\s\\S]*?)</${element}>`, "gu"))].map(
    ([, content]) => `'sha256-${createHash("sha256").update(content!).digest("base64")}'`
  )
