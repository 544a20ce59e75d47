"""The questions of the last page: read from a file, judged by the record."""

from attention_view.questions.file import QUESTIONS, Fault, QuestionFile, load_questions, read_questions
from attention_view.questions.judge import Answer, Verdict, best_places, judge, settling_link, solution, truth
from attention_view.questions.question import SETTINGS, Option, Question

__all__ = [
    "QUESTIONS",
    "SETTINGS",
    "Answer",
    "Fault",
    "Option",
    "Question",
    "QuestionFile",
    "Verdict",
    "best_places",
    "judge",
    "load_questions",
    "read_questions",
    "settling_link",
    "solution",
    "truth",
]
