/** The end of the demo: a program of theirs is called by a webhook, which fails twice and then arrives. */
import * as StandardWebhook from "@quittance/auth/StandardWebhook"
import type { FeedEvent } from "@quittance/domain/events/Event"
import { Effect, Redacted } from "effect"
import { asProblems } from "../Problem.ts"
import type { DemoClient } from "./DemoClient.ts"
import { Narrator } from "./Narrator.ts"
import * as Receiver from "./Receiver.ts"

/** How often the receiver fails before it is mended. */
const failures = 2

/** Whether a request is signed under a secret: the receiver asks this of everything that comes. */
const isSigned = (
  { body, headers }: Receiver.Received,
  secret: Redacted.Redacted | undefined
): boolean => {
  const message = {
    id: headers["webhook-id"] ?? "",
    timestamp: Number(headers["webhook-timestamp"]),
    body: Buffer.from(body)
  }
  const keys = secret === undefined ? [] : [Redacted.value(secret)]
  const signed = StandardWebhook.headers(message, keys)
  return signed["webhook-signature"] === headers["webhook-signature"]
}

/** Sends the last event to a receiver that is broken, mends it, and shows what was tried. */
export const call = Effect.fnUntraced(
  function* (admin: DemoClient, event: FeedEvent) {
    const narrator = yield* Narrator
    yield* narrator.chapter("A program of theirs is called, although it was broken")
    const receiver = yield* Receiver.start(failures)
    const created = yield* Effect.option(
      admin.webhooks.create({
        query: {},
        payload: { url: receiver.url, types: [event.type], from: event.position - 1 }
      })
    )
    if (created._tag === "None") {
      return yield* narrator.tell(
        "This service calls no program of this machine: it asks for https."
      )
    }
    const { id: webhookId, secret } = created.value
    const on = { params: { webhookId }, query: {}, headers: {} }
    yield* narrator.fact("webhook", receiver.url)
    const tries = [yield* receiver.next, yield* receiver.next]
    yield* narrator.tell("It has answered 500 twice. They mend it, and ask for what waits:")
    yield* admin.webhooks.disable({ ...on, payload: {} })
    yield* admin.webhooks.enable({ ...on, payload: { from: "WHERE_IT_STOPPED" } })
    tries.push(yield* receiver.next)
    const requests = tries.filter((request) => request !== undefined)
    yield* narrator.table({
      columns: [{ header: "Try", align: "right" }, { header: "Event" }, { header: "Answered" }],
      rows: requests.map(({ headers, status }, index) => [
        String(index + 1),
        headers["webhook-id"] ?? "–",
        String(status)
      ])
    })
    yield* narrator.check(
      "it failed twice, and then it arrived",
      [500, 500, 204],
      requests.map(({ status }) => status)
    )
    yield* narrator.check(
      "each try has the same bytes, signed with the secret that they were given once",
      [1, true],
      [
        new Set(requests.map(({ body }) => body)).size,
        requests.every((request) => isSigned(request, secret))
      ]
    )
    yield* admin.webhooks.remove(on)
  },
  Effect.scoped,
  asProblems
)
