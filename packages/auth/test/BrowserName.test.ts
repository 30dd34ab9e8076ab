import { assert, describe, it } from "@effect/vitest"
import { of } from "../src/BrowserName.ts"

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)"

describe("the name of a browser", () => {
  it.each([
    ["Firefox on Linux", "Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0"],
    ["Firefox on Windows", "Mozilla/5.0 (Windows NT 10.0; rv:146.0) Gecko/20100101 Firefox/146.0"],
    [
      "Chrome on Windows",
      `Mozilla/5.0 (Windows NT 10.0; Win64) ${webkit} Chrome/143.0 Safari/537.36`
    ],
    [
      "Edge on Windows",
      `Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/143.0 Safari/537.36 Edg/143.0`
    ],
    [
      "Opera on macOS",
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Chrome/1 OPR/2.0`
    ],
    [
      "Safari on iPhone",
      `Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${webkit} Safari/604`
    ],
    [
      "Samsung Internet on Android",
      `Mozilla/5.0 (Linux; Android 16) ${webkit} SamsungBrowser/29 Chrome/1`
    ],
    [
      "Chrome on ChromeOS",
      `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/143.0 Safari/1`
    ]
  ])("is %s", (name, userAgent) => {
    assert.strictEqual(of(userAgent), name)
  })

  it("is nothing that was sent: unknown ones have none, and only the beginning is read", () => {
    assert.isUndefined(of(""))
    assert.isUndefined(of("curl/8.5.0 <script>"))
    assert.strictEqual(of("something (Windows NT 10.0)"), "Windows")
    assert.isUndefined(of(`${"x".repeat(600)} Firefox/146.0`))
  })
})
