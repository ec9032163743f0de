// The button for a scan. What the scan needs is loaded when it is pressed.

import { find } from "./find.js";
import { model } from "./model.js";
import { showNotice } from "./notice.js";
import { t } from "./texts.js";

const button = find("scan-button", HTMLButtonElement);

button.addEventListener("click", async () => {
  try {
    const { scan } = await import("./scan.js");
    scan();
  } catch (cause) {
    // Without a network, or with the server ended, a module cannot be loaded.
    if (!(cause instanceof TypeError)) throw cause;
    showNotice(t("unreachable"));
  }
});
model.addEventListener("puzzle", () => {
  button.hidden = !model.puzzle?.scans;
});
