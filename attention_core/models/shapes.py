"""Which tensors a model of certain sizes must have, by their names here, and how large each is."""

from attention_core.models.settings import Settings

Shape = tuple[int, ...]


def layer_shapes(settings: Settings) -> dict[str, Shape]:
    """The tensors of each layer, without the layer's number."""
    d_model, d_hidden = settings.d_model, settings.d_hidden
    d_Q, d_K = settings.n_heads * settings.d_head, settings.n_kv_heads * settings.d_head
    matrices = {
        "Q": (d_Q, d_model), "K": (d_K, d_model), "V": (d_K, d_model), "O": (d_model, d_Q),
        "up": (d_hidden, d_model), "down": (d_model, d_hidden),
    }  # fmt: skip
    norms: dict[str, Shape] = {"norm_1": (d_model,), "norm_2": (d_model,)}
    if settings.family == "llama":
        return {**matrices, "gate": (d_hidden, d_model), **norms}
    return with_biases({**matrices, **norms})


def outer_shapes(settings: Settings) -> dict[str, Shape]:
    """The tensors that belong to no layer. How many types of token BERT tells apart is not among its sizes: 0."""
    d_model = settings.d_model
    embedding = {"embedding": (settings.n_vocabulary, d_model)}
    unembedding = {"unembedding": (settings.n_vocabulary, d_model)}
    positions = {"positions": (settings.longest, d_model)}
    if settings.family == "llama":
        return {**embedding, "norm": (d_model,), **unembedding}
    if settings.family == "gpt2":
        return {**embedding, **positions, **with_biases({"norm": (d_model,)}), **unembedding}
    return {**embedding, **positions, "token_types": (0, d_model), **with_biases({"embedding_norm": (d_model,)})}


def shapes(settings: Settings) -> dict[str, Shape]:
    """Every tensor of the model by its full name."""
    layer = layer_shapes(settings)
    return outer_shapes(settings) | {
        f"{n}.{name}": shape for n in range(settings.n_layers) for name, shape in layer.items()
    }


def with_biases(weights: dict[str, Shape]) -> dict[str, Shape]:
    """The same with a bias for each: one number for each row of a weight."""
    return weights | {f"{name}.bias": shape[:1] for name, shape in weights.items()}
