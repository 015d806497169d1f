"""A rich console that prints no character that a terminal obeys, apart from its own styles.

It is imported when something is printed with it: rich takes as long as all the rest of `tatc`.
"""

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from tatc.base.plain_text import printable


class PrintableConsole(Console):
    """Prints texts, tables and progress bars with `printable` text.

    Line feeds are kept, since rich lays out lines by them: values are made `printable` before.
    """

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Return the segments of a renderable; their texts can be printed."""
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                yield Segment("\n".join(map(printable, segment.text.split("\n"))), segment.style)
