/** What the members of the test clock mean. */
export const workerTerms = {
  "MoveTestClock.now": "The new business time of the tenant; not earlier than the present one.",
  now: "The tenant's business time, in UTC.",
  ran: "How often each job ran on the way, by its name."
}
