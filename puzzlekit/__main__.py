"""The command `puzzlekit`, which is `python -m puzzlekit` too, from its first import on.

Python shows a traceback where Ctrl-C or a lack of memory meets an import. Once the command line is
imported, it says itself how a command ended.
"""

import gc
import os


def main() -> None:
    """Import the command line and run it; what ends it before that is told in one line."""
    # Imports make no garbage, and looking for it costs a short command 5 % of its time.
    gc.set_threshold(100_000)
    try:
        import signal

        # An exception could be lost in an import, or be shown as ignored.
        held = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if held:
            signal.signal(signal.SIGINT, lambda *_: _end("interrupted", 130))
        from puzzlekit.cli import main as run

        if held:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        run()
    except KeyboardInterrupt:
        _end("interrupted", 130)
    except MemoryError:
        _end("error: there is not enough memory", 4)


def _end(message: str, code: int) -> None:
    """Leave at once, as nothing has been done yet; with a code of `puzzlekit.cli.messages`."""
    os.write(2, f"{message}\n".encode())
    os._exit(code)


if __name__ == "__main__":
    main()
