/** Tells users by letter that the password or a second factor of their account was changed. */
import type { FeedEvent } from "@quittance/domain/events/Event"
import type { EventName } from "@quittance/domain/EventType"
import type { AccountNotice } from "@quittance/domain/mail/Notice"
import { UserId } from "@quittance/domain/requests/Caller"
import { NoticeLettersRepo } from "@quittance/persistence/access/NoticeLettersRepo"
import { Context, Effect, Layer } from "effect"
import type { EventConsumer } from "./EventConsumers.ts"

/** The letter for each type; of others users are told nothing. */
const notices: { readonly [Name in EventName]?: AccountNotice } = {
  "user.password_set": "PASSWORD_CHANGED",
  "user.second_factor_added": "SECOND_FACTOR_CHANGED",
  "user.second_factor_removed": "SECOND_FACTOR_CHANGED",
  "user.second_factor_reset": "SECOND_FACTOR_CHANGED"
}

export class AccountNotices extends Context.Service<AccountNotices, EventConsumer>()(
  "@quittance/operations/AccountNotices"
) {
  static readonly layer = Layer.effect(
    AccountNotices,
    Effect.gen(function* () {
      const repo = yield* NoticeLettersRepo

      const handle = Effect.fn("AccountNotices.handle")((events: ReadonlyArray<FeedEvent>) =>
        repo.tellUsers(
          events.flatMap(({ data, timestamp, type }) => {
            const kind = notices[type]
            return kind === undefined
              ? []
              : [{ kind, userId: UserId.make(`${data["userId"]}`), happenedAt: timestamp }]
          })
        )
      )

      return AccountNotices.of({ name: "account-notices", handle })
    })
  ).pipe(Layer.provide(NoticeLettersRepo.layer))
}
