"""13. Your own text: a real model reads what the learner wrote, here and now."""

from attention_view import drawn, lesson

lesson.require_frame()

drawn.markdown("Your own text.")
