"""Pictures that leave the page: as SVG, as tables for a spreadsheet, as one file that opens by itself."""

from attention_view.pictures.csv_text import csv_text
from attention_view.pictures.page_file import page_file
from attention_view.pictures.token_picture import token_picture

__all__ = ["csv_text", "page_file", "token_picture"]
