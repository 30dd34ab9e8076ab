/** What is wrong with an answer: JSON pointers into it, and what was found there. */
export class AnswerFaults {
  readonly list: Array<string> = []

  add(pointer: string, problem: string) {
    this.list.push(`${pointer}: ${problem}`)
  }
}
