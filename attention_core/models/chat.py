"""A question in the form in which SmolLM2 was trained to be asked, and the answer that it writes."""

from collections.abc import Iterator

from attention_core.models.model import Model, Step
from attention_core.models.tokenizer import Tokenizer

START = "<|im_start|>"

# As tokenizer.chat_template in the model's file writes a first question.
CHAT = (
    "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n"
    "<|im_start|>user\n{question}<|im_end|>\n<|im_start|>assistant\n"
)


def chat_prompt(question: str) -> str:
    """The text after which the model writes its answer."""
    return CHAT.replace("{question}", question)


def takes_questions(tokenizer: Tokenizer) -> bool:
    """Whether a model knows the marks of a question: whether the first of them is one token and no text."""
    try:
        ids = tokenizer.encode(START)
    except ValueError:  # it cannot even cut it into tokens
        return False
    return len(ids) == 1 and ids[0] in tokenizer.special


def answer_steps(model: Model, question: str, n: int) -> Iterator[Step]:
    """The tokens of the answer, at most n of them, each the likeliest; the last one is the end if it came to it.

    Raises ValueError as `Model.write` does.
    """
    for step in model.write(model.tokenizer.encode(chat_prompt(question)), n):
        yield step
        if step.id == model.tokenizer.end:
            return
