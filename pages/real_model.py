"""12. In a real model: the lesson's three heads beside their twins in SmolLM2, and all other heads of it."""

from attention_view import drawn, lesson

lesson.require_frame()

drawn.markdown("The real model.")
