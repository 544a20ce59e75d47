"""The page "Your own text": a real model reads what the learner wrote, here and now."""
