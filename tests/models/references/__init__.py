"""Reference numbers: what transformers computes for some texts, recorded so that tests need neither it nor torch.

`python -m tests.models.references` records them anew; the small random models beside them are made by it too.
`python -m tests.models.references.sentencepiece_ids` records the tokens that the sentencepiece package gives.
"""
