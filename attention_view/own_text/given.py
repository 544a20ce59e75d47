"""What the model was given, and what can be taken from it: its tokens, their size in memory, all weights as a file."""

from collections.abc import Callable, Sequence

import streamlit as st

from attention_core.models import Run
from attention_core.models.all_weights import LIMIT, all_weights_file, n_bytes
from attention_view import drawn
from attention_view.own_text.model_choice import Chosen
from attention_view.own_text.pieces import pieces_table
from attention_view.own_text.sizes import megabytes
from attention_view.own_text.text_input import size_line
from attention_view.pictures.pieces import Tables

PIECES = "The tokens, one by one"


def draw(chosen: Chosen, run: Run, ids: Sequence[int]) -> None:
    """Draw the folded table of tokens, and the button that saves all weights; nothing is made before it is pressed."""
    drawn.markdown(
        "A model reads no words but **tokens**: pieces of text from a fixed list, its vocabulary. A rare word or a "
        f"sign of another script takes several of them. {size_line(run)}"
    )
    _fold_pieces(lambda: pieces_table(run, ids, chosen.model.tokenizer.bytes_of(ids)))
    size = n_bytes(run)
    if size > LIMIT:
        st.html(
            f'<p class="av-note">All weights of this text at once would take {megabytes(size)}, and at most '
            f"{megabytes(LIMIT)} can be saved. Take a shorter text: half as many tokens need a quarter of it.</p>"
        )
        return
    st.download_button(
        f"All weights as .npz ({megabytes(size)})",
        data=lambda: all_weights_file(run),
        file_name="weights.npz",
        mime="application/octet-stream",
        key="own_weights",
        on_click="ignore",
    )


def _fold_pieces(table: Callable[[], str]) -> None:
    drawn.note(Tables(PIECES, (table,)))

    @st.fragment
    def fold() -> None:
        with st.expander(PIECES, key="own_pieces", on_change="rerun") as opened:
            if opened.open:
                st.html(table())

    fold()
