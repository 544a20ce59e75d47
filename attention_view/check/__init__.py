"""The last page's questions on screen: the row of them, the picture to predict on, the answer and its verdict."""

from attention_view.check.view import choose, question_file, question_ids, question_view

__all__ = ["choose", "question_file", "question_ids", "question_view"]
