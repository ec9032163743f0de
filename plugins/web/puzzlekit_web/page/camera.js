// The camera of the visitor's device.

/** Why there is no picture of the camera. */
export class CameraError extends Error {
  /** @param {string} problem the key of a text */
  constructor(problem) {
    super(problem);
    this.problem = problem;
  }
}

export class Camera {
  #video;
  /** @type {MediaStream | null} */
  #stream = null;
  /** Counts the starts, because a permission may be given after the camera was stopped. */
  #asked = 0;

  /** @param {HTMLVideoElement} video which shows what it sees */
  constructor(video) {
    this.#video = video;
  }

  get running() {
    return this.#stream !== null && this.#video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA;
  }

  /**
   * Starts the camera, unless it runs: that at the back of a phone.
   * @returns {Promise<boolean>} false if it was stopped meanwhile
   */
  async start() {
    if (this.#stream) return true;
    const number = ++this.#asked;
    if (!navigator.mediaDevices?.getUserMedia) throw new CameraError(isSecureContext ? "camera.none" : "camera.insecure");
    const video = { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 960 } };
    let stream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video });
    } catch (cause) {
      const refused = cause instanceof DOMException && cause.name === "NotAllowedError";
      throw new CameraError(refused ? "camera.refused" : "camera.none");
    }
    if (number !== this.#asked) {
      for (const track of stream.getTracks()) track.stop();
      return false;
    }
    this.#stream = stream;
    this.#video.srcObject = stream;
    await this.#video.play().catch(() => {});
    return this.#stream === stream;
  }

  stop() {
    this.#asked++;
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#stream = null;
    this.#video.srcObject = null;
  }

  /** Whether it looks at the visitor, who expects a mirror. */
  get facesVisitor() {
    const facing = this.#stream?.getVideoTracks()[0]?.getSettings().facingMode;
    return facing !== "environment";
  }

  /** The middle of what it sees, a square. @param {CanvasRenderingContext2D} context */
  draw(context) {
    const { videoWidth: width, videoHeight: height } = this.#video;
    const side = Math.min(width, height);
    const { canvas } = context;
    context.drawImage(this.#video, (width - side) / 2, (height - side) / 2, side, side, 0, 0, canvas.width, canvas.height);
  }
}
