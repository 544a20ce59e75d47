"""Reference numbers: what transformers computes for some texts, recorded so that tests need neither it nor torch.

`python -m tests.models.references` records them anew; the small random models beside them are made by it too.
"""
