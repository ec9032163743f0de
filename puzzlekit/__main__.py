"""The entry point of `puzzlekit` and of `python -m puzzlekit`.

If Ctrl-C or a lack of memory ends an import, Python would show a traceback. This module prints one
line instead. Once the command line is imported, it reports such errors itself.
"""

import errno
import gc
import os

_NO_MEMORY = "error: there is not enough memory"


def main() -> None:
    """Import the command line and run it, or print one line if the import fails."""
    # Imports make no garbage, and collecting it costs a short command 5 % of its time.
    gc.set_threshold(100_000)
    try:
        import signal

        # During an import an exception could be lost, or be shown as ignored.
        held = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if held:
            signal.signal(signal.SIGINT, lambda *_: _end("interrupted", 130))
        from puzzlekit.cli import main as run

        if held:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        run()
    except KeyboardInterrupt:
        _end("interrupted", 130)
    except (MemoryError, SystemError):
        # Python itself can lose a MemoryError, and then raises a SystemError.
        _end(_NO_MEMORY, 4)
    except OSError as error:  # the command line reports others; a directory may need memory, too
        if error.errno != errno.ENOMEM:
            raise
        _end(_NO_MEMORY, 4)


def _end(message: str, code: int) -> None:
    """Exit at once with a message and a code of `puzzlekit.cli.output`."""
    os.write(2, f"{message}\n".encode())
    os._exit(code)


if __name__ == "__main__":
    main()
