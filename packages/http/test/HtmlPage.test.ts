import { assert, describe, it } from "@effect/vitest"
import * as HtmlPage from "../src/HtmlPage.ts"

describe("a page", () => {
  it("may run and look like nothing but what it holds", () => {
    const { headers } = HtmlPage.response("<style>a{}</style><script>1</script><p>Hello")
    const policy = headers["content-security-policy"] ?? ""
    // sha256 of `1` and of `a{}`.
    assert.include(policy, "script-src 'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='")
    assert.match(policy, /style-src 'sha256-[^']+';/u)
    assert.include(policy, "connect-src 'none'")
    assert.include(policy, "frame-ancestors 'none'")
    assert.notInclude(policy, "unsafe")
  })

  it("may run no script where it has none", () => {
    const { headers } = HtmlPage.response("<p>Hello")
    assert.include(headers["content-security-policy"] ?? "", "script-src 'none'")
  })

  it("shows what it is told as text", () => {
    assert.strictEqual(
      HtmlPage.escape(`<a href="x" title='y'>&`),
      "&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;"
    )
  })
})
