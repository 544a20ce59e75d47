"""Where an entry of a query, key or value comes from in a model: a step for each number, down to the token's vector."""

from collections.abc import Sequence

from attention_core.addresses import Address
from attention_core.models.entry_numbers import EntryNumbers
from attention_core.models.entry_steps import STEPS
from attention_core.models.entry_words import CALLED, EntryWords
from attention_core.models.token_path import TokenPath
from attention_core.opening import Opening


class Origin:
    """What stands before the queries, keys and values of one head: it opens what a record of that head has as given.

    A step is told with the model's own numbers, in single precision: redone, it agrees to about six digits.
    """

    arrays = tuple(CALLED)

    def __init__(
        self, path: TokenPath, layer: int, head: int, *, tokens: Sequence[str] | None = None, first_query: int = 0
    ) -> None:
        """tokens: their names, if not as the run has them    first_query: the token that asks first in the record

        Raises ValueError if there is no such layer or head.
        """
        self._numbers = EntryNumbers(path, layer, head)
        self._words = EntryWords(self._numbers, path.run.tokens if tokens is None else tokens)
        self._first_query = first_query

    def opening(self, address: Address) -> Opening:
        """How a number comes from others. Those of queries, keys and values are asked for by their place in the record.

        Raises ValueError if there is no such number, or the model is not in memory any more.
        """
        here = self._in_text(address)
        self._numbers.value(here)
        step = STEPS[here.array](self._words, here.array, *here.place)
        return Opening(address, self._words.name(here), step)

    def require(self, address: Address) -> None:
        """Raise ValueError if there is no such number, or the model is not in memory any more."""
        self._numbers.value(self._in_text(address))

    def _in_text(self, address: Address) -> Address:
        """The same address, with the place of a query in the text."""
        if address.array != "Q" or len(address.place) != 3:
            return address
        head, row, e = address.place
        return Address("Q", (head, row + self._first_query, e))
