/** What the members of the test clock mean. */
export const workerTerms = {
  "MoveTestClock.now": "Where to move the tenant's business time; no earlier than where it stands.",
  now: "The tenant's business time, in UTC.",
  ran: "How often each job ran on the way, by its name."
}
