"""A Plotly figure on a page. Pages without one never load Plotly: it costs the first visit half a second and more."""

import plotly.graph_objects as go
import streamlit as st

from attention_view import drawn
from attention_view.figures import PLOTLY_CONFIG, alt_text
from attention_view.pictures.pieces import Figure


def plot(figure: go.Figure) -> None:
    """Draw a figure with its caption below and its alt text for screen readers."""
    drawn.note(Figure(figure))
    st.plotly_chart(figure, config=PLOTLY_CONFIG, theme=None, alt=alt_text(figure))
    st.caption(figure.layout.meta["caption"])
