// The moves on display, and the current position in them.

/**
 * @typedef {object} Walk moves from a state, checked by the server
 * @property {string[]} moves
 * @property {string[]} frames face letters before the first move and after each
 * @property {string | null} setup moves from the solved puzzle to the first frame, if they are known
 * @property {boolean} solved whether the last frame is solved, or at the goal
 * @property {{name: string, first: number, last: number}[]} [marks] the steps of a method: their
 *   moves are `first` to `last` - 1
 * @property {string} [end] what the last frame is, in words; by default "solved" or "not solved"
 */

const PACE = 700; // milliseconds

/**
 * Sends the events "walk", "step" and "playing" when the named thing has changed.
 * At the event "walk", the new position is already set.
 */
class Steps extends EventTarget {
  /** @type {Walk | null} */
  walk = null;
  /** How many moves have been made. */
  at = 0;
  /** How long one move takes when they are played, in milliseconds. */
  pace = PACE;
  #timer = 0;

  get playing() {
    return this.#timer !== 0;
  }

  get last() {
    return this.walk?.moves.length ?? 0;
  }

  /**
   * Shows other moves. The position stays if both sequences are the same up to it, or if it is at
   * the end. Otherwise it goes back to the start.
   * @param {Walk | null} walk
   */
  show(walk) {
    const before = this.walk;
    const ended = before !== null && this.at > 0 && this.at === this.last;
    const same =
      before?.frames[0] === walk?.frames[0] && before?.frames[this.at] === walk?.frames[this.at];
    this.walk = walk;
    if (walk && before && ended && before.frames[0] === walk.frames[0]) this.at = this.last;
    else if (!walk || !same) {
      this.at = 0;
      this.#stop();
    }
    this.dispatchEvent(new Event("walk"));
  }

  /** Makes or takes back moves until so many have been made. @param {number} at */
  go(at) {
    this.#stop();
    this.#move(at);
  }

  /** Makes the moves one after the other, from the start if they are all made; or pauses. */
  toggle() {
    if (this.playing) return this.#stop();
    if (!this.last) return;
    if (this.at === this.last) this.#move(0);
    this.#timer = window.setInterval(() => this.#tick(), this.pace);
    this.dispatchEvent(new Event("playing"));
    this.#tick();
  }

  /** @param {number} share of the usual time that a move takes from now on */
  hurry(share) {
    this.pace = share * PACE;
    if (!this.playing) return;
    window.clearInterval(this.#timer);
    this.#timer = window.setInterval(() => this.#tick(), this.pace);
  }

  #tick() {
    this.#move(this.at + 1);
    if (this.at === this.last) this.#stop();
  }

  /** @param {number} at */
  #move(at) {
    const to = Math.max(0, Math.min(at, this.last));
    if (to === this.at) return;
    this.at = to;
    this.dispatchEvent(new Event("step"));
  }

  #stop() {
    if (!this.playing) return;
    window.clearInterval(this.#timer);
    this.#timer = 0;
    this.dispatchEvent(new Event("playing"));
  }
}

export const steps = new Steps();
