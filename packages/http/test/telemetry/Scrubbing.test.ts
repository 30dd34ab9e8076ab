/** Nothing leaves in telemetry that is not named as what may. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import * as Scrubbing from "../../src/telemetry/Scrubbing.ts"

type Span = Parameters<typeof Scrubbing.span>[0]
type Attributes = Span["attributes"]

const text = (key: string, stringValue: string): Attributes[number] => ({
  key,
  value: { stringValue }
})

const spanWith = (attributes: Attributes, more: Partial<Span> = {}): Span => ({
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "b7ad6b7169203331",
  parentSpanId: undefined,
  name: "Policies.read",
  kind: 1,
  startTimeUnixNano: "1",
  endTimeUnixNano: "2",
  attributes,
  droppedAttributesCount: 0,
  events: [],
  droppedEventsCount: 0,
  status: { code: 1 },
  links: [],
  droppedLinksCount: 0,
  ...more
})

/** What stands for people and amounts, unlike any word of the program. */
const secrets = Arbitrary.schema(
  Schema.String.check(Schema.isPattern(/^[A-Z][a-z]{3,9} [A-Z][a-z]{5,9} [0-9]{4},[0-9]{2}$/u))
)
const keys = Arbitrary.schema(
  Schema.Literals([
    "db.query.text",
    "db.query.parameter.name",
    "exception.message",
    "exception.stacktrace",
    "exception.type",
    "http.request.header.authorization",
    "url.query",
    "url.full",
    "user.email",
    "customer",
    "tenant"
  ])
)

describe("what leaves", () => {
  it.prop("has no secret, whatever it is put into", [secrets, keys], ([secret, key]) => {
    const stack = `Error: Key (name)=(${secret}) exists\n    at ${secret} (/srv/a.ts:1:2)\n    at read (/srv/a.ts:1:2)`
    const value = key === "exception.stacktrace" ? stack : secret
    const span = spanWith([text(key, value)], {
      events: [
        {
          name: "exception",
          timeUnixNano: "2",
          droppedAttributesCount: 0,
          attributes: [text("exception.message", secret), text(key, value)]
        }
      ],
      links: [
        {
          traceId: "0af7651916cd43dd8448eb211c80319c",
          spanId: "b7ad6b7169203331",
          attributes: [text(key, value)],
          droppedAttributesCount: 0
        }
      ],
      status: { code: 2, message: secret }
    })
    const line = { body: { stringValue: "A line" }, attributes: [text(key, value)] }
    const left = JSON.stringify([Scrubbing.span(span), Scrubbing.record(line as never)])
    assert.notInclude(left, secret)
    for (const word of secret.split(" ")) assert.notInclude(left, word)
  })

  it("keeps where in the program something failed, and what kind of failure it was", () => {
    const { attributes, events } = Scrubbing.span(
      spanWith([], {
        status: { code: 2, message: "x" },
        events: [
          {
            name: "exception",
            timeUnixNano: "2",
            droppedAttributesCount: 0,
            attributes: [
              text("exception.type", "SqlError"),
              text(
                "exception.stacktrace",
                "SqlError: x\n    at async Policies.read (file:///srv/a.ts:1:2)\n    at /srv/b.ts:3:4"
              )
            ]
          }
        ]
      })
    )
    assert.deepStrictEqual(attributes, [text("error.type", "SqlError")])
    assert.deepStrictEqual(events[0]!.attributes, [
      text("exception.type", "SqlError"),
      text(
        "exception.stacktrace",
        "    at async Policies.read (file:///srv/a.ts:1:2)\n    at /srv/b.ts:3:4"
      )
    ])
  })

  it.each([
    ["a server's that answered 404", 2, [], 1, 0],
    ["a server's that answered 500", 2, [text("error.type", "500")], 1, 2],
    ["a server's whose client went away", 2, [], 2, 0],
    ["a client's that was answered 503", 3, [text("error.type", "503")], 1, 2],
    ["a statement's that failed", 3, [], 2, 2]
  ] as const)(
    "says of a span whether it failed: %s",
    (_whose, kind, attributes, code, expected) => {
      const { status } = Scrubbing.span(spanWith([...attributes], { kind, status: { code } }))
      assert.deepEqual<object>(status, { code: expected })
    }
  )
})
